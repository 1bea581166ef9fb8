/*
 * hunt.h - look for rows from a place on, in one direction; runs in a job
 *
 * Near rows are tried one by one on a cursor, so that what is close is found at once; the rest is a
 * scan with all threads. Each row that passes is handed over with the cursor on it.
 */
#ifndef HUNT_H
#define HUNT_H

#include "job.h"

struct hunt {
	struct place from;
	bool backward;
	/*
	 * Forward, the first row tried is the one at the place; backward the one before it (at the end:
	 * the last). `behind`: forward, the row at the place is left out.
	 */
	bool behind;
	uint64_t limit;			/* stop after so many; 0: none */
	/* A further condition; NULL: none. */
	bool (*want)(void *user, const struct tn_row *row);
	/* Non-zero stops. @cur is on the row; NULL when `rows_only`, which saves placing it. */
	bool rows_only;
	int (*found)(void *user, struct tn_cursor *cur, const struct tn_row *row);
	void *user;
	struct job *job;		/* whose question it is */
};

/*
 * TN_OK: it was stopped by the limit or by found(). TN_END: there are no more rows. TN_ERR_CANCELLED:
 * job->stop. Otherwise *err is set.
 */
enum tn_code hunt_run(struct hunt *h, struct tn_error *err) TN_MUST_CHECK;

#endif
