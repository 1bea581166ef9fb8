/*
 * walk.c - make the rows of an entry: its records sorted by time
 *
 * The first walk of an entry finds its records and sorts them. Records of one buffer are in order, so merging their runs
 * is cheap. Later walks, in any thread, find the sorted list in the trace.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/str.h"
#include "perfdata/private.h"

enum kind { EVENT, LOST, DAMAGE, LATE };

struct item {
	uint64_t time;	/* for late records, the end of the previous entry */
	uint32_t at;	/* position in the entry */
	uint32_t event_class : 28, kind : 3, late : 1;
};

struct tn_perf_list {
	const struct tn_stream *stream;
	struct tn_packet entry;
	size_t n, room;
	bool has_late;
	struct item item[];
};

struct walk {
	struct tn_batch *b;
	struct tn_perf_trace *own;
	struct tn_perf_list *list;
};

/* ---- records ---- */

/* The end of a part of a sample; 0: it exceeds the sample. */
static uint32_t
pass_list(const uint8_t *p, uint32_t at, uint32_t size, uint32_t each, uint32_t extra, bool big_endian)
{
	uint64_t n;

	if (size - at < 8 + extra)
		return 0;
	n = tn_perf_u64(p + at, big_endian);
	at += 8 + extra;
	return n <= (size - at) / each ? at + (uint32_t)n * each : 0;
}

/*
 * Whether the raw part of a tracepoint fits its format. If it belongs to another tracepoint, *a becomes the attribute of
 * that one.
 */
static bool
check_raw(const struct tn_perf_trace *own, const struct tn_perf_attr **a, const uint8_t *raw, uint32_t size)
{
	const bool be = own->file.big_endian;
	const struct tn_ftrace_class *class;
	uint32_t id, what;

	if ((*a)->type != 2 || !(*a)->format)
		return true;
	id = size >= 2 ? tn_perf_u16(raw, be) : UINT32_MAX;
	if (id != (*a)->format->id) {
		const struct tn_perf_attr *other = NULL;

		for (size_t i = 0; i < own->file.attrs.n && !other; i++) {
			const struct tn_perf_attr *x = &own->file.attrs.item[i];

			if (x->format && x->format->id == id && x->sample_type == (*a)->sample_type &&
			    x->read_format == (*a)->read_format && x->is_guest == (*a)->is_guest)
				other = x;
		}
		if (!other)
			return false;
		*a = other;
	}
	class = &own->formats.of_id[id];
	return size >= class->need && !tn_ftrace_outside(class, raw, size, be, &what);
}

/* The class of a sample; own->raw_class: its parts exceed the sample. */
static inline uint32_t
sample_class(const struct tn_perf_trace *own, const struct tn_perf_attr *a, const struct tn_perf_record *r)
{
	const bool be = own->file.big_endian;
	const struct tn_perf_attr *found = a;
	uint32_t at = a->fixed, size = r->size;

	if (at > size)
		return own->raw_class;
	for (unsigned i = 0; a->step[i].what != TN_PERF_STEP_END; i++) {
		uint32_t left = size - at, n = a->step[i].size;
		uint64_t bytes;

		switch (a->step[i].what) {
		case TN_PERF_STEP_FIXED:
			at = n <= left ? at + n : 0;
			break;
		case TN_PERF_STEP_CHAIN:
			at = pass_list(r->p, at, size, n, a->step[i].extra, be);
			break;
		case TN_PERF_STEP_BYTES:
			at = pass_list(r->p, at, size, 1, 0, be);
			break;
		case TN_PERF_STEP_STACK:
			bytes = left >= 8 ? tn_perf_u64(r->p + at, be) : 0;
			at = pass_list(r->p, at, size, 1, 0, be);
			at = at && bytes ? size - at >= 8 ? at + 8 : 0 : at;
			break;
		case TN_PERF_STEP_REGS:
			n = left >= 8 && tn_perf_u64(r->p + at, be) ? n + 8 : 8;
			at = n <= left ? at + n : 0;
			break;
		default:
			n = left >= 4 ? tn_perf_u32(r->p + at, be) : UINT32_MAX;
			if (left < 4 || n > left - 4 || !check_raw(own, &found, r->p + at + 4, n))
				return own->raw_class;
			at += 4 + n;
			break;
		}
		if (!at)
			return own->raw_class;
	}
	return __builtin_expect(tn_perf_in_guest(r), 0) ? found->guest_class : found->event_class;
}

