/*
 * line.h - the text line of one row of a batch
 *
 * Threads of a scan call this for each event, without a cursor and a lock: they change only the state and the buffer,
 * and each thread has its own.
 */
#ifndef TN_TEXT_LINE_H
#define TN_TEXT_LINE_H

#include <tnav/text.h>

#include "model/decoder.h"

/*
 * The previous event in the order of the output, from which the delta counts. An event without a clock does not
 * change it.
 */
struct tn_line_previous {
	bool known;
	int64_t ns;		/* displayed time (tn_batch_time()) */
	uint64_t cycles;	/* set only with TN_TIME_CYCLES */
	int64_t key_ns;		/* position in the order of all rows: merge key, and rank of the stream */
	uint32_t rank;
};

struct tn_line_cache;		/* line.c: the second and the packet context that were written last */

/* Zero it before first use, and call tn_line_state_release() after use. It serves only one struct tn_text. */
struct tn_line_state {
	struct tn_event event;	/* values of the event that was read last */
	size_t stop_at;		/* tn_line_append_rows() begins no line after this number of bytes; 0: no limit */
	struct tn_line_cache *cache;
};

void tn_line_state_release(struct tn_line_state *state);

/*
 * Append the line of row @row of @batch, which is an event, with its newline. The delta counts from *previous, which
 * is then set to this event; NULL: the delta is unknown. On failure @out is unchanged.
 */
enum tn_code
tn_line_append(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t row,
	       struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

/*
 * Append the lines of rows [*row, end) up to the first row that is a notice, or fails, or begins after
 * state->stop_at. *row becomes that row, or @end.
 */
enum tn_code
tn_line_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		    size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

/*
 * The fast path: append the lines of @n runs, each @stride bytes after the previous one, from row *row of the first
 * run on, as long as all rows are ordinary. Returns the number of finished runs. *row becomes the number of finished
 * rows in the next run; its next row needs tn_line_append_rows().
 */
size_t tn_line_append_runs(const struct tn_text *text, struct tn_line_state *state, const struct tn_rows *rows, size_t stride,
			   size_t n, size_t *row, struct tn_line_previous *previous, struct tn_str *out);

/* Whether the line of row @row, an event, has a time (or cycles, if lines show cycles) from which a delta can count. */
bool tn_line_is_stamped(const struct tn_text *text, const struct tn_batch *batch, size_t row);

/* Set *previous to row @row of @batch, if the row has a time, without writing a line. */
void
tn_line_pass(const struct tn_text *text, const struct tn_batch *batch, size_t row, struct tn_line_previous *previous);

/* Append only the part after the name: contexts and payload, without a newline. */
enum tn_code
tn_line_append_fields(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch,
		      size_t row, struct tn_str *out, struct tn_error *err);

/*
 * Like tn_line_append(), for an event that is already read. @state and @previous may be NULL. A failure sets
 * out->failed.
 */
void
tn_line_append_event(const struct tn_text *text, struct tn_line_state *state, const struct tn_event *event,
		     struct tn_line_previous *previous, struct tn_str *out);

/* The same text format without colour, for regular expressions; @text itself if it does not have colour. */
const struct tn_text *tn_text_plain(const struct tn_text *text);

#endif
