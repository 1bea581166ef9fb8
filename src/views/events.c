#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "event_line.h"
#include "gettext.h"
#include "events.h"

struct events {
	struct view base;
	struct window *now;	/* on the screen */
	struct window *next;	/* being filled for a jump, with a filter on */
	bool waiting;		/* for `next` */
	enum align align;	/* for when it comes */
	struct place target;
	size_t split;		/* rows of `next` before the target */
	int64_t since_ms;
	size_t top, selected;	/* rows of `now` */
	size_t keep_offset;	/* of ALIGN_KEEP */
	size_t offset;		/* of `selected` from the top while `placing` */
	bool placing;		/* rows may still come that let it be there; until the next motion */
	int left;
	int shown;		/* rows that the screen showed at last */
	struct row_lines line;
};

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool
has_heading(const struct events *e)
{
	return e->base.session->settings.header && e->base.area.rows >= 8;
}

static size_t
page(const struct events *e)
{
	int rows = e->base.area.rows - has_heading(e);

	return rows > 0 ? (size_t)rows : 1;
}

static struct session *
session_of(const struct events *e)
{
	return e->base.session;
}

/* ---- the shared cursor ---- */

static unsigned
publish(struct events *e)
{
	struct session *s = session_of(e);
	bool had = s->has_row;
	struct tn_location former = s->row.location;

	s->has_row = e->selected < e->now->n;
	if (s->has_row)
		s->row = e->now->row[e->selected].row;
	if (had != s->has_row || (had && tn_location_compare(&former, &s->row.location) != 0))
		return VIEW_DONE | VIEW_REDRAW | VIEW_MOVED;
	return VIEW_DONE | VIEW_REDRAW;
}

const struct event_row *
events_row(const struct view *v)
{
	const struct events *e = (const struct events *)v;

	return e->selected < e->now->n ? &e->now->row[e->selected] : NULL;
}

bool
events_waiting(const struct view *v)
{
	return ((const struct events *)v)->waiting;
}

/* ---- keeping rows around the screen ---- */

static void
clamp(struct events *e)
{
	size_t rows = page(e), n = e->now->n;

	if (e->selected >= n)
		e->selected = n ? n - 1 : 0;
	/* Where a jump ends must not depend on how many rows were there when it was shown first. */
	if (e->placing)
		e->top = e->selected > e->offset ? e->selected - e->offset : 0;
	if (e->top > e->selected)
		e->top = e->selected;
	if (e->selected >= e->top + rows)
		e->top = e->selected - rows + 1;
	if (e->top + rows > n)
		e->top = n > rows ? n - rows : 0;
}

/* Rows came in front: the same rows stay on the screen. */
static void
shift(struct events *e, size_t before)
{
	e->top += before;
	e->selected += before;
}

static void
get_above(struct events *e, size_t need)
{
	if (e->top < need && !e->now->at_begin)
		shift(e, window_more(e->now, false, page(e) * 2 + need));
}

static void
get_below(struct events *e, size_t need)
{
	if (e->top + page(e) + need > e->now->n && !e->now->at_end)
		window_more(e->now, true, page(e) * 2 + need);
}

/* Far rows go, so that the window stays small. */
static void
trim(struct events *e)
{
	size_t keep = page(e) * 4 + 64, from, to;

	if (e->now->n <= keep * 3)
		return;
	from = e->top > keep ? e->top - keep : 0;
	to = e->top + page(e) + keep;
	if (to > e->now->n)
		to = e->now->n;
	window_trim(e->now, from, to);
	e->top -= from;
	e->selected -= from;
}

/* After a motion: everything on the screen, and the row above it for its delta; with a filter on, a page more. */
static unsigned
settle(struct events *e)
{
	size_t ahead = session_of(e)->query->filter ? page(e) : 0;

	if (!e->waiting) {
		get_below(e, ahead);
		get_above(e, ahead ? ahead : 1);
	}
	clamp(e);
	trim(e);
	return publish(e);
}

/* ---- going somewhere ---- */

/* Lines of the screen above the row one goes to. */
static size_t
lines_above(const struct events *e, enum align align)
{
	size_t rows = page(e);

	switch (align) {
	case ALIGN_TOP: return 0;
	case ALIGN_BOTTOM: return rows - 1;
	case ALIGN_KEEP: return e->keep_offset < rows ? e->keep_offset : rows - 1;
	case ALIGN_NEAR: return rows / 3;
	default: return rows / 2;
	}
}

