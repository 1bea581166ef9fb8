/*
 * rows.c - records to rows: records of a thread, and perf's records of a processor (uftrace.md, 4 and 5)
 *
 * The size of arguments follows from the spec of the function. If the spec is unknown, a search for bytes that look
 * like a record finds the next record.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/str.h"
#include "uftrace/private.h"

#define ENTRY (UINT64_C(64) << 10)	/* size of an index entry, in bytes */
#define STEP (UINT64_C(4) << 20)	/* bytes that one step of the scan reads */
#define MOST_MESSAGE 65536		/* longest line of extern.dat, in bytes */
#define MOST_SEARCH 65536		/* limit of bytes of arguments in which the next record is searched */

enum { PERF_COMM = 3, PERF_EXIT = 4, PERF_FORK = 7, PERF_SWITCH = 14 };

/* ---- one record ---- */

static uint64_t
padded(uint64_t n, unsigned to)
{
	return (n + to - 1) / to * to;
}

/* The size of the arguments at @p; UINT64_MAX: they exceed the @left bytes. */
static uint64_t
size_of_args(const struct tn_uf_trace *t, const struct tn_uf_spec *spec, const uint8_t *p, uint64_t left)
{
	uint64_t at = 0;

	for (size_t i = 0; i < spec->n; i++) {
		uint64_t size = spec->arg[i].size;

		if (!size && spec->arg[i].format != 't') {
			if (left - at < 2)
				return UINT64_MAX;
			size = 2 + tn_uf_number(p + at, 2, t->big_endian);
		}
		size = padded(size, 4);
		if (size > left - at)
			return UINT64_MAX;
		at += size;
	}
	at = padded(at, 8);
	return at <= left ? at : UINT64_MAX;
}

/* The number of bytes to the next record, for arguments of unknown size. */
static uint64_t
search(const struct tn_uf_trace *t, const struct tn_uf_record *r, const uint8_t *p, uint64_t left)
{
	struct tn_uf_record next;
	uint64_t at;

	for (at = 0; at + 16 <= left && at < MOST_SEARCH; at += 8)
		if (tn_uf_look(t, p + at, &next) && next.time >= r->time && next.time - r->time < UINT64_C(1) << 50 &&
		    next.depth <= r->depth + 1)
			return at;
	return left < MOST_SEARCH ? left : UINT64_MAX;
}

static const struct tn_uf_spec *
spec_of(const struct tn_uf_stream *s, const struct tn_uf_record *r)
{
	const struct tn_uf_symbol *symbol = tn_uf_find_symbol(tn_uf_find_session(s, r->time), r->address);

	return !symbol ? NULL : r->type == TN_UF_TYPE_ENTRY ? symbol->call : symbol->result;
}

/* Read the record at @at of @end bytes. @spec: the spec of its data, or NULL. False: damage. */
static bool
next_record(const struct tn_uf_trace *t, const struct tn_uf_stream *s, const uint8_t *data, uint64_t at, uint64_t end,
	    struct tn_uf_record *r, const struct tn_uf_spec **spec)
{
	uint64_t left = end - at, size = 0;

	*spec = NULL;
	if (left < 16 || !tn_uf_look(t, data + at, r))
		return false;
	left -= 16;
	if (!r->more || r->type == TN_UF_TYPE_LOST)
		return true;
	if (r->type == TN_UF_TYPE_EVENT) {
		size = left >= 2 ? padded(2 + tn_uf_number(data + at + 16, 2, t->big_endian), 8) : UINT64_MAX;
		size = size <= left ? size : UINT64_MAX;
	} else if ((*spec = spec_of(s, r))) {
		size = size_of_args(t, *spec, data + at + 16, left);
	} else {
		size = search(t, r, data + at + 16, left);
	}
	r->size += size <= UINT32_MAX - 16 ? (uint32_t)size : 0;
	return size <= UINT32_MAX - 16;
}

