/*
 * scan.c - find the packets of a stream: from index files, or by moving from header to header
 *
 * Entries are made one packet later, because only the next packet gives an upper bound for the end of a packet. A packet
 * without a valid size ends at the next magic number that a plausible header follows.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ctf/stream.h"
#include "model/loss.h"

#define SLICE 4096	/* limit of packets that one call of `extend` finds */
#define FIRST_SLICE 16	/* limit for the first calls, because the first page of a view needs few packets */
#define MOST_PEEKS 8	/* limit of files of a stream that are open at a time */
#define SWEEP_BYTES ((uint64_t)8 << 20)	/* approximate limit of bytes that one call of `extend` searches after broken headers */

/* ---- one packet ---- */

struct scan {
	struct tn_stream *stream;
	struct tn_ctf_stream *own;
	struct tn_ctf_file *f;
	struct tn_stream_file *file;
	uint32_t i;	/* index of the file */
};

/* Whether the packet is at the end of the file and can still grow. */
static bool
is_growing(const struct tn_stream *stream)
{
	return stream->trace->options && stream->trace->options->growing;
}

/*
 * Whether the running clock continues from packet to packet (ctf1-binary.md, 8.3), because packets do not have a begin
 * time.
 */
static bool
clock_goes_on(const struct tn_stream *stream)
{
	const struct tn_ctf_trace *own = stream->trace->own;

	return !own->is_ctf2 && stream->stream_class->clock && !stream->stream_class->plan->begin_known;
}

/* Whether the begin time has only the lower bits of the clock. */
static bool
begin_is_narrow(const struct tn_stream *stream)
{
	const struct tn_ctf_trace *own = stream->trace->own;
	const struct tn_plan *plan = stream->stream_class->plan;

	return !own->is_ctf2 && stream->stream_class->clock && plan->begin_known && plan->begin_bits < 64;
}

/*
 * Get the lower bound of the packet's times. The begin time alone is not one: barectf before 2.3.1 read it after the
 * event that opened the packet. False: the first event exceeds the bytes that are read, so read more.
 */
static bool
begin_of(struct scan *s, struct tn_packet *e, const struct tn_machine *after_context)
{
	const struct tn_stream_class *sc = s->stream->stream_class;
	struct tn_machine m = *after_context;
	int64_t first;

	e->begin_ns = INT64_MIN;
	if (!sc->clock)
		return true;
	if (e->begin_cycles != TN_UNKNOWN)
		e->begin_ns = tn_clock_ns(sc->clock, e->begin_cycles);
	if (e->content_bits <= m.at)
		return true;
	if (m.end > e->content_bits)
		m.end = e->content_bits;
	if (tn_machine_skip(&m, sc->plan->header) != TN_TROUBLE_NONE)
		return m.end == e->content_bits;
	if (sc->late_time && sc->plan->skip[TN_SCOPE_COMMON_CONTEXT] &&
	    tn_machine_skip(&m, sc->plan->skip[TN_SCOPE_COMMON_CONTEXT]) != TN_TROUBLE_NONE)
		return m.end == e->content_bits;
	first = tn_clock_ns(sc->clock, m.clock);
	if (e->begin_cycles == TN_UNKNOWN || first < e->begin_ns)
		e->begin_ns = first;
	return true;
}

/*
 * Without a magic number to search for, use the packet's own end if it is plausible: the end of the file, or a place with
 * another good header.
 */
static uint64_t
said_end(struct scan *s, const struct tn_packet *e, const struct tn_ctf_header *h)
{
	const struct tn_ctf_trace *own = s->stream->trace->own;
	uint64_t size = s->file->map.size, left = size - e->offset, next;
	struct tn_ctf_slots slots;
	struct tn_ctf_header other;
	struct tn_machine m = { 0 };
	enum tn_ctf_flaw flaw;
	bool fine;

	if ((h->flaw != TN_CTF_UUID && (own->has_magic || h->flaw != TN_CTF_SIZES)) || h->size_bits == 0 ||
	    h->size_bits % 8 || h->size_bits / 8 > left || h->size_bits < h->context_end)
		return size;
	next = e->offset + h->size_bits / 8;
	if (next == size || !tn_ctf_slots_init(&slots, s->stream->trace))
		return size;
	m = (struct tn_machine) { .p = s->file->map.data + next, .end = (size - next) * 8, .slot = slots.slot };
	flaw = tn_ctf_header_read(&other, &m, s->stream->trace, s->stream->stream_class, NULL);
	fine = (flaw == TN_CTF_FINE || flaw == TN_CTF_UUID) && other.size_bits <= (size - next) * 8;
	tn_ctf_slots_release(&slots);
	return fine ? next : size;
}

