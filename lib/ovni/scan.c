/*
 * scan.c - the places where a stream may be cut into entries of the index
 *
 * The clocks of a stream must not decrease, except in sort regions, which contain events that were written late (5).
 * A place is a good boundary if no event before it is later than an event after it.
 *
 * The scan keeps segments, in order, between the places that are good boundaries so far. An event that is earlier
 * than previous ones joins all segments that it overlaps. A segment is added to the index when the scan is far enough
 * past it: NEAR bytes, or FAR where late events are likely.
 *
 * An event can be even later. Also, one wrong clock that is ahead of all others can make a segment longer than NEAR
 * or LONGEST. Then the scan makes a boundary that is not good: the rows there keep their true time, but not their
 * place (walk.c).
 */
#include "ovni/private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/messages.h"

#define SEGMENT (UINT64_C(256) << 10)
#define NEAR (UINT64_C(1) << 20)
#define FAR (UINT64_C(8) << 20)
#define LONGEST (UINT64_C(16) << 20)

static bool
begin_segment(struct tn_ovni_scan *scan, uint64_t clock)
{
	struct tn_ovni_segment *s = TN_ARRAY_ADD(&scan->segments);

	if (!s)
		return false;
	s->offset = scan->at;
	s->min = s->max = clock;
	s->in_region = scan->in_region;
	return true;
}

/* If an event is earlier than a previous one, join all segments from the one that its clock belongs to. */
static void
join_segments(struct tn_ovni_scan *scan, uint64_t clock)
{
	struct tn_ovni_segment *s = &scan->segments.item[scan->segments.n - 1];

	s->unsorted = true;
	if (clock < s->min)
		s->min = clock;
	while (scan->segments.n > 1 && s[-1].max > s->min) {
		s[-1].n_events += s->n_events;
		s[-1].max = s->max > s[-1].max ? s->max : s[-1].max;
		s[-1].min = s->min < s[-1].min ? s->min : s[-1].min;
		s[-1].unsorted = true;
		scan->segments.n--;
		s--;
	}
}

/* The keys of the merge are times, which stay between the bounds of the neighbouring entries. */
static enum tn_code
add_entry(struct tn_stream *stream, const struct tn_ovni_segment *s, uint64_t end, uint64_t size, uint32_t flags,
	  struct tn_error *err)
{
	struct tn_packet_index *ix = &stream->index;
	const struct tn_clock *clock = stream->stream_class->clock;
	int64_t before = ix->n ? ix->packet[ix->n - 1].end_ns : INT64_MIN;
	struct tn_packet *p;

	if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
		return tn_fail_memory(err);
	p = &ix->packet[ix->n];
	*p = (struct tn_packet) {
		.offset = s->offset,
		.size_bits = size * 8,
		.content_bits = (end - s->offset) * 8,
		.begin_cycles = s->min,
		.end_cycles = s->max,
		.begin_ns = tn_clock_ns(clock, s->min),
		.end_ns = tn_clock_ns(clock, s->max),
		.discarded = TN_UNKNOWN,
		.sequence = TN_UNKNOWN,
		.n_events = s->n_events,
		.flags = flags | TN_PACKET_CHECKED | (s->unsorted ? TN_OVNI_UNSORTED : 0) |
			 (s->in_region ? TN_OVNI_IN_REGION : 0),
	};
	if (p->begin_ns < before)
		p->begin_ns = before;
	if (p->end_ns < p->begin_ns)
		p->end_ns = p->begin_ns;
	ix->n++;
	((struct tn_ovni_stream *)stream->own)->scan.n_entries = ix->n;
	return TN_OK;
}

/* Add the first @n segments to the index; the next begins at or after the scan. */
static enum tn_code
take_segments(struct tn_stream *stream, size_t n, struct tn_error *err)
{
	struct tn_ovni_scan *scan = &((struct tn_ovni_stream *)stream->own)->scan;
	enum tn_code rc = TN_OK;
	size_t i;

	for (i = 0; i < n && rc == TN_OK; i++) {
		const struct tn_ovni_segment *s = &scan->segments.item[i];
		uint64_t end = i + 1 < scan->segments.n ? s[1].offset : scan->at;

		rc = add_entry(stream, s, end, end - s->offset, 0, err);
	}
	scan->segments.n -= i;
	if (i)
		memmove(scan->segments.item, scan->segments.item + i, scan->segments.n * sizeof *scan->segments.item);
	return rc;
}

/*
 * At the end of the stream, add the last segments to the index, and the part of an event that the end of the file
 * cuts.
 */
static enum tn_code
finish(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_ovni_scan *scan = &((struct tn_ovni_stream *)stream->own)->scan;
	uint64_t size = stream->file[0].map.size;
	enum tn_code rc = TN_OK;

	if (scan->at < size) {
		struct tn_ovni_segment none = { .offset = scan->at };
		const struct tn_ovni_segment *last = &none;

		if (scan->segments.n) {
			rc = take_segments(stream, scan->segments.n - 1, err);
			last = &scan->segments.item[0];
		} else if (stream->index.n) {
			none.min = none.max = stream->index.packet[stream->index.n - 1].end_cycles;
		}
		if (rc == TN_OK)
			rc = add_entry(stream, last, scan->at, size - last->offset, TN_PACKET_CUT, err);
	} else {
		rc = take_segments(stream, scan->segments.n, err);
	}
	if (rc == TN_OK) {
		if (scan->n_back)
			tn_tell(&stream->trace->problems, TN_WRONG,
				P_("%s: %" PRIu64 " event is earlier than the one before, outside of sort regions; "
				   "the first at byte %" PRIu64,
				   "%s: %" PRIu64 " events are earlier than the one before, outside of sort regions; "
				   "the first at byte %" PRIu64, scan->n_back),
				stream->name, scan->n_back, scan->first_back);
		stream->index.complete = true;
		TN_ARRAY_RELEASE(&scan->segments);
	}
	return rc;
}

