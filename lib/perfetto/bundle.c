/*
 * bundle.c - scan a bundle: its processor and times, the kinds of its events, the thread that runs after it
 *
 * Source     perfetto.md, 5
 */
#include <stdlib.h>

#include "perfetto/private.h"

#define MOST_KINDS 4096		/* limit of kinds of events that are not in events.def */
#define MOST_FIELDS TN_PF_MEMBERS

struct look {
	struct tn_trace *trace;
	struct tn_pf_trace *own;
	struct tn_pf_shift shift;
	uint64_t least, most, cpu;
	bool has_time, has_lost, failed;
	uint64_t switched;		/* time of the last switch */
	int32_t pid;			/* pid of the thread that runs after this switch */
	struct tn_pf_bytes comm;
	bool has_switch;
};

void
tn_pf_bundle_clock(struct tn_pf_shift *out, const struct tn_pf_field *f)
{
	if (f->number == 6)
		out->from = f->value;
	else if (f->number == 7)
		out->to = f->value;
}

bool
tn_pf_sched_read(struct tn_pf_sched *out, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_field f;

	*out = (struct tn_pf_sched) { .body = body };
	for (unsigned i = 0; i < TN_PF_COLUMNS; i++)
		out->column[i] = (struct tn_pf_in) { body.p, body.p, false };
	while (tn_pf_next(&in, &f))
		if (f.number < TN_PF_COLUMNS && f.wire == TN_PF_BYTES)
			out->column[f.number] = tn_pf_in(f.bytes);
	return !in.bad;
}

static void
note_time(struct look *l, uint64_t time)
{
	l->least = !l->has_time || time < l->least ? time : l->least;
	l->most = !l->has_time || time > l->most ? time : l->most;
	l->has_time = true;
}

static void
note_switch(struct look *l, uint64_t time, int32_t pid, struct tn_pf_bytes comm)
{
	if (l->has_switch && time < l->switched)
		return;
	l->has_switch = true;
	l->switched = time;
	l->pid = pid;
	l->comm = comm;
}

/* ---- kinds of events ---- */

static void
note_kind(struct look *l, uint64_t number)
{
	struct tn_pf_trace *own = l->own;
	size_t lo = 0;
	uint32_t *item;

	if (number < TN_PF_KINDS) {
		own->seen[number / 8] |= (uint8_t)(1u << number % 8);
		return;
	}
	TN_BISECT(lo, own->seen_others.n, mid, own->seen_others.item[mid] < number);
	if ((lo < own->seen_others.n && own->seen_others.item[lo] == number) || own->seen_others.n >= MOST_KINDS)
		return;
	if (!TN_ARRAY_ADD(&own->seen_others)) {
		l->failed = true;
		return;
	}
	item = own->seen_others.item;
	memmove(item + lo + 1, item + lo, (own->seen_others.n - 1 - lo) * sizeof *item);
	item[lo] = (uint32_t)number;
}

/* Add a field in the form of events.def, such as " 3s name". */
static void
add_field(struct tn_str *out, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_bytes name = { body.p, 0 };
	uint64_t number = 0, type = 0, label = 0;
	struct tn_pf_field f;
	char how;

	while (tn_pf_next(&in, &f)) {
		name = f.number == 1 ? f.bytes : name;
		number = f.number == 3 ? f.value : number;
		label = f.number == 4 ? f.value : label;
		type = f.number == 5 ? f.value : type;
	}
	if (!number || number > UINT32_MAX >> 3)
		return;
	how = label == 3 && type != 9 ? 'r' : type == 9 ? 's' : type == 12 ? 'b' : type == 11 ? 'm' :
	      type == 3 || type == 5 || type == 14 || type == 15 || type == 16 ? 'i' : type == 17 || type == 18 ? 'z' : 'u';
	tn_str_printf(out, "%s%u%c ", out->n ? " " : "", (unsigned)number, how);
	for (uint64_t i = 0; i < name.n && i < 128; i++) {
		char c = (char)name.p[i];
		bool good = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';

		tn_str_putc(out, good ? c : '_');
	}
	if (!name.n)
		tn_str_puts(out, "_");
}

/* Add a kind of events that the file itself describes. The first description of a number counts. */
static void
add_kind(struct look *l, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_bytes group = { body.p, 0 }, type = group, name = group;
	uint64_t number = 0;
	struct tn_str fields = { 0 };
	struct tn_pf_kind *kind;
	struct tn_pf_field f;
	unsigned n = 0;

	while (tn_pf_next(&in, &f)) {
		number = f.number == 1 ? f.value : number;
		group = f.number == 3 ? f.bytes : group;
		type = f.number == 2 ? f.bytes : type;
	}
	for (size_t i = 0; i < l->own->others.n; i++)
		if (l->own->others.item[i].number == number)
			return;
	if (number < TN_PF_KINDS || number > UINT32_MAX >> 3 || l->own->others.n >= MOST_KINDS)
		return;
	for (in = tn_pf_in(type); tn_pf_next(&in, &f);)
		if (f.number == 1)
			name = f.bytes;
		else if (f.number == 2 && n++ < MOST_FIELDS)
			add_field(&fields, f.bytes);
	kind = TN_ARRAY_ADD(&l->own->others);
	if (kind) {
		*kind = (struct tn_pf_kind) { .number = (uint32_t)number };
		kind->group = tn_pf_copy(l->trace, group);
		kind->name = tn_pf_copy(l->trace, name);
		kind->fields = fields.failed ? NULL : tn_arena_string(&l->trace->arena, tn_str_text(&fields));
	}
	l->failed |= !kind || !kind->group || !kind->name || !kind->fields;
	tn_str_release(&fields);
}

