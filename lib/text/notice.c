/*
 * notice.c - lost events and packets in the words of babeltrace2 (text.md, 7), and damage
 */
#include "text/line.h"
#include "text/text.h"

static void
put_number(struct tn_text_buffer *out, uint64_t v)
{
	if (tn_reserve(out, 32))
		out->n = (size_t)(tn_put_u64(out->text + out->n, v) - out->text);
}

static void
put_uuid(const uint8_t uuid[16], struct tn_text_buffer *out)
{
	for (int i = 0; i < 16; i++) {
		char two[2] = { "0123456789abcdef"[uuid[i] >> 4], "0123456789abcdef"[uuid[i] & 15] };

		if (i == 4 || i == 6 || i == 8 || i == 10)
			tn_put_literal(out, "-");
		tn_put(out, two, 2);
	}
}

static void
put_range(const struct tn_text *text, const struct tn_row *row, struct tn_text_buffer *out)
{
	struct tn_second cache = { 0 };

	if (!row->has_range) {
		tn_put_literal(out, " (unknown time range)");
		return;
	}
	tn_put_literal(out, " between [");
	tn_put_time(text, &cache, row->begin_ns, out);
	tn_put_literal(out, "] and [");
	tn_put_time(text, &cache, row->end_ns, out);
	tn_put_literal(out, "]");
}

static void
put_place(const struct tn_text *text, const struct tn_stream *stream, struct tn_text_buffer *out)
{
	const struct tn_trace *trace = stream->trace;

	tn_put_literal(out, " in trace \"");
	tn_put_name(text, trace->name ? trace->name : "(unknown)", out);
	tn_put_literal(out, "\" (");
	if (trace->has_uuid) {
		tn_put_literal(out, "UUID: ");
		put_uuid(trace->uuid, out);
	} else {
		tn_put_literal(out, "no UUID");
	}
	tn_put_literal(out, ") within stream \"");
	tn_put_name(text, stream->path ? stream->path : "(unknown)", out);
	tn_put_literal(out, "\" (stream class ID: ");
	put_number(out, stream->stream_class->id);
	if ((int64_t)stream->id >= 0) {
		tn_put_literal(out, ", stream ID: ");
		put_number(out, stream->id);
	} else {
		tn_put_literal(out, ", no stream ID");
	}
	tn_put_literal(out, ").");
}

void
tn_text_notice(const struct tn_text *text, const struct tn_row *row, struct tn_text_buffer *out)
{
	if (!row)
		return;

	bool events = row->kind == TN_ROW_LOST_EVENTS;

	if (!events && row->kind != TN_ROW_LOST_PACKETS) {
		if (row->text)
			tn_put_name(text, row->text, out);
		return;
	}
	tn_put_words(out, &text->ink.warning);
	if (text->options.color)
		tn_put_literal(out, "\033[1m");
	tn_put_literal(out, "WARNING");
	tn_put_words(out, &text->ink.reset);
	tn_put_words(out, &text->ink.warning);
	if (row->count == TN_COUNT_UNKNOWN) {
		tn_put_literal(out, ": Tracer may have discarded ");
		tn_puts(out, events ? "events" : "packets");
	} else {
		tn_put_literal(out, ": Tracer discarded ");
		put_number(out, row->count);
		tn_puts(out, events ? " event" : " packet");
		if (row->count != 1)
			tn_put_literal(out, "s");
	}
	put_range(text, row, out);
	put_place(text, row->stream, out);
	tn_put_words(out, &text->ink.reset);
	tn_put_end(out);
}
