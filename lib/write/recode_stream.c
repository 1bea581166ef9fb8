/*
 * recode_stream.c - values to packets of CTF 1.8
 */
#include "write/recode.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "write/draft.h"
#include "write/encode.h"

#define MUCH ((size_t)16 << 20)	/* bytes of a packet: a longer one is divided */
#define MAGIC UINT32_C(0xc1fc1fc1)

struct recode {
	struct tn_sink sink;	/* first */
	struct tn_recoder *rc;
	uint32_t class_number;
	uint64_t number;	/* stream_instance_id */
	unsigned sequence_bits, discarded_bits;	/* 0: no such counter */
	struct tn_event event;
	struct tn_str text;
	struct tn_recode_shown shown;
	/* The packet being made. */
	uint8_t *p;
	size_t room;
	uint64_t at;		/* bits */
	bool failed;		/* memory */
	uint8_t *head;		/* its header and context: a divided packet has them twice */
	size_t head_n, head_room, sizes_at;
	uint64_t head_bits;
	uint64_t begin, end, first, last;	/* as the source says; of its events */
	uint64_t sequence, discarded;
	uint64_t part_events;
};

/* ---- encoding: each leaf begins on a byte ---- */

static uint8_t *
place(struct recode *r, uint64_t bytes)
{
	uint64_t at = (r->at + 7) / 8;

	if (bytes > SIZE_MAX / 4 || (at + bytes + 8 > r->room &&
	    !tn_array_reserve((void **)&r->p, &r->room, (size_t)(at + bytes + 8), 1))) {
		r->failed = true;
		return NULL;
	}
	return r->p + at;
}

static void
put_number(struct recode *r, unsigned bits, uint64_t v)
{
	uint8_t *p = place(r, 8);

	if (!p)
		return;
	v = tn_low_bits(v, bits);
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> (8 * i));
	r->at = (r->at + 7) / 8 * 8 + bits;
}

static void
put_bytes(struct recode *r, const void *bytes, uint64_t n)
{
	uint8_t *p = place(r, n);

	if (!p)
		return;
	if (n)
		memcpy(p, bytes, (size_t)n);
	r->at = (r->at + 7) / 8 * 8 + n * 8;
}

/* Up to its first NUL, which follows. */
static void
put_string(struct recode *r, const uint8_t *bytes, uint64_t n)
{
	const uint8_t *nul = n ? memchr(bytes, 0, (size_t)n) : NULL;

	put_bytes(r, bytes, nul ? (uint64_t)(nul - bytes) : n);
	put_bytes(r, "", 1);
}

static void
put_float(struct recode *r, unsigned bits, double value)
{
	float single = (float)value;
	uint32_t word;
	uint64_t v;

	memcpy(&word, &single, 4);
	memcpy(&v, &value, 8);
	put_number(r, bits, bits == 32 ? word : v);
}

/* More than 64 bits: the byte of most weight first. */
static void
put_wide(struct recode *r, const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;
	uint64_t bytes = (t->length + 7) / 8;
	unsigned shift = v->bit & 7;
	uint8_t *p = place(r, bytes);

	if (!p)
		return;
	memset(p, 0, (size_t)bytes);
	for (uint64_t i = 0; i < t->length; i++) {
		/* As lib/text does: big-endian fields begin with the bit of most weight, unless they are reversed. */
		uint64_t at = shift + (t->big_endian == t->reversed ? i : t->length - 1 - i);
		unsigned bit = v->bytes[at / 8] >> (t->big_endian ? 7 - at % 8 : at % 8) & 1u;

		p[bytes - 1 - i / 8] |= (uint8_t)(bit << (i % 8));
	}
	r->at = (r->at + 7) / 8 * 8 + bytes * 8;
}

static void put_value(struct recode *r, const struct tn_value *v, const struct tn_recode_member *how);

/* Where a structure or an array begins: what reads it goes there even when nothing is in it. */
static void
put_begin(struct recode *r, const struct tn_recode_field *way)
{
	if (way->align > 1)
		r->at = (r->at + 7) / 8 * 8;
}