/* ---- events ---- */

static void
look_at_event(struct look *l, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_bytes what = { body.p, 0 }, comm = what;
	uint64_t time = 0, number = 0, pid = UINT64_MAX;
	struct tn_pf_field f;

	while (tn_pf_next(&in, &f)) {
		if (f.number == 1) {
			time = f.value;
		} else if (f.number > 2 && f.number != 5) {
			number = f.number;
			what = f.bytes;
		}
	}
	if (in.bad)
		return;
	note_time(l, time);
	note_kind(l, number);
	if (number != TN_PF_SWITCH)
		return;
	for (in = tn_pf_in(what); tn_pf_next(&in, &f);) {
		pid = f.number == 6 ? f.value : pid;
		comm = f.number == 5 ? f.bytes : comm;
	}
	note_switch(l, time, (int32_t)pid, comm);
}

/* Get the last number of a packed column. A varint ends at a byte less than 0x80. */
static uint64_t
last_of(const struct tn_pf_in *column)
{
	struct tn_pf_in in = *column;

	if (in.p == in.end)
		return UINT64_MAX;
	in.p = in.end - 1;
	while (in.p > column->p && in.p[-1] >= 0x80)
		in.p--;
	return tn_pf_varint(&in);
}

static uint64_t
look_at_times(struct look *l, struct tn_pf_in in)
{
	uint64_t time = 0;
	bool first = true;

	while (in.p < in.end && !in.bad) {
		time += tn_pf_varint(&in);
		if (first && !in.bad)
			note_time(l, time);
		first = false;
	}
	if (!first)
		note_time(l, time);
	return time;
}

static void
look_at_sched(struct look *l, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_bytes comm = { body.p, 0 };
	struct tn_pf_sched s;
	struct tn_pf_field f;
	uint64_t time, text;

	tn_pf_sched_read(&s, body);
	if (s.column[TN_PF_WAKING_TIME].p < s.column[TN_PF_WAKING_TIME].end) {
		note_kind(l, TN_PF_WAKING);
		look_at_times(l, s.column[TN_PF_WAKING_TIME]);
	}
	if (s.column[TN_PF_SWITCH_TIME].p == s.column[TN_PF_SWITCH_TIME].end)
		return;
	note_kind(l, TN_PF_SWITCH);
	time = look_at_times(l, s.column[TN_PF_SWITCH_TIME]);
	text = last_of(&s.column[TN_PF_SWITCH_COMM]);
	while (tn_pf_next(&in, &f))
		if (f.number == TN_PF_TEXTS && text-- == 0)
			comm = f.bytes;
	note_switch(l, time, (int32_t)last_of(&s.column[TN_PF_SWITCH_PID]), comm);
}

static struct tn_pf_cpu *
cpu_of(struct tn_pf_trace *own, uint32_t number)
{
	struct tn_pf_cpu *cpu;

	if (own->cpu_at[number])
		return &own->cpus.item[own->cpu_at[number] - 1];
	if (!(cpu = TN_ARRAY_ADD(&own->cpus)))
		return NULL;
	own->cpu_at[number] = (uint32_t)own->cpus.n;
	*cpu = (struct tn_pf_cpu) { .cpu = number, .pid = -1 };
	return cpu;
}

static bool
add_bundle(struct look *l, struct tn_pf_bytes body)
{
	struct tn_pf_cpu *cpu = cpu_of(l->own, (uint32_t)l->cpu);
	struct tn_pf_bundle *b = cpu ? TN_ARRAY_ADD(&cpu->bundles) : NULL;

	if (!b)
		return false;
	*b = (struct tn_pf_bundle) {
		.at = (uint64_t)(body.p - l->own->data), .n = body.n, .pid = l->has_lost ? -1 : cpu->pid, .comm = cpu->comm,
		.begin = tn_pf_shifted(&l->shift, l->least), .end = tn_pf_shifted(&l->shift, l->most), .has_lost = l->has_lost,
	};
	if (!l->has_time && cpu->bundles.n > 1)
		b->begin = b->end = b[-1].end;
	if (l->has_switch) {
		cpu->pid = l->pid;
		cpu->comm = (struct tn_pf_text) { (uint64_t)(l->comm.p - l->own->data), (uint32_t)(l->comm.n & 0xff) };
	} else if (l->has_lost) {
		cpu->pid = -1;
	}
	return true;
}

bool
tn_pf_bundle_scan(struct tn_trace *trace, struct tn_pf_bytes bundle)
{
	struct look l = { .trace = trace, .own = trace->own };
	struct tn_pf_in in = tn_pf_in(bundle);
	struct tn_pf_field f;

	while (tn_pf_next(&in, &f))
		switch (f.number) {
		case 1: l.cpu = f.value < TN_PF_CPUS ? f.value : TN_PF_CPUS; break;
		case 2: look_at_event(&l, f.bytes); break;
		case 3: l.has_lost |= f.value != 0; break;
		case 4: look_at_sched(&l, f.bytes); break;
		/* The reader could not parse a page, so its events are lost. */
		case 8: l.has_lost = true; break;
		case 6: case 7: tn_pf_bundle_clock(&l.shift, &f); break;
		case 11: add_kind(&l, f.bytes); break;
		default: break;
		}
	return !l.failed && add_bundle(&l, bundle);
}
