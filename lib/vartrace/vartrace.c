/*
 * vartrace.c - open a dump, cut it into entries of the index, walk its records
 *
 * Records stay in the order of the dump, which is that of logging. Times have 32 bits and are made 64:
 * each is taken as the nearest to the one before, so that the passing of 2^32 is a step forward (2).
 */
#include "vartrace/vartrace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/meaning.h"
#include "base/messages.h"
#include "model/build.h"
#include "vartrace/private.h"

#define ENTRY (UINT64_C(256) << 10)	/* least size of an index entry, in bytes */
#define SPAN (UINT64_C(1) << 29)	/* the most bytes of a dump in one batch */

/* ---- open ---- */

static enum tn_probe
vartrace_probe(const uint8_t *data, size_t size)
{
	/* A dump of a trace without records is an empty file. */
	return !size || tn_vt_has_start(data, size) ? TN_PROBE_MAYBE : TN_PROBE_NO;
}

/* Returns the byte order that the user wants; -1: the dump must show it. */
static int
wanted_order(const struct tn_trace *trace)
{
	const char *format = trace->options ? trace->options->format : NULL;

	return !format ? -1 : strcmp(format, "vartrace-le") == 0 ? 0 : strcmp(format, "vartrace-be") == 0 ? 1 : -1;
}

static enum tn_code
find_start(struct tn_trace *trace, struct tn_vt_stream *own, const struct tn_map *map, struct tn_error *err)
{
	int order = wanted_order(trace);
	struct tn_vt_record r;

	if (!map->size) {
		tn_tell(&trace->problems, TN_NOTE, "%s: an empty file, read as a vartrace dump without records",
			trace->path);
	} else {
		own->start = tn_vt_find_start(map->data, map->size, order);
	}
	/* If the user asks for it, a dump with few records is accepted, too. */
	if (!own->start.found && order >= 0)
		own->start.big_endian = order == 1;
	own->dump = (struct tn_vt_dump) { map->data, map->size, own->start.big_endian };
	trace->big_endian = own->start.big_endian;
	if (own->start.n_nested)
		tn_tell(&trace->problems, TN_NOTE, "%s: the ring has wrapped: bytes 0 to %" PRIu64 " are nested records of a "
			"subtrace whose start is not in the dump", trace->path, own->start.at - 1);
	if (own->start.found || !map->size)
		return TN_OK;
	if (own->start.likely || (order >= 0 && tn_vt_record(&own->dump, 0, &r)))
		return TN_OK;
	if (own->start.both)
		return tn_fail(err, TN_ERR_FORMAT, N_("%s: the few records of this dump match both byte orders: choose the "
						      "format vartrace-le or vartrace-be"), trace->path);
	return tn_fail(err, TN_ERR_FORMAT, order >= 0 ? N_("%s: no record of a vartrace dump can be read at its start") :
		       N_("%s: no records of a vartrace dump follow each other in either byte order; if it is a dump, choose the "
			  "format vartrace-le or vartrace-be"), trace->path);
}

static enum tn_code
vartrace_open(struct tn_trace *trace, struct tn_error *err)
{
	struct tn_vt_stream *own = TN_NEW(&trace->arena, struct tn_vt_stream);
	const char *slash = strrchr(trace->path, '/');
	struct tn_stream *s = tn_build_stream(trace, NULL, tn_build_path(trace, trace->path),
					      tn_arena_string(&trace->arena, slash ? slash + 1 : trace->path), NULL);
	enum tn_code rc;

	trace->format = "vartrace";
	trace->own = TN_NEW(&trace->arena, struct tn_vt_trace);
	/* Unit and origin are unknown. */
	if (!own || !s || !trace->own ||
	    !tn_build_clock(trace, "ticks", "time function of the program, of unknown unit and origin; a tick is shown as 1 ns", 0))
		return tn_fail_memory(err);
	rc = tn_trace_map(trace, &s->file->map, trace->path, err);
	if (rc == TN_OK)
		rc = find_start(trace, own, &s->file->map, err);
	if (rc == TN_OK)
		rc = tn_vt_build(trace, err);
	if (rc < 0)
		return rc;
	s->stream_class = trace->stream_class[0];
	s->size = s->file->map.size;
	s->own = own;
	return TN_OK;
}

