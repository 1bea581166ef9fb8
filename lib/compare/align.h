/*
 * align.h - the longest common subsequence of two sequences of numbers
 *
 * First, equal starts and ends are left out, and numbers that only one side has; this does not change the result. The
 * rest is divided at the middle of a shortest edit script, which is searched from both ends at once. Each half is divided
 * again. Memory is linear. Time is at most the length times the number of differences; `most_work` limits it.
 *
 * Source  E. W. Myers, An O(ND) Difference Algorithm and Its Variations, Algorithmica 1, 1986: 4b, the linear space
 *         refinement
 */
#ifndef TN_COMPARE_ALIGN_H
#define TN_COMPARE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tnav/error.h>

#define TN_ALIGN_MOST ((size_t)1 << 24)	/* limit of numbers on each side */
#define TN_ALIGN_WORK ((uint64_t)1 << 28)	/* limit of steps; this number takes about a second */

struct tn_alignment {
	const uint32_t *side[2];
	size_t n[2];
	uint32_t numbers;		/* upper bound of the numbers */
	uint64_t most_work;
	bool (*stopped)(void *user);	/* returns true to stop; or NULL */
	void *user;
	/* tn_align() sets the following members. */
	uint8_t *kept[2];		/* 1 for each number of a side that is in the subsequence; the caller frees them */
	size_t common;			/* length of the common part */
	bool is_approximate;		/* the work limit was reached: the common subsequence may not be the longest */
};

/* TN_ERR_CANCELLED: `stopped` returned true. */
enum tn_code tn_align(struct tn_alignment *a, struct tn_error *err) TN_MUST_CHECK;

#endif
