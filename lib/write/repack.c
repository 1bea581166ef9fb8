/*
 * repack.c - write packets of CTF 1.8 again with fewer events: bits are copied, nothing is encoded
 *
 * An event is moved to a position that equals its old one modulo its largest alignment. Its bits then do not change, and
 * bits of neighbours are copied together. If this is impossible, its fields are moved one by one. Sizes and counters, and
 * times if the packet is divided, are written over the copied header.
 *
 * The clock in a short header has only the lower bits of the time. If events were left out, the step from the previous
 * event may be too long for these bits. Then a new packet begins, and its begin has the whole time of the event.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/messages.h"
#include "base/str.h"
#include "write/encode.h"
#include "write/sink.h"

#define MOST_TEXT ((size_t)1 << 20)	/* limit of metadata in memory, in bytes */

#define MUCH_BITS (UINT64_C(1) << 23)	/* bits of a packet that are buffered before they are written to the file */
#define LONG_RANGE ((size_t)8 << 20)

/* Members of a packet's header and context, with a role, whose values may change. */
enum { SIZE, CONTENT, BEGIN, END, DISCARDED, SEQUENCE, N_PLACES };

static const uint32_t place_role[N_PLACES] = {
	TN_ROLE_PACKET_SIZE, TN_ROLE_CONTENT_SIZE, TN_ROLE_TIMESTAMP_BEGIN, TN_ROLE_TIMESTAMP_END, TN_ROLE_DISCARDED,
	TN_ROLE_SEQUENCE_NUMBER,
};

struct place {
	const struct tn_type *type;	/* NULL: the packet does not have the member */
	uint64_t bit, value;
};

struct class_align {
	uint32_t first, most;	/* alignment of the event's start; largest alignment of its fields */
};

struct repack {
	struct tn_sink sink;	/* first member, because pointers to it are converted */
	struct class_align *align;	/* by event class */
	unsigned least_time_bits;	/* bits of the time in the event header; 64: any step fits */
	/* Complete packets that are adjacent in the mapped file, and are copied together. */
	const uint8_t *range;
	size_t range_n;
	/* The packet that is being written. */
	const uint8_t *source;
	struct tn_packet_numbers numbers;
	struct place place[N_PLACES];
	uint8_t *head;		/* the packet's header and context */
	size_t head_room;
	uint64_t head_bits;
	uint64_t start;		/* start of the packet in the file, in bytes */
	uint8_t *bits;		/* bits of the packet, from bit `base` on */
	size_t room;
	uint64_t base, at;	/* in bits from the start of the packet */
	uint64_t clock;		/* the running clock */
	uint64_t part_events;
	/* Source bits [from, to), which are to be copied `shift` bits further; `at` already counts them. */
	bool has_run;
	uint64_t from, to, shift;
	struct tn_event event;
};

static enum tn_code
cannot(struct tn_error *err, const char *why)
{
	return tn_fail(err, TN_ERR_UNSUPPORTED, "%s", _(why));
}

/* ---- packets that can be repacked ---- */

static unsigned
least_clock_bits(const struct tn_type *t)
{
	unsigned least = 64;

	if (t->roles & TN_ROLE_CLOCK)
		return (unsigned)t->length;
	for (size_t i = 0; i < t->n_fields; i++) {
		unsigned n = least_clock_bits(t->field[i].type);

		least = n < least ? n : least;
	}
	return least;
}

static bool
has_clock(const struct tn_field *f)
{
	if (!f)
		return false;
	if (f->type->roles & TN_ROLE_CLOCK)
		return true;
	for (size_t i = 0; i < f->type->n_fields; i++)
		if (has_clock(&f->type->field[i]))
			return true;
	return false;
}

/* Whether the type has fields of the other byte order that can cross the border of a byte. */
static bool
mixes_orders(const struct tn_trace *trace, const struct tn_field *f)
{
	const struct tn_type *t;

	if (!f)
		return false;
	t = f->type;
	if (t->kind <= TN_KIND_FLOAT && t->big_endian != trace->big_endian && (t->align % 8 || t->length % 8))
		return true;
	for (size_t i = 0; i < t->n_fields; i++)
		if (mixes_orders(trace, &t->field[i]))
			return true;
	return false;
}

