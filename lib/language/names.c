#include "language/names_index.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <tnav/iterate.h>

#include "base/error.h"
#include "language/attribute_field.h"
#include "language/running.h"
#include "model/path.h"

/* ---- the index ---- */

static void
add_fields(struct tn_names *names, const struct tn_field *f, enum tn_scope scope, const void *owner)
{
	for (size_t i = 0; f && i < f->type->n_fields; i++) {
		const struct tn_field *in = &f->type->field[i];

		/* Compare with the name in the metadata, then with the displayed name. */
		for (int shown = 0; shown < 2; shown++) {
			const char *label = shown ? in->label : in->name;
			struct entry *e;

			/*
			 * A member may have an empty name; the content of an array, a variant or an optional does not
			 * have a name.
			 */
			if (*label ? shown && strcmp(in->label, in->name) == 0 : !shown || f->type->kind != TN_KIND_STRUCT)
				continue;
			e = TN_ARRAY_ADD(&names->entry);
			if (e)
				*e = (struct entry) { label, in, scope, owner, names->entry.n };
			else
				names->no_memory = true;
		}
		add_fields(names, in, scope, owner);
	}
}

static int
compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->label, y->label);

	return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static void
add_trace(struct tn_names *names, const struct tn_trace *trace)
{
	add_fields(names, trace->packet_header, TN_SCOPE_PACKET_HEADER, trace);
	for (size_t s = 0; s < trace->n_stream_classes; s++) {
		const struct tn_stream_class *sc = trace->stream_class[s];

		add_fields(names, sc->packet_context, TN_SCOPE_PACKET_CONTEXT, sc);
		add_fields(names, sc->event_header, TN_SCOPE_EVENT_HEADER, sc);
		add_fields(names, sc->common_context, TN_SCOPE_COMMON_CONTEXT, sc);
	}
	for (size_t i = 0; i < trace->n_event_classes; i++) {
		const struct tn_event_class *ec = trace->event_class[i];

		add_fields(names, ec->specific_context, TN_SCOPE_SPECIFIC_CONTEXT, ec);
		add_fields(names, ec->payload, TN_SCOPE_PAYLOAD, ec);
	}
}

static bool
number_classes(struct tn_names *names, const struct tn_set *set)
{
	for (size_t t = 0; t < set->n_traces; t++)
		names->n_classes += set->trace[t]->n_event_classes;
	names->n_streams = set->n_streams;
	names->first_class = calloc(set->n_streams + 1, sizeof *names->first_class);
	names->trace_classes = calloc(set->n_streams + 1, sizeof *names->trace_classes);
	names->event_class = calloc(names->n_classes + 1, sizeof *names->event_class);
	names->events.seen = calloc(names->n_classes + 1, sizeof *names->events.seen);
	if (!names->first_class || !names->trace_classes || !names->event_class || !names->events.seen)
		return false;
	names->n_classes = 0;
	for (size_t t = 0; t < set->n_traces; t++) {
		const struct tn_trace *trace = set->trace[t];

		for (size_t s = 0; s < trace->n_streams; s++)
			if (trace->stream[s]->rank < set->n_streams) {
				names->first_class[trace->stream[s]->rank] = names->n_classes;
				names->trace_classes[trace->stream[s]->rank] = (uint32_t)trace->n_event_classes;
			}
		for (size_t i = 0; i < trace->n_event_classes; i++) {
			names->has_markers |= trace->event_class[i]->marker != NULL;
			names->event_class[names->n_classes++] = trace->event_class[i];
		}
	}
	return true;
}

enum tn_code
tn_names_new(struct tn_names **out, const struct tn_set *set, const struct tn_extras *extras, struct tn_error *err)
{
	struct tn_names *names = calloc(1, sizeof *names);

	*out = NULL;
	if (!names)
		return tn_fail_memory(err);
	pthread_mutex_init(&names->events.lock, NULL);
	names->set = set;
	if (extras)
		names->extras = *extras;
	if (!number_classes(names, set))
		names->no_memory = true;
	for (size_t t = 0; t < set->n_traces; t++)
		add_trace(names, set->trace[t]);
	if (names->no_memory || tn_running_new(&names->running, set, NULL) < 0) {
		tn_names_free(names);
		return tn_fail_memory(err);
	}
	if (names->entry.n)
		qsort(names->entry.item, names->entry.n, sizeof *names->entry.item, compare_entries);
	*out = names;
	return TN_OK;
}

