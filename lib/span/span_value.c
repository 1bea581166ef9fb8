/* span_value.c - what a name means for a span, and conditions over spans */
#include <stdlib.h>
#include <string.h>

#include "span/spans.h"
#include "base/error.h"
#include "language/names.h"

/* ---- names ---- */

const char *
tn_spans_key(const struct tn_spans *s, size_t i, size_t k)
{
	if (!s || i >= s->definition.n || k >= s->definition.item[i].begin_key.n)
		return NULL;
	return s->definition.item[i].begin_key.item[k].name;
}

const char *
tn_spans_captured(const struct tn_spans *s, size_t i, size_t k)
{
	if (!s || i >= s->definition.n || k >= tn_span_shown(&s->definition.item[i]))
		return NULL;
	return s->definition.item[i].captures.item[k].name;
}

const char *
tn_span_state_name(enum tn_span_state state)
{
	static const char *const names[] = { "closed", "open", "orphan", "doubtful" };

	return (unsigned)state < TN_COUNT(names) ? names[state] : "?";
}

/* ---- values ---- */

static const struct { const char *name; enum tn_span_value what; enum tn_extra_kind kind; } names[] = {
	{ "name", TN_SPAN_NAME, TN_EXTRA_TEXT }, { "duration", TN_SPAN_DURATION, TN_EXTRA_DURATION },
	{ "dur", TN_SPAN_DURATION, TN_EXTRA_DURATION }, { "any_duration", TN_SPAN_ANY_DURATION, TN_EXTRA_DURATION },
	{ "begin", TN_SPAN_BEGIN, TN_EXTRA_TIME }, { "end", TN_SPAN_END, TN_EXTRA_TIME },
	{ "state", TN_SPAN_STATE, TN_EXTRA_TEXT }, { "time", TN_SPAN_TIME, TN_EXTRA_TIME },
	{ "closed", TN_SPAN_IS_CLOSED, TN_EXTRA_NUMBER }, { "open", TN_SPAN_IS_OPEN, TN_EXTRA_NUMBER },
	{ "orphan", TN_SPAN_IS_ORPHAN, TN_EXTRA_NUMBER }, { "doubtful", TN_SPAN_IS_DOUBTFUL, TN_EXTRA_NUMBER },
	{ "host", TN_SPAN_HOST, TN_EXTRA_TEXT },
};

enum tn_span_value
tn_span_value_named(const char *name, const char **best, size_t *distance)
{
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (strcmp(names[i].name, name) == 0)
			return names[i].what;
		tn_nearest(name, names[i].name, best, distance);
	}
	return TN_SPAN_VALUE;
}

static struct tn_answer_value
of_time(bool some, int64_t ns)
{
	if (!some)
		return (struct tn_answer_value) { 0 };
	return (struct tn_answer_value) { .kind = ns < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT, .is.i = ns };
}

static struct tn_answer_value
of_text(const char *text)
{
	return (struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = text, .n = strlen(text) };
}

static struct tn_answer_value
of_truth(bool truth)
{
	return (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = truth };
}

bool
tn_span_tail(const char *captured, const char *name)
{
	size_t n = strncmp(captured, "begin.", 6) == 0 ? 6 : strncmp(captured, "end.", 4) == 0 ? 4 : 0;

	return n && strcmp(captured + n, name) == 0;
}

/* Find the value of one name. "key.X" and "X" mean the key X; "X" also means a shown field of this name. */
static struct tn_answer_value
one_value(const struct tn_spans *spans, const struct tn_span *s, const char *name)
{
	const char *key = strncmp(name, "key.", 4) == 0 ? name + 4 : name;

	for (size_t i = 0; i < s->n_captured; i++)
		if (strcmp(tn_spans_captured(spans, s->definition, i), name) == 0)
			return s->captured[i];
	for (size_t i = 0; i < s->n_keys; i++)
		if (strcmp(tn_spans_key(spans, s->definition, i), key) == 0)
			return s->key[i];
	return (struct tn_answer_value) { 0 };
}

static struct tn_answer_value
value_of_tail(const struct tn_spans *spans, const struct tn_span *s, const char *name)
{
	for (size_t i = 0; i < s->n_captured; i++)
		if (s->captured[i].kind != TN_ANSWER_NONE && tn_span_tail(tn_spans_captured(spans, s->definition, i), name))
			return s->captured[i];
	return (struct tn_answer_value) { 0 };
}

