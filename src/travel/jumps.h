/*
 * jumps.h - places where jumps began, and a jump that waits until the packets on its way are known
 */
#ifndef JUMPS_H
#define JUMPS_H

#include "session/session.h"

#define JUMPS 100

struct jumps {
	struct tn_location place[JUMPS];	/* oldest first */
	size_t n, at;			/* at == n: not in the history */
	/* A jump that waits for the index: to a place, or to the time in the text, once the range is known. */
	struct {
		bool is;
		struct place place;
		enum align align;
		unsigned since;		/* `since` of struct wish */
		char *text;		/* the text of a time; NULL: jump to the place */
	} later;
};

/* Remember the user's row as the start of a jump. */
void jumps_remember(struct jumps *j, const struct session *s);
/* Go back, forward; false: no such place. */
bool jumps_back(struct jumps *j, const struct session *s, uint64_t count, struct tn_location *out);
bool jumps_forward(struct jumps *j, uint64_t count, struct tn_location *out);

/* Whether the index reaches as far as the place, now or after a moment. */
bool jumps_reach(const struct session *s, const struct place *place);
void jumps_wait(struct jumps *j, const struct place *place, enum align align, unsigned since);
void jumps_wait_text(struct jumps *j, const char *text, unsigned since);
bool jumps_forget_later(struct jumps *j);	/* returns whether a jump was waiting */
/* How far the index must reach for the waiting jump; without one, the end of all traces. */
int64_t jumps_later_time(const struct jumps *j);
void jumps_shift(struct jumps *j, const int64_t *by, size_t n);	/* streams have new shifts, by rank */

#endif
