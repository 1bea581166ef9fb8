#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "events.h"
#include "events_move.h"
#include "gettext.h"
#include "strip.h"

static int64_t
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static struct session *
session_of(const struct events *e)
{
	return e->base.session;
}

void
events_each_text(const struct view *v, void (*each)(void *user, const char *text), void *user)
{
	const struct window *w = ((const struct events *)v)->now;

	for (size_t i = 0; i < w->n; i++)
		if (w->row[i].row.kind == TN_ROW_EVENT && w->row[i].text)
			each(user, w->row[i].text);
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

/* ---- jumps ---- */

/* The number of lines above the target of a jump. */
static size_t
lines_above(const struct events *e, enum align align)
{
	size_t rows = events_page(e);

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
	if (align == ALIGN_NEAR && row >= e->top && row < e->top + events_page(e))
		return;
	e->offset = offset;
	e->placing = true;
	e->top = row > offset ? row - offset : 0;
}

static bool
same_or_after_end(const struct window *w, const struct tn_location *at, size_t *row)
{
	*row = window_find(w, at);
	return *row < w->n && tn_location_compare(&w->row[*row].row.location, at) == 0;
}

/* The event nearest to row @i; row @i itself, if it is the target of the jump. */
static size_t
land_on(const struct events *e, size_t i)
{
	const struct tn_location *at = &e->target.location;
	const struct window *w = e->now;

	if (i >= w->n || (e->target.kind == PLACE_LOCATION && tn_location_compare(&w->row[i].row.location, at) <= 0
			  && tn_location_compare(&w->row[i].last, at) >= 0))
		return i;
	for (size_t k = i; k < w->n && e->target.kind != PLACE_END; k++)
		if (w->row[k].row.kind == TN_ROW_EVENT)
			return k;
	for (size_t k = i + 1; k-- > 0;)
		if (w->row[k].row.kind == TN_ROW_EVENT)
			return k;
	return i;
}

static unsigned
arrive(struct events *e, size_t split)
{
	size_t target = split < e->now->n ? split : e->now->n ? e->now->n - 1 : 0, event = land_on(e, target);

	e->top = 0;
	e->align = e->align == ALIGN_NEAR ? ALIGN_MIDDLE : e->align;
	put_at(e, target, e->align);
	e->selected = event;	/* this event takes the place of the row on the screen */
	if (event > target)
		e->offset += event - target;
	else
		e->offset -= target - event < e->offset ? target - event : e->offset;
	return events_settle(e) | VIEW_MOVED;
}

/* Whether the rows found so far suffice for the screen. */
static bool
enough(const struct events *e)
{
	const struct window *w = e->next;
	bool forward = window_looking(w, true), backward = window_looking(w, false);
	size_t behind = w->n - e->split, above = lines_above(e, e->align == ALIGN_NEAR ? ALIGN_MIDDLE : e->align);

	if (!forward && !backward)
		return true;
	/* Notices are shown with any filter, so they do not show whether events match. */
	if (!w->n || (session_of(e)->asks.query->filter && !events_in(w)))
		return false;
	/* A full screen around the target of a jump is wanted; near an end, fewer rows. */
	if (!forward && behind < events_page(e) - above)
		above = events_page(e) - behind;
	if ((!forward || behind >= events_page(e)) && (!backward || e->split >= above || now_ms() - e->since_ms > 40))
		return true;
	/* After a while, show the existing rows, if the wanted row is among them. */
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
		if (!w->failed)	/* otherwise the failure was reported */
			session_say(session_of(e), !events_in(w) ? _("stopped") :
				    _("stopped: these events were found so far; move to search for more"));
		if (!events_in(w))
			return view_request_kind(&e->base, REQUEST_STOPPED) | VIEW_REDRAW;
		e->next = e->now;	/* keep the rows found so far */
		e->now = w;
		return arrive(e, e->split) | view_request_kind(&e->base, REQUEST_ARRIVED);
	}
	if (!enough(e))
		return VIEW_PASS;
	e->waiting = false;
	if (events_has_conditions(session_of(e)) && !window_looking(w, true) && !window_looking(w, false) && !events_in(w)
	    && w->at_begin && w->at_end)
		return view_request_kind(&e->base, REQUEST_NO_MATCH) | VIEW_REDRAW;
	e->next = e->now;
	e->now = w;
	window_stop(e->next);
	return arrive(e, e->split) | view_request_kind(&e->base, REQUEST_ARRIVED);
}

