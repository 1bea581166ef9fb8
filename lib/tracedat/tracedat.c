/*
 * tracedat.c - open a trace.dat, make its pages entries of the index, walk and read them
 */
#include "tracedat/tracedat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/meaning.h"
#include "base/str.h"
#include "base/messages.h"
#include "ftrace/page.h"
#include "plan/plan.h"
#include "tracedat/private.h"

#define STEP 64		/* pages that are indexed at once */

/* ---- open ---- */

static enum tn_probe
tracedat_probe(const uint8_t *data, size_t size)
{
	return tn_dat_begins(data, size) ? TN_PROBE_YES : TN_PROBE_NO;
}

/* Returns the page layout of all current kernels for a file that does not describe it. */
static void
find_layout(struct tn_dat_trace *own)
{
	const struct tn_dat_part *text = &own->file.header_page;
	const struct tn_trace *trace = own->file.trace;
	struct tn_error why = { 0 };

	own->layout.big_endian = own->file.big_endian;
	if (tn_ftrace_layout_parse(&own->layout, (const char *)text->p, (size_t)text->size, &why) == TN_OK)
		return;
	if (own->file.buffers.n)
		tn_tell(&trace->problems, TN_DAMAGE, "%s: %s: tnav assumes 8 bytes each for time and "
						     "size", trace->path, why.text);
	own->layout = (struct tn_ftrace_layout) {
		.big_endian = own->file.big_endian, .commit_at = 8, .commit_size = 8, .data_at = 16,
	};
}

static const char *
stream_name(struct tn_trace *trace, const struct tn_dat_buffer *buffer, uint32_t cpu)
{
	struct tn_str name = { 0 };
	const char *kept;

	tn_str_printf(&name, "%s%scpu%" PRIu32, buffer->name, *buffer->name ? "/" : "", cpu);
	kept = name.failed ? NULL : tn_arena_string(&trace->arena, name.text);
	tn_str_release(&name);
	return kept;
}

/* Find the part of the stream's pages that the file contains. */
static void
find_pages(struct tn_trace *trace, struct tn_dat_stream *own, const struct tn_dat_cpu *cpu, uint64_t size)
{
	if (!own->chunks && !cpu->size)
		return;	/* the processor recorded no events */
	own->begin = own->chunks ? 0 : cpu->offset;
	own->end = own->chunks ? own->chunks->size : cpu->offset + cpu->size;
	if (own->end >= own->begin && own->end <= size)
		return;
	own->is_cut = true;
	tn_tell(&trace->problems, TN_DAMAGE,
		"%s: the file ends at byte %" PRIu64 ", but the events of processor %" PRIu32 " are bytes %" PRIu64 " to "
		"%" PRIu64 ": the readable part is shown", trace->path, size, cpu->cpu, cpu->offset,
		cpu->offset + cpu->size - 1);
	own->begin = own->begin < size ? own->begin : size;
	own->end = size;
}

/* If the file ends inside an event, make a class for this event, which shows its name and time. */
static void
find_cut(struct tn_trace *trace, struct tn_stream *s)
{
	struct tn_dat_stream *own = s->own;
	uint64_t size = own->end - own->begin, rest = size % own->buffer->page_size;
	struct tn_packet last = { .offset = own->end - rest, .size_bits = 8 * rest, .flags = TN_PACKET_CUT };
	uint32_t type;

	if (rest && !own->chunks && tn_ftrace_cut_type(&last, s->file[0].map.data + last.offset, &own->rows, &type))
		own->rows.cut_class = tn_dat_cut_class(trace, s->stream_class, type);
}

static enum tn_code
open_stream(struct tn_trace *trace, const struct tn_dat_buffer *buffer, const struct tn_dat_cpu *cpu, const char *path,
	    struct tn_error *err)
{
	struct tn_dat_trace *all = trace->own;
	struct tn_dat_stream *own = TN_NEW(&trace->arena, struct tn_dat_stream);
	struct tn_stream *s = !own ? NULL : tn_build_stream(trace, tn_dat_class_of(trace, buffer->clock), path,
							    stream_name(trace, buffer, cpu->cpu), &all->map);
	enum tn_code rc;

