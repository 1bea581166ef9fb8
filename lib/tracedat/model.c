/*
 * model.c - a trace.dat as a model: an event class for each format, a stream class for each clock
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "ftrace/names.h"
#include "tracedat/private.h"

#define MOST_CLOCKS 16

struct model {
	struct tn_ftrace_builder build;
	struct tn_trace *trace;
	struct tn_dat_trace *own;
	struct tn_ftrace_format *format;	/* sorted by id, each once */
	size_t n;
	struct tn_field *header, *context, *packet, *bytes, **payload;	/* payload: one for each format */
	uint32_t context_need;
};

/* ---- formats ---- */

static int
by_id(const void *a, const void *b)
{
	const struct tn_ftrace_format *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Parse all formats; an invalid one is kept without fields, so that its events are shown as bytes. */
static enum tn_code
parse_formats(struct model *m, struct tn_error *err)
{
	const struct tn_dat_file *f = &m->own->file;
	const struct tn_ftrace_machine machine = { m->own->layout.commit_size };
	size_t kept = 0;

	m->format = TN_NEW_ARRAY(&m->trace->arena, f->formats.n + 1, struct tn_ftrace_format);
	if (!m->format)
		return tn_fail_memory(err);
	for (size_t i = 0; i < f->formats.n; i++) {
		const struct tn_dat_text *text = &f->formats.item[i];
		struct tn_ftrace_format *one = &m->format[m->n];
		struct tn_error why = { 0 };
		enum tn_code rc = tn_ftrace_format_parse(one, &m->trace->arena, &machine, text->system, (const char *)text->text.p,
							 (size_t)text->text.size, &why);

		if (rc == TN_ERR_MEMORY)
			return tn_fail_memory(err);
		if (rc < 0) {
			tn_tell(&m->trace->problems, TN_WARNING,
				"%s: the format of %s:%s is unknown, so its events are shown as bytes: %s",
				m->trace->path, text->system, one->name, why.text);
			one->n_fields = one->n_common = 0;
		}
		m->n += rc == TN_OK || (one->id && *one->name);
	}
	qsort(m->format, m->n, sizeof *m->format, by_id);
	for (size_t i = 0; i < m->n; i++)
		if (!kept || m->format[kept - 1].id != m->format[i].id)
			m->format[kept++] = m->format[i];
	m->n = kept;
	return TN_OK;
}

/* Returns the first format that has common fields, which all others must share. */
static const struct tn_ftrace_format *
first_format(const struct model *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->format[i].n_fields)
			return &m->format[i];
	return NULL;
}

/* The format of events in a file that does not have formats; NULL: memory is out. */
static const struct tn_ftrace_format *
plain_format(struct tn_arena *arena)
{
	static const struct tn_ftrace_field field[] = {
		{ .name = "common_type", .size = 2, .width = 2 },
		{ .name = "common_flags", .offset = 2, .size = 1, .width = 1 },
		{ .name = "common_preempt_count", .offset = 3, .size = 1, .width = 1 },
		{ .name = "common_pid", .offset = 4, .size = 4, .width = 4, .is_signed = true },
	};
	struct tn_ftrace_format *plain = TN_NEW(arena, struct tn_ftrace_format);

	if (!plain || !(plain->field = TN_NEW_ARRAY(arena, TN_COUNT(field), struct tn_ftrace_field)))
		return NULL;
	memcpy(plain->field, field, sizeof field);
	plain->n_fields = plain->n_common = TN_COUNT(field);
	return plain;
}

static struct tn_field *
new_packet_context(struct model *m)
{
	struct tn_type *context = tn_build_compound(&m->build.b, TN_KIND_STRUCT, 1), *cpu;
	struct tn_field *root;

	cpu = tn_build_type(&m->build.b, TN_KIND_UINT, 32);
	if (cpu)
		cpu->roles = TN_ROLE_CPU_ID;
	tn_build_field(&m->build.b, context, "cpu_id", cpu);
	root = tn_build_root(&m->build.b, context);
	if (!m->build.b.failed)
		tn_field_number(root, &m->trace->n_fields);
	return root;
}