static void
put_at(struct events *e, size_t row, enum align align)
{
	size_t offset = lines_above(e, align);

	e->selected = row;
	e->placing = false;
	if (align == ALIGN_NEAR && row >= e->top && row < e->top + page(e))
		return;
	e->offset = offset;
	e->placing = true;
	e->top = row > offset ? row - offset : 0;
}

static bool
same_or_behind_end(const struct window *w, const struct tn_location *at, size_t *row)
{
	*row = window_find(w, at);
	return *row < w->n && tn_location_compare(&w->row[*row].row.location, at) == 0;
}

static unsigned
arrive(struct events *e, size_t split)
{
	size_t target = split < e->now->n ? split : e->now->n ? e->now->n - 1 : 0;

	e->top = 0;
	e->align = e->align == ALIGN_NEAR ? ALIGN_MIDDLE : e->align;
	put_at(e, target, e->align);
	return settle(e) | VIEW_MOVED;
}

/* Rows before the place in a window that was just fetched. */
static size_t
split_of(const struct window *w, const struct place *place)
{
	struct tn_location at = place->location;

	switch (place->kind) {
	case PLACE_BEGIN: return 0;
	case PLACE_END: return w->n;
	case PLACE_TIME: at = (struct tn_location) { .time_ns = place->time_ns }; break;
	default: break;
	}
	return window_find(w, &at);
}

static unsigned
fetch_anew(struct events *e, const struct place *place, enum align align)
{
	bool filtered = session_of(e)->query->filter != NULL;

	e->align = align;
	e->target = *place;
	if (!filtered) {
		e->waiting = false;
		window_stop(e->next);
		window_start(e->now, place, page(e) + 1);
		return arrive(e, split_of(e->now, place));
	}
	e->waiting = true;
	e->split = 0;
	e->since_ms = now_ms();
	window_start(e->next, place, page(e) * 2);
	return VIEW_DONE | VIEW_REDRAW;
}

unsigned
events_go(struct view *v, const struct place *place, enum align align)
{
	struct events *e = (struct events *)v;
	size_t row;

	if (place->kind == PLACE_LOCATION && !e->waiting && same_or_behind_end(e->now, &place->location, &row)) {
		put_at(e, row, align);
		return settle(e);
	}
	return fetch_anew(e, place, align);
}

unsigned
events_refresh(struct view *v)
{
	struct events *e = (struct events *)v;
	struct place place = { .kind = PLACE_BEGIN };

	if (e->selected < e->now->n) {
		place.kind = PLACE_LOCATION;
		place.location = e->now->row[e->selected].row.location;
		e->keep_offset = e->placing && events_looking(v) ? e->offset : e->selected - e->top;
	}
	return fetch_anew(e, &place, ALIGN_KEEP);
}

void
events_forget_widths(struct view *v)
{
	for (size_t i = 0; i < COLUMN_KINDS; i++)
		v->session->settings.column[i].seen = 0;
}

static size_t
count_events(const struct window *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += w->row[i].row.kind == TN_ROW_EVENT && !w->row[i].around;
	return n;
}

bool
events_looking(const struct view *v)
{
	const struct events *e = (const struct events *)v;

	return e->waiting || window_looking(e->now, true) || window_looking(e->now, false);
}

bool
events_count(const struct view *v, uint64_t *n)
{
	const struct events *e = (const struct events *)v;

	*n = count_events(e->waiting ? e->next : e->now);
	return !e->waiting && e->now->at_begin && e->now->at_end;
}

/* Whether what was found is enough to be shown. */
static bool
enough(const struct events *e)
{
	const struct window *w = e->next;
	bool forward = window_looking(w, true), backward = window_looking(w, false);
	size_t behind = w->n - e->split, above = lines_above(e, e->align == ALIGN_NEAR ? ALIGN_MIDDLE : e->align);

	if (!forward && !backward)
		return true;
	/* Lost events and damage are shown with any filter: they alone say nothing about it. */
	if (!count_events(w))
		return false;
	/* A full screen, with the row one goes to where it belongs; near an end what there is. */
	if (!forward && behind < page(e) - above)
		above = page(e) - behind;
	if ((!forward || behind >= page(e)) && (!backward || e->split >= above || now_ms() - e->since_ms > 40))
		return true;
	/* What there is after a while, as long as it has that row. */
	return now_ms() - e->since_ms > 200 && (behind > 0 || (!forward && e->split > 0));
}