/* ---- the list ---- */

static bool __attribute__((noinline))
grow(struct walk *w)
{
	struct tn_perf_list *l = w->list;
	size_t room = l ? 2 * l->room : 4096;
	struct tn_perf_list *more = realloc(l, sizeof *more + room * sizeof *more->item);

	if (!more)
		return false;
	if (!l)
		*more = (struct tn_perf_list) { .stream = NULL };
	more->room = room;
	w->list = more;
	return true;
}

static inline bool
add_item(struct walk *w, const struct item *new)
{
	if (__builtin_expect(w->list->n == w->list->room, 0) && !grow(w))
		return false;
	w->list->item[w->list->n++] = *new;
	return true;
}

static bool __attribute__((noinline))
add_odd(struct walk *w, const struct tn_perf_record *r, const struct tn_perf_attr *a, uint64_t time)
{
	const struct tn_packet *before = w->b->has_before ? &w->b->before : NULL;
	struct item item = { time, (uint32_t)(r->at - w->b->entry.offset), w->own->raw_class, EVENT, false };

	/* A record is late if it is earlier than rows that were reported before it was found. */
	if (before && time < before->end_cycles) {
		struct item late = item;

		item.late = true;
		item.time = late.time = before->end_cycles;
		late.kind = LATE;
		if (!w->list->has_late && !add_item(w, &late))
			return false;
		w->list->has_late = true;
	}
	if (r->type == TN_PERF_LOST || r->type == TN_PERF_LOST_SAMPLES) {
		item.kind = LOST;
		return r->size < (r->type == TN_PERF_LOST ? 24 : 16) || add_item(w, &item);
	}
	if (r->type == TN_PERF_SAMPLE)
		item.event_class = a ? sample_class(w->own, a, r) : w->own->raw_class;
	else
		item.event_class = tn_perf_other_class(w->own, a, r, item.at);
	if (item.event_class == w->own->raw_class && r->type <= TN_PERF_AUX_OUTPUT_HW_ID) {
		struct item damage = item;

		damage.kind = DAMAGE;
		if (!add_item(w, &damage))
			return false;
	}
	return add_item(w, &item);
}

static inline __attribute__((always_inline)) bool
add_record(struct walk *w, const struct tn_perf_record *r, uint64_t time, uint64_t floor)
{
	const struct tn_perf_attr *a = tn_perf_attr_of_record(&w->own->file, r);

	if (__builtin_expect(r->type == TN_PERF_SAMPLE && a && time >= floor, 1)) {
		struct item item = { time, (uint32_t)(r->at - w->b->entry.offset), sample_class(w->own, a, r), EVENT, false };

		if (__builtin_expect(item.event_class != w->own->raw_class, 1))
			return add_item(w, &item);
	}
	return add_odd(w, r, a, time);
}

/* Merge neighbouring runs until there is one. Equal records keep their order. */
static bool
sort(struct tn_perf_list *l)
{
	struct item *from = l->item, *to = NULL;
	size_t runs;

	do {
		size_t at = 0, out = 0;

		runs = 0;
		while (at < l->n) {
			size_t a = at, a_end, b, b_end;

			for (a_end = a + 1; a_end < l->n && from[a_end].time >= from[a_end - 1].time; a_end++)
				;
			if (a == 0 && a_end == l->n)
				break;
			if (!to && !(to = malloc(l->n * sizeof *to)))
				return false;
			b = a_end;
			for (b_end = b + (b < l->n); b_end < l->n && from[b_end].time >= from[b_end - 1].time; b_end++)
				;
			at = b_end;
			while (a < a_end && b < b_end)
				to[out++] = from[b].time < from[a].time ? from[b++] : from[a++];
			memcpy(to + out, from + a, (a_end - a) * sizeof *to);
			out += a_end - a;
			memcpy(to + out, from + b, (b_end - b) * sizeof *to);
			out += b_end - b;
			runs++;
		}
		if (runs) {
			struct item *swap = from;

			from = to;
			to = swap;
		}
	} while (runs > 1);
	if (from != l->item) {
		memcpy(l->item, from, l->n * sizeof *from);
		to = from;
	}
	if (to != l->item)
		free(to);
	return true;
}