static unsigned
fetch_anew(struct events *e, const struct place *place, enum align align)
{
	unsigned reply;

	e->align = align;
	e->target = *place;
	e->owed.n = 0;
	e->waiting = true;
	e->split = 0;
	e->since_ms = now_ms();
	window_start(e->next, place, events_page(e) * 2);
	reply = check_next(e);
	return reply == VIEW_PASS ? VIEW_DONE | VIEW_REDRAW : reply;
}

unsigned
events_go(struct view *v, const struct place *place, enum align align)
{
	struct events *e = (struct events *)v;
	size_t row;

	if (place->kind == PLACE_LOCATION && !e->waiting && same_or_after_end(e->now, &place->location, &row)) {
		put_at(e, row, align);
		return events_settle(e);
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

	*n = events_in(e->waiting ? e->next : e->now);
	return !e->waiting && e->now->at_begin && e->now->at_end;
}

bool
events_rank(const struct view *v, const struct tally *t, uint64_t *rank, bool *is_one)
{
	const struct events *e = (const struct events *)v;
	const struct window *w = e->now;
	size_t at = e->selected, known;

	if (e->waiting || at >= w->n || w->row[at].row.kind != TN_ROW_EVENT)
		return false;
	*is_one = !w->row[at].around;
	known = t->ranked ? window_find(w, &t->rank_at) : w->n;
	if (known < w->n && tn_location_compare(&w->row[known].row.location, &t->rank_at) == 0) {
		*rank = at >= known ? t->rank + events_between(w, known + 1, at + 1)
				    : t->rank - events_between(w, at + 1, known + 1);
		return true;
	}
	if (w->at_begin)
		*rank = events_between(w, 0, at + 1);
	else if (w->at_end && t->known)
		*rank = t->n - events_between(w, at + 1, w->n);
	return w->at_begin || (w->at_end && t->known);
}

/* ---- motions ---- */

static unsigned
events_turn(struct view *v)
{
	struct events *e = (struct events *)v;
	unsigned reply = VIEW_PASS;
	size_t before;

	if (window_take(e->now, &before)) {
		bool was_empty = e->now->n && !session_of(e)->here.has_row;

		events_shift(e, before);
		if (e->owed.n && !e->waiting)
			reply |= events_work_off(e);
		else if (!e->waiting)
			events_clamp(e);
		reply |= VIEW_REDRAW | (was_empty ? events_publish(e) : 0u);
	}
	if (e->waiting)
		reply |= check_next(e);
	return reply;
}

/* Move @by rows, @n times. The app handles large numbers: a job counts the events. */
static unsigned
go_on(struct events *e, enum motion motion, bool down, uint64_t n, uint64_t by)
{
	n = n < UINT64_MAX / by ? n * by : UINT64_MAX;
	if (n <= FAR_COUNT)
		return events_move(e, motion, down, n);
	return view_request(&e->base, &(struct request) { REQUEST_SKIP, .is.skip = { n, !down } });
}

/* Half of the width that scrolls, so that text at the edge stays visible. */
static int
by_half(const struct events *e)
{
	return (e->base.area.cols - events_pinned_width(e, e->base.area.cols) + 1) / 2;
}

/* Scroll by @count columns; without a count, by half a screen. If lines are wrapped, scroll by rows. */
static unsigned
sideways(struct events *e, uint64_t count, bool left)
{
	int half = events_pinned_width(e, e->base.area.cols) ? by_half(e) : e->base.area.cols / 2;
	int by = count ? (int)(count < LEFT_MAX ? count : LEFT_MAX) : half;

	if (session_of(e)->settings.wrap)
		by = count ? by * e->base.area.cols : e->base.area.cols / 2 * ((int)events_page(e) > 2 ? (int)events_page(e) : 2);
	if (!left && e->left > LEFT_MAX)
		by = 0;
	e->left = left ? (e->left > by ? e->left - by : 0) : e->left + by;
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
align(struct events *e, enum align how)
{
	put_at(e, e->selected, how);
	if (how == ALIGN_TOP)
		events_get_below(e, 0, true);
	return events_settle(e);
}

static unsigned
events_act(struct view *v, const struct call *call)
{
	struct events *e = (struct events *)v;
	uint64_t n = call->count ? call->count : 1;
	size_t rows = v->session->settings.wrap ? (size_t)e->shown : events_page(e), half = rows > 1 ? rows / 2 : 1;

	if (call->action < ACT_FIRST) {
		window_resume(e->now);
		e->owed.n = 0;
	}
	switch (call->action) {
	case ACT_EVENT_NEXT: return go_on(e, MOVE_CURSOR, true, n, 1);
	case ACT_EVENT_PREVIOUS: return go_on(e, MOVE_CURSOR, false, n, 1);
	case ACT_SCROLL_DOWN: return go_on(e, MOVE_SCREEN, true, n, 1);
	case ACT_SCROLL_UP: return go_on(e, MOVE_SCREEN, false, n, 1);
	case ACT_PAGE_DOWN: return go_on(e, MOVE_BOTH, true, n, rows);
	case ACT_PAGE_UP: return go_on(e, MOVE_BOTH, false, n, rows);
	case ACT_HALF_DOWN: return go_on(e, MOVE_BOTH, true, n, half);
	case ACT_HALF_UP: return go_on(e, MOVE_BOTH, false, n, half);
	case ACT_LEFT: return sideways(e, call->count, true);
	case ACT_RIGHT: return sideways(e, call->count, false);
	case ACT_FIRST_COLUMN:
		e->left = 0;
		return VIEW_DONE | VIEW_REDRAW;
	case ACT_VIEW_TOP: return align(e, ALIGN_TOP);
	case ACT_VIEW_MIDDLE: return align(e, ALIGN_MIDDLE);
	case ACT_VIEW_BOTTOM: return align(e, ALIGN_BOTTOM);
	default: return VIEW_PASS;
	}
}

/* In the strip, a press goes to a time, and a drag selects a range. */
static unsigned
events_point(struct view *v, int row, int col, bool drag, bool end)
{
	struct events *e = (struct events *)v;
	struct session *s = v->session;
	int cols = v->area.cols, from, to;

	if (!drag)
		e->pressed = events_has_strip(e) && row == events_has_heading(e) && s->traces.has_range ? col : -1;
	if (e->pressed < 0)
		return VIEW_PASS;
	if (!end)
		return VIEW_DONE;
	from = e->pressed < col ? e->pressed : col;
	to = e->pressed < col ? col : e->pressed;
	if (from == to)
		return view_request_time(v, strip_time(s, cols, col));
	return view_request(v, &(struct request) {
		REQUEST_BOUNDS, .is.bounds = { true, true, strip_time(s, cols, from), strip_time(s, cols, to + 1) - 1 } });
}

unsigned
events_click(struct view *v, int row)
{
	struct events *e = (struct events *)v;
	size_t i;

	row -= events_has_heading(e) + events_has_strip(e);
	if (row < 0 || v->session->settings.wrap)
		return VIEW_PASS;
	i = e->top + (size_t)row;
	if (i >= e->now->n)
		return VIEW_PASS;
	e->placing = false;
	e->owed.n = 0;
	e->selected = i;
	return events_settle(e);
}

/* ---- copying ---- */

#define COPY_COLUMNS 1000	/* nothing is cut in copied text */

static const struct event_row *
former_event(const struct event_row *row, size_t i)
{
	while (i-- > 0)
		if (row[i].row.kind == TN_ROW_EVENT && row[i].row.has_time)
			return &row[i];
	return NULL;
}

void
events_compose(void *user, struct event_row *row, size_t n, struct line *out)
{
	struct events *e = user;
	struct session *s = session_of(e);
	struct column kept[COLUMN_KINDS];

	/* The first pass computes the widths; the widths on the screen do not change. */
	memcpy(kept, s->settings.column, sizeof kept);
	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < n; i++) {
			struct row_context context = {
				.session = s, .cols = COPY_COLUMNS, .above = former_event(row, i),
			};

			events_line(&row[i], &context, &e->line);
			if (!turn)
				continue;
			line_add(out, STYLE_TEXT, e->line.pinned.text, e->line.pinned.n);
			line_add(out, STYLE_TEXT, e->line.free.text, e->line.free.n);
			line_puts(out, STYLE_TEXT, "\n");
		}
	memcpy(s->settings.column, kept, sizeof kept);
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
	window_init(e->now, v->session);
	window_init(e->next, v->session);
	return true;
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
	.prepare = events_prepare,
	.draw = events_draw,
	.act = events_act,
	.turn = events_turn,
	.point = events_point,
};
