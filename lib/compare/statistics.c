/* statistics.c - the Mann-Whitney test with ties, tests of tails, and G-tests, over blocks of time */
#include <math.h>
#include <stdlib.h>

#include "compare/statistics.h"
#include "base/array.h"

/* ---- durations by size ---- */

/* Sizes less than TN_COMPARE_STEPS have one step each. Each larger power of two has TN_COMPARE_STEPS steps. */
static void
place(uint64_t v, size_t *page, size_t *step)
{
	unsigned shift;

	if (v < TN_COMPARE_STEPS) {
		*page = 0;
		*step = (size_t)v;
		return;
	}
	shift = 63 - (unsigned)__builtin_clzll(v) - 6;
	*page = shift + 1;
	*step = (size_t)(v >> shift) - TN_COMPARE_STEPS;
}

bool
tn_durations_add(struct tn_durations *d, uint64_t duration_ns, size_t block, size_t *new_bytes)
{
	size_t page, step;

	place(duration_ns, &page, &step);
	if (!d->page[page]) {
		d->page[page] = calloc(1, sizeof *d->page[page]);
		if (!d->page[page])
			return false;
		*new_bytes += sizeof *d->page[page];
	}
	d->n++;
	(*d->page[page])[block][step]++;
	return true;
}

void
tn_durations_release(struct tn_durations *d)
{
	for (size_t i = 0; i < TN_COMPARE_PAGES; i++)
		free(d->page[i]);
	*d = (struct tn_durations) { 0 };
}

static uint64_t
in_step(const struct tn_durations *d, size_t page, size_t step)
{
	uint64_t n = 0;

	for (size_t b = 0; d->page[page] && b < TN_COMPARE_BLOCKS; b++)
		n += (*d->page[page])[b][step];
	return n;
}

/* ---- variation between blocks ---- */

/* For each block, a sum of deviations from the mean; and the sum of their squares, as if the values were independent. */
struct deviations {
	double block[TN_COMPARE_BLOCKS];
	double squares;
};

/*
 * The factor by which blocks vary more than with independent values; 1: they do not. The factor is used only if chance
 * does not explain it: the limits are 99 % quantiles of chi-square for its degrees of freedom.
 */
static double
inflation(const struct deviations *d, double *freedom)
{
	static const double limit[] = { 1.68, 2.04, 2.64 };
	double sum[TN_COMPARE_BLOCKS], factor[3] = { 1, 1, 1 }, most = 1, growth;
	size_t n = TN_COMPARE_BLOCKS;

	*freedom = 0;
	if (!(d->squares > 0))
		return 1;
	for (size_t i = 0; i < n; i++)
		sum[i] = d->block[i];
	for (size_t scale = 0; scale < 3; scale++, n /= 2) {
		double squares = 0;

		for (size_t i = 0; i < n; i++)
			squares += sum[i] * sum[i];
		factor[scale] = squares / d->squares * (double)n / (double)(n - 1);
		if (factor[scale] > limit[scale] && factor[scale] > most) {
			most = factor[scale];
			*freedom = (double)(n - 1);
		}
		for (size_t i = 0; i < n / 2; i++)
			sum[i] = sum[2 * i] + sum[2 * i + 1];
	}
	/*
	 * Blocks of four times the length vary more. A whole recording is eight times as long again, and may vary still
	 * more.
	 */
	growth = factor[2] / fmax(factor[0], 1);
	if (factor[2] > limit[2] && growth > 1.5) {
		most = fmax(most, factor[2] * pow(fmin(growth, 4), 1.5));
		*freedom = TN_COMPARE_BLOCKS / 4 - 1;
	}
	return most;
}

/*
 * The deviations of a difference, @a minus @b. Slices are compared at the same part of both times, so phases that both
 * sides have, such as a start, are not variation.
 */
static void
subtract(struct deviations *out, const struct deviations *a, double of_a, const struct deviations *b, double of_b)
{
	for (size_t i = 0; i < TN_COMPARE_BLOCKS; i++)
		out->block[i] = a->block[i] / of_a - b->block[i] / of_b;
	out->squares = a->squares / (of_a * of_a) + b->squares / (of_b * of_b);
}

/*
 * Two-sided probability of a normal distribution; approximately of Student's distribution, if the variation was estimated
 * from blocks.
 */
static double
probability(double z, double freedom)
{
	z = fabs(z);
	/* The normal score with nearly the same probability (Wallace 1959). */
	if (freedom > 0)
		z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(z * z / freedom));
	return erfc(z / sqrt(2));
}

/* ---- durations ---- */

