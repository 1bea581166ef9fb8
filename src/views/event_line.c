/*
 * event_line.c - show an event as columns, with the matches of a search
 *
 * A search matches the line as --print writes it. The columns show parts of this line in another order, with blanks
 * between them. So each part has its place in the line.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "screen/canvas.h"
#include "screen/charset.h"
#include "event_line.h"
#include "screen/readable.h"
#include "gettext.h"
#include "session/nesting.h"
#include "session/settings.h"

#define PARTS 96
#define SLACK 2		/* cells by which a column may become wider before its text is cut */
#define MARKS 64
#define NARROW 100		/* a terminal with fewer columns is narrow */
#define PAYLOAD_CELLS 40	/* smallest width of the payload, at 80 columns */
#define SHORT_DELTA 6
#define DURATION_WORD 8		/* width of a word in place of a duration */
#define INDENT 2		/* columns by which each span indents the name */
#define MOST_INDENT 12		/* limit of the indentation */
#define LEVEL_WARNING 4	/* levels of LTTng and syslog; a lower level is worse */

/* A part of the line that is shown in a column. */
struct part {
	size_t from, n;		/* range of the part in the whole line */
	bool pinned;
	size_t at;		/* position of the part in the line of columns */
};

struct composer {
	struct event_row *row;
	const struct row_context *context;
	struct session *session;
	struct row_lines *out;
	struct tn_str whole;	/* the line as --print writes it */
	size_t piece_at[PIECES];	/* positions of its pieces */
	size_t time_at, delta_at, host_at;
	char time[128], delta[64], host[256];
	bool has_delta;
	int64_t delta_ns;
	struct part part[PARTS];
	size_t n_parts;
	bool last;		/* this is the last column, which needs no padding */
	int indent;		/* indentation of the name, for the spans that contain the event */
};

void
row_lines_release(struct row_lines *l)
{
	line_release(&l->pinned);
	line_release(&l->free);
}

/* ---- the whole line ---- */

static void
append(struct tn_str *b, const char *text, size_t n)
{
	tn_text_safe(text, n, b);
}

static void
append_text(struct tn_str *b, const char *text)
{
	append(b, text, strlen(text));
}

static void
copy_buffer(char *room, size_t size, const struct tn_str *b)
{
	snprintf(room, size, "%s", b->text ? b->text : "");
}

static void
compose_whole(struct composer *c)
{
	struct event_row *r = c->row;
	bool some = false;

	append_text(&c->whole, "[");
	c->time_at = c->whole.n;
	append_text(&c->whole, c->time);
	append_text(&c->whole, "] (");
	c->delta_at = c->whole.n;
	append_text(&c->whole, c->delta);
	append_text(&c->whole, ") ");
	c->host_at = c->whole.n;
	append_text(&c->whole, c->host);
	append_text(&c->whole, *c->host ? " " : "");
	for (enum piece p = PIECE_NAME; p < PIECES; p++) {
		size_t n;
		const char *text = event_row_piece(r, p, &n);

		if (p > PIECE_NAME && n && some)
			append_text(&c->whole, ", ");
		c->piece_at[p] = c->whole.n;
		append(&c->whole, text, n);
		if (p == PIECE_NAME)
			append_text(&c->whole, ": ");
		else if (n)
			some = true;
	}
}

/* ---- times ---- */

/* Get the delta of a row, as the settings require. False: it is unknown, or is not shown. */
static bool
delta_of(struct event_row *r, const struct row_context *context, int64_t *delta_ns)
{
	const struct settings *set = &context->session->settings;

	if (!r->row.has_time || r->row.kind != TN_ROW_EVENT || set->delta == DELTA_OFF)
		return false;
	switch (set->delta) {
	case DELTA_SHOWN:
		if (!context->above)
			return false;
		*delta_ns = r->row.time_ns - context->above->row.time_ns;
		return true;
	case DELTA_ORIGIN:
		*delta_ns = r->row.time_ns - set->origin_ns;
		return true;
	default:	/* from another row, which a job searches for */
		*delta_ns = r->delta_ns;
		return r->has_delta && r->delta_kind == set->delta && r->delta_known;
	}
}

