/* selection.h - count the selected events while the selection grows, in a job */
#ifndef SELECTION_H
#define SELECTION_H

#include "session/session.h"

struct line;

struct selection {
	struct job *job;
	bool known;
	uint64_t events;
	struct tn_location from, to;	/* range that is being counted, or was counted last */
};

void selection_turn(struct selection *sel, struct session *s);	/* update the count if the cursor moved */
/* Find the times of the first and last selected event. False: no selection, or events without a time. */
bool selection_bounds(const struct session *s, struct bounds *out);
void selection_put(const struct selection *sel, const struct session *s, struct line *out, bool brief);

#endif
