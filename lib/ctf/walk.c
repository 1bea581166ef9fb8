/* walk.c - make the rows of a packet */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/messages.h"
#include "ctf/walk_header.h"
#include "ctf/walk_notices.h"

#define TN_RUN_NAME run_walk
#define TN_RUN_SINK void
#include "plan/run.h"

#define SECOND 1000000000
#define AHEAD 1024	/* distance in bytes for prefetching */

/* ---- the packet ---- */

static bool
walk_init(struct tn_ctf_walk *w, const struct tn_stream *stream, const struct tn_packet *entry)
{
	const struct tn_ctf_trace *own = stream->trace->own;

	w->stream = stream;
	w->sc = stream->stream_class;
	w->plan = w->sc->plan;
	w->clock = w->sc->clock;
	w->entry = entry;
	w->general = own->general;
	return tn_ctf_slots_init(&w->slots, stream->trace);
}

/* Decode the header; the machine is then at the first event. */
static enum tn_ctf_flaw
walk_header(struct tn_ctf_walk *w, struct tn_ctf_header *h, struct tn_error *why)
{
	const struct tn_stream_file *file = &w->stream->file[w->entry->file];
	uint64_t size = tn_ctf_file_size(file), bits;

	*h = (struct tn_ctf_header) { .flaw = TN_CTF_SHORT };
	if (w->entry->offset >= size) {
		tn_fail(why, TN_ERR_FORMAT, "the file became shorter: the packet is no longer there");
		return TN_CTF_SHORT;
	}
	bits = (size - w->entry->offset) * 8;
	w->m = (struct tn_machine) {
		.p = file->map.data + w->entry->offset, .end = bits, .clock = w->entry->clock_start,
		.slot = w->slots.slot,
	};
	if (tn_ctf_header_read(h, &w->m, w->stream->trace, w->sc, why) != TN_CTF_FINE)
		return h->flaw;
	w->m.end = h->content_bits < w->entry->size_bits ? h->content_bits : w->entry->size_bits;
	if (w->m.end > bits)
		w->m.end = bits;
	if (w->m.end < w->m.at)
		w->m.end = w->m.at;
	return TN_CTF_FINE;
}

/* ---- rows ---- */

/* Store clock values for the rows from now on, because they no longer follow from the keys. */
static bool
store_cycles(struct tn_ctf_walk *w)
{
	struct tn_batch *b = w->b;

	if (b->cycles)
		return true;
	b->cycles = malloc((w->limit + 4) * sizeof *b->cycles);
	if (!b->cycles) {
		w->no_memory = true;
		return false;
	}
	b->cycles_room = w->limit + 4;
	for (size_t i = 0; i < b->refs.n; i++)
		b->cycles[i] = w->clock ? tn_clock_cycles(w->clock, b->refs.item[i].time_ns) : 0;
	return true;
}

static inline int64_t
time_of(const struct tn_ctf_walk *w, uint64_t cycles)
{
	int64_t ns;

	if (__builtin_expect(w->frequency == SECOND, 1)) {
		if (__builtin_expect(cycles <= INT64_MAX && !__builtin_add_overflow(w->base, (int64_t)cycles, &ns), 1))
			return ns;
	} else if (w->frequency) {
		uint64_t seconds = cycles / w->frequency, rest = cycles % w->frequency * SECOND / w->frequency;

		if (seconds < INT64_MAX / SECOND &&
		    !__builtin_add_overflow(w->base, (int64_t)(seconds * SECOND + rest), &ns))
			return ns;
	}
	return tn_clock_ns(w->clock, cycles);
}

/*
 * An event whose time cannot be its merge key: before the key so far, or after the bound of the packet. False:
 * a notice was added before it, so read it again.
 */
static bool __attribute__((noinline))
odd_time(struct tn_ctf_walk *w, int64_t *ns, uint64_t start)
{
	if (*ns < w->key) {
		if (w->key > w->entry->begin_ns && !(w->told & TN_CTF_TOLD_BACKWARD)) {
			struct tn_str s = tn_ctf_notice_begin(w);

			tn_str_printf(&s, _("event %" PRIu64 " at bit %" PRIu64 ": time goes back by %" PRIu64 " ns"),
				      w->b->begin.row + w->b->refs.n - w->lost_rows, start,
				      (uint64_t)w->key - (uint64_t)*ns);
			w->told |= TN_CTF_TOLD_BACKWARD;
			tn_ctf_damage(w, start, &s);
			return false;
		}
		*ns = w->key;
	} else if (*ns > w->key_limit) {
		*ns = w->key_limit > w->key ? w->key_limit : w->key;
	}
	store_cycles(w);
	return true;
}

