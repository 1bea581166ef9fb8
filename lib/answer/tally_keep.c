/*
 * tally_keep.c - groups as words, for answers that are kept
 */
#include <string.h>

#include "answer/keeping.h"
#include "answer/tally_state.h"

static void
keep_state(const void *state, const struct tn_aggregate *a, struct tn_keep_out *out)
{
	const struct distinct *d = state;
	const struct quantiles *q = state;
	const struct edge *e = state;

	switch (a->kind) {
	case TN_AGGREGATE_COUNT:
	case TN_AGGREGATE_RATE:
		return;
	case TN_AGGREGATE_COUNT_OF:
		tn_keep_word(out, *(const uint64_t *)state);
		return;
	case TN_AGGREGATE_SUM:
	case TN_AGGREGATE_MEAN:
		tn_keep_bytes(out, state, sizeof(struct sum));
		return;
	case TN_AGGREGATE_MIN:
	case TN_AGGREGATE_MAX:
		tn_keep_value(out, &((const struct extreme *)state)->v);
		return;
	case TN_AGGREGATE_DISTINCT:
		tn_keep_word(out, d->many ? d->many->n : d->n_few);
		for (uint32_t i = 0; i < d->n_few; i++)
			tn_keep_word(out, d->few[i]);
		for (size_t i = 0; d->many && i < d->many->room; i++)
			if (d->many->item[i].hash)
				tn_keep_word(out, d->many->item[i].key.bytes);
		return;
	case TN_AGGREGATE_QUANTILE:
		tn_keep_word(out, q->is_float);
		tn_sketch_keep(&q->sketch, out);
		return;
	case TN_AGGREGATE_FIRST:
	case TN_AGGREGATE_LAST:
		tn_keep_word(out, e->some);
		tn_keep_location(out, &e->at);
		tn_keep_value(out, &e->v);
		return;
	}
}

static bool
restore_state(void *state, const struct tn_aggregate *a, struct tn_keep_in *in)
{
	struct quantiles *q = state;
	struct tn_answer_value v;
	struct tn_location at;
	const void *bytes;
	uint64_t some;
	size_t n;

	switch (a->kind) {
	case TN_AGGREGATE_COUNT:
	case TN_AGGREGATE_RATE:
		return true;
	case TN_AGGREGATE_COUNT_OF:
		*(uint64_t *)state = tn_kept_word(in);
		return true;
	case TN_AGGREGATE_SUM:
	case TN_AGGREGATE_MEAN:
		bytes = tn_kept_bytes(in, &n);
		in->bad |= n != sizeof(struct sum);
		if (!in->bad)
			memcpy(state, bytes, n);
		return true;
	case TN_AGGREGATE_MIN:
	case TN_AGGREGATE_MAX:
		v = tn_kept_value(in);
		in->bad |= v.kind == TN_ANSWER_TEXT;
		if (!in->bad)
			((struct extreme *)state)->v = v;
		return true;
	case TN_AGGREGATE_DISTINCT:
		n = tn_kept_count(in, 1);
		while (n--)
			if (!tn_distinct_add(state, tn_kept_word(in)))
				return false;
		return true;
	case TN_AGGREGATE_QUANTILE:
		q->is_float = tn_kept_word(in) != 0;
		return tn_sketch_restore(&q->sketch, in);
	case TN_AGGREGATE_FIRST:
	case TN_AGGREGATE_LAST:
		some = tn_kept_word(in);
		at = tn_kept_location(in);
		v = tn_kept_value(in);
		return in->bad || !some || tn_edge_add(state, &v, &at, 1);
	}
	return true;
}

static void
keep_group(const struct tn_tally *t, const struct tn_group *g, struct tn_keep_out *out)
{
	tn_keep_word(out, g->count);
	for (size_t i = 0; i < t->plan->n_aggregates; i++)
		if (t->plan->aggregate[i].works)
			keep_state((const char *)(g + 1) + t->plan->aggregate[i].state, &t->plan->aggregate[i], out);
}

static bool
restore_group(struct tn_tally *t, struct tn_group *g, struct tn_keep_in *in)
{
	g->count = tn_kept_word(in);
	in->bad |= g->count == UINT64_MAX;	/* no group begins so: it says that the rest of a chunk is empty */
	for (size_t i = 0; i < t->plan->n_aggregates && !in->bad; i++) {
		const struct tn_aggregate *a = &t->plan->aggregate[i];

		if (a->works && !restore_state(tn_state_of(g, a), a, in))
			return false;
	}
	return true;
}

void
tn_tally_keep(const struct tn_tally *t, struct tn_keep_out *out)
{
	uint32_t place = 0;
	const struct tn_group *g;

	out->failed |= t->others || t->given_up;	/* more than there is room for */
	tn_keep_word(out, t->has_time);
	tn_keep_word(out, (uint64_t)t->first_ns);
	tn_keep_word(out, (uint64_t)t->last_ns);
	tn_keep_word(out, t->n);
	while ((g = tn_tally_at(t, &place))) {
		tn_keep_bytes(out, tn_group_key(t, g), 8 * (size_t)g->key_words);
		keep_group(t, g, out);
	}
}

/* Words that hold so many values. */
static bool
is_key(const uint64_t *w, size_t words, size_t keys)
{
	const uint64_t *end = w + words;

	for (; keys && w < end; keys--) {
		uint64_t kind = *w & 0xff, more = kind == TN_ANSWER_TEXT ? ((*w >> 8) + 7) / 8 : 1;

		if (kind > TN_ANSWER_TEXT || more > (uint64_t)(end - w - 1))
			return false;
		w += 1 + more;
	}
	return !keys && w == end;
}

bool
tn_tally_restore(struct tn_tally *t, size_t keys, struct tn_keep_in *in)
{
	struct tn_group *g;
	size_t n;

	t->has_time = tn_kept_word(in) != 0;
	t->first_ns = (int64_t)tn_kept_word(in);
	t->last_ns = (int64_t)tn_kept_word(in);
	n = tn_kept_count(in, 2);
	for (size_t i = 0; i < n && !in->bad; i++) {
		size_t size;
		const uint64_t *key = tn_kept_bytes(in, &size);

		in->bad |= !key || size % 8 || !is_key(key, size / 8, keys);
		if (in->bad)
			break;
		g = tn_tally_group(t, key, size / 8);
		if (!g)
			return false;
		in->bad |= g == t->others || g->count;	/* each comes once, and had room */
		if (!in->bad && !restore_group(t, g, in))
			return false;
	}
	return true;
}
