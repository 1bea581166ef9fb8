/*
 * events_move.h - motions in the list of events: they continue when the rows they need come
 */
#ifndef VIEWS_EVENTS_MOVE_H
#define VIEWS_EVENTS_MOVE_H

#include "event_line.h"
#include "view.h"

#define FAR_COUNT 2000	/* events that a motion walks by itself */

/* The rest of a motion: the rows for it are on their way. */
enum motion { MOVE_CURSOR, MOVE_SCREEN, MOVE_BOTH };

struct owed {
	enum motion motion;
	bool down;
	uint64_t n;
};

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
	struct owed owed;
	int left;
	int pressed;	/* the cell of the strip where the mouse was pressed; -1: elsewhere */
	struct tn_location wrapped;	/* the line that `left` is about where lines are wrapped */
	int shown;		/* rows that the screen showed at last */
	struct row_lines line;
};

unsigned events_move(struct events *e, enum motion motion, bool down, uint64_t n);
unsigned events_work_off(struct events *e);	/* the rest of a motion, as far as there are rows */

/* events_draw.c */
unsigned events_prepare(struct view *v);
void events_draw(struct view *v, struct canvas *c);
int events_pinned_width(const struct events *e, int cols);	/* columns that are not scrolled, of the line last composed */

/* events_rows.c */
bool events_has_heading(const struct events *e);
bool events_has_strip(const struct events *e);	/* the row of time below the heading */
bool events_has_conditions(const struct session *s);
size_t events_page(const struct events *e);	/* rows on the screen */
size_t events_between(const struct window *w, size_t from, size_t to);	/* events among rows; those around hits are none */
size_t events_in(const struct window *w);	/* among all of them */
void events_shift(struct events *e, size_t before);	/* rows came in front */
void events_clamp(struct events *e);	/* the cursor and the screen stay within the rows */
void events_get_below(struct events *e, size_t need, bool wait);	/* rows for a screen and @need more */
unsigned events_publish(struct events *e);	/* the session's row is the cursor's */
unsigned events_settle(struct events *e);

#endif