static void
compose_times(struct composer *c)
{
	struct tn_str b = { 0 };
	int64_t delta;

	if (c->row->row.has_time) {
		session_time(c->session, c->row->row.time_ns, c->row->row.cycles, &b);
		copy_buffer(c->time, sizeof c->time, &b);
		b.n = 0;
	}
	if (delta_of(c->row, c->context, &delta)) {
		c->has_delta = true;
		c->delta_ns = delta;
		tn_text_delta(c->session->asks.query->text, delta, &b);
		copy_buffer(c->delta, sizeof c->delta, &b);
		b.n = 0;
	}
	tn_text_origin(c->session->asks.query->text, c->row->row.stream, &b);
	if (b.text && b.n) {
		struct tn_str safe = { 0 };

		tn_text_safe(b.text, b.n, &safe);
		copy_buffer(c->host, sizeof c->host, &safe);
		tn_str_release(&safe);
	}
	tn_str_release(&b);
}

static const char *const headings[] = {
	[COLUMN_TIME] = N_("time"), [COLUMN_DELTA] = N_("since above"), [COLUMN_ORIGIN] = N_("from"),
	[COLUMN_NAME] = N_("event"), [COLUMN_FIELDS] = N_("fields"), [COLUMN_PAYLOAD] = N_("payload"),
	[COLUMN_CONTEXT] = N_("context"), [COLUMN_HOST] = N_("host"), [COLUMN_TRACE] = N_("trace"),
	[COLUMN_STREAM] = N_("stream"), [COLUMN_PACKET] = N_("packet"), [COLUMN_LEVEL] = N_("level"),
	[COLUMN_DURATION] = N_("dur"),
};

/* ---- columns ---- */

static struct line *
target(struct composer *c, const struct column *column)
{
	return column->pinned ? &c->out->pinned : &c->out->free;
}

static void
note_part_at(struct composer *c, const struct column *column, size_t from, size_t n, size_t at)
{
	if (c->n_parts < PARTS)
		c->part[c->n_parts++] = (struct part) { from, n, column->pinned, at };
}

static void
note_part(struct composer *c, const struct column *column, size_t from, size_t n)
{
	note_part_at(c, column, from, n, target(c, column)->n);
}

/* The largest width that a column gets unless the user sets its width. */
static int
widest(const struct composer *c, enum column_kind kind)
{
	int cols = c->context->cols;

	switch (kind) {
	case COLUMN_TIME:
	case COLUMN_DELTA: return 64;
	case COLUMN_NAME: return cols / 4 > 12 ? cols / 4 : 12;
	case COLUMN_ORIGIN: return cols / 6 > 8 ? cols / 6 : 8;
	default: return cols / 8 > 8 ? cols / 8 : 8;
	}
}

static const char *
heading_of(const struct session *s, enum column_kind kind)
{
	const char *path, *point;

	if (kind < COLUMN_FIELD)
		return _(headings[kind]);
	path = s->settings.field[kind - COLUMN_FIELD];
	point = strrchr(path, '.');
	return point ? point + 1 : path;
}

static bool
is_narrow(const struct composer *c)
{
	return c->context->cols < NARROW;
}

/* The width of the name: the space that the other columns and the first cells of the payload leave. */
static int
name_room(const struct composer *c)
{
	int room = c->context->cols - PAYLOAD_CELLS;

	for (size_t i = 0; i < COLUMN_KINDS; i++) {
		const struct column *column = &c->session->settings.column[i];

		if (!column_is_shown(&c->session->settings, column) || column->kind == COLUMN_NAME
		    || (column->kind >= COLUMN_FIELDS && column->kind <= COLUMN_CONTEXT)
		    || (column->kind == COLUMN_DELTA && c->session->settings.delta == DELTA_OFF))
			continue;
		room -= (column->width ? column->width : column->seen) + 1;
	}
	return room - 1 > 8 ? room - 1 : 8;
}