/* The roles of the integers inside of @f whose values can be overwritten. */
static uint32_t
roles_of(const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	uint32_t roles = t->kind == TN_KIND_UINT && t->length <= 64 && !t->varint ? t->roles : 0;

	/* Only times of 64 bits can be replaced. */
	if (t->length < 64)
		roles &= ~(uint32_t)(TN_ROLE_TIMESTAMP_BEGIN | TN_ROLE_TIMESTAMP_END);
	for (size_t i = 0; i < t->n_fields; i++)
		roles |= roles_of(&t->field[i]);
	return roles;
}

static bool
class_can(const struct tn_stream_class *sc)
{
	uint32_t roles = sc->packet_context ? roles_of(sc->packet_context) : 0;
	const struct tn_trace *trace = sc->trace;

	if (!(roles & TN_ROLE_PACKET_SIZE) || !(roles & TN_ROLE_CONTENT_SIZE) || sc->late_time)
		return false;
	if (sc->clock && (!(roles & TN_ROLE_TIMESTAMP_BEGIN) || !(roles & TN_ROLE_CLOCK)))
		return false;
	if (has_clock(sc->common_context) || mixes_orders(trace, sc->event_header) ||
	    mixes_orders(trace, sc->common_context))
		return false;
	for (size_t i = 0; i < sc->n_event_classes; i++) {
		const struct tn_event_class *ec = sc->event_class[i];

		if (has_clock(ec->specific_context) || has_clock(ec->payload) ||
		    mixes_orders(trace, ec->specific_context) || mixes_orders(trace, ec->payload))
			return false;
	}
	return true;
}

bool
tn_repack_can(const struct tn_trace *trace)
{
	for (size_t i = 0; i < trace->n_stream_classes; i++)
		if (!class_can(trace->stream_class[i]))
			return false;
	return true;
}

/* ---- alignments ---- */

static uint32_t
align_of(const struct tn_type *t)
{
	return t->kind == TN_KIND_STRING || t->kind == TN_KIND_BLOB ? (t->align > 8 ? t->align : 8) : t->align;
}

static uint32_t
most_align(const struct tn_type *t)
{
	uint32_t most = align_of(t);

	for (size_t i = 0; i < t->n_fields; i++) {
		uint32_t n = most_align(t->field[i].type);

		most = n > most ? n : most;
	}
	return most;
}

static void
find_align(struct class_align *out, const struct tn_event_class *ec)
{
	const struct tn_stream_class *sc = ec->stream_class;
	const struct tn_field *scope[] = { sc->event_header, sc->common_context, ec->specific_context, ec->payload };

	/* Bits move by whole bytes, because the order of the bits in a byte depends on the byte order. */
	*out = (struct class_align) { .most = 8 };
	for (unsigned i = 0; i < 4; i++) {
		uint32_t most;

		if (!scope[i])
			continue;
		if (!out->first)
			out->first = scope[i]->type->align;
		most = most_align(scope[i]->type);
		out->most = most > out->most ? most : out->most;
	}
	if (!out->first)
		out->first = 1;
}

/* ---- bits ---- */

/* Copy @n bits from bit @from of @p to bit @to of @out; @from and @to are equal modulo 8. */
static void
copy_bits(uint8_t *out, uint64_t to, const uint8_t *p, uint64_t from, uint64_t n, bool be)
{
	unsigned first = (8 - (from & 7)) & 7;

	if (first > n)
		first = (unsigned)n;
	if (first)
		tn_bits_store(out, to, first, tn_bits(p, from, first, be), be);
	n -= first;
	from += first;
	to += first;
	memcpy(out + to / 8, p + from / 8, (size_t)(n / 8));
	if (n & 7)
		tn_bits_store(out, to + (n & ~UINT64_C(7)), n & 7, tn_bits(p, from + (n & ~UINT64_C(7)), n & 7, be), be);
}

/* Move bits to any position, in pieces. */
static void
move_bits(uint8_t *out, uint64_t to, const uint8_t *p, uint64_t from, uint64_t n, bool be)
{
	if ((to & 7) == (from & 7)) {
		copy_bits(out, to, p, from, n, be);
		return;
	}
	while (n) {
		unsigned k = n < 32 ? (unsigned)n : 32;

		tn_bits_store(out, to, k, tn_bits(p, from, k, be), be);
		n -= k;
		from += k;
		to += k;
	}
}

/* Make space for the packet up to bit @end. */
static bool
reserve(struct repack *r, uint64_t end)
{
	size_t need = (size_t)((end - r->base) / 8 + 16);

	return need <= r->room || tn_array_reserve((void **)&r->bits, &r->room, need, 1);
}

