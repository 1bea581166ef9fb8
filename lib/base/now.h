/*
 * now.h - a clock for budgets: it only goes forward
 */
#ifndef TN_BASE_NOW_H
#define TN_BASE_NOW_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC in nanoseconds. */
static inline int64_t
tn_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