/* ---- events ---- */

enum mode {
	CLOCK,	/* count events, and get the clock after the last one */
	ROWS	/* count events, and make their rows */
};

/* Store the row of an event. False: a notice was added before the event, so read the event again. */
static inline __attribute__((always_inline)) bool
store(struct tn_ctf_walk *w, uint64_t start, uint64_t time, uint32_t event_class)
{
	struct tn_batch *b = w->b;
	int64_t ns = INT64_MIN;
	struct tn_ref *ref;

	if (w->clock) {
		ns = time_of(w, time);
		if (__builtin_expect(ns < w->key || ns > w->key_limit, 0) && !odd_time(w, &ns, start))
			return false;
		w->key = ns;
	}
	if (__builtin_expect(b->cycles != NULL, 0))
		b->cycles[b->refs.n] = time;
	ref = &b->refs.item[b->refs.n++];
	ref->time_ns = ns;
	ref->bit = (uint32_t)(start - b->base_bit);
	ref->event_class = event_class;
	return true;
}

/* Whether the event that begins at @start has more values than the limit; *scope is the scope with too many. */
static bool __attribute__((noinline))
has_too_many(struct tn_ctf_walk *w, uint64_t start, uint32_t event_class, enum tn_scope *scope)
{
	const struct tn_event_plan *plan = tn_plan_event(w->stream->trace->event_class[event_class]);
	struct tn_machine m = w->m;

	w->no_memory |= !plan;
	m.at = start;
	m.empty = 0;
	for (*scope = TN_SCOPE_EVENT_HEADER; plan && *scope < TN_SCOPES; ++*scope) {
		const struct tn_op *code = *scope == TN_SCOPE_EVENT_HEADER ? w->plan->read[*scope] : plan->read[*scope];

		if (code && tn_machine_too_many(&m, code))
			return true;
	}
	return false;
}

/* Leave out an event that was read to its end, so that the next one can be read. */
static void
leave_out(struct tn_ctf_walk *w, uint64_t start, enum tn_scope scope, bool rows)
{
	struct tn_str s;

	w->damaged = true;
	if (!rows)
		return;
	s = tn_ctf_notice_begin(w);
	tn_str_printf(&s, _("event %" PRIu64 " at bit %" PRIu64 ": %s: more than %u values: the event is left out"),
		      w->b->begin.row + w->b->refs.n - w->lost_rows, start, tn_scope_name(scope), TN_PLAN_VALUES);
	tn_ctf_damage(w, start, &s);
}

/* Make the code of a class with variable size at its first event. False: memory is out, or the code was made already. */
static bool __attribute__((noinline))
walk_first(struct tn_ctf_walk *w, const struct tn_event_entry *entry)
{
	if (w->trouble == TN_TROUBLE_UNMADE && tn_plan_make_walk(w->sc, entry))
		w->trouble = run_walk(&w->m, tn_plan_walk(entry), NULL);
	w->no_memory |= w->trouble == TN_TROUBLE_UNMADE;
	return w->trouble == TN_TROUBLE_NONE;
}

/*
 * Read ordinary events: times go forward, and rows have times that are clock values plus a constant. *where and *clock
 * then belong to the first other event, which run_events() handles. Returns the number of events.
 */
