/*
 * aggregate_growing.c - states that allocate memory: distinct, quantiles, first, last
 */
#include "group/aggregate_state.h"

#include <stdlib.h>
#include <string.h>

#include "answer/answer_cache.h"
#include "group/sketch.h"

/* ---- distinct ---- */

#define FEW_DISTINCT 16		/* number of values that are compared one by one */

/* Hashes of the different values. */
struct distinct {
	uint64_t dropped;
	uint64_t *few;		/* the hashes if there are few, and no table */
	uint32_t n_few, few_room;
	struct tn_hash *many;
};

static bool
add_hash(struct distinct *d, uint64_t hash)
{
	if (d->many)
		return tn_hash_add_u64(d->many, hash, NULL) != NULL;
	for (uint32_t i = 0; i < d->n_few; i++)
		if (d->few[i] == hash)
			return true;
	if (d->n_few == FEW_DISTINCT) {
		d->many = calloc(1, sizeof *d->many);
		for (uint32_t i = 0; d->many && i < d->n_few; i++)
			if (!tn_hash_add_u64(d->many, d->few[i], NULL))
				return false;
		free(d->few);
		d->few = NULL;
		d->n_few = d->few_room = 0;
		return d->many && tn_hash_add_u64(d->many, hash, NULL);
	}
	if (d->n_few == d->few_room) {
		uint32_t room = d->few_room ? 2 * d->few_room : 2;
		uint64_t *few = realloc(d->few, room * sizeof *few);

		if (!few)
			return false;
		d->few = few;
		d->few_room = room;
	}
	d->few[d->n_few++] = hash;
	return true;
}

static bool
add_to_distinct(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	(void)at;
	if (v->kind == TN_ANSWER_NONE)
		return true;
	return add_hash(state, v->kind == TN_ANSWER_TEXT ? tn_sum_bytes(v->n + 7, v->text, v->n)
							 : tn_sum_bytes((uint64_t)v->kind, &v->is.u, sizeof v->is.u));
}

static bool
merge_distinct(void *into, const void *from)
{
	const struct distinct *d = from;

	for (uint32_t i = 0; i < d->n_few; i++)
		if (!add_hash(into, d->few[i]))
			return false;
	for (size_t i = 0; d->many && i < d->many->room; i++)
		if (d->many->item[i].hash && !add_hash(into, d->many->item[i].key.bytes))
			return false;
	return true;
}

static size_t
bytes_of_distinct(const void *state)
{
	const struct distinct *d = state;

	return d->many ? sizeof *d->many + d->many->room * sizeof *d->many->item : d->few_room * sizeof *d->few;
}

/* While the table is copied to one twice as large, both need memory. */
static size_t
bytes_ahead_of_distinct(const void *state)
{
	const struct distinct *d = state;

	return d->many && d->many->n >= d->many->room / 2 ? 2 * bytes_of_distinct(d) : 0;
}

static void
release_distinct(void *state)
{
	struct distinct *d = state;

	if (d->many)
		tn_hash_release(d->many);
	free(d->many);
	free(d->few);
}

static void
keep_distinct(const void *state, struct tn_answer_out *out)
{
	const struct distinct *d = state;

	tn_answer_put_word(out, d->many ? d->many->n : d->n_few);
	for (uint32_t i = 0; i < d->n_few; i++)
		tn_answer_put_word(out, d->few[i]);
	for (size_t i = 0; d->many && i < d->many->room; i++)
		if (d->many->item[i].hash)
			tn_answer_put_word(out, d->many->item[i].key.bytes);
}

static bool
restore_distinct(void *state, struct tn_answer_in *in)
{
	for (size_t n = tn_answer_get_count(in, 1); n; n--)
		if (!add_hash(state, tn_answer_get_word(in)))
			return false;
	return true;
}

const struct tn_aggregate_state tn_distinct_state = {
	.size = sizeof(struct distinct), .add = add_to_distinct, .merge = merge_distinct,
	.bytes = bytes_of_distinct, .bytes_ahead = bytes_ahead_of_distinct, .release = release_distinct,
	.keep = keep_distinct, .restore = restore_distinct,
};

struct tn_answer_value
tn_value_of_distinct(const struct tn_aggregate_read *r)
{
	const struct distinct *d = r->state;

	return d->dropped ? (struct tn_answer_value) { 0 } : tn_value_of_unsigned(d->many ? d->many->n : d->n_few);
}

/* ---- quantiles ---- */

struct quantiles {
	uint64_t dropped;
	uint64_t is_float;
	struct tn_sketch sketch;
};

static bool
add_to_quantiles(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	struct quantiles *q = state;

	(void)at;
	if (LIKELY(v->kind == TN_ANSWER_UINT))
		return tn_sketch_add(&q->sketch, (double)v->is.u);
	if (!tn_value_is_number(v))
		return true;
	q->is_float |= v->kind == TN_ANSWER_FLOAT;
	return tn_sketch_add(&q->sketch, tn_value_number(v));
}

