/* why_fields.c - find the names of the fields and attributes that are compared */
#include <stdlib.h>
#include <string.h>

#include "compare/why.h"
#include "base/error.h"
#include "model/trace.h"

void
tn_why_names_release(struct tn_why_names *n)
{
	for (size_t i = 0; i < n->item.n; i++)
		free(n->item.item[i]);
	TN_ARRAY_RELEASE(&n->item);
}

static bool
is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether the condition has the name as a word, and so would explain itself. */
bool
tn_why_is_in(const char *condition, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = condition; (at = strstr(at, name)); at++)
		if ((at == condition || !is_word(at[-1])) && !is_word(at[n]))
			return true;
	return false;
}

bool
tn_why_has_name(const struct tn_why_names *n, const char *name)
{
	for (size_t i = 0; i < n->item.n; i++)
		if (strcmp(n->item.item[i], name) == 0)
			return true;
	return false;
}

bool
tn_why_add_name(struct tn_why_names *n, const char *name)
{
	char **at;

	if (tn_why_has_name(n, name))
		return true;
	at = TN_ARRAY_ADD(&n->item);
	return at && (*at = strdup(name));
}

/* Add the members of a scope that are numbers or texts. */
static bool
add_scope(struct tn_why_names *names, const struct tn_event_class *class, enum tn_scope scope)
{
	const struct tn_field *root = tn_event_class_scope(class, scope);
	const struct tn_type *type = root ? tn_field_type(root) : NULL;
	bool good = true;

	for (size_t i = 0; type && tn_type_kind(type) == TN_KIND_STRUCT && good && i < tn_type_field_count(type); i++) {
		const struct tn_field *field = tn_type_field(type, i);
		char step[256];

		switch (tn_type_kind(tn_field_type(field))) {
		case TN_KIND_STRUCT: case TN_KIND_ARRAY: case TN_KIND_VARIANT: case TN_KIND_BLOB:
			continue;
		default:
			if (tn_field_step(field, 0, step, sizeof step) < sizeof step && *step == '.')
				good = tn_why_add_name(names, step + 1);
		}
	}
	return good;
}

bool
tn_why_add_class(struct tn_why_names *names, const struct tn_event_class *class)
{
	return add_scope(names, class, TN_SCOPE_PAYLOAD) && add_scope(names, class, TN_SCOPE_SPECIFIC_CONTEXT) &&
	       add_scope(names, class, TN_SCOPE_COMMON_CONTEXT);
}

bool
tn_why_add_attributes(struct tn_why_names *names)
{
	static const char *const attributes[] = { "cpu", "tid", "pid", "process", "stream", "host", "trace" };
	bool good = true;

	for (size_t i = 0; i < TN_COUNT(attributes) && good; i++)
		good = tn_why_add_name(names, attributes[i]);
	return good;
}

/* Add a factor; the first factor is the time of the begin. */
enum tn_code
tn_why_add_factor(struct tn_why *w, const char *name, struct tn_error *err)
{
	struct tn_factor *f = TN_ARRAY_ADD(&w->findings.factor);

	if (!f)
		return tn_fail_memory(err);
	f->name = strdup(name);
	return f->name ? TN_OK : tn_fail_memory(err);
}

/* "begin.X" is left out if the condition names X; the time is left out if the condition names begin or end. */
bool
tn_why_is_asked(const struct tn_why *w, const char *name)
{
	const char *tail = strncmp(name, "begin.", 6) == 0 ? name + 6 : strncmp(name, "end.", 4) == 0 ? name + 4 : name;

	if (strcmp(name, "time") == 0 && (tn_why_is_in(w->condition, "begin ") || tn_why_is_in(w->condition, "end ")))
		return false;
	return !tn_why_is_in(w->condition, tail);
}

struct tn_answer_value
tn_why_slice(const struct tn_why *w, int64_t time_ns)
{
	struct tn_answer_value v = { .kind = TN_ANSWER_UINT };

	v.is.u = ((uint64_t)time_ns - (uint64_t)w->begin_ns) / (uint64_t)w->slice_ns;
	return v;
}