/* The mean, over the values of @of, of the part of @other that is less; half of a tie counts as less. */
static double
mean_rank(const struct tn_durations *of, const struct tn_durations *other, double *ties)
{
	double below = 0, sum = 0;

	for (size_t p = 0; p < TN_COMPARE_PAGES; p++)
		for (size_t s = 0; (of->page[p] || other->page[p]) && s < TN_COMPARE_STEPS; s++) {
			double n = (double)in_step(of, p, s), m = (double)in_step(other, p, s), t = n + m;

			sum += n * (below + m / 2);
			below += m;
			*ties += t * t * t - t;
		}
	return sum / ((double)of->n * (double)other->n);
}

static void
rank_deviations(struct deviations *out, const struct tn_durations *of, const struct tn_durations *other, double mean)
{
	double below = 0;

	*out = (struct deviations) { .squares = 0 };
	for (size_t p = 0; p < TN_COMPARE_PAGES; p++)
		for (size_t s = 0; (of->page[p] || other->page[p]) && s < TN_COMPARE_STEPS; s++) {
			double m = (double)in_step(other, p, s), rank = (below + m / 2) / (double)other->n - mean;

			below += m;
			for (size_t b = 0; of->page[p] && b < TN_COMPARE_BLOCKS; b++) {
				double n = (*of->page[p])[b][s];

				out->block[b] += n * rank;
				out->squares += n * rank * rank;
			}
		}
}

/* The variance of the mean rank is DeLong's, but at least that of equal distributions. */
static double
test_ranks(const struct tn_durations *a, const struct tn_durations *b)
{
	double n = (double)a->n, m = (double)b->n, all = n + m, ties = 0, unused = 0;
	double area = mean_rank(a, b, &ties), factor, freedom, equal;
	struct deviations da, db, difference;

	if (all < 8)
		return 1;
	rank_deviations(&da, a, b, area);
	rank_deviations(&db, b, a, mean_rank(b, a, &unused));
	subtract(&difference, &da, n, &db, m);
	factor = inflation(&difference, &freedom);
	equal = (all + 1) / (12 * n * m) * (1 - ties / (all * all * all - all));
	return probability((area - 0.5) / sqrt(fmax(difference.squares, equal) * factor), freedom);
}

/* Count the values from the step on, for each block. */
static uint64_t
beyond(const struct tn_durations *d, size_t page, size_t step, uint64_t block[TN_COMPARE_BLOCKS], uint64_t all[TN_COMPARE_BLOCKS])
{
	uint64_t sum = 0;

	for (size_t b = 0; b < TN_COMPARE_BLOCKS; b++)
		block[b] = all[b] = 0;
	for (size_t p = 0; p < TN_COMPARE_PAGES; p++)
		for (size_t b = 0; d->page[p] && b < TN_COMPARE_BLOCKS; b++)
			for (size_t s = 0; s < TN_COMPARE_STEPS; s++) {
				uint64_t n = (*d->page[p])[b][s];

				all[b] += n;
				if (p > page || (p == page && s >= step)) {
					block[b] += n;
					sum += n;
				}
			}
	return sum;
}

/* Compute how much the share in each block deviates from the mean share. */
static void
share_deviations(struct deviations *out, uint64_t n, uint64_t with, const uint64_t block[TN_COMPARE_BLOCKS],
		 const uint64_t all[TN_COMPARE_BLOCKS])
{
	const double share = (double)with / (double)n;

	out->squares = (double)n * share * (1 - share);
	for (size_t b = 0; b < TN_COMPARE_BLOCKS; b++)
		out->block[b] = (double)block[b] - share * (double)all[b];
}

/* Test the number of values of @of that exceed the limit of the top part @top of @other. */
static double
test_tail(const struct tn_durations *of, const struct tn_durations *other, double top)
{
	uint64_t ba[TN_COMPARE_BLOCKS], bb[TN_COMPARE_BLOCKS], aa[TN_COMPARE_BLOCKS], ab[TN_COMPARE_BLOCKS], na, nb;
	uint64_t left = (uint64_t)ceil(top * (double)other->n), above = 0;
	size_t page = TN_COMPARE_PAGES, step = 0;
	double n = (double)of->n, m = (double)other->n, share, factor, freedom, variance;
	struct deviations da, db, difference;

	while (page > 0 && above < left) {
		page--;
		for (step = TN_COMPARE_STEPS; step > 0 && above < left; step--)
			above += in_step(other, page, step - 1);
	}
	na = beyond(of, page, step, ba, aa);
	nb = beyond(other, page, step, bb, ab);
	if (na + nb < 20)
		return 1;
	share_deviations(&da, of->n, na, ba, aa);
	share_deviations(&db, other->n, nb, bb, ab);
	subtract(&difference, &da, n, &db, m);
	factor = inflation(&difference, &freedom);
	share = (double)(na + nb) / (n + m);
	variance = share * (1 - share) * (1 / n + 1 / m) * factor;
	return variance > 0 ? probability(((double)na / n - (double)nb / m) / sqrt(variance), freedom) : 1;
}

