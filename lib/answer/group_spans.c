/*
 * group_spans.c - groups of spans: what their keys and aggregates can be
 */
#include <stdio.h>
#include <stdlib.h>

#include "answer/groups.h"
#include "answer/spans.h"
#include "base/error.h"

enum { SPAN_NAME, SPAN_DURATION, SPAN_BEGIN, SPAN_END, SPAN_STATE, SPAN_TIME, SPAN_VALUE };

static const struct { const char *name; int what; } names[] = {
	{ "name", SPAN_NAME }, { "duration", SPAN_DURATION }, { "dur", SPAN_DURATION }, { "begin", SPAN_BEGIN },
	{ "end", SPAN_END }, { "state", SPAN_STATE }, { "time", SPAN_TIME },
};

static bool
some_span_has(const struct tn_spans *s, const char *name, const char **best, size_t *distance)
{
	for (size_t d = 0; d < tn_spans_count(s); d++) {
		const char *other;

		for (size_t i = 0; (other = tn_spans_key(s, d, i)); i++) {
			if (strcmp(other, name) == 0)
				return true;
			tn_nearest(name, other, best, distance);
		}
		for (size_t i = 0; (other = tn_spans_captured(s, d, i)); i++) {
			if (strcmp(other, name) == 0)
				return true;
			tn_nearest(name, other, best, distance);
		}
	}
	return false;
}

enum tn_code
tn_groups_take_of_spans(struct tn_groups *g, struct tn_take *out, const char *name, size_t n, const char *what,
			size_t column, struct tn_error *err)
{
	const char *best = NULL;
	size_t distance = SIZE_MAX;
	enum tn_code rc;

	*out = (struct tn_take) { .name = strndup(name, n), .span_value = SPAN_VALUE };
	if (!out->name)
		return tn_fail_memory(err);
	if (strncmp(out->name, "time/", 5) == 0) {
		out->span_value = SPAN_TIME;
		return tn_take_step(out->name, &out->step_ns, err);
	}
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		if (strcmp(names[i].name, out->name) == 0) {
			out->span_value = names[i].what;
			return TN_OK;
		}
		tn_nearest(out->name, names[i].name, &best, &distance);
	}
	if (some_span_has(g->spans, out->name, &best, &distance))
		return TN_OK;
	rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s', column %zu: spans have no '%s': the nearest name is '%s'", what, column,
		     out->name, best ? best : "duration");
	tn_take_release(out);
	return rc;
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
named_value(const struct tn_spans *spans, const struct tn_span *s, const char *name)
{
	for (size_t i = 0; i < s->n_keys; i++)
		if (strcmp(tn_spans_key(spans, s->definition, i), name) == 0)
			return s->key[i];
	for (size_t i = 0; i < s->n_captured; i++)
		if (strcmp(tn_spans_captured(spans, s->definition, i), name) == 0)
			return s->captured[i];
	return (struct tn_answer_value) { 0 };
}

static struct tn_answer_value
value_of(const struct tn_groups *g, const struct tn_take *take, const struct tn_span *s)
{
	int64_t time = s->has_begin ? s->begin_ns : s->end_ns, rest;

	switch (take->span_value) {
	case SPAN_NAME: return of_text(s->name);
	case SPAN_DURATION: return of_time(s->has_duration && s->state == TN_SPAN_CLOSED, s->duration_ns);
	case SPAN_BEGIN: return of_time(s->has_begin, s->begin_ns);
	case SPAN_END: return of_time(s->has_end, s->end_ns);
	case SPAN_STATE: return of_text(tn_span_state_name(s->state));
	case SPAN_TIME:
		rest = take->step_ns ? time % take->step_ns : 0;
		return of_time(s->has_begin || s->has_end, time - (rest < 0 ? rest + take->step_ns : rest));
	default: return named_value(g->spans, s, take->name);
	}
}

struct run {
	struct tn_groups *groups;
	struct tn_words_out words;
	struct tn_answer_value *argument;
	bool failed;
};

static int
on_span(void *user, const struct tn_span *s)
{
	struct run *run = user;
	struct tn_groups *g = run->groups;
	struct tn_tally_row row = {
		.argument = run->argument, .at = s->is_at_begin ? s->begin : s->end, .has_time = s->has_begin || s->has_end,
		.time_ns = s->has_begin ? s->begin_ns : s->end_ns,
	};
	struct tn_group *group;
	bool packed = true;

	run->words.n = 0;
	for (size_t i = 0; i < g->keys.n && packed; i++) {
		struct tn_answer_value v = value_of(g, &g->keys.item[i], s);

		if (v.type && !g->labels[i])
			g->labels[i] = v.type;
		packed = tn_pack(&run->words, &v, false);
	}
	group = packed ? tn_tally_group(&g->all, run->words.item, run->words.n) : NULL;
	for (size_t i = 0; i < g->arguments.n; i++)
		run->argument[i] = value_of(g, &g->arguments.item[i], s);
	run->failed = !group || !tn_tally_add(&g->all, group, &row);
	return run->failed;
}

enum tn_code
tn_groups_run_spans(struct tn_groups *g, const struct tn_scan_options *options, struct tn_error *err)
{
	struct run run = { .groups = g, .argument = calloc(g->arguments.n + 1, sizeof *run.argument) };
	struct tn_span_counts counts = { 0 };
	enum tn_code rc;

	free(g->labels);
	g->labels = calloc(g->keys.n + 1, sizeof *g->labels);
	if (!run.argument || !g->labels)
		rc = tn_fail_memory(err);
	else
		rc = tn_spans_run(g->spans, options, TN_SPANS_BY_END, on_span, &run, &counts, err);
	if (run.failed)
		rc = tn_fail_memory(err);
	g->without = counts.without_key;
	TN_ARRAY_RELEASE(&run.words);
	free(run.argument);
	return rc;
}
