#include <config.h>

#include <stdlib.h>

#include "hunt.h"

#define NEAR_ROWS 4096	/* tried one by one before a scan is started: a few milliseconds */

/* ---- one run ---- */

struct run {
	struct hunt *h;
	struct tn_cursor *cur;
	const bool *only;	/* what the cursor is restricted to: one flag a stream */
	bool *flags;
	size_t n_streams;
	uint64_t passed;
	bool finished;		/* by the limit or by found() */
	enum tn_code code;	/* of a failure inside the scan's callback */
	struct tn_error *err;
};

static bool
stopped(const struct hunt *h)
{
	return job_stopped(h->job);
}

/* The cursor is on a row that passed. */
static int
hand_over(struct run *r, const struct tn_row *row)
{
	r->passed++;
	if (r->h->found(r->h->user, r->h->rows_only ? NULL : r->cur, row) || (r->h->limit && r->passed >= r->h->limit))
		r->finished = true;
	return r->finished;
}

/* Try up to NEAR_ROWS rows from where the cursor is. *last is the last one tried. */
static enum tn_code
try_near(struct run *r, struct tn_location *last)
{
	struct hunt *h = r->h;
	enum tn_code rc = TN_OK;

	for (int i = 0; i < NEAR_ROWS && !r->finished; i++) {
		struct tn_row row;
		bool pass = true;

		if (stopped(h))
			return TN_ERR_CANCELLED;
		if (i && (rc = h->backward ? tn_cursor_prev(r->cur, r->err) : tn_cursor_next(r->cur, r->err)) != TN_OK)
			return rc;
		if (!tn_cursor_row(r->cur, &row) || !in_bounds(&h->job->q.bounds, &row))
			return TN_END;
		*last = row.location;
		if (h->want && !h->want(h->user, &row))
			continue;
		if (h->job->q.query->filter &&
		    (rc = tn_filter_match(h->job->q.query->filter, h->job->q.query->text, r->cur, &pass, r->err)) != TN_OK)
			return rc;
		if (pass)
			hand_over(r, &row);
	}
	return TN_OK;
}

/* The cursor walks only the streams that rows come from: one packet is walked for each, not one a stream. */
static enum tn_code
restrict_to(struct run *r, uint32_t stream)
{
	if (stream >= r->n_streams)
		return TN_OK;
	if (r->only && r->flags[stream])
		return TN_OK;
	for (size_t i = 0; i < r->n_streams; i++)
		r->flags[i] = i == stream;
	r->only = r->flags;
	return tn_cursor_only(r->cur, r->flags, r->err);
}

static int
on_row(void *user, const struct tn_row *row)
{
	struct run *r = ((struct job *)user)->aside;
	struct tn_row mine = *row;

	if (stopped(r->h))
		return 1;
	if (r->h->want && !r->h->want(r->h->user, row))
		return 0;
	if (r->h->rows_only)
		return hand_over(r, &mine);
	r->code = restrict_to(r, row->location.stream);
	if (r->code == TN_OK)
		r->code = tn_cursor_restore(r->cur, &mine.location, r->err);
	if (r->code == TN_END)	/* the files changed meanwhile */
		r->code = TN_OK;
	if (r->code != TN_OK)
		return 1;
	return hand_over(r, &mine);
}

static enum tn_code
scan(struct run *r, const struct tn_location *last)
{
	struct hunt *h = r->h;
	struct tn_scan_options options = job_scan_options(h->job);
	enum tn_code rc;

	options.has_from = true;
	options.from = *last;
	options.backward = h->job->backward = h->backward;
	options.row = on_row;
	h->job->aside = r;
	rc = tn_scan(h->job->q.set, &options, NULL, r->err);
	if (r->finished)
		return TN_OK;
	if (r->code != TN_OK)
		return r->code;
	if (stopped(h))
		return TN_ERR_CANCELLED;
	return rc == TN_OK ? TN_END : rc;
}

enum tn_code
hunt_run(struct hunt *h, struct tn_error *err)
{
	struct run r = { .h = h, .n_streams = tn_set_stream_count(h->job->q.set), .err = err };
	struct tn_location last = { 0 };
	enum tn_code rc;

	r.flags = calloc(r.n_streams + 1, sizeof *r.flags);
	if (!r.flags)
		return TN_ERR_MEMORY;
	rc = tn_cursor_new(&r.cur, h->job->q.set, err);
	if (rc == TN_OK)
		rc = place_cursor(r.cur, &h->from, h->backward, h->behind, &h->job->q.bounds, err);
	if (rc == TN_OK)
		rc = try_near(&r, &last);
	if (rc == TN_OK && !r.finished)
		rc = scan(&r, &last);
	tn_cursor_free(r.cur);
	free(r.flags);
	return rc;
}
