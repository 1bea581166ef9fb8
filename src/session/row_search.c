#include <config.h>

#include "row_search.h"

struct run {
	struct row_search *h;
	uint64_t passed;
	bool finished;		/* the limit or found() has ended the search */
};

static int
take(struct run *r, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why)
{
	struct row_search *h = r->h;

	if (job_stopped(h->job))
		return 1;
	if (h->want && !h->want(h->user, row))
		return 0;
	r->passed++;
	r->finished = h->found(h->user, row, event, why) || (h->limit && r->passed >= h->limit);
	return r->finished;
}

static int
on_row(void *user, const struct tn_row *row)
{
	return take(((struct job *)user)->aside, row, NULL, NULL);
}

static int
on_event(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why)
{
	return take(((struct job *)user)->aside, row, event, why);
}

/* Set the start of the scan. False: there are no rows in this direction. */
static bool
begin_at(const struct row_search *h, struct tn_scan_options *o)
{
	const struct place *from = &h->from;

	switch (from->kind) {
	case PLACE_LOCATION:
		o->has_from = true;
		o->from_included = !h->backward && !h->behind;
		o->from = from->location;
		return true;
	case PLACE_TIME:
		if (!h->backward) {
			o->begin_ns = o->has_begin && from->time_ns < o->begin_ns ? o->begin_ns : from->time_ns;
			o->has_begin = true;
			return true;
		}
		if (from->time_ns == INT64_MIN)
			return false;
		o->end_ns = o->has_end && from->time_ns > o->end_ns ? o->end_ns : from->time_ns - 1;
		o->has_end = true;
		return true;
	case PLACE_BEGIN:
		return !h->backward;
	default:
		return h->backward;
	}
}

enum tn_code
row_search_run(struct row_search *h, struct tn_error *err)
{
	struct run r = { .h = h };
	struct tn_scan_options options = job_scan_options(h->job);
	enum tn_code rc;

	options.backward = h->job->backward = h->backward;
	if (!begin_at(h, &options))
		return TN_END;
	if (h->rows_only)
		options.row = on_row;
	else
		options.event = on_event;
	h->job->aside = &r;
	rc = tn_scan(h->job->q.set, &options, NULL, err);
	if (r.finished)
		return TN_OK;
	if (job_stopped(h->job))
		return TN_ERR_CANCELLED;
	return rc == TN_OK ? TN_END : rc;
}
