/*
 * span_whole.c - spans that are one event: a heap in which they wait for the time of their end; the first end is at the
 * top
 */
#include "span/span_open.h"

static bool
before(const struct tn_whole *a, const struct tn_whole *b)
{
	/* Of spans with equal ends, the one that began last is inside of the others, so it ends first. */
	return a->key_ns != b->key_ns ? a->key_ns < b->key_ns : a->number > b->number;
}

bool
tn_wholes_push(struct tn_wholes *w, int64_t key_ns, int64_t end_ns, struct begun *b)
{
	struct tn_whole it = { key_ns, end_ns, w->next++, b };
	size_t i = w->heap.n;

	if (!TN_ARRAY_ADD(&w->heap))
		return false;
	for (; i && before(&it, &w->heap.item[(i - 1) / 2]); i = (i - 1) / 2)
		w->heap.item[i] = w->heap.item[(i - 1) / 2];
	w->heap.item[i] = it;
	return true;
}

struct tn_whole
tn_wholes_pop(struct tn_wholes *w)
{
	struct tn_whole top = w->heap.item[0], last = w->heap.item[--w->heap.n];
	size_t i = 0, n = w->heap.n;

	for (;;) {
		size_t k = 2 * i + 1;

		k += k + 1 < n && before(&w->heap.item[k + 1], &w->heap.item[k]);
		if (k >= n || !before(&w->heap.item[k], &last))
			break;
		w->heap.item[i] = w->heap.item[k];
		i = k;
	}
	if (n)
		w->heap.item[i] = last;
	return top;
}
