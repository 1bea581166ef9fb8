/* rungs.h - draw events as lines with arrows between lanes */
#ifndef RUNGS_H
#define RUNGS_H

#include "line.h"

#define LADDER_LANES 8		/* largest number of lanes that are drawn */
#define LADDER_RUNGS 5000	/* largest number of events; nobody reads more lines */
#define RUNGS_KINDS 4

/* The kinds of lanes to try if the user names none; tn_ladder_best() chooses one of them. */
extern const char *const rungs_kind[RUNGS_KINDS];

/* The width of each of @n lanes that share @room columns. */
int rungs_width(size_t n, int room);
/*
 * Append a lane's name (any bytes), with its start cut off if necessary, since names of lanes differ at their ends.
 * @beside: a name for the number @name, with its end cut off if necessary; NULL: none.
 */
void rungs_heading(struct line *out, const char *name, const char *beside, int width);
/*
 * Append the lanes, with an arrow from lane @from to lane @to. A number of at least @n: the event is in none of these
 * lanes.
 */
void rungs_row(struct line *out, size_t n, size_t from, size_t to, int width, bool utf8);

#endif