void
tn_names_free(struct tn_names *names)
{
	if (!names)
		return;
	TN_ARRAY_RELEASE(&names->entry);
	free(names->first_class);
	free(names->trace_classes);
	free(names->event_class);
	free(names->events.seen);
	tn_running_free(names->running);
	pthread_mutex_destroy(&names->events.lock);
	free(names);
}

size_t
tn_names_class(const struct tn_names *names, const struct tn_stream *stream, uint32_t event_class)
{
	if (stream->rank >= names->n_streams || event_class >= names->trace_classes[stream->rank])
		return SIZE_MAX;
	return names->first_class[stream->rank] + event_class;
}

size_t
tn_names_classes_of(const struct tn_names *names, const struct tn_stream *stream, size_t *n)
{
	*n = stream->rank < names->n_streams ? names->trace_classes[stream->rank] : 0;
	return *n ? names->first_class[stream->rank] : 0;
}

struct tn_running *
tn_names_running(const struct tn_names *names)
{
	return names->running;
}

size_t
tn_names_class_count(const struct tn_names *names)
{
	return names->n_classes;
}

size_t
tn_names_find_class(const struct tn_names *names, const struct tn_event_class *ec)
{
	const struct tn_trace *trace = ec->stream_class->trace;

	for (size_t i = 0; i < names->n_classes; i += names->event_class[i]->stream_class->trace->n_event_classes)
		if (names->event_class[i]->stream_class->trace == trace)
			return ec->index < trace->n_event_classes && i + ec->index < names->n_classes ? i + ec->index : SIZE_MAX;
	return SIZE_MAX;
}

const struct tn_event_class *
tn_names_event_class(const struct tn_names *names, size_t class)
{
	return names->event_class[class];
}

size_t
tn_names_find_entry(const struct tn_names *names, const char *label)
{
	size_t lo = 0;

	TN_BISECT(lo, names->entry.n, mid, strcmp(names->entry.item[mid].label, label) < 0);
	return lo;
}

/* ---- paths ---- */

#define STEPS 160

struct step {
	const char *name;
	size_t n;
	size_t n_indices;
};

struct steps {
	struct step step[STEPS];
	size_t n;
	int64_t index[TN_INDEX_MOST];
	size_t n_indices;
};

size_t
tn_name_length(const char *text)
{
	const char *at = text;

	for (;;) {
		size_t n = tn_path_name_length(at);

		if (!n || (at == text && isdigit((unsigned char)*at)))
			return 0;
		at += n;
		while (*at == '[') {
			const char *in = at + 1;

			if (*in == '*')
				in++;
			else
				while (isdigit((unsigned char)*in))
					in++;
			if (*in != ']')
				break;
			at = in + 1;
		}
		/* "a..b" is a range. */
		if (*at != '.' || (!tn_path_is_name_byte(at[1]) && at[1] != '`'))
			return (size_t)(at - text);
		at++;
	}
}

/* Read the name of the next step. NULL: there is no name, or memory is out. */
static const char *
take_name(struct tn_arena *arena, const char **path, size_t *n, bool *no_memory)
{
	struct tn_str name = { 0 };
	size_t taken = tn_path_take_name(*path, &name);
	const char *copy = NULL;

	if (taken && !name.failed)
		copy = tn_arena_copy(arena, tn_str_text(&name), name.n);
	*no_memory |= taken && !copy;
	*path += taken;
	*n = name.n;
	tn_str_release(&name);
	return copy;
}

