#include <config.h>

#include <tnav/grow.h>

#include "events.h"
#include "events_move.h"
#include "gettext.h"
#include "session/nesting.h"
#include "strip.h"

static struct session *
session_of(const struct events *e)
{
	return e->base.session;
}

static const struct event_row *
event_above(const struct events *e, size_t i)
{
	while (i-- > 0)
		if (e->now->row[i].row.kind == TN_ROW_EVENT && e->now->row[i].row.has_time)
			return &e->now->row[i];
	return NULL;
}

static void
compose(struct events *e, size_t i)
{
	struct event_row *r = &e->now->row[i];
	struct session *s = session_of(e);
	struct row_context context = { .session = s, .cols = e->base.area.cols, .above = event_above(e, i) };

	events_line(r, &context, &e->line);
}

/* The letter of a mark on this row; '*' for a bookmark, 0 for none. */
static char
mark_of(const struct session *s, const struct tn_location *at)
{
	for (size_t i = 0; i < s->here.n_bookmarks; i++)
		if (tn_location_compare(&s->here.bookmark[i].at, at) == 0)
			return s->here.bookmark[i].letter ? s->here.bookmark[i].letter : '*';
	return 0;
}

static bool
in_selection(const struct session *s, const struct tn_location *at)
{
	const struct tn_location *a = &s->here.select_from, *b = &s->here.row.location;

	if (!s->here.selecting || !s->here.has_row)
		return false;
	if (tn_location_compare(a, b) > 0) {
		const struct tn_location *swap = a;

		a = b;
		b = swap;
	}
	return tn_location_compare(at, a) >= 0 && tn_location_compare(at, b) <= 0;
}

static void
draw_gutter(struct events *e, struct canvas *c, int row, size_t i)
{
	struct session *s = session_of(e);
	const struct event_row *r = &e->now->row[i];
	char mark = mark_of(s, &r->row.location);

	if (mark)
		canvas_put(c, row, e->base.area.col, 1, STYLE_KEY, &mark, 1);
	else if (in_selection(s, &r->row.location))
		canvas_puts(c, row, e->base.area.col, 1, STYLE_KEY, "|");
	else if (s->traces.late && tn_set_is_late(s->traces.set, &r->row.location))
		canvas_puts(c, row, e->base.area.col, 1, STYLE_LOSS, "<");
	else if (r->around)
		canvas_puts(c, row, e->base.area.col, 1, STYLE_DIM, ".");
}

static int
gutter(const struct session *s)
{
	return s->here.n_bookmarks || s->here.selecting || s->settings.context || s->traces.late ? 1 : 0;
}

#define SCROLLED_CELLS 28	/* smallest width for the columns that scroll */

/* The width of the columns that do not scroll; 0 if they would fill the screen. */
int
events_pinned_width(const struct events *e, int cols)
{
	return e->line.pinned.width <= cols - SCROLLED_CELLS ? e->line.pinned.width : 0;
}

/*
 * Draw the two parts of a line next to each other; the scrolled columns of the second part are left out. Returns the
 * number of rows used, at most @most.
 */
static int
draw_lines(struct events *e, struct canvas *c, int row, int col, int cols, int most, int skip)
{
	int pinned = events_pinned_width(e, cols), rows = 1, at = col;
	bool wrap = session_of(e)->settings.wrap && most > 1;

	if (pinned || !e->line.pinned.width) {
		at = canvas_line(c, row, col, cols, &e->line.pinned, 0, false);
	} else {	/* too narrow: the whole line scrolls */
		at = canvas_line(c, row, col, cols, &e->line.pinned, skip, true);
		skip = skip > e->line.pinned.width ? skip - e->line.pinned.width : 0;
	}
	canvas_line(c, row, at, col + cols - at, &e->line.free, skip, !wrap);
	if (!wrap)
		return 1;
	for (skip += col + cols - at; skip < e->line.free.width && rows < most; rows++) {
		canvas_line(c, row + rows, col + 2, cols - 2, &e->line.free, skip, false);
		skip += cols - 2 > 0 ? cols - 2 : 1;
	}
	if (skip < e->line.free.width)	/* longer than the screen */
		canvas_puts(c, row + rows - 1, col + cols - 1, 1, STYLE_DIM, ">");
	return rows;
}

