/*
 * cursor_line.c - the text of the row at a cursor
 *
 * Lines are made from batches, and cursors do not make text; this file joins both.
 */
#include "order/cursor.h"
#include "text/line.h"

/* Get the event at the cursor. */
static enum tn_code
event_of(struct tn_cursor *cur, const struct tn_batch **batch, size_t *row, struct tn_error *err)
{
	*batch = tn_cursor_batch(cur, row);
	if (!*batch)
		return tn_fail(err, TN_ERR_ARGUMENT, "the cursor is not on a row");
	if ((*batch)->refs.item[*row].event_class == TN_REF_NOTICE)
		return tn_fail(err, TN_ERR_ARGUMENT, "the cursor is not on an event");
	return TN_OK;
}

enum tn_code
tn_text_line(const struct tn_text *text, struct tn_cursor *cur, const int64_t *previous_ns, struct tn_str *out,
	     struct tn_error *err)
{
	if (!text || !cur || !out)
		return tn_fail_null(err);

	struct tn_line_previous previous = { 0 };
	struct tn_line_state state = { 0 };
	const struct tn_batch *batch;
	const struct tn_clock *clock;
	size_t row;
	enum tn_code rc = event_of(cur, &batch, &row, err);

	if (rc < 0)
		return rc;
	clock = batch->stream->stream_class->clock;
	if (previous_ns)
		previous = (struct tn_line_previous) {
			true, *previous_ns, clock ? tn_clock_cycles(clock, *previous_ns) : 0
		};
	rc = tn_line_append(text, &state, batch, row, &previous, out, err);
	tn_line_state_release(&state);
	return rc;
}

enum tn_code
tn_text_fields(const struct tn_text *text, struct tn_cursor *cur, struct tn_str *out, struct tn_error *err)
{
	if (!text || !cur || !out)
		return tn_fail_null(err);

	struct tn_line_state state = { 0 };
	const struct tn_batch *batch;
	size_t row;
	enum tn_code rc = event_of(cur, &batch, &row, err);

	if (rc < 0)
		return rc;
	rc = tn_line_append_fields(text, &state, batch, row, out, err);
	tn_line_state_release(&state);
	return rc;
}
