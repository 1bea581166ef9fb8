#include <criterion/criterion.h>

#include "session/grid.h"

/* Bars are adjacent and have the same width, a whole number of steps; each time is in its bar. */
Test(grid, each_time_is_in_its_bar)
{
	static const struct {
		int64_t begin_ns, end_ns;
		size_t n;
	} row[] = {
		{ 0, 999, 10 }, { 1764226800000000123, 1764226861000000456, 80 }, { -1000000007, 999999999, 200 }, { -5, 4, 80 },
		{ 7, 7, 2 }, { 0, 79, 80 }, { 3, 100002, 512 }, { INT64_MIN + 1, INT64_MAX - 1, 511 }, { -9, -2, 3 }, { 0, 800, 80 },
		{ INT64_MIN, INT64_MAX, 2 }, { INT64_MAX - 1, INT64_MAX, 512 }, { 0, 3020000000, 80 }, { INT64_MIN, INT64_MIN, 2 },
	};

	for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
		struct grid g;
		uint64_t span = (uint64_t)row[r].end_ns - (uint64_t)row[r].begin_ns;

		grid_make(&g, row[r].begin_ns, row[r].end_ns, row[r].n);
		cr_assert(g.n >= 1 && g.n <= row[r].n, "row %zu: %zu bars", r, g.n);
		cr_expect_eq(g.width_ns % g.step_ns, 0, "row %zu", r);
		cr_expect_eq(g.step_ns & (g.step_ns - 1), 0, "row %zu", r);
		cr_expect(g.step_ns == 1 || g.width_ns / g.step_ns >= 8, "row %zu", r);
		/* No more of the picture stays empty than a step a bar, and the two ends. */
		cr_expect_leq(g.width_ns, span / row[r].n + 2 * g.step_ns, "row %zu", r);
		cr_expect_leq(g.begin_ns, row[r].begin_ns, "row %zu", r);
		cr_expect_geq(g.end_ns, row[r].end_ns, "row %zu", r);
		cr_expect_eq(grid_bar(&g, row[r].begin_ns), 0, "row %zu", r);
		cr_expect_eq(grid_bar(&g, row[r].end_ns), g.n - 1, "row %zu", r);
		cr_expect_eq(grid_bar(&g, INT64_MIN), 0, "row %zu", r);
		cr_expect_eq(grid_bar(&g, INT64_MAX), g.n - 1, "row %zu", r);
		for (size_t i = 0; i < g.n; i++) {
			int64_t begin = grid_begin(&g, i), end = grid_end(&g, i);

			cr_expect_eq((uint64_t)begin % g.step_ns, 0, "row %zu: bar %zu", r, i);
			if (end < INT64_MAX)
				cr_expect_eq((uint64_t)end - (uint64_t)begin, g.width_ns - 1, "row %zu: bar %zu", r, i);
			if (i + 1 < g.n)
				cr_expect_eq(grid_begin(&g, i + 1), end + 1, "row %zu: bar %zu", r, i);
			cr_expect_eq(grid_bar(&g, begin), i, "row %zu: bar %zu begins in %zu", r, i, grid_bar(&g, begin));
			cr_expect_eq(grid_bar(&g, end), i, "row %zu: bar %zu ends in %zu", r, i, grid_bar(&g, end));
		}
	}
}

/* A steady rate looks steady: bars differ by one event, but for the two ends. */
Test(grid, steady)
{
	struct grid g;
	size_t bar[80] = { 0 };

	grid_make(&g, 123456789, 123456789 + 12000 * INT64_C(286003), 80);
	for (int64_t i = 0; i <= 12000; i++)
		bar[grid_bar(&g, 123456789 + i * 286003)]++;
	for (size_t i = 1; i + 1 < g.n; i++)
		cr_expect(bar[i] >= bar[1] - 1 && bar[i] <= bar[1] + 1, "bar %zu: %zu events, not %zu", i, bar[i], bar[1]);
}
