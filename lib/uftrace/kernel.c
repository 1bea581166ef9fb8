/*
 * kernel.c - kernel-cpuN.dat: pages of ftrace, with the formats in kernel_header (uftrace.md, 6)
 *
 * kernel_header has lines "PAGE_SIZE: N", "LONG_SIZE: N", "ENDIAN: LE" and texts of tracefs, each after a line
 * "TRACEFS: PATH: SIZE". Entries and exits of functions become calls like those of threads.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "ftrace/names.h"
#include "plan/machine.h"
#include "uftrace/private.h"

#define MOST_FORMATS 8192
#define PAGES 256		/* pages that are indexed at once */

struct header {
	struct tn_uf_trace *t;
	struct tn_uf_kernel *k;
	unsigned long_size;
	bool has_layout;
	TN_ARRAY(struct tn_ftrace_format) formats;
};

/* ---- kernel_header ---- */

/* Parse the text of a format if @path is "events/SYSTEM/NAME/format". False: memory is out. */
static bool
add_format(struct header *h, const char *path, const char *text, size_t n)
{
	const struct tn_ftrace_machine machine = { h->long_size };
	struct tn_arena *arena = &h->t->trace->arena;
	const char *slash = strchr(path + 7, '/');
	struct tn_ftrace_format format = { 0 };
	struct tn_error why = { 0 };
	enum tn_code rc;

	if (!slash || h->formats.n >= MOST_FORMATS)
		return true;
	rc = tn_ftrace_format_parse(&format, arena, &machine, tn_arena_copy(arena, path + 7, (size_t)(slash - path - 7)), text, n,
				    &why);
	if (rc == TN_ERR_MEMORY)
		return false;
	/* The events keep their common fields, and are shown as bytes. */
	if (rc < 0 || !format.n_common) {
		tn_tell(&h->t->trace->problems, TN_WARNING, "%s/kernel_header: %s has an unknown format: "
							    "%s", h->t->trace->path, path,
			why.text);
		return true;
	}
	for (size_t i = 0; i < h->formats.n; i++)
		if (h->formats.item[i].id == format.id)
			return true;
	if (!TN_ARRAY_RESERVE(&h->formats, h->formats.n + 1))
		return false;
	h->formats.item[h->formats.n++] = format;
	return true;
}

static bool
read_text(struct header *h, const char *path, const char *text, size_t n)
{
	size_t size = strlen(path);
	struct tn_error why = { 0 };

	if (strcmp(path, "events/header_page") == 0) {
		h->has_layout = tn_ftrace_layout_parse(&h->k->layout, text, n, &why) == TN_OK;
		if (!h->has_layout)
			tn_tell(&h->t->trace->problems, TN_WARNING, "%s/kernel_header: %s has an unknown format: %s",
				h->t->trace->path, path, why.text);
		return true;
	}
	if (size > 14 && strncmp(path, "events/", 7) == 0 && strcmp(path + size - 7, "/format") == 0)
		return add_format(h, path, text, n);
	return true;
}

static bool
read_header(struct header *h, const char *p, size_t n)
{
	const char *end = p + n;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p)), *rest = newline ? newline + 1 : end;
		size_t size = (size_t)((newline ? newline : end) - p);
		unsigned long long bytes = 0;
		char line[512], path[256];

		snprintf(line, sizeof line, "%.*s", (int)(size < sizeof line ? size : sizeof line - 1), p);
		p = rest;
		if (sscanf(line, "TRACEFS: %255[^:]: %19llu", path, &bytes) == 2) {
			if (bytes > (size_t)(end - p))
				bytes = (size_t)(end - p);
			if (!read_text(h, path, p, (size_t)bytes))
				return false;
			p += bytes;
		} else if (sscanf(line, "PAGE_SIZE: %9llu", &bytes) == 1) {
			h->k->rows.page_size = (uint32_t)bytes;
		} else if (sscanf(line, "LONG_SIZE: %9llu", &bytes) == 1) {
			h->long_size = bytes == 4 ? 4 : 8;
		} else if (strncmp(line, "ENDIAN: ", 8) == 0) {
			h->k->layout.big_endian = strncmp(line + 8, "BE", 2) == 0;
		}
	}
	return true;
}

/* ---- classes ---- */

/* Read the names of threads, one line "TID NAME" for each, as trace-cmd saves them. */
static const struct tn_lookup *
find_commands(struct tn_uf_trace *t)
{
	const struct tn_lookup *out = NULL;
	struct tn_str text = { 0 };

	for (size_t i = 0; i < t->tasks.n && !text.failed; i++) {
		struct tn_uf_stream one = { .tid = t->tasks.item[i].tid };

		if (tn_uf_find_sessions(t, &one) && one.n_sessions)
			tn_str_printf(&text, "%" PRId64 " %s\n", one.tid, one.session[one.n_sessions - 1]->program);
	}
	if (!text.failed)
		out = tn_ftrace_commands(&t->trace->arena, text.n ? text.text : "", text.n);
	tn_str_release(&text);
	return out;
}

