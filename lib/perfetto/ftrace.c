/*
 * ftrace.c - the rows of a bundle, sorted by time, and their values
 *
 * A bundle has events, and the columns of compact_sched. Rows of columns do not have their thread: it is the thread that
 * the processor's last switch selected, which may be in an earlier bundle.
 *
 * Source     perfetto.md, 5
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/messages.h"
#include "perfetto/private.h"

#define MOST_ROWS (1u << 16)	/* limit of rows of a bundle */

enum what { EVENT, SWITCH, WAKING, LATE, DAMAGE };

struct item {
	uint64_t time;		/* in BOOTTIME */
	uint32_t at, size;	/* range of its message in the bundle; 0 for rows of columns */
	uint32_t event_class;
	enum what what;
	uint32_t order;
	int32_t tid;		/* -1: unknown */
	struct tn_pf_bytes comm;	/* name of the thread `tid`; `n` 0: unknown */
	/* Of rows of columns only: */
	int32_t pid, prio;	/* pid and priority of the next thread, or of the woken thread */
	int64_t state;		/* state of the thread that ran, or the target processor */
	uint64_t flags;
	struct tn_pf_bytes next_comm;
};

/* batch->own of a walked bundle. */
struct list {
	const struct tn_stream *stream;
	size_t packet, n, room;
	bool too_many;
	struct item item[];
};

struct fill {
	struct list *list;
	const struct tn_stream *stream;
	const struct tn_pf_trace *own;
	const struct tn_pf_bundle *bundle;
	const uint8_t *data;	/* the bytes of the bundle */
	struct tn_pf_shift shift;
	bool no_memory, is_sorted;
	struct tn_pf_bytes *text;	/* the texts of compact_sched */
	size_t n_texts;
};

static const struct tn_pf_bytes no_bytes = { (const uint8_t *)"", 0 };

/* ---- the list ---- */

static struct item *
add_item(struct fill *f, enum what what, uint64_t time)
{
	struct list *l = f->list;

	if (l && l->n == MOST_ROWS) {
		l->too_many = true;
		return NULL;
	}
	if (!l || l->n == l->room) {
		size_t room = l ? l->room + l->room / 2 : 64;

		if (!(l = realloc(l, sizeof *l + room * sizeof *l->item))) {
			f->no_memory = true;
			return NULL;
		}
		if (!f->list)
			*l = (struct list) { .stream = NULL };
		l->room = room;
		f->list = l;
	}
	f->is_sorted &= !l->n || l->item[l->n - 1].time <= time;
	l->item[l->n] = (struct item) { .time = time, .what = what, .order = (uint32_t)l->n, .tid = -1, .comm = no_bytes };
	return &l->item[l->n++];
}

static uint32_t
class_of(const struct tn_pf_trace *own, uint64_t number)
{
	const struct tn_pf_kind *kind = tn_pf_kind_of(own, number);

	return kind && kind->event_class ? kind->event_class->index : own->unknown_kind.event_class->index;
}

static void
add_event(struct fill *f, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_field field;
	struct item one = { .tid = -1 }, *item;
	uint64_t number = 0;

	while (tn_pf_next(&in, &field))
		switch (field.number) {
		case 1: one.time = field.value; break;
		case 2: one.tid = (int32_t)field.value; break;
		case 5: one.flags = field.value; break;
		default: number = field.number;
		}
	one.time = (uint64_t)tn_pf_shifted(&f->shift, one.time);
	/* A damaged event does not have a time, so use that of its neighbour. */
	if (in.bad)
		one.time = f->list && f->list->n ? f->list->item[f->list->n - 1].time : (uint64_t)f->bundle->begin;
	item = add_item(f, in.bad ? DAMAGE : EVENT, one.time);
	if (!item)
		return;
	item->tid = one.tid;
	item->flags = one.flags;
	item->at = (uint32_t)(body.p - f->data);
	item->size = (uint32_t)body.n;
	item->event_class = class_of(f->own, number);
}

static struct tn_pf_bytes
text_of(const struct fill *f, uint64_t i)
{
	return i < f->n_texts ? f->text[i] : no_bytes;
}

static bool
read_texts(struct fill *f, struct tn_pf_bytes body)
{
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_field field;
	size_t n = 0;

	f->n_texts = 0;
	while (tn_pf_next(&in, &field))
		n += field.number == TN_PF_TEXTS;
	if (!(f->text = calloc(n + 1, sizeof *f->text))) {
		f->no_memory = true;
		return false;
	}
	for (in = tn_pf_in(body); tn_pf_next(&in, &field);)
		if (field.number == TN_PF_TEXTS)
			f->text[f->n_texts++] = field.bytes;
	return true;
}