/* Search the bytes after the header of @e. False: the search continues in a later call. */
static bool
sweep(struct scan *s, const struct tn_packet *e, const struct tn_ctf_header *h)
{
	/* If the only flaw is the UUID of another trace, the size is valid: continue after the packet. */
	uint64_t said = h->flaw == TN_CTF_UUID ? said_end(s, e, h) : s->file->map.size;

	if (said < s->file->map.size) {
		s->f->sweep = (struct tn_ctf_sweep) { .begun = true, .from = e->offset, .at = said, .found = true };
		return true;
	}
	return tn_ctf_sweep(&s->f->sweep, &s->own->budget, s->stream->trace, s->file, s->stream->stream_class, e->offset);
}

/* Make @e a bad packet; the bytes after its header have been searched. */
static void
bad_packet(struct scan *s, struct tn_packet *e, enum tn_ctf_flaw flaw, const struct tn_ctf_header *h)
{
	uint64_t size = s->file->map.size, next = s->f->sweep.at;
	bool zeros = s->f->sweep.zeros;

	if (next == size && !zeros)
		next = said_end(s, e, h);
	e->flags |= TN_PACKET_BAD;
	if (zeros)
		e->flags |= TN_CTF_ZEROS;
	else if (flaw == TN_CTF_SHORT && next == size)
		e->flags |= TN_CTF_TAIL;
	e->size_bits = e->content_bits = (next - e->offset) * 8;
	e->begin_cycles = e->end_cycles = e->discarded = e->sequence = TN_UNKNOWN;
	e->begin_ns = INT64_MIN;
}

static void
from_header(struct tn_packet *e, const struct tn_ctf_header *h)
{
	e->size_bits = h->size_bits;
	e->content_bits = h->content_bits;
	e->begin_cycles = h->begin_cycles;
	e->end_cycles = h->end_cycles;
	e->discarded = h->discarded;
	e->sequence = h->sequence;
}

/*
 * No packet was found after this one, which exceeds the file. Either the file was cut, or the size is wrong. False: it is
 * wrong.
 */
static bool
cut_packet(struct scan *s, struct tn_packet *e, const struct tn_ctf_header *h)
{
	uint64_t all = (s->file->map.size - e->offset) * 8;

	if (h->sizes_open) {
		e->size_bits = e->content_bits = (s->f->sweep.at - e->offset) * 8;
		e->flags |= TN_CTF_OPEN_SIZES;
		return true;
	}
	if (s->f->sweep.found)
		return false;
	e->size_bits = all;
	if (e->content_bits > all)
		e->content_bits = all;
	e->flags |= TN_PACKET_CUT;
	return true;
}

static void
tell_identity(struct scan *s, const struct tn_ctf_header *h, uint64_t offset)
{
	const struct tn_problems *problems = &s->stream->trace->problems;

	if (h->other_uuid && !s->f->told_uuid) {
		s->f->told_uuid = true;
		tn_tell(problems, TN_WRONG, "%s: packet at byte %" PRIu64 ": its UUID differs from the UUID of the trace",
			s->file->path, offset);
	}
	if (s->f->has_instance && h->has_instance && h->instance != s->f->instance && !s->f->told_instance) {
		s->f->told_instance = true;
		tn_tell(problems, TN_WRONG, "%s: packet at byte %" PRIu64 ": stream instance %" PRIu64 ", not %" PRIu64
			" as in the packets before; read as the same stream", s->file->path, offset, h->instance,
			s->f->instance);
	}
	s->f->has_instance = h->has_instance;
	s->f->instance = h->instance;
}