static bool
split(struct steps *s, struct tn_arena *arena, const char *path, bool *no_memory)
{
	s->n = s->n_indices = 0;
	while (*path) {
		struct step *step = &s->step[s->n];

		if (s->n == STEPS)
			return false;
		*step = (struct step) { 0 };
		step->name = take_name(arena, &path, &step->n, no_memory);
		if (!step->name)
			return false;
		while (*path == '[') {
			if (s->n_indices == TN_INDEX_MOST)
				return false;
			path++;
			s->index[s->n_indices] = TN_INDEX_ANY;
			if (isdigit((unsigned char)*path)) {
				errno = 0;
				s->index[s->n_indices] = strtoll(path, NULL, 10);
				if (errno)
					return false;
			}
			path += strcspn(path, "]");
			path += *path == ']';
			s->n_indices++;
			step->n_indices++;
		}
		s->n++;
		path += *path == '.';
	}
	return s->n > 0;
}

/* Whether steps [0, k) are the end of the scope's name. */
static bool
ends_scope(const struct steps *s, size_t k, const char *scope)
{
	for (const char *end = scope + strlen(scope); k-- > 0; ) {
		const struct step *step = &s->step[k];

		if (step->n_indices || (size_t)(end - scope) < step->n || memcmp(end - step->n, step->name, step->n) != 0)
			return false;
		end -= step->n;
		if (end == scope)
			return k == 0;
		if (end[-1] != '.')
			return false;
		end--;
	}
	return true;
}

static bool
is_called(const struct tn_field *f, const struct step *step)
{
	return (strlen(f->label) == step->n && memcmp(f->label, step->name, step->n) == 0) ||
	       (strlen(f->name) == step->n && memcmp(f->name, step->name, step->n) == 0);
}

/*
 * Whether steps [0, k) lead to the container of @f. @arrays: levels of arrays that were passed since the last name.
 * *scoped: the path contains the scope.
 */
static bool
leads(const struct steps *s, size_t k, const struct tn_field *f, enum tn_scope scope, size_t arrays, bool *scoped)
{
	const struct tn_field *up = f->parent;

	if (!up) {
		*scoped = k > 0;
		return ends_scope(s, k, tn_scope_path(scope)) || ends_scope(s, k, tn_scope_name(scope));
	}
	if (up->type->kind == TN_KIND_ARRAY)
		arrays++;
	if (!up->parent)
		return arrays == 0 && leads(s, k, up, scope, 0, scoped);
	/* A path may omit a container without a name, or an option. */
	if ((!*up->label || up->parent->type->kind == TN_KIND_VARIANT) && leads(s, k, up, scope, arrays, scoped))
		return true;
	if (!*up->label && up->parent->type->kind != TN_KIND_STRUCT)
		return false;
	if (k == 0)
		return arrays == 0;	/* true for the end of a path, which must contain the elements */
	return is_called(up, &s->step[k - 1]) && s->step[k - 1].n_indices == arrays && leads(s, k - 1, up, scope, 0, scoped);
}

/* There may be very many candidates with long paths, so a path is made only when it is needed. */
struct candidate {
	struct tn_target target;
	const char *whole;	/* the full path, if it is not the field's own path */
	bool hidden, header, scoped, exact;
};

struct candidates {
	TN_ARRAY(struct candidate) list;
	struct tn_str path;	/* the path that path_of() returned last */
	bool no_memory;
};

/* The path of a candidate, valid until the next call. */
static const char *
path_of(struct candidates *c, size_t i)
{
	const struct candidate *one = &c->list.item[i];

	if (one->whole)
		return one->whole;
	tn_str_clear(&c->path);
	tn_path_put(&c->path, one->target.scope, one->target.field);
	c->no_memory |= c->path.failed;
	return tn_str_text(&c->path);
}