static enum tn_code
build_fields(struct model *m, struct tn_error *err)
{
	const struct tn_dat_file *f = &m->own->file;
	const struct tn_ftrace_format *first = first_format(m);
	struct tn_arena *arena = &m->trace->arena;

	if (!first && !(first = plain_format(arena)))
		return tn_fail_memory(err);
	if (f->commands.size && !(m->build.commands = tn_ftrace_commands(arena, (const char *)f->commands.p,
									 (size_t)f->commands.size)))
		return tn_fail_memory(err);
	if (!tn_ftrace_printk_formats(arena, (const char *)f->printk_formats.p, (size_t)f->printk_formats.size, &m->build.addresses,
				      &m->build.n_addresses))
		return tn_fail_memory(err);
	m->header = tn_ftrace_header(&m->build);
	m->context = tn_ftrace_context(&m->build, first);
	m->packet = new_packet_context(m);
	m->bytes = tn_ftrace_bytes(&m->build);
	m->context_need = first->field[first->n_common - 1].offset + first->field[first->n_common - 1].size;
	m->payload = TN_NEW_ARRAY(arena, m->n + 1, struct tn_field *);
	if (!m->payload)
		return tn_fail_memory(err);
	for (size_t i = 0; i < m->n && !m->build.b.failed; i++) {
		struct tn_ftrace_format *one = &m->format[i];

		if (one->n_fields && !tn_ftrace_same_context(first, one)) {
			tn_tell(&m->trace->problems, TN_WARNING,
				"%s: %s:%s has other common fields than %s:%s: its events are shown as "
				"bytes", m->trace->path, one->system, one->name, first->system, first->name);
			one->n_fields = one->n_common = 0;
		}
		m->payload[i] = one->n_fields ? tn_ftrace_payload(&m->build, one) : m->bytes;
	}
	return m->build.b.failed ? tn_fail_memory(err) : TN_OK;
}

/* ---- classes ---- */

static enum tn_code
build_stream_class(struct model *m, struct tn_clock *clock, struct tn_error *err)
{
	struct tn_trace *trace = m->trace;
	struct tn_stream_class *sc = TN_NEW(&trace->arena, struct tn_stream_class);
	struct tn_event_class *ec = TN_NEW_ARRAY(&trace->arena, m->n + 1, struct tn_event_class);
	size_t s = trace->n_stream_classes, first = trace->n_event_classes;

	if (!sc || !ec)
		return tn_fail_memory(err);
	*sc = (struct tn_stream_class) {
		.id = s, .trace = trace, .clock = clock, .name = clock->name, .packet_context = m->packet,
		.event_header = m->header,
		.common_context = m->context, .event_class = &trace->event_class[first], .n_event_classes = m->n,
	};
	for (size_t i = 0; i <= m->n; i++) {
		struct tn_str name = { 0 };

		ec[i] = (struct tn_event_class) {
			.id = i < m->n ? m->format[i].id : UINT16_MAX + 1, .index = (uint32_t)(first + i), .log_level = -1,
			.stream_class = sc, .payload = i < m->n ? m->payload[i] : m->bytes,
		};
		ec[i].last_id = ec[i].id;
		if (i < m->n)
			tn_str_printf(&name, "%s:%s", m->format[i].system, m->format[i].name);
		else
			tn_str_puts(&name, "unknown");
		ec[i].name = name.failed ? NULL : tn_arena_string(&trace->arena, name.text);
		tn_str_release(&name);
		if (!ec[i].name)
			return tn_fail_memory(err);
		trace->event_class[first + i] = &ec[i];
	}
	sc->other_class = &ec[m->n];
	trace->n_event_classes += m->n + 1;
	trace->stream_class[trace->n_stream_classes++] = sc;
	if (!tn_ftrace_classes_make(&m->own->classes[s], &trace->arena, m->format, m->n, (uint32_t)first, (uint32_t)(first + m->n),
				    m->context_need))
		return tn_fail_memory(err);
	return TN_OK;
}

/* Build a stream class for each clock of a buffer. */
static enum tn_code
build_classes(struct model *m, struct tn_error *err)
{
	const struct tn_dat_file *f = &m->own->file;
	struct tn_trace *trace = m->trace;
	enum tn_code rc = TN_OK;
	size_t streams = 0;

	trace->clock = TN_NEW_ARRAY(&trace->arena, MOST_CLOCKS, struct tn_clock *);
	trace->stream_class = TN_NEW_ARRAY(&trace->arena, MOST_CLOCKS, struct tn_stream_class *);
	/* Each stream also has a class for the event that the end of the file cuts. */
	for (size_t i = 0; i < f->buffers.n; i++)
		streams += f->buffers.item[i].n_cpus;
	trace->event_class = TN_NEW_ARRAY(&trace->arena, MOST_CLOCKS * (m->n + 1) + streams, struct tn_event_class *);
	m->own->classes = TN_NEW_ARRAY(&trace->arena, MOST_CLOCKS, struct tn_ftrace_classes);
	if (!trace->clock || !trace->stream_class || !trace->event_class || !m->own->classes)
		return tn_fail_memory(err);
	for (size_t i = 0; i <= f->buffers.n && rc == TN_OK; i++) {
		const char *name = i < f->buffers.n ? f->buffers.item[i].clock : "local";
		struct tn_clock *clock;

		if ((i == f->buffers.n && i) || tn_dat_class_of(trace, name) || trace->n_clocks == MOST_CLOCKS)
			continue;
		clock = tn_dat_clock_new(f, name);
		rc = clock ? build_stream_class(m, clock, err) : tn_fail_memory(err);
	}
	return rc;
}

