/* find.c - find values by a path (path.h) */
#include <stdlib.h>
#include <string.h>

#include "model/decoder.h"
#include "model/path.h"

/* Whether the first name of @path is @name; *rest is after it. */
static bool
begins_with(const char *path, const char *name, const char **rest)
{
	struct tn_str first = { 0 };
	size_t n;
	bool same;

	path += *path == '.';
	n = tn_path_take_name(path, &first);
	same = n && *name && !first.failed && strcmp(tn_str_text(&first), name) == 0;
	tn_str_release(&first);
	if (same)
		*rest = path + n;
	return same;
}

const struct tn_field *
tn_root_enter(const struct tn_field *field, const char **path)
{
	const struct tn_root *root = field->root;
	const struct tn_field *in;
	const char *rest;

	if (!root)
		return field;
	for (size_t i = 0; **path && i < field->type->n_fields; i++)
		if (begins_with(*path, field->type->field[i].name, &rest))
			return field;
	in = root->is_wrapped ? &field->type->field[0] : field;
	if (root->option && begins_with(*path, root->name[root->option - 1], &rest))
		*path = rest;
	return in;
}

/* ---- values ---- */

/* Follow a path such as ".a.b[2].c" from @v; the first name may omit its dot. */
static const struct tn_value *
follow(const struct tn_value *v, const char *path)
{
	struct tn_str name = { 0 };

	while (v && *path) {
		if (*path == '[') {
			char *end;
			unsigned long long i = strtoull(path + 1, &end, 10);

			if (end == path + 1 || *end != ']') {
				v = NULL;
				break;
			}
			while (v && (v->field->type->kind == TN_KIND_VARIANT || v->field->type->kind == TN_KIND_OPTIONAL))
				v = tn_value_first(v);
			v = v && v->field->type->kind == TN_KIND_ARRAY ? tn_value_at(v, (size_t)i) : NULL;
			path = end + 1;
		} else {
			size_t n;

			path += *path == '.';
			tn_str_clear(&name);
			n = tn_path_take_name(path, &name);
			v = n && !name.failed ? tn_value_member(v, tn_str_text(&name)) : NULL;
			path += n;
		}
	}
	tn_str_release(&name);
	return v;
}

/* Follow a path from the root of a scope. */
static const struct tn_value *
follow_root(const struct tn_value *root, const char *path)
{
	if (root && tn_root_enter(root->field, &path) != root->field)
		root = tn_value_first(root);
	return root ? follow(root, path) : NULL;
}

const char *
tn_scope_rest(const char *name, enum tn_scope scope)
{
	const char *const forms[] = { tn_scope_name(scope), tn_scope_path(scope) };

	for (size_t i = 0; i < TN_COUNT(forms); i++) {
		size_t n = strlen(forms[i]);

		if (strncmp(name, forms[i], n) == 0 && (name[n] == '.' || name[n] == '\0' || name[n] == '['))
			return name + n;
	}
	return NULL;
}

const struct tn_value *
tn_event_find(const struct tn_event *e, const char *path)
{
	if (!e || !path)
		return NULL;

	static const enum tn_scope order[] = {
		TN_SCOPE_PAYLOAD, TN_SCOPE_SPECIFIC_CONTEXT, TN_SCOPE_COMMON_CONTEXT, TN_SCOPE_PACKET_CONTEXT,
	};
	const struct tn_value *v;
	bool scoped = false;

	/* "event.context" first means the context of the event class, then that of the stream class. */
	for (unsigned s = TN_SCOPES; s-- > 0; ) {
		const char *rest = tn_scope_rest(path, (enum tn_scope)s);

		scoped |= rest != NULL;
		v = rest ? follow_root(tn_event_scope(e, (enum tn_scope)s), rest) : NULL;
		if (v)
			return v;
	}
	for (size_t i = 0; i < TN_COUNT(order) && !scoped; i++) {
		v = follow_root(tn_event_scope(e, order[i]), path);
		if (v)
			return v;
	}
	return NULL;
}

const char *
tn_event_scope_path(const struct tn_event *event, enum tn_scope scope)
{
	const struct tn_value *common = tn_event_scope(event, TN_SCOPE_COMMON_CONTEXT), *in;
	const struct tn_value *specific = tn_event_scope(event, TN_SCOPE_SPECIFIC_CONTEXT);

	if (!event)
		return NULL;
	if (scope == TN_SCOPE_COMMON_CONTEXT && specific)
		for (in = tn_value_first(common); in; in = tn_value_after(common, in))
			if (tn_value_member(specific, tn_field_label(tn_value_field(in))))
				return tn_scope_name(scope);
	return tn_scope_path(scope);
}
