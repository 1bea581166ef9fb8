#include <config.h>

#include <stdlib.h>

#include "hunt.h"

#define NEAR_ROWS 4096	/* tried one by one before a scan is started: a few milliseconds */

bool
in_bounds(const struct bounds *bounds, const struct tn_row *row)
{
	int64_t t = row->location.time_ns;

	return !(bounds->has_begin && t < bounds->begin_ns) && !(bounds->has_end && t > bounds->end_ns);
}

/* The last row whose time is before @time_ns. */
static enum tn_code
seek_before(struct tn_cursor *cur, int64_t time_ns, struct tn_error *err)
{
	enum tn_code rc = tn_cursor_seek(cur, time_ns, err);

	if (rc == TN_END)
		return tn_cursor_last(cur, err);
	return rc == TN_OK ? tn_cursor_prev(cur, err) : rc;
}

static enum tn_code
restore_forward(struct tn_cursor *cur, const struct tn_location *at, bool behind, struct tn_error *err)
{
	enum tn_code rc = tn_cursor_restore(cur, at, err);
	struct tn_row row;

	if (rc == TN_OK && behind && tn_cursor_row(cur, &row) && tn_location_compare(&row.location, at) == 0)
		rc = tn_cursor_next(cur, err);
	return rc;
}

static enum tn_code
restore_before(struct tn_cursor *cur, const struct tn_location *at, struct tn_error *err)
{
	enum tn_code rc = tn_cursor_restore(cur, at, err);

	if (rc == TN_END)
		return tn_cursor_last(cur, err);
	return rc == TN_OK ? tn_cursor_prev(cur, err) : rc;
}

static enum tn_code
place_forward(struct tn_cursor *cur, const struct place *from, bool behind, const struct bounds *b,
	      struct tn_error *err)
{
	switch (from->kind) {
	case PLACE_BEGIN:
		return b->has_begin ? tn_cursor_seek(cur, b->begin_ns, err) : tn_cursor_first(cur, err);
	case PLACE_TIME:
		return tn_cursor_seek(cur, b->has_begin && from->time_ns < b->begin_ns ? b->begin_ns : from->time_ns,
				      err);
	case PLACE_LOCATION:
		return restore_forward(cur, &from->location, behind, err);
	default:
		return TN_END;
	}
}

static enum tn_code
place_backward(struct tn_cursor *cur, const struct place *from, const struct bounds *b, struct tn_error *err)
{
	bool cut = b->has_end && b->end_ns < INT64_MAX;

	switch (from->kind) {
	case PLACE_END:
		return cut ? seek_before(cur, b->end_ns + 1, err) : tn_cursor_last(cur, err);
	case PLACE_TIME:
		return seek_before(cur, cut && from->time_ns > b->end_ns ? b->end_ns + 1 : from->time_ns, err);
	case PLACE_LOCATION:
		return restore_before(cur, &from->location, err);
	default:
		return TN_END;
	}
}

enum tn_code
place_cursor(struct tn_cursor *cur, const struct place *from, bool backward, bool behind,
	     const struct bounds *bounds, struct tn_error *err)
{
	enum tn_code rc = backward ? place_backward(cur, from, bounds, err)
				   : place_forward(cur, from, behind, bounds, err);
	struct tn_row row;

	if (rc == TN_OK && tn_cursor_row(cur, &row) && !in_bounds(bounds, &row))
		return TN_END;
	return rc;
}

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
	return h->job && atomic_load(&h->job->stop);
}

/* The cursor is on a row that passed. */
static int
hand_over(struct run *r, const struct tn_row *row)
{
	r->passed++;
	if (r->h->job)
		atomic_store(&r->h->job->passed, r->passed);
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
		if (!tn_cursor_row(r->cur, &row) || !in_bounds(&h->bounds, &row))
			return TN_END;
		*last = row.location;
		if (h->want && !h->want(h->user, &row))
			continue;
		if (h->query->filter &&
		    (rc = tn_filter_match(h->query->filter, h->query->text, r->cur, &pass, r->err)) != TN_OK)
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
	struct run *r = user;
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

static int
on_progress(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns)
{
	struct run *r = user;
	struct hunt *h = r->h;
	double span = (double)h->range_end_ns - (double)h->range_begin_ns;

	(void)events_passed;
	if (!h->job)
		return 0;
	atomic_store(&h->job->events, events_read);
	if (span > 0) {
		double part = ((double)at_ns - (double)h->range_begin_ns) / span;

		part = part < 0 ? 0 : part > 1 ? 1 : part;
		atomic_store(&h->job->permille, (int)((h->backward ? 1 - part : part) * 1000));
	}
	return stopped(h);
}

static bool
is_stopped(void *user)
{
	return stopped(((struct run *)user)->h);
}

static enum tn_code
scan(struct run *r, const struct tn_location *last)
{
	struct hunt *h = r->h;
	struct tn_scan_options options = {
		TN_SCAN_OPTIONS,
		.filter = h->query->filter, .text = h->query->text,
		.has_begin = h->bounds.has_begin, .begin_ns = h->bounds.begin_ns,
		.has_end = h->bounds.has_end, .end_ns = h->bounds.end_ns,
		.has_from = true, .from = *last, .backward = h->backward,
		.threads = h->threads, .row = on_row, .progress = on_progress, .stopped = is_stopped, .user = r,
	};
	enum tn_code rc = tn_scan(h->set, &options, NULL, r->err);

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
	struct run r = { .h = h, .n_streams = tn_set_stream_count(h->set), .err = err };
	struct tn_location last = { 0 };
	enum tn_code rc;

	r.flags = calloc(r.n_streams + 1, sizeof *r.flags);
	if (!r.flags)
		return TN_ERR_MEMORY;
	rc = tn_cursor_new(&r.cur, h->set, err);
	if (rc == TN_OK)
		rc = place_cursor(r.cur, &h->from, h->backward, h->behind, &h->bounds, err);
	if (rc == TN_OK)
		rc = try_near(&r, &last);
	if (rc == TN_OK && !r.finished)
		rc = scan(&r, &last);
	tn_cursor_free(r.cur);
	free(r.flags);
	return rc;
}
