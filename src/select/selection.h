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
	struct tn_location from, to;	/* the range being counted, or counted last */
};

void selection_turn(struct selection *sel, struct session *s);	/* the cursor may have moved */
/* The times of the first and the last selected event; false: no selection, or no times. */
bool selection_bounds(const struct session *s, struct bounds *out);
void selection_put(const struct selection *sel, const struct session *s, struct line *out, bool brief);

#endif
