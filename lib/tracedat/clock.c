#include "tracedat/clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "model/build.h"

#define SECOND INT64_C(1000000000)

/* ---- times ---- */

/* The offset at @t on the line through two samples. Rounds by adding half of the width before a C division. */
static uint64_t
interpolate(const struct tn_dat_sample *a, const struct tn_dat_sample *b, uint64_t t)
{
	bool before = t < a->time, falls = b->offset < a->offset;
	uint64_t x = before ? a->time - t : t - a->time, width = b->time - a->time, rest, quotient;
	uint64_t rise = falls ? (uint64_t)a->offset - (uint64_t)b->offset : (uint64_t)b->offset - (uint64_t)a->offset;

	if (b->time <= a->time)
		return (uint64_t)a->offset;
	quotient = tn_multiply_divide(x, rise, width);
	rest = x * rise - quotient * width;
	if (before == falls)
		return (uint64_t)a->offset + quotient + (rest >= width - width / 2);
	return (uint64_t)a->offset - (quotient - (quotient && rest < width / 2));
}

/* a * b >> by; `by` is less than 128. */
static uint64_t
multiply_shift(uint64_t a, uint64_t b, unsigned by)
{
	uint64_t high, low = tn_multiply(a, b, &high);

	return by >= 64 ? high >> (by - 64) : by ? low >> by | high << (64 - by) : low;
}

static uint64_t
to_host(const struct tn_dat_time *how, uint64_t t)
{
	const struct tn_dat_shift *s = how->shift;
	size_t lo = 0, i;
	const struct tn_dat_sample *one;
	uint64_t offset;

	TN_BISECT(lo, s->n, mid, s->sample[mid].time <= t);
	i = lo ? lo - 1 : 0;
	one = &s->sample[i];
	offset = (uint64_t)one->offset;
	if (how->interpolates && s->n > 1) {
		size_t a = i + 1 < s->n ? i : s->n - 2;

		offset = interpolate(&s->sample[a], &s->sample[a + 1], t);
	}
	if (one->scaling > 0)
		t = one->fraction < 128 ? multiply_shift(t, (uint64_t)one->scaling, (unsigned)one->fraction) : 0;
	return t + offset;
}

bool
tn_dat_time_begin(struct tn_dat_time *out, const struct tn_dat_file *f, const struct tn_dat_buffer *buffer, uint32_t cpu)
{
	const struct tn_dat_buffer *top = f->buffers.item;

	*out = (struct tn_dat_time) { .interpolates = f->interpolates, .multiplier = f->tsc_multiplier, .tsc_shift = f->tsc_shift };
	/* The factor belongs to the clock of the top buffer; an instance may use a clock of nanoseconds. */
	out->has_tsc = f->has_tsc && (strcmp(buffer->clock, top->clock) == 0 || strcmp(buffer->clock, "x86-tsc") == 0);
	if (f->has_shift && f->shift[cpu < f->n_shifts ? cpu : 0].n)
		out->shift = &f->shift[cpu < f->n_shifts ? cpu : 0];
	return out->has_tsc || out->shift;
}

uint64_t
tn_dat_time_value(const void *user, uint64_t time)
{
	const struct tn_dat_time *how = user;

	if (how->shift)
		time = to_host(how, time);
	if (how->has_tsc)
		time = multiply_shift(time, how->multiplier, how->tsc_shift);
	return time;
}

/* ---- clocks ---- */

static const struct { const char *name, *description; } known[] = {
	{ "local", "nanoseconds since boot, by each processor's own clock" },
	{ "global", "nanoseconds since boot, the same on all processors" },
	{ "perf", "nanoseconds since boot, as perf counts them" },
	{ "uptime", "nanoseconds since boot, in steps of a jiffy" },
	{ "mono", "nanoseconds of CLOCK_MONOTONIC" },
	{ "mono_raw", "nanoseconds of CLOCK_MONOTONIC_RAW" },
	{ "boot", "nanoseconds of CLOCK_BOOTTIME" },
	{ "tai", "nanoseconds of CLOCK_TAI" },
	{ "counter", "a number that each event raises by one: no time; one is shown as 1 ns" },
	{ "x86-tsc", "cycles of the processor; one is shown as 1 ns" },
	{ "ppc-tb", "cycles of the time base; one is shown as 1 ns" },
};

struct tn_clock *
tn_dat_clock_new(const struct tn_dat_file *f, const char *trace_clock)
{
	struct tn_clock *clock = tn_build_clock(f->trace, trace_clock, "of unknown unit; one is shown as 1 ns", 0);
	uint64_t date = f->date ? strtoull(f->date, NULL, 0) : 0;	/* in microseconds */
	int64_t shift = f->offset ? strtoll(f->offset, NULL, 0) : 0, ns;

	if (!clock)
		return NULL;
	for (size_t i = 0; i < TN_COUNT(known); i++)
		if (strcmp(known[i].name, trace_clock) == 0)
			clock->description = known[i].description;
	if (f->date || strcmp(trace_clock, "tai") == 0)
		clock->origin = TN_ORIGIN_UNIX;
	ns = (int64_t)(date % 1000000) * 1000 + shift % SECOND;
	clock->offset_s = (int64_t)(date / 1000000) + shift / SECOND + ns / SECOND - (ns < 0);
	clock->offset_cycles = (uint64_t)(ns < 0 ? ns + SECOND : ns % SECOND);
	return clock;
}