static bool
is_left(struct tn_pf_in *column, unsigned from, unsigned to)
{
	for (unsigned i = from; i <= to; i++)
		if (i != TN_PF_TEXTS && (column[i].p >= column[i].end || column[i].bad))
			return false;
	return true;
}

/*
 * Whether elements of the columns are damage, because columns have different lengths: those after the end of the shortest
 * one.
 */
static bool
is_rest(struct tn_pf_in *column, unsigned from, unsigned to)
{
	for (unsigned i = from; i <= to; i++)
		if (i != TN_PF_TEXTS && (column[i].p < column[i].end || column[i].bad))
			return true;
	return false;
}

static void
add_sched(struct fill *f, struct tn_pf_bytes body)
{
	struct tn_pf_sched s;
	struct tn_pf_in *c = s.column;
	bool bad = !tn_pf_sched_read(&s, body), flags = c[TN_PF_WAKING_FLAGS].p < c[TN_PF_WAKING_FLAGS].end;
	uint64_t time;
	struct item *item;

	if (!read_texts(f, body))
		return;
	for (time = 0; is_left(c, TN_PF_SWITCH_TIME, TN_PF_SWITCH_COMM);) {
		time += tn_pf_varint(&c[TN_PF_SWITCH_TIME]);
		if (!(item = add_item(f, SWITCH, (uint64_t)tn_pf_shifted(&f->shift, time))))
			break;
		item->state = (int64_t)tn_pf_varint(&c[TN_PF_SWITCH_STATE]);
		item->pid = (int32_t)tn_pf_varint(&c[TN_PF_SWITCH_PID]);
		item->prio = (int32_t)tn_pf_varint(&c[TN_PF_SWITCH_PRIO]);
		item->next_comm = text_of(f, tn_pf_varint(&c[TN_PF_SWITCH_COMM]));
		item->event_class = class_of(f->own, TN_PF_SWITCH);
	}
	bad |= is_rest(c, TN_PF_SWITCH_TIME, TN_PF_SWITCH_COMM);
	for (time = 0; is_left(c, TN_PF_WAKING_TIME, flags ? TN_PF_WAKING_FLAGS : TN_PF_WAKING_COMM);) {
		time += tn_pf_varint(&c[TN_PF_WAKING_TIME]);
		if (!(item = add_item(f, WAKING, (uint64_t)tn_pf_shifted(&f->shift, time))))
			break;
		item->pid = (int32_t)tn_pf_varint(&c[TN_PF_WAKING_PID]);
		item->state = (int64_t)tn_pf_varint(&c[TN_PF_WAKING_CPU]);
		item->prio = (int32_t)tn_pf_varint(&c[TN_PF_WAKING_PRIO]);
		item->next_comm = text_of(f, tn_pf_varint(&c[TN_PF_WAKING_COMM]));
		item->flags = flags ? tn_pf_varint(&c[TN_PF_WAKING_FLAGS]) : 0;
		item->event_class = class_of(f->own, TN_PF_WAKING);
	}
	bad |= is_rest(c, TN_PF_WAKING_TIME, TN_PF_WAKING_FLAGS);
	if (bad && !f->no_memory && (item = add_item(f, DAMAGE, (uint64_t)f->bundle->end)))
		item->at = (uint32_t)(body.p - f->data);
	free(f->text);
	f->text = NULL;
}

static int
by_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Find the thread that runs after the event. False: the event does not show it. */
static bool
find_next(const struct fill *f, const struct item *item, int32_t *pid, struct tn_pf_bytes *comm)
{
	const struct tn_pf_kind *kind = &f->own->kind[TN_PF_SWITCH];
	struct tn_pf_in in = { f->data + item->at, f->data + item->at + item->size, false }, inner;
	struct tn_pf_field field;
	bool found = false;

	if (!kind->event_class || item->event_class != kind->event_class->index)
		return false;
	while (tn_pf_next(&in, &field))
		if (field.number == TN_PF_SWITCH)
			for (inner = tn_pf_in(field.bytes); tn_pf_next(&inner, &field);) {
				found |= field.number == 6;
				*pid = field.number == 6 ? (int32_t)field.value : *pid;
				*comm = field.number == 5 ? field.bytes : *comm;
			}
	return found;
}

