/*
 * whole_event.h - read an event with all values, for views that show more than its line
 *
 * A job puts a cursor on the row and reads the event. The event then belongs to the session, until another one is read.
 */
#ifndef WHOLE_EVENT_H
#define WHOLE_EVENT_H

#include "session.h"

/*
 * Read the row at @at. WHOLE_EVENT_WAIT: s->wish.looked will be set when it is read. FAILED: s->here.whole.error has the
 * reason.
 */
enum whole_event_state whole_event_at(struct session *s, const struct tn_location *at);
void whole_event_release(struct whole_event *whole);

#endif