static void
clear_bits(struct repack *r, uint64_t from, uint64_t to)
{
	while (from < to) {
		unsigned k = to - from < 32 ? (unsigned)(to - from) : 32;

		tn_bits_store(r->bits, from - r->base, k, 0, r->sink.stream->trace->big_endian);
		from += k;
	}
}

/* Write the complete part of a long packet to the file. */
static enum tn_code
spill(struct repack *r, struct tn_error *err)
{
	uint64_t bytes = (r->at - r->base) / 8;
	enum tn_code rc;

	if (r->base == 0)
		memcpy(r->head, r->bits, (size_t)((r->head_bits + 7) / 8));
	rc = tn_outfile_write(&r->sink.file, r->bits, (size_t)bytes, err);
	r->bits[0] = r->bits[bytes];
	r->base += bytes * 8;
	return rc;
}

/* Copy the events that are waiting. */
static enum tn_code
copy_run(struct repack *r, struct tn_error *err)
{
	if (!r->has_run)
		return TN_OK;
	r->has_run = false;
	if (!reserve(r, r->at))
		return tn_fail_memory(err);
	copy_bits(r->bits, r->from + r->shift - r->base, r->source, r->from, r->to - r->from,
		  r->sink.stream->trace->big_endian);
	return r->at - r->base > MUCH_BITS ? spill(r, err) : TN_OK;
}

/* ---- header and context ---- */

static void
find_places(struct repack *r)
{
	const struct tn_event *e = &r->event;

	memset(r->place, 0, sizeof r->place);
	for (size_t i = 0; i < e->n_values; i++) {
		const struct tn_value *v = &e->value[i];
		const struct tn_type *t = v->field->type;

		if (t->kind != TN_KIND_UINT || t->length > 64 || !t->roles)
			continue;
		for (unsigned k = 0; k < N_PLACES; k++)
			if (t->roles & place_role[k])
				r->place[k] = (struct place) { t, v->bit, v->u };
	}
}

static uint64_t
cut(const struct tn_type *t, uint64_t v)
{
	return tn_low_bits(v, (unsigned)t->length);
}

/* Put the values of the members into the header at @p. */
static void
put_places(const struct repack *r, uint8_t *p)
{
	for (unsigned k = 0; k < N_PLACES; k++) {
		const struct tn_type *t = r->place[k].type;

		if (t)
			tn_bits_store(p, r->place[k].bit, (unsigned)t->length, r->place[k].value, t->big_endian);
	}
}

static enum tn_code
read_head(struct repack *r, const struct tn_batch *b, const struct tn_packet_numbers *numbers, struct tn_error *err)
{
	const struct tn_trace *trace = r->sink.stream->trace;
	enum tn_code rc;
	size_t bytes;

	rc = trace->ops->read(b, TN_READ_PACKET, TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) |
			      TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT), &r->event, err);
	if (rc != TN_OK)
		return rc;
	find_places(r);
	r->source = b->data;
	r->head_bits = r->event.end_bit;
	bytes = (size_t)((r->head_bits + 7) / 8);
	if (bytes + 8 > r->head_room && !tn_array_reserve((void **)&r->head, &r->head_room, bytes + 8, 1))
		return tn_fail_memory(err);
	memcpy(r->head, b->data, bytes);
	r->numbers = *numbers;
	if (r->place[DISCARDED].type)
		r->place[DISCARDED].value = cut(r->place[DISCARDED].type,
						r->place[DISCARDED].value - numbers->discarded_shift);
	return TN_OK;
}

static void
number_packet(struct repack *r, uint64_t was)
{
	if (r->place[SEQUENCE].type)
		r->place[SEQUENCE].value = cut(r->place[SEQUENCE].type,
					       was + r->numbers.sequence_shift + r->sink.more_packets);
}

static enum tn_code
add_index(struct repack *r, struct tn_error *err)
{
	struct tn_packet p = { .offset = r->start };
	uint64_t *word[N_PLACES] = {
		&p.size_bits, &p.content_bits, &p.begin_cycles, &p.end_cycles, &p.discarded, &p.sequence,
	};
	const struct tn_stream *s = r->sink.stream;

	r->sink.packets++;
	if (!r->sink.has_index)
		return TN_OK;
	for (unsigned k = 0; k < N_PLACES; k++)
		*word[k] = r->place[k].type ? r->place[k].value : TN_UNKNOWN;
	return tn_index_file_add(&r->sink.index, &p, s->stream_class->id, s->has_instance_id ? s->id : TN_UNKNOWN, err);
}

