/*
 * statistics.h - tests of two samples whose values come in bursts
 *
 * Events that are near in time are similar. So each sample is divided into blocks of time. A test uses the variation
 * between blocks if it is larger than that of independent values. If the variation still rises with the length of the
 * blocks, the tests assume that it rises up to the length of the recording.
 */
#ifndef TN_COMPARE_STATISTICS_H
#define TN_COMPARE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_COMPARE_BLOCKS 32
#define TN_COMPARE_STEPS 64	/* number of steps in a power of two; a step is at most 1.6 % wide */
#define TN_COMPARE_PAGES 64	/* number of powers of two */

/* The durations of one kind on one side, by size and by block. */
struct tn_durations {
	uint64_t n;
	uint32_t (*page[TN_COMPARE_PAGES])[TN_COMPARE_BLOCKS][TN_COMPARE_STEPS];	/* NULL: no durations of this size */
};

/* Add a duration, and add the bytes that were allocated to *new_bytes. False: memory is out. */
bool tn_durations_add(struct tn_durations *d, uint64_t duration_ns, size_t block, size_t *new_bytes);
void tn_durations_release(struct tn_durations *d);

/* Results of the tests of durations: the probabilities of the results if nothing has changed. 1: not tested. */
struct tn_duration_tests {
	double by_rank;		/* result of the Mann-Whitney test */
	double beyond_p90, beyond_p99;	/* test results for the numbers of values above the other side's p90 and p99 */
};

void tn_test_durations(struct tn_duration_tests *out, const struct tn_durations *first, const struct tn_durations *second);

/* The counts of one item in slices of time. */
struct tn_counts_over_time {
	uint64_t n;
	uint64_t slice[TN_COMPARE_BLOCKS];
	const double *weight;	/* expected share of each slice: of its length, or of all events; the sum is 1 */
};

/*
 * The probability that two counts differ by chance, if the first is expected to be @ratio times the second. For small
 * counts it is exact; otherwise the result of a G-test is divided by the dispersion of the slices.
 */
double tn_test_counts(const struct tn_counts_over_time *first, const struct tn_counts_over_time *second, double ratio);

/* G for a table of two shares, @a of @n and @b of @m; 0: nothing to compare. */
double tn_shares_g(uint64_t a, uint64_t n, uint64_t b, uint64_t m);
/*
 * The exact probability, by chance, of a share of at least @a of @n, if the other share is @b of @m. For numbers up to
 * some thousands.
 */
double tn_shares_exact(uint64_t a, uint64_t n, uint64_t b, uint64_t m);
/* The probability of this G by chance. */
double tn_shares_probability(double g);

#endif