/* Read the next record of perf: SWITCH, FORK, EXIT or COMM, with a trailer of pid, tid and time. */
static bool
next_perf(const struct tn_uf_trace *t, const uint8_t *data, uint64_t at, uint64_t end, struct tn_uf_record *r)
{
	const uint8_t *p = data + at;
	uint64_t size = end - at < 8 ? 0 : tn_uf_number(p + 6, 2, t->big_endian);
	bool comm;

	if (size < 24 || size > end - at)
		return false;
	r->size = (uint32_t)size;
	r->type = (uint32_t)tn_uf_number(p, 4, t->big_endian);
	r->depth = (uint32_t)tn_uf_number(p + 4, 2, t->big_endian);
	r->time = tn_uf_number(p + size - 8, 8, t->big_endian);
	r->address = size - 16;	/* position of pid and tid in the record */
	comm = r->type == PERF_COMM && size > 32 && memchr(p + 16, 0, (size_t)size - 32);
	r->more = r->type == PERF_SWITCH || comm || ((r->type == PERF_FORK || r->type == PERF_EXIT) && size >= 48);
	/* The body of these records has its own thread and time. */
	if (r->more && (r->type == PERF_FORK || r->type == PERF_EXIT)) {
		r->time = tn_uf_number(p + 24, 8, t->big_endian);
		r->address = 8;
	}
	return true;
}

/* Read a line "SECONDS.FRACTION TEXT" of extern.dat; comments and empty lines are not events. */
static bool
next_message(const uint8_t *data, uint64_t at, uint64_t end, struct tn_uf_record *r)
{
	const uint8_t *newline = memchr(data + at, '\n', (size_t)(end - at));
	uint64_t stop = newline ? (uint64_t)(newline - data) : end, i = at, digits = 0, unit = 1000000000;

	if (stop - at > MOST_MESSAGE)
		return false;
	r->size = (uint32_t)(stop - at) + (newline != NULL);
	while (i < stop && strchr(" \t\r", data[i]))
		i++;
	r->more = i < stop && data[i] != '#';
	if (!r->more) {
		r->time = 0;
		return true;
	}
	for (r->time = 0; i < stop && isdigit(data[i]) && digits < 10; digits++)
		r->time = 10 * r->time + (uint64_t)(data[i++] - '0');
	r->time *= unit;
	if (i < stop && data[i] == '.')
		for (i++; i < stop && isdigit(data[i]); i++) {
			unit /= 10;
			r->time += unit * (uint64_t)(data[i] - '0');
		}
	if (!digits || (i < stop && !strchr(" \t\r", data[i])))
		return false;
	while (i < stop && strchr(" \t", data[i]))
		i++;
	r->address = i - at;	/* position of the text */
	r->depth = (uint32_t)(stop - i);	/* size of the text */
	return true;
}

static __attribute__((noinline)) bool
next_seldom(const struct tn_stream *stream, uint64_t at, uint64_t end, struct tn_uf_record *r, const struct tn_uf_spec **spec)
{
	const struct tn_uf_stream *s = stream->own;
	const uint8_t *data = stream->file[0].map.data;

	if (s->source == TN_UF_CPU)
		return next_perf(stream->trace->own, data, at, end, r);
	if (s->source == TN_UF_EXTERN)
		return next_message(data, at, end, r);
	return next_record(stream->trace->own, s, data, at, end, r, spec);
}

static inline bool
next(const struct tn_stream *stream, uint64_t at, uint64_t end, struct tn_uf_record *r, const struct tn_uf_spec **spec)
{
	const struct tn_uf_stream *s = stream->own;

	*spec = NULL;
	/* Most records have no data. */
	return (s->source == TN_UF_THREAD && end - at >= 16 &&
		tn_uf_look(stream->trace->own, stream->file[0].map.data + at, r) && !r->more) ||
	       next_seldom(stream, at, end, r, spec);
}

