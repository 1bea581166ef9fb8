/*
 * jumps.h - where jumps came from, and a jump that waits until the packets on its way are known
 */
#ifndef JUMPS_H
#define JUMPS_H

#include "session/session.h"

#define JUMPS 100

struct jumps {
	struct tn_location place[JUMPS];	/* oldest first */
	size_t n, at;			/* at == n: not in the history */
	/* A jump that waits for the index: to a place, or to what `t` makes of the text once the range is known. */
	struct {
		bool is;
		struct place place;
		enum align align;
		unsigned since;		/* as in struct wish */
		char *text;		/* NULL: the place */
	} later;
};

/* The row one is on is where a jump begins. */
void jumps_remember(struct jumps *j, const struct session *s);
/* Back, forward; false: there is none. */
bool jumps_back(struct jumps *j, const struct session *s, uint64_t count, struct tn_location *out);
bool jumps_forward(struct jumps *j, uint64_t count, struct tn_location *out);

/* The index reaches so far, now or after a moment. */
bool jumps_reach(const struct session *s, const struct place *place);
void jumps_wait(struct jumps *j, const struct place *place, enum align align, unsigned since);
void jumps_wait_text(struct jumps *j, const char *text, unsigned since);
bool jumps_forget_later(struct jumps *j);	/* whether one was waiting */
/* How far the index must reach for what waits; the end of all when nothing does. */
int64_t jumps_later_time(const struct jumps *j);
void jumps_shift(struct jumps *j, const int64_t *by, size_t n);	/* streams were moved in time, by rank */

#endif