static inline __attribute__((always_inline)) uint64_t
run_usual(struct tn_ctf_walk *w, const enum mode mode, const enum tn_header_shape shape, const bool big_endian, uint64_t *where,
	  uint64_t *clock)
{
	const struct tn_plan *plan = w->plan;
	struct tn_machine *m = &w->m;
	struct tn_batch *b = w->b;
	const uint8_t *p = m->p;
	const uint64_t align = plan->shape_align, time_align = plan->shape_time_align, end = m->end;
	const uint64_t base_bit = mode == ROWS ? b->base_bit : 0;
	/* The last bit at which an event may begin. */
	uint64_t last = end < HEADER_BITS ? 0 : end - HEADER_BITS, at = *where, now = *clock, counted = 0;
	struct tn_ref *ref = mode == ROWS ? b->refs.item + b->refs.n : NULL, *begin = ref;
	struct tn_ref *room = mode == ROWS ? b->refs.item + w->limit : NULL;
	int64_t key = w->key;
	const int64_t base = w->base, key_limit = w->key_limit;

	if (mode == ROWS && last > base_bit + UINT32_MAX)
		last = base_bit + UINT32_MAX;
	while (at < last && (mode == CLOCK || ref < room)) {
		const struct tn_event_entry *entry;
		uint64_t time = now, id, next;
		int64_t ns;

		/* An event starts where the previous one ends, so the processor cannot load ahead by itself. */
		__builtin_prefetch(p + (at >> 3) + AHEAD);
		next = load_header(p, at, align, time_align, shape, big_endian, &id, &time);
		if (__builtin_expect(!next || id >= plan->n_dense, 0))
			break;
		entry = &plan->dense[id];
		if (__builtin_expect(entry->event_class == UINT32_MAX, 0))
			break;
		if (mode == CLOCK ? time < now
				  : __builtin_expect((int64_t)time < 0 || __builtin_add_overflow(base, (int64_t)time, &ns) ||
						     ns < key || ns > key_limit, 0))
			break;
		if (__builtin_expect(entry->fixed_bits <= end - next, 1)) {
			next += entry->fixed_bits;
		} else {
			m->slot[plan->shape_slot] = (struct tn_slot) { id, 1 };
			m->at = next;
			m->clock = m->time = time;
			m->empty = 0;
			if (__builtin_expect(run_walk(m, tn_plan_walk(entry), NULL) != TN_TROUBLE_NONE, 0))
				break;
			next = m->at;
			if (__builtin_expect(m->clock != time, 0))
				break;
		}
		if (__builtin_expect(next - at > TN_PLAN_SURE_BITS, 0))
			break;
		if (mode == ROWS) {
			ref->time_ns = key = ns;
			ref->bit = (uint32_t)(at - base_bit);
			ref->event_class = entry->event_class;
			ref++;
		} else {
			counted++;
		}
		at = next;
		now = time;
	}
	*where = at;
	*clock = now;
	if (mode == CLOCK)
		return counted;
	b->refs.n = (size_t)(ref - b->refs.item);
	w->key = key;
	return (uint64_t)(ref - begin);
}

/*
 * The loop over events, which is compiled for each mode and each shape of header. It ends at the end of the content, at
 * the limit, or at damage (w->stop). The machine is then before the bytes that are left.
 */
