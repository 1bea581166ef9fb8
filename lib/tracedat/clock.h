/*
 * clock.h - times of the buffers to nanoseconds (tracedat.md, 5)
 */
#ifndef TN_TRACEDAT_CLOCK_H
#define TN_TRACEDAT_CLOCK_H

#include "tracedat/file.h"

/* The conversion for one stream. */
struct tn_dat_time {
	const struct tn_dat_shift *shift;	/* shift of its processor; NULL: not the file of a guest */
	bool interpolates;
	bool has_tsc;
	uint32_t multiplier, tsc_shift;
};

/* False: the times need no conversion. */
bool tn_dat_time_begin(struct tn_dat_time *out, const struct tn_dat_file *f, const struct tn_dat_buffer *buffer, uint32_t cpu);
/* Convert a time of a buffer to a clock value; @user is a struct tn_dat_time. */
uint64_t tn_dat_time_value(const void *user, uint64_t time);

/* Make a clock for the buffers that have this trace_clock; NULL: memory is out. */
struct tn_clock *tn_dat_clock_new(const struct tn_dat_file *f, const char *trace_clock);

#endif
