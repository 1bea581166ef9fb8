/*
 * counts.h - from when to when, how many events there are, how many pass the filters: beside the view
 */
#ifndef COUNTS_H
#define COUNTS_H

#include "views/view.h"

struct counts {
	struct job *range, *events;	/* running jobs; NULL: none */
	int64_t until_ns;		/* growing traces: the time up to which `events` has counted */
	int64_t ranged_ns;		/* growing traces: settled_ns at the start of `range` */
};

void counts_range(struct counts *c, struct session *s);	/* find begin and end of the traces; then set s->ranged */
void counts_events(struct counts *c, struct session *s);	/* count all events; events in the range are counted apart */
/* The tallies: count the passing events anew, soon; the hits of the search; all events. */
void counts_matches(struct session *s);
void counts_found(struct session *s);
void counts_all(struct session *s);
void counts_stop_matches(struct session *s);
/* Begin wanted counts when no more urgent job reads the traces, and find the number of the user's row. */
void counts_turn(struct counts *c, struct session *s, const struct view *events);
bool counts_stop(struct session *s);	/* the user stops counting: counts so far are kept; false: nothing ran */
bool counts_wait(const struct session *s);	/* a count is wanted and has not started */

#endif