static inline __attribute__((always_inline)) void
run_events(struct tn_ctf_walk *w, const enum mode mode, const enum tn_header_shape shape, const bool big_endian)
{
	const struct tn_plan *plan = w->plan;
	struct tn_machine *m = &w->m;
	const uint8_t *p = m->p;
	const uint64_t end = m->end, align = plan->shape_align, time_align = plan->shape_time_align;
	uint64_t at = m->at, clock = m->clock, start, before, events = 0;
	const bool usual = !w->sc->late_time && (mode == CLOCK || (w->clock && w->frequency == SECOND));
	struct tn_slot *id_slot = shape != TN_SHAPE_OTHER ? &m->slot[plan->shape_slot] : NULL;

	for (;; events++) {
		const struct tn_event_entry *entry;
		uint64_t id, next, time;

		if (shape != TN_SHAPE_OTHER && usual && (mode == CLOCK || !w->b->cycles))
			events += run_usual(w, mode, shape, big_endian, &at, &clock);
		start = at;
		before = clock;
		if (at >= end)
			break;
		if (mode == ROWS && (w->b->refs.n >= w->limit || at - w->b->base_bit > UINT32_MAX || w->no_memory))
			break;
		/* An event starts where the previous one ends, so the processor cannot load ahead by itself. */
		__builtin_prefetch(p + (at >> 3) + AHEAD);
		if (shape != TN_SHAPE_OTHER && __builtin_expect(end - at >= HEADER_BITS, 1)) {
			uint64_t ahead = clock;

			next = load_header(p, at, align, time_align, shape, big_endian, &id, &ahead);
			if (__builtin_expect(!next, 0))
				goto general;
			clock = ahead;
			id_slot->value = id;
			id_slot->is_set = 1;
		} else {
general:
			m->at = at;
			m->clock = clock;
			m->id = 0;
			m->empty = 0;
			w->trouble = run_walk(m, plan->header, NULL);
			if (__builtin_expect(w->trouble != TN_TROUBLE_NONE, 0)) {
				w->stop = TN_CTF_STOP_TROUBLE;
				break;
			}
			clock = m->clock;
			id = m->id;
			next = m->at;
		}
		time = clock;
		entry = tn_plan_entry(plan, w->sc, id);
		if (__builtin_expect(entry->event_class == UINT32_MAX, 0)) {
			w->stop = TN_CTF_STOP_NO_CLASS;
			w->stop_id = id;
			break;
		}
		if (__builtin_expect(entry->fixed_bits <= end - next, 1) && !w->general) {
			at = next + entry->fixed_bits;
		} else {
			m->at = next;
			m->clock = m->time = clock;
			m->empty = 0;
			w->trouble = run_walk(m, tn_plan_walk(entry), NULL);
			if (__builtin_expect(w->trouble != TN_TROUBLE_NONE, 0) && !walk_first(w, entry)) {
				w->stop = TN_CTF_STOP_TROUBLE;
				break;
			}
			at = m->at;
			clock = m->clock;
			if (w->sc->late_time)
				time = m->time;
		}
		if (__builtin_expect(at == start, 0)) {
			w->stop = TN_CTF_STOP_NO_SIZE;
			break;
		}
		if (__builtin_expect(at - start > TN_PLAN_SURE_BITS, 0)) {
			enum tn_scope scope;

			if (has_too_many(w, start, entry->event_class, &scope)) {
				leave_out(w, start, scope, mode == ROWS);
				events--;
				continue;
			}
		}
		if (mode == CLOCK && __builtin_expect(time < before || clock < time, 0))
			w->damaged = true;
		if (mode == ROWS && !store(w, start, time, entry->event_class)) {
			at = start;
			clock = before;
			events--;
		}
	}
	w->events += events;
	m->at = start;
	m->clock = before;
}

static inline __attribute__((always_inline)) void
run_mode(struct tn_ctf_walk *w, const enum mode mode)
{
	const struct tn_plan *plan = w->plan;

	if (w->general || plan->shape == TN_SHAPE_OTHER)
		run_events(w, mode, TN_SHAPE_OTHER, false);
	else if (plan->shape == TN_SHAPE_COMPACT && !plan->shape_big_endian)
		run_events(w, mode, TN_SHAPE_COMPACT, false);
	else if (plan->shape == TN_SHAPE_COMPACT)
		run_events(w, mode, TN_SHAPE_COMPACT, true);
	else if (!plan->shape_big_endian)
		run_events(w, mode, TN_SHAPE_LARGE, false);
	else
		run_events(w, mode, TN_SHAPE_LARGE, true);
}

/* ---- the format's walk ---- */

static void
prepare_time(struct tn_ctf_walk *w)
{
	const struct tn_clock *c = w->clock;

	if (!c)
		return;
	w->base = tn_clock_ns(c, 0);
	/* A remainder of cycles times 10^9 must not overflow, and a saturated base is invalid. */
	if (c->frequency < UINT64_MAX / SECOND && w->base > INT64_MIN && w->base < INT64_MAX)
		w->frequency = c->frequency;
	if (w->frequency != SECOND)
		store_cycles(w);
}

/* Count the events up to the end of the packet. False: the number is unknown, or there is damage to report. */
static bool
run_counts(struct tn_ctf_walk *w, const struct tn_ctf_header *h)
{
	run_mode(w, CLOCK);
	return !w->damaged && w->stop == TN_CTF_NO_STOP && !(w->entry->flags & TN_PACKET_CUT) && !tn_ctf_index_lies(w, h);
}

/* Count the events of a packet whose rows are not needed. False: it has notices. */
static bool
walk_counts(struct tn_ctf_walk *w, const struct tn_ctf_header *h)
{
	if (!run_counts(w, h))
		return false;
	if (w->clock && w->events) {
		int64_t ns = tn_clock_ns(w->clock, w->m.clock);

		w->key = ns > w->key_limit ? w->key_limit : ns < w->key ? w->key : ns;
	}
	w->b->last = true;
	return true;
}