static const struct tn_ftrace_field *
find_field(const struct tn_ftrace_format *format, const char *name)
{
	for (size_t i = format->n_common; i < format->n_fields; i++)
		if (format->field[i].kind == TN_FTRACE_NUMBER && strcmp(format->field[i].name, name) == 0)
			return &format->field[i];
	return NULL;
}

/* Whether the field of a call's format is one that the call gets in addition to func, addr and depth. */
static bool
is_more(const struct tn_ftrace_format *format, size_t i)
{
	const struct tn_ftrace_field *f = &format->field[i];

	return i >= format->n_common && f->kind == TN_FTRACE_NUMBER && strcmp(f->name, "func") != 0 &&
	       strcmp(f->name, "depth") != 0;
}

static bool
is_call(const struct tn_ftrace_format *format)
{
	return strcmp(format->system, "ftrace") == 0 && strncmp(format->name, "funcgraph_", 10) == 0 &&
	       (strcmp(format->name + 10, "entry") == 0 || strcmp(format->name + 10, "exit") == 0) &&
	       find_field(format, "func") && find_field(format, "depth");
}

static bool
add_class(struct tn_uf_trace *t, struct tn_ftrace_builder *b, const struct tn_ftrace_format *format, struct tn_uf_format *out)
{
	struct tn_field *payload;
	struct tn_str name = { 0 };
	const char *copy;

	if (is_call(format)) {
		struct tn_type *type = tn_uf_new_call(t, format->n_fields);

		for (size_t i = 0; i < format->n_fields && !t->build.failed; i++)
			if (is_more(format, i))
				tn_build_field(&t->build, type, format->field[i].name,
					       tn_build_type(&t->build, TN_KIND_UINT, 8 * (uint64_t)format->field[i].width));
		out->call = format;
		return tn_uf_add_call(t, t->kernel_data.stream_class, strcmp(format->name, "funcgraph_exit") == 0,
				      tn_uf_scope(t, type));
	}
	tn_str_printf(&name, "%s:%s", format->system, format->name);
	copy = name.failed ? NULL : tn_arena_string(&t->trace->arena, name.text);
	tn_str_release(&name);
	payload = tn_ftrace_payload(b, format);
	if (b->b.failed || !copy || !(out->payload = tn_plan_scope(t->trace, payload, true, NULL)))
		return false;
	return tn_uf_add_class(t, t->kernel_data.stream_class, copy, payload);
}

static enum tn_code
build(struct header *h, struct tn_error *err)
{
	static const char *const cpu[] = { "cpu_id", NULL };
	struct tn_uf_trace *t = h->t;
	struct tn_uf_kernel *k = h->k;
	struct tn_ftrace_builder b = { .b.trace = t->trace, .record = TN_RECORD_RING, .commands = find_commands(t) };
	const struct tn_ftrace_format *first = h->formats.item;
	struct tn_field *header = tn_ftrace_header(&b), *context = tn_ftrace_context(&b, first), *bytes = tn_ftrace_bytes(&b);
	struct tn_ftrace_format *kept = TN_NEW_ARRAY(&t->trace->arena, h->formats.n, struct tn_ftrace_format);
	bool good = b.commands && kept && !b.b.failed;
	size_t n = 0;

	k->first = (uint32_t)t->classes.n;
	k->format = TN_NEW_ARRAY(&t->trace->arena, h->formats.n + 1, struct tn_uf_format);
	k->stream_class = tn_uf_new_stream_class(t, cpu, "kernel");
	if (!good || !k->format || !k->stream_class)
		return tn_fail_memory(err);
	k->stream_class->common_context = context;
	for (size_t i = 0; i < h->formats.n && good; i++) {
		if (!tn_ftrace_same_context(first, &h->formats.item[i]))
			continue;
		kept[n] = h->formats.item[i];
		good = add_class(t, &b, &kept[n], &k->format[n]);
		n++;
	}
	good = good && (k->format[n].payload = tn_plan_scope(t->trace, bytes, true, NULL)) &&
	       tn_uf_add_class(t, k->stream_class, "unknown", bytes) && (k->header = tn_plan_scope(t->trace, header, true, NULL)) &&
	       (k->context = tn_plan_scope(t->trace, context, true, NULL)) &&
	       tn_ftrace_classes_make(&k->classes, &t->trace->arena, kept, n, k->first, k->first + (uint32_t)n,
				      first->field[first->n_common - 1].offset + first->field[first->n_common - 1].size);
	return good ? TN_OK : tn_fail_memory(err);
}

