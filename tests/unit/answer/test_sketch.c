/* Quantiles and how values are spread (sketch.h), against sorted values. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "answer/sketch.h"

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double
exact(double *sorted, size_t n, double q)
{
	double rank = ceil(q * (double)n);

	return sorted[rank < 1 ? 0 : rank >= (double)n ? n - 1 : (size_t)rank - 1];
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
	default: return -(double)(seed >> 50) / 3;
	}
}

Test(sketch, quantiles)
{
	static const size_t sizes[] = { 1, 2, 7, 255, 256, 257, 300, 5000 };
	static const double q[] = { 0, 0.001, 0.25, 0.5, 0.9, 0.99, 1 };

	for (int kind = 0; kind < 4; kind++)
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
				double want = exact(all, n, q[k]), got = tn_sketch_quantile(&s, q[k]);

				cr_assert(fabs(got - want) <= (n <= TN_SKETCH_EXACT || kind == 0 ? 0 : fabs(want) * 0.004 + (kind == 1)),
					  "kind %d, %zu values, %g: %.17g, not %.17g", kind, n, q[k], got, want);
				cr_assert_eq(got, tn_sketch_quantile(&merged, q[k]), "kind %d, %zu values, %g", kind, n, q[k]);
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

Test(sketch, nothing_and_merging_into_it)
{
	struct tn_sketch none = { 0 }, many = { 0 }, few = { 0 };

	cr_expect(isnan(tn_sketch_quantile(&none, 0.5)));
	for (int i = 0; i < 300; i++)
		cr_assert(tn_sketch_add(&many, i));
	cr_assert(tn_sketch_merge(&none, &few), "of nothing there is nothing");
	cr_expect_eq(none.n, 0);
	cr_assert(tn_sketch_add(&few, -1000) && tn_sketch_add(&few, 1000));
	cr_assert(tn_sketch_merge(&few, &many));
	cr_expect_eq(few.n, 302);
	cr_expect_eq(tn_sketch_quantile(&few, 0), -1000);
	cr_expect_eq(tn_sketch_quantile(&few, 1), 1000);
	cr_assert(tn_sketch_merge(&none, &many));
	cr_expect_eq(tn_sketch_quantile(&none, 0), 0);
	cr_expect_eq(tn_sketch_quantile(&none, 1), 299);
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
	cr_expect_eq(tn_sketch_quantile(&s, 0.3), -INFINITY);
	cr_expect_eq(tn_sketch_quantile(&s, 0.7), INFINITY);
	tn_sketch_release(&s);
}