static void
add_candidate(struct candidates *out, const struct entry *e, const struct tn_field *f, bool scoped, const char *name)
{
	struct candidate *c = TN_ARRAY_ADD(&out->list);

	out->no_memory |= !c;
	if (!c)
		return;
	*c = (struct candidate) {
		.target = { e->owner, f, e->scope }, .hidden = e->field->hidden, .scoped = scoped,
		.header = e->scope == TN_SCOPE_PACKET_HEADER || e->scope == TN_SCOPE_EVENT_HEADER,
	};
	/* Compare the path only if the name begins like a full name. */
	c->exact = strncmp(name, tn_scope_path(e->scope), strlen(tn_scope_path(e->scope))) == 0 &&
		   strcmp(path_of(out, out->list.n - 1), name) == 0;
}

/* Add @f, or the field that is @n arrays deep in it. Variants and optionals on the path have no name. */
static void
add_elements(struct candidates *out, const struct entry *e, const struct tn_field *f, size_t n, bool scoped, const char *name)
{
	const struct tn_type *t = f->type;

	if (!n)
		add_candidate(out, e, f, scoped, name);
	else if (t->kind == TN_KIND_ARRAY)
		add_elements(out, e, &t->field[0], n - 1, scoped, name);
	else if (t->kind == TN_KIND_VARIANT || t->kind == TN_KIND_OPTIONAL)
		for (size_t i = 0; i < t->n_fields; i++)
			add_elements(out, e, &t->field[i], n, scoped, name);
}

static void
collect(const struct tn_names *names, const struct steps *s, const char *name, struct candidates *out)
{
	const struct step *last = &s->step[s->n - 1];
	const char *label = last->name;

	for (size_t i = tn_names_find_entry(names, label);
	     i < names->entry.n && strcmp(names->entry.item[i].label, label) == 0; i++) {
		const struct entry *e = &names->entry.item[i];
		bool scoped = false;

		if (leads(s, s->n - 1, e->field, e->scope, 0, &scoped))
			add_elements(out, e, e->field, last->n_indices, scoped, name);
	}
}

/*
 * Add the fields of full names for which the format has its own paths: a scope that is the field, or a variant whose
 * option the class selects (KEDR).
 */
static void
collect_whole(const struct tn_names *names, const char *name, struct tn_arena *arena, struct candidates *out)
{
	char *path = tn_arena_string(arena, name), *to = path;

	if (!path) {
		out->no_memory = true;
		return;
	}
	/* Compare "a[2]" as "a[]". */
	for (const char *from = path; *from; from++) {
		*to++ = *from;
		if (*from == '[')
			from += strcspn(from, "]") - 1;
	}
	*to = '\0';
	for (size_t i = 0; i < names->n_classes; i++) {
		const struct tn_event_class *ec = names->event_class[i];
		const struct tn_field *f = tn_event_class_find(ec, path), *root = f;
		struct candidate *c;

		while (root && root->parent)
			root = root->parent;
		for (unsigned s = 0; root && s < TN_SCOPES; s++) {
			if (tn_event_class_scope(ec, (enum tn_scope)s) != root)
				continue;
			c = TN_ARRAY_ADD(&out->list);
			if (c)
				*c = (struct candidate) { .target = { ec, f, (enum tn_scope)s }, .whole = path };
			out->no_memory |= !c;
			break;
		}
	}
}

/* Of several candidates, prefer fields that lines show, that are not in a header, or that have exactly this full name. */
static void
prefer(struct candidates *c)
{
	bool shown = false, exact = false;
	size_t n = 0;

	for (size_t i = 0; i < c->list.n; i++) {
		shown |= !c->list.item[i].hidden && !c->list.item[i].header;
		exact |= c->list.item[i].exact;
	}
	for (size_t i = 0; i < c->list.n; i++) {
		const struct candidate *one = &c->list.item[i];

		if (one->header && !one->scoped)
			continue;
		if (shown && !one->scoped && (one->hidden || one->header))
			continue;
		if (exact && !one->exact)
			continue;
		c->list.item[n++] = *one;
	}
	c->list.n = n;
}

static bool
is_above(const struct tn_field *above, const struct tn_field *f)
{
	while (f && f != above)
		f = f->parent;
	return f != NULL;
}

static int
compare_targets(const void *a, const void *b)
{
	const struct tn_target *x = a, *y = b;

	return x->owner < y->owner ? -1 : x->owner > y->owner ? 1 : 0;
}