/* The number of damaged bytes from @at to the next record. */
static uint64_t
skip(const struct tn_stream *stream, uint64_t at, uint64_t end, uint64_t time)
{
	const struct tn_uf_stream *s = stream->own;
	const uint8_t *data = stream->file[0].map.data, *newline;
	struct tn_uf_record r = { 0 };

	if (s->source == TN_UF_EXTERN && (newline = memchr(data + at, '\n', (size_t)(end - at))))
		return (uint64_t)(newline + 1 - data) - at;
	for (uint64_t to = padded(at + 1, 8); s->source == TN_UF_THREAD && to + 16 <= end; to += 8)
		if (tn_uf_look(stream->trace->own, data + to, &r) && r.time >= time &&
		    r.time - time < UINT64_C(1) << 50)
			return to - at;
	return end - at;
}

static uint32_t
class_of(const struct tn_uf_trace *t, const struct tn_uf_stream *s, const struct tn_uf_record *r, const struct tn_uf_spec *spec)
{
	if (s->source == TN_UF_EXTERN)
		return t->message;
	if (s->source == TN_UF_CPU && r->type != PERF_SWITCH)
		return r->type == PERF_FORK ? TN_UF_TASK_NEW : r->type == PERF_EXIT ? TN_UF_TASK_EXIT : TN_UF_TASK_NAME;
	if (s->source == TN_UF_CPU)
		return !(r->depth >> 13 & 1) ? TN_UF_SCHED_IN : r->depth >> 14 & 1 ? TN_UF_PREEMPTED : TN_UF_SCHED_OUT;
	if (r->type != TN_UF_TYPE_EVENT)
		return spec ? spec->event_class : r->type == TN_UF_TYPE_ENTRY ? TN_UF_ENTRY : TN_UF_EXIT;
	for (size_t i = 0; i < t->events.n; i++)
		if (t->events.item[i].id == r->address && r->size >= 18 + t->events.item[i].size)
			return t->events.item[i].event_class;
	return r->more ? TN_UF_EVENT : TN_UF_BARE_EVENT;
}

/* ---- index ---- */

/* Scan calls without data (most records are such calls) up to the one that begins at @stop or later. */
static void
pass_calls(struct tn_uf_stream *s, const uint8_t *data, uint64_t stop, uint64_t *events)
{
	uint64_t at = s->at, last = s->time;

	for (; at < stop; at += 16) {
		uint64_t time = tn_load64(data + at);

		if (!tn_uf_is_call(data + at) || time < last)
			break;
		last = time;
	}
	*events += (at - s->at) / 16;
	s->at = at;
	s->time = last;
}

enum tn_code
tn_uf_extend(struct tn_stream *stream, struct tn_error *err)
{
	struct tn_uf_stream *s = stream->own;
	struct tn_packet_index *ix = &stream->index;
	const struct tn_clock *clock = stream->stream_class->clock;
	uint64_t end = stream->file[0].map.size, stop;
	bool calls = s->source == TN_UF_THREAD && !((const struct tn_uf_trace *)stream->trace->own)->big_endian;

	if (s->source == TN_UF_KERNEL)
		return tn_uf_extend_kernel(stream, err);
	if (!ix->n) {
		s->at = s->time = s->lost = 0;
		s->key = INT64_MIN;
	}
	stop = end - s->at > STEP ? s->at + STEP : end;
	while (s->at < stop) {
		struct tn_packet p = {
			.offset = s->at, .begin_cycles = TN_UNKNOWN, .end_cycles = TN_UNKNOWN, .sequence = ix->n,
			.flags = TN_PACKET_CHECKED, .clock_start = s->time,
		};
		bool odd = false;
		int64_t ns;

		if (!tn_array_reserve((void **)&ix->packet, &ix->room, ix->n + 1, sizeof *ix->packet))
			return tn_fail_memory(err);
		while (s->at < end && s->at - p.offset < ENTRY) {
			const struct tn_uf_spec *spec;
			struct tn_uf_record r;

			if (!next(stream, s->at, end, &r, &spec)) {
				odd = true;
				s->at += skip(stream, s->at, end, s->time);
				continue;
			}
			if (s->source != TN_UF_THREAD && !r.more) {
				s->at += r.size;
				continue;
			}
			odd |= r.time < s->time;
			s->time = r.time > s->time ? r.time : s->time;
			if (p.begin_cycles == TN_UNKNOWN)
				p.begin_cycles = s->time;
			if (s->source == TN_UF_THREAD && r.type == TN_UF_TYPE_LOST) {
				odd = true;
				if (__builtin_add_overflow(s->lost, r.address, &s->lost))
					s->lost = UINT64_MAX >> 2;
			} else {
				p.n_events++;
			}
			s->at += r.size;
			if (calls && end - s->at >= 16)
				pass_calls(s, stream->file[0].map.data, p.offset + ENTRY < end - 15 ? p.offset + ENTRY : end - 15,
					   &p.n_events);
		}
		if (p.begin_cycles == TN_UNKNOWN)
			p.begin_cycles = s->time;
		p.end_cycles = s->time;
		p.discarded = p.highest = s->lost;
		p.size_bits = p.content_bits = 8 * (s->at - p.offset);
		p.n_events = odd ? TN_UNKNOWN : p.n_events;
		ns = tn_clock_ns(clock, p.begin_cycles);
		p.begin_ns = ns > s->key ? ns : s->key;
		ns = tn_clock_ns(clock, p.end_cycles);
		p.end_ns = ns > p.begin_ns ? ns : p.begin_ns;
		if (p.end_ns == INT64_MAX) {
			p.end_ns--;
			p.begin_ns = p.begin_ns < p.end_ns ? p.begin_ns : p.end_ns;
		}
		s->key = p.end_ns;
		ix->packet[ix->n++] = p;
	}
	ix->complete = s->at >= end;
	if (tn_map_torn(&stream->file[0].map))
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", stream->path);
	return TN_OK;
}

