#include "ftrace/rows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/messages.h"
#include "model/loss.h"
#include "plan/plan.h"

/*
 * Bits of mark.told: problems of the page that are already reported. NOW: the problem of the next event is already
 * reported.
 */
enum { TOLD_LOSS = 1, TOLD_COMMIT = 2, TOLD_BACKWARD = 4, TOLD_NOW = 8 };

/* ---- classes ---- */

static bool
note_located(struct tn_ftrace_class *out, struct tn_arena *arena, const struct tn_ftrace_format *format)
{
	struct tn_ftrace_located *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < format->n_fields; i++)
		n += format->field[i].located == TN_LOCATED_DATA || format->field[i].located == TN_LOCATED_REL;
	if (n && !(list = TN_NEW_ARRAY(arena, n, struct tn_ftrace_located)))
		return false;
	for (size_t i = 0; i < format->n_fields; i++) {
		const struct tn_ftrace_field *f = &format->field[i];

		if (f->located == TN_LOCATED_DATA || f->located == TN_LOCATED_REL)
			list[out->n_located++] = (struct tn_ftrace_located) { f->offset, f->located, f->name };
	}
	out->located = list;
	return true;
}

bool
tn_ftrace_classes_make(struct tn_ftrace_classes *out, struct tn_arena *arena, const struct tn_ftrace_format *format, size_t n,
		       uint32_t first, uint32_t bytes, uint32_t bytes_need)
{
	struct tn_ftrace_class *of_id;
	uint32_t top = 0;

	for (size_t i = 0; i < n; i++)
		top = format[i].id >= top ? format[i].id + 1u : top;
	of_id = TN_NEW_ARRAY(arena, top + (size_t)1, struct tn_ftrace_class);
	if (!of_id)
		return false;
	for (uint32_t id = 0; id < top; id++)
		of_id[id].need = UINT32_MAX;
	for (size_t i = 0; i < n; i++) {
		uint32_t need = tn_ftrace_need(&format[i]);

		of_id[format[i].id] = (struct tn_ftrace_class) { first + (uint32_t)i, need > bytes_need ? need : bytes_need,
								NULL, 0 };
		if (!note_located(&of_id[format[i].id], arena, &format[i]))
			return false;
	}
	*out = (struct tn_ftrace_classes) { of_id, top, bytes, bytes_need };
	return true;
}

/* ---- a walk ---- */

struct walk {
	struct tn_batch *b;	/* NULL: the walk only counts */
	const struct tn_ftrace_rows *rows;
	const struct tn_packet *entry;
	const struct tn_clock *clock;	/* NULL: the walk only counts */
	struct tn_ftrace_page page;
	size_t limit;
	int64_t base;		/* time of clock value 0; INT64_MAX: times are not clock values plus a constant */
	int64_t key, key_limit;
	uint32_t told;
	uint64_t events;
	bool trouble;		/* the count found a problem that the page has to report */
	bool has_cut;		/* the file ends in an event of a known type */
	uint32_t cut_type;
	bool no_memory;
};

static bool
is_full(const struct walk *w)
{
	return w->b->refs.n >= w->limit;
}

static bool
store_cycles(struct walk *w)
{
	struct tn_batch *b = w->b;

	if (b->cycles)
		return true;
	b->cycles_room = w->limit + 4;
	if (!(b->cycles = malloc(b->cycles_room * sizeof *b->cycles))) {
		w->no_memory = true;
		return false;
	}
	for (size_t i = 0; i < b->refs.n; i++)
		b->cycles[i] = tn_clock_cycles(w->clock, b->refs.item[i].time_ns);
	return true;
}

static void
add_notice(struct walk *w, const struct tn_notice *n)
{
	if (!tn_batch_notice(w->b, w->key, n)) {
		w->no_memory = true;
		return;
	}
	if (w->b->cycles)
		w->b->cycles[w->b->refs.n - 1] = tn_clock_cycles(w->clock, w->key);
}

/* Add a notice of damage at byte @at of the page. @text was begun by begin_text(). */
static void
add_damage(struct walk *w, uint32_t at, struct tn_str *text)
{
	struct tn_notice n = { .kind = TN_ROW_DAMAGE, .count = TN_UNKNOWN, .bit = 8 * (uint64_t)at };
	size_t before = w->b->refs.n;

	if (text->failed) {
		tn_str_release(text);
		w->no_memory = true;
		return;
	}
	n.text = text->text;
	add_notice(w, &n);
	if (w->b->refs.n == before)
		tn_str_release(text);
}

static struct tn_str
begin_text(const struct walk *w)
{
	struct tn_str s = { 0 };

	tn_str_printf(&s, _("packet %zu at byte %" PRIu64 ": "), w->b->packet, w->entry->offset);
	return s;
}

