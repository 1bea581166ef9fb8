/*
 * counts.h - from when to when, how many events there are, how many pass the filters: beside the view
 */
#ifndef COUNTS_H
#define COUNTS_H

#include "views/view.h"

struct counts {
	struct job *range, *events;	/* that count; NULL: none does */
	int64_t until_ns;		/* of traces that grow: so far `events` counted */
	int64_t ranged_ns;		/* of traces that grow: settled_ns when `range` began */
};

void counts_range(struct counts *c, struct session *s);	/* when the traces begin and end; then s->ranged */
void counts_events(struct counts *c, struct session *s);	/* how many there are, in the range, is another number */
/* The tallies: what passes must be counted anew, soon; hits of the search; every event there is. */
void counts_matches(struct session *s);
void counts_found(struct session *s);
void counts_all(struct session *s);
void counts_stop_matches(struct session *s);
/* Begin what is to be counted, when nothing more urgent looks through the trace, and number the row one is on. */
void counts_turn(struct counts *c, struct session *s, const struct view *events);
bool counts_stop(struct session *s);	/* the user stops counting: what was counted so far is kept; false: nothing was */
bool counts_wait(const struct session *s);	/* a count is wanted that did not start yet */

#endif
