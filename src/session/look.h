/*
 * look.h - one event read whole: for what is shown about it beside its line
 *
 * A job puts a cursor on the row and reads it; the event then is the session's until it looks at another.
 */
#ifndef LOOK_H
#define LOOK_H

#include "job.h"

enum look_state { LOOK_NONE, LOOK_WAIT, LOOK_READY, LOOK_FAILED };

struct look {
	enum look_state state;
	struct tn_location at;
	struct tn_cursor *cur;		/* LOOK_READY: on the row */
	struct tn_row row;
	const struct tn_event *event;	/* its values; NULL of notices, and of events that cannot be read */
	struct tn_error error;		/* why there is none */
	struct job *job;
};

/* The row at @at. LOOK_WAIT: it comes; s->wish.looked says when. LOOK_FAILED: s->look.error. */
enum look_state look_at(struct session *s, const struct tn_location *at);
void look_release(struct look *look);

#endif