/* ---- packets ---- */

static enum tn_code
copy_range(struct repack *r, struct tn_error *err)
{
	size_t n = r->range_n;

	r->range_n = 0;
	return n ? tn_outfile_write(&r->sink.file, r->range, n, err) : TN_OK;
}

static enum tn_code
begin_part(struct repack *r, struct tn_error *err)
{
	enum tn_code rc = copy_range(r, err);

	r->base = 0;
	if (rc != TN_OK)
		return rc;
	if (!reserve(r, r->head_bits))
		return tn_fail_memory(err);
	r->start = tn_outfile_size(&r->sink.file);
	r->at = r->head_bits;
	r->has_run = false;
	r->part_events = 0;
	memcpy(r->bits, r->head, (size_t)((r->head_bits + 7) / 8));
	if (r->head_bits % 8)
		clear_bits(r, r->head_bits, tn_align_up(r->head_bits, 8));
	return TN_OK;
}

static enum tn_code
end_part(struct repack *r, struct tn_error *err)
{
	enum tn_code rc = copy_run(r, err);
	uint64_t content = r->at, size = tn_align_up(r->at, 8);

	if (rc != TN_OK)
		return rc;
	if (!r->place[SIZE].type || !r->place[CONTENT].type || cut(r->place[SIZE].type, size) != size ||
	    cut(r->place[CONTENT].type, content) != content)
		return cannot(err, N_("a packet's sizes cannot be changed"));
	r->place[SIZE].value = size;
	r->place[CONTENT].value = content;
	if (!reserve(r, size))
		return tn_fail_memory(err);
	clear_bits(r, content, size);
	if (r->base) {
		put_places(r, r->head);
		rc = tn_outfile_patch(&r->sink.file, r->start, r->head, (size_t)((r->head_bits + 7) / 8), err);
	} else {
		put_places(r, r->bits);
	}
	if (rc == TN_OK)
		rc = tn_outfile_write(&r->sink.file, r->bits, (size_t)((size - r->base) / 8), err);
	return rc == TN_OK ? add_index(r, err) : rc;
}

static enum tn_code
repack_begin(struct tn_sink *sink, const struct tn_batch *b, const struct tn_packet_numbers *numbers,
	     struct tn_error *err)
{
	struct repack *r = (struct repack *)sink;
	enum tn_code rc = read_head(r, b, numbers, err);

	if (rc != TN_OK)
		return rc;
	number_packet(r, r->place[SEQUENCE].value);
	r->clock = r->place[BEGIN].value;
	if (sink->stream->stream_class->clock && r->least_time_bits < 64 && !r->place[BEGIN].type)
		return cannot(err, N_("a packet does not have a start"));
	return begin_part(r, err);
}

static enum tn_code
repack_end(struct tn_sink *sink, struct tn_error *err)
{
	return end_part((struct repack *)sink, err);
}

/* Divide the packet, if the step to @time needs more bits than the event's header has; see the top of this file. */
static enum tn_code
divide(struct repack *r, uint64_t time, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	if (r->part_events) {
		uint64_t end = r->place[END].value, number = r->place[SEQUENCE].value;

		if (r->place[END].type)
			r->place[END].value = cut(r->place[END].type, time);
		rc = end_part(r, err);
		r->place[END].value = end;
		r->sink.more_packets++;
		if (r->place[SEQUENCE].type)
			r->place[SEQUENCE].value = cut(r->place[SEQUENCE].type, number + 1);
		if (rc == TN_OK)
			rc = begin_part(r, err);
	}
	r->place[BEGIN].value = time;
	r->clock = time;
	return rc;
}

/* The size in bits of the clock field in the event's header; the last such field counts. */
static enum tn_code
time_bits(struct repack *r, const struct tn_batch *b, size_t row, unsigned *bits, struct tn_error *err)
{
	enum tn_code rc = r->sink.stream->trace->ops->read(b, row, TN_SCOPE_BIT(TN_SCOPE_EVENT_HEADER), &r->event, err);

	*bits = 0;
	for (size_t i = 0; rc == TN_OK && i < r->event.n_values; i++)
		if (r->event.value[i].field->type->roles & TN_ROLE_CLOCK)
			*bits = (unsigned)r->event.value[i].field->type->length;
	return rc;
}

