/*
 * notice.c - lost events and packets in the words of babeltrace2 (text.md, 7), and damage
 */
#include "text/line.h"
#include "text/text.h"

static void
put_number(struct tn_str *out, uint64_t v)
{
	if (tn_str_reserve(out, 32))
		out->n = (size_t)(tn_put_u64(out->text + out->n, v) - out->text);
}

static void
put_range(const struct tn_text *text, const struct tn_row *row, struct tn_str *out)
{
	struct tn_second cache = { 0 };

	if (!row->has_range) {
		tn_str_puts(out, " (unknown time range)");
		return;
	}
	tn_str_puts(out, " between [");
	tn_put_time(text, &cache, row->begin_ns, out);
	tn_str_puts(out, "] and [");
	tn_put_time(text, &cache, row->end_ns, out);
	tn_str_puts(out, "]");
}

static void
put_place(const struct tn_text *text, const struct tn_stream *stream, struct tn_str *out)
{
	const struct tn_trace *trace = stream->trace;
	const char *name = tn_trace_line_name(trace);

	tn_str_puts(out, " in trace \"");
	tn_put_name(text, name ? name : "(unknown)", out);
	tn_str_puts(out, "\" (");
	if (trace->has_uuid) {
		tn_str_puts(out, "UUID: ");
		tn_str_put_uuid(out, trace->uuid);
	} else {
		tn_str_puts(out, "no UUID");
	}
	tn_str_puts(out, ") within stream \"");
	tn_put_name(text, stream->path ? stream->path : "(unknown)", out);
	tn_str_puts(out, "\" (stream class ID: ");
	put_number(out, stream->stream_class->id);
	if ((int64_t)stream->id >= 0) {
		tn_str_puts(out, ", stream ID: ");
		put_number(out, stream->id);
	} else {
		tn_str_puts(out, ", no stream ID");
	}
	tn_str_puts(out, ").");
}

void
tn_text_notice(const struct tn_text *text, const struct tn_row *row, struct tn_str *out)
{
	if (!row)
		return;

	bool events = row->kind == TN_ROW_LOST_EVENTS;

	if (row->kind == TN_ROW_DAMAGE || row->kind == TN_ROW_EVENT) {
		if (row->text)
			tn_put_name(text, row->text, out);
		return;
	}
	tn_put_words(out, &text->ink.warning);
	if (text->options.color)
		tn_str_puts(out, "\033[1m");
	tn_str_puts(out, "WARNING");
	tn_put_words(out, &text->ink.reset);
	tn_put_words(out, &text->ink.warning);
	if (row->kind == TN_ROW_BREAK) {
		tn_str_puts(out, ": The connection to the relay was lost and made again");
	} else if (row->count == TN_COUNT_UNKNOWN) {
		tn_str_puts(out, ": Tracer may have discarded ");
		tn_str_puts(out, events ? "events" : "packets");
	} else {
		tn_str_puts(out, ": Tracer discarded ");
		put_number(out, row->count);
		tn_str_puts(out, events ? " event" : " packet");
		if (row->count != 1)
			tn_str_puts(out, "s");
	}
	put_range(text, row, out);
	put_place(text, row->stream, out);
	tn_put_words(out, &text->ink.reset);
	tn_str_end(out);
}
