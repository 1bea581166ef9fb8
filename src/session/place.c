#include <config.h>

#include "place.h"

bool
in_bounds(const struct bounds *bounds, const struct tn_row *row)
{
	int64_t t = row->location.time_ns;

	return !(bounds->has_begin && t < bounds->begin_ns) && !(bounds->has_end && t > bounds->end_ns);
}

/* Step back to the row before the place where the cursor was moved with the result @rc. */
static enum tn_code
step_back(struct tn_cursor *cur, enum tn_code rc, struct tn_error *err)
{
	if (rc == TN_END)
		return tn_cursor_last(cur, err);
	return rc == TN_OK ? tn_cursor_prev(cur, err) : rc;
}

/* Move to the last row before @time_ns. */
static enum tn_code
seek_before(struct tn_cursor *cur, int64_t time_ns, struct tn_error *err)
{
	return step_back(cur, tn_cursor_seek(cur, time_ns, err), err);
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
	return step_back(cur, tn_cursor_restore(cur, at, err), err);
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

/* A place outside of the bounds becomes the nearest end. */
static struct place
inside(const struct place *from, const struct bounds *b)
{
	int64_t t = from->kind == PLACE_LOCATION ? from->location.time_ns : from->time_ns;

	if (from->kind == PLACE_BEGIN || from->kind == PLACE_END)
		return *from;
	if (b->has_begin && t < b->begin_ns)
		return (struct place) { .kind = PLACE_BEGIN };
	if (b->has_end && t > b->end_ns)
		return (struct place) { .kind = PLACE_END };
	return *from;
}

enum tn_code
place_cursor(struct tn_cursor *cur, const struct place *given, bool backward, bool behind,
	     const struct bounds *bounds, struct tn_error *err)
{
	const struct place place = inside(given, bounds), *from = &place;
	enum tn_code rc = backward ? place_backward(cur, from, bounds, err)
				   : place_forward(cur, from, behind, bounds, err);
	struct tn_row row;

	if (rc == TN_OK && tn_cursor_row(cur, &row) && !in_bounds(bounds, &row))
		return TN_END;
	return rc;
}
