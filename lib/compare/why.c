/* why.c - read what a question asks about: spans with all fields of their events, or events; then the events around spans */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/stored.h"
#include "compare/why_around.h"
#include "base/error.h"
#include "base/options.h"
#include "base/str.h"
#include "model/path.h"
#include "scan/asker.h"

#define TIME_SLICES 64

void
tn_why_free(struct tn_why *w)
{
	if (!w)
		return;
	tn_findings_release(&w->findings);
	tn_span_where_free(w->where);
	tn_spans_free(w->spans);
	tn_why_events_release(w);
	if (w->around)
		tn_around_release(w->around);
	free(w->around);
	TN_ARRAY_RELEASE(&w->derived);
	free(w->condition);
	free(w->definition);
	free(w);
}

/* ---- spans ---- */

/* The length of the definition without its condition, which is its last clause. */
static int
before_where(const char *definition)
{
	const char *end = definition + strlen(definition), *where = tn_path_find_word(definition, end, "where");

	return (int)((where ? where : end) - definition);
}

static enum tn_code
make_spans(struct tn_why *w, const char *definition, const char *shown, struct tn_error *err)
{
	int n = before_where(definition);
	struct tn_str text = { 0 };
	enum tn_code rc;

	tn_spans_free(w->spans);
	w->spans = NULL;
	tn_str_printf(&text, "%.*s%s%s%s", n, definition, shown && *shown ? " show " : "", shown ? shown : "", definition + n);
	rc = text.failed ? tn_fail_memory(err) : tn_spans_new(&w->spans, w->selection.set, err);
	if (rc == TN_OK)
		rc = tn_spans_add_meant(w->spans, text.text, definition, err);
	tn_str_release(&text);
	return rc;
}

/* Add the names of the fields of one end. */
static bool
names_of_end(struct tn_why_names *out, const struct tn_spans *spans, const struct tn_pick *pick)
{
	bool good = true;

	for (size_t c = 0; c < spans->classes.n && good; c++)
		if (pick->verdict[c] != TN_VERDICT_NO)
			good = tn_why_add_class(out, spans->classes.item[c]);
	return good && tn_why_add_attributes(out);
}

/* Whether some begin or end event has the field that the definition shows last. */
static bool
has_last(const struct tn_why *w, bool *no_memory)
{
	const struct tn_span_definition *d = &w->spans->definition.item[0];
	const struct tn_capture *last = &d->captures.item[tn_span_shown(d) - 1];
	bool has = false;

	for (size_t c = 0; c < w->spans->classes.n && !has; c++)
		if ((last->of_begin && d->begin.verdict[c] != TN_VERDICT_NO) ||
		    (last->of_end && d->end.verdict[c] != TN_VERDICT_NO))
			has = tn_take_has(&last->take, c, no_memory);
	return has;
}

/* Whether the field can have different values for different spans, and at the end another value than at the begin. */
static bool
may_differ(const struct tn_why *w, const char *prefix, const char *name)
{
	const struct tn_span_definition *d = &w->spans->definition.item[0];
	const bool at_end = strcmp(prefix, "end.") == 0;

	if (tn_why_is_in(w->condition, name))
		return true;
	for (size_t i = 0; at_end && i < d->end_key.n; i++)
		if (strcmp(d->begin_key.item[i].name, name) == 0 && strcmp(d->end_key.item[i].name, name) == 0)
			return false;
	return !(strcmp(name, "trace") == 0 && w->selection.set->n_traces == 1) &&
	       !(strcmp(name, "host") == 0 && !tn_set_has_hosts(w->selection.set));
}

