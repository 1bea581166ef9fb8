#include "scan/late_notices.h"

#include <stdlib.h>

#include "order/cursor.h"

#define MOST 1000

void
tn_stop_row(const struct tn_stop *stop, struct tn_row *row)
{
	const struct tn_batch *b = stop->batch;

	tn_row_of(b, stop->row, row);
	if (stop->is_lost)	/* the number of lost rows is unknown */
		*row = (struct tn_row) {
			.kind = TN_ROW_LOST_EVENTS, .stream = row->stream, .location = row->location, .has_time = row->has_time,
			.time_ns = row->time_ns, .count = TN_COUNT_UNKNOWN, .has_range = row->has_time,
			.begin_ns = row->time_ns, .end_ns = b->entry.end_ns,
		};
}

bool
tn_late_notices_add(struct tn_late_notices *late, const struct tn_chunk *c, const struct tn_stop *stop)
{
	struct tn_late_notice *one = late->notice.n < MOST ? TN_ARRAY_ADD(&late->notice) : NULL;

	if (!one)
		return false;
	*one = (struct tn_late_notice) { .at = tn_location_of(stop->batch, stop->row), .stop = *stop };
	for (size_t i = 0; i < c->held.n; i++)
		if (&c->held.item[i].walked->batch == stop->batch)
			one->walked = tn_walked_hold(c->held.item[i].walked);
	return one->walked;
}

static int
compare(const void *a, const void *b)
{
	return tn_location_compare(&((const struct tn_late_notice *)a)->at, &((const struct tn_late_notice *)b)->at);
}

bool
tn_late_notices_deliver(struct tn_late_notices *late, const struct tn_scan_options *o)
{
	bool stopped = false;

	if (late->notice.n)
		qsort(late->notice.item, late->notice.n, sizeof late->notice.item[0], compare);
	for (size_t i = 0; i < late->notice.n; i++) {
		struct tn_row row;

		if (o && !stopped) {
			tn_stop_row(&late->notice.item[i].stop, &row);
			stopped = o->notice(o->user, &row);
		}
		tn_walked_drop(late->notice.item[i].walked);
	}
	TN_ARRAY_RELEASE(&late->notice);
	return stopped;
}