/* The indentation of names while a value is followed. */
static int
indent_of(const struct session *s, unsigned depth)
{
	if (!s->answers.followed)
		return 0;
	return depth > MOST_INDENT / INDENT ? MOST_INDENT : INDENT * (int)depth;
}

static int
column_width(struct composer *c, struct column *column, int need)
{
	int most = widest(c, column->kind);
	const char *heading = heading_of(c->session, column->kind);

	if (column->width)
		return column->width;
	if (column->kind == COLUMN_NAME && is_narrow(c)) {	/* known in advance, so the column does not move */
		need = c->session->widths.short_name_width > 5 ? c->session->widths.short_name_width : 5;
		need += indent_of(c->session, nesting_deepest(c->session));
		column->seen = need <= name_room(c) + SLACK ? need : name_room(c);
		return column->seen;
	}
	if (column->kind >= COLUMN_FIELD && need < 5 && strcmp(heading, "cpu") != 0)
		need = 5;
	if (column->kind == COLUMN_ORIGIN && need < c->session->widths.origin_width)
		need = c->session->widths.origin_width;
	if (column->kind == COLUMN_NAME && need < c->session->widths.name_width)
		need = c->session->widths.name_width;
	if (column->kind > COLUMN_DELTA && !c->last && need < text_width(heading, strlen(heading)))
		need = text_width(heading, strlen(heading));
	if (need > most + SLACK) {
		/* A long text may use the rest of the line. */
		if (c->last && column->kind >= COLUMN_FIELD)
			return need;
		need = most;
	}
	if (need > column->seen)
		column->seen = need;
	return column->seen;
}

/*
 * Put a short text into its column: cut it if it is too wide, and pad it. @whole_at: its position in the line; SIZE_MAX:
 * none. @tail: keep its end, and not its start.
 */
static void
put_cut(struct composer *c, struct column *column, unsigned style, const char *text, size_t n, size_t whole_at, bool tail)
{
	struct line *l = target(c, column);
	int need = text_width(text, n), width = column_width(c, column, need + c->indent), begin = l->width;
	int indent = width - c->indent >= 4 || !width ? c->indent : width > 4 ? width - 4 : 0;
	bool cut = need > width - indent && width > 0;
	size_t skip = cut && tail ? text_skip(text, n, width - indent - 1) : 0;

	line_pad(l, begin + indent, false);
	if (cut && tail)
		line_puts(l, STYLE_DIM, charset_cut());
	if (whole_at != SIZE_MAX)
		note_part(c, column, whole_at + skip, n - skip);
	if (cut && !tail)
		n = text_fit(text, n, width - indent - 1, NULL);
	line_add(l, style, text + skip, n - skip);
	if (cut && !tail)
		line_puts(l, STYLE_DIM, charset_cut());
	line_pad(l, begin + width, false);
	line_puts(l, STYLE_TEXT, " ");
}

static void
put_cell(struct composer *c, struct column *column, unsigned style, const char *text, size_t n, size_t whole_at)
{
	put_cut(c, column, style, text, n, whole_at, false);
}

/*
 * Put the time. On a narrow terminal, the part that all times of the trace share is left out; the status line has the
 * complete time.
 */
static void
put_time(struct composer *c, struct column *column)
{
	size_t n = strlen(c->time), skip = is_narrow(c) ? c->session->widths.time_prefix_size : 0;

	if (skip >= n || strncmp(c->time, c->session->widths.time_prefix, skip) != 0)
		skip = 0;
	put_cell(c, column, STYLE_TIME, c->time + skip, n - skip, c->time_at + skip);
}

/* The style of a name: that of a severe level, otherwise a colour that is always the same for the name. */
static unsigned
name_style(const struct composer *c, const char *name, size_t n)
{
	int level = c->row->row.event_class ? tn_event_class_log_level(c->row->row.event_class) : -1;
	uint32_t hash = 2166136261u;

	if (level >= 0 && level <= LEVEL_WARNING)
		return level < LEVEL_WARNING ? STYLE_ERROR : STYLE_WARNING;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	return STYLE_CLASS + (hash ^ hash >> 15) % STYLE_CLASSES;
}

