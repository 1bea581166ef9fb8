/*
 * paths.c - the full path of every field of a trace is understood, and means that field
 *
 *	tests/golden/paths TRACE...	silent and 0; else a line for each path that is not, and 1
 *
 * Of all fields of all event classes, met or not; and of the values of a few events of each class: tn_event_find()
 * finds them by path, and the condition "has(PATH)" passes.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/cursor.h>
#include <tnav/query.h>

#include "base/array.h"
#include "model/path.h"
#include "language/names.h"

#define EVENTS 2000		/* examined, */
#define EACH 2			/* of each class */
#define DEEP 40			/* limits of examined values, in depth and in breadth */

#define FIELDS 400		/* of one trace: hostile ones have a million */
#define VALUES 400
#define CONDITIONS 60

static int wrong;
static int fields_left, values_left, conditions_left;

static void
say(const char *what, const char *path, const char *why)
{
	printf("%s: %s%s%s\n", path, what, *why ? ": " : "", why);
	wrong = 1;
}

/* ---- of classes ---- */

static void
check_field(const struct tn_names *names, const struct tn_field *f, enum tn_scope scope, const void *owner)
{
	struct tn_arena arena = { 0 };
	struct tn_str path = { 0 };
	struct tn_meaning meaning;
	struct tn_error err = { 0 };
	bool found = false;

	if (fields_left-- <= 0)
		return;
	tn_path_put(&path, scope, f);
	if (!f->hidden && f->parent && !(f->parent->type->kind == TN_KIND_VARIANT || f->parent->type->kind == TN_KIND_OPTIONAL)) {
		if (tn_name_length(tn_str_text(&path)) != path.n)
			say("is no name", tn_str_text(&path), "");
		else if (tn_names_resolve(names, &arena, tn_str_text(&path), NULL, &meaning, &err) != TN_OK)
			say("is not understood", tn_str_text(&path), err.text);
		else if (meaning.attribute)
			say("means an attribute", tn_str_text(&path), meaning.path);
		else {
			for (size_t i = 0; i < meaning.n_targets; i++) {
				const struct tn_field *at = f;

				/* An option of the same name is below. */
				while (at && at != meaning.target[i].field)
					at = at->parent;
				found |= at && meaning.target[i].owner == owner;
			}
			if (!found)
				say("means another field", tn_str_text(&path), meaning.path);
		}
	}
	tn_str_release(&path);
	tn_arena_release(&arena);
	for (size_t i = 0; i < f->type->n_fields && i < DEEP; i++)
		check_field(names, &f->type->field[i], scope, owner);
}

static void
check_root(const struct tn_names *names, const struct tn_field *root, enum tn_scope scope, const void *owner)
{
	if (root && root->type->kind == TN_KIND_STRUCT && !root->root)
		check_field(names, root, scope, owner);
}

static void
check_classes(const struct tn_names *names, const struct tn_set *set)
{
	for (size_t t = 0; t < set->n_traces; t++) {
		const struct tn_trace *trace = set->trace[t];

		check_root(names, trace->packet_header, TN_SCOPE_PACKET_HEADER, trace);
		for (size_t s = 0; s < trace->n_stream_classes; s++) {
			const struct tn_stream_class *sc = trace->stream_class[s];

			check_root(names, sc->packet_context, TN_SCOPE_PACKET_CONTEXT, sc);
			check_root(names, sc->event_header, TN_SCOPE_EVENT_HEADER, sc);
			check_root(names, sc->common_context, TN_SCOPE_COMMON_CONTEXT, sc);
		}
		for (size_t i = 0; i < trace->n_event_classes; i++) {
			check_root(names, trace->event_class[i]->specific_context, TN_SCOPE_SPECIFIC_CONTEXT,
				   trace->event_class[i]);
			check_root(names, trace->event_class[i]->payload, TN_SCOPE_PAYLOAD, trace->event_class[i]);
		}
	}
}

/* ---- of values ---- */

struct look {
	struct tn_set *set;
	struct tn_text *text;
	struct tn_cursor *cur;
	const struct tn_event *event;
	bool odd;		/* the scope is not that of the event's class */
	TN_ARRAY(char *) paths;
};

static void
note_path(struct look *l, const char *path)
{
	char **one;

	for (size_t i = 0; i < l->paths.n; i++)
		if (strcmp(l->paths.item[i], path) == 0)
			return;
	one = TN_ARRAY_ADD(&l->paths);
	if (!one || !(*one = strdup(path)))
		abort();
}