static struct tn_str
begin_event(const struct walk *w, uint32_t at)
{
	struct tn_str s = begin_text(w);

	tn_str_printf(&s, _("event at byte %" PRIu32 " of the page: "), at);
	return s;
}

/* Add the notices that come before the events of a page. False: the batch is full. */
static bool
begin_rows(struct walk *w)
{
	const struct tn_packet *before = w->b->has_before ? &w->b->before : NULL;

	if (!(w->told & TOLD_LOSS)) {
		struct tn_loss loss = tn_loss_find(w->b->stream->stream_class, w->entry, before);
		struct tn_notice n = { .kind = TN_ROW_LOST_EVENTS, .count = loss.events };

		if (loss.events) {
			n.has_range = before && !w->clock->beyond;
			n.begin_ns = before ? before->end_ns < w->entry->begin_ns ? before->end_ns : w->entry->begin_ns : 0;
			n.end_ns = w->entry->begin_ns;
			add_notice(w, &n);
		}
		w->told |= TOLD_LOSS;
	}
	if (is_full(w))
		return false;
	if (!(w->told & TOLD_COMMIT) && w->page.stop > w->rows->page_size) {
		struct tn_str s = begin_text(w);

		tn_str_printf(&s, _("the page claims %" PRIu32 " bytes of events, but has space for %" PRIu32),
			      w->page.stop - w->page.begin, w->rows->page_size - w->page.begin);
		add_damage(w, w->rows->layout->commit_at, &s);
	}
	w->told |= TOLD_COMMIT;
	return !is_full(w);
}

/* Whether the file ends before the last event of the page. */
static bool
is_cut(const struct walk *w)
{
	return w->entry->flags & TN_PACKET_CUT && w->page.stop > w->page.end && w->page.end < w->rows->page_size;
}

/* Report a page that ends before its events do. False: the batch is full. */
static bool
end_rows(struct walk *w, enum tn_ftrace_step step, uint32_t at)
{
	bool cut = is_cut(w);
	struct tn_str s;

	if (step == TN_FTRACE_END && !cut)
		return true;
	if (is_full(w))
		return false;
	s = begin_event(w, at);
	if (cut)
		tn_str_puts(&s, _("the file ends here: the rest of the page is missing"));
	else if (step == TN_FTRACE_CUT)
		tn_str_puts(&s, _("the event is longer than the events of the page: the rest is left out"));
	else
		tn_str_puts(&s, _("the event has no size: the rest of the page is left out"));
	add_damage(w, at, &s);
	return true;
}

/* ---- events ---- */

const struct tn_ftrace_located *
tn_ftrace_outside(const struct tn_ftrace_class *class, const uint8_t *record, uint32_t size, bool big_endian, uint32_t *what)
{
	for (uint32_t i = 0; i < class->n_located; i++) {
		const struct tn_ftrace_located *f = &class->located[i];
		uint32_t v = *what = tn_ftrace_word(record + f->offset, big_endian);
		uint32_t from = (v & 0xffff) + (f->how == TN_LOCATED_REL ? f->offset + 4 : 0);

		if (from + (v >> 16) > size)
			return f;
	}
	return NULL;
}

/* Report the problem of a record, and keep all of its bytes. */
static void __attribute__((noinline))
tell_record(struct walk *w, const struct tn_ftrace_event *e, const struct tn_ftrace_class *class, uint32_t id)
{
	struct tn_str s = begin_event(w, e->at);
	const struct tn_ftrace_located *f;
	uint32_t what;

	if (!class || class->need > e->size) {
		if (class && class->need != UINT32_MAX)
			tn_str_printf(&s, _("events of type %" PRIu32 " have at least %" PRIu32 " bytes, but this event has "
				      "%" PRIu32 ": shown as bytes"), id, class->need, e->size);
		else
			tn_str_printf(&s, _("%" PRIu32 " bytes are too few for an event: shown as bytes"), e->size);
	} else if ((f = tn_ftrace_outside(class, w->page.p + e->data, e->size, w->page.big_endian, &what))) {
		tn_str_printf(&s, _("the field %s has %" PRIu32 " bytes at %" PRIu32 ", but the event has only %" PRIu32 ": "
			      "cut"), f->name, what >> 16,
			      (what & 0xffff) + (f->how == TN_LOCATED_REL ? f->offset + 4 : 0), e->size);
	}
	add_damage(w, e->at, &s);
	w->told |= TOLD_NOW;
}

/*
 * Handle an event whose time cannot be its merge key, because it is before the current key or after the bound of the
 * page.
 */