static void
draw_heading(struct events *e, struct canvas *c, int row, int col, int cols)
{
	int skip = session_of(e)->settings.wrap ? 0 : e->left, at = col;

	if (events_pinned_width(e, cols) || !e->line.pinned.width) {
		at = canvas_line(c, row, col, cols, &e->line.pinned, 0, false);
	} else {
		at = canvas_line(c, row, col, cols, &e->line.pinned, skip, false);
		skip = skip > e->line.pinned.width ? skip - e->line.pinned.width : 0;
	}
	canvas_line(c, row, at, col + cols - at, &e->line.free, skip, false);
}

static int
wrapped_rows(struct events *e, size_t i, int cols)
{
	int first, rest;

	compose(e, i);
	first = cols - e->line.pinned.width;
	rest = e->line.free.width - first;
	return rest <= 0 || cols <= 2 ? 1 : 1 + (rest + cols - 3) / (cols - 2);
}

/* If long lines wrap, fewer rows fit: move the top down until the selected row is visible. */
static void
fit_wrapped(struct events *e, int cols)
{
	int room = (int)events_page(e), used = 0;
	size_t i = e->selected;

	if (!e->now->n)
		return;
	for (;; i--) {
		used += wrapped_rows(e, i, cols);
		if (used > room || i <= e->top)
			break;
	}
	if (used > room && i < e->selected)
		i++;
	if (e->top < i)
		e->top = i;
}

static void
draw_rows(struct events *e, struct canvas *c, int row, int end)
{
	struct session *s = session_of(e);
	struct area a = e->base.area;
	int side = gutter(s);
	size_t i;

	for (i = e->top; i < e->now->n && row < end; i++) {
		int rows;

		compose(e, i);
		rows = draw_lines(e, c, row, a.col + side, a.cols - side, end - row,
				  !s->settings.wrap || i == e->selected ? e->left : 0);
		draw_gutter(e, c, row, i);
		if (i == e->selected && e->base.active)
			canvas_point(c, row, a.col);
		if (i == e->selected)
			for (int k = 0; k < rows; k++)
				canvas_flag(c, row + k, a.col, a.cols, STYLE_SELECTED);
		row += rows;
	}
	e->shown = i > e->top ? (int)(i - e->top) : 1;
	if (i > e->top) {
		s->here.shown_begin = e->now->row[e->top].row.location;
		s->here.shown_end = e->now->row[i - 1].row.location;
	}
}

/* Widths are known only after all rows are made, but must be the same for all rows on the screen. */
static void
measure(struct events *e)
{
	size_t end = e->top + events_page(e), former = session_of(e)->widths.time_prefix_size;

	session_time_prefix(session_of(e));
	for (size_t i = 0; i < COLUMN_KINDS && session_of(e)->widths.time_prefix_size != former; i++)
		if (session_of(e)->settings.column[i].kind == COLUMN_TIME)
			session_of(e)->settings.column[i].seen = 0;

	for (size_t i = e->top; i < end && i < e->now->n; i++)
		compose(e, i);
}

/* A wrapped line is shown completely, so it scrolls only if it is longer than the screen. */
static void
scroll_wrapped(struct events *e)
{
	int cols = e->base.area.cols - gutter(session_of(e)), rows = (int)events_page(e);
	bool same = e->selected < e->now->n
		    && tn_location_compare(&e->wrapped, &e->now->row[e->selected].row.location) == 0;

	if (e->selected < e->now->n)
		e->wrapped = e->now->row[e->selected].row.location;
	if (!e->left)
		return;
	if (!same || wrapped_rows(e, e->selected, cols) <= rows)
		e->left = 0;
	else if (e->left > e->line.free.width - cols)
		e->left = e->line.free.width > cols ? e->line.free.width - cols : 0;
}

