/*
 * recode.c - values to packets of CTF 1.8
 */
#include "write/recode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "write/draft.h"
#include "write/encode.h"

#define MUCH ((size_t)16 << 20)	/* bytes of a packet: a longer one is divided */
#define MAGIC UINT32_C(0xc1fc1fc1)

/* ---- the recoder of a trace ---- */

static void
count_slots(struct tn_recoder *rc, const struct tn_field *f)
{
	if (!f)
		return;
	if (f->slot >= 0)
		rc->slot_users[f->slot]++;
	for (size_t i = 0; i < f->type->n_fields; i++)
		count_slots(rc, &f->type->field[i]);
}

static size_t
class_number(const struct tn_recoder *rc, const struct tn_stream_class *sc)
{
	size_t i = 0;

	while (i + 1 < rc->trace->n_stream_classes && rc->trace->stream_class[i] != sc)
		i++;
	return i;
}

static void
write_event_begin(struct tn_recoder *rc, struct tn_str *out, const struct tn_event_class *ec, const char *name,
		  uint32_t stream_class, uint32_t id)
{
	tn_str_puts(out, "event {\n\tname = ");
	tn_tsdl_write_quoted(out, name ? name : "");
	tn_str_printf(out, ";\n\tid = %u;\n\tstream_id = %u;\n", id, rc->stream_class[stream_class]);
	if (ec->log_level >= 0)
		tn_str_printf(out, "\tloglevel = %d;\n", ec->log_level);
	if (ec->emf_uri) {
		tn_str_puts(out, "\tmodel.emf.uri = ");
		tn_tsdl_write_quoted(out, ec->emf_uri);
		tn_str_puts(out, ";\n");
	}
	tn_recode_scope(rc, out, "context", ec->specific_context);
}

static struct tn_recode_event *
add_class(struct tn_recoder *rc, const struct tn_event_class *ec, const char *name)
{
	struct tn_recode_event *e = TN_ARRAY_ADD(&rc->events);
	size_t sc = class_number(rc, ec->stream_class);

	if (!e) {
		rc->failed = true;
		return NULL;
	}
	e->stream_class = (uint32_t)sc;
	e->id = rc->next_id[sc]++;
	write_event_begin(rc, &e->text, ec, name, e->stream_class, e->id);
	return e;
}

/* All classes of a trace that has them before its events. */
static void
add_classes(struct tn_recoder *rc)
{
	for (size_t i = 0; i < rc->trace->n_event_classes && !rc->failed; i++) {
		const struct tn_event_class *ec = rc->trace->event_class[i];
		struct tn_recode_event *e = add_class(rc, ec, ec->name);

		if (!e)
			return;
		rc->fixed[i] = e->id;
		tn_recode_scope(rc, &e->text, "fields", ec->payload);
		tn_str_puts(&e->text, "};\n\n");
	}
}

/* Ids stay where every class has one that fits, and they are different. */
static void
number_stream_classes(struct tn_recoder *rc)
{
	const struct tn_trace *t = rc->trace;
	bool keep = true;

	for (size_t i = 0; i < t->n_stream_classes; i++) {
		keep = keep && t->stream_class[i]->id <= UINT32_MAX;
		for (size_t k = 0; k < i; k++)
			keep = keep && t->stream_class[i]->id != t->stream_class[k]->id;
	}
	for (size_t i = 0; i < t->n_stream_classes; i++)
		rc->stream_class[i] = keep ? (uint32_t)t->stream_class[i]->id : (uint32_t)i;
}

static void
name_clocks(struct tn_recoder *rc)
{
	const struct tn_trace *t = rc->trace;

	for (size_t i = 0; i < t->n_clocks && !rc->failed; i++) {
		rc->clock_name[i] = tn_recode_identifier(rc, t->clock[i]->name);
		for (size_t k = 0; k < i && !rc->failed; k++)
			if (strcmp(rc->clock_name[k], rc->clock_name[i]) == 0) {
				char name[32];

				snprintf(name, sizeof name, "clock_%zu_", i);
				rc->clock_name[i] = tn_recode_identifier(rc, name);
			}
	}
}