/* Get the running clock for the packet after @e. */
static bool
carry_clock(struct scan *s, struct tn_packet *e)
{
	bool end_known = e->end_cycles != TN_UNKNOWN && e->end_cycles >= e->clock_start;
	uint64_t events;
	int64_t last;

	if (begin_is_narrow(s->stream)) {
		s->f->clock = e->end_cycles != TN_UNKNOWN && e->end_cycles >= e->begin_cycles ? e->end_cycles
											       : e->begin_cycles;
	} else if (clock_goes_on(s->stream)) {
		if (end_known)
			s->f->clock = e->end_cycles;
		else if (e->offset + e->size_bits / 8 >= s->file->map.size && !is_growing(s->stream))
			return true;
		else if (!tn_ctf_packet_end(s->stream, e, &s->f->clock, &events, &last))
			return false;
		else
			e->n_events = events;
	}
	return true;
}

static void
look_at_all(const struct scan *s, const struct tn_packet *e, struct tn_machine *m)
{
	m->p = s->file->map.data + e->offset;
	m->end = (s->file->map.size - e->offset) * 8;
	m->clock = e->clock_start;
}

/*
 * Decode the header of @e, and move the machine after it. For most good headers the first bytes suffice; others are read
 * in the map.
 */
static enum tn_ctf_flaw
read_header(struct scan *s, const struct tn_packet *e, struct tn_ctf_header *h, struct tn_machine *m)
{
	uint64_t left = (s->file->map.size - e->offset) * 8, n;

	look_at_all(s, e, m);
	if (s->f->peek && (n = 8 * (uint64_t)tn_peek_at(s->f->peek, e->offset)) > 0 && n < left) {
		m->p = s->f->peek->bytes;
		m->end = n;
		if (tn_ctf_header_read(h, m, s->stream->trace, s->stream->stream_class, NULL) == TN_CTF_FINE &&
		    !h->sizes_open && h->size_bits <= left)
			return TN_CTF_FINE;
		look_at_all(s, e, m);
	}
	return tn_ctf_header_read(h, m, s->stream->trace, s->stream->stream_class, NULL);
}

/* Whether the tracer still has to write the end of the packet. */
static bool
is_unfinished(const struct scan *s, const struct tn_packet *e, enum tn_ctf_flaw flaw, const struct tn_ctf_header *h)
{
	if (flaw != TN_CTF_FINE)
		return flaw == TN_CTF_SHORT;
	return !h->sizes_open && h->size_bits > (s->file->map.size - e->offset) * 8;
}

/* Decode the header at f->offset. f->done: it is still incomplete. TN_END: the bytes after it are not known yet. */
static enum tn_code
hop(struct scan *s, struct tn_packet *e)
{
	struct tn_trace *trace = s->stream->trace;
	struct tn_ctf_slots slots;
	struct tn_machine m = { 0 };
	struct tn_ctf_header h;
	enum tn_ctf_flaw flaw;
	bool ok = true, open_end;

	if (!tn_ctf_slots_init(&slots, trace))
		return TN_ERR_MEMORY;
	*e = (struct tn_packet) {
		.offset = s->f->offset, .file = s->i, .n_events = TN_UNKNOWN, .flags = TN_PACKET_CHECKED,
	};
	if (clock_goes_on(s->stream) || begin_is_narrow(s->stream))
		e->clock_start = s->f->clock;
	m.slot = slots.slot;
	flaw = read_header(s, e, &h, &m);
	if (is_growing(s->stream) && is_unfinished(s, e, flaw, &h)) {
		s->f->done = true;
		tn_ctf_slots_release(&slots);
		return TN_OK;
	}
	open_end = flaw != TN_CTF_FINE || h.sizes_open || h.size_bits > (s->file->map.size - e->offset) * 8;
	if (open_end && !sweep(s, e, &h)) {
		tn_ctf_slots_release(&slots);
		return TN_END;
	}
	if (flaw == TN_CTF_FINE) {
		from_header(e, &h);
		if (open_end && !cut_packet(s, e, &h))
			flaw = TN_CTF_SIZES;
	}
	if (flaw == TN_CTF_FINE) {
		tell_identity(s, &h, e->offset);
		if (!begin_of(s, e, &m)) {
			uint64_t clock = m.clock;

			look_at_all(s, e, &m);
			m.clock = clock;
			(void)begin_of(s, e, &m);
		}
		ok = carry_clock(s, e);
	} else {
		bad_packet(s, e, flaw, &h);
	}
	tn_ctf_slots_release(&slots);
	return ok ? TN_OK : TN_ERR_MEMORY;
}

