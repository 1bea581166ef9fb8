/*
 * row_search.h - search for rows from a place on, in one direction; for jobs
 *
 * It scans from the place on, in either direction, with all threads. The first chunks are small, so that near rows are
 * found at once.
 */
#ifndef ROW_SEARCH_H
#define ROW_SEARCH_H

#include "job.h"

struct row_search {
	struct place from;
	bool backward;
	/*
	 * Forward, the search begins with the row at the place; with `behind`, with the row after it. Backward, it begins
	 * with the row before the place; from the end, with the last row.
	 */
	bool behind;
	uint64_t limit;			/* stop after this number of matching rows; 0: no limit */
	/* An additional condition; NULL: none. */
	bool (*want)(void *user, const struct tn_row *row);
	/*
	 * Called for each matching row, like tn_scan_options.event; non-zero stops. `rows_only`: without values, which is
	 * faster.
	 */
	bool rows_only;
	int (*found)(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why);
	void *user;
	struct job *job;		/* the job that searches */
};

/*
 * TN_OK: the limit or found() has stopped the search. TN_END: there are no more rows. TN_ERR_CANCELLED: job->stop was
 * set. For other results *err is set.
 */
enum tn_code row_search_run(struct row_search *h, struct tn_error *err) TN_MUST_CHECK;

#endif
