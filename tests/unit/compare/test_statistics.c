/* Tests of two samples (statistics.h), against pairs that are counted one by one. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "compare/statistics.h"

static uint64_t seed = 7;

static double
any(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(void)
{
	double r = sqrt(-2 * log(any()));

	return r * cos(6.283185307179586 * any());
}

/* @n values around @middle; in each block all are multiplied by a factor that varies by @load. */
static void
fill(struct tn_durations *d, size_t n, double middle, double load)
{
	double factor = 1;
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		size_t block = i * TN_COMPARE_BLOCKS / n;

		if (!i || block != (i - 1) * TN_COMPARE_BLOCKS / n)
			factor = exp(load * normal());
		cr_assert(tn_durations_add(d, (uint64_t)(middle * factor * exp(0.4 * normal())), block, &bytes));
	}
	cr_assert_eq(d->n, n);
	cr_assert_gt(bytes, 0);
}

static struct tn_duration_tests
tests(size_t n, double middle, double load)
{
	struct tn_durations a = { 0 }, b = { 0 };
	struct tn_duration_tests out;

	fill(&a, n, 100000, load);
	fill(&b, n, middle, load);
	tn_test_durations(&out, &a, &b);
	tn_durations_release(&a);
	tn_durations_release(&b);
	return out;
}

Test(statistics, equal_samples_differ_as_often_as_chance)
{
	unsigned below[3] = { 0 };

	for (int i = 0; i < 200; i++) {
		struct tn_duration_tests t = tests(2000, 100000, i % 2 ? 0.3 : 0);

		below[0] += t.by_rank < 0.05;
		below[1] += t.beyond_p90 < 0.05;
		below[2] += t.beyond_p99 < 0.05;
	}
	for (int i = 0; i < 3; i++)
		cr_assert_leq(below[i], 24, "test %d: %u of 200 below 0.05", i, below[i]);
}

Test(statistics, a_shift_is_found_unless_load_explains_it)
{
	cr_assert_lt(tests(20000, 105000, 0).by_rank, 1e-12);
	cr_assert_gt(tests(20000, 105000, 0.5).by_rank, 1e-4, "blocks vary by 50 %%");
	cr_assert_lt(tests(20000, 1000000, 0.3).by_rank, 1e-6);
}

/* Few values without blocks: all pairs, with the variance of equal distributions (and ties). */
Test(statistics, ranks_are_those_of_all_pairs)
{
	static const uint64_t a[] = { 3, 5, 5, 7, 9, 12, 13, 20, 20, 31 }, b[] = { 5, 8, 13, 20, 22, 31, 40, 41, 45, 50, 60 };
	const double n = sizeof a / sizeof *a, m = sizeof b / sizeof *b;
	struct tn_durations da = { 0 }, db = { 0 };
	struct tn_duration_tests t;
	double u = 0, z;
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		cr_assert(tn_durations_add(&da, a[i], i * 3, &bytes));
	for (size_t i = 0; i < m; i++)
		cr_assert(tn_durations_add(&db, b[i], i * 2, &bytes));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			u += b[k] < a[i] ? 1 : b[k] == a[i] ? 0.5 : 0;
	tn_test_durations(&t, &da, &db);
	z = fabs(u / (n * m) - 0.5) / sqrt((n + m + 1) / (12 * n * m));
	cr_assert_geq(t.by_rank, erfc(z / sqrt(2)) * 0.5, "%g", t.by_rank);
	cr_assert_leq(t.by_rank, erfc(z / sqrt(2)) * 1.5 + 0.02, "%g", t.by_rank);
	cr_assert_eq(t.beyond_p99, 1, "too few for the tail");
	tn_durations_release(&da);
	tn_durations_release(&db);
}

static struct tn_counts_over_time
counts(uint64_t n, unsigned bursts, unsigned from, const double *weight)
{
	struct tn_counts_over_time c = { .n = n, .weight = weight };

	for (uint64_t i = 0; i < n; i++)
		c.slice[bursts ? (i * bursts / n * 7 + from) % TN_COMPARE_BLOCKS : i % TN_COMPARE_BLOCKS]++;
	return c;
}