/* Add a field, if the definition can show it: a name can be ambiguous, or not be an attribute of these events. */
static enum tn_code
try_field(struct tn_why *w, const char *definition, const struct tn_why_names *own, struct tn_str *shown, size_t *n,
	  const char *prefix, const char *name, struct tn_error *err)
{
	struct tn_str with = { 0 };
	bool no_memory = false, has;
	enum tn_code rc;

	tn_str_printf(&with, "%s%s", prefix, name);
	if (with.failed)
		return tn_fail_memory(err);
	if (*n == TN_WHY_FIELDS || tn_why_has_name(own, with.text) || !may_differ(w, prefix, name)) {
		tn_str_release(&with);
		return TN_OK;
	}
	tn_str_clear(&with);
	tn_str_printf(&with, "%s%s%s%s", shown->n ? shown->text : "", shown->n ? ", " : "", prefix, name);
	rc = with.failed ? tn_fail_memory(err) : make_spans(w, definition, with.text, err);
	has = rc == TN_OK && (tn_why_is_in(w->condition, name) || has_last(w, &no_memory));
	if (has) {
		tn_str_release(shown);
		*shown = with;
		++*n;
		return TN_OK;
	}
	tn_str_release(&with);
	return no_memory ? tn_fail_memory(err) : rc == TN_ERR_ARGUMENT ? TN_OK : rc;
}

/*
 * Define the spans with all fields, and with their condition. If both events have a field, both values are compared;
 * other fields keep their name.
 */
static enum tn_code
show_all(struct tn_why *w, const char *definition, struct tn_error *err)
{
	struct tn_why_names begin = { .item = { 0 } }, end = { .item = { 0 } }, own = { .item = { 0 } };
	struct tn_str shown = { 0 };
	enum tn_code rc = make_spans(w, definition, NULL, err);
	size_t n = 0;

	if (rc == TN_OK && (!names_of_end(&begin, w->spans, &w->spans->definition.item[0].begin) ||
			    !names_of_end(&end, w->spans, &w->spans->definition.item[0].end)))
		rc = tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && tn_spans_captured(w->spans, 0, i); i++)
		if (!tn_why_add_name(&own, tn_spans_captured(w->spans, 0, i)))
			rc = tn_fail_memory(err);
	for (size_t i = 0; rc == TN_OK && i < begin.item.n; i++) {
		const char *name = begin.item.item[i];
		bool both = tn_why_has_name(&end, name);

		rc = try_field(w, definition, &own, &shown, &n, both ? "begin." : "", name, err);
		if (rc == TN_OK && both)
			rc = try_field(w, definition, &own, &shown, &n, "end.", name, err);
		if (rc == TN_OK && both && tn_why_is_in(w->condition, name))
			rc = try_field(w, definition, &own, &shown, &n, "", name, err);
	}
	for (size_t i = 0; rc == TN_OK && i < end.item.n; i++)
		if (!tn_why_has_name(&begin, end.item.item[i]))
			rc = try_field(w, definition, &own, &shown, &n, "", end.item.item[i], err);
	if (rc == TN_OK)
		rc = make_spans(w, definition, shown.text, err);
	if (rc == TN_OK)
		rc = tn_span_where_new(&w->where, w->spans, &w->spans->definition.item[0], w->condition, err);
	tn_str_release(&shown);
	tn_why_names_release(&begin);
	tn_why_names_release(&end);
	tn_why_names_release(&own);
	return rc;
}

/* ---- factors ---- */

static enum tn_code
make_spans_question(struct tn_why *w, struct tn_error *err)
{
	const char *name;
	enum tn_code rc = show_all(w, w->definition, err);

	w->around = calloc(1, sizeof *w->around);
	if (rc == TN_OK && !w->around)
		rc = tn_fail_memory(err);

	for (size_t i = 0; rc == TN_OK && (name = tn_spans_captured(w->spans, 0, i)); i++) {
		rc = !TN_ARRAY_ADD(&w->derived) ? tn_fail_memory(err) : tn_why_add_factor(w, name, err);
		if (rc == TN_OK)
			w->findings.factor.item[i + 1].is_left_out = !tn_why_is_asked(w, name);
		if (rc == TN_OK && (strcmp(name, "begin.tid") == 0 || strcmp(name, "tid") == 0))
			w->around->thread = i + 1;
	}
	return rc;
}