static void
put_name(struct composer *c, struct column *column)
{
	size_t n, skip = is_narrow(c) ? c->session->widths.name_prefix_size : 0;
	const char *text = event_row_piece(c->row, PIECE_NAME, &n);

	skip = skip < n ? skip : 0;
	c->indent = indent_of(c->session, nesting_depth(c->session, &c->row->row.location));
	put_cut(c, column, name_style(c, text, n), text + skip, n - skip, c->piece_at[PIECE_NAME] + skip, true);
	c->indent = 0;
}

/* Put the duration of the span that the event begins or ends, such as "1.84m"; a doubtful span has a '?'. */
static void
put_duration(struct composer *c, struct column *column)
{
	struct line *l = target(c, column);
	char number[40], room[32];
	const char *text = "";
	int64_t ns = 0;
	int width = 0;
	size_t n;

	switch (nesting_span(c->session, &c->row->row.location, &ns)) {
	case NESTING_NONE: break;
	case NESTING_UNKNOWN: text = "..."; break;
	case NESTING_OPEN: text = _("open"); break;
	case NESTING_ORPHAN: text = _("orphan"); break;
	case NESTING_SPAN:
	case NESTING_DOUBTFUL:
		width = nesting_span(c->session, &c->row->row.location, &ns) == NESTING_DOUBTFUL;
		span_short(ns, c->session->utf8, room);
		snprintf(number, sizeof number, "%s%s", room[0] == '+' ? room + 1 : room, width ? "?" : "");
		text = number;
		break;
	}
	n = text == number ? strlen(text) : text_fit(text, strlen(text), DURATION_WORD, NULL);
	width = text_width(text, n);
	line_pad(l, l->width + column_width(c, column, width > SHORT_DELTA ? width : SHORT_DELTA) - width, false);
	line_add(l, ns >= 1000000 || ns < 0 ? STYLE_TEXT : STYLE_DIM, text, n);
	line_puts(l, STYLE_TEXT, " ");
}

/* Put a delta with three digits and a unit, such as "+1.84u". The details, and the setting `exact`, show all digits. */
static void
put_short_delta(struct composer *c, struct column *column)
{
	struct line *l = target(c, column);
	char text[32] = "";
	int width;

	if (c->has_delta)
		span_short(c->delta_ns, c->session->utf8, text);
	width = column_width(c, column, SHORT_DELTA);
	line_right(l, c->delta_ns >= 1000000 || c->delta_ns < 0 ? STYLE_TEXT : STYLE_DIM, text, width);
	line_puts(l, STYLE_TEXT, " ");
}

/* Put a delta such as "+0.000001200"; the part before the first digit other than 0 is pale. */
static void
put_delta(struct composer *c, struct column *column)
{
	struct line *l = target(c, column);
	size_t n = strlen(c->delta), zeros = strspn(c->delta, "+-0.");
	int width = column_width(c, column, (int)n > 12 ? (int)n : 12);

	line_pad(l, l->width + width - (int)n, false);
	note_part(c, column, c->delta_at, n);
	if (zeros > n || c->delta[0] == '-')
		zeros = 0;
	line_add(l, STYLE_DIM, c->delta, zeros);
	line_puts(l, STYLE_TEXT, c->delta + zeros);
	line_puts(l, STYLE_TEXT, " ");
}

/* Put values in readable form, and mark the matches of the search at the places of their bytes. */
static void
put_readable(struct composer *c, struct column *column, const char *text, size_t n, size_t whole_at, bool plain)
{
	struct line *l = target(c, column);
	struct readable r = { 0 };
	size_t at = l->n, run;

	if (!c->session->settings.readable || !readable_make(&r, text, n)) {
		note_part(c, column, whole_at, n);
		r.n = 0;
	}
	event_names_put(c->session, c->row->row.stream, &r, text);
	for (size_t i = 0; i < r.n; i += run) {
		for (run = 1; i + run < r.n && r.from[i + run] == r.from[i] + run; run++)
			;
		if (r.from[i] != READABLE_NONE)
			note_part_at(c, column, whole_at + r.from[i], run, at + i);
	}
	if (r.n)
		text = r.text;
	n = r.n ? r.n : n;
	if (plain)
		line_add(l, STYLE_DIM, text, n);
	else
		readable_put(l, text, n);
	readable_release(&r);
}