/* Find the thread that runs at each row. */
static void
find_threads(struct fill *f)
{
	struct tn_pf_bytes comm = { f->own->data + f->bundle->comm.at, f->bundle->comm.n };
	int32_t pid = f->bundle->pid;

	for (size_t i = 0; i < f->list->n; i++) {
		struct item *item = &f->list->item[i];

		if (item->what == EVENT && item->tid >= 0) {
			comm = pid == item->tid ? comm : no_bytes;
			pid = item->tid;
		}
		item->tid = pid;
		item->comm = comm;
		if (item->what == SWITCH) {
			pid = item->pid;
			comm = item->next_comm;
		} else if (item->what == EVENT) {
			find_next(f, item, &pid, &comm);
		}
	}
}

static bool
fill_list(struct fill *f, const struct tn_packet *entry, size_t packet)
{
	struct tn_pf_bytes body = { f->data, f->bundle->n };
	struct tn_pf_in in = tn_pf_in(body);
	struct tn_pf_field field;
	struct item *item;

	f->is_sorted = true;
	if (f->list) {
		f->list->n = 0;
		f->list->too_many = false;
		f->list->stream = NULL;
	}
	while (tn_pf_next(&in, &field))
		tn_pf_bundle_clock(&f->shift, &field);
	for (in = tn_pf_in(body); tn_pf_next(&in, &field) && !f->no_memory;)
		if (field.number == 2) {
			add_event(f, field.bytes);
		} else if (field.number == 4) {
			add_sched(f, field.bytes);
		}
	if (in.bad || (f->list && f->list->too_many)) {
		if (f->list && f->list->n == MOST_ROWS)
			f->list->n--;
		if ((item = add_item(f, DAMAGE, (uint64_t)f->bundle->end)))
			item->at = (uint32_t)(in.p - f->data);
	}
	if (f->no_memory || (!f->list && !add_item(f, LATE, 0)))
		return false;
	/* Make the list of an empty bundle empty. */
	f->list->n -= f->list->n == 1 && f->list->item[0].what == LATE;
	if (!f->is_sorted)
		qsort(f->list->item, f->list->n, sizeof *f->list->item, by_time);
	find_threads(f);
	/* Remove rows before times that the stream has already passed, and put one notice before the first of them. */
	if (f->list->n && tn_clock_ns(f->stream->stream_class->clock, f->list->item[0].time) < entry->begin_ns &&
	    (item = add_item(f, LATE, f->list->item[0].time))) {
		struct item late = *item;

		memmove(f->list->item + 1, f->list->item, (f->list->n - 1) * sizeof late);
		f->list->item[0] = late;
	}
	f->list->stream = f->stream;
	f->list->packet = packet;
	return !f->no_memory;
}

static const struct tn_pf_bundle *
bundle_of(const struct tn_stream *stream, size_t packet)
{
	const struct tn_pf_cpu *cpu = stream->own;

	return packet < cpu->bundles.n ? &cpu->bundles.item[packet] : NULL;
}

static bool
fill(struct fill *f, const struct tn_batch *b)
{
	f->stream = b->stream;
	f->own = b->stream->trace->own;
	f->bundle = bundle_of(b->stream, b->packet);
	f->data = f->own->data + f->bundle->at;
	return fill_list(f, &b->entry, b->packet);
}

static bool
is_of(const struct list *l, const struct tn_batch *b)
{
	return l && l->stream == b->stream && l->packet == b->packet;
}

/* ---- index ---- */

enum tn_code
tn_pf_ftrace_extend(struct tn_stream *stream, struct tn_error *err)
{
	const struct tn_pf_cpu *cpu = stream->own;
	const struct tn_clock *clock = stream->stream_class->clock;
	struct tn_packet_index *ix = &stream->index;
	int64_t key = ix->n ? tn_packet_at(ix, ix->n - 1)->end_ns : INT64_MIN;

	for (unsigned i = 0; i < 64 && ix->n < cpu->bundles.n; i++) {
		const struct tn_pf_bundle *b = &cpu->bundles.item[ix->n];
		struct tn_packet p = {
			.offset = b->at, .size_bits = 8 * b->n, .content_bits = 8 * b->n, .begin_cycles = (uint64_t)b->begin,
			.end_cycles = (uint64_t)b->end, .clock_start = (uint64_t)b->begin, .discarded = 0,
			.sequence = TN_UNKNOWN, .n_events = TN_UNKNOWN,
			.flags = TN_PACKET_CHECKED | (b->has_lost ? TN_PACKET_LOSES : 0),
		};
		int64_t begin = tn_clock_ns(clock, p.begin_cycles), end = tn_clock_ns(clock, p.end_cycles);

		p.begin_ns = begin > key ? begin : key;
		p.end_ns = end > p.begin_ns ? end : p.begin_ns;
		if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
			return tn_fail_memory(err);
		ix->packet[ix->n++] = p;
		key = p.end_ns;
	}
	ix->complete = ix->n >= cpu->bundles.n;
	return TN_OK;
}

