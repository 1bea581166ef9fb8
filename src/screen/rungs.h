/*
 * rungs.h - events between lanes, a line each, with arrows
 */
#ifndef RUNGS_H
#define RUNGS_H

#include "line.h"

#define LADDER_LANES 8		/* are drawn */
#define LADDER_RUNGS 5000	/* are read: nobody reads more */
#define RUNGS_KINDS 4

/* The kinds of lanes to try if the user names none; tn_ladder_best() decides which of them fits. */
extern const char *const rungs_kind[RUNGS_KINDS];

/* How wide one of @n lanes is where there is @room for all. */
int rungs_width(size_t n, int room);
/*
 * A lane's name (any bytes), cut at the left: what tells them apart is their end. @beside: the name of the number @name, cut
 * at the right; NULL: none.
 */
void rungs_heading(struct line *out, const char *name, const char *beside, int width);
/* The lanes, and the way from lane @from to lane @to: beyond @n: it is in none of these. */
void rungs_row(struct line *out, size_t n, size_t from, size_t to, int width, bool utf8);

#endif
