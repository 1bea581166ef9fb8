/*
 * follow.h - files that grow: looked at again by hand, or now and then
 */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "session/session.h"

struct follow {
	bool on, paused;	/* paused: the user looks elsewhere */
	uint64_t size;		/* bytes of the files when they were looked at last */
};

void follow_reload(struct session *s);
void follow_switch(struct follow *f, struct session *s);
void follow_turn(struct follow *f, struct session *s);	/* look now and then whether the files have grown */

#endif
