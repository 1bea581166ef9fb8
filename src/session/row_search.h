/*
 * row_search.h - look for rows from a place on, in one direction; runs in a job
 *
 * A scan from the place, either way, with all threads; its first chunks are small: what is close is found at once.
 */
#ifndef ROW_SEARCH_H
#define ROW_SEARCH_H

#include "job.h"

struct row_search {
	struct place from;
	bool backward;
	/*
	 * Forward, the row at the place is tried first; backward, the row before it (at the end: the last row).
	 * `behind`: forward, the row at the place is left out.
	 */
	bool behind;
	uint64_t limit;			/* stop after this number of matches; 0: no limit */
	/* A further condition; NULL: none. */
	bool (*want)(void *user, const struct tn_row *row);
	/* Non-zero stops. As tn_scan_options.event; `rows_only`: without values, which saves reading them. */
	bool rows_only;
	int (*found)(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why);
	void *user;
	struct job *job;		/* the job of the search */
};

/*
 * TN_OK: it was stopped by the limit or by found(). TN_END: there are no more rows. TN_ERR_CANCELLED:
 * job->stop. Otherwise *err is set.
 */
enum tn_code row_search_run(struct row_search *h, struct tn_error *err) TN_MUST_CHECK;

#endif
