#include <config.h>

#include "grid.h"

void
grid_make(struct grid *g, int64_t begin_ns, int64_t end_ns, size_t most)
{
	uint64_t last, steps;

	*g = (struct grid) { .step_ns = 1 };
	while (g->step_ns <= ((uint64_t)end_ns - (uint64_t)begin_ns) / most / GRID_STEPS / 2)
		g->step_ns *= 2;
	/* Round down to a multiple of the step, also for negative times. The smallest time is a multiple. */
	g->begin_ns = (int64_t)((uint64_t)begin_ns & ~(g->step_ns - 1));
	last = ((uint64_t)end_ns - (uint64_t)g->begin_ns) / g->step_ns;
	steps = last / most + 1;
	g->width_ns = steps * g->step_ns;
	g->n = (size_t)(last / steps) + 1;
	g->end_ns = grid_end(g, g->n - 1);
}

size_t
grid_bar(const struct grid *g, int64_t time_ns)
{
	return time_ns <= g->begin_ns ? 0 : time_ns >= g->end_ns ? g->n - 1
					  : (size_t)(((uint64_t)time_ns - (uint64_t)g->begin_ns) / g->width_ns);
}

int64_t
grid_begin(const struct grid *g, size_t bar)
{
	return (int64_t)((uint64_t)g->begin_ns + bar * g->width_ns);
}

int64_t
grid_end(const struct grid *g, size_t bar)
{
	uint64_t last = (uint64_t)INT64_MAX - (uint64_t)grid_begin(g, bar);

	return (int64_t)((uint64_t)grid_begin(g, bar) + (last < g->width_ns ? last : g->width_ns - 1));
}