uint32_t
tn_dat_cut_class(struct tn_trace *trace, struct tn_stream_class *sc, uint32_t type)
{
	struct tn_event_class *ec = TN_NEW(&trace->arena, struct tn_event_class);

	for (size_t i = 0; ec && i < sc->n_event_classes; i++)
		if (sc->event_class[i]->id == type) {
			*ec = *sc->event_class[i];
			ec->payload = sc->other_class->payload;
			ec->index = (uint32_t)trace->n_event_classes;
			trace->event_class[trace->n_event_classes++] = ec;
			return ec->index;
		}
	return 0;
}

struct tn_stream_class *
tn_dat_class_of(const struct tn_trace *trace, const char *trace_clock)
{
	for (size_t i = 0; i < trace->n_stream_classes; i++)
		if (strcmp(trace->clock[i]->name, trace_clock) == 0)
			return trace->stream_class[i];
	/* The file has more clocks than the kernel. */
	return trace->n_stream_classes == MOST_CLOCKS ? trace->stream_class[MOST_CLOCKS - 1] : NULL;
}

/* ---- environment ---- */

static void
add_text(struct tn_trace *trace, const char *name, const char *text)
{
	if (text && *text)
		trace->env[trace->n_env++] = (struct tn_env) { .name = name, .is_text = true, .text = text };
}

static void
add_number(struct tn_trace *trace, const char *name, uint64_t number)
{
	trace->env[trace->n_env++] = (struct tn_env) {
		.name = name, .number = (int64_t)number, .is_unsigned = number > INT64_MAX,
	};
}

/* Word number @i of a text; NULL: no such word, or memory is out. */
static const char *
word(struct tn_trace *trace, const char *text, unsigned i)
{
	size_t n;

	for (; text && (n = strcspn(text, " ")); i--, text += n + (text[n] == ' '))
		if (i == 0)
			return tn_arena_copy(&trace->arena, text, n);
	return NULL;
}

/* The number after @key in a text of lines "key: N"; 0: no such line. */
static uint64_t
counted(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* Report the losses of the whole recording, whose places are unknown. */
static void
tell_statistics(const struct tn_trace *trace, const char *text)
{
	uint64_t overrun = counted(text, "\noverrun:"), dropped = counted(text, "\ndropped events:");

	if (overrun || dropped)
		tn_tell(&trace->problems, TN_NOTE, "%s: %.*s: the kernel overwrote %" PRIu64 " events and dropped %" PRIu64
			" while this was recorded; it does not say where", trace->path, (int)strcspn(text, "\n"), text, overrun,
			dropped);
}

static enum tn_code
build_environment(struct tn_trace *trace, const struct tn_dat_file *f, struct tn_error *err)
{
	if (!(trace->env = TN_NEW_ARRAY(&trace->arena, 16, struct tn_env)))
		return tn_fail_memory(err);
	add_text(trace, "hostname", word(trace, f->uname, 1));
	add_text(trace, "domain", "kernel");
	add_text(trace, "sysname", word(trace, f->uname, 0));
	add_text(trace, "kernel_release", word(trace, f->uname, 2));
	add_text(trace, "architecture", word(trace, f->uname, 3));
	add_text(trace, "tracer_name", "ftrace");
	add_text(trace, "writer_name", "trace-cmd");
	add_text(trace, "writer_version", f->writer);
	if (f->buffers.n)
		add_text(trace, "trace_clock", f->buffers.item[0].clock);
	if (f->machine_cpus)
		add_number(trace, "cpus", f->machine_cpus);
	if (f->has_id)
		add_number(trace, "trace_id", f->id);
	for (size_t i = 0; i < f->statistics.n; i++)
		tell_statistics(trace, f->statistics.item[i]);
	for (size_t i = 0; i < f->guests.n; i++)
		tn_tell(&trace->problems, TN_WARNING,
			"%s: the guest `%s` was recorded in a file of its own: open that file too",
			trace->path, f->guests.item[i]);
	if (f->is_latency)
		tn_tell(&trace->problems, TN_WARNING, "%s: the file has the text of a latency tracer, which tnav does not read",
			trace->path);
	return TN_OK;
}

enum tn_code
tn_dat_build(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_dat_trace *own = trace->own;
	struct model m = { .trace = trace, .own = own, .build = { .b.trace = trace, .record = TN_RECORD_RING } };
	enum tn_code rc;

	trace->n_slots = 1;	/* the slot for lib/ftrace/types.h */
	rc = build_environment(trace, &own->file, err);
	if (rc == TN_OK)
		rc = parse_formats(&m, err);
	if (rc == TN_OK)
		rc = build_fields(&m, err);
	if (rc == TN_OK)
		rc = build_classes(&m, err);
	return rc;
}