/* ---- times ---- */

/* The 64-bit clock value of a 32-bit time near @before; not less than 0. */
static inline uint64_t
extend_time(uint64_t before, uint32_t time)
{
	uint32_t step = time - (uint32_t)before;

	if (step < UINT32_C(1) << 31 || before < (uint32_t)-step)
		return before + step;
	return before - (uint32_t)-step;
}

/* ---- index ---- */

static enum tn_code
add_entry(struct tn_stream *stream, const struct tn_packet *entry, struct tn_error *err)
{
	struct tn_packet_index *ix = &stream->index;

	if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
		return tn_fail_memory(err);
	ix->packet[ix->n++] = *entry;
	return TN_OK;
}

static uint64_t
first_record(const struct tn_stream *stream, const struct tn_packet *entry)
{
	return entry->offset == 0 ? ((const struct tn_vt_stream *)stream->own)->start.at : entry->offset;
}

static enum tn_code
vartrace_extend(struct tn_stream *stream, struct tn_error *err)
{
	const struct tn_vt_stream *own = stream->own;
	struct tn_packet_index *ix = &stream->index;
	const struct tn_packet *last = ix->n ? &ix->packet[ix->n - 1] : NULL;
	struct tn_packet p = {
		.discarded = TN_UNKNOWN, .sequence = TN_UNKNOWN, .flags = TN_PACKET_CHECKED,
		.offset = last ? last->offset + last->size_bits / 8 : 0,
	};
	uint64_t at = first_record(stream, &p), time = last ? last->end_cycles : 0, high;
	struct tn_vt_record r;
	bool whole = true;

	if (p.offset >= own->dump.size) {
		ix->complete = true;
		return TN_OK;
	}
	if (!last && own->dump.size - at >= TN_VT_HEADER)
		time = tn_vt_u32(&own->dump, at);
	p.n_events = !last && own->start.n_nested;
	p.clock_start = time;
	p.begin_cycles = TN_UNKNOWN;
	high = last ? tn_clock_cycles(stream->stream_class->clock, last->end_ns) : time;
	while (at < own->dump.size && at - p.offset < ENTRY && (whole = tn_vt_record(&own->dump, at, &r))) {
		time = extend_time(time, r.time);
		if (p.begin_cycles == TN_UNKNOWN)
			p.begin_cycles = time;
		high = time > high ? time : high;
		at = r.next;
		p.n_events++;
	}
	if (tn_map_torn(&stream->file[0].map))
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", stream->path);
	p.content_bits = (at - p.offset) * 8;
	p.size_bits = (whole ? at - p.offset : own->dump.size - p.offset) * 8;
	p.flags |= whole ? 0 : TN_PACKET_CUT;
	if (!last && own->start.at && !own->start.n_nested)
		p.n_events = TN_UNKNOWN;	/* there is damage before the first record */
	p.end_cycles = time;
	p.end_ns = tn_clock_ns(stream->stream_class->clock, high);
	p.begin_ns = tn_clock_ns(stream->stream_class->clock, p.begin_cycles == TN_UNKNOWN ? time : p.begin_cycles);
	if (last && p.begin_ns < last->end_ns)
		p.begin_ns = last->end_ns;
	ix->complete = p.offset + p.size_bits / 8 >= own->dump.size;
	return add_entry(stream, &p, err);
}

/* ---- walk ---- */

/* The bytes before the first record: the end of a record that the circular buffer has overwritten (6). */
static enum tn_code
tell_of_lost_start(struct tn_batch *b, const struct tn_vt_stream *own, struct tn_error *err)
{
	char text[160];

	snprintf(text, sizeof text, _("packet 0 at byte 0: bytes 0 to %" PRIu64
		 ": rest of a record whose start is not in the dump"), own->start.at - 1);
	return tn_batch_damage(b, b->begin.key, 0, text) ? TN_OK : tn_fail_memory(err);
}

