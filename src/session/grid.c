#include <config.h>

#include "grid.h"

#define STEPS 8		/* a bar has so many at least */

void
grid_make(struct grid *g, int64_t begin_ns, int64_t end_ns, size_t n)
{
	uint64_t span = (uint64_t)end_ns - (uint64_t)begin_ns, whole, rest;

	span += span < INT64_MAX;	/* the last nanosecond, too */
	whole = span / n;
	rest = span % n;
	*g = (struct grid) { .n = n, .step_ns = 1, .begin_ns = begin_ns, .end_ns = end_ns };
	while (g->step_ns <= whole / STEPS / 2)
		g->step_ns *= 2;
	for (size_t i = 0; i <= n; i++) {
		uint64_t at = (uint64_t)begin_ns + whole * i + rest * i / n;

		if (i && i < n)		/* the nearest multiple; of times before 0, too */
			at = (at + g->step_ns / 2) & ~(g->step_ns - 1);
		g->border[i] = (int64_t)at;
	}
}

size_t
grid_bar(const struct grid *g, int64_t time_ns)
{
	size_t lo = 0, hi = g->n;	/* bars up to lo begin at the time or before, from hi on they do not */

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (g->border[mid] <= time_ns)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

double
grid_width(const struct grid *g, size_t i)
{
	double width = (double)g->border[i + 1] - (double)g->border[i], even = (double)g->border[g->n] - (double)g->border[0];

	return width > 0 && even > 0 ? width * (double)g->n / even : 1;
}