static enum tn_code
take(struct candidates *c, struct tn_arena *arena, struct tn_meaning *out, struct tn_error *err)
{
	out->target = TN_NEW_ARRAY(arena, c->list.n + 1, struct tn_target);
	if (!out->target)
		return tn_fail_memory(err);
	for (size_t i = 0; i < c->list.n; i++) {
		const struct tn_target *one = &c->list.item[i].target;
		bool covered = false;

		/*
		 * If an option has the name of its variant, the variant is meant. A field can be in the list twice, by
		 * name and by label.
		 */
		for (size_t k = out->n_targets; k-- > 0 && out->target[k].owner == one->owner && !covered; )
			covered = is_above(out->target[k].field, one->field);
		if (!covered)
			out->target[out->n_targets++] = *one;
	}
	qsort(out->target, out->n_targets, sizeof *out->target, compare_targets);
	return TN_OK;
}

/* ---- mistakes ---- */

/* Write the shortest name of the first visible field with this name. False: none. */
static bool
put_shown(const struct tn_names *names, const char *label, struct tn_str *out)
{
	for (size_t i = tn_names_find_entry(names, label);
	     i < names->entry.n && strcmp(names->entry.item[i].label, label) == 0; i++) {
		const struct entry *e = &names->entry.item[i];

		if (!e->field->hidden && e->scope != TN_SCOPE_PACKET_HEADER && e->scope != TN_SCOPE_EVENT_HEADER)
			return tn_names_shortest(names, e->scope, e->field, out);
	}
	return false;
}

static enum tn_code
unknown(const struct tn_names *names, const struct steps *s, const char *name, struct tn_error *err)
{
	const char *best = NULL, *typed = s->step[s->n - 1].name;
	size_t least = SIZE_MAX, n_attributes;
	const struct tn_attribute *attribute = tn_attributes(&n_attributes);
	char last[65];

	snprintf(last, sizeof last, "%.*s", (int)(s->step[s->n - 1].n < 64 ? s->step[s->n - 1].n : 64), typed);
	for (size_t i = 0; i < names->extras.n; i++)
		tn_nearest(last, names->extras.name[i], &best, &least);
	if (names->extras.of && !best)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s have no '%s'", names->extras.of, name);
	if (names->extras.of)
		return tn_fail(err, TN_ERR_ARGUMENT, "%s have no '%s'; the nearest name is '%s'", names->extras.of, name, best);
	for (size_t i = 0; i < n_attributes; i++)
		tn_nearest(last, attribute[i].name, &best, &least);
	for (size_t i = 0; i < names->entry.n; i++)
		if (!i || strcmp(names->entry.item[i].label, names->entry.item[i - 1].label) != 0)
			tn_nearest(last, names->entry.item[i].label, &best, &least);
	if (s->n == 1 && tn_attribute_other_word(last) && (!best || strcmp(best, last) != 0))
		best = tn_attribute_other_word(last);
	if (best && (strcmp(best, last) != 0 || s->n > 1)) {
		struct tn_str quoted = { 0 };
		enum tn_code rc;

		/* The field may exist in another place: propose it. */
		if (strcmp(best, last) != 0 || !put_shown(names, last, &quoted))
			tn_path_put_name(&quoted, best);
		rc = quoted.failed ? tn_fail_memory(err) :
		     tn_fail(err, TN_ERR_ARGUMENT, "no event has a field '%s'; the nearest name is '%s'", name,
			     tn_str_text(&quoted));
		tn_str_release(&quoted);
		return rc;
	}
	return tn_fail(err, TN_ERR_ARGUMENT, "no event has a field '%s'", name);
}

/* ---- resolving ---- */