static void
walk_rows(struct tn_ctf_walk *w, const struct tn_ctf_header *h)
{
	struct tn_batch *b = w->b;

	if (b->begin.bit) {
		w->m.at = b->begin.bit < w->m.end ? b->begin.bit : w->m.end;
		w->m.clock = b->begin.clock;
	}
	b->base_bit = w->m.at;
	if (b->counts && !b->begin.bit && !b->begin.row) {
		w->again = !walk_counts(w, h);
		return;
	}
	tn_ctf_begin_notices(w, h);
	/* If the limit is one or two rows, the next batch has the other notices at the start of the packet. */
	if (b->begin.row + b->refs.n < w->lost_rows)
		return;
	run_mode(w, ROWS);
	if (w->stop != TN_CTF_NO_STOP) {
		tn_ctf_stop_notice(w, h);
		b->last = true;
	} else if (w->m.at >= w->m.end) {
		b->last = true;
		if (w->entry->flags & TN_PACKET_CUT) {
			b->last = b->refs.n < w->limit;
			if (b->last)
				tn_ctf_cut_notice(w, h);
		}
	}
}

static enum tn_code
walk_once(struct tn_batch *b, struct tn_error *err)
{
	struct tn_ctf_walk w = { .b = b };
	struct tn_error why = { 0 };
	struct tn_ctf_header h;
	enum tn_ctf_flaw flaw;

	w.limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS;
	if (!walk_init(&w, b->stream, &b->entry) || !TN_ARRAY_RESERVE(&b->refs, w.limit + 4))
		return tn_fail_memory(err);
	b->data = b->stream->file[b->entry.file].map.data + b->entry.offset;
	b->base_bit = 0;
	w.key = b->begin.bit || b->begin.row ? b->begin.key : b->entry.begin_ns;
	/* Saturated times exceed the limit: these events have no time, but keep their clock value. */
	w.key_limit = b->entry.end_ns < INT64_MAX ? b->entry.end_ns : INT64_MAX - 1;
	w.told = b->begin.told;
	prepare_time(&w);
	flaw = walk_header(&w, &h, &why);
	if (flaw == TN_CTF_FINE && !(b->entry.flags & TN_PACKET_BAD)) {
		walk_rows(&w, &h);
	} else {
		tn_ctf_bad_notice(&w, flaw, &h, &why);
		b->last = true;
	}
	b->n_events = (size_t)w.events;
	b->end = (struct tn_mark) {
		.bit = w.m.at, .clock = w.m.clock, .row = b->begin.row + (b->refs.n ? b->refs.n : w.events), .key = w.key,
		.told = w.told,
	};
	tn_ctf_slots_release(&w.slots);
	if (w.no_memory)
		return tn_fail_memory(err);
	if (!w.again)
		return TN_OK;
	tn_batch_clear(b);
	b->counts = false;
	return walk_once(b, err);
}

enum tn_code
tn_ctf_walk(struct tn_batch *b, struct tn_error *err)
{
	const struct tn_stream_file *file = &b->stream->file[b->entry.file];
	bool torn = tn_map_torn(&file->map);
	enum tn_code rc = walk_once(b, err);

	/* The file was cut during the walk, so zeros were read. Walk again with the new size. */
	if (rc == TN_OK && !torn && tn_map_torn(&file->map)) {
		struct tn_mark begin = b->begin;

		tn_batch_clear(b);
		b->begin = begin;
		rc = walk_once(b, err);
	}
	return rc;
}

bool
tn_ctf_packet_end(const struct tn_stream *stream, const struct tn_packet *entry, uint64_t *clock, uint64_t *events,
		  int64_t *last_ns)
{
	struct tn_ctf_walk w = { 0 };
	struct tn_ctf_header h;

	*clock = entry->clock_start;
	*events = TN_UNKNOWN;
	*last_ns = INT64_MIN;
	if (!walk_init(&w, stream, entry))
		return false;
	if (walk_header(&w, &h, NULL) == TN_CTF_FINE) {
		if (run_counts(&w, &h))
			*events = w.events;
		*clock = w.m.clock;
		if (w.clock && w.events)
			*last_ns = tn_clock_ns(w.clock, w.m.clock);
	}
	tn_ctf_slots_release(&w.slots);
	return !w.no_memory;
}
