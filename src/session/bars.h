/*
 * bars.h - numbers of events over time: the counter of the strip, the histogram and the tallies
 *
 * A job counts into the bars while the app's thread looks at them. Bars are equal parts of a time; the histogram, whose
 * bars have borders of their own (grid.h), says itself which bar a time is in.
 */
#ifndef BARS_H
#define BARS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BARS_MOST 1024

/* Exact where the times are close: since 1970 they have too many digits for a double. */
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
	atomic_bool lossy[BARS_MOST];	/* losses or damage in it */
};

/* @n: 1 to BARS_MOST. The bars are zeroed already. */
void bars_init(struct bars *b, int64_t begin_ns, int64_t end_ns, size_t n);
/* The part, of @parts equal ones between two times, with @time_ns; the first or the last one if it is outside. */
size_t bars_part(int64_t begin_ns, int64_t end_ns, size_t parts, int64_t time_ns);
size_t bars_at(const struct bars *b, int64_t time_ns);
double bars_width(const struct bars *b);	/* width of a bar in nanoseconds */
/* Count in several threads at a time. */
void bars_add(struct bars *b, size_t bar, uint64_t n);
/* Count in one thread alone, which is faster. */
void bars_count(struct bars *b, size_t bar, uint64_t n);
/*
 * Spread @n events evenly between two times: each bar gets a share by its part of that time. @back: take back events
 * that were added in the same way.
 */
void bars_spread(struct bars *b, int64_t first_ns, int64_t last_ns, uint64_t n, bool back);
void bars_lose(struct bars *b, size_t bar);
/* Double the width of the bars until @time_ns is in one: a growing trace has no end. Returns whether they changed. */
bool bars_widen(struct bars *b, int64_t time_ns);
/* Read the numbers as they are now. */
void bars_look(const struct bars *b, uint64_t *events, bool *lossy);

#endif