/* ---- rows ---- */

static bool
put_damage(struct tn_batch *b, int64_t key, uint64_t at, const char *what, uint64_t n)
{
	char text[256];

	snprintf(text, sizeof text, _("packet %zu at byte %" PRIu64 ": byte %" PRIu64 ": %s: %" PRIu64), b->packet,
		 b->entry.offset, at, what, n);
	return tn_batch_damage(b, key, 8 * (at - b->entry.offset), text);
}

/* Store the clock values of the earlier rows and of the next one. */
static bool
keep_cycles(struct tn_batch *b, size_t limit)
{
	if (b->cycles)
		return true;
	b->cycles_room = limit + 2;
	if (!(b->cycles = calloc(b->cycles_room, sizeof *b->cycles)))
		return false;
	for (size_t i = 0; i < b->refs.n; i++)
		b->cycles[i] = tn_clock_cycles(b->stream->stream_class->clock, b->refs.item[i].time_ns);
	return true;
}

/*
 * Walk calls and returns without data that are in order, with times up to @most. @base: the merge key of time 0. At
 * the end, *at is after the last record and *last is its time.
 */
static void
walk_calls(struct tn_batch *b, size_t limit, uint64_t *at, uint64_t end, uint64_t *last, uint64_t most, int64_t base, int64_t *key)
{
	const uint8_t *p = b->stream->file[0].map.data + *at, *stop = p + (end - *at);
	uint32_t bit = (uint32_t)(8 * (*at - b->entry.offset));
	uint64_t least = *last;
	struct tn_ref *ref = b->refs.item + b->refs.n, *begin = ref, *full = b->refs.item + limit;

	if (*key > base && (uint64_t)*key - (uint64_t)base > least)
		least = (uint64_t)*key - (uint64_t)base;
	for (; stop - p >= 16 && ref < full; ref++, p += 16, bit += 8 * 16) {
		uint64_t time = tn_load64(p);

		if (!tn_uf_is_call(p) || time < least || time > most)
			break;
		least = time;
		*ref = (struct tn_ref) { base + (int64_t)time, bit, (p[8] & 3) == TN_UF_TYPE_ENTRY ? TN_UF_ENTRY : TN_UF_EXIT };
	}
	if (ref == begin)
		return;
	*at = b->entry.offset + bit / 8;
	*last = least;
	*key = base + (int64_t)least;
	b->n_events += (size_t)(ref - begin);
	b->refs.n += (size_t)(ref - begin);
}