static void
put_pieces(struct composer *c, struct column *column, enum piece from, enum piece to, bool plain)
{
	struct line *l = target(c, column);
	int begin = l->width;

	for (enum piece p = from; p <= to; p++) {
		size_t n, skip = 0;
		const char *text = event_row_piece(c->row, p, &n);

		if (!n || (plain && n == 3 && memcmp(text, "{ }", 3) == 0))
			continue;
		if (l->width > begin)
			line_puts(l, STYLE_DIM, ", ");
		if (from == to && n >= 4 && memcmp(text, "{ ", 2) == 0 && memcmp(text + n - 2, " }", 2) == 0) {
			text += 2;	/* the column has only these */
			n -= 4;
			skip = 2;
		}
		put_readable(c, column, text, n, c->piece_at[p] + skip, plain);
	}
	/* These texts differ in length. Pad them, to align later columns, only if the user has set a width. */
	if (column->width)
		line_pad(l, begin + column->width, false);
	if (!c->last)
		line_puts(l, STYLE_TEXT, " ");
}

static void
put_number(struct composer *c, struct column *column, uint64_t number)
{
	char text[32];
	int n = snprintf(text, sizeof text, "%" PRIu64, number);

	put_cell(c, column, STYLE_DIM, text, (size_t)n, SIZE_MAX);
}

static void
put_optional(struct composer *c, struct column *column, unsigned style, const char *text)
{
	put_cell(c, column, style, text ? text : "", text ? strlen(text) : 0, SIZE_MAX);
}

/* Put the origin, such as "loom/proc.1/thread.2". If it is too long, its start is cut, because the end is more useful. */
static void
put_origin(struct composer *c, struct column *column, const char *text)
{
	put_cut(c, column, STYLE_ORIGIN, text ? text : "", text ? strlen(text) : 0, SIZE_MAX, text && strchr(text, '/'));
}

static bool
is_number(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr("0123456789.-+xabcdefABCDEF", text[i]) || !text[i])
			return false;
	return n > 0;
}

/* Numbers are right-aligned. */
static void
put_field(struct composer *c, struct column *column)
{
	size_t i = column->kind - COLUMN_FIELD;
	uint32_t from = i ? c->row->field_end[i - 1] : 0;
	const char *text = c->row->field ? c->row->field + from : "";
	size_t n = c->row->field ? c->row->field_end[i] - from : 0;
	struct line *l = target(c, column);
	bool wanted = c->row->wanted & 1u << i, number;
	struct readable r = { 0 };
	int need, width;

	if (c->session->settings.readable && readable_make(&r, text, n) && r.n) {
		event_name_put(c->session, c->row->row.stream, &r, heading_of(c->session, column->kind), 0, r.n);
		text = r.text;
		n = r.n;
	}
	need = text_width(text, n);
	width = column_width(c, column, need);
	number = is_number(text, n);

	if (number && need < width)
		line_pad(l, l->width + width - need, false);
	else
		width = width > need ? width : 0;
	if (number && width) {
		line_add(l, STYLE_TEXT, text, n);
		line_puts(l, STYLE_TEXT, " ");
		readable_release(&r);
		return;
	}
	if (wanted)
		text = c->session->utf8 ? "\u2026" : "...";
	put_cell(c, column, wanted ? STYLE_DIM : n && *text == '"' ? STYLE_STRING : STYLE_TEXT, text, wanted ? strlen(text) : n,
		 SIZE_MAX);
	readable_release(&r);
}

