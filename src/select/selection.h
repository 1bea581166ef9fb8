/*
 * selection.h - how much is selected while the selection grows: counted beside the view
 */
#ifndef SELECTION_H
#define SELECTION_H

#include "session/session.h"

struct line;

struct selection {
	struct job *job;
	bool known;
	uint64_t events;
	struct tn_location from, to;	/* of what is counted, or was */
};

void selection_turn(struct selection *sel, struct session *s);	/* the cursor may have moved */
/* From its first to its last event's time; false: nothing is selected, or has no time. */
bool selection_bounds(const struct session *s, struct bounds *out);
void selection_put(const struct selection *sel, const struct session *s, struct line *out, bool brief);

#endif