enum tn_code
tn_why_new(struct tn_why **out, const struct tn_selection *selection, const char *definition, const char *condition,
	   struct tn_error *err)
{
	struct tn_why *w;
	enum tn_code rc;

	if (!out || !selection || !selection->set || !condition)
		return tn_fail_null(err);
	*out = NULL;
	w = calloc(1, sizeof *w);
	if (!w)
		return tn_fail_memory(err);
	rc = tn_options_take(&w->selection, sizeof w->selection, selection, "tn_selection", err);
	if (rc == TN_OK && (!(w->condition = strdup(condition)) || (definition && !(w->definition = strdup(definition)))))
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = tn_why_add_factor(w, "time", err);
	if (rc == TN_OK)
		w->findings.factor.item[0].is_left_out = !tn_why_is_asked(w, "time");
	if (rc == TN_OK)
		rc = definition ? make_spans_question(w, err) : tn_why_events_init(w, err);
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
	bool is_second;		/* this is the second reading, for events around spans */
	enum tn_code rc;
	struct tn_error *err;
};

/* Whether the value is the duration of the span, in seconds or in thousandths of a second. */
static bool
is_duration(const struct tn_answer_value *v, double least_ns, double most_ns)
{
	double x = v->kind == TN_ANSWER_FLOAT ? v->is.f : v->kind == TN_ANSWER_UINT ? (double)v->is.u : 0;

	if (!(x > 0) || x > most_ns)
		return false;
	for (int i = 0; i < 3 && x < least_ns; i++)
		x *= 1000;
	return x >= least_ns && x <= most_ns;
}

/* Drop fields that nearly always equal the duration, because they explain nothing. */
static void
drop_derived(struct tn_why *w)
{
	uint64_t all = w->findings.all[0] + w->findings.all[1];

	for (size_t i = 0; i < w->derived.n; i++)
		if (w->derived.item[i] > all / 10 * 9)
			w->findings.factor.item[i + 1].is_dropped = true;
}

/* Note the span of a thread, to count the events during and before it. */
static bool
take_window(struct tn_why *w, const struct tn_span *span, uint64_t slice, bool selected)
{
	const struct tn_answer_value *tid = w->around->thread ? &span->captured[w->around->thread - 1] : NULL;
	struct tn_around_span s = { .begin_ns = span->begin_ns, .end_ns = span->end_ns, .selected = selected };

	if (!tid || tid->kind != TN_ANSWER_UINT)
		return true;
	slice /= TIME_SLICES / TN_COMPARE_BLOCKS;
	s.block = (uint8_t)(slice < TN_COMPARE_BLOCKS ? slice : TN_COMPARE_BLOCKS - 1);
	return tn_around_add(w->around, (uint64_t)w->spans->classes.loom[span->begin.stream] << 32 ^ tid->is.u,
			     &(struct tn_around_thread) { tid->is.i, span->begin.stream }, &s);
}

static int
on_span(void *user, const struct tn_span *span)
{
	struct reading *r = user;
	struct tn_why *w = r->w;
	const double least_ns = 0.99 * (double)span->duration_ns, most_ns = 1.01 * (double)span->duration_ns;
	struct tn_answer_value time;
	bool selected = false;

	if (span->state != TN_SPAN_CLOSED || !span->has_duration)
		return 0;
	r->rc = tn_span_where_passes(w->where, &r->state, span, &selected, r->err);
	if (r->rc < 0)
		return 1;
	for (size_t i = 0; i < span->n_captured; i++)
		w->derived.item[i] += is_duration(&span->captured[i], least_ns, most_ns);
	time = tn_why_slice(w, span->begin_ns);
	if (!take_window(w, span, time.is.u, selected))
		r->rc = tn_fail_memory(r->err);
	else
		r->rc = tn_findings_add(&w->findings, &time, span->captured, selected, r->err);
	return r->rc < 0;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	const struct tn_scan_options *o = ((struct reading *)user)->w->selection.options;

	return o && o->notice ? o->notice(o->user, row) : 0;
}

