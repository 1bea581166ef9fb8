/*
 * follow.h - traces that grow: opened again by hand, or taken in as they come
 */
#ifndef FOLLOW_H
#define FOLLOW_H

#include <tnav/grow.h>

#include "session/session.h"

struct follow {
	bool on, paused;	/* paused: the user looks elsewhere */
	bool was_paused;
	int64_t seen_ns;	/* end of the traces when the user looked away; later events are new */
	struct job *job;	/* counts the new events; NULL: no job */
	uint64_t came;
	bool over;		/* nothing more will come */
	bool wants_alone;	/* new data can only be taken in when nothing uses the traces */
	uint64_t wanted_us, next_us;	/* start of that wish; time of the next look for new data */
	uint64_t refreshed_us;
	bool stale;		/* new data is not shown or counted yet */
	char what[512];		/* for the status line: what is missing, or is no longer awaited; "" */
};

/* The work left for the app. */
enum { FOLLOW_END = 1, FOLLOW_REFRESH = 2, FOLLOW_ALONE = 4 };

void follow_reload(struct session *s);
void follow_switch(struct follow *f, struct session *s);
unsigned follow_turn(struct follow *f, struct session *s);	/* look for new data now and then; FOLLOW_... */
/* Stop unpacking archives. False: none is being unpacked. */
bool follow_stop_unpacking(struct session *s);
/* Take in all new data, while nothing uses the set. False: *err has the reason. */
bool follow_take_in(struct follow *f, struct session *s, struct tn_error *err);

#endif