/* Find the records of the entry, in order. */
static inline __attribute__((always_inline)) bool
fill_from(struct walk *w, const bool big_endian)
{
	const struct tn_batch *b = w->b;
	const struct tn_packet *e = &b->entry, *before = b->has_before ? &b->before : NULL;
	const struct tn_perf_file *f = &w->own->file;
	const uint8_t *data = b->stream->file[0].map.data;
	uint64_t end = e->offset + e->size_bits / 8;
	uint64_t floor = before ? before->end_cycles : 0;
	struct tn_perf_record r;

	for (uint64_t at = e->offset; tn_perf_next(&r, data, at, end, big_endian); at = r.next) {
		uint64_t time;

		if (!tn_perf_has_place(f, &r, big_endian, &time) || time > e->end_cycles)
			continue;
		if (time <= floor && before && r.at < before->clock_start)
			continue;
		if (!add_record(w, &r, time, floor))
			return false;
	}
	return true;
}

static bool
fill(struct walk *w)
{
	if (!w->list && !grow(w))
		return false;
	w->list->n = 0;
	w->list->has_late = false;
	w->list->stream = NULL;
	if (!(w->own->file.big_endian ? fill_from(w, true) : fill_from(w, false)) || !sort(w->list))
		return false;
	w->list->stream = w->b->stream;
	w->list->entry = w->b->entry;
	return true;
}

static bool
is_of(const struct tn_perf_list *l, const struct tn_batch *b)
{
	return l && l->stream == b->stream && l->entry.offset == b->entry.offset && l->entry.size_bits == b->entry.size_bits &&
	       l->entry.clock_start == b->entry.clock_start && l->entry.end_cycles == b->entry.end_cycles;
}

/* Take the entry's list from the trace, or memory for it; NULL: none. */
static struct tn_perf_list *
take_list(struct walk *w)
{
	struct tn_perf_lists *all = &w->own->lists;
	struct tn_perf_list *l = NULL;
	size_t i = 0;

	pthread_mutex_lock(&w->own->lock);
	while (i < all->n && !is_of(all->item[i], w->b))
		i++;
	if (i < all->n || i == TN_COUNT(all->item)) {
		i -= i == TN_COUNT(all->item);
		l = all->item[i];
		all->bytes -= l->room * sizeof *l->item;
		all->n--;
		memmove(&all->item[i], &all->item[i + 1], (all->n - i) * sizeof *all->item);
	}
	pthread_mutex_unlock(&w->own->lock);
	return l;
}

/* Put the list back; the newest one is first. */
static void
keep_list(struct walk *w)
{
	struct tn_perf_lists *all = &w->own->lists;

	if (!w->list)
		return;
	pthread_mutex_lock(&w->own->lock);
	all->bytes += w->list->room * sizeof *w->list->item;
	while (all->n == TN_COUNT(all->item) || (all->n && all->bytes > TN_PERF_LIST_BYTES)) {
		struct tn_perf_list *oldest = all->item[--all->n];

		all->bytes -= oldest->room * sizeof *oldest->item;
		free(oldest);
	}
	memmove(&all->item[1], &all->item[0], all->n++ * sizeof *all->item);
	all->item[0] = w->list;
	pthread_mutex_unlock(&w->own->lock);
}

/* ---- rows ---- */

static bool
put_damage(struct tn_batch *b, int64_t key, uint64_t at, struct tn_str *text)
{
	bool good = !text->failed && tn_batch_damage(b, key, 8 * at, text->text);

	tn_str_release(text);
	return good;
}

static bool
put_notice(struct walk *w, const struct item *item, int64_t key)
{
	struct tn_batch *b = w->b;
	const bool be = w->own->file.big_endian;
	const uint8_t *p = b->data + item->at;
	struct tn_notice n = { .kind = TN_ROW_LOST_EVENTS };
	struct tn_str s = { 0 };

	if (item->kind == LOST) {
		n.count = tn_perf_u64(p + (tn_perf_u32(p, be) == TN_PERF_LOST ? 16 : 8), be);
		return tn_batch_notice(b, key, &n);
	}
	tn_str_printf(&s, _("packet %zu at byte %" PRIu64 ": "), b->packet, b->entry.offset);
	if (item->kind == LATE)
		tn_str_printf(&s, _("the record at byte %" PRIu64 " is late: later events are before it"),
			      b->entry.offset + item->at);
	else
		tn_str_printf(&s, _("the record of type %" PRIu32 " at byte %" PRIu64 " does not match its event: shown as "
				    "bytes"),
			      tn_perf_u32(p, be), b->entry.offset + item->at);
	return put_damage(b, key, item->at, &s);
}

