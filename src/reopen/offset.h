/*
 * offset.h - traces whose clocks are off: their times shifted against the others'
 *
 * The traces are opened again with the shifts. Places that the user has set stay on their events.
 */
#ifndef OFFSET_H
#define OFFSET_H

#include "session/session.h"

/* Shift the trace with that number, or with that text in its path; without @which: show the shifts. */
void offset_set(struct session *s, const char *which, const char *span);
void offset_list(struct session *s);
void offset_begin(struct session *s);	/* take over the shifts that the traces were opened with */
/* Align the traces that share a clock, or if none do, the starts of all traces; align the starts; remove the shifts. */
enum offset_align { OFFSET_CLOCK, OFFSET_START, OFFSET_NONE };
void offset_align(struct session *s, enum offset_align how);

/* Shift the trace of mark @b so that @b is at the time of mark @a. */
void offset_align_marks(struct session *s, char a, char b);

#endif