enum tn_code
tn_recoder_new(struct tn_recoder **out, const struct tn_trace *t, bool with_uuid, tn_value_text_fn *value_text,
	       void *user, struct tn_error *err)
{
	struct tn_recoder *rc = calloc(1, sizeof *rc);
	size_t n = t->n_stream_classes + 1;

	*out = rc;
	if (!rc)
		return tn_fail_memory(err);
	rc->trace = t;
	rc->has_uuid = with_uuid && t->has_uuid;
	rc->value_text = value_text;
	rc->user = user;
	rc->serial = strcmp(t->ops->name, "ctf") != 0 || t->is_kedr;
	rc->field = tn_arena_array(&rc->arena, t->n_fields + 1, sizeof *rc->field);
	rc->slot_users = tn_arena_array(&rc->arena, t->n_slots + 1, sizeof *rc->slot_users);
	rc->next_id = tn_arena_array(&rc->arena, n, sizeof *rc->next_id);
	rc->stream_class = tn_arena_array(&rc->arena, n, sizeof *rc->stream_class);
	rc->clock_name = tn_arena_array(&rc->arena, t->n_clocks + 1, sizeof *rc->clock_name);
	rc->fixed = tn_arena_array(&rc->arena, t->n_event_classes + 1, sizeof *rc->fixed);
	if (!rc->field || !rc->slot_users || !rc->next_id || !rc->stream_class || !rc->clock_name || !rc->fixed)
		return tn_fail_memory(err);
	count_slots(rc, t->packet_header);
	for (size_t i = 0; i < t->n_stream_classes; i++) {
		count_slots(rc, t->stream_class[i]->packet_context);
		count_slots(rc, t->stream_class[i]->event_header);
		count_slots(rc, t->stream_class[i]->common_context);
	}
	for (size_t i = 0; i < t->n_event_classes; i++) {
		count_slots(rc, t->event_class[i]->specific_context);
		count_slots(rc, t->event_class[i]->payload);
	}
	number_stream_classes(rc);
	name_clocks(rc);
	/* Every way is decided before streams are written side by side. */
	for (size_t i = 0; i < t->n_stream_classes; i++) {
		struct tn_str unused = { 0 };

		tn_recode_context(rc, &unused, t->stream_class[i]->packet_context);
		tn_recode_scope(rc, &unused, "", t->stream_class[i]->common_context);
		tn_str_release(&unused);
	}
	if (!rc->serial)
		add_classes(rc);
	return rc->failed ? tn_fail_memory(err) : TN_OK;
}

void
tn_recoder_free(struct tn_recoder *rc)
{
	if (!rc)
		return;
	for (size_t i = 0; i < rc->events.n; i++)
		tn_str_release(&rc->events.item[i].text);
	TN_ARRAY_RELEASE(&rc->events);
	for (size_t i = 0; i < rc->shape_room; i++)
		free(rc->shape[i].key);
	free(rc->shape);
	free(rc->name);
	tn_arena_release(&rc->arena);
	free(rc);
}

/* ---- shapes ---- */

static struct tn_recode_member
member_of(struct tn_recoder *rc, const struct tn_value *v)
{
	const struct tn_recode_field *way = tn_recode_way(rc, v->field);
	struct tn_recode_member m = { .field = v->field };
	const struct tn_type *t = v->field->type;

	if (way->way == TN_WAY_ARRAY && way->own && v->n <= TN_RECODE_COUNTED && rc->n_shapes < TN_RECODE_SHAPES) {
		m.counted = true;
		m.n = v->n;
	}
	if (way->way == TN_WAY_STRING && t->encoding == TN_ENCODING_NONE && t->extent == TN_EXTENT_DYNAMIC)
		m.has_nul = v->size && memchr(v->bytes, 0, v->size);
	return m;
}

/* What tells the event's class from others: its own class, its name, its members. */
static void
write_key(struct tn_recoder *rc, struct tn_str *key, const struct tn_event *e, const struct tn_value *root,
	  struct tn_recode_member *member, size_t *n)
{
	const struct tn_value *v = root ? root + 1 : NULL;