/* ---- rows ---- */

/* The number of rows before the rows of the list. */
static size_t
lost_rows(const struct tn_batch *b)
{
	return b->entry.flags & TN_PACKET_LOSES ? 1 : 0;
}

static bool
put_notice(struct tn_batch *b, const struct item *item, int64_t key, bool too_many)
{
	struct tn_str s = { 0 };
	bool good;

	tn_str_printf(&s, _("packet %zu at byte %" PRIu64 ": "), b->packet, b->entry.offset);
	if (item->what == LATE)
		tn_str_puts(&s, _("its first events are late: later events are before them"));
	else if (too_many)
		tn_str_printf(&s, _("the packet has more than %u events: the others are left out"), MOST_ROWS);
	else
		tn_str_printf(&s, _("byte %" PRIu64 ": this is not an event"), b->entry.offset + item->at);
	good = !s.failed && tn_batch_damage(b, key, 8 * (uint64_t)item->at, s.text);
	tn_str_release(&s);
	return good;
}

enum tn_code
tn_pf_ftrace_walk(struct tn_batch *b, struct tn_error *err)
{
	const struct tn_clock *clock = b->stream->stream_class->clock;
	size_t limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS, first = (size_t)b->begin.row, i;
	size_t lost = lost_rows(b);
	int64_t key = b->begin.row ? b->begin.key : b->entry.begin_ns;
	struct list *list = b->own;
	bool odd = false;

	b->base_bit = 0;
	b->end = b->begin;
	if (!bundle_of(b->stream, b->packet)) {
		b->last = true;
		return TN_OK;
	}
	if (!TN_ARRAY_RESERVE(&b->refs, limit + 1))
		return tn_fail_memory(err);
	if (!is_of(list, b)) {
		struct fill f = { .list = list };
		bool good = fill(&f, b);

		b->own = list = f.list;
		if (!good)
			return tn_fail_memory(err);
	}
	b->data = b->stream->file[0].map.data + b->entry.offset;
	if (lost && !first && !tn_pf_put_loss(b))
		return tn_fail_memory(err);
	for (i = first ? first - lost : 0; i < list->n && b->refs.n < limit; i++) {
		const struct item *item = &list->item[i];
		int64_t ns = tn_clock_ns(clock, item->time);

		odd |= ns < key || ns > b->entry.end_ns;
		key = ns < key ? key : ns > b->entry.end_ns ? b->entry.end_ns : ns;
		if (item->what >= LATE) {
			if (!put_notice(b, item, key, list->too_many))
				return tn_fail_memory(err);
			continue;
		}
		b->refs.item[b->refs.n++] = (struct tn_ref) { key, 8 * item->at, item->event_class };
		b->n_events++;
	}
	b->last = i >= list->n;
	b->end.row = b->begin.row + b->refs.n;
	b->end.bit = 1;
	b->end.key = key;
	if (odd) {
		b->cycles_room = b->refs.n + 1;
		if (!(b->cycles = calloc(b->cycles_room, sizeof *b->cycles)))
			return tn_fail_memory(err);
		for (size_t k = 0; k < b->refs.n; k++)
			b->cycles[k] = first + k < lost ? b->entry.begin_cycles : list->item[first + k - lost].time;
	}
	if (tn_map_torn(&b->stream->file[0].map))
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", b->stream->path);
	return TN_OK;
}

/* ---- values ---- */

struct slot {
	bool has;
	uint64_t value;
	struct tn_pf_bytes bytes;
};

struct reader {
	struct tn_values values;
	struct tn_event *e;
	const struct tn_pf_trace *own;
};

static void
put_number(struct reader *r, const struct tn_field *f, uint64_t v)
{
	struct tn_value *value = tn_values_add(&r->values, f, r->e->bit);

	value->u = f->type->kind == TN_KIND_SINT && f->type->length == 32 ? (uint64_t)(int64_t)(int32_t)v : v;
	value->end = value->bit;
}