enum tn_code
tn_uf_walk(struct tn_batch *b, struct tn_error *err)
{
	const struct tn_stream *stream = b->stream;
	const struct tn_uf_stream *s = stream->own;
	const struct tn_uf_trace *t = stream->trace->own;
	const struct tn_clock *clock = stream->stream_class->clock;
	size_t limit = b->limit && b->limit < TN_BATCH_REFS ? b->limit : TN_BATCH_REFS;
	uint64_t at = b->entry.offset + b->begin.bit / 8, end = b->entry.offset + b->entry.size_bits / 8;
	uint64_t last = b->begin.bit ? b->begin.clock : b->entry.clock_start;
	int64_t key = b->begin.bit || b->begin.row ? b->begin.key : b->entry.begin_ns;
	int64_t base = tn_clock_ns(clock, 0), most = base > 0 ? INT64_MAX - base : INT64_MAX;
	bool good = true, simple = base != INT64_MIN && !clock->beyond;
	bool calls = simple && s->source == TN_UF_THREAD && !t->big_endian && b->entry.end_ns >= base;
	uint64_t most_call = (uint64_t)b->entry.end_ns - (uint64_t)base;
	uint32_t told = b->begin.told;

	if (s->source == TN_UF_KERNEL)
		return tn_uf_walk_kernel(b, err);
	most_call = most_call < (uint64_t)most ? most_call : (uint64_t)most - 1;
	b->data = stream->file[0].map.data + b->entry.offset;
	b->base_bit = 0;
	b->end = b->begin;
	/* One record can make two rows. */
	if (!TN_ARRAY_RESERVE(&b->refs, limit + 2))
		return tn_fail_memory(err);
	while (good && at < end && b->refs.n < limit) {
		const struct tn_uf_spec *spec;
		struct tn_uf_record r;
		bool back;
		int64_t ns;

		if (calls && !told && !b->cycles) {
			walk_calls(b, limit, &at, end, &last, most_call, base, &key);
			if (at >= end || b->refs.n >= limit)
				break;
		}
		if (!next(stream, at, end, &r, &spec)) {
			uint64_t n = skip(stream, at, end, last);

			good = put_damage(b, key, at, _("bytes that are not a record"), n);
			if (b->cycles && good)
				b->cycles[b->refs.n - 1] = tn_clock_cycles(clock, key);
			at += n;
			continue;
		}
		if (s->source != TN_UF_THREAD && !r.more) {
			at += r.size;
			continue;
		}
		back = r.time < last;
		ns = simple && r.time < (uint64_t)most && !back ? base + (int64_t)r.time : tn_clock_ns(clock, back ? last : r.time);
		if (back && !told) {
			told = 1;
			good = put_damage(b, key, at, _("time goes back by nanoseconds"), last - r.time);
			if (b->cycles && good)
				b->cycles[b->refs.n - 1] = tn_clock_cycles(clock, key);
			continue;
		}
		last = back ? last : r.time;
		if (ns < key || ns > b->entry.end_ns || back)
			good = keep_cycles(b, limit);
		key = ns < key ? key : ns > b->entry.end_ns ? b->entry.end_ns : ns;
		if (s->source == TN_UF_THREAD && r.type == TN_UF_TYPE_LOST) {
			const struct tn_notice n = { .kind = TN_ROW_LOST_EVENTS, .count = r.address };

			good = good && (!r.address || tn_batch_notice(b, key, &n));
			if (b->cycles && good && r.address)
				b->cycles[b->refs.n - 1] = tn_clock_cycles(clock, key);
		} else if (good) {
			if (b->cycles)
				b->cycles[b->refs.n] = r.time;
			b->refs.item[b->refs.n++] = (struct tn_ref) {
				key, (uint32_t)(8 * (at - b->entry.offset)), class_of(t, s, &r, spec),
			};
			b->n_events++;
		}
		told = 0;
		at += r.size;
	}
	b->last = at >= end;
	b->end = (struct tn_mark) {
		.bit = 8 * (at - b->entry.offset), .clock = last, .row = b->begin.row + b->refs.n, .key = key, .told = told,
	};
	if (good && tn_map_torn(&stream->file[0].map))
		return tn_fail(err, TN_ERR_SYSTEM, "%s: the file was cut while it was read", stream->path);
	return good ? TN_OK : tn_fail_memory(err);
}

