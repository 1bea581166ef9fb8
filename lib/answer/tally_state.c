/*
 * tally_state.c - what an aggregate keeps of a group: a row more, or what another tally has of it
 */
#include "answer/tally_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_DISTINCT 16		/* so many are looked through */

static bool
is_number(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT || v->kind == TN_ANSWER_SINT || v->kind == TN_ANSWER_FLOAT;
}

static double
number(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_FLOAT ? v->is.f : v->kind == TN_ANSWER_SINT ? (double)v->is.i : (double)v->is.u;
}

static void
add_float(struct sum *s, double x)
{
	double all = s->f + x;

	if (isfinite(all))
		s->rest += fabs(s->f) >= fabs(x) ? (s->f - all) + x : (x - all) + s->f;
	s->f = all;
}

static inline void
add_to_sum(struct sum *s, const struct tn_answer_value *v)
{
	if (__builtin_expect(v->kind == TN_ANSWER_UINT, 1)) {
		s->n++;
		s->whole = tn_wide_add(s->whole, tn_wide_of_unsigned(v->is.u));
		return;
	}
	if (!is_number(v) || (v->kind == TN_ANSWER_FLOAT && isnan(v->is.f)))
		return;
	s->n++;
	if (v->kind == TN_ANSWER_FLOAT) {
		s->is_float = 1;
		add_float(s, v->is.f);
	} else {
		s->whole = tn_wide_add(s->whole, v->kind == TN_ANSWER_SINT ? tn_wide_of(v->is.i) : tn_wide_of_unsigned(v->is.u));
	}
}

static void
add_extreme(struct extreme *e, const struct tn_answer_value *v, int sign)
{
	if (!is_number(v) || (v->kind == TN_ANSWER_FLOAT && isnan(v->is.f)))
		return;
	if (e->v.kind == TN_ANSWER_NONE || sign * tn_answer_value_compare(v, &e->v) < 0)
		e->v = *v;
}

bool
tn_edge_add(struct edge *e, const struct tn_answer_value *v, const struct tn_location *at, int sign)
{
	char *text = NULL;

	if (v->kind == TN_ANSWER_NONE || (e->some && sign * tn_location_compare(at, &e->at) >= 0))
		return true;
	if (v->kind == TN_ANSWER_TEXT) {
		text = malloc(v->n + 1);
		if (!text)
			return false;
		memcpy(text, v->text, v->n);
	}
	free(e->text);
	*e = (struct edge) { .at = *at, .v = *v, .text = text, .some = 1 };
	if (text)
		e->v.text = text;
	return true;
}

bool
tn_distinct_add(struct distinct *d, uint64_t sum)
{
	if (d->many)
		return tn_hash_add_u64(d->many, sum, NULL) != NULL;
	for (uint32_t i = 0; i < d->n_few; i++)
		if (d->few[i] == sum)
			return true;
	if (d->n_few == FEW_DISTINCT) {
		d->many = calloc(1, sizeof *d->many);
		for (uint32_t i = 0; d->many && i < d->n_few; i++)
			if (!tn_hash_add_u64(d->many, d->few[i], NULL))
				return false;
		free(d->few);
		d->few = NULL;
		d->n_few = d->few_room = 0;
		return d->many && tn_hash_add_u64(d->many, sum, NULL);
	}
	if (d->n_few == d->few_room) {
		uint32_t room = d->few_room ? 2 * d->few_room : 2;
		uint64_t *few = realloc(d->few, room * sizeof *few);

		if (!few)
			return false;
		d->few = few;
		d->few_room = room;
	}
	d->few[d->n_few++] = sum;
	return true;
}

static bool
add_distinct(struct distinct *d, const struct tn_answer_value *v)
{
	if (v->kind == TN_ANSWER_NONE)
		return true;
	return tn_distinct_add(d, v->kind == TN_ANSWER_TEXT ? tn_sum_bytes(v->n + 7, v->text, v->n)
						      : tn_sum_bytes((uint64_t)v->kind, &v->is.u, sizeof v->is.u));
}

bool
tn_state_add(void *state, const struct tn_aggregate *a, const struct tn_tally_row *row)
{
	const struct tn_answer_value *v = &row->argument[a->argument];
	struct quantiles *q = state;

	switch (a->kind) {
	case TN_AGGREGATE_COUNT:
	case TN_AGGREGATE_RATE:
		return true;
	case TN_AGGREGATE_COUNT_OF:
		*(uint64_t *)state += v->kind != TN_ANSWER_NONE;
		return true;
	case TN_AGGREGATE_SUM:
	case TN_AGGREGATE_MEAN:
		add_to_sum(state, v);
		return true;
	case TN_AGGREGATE_MIN:
	case TN_AGGREGATE_MAX:
		add_extreme(state, v, a->kind == TN_AGGREGATE_MIN ? 1 : -1);
		return true;
	case TN_AGGREGATE_DISTINCT:
		return add_distinct(state, v);
	case TN_AGGREGATE_QUANTILE:
		if (__builtin_expect(v->kind == TN_ANSWER_UINT, 1))
			return tn_sketch_add(&q->sketch, (double)v->is.u);
		if (!is_number(v))
			return true;
		q->is_float |= v->kind == TN_ANSWER_FLOAT;
		return tn_sketch_add(&q->sketch, number(v));
	case TN_AGGREGATE_FIRST:
	case TN_AGGREGATE_LAST:
		return tn_edge_add(state, v, &row->at, a->kind == TN_AGGREGATE_FIRST ? 1 : -1);
	}
	return true;
}

/* ---- two states become one ---- */

static bool
merge_distinct(struct distinct *into, const struct distinct *from)
{
	for (uint32_t i = 0; i < from->n_few; i++)
		if (!tn_distinct_add(into, from->few[i]))
			return false;
	for (size_t i = 0; from->many && i < from->many->room; i++)
		if (from->many->item[i].hash && !tn_distinct_add(into, from->many->item[i].key.bytes))
			return false;
	return true;
}

bool
tn_state_merge(void *into, const void *from, const struct tn_aggregate *a)
{
	const struct sum *s = from;
	const struct edge *e = from;
	struct quantiles *q = into;
	struct sum *all = into;

	switch (a->kind) {
	case TN_AGGREGATE_COUNT:
	case TN_AGGREGATE_RATE:
		return true;
	case TN_AGGREGATE_COUNT_OF:
		*(uint64_t *)into += *(const uint64_t *)from;
		return true;
	case TN_AGGREGATE_SUM:
	case TN_AGGREGATE_MEAN:
		all->whole = tn_wide_add(all->whole, s->whole);
		all->n += s->n;
		all->is_float |= s->is_float;
		add_float(all, s->f);
		add_float(all, s->rest);
		return true;
	case TN_AGGREGATE_MIN:
	case TN_AGGREGATE_MAX:
		add_extreme(into, &((const struct extreme *)from)->v, a->kind == TN_AGGREGATE_MIN ? 1 : -1);
		return true;
	case TN_AGGREGATE_DISTINCT:
		return merge_distinct(into, from);
	case TN_AGGREGATE_QUANTILE:
		q->is_float |= ((const struct quantiles *)from)->is_float;
		return tn_sketch_merge(&q->sketch, &((const struct quantiles *)from)->sketch);
	case TN_AGGREGATE_FIRST:
	case TN_AGGREGATE_LAST:
		return !e->some || tn_edge_add(into, &e->v, &e->at, a->kind == TN_AGGREGATE_FIRST ? 1 : -1);
	}
	return true;
}