	*n = 0;
	tn_str_add(key, &e->event_class->index, sizeof e->event_class->index);
	tn_str_add(key, e->name ? e->name : "", e->name ? strlen(e->name) + 1 : 1);
	if (!root || root->field->type->kind != TN_KIND_STRUCT)
		return;
	for (uint64_t i = 0; i < root->n; i++, v += v->next) {
		struct tn_recode_member m = member_of(rc, v);
		uint64_t word[2] = { v->field->id, m.counted ? m.n : m.has_nul ? UINT64_MAX - 1 : UINT64_MAX };

		tn_str_add(key, word, sizeof word);
		member[(*n)++] = m;
	}
}

static size_t
hash(const char *key, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)key[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

static struct tn_recode_shape *
find_shape(struct tn_recode_shape *table, size_t room, const char *key, size_t n)
{
	size_t i = hash(key, n) & (room - 1);

	while (table[i].key && !(table[i].n == n && memcmp(table[i].key, key, n) == 0))
		i = (i + 1) & (room - 1);
	return &table[i];
}

static bool
make_room(struct tn_recoder *rc)
{
	size_t room = rc->shape_room ? rc->shape_room * 2 : 256;
	struct tn_recode_shape *table;

	if (rc->n_shapes * 2 < rc->shape_room)
		return true;
	table = calloc(room, sizeof *table);
	if (!table)
		return false;
	for (size_t i = 0; i < rc->shape_room; i++)
		if (rc->shape[i].key)
			*find_shape(table, room, rc->shape[i].key, rc->shape[i].n) = rc->shape[i];
	free(rc->shape);
	rc->shape = table;
	rc->shape_room = room;
	return true;
}

/* ---- names ---- */

static struct tn_recode_name *
name_place(struct tn_recode_name *table, size_t room, uint32_t in, const char *text)
{
	size_t i = (hash(text, strlen(text)) + in) & (room - 1);

	while (table[i].text && (table[i].in != in || strcmp(table[i].text, text) != 0))
		i = (i + 1) & (room - 1);
	return &table[i];
}

static bool
grow_names(struct tn_recoder *rc)
{
	size_t room = rc->name_room ? rc->name_room * 2 : 256;
	struct tn_recode_name *table = calloc(room, sizeof *table);

	if (!table)
		return false;
	for (size_t i = 0; i < rc->name_room; i++)
		if (rc->name[i].text)
			*name_place(table, room, rc->name[i].in, rc->name[i].text) = rc->name[i];
	free(rc->name);
	rc->name = table;
	rc->name_room = room;
	return true;
}

bool
tn_recode_take_name(struct tn_recoder *rc, uint32_t in, const char *text)
{
	struct tn_recode_name *place;

	if (rc->n_names >= rc->name_room / 2 && !grow_names(rc)) {
		rc->failed = true;
		return true;
	}
	place = name_place(rc->name, rc->name_room, in, text);
	if (place->text)
		return false;
	*place = (struct tn_recode_name) { text, in };
	rc->n_names++;
	return true;
}

/* ---- a stream ---- */

struct recode {
	struct tn_sink sink;	/* first */
	struct tn_recoder *rc;
	uint32_t class_number;
	uint64_t number;	/* stream_instance_id */
	unsigned sequence_bits, discarded_bits;	/* 0: no such counter */
	struct tn_event event;
	struct tn_str key, text;
	TN_ARRAY(struct tn_recode_member) members;
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

/* Bits of the counter with that role; 0: there is none. Narrow ones begin anew where they did. */
static unsigned
counter_bits(const struct tn_field *f, uint32_t role)
{
	unsigned bits = 0;

	if (!f)
		return 0;
	if (f->type->roles & role)
		return f->type->varint || f->type->length > 64 ? 64 : (unsigned)f->type->length;
	for (size_t i = 0; i < f->type->n_fields && !bits; i++)
		bits = counter_bits(&f->type->field[i], role);
	return bits;
}

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

/* The class of an event that shows its shape only now. */
static enum tn_code
find_class(struct recode *r, const struct tn_value *payload, uint32_t *id, struct tn_error *err)
{
	struct tn_recoder *rc = r->rc;
	const struct tn_event *e = &r->event;
	bool is_struct = payload && payload->field->type->kind == TN_KIND_STRUCT;
	struct tn_recode_shape *shape;
	struct tn_recode_event *made;
	size_t n;

	if (is_struct && !TN_ARRAY_RESERVE(&r->members, payload->n + 1))
		return tn_fail_memory(err);
	tn_str_clear(&r->key);
	write_key(rc, &r->key, e, payload, r->members.item, &n);
	if (rc->failed || r->key.failed || !make_room(rc))
		return tn_fail_memory(err);
	shape = find_shape(rc->shape, rc->shape_room, r->key.text, r->key.n);
	if (shape->key) {
		*id = rc->events.item[shape->event].id;
		return TN_OK;
	}
	shape->key = malloc(r->key.n);
	made = shape->key ? add_class(rc, e->event_class, e->name) : NULL;
	if (!made)
		return tn_fail_memory(err);
	memcpy(shape->key, r->key.text, r->key.n);
	shape->n = r->key.n;
	shape->event = (uint32_t)(rc->events.n - 1);
	rc->n_shapes++;
	if (is_struct && !payload->field->hidden)
		tn_recode_shape(rc, &made->text, r->members.item, n);
	else
		tn_recode_scope(rc, &made->text, "fields", payload ? payload->field : NULL);
	tn_str_puts(&made->text, "};\n\n");
	*id = made->id;
	return made->text.failed ? tn_fail_memory(err) : TN_OK;
}

static void
put_shape(struct recode *r, const struct tn_value *payload)
{
	const struct tn_value *v = payload + 1;

	for (uint64_t i = 0; i < payload->n; i++, v += v->next)
		put_value(r, v, &r->members.item[i]);
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
		rc = find_class(r, payload, &id, err);
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
	tn_str_release(&r->key);
	tn_str_release(&r->text);
	TN_ARRAY_RELEASE(&r->members);
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
	r->class_number = (uint32_t)class_number(rc, sc);
	r->number = stream->has_instance_id ? stream->id : number;
	r->sequence_bits = counter_bits(sc->packet_context, TN_ROLE_SEQUENCE_NUMBER);
	r->discarded_bits = counter_bits(sc->packet_context, TN_ROLE_DISCARDED);
	return tn_sink_init(&r->sink, &recode_ops, stream, folder, name, sc->clock != NULL, room, err);
}

/* ---- the metadata ---- */

static const char u64[] = "integer { size = 64; align = 8; signed = false; }";
static const char u32[] = "integer { size = 32; align = 8; signed = false; }";
static const char u8[] = "integer { size = 8; align = 8; signed = false; }";

static void
write_trace(struct tn_recoder *rc, struct tn_str *out)
{
	const struct tn_trace *t = rc->trace;

	tn_str_puts(out, "/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n");
	if (rc->has_uuid)
		tn_tsdl_write_uuid(out, t->uuid);
	tn_str_printf(out, "\tbyte_order = le;\n\tpacket.header := struct {\n\t\t%s magic;\n", u32);
	if (rc->has_uuid)
		tn_str_printf(out, "\t\t%s uuid[16];\n", u8);
	tn_str_printf(out, "\t\t%s stream_id;\n\t\t%s stream_instance_id;\n\t};\n};\n\n", u32, u64);
	if (!t->n_env)
		return;
	tn_str_puts(out, "env {\n");
	for (size_t i = 0; i < t->n_env; i++) {
		const struct tn_env *e = &t->env[i];
		const char *name = tn_recode_identifier(rc, e->name);

		if (!name)
			return;
		tn_str_printf(out, "\t%s = ", name);
		if (e->is_text)
			tn_tsdl_write_quoted(out, e->text);
		else
			tn_str_printf(out, e->is_unsigned ? "%" PRIu64 : "%" PRId64, e->number);
		tn_str_puts(out, ";\n");
	}
	tn_str_puts(out, "};\n\n");
}

/*
 * Clocks that tnav puts in one order because the metadata say that they count from the same time get one
 * UUID: CTF 1.8 has no other word for it.
 */
static void
share_uuid(const struct tn_trace *t, size_t i, struct tn_clock *c)
{
	if (c->has_uuid || c->origin == TN_ORIGIN_UNIX || t->n_clocks < 2)
		return;
	for (size_t k = 0; k < t->n_clocks; k++)
		if (tn_clocks_compare(t->clock[k], t->clock[i])) {
			memcpy(c->uuid, "tnav clock      ", 16);
			c->uuid[15] = (uint8_t)k;
			c->has_uuid = true;
			return;
		}
}

static void
write_clock(struct tn_recoder *rc, struct tn_str *out, size_t i)
{
	struct tn_clock c = *rc->trace->clock[i];
	__int128 cycles = (__int128)(c.shift_ns % 1000000000) * c.frequency / 1000000000 + c.offset_cycles;

	c.name = rc->clock_name[i];
	c.offset_s += c.shift_ns / 1000000000;
	if (cycles < 0) {
		cycles += c.frequency;
		c.offset_s--;
	}
	c.offset_s += (int64_t)(cycles / c.frequency);
	c.offset_cycles = (uint64_t)(cycles % c.frequency);
	share_uuid(rc->trace, i, &c);
	tn_tsdl_write_clock(out, &c);
}

static void
write_stream_class(struct tn_recoder *rc, struct tn_str *out, size_t i)
{
	const struct tn_stream_class *sc = rc->trace->stream_class[i];
	unsigned sequence = counter_bits(sc->packet_context, TN_ROLE_SEQUENCE_NUMBER);
	unsigned discarded = counter_bits(sc->packet_context, TN_ROLE_DISCARDED);
	const char *clock = NULL;

	for (size_t k = 0; k < rc->trace->n_clocks; k++)
		if (rc->trace->clock[k] == sc->clock)
			clock = rc->clock_name[k];
	tn_str_printf(out, "stream {\n\tid = %u;\n\tpacket.context := struct {\n", rc->stream_class[i]);
	if (clock)
		for (unsigned k = 0; k < 2; k++)
			tn_str_printf(out, "\t\tinteger { size = 64; align = 8; signed = false; map = clock.%s.value; } "
				      "timestamp_%s;\n", clock, k ? "end" : "begin");
	tn_str_printf(out, "\t\t%s content_size;\n\t\t%s packet_size;\n", u64, u64);
	if (sequence)
		tn_str_printf(out, "\t\tinteger { size = %u; align = 8; signed = false; } packet_seq_num;\n", sequence);
	if (discarded)
		tn_str_printf(out, "\t\tinteger { size = %u; align = 8; signed = false; } events_discarded;\n", discarded);
	tn_recode_context(rc, out, sc->packet_context);
	tn_str_printf(out, "\t};\n\tevent.header := struct {\n\t\t%s id;\n", u32);
	if (clock)
		tn_str_printf(out, "\t\tinteger { size = 64; align = 8; signed = false; map = clock.%s.value; } "
			      "timestamp;\n", clock);
	tn_str_puts(out, "\t};\n");
	tn_recode_scope(rc, out, "event.context", sc->common_context);
	tn_str_puts(out, "};\n\n");
}

enum tn_code
tn_recoder_metadata(struct tn_recoder *rc, const char *folder, const char *shown, struct tn_error *err)
{
	struct tn_str text = { 0 }, path = { 0 };
	struct tn_outfile file = { 0 };
	enum tn_code code;

	write_trace(rc, &text);
	for (size_t i = 0; i < rc->trace->n_clocks; i++)
		write_clock(rc, &text, i);
	for (size_t i = 0; i < rc->trace->n_stream_classes; i++)
		write_stream_class(rc, &text, i);
	for (size_t i = 0; i < rc->events.n; i++) {
		tn_str_add(&text, tn_str_text(&rc->events.item[i].text), rc->events.item[i].text.n);
		rc->failed |= rc->events.item[i].text.failed;
	}
	tn_str_printf(&path, "%s/metadata", folder);
	if (rc->failed || text.failed || path.failed) {
		tn_str_release(&path);
		code = tn_fail_memory(err);
	} else {
		code = tn_outfile_init(&file, path.text, shown, text.n + 1, err);
	}
	if (code == TN_OK)
		code = tn_outfile_write(&file, text.text, text.n, err);
	if (code == TN_OK)
		code = tn_outfile_flush(&file, err);
	tn_outfile_release(&file);
	tn_str_release(&text);
	return code;
}