static enum tn_code
take_options(struct reading *r, struct tn_scan_options *out, struct tn_error *err)
{
	enum tn_code rc;

	*out = (struct tn_scan_options) { TN_SCAN_OPTIONS };
	rc = tn_options_take(out, sizeof *out, r->w->selection.options, "tn_scan_options", err);
	out->notice = r->is_second ? NULL : on_notice;
	tn_answer_with(out, r);
	return rc;
}

static enum tn_code
read_things(struct tn_why *w, struct tn_error *err)
{
	struct reading r = { .w = w, .rc = TN_OK, .err = err };
	const struct tn_span_wish wish = { .no_values = false };
	struct tn_span_counts counts;
	struct tn_scan_options options;
	enum tn_code rc;

	if (!w->definition)
		return tn_why_events_read(w, err);
	rc = take_options(&r, &options, err);
	if (rc == TN_OK)
		rc = tn_spans_run_some(w->spans, &options, &wish, on_span, &r, &counts, err);
	tn_expression_state_release(&r.state);
	return r.rc < 0 ? r.rc : rc;
}

static enum tn_code
read_around(struct tn_why *w, struct tn_error *err)
{
	struct reading r = { .w = w, .is_second = true };
	struct tn_scan_options options;
	enum tn_code rc = take_options(&r, &options, err);

	if (rc == TN_OK)
		rc = tn_around_wait(w->around, w, &options, err);
	return rc == TN_OK && w->around->span.n ? tn_around_find(w->around, w, &options, err) : rc;
}

static struct tn_answer_value
time_of(const struct tn_why *w, uint64_t slice, int64_t less)
{
	return tn_answer_number(true, (int64_t)((uint64_t)w->begin_ns + slice * (uint64_t)w->slice_ns) - less);
}

/* Convert numbers of slices to times. */
static void
set_times(struct tn_why *w)
{
	for (size_t i = 0; i < w->findings.n; i++) {
		struct tn_candidate *c = &w->findings.candidate[i];

		if (c->factor)
			continue;
		c->is_range = true;
		c->from = time_of(w, c->from.is.u, 0);
		c->to = time_of(w, c->to.is.u + 1, 1);
	}
}

/* Make the definition that shows the fields of a finding. */
static enum tn_code
define(struct tn_why *w, struct tn_why_finding *f, struct tn_error *err)
{
	struct tn_str text = { 0 };
	int n = before_where(w->definition);
	const char *shown = strncmp(f->field, "time, ", 6) == 0 ? f->field + 6 : f->field;
	struct tn_spans *spans = NULL;
	enum tn_code rc;

	tn_str_printf(&text, "%.*s show %s%s", n, w->definition, shown, w->definition + n);
	rc = text.failed ? tn_fail_memory(err) : tn_spans_new(&spans, w->selection.set, err);
	if (rc == TN_OK)
		rc = tn_spans_add(spans, text.text, err);
	if (rc == TN_OK || rc == TN_ERR_ARGUMENT)	/* already shown, as a key */
		f->definition = rc < 0 ? w->definition : tn_arena_copy(&w->findings.arena, text.text, text.n);
	tn_spans_free(spans);
	tn_str_release(&text);
	return rc == TN_ERR_MEMORY || !f->definition ? tn_fail_memory(err) : TN_OK;
}

