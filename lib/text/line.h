/*
 * line.h - the text line of one row of a batch
 *
 * What the scan's threads call for each event: no cursor, no lock, everything that changes is in the
 * state and the buffer, of which each thread has its own.
 */
#ifndef TN_TEXT_LINE_H
#define TN_TEXT_LINE_H

#include <tnav/text.h>

#include "model/decoder.h"

/* The event before, in the order of the output: what the delta counts from. Events without a clock do not touch it. */
struct tn_line_previous {
	bool known;
	int64_t ns;		/* as shown (tn_batch_time) */
	uint64_t cycles;	/* only with TN_TIME_CYCLES */
	int64_t key_ns;		/* its place among all: merge key, rank of its stream */
	uint32_t rank;
};

struct tn_line_cache;		/* line.c: the second last written, the packet context last written */

/* Zeroed before first use; after use tn_line_state_release(). Only for one struct tn_text. */
struct tn_line_state {
	struct tn_event event;	/* values of the event last read, when it was read */
	size_t stop_at;		/* tn_line_append_rows(): begin no line behind so many bytes; 0: all */
	struct tn_line_cache *cache;
};

void tn_line_state_release(struct tn_line_state *state);

/*
 * Append the line of row @row of @batch, an event, with its newline, to @out, and set *previous (may be
 * NULL: the delta is unknown) to it. What fails leaves @out as it was.
 */
enum tn_code
tn_line_append(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t row,
	       struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

/*
 * The lines of rows [*row, end), one after the other, up to the first that is a notice or fails, or that begins
 * behind state->stop_at: *row is that one then, else @end.
 */
enum tn_code
tn_line_append_rows(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch, size_t *row,
		    size_t end, struct tn_line_previous *previous, struct tn_str *out, struct tn_error *err);

/*
 * The lines of @n runs, each @stride bytes behind the one before, from row *row of the first one on, as long as nothing
 * about them is unusual; this is what is fast. Returns how many runs are done; of the next one *row rows are, and its
 * next row is for tn_line_append_rows(), where there is one.
 */
size_t tn_line_append_runs(const struct tn_text *text, struct tn_line_state *state, const struct tn_rows *rows, size_t stride,
			   size_t n, size_t *row, struct tn_line_previous *previous, struct tn_str *out);

/* Whether the line of row @row, an event, has a time (or cycles, when those are shown) to count from. */
bool tn_line_is_stamped(const struct tn_text *text, const struct tn_batch *batch, size_t row);

/* Set *previous to row @row of @batch, when that has a time, without writing it. */
void
tn_line_pass(const struct tn_text *text, const struct tn_batch *batch, size_t row, struct tn_line_previous *previous);

/* Only what stands behind the name: contexts and payload, no newline. */
enum tn_code
tn_line_append_fields(const struct tn_text *text, struct tn_line_state *state, const struct tn_batch *batch,
		      size_t row, struct tn_str *out, struct tn_error *err);

/* The same from values that were read already; @state and @previous may be NULL. Failure is in out->failed. */
void
tn_line_append_event(const struct tn_text *text, struct tn_line_state *state, const struct tn_event *event,
		     struct tn_line_previous *previous, struct tn_str *out);

/* The same text without colour: what a regular expression sees. @text itself when it has none. */
const struct tn_text *tn_text_plain(const struct tn_text *text);

#endif