/* Put the last row, if the data end in a record without a valid size. */
static bool
put_end(struct walk *w, int64_t key)
{
	const struct tn_batch *b = w->b;
	uint64_t end = b->entry.offset + b->entry.size_bits / 8;
	struct tn_str s = { 0 };

	tn_str_printf(&s, _("packet %zu at byte %" PRIu64 ": "), b->packet, b->entry.offset);
	tn_str_printf(&s, _("the record at byte %" PRIu64 " does not end inside the data: %" PRIu64 " bytes are left out"), end,
		      w->own->file.data_end - end);
	return put_damage(w->b, key, end - b->entry.offset, &s);
}

static enum tn_code
keep_cycles(struct walk *w, size_t first, struct tn_error *err)
{
	struct tn_batch *b = w->b;

	b->cycles_room = b->refs.n ? b->refs.n : 1;
	if (!(b->cycles = calloc(b->cycles_room, sizeof *b->cycles)))
		return tn_fail_memory(err);
	for (size_t i = 0; i < b->refs.n; i++) {
		const struct item *item = first + i < w->list->n ? &w->list->item[first + i] : NULL;
		struct tn_perf_record r;
		uint64_t time;

		if (item && item->kind == EVENT && item->late &&
		    tn_perf_next(&r, b->data, item->at, b->entry.size_bits / 8, w->own->file.big_endian) &&
		    tn_perf_has_place(&w->own->file, &r, w->own->file.big_endian, &time))
			b->cycles[i] = time;
		else
			b->cycles[i] = item ? item->time : b->entry.end_cycles;
	}
	return TN_OK;
}

static enum tn_code
add_rows(struct walk *w, struct tn_error *err)
{
	struct tn_batch *b = w->b;
	const struct tn_clock *clock = b->stream->stream_class->clock;
	size_t limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS, first = (size_t)b->begin.row, i;
	int64_t key = b->begin.row ? b->begin.key : b->entry.begin_ns;
	int64_t base = tn_clock_ns(clock, 0), most = base > 0 ? INT64_MAX - base : INT64_MAX;
	bool odd = false, simple = base != INT64_MIN && !clock->beyond;

	b->data = b->stream->file[0].map.data + b->entry.offset;
	b->base_bit = 0;
	b->end = b->begin;
	if (!TN_ARRAY_RESERVE(&b->refs, limit + 1))
		return tn_fail_memory(err);
	if (!is_of(w->list, b) && !fill(w))
		return tn_fail_memory(err);
	for (i = first; i < w->list->n && b->refs.n < limit; i++) {
		const struct item *item = &w->list->item[i];
		int64_t ns = simple && item->time < (uint64_t)most ? base + (int64_t)item->time : tn_clock_ns(clock, item->time);

		odd |= item->late || ns < key || ns > b->entry.end_ns;
		key = ns < key ? key : ns > b->entry.end_ns ? b->entry.end_ns : ns;
		if (item->kind != EVENT) {
			if (!put_notice(w, item, key))
				return tn_fail_memory(err);
			continue;
		}
		b->refs.item[b->refs.n++] = (struct tn_ref) { key, 8 * item->at, item->event_class };
		b->n_events++;
	}
	b->last = i == w->list->n;
	if (b->last && b->entry.flags & TN_PERF_ENDS_BADLY) {
		b->last = b->refs.n < limit;
		if (b->last && !put_end(w, key))
			return tn_fail_memory(err);
	}
	b->end.row = b->begin.row + b->refs.n;
	b->end.bit = 8 * (uint64_t)(i < w->list->n ? w->list->item[i].at : 0);
	b->end.key = key;
	if (tn_map_torn(&b->stream->file[0].map))
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", b->stream->path);
	return odd ? keep_cycles(w, first, err) : TN_OK;
}

enum tn_code
tn_perf_walk(struct tn_batch *b, struct tn_error *err)
{
	struct walk w = { .b = b, .own = b->stream->trace->own };
	enum tn_code rc;

	w.list = take_list(&w);
	rc = add_rows(&w, err);
	keep_list(&w);
	return rc;
}

void
tn_perf_lists_release(struct tn_perf_lists *lists)
{
	for (size_t i = 0; i < lists->n; i++)
		free(lists->item[i]);
	lists->n = 0;
}