/*
 * Continue to the next place where a segment may begin, to the end of the file, or to an event that the end of the
 * file cuts.
 */
static inline __attribute__((always_inline)) bool
scan_segment(struct tn_ovni_scan *scan, const uint8_t *data, uint64_t size, uint64_t longest, bool big_endian)
{
	uint64_t at = scan->at, before = scan->before, stop, n = 0, step, max;
	struct tn_ovni_segment *s = &scan->segments.item[scan->segments.n - 1];
	bool in_region = scan->in_region;

	stop = s->offset + SEGMENT;
	max = s->max;
	while ((step = tn_ovni_event_size(data + at, size - at, big_endian))) {
		uint64_t clock = tn_ovni_clock(data + at, big_endian);

		if (__builtin_expect(clock < max, 0)) {
			if (!in_region && clock < before && !scan->n_back++)
				scan->first_back = at;
			s->max = max;
			s->n_events += n;
			n = 0;
			join_segments(scan, clock);
			s = &scan->segments.item[scan->segments.n - 1];
			stop = s->offset + SEGMENT;
			max = s->max;
		} else if (at >= stop) {
			break;
		} else {
			max = clock;
		}
		if (__builtin_expect(data[at + 1] == 'O' && data[at + 2] == 'U', 0)) {
			in_region = data[at + 3] == '[' || (in_region && data[at + 3] != ']');
			scan->saw_region |= in_region;
		}
		before = in_region ? before : clock;
		n++;
		at += step;
		if (__builtin_expect(at - s->offset >= longest, 0))
			break;
	}
	s->max = max;
	s->n_events += n;
	scan->at = at;
	scan->before = before;
	scan->in_region = in_region;
	return step != 0;
}

/* The index may have entries from an index file: continue after them. */
static void
place_scan(struct tn_stream *stream)
{
	struct tn_ovni_scan *scan = &((struct tn_ovni_stream *)stream->own)->scan;
	const struct tn_packet_index *ix = &stream->index;

	if (scan->at && scan->n_entries == ix->n)
		return;
	scan->segments.n = 0;
	scan->in_region = false;
	scan->before = 0;
	scan->n_entries = ix->n;
	scan->at = TN_OVNI_STREAM_HEADER;
	if (ix->n)
		scan->at = ix->packet[ix->n - 1].offset + ix->packet[ix->n - 1].size_bits / 8;
}

/*
 * Make a boundary at a clock that fits, or when the limit is reached. In the second case the last clock of the entry
 * is the clock of the next event. So a clock far ahead of all others, which is mostly damage, does not shift all
 * later ones.
 */
static enum tn_code
cut_here(struct tn_stream *stream, const uint8_t *data, uint64_t longest, struct tn_error *err)
{
	struct tn_ovni_stream *own = stream->own;
	struct tn_ovni_scan *scan = &own->scan;
	struct tn_ovni_segment *last = &scan->segments.item[scan->segments.n - 1];
	uint64_t clock = tn_ovni_clock(data + scan->at, own->big_endian);
	enum tn_code rc = TN_OK;

	if (clock < last->max && scan->at - last->offset < longest)
		return TN_OK;	/* the scan found a region meanwhile, so the limit is larger now */
	if (clock < last->max) {
		last->max = clock;
		last->unsorted = true;
		if (last->min > clock)
			last->min = clock;
		rc = take_segments(stream, scan->segments.n, err);
	}
	if (rc == TN_OK && !begin_segment(scan, clock))
		rc = tn_fail_memory(err);
	return rc;
}

enum tn_code
tn_ovni_extend(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_ovni_stream *own = stream->own;
	struct tn_ovni_scan *scan = &own->scan;
	const struct tn_map *map = &stream->file[0].map;
	size_t had = stream->index.n;
	enum tn_code rc = TN_OK;

	place_scan(stream);
	while (rc == TN_OK && !stream->index.complete && stream->index.n == had) {
		bool whole = scan->at <= map->size &&
			     tn_ovni_event_size(map->data + scan->at, map->size - scan->at, own->big_endian);
		bool late = own->is_kernel || scan->saw_region;
		uint64_t look = late ? FAR : NEAR, longest = late ? LONGEST : NEAR;

		if (tn_map_torn(map))
			return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", stream->path);
		if (!whole) {
			if (scan->at > map->size)
				scan->at = map->size;
			rc = finish(stream, err);
			break;
		}
		if (!scan->segments.n) {
			if (!begin_segment(scan, tn_ovni_clock(map->data + scan->at, own->big_endian)))
				return tn_fail_memory(err);
		} else {
			rc = cut_here(stream, map->data, longest, err);
			if (rc < 0)
				break;
		}
		if (own->big_endian)
			scan_segment(scan, map->data, map->size, longest, true);
		else
			scan_segment(scan, map->data, map->size, longest, false);
		if (scan->segments.n > 1 && scan->at - scan->segments.item[1].offset >= look)
			rc = take_segments(stream, 1, err);
	}
	return rc;
}