/* Check that all candidates have one path, which becomes the path of @out. */
static enum tn_code
check_same(struct candidates *c, struct tn_arena *arena, const char *name, struct tn_meaning *out, struct tn_error *err)
{
	const char *first = NULL, *other;

	for (size_t i = 0; i < c->list.n && !c->no_memory; i++) {
		other = path_of(c, i);
		if (!i)
			c->no_memory |= !(out->path = first = tn_arena_string(arena, other));
		else if (!c->no_memory && strcmp(first, other) != 0)
			return tn_fail(err, TN_ERR_ARGUMENT, "'%s' can mean several fields: write %s or %s", name, first, other);
	}
	return TN_OK;
}

/* Keep only fields of events of these classes, if there are any. */
static void
keep_among(const struct tn_names *names, const uint8_t *among, struct candidates *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->list.n; i++) {
		const struct candidate one = c->list.item[i];
		const void *owner = one.target.owner;
		bool is_one = false;

		for (size_t k = 0; k < names->n_classes && !is_one; k++) {
			const struct tn_event_class *ec = names->event_class[k];

			is_one = among[k] && (owner == ec || owner == ec->stream_class || owner == ec->stream_class->trace);
		}
		/* The second part of the list counts if the first part is empty. */
		if (is_one) {
			c->list.item[i] = c->list.item[n];
			c->list.item[n++] = one;
		}
	}
	c->list.n = n ? n : c->list.n;
}

/*
 * Whether the traces have events with one of the fields. Fields of a payload or a specific context can be in classes
 * without events.
 */
static enum tn_code
have_events(const struct tn_names *names, const struct candidates *c, bool *out, struct tn_error *err)
{
	uint8_t *among = calloc(names->n_classes + 1, 1);
	enum tn_code rc;

	if (!among)
		return tn_fail_memory(err);
	for (size_t i = 0; i < c->list.n; i++) {
		const void *owner = c->list.item[i].target.owner;

		for (size_t k = 0; k < names->n_classes; k++) {
			const struct tn_event_class *ec = names->event_class[k];

			among[k] |= owner == ec || owner == ec->stream_class || owner == ec->stream_class->trace;
		}
	}
	rc = tn_names_have_events(names, among, out, err);
	free(among);
	return rc;
}

/* Find a payload field whose name is that of an attribute that has priority; its path is in @arena. NULL: none. */
static enum tn_code
find_hidden_field(const struct tn_names *names, struct tn_arena *arena, const char *name, struct tn_meaning *out,
		  struct tn_error *err)
{
	for (size_t i = tn_names_find_entry(names, name);
	     tn_attribute_hides(out) && i < names->entry.n && strcmp(names->entry.item[i].label, name) == 0; i++) {
		const struct entry *e = &names->entry.item[i];
		struct tn_str path = { 0 };

		if (e->scope != TN_SCOPE_PAYLOAD || e->field->hidden || !e->field->parent || e->field->parent->parent)
			continue;
		tn_path_put(&path, e->scope, e->field);
		out->also = path.failed ? NULL : tn_arena_string(arena, tn_str_text(&path));
		tn_str_release(&path);
		return out->also ? TN_OK : tn_fail_memory(err);
	}
	return TN_OK;
}

/* Whether the attribute is a text in some class: Chrome JSON can name a thread "GPU 0". */
static bool
has_texts(const struct tn_names *names, const struct tn_meaning *m)
{
	struct tn_target field;

	for (size_t i = 0; tn_is_of_contexts(m) && i < names->n_classes; i++)
		if (tn_attribute_field(m->attribute, names->event_class[i], &field) && field.field->type->kind == TN_KIND_STRING)
			return true;
	return false;
}

/* @helpful: for an unknown name, search for the nearest existing name. */
static enum tn_code
resolve(const struct tn_names *names, struct tn_arena *arena, const char *name, const uint8_t *among, bool helpful,
	struct tn_meaning *out, struct tn_error *err)
{
	struct candidates c = { 0 };
	struct tn_meaning attribute = { 0 };
	bool yields, is_attribute = tn_attribute_find(&names->extras, name, &attribute, &yields), no_memory = false;
	enum tn_code rc = TN_OK;
	struct steps s;