/* A member that an event does not have. */
static void
put_nothing(struct recode *r, const struct tn_field *f)
{
	const struct tn_recode_field *way = tn_recode_way(r->rc, f);
	const struct tn_type *t = f->type;
	uint64_t n = t->extent == TN_EXTENT_STATIC ? t->length : 0;

	switch (way->way) {
	case TN_WAY_INTEGER:
	case TN_WAY_FLOAT:
		put_number(r, way->bits, 0);
		return;
	case TN_WAY_BOOL:
		put_number(r, 8, 0);
		return;
	case TN_WAY_STRING:
	case TN_WAY_TEXT:
		put_bytes(r, "", 1);
		return;
	case TN_WAY_WIDE:
		n = (t->length + 7) / 8;
		/* fall through */
	case TN_WAY_BYTES:
		if (way->own)
			put_number(r, 32, 0);
		put_begin(r, way);
		for (uint64_t i = 0; i < n && !r->failed; i++)
			put_bytes(r, "", 1);
		return;
	case TN_WAY_STRUCT:
		put_begin(r, way);
		for (size_t i = 0; i < t->n_fields; i++)
			put_nothing(r, &t->field[i]);
		return;
	case TN_WAY_ARRAY:
		if (way->own)
			put_number(r, 32, 0);
		put_begin(r, way);
		for (uint64_t i = 0; i < n && !r->failed; i++)
			put_nothing(r, &t->field[0]);
		return;
	case TN_WAY_VARIANT:
		if (way->own)
			put_number(r, t->n_fields > 250 ? 32 : 8, 0);
		if (t->n_fields && !t->lenient_tag)
			put_nothing(r, &t->field[0]);
		return;
	case TN_WAY_OPTIONAL:
		put_number(r, 8, 0);
		return;
	case TN_WAY_UNKNOWN:
	case TN_WAY_NOTHING:
		return;
	}
}

static void
put_struct(struct recode *r, const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;
	const struct tn_value *member = v + 1;
	uint64_t met = 0;

	for (size_t i = 0; i < t->n_fields; i++) {
		if (met < v->n && member->field == &t->field[i]) {
			put_value(r, member, NULL);
			member += member->next;
			met++;
		} else {
			put_nothing(r, &t->field[i]);
		}
	}
}

static void
put_text(struct recode *r, const struct tn_value *v)
{
	tn_str_clear(&r->text);
	if (!r->rc->value_text(r->rc->user, v, &r->text) || r->text.failed)
		r->failed = true;
	else
		put_string(r, (const uint8_t *)tn_str_text(&r->text), r->text.n);
}

static void
put_inside(struct recode *r, const struct tn_recode_field *way, const struct tn_value *v)
{
	const struct tn_type *t = v->field->type;
	bool none = t->kind == TN_KIND_OPTIONAL || t->lenient_tag;

	if (t->kind == TN_KIND_OPTIONAL)
		put_number(r, 8, v->n != 0);
	else if (way->own)
		put_number(r, t->n_fields > 250 ? 32 : 8, v->n ? v->option + none : 0);
	if (v->n)
		put_value(r, v + 1, NULL);
}

static void
put_value(struct recode *r, const struct tn_value *v, const struct tn_recode_member *how)
{
	const struct tn_recode_field *way = tn_recode_way(r->rc, v->field);
	const struct tn_value *element = v + 1;

	if (r->failed)
		return;
	switch (way->way) {
	case TN_WAY_INTEGER:
		put_number(r, way->bits, v->u);
		return;
	case TN_WAY_BOOL:
		put_number(r, 8, v->u != 0);
		return;
	case TN_WAY_FLOAT:
		put_float(r, way->bits, v->f);
		return;
	case TN_WAY_WIDE:
		put_wide(r, v);
		return;
	case TN_WAY_STRING:
		if (how && how->has_nul) {
			put_number(r, 32, v->size);
			put_bytes(r, v->bytes, v->size);
		} else {
			put_string(r, v->bytes, v->size);
		}
		return;
	case TN_WAY_BYTES:
		if (way->own)
			put_number(r, 32, v->size);
		put_bytes(r, v->bytes, v->size);
		return;
	case TN_WAY_STRUCT:
		put_begin(r, way);
		put_struct(r, v);
		return;
	case TN_WAY_ARRAY:
		if (way->own && !(how && how->counted))
			put_number(r, 32, v->n);
		put_begin(r, way);
		for (uint64_t i = 0; i < v->n && !r->failed; i++, element += element->next)
			put_value(r, element, NULL);
		return;
	case TN_WAY_VARIANT:
	case TN_WAY_OPTIONAL:
		put_inside(r, way, v);
		return;
	case TN_WAY_TEXT:
		put_text(r, v);
		return;
	case TN_WAY_UNKNOWN:
	case TN_WAY_NOTHING:
		return;
	}
}

static const struct tn_value *
root_of(const struct tn_event *e, enum tn_scope scope)
{
	return e->scope[scope] == UINT32_MAX ? NULL : &e->value[e->scope[scope]];
}

