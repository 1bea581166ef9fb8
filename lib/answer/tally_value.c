/*
 * tally_value.c - what the aggregates of a group came to
 */
#include <math.h>

#include "answer/tally_state.h"

static struct tn_answer_value
of_wide(struct tn_wide w)
{
	if (w.high == 0)
		return (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = w.low };
	if (w.high == -1 && w.low >> 63)
		return (struct tn_answer_value) { .kind = TN_ANSWER_SINT, .is.i = (int64_t)w.low };
	return (struct tn_answer_value) { .kind = TN_ANSWER_FLOAT, .is.f = tn_wide_double(w) };
}

static struct tn_answer_value
of_double(double d, bool whole)
{
	if (isnan(d))
		return (struct tn_answer_value) { 0 };
	d = whole ? round(d) : d;
	if (whole && d >= 0 && d < 18446744073709551616.0)
		return (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = (uint64_t)d };
	if (whole && d < 0 && d >= -9223372036854775808.0)
		return (struct tn_answer_value) { .kind = TN_ANSWER_SINT, .is.i = (int64_t)d };
	return (struct tn_answer_value) { .kind = TN_ANSWER_FLOAT, .is.f = d };
}

struct tn_sketch *
tn_group_sketch(const struct tn_tally *t, struct tn_group *g, size_t i)
{
	const struct tn_aggregate *a = &t->plan->aggregate[i];

	return a->kind == TN_AGGREGATE_QUANTILE ? &((struct quantiles *)tn_state_of(g, a))->sketch : NULL;
}

static struct tn_answer_value
rate(const struct tn_tally *t, const struct tn_group *g, int64_t step_ns)
{
	double ns = step_ns ? (double)step_ns : t->has_time ? (double)((uint64_t)t->last_ns - (uint64_t)t->first_ns) : 0;

	return of_double(ns > 0 ? (double)g->count * 1e9 / ns : NAN, false);
}

void
tn_group_value(const struct tn_tally *t, struct tn_group *g, size_t i, int64_t step_ns, struct tn_answer_value *out)
{
	const struct tn_aggregate *a = &t->plan->aggregate[i];
	void *state = tn_state_of(g, a);
	const struct distinct *d = state;
	struct quantiles *q = state;
	struct sum *s = state;

	switch (a->kind) {
	case TN_AGGREGATE_COUNT:
		*out = (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = g->count };
		return;
	case TN_AGGREGATE_RATE:
		*out = rate(t, g, step_ns);
		return;
	case TN_AGGREGATE_COUNT_OF:
		*out = (struct tn_answer_value) { .kind = TN_ANSWER_UINT, .is.u = *(uint64_t *)state };
		return;
	case TN_AGGREGATE_SUM:
		*out = s->is_float ? of_double(tn_wide_double(s->whole) + s->f + s->rest, false) : of_wide(s->whole);
		return;
	case TN_AGGREGATE_MEAN:
		*out = of_double(s->n ? (tn_wide_double(s->whole) + s->f + s->rest) / (double)s->n : NAN, false);
		return;
	case TN_AGGREGATE_MIN:
	case TN_AGGREGATE_MAX:
		*out = ((struct extreme *)state)->v;
		return;
	case TN_AGGREGATE_DISTINCT:
		*out = (struct tn_answer_value) { .kind = d->given_up ? TN_ANSWER_NONE : TN_ANSWER_UINT,
			.is.u = d->many ? d->many->n : d->n_few };
		return;
	case TN_AGGREGATE_QUANTILE:
		*out = of_double(tn_sketch_quantile(&q->sketch, a->quantile), !q->is_float);
		return;
	case TN_AGGREGATE_FIRST:
	case TN_AGGREGATE_LAST:
		*out = ((struct edge *)state)->v;
		return;
	}
}