/* ---- values ---- */

struct reader {
	struct tn_values values;
	const struct tn_batch *b;
	const struct tn_uf_trace *t;
	const struct tn_uf_stream *s;
	uint64_t at;		/* position in the entry, in bytes */
};

static void
add_number(struct reader *r, const struct tn_field *f, uint64_t v, uint64_t at, uint64_t size)
{
	struct tn_value *value = tn_values_add(&r->values, f, 8 * at);

	value->u = v;
	value->end = 8 * (at + size);
}

static void
add_text(struct reader *r, const struct tn_field *f, const void *text, size_t n, uint64_t at, uint64_t size)
{
	tn_values_string(&r->values, f, text, n, 8 * at)->end = 8 * (at + size);
}

static void
read_task(struct reader *r, const struct tn_uf_record *rec, const struct tn_field *payload)
{
	const uint8_t *p = r->b->data + r->at;
	const struct tn_field *f = payload->type->field;
	size_t root = tn_values_begin(&r->values, payload, 8 * r->at);

	if (rec->type == PERF_COMM)
		add_text(r, &f[0], p + 16, strlen((const char *)p + 16), r->at + 16, rec->size - 32);
	/* The fields are pid, ppid, tid, ptid; COMM does not have them. */
	for (size_t i = 0; rec->type != PERF_COMM && i < 4; i++)
		add_number(r, &f[i], (uint64_t)(int32_t)tn_uf_number(p + 8 + 4 * i, 4, r->t->big_endian), r->at + 8 + 4 * i, 4);
	tn_values_end(&r->values, root, rec->type == PERF_COMM ? 1 : 4, 8 * (r->at + rec->size));
}

static void
read_message(struct reader *r, const struct tn_uf_record *rec, const struct tn_field *payload)
{
	size_t root = tn_values_begin(&r->values, payload, 8 * r->at), n = rec->depth;
	uint64_t at = r->at + rec->address;

	while (n && r->b->data[at + n - 1] == '\r')
		n--;
	add_text(r, &payload->type->field[0], r->b->data + at, n, at, n);
	tn_values_end(&r->values, root, 1, 8 * (r->at + rec->size));
}

/* Add the thread or the processor of the stream, which the bytes of the file do not contain. */
static void
read_packet(struct reader *r)
{
	const struct tn_field *context = r->b->stream->stream_class->packet_context, *f = context->type->field;
	size_t root = tn_values_begin(&r->values, context, 0);
	bool is_thread = r->s->source == TN_UF_THREAD;
	const char *program = r->s->n_sessions ? r->s->session[r->s->n_sessions - 1]->program : "";

	if (!is_thread) {
		add_number(r, &f[0], (uint64_t)r->s->cpu, 0, 0);
	} else {
		add_number(r, &f[0], (uint64_t)r->s->tid, 0, 0);
		add_number(r, &f[1], (uint64_t)r->s->pid, 0, 0);
		add_text(r, &f[2], program, strlen(program), 0, 0);
	}
	tn_values_end(&r->values, root, is_thread ? 3 : 1, 0);
}

static void
read_task_context(struct reader *r, const struct tn_uf_record *rec)
{
	const struct tn_field *context = r->b->stream->stream_class->common_context, *f = context->type->field;
	uint64_t at = r->at + rec->address, tid = at + (rec->type == PERF_FORK || rec->type == PERF_EXIT ? 8 : 4);
	int32_t pid = (int32_t)tn_uf_number(r->b->data + at, 4, r->t->big_endian);
	size_t root = tn_values_begin(&r->values, context, 8 * at);
	const char *program = "";

	for (size_t i = 0; i < r->t->sessions.n; i++)
		if (r->t->sessions.item[i]->pid == pid && (!*program || r->t->sessions.item[i]->time <= rec->time))
			program = r->t->sessions.item[i]->program;
	add_number(r, &f[0], (uint64_t)pid, at, 4);
	add_number(r, &f[1], (uint64_t)(int32_t)tn_uf_number(r->b->data + tid, 4, r->t->big_endian), tid, 4);
	add_text(r, &f[2], program, strlen(program), at, 0);
	tn_values_end(&r->values, root, 3, 8 * (tid + 4));
}

