/* why.c - the things of a question, read twice: spans with all fields of their events, or events */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/findings.h"
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "model/trace.h"
#include "scan/asker.h"
#include "span/spans.h"

#define MOST_FIELDS 60		/* of the 64 that a definition may show */
#define TIME_SLICES 64

struct tn_why {
	struct tn_selection selection;
	char *condition;
	struct tn_spans *spans;		/* NULL: events */
	struct tn_span_where *where;
	struct tn_findings findings;
	struct tn_scan_options options;
	TN_ARRAY(uint64_t) derived;	/* of each field, the spans whose duration it is */
	int64_t begin_ns, slice_ns;	/* of the time of the begin */
};

void
tn_why_free(struct tn_why *w)
{
	if (!w)
		return;
	tn_findings_release(&w->findings);
	tn_span_where_free(w->where);
	tn_spans_free(w->spans);
	TN_ARRAY_RELEASE(&w->derived);
	free(w->condition);
	free(w);
}

/* ---- the fields ---- */

struct names {
	TN_ARRAY(char *) item;
};

static void
names_release(struct names *n)
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

/* Whether the condition has the name as a word: it would explain itself. */
static bool
is_in_condition(const char *condition, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = condition; (at = strstr(at, name)); at++)
		if ((at == condition || !is_word(at[-1])) && !is_word(at[n]))
			return true;
	return false;
}

static bool
has_name(const struct names *n, const char *name)
{
	for (size_t i = 0; i < n->item.n; i++)
		if (strcmp(n->item.item[i], name) == 0)
			return true;
	return false;
}

static bool
add_name(struct names *n, const char *name)
{
	char **at;

	if (has_name(n, name))
		return true;
	at = TN_ARRAY_ADD(&n->item);
	return at && (*at = strdup(name));
}

/* Members of a scope that are numbers or texts. */
static bool
add_scope(struct names *names, const struct tn_event_class *class, enum tn_scope scope)
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
				good = add_name(names, step + 1);
		}
	}
	return good;
}

static bool
add_class(struct names *names, const struct tn_event_class *class)
{
	return add_scope(names, class, TN_SCOPE_PAYLOAD) && add_scope(names, class, TN_SCOPE_SPECIFIC_CONTEXT) &&
	       add_scope(names, class, TN_SCOPE_COMMON_CONTEXT);
}

static bool
add_attributes(struct names *names)
{
	static const char *const attributes[] = { "cpu", "tid", "pid", "process", "stream", "host", "trace" };
	bool good = true;

	for (size_t i = 0; i < TN_COUNT(attributes) && good; i++)
		good = add_name(names, attributes[i]);
	return good;
}

/* ---- spans ---- */

/* The place of the definition's condition, which is its last clause. */
static size_t
before_where(const char *text)
{
	char quote = '\0';
	int depth = 0;
	size_t i;

	for (i = 0; text[i]; i++) {
		if (quote)
			quote = text[i] == quote ? '\0' : quote;
		else if (text[i] == '"' || text[i] == '\'')
			quote = text[i];
		else if (text[i] == '(' || text[i] == ')')
			depth += text[i] == '(' ? 1 : -1;
		else if (!depth && strncmp(text + i, " where ", 7) == 0)
			break;
	}
	return i;
}

static enum tn_code
make_spans(struct tn_why *w, const char *definition, const char *shown, struct tn_error *err)
{
	struct tn_str text = { 0 };
	size_t n = before_where(definition);
	enum tn_code rc;

	tn_spans_free(w->spans);
	w->spans = NULL;
	tn_str_printf(&text, "%.*s%s%s%s", (int)n, definition, shown && *shown ? " show " : "", shown ? shown : "", definition + n);
	rc = text.failed ? tn_fail_memory(err) : tn_spans_new(&w->spans, w->selection.set, err);
	if (rc == TN_OK)
		rc = tn_spans_add_meant(w->spans, text.text, definition, err);
	tn_str_release(&text);
	return rc;
}

/* Names of the fields of one end. */
static bool
names_of_end(struct names *out, const struct tn_spans *spans, const struct tn_pick *pick)
{
	bool good = true;

	for (size_t c = 0; c < spans->classes.n && good; c++)
		if (pick->verdict[c] != TN_VERDICT_NO)
			good = add_class(out, spans->classes.item[c]);
	return good && add_attributes(out);
}

/* Add a field if the definition can show it: a name may be ambiguous, or not be an attribute of these events. */
static enum tn_code
try_field(struct tn_why *w, const char *definition, const struct names *own, struct tn_str *shown, size_t *n,
	  const char *prefix, const char *name, struct tn_error *err)
{
	struct tn_str with = { 0 };
	enum tn_code rc;

	tn_str_printf(&with, "%s%s", prefix, name);
	if (with.failed)
		return tn_fail_memory(err);
	if (*n == MOST_FIELDS || has_name(own, with.text)) {	/* the definition shows it */
		tn_str_release(&with);
		return TN_OK;
	}
	tn_str_clear(&with);
	tn_str_printf(&with, "%s%s%s%s", shown->n ? shown->text : "", shown->n ? ", " : "", prefix, name);
	rc = with.failed ? tn_fail_memory(err) : make_spans(w, definition, with.text, err);
	if (rc == TN_OK) {
		tn_str_release(shown);
		*shown = with;
		++*n;
		return TN_OK;
	}
	tn_str_release(&with);
	return rc == TN_ERR_ARGUMENT ? TN_OK : rc;
}