static unsigned
check_next(struct events *e)
{
	struct window *w = e->next;
	size_t before;

	window_take(w, &before);
	e->split += before;
	if (w->stopped[0] || w->stopped[1]) {
		e->waiting = false;
		window_stop(w);
		return VIEW_STOPPED | VIEW_REDRAW;
	}
	if (!enough(e))
		return VIEW_PASS;
	e->waiting = false;
	if (!window_looking(w, true) && !window_looking(w, false) && count_events(w) == 0 && w->at_begin && w->at_end)
		return VIEW_NO_MATCH | VIEW_REDRAW;
	e->next = e->now;
	e->now = w;
	window_stop(e->next);
	return arrive(e, e->split) | VIEW_ARRIVED;
}

static unsigned
events_turn(struct view *v)
{
	struct events *e = (struct events *)v;
	unsigned reply = VIEW_PASS;
	size_t before;

	if (window_take(e->now, &before)) {
		bool was_empty = e->now->n && !session_of(e)->has_row;

		shift(e, before);
		if (!e->waiting)
			clamp(e);
		reply |= VIEW_REDRAW | (was_empty ? publish(e) : 0u);
	}
	if (e->waiting)
		reply |= check_next(e);
	return reply;
}

/* ---- deltas that look at other rows ---- */

/* The event before @r in its stream, or of its type; looked for at most so far. */
#define DELTA_REACH 2000

static bool
is_before(const struct tn_row *a, const struct tn_row *r, enum delta_kind kind)
{
	if (a->kind != TN_ROW_EVENT)
		return false;
	return kind == DELTA_STREAM ? a->location.stream == r->location.stream : a->event_class == r->event_class;
}

static void
compute_delta(struct events *e, struct event_row *r)
{
	struct session *s = session_of(e);
	enum delta_kind kind = s->settings.delta;
	struct tn_error err;
	struct tn_row row;
	enum tn_code rc;

	if (r->has_delta && r->delta_kind == kind)
		return;
	r->has_delta = true;
	r->delta_kind = kind;
	r->delta_known = false;
	rc = tn_cursor_restore(e->now->cur, &r->row.location, &err);
	for (int i = 0; rc == TN_OK && i < DELTA_REACH; i++) {
		rc = tn_cursor_prev(e->now->cur, &err);
		if (rc == TN_OK && tn_cursor_row(e->now->cur, &row) && is_before(&row, &r->row, kind)) {
			r->delta_ns = r->row.time_ns - row.time_ns;
			r->delta_known = true;
			return;
		}
	}
}

/* ---- drawing ---- */

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

	if ((s->settings.delta == DELTA_STREAM || s->settings.delta == DELTA_TYPE) && r->row.kind == TN_ROW_EVENT)
		compute_delta(e, r);
	events_line(r, &context, &e->line);
}

/* The letter of a mark on this row, '*' for a bookmark, 0 for none. */
static char
mark_of(const struct session *s, const struct tn_location *at)
{
	for (size_t i = 0; i < s->n_bookmarks; i++)
		if (tn_location_compare(&s->bookmark[i].at, at) == 0)
			return s->bookmark[i].letter ? s->bookmark[i].letter : '*';
	return 0;
}

static bool
in_selection(const struct session *s, const struct tn_location *at)
{
	const struct tn_location *a = &s->select_from, *b = &s->row.location;

	if (!s->selecting || !s->has_row)
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
	else if (r->around)
		canvas_puts(c, row, e->base.area.col, 1, STYLE_DIM, ".");
}

static int
gutter(const struct session *s)
{
	return s->n_bookmarks || s->selecting || s->settings.context ? 1 : 0;
}

/* Columns that stay where they are; none where they would fill the screen. */
static int
pinned_width(const struct events *e, int cols)
{
	return e->line.pinned.width <= cols / 2 ? e->line.pinned.width : 0;
}

