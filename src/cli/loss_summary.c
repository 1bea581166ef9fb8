#include <config.h>

#include <stdlib.h>

#include "loss_summary.h"

bool
losses_init(struct losses *l, const struct tn_set *set)
{
	size_t n = tn_set_stream_count(set);

	l->of_stream = calloc(n + 1, sizeof *l->of_stream);
	l->n = l->of_stream ? n : 0;
	return l->of_stream != NULL;
}

void
losses_release(struct losses *l)
{
	free(l->of_stream);
	*l = (struct losses) { 0 };
}

static void
add(uint64_t *sum, uint64_t n, bool *more)
{
	if (n == TN_COUNT_UNKNOWN)
		*more = true;
	else if (__builtin_add_overflow(*sum, n, sum))
		*sum = UINT64_MAX;
}

void
losses_add(struct losses *l, const struct tn_row *row)
{
	struct loss *loss = &l->of_stream[tn_stream_rank(row->stream)];

	if (row->kind == TN_ROW_LOST_EVENTS)
		add(&loss->events, row->count, &loss->more);
	else if (row->kind == TN_ROW_LOST_PACKETS)
		add(&loss->packets, row->count, &loss->more);
	if (row->kind == TN_ROW_DAMAGE)
		l->damages++;
	else if (row->kind != TN_ROW_EVENT && row->kind != TN_ROW_BREAK)
		l->places++;
}

struct loss
losses_sum(const struct losses *l)
{
	struct loss sum = { 0 };

	for (size_t i = 0; i < l->n; i++) {
		add(&sum.events, l->of_stream[i].events, &sum.more);
		add(&sum.packets, l->of_stream[i].packets, &sum.more);
		sum.more |= l->of_stream[i].more;
	}
	return sum;
}