static void
check_value(struct look *l, const struct tn_value *v, const char *path)
{
	size_t i = 0;
	const struct tn_value *found;

	if (values_left-- <= 0)
		return;
	found = tn_event_find(l->event, path);
	/* The content of a choice has the name of the choice. */
	while (found && found != v && (found->field->type->kind == TN_KIND_VARIANT || found->field->type->kind == TN_KIND_OPTIONAL))
		found = tn_value_first(found);
	/* Both contexts are called so. */
	if (found != v && v->field->parent)
		say(found ? "finds another value" : "finds no value", path, tn_event_name(l->event) ? tn_event_name(l->event) : "");
	/* ovni: what should be a jumbo event and is none has bytes that its class knows nothing of. */
	if (v->field->type->n_fields == 0 && (!l->odd || !strchr(path, '[')))
		note_path(l, path);
	for (const struct tn_value *in = tn_value_first(v); in && i < DEEP; in = tn_value_after(v, in), i++) {
		char *inner, none[1];
		size_t more = tn_field_step(tn_value_field(in), i, none, sizeof none);

		inner = malloc(strlen(path) + more + 1);
		if (!inner)
			abort();
		strcpy(inner, path);
		if (tn_field_step(tn_value_field(in), i, inner + strlen(path), more + 1) != more)
			abort();
		if (!in->field->hidden)
			check_value(l, in, inner);
		free(inner);
	}
}

static void
check_condition(struct look *l, const char *path)
{
	struct tn_filter *filter;
	struct tn_error err = { 0 };
	char *text;
	bool pass = false;

	if (conditions_left-- <= 0)
		return;
	if (asprintf(&text, "has(%s)", path) < 0 || tn_filter_new(&filter, l->set, NULL) != TN_OK)
		abort();
	if (!tn_condition_is_expression(text))
		say("is taken for a regular expression", text, "");
	if (tn_filter_add(filter, text, &err) != TN_OK)
		say("is refused", text, err.text);
	else if (tn_filter_match(filter, l->text, l->cur, &pass, &err) != TN_OK || !pass)
		say("does not pass", text, err.text);
	tn_filter_free(filter);
	free(text);
}

static void
check_event(struct look *l)
{
	struct tn_error err;

	if (tn_cursor_read(l->cur, TN_SCOPE_ALL, &l->event, &err) != TN_OK)
		return;
	for (unsigned s = 0; s < TN_SCOPES; s++) {
		const struct tn_value *v = tn_event_scope(l->event, (enum tn_scope)s);

		l->odd = v && v->field != tn_event_class_scope(l->event->event_class, (enum tn_scope)s);
		if (v && !v->field->hidden)
			check_value(l, v, tn_event_scope_path(l->event, (enum tn_scope)s));
	}
	for (size_t i = 0; i < l->paths.n; i++) {
		check_condition(l, l->paths.item[i]);
		free(l->paths.item[i]);
	}
	l->paths.n = 0;
}

static void
check_trace(const char *path)
{
	struct look l = { 0 };
	struct tn_names *names;
	struct tn_error err;
	struct { const struct tn_event_class *ec; int n; } met[64] = { { 0 } };
	int events = 0;

	fields_left = FIELDS;
	values_left = VALUES;
	conditions_left = CONDITIONS;
	if (tn_set_open(&l.set, &path, 1, NULL, &err) < 0)
		return;
	if (tn_names_new(&names, l.set, NULL, NULL) != TN_OK || tn_text_new(&l.text, l.set, NULL, NULL) != TN_OK ||
	    tn_cursor_new(&l.cur, l.set, NULL) != TN_OK)
		abort();
	check_classes(names, l.set);
	for (enum tn_code rc = tn_cursor_first(l.cur, NULL); rc == TN_OK && events < EVENTS; rc = tn_cursor_next(l.cur, NULL)) {
		struct tn_row row;
		size_t i = 0;

		events++;
		if (!tn_cursor_row(l.cur, &row) || row.kind != TN_ROW_EVENT)
			continue;
		while (i < TN_COUNT(met) && met[i].ec && met[i].ec != row.event_class)
			i++;
		if (i == TN_COUNT(met) || met[i].n == EACH)
			continue;
		met[i].ec = row.event_class;
		met[i].n++;
		check_event(&l);
	}
	TN_ARRAY_RELEASE(&l.paths);
	tn_cursor_free(l.cur);
	tn_text_free(l.text);
	tn_names_free(names);
	tn_set_close(l.set);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		check_trace(argv[i]);
	return wrong;
}