/* Fields of both ends are asked of both; all others have their own name. */
static enum tn_code
show_all(struct tn_why *w, const char *definition, struct tn_error *err)
{
	struct names begin = { .item = { 0 } }, end = { .item = { 0 } }, own = { .item = { 0 } };
	struct tn_str shown = { 0 };
	enum tn_code rc = make_spans(w, definition, NULL, err);
	size_t n = 0;

	if (rc == TN_OK && (!names_of_end(&begin, w->spans, &w->spans->definition.item[0].begin) ||
			    !names_of_end(&end, w->spans, &w->spans->definition.item[0].end)))
		rc = tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && tn_spans_captured(w->spans, 0, i); i++)
		if (!add_name(&own, tn_spans_captured(w->spans, 0, i)))
			rc = tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && i < begin.item.n; i++) {
		const char *name = begin.item.item[i];
		bool both = has_name(&end, name);

		rc = try_field(w, definition, &own, &shown, &n, both ? "begin." : "", name, err);
		if (rc == TN_OK && both)
			rc = try_field(w, definition, &own, &shown, &n, "end.", name, err);
		if (rc == TN_OK && both && is_in_condition(w->condition, name))
			rc = try_field(w, definition, &own, &shown, &n, "", name, err);
	}
	for (size_t i = 0; rc == TN_OK && i < end.item.n; i++)
		if (!has_name(&begin, end.item.item[i]))
			rc = try_field(w, definition, &own, &shown, &n, "", end.item.item[i], err);
	if (rc == TN_OK)
		rc = make_spans(w, definition, shown.text, err);
	tn_str_release(&shown);
	names_release(&begin);
	names_release(&end);
	names_release(&own);
	return rc;
}

/* ---- factors ---- */

/* The time of the begin is the first one. */
static enum tn_code
add_factor(struct tn_why *w, const char *name, struct tn_error *err)
{
	struct tn_factor *f = TN_ARRAY_ADD(&w->findings.factor);

	if (!f)
		return tn_fail_memory(err);
	f->name = strdup(name);
	return f->name ? TN_OK : tn_fail_memory(err);
}

/* "begin.X" is left out if the condition names X. */
static bool
is_asked(const struct tn_why *w, const char *name)
{
	const char *tail = strncmp(name, "begin.", 6) == 0 ? name + 6 : strncmp(name, "end.", 4) == 0 ? name + 4 : name;

	return !is_in_condition(w->condition, tail);
}

enum tn_code
tn_why_new(struct tn_why **out, const struct tn_selection *selection, const char *definition, const char *condition,
	   struct tn_error *err)
{
	struct tn_why *w;
	enum tn_code rc;

	if (!out || !selection || !selection->set || !definition || !condition)
		return tn_fail_null(err);
	*out = NULL;
	w = calloc(1, sizeof *w);
	if (!w)
		return tn_fail_memory(err);
	rc = tn_options_take(&w->selection, sizeof w->selection, selection, "tn_selection", err);
	if (rc == TN_OK && !(w->condition = strdup(condition)))
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = show_all(w, definition, err);
	if (rc == TN_OK)
		rc = tn_span_where_new(&w->where, w->spans, &w->spans->definition.item[0], condition, err);
	if (rc == TN_OK)
		rc = add_factor(w, "time", err);
	for (size_t i = 0; rc == TN_OK && tn_spans_captured(w->spans, 0, i); i++)
		rc = !TN_ARRAY_ADD(&w->derived) ? tn_fail_memory(err) : add_factor(w, tn_spans_captured(w->spans, 0, i), err);
	if (rc < 0) {
		tn_why_free(w);
		return rc;
	}
	*out = w;
	return TN_OK;
}

/* ---- the readings ---- */

struct reading {
	struct tn_why *w;
	struct tn_expression_state state;
	struct tn_answer_value *value;
	bool is_second;
	enum tn_code rc;
	struct tn_error *err;
};

/* Whether it says how long the span lasted, in seconds, or in thousandths of them. */
static bool
is_duration(const struct tn_answer_value *v, int64_t duration_ns)
{
	double x = v->kind == TN_ANSWER_FLOAT ? v->is.f : v->kind == TN_ANSWER_UINT ? (double)v->is.u : 0;

	for (double unit = 1; x > 0 && unit < 2e9; unit *= 1000)
		if (fabs(x * unit - (double)duration_ns) <= 0.01 * (double)duration_ns)
			return true;
	return false;
}