static void
put_column(struct composer *c, struct column *column)
{
	const struct tn_row *row = &c->row->row;
	struct session *s = c->session;
	int level;

	switch (column->kind) {
	case COLUMN_TIME:
		put_time(c, column);
		break;
	case COLUMN_DELTA:
		if (s->settings.delta != DELTA_OFF)
			(s->settings.exact ? put_delta : put_short_delta)(c, column);
		break;
	case COLUMN_ORIGIN:
		put_origin(c, column, s->traces.origin[row->location.stream]);
		break;
	case COLUMN_NAME:
		put_name(c, column);
		break;
	case COLUMN_FIELDS: put_pieces(c, column, PIECE_PACKET, PIECE_PAYLOAD, false); break;
	case COLUMN_PAYLOAD: put_pieces(c, column, PIECE_PAYLOAD, PIECE_PAYLOAD, false); break;
	case COLUMN_CONTEXT: put_pieces(c, column, PIECE_PACKET, PIECE_SPECIFIC, true); break;
	case COLUMN_HOST:
		put_cell(c, column, STYLE_ORIGIN, c->host, strlen(c->host), c->host_at);
		break;
	case COLUMN_TRACE:
		put_optional(c, column, STYLE_ORIGIN, tn_trace_name(tn_stream_trace(row->stream)));
		break;
	case COLUMN_STREAM: put_origin(c, column, tn_stream_name(row->stream)); break;
	case COLUMN_PACKET: put_number(c, column, row->location.packet); break;
	case COLUMN_LEVEL:
		level = row->event_class ? tn_event_class_log_level(row->event_class) : -1;
		put_optional(c, column, STYLE_DIM, level >= 0 ? tn_log_level_name(level) : NULL);
		break;
	case COLUMN_DURATION: put_duration(c, column); break;
	default: put_field(c, column); break;
	}
}

/* ---- notices ---- */

static void
put_lost(struct line *l, const struct event_row *r)
{
	char number[32];

	line_puts(l, STYLE_LOSS, "-- ");
	if (!r->lost_events && !r->lost_packets)
		line_puts(l, STYLE_LOSS, r->row.kind == TN_ROW_LOST_EVENTS ? _("events may have been lost")
									    : _("packets may have been lost"));
	if (r->lost_events)
		line_printf(l, STYLE_LOSS, ngettext("%s event lost", "%s events lost", r->lost_events),
			    number_text(r->lost_events, number));
	if (r->lost_events && r->lost_packets)
		line_puts(l, STYLE_LOSS, ", ");
	if (r->lost_packets)
		line_printf(l, STYLE_LOSS, ngettext("%s packet lost", "%s packets lost", r->lost_packets),
			    number_text(r->lost_packets, number));
	if (r->lost_unknown && (r->lost_events || r->lost_packets))
		line_puts(l, STYLE_LOSS, _(", maybe more"));
}

static void
put_notice(struct composer *c)
{
	const struct tn_row *row = &c->row->row;
	struct line *l = &c->out->free;
	char number[32], span[32];
	size_t n;
	const char *text = event_row_piece(c->row, PIECE_PAYLOAD, &n);

	if (row->kind == TN_ROW_DAMAGE) {
		line_puts(l, STYLE_DAMAGE, _("damage:"));
		line_puts(l, STYLE_LOSS, " ");
		if (c->row->places > 1)
			line_printf(l, STYLE_DAMAGE, ngettext("%s place (L lists it): ", "%s places (L lists them), the first: ",
							       c->row->places),
				    number_text(c->row->places, number));
		line_add(l, STYLE_LOSS, text, n);
		return;
	}
	if (row->kind == TN_ROW_BREAK)
		line_puts(l, STYLE_LOSS, _("-- connection to the relay lost and restored"));
	else
		put_lost(l, c->row);
	if (c->row->places > 1)
		line_printf(l, STYLE_LOSS, ngettext(" in %s place", " in %s places", c->row->places),
			    number_text(c->row->places, number));
	else if (row->has_range && row->end_ns >= row->begin_ns)
		line_printf(l, STYLE_LOSS, _(" within %s"), span_text(row->end_ns - row->begin_ns, span));
	line_puts(l, STYLE_LOSS, " --");
}

/* ---- marks ---- */

