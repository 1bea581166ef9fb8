/* scan.c - the passes over the packets: one for the clocks, one for all other data */
#include <inttypes.h>
#include <stdlib.h>

#include "base/messages.h"
#include "perfetto/private.h"

#define PASS (UINT64_C(4) << 20)	/* bytes after which pages are released */
#define MOST_BUNDLE (UINT64_C(64) << 20)
#define MOST_NAMES (1u << 18)		/* limit of threads with a name */
#define MOST_NAME 256			/* limit of bytes of one name */

struct scan {
	struct tn_trace *trace;
	struct tn_pf_trace *own;
	struct tn_pf_tracker *tracker;
	uint64_t passed;
	bool failed;
	bool has_start;
	uint64_t start;		/* a time near the start, for packets without one */
};

/* ---- names ---- */

/* Add the name of a thread; the last name counts. */
static void
add_name(struct scan *s, uint64_t tid, uint64_t pid, struct tn_pf_bytes name)
{
	struct tn_hash_item *item;
	struct tn_pf_name *to;
	bool is_new;

	if (s->own->names.n >= MOST_NAMES || tid > INT32_MAX || (name.n == 0 && pid > INT32_MAX))
		return;
	if (!(item = tn_hash_add_u64(&s->own->name_of, tid, &is_new)) || (is_new && !TN_ARRAY_ADD(&s->own->names))) {
		s->failed = true;
		return;
	}
	if (is_new)
		item->value = s->own->names.n - 1;
	to = &s->own->names.item[item->value];
	if (is_new)
		*to = (struct tn_pf_name) { .tid = (int32_t)tid, .pid = -1, .name = "" };
	name.n = name.n < MOST_NAME ? name.n : MOST_NAME;
	to->pid = pid <= INT32_MAX ? (int32_t)pid : to->pid;
	/* If the name has not changed, it is not copied again. */
	if (name.n && (strlen(to->name) != name.n || memcmp(to->name, name.p, (size_t)name.n) != 0))
		to->name = tn_pf_copy(s->trace, name);
	if (!to->name) {
		to->name = "";
		s->failed = true;
	}
}

/* The last part of a path. */
static struct tn_pf_bytes
base_name(struct tn_pf_bytes b)
{
	for (uint64_t i = b.n; i-- > 0;)
		if (b.p[i] == '/' && i + 1 < b.n)
			return (struct tn_pf_bytes) { b.p + i + 1, b.n - i - 1 };
	return b;
}

/* Read ProcessTree: 1 processes (1 pid, 3 cmdline), 2 threads (1 tid, 3 tgid, 2 name). */
static void
take_process_tree(struct scan *s, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body), inner;
	struct tn_pf_field f, g;

	while (tn_pf_next(&in, &f)) {
		struct tn_pf_bytes name = { f.bytes.p, 0 };
		uint64_t tid = UINT64_MAX, pid = UINT64_MAX;

		for (inner = tn_pf_in(f.bytes); tn_pf_next(&inner, &g);) {
			tid = g.number == 1 ? g.value : tid;
			pid = g.number == 3 && g.wire == TN_PF_VARINT ? g.value : pid;
			if (g.wire == TN_PF_BYTES && g.number == (f.number == 1 ? 3 : 2) && !name.n)
				name = f.number == 1 ? base_name(g.bytes) : g.bytes;
		}
		if (f.number == 1 || f.number == 2)
			add_name(s, tid, f.number == 1 ? tid : pid, name);
	}
}

/* Read ProcessStats: 1 processes (1 pid, 11 threads (1 tid)). */
static void
take_process_stats(struct scan *s, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body), inner, thread;
	struct tn_pf_field f, g, h;

	while (tn_pf_next(&in, &f)) {
		uint64_t pid = UINT64_MAX;

		if (f.number != 1)
			continue;
		for (inner = tn_pf_in(f.bytes); tn_pf_next(&inner, &g);)
			if (g.number == 1)
				pid = g.value;
			else if (g.number == 11)
				for (thread = tn_pf_in(g.bytes); tn_pf_next(&thread, &h);)
					if (h.number == 1)
						add_name(s, h.value, pid, (struct tn_pf_bytes) { g.bytes.p, 0 });
	}
}

/* Read SystemInfo: 1 utsname (1 sysname, 3 release, 4 machine), 4 version of the tracing service. */
static void
take_system_info(struct scan *s, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body), inner;
	struct tn_pf_field f, g;

	while (tn_pf_next(&in, &f)) {
		if (f.number == 4 && f.bytes.n < 4096)
			s->failed |= !(s->own->version = tn_pf_copy(s->trace, f.bytes));
		for (inner = tn_pf_in(f.bytes); f.number == 1 && tn_pf_next(&inner, &g);) {
			const char **to = g.number == 1 ? &s->own->sysname : g.number == 3 ? &s->own->release :
					  g.number == 4 ? &s->own->machine : NULL;

			if (to && g.bytes.n < 4096)
				s->failed |= !(*to = tn_pf_copy(s->trace, g.bytes));
		}
	}
}