/*
 * Find the value of a name. "X|Y" means the first of both that the span has. "X" also means "begin.X" or "end.X", if
 * nothing has the name X.
 */
static struct tn_answer_value
named_value(const struct tn_spans *spans, const struct tn_span *s, const char *name)
{
	struct tn_answer_value v = { 0 };
	char one[256];

	if (!strchr(name, '|')) {
		v = one_value(spans, s, name);
		return v.kind == TN_ANSWER_NONE ? value_of_tail(spans, s, name) : v;
	}
	for (size_t n; *name && v.kind == TN_ANSWER_NONE; name += n + (name[n] == '|')) {
		n = strcspn(name, "|");
		if (n >= sizeof one)
			continue;
		memcpy(one, name, n);
		one[n] = '\0';
		v = one_value(spans, s, one);
	}
	return v;
}

/* Get the host. A key or a field with this name has priority. */
static struct tn_answer_value
host_of(const struct tn_spans *spans, const struct tn_span *s, const char *name)
{
	struct tn_answer_value v = named_value(spans, s, name);
	const struct tn_location *at = s->is_at_begin ? &s->begin : &s->end;
	const char *host;

	if (v.kind != TN_ANSWER_NONE || at->stream >= spans->set->n_streams)
		return v;
	host = tn_stream_host(spans->set->stream[at->stream]);
	return host ? of_text(host) : v;
}

struct tn_answer_value
tn_span_value(const struct tn_spans *spans, const struct tn_span *s, enum tn_span_value what, const char *name)
{
	switch (what) {
	case TN_SPAN_NAME: return of_text(s->name);
	case TN_SPAN_DURATION: return of_time(s->has_duration && s->state == TN_SPAN_CLOSED, s->duration_ns);
	case TN_SPAN_ANY_DURATION: return of_time(s->has_duration, s->duration_ns);
	case TN_SPAN_BEGIN: return of_time(s->has_begin, s->begin_ns);
	case TN_SPAN_END: return of_time(s->has_end, s->end_ns);
	case TN_SPAN_STATE: return of_text(tn_span_state_name(s->state));
	case TN_SPAN_TIME: return of_time(s->has_begin || s->has_end, s->has_begin ? s->begin_ns : s->end_ns);
	case TN_SPAN_IS_CLOSED: return of_truth(s->state == TN_SPAN_CLOSED);
	case TN_SPAN_IS_OPEN: return of_truth(s->state == TN_SPAN_OPEN);
	case TN_SPAN_IS_ORPHAN: return of_truth(s->state == TN_SPAN_ORPHAN);
	case TN_SPAN_IS_DOUBTFUL: return of_truth(s->state == TN_SPAN_DOUBTFUL);
	case TN_SPAN_HOST: return host_of(spans, s, name);
	case TN_SPAN_INSIDE: return (struct tn_answer_value) { 0 };
	case TN_SPAN_VALUE: break;
	}
	return named_value(spans, s, name);
}

/* ---- conditions ---- */

struct tn_span_where {
	const struct tn_spans *spans;
	struct tn_set none;		/* a set without events, so that names of events are unknown */
	struct tn_names *names;
	struct tn_expression *expression;
	TN_ARRAY(char *) own;		/* names such as "key.vtid", for keys */
	TN_ARRAY(const char *) name;
	TN_ARRAY(enum tn_span_value) what;	/* the kind of value that each name means */
	TN_ARRAY(enum tn_extra_kind) kind;
};

static bool
add_name(struct tn_span_where *w, const char *name, enum tn_span_value what, enum tn_extra_kind kind)
{
	const char **at;
	enum tn_span_value *value;
	enum tn_extra_kind *of;

	for (size_t i = 0; i < w->name.n; i++)
		if (strcmp(w->name.item[i], name) == 0)
			return true;
	at = TN_ARRAY_ADD(&w->name);
	value = TN_ARRAY_ADD(&w->what);
	of = TN_ARRAY_ADD(&w->kind);
	if (!at || !value || !of)
		return false;
	*at = name;
	*value = what;
	*of = kind;
	return true;
}