	is_attribute &= !tn_is_of_markers(&attribute) || names->has_markers;
	*out = attribute;
	out->has_texts = is_attribute && has_texts(names, out);
	if (is_attribute && !yields)
		return find_hidden_field(names, arena, name, out, err);
	*out = (struct tn_meaning) { 0 };
	if (!split(&s, arena, name, &no_memory))
		return no_memory ? tn_fail_memory(err) : tn_fail(err, TN_ERR_ARGUMENT, "'%s' is not the name of a field", name);
	collect(names, &s, name, &c);
	prefer(&c);
	if (c.list.n && is_attribute) {
		bool some = false;

		rc = have_events(names, &c, &some, err);
		c.list.n = some ? c.list.n : 0;
	}
	if (!c.list.n && !is_attribute)
		collect_whole(names, name, arena, &c);
	rc = rc < 0 ? rc : check_same(&c, arena, name, out, err);
	if (rc == TN_ERR_ARGUMENT && among) {
		keep_among(names, among, &c);
		rc = check_same(&c, arena, name, out, err);
	}
	if (c.no_memory)
		rc = tn_fail_memory(err);
	else if (rc == TN_OK && c.list.n)
		rc = take(&c, arena, out, err);
	else if (rc == TN_OK && is_attribute)
		*out = attribute;
	else if (rc == TN_OK)
		rc = helpful ? unknown(names, &s, name, err) : tn_fail(err, TN_ERR_ARGUMENT, "no event has a field '%s'", name);
	if (rc == TN_OK && is_attribute && c.list.n)
		out->also = tn_attribute_in_full(&attribute);
	if (rc == TN_OK && !is_attribute) {
		out->n_indices = s.n_indices;
		memcpy(out->index, s.index, sizeof s.index);
		for (size_t i = 0; i < s.n_indices; i++)
			out->has_any |= s.index[i] == TN_INDEX_ANY;
	}
	TN_ARRAY_RELEASE(&c.list);
	tn_str_release(&c.path);
	return rc;
}

enum tn_code
tn_names_resolve(const struct tn_names *names, struct tn_arena *arena, const char *name, const uint8_t *among,
		 struct tn_meaning *out, struct tn_error *err)
{
	return resolve(names, arena, name, among, true, out, err);
}

/* ---- the shortest name ---- */

#define MOST_LOOKS 100000	/* limit of examined fields for one short name */

bool
tn_names_shortest(const struct tn_names *names, enum tn_scope scope, const struct tn_field *field, struct tn_str *out)
{
	struct tn_arena arena = { 0 };
	struct tn_str path = { 0 };
	struct tn_meaning meaning;
	const char *tail, *full;
	size_t begin[STEPS], n = 0, same = 0;
	bool no_memory;

	tn_path_put(&path, scope, field);
	no_memory = path.failed;
	full = tn_str_text(&path);
	for (tail = full; *tail && n < STEPS; tail += *tail == '.') {
		begin[n++] = (size_t)(tail - full);
		tail += tn_path_name_length(tail);
		tail += strncmp(tail, "[]", 2) == 0 ? strspn(tail, "[]") : 0;
		if (*tail && *tail != '.')
			break;
	}
	/* If very many fields have the name, use the full name. */
	for (size_t i = tn_names_find_entry(names, field->label); n && i < names->entry.n && same < MOST_LOOKS / n &&
	     strcmp(names->entry.item[i].label, field->label) == 0; i++)
		same++;
	if (n && same >= MOST_LOOKS / n)
		n = 0;
	for (tail = full; n > 0; ) {
		struct tn_error err = { .code = TN_OK };

		tail = full + begin[--n];
		/* The name is a word of the language with which a condition can begin. */
		if (strcmp(tail, "not") == 0)
			continue;
		if (resolve(names, &arena, tail, NULL, false, &meaning, &err) == TN_OK && !meaning.attribute &&
		    strcmp(meaning.path, full) == 0)
			break;
		no_memory |= err.code == TN_ERR_MEMORY;
	}
	tn_str_puts(out, tail);
	tn_str_release(&path);
	tn_arena_release(&arena);
	return !no_memory && !out->failed;
}
