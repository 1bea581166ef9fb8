#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "list.h"

/* The packets of one stream, at first of the stream at the cursor; ] and [ change the stream. */
struct packets {
	struct list_view list;
	const struct tn_stream *stream;
};

static void
show_stream(struct packets *p, const struct tn_stream *stream, size_t packet)
{
	p->stream = stream;
	p->list.n = stream ? tn_stream_packet_count(stream) : 0;
	p->list.selected = packet < p->list.n ? packet : 0;
	p->list.top = p->list.selected > 5 ? p->list.selected - 5 : 0;
}

static bool
packets_open(struct view *v, struct tn_error *err)
{
	struct session *s = v->session;

	(void)err;
	if (s->here.has_row)
		show_stream((struct packets *)v, s->here.row.stream, s->here.row.location.packet);
	else if (tn_set_stream_count(s->traces.set))
		show_stream((struct packets *)v, tn_set_stream(s->traces.set, 0), 0);
	return true;
}

static int
time_width(struct session *s)
{
	struct line l = { 0 };
	int width;

	session_put_time(s, &l, STYLE_TIME, s->traces.has_range ? s->traces.end_ns : 0);
	width = l.width;
	line_release(&l);
	return width;
}

/* Right-aligned columns after the time. */
enum { DURATION, EVENTS, LOST, SIZE, OFFSET, SEQUENCE, COLUMNS };

static const struct { const char *title; int width; } columns[COLUMNS] = {
	[DURATION] = { N_("duration"), 11 }, [EVENTS] = { N_("events"), 9 }, [LOST] = { N_("lost"), 8 },
	[SIZE] = { N_("size"), 9 }, [OFFSET] = { N_("at byte"), 14 }, [SEQUENCE] = { N_("sequence"), 10 },
};

/* In some languages a title is wider than the values of its column. */
static int
column_width(int column)
{
	const char *title = _(columns[column].title);
	int width = text_width(title, strlen(title)) + 1;

	return width > columns[column].width ? width : columns[column].width;
}

static void
put_cell(struct line *out, int column, enum style style, const char *text)
{
	line_right(out, style, text, column_width(column));
}

static void
packets_heading(struct view *v, struct line *out)
{
	int time = time_width(v->session);

	line_puts(out, STYLE_HEADING, _(" packet"));
	line_pad(out, 9, true);
	line_puts(out, STYLE_HEADING, _("begin"));
	line_pad(out, 10 + time, true);
	for (int i = 0; i < COLUMNS; i++)
		put_cell(out, i, STYLE_HEADING, _(columns[i].title));
}

static void
put_number(struct line *out, int column, enum style style, uint64_t n)
{
	char text[32];

	put_cell(out, column, style, n == TN_COUNT_UNKNOWN ? "" : number_text(n, text));
}

static void
packets_row(struct view *v, size_t i, struct line *out)
{
	struct packets *p = (struct packets *)v;
	struct session *s = v->session;
	bool here = s->here.has_row && s->here.row.stream == p->stream && s->here.row.location.packet == i;
	struct tn_packet_info info;
	char text[32];

	if (tn_stream_packet(p->stream, i, &info) != TN_OK)
		return;
	line_puts(out, here ? STYLE_KEY : STYLE_TEXT, here ? "*" : " ");
	line_right(out, STYLE_TEXT, number_text(i, text), 7);
	line_pad(out, 9, true);
	if (info.has_time && info.begin_ns != INT64_MIN)
		session_put_time(s, out, STYLE_TIME, info.begin_ns);
	line_pad(out, 10 + time_width(s), true);
	put_cell(out, DURATION, STYLE_TEXT,
		 info.has_time && info.end_ns != INT64_MAX && info.end_ns >= info.begin_ns
		 ? span_text(info.end_ns - info.begin_ns, text) : "");
	put_number(out, EVENTS, STYLE_TEXT, info.events);
	put_cell(out, LOST, STYLE_LOSS, !info.lost_events ? "" : info.lost_events == TN_COUNT_UNKNOWN ? "?"
		 : number_text(info.lost_events, text));
	put_cell(out, SIZE, STYLE_TEXT, size_text(info.size_bits / 8, text));
	put_number(out, OFFSET, STYLE_TEXT, info.offset);
	put_number(out, SEQUENCE, STYLE_TEXT, info.sequence);
	if (info.damaged)
		line_puts(out, STYLE_DAMAGE, _(" damaged"));
}

static unsigned
packets_act(struct view *v, const struct call *call)
{
	struct packets *p = (struct packets *)v;
	size_t n = tn_set_stream_count(v->session->traces.set), rank;

	if (!p->stream)
		return VIEW_PASS;
	rank = tn_stream_rank(p->stream);
	switch (call->action) {
	case ACT_STREAM_NEXT:
		show_stream(p, tn_set_stream(v->session->traces.set, (rank + 1) % n), 0);
		return VIEW_DONE | VIEW_REDRAW;
	case ACT_STREAM_PREVIOUS:
		show_stream(p, tn_set_stream(v->session->traces.set, (rank + n - 1) % n), 0);
		return VIEW_DONE | VIEW_REDRAW;
	case ACT_OPEN:
		return view_request(v, &(struct request) {
			REQUEST_PACKET, .is.packet = { .stream = (uint32_t)rank, .packet = (uint32_t)p->list.selected } });
	default:
		return VIEW_PASS;
	}
}

static void
packets_status(struct view *v, struct line *out)
{
	struct packets *p = (struct packets *)v;
	char at[32], n[32];

	if (!p->stream)
		return;
	line_printf(out, STYLE_STATUS, _("%s of %s in "), number_text(p->list.selected, at), number_text(p->list.n, n));
	line_puts(out, STYLE_STATUS_NOTE, v->session->traces.origin[tn_stream_rank(p->stream)]);
	line_puts(out, STYLE_STATUS, _("   [ ] other streams"));
}

const struct view_class packets_view = {
	.name = "packets",
	.title = N_("packets"),
	.hint = N_("Enter goes there  [ ] other stream  q back"),
	.size = sizeof(struct packets),
	.open = packets_open,
	.act = packets_act,
	.status = packets_status,
	.row = packets_row,
	.heading = packets_heading,
};
