/*
 * line.h - the text line of one row of a batch
 *
 * The scan's threads call this for each event: no cursor, no lock. All changes are in the state and the buffer,
 * of which each thread has its own.
 */
#ifndef TN_TEXT_LINE_H
#define TN_TEXT_LINE_H

#include <tnav/text.h>

#include "model/decoder.h"

/* The previous event, in the order of the output: the base of the delta. Events without a clock leave it unchanged. */
struct tn_line_previous {
	bool known;
	int64_t ns;		/* the displayed time (tn_batch_time) */
	uint64_t cycles;	/* only with TN_TIME_CYCLES */
	int64_t key_ns;		/* position in the order of all rows: merge key, rank of its stream */
	uint32_t rank;
};

struct tn_line_cache;		/* line.c: the second last written, the packet context last written */

/* Zeroed before first use; after use tn_line_state_release(). Only for one struct tn_text. */
struct tn_line_state {
	struct tn_event event;	/* values of the event last read */
	size_t stop_at;		/* tn_line_append_rows(): begin no line after this number of bytes; 0: no limit */
	struct tn_line_cache *cache;
};

void tn_line_state_release(struct tn_line_state *state);

/*
 * Append the line of row @row of @batch, an event, with its newline, to @out. Use *previous (may be NULL: the
 * delta is unknown) for the delta, then set it to this event. On failure @out is unchanged.
 */
enum tn_code
tn_line_append(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t row,
	       struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

/*
 * Append the lines of rows [*row, end) up to the first that is a notice or fails, or that begins after
 * state->stop_at; *row becomes that row, or @end.
 */
enum tn_code
tn_line_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		    size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

/*
 * Append the lines of @n runs, each @stride bytes after the previous one, from row *row of the first one on,
 * while all rows are ordinary; this is the fast path. Returns the number of finished runs. Of the next run,
 * *row rows are finished; its next row is for tn_line_append_rows().
 */
size_t tn_line_append_runs(const struct tn_text *text, struct tn_line_state *state, const struct tn_rows *rows, size_t stride,
			   size_t n, size_t *row, struct tn_line_previous *previous, struct tn_str *out);

/* Whether the line of row @row, an event, has a time (or cycles, if those are shown) as the base of a delta. */
bool tn_line_is_stamped(const struct tn_text *text, const struct tn_batch *batch, size_t row);

/* Set *previous to row @row of @batch, if it has a time, without writing it. */
void
tn_line_pass(const struct tn_text *text, const struct tn_batch *batch, size_t row, struct tn_line_previous *previous);

/* Append only the part after the name: contexts and payload, no newline. */
enum tn_code
tn_line_append_fields(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch,
		      size_t row, struct tn_str *out, struct tn_error *err);

/*
 * Like tn_line_append(), for an event that was read; @state and @previous may be NULL. A failure sets out->failed.
 */
void
tn_line_append_event(const struct tn_text *text, struct tn_line_state *state, const struct tn_event *event,
		     struct tn_line_previous *previous, struct tn_str *out);

/* The text without colour, for regular expressions; @text itself if it has no colour. */
const struct tn_text *tn_text_plain(const struct tn_text *text);

#endif
