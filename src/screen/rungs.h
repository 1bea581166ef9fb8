/*
 * rungs.h - events between lanes, a line each, with arrows
 */
#ifndef RUNGS_H
#define RUNGS_H

#include "line.h"

#define LADDER_LANES 8		/* limit of lanes that are drawn */
#define LADDER_RUNGS 5000	/* limit of events: nobody reads more lines */
#define RUNGS_KINDS 4

/* The kinds of lanes to try if the user names none; tn_ladder_best() decides which of them fits. */
extern const char *const rungs_kind[RUNGS_KINDS];

/* The width of one of @n lanes, in @room columns for all. */
int rungs_width(size_t n, int room);
/*
 * A lane's name (any bytes), cut at the left: names of lanes differ at their ends. @beside: the name of the number
 * @name, cut at the right; NULL: none.
 */
void rungs_heading(struct line *out, const char *name, const char *beside, int width);
/* The lanes, and the arrow from lane @from to lane @to. A number beyond @n: the event is in none of these lanes. */
void rungs_row(struct line *out, size_t n, size_t from, size_t to, int width, bool utf8);

#endif
