/*
 * offset.h - shift the times of a trace whose clock differs
 *
 * The traces are opened again with the new shifts. Marks and other places stay on their events.
 */
#ifndef OFFSET_H
#define OFFSET_H

#include "session/session.h"

/* Shift the trace with this number, or with this text in its path. Without @which: show the shifts. */
void offset_set(struct session *s, const char *which, const char *span);
void offset_list(struct session *s);
void offset_begin(struct session *s);	/* take over the shifts with which the traces were opened */
/*
 * OFFSET_CLOCK: align traces that share a clock, or if none do, align all starts. OFFSET_START: align all starts.
 * OFFSET_NONE: remove the shifts.
 */
enum offset_align { OFFSET_CLOCK, OFFSET_START, OFFSET_NONE };
void offset_align(struct session *s, enum offset_align how);

/* Shift the trace of mark @b so that @b is at the time of mark @a. */
void offset_align_marks(struct session *s, char a, char b);

#endif
