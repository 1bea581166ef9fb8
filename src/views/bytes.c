#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"
#include "session/whole_event.h"

/*
 * The bytes of the event's packet around the event: hexadecimal with their characters, or as bits. The event's bytes are
 * plain, the bytes around it are pale, and those of the selected field are marked.
 */
struct bytes {
	struct list_view list;
	bool bits;		/* show bits, 8 bytes in a line; otherwise 16 bytes */
	const uint8_t *data;
	size_t size;
	uint64_t from, to;	/* range of the event's bits; equal: none */
	uint64_t focus;		/* the bit for which the lines were made */
};

static size_t
per_line(const struct bytes *b)
{
	int cols = b->list.base.area.cols;

	if (b->bits)
		return cols >= 91 ? 8 : cols >= 51 ? 4 : cols >= 31 ? 2 : 1;
	return cols >= 76 ? 16 : cols >= 43 ? 8 : cols >= 27 ? 4 : 2;
}

static void
count(struct bytes *b)
{
	b->list.n = (b->size + per_line(b) - 1) / per_line(b);
}

static void
show_event(struct bytes *b)
{
	struct session *s = b->list.base.session;
	uint64_t bit = s->here.focus_bits ? s->here.focus_bit : b->from;

	b->focus = s->here.focus_bit;
	count(b);
	b->list.selected = (size_t)(bit / 8 / per_line(b));
	if (b->list.selected >= b->list.n)
		b->list.selected = b->list.n ? b->list.n - 1 : 0;
	b->list.top = b->list.selected > 1 ? b->list.selected - 1 : 0;
}

static void
bytes_moved(struct view *v)
{
	struct bytes *b = (struct bytes *)v;
	struct session *s = v->session;

	b->from = b->to = 0;
	b->data = NULL;
	b->size = 0;
	if (!s->here.has_row)
		return;
	b->data = tn_stream_packet_bytes(s->here.row.stream, s->here.row.location.packet, &b->size);
	if (!b->data)
		b->size = 0;
	if (whole_event_at(s, &s->here.row.location) == WHOLE_EVENT_READY && s->here.whole.event) {
		b->from = tn_event_bit(s->here.whole.event);
		b->to = tn_event_end_bit(s->here.whole.event);
	}
	show_event(b);
}

/* Whether any bit of byte @i is in [from, to). */
static bool
touches(uint64_t i, uint64_t from, uint64_t to)
{
	return from < to && i * 8 < to && i * 8 + 8 > from;
}

static unsigned
style_of(const struct bytes *b, uint64_t i)
{
	const struct session *s = b->list.base.session;

	if (touches(i, s->here.focus_bit, s->here.focus_bit + s->here.focus_bits))
		return STYLE_TEXT | STYLE_FOCUS;
	return touches(i, b->from, b->to) ? STYLE_TEXT : STYLE_DIM;
}

static void
put_byte(const struct bytes *b, uint64_t i, struct line *out)
{
	char text[16];
	uint8_t v = b->data[i];

	if (!b->bits) {
		snprintf(text, sizeof text, "%02x", v);
	} else {
		for (int k = 0; k < 8; k++)
			text[k] = v >> (7 - k) & 1 ? '1' : '0';
		text[8] = '\0';
	}
	line_puts(out, style_of(b, i), text);
}

static void
bytes_row(struct view *v, size_t row, struct line *out)
{
	struct bytes *b = (struct bytes *)v;
	size_t n = per_line(b), end = row * n + n;

	line_printf(out, STYLE_DIM, "%08zx ", row * n);
	for (size_t i = row * n; i < end; i++) {
		line_puts(out, STYLE_TEXT, !b->bits && i % 8 == 0 && i > row * n ? "  " : " ");
		if (i < b->size)
			put_byte(b, i, out);
		else
			line_puts(out, STYLE_TEXT, b->bits ? "        " : "  ");
	}
	line_puts(out, STYLE_TEXT, "  ");
	for (size_t i = row * n; i < end && i < b->size; i++) {
		char c = b->data[i] >= ' ' && b->data[i] < 0x7f ? (char)b->data[i] : '.';

		line_add(out, style_of(b, i), &c, 1);
	}
}

static unsigned
bytes_act(struct view *v, const struct call *call)
{
	struct bytes *b = (struct bytes *)v;

	if (call->action != ACT_BYTES || b->bits)
		return VIEW_PASS;
	b->bits = true;
	show_event(b);
	return VIEW_DONE | VIEW_REDRAW;
}

/* The selected field in the details, or the width, may have changed. */
static unsigned
bytes_turn(struct view *v)
{
	struct bytes *b = (struct bytes *)v;
	size_t n = b->list.n;

	count(b);
	if (b->list.n == n && b->focus == v->session->here.focus_bit)
		return VIEW_PASS;
	show_event(b);
	return VIEW_REDRAW;
}

const struct view_class bytes_view = {
	.name = "bytes",
	.title = N_("bytes of the packet"),
	.hint = N_("x bits, then off  j k scroll  _ larger  Tab pane  q close"),
	.place = VIEW_PANE,
	.size = sizeof(struct bytes),
	.act = bytes_act,
	.cursor_moved = bytes_moved,
	.turn = bytes_turn,
	.row = bytes_row,
};
