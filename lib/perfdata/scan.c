/*
 * scan.c - one pass over the records makes the index, whose entries are slices of time
 *
 * perf empties its buffers one after the other, so records are in order only within a buffer. After each turn it writes
 * FINISHED_ROUND: no later record is earlier than the records written before the previous round. An entry has the events
 * up to a time that is safe in this sense, with a round of slack. Its bytes are from the first to the last of these
 * events, and so overlap the bytes of its neighbours. clock_start is the position of the scan when it made the entry. An
 * event that comes after the entry for its time is late, and belongs to the next entry.
 *
 * A record belongs to an entry if it is before that position, and its time is in (end_cycles of the previous entry,
 * end_cycles of the entry]. A late record also belongs to it: its time is not after the previous entry, but its position
 * is after that of the previous entry.
 *
 * Source     perfdata.md, 4.
 */
#include <inttypes.h>

#include "perfdata/private.h"

#define STEP (UINT64_C(1) << 20)	/* bytes that one step scans */
#define LEAST (UINT64_C(2) << 20)	/* smallest size of an entry, except the last one */
#define ROUND (UINT64_C(8) << 20)	/* number of bytes without a round that count as a round */
#define MOST (UINT64_C(256) << 20)	/* largest size of an entry, because positions in it are bits of a struct tn_ref */
#define BULK (UINT64_C(1) << 20)	/* this number of bytes without records, after a record, ends an entry */
#define PIECE (UINT64_C(32) << 10)

static bool
note_time(struct tn_perf_scan *s, uint64_t at, uint64_t end, uint64_t time)
{
	struct tn_perf_piece *last = s->pieces.n ? &s->pieces.item[s->pieces.n - 1] : NULL;

	if (!s->has_most || time > s->most)
		s->most = time;
	s->has_most = true;
	if (!last || at - last->at > PIECE) {
		if (!(last = TN_ARRAY_ADD(&s->pieces)))
			return false;
		*last = (struct tn_perf_piece) { at, end, time, time };
	}
	last->end = end;
	last->least = time < last->least ? time : last->least;
	last->most = time > last->most ? time : last->most;
	return true;
}

/* Move tasks and losses up to @time to the front of their lists. */
static size_t
split_tasks(struct tn_perf_scan *s, uint64_t time)
{
	size_t n = 0;

	for (size_t i = 0; i < s->tasks.n; i++)
		if (s->tasks.item[i].time <= time) {
			struct tn_perf_task task = s->tasks.item[i];

			s->tasks.item[i] = s->tasks.item[n];
			s->tasks.item[n++] = task;
		}
	return n;
}

static void
count_losses(struct tn_perf_scan *s, uint64_t time)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->losses.n; i++)
		if (s->losses.item[i].time > time)
			s->losses.item[kept++] = s->losses.item[i];
		else if (__builtin_add_overflow(s->lost, s->losses.item[i].n, &s->lost))
			s->lost = UINT64_MAX >> 2;
	s->losses.n = kept;
}