static enum tn_code
tell_of_cut_end(struct tn_batch *b, const struct tn_vt_dump *d, int64_t key, uint64_t at, struct tn_error *err)
{
	struct tn_vt_record r;
	char text[256];

	tn_vt_record(d, at, &r);
	if (d->size - at < TN_VT_HEADER)
		snprintf(text, sizeof text, _("packet %zu at byte %" PRIu64 ": bytes %" PRIu64 " to %" PRIu64
			 ": the header of a record, cut by the end of the dump"), b->packet, b->entry.offset, at, d->size - 1);
	else
		snprintf(text, sizeof text, _("packet %zu at byte %" PRIu64 ": bytes %" PRIu64 " to %" PRIu64
			 ": message %u with %" PRIu64 " bytes of data, of which the dump has %" PRIu64), b->packet,
			 b->entry.offset, at, d->size - 1, r.id, r.size, d->size - r.data);
	return tn_batch_damage(b, key, (at - b->entry.offset) * 8, text) ? TN_OK : tn_fail_memory(err);
}

/*
 * Store the clock value of the next row. Rows need this if a time is before the time of an earlier row, because the
 * merge key then does not step back.
 */
static bool
keep_cycles(struct tn_batch *b, size_t limit, uint64_t cycles, bool moved)
{
	if (!b->cycles && !moved)
		return true;
	if (!b->cycles) {
		b->cycles = calloc(limit + 1, sizeof *b->cycles);
		if (!b->cycles)
			return false;
		b->cycles_room = limit + 1;
		for (size_t i = 0; i < b->refs.n; i++)
			b->cycles[i] = tn_clock_cycles(b->stream->stream_class->clock, b->refs.item[i].time_ns);
	}
	b->cycles[b->refs.n] = cycles;
	return true;
}

static void
put_row(struct tn_batch *b, int64_t key, uint64_t bit, uint32_t event_class)
{
	b->refs.item[b->refs.n++] = (struct tn_ref) { key, (uint32_t)bit, event_class };
	b->n_events++;
}

static enum tn_code
vartrace_walk(struct tn_batch *b, struct tn_error *err)
{
	const struct tn_vt_stream *own = b->stream->own;
	const struct tn_clock *clock = b->stream->stream_class->clock;
	size_t limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS;
	uint64_t end = b->entry.offset + b->entry.content_bits / 8, at, base, time = b->begin.clock;
	int64_t key = b->begin.key;
	enum tn_code rc = TN_OK;
	struct tn_vt_record r;
	bool whole = true;

	if (!TN_ARRAY_RESERVE(&b->refs, limit + 1))
		return tn_fail_memory(err);
	at = b->begin.bit ? b->entry.offset + b->begin.bit / 8 : first_record(b->stream, &b->entry);
	base = at;
	if (b->begin.row == 0 && at > b->entry.offset && !own->start.n_nested) {
		rc = tell_of_lost_start(b, own, err);
	} else if (b->begin.row == 0 && at > b->entry.offset) {
		put_row(b, key, 0, TN_VT_REST);
		base = b->entry.offset;
	}
	b->base_bit = (base - b->entry.offset) * 8;
	while (rc == TN_OK && b->refs.n < limit && at < end && at - base < SPAN && (whole = tn_vt_record(&own->dump, at, &r))) {
		int64_t ns;

		time = extend_time(time, r.time);
		ns = tn_clock_ns(clock, time);
		if (!keep_cycles(b, limit, time, ns < key))
			return tn_fail_memory(err);
		key = ns > key ? ns : key;
		put_row(b, key, (at - base) * 8, r.id);
		at = r.next;
	}
	b->last = at >= end || !whole;
	if (rc == TN_OK && b->last && (b->entry.flags & TN_PACKET_CUT || !whole)) {
		b->last = b->refs.n < limit;
		if (b->last && keep_cycles(b, limit, time, false))
			rc = tell_of_cut_end(b, &own->dump, key, at, err);
	}
	b->end = (struct tn_mark) { (at - b->entry.offset) * 8, time, b->begin.row + b->refs.n, key, b->begin.told };
	if (rc == TN_OK && tn_map_torn(&b->stream->file[0].map))
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", b->stream->path);
	return rc;
}

const struct tn_format tn_format_vartrace = {
	.name = "vartrace",
	.meaning = TN_MEANING_VARTRACE,
	.probe_bytes = vartrace_probe,
	.open = vartrace_open,
	.extend = vartrace_extend,
	.walk = vartrace_walk,
	.read = tn_vt_read,
};