void
tn_test_durations(struct tn_duration_tests *out, const struct tn_durations *a, const struct tn_durations *b)
{
	*out = (struct tn_duration_tests) { 1, 1, 1 };
	if (!a->n || !b->n)
		return;
	out->by_rank = test_ranks(a, b);
	out->beyond_p90 = fmin(1, 2 * fmin(test_tail(a, b, 0.1), test_tail(b, a, 0.1)));
	out->beyond_p99 = fmin(1, 2 * fmin(test_tail(a, b, 0.01), test_tail(b, a, 0.01)));
}

/* ---- counts ---- */

/*
 * Compute how much the slices deviate from their expected part. The first slice and the last two are left out, because
 * they are cut, and programs start and end there.
 */
static double
slice_deviations(struct deviations *out, const struct tn_counts_over_time *c)
{
	double n = 0, weight = 0;

	*out = (struct deviations) { .squares = 0 };
	for (size_t i = 1; i + 2 < TN_COMPARE_BLOCKS; i++) {
		n += (double)c->slice[i];
		weight += c->weight[i];
	}
	for (size_t i = 1; weight > 0 && i + 2 < TN_COMPARE_BLOCKS; i++)
		out->block[i] = (double)c->slice[i] - n * c->weight[i] / weight;
	out->squares = n;
	return n > 0 ? n : 1;
}

/* The variance of the differences between slices, relative to that of independent events. */
static double
dispersion(const struct tn_counts_over_time *a, const struct tn_counts_over_time *b, double *freedom)
{
	struct deviations of_a, of_b, difference;
	double n, m;

	*freedom = 0;
	if (!a->weight || !b->weight)
		return 1;
	n = slice_deviations(&of_a, a);
	m = slice_deviations(&of_b, b);
	subtract(&difference, &of_a, n, &of_b, m);
	return inflation(&difference, freedom);
}

static double
g_part(double observed, double expected)
{
	return observed > 0 ? 2 * observed * log(observed / expected) : 0;
}

/* The probability of at most @k of @n, if each has the probability @p. */
static double
binomial_below(uint64_t k, uint64_t n, double p)
{
	double sum = 0;

	for (uint64_t i = 0; i <= k; i++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
			   (double)i * log(p) + (double)(n - i) * log1p(-p));
	return fmin(1, sum);
}

double
tn_test_counts(const struct tn_counts_over_time *a, const struct tn_counts_over_time *b, double ratio)
{
	double n = (double)a->n, m = (double)b->n, p = ratio / (1 + ratio), factor, freedom, g;

	if (!(ratio > 0) || !isfinite(ratio) || n + m < 1)
		return 1;
	factor = dispersion(a, b, &freedom);
	if (n + m < 100 && factor <= 1)
		return fmin(1, 2 * (n <= p * (n + m) ? binomial_below(a->n, a->n + b->n, p)
						     : binomial_below(b->n, a->n + b->n, 1 - p)));
	g = g_part(n, (n + m) * p) + g_part(m, (n + m) * (1 - p));
	return probability(sqrt(fmax(g, 0) / factor), freedom);
}

double
tn_shares_g(uint64_t a, uint64_t n, uint64_t b, uint64_t m)
{
	double all = (double)n + (double)m, with = (double)a + (double)b, without = all - with, g;

	if (!n || !m || !(with > 0) || !(without > 0))
		return 0;
	g = g_part((double)a, with * (double)n / all) + g_part((double)b, with * (double)m / all) +
	    g_part((double)(n - a), without * (double)n / all) + g_part((double)(m - b), without * (double)m / all);
	return fmax(g, 0);
}

double
tn_shares_probability(double g)
{
	return probability(sqrt(g), 0);
}

static double
log_choose(uint64_t n, uint64_t k)
{
	double sum = 0;

	for (uint64_t i = 1; i <= k; i++)
		sum += log((double)(n - k + i) / (double)i);
	return sum;
}

double
tn_shares_exact(uint64_t a, uint64_t n, uint64_t b, uint64_t m)
{
	const uint64_t with = a + b, most = with < n ? with : n;
	double sum = 0;

	for (uint64_t i = a; i <= most; i++)
		if (with - i <= m)
			sum += exp(log_choose(n, i) + log_choose(m, with - i) - log_choose(n + m, with));
	return fmin(1, sum);
}
