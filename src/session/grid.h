/*
 * grid.h - the borders of bars over time
 *
 * Bars are as wide as each other but for a step of them: the borders between them are multiples of a step, a power of two
 * of nanoseconds, so that what was counted in slices of no more than that (tn_packet_slices()) lies in one bar.
 */
#ifndef GRID_H
#define GRID_H

#include <stddef.h>
#include <stdint.h>

#define GRID_BARS 512

struct grid {
	size_t n;
	uint64_t step_ns;
	int64_t begin_ns, end_ns;	/* both inside */
	int64_t border[GRID_BARS + 1];	/* where each bar begins; of the last one also where it would end */
};

/* @n: 1 to GRID_BARS. */
void grid_make(struct grid *g, int64_t begin_ns, int64_t end_ns, size_t n);
/* The bar of a time; of what is outside the first or the last one. */
size_t grid_bar(const struct grid *g, int64_t time_ns);
/* How wide a bar is, of what it would be were all the same. */
double grid_width(const struct grid *g, size_t i);

#endif