static enum tn_code
read_anew(void *user, struct tn_error *err)
{
	struct tn_why *w = user;
	int64_t end_ns = 0;
	enum tn_code rc;

	tn_findings_clear(&w->findings);
	for (size_t i = 0; i < w->derived.n; i++)
		w->derived.item[i] = 0;
	if (w->around)
		tn_around_release(w->around);
	w->begin_ns = 0;
	rc = tn_set_time_range(w->selection.set, &w->begin_ns, &end_ns, err);
	if (rc < 0)
		return rc;
	w->slice_ns = (int64_t)(((uint64_t)end_ns - (uint64_t)w->begin_ns) / TIME_SLICES) + 1;
	rc = read_things(w, err);
	if (rc == TN_OK && w->findings.all[0] && w->findings.all[1]) {
		drop_derived(w);
		rc = tn_findings_choose(&w->findings, err);
		set_times(w);
		if (rc == TN_OK && w->around)
			rc = read_around(w, err);
		if (rc == TN_OK)
			rc = tn_findings_make(&w->findings, err);
	}
	for (size_t i = 0; rc == TN_OK && w->definition && i < w->findings.finding.n; i++)
		if (w->findings.finding.item[i].condition)
			rc = define(w, &w->findings.finding.item[i], err);
	return rc;
}

/* ---- stored answers ---- */

static void
move_finding(struct tn_moving *m, struct tn_why_finding *f)
{
	f->field = tn_move_text(m, f->field);
	f->is_rate = tn_move_choice(m, f->is_rate, 2);
	f->is_range = tn_move_choice(m, f->is_range, 2);
	f->value = tn_move_value(m, f->value);
	f->from = tn_move_value(m, f->from);
	f->to = tn_move_value(m, f->to);
	f->same = tn_move_text(m, f->same);
	f->condition = tn_move_text(m, f->condition);
	f->definition = tn_move_text(m, f->definition);
	f->selected = tn_move_word(m, f->selected);
	f->rest = tn_move_word(m, f->rest);
	f->selected_share = tn_move_real(m, f->selected_share);
	f->rest_share = tn_move_real(m, f->rest_share);
	f->lift = tn_move_real(m, f->lift);
	f->g = tn_move_real(m, f->g);
	f->probability = tn_move_real(m, f->probability);
	f->verdict = (enum tn_compare_verdict)tn_move_choice(m, f->verdict, TN_COMPARE_NOISE + 1);
	m->in.bad |= !f->field || (f->is_rate && f->condition) || (!f->condition && f->value.kind != TN_ANSWER_TEXT);
}

static void
move_answer(void *user, struct tn_moving *m)
{
	struct tn_findings *f = &((struct tn_why *)user)->findings;
	size_t n = tn_move_count(m, f->finding.n, 20);

	f->all[0] = tn_move_word(m, f->all[0]);
	f->all[1] = tn_move_word(m, f->all[1]);
	for (size_t i = 0; i < n && !m->in.bad && !m->failed; i++) {
		struct tn_why_finding *to = i < f->finding.n ? &f->finding.item[i] : TN_ARRAY_ADD(&f->finding);

		m->failed |= !to;
		if (to)
			move_finding(m, to);
	}
}

static bool
find_types(const struct tn_why *w, struct tn_types *types)
{
	bool no_memory = false;

	if (w->definition)
		return tn_spans_types(w->spans, types);
	for (size_t i = 0; i < w->take.n && !no_memory; i++)
		for (size_t c = 0; c < w->classes.n && !no_memory; c++)
			no_memory = !tn_types_add(types, tn_take_labels(&w->take.item[i], c, &no_memory));
	return !no_memory;
}

enum tn_code
tn_why_run(struct tn_why *w, struct tn_error *err)
{
	struct tn_types types = { 0 };
	struct tn_str question = { 0 };
	struct tn_stored_question q = { .n = 1, .text = &question, .types = &types, .user = w, .read = read_anew,
				      .move = move_answer };
	enum tn_code rc;

	if (!w)
		return tn_fail_null(err);
	q.side = &w->selection;
	q.arena = &w->findings.arena;
	tn_findings_clear(&w->findings);
	tn_stored_say(&question, "why", w->condition);
	tn_stored_say(&question, w->definition ? "spans" : "events", w->definition ? w->definition : "");
	rc = question.failed || !find_types(w, &types) ? tn_fail_memory(err) : tn_stored_answer(&q, err);
	tn_str_release(&question);
	TN_ARRAY_RELEASE(&types.type);
	if (rc != TN_OK)
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
