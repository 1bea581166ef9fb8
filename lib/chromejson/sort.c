/*
 * sort.c - the order of spans that begin at the same time (chromejson.md, 3)
 */
#include <stdlib.h>

#include "chromejson/private.h"

struct timed {
	struct tn_cj_entry entry;
	int64_t duration;
};

/* The longer span is outside. */
static int
compare(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->duration != y->duration)
		return x->duration > y->duration ? -1 : 1;
	return (x->entry.at > y->entry.at) - (x->entry.at < y->entry.at);
}

static bool
is_span(const struct tn_cj_trace *own, const struct tn_cj_entry *e)
{
	return !(e->track & (TN_CJ_DAMAGE | TN_CJ_LOSS)) && own->classes.item[e->class].phase == 'X';
}

/* Order neighbours of the same time, which all are X events. */
static bool
order_spans(const struct tn_cj_trace *own, struct tn_cj_entry *e, size_t n)
{
	struct timed *all = n > 1 ? calloc(n, sizeof *all) : NULL;

	if (n > 1 && !all)
		return false;
	for (size_t i = 0; all && i < n; i++)
		all[i] = (struct timed) { e[i], tn_cj_duration_at(own, e[i].at) };
	if (all)
		qsort(all, n, sizeof *all, compare);
	for (size_t i = 0; all && i < n; i++)
		e[i] = all[i].entry;
	free(all);
	return true;
}

bool
tn_cj_order_spans(void *user, void *records, size_t n)
{
	const struct tn_cj_trace *own = user;
	struct tn_cj_entry *e = records;
	bool good = true;

	for (size_t i = 0, k; good && i < n; i = k) {
		for (k = i + 1; k < n && e[k].ns == e[i].ns && is_span(own, &e[k]) && is_span(own, &e[i]); k++)
			;
		good = order_spans(own, e + i, k - i);
	}
	return good;
}