/* Make an entry of the events up to @time. */
static enum tn_code
add_entry(struct tn_stream *stream, uint64_t time, uint32_t flags, struct tn_error *err)
{
	struct tn_perf_trace *own = stream->trace->own;
	struct tn_perf_scan *s = &own->scan;
	struct tn_packet_index *ix = &stream->index;
	uint64_t begin = s->has_floor ? s->floor : 0, end;
	size_t n = split_tasks(s, time), gone = 0;
	int64_t ns;

	if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
		return tn_fail_memory(err);
	tn_perf_names_add(&own->names, stream->file[0].map.data, own->file.data_end, s->tasks.item, n);
	if (own->names.no_memory)
		return tn_fail_memory(err);
	for (size_t i = n; i < s->tasks.n; i++)
		s->tasks.item[i - n] = s->tasks.item[i];
	s->tasks.n -= n;
	count_losses(s, time);
	/* The first entry begins with its first event. */
	for (uint64_t at = s->start; !ix->n && at < s->at;) {
		struct tn_perf_record r;
		uint64_t t;

		if (!tn_perf_next(&r, stream->file[0].map.data, at, s->at, own->file.big_endian))
			break;
		if (tn_perf_has_place(&own->file, &r, own->file.big_endian, &t) && (!begin || t < begin))
			begin = t;
		at = r.next;
	}
	/* Bytes without events up to @time need not be read, except the last ones, which may be damaged. */
	end = flags & TN_PERF_ENDS_BADLY || n ? s->at : s->start;
	for (size_t i = 0; i < s->pieces.n; i++)
		if (s->pieces.item[i].least <= time)
			end = s->pieces.item[i].end > end ? s->pieces.item[i].end : end;
	ns = tn_clock_ns(stream->stream_class->clock, begin);
	ix->packet[ix->n] = (struct tn_packet) {
		.offset = s->start, .size_bits = 8 * (end - s->start), .content_bits = 8 * (end - s->start), .clock_start = s->at,
		.begin_cycles = begin, .end_cycles = time, .begin_ns = ns > s->key ? ns : s->key, .n_events = TN_UNKNOWN,
		.discarded = s->lost, .highest = s->lost, .sequence = ix->n,
		.flags = TN_PACKET_CHECKED | flags | (n ? TN_PERF_HAS_TASKS : 0),
	};
	ns = tn_clock_ns(stream->stream_class->clock, time);
	ns = ns == INT64_MAX ? ns - 1 : ns;
	if (ix->packet[ix->n].begin_ns == INT64_MAX)
		ix->packet[ix->n].begin_ns--;
	s->key = ns > ix->packet[ix->n].begin_ns ? ns : ix->packet[ix->n].begin_ns;
	ix->packet[ix->n++].end_ns = s->key;
	while (gone < s->pieces.n && s->pieces.item[gone].most <= time)
		gone++;
	for (size_t i = gone; i < s->pieces.n; i++)
		s->pieces.item[i - gone] = s->pieces.item[i];
	s->pieces.n -= gone;
	s->start = s->pieces.n ? s->pieces.item[0].at : s->at;
	s->floor = time;
	s->has_floor = true;
	return TN_OK;
}

static bool
note_record(struct tn_perf_trace *own, const struct tn_perf_record *r)
{
	struct tn_perf_scan *s = &own->scan;
	uint64_t time;
	bool place = tn_perf_has_place(&own->file, r, own->file.big_endian, &time);

	if (tn_perf_names_threads(&own->file, r)) {
		struct tn_perf_task *task = TN_ARRAY_ADD(&s->tasks);

		if (!task)
			return false;
		*task = (struct tn_perf_task) { place ? time : 0, r->at };
	}
	if (!place)
		return true;
	if ((r->type == TN_PERF_LOST && r->size >= 24) || (r->type == TN_PERF_LOST_SAMPLES && r->size >= 16)) {
		struct tn_perf_loss *loss = TN_ARRAY_ADD(&s->losses);

		if (!loss)
			return false;
		loss->time = time;
		loss->n = tn_perf_u64(r->p + (r->type == TN_PERF_LOST ? 16 : 8), own->file.big_endian);
	}
	return note_time(s, r->at, r->next, time);
}

/* A round ends: entries may extend to the largest time before the previous round. */
static enum tn_code
end_round(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_perf_scan *s = &((struct tn_perf_trace *)stream->trace->own)->scan;
	uint64_t safe = s->round[TN_PERF_ROUNDS - 1];

	for (unsigned i = TN_PERF_ROUNDS - 1; i > 0; i--)
		s->round[i] = s->round[i - 1];
	s->round[0] = s->has_most ? s->most : 0;
	s->round_at = s->at;
	if (s->at - s->start >= MOST)
		return add_entry(stream, s->most, 0, err);
	if (safe && (!s->has_floor || safe > s->floor) && s->at - s->start >= LEAST)
		return add_entry(stream, safe, 0, err);
	return TN_OK;
}

/* End the entry before a large number of bytes that are not records. */
static enum tn_code
pass_bulk(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_perf_scan *s = &((struct tn_perf_trace *)stream->trace->own)->scan;
	enum tn_code rc = TN_OK;

	if (s->pieces.n || s->tasks.n)
		rc = add_entry(stream, s->most, 0, err);
	s->start = s->at;
	return rc;
}