/* ---- losses ---- */

/* Read FtraceStats: 1 phase (1 begin, 2 end), 2 cpu_stats (1 cpu, 3 overrun). */
static void
take_ftrace_stats(struct scan *s, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body), inner;
	struct tn_pf_field f, g;
	uint64_t phase = 0;

	while (tn_pf_next(&in, &f)) {
		uint64_t cpu = UINT64_MAX, overrun = 0;

		phase = f.number == 1 ? f.value : phase;
		if (f.number != 2)
			continue;
		for (inner = tn_pf_in(f.bytes); tn_pf_next(&inner, &g);) {
			cpu = g.number == 1 ? g.value : cpu;
			overrun = g.number == 3 ? g.value : overrun;
		}
		if (cpu < TN_PF_CPUS && (phase == 1 || phase == 2))
			s->own->found.overrun[cpu][phase - 1] = overrun;
	}
}

/* Read TraceStats: 1 buffers (3 chunks_overwritten, 18 chunks_discarded, 6 patches_failed, 19 trace_writer_packet_loss). */
static void
take_trace_stats(struct scan *s, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body), inner;
	uint64_t lost[4] = { 0 }, *to;
	struct tn_pf_field f, g;

	while (tn_pf_next(&in, &f))
		for (inner = tn_pf_in(f.bytes); f.number == 1 && tn_pf_next(&inner, &g);) {
			to = g.number == 3 ? &lost[0] : g.number == 18 ? &lost[1] : g.number == 6 ? &lost[2] :
			     g.number == 19 ? &lost[3] : NULL;
			if (to)
				*to += g.value;
		}
	/* The last statistics are for the whole session. */
	memcpy(s->own->found.stats, lost, sizeof lost);
}

void
tn_pf_tell(const struct tn_trace *trace)
{
	const struct tn_pf_trace *own = trace->own;
	const uint64_t *lost = own->found.stats;
	bool others = false;

	for (size_t i = 0; i < own->classes.n; i++)
		others |= own->classes.item[i].is_other;
	if (others)
		tn_build_tell_others(trace, TN_PF_CLASSES, TN_PF_NAME);
	for (uint32_t i = 0; i < TN_PF_CPUS; i++)
		if (own->found.overrun[i][1] > own->found.overrun[i][0])
			tn_tell(&trace->problems, TN_WARNING, "%s: processor %" PRIu32 ": the kernel overwrote %" PRIu64
				" events before Perfetto read them", trace->path, i,
				own->found.overrun[i][1] - own->found.overrun[i][0]);
	if (lost[0] || lost[1] || lost[2] || lost[3])
		tn_tell(&trace->problems, TN_WARNING, "%s: Perfetto lost data: %" PRIu64 " chunks overwritten, %" PRIu64
			" chunks discarded, %" PRIu64 " patches failed, %" PRIu64 " losses in programs", trace->path, lost[0],
			lost[1], lost[2], lost[3]);
	if (own->found.n_left_out)
		tn_tell(&trace->problems, TN_WARNING, "%s: %" PRIu64 " bundles of ftrace are of other machines, or too large: "
			"they are left out", trace->path, own->found.n_left_out);
	if (own->found.n_bad)
		tn_tell(&trace->problems, TN_DAMAGE, "%s: %" PRIu64 " packets cannot be read: the first is at byte %" PRIu64,
			trace->path, own->found.n_bad, own->found.bad_at);
	if (own->found.n_lost)
		tn_tell(&trace->problems, TN_DAMAGE, "%s: %" PRIu64 " bytes are not packets, from byte %" PRIu64 " on",
			trace->path, own->found.n_lost, own->found.lost_at);
	if (own->found.end < own->size)
		tn_tell(&trace->problems, TN_NOTE,
			"%s: the file ends inside a packet, at byte %" PRIu64 ": the readable part is shown", trace->path,
			own->found.end);
	if (own->clocks.n_unknown)
		tn_tell(&trace->problems, TN_WARNING, "%s: %" PRIu64 " packets have a clock without a clock snapshot: their "
			"times are shown unchanged", trace->path, own->clocks.n_unknown);
	if (own->found.n_dropped)
		tn_tell(&trace->problems, TN_WARNING, "%s: %" PRIu64 " packets need strings from lost packets: they are left "
			"out", trace->path, own->found.n_dropped);
	if (own->found.n_trackless)
		tn_tell(&trace->problems, TN_WARNING, "%s: too many tracks: %" PRIu64 " packets are shown without a track",
			trace->path, own->found.n_trackless);
	if (own->found.n_uninterned)
		tn_tell(&trace->problems, TN_WARNING, "%s: too many strings: %" PRIu64 " of them are left out",
			trace->path, own->found.n_uninterned);
}