/* Fields that are nearly always the duration explain nothing. */
static void
drop_derived(struct tn_why *w)
{
	uint64_t all = w->findings.all[0] + w->findings.all[1];

	for (size_t i = 0; i < w->derived.n; i++)
		if (w->derived.item[i] > all / 10 * 9)
			w->findings.factor.item[i + 1].is_dropped = true;
}

static int
on_span(void *user, const struct tn_span *span)
{
	struct reading *r = user;
	struct tn_why *w = r->w;
	bool selected = false;

	if (span->state != TN_SPAN_CLOSED || !span->has_duration)
		return 0;
	r->rc = tn_span_where_passes(w->where, &r->state, span, &selected, r->err);
	if (r->rc < 0)
		return 1;
	for (size_t i = 0; !r->is_second && i < span->n_captured; i++)
		w->derived.item[i] += is_duration(&span->captured[i], span->duration_ns);
	r->value[0] = (struct tn_answer_value) { .kind = TN_ANSWER_UINT };
	r->value[0].is.u = ((uint64_t)span->begin_ns - (uint64_t)w->begin_ns) / (uint64_t)w->slice_ns;
	for (size_t i = 0; i < span->n_captured; i++)
		r->value[i + 1] =
			is_asked(w, w->findings.factor.item[i + 1].name) ? span->captured[i] : (struct tn_answer_value) { 0 };
	if (r->is_second)
		tn_findings_count(&w->findings, r->value, selected);
	else if (!tn_findings_add(&w->findings, r->value, selected))
		r->rc = tn_fail_memory(r->err);
	return r->rc < 0;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	const struct tn_scan_options *o = ((struct reading *)user)->w->selection.options;

	return o && o->notice ? o->notice(o->user, row) : 0;
}

static enum tn_code
read_once(struct tn_why *w, bool is_second, struct tn_error *err)
{
	struct reading r = { .w = w, .is_second = is_second, .rc = TN_OK, .err = err };
	struct tn_scan_options options = { TN_SCAN_OPTIONS };
	const struct tn_span_wish wish = { .no_values = false };
	struct tn_span_counts counts;
	enum tn_code rc = tn_options_take(&options, sizeof options, w->selection.options, "tn_scan_options", err);

	options.notice = is_second ? NULL : on_notice;
	tn_answer_with(&options, &r);
	r.value = calloc(w->findings.factor.n + 1, sizeof *r.value);
	if (!r.value)
		return tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_spans_run_some(w->spans, &options, &wish, on_span, &r, &counts, err);
	tn_expression_state_release(&r.state);
	free(r.value);
	return r.rc < 0 ? r.rc : rc;
}

static int64_t
time_of(const struct tn_why *w, uint64_t slice)
{
	return (int64_t)((uint64_t)w->begin_ns + slice * (uint64_t)w->slice_ns);
}

/* Slices become times. */
static void
set_times(struct tn_why *w)
{
	for (size_t i = 0; i < w->findings.finding.n; i++) {
		struct tn_why_finding *f = &w->findings.finding.item[i];
		uint64_t from, to;

		if (strcmp(f->field, "time") != 0)
			continue;
		from = f->from.is.u;
		to = f->to.is.u;
		f->is_range = true;
		f->value = (struct tn_answer_value) { 0 };
		f->from.is.i = time_of(w, from);
		f->to.is.i = time_of(w, to + 1) - 1;
		f->from.kind = f->from.is.i < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
		f->to.kind = f->to.is.i < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
	}
}

enum tn_code
tn_why_run(struct tn_why *w, struct tn_error *err)
{
	int64_t end_ns = 0;
	enum tn_code rc;

	if (!w)
		return tn_fail_null(err);
	tn_findings_clear(&w->findings);
	for (size_t i = 0; i < w->derived.n; i++)
		w->derived.item[i] = 0;
	w->begin_ns = 0;
	rc = tn_set_time_range(w->selection.set, &w->begin_ns, &end_ns, err);
	if (rc < 0)
		return rc;
	w->slice_ns = (int64_t)(((uint64_t)end_ns - (uint64_t)w->begin_ns) / TIME_SLICES) + 1;
	rc = read_once(w, false, err);
	if (rc == TN_OK && w->findings.all[0] && w->findings.all[1]) {
		drop_derived(w);
		tn_findings_choose(&w->findings);
		rc = read_once(w, true, err);
		if (rc == TN_OK)
			rc = tn_findings_make(&w->findings, err);
	}
	if (rc == TN_OK)
		set_times(w);
	else
		tn_findings_clear(&w->findings);
	return rc;
}

uint64_t
tn_why_selected(const struct tn_why *w)
{
	return w ? w->findings.all[1] : 0;
}

uint64_t
tn_why_rest(const struct tn_why *w)
{
	return w ? w->findings.all[0] : 0;
}

size_t
tn_why_count(const struct tn_why *w)
{
	return w ? w->findings.finding.n : 0;
}

bool
tn_why_finding(const struct tn_why *w, size_t i, struct tn_why_finding *out)
{
	if (!w || !out || i >= w->findings.finding.n)
		return false;
	*out = w->findings.finding.item[i];
	return true;
}