static bool
begin(struct tn_perf_trace *own)
{
	struct tn_perf_scan *s = &own->scan;
	uint64_t at = own->file.data_at;

	*s = (struct tn_perf_scan) {
		.begun = true, .at = at, .start = at, .round_at = at, .key = INT64_MIN,
		.pieces = { s->pieces.item, 0, s->pieces.room }, .tasks = { s->tasks.item, 0, s->tasks.room },
		.losses = { s->losses.item, 0, s->losses.room },
	};
	/* If a stored index filled the names before, fill them again. */
	return !own->has_names || tn_perf_names_begin(&own->names);
}

enum tn_code
tn_perf_extend(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_perf_trace *own = stream->trace->own;
	struct tn_perf_scan *s = &own->scan;
	const struct tn_map *map = &stream->file[0].map;
	uint64_t end = own->file.data_end, stop;
	struct tn_perf_record r;
	enum tn_code rc = TN_OK;
	bool ended = false;

	if (!s->begun || !stream->index.n) {
		/* Begin, or begin again if a stored index was invalid. */
		if ((!s->begun || s->has_floor) && !begin(own))
			return tn_fail_memory(err);
		__atomic_store_n(&own->has_names, true, __ATOMIC_RELEASE);
	}
	stop = end - s->at > STEP ? s->at + STEP : end;
	while (rc == TN_OK && s->at < stop) {
		if (!tn_perf_next(&r, map->data, s->at, end, own->file.big_endian)) {
			ended = true;
			break;
		}
		if (!note_record(own, &r))
			return tn_fail_memory(err);
		s->at = r.next;
		/* Features in a pipe, before the records, have any size; texts of records end at a multiple of 8 bytes. */
		if (!s->has_floor && !s->pieces.n && !s->tasks.n)
			s->start = s->at;
		if (r.next - r.at > BULK && (rc = pass_bulk(stream, err)) < 0)
			break;
		if (r.type == TN_PERF_FINISHED_ROUND || s->at - s->round_at >= ROUND)
			rc = end_round(stream, err);
	}
	if (rc == TN_OK && (ended || s->at >= end)) {
		if (s->has_most || ended)
			rc = add_entry(stream, s->most > s->floor ? s->most : s->floor, ended ? TN_PERF_ENDS_BADLY : 0, err);
		stream->index.complete = rc == TN_OK;
	}
	if (rc == TN_OK && tn_map_torn(map))
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", stream->path);
	return rc;
}

static void
add_stored(struct tn_perf_trace *own, const struct tn_stream *stream, const struct tn_packet *entry, const struct tn_packet *before)
{
	const uint8_t *data = stream->file[0].map.data;
	uint64_t at = entry->offset, end = entry->clock_start, size = stream->file[0].map.size;
	TN_ARRAY(struct tn_perf_task) tasks = { 0 };
	struct tn_perf_record r;

	for (end = end < size ? end : size; at < end && tn_perf_next(&r, data, at, end, own->file.big_endian); at = r.next) {
		struct tn_perf_task *task;
		uint64_t time = 0;

		if (!tn_perf_names_threads(&own->file, &r))
			continue;
		if (!tn_perf_has_place(&own->file, &r, own->file.big_endian, &time))
			time = 0;
		if (time > entry->end_cycles || (before && time <= before->end_cycles && r.at < before->clock_start))
			continue;
		if (!(task = TN_ARRAY_ADD(&tasks)))
			break;
		*task = (struct tn_perf_task) { time, r.at };
	}
	tn_perf_names_add(&own->names, data, size, tasks.item, tasks.n);
	TN_ARRAY_RELEASE(&tasks);
}

void
tn_perf_names_stored(const struct tn_stream *stream)
{
	struct tn_perf_trace *own = stream->trace->own;
	const struct tn_packet_index *ix = &stream->index;

	if (__atomic_load_n(&own->has_names, __ATOMIC_ACQUIRE))
		return;
	pthread_mutex_lock(&own->lock);
	if (!own->has_names && ix->mapped) {
		const struct tn_map *map = ix->mapped;
		const struct tn_packet *entry = ix->packet;
		size_t most = map->size / sizeof *entry, n = ix->n < most ? ix->n : most;

		for (size_t i = 0; i < n; i++)
			if (entry[i].flags & TN_PERF_HAS_TASKS)
				add_stored(own, stream, &entry[i], i ? &entry[i - 1] : NULL);
	}
	__atomic_store_n(&own->has_names, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&own->lock);
}
