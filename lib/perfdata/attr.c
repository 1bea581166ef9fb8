/* attr.c - read struct perf_event_attr, and compute the layout of its samples (perfdata.md, 2 and 3) */
#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"
#include "perfdata/file.h"

static uint64_t
number(const uint8_t *p, uint32_t size, uint32_t at, unsigned bytes, bool big_endian)
{
	if (at + bytes > size)
		return 0;
	return bytes == 8 ? tn_perf_u64(p + at, big_endian) : tn_perf_u32(p + at, big_endian);
}

/* The size of the counters that READ puts into a sample; 0: the sample has their number. */
static uint32_t
read_size(uint64_t read_format)
{
	/* The numbers are: value, time enabled, time running, id, lost. */
	return read_format & 8 ? 0 : 8 * (uint32_t)(1 + __builtin_popcountll(read_format & (1 | 2 | 4 | 16)));
}

static void
add_step(struct tn_perf_attr *a, unsigned *n, enum tn_perf_step what, uint32_t size, uint32_t extra)
{
	if (what == TN_PERF_STEP_FIXED && *n == 0) {
		a->fixed += size;
		return;
	}
	a->step[*n].what = what;
	a->step[*n].size = size;
	a->step[(*n)++].extra = extra;
}

/* Lay out the parts of a sample in their order; the first parts have fixed positions. */
static void
lay_out(struct tn_perf_attr *a)
{
	uint64_t has = a->sample_type;
	unsigned n = 0;

	a->id_at = a->tid_at = a->time_at = a->cpu_at = TN_PERF_NOWHERE;
	a->fixed = 8;
#define PLACE(bit, where) \
	if (has & (bit)) { \
		where = a->fixed; \
		a->fixed += 8; \
	}
	PLACE(TN_PERF_HAS_IDENTIFIER, a->id_at)
	a->fixed += has & TN_PERF_HAS_IP ? 8 : 0;
	PLACE(TN_PERF_HAS_TID, a->tid_at)
	PLACE(TN_PERF_HAS_TIME, a->time_at)
	a->fixed += has & TN_PERF_HAS_ADDR ? 8 : 0;
	if (has & TN_PERF_HAS_ID) {
		a->id_at = a->id_at == TN_PERF_NOWHERE ? a->fixed : a->id_at;
		a->fixed += 8;
	}
	a->fixed += has & TN_PERF_HAS_STREAM_ID ? 8 : 0;
	PLACE(TN_PERF_HAS_CPU, a->cpu_at)
#undef PLACE
	a->fixed += has & TN_PERF_HAS_PERIOD ? 8 : 0;
	if (has & TN_PERF_HAS_READ && a->read_format & 8)
		add_step(a, &n, TN_PERF_STEP_CHAIN, 8 * (uint32_t)(1 + __builtin_popcountll(a->read_format & (4 | 16))),
			 8 * (uint32_t)__builtin_popcountll(a->read_format & 3));
	else if (has & TN_PERF_HAS_READ)
		add_step(a, &n, TN_PERF_STEP_FIXED, read_size(a->read_format), 0);
	if (has & TN_PERF_HAS_CALLCHAIN)
		add_step(a, &n, TN_PERF_STEP_CHAIN, 8, 0);
	if (has & TN_PERF_HAS_RAW)
		add_step(a, &n, TN_PERF_STEP_RAW, 0, 0);
	if (has & TN_PERF_HAS_BRANCH)
		add_step(a, &n, TN_PERF_STEP_CHAIN, 24, a->branch_type >> 17 & 1 ? 8 : 0);
	if (has & TN_PERF_HAS_REGS_USER)
		add_step(a, &n, TN_PERF_STEP_REGS, 8 * (uint32_t)__builtin_popcountll(a->regs_user), 0);
	if (has & TN_PERF_HAS_STACK_USER)
		add_step(a, &n, TN_PERF_STEP_STACK, 0, 0);
	for (uint64_t bit = TN_PERF_HAS_WEIGHT; bit <= TN_PERF_HAS_TRANSACTION; bit <<= 1)
		if (has & bit && bit != TN_PERF_HAS_IDENTIFIER)
			add_step(a, &n, TN_PERF_STEP_FIXED, 8, 0);
	if (has & TN_PERF_HAS_WEIGHT_STRUCT && !(has & TN_PERF_HAS_WEIGHT))
		add_step(a, &n, TN_PERF_STEP_FIXED, 8, 0);
	if (has & TN_PERF_HAS_REGS_INTR)
		add_step(a, &n, TN_PERF_STEP_REGS, 8 * (uint32_t)__builtin_popcountll(a->regs_intr), 0);
	add_step(a, &n, TN_PERF_STEP_FIXED, 8 * (uint32_t)__builtin_popcountll(has & (TN_PERF_HAS_PHYS_ADDR | TN_PERF_HAS_CGROUP |
										TN_PERF_HAS_DATA_PAGE | TN_PERF_HAS_CODE_PAGE)), 0);
	if (has & TN_PERF_HAS_AUX)
		add_step(a, &n, TN_PERF_STEP_BYTES, 0, 0);
	a->step[n].what = TN_PERF_STEP_END;
	a->trailer = 8 * (uint32_t)__builtin_popcountll(has & (TN_PERF_HAS_TID | TN_PERF_HAS_TIME | TN_PERF_HAS_ID |
							     TN_PERF_HAS_STREAM_ID | TN_PERF_HAS_CPU | TN_PERF_HAS_IDENTIFIER));
	a->trailer_time = !(has & TN_PERF_HAS_TIME) ? TN_PERF_NOWHERE : has & TN_PERF_HAS_TID ? 8 : 0;
}

