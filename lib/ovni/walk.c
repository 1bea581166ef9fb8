/*
 * walk.c - the rows of an entry
 *
 * An entry whose events are in order is walked in the order of the file. If they are not, each walk takes the
 * smallest rows, by clock and then position, after the last row of the previous walk. A walk needs one pass over the
 * entry, no memory of the entry's size, and no state but the mark, whose bit is then odd: 1 + 8 * offset.
 */
#include "ovni/private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/messages.h"

#define SPAN (UINT64_C(1) << 29)	/* limit of bytes in one batch, because tn_ref.bit has 32 bits */

/* Merge keys from clocks. A key is nearly always the sum of two numbers; all other cases use the exact method. */
struct keys {
	const struct tn_clock *clock;
	int64_t add;		/* nanoseconds at clock 0 */
	int64_t floor, ceiling;
	bool moved;		/* a key differs from the time of its event */
};

static struct keys
keys_begin(const struct tn_batch *b)
{
	const struct tn_clock *clock = b->stream->stream_class->clock;

	return (struct keys) {
		.clock = clock,
		.add = tn_clock_ns(clock, 0),
		.floor = b->begin.key,
		.ceiling = b->entry.end_ns < b->begin.key ? b->begin.key : b->entry.end_ns,
	};
}

static inline int64_t
key_of(struct keys *k, uint64_t cycles)
{
	int64_t ns;

	if (__builtin_expect(cycles > INT64_MAX || __builtin_add_overflow((int64_t)cycles, k->add, &ns), 0)) {
		ns = tn_clock_ns(k->clock, cycles);
		k->moved |= ns == INT64_MAX || ns == INT64_MIN;
	}
	if (__builtin_expect(ns < k->floor, 0)) {
		k->moved = true;
		ns = k->floor;
	}
	if (__builtin_expect(ns > k->ceiling, 0)) {
		k->moved = true;
		ns = k->ceiling;
	}
	k->floor = ns;
	return ns;
}

/* Store the clocks if they do not follow from the keys. */
static enum tn_code
keep_clocks(struct tn_batch *b, bool big_endian, struct tn_error *err)
{
	size_t n = b->refs.n ? b->refs.n : 1;

	b->cycles = calloc(n, sizeof *b->cycles);
	if (!b->cycles)
		return tn_fail_memory(err);
	b->cycles_room = n;
	for (size_t i = 0; i < b->refs.n; i++) {
		const struct tn_ref *r = &b->refs.item[i];

		if (r->event_class != TN_REF_NOTICE)
			b->cycles[i] = tn_ovni_clock(b->data + (b->base_bit + r->bit) / 8, big_endian);
		else
			b->cycles[i] = tn_clock_cycles(b->stream->stream_class->clock, r->time_ns);
	}
	return TN_OK;
}

static enum tn_code
add_damage(struct tn_batch *b, int64_t key, uint64_t at, struct tn_error *err)
{
	uint64_t left = b->entry.size_bits / 8 - at;
	bool blank = left >= TN_OVNI_EVENT_HEADER && tn_ovni_is_blank(b->data + at);
	char text[256];

	snprintf(text, sizeof text, P_("packet %zu at byte %" PRIu64 ": byte %" PRIu64 ": %s: %" PRIu64 " byte remains%s",
				       "packet %zu at byte %" PRIu64 ": byte %" PRIu64 ": %s: %" PRIu64 " bytes remain%s", left),
		 b->packet, b->entry.offset, b->entry.offset + at,
		 blank ? _("zeros in place of an event") : _("the file ends inside an event"), left,
		 blank ? "" : left < TN_OVNI_EVENT_HEADER ? _(", its header has 12") : _(", its header says that it has more"));
	return tn_batch_damage(b, key, at * 8, text) ? TN_OK : tn_fail_memory(err);
}

static inline void
put_ref(struct tn_batch *b, const struct tn_ovni_trace *t, uint32_t class_base, int64_t key, uint64_t at)
{
	struct tn_ref *r = &b->refs.item[b->refs.n++];

	r->time_ns = key;
	r->bit = (uint32_t)(at * 8 - b->base_bit);
	r->event_class = class_base + tn_ovni_find(t, b->data + at);
}

/*
 * Walk events in the order of the file, from b->begin.bit on. Returns the position where the walk stopped, in bytes
 * of the entry.
 */
static uint64_t
walk_in_order(struct tn_batch *b, struct keys *keys, size_t limit)
{
	const struct tn_ovni_trace *t = b->stream->trace->own;
	const struct tn_ovni_stream *own = b->stream->own;
	uint64_t end = b->entry.content_bits / 8, at = b->begin.bit / 8, first = at, step;

	b->base_bit = at * 8;
	while (b->refs.n < limit && at - first < SPAN &&
	       (step = tn_ovni_event_size(b->data + at, end - at, own->big_endian))) {
		put_ref(b, t, own->class_base, key_of(keys, tn_ovni_clock(b->data + at, own->big_endian)), at);
		at += step;
	}
	return at;
}

static inline bool
is_after(uint64_t clock, uint64_t offset, const struct tn_ovni_place *p)
{
	return clock != p->clock ? clock > p->clock : offset > p->offset;
}

