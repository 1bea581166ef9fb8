/* counts.h - jobs that find the time range and count all events, events that pass the filters, and hits */
#ifndef COUNTS_H
#define COUNTS_H

#include "views/view.h"

struct counts {
	struct job *range, *events;	/* running jobs; NULL: none */
	int64_t until_ns;		/* growing traces: `events` counted up to this time */
	int64_t ranged_ns;		/* growing traces: settled_ns when `range` began */
};

void counts_range(struct counts *c, struct session *s);	/* find begin and end of the traces; this sets s->ranged */
void counts_events(struct counts *c, struct session *s);	/* count all events, or if a range is set, those in the range */
/* Request a new count of the events that pass the filters; of the hits of the search; of all events. */
void counts_matches(struct session *s);
void counts_found(struct session *s);
void counts_all(struct session *s);
void counts_stop_matches(struct session *s);
/* Begin requested counts when no urgent job reads the traces, and find the number of the row at the cursor. */
void counts_turn(struct counts *c, struct session *s, const struct view *events);
bool counts_stop(struct session *s);	/* stop counting and keep the counts so far; false: no count was running */
bool counts_wait(const struct session *s);	/* some requested count still waits */

#endif
