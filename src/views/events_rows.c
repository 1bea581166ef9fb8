/* events_rows.c - the loaded rows around the screen, and the number of rows that fit */
#include <config.h>

#include "events.h"
#include "events_move.h"
#include "strip.h"

bool
events_has_heading(const struct events *e)
{
	return e->base.session->settings.header && e->base.area.rows >= 8;
}

/* Whether the strip is below the heading. */
bool
events_has_strip(const struct events *e)
{
	return strip_is_there(e->base.session) && e->base.area.rows >= 10 && e->base.area.cols >= 40;
}

size_t
events_page(const struct events *e)
{
	int rows = e->base.area.rows - events_has_heading(e) - events_has_strip(e);

	return rows > 0 ? (size_t)rows : 1;
}

bool
events_has_conditions(const struct session *s)
{
	return s->asks.query->filter || s->asks.range.has_begin || s->asks.range.has_end;
}

/* ---- counting events ---- */

size_t
events_between(const struct window *w, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += w->row[i].row.kind == TN_ROW_EVENT && !w->row[i].around;
	return n;
}

size_t
events_in(const struct window *w)
{
	return events_between(w, 0, w->n);
}

/* ---- the shared cursor ---- */

unsigned
events_publish(struct events *e)
{
	struct session *s = e->base.session;
	bool had = s->here.has_row;
	struct tn_location former = s->here.row.location;

	s->here.has_row = e->selected < e->now->n;
	if (s->here.has_row) {
		s->here.row = e->now->row[e->selected].row;
		s->here.row_last = e->now->row[e->selected].last;
	}
	if (had != s->here.has_row || (had && tn_location_compare(&former, &s->here.row.location) != 0))
		return VIEW_DONE | VIEW_REDRAW | VIEW_MOVED;
	return VIEW_DONE | VIEW_REDRAW;
}

/* ---- keeping rows around the screen ---- */

void
events_clamp(struct events *e)
{
	size_t rows = events_page(e), n = e->now->n;

	if (e->selected >= n)
		e->selected = n ? n - 1 : 0;
	/* The result of a jump must not depend on the number of rows that were loaded when it was first shown. */
	if (e->placing)
		e->top = e->selected > e->offset ? e->selected - e->offset : 0;
	if (e->top > e->selected)
		e->top = e->selected;
	if (e->selected >= e->top + rows)
		e->top = e->selected - rows + 1;
	if (e->top + rows > n)
		e->top = n > rows ? n - rows : 0;
}

/* Rows were added at the start: keep the same rows on the screen. */
void
events_shift(struct events *e, size_t before)
{
	e->top += before;
	e->selected += before;
}

static void
get_above(struct events *e, size_t need, bool wait)
{
	if (e->top < need && !e->now->at_begin)
		events_shift(e, window_more(e->now, false, events_page(e) * 2 + need, wait));
}

void
events_get_below(struct events *e, size_t need, bool wait)
{
	if (e->top + events_page(e) + need > e->now->n && !e->now->at_end)
		window_more(e->now, true, events_page(e) * 2 + need, wait);
}

/* Drop rows that are far away, so that the window stays small. */
static void
trim(struct events *e)
{
	size_t keep = events_page(e) * 4 + 64, from, to;

	if (e->now->n <= keep * 3)
		return;
	from = e->top > keep ? e->top - keep : 0;
	to = e->top + events_page(e) + keep;
	if (to > e->now->n)
		to = e->now->n;
	window_trim(e->now, from, to);
	e->top -= from;
	e->selected -= from;
}

/* After a motion, get all rows for the screen, and the row above them for the delta; request one more page. */
unsigned
events_settle(struct events *e)
{
	if (!e->waiting) {
		events_get_below(e, 0, true);
		get_above(e, 1, true);
		events_get_below(e, events_page(e), false);
		get_above(e, events_page(e), false);
	}
	events_clamp(e);
	trim(e);
	return events_publish(e);
}
