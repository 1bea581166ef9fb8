/*
 * look.h - one event read whole: for what is shown about it beside its line
 *
 * A job puts a cursor on the row and reads it; the event then is the session's until it looks at another.
 */
#ifndef LOOK_H
#define LOOK_H

#include "session.h"

/* The row at @at. LOOK_WAIT: it comes; s->wish.looked says when. LOOK_FAILED: s->look.error. */
enum look_state look_at(struct session *s, const struct tn_location *at);
void look_release(struct look *look);

#endif