static void
mark_part(struct composer *c, const struct part *p, size_t begin, size_t end)
{
	struct line *l = p->pinned ? &c->out->pinned : &c->out->free;
	size_t a = begin > p->from ? begin - p->from : 0, b = end > p->from ? end - p->from : 0;

	if (b > p->n)
		b = p->n;
	if (a < b)
		line_flag(l, p->at + a, p->at + b, STYLE_MATCH);
}

static void
mark_matches(struct composer *c)
{
	const struct tn_regex *regex = c->session->asks.mark;
	size_t at = 0, begin, end;

	for (int i = 0; i < MARKS && at <= c->whole.n; i++) {
		if (!tn_regex_find(regex, c->whole.text, c->whole.n, at, &begin, &end))
			break;
		for (size_t k = 0; k < c->n_parts; k++)
			mark_part(c, &c->part[k], begin, end);
		at = end > begin ? end : end + 1;
	}
}

/* Whether a column that notices also have is after column @i. */
static bool
place_is_after(const struct session *s, size_t i)
{
	while (++i < COLUMN_KINDS)
		if (s->settings.column[i].on && s->settings.column[i].kind < COLUMN_NAME)
			return true;
	return false;
}

void
events_line(struct event_row *r, const struct row_context *context, struct row_lines *out)
{
	struct session *s = context->session;
	struct composer c = { .row = r, .context = context, .session = s, .out = out };
	size_t last = COLUMN_KINDS;

	line_clear(&out->pinned);
	line_clear(&out->free);
	compose_times(&c);
	compose_whole(&c);
	for (size_t i = 0; i < COLUMN_KINDS; i++)
		if (column_is_shown(&s->settings, &s->settings.column[i]))
			last = i;
	for (size_t i = 0; i < COLUMN_KINDS; i++) {
		struct column *column = &s->settings.column[i];

		if (!column_is_shown(&s->settings, column))
			continue;
		c.last = i == last;
		if (r->row.kind == TN_ROW_EVENT || column->kind < COLUMN_NAME)
			put_column(&c, column);
		else if (place_is_after(s, i))
			put_cell(&c, column, STYLE_TEXT, "", 0, SIZE_MAX);
	}
	if (r->row.kind != TN_ROW_EVENT)
		put_notice(&c);
	else if (s->asks.mark && c.whole.text)
		mark_matches(&c);
	if (r->style && r->row.kind == TN_ROW_EVENT) {
		line_restyle(&out->pinned, r->style);
		line_restyle(&out->free, r->style);
	}
	tn_str_release(&c.whole);
}

static const char *
delta_heading(enum delta_kind kind, bool exact)
{
	if (!exact)
		switch (kind) {
		case DELTA_STREAM: return _("stream");
		case DELTA_TYPE: return _("type");
		case DELTA_ORIGIN: return _("origin");
		default: return _("delta");
		}
	switch (kind) {
	case DELTA_STREAM: return _("in stream");
	case DELTA_TYPE: return _("of its type");
	case DELTA_ORIGIN: return _("since origin");
	default: return _("since above");
	}
}

void
events_heading(struct session *s, struct row_lines *out)
{
	line_clear(&out->pinned);
	line_clear(&out->free);
	for (size_t i = 0; i < COLUMN_KINDS; i++) {
		struct column *column = &s->settings.column[i];
		struct line *l = column->pinned ? &out->pinned : &out->free;
		const char *text = column->kind == COLUMN_DELTA ? delta_heading(s->settings.delta, s->settings.exact)
								: heading_of(s, column->kind);
		int width = column->width ? column->width : column->seen, begin = l->width;
		size_t n;

		if (!column_is_shown(&s->settings, column) || (column->kind == COLUMN_DELTA && s->settings.delta == DELTA_OFF))
			continue;
		n = width && (column->kind < COLUMN_FIELDS || column->kind >= COLUMN_FIELD)
		    ? text_fit(text, strlen(text), width, NULL) : strlen(text);
		if (column->kind == COLUMN_DELTA)
			line_pad(l, begin + width - text_width(text, n), false);
		line_add(l, STYLE_HEADING, text, n);
		line_pad(l, begin + width, false);
		line_puts(l, STYLE_HEADING, " ");
	}
}