/* Whether the file no longer has the row, because another program writes the file. */
static bool
has_changed(const struct tn_batch *b, size_t i)
{
	const struct tn_uf_stream *s = b->stream->own;
	const struct tn_uf_spec *spec;
	struct tn_uf_record r;

	return i < b->refs.n && b->refs.item[i].event_class != TN_REF_NOTICE && s->source != TN_UF_KERNEL &&
	       (!next(b->stream, b->entry.offset + b->refs.item[i].bit / 8, b->entry.offset + b->entry.size_bits / 8, &r, &spec) ||
		class_of(b->stream->trace->own, s, &r, spec) != b->refs.item[i].event_class);
}

static enum tn_code
fail_changed(const struct tn_batch *b, struct tn_error *err)
{
	return tn_fail(err, TN_ERR_FORMAT, "%s: packet %zu: the file has changed", b->stream->path, b->packet);
}

enum tn_code
tn_uf_read(const struct tn_batch *b, size_t i, unsigned scopes, struct tn_event *e, struct tn_error *err)
{
	struct reader r = {
		.values.event = e, .b = b, .t = b->stream->trace->own, .s = b->stream->own,
	};
	const struct tn_field *payload;
	const struct tn_uf_spec *spec;
	struct tn_uf_record rec;

	/* The records of threads have a plan, but the file does not contain their packet context. */
	if (r.s->source == TN_UF_THREAD) {
		enum tn_code rc;

		if (has_changed(b, i))
			return fail_changed(b, err);
		if ((rc = tn_ftrace_read(b, i, scopes & ~TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT), 0, e, err)) < 0)
			return rc;
	} else {
		tn_event_begin(e, b);
	}
	if (scopes & TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT) && r.s->source != TN_UF_EXTERN) {
		e->scope[TN_SCOPE_PACKET_CONTEXT] = (uint32_t)e->n_values;
		read_packet(&r);
	}
	if (i == TN_READ_PACKET || r.s->source == TN_UF_THREAD)
		return r.values.failed ? tn_fail_memory(err) : TN_OK;
	if (i >= b->refs.n || b->refs.item[i].event_class == TN_REF_NOTICE)
		return tn_fail(err, TN_ERR_ARGUMENT, "the row is not an event");
	r.at = b->refs.item[i].bit / 8;
	if (has_changed(b, i))
		return fail_changed(b, err);
	e->event_class = b->stream->trace->event_class[b->refs.item[i].event_class];
	e->name = e->event_class->name;
	e->has_time = e->has_cycles = true;
	e->cycles = tn_batch_cycles(b, i);
	e->time_ns = tn_batch_time(b, i);
	e->row = b->begin.row + i;
	e->bit = 8 * r.at;
	if (r.s->source == TN_UF_KERNEL)
		return r.values.failed ? tn_fail_memory(err) : tn_uf_read_kernel(b, i, scopes, e, err);
	next(b->stream, b->entry.offset + r.at, b->entry.offset + b->entry.size_bits / 8, &rec, &spec);
	e->end_bit = 8 * (r.at + rec.size);
	if (r.s->source == TN_UF_CPU && scopes & TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT)) {
		e->scope[TN_SCOPE_COMMON_CONTEXT] = (uint32_t)e->n_values;
		read_task_context(&r, &rec);
	}
	payload = e->event_class->payload;
	if (payload && scopes & TN_SCOPE_BIT(TN_SCOPE_PAYLOAD)) {
		e->scope[TN_SCOPE_PAYLOAD] = (uint32_t)e->n_values;
		if (r.s->source == TN_UF_CPU)
			read_task(&r, &rec, payload);
		else
			read_message(&r, &rec, payload);
	}
	return r.values.failed ? tn_fail_memory(err) : TN_OK;
}
