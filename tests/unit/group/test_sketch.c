/* Quantiles and how values are spread (sketch.h), against sorted values. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "group/sketch.h"

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* By counting: the first that at least part / whole of all do not exceed. */
static double
exact(double *sorted, size_t n, uint64_t part, uint64_t whole)
{
	size_t i = 0;

	while (i + 1 < n && (i + 1) * whole < part * n)
		i++;
	return sorted[i];
}

static uint64_t seed = 5;

static double
any(int kind)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	switch (kind) {
	case 0: return (double)(seed >> 60);			/* few and whole */
	case 1: return (double)(int64_t)(seed >> 40) - 8388608;	/* both signs */
	case 2: return ldexp((double)(seed >> 33), (int)(seed % 200) - 100) * (seed & 1 << 20 ? -1 : 1);
	case 3: return (double)(seed >> 56) + 0.99;		/* not whole, where a whole number is in each step */
	case 4: return (double)(seed >> 62) / 2;		/* zeros among fractions */
	default: return -(double)(seed >> 50) / 3;
	}
}

Test(sketch, quantiles)
{
	static const size_t sizes[] = { 1, 2, 7, 255, 256, 257, 300, 5000 };
	static const uint64_t q[] = { 0, 1, 70, 250, 500, 900, 990, 1000 };	/* thousandths */

	for (int kind = 0; kind < 6; kind++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			size_t n = sizes[i];
			double *all = calloc(n, sizeof *all);
			struct tn_sketch s = { 0 }, halves[2] = { { 0 } }, merged = { 0 };
			uint64_t part[5], sum = 0;

			for (size_t k = 0; k < n; k++) {
				all[k] = any(kind);
				cr_assert(tn_sketch_add(&s, all[k]));
				cr_assert(tn_sketch_add(&halves[k % 3 == 0], all[k]));
			}
			cr_assert(tn_sketch_add(&s, NAN), "is left out");
			cr_assert(tn_sketch_merge(&merged, &halves[0]) && tn_sketch_merge(&merged, &halves[1]));
			qsort(all, n, sizeof *all, compare);
			for (size_t k = 0; k < sizeof q / sizeof *q; k++) {
				double want = exact(all, n, q[k], 1000), got = tn_sketch_quantile(&s, q[k], 1000);

				cr_assert(fabs(got - want) <= (n <= TN_SKETCH_EXACT || kind == 0 ? 0 : fabs(want) * 0.004),
					  "kind %d, %zu values, %d: %.17g, not %.17g", kind, n, (int)q[k], got, want);
				cr_assert_eq(got, tn_sketch_quantile(&merged, q[k], 1000), "kind %d, %zu values, %d", kind, n,
					     (int)q[k]);
			}
			tn_sketch_parts(&s, part, 5);
			for (size_t k = 0; k < 5; k++)
				sum += part[k];
			cr_assert_eq(sum, n);
			tn_sketch_release(&s);
			tn_sketch_release(&halves[0]);
			tn_sketch_release(&halves[1]);
			tn_sketch_release(&merged);
			free(all);
		}
}

/* Every rank is exact: of the numbers 0 to n - 1 the p-th percentile is ceil(p * n / 100) - 1. */
Test(sketch, ranks)
{
	for (uint64_t n = 1; n <= 5000; n++) {
		struct tn_sketch s = { 0 };
		bool is_exact = n <= TN_SKETCH_EXACT;

		/* Numbers that are counted are whole and below 256, a step each. */
		for (uint64_t i = 0; i < n; i++)
			cr_assert(tn_sketch_add(&s, (double)(is_exact ? i : 128 + i * 128 / n)));
		for (uint64_t p = 0; p <= 1000; p++) {
			uint64_t rank = (p * n + 999) / 1000, want = rank ? rank - 1 : 0;
			double got = tn_sketch_quantile(&s, p, 1000);

			cr_assert_eq(got, (double)(is_exact ? want : 128 + want * 128 / n), "p%d.%d of %d numbers: %g", (int)p / 10,
				     (int)p % 10, (int)n, got);
		}
		tn_sketch_release(&s);
	}
}

Test(sketch, nothing_and_merging_into_it)
{
	struct tn_sketch none = { 0 }, many = { 0 }, few = { 0 };

	cr_expect(isnan(tn_sketch_quantile(&none, 1, 2)));
	for (int i = 0; i < 300; i++)
		cr_assert(tn_sketch_add(&many, i));
	cr_assert(tn_sketch_merge(&none, &few), "of nothing there is nothing");
	cr_expect_eq(none.n, 0);
	cr_assert(tn_sketch_add(&few, -1000) && tn_sketch_add(&few, 1000));
	cr_assert(tn_sketch_merge(&few, &many));
	cr_expect_eq(few.n, 302);
	cr_expect_eq(tn_sketch_quantile(&few, 0, 1), -1000);
	cr_expect_eq(tn_sketch_quantile(&few, 1, 1), 1000);
	cr_assert(tn_sketch_merge(&none, &many));
	cr_expect_eq(tn_sketch_quantile(&none, 0, 1), 0);
	cr_expect_eq(tn_sketch_quantile(&none, 1, 1), 299);
	tn_sketch_release(&none);
	tn_sketch_release(&many);
	tn_sketch_release(&few);
}

/* Parts are equal in the logarithm; one value, and what is negative, are in the first. */
Test(sketch, parts)
{
	struct tn_sketch s = { 0 };
	uint64_t part[3];

	for (int i = 0; i < 4; i++)
		cr_assert(tn_sketch_add(&s, 7));
	tn_sketch_parts(&s, part, 3);
	cr_expect(part[0] == 4 && part[1] == 0 && part[2] == 0);
	tn_sketch_release(&s);
	cr_assert(tn_sketch_add(&s, -5) && tn_sketch_add(&s, 0) && tn_sketch_add(&s, 9) && tn_sketch_add(&s, 99) &&
		  tn_sketch_add(&s, 999));
	tn_sketch_parts(&s, part, 3);
	cr_expect(part[0] == 2 && part[1] == 1 && part[2] == 2, "%d %d %d", (int)part[0], (int)part[1], (int)part[2]);
	tn_sketch_release(&s);
	for (int i = 0; i < 300; i++)
		cr_assert(tn_sketch_add(&s, i % 2 ? INFINITY : -INFINITY));
	cr_expect_eq(tn_sketch_quantile(&s, 3, 10), -INFINITY);
	cr_expect_eq(tn_sketch_quantile(&s, 7, 10), INFINITY);
	tn_sketch_release(&s);
}