/* Put @in into the hole at the top of the heap, and sift it down; the largest place is at the top. */
static void
sift(struct tn_ovni_place *heap, size_t n, size_t i, struct tn_ovni_place in)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= n)
			break;
		if (child + 1 < n && is_after(heap[child + 1].clock, heap[child + 1].offset, &heap[child]))
			child++;
		if (!is_after(heap[child].clock, heap[child].offset, &in))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = in;
}

/*
 * Collect the @limit smallest places after @after into the heap. Returns their number. *more: other places follow. An
 * event runs back if it is earlier than the event before it, and both are outside of sort regions.
 */
static size_t
select_places(struct tn_ovni_place *heap, const struct tn_batch *b, const struct tn_ovni_place *after, size_t limit,
	      bool *more)
{
	const struct tn_ovni_stream *own = b->stream->own;
	bool in_region = b->entry.flags & TN_OVNI_IN_REGION;
	uint64_t end = b->entry.content_bits / 8, step, before = 0;
	size_t n = 0;

	*more = false;
	for (uint64_t at = 0; (step = tn_ovni_event_size(b->data + at, end - at, own->big_endian)); at += step) {
		struct tn_ovni_place p = { tn_ovni_clock(b->data + at, own->big_endian), at, false };

		if (b->data[at + 1] == 'O' && b->data[at + 2] == 'U')
			in_region = b->data[at + 3] == '[' || (in_region && b->data[at + 3] != ']');
		if (!in_region) {
			p.runs_back = p.clock < before;
			before = p.clock;
		}
		if (after && !is_after(p.clock, at, after))
			continue;
		if (n < limit) {
			heap[n++] = p;
			if (n == limit)
				for (size_t i = limit / 2; i-- > 0;)
					sift(heap, n, i, heap[i]);
			continue;
		}
		*more = true;
		if (is_after(heap[0].clock, heap[0].offset, &p))
			sift(heap, n, 0, p);
	}
	return n;
}

static int
by_clock(const void *a, const void *b)
{
	const struct tn_ovni_place *x = a;

	return is_after(x->clock, x->offset, b) ? 1 : -1;
}

/* Walk an entry whose events are out of order. *done: there are no more events. */
static enum tn_code
walk_by_clock(struct tn_batch *b, struct keys *keys, size_t limit, bool *done, struct tn_error *err)
{
	const struct tn_ovni_stream *own = b->stream->own;
	struct tn_ovni_place after = { b->begin.clock, b->begin.bit / 8, false };
	struct tn_ovni_order *order = b->own;
	uint64_t low = UINT64_MAX, high = 0;
	bool more;
	size_t n, k;

	if (!order && !(order = b->own = malloc(sizeof *order)))
		return tn_fail_memory(err);
	memset(order->runs_back, 0, sizeof order->runs_back);
	n = select_places(order->place, b, b->begin.bit ? &after : NULL, limit, &more);
	qsort(order->place, n, sizeof *order->place, by_clock);
	for (k = 0; k < n; k++) {
		uint64_t at = order->place[k].offset;

		if ((at > low && at - low >= SPAN) || (at < high && high - at >= SPAN))
			break;
		low = at < low ? at : low;
		high = at > high ? at : high;
	}
	*done = k == n && !more;
	b->base_bit = k ? low * 8 : 0;
	for (size_t i = 0; i < k; i++) {
		const struct tn_ovni_place *p = &order->place[i];

		put_ref(b, b->stream->trace->own, own->class_base, key_of(keys, p->clock), p->offset);
		if (p->runs_back)
			order->runs_back[i / 8] |= (uint8_t)(1u << i % 8);
	}
	if (k) {
		b->end.clock = order->place[k - 1].clock;
		b->end.bit = order->place[k - 1].offset * 8 + 1;
	}
	return TN_OK;
}

enum tn_code
tn_ovni_walk(struct tn_batch *b, struct tn_error *err)
{
	size_t limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS;
	const struct tn_ovni_stream *own = b->stream->own;
	uint64_t end = b->entry.content_bits / 8;
	struct keys keys = keys_begin(b);
	enum tn_code rc = TN_OK;
	bool done = true;

	b->end = b->begin;
	if (!TN_ARRAY_RESERVE(&b->refs, limit + 1))
		return tn_fail_memory(err);
	if (b->entry.flags & TN_OVNI_UNSORTED) {
		rc = walk_by_clock(b, &keys, limit, &done, err);
	} else {
		uint64_t at = walk_in_order(b, &keys, limit);

		done = at == end || !tn_ovni_event_size(b->data + at, end - at, own->big_endian);
		b->end.bit = at * 8;
		/* Report a stored index that does not fit the file. */
		if (done && at != end)
			end = at;
	}
	b->n_events = b->refs.n;
	b->last = done;
	if (rc == TN_OK && done && (b->entry.flags & TN_PACKET_CUT || end != b->entry.content_bits / 8)) {
		b->last = b->refs.n < limit;
		if (b->last)
			rc = add_damage(b, keys.floor, end, err);
	}
	b->end.row = b->begin.row + b->refs.n;
	b->end.key = keys.floor;
	if (rc == TN_OK && keys.moved)
		rc = keep_clocks(b, own->big_endian, err);
	if (rc == TN_OK && tn_map_torn(&b->stream->file[b->entry.file].map))
		rc = tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", b->stream->path);
	return rc;
}