/* Move the fields of the event one after another, each to its own alignment. */
static enum tn_code
move_fields(struct repack *r, const struct tn_batch *b, size_t row, struct tn_error *err)
{
	const struct tn_trace *trace = r->sink.stream->trace;
	enum tn_code rc = trace->ops->read(b, row, TN_SCOPE_ALL & ~(TN_SCOPE_BIT(TN_SCOPE_PACKET_HEADER) |
					   TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT)), &r->event, err);

	for (size_t i = 0; rc == TN_OK && i < r->event.n_values; i++) {
		const struct tn_value *v = &r->event.value[i];
		const struct tn_type *t = v->field->type;
		uint64_t to = tn_align_up(r->at, align_of(t)), n = t->n_fields ? 0 : v->end - v->bit;

		if (!reserve(r, to + n))
			return tn_fail_memory(err);
		clear_bits(r, r->at, to);
		if (t->kind != TN_KIND_STRUCT && t->kind != TN_KIND_ARRAY && t->kind != TN_KIND_VARIANT) {
			move_bits(r->bits, to - r->base, r->source, v->bit, n, t->big_endian);
			to += n;
		}
		r->at = to;
	}
	return rc == TN_OK && r->at - r->base > MUCH_BITS ? spill(r, err) : rc;
}

static enum tn_code
repack_event(struct tn_sink *sink, const struct tn_batch *b, size_t row, uint64_t end, struct tn_error *err)
{
	struct repack *r = (struct repack *)sink;
	const struct tn_ref *ref = &b->refs.item[row];
	const struct class_align *align = &r->align[ref->event_class];
	uint64_t start = b->base_bit + ref->bit, from, to;
	enum tn_code rc = TN_OK;

	if (sink->stream->stream_class->clock && r->least_time_bits < 64) {
		uint64_t time = tn_batch_cycles(b, row);
		unsigned bits;

		if (__builtin_expect((time - r->clock) >> r->least_time_bits != 0, 0)) {
			rc = time_bits(r, b, row, &bits, err);
			if (rc == TN_OK && bits < 64 && (time - r->clock) >> bits != 0)
				rc = divide(r, time, err);
			if (rc != TN_OK)
				return rc;
		}
		r->clock = time;
	}
	r->part_events++;
	sink->events++;
	if (r->has_run && r->to == start && (r->shift & (align->most - 1)) == 0 && r->to - r->from < MUCH_BITS) {
		r->to = end;
		r->at += end - start;
		return TN_OK;
	}
	rc = copy_run(r, err);
	if (rc != TN_OK)
		return rc;
	from = tn_align_up(start, align->first);
	to = tn_align_up(r->at, align->first);
	if (((to - from) & (align->most - 1)) != 0)
		return move_fields(r, b, row, err);
	if (!reserve(r, to))
		return tn_fail_memory(err);
	clear_bits(r, r->at, to);
	r->has_run = true;
	r->from = from;
	r->to = end;
	r->shift = to - from;
	r->at = to + (end - from);
	return TN_OK;
}

/* ---- whole packets ---- */

/* Write the header with other counters, and the part after it. */
static enum tn_code
renumber_whole(struct repack *r, const struct tn_batch *b, const struct tn_packet_numbers *numbers, struct tn_error *err)
{
	enum tn_code rc = read_head(r, b, numbers, err);
	size_t head = (size_t)((r->head_bits + 7) / 8), all = (size_t)(b->entry.size_bits / 8);

	if (rc == TN_OK)
		rc = copy_range(r, err);
	if (rc != TN_OK)
		return rc;
	number_packet(r, r->place[SEQUENCE].value);
	put_places(r, r->head);
	r->start = tn_outfile_size(&r->sink.file);
	rc = tn_outfile_write(&r->sink.file, r->head, head, err);
	if (rc == TN_OK)
		rc = tn_outfile_write(&r->sink.file, b->data + head, all - head, err);
	return rc == TN_OK ? add_index(r, err) : rc;
}

static enum tn_code
repack_whole(struct tn_sink *sink, const struct tn_batch *b, const struct tn_packet_numbers *numbers,
	     struct tn_error *err)
{
	struct repack *r = (struct repack *)sink;
	const struct tn_stream *s = sink->stream;
	size_t bytes = (size_t)(b->entry.size_bits / 8);
	struct tn_packet p = b->entry;
	enum tn_code rc = TN_OK;

