/*
 * tally_numbers.c - many numbers of one group, added together
 */
#include "answer/tally_state.h"

bool
tn_tally_takes_numbers(const struct tn_tally *t)
{
	for (size_t i = 0; i < t->plan->n_aggregates; i++)
		switch (t->plan->aggregate[i].kind) {
		case TN_AGGREGATE_COUNT:
		case TN_AGGREGATE_COUNT_OF:
		case TN_AGGREGATE_SUM:
		case TN_AGGREGATE_MEAN:
		case TN_AGGREGATE_MIN:
		case TN_AGGREGATE_MAX:
		case TN_AGGREGATE_QUANTILE:
			continue;
		case TN_AGGREGATE_DISTINCT:
		case TN_AGGREGATE_FIRST:
		case TN_AGGREGATE_LAST:
		case TN_AGGREGATE_RATE:
			return false;
		}
	return true;
}

static void
add_to_sum(struct sum *s, const uint64_t *number, size_t n)
{
	s->n += n;
	for (size_t i = 0; i < n; i++)
		s->whole = tn_wide_add(s->whole, tn_wide_of_unsigned(number[i]));
}

static void
add_to_extreme(struct extreme *e, const uint64_t *number, size_t n, int sign)
{
	struct tn_answer_value v = { .kind = TN_ANSWER_UINT, .is.u = number[0] };

	for (size_t i = 1; i < n; i++)
		if (sign > 0 ? number[i] < v.is.u : number[i] > v.is.u)
			v.is.u = number[i];
	if (e->v.kind == TN_ANSWER_NONE || sign * tn_answer_value_compare(&v, &e->v) < 0)
		e->v = v;
}

static bool
add_to_sketch(struct tn_tally *t, struct quantiles *q, const uint64_t *number, size_t n)
{
	size_t before = tn_sketch_bytes(&q->sketch), bytes;

	if (q->given_up)
		return true;
	for (size_t i = 0; i < n; i++)
		if (__builtin_expect(number[i] <= INT64_MAX, 1) ? !tn_sketch_add_fast(&q->sketch, (double)(int64_t)number[i])
								: !tn_sketch_add(&q->sketch, (double)number[i]))
			return false;
	bytes = tn_sketch_bytes(&q->sketch);
	t->bytes += bytes - before;
	if (t->plan->most_bytes && t->bytes > t->plan->most_bytes && bytes > before)
		tn_tally_give_up(t, q, TN_AGGREGATE_QUANTILE);
	return true;
}

bool
tn_tally_add_numbers(struct tn_tally *t, struct tn_group *g, const uint64_t *number, size_t n)
{
	g->count += n;
	for (const struct tn_aggregate *a = t->plan->aggregate, *end = a + t->plan->n_aggregates; n && a < end; a++) {
		void *state = tn_state_of(g, a);

		if (!a->works)
			continue;
		if (a->kind == TN_AGGREGATE_COUNT_OF)
			*(uint64_t *)state += n;
		else if (a->kind == TN_AGGREGATE_SUM || a->kind == TN_AGGREGATE_MEAN)
			add_to_sum(state, number, n);
		else if (a->kind == TN_AGGREGATE_MIN || a->kind == TN_AGGREGATE_MAX)
			add_to_extreme(state, number, n, a->kind == TN_AGGREGATE_MIN ? 1 : -1);
		else if (a->kind == TN_AGGREGATE_QUANTILE && !add_to_sketch(t, state, number, n))
			return false;
	}
	return true;
}
