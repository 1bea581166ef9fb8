/*
 * offset.h - traces whose clocks are off: their times shifted against the others'
 *
 * The traces are opened again with the shifts. Places that the user has set stay on their events.
 */
#ifndef OFFSET_H
#define OFFSET_H

#include "session/session.h"

/* Shift the trace of that number, or with that text in its path; without @which: say the shifts. */
void offset_set(struct session *s, const char *which, const char *span);
void offset_list(struct session *s);
void offset_begin(struct session *s);	/* take over the shifts that the traces were opened with */
/* By the clock that traces share, the others stay, or if none do: so that all begin together; only that; as they are. */
enum offset_align { OFFSET_CLOCK, OFFSET_START, OFFSET_NONE };
void offset_align(struct session *s, enum offset_align how);

/* The trace of mark @b is shifted so that @b is at the time of mark @a. */
void offset_align_marks(struct session *s, char a, char b);

#endif