enum tn_code
tn_uf_read_kernel_header(struct tn_uf_trace *t, struct tn_error *err)
{
	struct header h = { .t = t, .k = &t->kernel_data, .long_size = 8 };
	struct tn_uf_kernel *k = h.k;
	struct tn_map map = { 0 };
	enum tn_code rc = TN_OK;

	k->rows.page_size = 4096;
	k->layout.big_endian = t->big_endian;
	if (tn_uf_map(t, &map, "kernel_header", false) && !read_header(&h, (const char *)map.data, map.size))
		rc = tn_fail_memory(err);
	tn_map_release(&map);
	k->rows.layout = &k->layout;
	k->rows.classes = &k->classes;
	if (rc == TN_OK && (!h.has_layout || !h.formats.n || k->layout.big_endian != t->big_endian ||
			    k->rows.page_size < TN_FTRACE_PAGE_LEAST || k->rows.page_size > TN_FTRACE_PAGE_MOST ||
			    k->rows.page_size % 4 || k->rows.page_size < k->layout.data_at)) {
		tn_tell(&t->trace->problems, TN_WARNING, "%s: the functions of the kernel (kernel-cpu*.dat) are left out: "
			"kernel_header does not describe them", t->trace->path);
		rc = TN_END;
	}
	if (rc == TN_OK && !tn_uf_read_symbols(t, &k->symbols, "kallsyms"))
		rc = tn_fail_memory(err);
	if (rc == TN_OK)
		rc = build(&h, err);
	TN_ARRAY_RELEASE(&h.formats);
	return rc;
}

/* ---- index ---- */

static int64_t
time_after(const struct tn_clock *clock, int64_t key, uint64_t time)
{
	int64_t ns = tn_clock_ns(clock, time);

	ns = ns == INT64_MAX ? ns - 1 : ns;
	return ns > key ? ns : key;
}

static void
look_at_page(const struct tn_stream *stream, struct tn_packet *p)
{
	const struct tn_uf_trace *t = stream->trace->own;
	const struct tn_ftrace_rows *rows = &t->kernel_data.rows;
	const uint8_t *data = stream->file[0].map.data + p->offset;
	const struct tn_clock *clock = stream->stream_class->clock;
	struct tn_uf_stream *s = stream->own;
	struct tn_ftrace_page page;
	uint64_t n, last;

	tn_ftrace_page_begin(&page, rows->layout, data, rows->page_size, (uint32_t)(p->size_bits / 8));
	p->content_bits = 8 * (uint64_t)page.end;
	p->begin_cycles = page.time;
	p->begin_ns = time_after(clock, p->begin_ns, page.time);
	if (tn_ftrace_count(p, data, rows, &n, &last))
		p->n_events = n;
	p->end_cycles = last;
	p->end_ns = time_after(clock, p->begin_ns, last);
	/* Damage in the page counts as rows. */
	if (last < page.time || p->begin_ns != tn_clock_ns(clock, page.time) || p->end_ns != tn_clock_ns(clock, last))
		p->n_events = TN_UNKNOWN;
	if (page.lost && (!page.lost_known || !page.n_lost || page.n_lost >> 62))
		p->flags |= TN_PACKET_LOSES;
	else if (page.lost)
		s->lost += page.n_lost;
	p->discarded = p->highest = s->lost;
}

enum tn_code
tn_uf_extend_kernel(struct tn_stream *stream, struct tn_error *err)
{
	const struct tn_uf_trace *t = stream->trace->own;
	struct tn_uf_stream *s = stream->own;
	struct tn_packet_index *ix = &stream->index;
	uint64_t size = t->kernel_data.rows.page_size, end = stream->file[0].map.size;
	const struct tn_packet *before = ix->n ? &ix->packet[ix->n - 1] : NULL;

	s->key = before ? before->end_ns : INT64_MIN;
	s->lost = before ? before->discarded : 0;
	for (unsigned i = 0; i < PAGES && ix->n * size < end; i++) {
		uint64_t at = ix->n * size, there = end - at < size ? end - at : size;
		struct tn_packet p = {
			.offset = at, .size_bits = 8 * there, .begin_cycles = TN_UNKNOWN, .end_cycles = TN_UNKNOWN,
			.sequence = ix->n, .n_events = TN_UNKNOWN, .flags = TN_PACKET_CHECKED | (there < size ? TN_PACKET_CUT : 0),
			.discarded = s->lost, .highest = s->lost, .begin_ns = s->key, .end_ns = s->key,
		};

		if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
			return tn_fail_memory(err);
		if (there >= t->kernel_data.layout.data_at)
			look_at_page(stream, &p);
		s->key = p.end_ns;
		ix->packet[ix->n++] = p;
	}
	ix->complete = ix->n * size >= end;
	if (tn_map_torn(&stream->file[0].map))
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", stream->path);
	return TN_OK;
}

