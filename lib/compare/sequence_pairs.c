/* sequence_pairs.c - pair values of both sides, with the length of their equal part and their first difference */
#include <stdlib.h>
#include <string.h>

#include "compare/sequence.h"
#include "base/error.h"

static bool
has_event(const struct tn_events_of *of, size_t i)
{
	return of && i < of->number.n;
}

void
tn_sequence_compare(const struct tn_sequence *q, const struct tn_events_of *first, const struct tn_events_of *second,
		    struct tn_sequence_pair *out)
{
	const struct tn_events_of *of[2] = { first, second };
	size_t n = 0;

	while (has_event(first, n) && has_event(second, n) && first->number.item[n] == second->number.item[n])
		n++;
	out->equal = n;
	for (size_t i = 0; i < 2; i++) {
		out->value[i] = of[i] ? of[i]->value : NULL;
		out->name[i] = of[i] ? of[i]->name : NULL;
		out->count[i] = of[i] ? of[i]->count : 0;
		out->is_cut |= of[i] && n == of[i]->number.n && n < of[i]->count;
		if (!has_event(of[i], n))
			continue;
		out->event[i] = q->different.item[of[i]->number.item[n]].name;
		out->has_since[i] = !__builtin_sub_overflow(of[i]->time_ns.item[n], q->side[i].first_ns, &out->since_ns[i]);
	}
	out->is_equal = first && second && !out->is_cut && out->count[0] == n && out->count[1] == n;
}

/* ---- which values belong together ---- */

/*
 * The values of the second side that do not have a pair yet: the first one for each name or value, and the next one after
 * each.
 */
struct waiting {
	struct tn_hash by_text;
	size_t *next;
};

static const char *
text_of(const struct tn_events_of *of, enum tn_sequence_pairing by)
{
	return by == TN_SEQUENCE_BY_NAME ? of->name : of->value;
}

static bool
wait(struct waiting *w, const struct tn_sequence_side *side, enum tn_sequence_pairing by, const bool *taken)
{
	w->next = calloc(side->of.n + 1, sizeof *w->next);
	for (size_t i = side->of.n; w->next && i-- > 0;) {
		const char *text = text_of(&side->of.item[i], by);
		struct tn_hash_item *item;

		if (!text || taken[i])
			continue;
		item = tn_hash_add(&w->by_text, text, strlen(text), NULL);
		if (!item)
			return false;
		w->next[i] = item->value;
		item->value = i + 1;
	}
	return w->next != NULL;
}

/* Whether both can be the same thread: a number with another name is another thread. @strict: both must have a name. */
static bool
may_be_same(const struct tn_events_of *a, const struct tn_events_of *b, bool strict)
{
	return a->name && b->name ? strcmp(a->name, b->name) == 0 : !strict || !a->name == !b->name;
}

/* Pair each value of the first side with the first value of the second side that fits and does not have a pair. */
static bool
pair_by(struct tn_sequence *q, enum tn_sequence_pairing by, bool strict, size_t *partner, bool *taken,
	enum tn_sequence_pairing *how)
{
	struct waiting w = { .next = NULL };
	bool good = wait(&w, &q->side[1], by, taken);

	for (size_t i = 0; good && i < q->side[0].of.n; i++) {
		const struct tn_events_of *of = &q->side[0].of.item[i];
		const char *text = text_of(of, by);
		struct tn_hash_item *item = text && partner[i] == SIZE_MAX ? tn_hash_find(&w.by_text, text, strlen(text)) : NULL;
		size_t other = item && item->value ? (size_t)item->value - 1 : SIZE_MAX;

		if (other == SIZE_MAX || !may_be_same(of, &q->side[1].of.item[other], strict))
			continue;
		item->value = w.next[other];
		partner[i] = other;
		how[i] = by;
		taken[other] = true;
	}
	tn_hash_release(&w.by_text);
	free(w.next);
	return good;
}

/* ---- the list ---- */

static bool
add_pair(struct tn_sequence *q, size_t first, size_t second, enum tn_sequence_pairing by)
{
	struct tn_listed_pair *at = TN_ARRAY_ADD(&q->pairs);

	if (!at)
		return false;
	*at = (struct tn_listed_pair) { .of = { first, second }, .pair = { .by = by } };
	tn_sequence_compare(q, first != SIZE_MAX ? &q->side[0].of.item[first] : NULL,
			    second != SIZE_MAX ? &q->side[1].of.item[second] : NULL, &at->pair);
	return true;
}

/* The group of a pair: 0 for pairs that differ, then values without a partner, then equal pairs. */
static int
group(const struct tn_sequence_pair *p)
{
	return p->is_equal ? 2 : p->by == TN_SEQUENCE_ALONE ? 1 : p->is_cut ? 2 : 0;
}

static int64_t
parts_at(const struct tn_sequence_pair *p)
{
	if (p->has_since[0] && p->has_since[1])
		return p->since_ns[0] < p->since_ns[1] ? p->since_ns[0] : p->since_ns[1];
	return p->has_since[0] ? p->since_ns[0] : p->has_since[1] ? p->since_ns[1] : INT64_MAX;
}

static int
in_order(const void *a, const void *b)
{
	const struct tn_listed_pair *x = a, *y = b;
	const uint64_t n = x->pair.count[0] + x->pair.count[1], m = y->pair.count[0] + y->pair.count[1];
	const int64_t at = parts_at(&x->pair), other = parts_at(&y->pair);

	if (group(&x->pair) != group(&y->pair))
		return group(&x->pair) - group(&y->pair);
	if (group(&x->pair) == 0 && at != other)
		return at < other ? -1 : 1;
	if (n != m)
		return n > m ? -1 : 1;
	if (x->of[0] != y->of[0])
		return x->of[0] < y->of[0] ? -1 : 1;
	return x->of[1] < y->of[1] ? -1 : x->of[1] > y->of[1];
}

enum tn_code
tn_sequence_make_pairs(struct tn_sequence *q, struct tn_error *err)
{
	const size_t n = q->side[0].of.n, m = q->side[1].of.n;
	size_t *partner = malloc((n + 1) * sizeof *partner);
	enum tn_sequence_pairing *how = calloc(n + 1, sizeof *how);
	bool *taken = calloc(m + 1, sizeof *taken), some = false, good = partner && how && taken;

	for (size_t i = 0; good && i < n; i++)
		partner[i] = SIZE_MAX;
	good = good && pair_by(q, TN_SEQUENCE_BY_VALUE, true, partner, taken, how) &&
	       pair_by(q, TN_SEQUENCE_BY_NAME, true, partner, taken, how) &&
	       pair_by(q, TN_SEQUENCE_BY_VALUE, false, partner, taken, how);
	for (size_t i = 0; good && i < n; i++)
		some |= partner[i] != SIZE_MAX;
	for (size_t i = 0; good && !some && i < n && i < m; i++) {
		partner[i] = i;
		how[i] = TN_SEQUENCE_BY_ORDER;
		taken[i] = true;
	}
	for (size_t i = 0; good && i < n; i++)
		good = add_pair(q, i, partner[i], partner[i] == SIZE_MAX ? TN_SEQUENCE_ALONE : how[i]);
	for (size_t i = 0; good && i < m; i++)
		good = taken[i] || add_pair(q, SIZE_MAX, i, TN_SEQUENCE_ALONE);
	if (good && q->pairs.n)
		qsort(q->pairs.item, q->pairs.n, sizeof *q->pairs.item, in_order);
	free(partner);
	free(how);
	free(taken);
	return good ? TN_OK : tn_fail_memory(err);
}
