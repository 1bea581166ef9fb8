/* follow.h - traces that grow: opened again on request, or followed as new data arrives */
#ifndef FOLLOW_H
#define FOLLOW_H

#include <tnav/grow.h>

#include "session/session.h"

struct follow {
	bool on, paused;	/* paused: the user looks elsewhere */
	bool was_paused;
	int64_t seen_ns;	/* end of the traces when the pause began; later events are new */
	struct job *job;	/* job that counts new events; NULL: none */
	uint64_t came;
	bool over;		/* no more data will arrive */
	bool wants_alone;	/* new data waits until nothing else uses the traces */
	uint64_t wanted_us, next_us;	/* since when it waits; time of the next check for new data */
	uint64_t refreshed_us;
	bool stale;		/* some new data is not shown or counted */
	char what[512];		/* text for the status line: missing data, or data no longer awaited */
};

/* The work left for the app. */
enum { FOLLOW_END = 1, FOLLOW_REFRESH = 2, FOLLOW_ALONE = 4 };

void follow_reload(struct session *s);
void follow_switch(struct follow *f, struct session *s);
unsigned follow_turn(struct follow *f, struct session *s);	/* check for new data from time to time; returns FOLLOW_... */
/* Stop unpacking archives. False: no archive is being unpacked. */
bool follow_stop_unpacking(struct session *s);
/* Take in all new data while nothing else uses the set. False: *err has the reason. */
bool follow_take_in(struct follow *f, struct session *s, struct tn_error *err);

#endif