static bool
add_definition(struct tn_span_where *w, const struct tn_span_definition *d)
{
	for (size_t i = 0; i < tn_span_shown(d); i++)
		if (!add_name(w, d->captures.item[i].name, TN_SPAN_VALUE, TN_EXTRA_ANY))
			return false;
	for (size_t i = 0; i < d->begin_key.n; i++) {
		char **own = TN_ARRAY_ADD(&w->own);

		if (!own)
			return false;
		*own = malloc(strlen(d->begin_key.item[i].name) + sizeof "key.");
		if (!*own)
			return false;
		strcpy(stpcpy(*own, "key."), d->begin_key.item[i].name);
		if (!add_name(w, *own, TN_SPAN_VALUE, TN_EXTRA_ANY) || !add_name(w, *own + 4, TN_SPAN_VALUE, TN_EXTRA_ANY))
			return false;
	}
	return true;
}

/* A condition sees all durations, also those that `doubtful` leaves out elsewhere. */
static bool
add_names(struct tn_span_where *w, const struct tn_span_definition *only)
{
	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (!add_name(w, names[i].name, names[i].what == TN_SPAN_DURATION ? TN_SPAN_ANY_DURATION : names[i].what,
			      names[i].kind))
			return false;
	if (only)
		return add_definition(w, only);
	for (size_t i = 0; i < w->spans->definition.n; i++)
		if (!add_definition(w, &w->spans->definition.item[i]))
			return false;
	return true;
}

enum tn_code
tn_span_where_new(struct tn_span_where **out, const struct tn_spans *spans, const struct tn_span_definition *only,
		  const char *text, struct tn_error *err)
{
	struct tn_span_where *w = calloc(1, sizeof *w);
	struct tn_language language = { .set = spans->set };
	struct tn_extras extras = { .of = "spans" };
	enum tn_code rc = TN_OK;

	*out = NULL;
	if (!w)
		return tn_fail_memory(err);
	w->spans = spans;
	if (!add_names(w, only))
		rc = tn_fail_memory(err);
	extras.name = w->name.item;
	extras.kind = w->kind.item;
	extras.n = w->name.n;
	if (rc == TN_OK)
		rc = tn_names_new(&w->names, &w->none, &extras, err);
	language.names = w->names;
	if (rc == TN_OK)
		rc = tn_expression_new(&w->expression, &language, text, err);
	if (rc == TN_OK && tn_expression_wants_line(w->expression))
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': spans have no line: write name =~ /.../", text);
	if (rc < 0) {
		tn_span_where_free(w);
		return rc;
	}
	*out = w;
	return TN_OK;
}

void
tn_span_where_free(struct tn_span_where *w)
{
	if (!w)
		return;
	tn_expression_free(w->expression);
	tn_names_free(w->names);
	for (size_t i = 0; i < w->own.n; i++)
		free(w->own.item[i]);
	TN_ARRAY_RELEASE(&w->own);
	TN_ARRAY_RELEASE(&w->name);
	TN_ARRAY_RELEASE(&w->what);
	TN_ARRAY_RELEASE(&w->kind);
	free(w);
}

struct looked_at {
	const struct tn_span_where *where;
	const struct tn_span *span;
};

static void
give(void *user, size_t which, struct tn_cell *out)
{
	const struct looked_at *l = user;
	const struct tn_span_where *w = l->where;
	struct tn_answer_value v = tn_span_value(w->spans, l->span, w->what.item[which], w->name.item[which]);

	*out = (struct tn_cell) { .kind = TN_CELL_NONE, .type = v.type };
	switch (v.kind) {
	case TN_ANSWER_NONE:
		return;
	case TN_ANSWER_UINT:
		out->kind = TN_CELL_UNSIGNED;
		out->u = v.is.u;
		return;
	case TN_ANSWER_SINT:
		out->kind = TN_CELL_SIGNED;
		out->i = v.is.i;
		return;
	case TN_ANSWER_FLOAT:
		out->kind = TN_CELL_DOUBLE;
		out->f = v.is.f;
		return;
	case TN_ANSWER_TEXT:
		out->kind = TN_CELL_TEXT;
		out->text = v.text;
		out->n = v.n;
		return;
	}
}

enum tn_code
tn_span_where_passes(const struct tn_span_where *w, struct tn_expression_state *state, const struct tn_span *span,
		     bool *pass, struct tn_error *err)
{
	struct looked_at looked = { w, span };

	state->extra = give;
	state->user = &looked;
	return tn_expression_match_thing(w->expression, state, NULL, 0, pass, err);
}
