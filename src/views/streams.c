#include <config.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "screen/canvas.h"
#include "session/expression.h"

/* The traces with their environment and clocks, and below each its streams. Enter goes to the first event of a stream. */
struct streams {
	struct list_view list;
	struct entry {
		const struct tn_trace *trace;
		const struct tn_stream *stream;	/* NULL: the line is about the trace */
		const struct tn_clock *clock;
		size_t env;			/* index in the environment plus 1 */
	} *item;
};

static bool
is_of(const struct tn_stream *stream, const struct tn_trace *trace)
{
	return tn_stream_trace(stream) == trace;
}

static bool
streams_open(struct view *v, struct tn_error *err)
{
	struct streams *t = (struct streams *)v;
	struct tn_set *set = v->session->traces.set;
	size_t n_streams = tn_set_stream_count(set), n = n_streams;

	for (size_t i = 0; i < tn_set_trace_count(set); i++) {
		const struct tn_trace *trace = tn_set_trace(set, i);

		n += 1 + tn_trace_clock_count(trace) + tn_trace_env_count(trace);
	}
	t->item = calloc(n + 1, sizeof *t->item);
	if (!t->item) {
		strcpy(err->text, "out of memory");
		return false;
	}
	for (size_t i = 0; i < tn_set_trace_count(set); i++) {
		const struct tn_trace *trace = tn_set_trace(set, i);

		t->item[t->list.n++] = (struct entry) { .trace = trace };
		for (size_t k = 0; k < n_streams; k++)
			if (is_of(tn_set_stream(set, k), trace))
				t->item[t->list.n++] = (struct entry) { trace, tn_set_stream(set, k), NULL, 0 };
		for (size_t k = 0; k < tn_trace_clock_count(trace); k++)
			t->item[t->list.n++] = (struct entry) { trace, NULL, tn_trace_clock(trace, k), 0 };
		for (size_t k = 0; k < tn_trace_env_count(trace); k++)
			t->item[t->list.n++] = (struct entry) { trace, NULL, NULL, k + 1 };
	}
	for (size_t i = 0; i < t->list.n; i++)
		if (v->session->here.has_row && t->item[i].stream == v->session->here.row.stream)
			t->list.selected = i;
	return true;
}

static void
streams_close(struct view *v)
{
	free(((struct streams *)v)->item);
}

static void
put_clock(const struct tn_clock *clock, struct line *out)
{
	line_puts(out, STYLE_DIM, _("    clock "));
	line_puts_unsafe(out, STYLE_TEXT, tn_clock_name(clock));
	line_printf(out, STYLE_TEXT, _("  %" PRIu64 " Hz, offset %" PRId64 " s + %" PRIu64), tn_clock_frequency(clock),
		    tn_clock_offset_s(clock), tn_clock_offset_cycles(clock));
	if (tn_clock_description(clock)) {
		line_puts(out, STYLE_DIM, "  ");
		line_puts_unsafe(out, STYLE_DIM, tn_clock_description(clock));
	}
}

static void
put_stream(struct session *s, const struct tn_stream *stream, struct line *out)
{
	bool here = s->here.has_row && s->here.row.stream == stream;
	char text[32];

	line_puts(out, STYLE_KEY, here ? "* " : "  ");
	line_puts(out, STYLE_ORIGIN, s->traces.origin[tn_stream_rank(stream)]);
	line_pad(out, 26, true);
	line_right(out, STYLE_TEXT, size_text(tn_stream_size(stream), text), 9);
	line_right(out, STYLE_TEXT, number_text(tn_stream_packet_count(stream), text), 9);
	/* TRANSLATORS: after a number in a column; pad all forms to the same width */
	line_puts(out, STYLE_DIM, ngettext(" packet ", " packets", tn_stream_packet_count(stream)));
	line_printf(out, STYLE_DIM, _("  class %" PRIu64 " id %" PRIu64 "  "), tn_stream_class_id(stream),
		    tn_stream_id(stream));
	line_puts_unsafe(out, STYLE_DIM, session_path_in_trace(stream, tn_stream_path(stream)));
}

static void
put_shift(struct session *s, const struct tn_trace *trace, struct line *out)
{
	struct tn_str shift = { 0 };

	if (!session_offset(s, trace))
		return;
	tn_text_delta(s->asks.query->text, session_offset(s, trace), &shift);
	line_printf(out, STYLE_KEY, _("  shifted by %s s"), shift.text ? shift.text : "");
	tn_str_release(&shift);
}

static void
streams_row(struct view *v, size_t i, struct line *out)
{
	const struct entry *it = &((struct streams *)v)->item[i];
	char room[64];

	if (it->stream) {
		put_stream(v->session, it->stream, out);
	} else if (it->clock) {
		put_clock(it->clock, out);
	} else if (it->env) {
		line_puts(out, STYLE_DIM, "    ");
		line_puts_unsafe(out, STYLE_FIELD, tn_trace_env_name(it->trace, it->env - 1));
		line_puts(out, STYLE_DIM, " = ");
		line_puts_unsafe(out, STYLE_TEXT, tn_trace_env_value(it->trace, it->env - 1, room, sizeof room));
	} else {
		const char *order = tn_trace_big_endian(it->trace) ? _(", big-endian") : _(", little-endian");
		int most = v->area.cols - (int)strlen(tn_trace_format(it->trace)) - text_width(order, strlen(order)) - 2;

		line_put_path(out, STYLE_NAME, tn_trace_path(it->trace), ((struct list_view *)v)->left ? INT_MAX : most);
		line_puts(out, STYLE_DIM, "  ");
		line_puts_unsafe(out, STYLE_TEXT, tn_trace_format(it->trace));
		line_puts(out, STYLE_DIM, order);
		put_shift(v->session, it->trace, out);
	}
}

static unsigned
streams_act(struct view *v, const struct call *call)
{
	struct streams *t = (struct streams *)v;
	const struct entry *it = t->list.selected < t->list.n ? &t->item[t->list.selected] : NULL;

	if ((call->action != ACT_OPEN && call->action != ACT_EXCLUDE) || !it)
		return VIEW_PASS;
	if (!it->stream) {
		session_say(v->session, _("this line is not a stream: Enter on a stream goes to its first event"));
		return VIEW_DONE;
	}
	if (call->action == ACT_EXCLUDE) {
		const char *name = tn_stream_name(it->stream);

		return view_request_text(v, REQUEST_EXCLUDE, expression_not(expression_text("stream", name, strlen(name))));
	}
	return view_request(v, &(struct request) {
		REQUEST_PACKET, .is.packet = { .stream = (uint32_t)tn_stream_rank(it->stream) } });
}

const struct view_class streams_view = {
	.name = "streams",
	.title = N_("traces and streams"),
	.hint = N_("Enter goes to its first event  q back"),
	.size = sizeof(struct streams),
	.open = streams_open,
	.close = streams_close,
	.act = streams_act,
	.row = streams_row,
};
