/* jumps.h - places where jumps began, and a jump that waits for the index */
#ifndef JUMPS_H
#define JUMPS_H

#include "session/session.h"

#define JUMPS 100

struct jumps {
	struct tn_location place[JUMPS];	/* oldest first */
	size_t n, at;			/* at == n: the user is not in the history */
	/* A jump to a place, or to the time in `text`, that waits until the index reaches it. */
	struct {
		bool is;
		struct place place;
		enum align align;
		unsigned since;		/* value of `since` in struct wish */
		char *text;		/* text of a time; NULL: jump to the place */
	} later;
};

/* Remember the row at the cursor as the start of a jump. */
void jumps_remember(struct jumps *j, const struct session *s);
/* Go back or forward in the history. False: there is no such place. */
bool jumps_back(struct jumps *j, const struct session *s, uint64_t count, struct tn_location *out);
bool jumps_forward(struct jumps *j, uint64_t count, struct tn_location *out);

/* Whether the index reaches the place, now or after a short wait. */
bool jumps_reach(const struct session *s, const struct place *place);
void jumps_wait(struct jumps *j, const struct place *place, enum align align, unsigned since);
void jumps_wait_text(struct jumps *j, const char *text, unsigned since);
bool jumps_forget_later(struct jumps *j);	/* returns whether a jump was waiting */
/* The time that the index must reach for the waiting jump; without a jump, the end of all traces. */
int64_t jumps_later_time(const struct jumps *j);
void jumps_shift(struct jumps *j, const int64_t *by, size_t n);	/* streams have new shifts, indexed by rank */

#endif