/* ---- rows ---- */

enum tn_code
tn_uf_walk_kernel(struct tn_batch *b, struct tn_error *err)
{
	const struct tn_uf_trace *t = b->stream->trace->own;

	b->data = b->stream->file[0].map.data + b->entry.offset;
	return tn_ftrace_walk(b, &t->kernel_data.rows, err);
}

static enum tn_code
run(struct tn_machine *m, const struct tn_op *code, struct tn_event *e, enum tn_scope scope, struct tn_error *err)
{
	enum tn_trouble trouble = e ? tn_machine_read(m, code, e) : tn_machine_skip(m, code);
	char text[600];

	if (trouble == TN_TROUBLE_NONE)
		return TN_OK;
	if (trouble == TN_TROUBLE_SINK)
		return tn_fail_memory(err);
	tn_machine_explain(m, trouble, scope, text, sizeof text);
	return tn_fail(err, TN_ERR_FORMAT, "%s", text);
}

/* A field of the record at byte @record, which is inside of the page. */
static struct tn_value *
add_number(struct tn_values *v, const struct tn_field *f, const struct tn_batch *b, const struct tn_ftrace_field *from,
	   uint64_t record)
{
	const struct tn_uf_trace *t = b->stream->trace->own;
	uint64_t at = record + from->offset;
	struct tn_value *value = tn_values_add(v, f, 8 * at);

	value->u = tn_uf_number(b->data + at, from->width, t->kernel_data.layout.big_endian);
	value->end = 8 * (at + from->size);
	return value;
}

static enum tn_code
read_call(const struct tn_batch *b, const struct tn_ftrace_format *format, uint64_t record, struct tn_event *e,
	  struct tn_error *err)
{
	const struct tn_uf_trace *t = b->stream->trace->own;
	const struct tn_ftrace_field *func = find_field(format, "func"), *depth = find_field(format, "depth");
	const struct tn_field *payload = e->event_class->payload, *f = payload->type->field;
	struct tn_values values = { .event = e };
	uint64_t address, need = tn_ftrace_need(format), at = record + func->offset;
	size_t root = tn_values_begin(&values, payload, 8 * record), n = 3;
	const char *name;

	if (record + need > b->entry.content_bits / 8)
		return tn_fail(err, TN_ERR_FORMAT, "%s: packet %zu: the file has changed", b->stream->path, b->packet);
	address = tn_uf_number(b->data + at, func->width, t->kernel_data.layout.big_endian);
	if (!(name = tn_uf_kernel_symbol(t, address))) {
		snprintf(e->name_room, sizeof e->name_room, "<%" PRIx64 ">", address);
		name = e->name_room;
	}
	tn_values_string(&values, &f[0], name, strlen(name), 8 * at)->end = 8 * (at + func->size);
	add_number(&values, &f[1], b, depth, record);
	add_number(&values, &f[2], b, func, record);
	for (size_t i = 0; i < format->n_fields; i++)
		if (is_more(format, i))
			add_number(&values, &f[n++], b, &format->field[i], record);
	tn_values_end(&values, root, n, 8 * (record + need));
	return values.failed ? tn_fail_memory(err) : TN_OK;
}

enum tn_code
tn_uf_read_kernel(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	const struct tn_uf_trace *t = b->stream->trace->own;
	const struct tn_uf_kernel *k = &t->kernel_data;
	const struct tn_uf_format *format = &k->format[b->refs.item[i].event_class - k->first];
	struct tn_slot slot[1] = { { 0 } };
	struct tn_machine m = { .p = b->data, .at = b->refs.item[i].bit, .end = b->entry.content_bits, .slot = slot };
	bool wanted = scopes & TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT);
	uint64_t record;
	enum tn_code rc;

	if (m.at > m.end)
		return tn_fail(err, TN_ERR_FORMAT, "%s: packet %zu: the file has changed", b->stream->path, b->packet);
	rc = run(&m, k->header, NULL, TN_SCOPE_EVENT_HEADER, err);
	record = m.at / 8;
	if (rc == TN_OK && wanted)
		e->scope[TN_SCOPE_COMMON_CONTEXT] = (uint32_t)e->n_values;
	if (rc == TN_OK)
		rc = run(&m, k->context, wanted ? e : NULL, TN_SCOPE_COMMON_CONTEXT, err);
	if (rc == TN_OK && scopes & TN_SCOPE_BIT(TN_SCOPE_PAYLOAD)) {
		e->scope[TN_SCOPE_PAYLOAD] = (uint32_t)e->n_values;
		rc = format->call ? read_call(b, format->call, record, e, err)
				  : run(&m, format->payload, e, TN_SCOPE_PAYLOAD, err);
	}
	e->end_bit = m.at;
	return rc;
}