	if (numbers->sequence_shift + sink->more_packets || numbers->discarded_shift)
		return renumber_whole(r, b, numbers, err);
	if (r->range_n && (r->range + r->range_n != b->data || r->range_n + bytes > LONG_RANGE))
		rc = copy_range(r, err);
	if (rc != TN_OK)
		return rc;
	p.offset = tn_outfile_size(&sink->file) + r->range_n;
	if (!r->range_n)
		r->range = b->data;
	r->range_n += bytes;
	sink->packets++;
	return sink->has_index ? tn_index_file_add(&sink->index, &p, s->stream_class->id,
						   s->has_instance_id ? s->id : TN_UNKNOWN, err) : TN_OK;
}

static enum tn_code
repack_finish(struct tn_sink *sink, struct tn_error *err)
{
	enum tn_code rc = copy_range((struct repack *)sink, err);

	return rc == TN_OK ? tn_sink_flush(sink, err) : rc;
}

static void
repack_free(struct tn_sink *sink)
{
	struct repack *r = (struct repack *)sink;

	tn_sink_release(sink);
	tn_event_release(&r->event);
	free(r->align);
	free(r->head);
	free(r->bits);
	free(r);
}

static const struct tn_sink_ops repack_ops = {
	repack_begin, repack_event, repack_end, repack_whole, repack_finish, repack_free,
};

enum tn_code
tn_repack_new(struct tn_sink **out, const struct tn_stream *stream, const char *folder, const char *name, size_t room,
	      struct tn_error *err)
{
	const struct tn_stream_class *sc = stream->stream_class;
	uint32_t times = TN_ROLE_TIMESTAMP_BEGIN | TN_ROLE_TIMESTAMP_END | TN_ROLE_CLOCK;
	/* Entries of the index need both times. */
	bool has_index = sc->clock && sc->packet_context && (roles_of(sc->packet_context) & times) == times;
	struct repack *r = calloc(1, sizeof *r);

	*out = r ? &r->sink : NULL;
	if (!r)
		return tn_fail_memory(err);
	r->sink.ops = &repack_ops;
	r->align = calloc(sc->trace->n_event_classes + 1, sizeof *r->align);
	if (!r->align)
		return tn_fail_memory(err);
	for (size_t i = 0; i < sc->trace->n_event_classes; i++)
		find_align(&r->align[i], sc->trace->event_class[i]);
	r->least_time_bits = sc->event_header ? least_clock_bits(sc->event_header->type) : 64;
	return tn_sink_init(&r->sink, &repack_ops, stream, folder, name, has_index, room, err);
}

/* Write the current text of the metadata. It is an error if it differs from the text of the model. */
static enum tn_code
write_metadata(struct tn_outfile *file, const struct tn_trace *trace, struct tn_error *err)
{
	enum tn_code rc = TN_OK;
	char piece[16384];
	uint64_t sum = 1;
	size_t n;

	for (size_t at = 0; rc == TN_OK && at < trace->metadata_size; at += n) {
		n = trace->metadata_size - at < sizeof piece ? trace->metadata_size - at : sizeof piece;
		memcpy(piece, trace->metadata_text + at, n);
		tn_map_pass(&trace->metadata_map, at, at + n);
		sum = tn_sum_bytes(sum, piece, n);
		rc = tn_outfile_write(file, piece, n, err);
	}
	if (rc == TN_OK && trace->metadata_map.base && sum != trace->metadata_sum)
		rc = tn_fail(err, TN_ERR_FORMAT, "%s/metadata: the metadata has changed since the trace was opened", trace->path);
	return rc;
}

enum tn_code
tn_repack_metadata(const struct tn_trace *trace, const char *folder, const char *shown, struct tn_error *err)
{
	static const char signature[] = "/* CTF 1.8 */\n";
	struct tn_str path = { 0 };
	struct tn_outfile file;
	enum tn_code rc;

	tn_str_printf(&path, "%s/metadata", folder);
	rc = tn_outfile_init(&file, path.failed ? NULL : path.text, shown, MOST_TEXT, err);
	if (rc == TN_OK && (trace->metadata_size < 10 || memcmp(trace->metadata_text, signature, 10) != 0))
		rc = tn_outfile_write(&file, signature, sizeof signature - 1, err);
	if (rc == TN_OK)
		rc = write_metadata(&file, trace, err);
	if (rc == TN_OK)
		rc = tn_outfile_flush(&file, err);
	tn_outfile_release(&file);
	return rc;
}
