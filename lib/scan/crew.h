/*
 * crew.h - work in pieces that is handed out in order and delivered in order
 *
 * The caller's thread fills slots and delivers them, both in order; in between any thread works on a
 * slot, the caller's too when it has nothing better to do. What comes out does not depend on the
 * number of threads.
 */
#ifndef TN_SCAN_CREW_H
#define TN_SCAN_CREW_H

#include <stdbool.h>

#include "base/error.h"

#define TN_CREW_SLOTS 40

struct tn_crew;

struct tn_crew_ops {
	enum tn_code (*fill)(void *user, size_t slot, struct tn_error *err);	/* TN_END: there is no more */
	void (*work)(void *user, size_t slot, unsigned thread);
	enum tn_code (*deliver)(void *user, size_t slot, struct tn_error *err);	/* TN_END: no more is wanted */
	/* Something else to do for a thread that is not the caller's: false when there is nothing. NULL: never. */
	bool (*aside)(void *user);
};

/* How many slots are in use with so many threads. */
size_t tn_crew_slots(unsigned threads);

/* Run to the end (TN_OK), or the first failure. *handle is set while it runs, for tn_crew_wake(). */
enum tn_code tn_crew_run(unsigned threads, const struct tn_crew_ops *ops, void *user, struct tn_crew **handle,
			 struct tn_error *err);

/* There is something aside to do. NULL is allowed. */
void tn_crew_wake(struct tn_crew *crew);

#endif