/* A scope as its type says; nothing for one that is not shown. */
static void
put_scope(struct recode *r, const struct tn_field *root, const struct tn_value *v)
{
	if (!root || root->hidden)
		return;
	if (v)
		put_value(r, v, NULL);
	else
		put_nothing(r, root);
}

/* ---- packets ---- */

static void
set64(uint8_t *p, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

/* Header and context; what is known at the end of the packet gets its place. */
static enum tn_code
put_head(struct recode *r, const struct tn_batch *b, struct tn_error *err)
{
	const struct tn_stream_class *sc = r->sink.stream->stream_class;
	const struct tn_trace *t = r->rc->trace;
	const struct tn_field *context = sc->packet_context;
	enum tn_code rc;

	r->at = 0;
	put_number(r, 32, MAGIC);
	if (r->rc->has_uuid)
		put_bytes(r, t->uuid, 16);
	put_number(r, 32, r->rc->stream_class[r->class_number]);
	put_number(r, 64, r->number);
	r->sizes_at = (size_t)(r->at / 8);
	for (unsigned i = 0; i < (sc->clock ? 4 : 2); i++)
		put_number(r, 64, 0);
	if (r->sequence_bits)
		put_number(r, r->sequence_bits, r->sequence);
	if (r->discarded_bits)
		put_number(r, r->discarded_bits, r->discarded);
	if (context && !context->hidden && context->type->kind == TN_KIND_STRUCT) {
		rc = t->ops->read(b, TN_READ_PACKET, TN_SCOPE_BIT(TN_SCOPE_PACKET_CONTEXT), &r->event, err);
		if (rc != TN_OK)
			return rc;
		put_scope(r, context, root_of(&r->event, TN_SCOPE_PACKET_CONTEXT));
	}
	/* A packet without events ends with the last bit of its context. */
	r->head_bits = r->at;
	r->head_n = (size_t)((r->at + 7) / 8);
	if (r->head_n > r->head_room && !tn_array_reserve((void **)&r->head, &r->head_room, r->head_n, 1))
		r->failed = true;
	if (r->failed)
		return tn_fail_memory(err);
	memcpy(r->head, r->p, r->head_n);
	return TN_OK;
}

static enum tn_code
recode_begin(struct tn_sink *sink, const struct tn_batch *b, const struct tn_packet_numbers *numbers,
	     struct tn_error *err)
{
	struct recode *r = (struct recode *)sink;
	const struct tn_packet *e = &b->entry;

	r->begin = e->begin_cycles;
	r->end = e->end_cycles;
	r->part_events = 0;
	r->sequence = e->sequence == TN_UNKNOWN ? 0 : e->sequence + numbers->sequence_shift + sink->more_packets;
	r->discarded = e->discarded == TN_UNKNOWN ? 0 : e->discarded - numbers->discarded_shift;
	return put_head(r, b, err);
}

/* @divided: more of it follows in another packet. */
static enum tn_code
end_part(struct recode *r, bool divided, struct tn_error *err)
{
	bool clock = r->sink.stream->stream_class->clock != NULL;
	uint64_t size = (r->at + 7) / 8, begin = r->begin, end = divided ? TN_UNKNOWN : r->end, *last = &r->last;
	struct tn_packet p = { .sequence = TN_UNKNOWN, .discarded = TN_UNKNOWN };
	uint8_t *at = r->p + r->sizes_at;
	enum tn_code rc;

	if (begin == TN_UNKNOWN || (r->part_events && r->first < begin))
		begin = r->part_events ? r->first : end != TN_UNKNOWN ? end : *last;
	if (end == TN_UNKNOWN || (r->part_events && *last > end))
		end = r->part_events ? *last : begin;
	if (end < begin)
		end = begin;
	*last = end;
	p.offset = tn_outfile_size(&r->sink.file);
	p.size_bits = size * 8;
	p.content_bits = r->at;
	p.begin_cycles = begin;
	p.end_cycles = end;
	if (clock) {
		set64(at, begin);
		set64(at + 8, end);
		at += 16;
	}
	set64(at, p.content_bits);
	set64(at + 8, p.size_bits);
	if (r->sequence_bits)
		p.sequence = tn_low_bits(r->sequence, r->sequence_bits);
	if (r->discarded_bits)
		p.discarded = tn_low_bits(r->discarded, r->discarded_bits);
	r->sink.packets++;
	rc = tn_outfile_write(&r->sink.file, r->p, (size_t)size, err);
	if (rc == TN_OK && r->sink.has_index)
		rc = tn_index_file_add(&r->sink.index, &p, r->rc->stream_class[r->class_number], r->number, err);
	return rc;
}

static enum tn_code
recode_end(struct tn_sink *sink, struct tn_error *err)
{
	return end_part((struct recode *)sink, false, err);
}

static enum tn_code
divide(struct recode *r, struct tn_error *err)
{
	enum tn_code rc = end_part(r, true, err);

	if (rc != TN_OK)
		return rc;
	r->sink.more_packets++;
	r->begin = TN_UNKNOWN;
	r->part_events = 0;
	memcpy(r->p, r->head, r->head_n);
	r->at = r->head_bits;
	/* The number has its place behind times and sizes. */
	r->sequence++;
	if (r->sequence_bits)
		tn_bits_store(r->p, (uint64_t)(r->sizes_at + (r->sink.stream->stream_class->clock ? 32 : 16)) * 8,
			      r->sequence_bits, r->sequence, false);
	return TN_OK;
}

/* ---- events ---- */

static void
put_shape(struct recode *r, const struct tn_value *payload)
{
	const struct tn_value *v = payload + 1;

	for (uint64_t i = 0; i < payload->n; i++, v += v->next)
		put_value(r, v, &r->shown.members.item[i]);
}

static enum tn_code
recode_event(struct tn_sink *sink, const struct tn_batch *b, size_t row, uint64_t end_bit, struct tn_error *err)
{
	struct recode *r = (struct recode *)sink;
	const struct tn_stream_class *sc = sink->stream->stream_class;
	const struct tn_event_class *ec = r->rc->trace->event_class[b->refs.item[row].event_class];
	const struct tn_value *payload;
	uint64_t time = tn_batch_cycles(b, row);
	uint32_t id = r->rc->fixed[ec->index];
	enum tn_code rc;

	(void)end_bit;
	if (r->at / 8 > MUCH && (rc = divide(r, err)) != TN_OK)
		return rc;
	rc = r->rc->trace->ops->read(b, row, TN_SCOPE_BIT(TN_SCOPE_COMMON_CONTEXT) |
				     TN_SCOPE_BIT(TN_SCOPE_SPECIFIC_CONTEXT) | TN_SCOPE_BIT(TN_SCOPE_PAYLOAD),
				     &r->event, err);
	payload = root_of(&r->event, TN_SCOPE_PAYLOAD);
	if (rc == TN_OK && r->rc->serial)
		rc = tn_recode_class(r->rc, &r->event, payload, &r->shown, &id, err);
	if (rc != TN_OK)
		return rc;
	put_number(r, 32, id);
	if (sc->clock)
		put_number(r, 64, time);
	put_scope(r, sc->common_context, root_of(&r->event, TN_SCOPE_COMMON_CONTEXT));
	put_scope(r, ec->specific_context, root_of(&r->event, TN_SCOPE_SPECIFIC_CONTEXT));
	if (r->rc->serial && payload && !payload->field->hidden && payload->field->type->kind == TN_KIND_STRUCT)
		put_shape(r, payload);
	else
		put_scope(r, ec->payload, payload);
	if (!r->part_events++)
		r->first = time;
	r->last = time;
	sink->events++;
	return r->failed || r->rc->failed ? tn_fail_memory(err) : TN_OK;
}

static void
recode_free(struct tn_sink *sink)
{
	struct recode *r = (struct recode *)sink;

	tn_sink_release(sink);
	tn_event_release(&r->event);
	tn_str_release(&r->shown.key);
	tn_str_release(&r->text);
	TN_ARRAY_RELEASE(&r->shown.members);
	free(r->p);
	free(r->head);
	free(r);
}

static const struct tn_sink_ops recode_ops = {
	.begin = recode_begin, .event = recode_event, .end = recode_end, .finish = tn_sink_flush, .free = recode_free,
};

enum tn_code
tn_recode_new(struct tn_sink **out, struct tn_recoder *rc, const struct tn_stream *stream, uint64_t number,
	      const char *folder, const char *name, size_t room, struct tn_error *err)
{
	const struct tn_stream_class *sc = stream->stream_class;
	struct recode *r = calloc(1, sizeof *r);

	*out = r ? &r->sink : NULL;
	if (!r)
		return tn_fail_memory(err);
	r->sink.ops = &recode_ops;
	r->rc = rc;
	r->class_number = (uint32_t)tn_recode_class_number(rc, sc);
	r->number = stream->has_instance_id ? stream->id : number;
	r->sequence_bits = tn_recode_counter_bits(sc->packet_context, TN_ROLE_SEQUENCE_NUMBER);
	r->discarded_bits = tn_recode_counter_bits(sc->packet_context, TN_ROLE_DISCARDED);
	return tn_sink_init(&r->sink, &recode_ops, stream, folder, name, sc->clock != NULL, room, err);
}