/* ---- packets ---- */

/* Get the packet at or after *at. False: the data end. */
static bool
next_packet(struct scan *s, uint64_t *at, struct tn_pf_packet *p)
{
	struct tn_pf_trace *own = s->own;

	while (*at < own->size && !tn_pf_packet_at(p, own->data, *at, own->size)) {
		uint64_t next = tn_pf_resync(own->data, *at, own->size);

		if (next < own->size && !own->found.n_lost)
			own->found.lost_at = *at;
		own->found.end = *at;
		if (next < own->size)
			own->found.n_lost += next - *at;
		*at = next;
	}
	if (*at >= own->size)
		return false;
	*at = own->found.end = p->next;
	if (*at - s->passed > PASS) {
		tn_map_pass(own->is_flat ? &own->flat : &own->map, s->passed, *at);
		s->passed = *at;
	}
	return true;
}

/* Read the clocks, and find out whether packets are compressed. */
static bool
scan_clocks(struct scan *s, bool *is_packed)
{
	struct tn_pf_packet p;
	uint64_t at = 0;

	*is_packed = false;

	while (next_packet(s, &at, &p)) {
		*is_packed |= p.content == TN_PF_ZLIB || p.content == TN_PF_ZSTD;
		if (!s->has_start && p.has_time && !p.is_foreign && (!p.clock || p.clock == TN_PF_BOOTTIME)) {
			s->has_start = true;
			s->start = p.time;
		}
		if (p.content == TN_PF_CLOCKS && !p.is_foreign && !tn_pf_clock_add(&s->own->clocks, p.body, p.sequence))
			return false;
	}
	tn_pf_clock_settle(&s->own->clocks);
	s->own->found.n_lost = s->passed = 0;
	return true;
}

static void
take_packet(struct scan *s, const struct tn_pf_packet *p)
{
	if (p->bad) {
		s->own->found.bad_at = s->own->found.n_bad ? s->own->found.bad_at : p->at;
		s->own->found.n_bad++;
	}
	switch (p->content) {
	case TN_PF_FTRACE:
		if (p->is_foreign || p->body.n > MOST_BUNDLE)
			s->own->found.n_left_out++;
		else
			s->failed |= !tn_pf_bundle_scan(s->trace, p->body);
		break;
	case TN_PF_PROCESS_TREE: take_process_tree(s, p->body); break;
	case TN_PF_PROCESS_STATS: take_process_stats(s, p->body); break;
	case TN_PF_SYSTEM_INFO: take_system_info(s, p->body); break;
	case TN_PF_FTRACE_STATS: take_ftrace_stats(s, p->body); break;
	case TN_PF_TRACE_STATS: take_trace_stats(s, p->body); break;
	default: break;
	}
}

static enum tn_code
scan_packets(struct scan *s, struct tn_error *err)
{
	struct tn_pf_packet p;
	enum tn_code rc = TN_OK;
	uint64_t at = 0;

	while (rc == TN_OK && next_packet(s, &at, &p)) {
		take_packet(s, &p);
		rc = s->failed ? tn_fail_memory(err) : tn_pf_tracker_take(s->tracker, &p, err);
	}
	if (rc == TN_OK && tn_map_torn(&s->own->map))
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", s->trace->path);
	return rc == TN_OK ? tn_pf_tracker_end(s->tracker, err) : rc;
}

enum tn_code
tn_pf_scan(struct tn_trace *trace, struct tn_error *err)
{
	struct scan s = { .trace = trace, .own = trace->own };
	bool is_packed;
	enum tn_code rc;

	if (!scan_clocks(&s, &is_packed))
		return tn_fail_memory(err);
	if (is_packed) {
		if ((rc = tn_pf_unpack(trace, err)) < 0)
			return rc;
		tn_pf_clock_release(&s.own->clocks);
		s.own->clocks = (struct tn_pf_clocks) { .has_origin = false };
		if (!scan_clocks(&s, &is_packed))
			return tn_fail_memory(err);
	}
	if (s.own->clocks.first_boot)
		s.start = s.own->clocks.first_boot;
	s.tracker = tn_pf_tracker_new(trace, s.start < INT64_MAX / 4 ? (int64_t)s.start : 0);
	rc = s.tracker ? scan_packets(&s, err) : tn_fail_memory(err);
	tn_pf_tracker_free(s.tracker);
	return rc;
}