static bool
agrees(uint64_t entry, uint64_t packet)
{
	return entry == TN_UNKNOWN || entry == packet;
}

/* Decode the header of @e into @h; *m is then after it. */
static enum tn_ctf_flaw
header_of(struct tn_ctf_header *h, struct tn_machine *m, const struct tn_stream *stream, const struct tn_packet *e)
{
	*m = (struct tn_machine) { .p = stream->file[e->file].map.data + e->offset, .end = e->size_bits, .slot = m->slot };
	return tn_ctf_header_read(h, m, stream->trace, stream->stream_class, NULL);
}

/* Decode the packet's header into @h, and return whether it agrees with the entry. */
static bool
same_as_header(struct tn_ctf_header *h, const struct tn_stream *stream, const struct tn_packet *e, bool *no_memory)
{
	struct tn_ctf_slots slots;
	struct tn_machine m = { 0 };
	bool same;

	if (!tn_ctf_slots_init(&slots, stream->trace)) {
		*no_memory = true;
		return false;
	}
	m.slot = slots.slot;
	same = header_of(h, &m, stream, e) == TN_CTF_FINE && h->size_bits == e->size_bits &&
	       h->content_bits == e->content_bits && h->begin_cycles == e->begin_cycles &&
	       h->end_cycles == e->end_cycles && agrees(e->discarded, h->discarded) && agrees(e->sequence, h->sequence);
	tn_ctf_slots_release(&slots);
	return same;
}

/* Whether the header agrees with the entry; takes missing values of the entry from the header. */
static bool
header_agrees(struct scan *s, struct tn_packet *e, bool *no_memory)
{
	struct tn_ctf_header h;

	if (!same_as_header(&h, s->stream, e, no_memory))
		return false;
	e->discarded = h.discarded;
	e->sequence = h.sequence;
	tell_identity(s, &h, e->offset);
	return true;
}

/*
 * Whether the entry has no counters: index files before version 1.1 do not have sequence numbers, and later ones have all
 * bits set if the tracer did not know the number.
 */
static bool
lacks_counters(const struct tn_packet *e, const struct tn_stream_class *sc)
{
	return (tn_context_bits(sc, TN_ROLE_DISCARDED) && e->discarded == TN_UNKNOWN) ||
	       (tn_context_bits(sc, TN_ROLE_SEQUENCE_NUMBER) && e->sequence == TN_UNKNOWN);
}

/* Get the next entry of the index file. False: it is impossible, and the file is not trusted any more. */
static bool
from_index(struct scan *s, struct tn_packet *e, bool *no_memory)
{
	const struct tn_stream_class *sc = s->stream->stream_class;
	struct tn_ctf_file *f = s->f;
	uint64_t left = s->file->map.size - f->offset;

	tn_ctf_lttng_index_entry(&f->index, f->i, e);
	e->file = s->i;
	if (e->offset != f->offset || !e->size_bits || e->size_bits % 8 || e->size_bits / 8 > left ||
	    e->content_bits > e->size_bits || e->begin_cycles > e->end_cycles)
		return false;
	if (!tn_context_bits(sc, TN_ROLE_DISCARDED))
		e->discarded = TN_UNKNOWN;
	if (!tn_context_bits(sc, TN_ROLE_SEQUENCE_NUMBER))
		e->sequence = TN_UNKNOWN;
	/* This detects a file that is completely wrong. A single wrong entry is detected when its packet is walked. */
	if (f->i == 0 || f->i + 1 == f->index.n || lacks_counters(e, sc)) {
		if (!header_agrees(s, e, no_memory))
			return false;
		e->flags |= TN_PACKET_CHECKED;
	}
	e->begin_ns = tn_clock_ns(sc->clock, e->begin_cycles);
	f->i++;
	return true;
}

static void
leave_index(struct tn_ctf_file *f)
{
	if (f->has_index)
		tn_map_release(&f->index.map);
	f->has_index = false;
}