static bool
add_column_to_quantiles(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct quantiles *q;

		if (!group[i])
			continue;
		q = tn_state_of(group[i], a);
		if (LIKELY(kind[i] == TN_NUMBER_PLAIN && u[i] <= INT64_MAX) ? !tn_sketch_add_fast(&q->sketch, (double)(int64_t)u[i])
									    : !tn_state_add_one(a, q, u[i], kind[i]))
			return false;
	}
	return true;
}

static bool
merge_quantiles(void *into, const void *from)
{
	const struct quantiles *more = from;
	struct quantiles *q = into;

	q->is_float |= more->is_float;
	return tn_sketch_merge(&q->sketch, &more->sketch);
}

static size_t
bytes_of_quantiles(const void *state)
{
	return tn_sketch_bytes(&((const struct quantiles *)state)->sketch);
}

static void
release_quantiles(void *state)
{
	tn_sketch_release(&((struct quantiles *)state)->sketch);
}

static void
keep_quantiles(const void *state, struct tn_answer_out *out)
{
	const struct quantiles *q = state;

	tn_answer_put_word(out, q->is_float);
	tn_sketch_store(&q->sketch, out);
}

static bool
restore_quantiles(void *state, struct tn_answer_in *in)
{
	struct quantiles *q = state;

	q->is_float = tn_answer_get_word(in) != 0;
	return tn_sketch_restore(&q->sketch, in);
}

static void
spread_quantiles(void *state, uint64_t *part, size_t n)
{
	tn_sketch_parts(&((struct quantiles *)state)->sketch, part, n);
}

const struct tn_aggregate_state tn_quantiles_state = {
	.size = sizeof(struct quantiles), .add = add_to_quantiles, .add_column = add_column_to_quantiles,
	.merge = merge_quantiles, .bytes = bytes_of_quantiles, .release = release_quantiles, .keep = keep_quantiles,
	.restore = restore_quantiles, .spread = spread_quantiles,
};

struct tn_answer_value
tn_value_of_quantile(const struct tn_aggregate_read *r)
{
	struct quantiles *q = r->state;

	return tn_value_of_double(tn_sketch_quantile(&q->sketch, r->aggregate->part, r->aggregate->whole), !q->is_float);
}

/* ---- first, last ---- */

struct edge {
	uint64_t dropped;
	struct tn_location at;
	struct tn_answer_value v;
	char *text;		/* owned */
	bool some;
};

/* Keep the value if it is before the current one; if @sign < 0, if it is after it. */
static bool
add_to_edge(struct edge *e, const struct tn_answer_value *v, const struct tn_location *at, int sign)
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
	*e = (struct edge) { .at = *at, .v = *v, .text = text, .some = true };
	if (text)
		e->v.text = text;
	return true;
}

static bool
add_to_first(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	return add_to_edge(state, v, at, 1);
}

static bool
add_to_last(void *state, const struct tn_answer_value *v, const struct tn_location *at)
{
	return add_to_edge(state, v, at, -1);
}

static bool
merge_first(void *into, const void *from)
{
	const struct edge *e = from;

	return !e->some || add_to_edge(into, &e->v, &e->at, 1);
}

static bool
merge_last(void *into, const void *from)
{
	const struct edge *e = from;

	return !e->some || add_to_edge(into, &e->v, &e->at, -1);
}

static size_t
bytes_of_edge(const void *state)
{
	const struct edge *e = state;

	return e->text ? e->v.n + 1 : 0;
}

static void
release_edge(void *state)
{
	free(((struct edge *)state)->text);
}

static void
keep_edge(const void *state, struct tn_answer_out *out)
{
	const struct edge *e = state;

	tn_answer_put_word(out, e->some);
	tn_answer_put_location(out, &e->at);
	tn_answer_put_value(out, &e->v);
}

static bool
restore_edge(void *state, struct tn_answer_in *in)
{
	bool some = tn_answer_get_word(in) != 0;
	struct tn_location at = tn_answer_get_location(in);
	struct tn_answer_value v = tn_answer_get_value(in);

	return in->bad || !some || add_to_edge(state, &v, &at, 1);
}

const struct tn_aggregate_state tn_first_state = {
	.size = sizeof(struct edge), .add = add_to_first, .merge = merge_first, .bytes = bytes_of_edge, .release = release_edge,
	.keep = keep_edge, .restore = restore_edge,
};

const struct tn_aggregate_state tn_last_state = {
	.size = sizeof(struct edge), .add = add_to_last, .merge = merge_last, .bytes = bytes_of_edge, .release = release_edge,
	.keep = keep_edge, .restore = restore_edge,
};

struct tn_answer_value
tn_value_of_edge(const struct tn_aggregate_read *r)
{
	return ((const struct edge *)r->state)->v;
}
