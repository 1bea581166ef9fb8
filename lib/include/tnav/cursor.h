/*
 * tnav/cursor.h - walk the rows of a set of traces in time order
 *
 * A row is an event, or a notice of lost events, lost packets or damage. Rows with equal times are in
 * the fixed order of the streams, then by position in the stream: moving back visits the same rows in exactly the
 * reverse order.
 *
 * Units      Times are int64_t nanoseconds.
 * Ownership  A cursor borrows its set: free the cursor first. Results of a cursor are valid until its
 *            next call.
 * Threads    Use a cursor in one thread; several threads can use cursors of their own on one set.
 * Errors     TN_OK, TN_END or a negative code with *err set. A call that does not return TN_OK does
 *            not move.
 * States     object	state		may be called
 *            a cursor	new		tn_cursor_first(), _last(), _seek(), _restore(), _only(), _stop(); _next() is
 *            				first, _prev() last
 *              		on a row	all functions; tn_cursor_read() on an event, not on a notice (TN_ERR_ARGUMENT)
 *              		after TN_END	all functions: the cursor is on the row where it was, or still new
 *              		after an error	all functions: the cursor did not move
 *            its set	grown		with TN_GREW_STREAMS or TN_GREW_CLASSES: tn_cursor_free() only; a new cursor knows all
 *              		closed		nothing: call tn_cursor_free() before
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_CURSOR_H
#define TNAV_CURSOR_H

#include <tnav/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tn_row_kind {
	TN_ROW_EVENT,
	TN_ROW_LOST_EVENTS,
	TN_ROW_LOST_PACKETS,
	TN_ROW_DAMAGE,
	TN_ROW_BREAK		/* the connection to a relay was lost here, and restored */
};

/* A place among the rows of a set. Locations have a total order, and stay valid while the files do not change. */
struct tn_location {
	int64_t time_ns;	/* merge key */
	uint32_t stream;	/* rank of the stream */
	uint32_t packet;	/* number of the packet in the stream */
	uint64_t row;		/* number of the row in the packet */
};

/* Properties of a row that are known without decoding its fields. */
struct tn_row {
	enum tn_row_kind kind;
	const struct tn_stream *stream;
	const struct tn_event_class *event_class;	/* NULL for notices */
	bool has_time;		/* also false if the time does not fit in 64 bits of nanoseconds */
	bool has_cycles;	/* the stream has a clock */
	int64_t time_ns;	/* the time to show; less than location.time_ns where time goes back */
	uint64_t cycles;
	struct tn_location location;
	/* Notices. */
	uint64_t count;		/* number of lost events or packets; TN_COUNT_UNKNOWN */
	bool has_range;		/* the loss has a time range */
	int64_t begin_ns, end_ns;
	const char *text;	/* damage: its cause and place; NULL for other rows */
};

struct tn_cursor;

TN_API int tn_location_compare(const struct tn_location *a, const struct tn_location *b);	/* <0, 0, >0 */

/*
 * Share of the set's bytes before the row at @at, from 0 to 1. Reads the indices only. False: the indices do not
 * reach this row yet (tn_set_index_to()).
 */
TN_API bool tn_location_share(const struct tn_set *set, const struct tn_location *at, double *share);

/* Make a cursor on all streams of the set. It is not on a row yet. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_new(struct tn_cursor **out, struct tn_set *set, struct tn_error *err);
/* Make an independent cursor with the same place and the same streams. */
TN_API TN_MUST_CHECK enum tn_code
tn_cursor_copy(struct tn_cursor **out, const struct tn_cursor *cur, struct tn_error *err);
TN_API void tn_cursor_free(struct tn_cursor *cur);	/* NULL is allowed */

/*
 * Set a callback that can stop a step or a jump. The cursor calls it again and again while it passes many rows or
 * packets. If it returns true, the call ends with TN_ERR_CANCELLED and the cursor does not move. NULL: no
 * callback.
 */
TN_API void tn_cursor_stop(struct tn_cursor *cur, bool (*stopped)(void *user), void *user);

/* Move to the first row; TN_END if the streams have no rows. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_first(struct tn_cursor *cur, struct tn_error *err);
/* Move to the last row; TN_END if the streams have no rows. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_last(struct tn_cursor *cur, struct tn_error *err);
/*
 * Move to the first row at or after @time_ns; TN_END if no row is that late. Walks at most one packet of each
 * stream.
 */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_seek(struct tn_cursor *cur, int64_t time_ns, struct tn_error *err);
/* Move to a location from tn_cursor_row(); if the row no longer exists, to the first row after it. */
TN_API TN_MUST_CHECK enum tn_code
tn_cursor_restore(struct tn_cursor *cur, const struct tn_location *at, struct tn_error *err);
/* Move one row forward; TN_END at the last row. On a cursor that was never placed: to the first row. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_next(struct tn_cursor *cur, struct tn_error *err);
/* Move one row back; TN_END at the first row. On a cursor that was never placed: to the last row. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_prev(struct tn_cursor *cur, struct tn_error *err);

/* The row at the cursor; false if the cursor was never placed. */
TN_API bool tn_cursor_row(const struct tn_cursor *cur, struct tn_row *out);
/* Decode the event at the cursor: @scopes are TN_SCOPE_BITs. TN_ERR_ARGUMENT on a notice. */
TN_API TN_MUST_CHECK enum tn_code
tn_cursor_read(struct tn_cursor *cur, unsigned scopes, const struct tn_event **out, struct tn_error *err);

/*
 * Restrict the cursor to some streams: @stream has one flag for each stream, by rank; NULL: all streams. If this
 * excludes the cursor's row, the cursor moves to the next row of these streams, or without one to the previous row.
 * TN_END: these streams have no rows; the cursor keeps its place and its streams.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_cursor_only(struct tn_cursor *cur, const bool *stream, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