static void
tell_of_index(const struct tn_stream *stream, size_t file, size_t packet)
{
	if (!is_growing(stream))
		tn_tell(&stream->trace->problems, TN_NOTE, "%s: the index file differs from the stream from packet %zu on: tnav "
			"scans the packets", stream->file[file].path, packet);
}

static void
mark_break(const struct tn_stream_file *file, struct tn_packet *e)
{
	for (size_t i = 0; i < file->n_broken; i++)
		if (file->broken[i] == e->offset)
			e->flags |= TN_PACKET_BREAK;
}

/* Find the next packet. TN_END: it is not known yet. */
static enum tn_code
next_packet(struct scan *s)
{
	struct tn_ctf_file *f = s->f;
	enum tn_code rc = TN_OK;
	bool no_memory = false;

	if (f->has_next || f->done)
		return TN_OK;
	if (f->offset >= s->file->map.size) {
		f->done = true;
	} else if (f->has_index && f->i < f->index.n && from_index(s, &f->next, &no_memory)) {
		f->has_next = true;
	} else {
		if (no_memory)
			return TN_ERR_MEMORY;
		if (f->has_index)
			tell_of_index(s->stream, s->i, f->i);
		leave_index(f);
		if ((rc = hop(s, &f->next)) != TN_OK)
			return rc;
		f->has_next = !f->done;
	}
	if (f->has_next) {
		f->offset = f->next.offset + f->next.size_bits / 8;
		mark_break(s->file, &f->next);
	}
	if (f->done)
		leave_index(f);
	return TN_OK;
}

/* ---- the packets of all files of a stream, by begin ---- */

/* The file whose next packet begins first. A packet without a begin time is taken at once. */
static struct tn_ctf_file *
first_file(struct tn_ctf_stream *own)
{
	struct tn_ctf_file *best = NULL;

	for (size_t i = 0; i < own->n_files; i++) {
		struct tn_ctf_file *f = &own->file[i];

		if (!f->has_next)
			continue;
		if (f->next.begin_cycles == TN_UNKNOWN && own->n_files > 1 && f->next.flags & TN_PACKET_BAD)
			return f;
		if (!best || f->next.begin_cycles < best->next.begin_cycles)
			best = f;
	}
	return best;
}

/* Whether both are the same packet: snapshots that overlap contain a packet twice (ctf1-binary.md, 10.2). */
static bool
is_double(const struct tn_packet *a, const struct tn_packet *b)
{
	return a->file != b->file && !((a->flags | b->flags) & TN_PACKET_BAD) && a->size_bits == b->size_bits &&
	       a->content_bits == b->content_bits && a->begin_cycles == b->begin_cycles &&
	       a->end_cycles == b->end_cycles && a->sequence == b->sequence && a->begin_cycles != TN_UNKNOWN;
}

/* Whether the index already has the packet. In a set that grows, a new snapshot can contain packets of the previous one. */
static bool
is_known(const struct tn_stream *stream, const struct tn_packet *p)
{
	const struct tn_packet_index *index = &stream->index;
	const struct tn_clock *clock = stream->stream_class->clock;
	size_t lo = index->n_dropped, hi = index->n;
	int64_t begin;

	if (!clock || p->begin_cycles == TN_UNKNOWN || hi == 0)
		return false;
	begin = tn_clock_ns(clock, p->begin_cycles);
	TN_BISECT(lo, hi, mid, tn_packet_at(index, mid)->begin_ns < begin);
	for (; lo < index->n && tn_packet_at(index, lo)->begin_ns == begin; lo++)
		if (is_double(tn_packet_at(index, lo), p))
			return true;
	return false;
}