Test(statistics, counts_are_exact_or_by_slices)
{
	struct tn_counts_over_time a = { .n = 10 }, b = { .n = 0 }, c = { .n = 4 }, d = { .n = 6 };
	double weight[TN_COMPARE_BLOCKS], even, bursts;

	for (size_t i = 0; i < TN_COMPARE_BLOCKS; i++)
		weight[i] = 1.0 / TN_COMPARE_BLOCKS;
	cr_assert_float_eq(tn_test_counts(&a, &b, 1), 2 / 1024.0, 1e-9);
	cr_assert_float_eq(tn_test_counts(&b, &a, 1), 2 / 1024.0, 1e-9);
	cr_assert_float_eq(tn_test_counts(&c, &d, 1), 2 * (1 + 10 + 45 + 120 + 210) / 1024.0, 1e-9);
	cr_assert_float_eq(tn_test_counts(&c, &b, 1.0 / 3), 2 / 256.0, 1e-9);
	a = counts(10000, 0, 0, weight), b = counts(11000, 0, 0, weight);
	even = tn_test_counts(&a, &b, 1);
	a = counts(10000, 3, 0, weight), b = counts(11000, 3, 5, weight);
	bursts = tn_test_counts(&a, &b, 1);
	b = counts(11000, 3, 0, weight);
	cr_assert_lt(tn_test_counts(&a, &b, 1), 1e-10, "both have the same phases");
	cr_assert_lt(even, 1e-10);
	cr_assert_gt(bursts, 0.1, "three bursts are three events: %g", bursts);
	cr_assert_eq(tn_test_counts(&a, &b, 0), 1, "nothing to compare with");
}

Test(statistics, shares)
{
	cr_assert_lt(tn_shares_probability(tn_shares_g(500, 1000, 100, 1000)), 1e-20);
	cr_assert_float_eq(tn_shares_probability(tn_shares_g(60, 100, 400, 1000)), 0.000126, 2e-5);
	cr_assert_lt(tn_shares_g(50, 100, 500, 1000), 1e-9);
	cr_assert_eq(tn_shares_g(0, 0, 1, 2), 0);
	cr_assert_eq(tn_shares_g(3, 3, 2, 2), 0);
}

Test(statistics, exact_shares)
{
	cr_assert_float_eq(tn_shares_exact(1, 1, 0, 419), 1 / 420.0, 1e-12);
	cr_assert_float_eq(tn_shares_exact(1, 1, 26, 419), 27 / 420.0, 1e-12);
	/* The table of the tea: 3 of 4 right. */
	cr_assert_float_eq(tn_shares_exact(3, 4, 1, 4), 17 / 70.0, 1e-12);
	cr_assert_float_eq(tn_shares_exact(0, 4, 4, 4), 1, 1e-12);
	cr_assert_lt(tn_shares_exact(20, 98, 0, 1000), 1e-20);
	cr_assert_float_eq(tn_shares_exact(500, 1000, 500, 1000), 0.5178, 1e-3);
}

Test(statistics, any_duration_has_a_step)
{
	struct tn_durations a = { 0 }, b = { 0 };
	struct tn_duration_tests t;
	size_t bytes = 0;

	for (unsigned i = 0; i < 64; i++) {
		cr_assert(tn_durations_add(&a, UINT64_C(1) << i, i / 2, &bytes));
		cr_assert(tn_durations_add(&a, (UINT64_C(1) << i) - 1, i / 2, &bytes));
		cr_assert(tn_durations_add(&b, UINT64_MAX, i / 2, &bytes));
	}
	tn_test_durations(&t, &a, &b);
	cr_assert_lt(t.by_rank, 1e-6);
	tn_durations_release(&a);
	tn_durations_release(&b);
}
