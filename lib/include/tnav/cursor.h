/*
 * tnav/cursor.h - walk the rows of a set of traces in time order
 *
 * A row is an event, or a notice in its place: lost events, lost packets, damage. Equal times come in
 * the fixed order of the streams, then by position: walking back gives exactly the reverse of
 * walking forward.
 *
 * Units      Times are int64_t nanoseconds.
 * Ownership  A cursor borrows its set: close the cursor first. What it returns is borrowed until its
 *            next call.
 * Threads    A cursor is one thread's; several cursors on one set may be used by several threads.
 * Errors     TN_OK, TN_END or a negative code with *err set. A call that does not return TN_OK does
 *            not move.
 * States     object	state		may be called
 *            a cursor	new		tn_cursor_first(), _last(), _seek(), _restore(), _only(), _stop(); _next() is
 *            				first, _prev() last
 *              		on a row	all functions; tn_cursor_read() on an event, not on a notice (TN_ERR_ARGUMENT)
 *              		after TN_END	all functions: the cursor is on the row where it was, or still new
 *              		after an error	all functions: the cursor did not move
 *            its set	grown		with TN_GREW_STREAMS or TN_GREW_CLASSES: tn_cursor_free() only; a new cursor knows all
 *              		closed		nothing: tn_cursor_free() comes first
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
	TN_ROW_BREAK		/* the connection to a relay was lost here, and made again */
};

/* A place among the rows of a set: total order, small, valid as long as the trace's files are the same. */
struct tn_location {
	int64_t time_ns;	/* merge key */
	uint32_t stream;	/* rank */
	uint32_t packet;	/* in the stream */
	uint64_t row;		/* in the packet */
};

/* What is known of a row without decoding its fields. */
struct tn_row {
	enum tn_row_kind kind;
	const struct tn_stream *stream;
	const struct tn_event_class *event_class;	/* NULL for notices */
	bool has_time;		/* false also where a clock's time does not fit into 64 bits of nanoseconds */
	bool has_cycles;	/* the stream has a clock */
	int64_t time_ns;	/* as shown; where time went back it is less than the location's */
	uint64_t cycles;
	struct tn_location location;
	/* Notices. */
	uint64_t count;		/* lost events or packets; TN_COUNT_UNKNOWN */
	bool has_range;		/* of the loss */
	int64_t begin_ns, end_ns;
	const char *text;	/* damage: what and where; else NULL */
};

struct tn_cursor;

TN_API int tn_location_compare(const struct tn_location *a, const struct tn_location *b);	/* <0, 0, >0 */

/*
 * How much of the set's bytes lies before the row at @at, 0 to 1, without looking at more than the indices.
 * False: they do not reach that far yet (tn_set_index_to()).
 */
TN_API bool tn_location_share(const struct tn_set *set, const struct tn_location *at, double *share);

/* A cursor on all streams of the set, not placed yet. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_new(struct tn_cursor **out, struct tn_set *set, struct tn_error *err);
/* Another cursor with the same place and the same streams; from then on they have nothing in common. */
TN_API TN_MUST_CHECK enum tn_code
tn_cursor_copy(struct tn_cursor **out, const struct tn_cursor *cur, struct tn_error *err);
TN_API void tn_cursor_free(struct tn_cursor *cur);	/* NULL is allowed */

/*
 * Have the cursor ask @stopped on its way, before each few thousand rows or each packet that a step or a jump has
 * to pass: true ends the call with TN_ERR_CANCELLED, and nothing has moved. NULL: it asks nobody.
 */
TN_API void tn_cursor_stop(struct tn_cursor *cur, bool (*stopped)(void *user), void *user);

/* Move to the first or last row; TN_END when there is none. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_first(struct tn_cursor *cur, struct tn_error *err);
/* The last row; TN_END when there is none. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_last(struct tn_cursor *cur, struct tn_error *err);
/* Move to the first row at or after @time_ns; TN_END when there is none. Walks at most a packet of each stream. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_seek(struct tn_cursor *cur, int64_t time_ns, struct tn_error *err);
/* Move to a row that was obtained with tn_cursor_row(); the first one behind it when it is not there. */
TN_API TN_MUST_CHECK enum tn_code
tn_cursor_restore(struct tn_cursor *cur, const struct tn_location *at, struct tn_error *err);
/* One row on or back; TN_END at the ends. On a cursor that was never placed: first, last. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_next(struct tn_cursor *cur, struct tn_error *err);
/* One row back; TN_END at the first. */
TN_API TN_MUST_CHECK enum tn_code tn_cursor_prev(struct tn_cursor *cur, struct tn_error *err);

/* The row the cursor is on; false when it was never placed. */
TN_API bool tn_cursor_row(const struct tn_cursor *cur, struct tn_row *out);
/* Values of the event the cursor is on (TN_SCOPE_BIT of the scopes wanted); TN_ERR_ARGUMENT on a notice. */
TN_API TN_MUST_CHECK enum tn_code
tn_cursor_read(struct tn_cursor *cur, unsigned scopes, const struct tn_event **out, struct tn_error *err);

/*
 * Only rows of these streams exist for the cursor: one flag a stream, by rank; NULL: all. Where its row is
 * left out it moves to the first one behind it, else to the last one before. TN_END: these streams have no
 * row; the cursor is where it was, with the streams it had.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_cursor_only(struct tn_cursor *cur, const bool *stream, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
