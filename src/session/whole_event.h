/*
 * whole_event.h - one event read whole: for what is shown about it beside its line
 *
 * A job puts a cursor on the row and reads it; the event then is the session's until it looks at another.
 */
#ifndef WHOLE_EVENT_H
#define WHOLE_EVENT_H

#include "session.h"

/* The row at @at. WHOLE_EVENT_WAIT: s->wish.looked will be set once it is read. FAILED: s->here.whole.error. */
enum whole_event_state whole_event_at(struct session *s, const struct tn_location *at);
void whole_event_release(struct whole_event *whole);

#endif
