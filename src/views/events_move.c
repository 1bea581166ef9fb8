#include <config.h>

#include "events_move.h"

static bool
is_event(const struct events *e, size_t i)
{
	return e->now->row[i].row.kind == TN_ROW_EVENT;
}

/* Move the cursor to the next event. Notices are skipped, unless there are only notices. */
static bool
step_cursor(struct events *e, bool down)
{
	size_t n = e->now->n, i = e->selected;

	while (down ? i + 1 < n : i > 0) {
		i = down ? i + 1 : i - 1;
		if (is_event(e, i) || !events_in(e->now)) {
			e->selected = i;
			return true;
		}
	}
	return false;
}

/* Whether the window has a row to which the screen can scroll. */
static bool
can_scroll(const struct events *e, bool down)
{
	size_t rows = e->base.session->settings.wrap ? 1 : events_page(e);

	return down ? e->top + rows < e->now->n : e->top > 0;
}

static bool
step(struct events *e, enum motion motion, bool down)
{
	size_t rows = events_page(e);

	if (motion == MOVE_CURSOR)
		return step_cursor(e, down);
	if (can_scroll(e, down)) {
		e->top += down ? 1 : (size_t)-1;
		if (motion == MOVE_BOTH)
			e->selected += down ? e->selected + 1 < e->now->n : e->selected > 0 ? (size_t)-1 : 0;
		else if (e->selected < e->top)
			e->selected = e->top;
		else if (e->selected >= e->top + rows)
			e->selected = e->top + rows - 1;
		return true;
	}
	if (!(down ? e->now->at_end : e->now->at_begin) || motion == MOVE_SCREEN)
		return false;
	return step_cursor(e, down);	/* at the end, a page moves to the last row */
}

/* If a page ends on a row of losses, move the cursor to the event next to it, on the screen if possible. */
static void
land(struct events *e, bool down)
{
	if (e->selected >= e->now->n || is_event(e, e->selected))
		return;
	for (size_t i = e->selected; i < e->now->n && i < e->top + events_page(e) && down; i++)
		if (is_event(e, i)) {
			e->selected = i;
			return;
		}
	for (size_t i = e->selected + 1; i-- > e->top;)
		if (is_event(e, i)) {
			e->selected = i;
			return;
		}
	for (size_t i = e->selected; i < e->now->n && i < e->top + events_page(e); i++)
		if (is_event(e, i)) {
			e->selected = i;
			return;
		}
}

/* Move as far as there are rows. The rest of the motion follows when more rows arrive. */
unsigned
events_work_off(struct events *e)
{
	struct owed *o = &e->owed;

	while (o->n > 0) {
		bool ended = o->down ? e->now->at_end : e->now->at_begin;
		size_t n = e->now->n, want = events_page(e) * 2 + (o->n < FAR_COUNT ? (size_t)o->n : FAR_COUNT);

		if (step(e, o->motion, o->down)) {
			o->n--;
			continue;
		}
		if (ended || e->now->stopped[o->down]) {
			o->n = 0;
			break;
		}
		if (o->down) {
			window_more(e->now, true, want, true);
			if (e->now->n == n && !e->now->at_end)
				break;
		} else {
			size_t got = window_more(e->now, false, want, true);

			events_shift(e, got);
			if (!got && !e->now->at_begin)
				break;
		}
	}
	if (!o->n && o->motion != MOVE_CURSOR)
		land(e, o->down);
	return events_settle(e);
}

unsigned
events_move(struct events *e, enum motion motion, bool down, uint64_t n)
{
	e->placing = false;
	e->owed = (struct owed) { motion, down, n };
	return events_work_off(e);
}
