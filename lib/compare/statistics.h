/*
 * statistics.h - tests of two samples whose parts come in bursts
 *
 * Events that are near in time are alike. Each sample is therefore divided into blocks of time. A test uses the
 * variation between blocks where it is larger than that of independent values. If it still rises with the length of
 * the blocks, the tests assume that it rises up to the length of the whole.
 */
#ifndef TN_COMPARE_STATISTICS_H
#define TN_COMPARE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_COMPARE_BLOCKS 32
#define TN_COMPARE_STEPS 64	/* steps in a power of two: a step is at most 1.6 % wide */
#define TN_COMPARE_PAGES 64	/* powers of two */

/* Durations of one kind on one side, by size and by block. */
struct tn_durations {
	uint64_t n;
	uint32_t (*page[TN_COMPARE_PAGES])[TN_COMPARE_BLOCKS][TN_COMPARE_STEPS];	/* NULL: none of this size */
};

/* Count a duration. False: memory is out. @new_bytes grows by the allocated bytes. */
bool tn_durations_add(struct tn_durations *d, uint64_t duration_ns, size_t block, size_t *new_bytes);
void tn_durations_release(struct tn_durations *d);

/* Results of the tests of durations; the probabilities are those of no difference. 1: not tested. */
struct tn_duration_tests {
	double by_rank;		/* Mann-Whitney */
	double beyond_p90, beyond_p99;	/* values beyond the other side's p90 and p99 */
};

void tn_test_durations(struct tn_duration_tests *out, const struct tn_durations *first, const struct tn_durations *second);

/* Counts of one thing over slices of time. */
struct tn_counts_over_time {
	uint64_t n;
	uint64_t slice[TN_COMPARE_BLOCKS];
	const double *weight;	/* expected part of each slice: its length, or all events in it; sum 1 */
};

/*
 * The probability that two counts differ by chance, if the first is expected to be @ratio times the second. Exact for
 * few; else a G-test, whose result is divided by the dispersion of the slices.
 */
double tn_test_counts(const struct tn_counts_over_time *first, const struct tn_counts_over_time *second, double ratio);

/* G of a table of two shares, @a of @n and @b of @m; 0: nothing to compare. */
double tn_shares_g(uint64_t a, uint64_t n, uint64_t b, uint64_t m);
/* The probability by chance of a share of at least @a of @n, beside @b of @m; exact. For few, at most some thousands. */
double tn_shares_exact(uint64_t a, uint64_t n, uint64_t b, uint64_t m);
/* The probability of such a G by chance. */
double tn_shares_probability(double g);

#endif
