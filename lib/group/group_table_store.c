/* group_table_store.c - groups as words, for stored answers */
#include <string.h>

#include "answer/answer_cache.h"
#include "group/group_table.h"

static void
keep_group(const struct tn_group_table *t, const struct tn_group *g, struct tn_answer_out *out)
{
	tn_answer_put_word(out, g->count);
	for (size_t i = 0; i < t->plan->n_aggregates; i++)
		if (t->plan->aggregate[i].works)
			t->plan->aggregate[i].type->state->keep((const char *)(g + 1) + t->plan->aggregate[i].state, out);
}

static bool
restore_group(struct tn_group_table *t, struct tn_group *g, struct tn_answer_in *in)
{
	g->count = tn_answer_get_word(in);
	in->bad |= g->count == UINT64_MAX;	/* this number marks the rest of a chunk as empty; no group begins with it */
	for (size_t i = 0; i < t->plan->n_aggregates && !in->bad; i++) {
		const struct tn_aggregate *a = &t->plan->aggregate[i];

		if (a->works && !a->type->state->restore(tn_state_of(g, a), in))
			return false;
	}
	return true;
}

void
tn_group_table_store(const struct tn_group_table *t, struct tn_answer_out *out)
{
	uint32_t place = 0;
	const struct tn_group *g;

	out->failed |= t->others || t->dropped;	/* only complete tables are stored */
	tn_answer_put_word(out, t->has_time);
	tn_answer_put_word(out, (uint64_t)t->first_ns);
	tn_answer_put_word(out, (uint64_t)t->last_ns);
	tn_answer_put_word(out, t->n);
	while ((g = tn_group_table_at(t, &place))) {
		tn_answer_put_bytes(out, tn_group_key(t, g), 8 * (size_t)g->key_words);
		keep_group(t, g, out);
	}
}

/* Whether the words are a key of @keys values. */
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
tn_group_table_restore(struct tn_group_table *t, size_t keys, struct tn_answer_in *in)
{
	struct tn_group *g;
	size_t n;

	t->has_time = tn_answer_get_word(in) != 0;
	t->first_ns = (int64_t)tn_answer_get_word(in);
	t->last_ns = (int64_t)tn_answer_get_word(in);
	n = tn_answer_get_count(in, 2);
	for (size_t i = 0; i < n && !in->bad; i++) {
		size_t size;
		const uint64_t *key = tn_answer_get_bytes(in, &size);

		in->bad |= !key || size % 8 || !is_key(key, size / 8, keys);
		if (in->bad)
			break;
		g = tn_group_table_group(t, key, size / 8);
		if (!g)
			return false;
		in->bad |= g == t->others || g->count;	/* each group must occur once, and must fit */
		if (!in->bad && !restore_group(t, g, in))
			return false;
	}
	return true;
}