static int64_t
later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Set the bounds of @e from the next packet (NULL: none). */
static bool
finish(struct tn_stream *stream, struct tn_packet *e, const struct tn_packet *next)
{
	const struct tn_ctf_trace *trace_own = stream->trace->own;
	struct tn_ctf_stream *own = stream->own;
	const struct tn_clock *clock = stream->stream_class->clock;
	bool bad = e->flags & TN_PACKET_BAD;
	bool end_known = e->end_cycles != TN_UNKNOWN &&
			 (e->begin_cycles == TN_UNKNOWN || e->end_cycles >= e->begin_cycles);
	uint64_t cycles, events;
	int64_t last;

	e->highest = tn_loss_highest(stream->stream_class, e, own->highest);
	if (!clock) {
		e->begin_ns = INT64_MIN;
		e->end_ns = INT64_MAX;
		own->highest = e->highest;
		return true;
	}
	if (e->begin_ns == INT64_MIN && own->end_ns == INT64_MIN && next && next->begin_ns != INT64_MIN)
		e->begin_ns = next->begin_ns;
	e->begin_ns = later(e->begin_ns, own->end_ns);
	if (!end_known && !bad)
		e->flags |= TN_PACKET_GUESSED_END;
	if (bad) {
		e->end_ns = e->begin_ns;
	} else if (next && next->begin_ns != INT64_MIN) {
		/*
		 * Even if the packet's own end is less, because some tracers write events after the end of their packet
		 * (ctf1-binary.md, 13).
		 */
		e->end_ns = later(next->begin_ns, e->begin_ns);
	} else if (end_known && (next || !trace_own->late_events)) {
		e->end_ns = later(tn_clock_ns(clock, e->end_cycles), e->begin_ns);
	} else if (!next && !is_growing(stream)) {
		e->end_ns = INT64_MAX;
	} else {
		if (!tn_ctf_packet_end(stream, e, &cycles, &events, &last))
			return false;
		e->n_events = events;
		e->end_ns = later(last, e->begin_ns);
	}
	own->end_ns = e->end_ns;
	own->highest = e->highest;
	return true;
}

bool
tn_ctf_agrees(const struct tn_stream *stream, const struct tn_packet *e)
{
	struct tn_ctf_header h;
	bool no_memory = false;

	/* If memory is out, the walk reports it, because it also needs memory. */
	return same_as_header(&h, stream, e, &no_memory) || no_memory;
}

/* Correct the entry from the packet, if the sizes agree. Returns whether the entry differed. */
static bool
put_right(struct scan *s, struct tn_machine *m, struct tn_packet *e)
{
	struct tn_packet before = *e;
	struct tn_ctf_header h;
	bool fine = m->slot && header_of(&h, m, s->stream, e) == TN_CTF_FINE && !h.sizes_open && h.size_bits == e->size_bits;

	if (fine) {
		from_header(e, &h);
		begin_of(s, e, m);
	}
	if (!(e->flags & TN_PACKET_CHECKED))
		e->flags |= fine ? TN_PACKET_CHECKED : TN_PACKET_LIES;
	return e->begin_cycles != before.begin_cycles || e->end_cycles != before.end_cycles ||
	       e->content_bits != before.content_bits || e->flags & TN_PACKET_LIES;
}

void
tn_ctf_put_right(struct tn_stream *stream)
{
	struct tn_ctf_stream *own = stream->own;
	struct tn_packet_index *index = &stream->index;
	struct scan s = { .stream = stream, .own = own };
	struct tn_machine m = { 0 };
	struct tn_ctf_slots slots;
	size_t first = SIZE_MAX;

	if (tn_ctf_slots_init(&slots, stream->trace))
		m.slot = slots.slot;
	for (size_t i = index->n_dropped; i < index->n + own->has_pending; i++) {
		struct tn_packet *e = i < index->n ? tn_packet_at(index, i) : &own->pending;

		if (!(e->flags & TN_PACKET_GONE) && put_right(&s, &m, e) && first == SIZE_MAX)
			tell_of_index(stream, e->file, first = i);
	}
	for (size_t i = 0; i < own->n_files; i++) {
		leave_index(&own->file[i]);
		if (own->file[i].has_next)
			put_right(&s, &m, &own->file[i].next);
	}
	/* The bounds follow from begin times, and `highest` from counters. */
	own->end_ns = INT64_MIN;
	own->highest = index->n_dropped && index->n > index->n_dropped
		       ? tn_packet_at(index, index->n_dropped)->highest : TN_UNKNOWN;
	for (size_t i = index->n_dropped; i < index->n; i++)
		(void)!finish(stream, tn_packet_at(index, i), i + 1 < index->n ? tn_packet_at(index, i + 1)
									      : own->has_pending ? &own->pending : NULL);
	if (m.slot)
		tn_ctf_slots_release(&slots);
}