void
tn_perf_attr_read(struct tn_perf_attr *out, const uint8_t *p, uint32_t size, bool big_endian)
{
	*out = (struct tn_perf_attr) {
		.type = (uint32_t)number(p, size, 0, 4, big_endian), .config = number(p, size, 8, 8, big_endian),
		.sample_type = number(p, size, 24, 8, big_endian), .read_format = number(p, size, 32, 8, big_endian),
		.flags = number(p, size, 40, 8, big_endian), .branch_type = number(p, size, 72, 8, big_endian),
		.regs_user = number(p, size, 80, 8, big_endian), .clock_id = (int32_t)number(p, size, 92, 4, big_endian),
		.regs_intr = number(p, size, 96, 8, big_endian),
	};
	lay_out(out);
}

bool
tn_perf_attr_flag(const struct tn_perf_attr *a, unsigned i, bool big_endian)
{
	/* On big-endian machines, the first bit field of a C struct is in the highest bit. */
	return a->flags >> (big_endian ? 63 - i : i) & 1;
}

void
tn_perf_attr_name(const struct tn_perf_attr *a, char *room, size_t size)
{
	static const char *const hardware[] = {
		"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses", "bus-cycles",
		"stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
	}, *const software[] = {
		"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations", "minor-faults", "major-faults",
		"alignment-faults", "emulation-faults", "dummy", "bpf-output", "cgroup-switches",
	}, *const type[] = { "hardware", "software", "tracepoint", "cache", "raw", "breakpoint" };

	if (a->type == 0 && a->config < TN_COUNT(hardware))
		snprintf(room, size, "%s", hardware[a->config]);
	else if (a->type == 1 && a->config < TN_COUNT(software))
		snprintf(room, size, "%s", software[a->config]);
	else if (a->type == 2)
		snprintf(room, size, "tracepoint:%" PRIu64, a->config);
	else if (a->type < TN_COUNT(type))
		snprintf(room, size, "%s:0x%" PRIx64, type[a->type], a->config);
	else
		snprintf(room, size, "pmu%" PRIu32 ":0x%" PRIx64, a->type, a->config);
}
