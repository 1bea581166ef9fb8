/* events_move.h - motions in the list of events, which continue when the needed rows arrive */
#ifndef VIEWS_EVENTS_MOVE_H
#define VIEWS_EVENTS_MOVE_H

#include "event_line.h"
#include "view.h"

#define FAR_COUNT 2000	/* limit of events that a motion passes without a job */

/* The rest of a motion whose rows have not arrived. */
enum motion { MOVE_CURSOR, MOVE_SCREEN, MOVE_BOTH };

struct owed {
	enum motion motion;
	bool down;
	uint64_t n;
};

struct events {
	struct view base;
	struct window *now;	/* the rows on the screen */
	struct window *next;	/* the rows of a jump with a filter, while they arrive */
	bool waiting;		/* the view waits for `next` */
	enum align align;	/* where the target of `next` is on the screen */
	struct place target;
	size_t split;		/* number of rows in `next` before the target */
	int64_t since_ms;
	size_t top, selected;	/* indices in `now` */
	size_t keep_offset;	/* offset for ALIGN_KEEP */
	size_t offset;		/* wanted number of rows from the top to `selected`, while `placing` */
	bool placing;		/* true until the next motion: more rows may make `offset` possible */
	struct owed owed;
	int left;
	int pressed;	/* the cell of the strip where the mouse was pressed; -1: another place */
	struct tn_location wrapped;	/* if lines are wrapped: the line that is scrolled by `left` */
	int shown;		/* number of rows on the screen when it was drawn last */
	struct row_lines line;
};

unsigned events_move(struct events *e, enum motion motion, bool down, uint64_t n);
unsigned events_work_off(struct events *e);	/* continues the motion as far as there are rows */

/* events_draw.c */
unsigned events_prepare(struct view *v);
void events_draw(struct view *v, struct canvas *c);
int events_pinned_width(const struct events *e, int cols);	/* width of the columns that do not scroll, in the last line */

/* events_rows.c */
bool events_has_heading(const struct events *e);
bool events_has_strip(const struct events *e);	/* whether the strip is below the heading */
bool events_has_conditions(const struct session *s);
size_t events_page(const struct events *e);	/* number of rows on the screen */
size_t events_between(const struct window *w, size_t from, size_t to);	/* number of events, without those around hits */
size_t events_in(const struct window *w);	/* number of events in the window */
void events_shift(struct events *e, size_t before);	/* @before rows were added before row 0 */
void events_clamp(struct events *e);	/* keeps the cursor and the screen inside of the rows */
void events_get_below(struct events *e, size_t need, bool wait);	/* gets rows for a screen, and @need more */
unsigned events_publish(struct events *e);	/* makes the cursor's row that of the session */
unsigned events_settle(struct events *e);

#endif
