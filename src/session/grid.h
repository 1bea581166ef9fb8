/*
 * grid.h - the borders of bars over time
 *
 * All bars have the same width, a whole number of steps. The borders between them are multiples of a step, which is a
 * power of two of nanoseconds. So a slice that is not longer than a step (tn_packet_slices()) is in one bar.
 */
#ifndef GRID_H
#define GRID_H

#include <stddef.h>
#include <stdint.h>

#define GRID_BARS 512
#define GRID_STEPS 8	/* smallest number of steps in a bar, if the bar has at least this number of nanoseconds */

struct grid {
	size_t n;			/* number of bars: the wanted number, or fewer if these cover the time */
	uint64_t step_ns, width_ns;	/* width of a step, and of a bar */
	int64_t begin_ns, end_ns;	/* first and last time of all bars; they cover the wanted time */
};

/* Make at most @most bars, which is at least 2. */
void grid_make(struct grid *g, int64_t begin_ns, int64_t end_ns, size_t most);
/* The bar that contains a time; the first or the last one, if the time is outside. */
size_t grid_bar(const struct grid *g, int64_t time_ns);
int64_t grid_begin(const struct grid *g, size_t bar);
int64_t grid_end(const struct grid *g, size_t bar);	/* last time of the bar; the last bar ends at INT64_MAX at the latest */

#endif
