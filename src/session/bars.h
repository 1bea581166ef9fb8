/*
 * bars.h - numbers of events over time: the counters of the strip, the histogram and the tallies
 *
 * A job counts into the bars, and the app's thread reads them meanwhile. Bars are equal parts of a time. The histogram,
 * whose bars have their own borders (grid.h), finds the bar of a time itself.
 */
#ifndef BARS_H
#define BARS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BARS_MOST 1024

/* The difference is exact if the times are near each other; times since 1970 have too many digits for a double. */
static inline double
ns_between(int64_t from, int64_t to)
{
	return to >= from ? (double)((uint64_t)to - (uint64_t)from) : -(double)((uint64_t)from - (uint64_t)to);
}

struct bars {
	size_t n;
	int64_t begin_ns;		/* begin of the first bar */
	atomic_llong end_ns;		/* last time of the last bar */
	atomic_ullong events[BARS_MOST];
	atomic_bool lossy[BARS_MOST];	/* the bar has losses or damage */
};

/* @n: 1 to BARS_MOST. The bars must be zeroed. */
void bars_init(struct bars *b, int64_t begin_ns, int64_t end_ns, size_t n);
/*
 * The number of the part that contains @time_ns, among @parts equal parts between two times; the first or the last part,
 * if the time is outside.
 */
size_t bars_part(int64_t begin_ns, int64_t end_ns, size_t parts, int64_t time_ns);
size_t bars_at(const struct bars *b, int64_t time_ns);
double bars_width(const struct bars *b);	/* width of a bar in nanoseconds */
/* Add events to a bar. Several threads may count at the same time. */
void bars_add(struct bars *b, size_t bar, uint64_t n);
/* Add events to a bar, if only one thread counts. This is faster. */
void bars_count(struct bars *b, size_t bar, uint64_t n);
/*
 * Spread @n events evenly between two times: each bar gets a share that corresponds to its part of the time. @back:
 * remove events that were added in this way.
 */
void bars_spread(struct bars *b, int64_t first_ns, int64_t last_ns, uint64_t n, bool back);
void bars_lose(struct bars *b, size_t bar);
/*
 * Double the width of the bars until @time_ns is in a bar, because a growing trace has no end. Returns whether the width
 * has changed.
 */
bool bars_widen(struct bars *b, int64_t time_ns);
/* Read the current numbers. */
void bars_look(const struct bars *b, uint64_t *events, bool *lossy);

#endif