static bool
append(struct tn_stream *stream, const struct tn_packet *next)
{
	struct tn_ctf_stream *own = stream->own;
	struct tn_packet_index *index = &stream->index;
	size_t there = index->n - index->n_dropped;

	/* This failure changes nothing, so the caller can try again. */
	if (there >= index->room && !tn_array_reserve((void **)&index->packet, &index->room, there + 1, sizeof *index->packet))
		return false;
	if (!finish(stream, &own->pending, next))
		return false;
	*tn_packet_at(index, index->n++) = own->pending;
	own->has_pending = false;
	return true;
}

static enum tn_code
find_packets(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_ctf_stream *own = stream->own;
	size_t slice = stream->index.n < FIRST_SLICE ? FIRST_SLICE : stream->index.n < SLICE ? stream->index.n : SLICE;

	for (size_t made = 0; made < slice; ) {
		struct tn_ctf_file *f;

		for (size_t i = 0; i < own->n_files; i++) {
			struct scan s = { stream, own, &own->file[i], &stream->file[i], (uint32_t)i };

			enum tn_code rc = next_packet(&s);

			if (rc != TN_OK)
				return rc == TN_END ? TN_OK : tn_fail_memory(err);
		}
		f = first_file(own);
		if (!f) {
			if (own->has_pending && !append(stream, NULL))
				return tn_fail_memory(err);
			stream->index.complete = true;
			break;
		}
		f->has_next = false;
		if (own->n_files > 1 && is_known(stream, &f->next))
			continue;
		if (own->has_pending) {
			if (own->n_files > 1 && is_double(&own->pending, &f->next))
				continue;
			if (!append(stream, &f->next)) {
				f->has_next = true;
				return tn_fail_memory(err);
			}
			made++;
		}
		own->pending = f->next;
		own->has_pending = true;
	}
	return TN_OK;
}

/* Keep the file open to read headers, except for the first page, which needs few packets, and if too many files are open. */
static void
open_peek(const struct tn_stream *stream, size_t i)
{
	struct tn_ctf_stream *own = stream->own;
	struct tn_ctf_file *f = &own->file[i];

	if (stream->index.n < FIRST_SLICE || own->n_files > MOST_PEEKS || f->has_index || f->done)
		return;
	f->peek = malloc(sizeof *f->peek);
	if (f->peek && !tn_peek_open(f->peek, &stream->file[i].map, stream->file[i].path)) {
		free(f->peek);
		f->peek = NULL;
	}
}

static void
close_peek(struct tn_ctf_file *f)
{
	if (f->peek)
		tn_peek_close(f->peek);
	free(f->peek);
	f->peek = NULL;
}

enum tn_code
tn_ctf_grow(struct tn_stream *stream, size_t file, uint64_t size, struct tn_error *err)
{
	struct tn_ctf_stream *own = stream->own;
	struct tn_stream_file *f = &stream->file[file];
	uint64_t before = f->map.size;
	bool lost = size == UINT64_MAX;
	enum tn_code rc = lost ? TN_OK : tn_map_grow(&f->map, f->path, size, err);

	if (rc < 0)
		return rc;
	if (lost) {
		own->file[file].done = true;
		own->file[file].has_next = false;
		own->file[file].offset = f->map.size;
		if (own->has_pending && own->pending.file == file) {
			own->pending.flags |= TN_PACKET_GONE | TN_PACKET_OVERWRITTEN;
			own->pending.n_events = own->pending.content_bits = 0;
		}
		return TN_OK;
	}
	stream->size += f->map.size - before;
	own->file[file].done = false;
	stream->index.complete = false;
	return TN_OK;
}

enum tn_code
tn_ctf_extend(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_ctf_stream *own = stream->own;
	enum tn_code rc;

	own->budget = SWEEP_BYTES;
	/* Headers are far apart, so only a few bytes of each page are needed: do not read ahead. */
	for (size_t i = 0; i < stream->n_files; i++) {
		tn_map_expect(&stream->file[i].map, TN_MAP_SINGLE_PAGES);
		open_peek(stream, i);
	}
	rc = find_packets(stream, err);
	for (size_t i = 0; i < stream->n_files; i++) {
		close_peek(&own->file[i]);
		tn_map_expect(&stream->file[i].map, TN_MAP_RUNS);
	}
	return rc;
}
