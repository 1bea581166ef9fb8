#include <criterion/criterion.h>

#include "session/grid.h"

/* Bars lie one behind the other, about as wide as each other, their borders are multiples of the step, and each time is in its bar. */
Test(grid, each_time_is_in_its_bar)
{
	static const struct {
		int64_t begin_ns, end_ns;
		size_t n;
	} row[] = {
		{ 0, 999, 10 }, { 1764226800000000123, 1764226861000000456, 80 }, { -1000000007, 999999999, 200 }, { -5, 4, 80 },
		{ 7, 7, 2 }, { 0, 79, 80 }, { 3, 100002, 512 }, { INT64_MIN + 1, INT64_MAX - 1, 511 }, { -9, -2, 3 }, { 0, 800, 80 },
	};

	for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
		struct grid g;

		grid_make(&g, row[r].begin_ns, row[r].end_ns, row[r].n);
		cr_expect_eq(g.border[0], row[r].begin_ns, "row %zu", r);
		cr_expect_eq(g.border[g.n], row[r].end_ns + (r == 7 ? 0 : 1), "row %zu", r);
		cr_expect_eq(g.border[grid_bar(&g, row[r].begin_ns)], row[r].begin_ns, "row %zu", r);
		cr_expect_eq(grid_bar(&g, INT64_MIN), 0, "row %zu", r);
		cr_expect_eq(grid_bar(&g, INT64_MAX), g.n - 1, "row %zu", r);
		for (size_t i = 0; i < g.n; i++) {
			int64_t begin = g.border[i], end = g.border[i + 1];

			cr_assert_leq(begin, end, "row %zu: bar %zu", r, i);
			if (i)
				cr_expect_eq((uint64_t)begin % g.step_ns, 0, "row %zu: bar %zu", r, i);
			if (g.step_ns > 1)
				cr_expect(grid_width(&g, i) > 0.87 && grid_width(&g, i) < 1.13, "row %zu: bar %zu: %g", r, i, grid_width(&g, i));
			if (begin == end)
				continue;
			cr_expect_eq(grid_bar(&g, begin), i, "row %zu: bar %zu begins in %zu", r, i, grid_bar(&g, begin));
			cr_expect_eq(grid_bar(&g, end - 1), i, "row %zu: bar %zu ends in %zu", r, i, grid_bar(&g, end - 1));
		}
	}
}