static void __attribute__((noinline))
odd_time(struct walk *w, int64_t *ns, uint32_t at)
{
	bool back = *ns < w->key;
	int64_t bound = back || w->key > w->key_limit ? w->key : w->key_limit;

	if (!(w->told & TOLD_BACKWARD) && (back || w->entry->end_ns < INT64_MAX)) {
		struct tn_str s = begin_event(w, at);

		if (back)
			tn_str_printf(&s, _("time goes back by %" PRIu64 " ns"), (uint64_t)bound - (uint64_t)*ns);
		else
			tn_str_printf(&s, _("its time is %" PRIu64 " ns after the start of the next page"),
				      (uint64_t)*ns - (uint64_t)bound);
		w->told |= TOLD_BACKWARD;
		add_damage(w, at, &s);
	}
	*ns = bound;
	store_cycles(w);
}

/* Returns the class of the record. *tell: a problem must be reported first. */
static inline __attribute__((always_inline)) uint32_t
class_of(const struct tn_ftrace_classes *classes, const uint8_t *p, const struct tn_ftrace_event *e, const bool big_endian,
	 const struct tn_ftrace_class **class, uint32_t *id, bool *tell)
{
	const uint8_t *record = p + e->data;
	uint32_t what;

	*id = big_endian ? (uint32_t)(tn_load64_be(record) >> 48) : (uint32_t)(tn_load64(record) & 0xffff);
	*class = __builtin_expect(*id < classes->n, 1) ? &classes->of_id[*id] : NULL;
	if (__builtin_expect(*class && (*class)->need <= e->size, 1)) {
		*tell = __builtin_expect((*class)->n_located, 0) && tn_ftrace_outside(*class, record, e->size, big_endian, &what);
		return (*class)->event_class;
	}
	/* A missing format alone is not damage. */
	*tell = e->size < classes->bytes_need || (*class && (*class)->need != UINT32_MAX);
	return classes->bytes;
}

static inline __attribute__((always_inline)) enum tn_ftrace_step
run(struct walk *w, const bool big_endian, const bool rows, uint32_t *where, uint64_t *clock)
{
	const struct tn_ftrace_classes *classes = w->rows->classes;
	const uint8_t *p = w->page.p;
	const uint32_t end = w->page.end;
	uint32_t at = *where;
	uint64_t time = *clock;
	enum tn_ftrace_step step = TN_FTRACE_END;
	struct tn_batch *b = w->b;

	for (;;) {
		const struct tn_ftrace_class *class;
		struct tn_ftrace_event e;
		const uint32_t from = at;	/* start of the event with its time extends */
		const uint64_t before = time;
		uint32_t id, index;
		bool tell;

		if (rows && b->refs.n >= w->limit)
			break;
		step = tn_ftrace_next(p, end, big_endian, &at, &time, &e);
		if (__builtin_expect(step != TN_FTRACE_EVENT, 0)) {
			/* An event that the end of the file cuts has a time and a name, and some of its bytes. */
			if (step != TN_FTRACE_CUT || !is_cut(w) || e.size < classes->bytes_need)
				break;
			e.next = end;
		}
		index = class_of(classes, p, &e, big_endian, &class, &id, &tell);
		if (__builtin_expect(step == TN_FTRACE_CUT, 0)) {
			w->has_cut = true;
			w->cut_type = id;
			tell = false;
			index = w->rows->cut_class ? w->rows->cut_class : classes->bytes;
		}
		/* The record is smaller than the common fields, so it cannot be read. */
		if (__builtin_expect(e.size < classes->bytes_need, 0)) {
			w->trouble = true;
			if (rows)
				tell_record(w, &e, NULL, id);
			w->told &= ~(uint32_t)TOLD_NOW;
			at = e.next;
			continue;
		}
		if (!rows) {
			w->trouble |= tell;
			w->events++;
			at = e.next;
			continue;
		}
		if (__builtin_expect(tell && !(w->told & TOLD_NOW), 0)) {
			/* Read the record again: if the batch is full, the record is in the next batch. */
			tell_record(w, &e, class, id);
			at = from;
			time = before;
		} else {
			uint64_t value = w->rows->clock ? w->rows->clock(w->rows->user, time) : time;
			struct tn_ref *ref;
			int64_t ns;

			if (__builtin_expect(w->base == INT64_MAX || value > INT64_MAX ||
					     __builtin_add_overflow(w->base, (int64_t)value, &ns), 0)) {
				ns = tn_clock_ns(w->clock, value);
				store_cycles(w);
			}
			if (__builtin_expect(ns < w->key || ns > w->key_limit, 0)) {
				size_t n = b->refs.n;

				odd_time(w, &ns, e.at);
				if (b->refs.n > n && b->refs.n >= w->limit) {
					at = from;
					time = before;
					break;
				}
			}
			if (w->no_memory)
				break;
			w->key = ns;
			if (__builtin_expect(b->cycles != NULL, 0))
				b->cycles[b->refs.n] = value;
			ref = &b->refs.item[b->refs.n++];
			ref->time_ns = ns;
			ref->bit = 8 * e.at;
			ref->event_class = index;
			w->told &= ~(uint32_t)TOLD_NOW;
			w->events++;
			at = e.next;
		}
	}
	*where = at;
	*clock = time;
	return step;
}

