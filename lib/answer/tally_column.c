/*
 * tally_column.c - what rows have as a column of numbers, added to their groups
 */
#include "answer/tally_state.h"
#include "query/condition.h"

static const enum tn_answer_kind kinds[] = { TN_ANSWER_NONE, TN_ANSWER_UINT, TN_ANSWER_SINT, TN_ANSWER_NONE };

static bool
add_one(void *state, const struct tn_aggregate *a, uint64_t u, uint8_t kind)
{
	struct tn_answer_value v[1] = { { .kind = kinds[kind & 3], .is.u = u } };
	struct tn_aggregate alone = *a;

	alone.argument = 0;
	return tn_state_add(state, &alone, &(struct tn_tally_row) { .argument = v });
}

static bool
add_sums(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sum *s;

		if (!group[i])
			continue;
		s = tn_state_of(group[i], a);
		if (__builtin_expect(kind[i] == TN_NUMBER_PLAIN, 1)) {
			s->n++;
			s->whole = tn_wide_add(s->whole, tn_wide_of_unsigned(u[i]));
		} else if (!add_one(s, a, u[i], kind[i])) {
			return false;
		}
	}
	return true;
}

static bool
add_sketches(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct quantiles *q;

		if (!group[i])
			continue;
		q = tn_state_of(group[i], a);
		if (__builtin_expect(kind[i] == TN_NUMBER_PLAIN && u[i] <= INT64_MAX, 1)
			    ? !tn_sketch_add_fast(&q->sketch, (double)(int64_t)u[i])
			    : !add_one(q, a, u[i], kind[i]))
			return false;
	}
	return true;
}

static bool
add_extremes(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	bool least = a->kind == TN_AGGREGATE_MIN;

	for (size_t i = 0; i < n; i++) {
		struct extreme *e;

		if (!group[i])
			continue;
		e = tn_state_of(group[i], a);
		if (__builtin_expect(kind[i] == TN_NUMBER_PLAIN && e->v.kind == TN_ANSWER_UINT, 1)) {
			if (least ? u[i] < e->v.is.u : u[i] > e->v.is.u)
				e->v.is.u = u[i];
		} else if (!add_one(e, a, u[i], kind[i])) {
			return false;
		}
	}
	return true;
}

static bool
add_any(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (group[i] && !add_one(tn_state_of(group[i], a), a, u[i], kind[i]))
			return false;
	return true;
}

bool
tn_tally_column(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	switch (a->kind) {
	case TN_AGGREGATE_SUM:
	case TN_AGGREGATE_MEAN:
		return add_sums(a, group, u, kind, n);
	case TN_AGGREGATE_QUANTILE:
		return add_sketches(a, group, u, kind, n);
	case TN_AGGREGATE_MIN:
	case TN_AGGREGATE_MAX:
		return add_extremes(a, group, u, kind, n);
	default:
		return add_any(a, group, u, kind, n);
	}
}
