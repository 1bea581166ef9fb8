/*
 * events_move.h - motions in the list of events: they continue when the rows they need come
 */
#ifndef VIEWS_EVENTS_MOVE_H
#define VIEWS_EVENTS_MOVE_H

#include "event_line.h"
#include "view.h"

#define FAR_COUNT 2000	/* limit of events that a motion walks itself */

/* The rest of a motion, whose rows are on their way. */
enum motion { MOVE_CURSOR, MOVE_SCREEN, MOVE_BOTH };

struct owed {
	enum motion motion;
	bool down;
	uint64_t n;
};

struct events {
	struct view base;
	struct window *now;	/* the rows on the screen */
	struct window *next;	/* the rows of a jump with a filter, being filled */
	bool waiting;		/* waiting for `next` */
	enum align align;	/* alignment of the target in `next` */
	struct place target;
	size_t split;		/* rows of `next` before the target */
	int64_t since_ms;
	size_t top, selected;	/* row numbers in `now` */
	size_t keep_offset;	/* the offset for ALIGN_KEEP */
	size_t offset;		/* rows from the top to `selected` while `placing` */
	bool placing;		/* until the next motion: `offset` may become possible when more rows come */
	struct owed owed;
	int left;
	int pressed;	/* the cell of the strip where the mouse was pressed; -1: elsewhere */
	struct tn_location wrapped;	/* if lines are wrapped: the line that `left` applies to */
	int shown;		/* rows on the screen at the last drawing */
	struct row_lines line;
};

unsigned events_move(struct events *e, enum motion motion, bool down, uint64_t n);
unsigned events_work_off(struct events *e);	/* continue the motion, as far as there are rows */

/* events_draw.c */
unsigned events_prepare(struct view *v);
void events_draw(struct view *v, struct canvas *c);
int events_pinned_width(const struct events *e, int cols);	/* columns that are not scrolled, of the last line */

/* events_rows.c */
bool events_has_heading(const struct events *e);
bool events_has_strip(const struct events *e);	/* the row of time below the heading */
bool events_has_conditions(const struct session *s);
size_t events_page(const struct events *e);	/* rows on the screen */
size_t events_between(const struct window *w, size_t from, size_t to);	/* number of events, without those around hits */
size_t events_in(const struct window *w);	/* number of events in the window */
void events_shift(struct events *e, size_t before);	/* @before rows came in front of row 0 */
void events_clamp(struct events *e);	/* the cursor and the screen stay within the rows */
void events_get_below(struct events *e, size_t need, bool wait);	/* rows for a screen and @need more */
unsigned events_publish(struct events *e);	/* make the cursor's row the session's row */
unsigned events_settle(struct events *e);

#endif