	if (!s)
		return tn_fail_memory(err);
	s->own = own;
	own->buffer = buffer;
	own->cpu = cpu->cpu;
	own->key = INT64_MIN;
	if (buffer->is_packed) {
		if (!(own->chunks = TN_NEW(&trace->arena, struct tn_dat_chunks)))
			return tn_fail_memory(err);
		tn_map_release(&s->file->map);	/* there may be no chunks */
		if ((rc = tn_dat_chunks_open(own->chunks, &all->file, cpu, &s->file->map, err)) < 0)
			return rc;
	}
	find_pages(trace, own, cpu, s->file->map.size);
	s->size = own->end - own->begin;
	own->rows = (struct tn_ftrace_rows) {
		.layout = &all->layout, .classes = &all->classes[s->stream_class->id], .page_size = buffer->page_size,
		.user = &own->time,
	};
	if (tn_dat_time_begin(&own->time, &all->file, buffer, cpu->cpu))
		own->rows.clock = tn_dat_time_value;
	find_cut(trace, s);
	return TN_OK;
}

struct range {
	uint64_t begin, end;
	struct tn_dat_cpu *cpu;
};

static int
by_begin(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin > y->begin ? 1 : -1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Pages must not belong to two processors; otherwise a file of a few bytes could claim gigabytes. */
static enum tn_code
part_ranges(struct tn_trace *trace, struct tn_dat_file *f, size_t n, struct tn_error *err)
{
	struct range *range = calloc(n + 1, sizeof *range);
	uint64_t end = 0;
	size_t k = 0;

	if (!range)
		return tn_fail_memory(err);
	for (size_t i = 0; i < f->buffers.n; i++)
		for (size_t c = 0; c < f->buffers.item[i].n_cpus; c++) {
			struct tn_dat_cpu *cpu = &f->buffers.item[i].cpu[c];

			if (__builtin_add_overflow(cpu->offset, cpu->size, &range[k].end))
				cpu->size = range[k].end = UINT64_MAX - cpu->offset;
			range[k].begin = cpu->offset;
			range[k].end = cpu->offset + cpu->size;
			range[k].cpu = cpu;
			k += cpu->size > 0;
		}
	qsort(range, k, sizeof *range, by_begin);
	for (size_t i = 0; i < k; i++) {
		if (range[i].begin < end) {
			tn_tell(&trace->problems, TN_DAMAGE,
				"%s: the bytes %" PRIu64 " to %" PRIu64 " of processor %" PRIu32 " belong to another processor: "
				"they are left out", trace->path, range[i].begin, range[i].end - 1, range[i].cpu->cpu);
			range[i].cpu->size = 0;
			continue;
		}
		end = range[i].end;
	}
	free(range);
	return TN_OK;
}

static bool
check_page_size(const struct tn_trace *trace, const struct tn_dat_trace *own, const struct tn_dat_buffer *buffer)
{
	if (buffer->page_size >= TN_FTRACE_PAGE_LEAST && buffer->page_size <= TN_FTRACE_PAGE_MOST && buffer->page_size % 4 == 0 &&
	    buffer->page_size >= own->layout.data_at)
		return true;
	tn_tell(&trace->problems, TN_DAMAGE, "%s: pages of %" PRIu32 " bytes are not possible: the buffer `%s` is left "
					     "out", trace->path,
		buffer->page_size, buffer->name);
	return false;
}

static enum tn_code
open_streams(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_dat_trace *own = trace->own;
	struct tn_dat_file *f = &own->file;
	const char *path = tn_build_path(trace, trace->path);
	enum tn_code rc = TN_OK;
	size_t n = 0;

	for (size_t i = 0; i < f->buffers.n; i++)
		n += f->buffers.item[i].n_cpus;
	trace->stream = TN_NEW_ARRAY(&trace->arena, n + 1, struct tn_stream *);
	if (!path || !trace->stream)
		return tn_fail_memory(err);
	rc = part_ranges(trace, f, n, err);
	for (size_t i = 0; i < f->buffers.n && rc == TN_OK; i++) {
		const struct tn_dat_buffer *buffer = &f->buffers.item[i];

		if (buffer->is_packed && !f->unpacker.handle) {
			tn_tell(&trace->problems, TN_DAMAGE,
				"%s: the buffer `%s` is compressed, and the file does not say how: it is "
				"left out", trace->path, buffer->name);
			continue;
		}
		for (size_t c = 0; check_page_size(trace, own, buffer) && c < buffer->n_cpus && rc == TN_OK; c++)
			rc = open_stream(trace, buffer, &buffer->cpu[c], path, err);
	}
	return rc;
}

static enum tn_code
tracedat_open(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_dat_trace *own = TN_NEW(&trace->arena, struct tn_dat_trace);
	enum tn_code rc;

	trace->format = "trace.dat";
	trace->own = own;
	if (!own)
		return tn_fail_memory(err);
	if ((rc = tn_trace_map(trace, &own->map, trace->path, err)) < 0)
		return rc;
	own->file = (struct tn_dat_file) { .trace = trace, .p = own->map.data, .size = own->map.size };
	if ((rc = tn_dat_read(&own->file, err)) < 0)
		return rc;
	trace->major = own->file.version;
	trace->format = own->file.version == 6 ? "trace.dat 6" : "trace.dat 7";
	trace->big_endian = own->file.big_endian;
	find_layout(own);
	rc = tn_dat_build(trace, err);
	if (rc == TN_OK)
		rc = open_streams(trace, err);
	return rc == TN_OK ? tn_plan_compile(trace, err) : rc;
}

/* ---- index ---- */

/* Returns the bytes at a place of the map. *broken: they could not be unpacked. */
static const uint8_t *
bring(const struct tn_stream *stream, uint64_t from, uint64_t to, bool *broken)
{
	const struct tn_dat_stream *own = stream->own;

	*broken = own->chunks && !tn_dat_chunks_bring(own->chunks, from, to);
	return stream->file[0].map.data + from;
}

static int64_t
time_of_page(const struct tn_stream *stream, const struct tn_ftrace_page *page)
{
	const struct tn_dat_stream *own = stream->own;
	int64_t ns = tn_clock_ns(stream->stream_class->clock,
				 own->rows.clock ? own->rows.clock(own->rows.user, page->time) : page->time);

	return ns == INT64_MAX ? ns - 1 : ns;
}

/* Set the counter whose differences lib/model/loss.h uses, or the mark that an unknown number of events was lost. */
static void
count_losses(struct tn_dat_stream *own, const struct tn_ftrace_page *page, struct tn_packet *p)
{
	if (page->lost && (!page->lost_known || !page->n_lost || page->n_lost >> 62)) {
		p->flags |= TN_PACKET_LOSES;
	} else if (page->lost) {
		own->lost += page->n_lost;
	}
	p->discarded = p->highest = own->lost;
}

/* Read the header of the page at @at of the map; false: the page does not have a header. */
static bool
look_at_page(const struct tn_stream *stream, uint64_t at, struct tn_ftrace_page *page, bool *broken)
{
	const struct tn_dat_stream *own = stream->own;
	uint64_t there = own->end - at < own->buffer->page_size ? own->end - at : own->buffer->page_size;
	const uint8_t *p = bring(stream, at, at + there, broken);

	if (there < own->rows.layout->data_at || *broken)
		return false;
	tn_ftrace_page_begin(page, own->rows.layout, p, own->buffer->page_size, (uint32_t)there);
	return true;
}

/* Add an entry for the page at @at. */
static enum tn_code
add_page(struct tn_stream *stream, uint64_t at, struct tn_error *err)
{
	struct tn_dat_stream *own = stream->own;
	struct tn_packet_index *ix = &stream->index;
	uint64_t there = own->end - at < own->buffer->page_size ? own->end - at : own->buffer->page_size, last;
	struct tn_packet p = {
		.offset = at, .size_bits = 8 * there, .begin_cycles = TN_UNKNOWN, .end_cycles = TN_UNKNOWN, .sequence = ix->n,
		.n_events = TN_UNKNOWN, .flags = TN_PACKET_CHECKED | TN_PACKET_GUESSED_END,
		.discarded = own->lost, .highest = own->lost,
	};
	struct tn_ftrace_page page = { 0 }, next;
	bool broken, next_broken;

	if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
		return tn_fail_memory(err);
	if (there < own->buffer->page_size)
		p.flags |= TN_PACKET_CUT;
	p.begin_ns = own->key;
	if (look_at_page(stream, at, &page, &broken)) {
		int64_t ns = time_of_page(stream, &page);

		p.content_bits = 8 * (uint64_t)page.end;
		p.begin_cycles = own->rows.clock ? own->rows.clock(own->rows.user, page.time) : page.time;
		p.begin_ns = ns > p.begin_ns ? ns : p.begin_ns;
		count_losses(own, &page, &p);
	} else {
		p.flags |= broken ? TN_PACKET_BAD : 0;
	}
	p.end_ns = p.begin_ns;
	if (at + there < own->end && look_at_page(stream, at + there, &next, &next_broken)) {
		int64_t ns = time_of_page(stream, &next);

		p.end_ns = ns > p.end_ns ? ns : p.end_ns;
	} else if (page.p) {
		/* The end of the last page is known only from its events. */
		if (tn_ftrace_count(&p, page.p, &own->rows, &p.n_events, &last)) {
			int64_t ns = tn_clock_ns(stream->stream_class->clock, last);

			p.end_ns = ns > p.end_ns ? ns : p.end_ns;
		} else {
			p.n_events = TN_UNKNOWN;
			p.end_ns = INT64_MAX;
		}
		p.flags &= ~(uint32_t)TN_PACKET_GUESSED_END;
	}
	own->key = p.end_ns;
	ix->packet[ix->n++] = p;
	return TN_OK;
}

static enum tn_code
tracedat_extend(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_dat_stream *own = stream->own;
	struct tn_packet_index *ix = &stream->index;
	enum tn_code rc = TN_OK;

	/* Continue after the entries of a stored index. */
	if (ix->n) {
		own->key = ix->packet[ix->n - 1].end_ns;
		own->lost = ix->packet[ix->n - 1].discarded;
	}
	for (unsigned i = 0; i < STEP && rc == TN_OK; i++) {
		uint64_t at = own->begin + ix->n * (uint64_t)own->buffer->page_size;

		if (at >= own->end) {
			ix->complete = true;
			break;
		}
		rc = add_page(stream, at, err);
	}
	if (rc == TN_OK && tn_map_torn(&stream->file[0].map))
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", stream->path);
	return rc;
}

/* ---- rows ---- */

static bool
tracedat_bring(const struct tn_stream *stream, const struct tn_packet *entry)
{
	bool broken;

	bring(stream, entry->offset, entry->offset + entry->size_bits / 8, &broken);
	return !broken;
}

static enum tn_code
walk_broken(struct tn_batch *b, struct tn_error *err)
{
	struct tn_str s = { 0 };
	bool good;

	tn_str_printf(&s, _("packet %zu at byte %" PRIu64 ": the compressed packet cannot be unpacked"), b->packet,
		      b->entry.offset);
	good = !s.failed && tn_batch_damage(b, b->entry.begin_ns, 0, s.text);
	tn_str_release(&s);
	b->last = true;
	b->end = b->begin;
	return good ? TN_OK : tn_fail_memory(err);
}

static enum tn_code
tracedat_walk(struct tn_batch *b, struct tn_error *err)
{
	const struct tn_dat_stream *own = b->stream->own;
	bool broken;

	b->data = bring(b->stream, b->entry.offset, b->entry.offset + b->entry.size_bits / 8, &broken);
	return broken || b->entry.flags & TN_PACKET_BAD ? walk_broken(b, err) : tn_ftrace_walk(b, &own->rows, err);
}

static enum tn_code
tracedat_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *out, struct tn_error *err)
{
	const struct tn_dat_stream *own = b->stream->own;

	return tn_ftrace_read(b, i, scopes, own->cpu, out, err);
}

/* ---- close ---- */

static void
tracedat_drop(struct tn_stream *stream)
{
	struct tn_dat_stream *own = stream->own;

	if (own->chunks && own->chunks->file)
		tn_dat_chunks_release(own->chunks);
}

static void
tracedat_close(struct tn_trace *trace)
{
	struct tn_dat_trace *own = trace->own;

	if (!own)
		return;
	tn_dat_release(&own->file);
	tn_unpacker_release(&own->file.unpacker);
	tn_map_release(&own->map);
}

static const char *const *const known_pairs[] = { tn_kernel_pairs, NULL };
static const struct tn_pair_rules pairs = { .known = known_pairs };

const struct tn_format tn_format_tracedat = {
	.name = "trace.dat",
	.meaning = TN_MEANING_TRACEDAT,
	.pairs = &pairs,
	.probe_bytes = tracedat_probe,
	.in_folders = true,
	.open = tracedat_open,
	.extend = tracedat_extend,
	.walk = tracedat_walk,
	.bring = tracedat_bring,
	.read = tracedat_read,
	.drop = tracedat_drop,
	.close = tracedat_close,
};
