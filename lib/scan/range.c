#include "scan/range.h"

#include "order/cursor.h"

bool
tn_is_after_range(const struct tn_scan_options *o, const struct tn_batch *b, size_t row)
{
	int64_t time_ns = b->refs.item[row].time_ns;
	struct tn_location at;

	if (o->backward ? o->has_begin && time_ns < o->begin_ns : o->has_end && time_ns > o->end_ns)
		return true;
	if (!o->has_to)
		return false;
	if (time_ns != o->to.time_ns)
		return (time_ns > o->to.time_ns) != o->backward;
	at = tn_location_of(b, row);
	return o->backward ? tn_location_compare(&at, &o->to) < 0 : tn_location_compare(&at, &o->to) > 0;
}

bool
tn_is_before_range(const struct tn_scan_options *o, const struct tn_batch *b, size_t row)
{
	int64_t time_ns = b->refs.item[row].time_ns;
	struct tn_location at;

	if (o->has_begin && time_ns < o->begin_ns)
		return true;
	if (!o->has_from || time_ns != o->from.time_ns)
		return o->has_from && time_ns < o->from.time_ns;
	at = tn_location_of(b, row);
	return tn_location_compare(&at, &o->from) < (o->from_included ? 0 : 1);
}

void
tn_range_of_times(struct tn_scan_options *o)
{
	if (o->has_from && (!o->has_begin || o->from.time_ns > o->begin_ns))
		o->begin_ns = o->from.time_ns;
	if (o->has_to && (!o->has_end || o->to.time_ns < o->end_ns))
		o->end_ns = o->to.time_ns;
	o->has_begin |= o->has_from;
	o->has_end |= o->has_to;
}
