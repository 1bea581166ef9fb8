/*
 * counts.h - from when to when, how many events there are, how many pass the filters: beside the view
 */
#ifndef COUNTS_H
#define COUNTS_H

#include "session/session.h"

struct counts {
	struct job *range, *events, *matches;	/* that count; NULL: none does */
	bool wants_matches;		/* they are to be counted when there is time */
};

void counts_range(struct counts *c, struct session *s);	/* when the traces begin and end; then s->ranged */
void counts_events(struct counts *c, struct session *s);	/* count all events (in the range) anew */
void counts_matches(struct counts *c, struct session *s);	/* what passes must be counted anew, soon */
void counts_stop_matches(struct counts *c);
/*
 * Begin what is to be counted, when nothing more urgent looks through the trace. @known: all that pass are on the
 * screen, @n of them.
 */
void counts_turn(struct counts *c, struct session *s, bool known, uint64_t n);

#endif
