/*
 * events_move.h - motions in the list of events: they go on when the rows they need come
 */
#ifndef VIEWS_EVENTS_MOVE_H
#define VIEWS_EVENTS_MOVE_H

#include "event_line.h"
#include "view.h"

#define FAR_COUNT 2000	/* events that a motion walks by itself */

/* What is left of a motion: the rows for it are on their way. */
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
	int shown;		/* rows that the screen showed at last */
	struct row_lines line;
};

unsigned events_move(struct events *e, enum motion motion, bool down, uint64_t n);
unsigned events_work_off(struct events *e);	/* what is left of a motion, as far as there are rows */

/* events.c */
size_t events_page(const struct events *e);	/* rows on the screen */
size_t events_in(const struct window *w);	/* events among its rows */
void events_shift(struct events *e, size_t before);	/* rows came in front */
unsigned events_settle(struct events *e);

#endif
