/*
 * align.h - the longest common subsequence of two sequences of numbers
 *
 * Numbers that only one side has are left out first, and equal beginnings and ends: this changes nothing. The rest is divided
 * at the middle of a shortest edit script, found from both ends at once, and each half again. Memory is linear. Time is at most
 * the length times the number of differences; `most_work` bounds it.
 *
 * Source  E. W. Myers, An O(ND) Difference Algorithm and Its Variations, Algorithmica 1, 1986: 4b, the linear space refinement
 */
#ifndef TN_COMPARE_ALIGN_H
#define TN_COMPARE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tnav/error.h>

#define TN_ALIGN_MOST ((size_t)1 << 24)	/* numbers on each side */
#define TN_ALIGN_WORK ((uint64_t)1 << 28)	/* steps: about a second */

struct tn_alignment {
	const uint32_t *side[2];
	size_t n[2];
	uint32_t numbers;		/* each number is less */
	uint64_t most_work;
	bool (*stopped)(void *user);	/* or NULL */
	void *user;
	/* Set by tn_align(): */
	uint8_t *kept[2];		/* 1 for each number of a side that is in the subsequence; the caller frees them */
	size_t common;			/* length of the common part */
	bool is_approximate;		/* the work was bounded: a common subsequence, but maybe not the longest */
};

/* TN_ERR_CANCELLED: stopped. */
enum tn_code tn_align(struct tn_alignment *a, struct tn_error *err) TN_MUST_CHECK;

#endif