static void
put_bytes(struct reader *r, const struct tn_field *f, struct tn_pf_bytes b)
{
	tn_values_string(&r->values, f, b.p, (size_t)b.n, r->e->bit);
}

static void
put_message(struct reader *r, const struct tn_field *f, struct tn_pf_bytes message)
{
	struct tn_str s = { 0 };

	tn_pf_text(&s, message);
	tn_pf_put_text(&r->values, f, &s);
}

/* Put the numbers of a repeated field, packed or not. */
static void
put_array(struct reader *r, const struct tn_field *f, struct tn_pf_bytes message, uint32_t number)
{
	size_t at = tn_values_begin(&r->values, f, r->e->bit);
	struct tn_pf_in in = tn_pf_in(message), packed;
	struct tn_pf_field field;
	uint64_t n = 0;

	while (tn_pf_next(&in, &field)) {
		if (field.number != number)
			continue;
		if (field.wire != TN_PF_BYTES) {
			put_number(r, &f->type->field[0], field.value);
			n++;
			continue;
		}
		for (packed = tn_pf_in(field.bytes); packed.p < packed.end && !packed.bad; n++)
			put_number(r, &f->type->field[0], tn_pf_varint(&packed));
	}
	tn_values_end(&r->values, at, n, r->e->bit);
}

static uint64_t
put_members(struct reader *r, const struct tn_pf_kind *kind, const struct slot *slot, struct tn_pf_bytes message)
{
	const struct tn_type *type = kind->event_class->payload->type;
	uint64_t n = 0;

	for (size_t i = 0; i < type->n_fields; i++) {
		const struct tn_field *f = &type->field[i];

		if (!slot[i].has)
			continue;
		n++;
		switch (kind->member[i].type) {
		case 'r': put_array(r, f, message, kind->member[i].number); break;
		case 's': case 'b': put_bytes(r, f, slot[i].bytes); break;
		case 'm': put_message(r, f, slot[i].bytes); break;
		case 'z': put_number(r, f, slot[i].value >> 1 ^ (0 - (slot[i].value & 1))); break;
		default: put_number(r, f, slot[i].value);
		}
	}
	return n;
}

static void
read_columns(const struct item *item, struct slot *slot)
{
	/* The indices of the fields in events.def. */
	enum { PREV_COMM, PREV_PID, PREV_STATE = 3, NEXT_COMM, NEXT_PID, NEXT_PRIO, COMM = 0, PID, PRIO, TARGET = 4 };

	if (item->what == WAKING) {
		slot[COMM] = (struct slot) { item->next_comm.n > 0, 0, item->next_comm };
		slot[PID] = (struct slot) { true, (uint64_t)item->pid, no_bytes };
		slot[PRIO] = (struct slot) { true, (uint64_t)item->prio, no_bytes };
		slot[TARGET] = (struct slot) { true, (uint64_t)item->state, no_bytes };
		return;
	}
	slot[PREV_COMM] = (struct slot) { item->tid >= 0 && item->comm.n, 0, item->comm };
	slot[PREV_PID] = (struct slot) { item->tid >= 0, (uint64_t)item->tid, no_bytes };
	slot[PREV_STATE] = (struct slot) { true, (uint64_t)item->state, no_bytes };
	slot[NEXT_COMM] = (struct slot) { item->next_comm.n > 0, 0, item->next_comm };
	slot[NEXT_PID] = (struct slot) { true, (uint64_t)item->pid, no_bytes };
	slot[NEXT_PRIO] = (struct slot) { true, (uint64_t)item->prio, no_bytes };
}

static void
read_payload(struct reader *r, const struct item *item, const uint8_t *data)
{
	const struct tn_field *root = r->e->event_class->payload;
	size_t at = tn_values_begin(&r->values, root, r->e->bit);
	struct tn_pf_in in = { data + item->at, data + item->at + item->size, false };
	struct tn_pf_bytes message = no_bytes;
	struct slot slot[TN_PF_MEMBERS] = { 0 };
	const struct tn_pf_kind *kind;
	struct tn_pf_field f;
	uint64_t number = 0, n = 0;

	if (item->what != EVENT) {
		read_columns(item, slot);
		kind = &r->own->kind[item->what == SWITCH ? TN_PF_SWITCH : TN_PF_WAKING];
		n = put_members(r, kind, slot, message);
		tn_values_end(&r->values, at, n, r->e->bit);
		return;
	}
	while (tn_pf_next(&in, &f))
		if (f.number > 2 && f.number != 5) {
			number = f.number;
			message = f.bytes;
		}
	kind = tn_pf_kind_of(r->own, number);
	if (!kind || kind->event_class != r->e->event_class || kind->is_text) {
		put_number(r, &root->type->field[0], number);
		put_message(r, &root->type->field[1], message);
		tn_values_end(&r->values, at, 2, r->e->bit);
		return;
	}
	for (in = tn_pf_in(message); tn_pf_next(&in, &f);)
		for (size_t i = 0; i < root->type->n_fields; i++)
			if (kind->member[i].number == f.number)
				slot[i] = (struct slot) { true, f.value, f.bytes };
	n = put_members(r, kind, slot, message);
	tn_values_end(&r->values, at, n, r->e->bit);
}