/* Scroll so that the match of the search is visible in a line that is longer than the screen. */
static void
show_hit(struct events *e, int cols)
{
	const struct line *l = &e->line.free;
	int room, at;
	size_t i = 0;

	if (e->selected >= e->now->n)
		return;
	compose(e, e->selected);
	room = cols - events_pinned_width(e, cols);
	while (i < l->n_spans && !(l->span[i].style & STYLE_MATCH))
		i++;
	if (i == l->n_spans || !i)
		return;
	at = text_width(l->text, l->span[i - 1].end);
	if (at > e->left && text_width(l->text, l->span[i].end) < e->left + room)
		return;
	e->left = text_width(l->text, l->span[i].end) < room ? 0 : at - room / 3;
}

/* Spans are needed for two things: the list of a value that is followed, and a column. */
static void
want_spans(struct events *e)
{
	struct session *s = session_of(e);
	const struct window *w = e->now;
	size_t end = e->top + events_page(e) < w->n ? e->top + events_page(e) : w->n;
	bool wanted = s->answers.followed != NULL;

	for (size_t i = 0; i < COLUMN_KINDS && !wanted; i++)
		wanted = s->settings.column[i].kind == COLUMN_DURATION && s->settings.column[i].on;
	if (wanted && e->top < end && !e->waiting)
		nesting_want(s, &w->row[e->top].row.location, &w->row[end - 1].row.location);
}

/* Get rows for the current size of the screen. */
unsigned
events_prepare(struct view *v)
{
	struct events *e = (struct events *)v;
	unsigned reply = events_settle(e);

	if (v->session->settings.wrap)
		scroll_wrapped(e);
	window_deltas(e->now, e->top, e->top + events_page(e));
	window_attributes(e->now, e->top, e->top + events_page(e));
	window_names(e->now, e->top, e->top + events_page(e));
	window_note_columns(e->now, e->top, e->top + events_page(e));
	want_spans(e);
	if (v->session->here.missed)
		event_hint(v->session, e->now, v->area.cols);
	v->session->here.missed = false;
	return reply & VIEW_MOVED;
}

/* The strip marks the time range of the page's events, because the ranges of losses are larger. */
static void
draw_strip(struct events *e, struct canvas *c, int row)
{
	const struct window *w = e->now;
	size_t end = e->top + events_page(e) < w->n ? e->top + events_page(e) : w->n;

	if (e->top < end)
		strip_draw(session_of(e), c, row, e->base.area.col, e->base.area.cols, w->row[e->top].row.location.time_ns,
			   w->row[end - 1].row.location.time_ns);
}

void
events_draw(struct view *v, struct canvas *c)
{
	struct events *e = (struct events *)v;
	struct session *s = v->session;
	struct area a = v->area;
	int row = a.row, side = gutter(s);

	measure(e);
	if (s->here.show_hit && !e->waiting && !s->settings.wrap)
		show_hit(e, a.cols - side);
	s->here.show_hit &= e->waiting;
	if (s->settings.wrap)
		fit_wrapped(e, a.cols - side);
	if (events_has_heading(e)) {
		events_heading(s, &e->line);
		canvas_fill(c, row, a.col, a.cols, STYLE_HEADING);
		draw_heading(e, c, row, a.col + side, a.cols - side);
		canvas_flag(c, row, a.col, a.cols, STYLE_HEADING);
		row++;
	}
	if (events_has_strip(e))
		draw_strip(e, c, row++);
	if (!e->now->n)
		canvas_puts(c, row, a.col, a.cols, STYLE_DIM,
			    e->waiting ? _("Searching for events...") : events_has_conditions(s)
			    ? _("No event passes the filter.") : s->traces.grows ? _("There are no events yet.") :
			    _("There are no events."));
	draw_rows(e, c, row, a.row + a.rows);
}