/* The two parts of a line beside each other; returns the screen rows it took, at most @most. */
static int
draw_lines(struct events *e, struct canvas *c, int row, int col, int cols, int most)
{
	int pinned = pinned_width(e, cols), skip = e->left, rows = 1, at = col;
	bool wrap = session_of(e)->settings.wrap && most > 1;

	if (pinned || !e->line.pinned.width) {
		at = canvas_line(c, row, col, cols, &e->line.pinned, 0, false);
	} else {	/* too narrow: all of it is scrolled */
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
	return rows;
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

/* With long lines wrapped fewer rows fit: move the top down until the selected one does. */
static void
fit_wrapped(struct events *e, int cols)
{
	int room = (int)page(e), used = 0;
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
		rows = draw_lines(e, c, row, a.col + side, a.cols - side, end - row);
		draw_gutter(e, c, row, i);
		if (i == e->selected)
			for (int k = 0; k < rows; k++)
				canvas_flag(c, row + k, a.col, a.cols, STYLE_SELECTED);
		row += rows;
	}
	e->shown = i > e->top ? (int)(i - e->top) : 1;
	if (i > e->top) {
		s->shown_begin = e->now->row[e->top].row.location;
		s->shown_end = e->now->row[i - 1].row.location;
	}
}

/* Widths are known only when all rows were put together: they must not change within one screen. */
static void
measure(struct events *e)
{
	size_t end = e->top + page(e);

	for (size_t i = e->top; i < end && i < e->now->n; i++)
		compose(e, i);
}

static void
events_draw(struct view *v, struct canvas *c)
{
	struct events *e = (struct events *)v;
	struct session *s = v->session;
	struct area a = v->area;
	int row = a.row, side = gutter(s);

	if (s->settings.wrap)	/* all of a line is there: nothing to scroll to */
		e->left = 0;
	settle(e);
	measure(e);
	if (s->settings.wrap)
		fit_wrapped(e, a.cols - side);
	if (has_heading(e)) {
		bool wrap = s->settings.wrap;

		events_heading(s, &e->line);
		canvas_fill(c, row, a.col, a.cols, STYLE_HEADING);
		s->settings.wrap = false;
		draw_lines(e, c, row, a.col + side, a.cols - side, 1);
		s->settings.wrap = wrap;
		canvas_flag(c, row, a.col, a.cols, STYLE_HEADING);
		row++;
	}
	if (!e->now->n)
		canvas_puts(c, row, a.col, a.cols, STYLE_DIM,
			    e->waiting ? _("Looking for events...") : s->query->filter
			    ? _("No event passes the filter.") : _("There are no events."));
	draw_rows(e, c, row, a.row + a.rows);
}

/* ---- motions ---- */

static unsigned
move_down(struct events *e, uint64_t n)
{
	e->placing = false;
	while (n > 0) {
		size_t can = e->now->n ? e->now->n - 1 - e->selected : 0;
		size_t step = n < can ? (size_t)n : can;

		e->selected += step;
		n -= step;
		if (!n || e->now->at_end || !e->now->n || !window_more(e->now, true, page(e) * 2 + 1))
			break;
		trim(e);
	}
	return settle(e);
}

static unsigned
move_up(struct events *e, uint64_t n)
{
	e->placing = false;
	while (n > 0) {
		size_t step = n < e->selected ? (size_t)n : e->selected, got;

		e->selected -= step;
		n -= step;
		if (!n || e->now->at_begin || !e->now->n || !(got = window_more(e->now, false, page(e) * 2 + 1)))
			break;
		e->selected += got;
		e->top = e->selected;
		trim(e);
	}
	return settle(e);
}

/* The screen moves over the rows, and the cursor with it when @carry, else only as far as it must. */
static unsigned
scroll_down(struct events *e, uint64_t n, bool carry)
{
	size_t rows = page(e), can, step;

	e->placing = false;
	if (e->top + rows + n > e->now->n && !e->now->at_end)
		window_more(e->now, true, (size_t)n + rows);
	can = e->now->n > e->top + rows ? e->now->n - e->top - rows : 0;
	if (session_of(e)->settings.wrap && e->now->n)
		can = e->now->n - 1 - e->top;
	step = n < can ? (size_t)n : can;
	e->top += step;
	if (carry)
		e->selected += step < n ? (size_t)n : step;
	else if (e->selected < e->top)
		e->selected = e->top;
	return settle(e);
}

static unsigned
scroll_up(struct events *e, uint64_t n, bool carry)
{
	size_t rows = page(e), step;

	e->placing = false;
	if (e->top < n && !e->now->at_begin)
		shift(e, window_more(e->now, false, (size_t)n + rows));
	step = n < e->top ? (size_t)n : e->top;
	e->top -= step;
	if (carry)
		e->selected = e->selected > n ? e->selected - (size_t)n : 0;
	else if (e->selected >= e->top + rows)
		e->selected = e->top + rows - 1;
	return settle(e);
}

static unsigned
sideways(struct events *e, int by)
{
	e->left = e->left + by > 0 ? e->left + by : 0;
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
align(struct events *e, enum align how)
{
	put_at(e, e->selected, how);
	if (how == ALIGN_TOP)
		get_below(e, 0);
	return settle(e);
}

/* Far counts are walked by a job of the app. */
#define NEAR_COUNT 20000

static unsigned
events_act(struct view *v, const struct call *call)
{
	struct events *e = (struct events *)v;
	uint64_t n = call->count ? call->count : 1;
	size_t rows = v->session->settings.wrap ? (size_t)e->shown : page(e), half = rows > 1 ? rows / 2 : 1;

	if (n > NEAR_COUNT && call->action < ACT_FIRST)
		return VIEW_PASS;
	if (call->action < ACT_FIRST)
		window_resume(e->now);
	switch (call->action) {
	case ACT_EVENT_NEXT: return move_down(e, n);
	case ACT_EVENT_PREVIOUS: return move_up(e, n);
	case ACT_SCROLL_DOWN: return scroll_down(e, n, false);
	case ACT_SCROLL_UP: return scroll_up(e, n, false);
	case ACT_PAGE_DOWN: return scroll_down(e, n * rows, true);
	case ACT_PAGE_UP: return scroll_up(e, n * rows, true);
	case ACT_HALF_DOWN: return scroll_down(e, n * half, true);
	case ACT_HALF_UP: return scroll_up(e, n * half, true);
	case ACT_LEFT: return sideways(e, -(v->area.cols / 2));
	case ACT_RIGHT: return sideways(e, v->area.cols / 2);
	case ACT_FIRST_COLUMN: return sideways(e, -e->left);
	case ACT_VIEW_TOP: return align(e, ALIGN_TOP);
	case ACT_VIEW_MIDDLE: return align(e, ALIGN_MIDDLE);
	case ACT_VIEW_BOTTOM: return align(e, ALIGN_BOTTOM);
	default: return VIEW_PASS;
	}
}

/* ---- copying ---- */

void
events_copy(struct view *v, const struct tn_location *from, const struct tn_location *to, struct line *out)
{
	struct events *e = (struct events *)v;

	for (size_t i = window_find(e->now, from); i < e->now->n; i++) {
		if (tn_location_compare(&e->now->row[i].row.location, to) > 0)
			break;
		compose(e, i);
		line_add(out, STYLE_TEXT, e->line.pinned.text, e->line.pinned.n);
		line_add(out, STYLE_TEXT, e->line.free.text, e->line.free.n);
		line_puts(out, STYLE_TEXT, "\n");
	}
}

/* ---- the view ---- */

static bool
events_open(struct view *v, struct tn_error *err)
{
	struct events *e = (struct events *)v;

	e->now = calloc(1, sizeof *e->now);
	e->next = calloc(1, sizeof *e->next);
	if (!e->now || !e->next) {
		err->code = TN_ERR_MEMORY;
		strcpy(err->text, "out of memory");
		return false;
	}
	return window_init(e->now, v->session, err) && window_init(e->next, v->session, err);
}

static void
events_close(struct view *v)
{
	struct events *e = (struct events *)v;

	if (e->now)
		window_release(e->now);
	if (e->next)
		window_release(e->next);
	free(e->now);
	free(e->next);
	row_lines_release(&e->line);
}

const struct view_class events_view = {
	.name = "events",
	.title = N_("events"),
	.size = sizeof(struct events),
	.open = events_open,
	.close = events_close,
	.draw = events_draw,
	.act = events_act,
	.turn = events_turn,
};
