/* model.c - make the model from the results of the scan */
#include <stdio.h>
#include <stdlib.h>

#include "perfetto/private.h"

static const struct {
	uint32_t number;
	const char *group, *name, *fields;
} events[] = {
#define EVENT(number, group, name, fields) { number, group, name, fields },
#include "perfetto/events.def"
#undef EVENT
};

const struct tn_pf_kind *
tn_pf_kind_of(const struct tn_pf_trace *own, uint64_t number)
{
	size_t lo = 0;

	if (number < TN_PF_KINDS)
		return &own->kind[number];
	TN_BISECT(lo, own->others.n, mid, own->others.item[mid].number < number);
	return lo < own->others.n && own->others.item[lo].number == number ? &own->others.item[lo] : NULL;
}

static int
by_number(const void *a, const void *b)
{
	const struct tn_pf_kind *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* List all kinds of events in the file, with or without a description. */
static bool
gather_kinds(struct tn_pf_trace *own)
{
	size_t n = own->others.n;

	for (size_t i = 0; i < TN_COUNT(events); i++)
		own->kind[events[i].number] = (struct tn_pf_kind) {
			.number = events[i].number, .group = events[i].group, .name = events[i].name, .fields = events[i].fields,
		};
	for (uint32_t i = 0; i < TN_PF_KINDS; i++)
		own->kind[i].number = i;
	if (n)
		qsort(own->others.item, n, sizeof *own->others.item, by_number);
	for (size_t i = 0; i < own->seen_others.n; i++) {
		struct tn_pf_kind key = { .number = own->seen_others.item[i] }, *kind;

		if (n && bsearch(&key, own->others.item, n, sizeof key, by_number))
			continue;
		if (!(kind = TN_ARRAY_ADD(&own->others)))
			return false;
		*kind = key;
	}
	if (own->others.n)
		qsort(own->others.item, own->others.n, sizeof *own->others.item, by_number);
	return true;
}

/* ---- types ---- */

static struct tn_type *
type_of(struct tn_builder *b, char how, const char *name)
{
	static const char *const small[] = { "pid", "prev_pid", "next_pid", "prio", "prev_prio", "next_prio", "target_cpu" };
	bool is_small = false;

	for (size_t i = 0; i < TN_COUNT(small); i++)
		is_small |= strcmp(small[i], name) == 0;
	switch (how) {
	case 's': case 'b': case 'm': return tn_build_type(b, TN_KIND_STRING, 0);
	case 'i': case 'z': return tn_build_type(b, TN_KIND_SINT, is_small ? 32 : 64);
	case 'r': return tn_build_array(b, tn_build_type(b, TN_KIND_UINT, 64));
	default: return tn_build_type(b, TN_KIND_UINT, 64);
	}
}

static size_t
count_fields(const char *fields)
{
	size_t n = *fields != '\0';

	/* A field is two words. */
	for (; *fields; fields++)
		n += *fields == ' ';
	return n ? n / 2 : 0;
}

/* Build the payload from its description, such as "1s prev_comm 2i prev_pid". */
static struct tn_field *
build_payload(struct tn_builder *b, struct tn_pf_kind *kind)
{
	size_t n = count_fields(kind->fields), i = 0;
	struct tn_type *t;

	n = n < TN_PF_MEMBERS ? n : TN_PF_MEMBERS;
	t = tn_build_compound(b, TN_KIND_STRUCT, n + 1);
	kind->member = TN_NEW_ARRAY(&b->trace->arena, n + 1, struct tn_pf_member);
	if (!t || !kind->member) {
		b->failed = true;
		return NULL;
	}
	for (const char *at = kind->fields; *at && i < n; i++) {
		char *after;
		const char *name;
		size_t length;

		kind->member[i].number = (uint32_t)strtoul(at, &after, 10);
		kind->member[i].type = *after;
		after += *after && after[1] == ' ' ? 2 : 0;
		length = strcspn(after, " ");
		name = tn_arena_copy(&b->trace->arena, after, length);
		tn_build_field(b, t, name ? name : "", type_of(b, kind->member[i].type, name ? name : ""));
		b->failed |= !name;
		at = after + length + (after[length] == ' ');
	}
	return tn_build_root(b, t);
}

/* Build the payload of an event class that the file does not describe: one text. */
static struct tn_field *
build_text(struct tn_builder *b)
{
	struct tn_type *t = tn_build_compound(b, TN_KIND_STRUCT, 2);
	struct tn_field *f = tn_build_field(b, t, "number", tn_build_type(b, TN_KIND_UINT, 64));

	if (f)
		f->hidden = true;
	tn_build_field(b, t, "fields", tn_build_type(b, TN_KIND_STRING, 0));
	return tn_build_root(b, t);
}

/* ---- classes ---- */

static struct tn_event_class *
add_class(struct tn_builder *b, struct tn_stream_class *sc, uint64_t id, const char *group, const char *name,
	  struct tn_field *payload)
{
	struct tn_trace *trace = b->trace;
	struct tn_event_class *ec = TN_NEW(&trace->arena, struct tn_event_class);
	struct tn_str s = { 0 };

	tn_str_printf(&s, "%s%s%s", group, *group ? ":" : "", name);
	if (!ec || s.failed || b->failed || !(ec->name = tn_arena_string(&trace->arena, s.text))) {
		b->failed = true;
		tn_str_release(&s);
		return NULL;
	}
	tn_str_release(&s);
	ec->id = ec->last_id = id;
	ec->index = (uint32_t)trace->n_event_classes;
	ec->log_level = -1;
	ec->stream_class = sc;
	ec->payload = payload;
	tn_field_number(payload, &trace->n_fields);
	trace->event_class[trace->n_event_classes++] = sc->event_class[sc->n_event_classes++] = ec;
	return ec;
}

static void
add_kind(struct tn_builder *b, struct tn_stream_class *sc, struct tn_pf_kind *kind)
{
	char number[32];

	kind->is_text = !kind->fields;
	snprintf(number, sizeof number, "#%u", (unsigned)kind->number);
	if (kind->is_text) {
		kind->group = "ftrace";
		kind->name = kind == &((struct tn_pf_trace *)b->trace->own)->unknown_kind ? "unknown" : number;
	}
	kind->event_class = add_class(b, sc, kind->number, kind->group, kind->name,
				      kind->is_text ? build_text(b) : build_payload(b, kind));
	if (kind->is_text && kind->event_class)
		kind->name = kind->event_class->name;
}

static struct tn_stream_class *
new_stream_class(struct tn_trace *trace, const char *name, size_t n)
{
	struct tn_stream_class *sc = TN_NEW(&trace->arena, struct tn_stream_class);

	if (!sc || !(sc->event_class = TN_NEW_ARRAY(&trace->arena, n + 1, struct tn_event_class *)))
		return NULL;
	sc->id = trace->n_stream_classes;
	sc->name = name;
	sc->trace = trace;
	sc->clock = trace->clock[0];
	trace->stream_class[trace->n_stream_classes++] = sc;
	return sc;
}

static void
build_ftrace(struct tn_builder *b)
{
	struct tn_pf_trace *own = b->trace->own;
	struct tn_type *thread = tn_build_compound(b, TN_KIND_STRUCT, 4), *cpu = tn_build_compound(b, TN_KIND_STRUCT, 1);
	struct tn_stream_class *sc = new_stream_class(b->trace, "ftrace", TN_PF_KINDS + own->others.n);
	struct tn_field *f;

	if (!sc) {
		b->failed = true;
		return;
	}
	tn_build_field(b, thread, "tid", tn_build_type(b, TN_KIND_SINT, 32));
	tn_build_field(b, thread, "pid", tn_build_type(b, TN_KIND_SINT, 32));
	tn_build_field(b, thread, "procname", tn_build_type(b, TN_KIND_STRING, 0));
	tn_build_field(b, thread, "flags", tn_build_type(b, TN_KIND_UINT, 32));
	if ((f = tn_build_field(b, cpu, "cpu_id", tn_build_type(b, TN_KIND_UINT, 32))))
		f->type->roles = TN_ROLE_CPU_ID;
	sc->common_context = own->thread = tn_build_root(b, thread);
	sc->packet_context = own->processor = tn_build_root(b, cpu);
	if (b->failed)
		return;
	tn_field_number(own->processor, &b->trace->n_fields);
	tn_field_number(own->thread, &b->trace->n_fields);
	for (uint32_t i = 0; i < TN_PF_KINDS && !b->failed; i++)
		if (own->seen[i / 8] >> i % 8 & 1)
			add_kind(b, sc, &own->kind[i]);
	for (size_t i = 0; i < own->others.n && !b->failed; i++)
		add_kind(b, sc, &own->others.item[i]);
	own->unknown_kind.number = UINT32_MAX;
	if (!b->failed)
		add_kind(b, sc, &own->unknown_kind);
	own->ftrace = sc;
}

/* ---- rows that are packets ---- */

/* Keys of these spans: perfetto.md, 6. */
static const struct tn_span_kind slice = { .name = "track", .by = "track", .duration = "dur" };

static const struct { char type; const char *name; enum tn_span_part part; } types[] = {
	{ 'B', "begin", TN_SPAN_PART_BEGIN }, { 'E', "end", TN_SPAN_PART_END }, { 'X', "slice", TN_SPAN_PART_WHOLE },
	{ 'I', "instant", TN_SPAN_PART_NONE }, { 'C', "counter", TN_SPAN_PART_NONE },
};

/* Build the fields in the order of read_event() (event.c). */
static struct tn_field *
build_packet_payload(struct tn_builder *b, struct tn_pf_class *c)
{
	struct tn_type *t = tn_build_compound(b, TN_KIND_STRUCT, c->notes.n + 6);

	if (c->type == 'P') {
		tn_build_field(b, t, "fields", tn_build_type(b, TN_KIND_STRING, 0));
		return tn_build_root(b, t);
	}
	if (c->type == 'X')
		tn_build_field(b, t, "dur", tn_build_type(b, TN_KIND_UINT, 64));
	if (c->is_other)
		tn_build_field(b, t, "name", tn_build_type(b, TN_KIND_STRING, 0));
	if (c->has & (TN_PF_HAS_INT | TN_PF_HAS_DOUBLE))
		tn_build_field(b, t, c->has & TN_PF_IS_CHANGE ? "change" : "value",
			       tn_build_type(b, c->has & TN_PF_HAS_DOUBLE ? TN_KIND_FLOAT : TN_KIND_SINT, 64));
	if (c->has & TN_PF_HAS_FLOW)
		tn_build_field(b, t, "flow_ids", tn_build_array(b, tn_build_type(b, TN_KIND_UINT, 64)));
	if (c->has & TN_PF_HAS_END_FLOW)
		tn_build_field(b, t, "terminating_flow_ids", tn_build_array(b, tn_build_type(b, TN_KIND_UINT, 64)));
	for (struct tn_pf_node *m = c->notes.first; m && t; m = m->next)
		m->field = tn_build_field(b, t, m->key.n ? (const char *)m->key.p : "_", tn_pf_node_type(b, m));
	return tn_build_root(b, t);
}

static void
build_packet_class(struct tn_builder *b, struct tn_stream_class *sc, struct tn_pf_class *c, uint64_t id)
{
	const char *name = c->name;
	struct tn_field *payload = build_packet_payload(b, c);

	for (size_t i = 0; i < TN_COUNT(types); i++)
		if (types[i].type == c->type && !*name)
			name = types[i].name;
	if (b->failed || !(c->event_class = add_class(b, sc, id, c->type == 'P' ? "perfetto" : "", name, payload)))
		return;
	for (size_t i = 0; i < TN_COUNT(types); i++)
		if (types[i].type == c->type && types[i].part != TN_SPAN_PART_NONE) {
			c->event_class->span_kind = &slice;
			c->event_class->span_part = types[i].part;
		}
}

static void
build_packets(struct tn_builder *b)
{
	static const struct { const char *name; enum tn_kind kind; unsigned bits; } fields[] = {
		{ "sequence", TN_KIND_UINT, 32 }, { "track", TN_KIND_UINT, 64 }, { "track_name", TN_KIND_STRING, 0 },
		{ "cat", TN_KIND_STRING, 0 }, { "pid", TN_KIND_SINT, 64 }, { "tid", TN_KIND_SINT, 64 },
		{ "procname", TN_KIND_STRING, 0 }, { "thread_name", TN_KIND_STRING, 0 },
	};
	struct tn_pf_trace *own = b->trace->own;
	struct tn_type *t = tn_build_compound(b, TN_KIND_STRUCT, TN_COUNT(fields));
	struct tn_stream_class *sc = new_stream_class(b->trace, "packets", own->classes.n);

	b->failed |= !sc;
	for (size_t i = 0; i < TN_COUNT(fields); i++)
		tn_build_field(b, t, fields[i].name, tn_build_type(b, fields[i].kind, fields[i].bits));
	own->track = tn_build_root(b, t);
	if (b->failed)
		return;
	sc->common_context = own->track;
	tn_field_number(own->track, &b->trace->n_fields);
	for (size_t i = 0; i < own->classes.n && !b->failed; i++)
		build_packet_class(b, sc, &own->classes.item[i], i);
	own->packets = sc;
}

/* ---- the trace ---- */

static struct tn_clock *
new_clock(struct tn_trace *trace)
{
	const struct tn_pf_trace *own = trace->own;
	struct tn_clock *clock = tn_build_clock(trace, "boottime", "CLOCK_BOOTTIME",
						own->clocks.has_origin ? (int64_t)own->clocks.origin : 0);

	if (clock && own->clocks.has_origin)
		clock->origin = TN_ORIGIN_UNIX;
	return clock;
}

static void
add_env(struct tn_trace *trace, const char *name, const char *text)
{
	if (text && *text)
		trace->env[trace->n_env++] = (struct tn_env) { .name = name, .is_text = true, .text = text };
}

/* Get the version from a text such as "Perfetto v58.2-abcdef (abcdef...)". */
static const char *
version_of(struct tn_trace *trace, const char *text)
{
	const char *v = text && strncmp(text, "Perfetto v", 10) == 0 ? text + 10 : text;

	return v ? tn_arena_copy(&trace->arena, v, strcspn(v, " ")) : NULL;
}

enum tn_code
tn_pf_build(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_pf_trace *own = trace->own;
	struct tn_builder b = { .trace = trace };
	bool good = gather_kinds(own);

	trace->stream_class = TN_NEW_ARRAY(&trace->arena, 2, struct tn_stream_class *);
	trace->event_class = TN_NEW_ARRAY(&trace->arena, TN_PF_KINDS + own->others.n + own->classes.n + 1,
					  struct tn_event_class *);
	trace->env = TN_NEW_ARRAY(&trace->arena, 8, struct tn_env);
	if (!good || !trace->stream_class || !trace->event_class || !trace->env || !new_clock(trace))
		return tn_fail_memory(err);
	add_env(trace, "tracer_name", "perfetto");
	add_env(trace, "tracer_version", version_of(trace, own->version));
	add_env(trace, "sysname", own->sysname);
	add_env(trace, "kernel_release", own->release);
	add_env(trace, "architecture", own->machine);
	build_ftrace(&b);
	if (!b.failed)
		build_packets(&b);
	return b.failed ? tn_fail_memory(err) : TN_OK;
}