static void
read_context(struct reader *r, const struct item *item)
{
	const struct tn_field *root = r->own->thread, *f = root->type->field;
	size_t at = tn_values_begin(&r->values, root, r->e->bit);
	const struct tn_pf_name *name = item->tid >= 0 ? tn_pf_name_of(r->own, item->tid) : NULL;
	uint64_t n = 0;

	if (item->tid >= 0) {
		put_number(r, &f[0], (uint64_t)item->tid);
		n++;
	}
	if (name && name->pid >= 0) {
		put_number(r, &f[1], (uint64_t)name->pid);
		n++;
	}
	if (item->comm.n || name || !item->tid) {
		struct tn_pf_bytes comm = item->comm;

		if (!comm.n && name)
			comm = (struct tn_pf_bytes) { (const uint8_t *)name->name, strlen(name->name) };
		else if (!comm.n)
			comm = (struct tn_pf_bytes) { (const uint8_t *)"swapper", 7 };
		put_bytes(r, &f[2], comm);
		n++;
	}
	if (item->flags) {
		put_number(r, &f[3], item->flags);
		n++;
	}
	tn_values_end(&r->values, at, n, r->e->bit);
}

static void
read_packet(struct reader *r, const struct tn_pf_cpu *cpu)
{
	const struct tn_field *root = r->own->processor;
	size_t at = tn_values_begin(&r->values, root, 0);

	put_number(r, &root->type->field[0], cpu->cpu);
	tn_values_end(&r->values, at, 1, 0);
}

enum tn_code
tn_pf_ftrace_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	struct reader r = { .values.event = e, .e = e, .own = b->stream->trace->own };
	const struct list *list = b->own;
	struct fill f = { .list = NULL };
	const struct item *item;
	size_t row;

	tn_event_begin(e, b);
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT)) {
		e->scope[TN_SCOPE_PACKET_CONTEXT] = (uint32_t)e->n_values;
		read_packet(&r, b->stream->own);
	}
	if (i == TN_READ_PACKET)
		return r.values.failed ? tn_fail_memory(err) : TN_OK;
	if (!bundle_of(b->stream, b->packet))
		return tn_fail(err, TN_ERR_ARGUMENT, "the row is not an event");
	/* The list belongs to another packet, so make a list for this row. */
	if (!is_of(list, b)) {
		if (!fill(&f, b)) {
			free(f.list);
			return tn_fail_memory(err);
		}
		list = f.list;
	}
	row = (size_t)b->begin.row + i;
	item = row >= lost_rows(b) && row - lost_rows(b) < list->n ? &list->item[row - lost_rows(b)] : NULL;
	if (!item || item->what >= LATE || item->event_class != b->refs.item[i].event_class) {
		free(f.list);
		return tn_fail(err, TN_ERR_FORMAT, "%s: packet %zu: the file has changed", b->stream->path, b->packet);
	}
	e->event_class = b->stream->trace->event_class[item->event_class];
	e->name = e->event_class->name;
	e->has_time = e->has_cycles = true;
	e->cycles = tn_batch_cycles(b, i);
	e->time_ns = tn_batch_time(b, i);
	e->row = b->begin.row + i;
	e->bit = 8 * (uint64_t)item->at;
	e->end_bit = e->bit + 8 * (uint64_t)item->size;
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT)) {
		e->scope[TN_SCOPE_COMMON_CONTEXT] = (uint32_t)e->n_values;
		read_context(&r, item);
	}
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_PAYLOAD)) {
		e->scope[TN_SCOPE_PAYLOAD] = (uint32_t)e->n_values;
		read_payload(&r, item, r.own->data + bundle_of(b->stream, b->packet)->at);
	}
	free(f.list);
	return r.values.failed ? tn_fail_memory(err) : TN_OK;
}
