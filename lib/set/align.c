/*
 * align.c - align the clocks that traces of one machine share: CLOCK_MONOTONIC of LTTng, ftrace, perf and uftrace is one
 * counter
 */
#include <string.h>

#include "set/set.h"

/* The boot times that two traces of one host give differ by less than this, because NTP steps the date by less. */
#define SAME_BOOT_NS INT64_C(60000000000)

/* These clocks, as formats name them, are read by all programs of a machine. Each processor has its own "local" clock. */
static const struct { const char *name, *clock; } known[] = {
	{ "monotonic", "mono" }, { "mono", "mono" }, { "mono_raw", "mono_raw" }, { "boot", "boot" }, { "tai", "tai" },
	{ "perf", "perf" }, { "x86-tsc", "x86-tsc" },
};

static const char *
machine_clock(const struct tn_trace *t)
{
	for (size_t i = 0; t->n_clocks && i < TN_COUNT(known); i++)
		if (strcmp(t->clock[0]->name, known[i].name) == 0)
			return known[i].clock;
	return NULL;
}

static bool
is_near(const struct tn_clock *a, const struct tn_clock *b, int64_t shift_a, int64_t shift_b)
{
	struct tn_clock c = *a, d = *b;
	int64_t apart;

	c.shift_ns = shift_a;
	d.shift_ns = shift_b;
	return !__builtin_sub_overflow(tn_clock_ns(&c, 0), tn_clock_ns(&d, 0), &apart) &&
	       apart <= SAME_BOOT_NS && apart >= -SAME_BOOT_NS;
}

static bool
share(const struct tn_trace *a, const struct tn_trace *b)
{
	const char *name = machine_clock(a), *other = machine_clock(b);
	const struct tn_env *host = tn_trace_env(a, "hostname"), *at = tn_trace_env(b, "hostname");
	const struct tn_clock *c, *d;

	if (!name || !other || strcmp(name, other) != 0)
		return false;
	c = a->clock[0];
	d = b->clock[0];
	if (c->frequency != d->frequency || c->beyond || d->beyond)
		return false;
	if (c->has_uuid && d->has_uuid)
		return memcmp(c->uuid, d->uuid, sizeof c->uuid) == 0;	/* LTTng: the UUID is the id of the boot */
	if (!host || !at || !host->is_text || !at->is_text || strcmp(host->text, at->text) != 0)
		return false;
	if (c->origin != TN_ORIGIN_UNIX || d->origin != TN_ORIGIN_UNIX)
		return true;
	/* Compare the clocks in the files, and the shifted clocks, because a clock may get its date only by the shift. */
	return is_near(c, d, 0, 0) || is_near(c, d, c->shift_ns, d->shift_ns);
}

/* The reference of the traces: the first one that has a date, otherwise the first trace. */
static const struct tn_trace *
leader_of(const struct tn_set *set, const struct tn_trace *t)
{
	const struct tn_trace *first = NULL;

	for (size_t i = 0; i < set->n_traces; i++) {
		const struct tn_trace *other = set->trace[i];

		if (other != t && !share(other, t))
			continue;
		if (machine_clock(other) && other->clock[0]->origin == TN_ORIGIN_UNIX)
			return other;
		if (!first)
			first = other;
	}
	return first;
}

const struct tn_trace *
tn_set_shared_clock(const struct tn_set *set, const struct tn_trace *trace, int64_t *ns)
{
	const struct tn_trace *leader = set && trace && machine_clock(trace) ? leader_of(set, trace) : NULL;

	if (!leader || !ns)
		return NULL;
	if (leader == trace) {	/* the leader itself is not shifted, but later traces may follow it */
		bool followed = false;

		for (size_t i = 0; i < set->n_traces; i++)
			followed |= set->trace[i] != trace && share(set->trace[i], trace);
		*ns = 0;
		return followed ? trace : NULL;
	}
	if (__builtin_sub_overflow(tn_clock_ns(leader->clock[0], 0), tn_clock_ns(trace->clock[0], 0), ns))
		return NULL;
	return leader;
}

int64_t
tn_trace_shift(const struct tn_trace *trace)
{
	return trace && trace->n_clocks ? trace->clock[0]->shift_ns - trace->options->clock_offset_ns : 0;
}

static bool
move(struct tn_trace *t, int64_t ns)
{
	int64_t shift;

	if (__builtin_add_overflow(t->clock[0]->shift_ns, ns, &shift))
		return false;
	for (size_t i = 0; i < t->n_clocks; i++) {
		t->clock[i]->shift_ns = shift;
		tn_clock_settle(t->clock[i]);
	}
	return true;
}

void
tn_set_align(struct tn_set *set)
{
	bool wanted = set->n_traces && set->trace[0]->options->align_clocks;

	for (size_t i = 0; i < set->n_traces; i++) {
		struct tn_trace *t = set->trace[i];
		int64_t ns = 0;
		const struct tn_trace *leader = tn_set_shared_clock(set, t, &ns);

		if (wanted && leader && leader != t && move(t, ns))
			ns = 0;
		/* A trace that is shifted to one that counts from 1970 then counts from 1970, too. */
		if (leader && ns == 0 && leader->clock[0]->origin == TN_ORIGIN_UNIX)
			for (size_t k = 0; k < t->n_clocks; k++)
				t->clock[k]->origin = TN_ORIGIN_UNIX;
	}
}

void
tn_set_compare_clocks(const struct tn_set *set)
{
	const struct tn_stream *first = NULL;
	int64_t ns = 0, other = 0;
	bool shared;

	for (size_t i = 0; i < set->n_streams; i++) {
		const struct tn_stream *s = set->stream[i];

		if (!s->stream_class->clock)
			continue;
		if (!first)
			first = s;
		if (tn_clocks_compare(first->stream_class->clock, s->stream_class->clock))
			continue;
		shared = tn_set_shared_clock(set, s->trace, &ns) && tn_set_shared_clock(set, first->trace, &other);
		if (shared && !ns && !other)
			continue;
		if (first->stream_class->clock->origin != s->stream_class->clock->origin ||
		    first->stream_class->clock->origin == TN_ORIGIN_NAMED) {
			if (shared)
				tn_tell(&set->problems, TN_WARNING, "%s and %s: the clocks do not count from the same time, but "
					"both read one clock: :align or --clock-offset=align puts them on one time line",
					first->trace->path, s->trace->path);
			else
				tn_tell(&set->problems, TN_WARNING, "%s and %s: the clocks do not count from the same time: the "
					"order of their events is not reliable", first->trace->path, s->trace->path);
			return;
		}
	}
}
