/*
 * clock.h - times of the buffers to nanoseconds (tracedat.md, 5)
 */
#ifndef TN_TRACEDAT_CLOCK_H
#define TN_TRACEDAT_CLOCK_H

#include "tracedat/file.h"

/* Of one stream. */
struct tn_dat_time {
	const struct tn_dat_shift *shift;	/* of its processor; NULL: the file is not a guest's */
	bool interpolates;
	bool has_tsc;
	uint32_t multiplier, tsc_shift;
};

/* False: times are as they are. */
bool tn_dat_time_begin(struct tn_dat_time *out, const struct tn_dat_file *f, const struct tn_dat_buffer *buffer, uint32_t cpu);
/* The clock's value of a buffer's time; @user: struct tn_dat_time. */
uint64_t tn_dat_time_value(const void *user, uint64_t time);

/* A clock for buffers with that trace_clock; NULL: memory is out. */
struct tn_clock *tn_dat_clock_new(const struct tn_dat_file *f, const char *trace_clock);

#endif