static void
prepare(struct walk *w, const uint8_t *p)
{
	uint64_t size = w->entry->size_bits / 8;

	tn_ftrace_page_begin(&w->page, w->rows->layout, p, w->rows->page_size, (uint32_t)size);
	if (w->page.begin > w->page.end)
		w->page.begin = w->page.end;
}

/* Report a page without a valid header. */
static bool
tell_short(struct walk *w)
{
	struct tn_str s;

	if (is_full(w))
		return false;
	s = begin_text(w);
	tn_str_printf(&s, _("the file ends in the page header, after %" PRIu64 " bytes"),
		      w->entry->size_bits / 8);
	add_damage(w, 0, &s);
	return true;
}

enum tn_code
tn_ftrace_walk(struct tn_batch *b, const struct tn_ftrace_rows *rows, struct tn_error *err)
{
	struct walk w = {
		.b = b, .rows = rows, .entry = &b->entry, .clock = b->stream->stream_class->clock,
		.limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS, .told = b->begin.told,
	};
	enum tn_ftrace_step step = TN_FTRACE_END;
	uint64_t time = b->begin.clock;
	uint32_t at;

	if (!TN_ARRAY_RESERVE(&b->refs, w.limit + 4))
		return tn_fail_memory(err);
	b->base_bit = 0;
	b->end = b->begin;
	w.key = b->begin.bit || b->begin.row ? b->begin.key : b->entry.begin_ns;
	w.key_limit = b->entry.end_ns < INT64_MAX ? b->entry.end_ns : INT64_MAX - 1;
	w.base = tn_clock_ns(w.clock, 0);
	if (w.base == INT64_MIN || w.clock->beyond)
		w.base = INT64_MAX;
	if (b->entry.size_bits / 8 < rows->layout->data_at) {
		b->last = tell_short(&w);
		at = 0;
	} else {
		prepare(&w, b->data);
		at = b->begin.bit ? (uint32_t)(b->begin.bit / 8) : w.page.begin;
		if (!b->begin.bit)
			time = w.page.time;
		if (at > w.page.end)
			at = w.page.end;
		if (begin_rows(&w)) {
			step = w.page.big_endian ? run(&w, true, true, &at, &time) : run(&w, false, true, &at, &time);
			/* The batch is full at the last event: the next batch finds out whether more rows follow. */
			b->last = !is_full(&w) && step != TN_FTRACE_EVENT && end_rows(&w, step, at);
		} else {
			at = 0;
		}
	}
	b->n_events = (size_t)w.events;
	b->end = (struct tn_mark) {
		.bit = 8 * (uint64_t)at, .clock = time, .row = b->begin.row + b->refs.n, .key = w.key, .told = w.told,
	};
	return w.no_memory ? tn_fail_memory(err) : TN_OK;
}

bool
tn_ftrace_cut_type(const struct tn_packet *entry, const uint8_t *p, const struct tn_ftrace_rows *rows, uint32_t *type)
{
	struct walk w = { .rows = rows, .entry = entry };
	uint64_t time = 0;
	uint32_t at;

	if (entry->size_bits / 8 < rows->layout->data_at)
		return false;
	prepare(&w, p);
	at = w.page.begin;
	if (w.page.big_endian)
		run(&w, true, false, &at, &time);
	else
		run(&w, false, false, &at, &time);
	*type = w.cut_type;
	return w.has_cut;
}

bool
tn_ftrace_count(const struct tn_packet *entry, const uint8_t *p, const struct tn_ftrace_rows *rows, uint64_t *events,
		uint64_t *last)
{
	struct walk w = { .rows = rows, .entry = entry };
	enum tn_ftrace_step step;
	uint64_t time;
	uint32_t at;

	*events = 0;
	if (entry->size_bits / 8 < rows->layout->data_at)
		return false;
	prepare(&w, p);
	at = w.page.begin;
	time = w.page.time;
	step = w.page.big_endian ? run(&w, true, false, &at, &time) : run(&w, false, false, &at, &time);
	*events = w.events;
	if (last)
		*last = rows->clock ? rows->clock(rows->user, time) : time;
	return step == TN_FTRACE_END && !w.trouble && w.page.stop == w.page.end;
}
