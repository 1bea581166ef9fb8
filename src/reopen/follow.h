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
	int64_t seen_ns;	/* when it was: what is later came since */
	struct job *job;	/* counts that; NULL: none does */
	uint64_t came;
	bool over;		/* nothing more will come */
	bool wants_alone;	/* something has come that is only taken in when nobody uses the traces */
	uint64_t wanted_us, next_us;	/* since when; when to look again */
	uint64_t refreshed_us;
	bool stale;		/* something came since, and is not shown or counted yet */
	char what[512];		/* for the status line: what is missing, or not waited for; "" */
};

/* The work left for the app. */
enum { FOLLOW_END = 1, FOLLOW_REFRESH = 2, FOLLOW_ALONE = 4 };

void follow_reload(struct session *s);
void follow_switch(struct follow *f, struct session *s);
unsigned follow_turn(struct follow *f, struct session *s);	/* look now and then; FOLLOW_... */
/* Unpack no more of the archives. False: none is being unpacked. */
bool follow_stop_unpacking(struct session *s);
/* Nothing uses the set: take in all there is. False: *err says. */
bool follow_take_in(struct follow *f, struct session *s, struct tn_error *err);

#endif
