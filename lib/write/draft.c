#include "write/draft_make.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/messages.h"
#include "base/options.h"

static const char *
copy(struct tn_draft *d, const char *text)
{
	const char *s;

	if (!text)
		return MISTAKE(d, "a name or a text is NULL");
	s = tn_hash_text(&d->texts, &d->trace.arena, text, strlen(text));
	return s ? s : no_memory(d);
}

/* Make space for one more item in an array of @n items in the arena. The array doubles when @n is a power of two. */
static bool
room_for_one(struct tn_draft *d, void *list, size_t n, size_t size)
{
	void **place = list, *room = tn_arena_more(&d->trace.arena, *place, n, size);

	if (!room)
		return no_memory(d);
	*place = room;
	return true;
}

/* The zeroed item after the last one of @list; NULL: memory is out. The caller increments the count. */
#define GROW(d, list, n) (room_for_one((d), &(list), (n), sizeof *(list)) ? &(list)[n] : NULL)

enum tn_code
tn_draft_new(struct tn_draft **out, const struct tn_draft_options *options, struct tn_error *err)
{
	if (!out)
		return tn_fail_null(err);

	struct tn_draft_options o = { TN_DRAFT_OPTIONS };
	struct tn_draft *d;
	enum tn_code rc;

	*out = NULL;
	rc = tn_options_take(&o, sizeof o, options, "tn_draft_options", err);
	if (rc < 0)
		return rc;
	if (!(d = calloc(1, sizeof *d)))
		return tn_fail_memory(err);
	d->trace.major = 1;
	d->trace.minor = 8;
	d->trace.format = "CTF 1.8";
	d->trace.big_endian = o.big_endian;
	d->trace.has_uuid = o.uuid != NULL;
	if (o.uuid)
		memcpy(d->trace.uuid, o.uuid, 16);
	*out = d;
	return TN_OK;
}

void
tn_draft_free(struct tn_draft *d)
{
	if (!d)
		return;
	tn_hash_release(&d->members);
	tn_hash_release(&d->texts);
	tn_arena_release(&d->trace.arena);
	free(d);
}

static struct tn_env *
env_add(struct tn_draft *d, const char *name)
{
	struct tn_env *e;

	if (!usable(d))
		return NULL;
	e = GROW(d, d->trace.env, d->trace.n_env);
	if (!e)
		return NULL;
	d->trace.n_env++;
	*e = (struct tn_env) { .name = copy(d, name) };
	return e;
}

void
tn_draft_env_text(struct tn_draft *d, const char *name, const char *value)
{
	struct tn_env *e = env_add(d, name);

	if (e) {
		e->is_text = true;
		e->text = copy(d, value);
	}
}

void
tn_draft_env_number(struct tn_draft *d, const char *name, int64_t value)
{
	struct tn_env *e = env_add(d, name);

	if (e)
		e->number = value;
}

struct tn_clock *
tn_draft_clock(struct tn_draft *d, const char *name, uint64_t frequency, int64_t offset_s, uint64_t offset_cycles,
	       bool wall_time)
{
	struct tn_clock *c, **place;

	if (!usable(d))
		return NULL;
	if (frequency == 0)
		return MISTAKE(d, "clock '%s': the frequency must not be 0", name);
	if (!(c = TN_NEW(&d->trace.arena, struct tn_clock)))
		return no_memory(d);
	if (!(place = GROW(d, d->trace.clock, d->trace.n_clocks)))
		return NULL;
	d->trace.n_clocks++;
	*place = c;
	*c = (struct tn_clock) {
		.name = copy(d, name),
		.frequency = frequency,
		.offset_s = offset_s + (int64_t)(offset_cycles / frequency),
		.offset_cycles = offset_cycles % frequency,
		.precision = TN_UNKNOWN,
		.accuracy = TN_UNKNOWN,
		.origin = wall_time ? TN_ORIGIN_UNIX : TN_ORIGIN_UNKNOWN,
	};
	return c;
}

void
tn_draft_clock_description(struct tn_draft *d, struct tn_clock *clock, const char *text)
{
	if (usable(d) && clock)
		clock->description = text ? copy(d, text) : NULL;
}

/* ---- types ---- */

static struct tn_type *
type_new(struct tn_draft *d, enum tn_kind kind, unsigned align)
{
	struct tn_type *t;

	if (!usable(d))
		return NULL;
	if (align & (align - 1))
		return MISTAKE(d, "an alignment of %u bits is not a power of two", align);
	if (!(t = TN_NEW(&d->trace.arena, struct tn_type)))
		return no_memory(d);
	t->kind = kind;
	t->align = align;
	t->ref_slot = TN_NO_SLOT;
	t->big_endian = d->trace.big_endian;
	return t;
}

static struct tn_type *
number_new(struct tn_draft *d, enum tn_kind kind, unsigned bits, unsigned align, unsigned base)
{
	struct tn_type *t = type_new(d, kind, align ? align : bits % 8 ? 1 : 8);

	if (!t)
		return NULL;
	if (bits == 0)
		return MISTAKE(d, "a %s of 0 bits", tn_kind_name(kind));
	if (base != 2 && base != 8 && base != 10 && base != 16)
		return MISTAKE(d, "a display base of %u: it must be 2, 8, 10 or 16", base);
	t->length = bits;
	t->base = (uint8_t)base;
	return t;
}

struct tn_type *
tn_draft_uint(struct tn_draft *d, unsigned bits, unsigned align, unsigned base)
{
	return number_new(d, TN_KIND_UINT, bits, align, base);
}

struct tn_type *
tn_draft_sint(struct tn_draft *d, unsigned bits, unsigned align, unsigned base)
{
	return number_new(d, TN_KIND_SINT, bits, align, base);
}

struct tn_type *
tn_draft_bool(struct tn_draft *d, unsigned bits, unsigned align)
{
	return number_new(d, TN_KIND_BOOL, bits, align, 10);
}

struct tn_type *
tn_draft_bits(struct tn_draft *d, unsigned bits, unsigned align)
{
	return number_new(d, TN_KIND_BITS, bits, align, 16);
}

static struct tn_type *
varint_new(struct tn_draft *d, enum tn_kind kind, unsigned base)
{
	struct tn_type *t = number_new(d, kind, 8, 8, base);

	if (t) {
		t->varint = true;
		t->length = 0;
	}
	return t;
}

struct tn_type *
tn_draft_varuint(struct tn_draft *d, unsigned base)
{
	return varint_new(d, TN_KIND_UINT, base);
}

struct tn_type *
tn_draft_varsint(struct tn_draft *d, unsigned base)
{
	return varint_new(d, TN_KIND_SINT, base);
}

/* The reason why @t cannot have a label for this range; NULL: it can. */
static const char *
label_mistake(const struct tn_type *t, int64_t lower, int64_t upper)
{
	bool flags = t->kind == TN_KIND_BITS || t->kind == TN_KIND_BITMAP;

	if (!tn_type_is_integer(t) && !flags)
		return "not an integer or a bit array";
	if (t->length > 64 && !flags)
		return "an integer of more than 64 bits";
	if (t->kind == TN_KIND_SINT ? lower > upper : (uint64_t)lower > (uint64_t)upper)
		return "the range is reversed";
	if (flags && (uint64_t)upper >= t->length)
		return "there are not so many bits";
	return NULL;
}

/* The last mapping of @t if its label is @label; otherwise a new one, with a copy of @label. */
static struct tn_mapping *
mapping_of(struct tn_draft *d, struct tn_type *t, const char *label)
{
	struct tn_mapping *list = (struct tn_mapping *)t->mapping, *m;

	if (t->n_mappings && strcmp(list[t->n_mappings - 1].label, label) == 0)
		return &list[t->n_mappings - 1];
	if (!(m = GROW(d, list, t->n_mappings)))
		return NULL;
	*m = (struct tn_mapping) { .label = label };
	t->mapping = list;
	t->n_mappings++;
	return m;
}

void
tn_draft_label(struct tn_draft *d, struct tn_type *t, const char *label, int64_t lower, int64_t upper)
{
	struct tn_range *list, *r;
	struct tn_mapping *m;
	const char *why;

	if (!usable(d) || !t || !(label = copy(d, label)))
		return;
	if ((why = label_mistake(t, lower, upper))) {
		(void)MISTAKE(d, "label '%s': %s", label, why);
		return;
	}
	if (!(m = mapping_of(d, t, label)))
		return;
	list = (struct tn_range *)m->range;
	if (!(r = GROW(d, list, m->n_ranges)))
		return;
	if (t->kind == TN_KIND_BITS)
		t->kind = TN_KIND_BITMAP;
	*r = (struct tn_range) { (uint64_t)lower, (uint64_t)upper };
	m->range = list;
	m->n_ranges++;
}

struct tn_type *
tn_draft_float(struct tn_draft *d, unsigned bits, unsigned align)
{
	struct tn_type *t = type_new(d, TN_KIND_FLOAT, align ? align : 8);

	if (!t)
		return NULL;
	if (bits != 32 && bits != 64)
		return MISTAKE(d, "a floating point number of %u bits: it must have 32 or 64", bits);
	t->length = bits;
	return t;
}

/* Make a string or a BLOB. */
static struct tn_type *
bytes_new(struct tn_draft *d, enum tn_kind kind, enum tn_extent extent, uint64_t bytes, const char *length)
{
	struct tn_type *t = type_new(d, kind, 8);

	if (!t)
		return NULL;
	t->extent = extent;
	t->encoding = kind == TN_KIND_STRING ? TN_ENCODING_UTF8 : TN_ENCODING_NONE;
	t->length = bytes;
	t->ref_path = extent == TN_EXTENT_DYNAMIC ? copy(d, length) : NULL;
	return t;
}

struct tn_type *
tn_draft_string(struct tn_draft *d)
{
	return bytes_new(d, TN_KIND_STRING, TN_EXTENT_TERMINATED, 0, NULL);
}

struct tn_type *
tn_draft_text(struct tn_draft *d, uint64_t bytes)
{
	return bytes_new(d, TN_KIND_STRING, TN_EXTENT_STATIC, bytes, NULL);
}

struct tn_type *
tn_draft_text_sequence(struct tn_draft *d, const char *length)
{
	return bytes_new(d, TN_KIND_STRING, TN_EXTENT_DYNAMIC, 0, length);
}

void
tn_draft_encoding(struct tn_draft *d, struct tn_type *t, enum tn_encoding encoding)
{
	if (!usable(d) || !t)
		return;
	if (t->kind != TN_KIND_STRING || encoding < TN_ENCODING_UTF8 || encoding > TN_ENCODING_UTF32LE)
		(void)MISTAKE(d, "encoding %d of a %s: a string must be UTF-8, UTF-16 or UTF-32", encoding,
			      tn_kind_name(t->kind));
	else
		t->encoding = encoding;
}

static struct tn_type *
blob_new(struct tn_draft *d, enum tn_extent extent, uint64_t bytes, const char *length, const char *media_type)
{
	struct tn_type *t = bytes_new(d, TN_KIND_BLOB, extent, bytes, length);

	if (t)
		t->media_type = copy(d, media_type ? media_type : "application/octet-stream");
	return t;
}

struct tn_type *
tn_draft_blob(struct tn_draft *d, uint64_t bytes, const char *media_type)
{
	return blob_new(d, TN_EXTENT_STATIC, bytes, NULL, media_type);
}

struct tn_type *
tn_draft_blob_sequence(struct tn_draft *d, const char *length, const char *media_type)
{
	return blob_new(d, TN_EXTENT_DYNAMIC, 0, length, media_type);
}

/* Set the only field of an array or an optional. */
static bool
set_content(struct tn_draft *d, struct tn_type *t, struct tn_type *content)
{
	if (!t || !content)
		return false;
	if (!(t->field = TN_NEW(&d->trace.arena, struct tn_field)))
		return no_memory(d);
	t->n_fields = 1;
	t->field[0] = (struct tn_field) { .name = "", .label = "", .type = content, .slot = TN_NO_SLOT };
	return true;
}

static struct tn_type *
array_new(struct tn_draft *d, enum tn_extent extent, uint64_t n, const char *length, struct tn_type *element)
{
	struct tn_type *t = type_new(d, TN_KIND_ARRAY, 1);

	if (!set_content(d, t, element))
		return NULL;
	t->extent = extent;
	t->length = n;
	t->ref_path = extent == TN_EXTENT_DYNAMIC ? copy(d, length) : NULL;
	return t;
}

struct tn_type *
tn_draft_array(struct tn_draft *d, uint64_t n, struct tn_type *element)
{
	return array_new(d, TN_EXTENT_STATIC, n, NULL, element);
}

struct tn_type *
tn_draft_sequence(struct tn_draft *d, const char *length, struct tn_type *element)
{
	return array_new(d, TN_EXTENT_DYNAMIC, 0, length, element);
}

struct tn_type *
tn_draft_struct(struct tn_draft *d)
{
	return type_new(d, TN_KIND_STRUCT, 1);
}

struct tn_type *
tn_draft_variant(struct tn_draft *d, const char *tag)
{
	struct tn_type *t = type_new(d, TN_KIND_VARIANT, 1);

	if (t)
		t->ref_path = copy(d, tag);
	return t;
}

struct tn_type *
tn_draft_optional(struct tn_draft *d, const char *selector, struct tn_type *content)
{
	struct tn_type *t = type_new(d, TN_KIND_OPTIONAL, 1);

	if (!set_content(d, t, content))
		return NULL;
	t->ref_path = copy(d, selector);
	return t;
}

void
tn_draft_some(struct tn_draft *d, struct tn_type *t, uint64_t lower, uint64_t upper)
{
	struct tn_range *list, *r;

	if (!usable(d) || !t)
		return;
	if (t->kind != TN_KIND_OPTIONAL || lower > upper) {
		(void)MISTAKE(d, "values that enable a %s: %s", tn_kind_name(t->kind),
			      t->kind == TN_KIND_OPTIONAL ? _("the range is reversed") : _("only an optional can have them"));
		return;
	}
	list = (struct tn_range *)t->some;
	if (!(r = GROW(d, list, t->n_some)))
		return;
	*r = (struct tn_range) { lower, upper };
	t->some = list;
	t->n_some++;
}

void
tn_draft_align(struct tn_draft *d, struct tn_type *t, unsigned align)
{
	if (!usable(d) || !t)
		return;
	if (t->kind != TN_KIND_STRUCT || align == 0 || (align & (align - 1))) {
		(void)MISTAKE(d, "an alignment of %u bits for a %s", align, tn_kind_name(t->kind));
		return;
	}
	t->align = align;
}

void
tn_draft_swap(struct tn_draft *d, struct tn_type *t)
{
	if (!usable(d) || !t)
		return;
	if (!t->length || t->kind > TN_KIND_FLOAT) {
		(void)MISTAKE(d, "a %s has no byte order", tn_kind_name(t->kind));
		return;
	}
	t->big_endian = !d->trace.big_endian;
	d->is_mixed = true;
}

/* A copy of @name; it is an error if another member of @in has the name. */
static const char *
member_name(struct tn_draft *d, const struct tn_type *in, const char *name)
{
	struct tn_draft_name *key = tn_arena_alloc(&d->trace.arena, sizeof *key);
	bool is_new = false;

	if (!key)
		return no_memory(d);
	key->in = in;
	if (!(key->name = copy(d, name)))
		return NULL;
	if (!tn_hash_add(&d->members, key, sizeof *key, &is_new))
		return no_memory(d);
	return is_new ? key->name : MISTAKE(d, "two members '%s' in one %s", name, tn_kind_name(in->kind));
}

void
tn_draft_member_as(struct tn_draft *d, struct tn_type *in, const char *name, const char *label, struct tn_type *type)
{
	struct tn_field *f;
	const char *own;

	if (!usable(d) || !in || !type)
		return;
	if (!name || !label) {
		(void)MISTAKE(d, "a member without a name");
		return;
	}
	if (in->kind != TN_KIND_STRUCT && in->kind != TN_KIND_VARIANT) {
		(void)MISTAKE(d, "member '%s': a %s has no members", name, tn_kind_name(in->kind));
		return;
	}
	if (!(own = member_name(d, in, name)) || !(f = GROW(d, in->field, in->n_fields)))
		return;
	in->n_fields++;
	*f = (struct tn_field) { .name = own, .type = type, .slot = TN_NO_SLOT };
	f->label = label == name ? own : copy(d, label);
}

void
tn_draft_member(struct tn_draft *d, struct tn_type *in, const char *name, struct tn_type *type)
{
	tn_draft_member_as(d, in, name, name, type);
}

/* ---- stream and event classes ---- */

/* Add a member whose value the writer sets: an unsigned integer with roles. */
static void
own_member(struct tn_draft *d, struct tn_type *in, const char *name, unsigned bits, unsigned roles)
{
	struct tn_type *t = tn_draft_uint(d, bits, 0, 10);

	if (t) {
		t->roles = roles;
		tn_draft_member(d, in, name, t);
	}
}

/* Add a counter, which begins at a byte whatever its size. */
static void
counter(struct tn_draft *d, struct tn_type *in, const char *name, unsigned bits, unsigned roles)
{
	struct tn_type *t = bits ? tn_draft_uint(d, bits, 8, 10) : NULL;

	if (t) {
		t->roles = roles;
		tn_draft_member(d, in, name, t);
	}
}

static struct tn_field *
scope(struct tn_draft *d, struct tn_type *t)
{
	struct tn_field *f;

	if (!t || !usable(d))
		return NULL;
	if (t->kind != TN_KIND_STRUCT)
		return MISTAKE(d, "a context or payload must be a structure, not a %s", tn_kind_name(t->kind));
	if (!(f = TN_NEW(&d->trace.arena, struct tn_field)))
		return no_memory(d);
	*f = (struct tn_field) { .name = "", .label = "", .type = t, .slot = TN_NO_SLOT };
	return f;
}

/* Make LTTng's header: a form with few bits for small ids and short steps of the clock, and a form with all bits. */
static struct tn_type *
header_variant(struct tn_draft *d, unsigned id_bits, unsigned time_bits, bool clock)
{
	int64_t extended = (INT64_C(1) << id_bits) - 1;
	struct tn_type *id = tn_draft_uint(d, id_bits, 0, 10), *v = tn_draft_variant(d, "id");
	struct tn_type *small = tn_draft_struct(d), *large = tn_draft_struct(d), *header = tn_draft_struct(d);

	tn_draft_label(d, id, "compact", 0, extended - 1);
	tn_draft_label(d, id, "extended", extended, extended);
	if (id)
		id->roles = TN_ROLE_EVENT_CLASS_ID;
	if (clock)
		own_member(d, small, "timestamp", time_bits, TN_ROLE_CLOCK);
	own_member(d, large, "id", 32, TN_ROLE_EVENT_CLASS_ID);
	if (clock)
		own_member(d, large, "timestamp", 64, TN_ROLE_CLOCK);
	tn_draft_align(d, large, 8);
	tn_draft_member(d, v, "compact", small);
	tn_draft_member(d, v, "extended", large);
	tn_draft_member(d, header, "id", id);
	tn_draft_member(d, header, "v", v);
	tn_draft_align(d, header, 8);
	return header;
}

static struct tn_type *
header_plain(struct tn_draft *d, unsigned id_bits, unsigned time_bits, bool clock)
{
	struct tn_type *header = tn_draft_struct(d);

	own_member(d, header, "id", id_bits, TN_ROLE_EVENT_CLASS_ID);
	if (clock)
		own_member(d, header, "timestamp", time_bits, TN_ROLE_CLOCK);
	tn_draft_align(d, header, 8);
	return header;
}

/* The members are in LTTng's order, and the user's members follow. */
static struct tn_type *
packet_context(struct tn_draft *d, struct tn_draft_class *c, const struct tn_type *more)
{
	struct tn_type *t = tn_draft_struct(d);

	if (c->model.clock) {
		own_member(d, t, "timestamp_begin", 64, TN_ROLE_CLOCK | TN_ROLE_TIMESTAMP_BEGIN);
		own_member(d, t, "timestamp_end", 64, TN_ROLE_TIMESTAMP_END);
	}
	own_member(d, t, "content_size", 64, TN_ROLE_CONTENT_SIZE);
	own_member(d, t, "packet_size", 64, TN_ROLE_PACKET_SIZE);
	counter(d, t, "packet_seq_num", c->sequence_bits, TN_ROLE_SEQUENCE_NUMBER);
	counter(d, t, "events_discarded", c->discarded_bits, TN_ROLE_DISCARDED);
	if (!t)
		return NULL;
	c->n_own = t->n_fields;
	if (more && more->kind != TN_KIND_STRUCT)
		return MISTAKE(d, "a packet context must be a structure");
	for (size_t i = 0; more && i < more->n_fields; i++)
		tn_draft_member_as(d, t, more->field[i].name, more->field[i].label, more->field[i].type);
	return t;
}

static struct tn_type *
packet_header(struct tn_draft *d)
{
	struct tn_type *t = tn_draft_struct(d);

	own_member(d, t, "magic", 32, TN_ROLE_MAGIC);
	if (d->trace.has_uuid) {
		struct tn_type *uuid = tn_draft_array(d, 16, tn_draft_uint(d, 8, 8, 10));

		if (uuid)
			uuid->roles = TN_ROLE_UUID;
		tn_draft_member(d, t, "uuid", uuid);
	}
	own_member(d, t, "stream_id", 32, TN_ROLE_STREAM_CLASS_ID);
	own_member(d, t, "stream_instance_id", 64, TN_ROLE_STREAM_ID);
	return t;
}

struct tn_stream_class *
tn_draft_stream_class(struct tn_draft *d, const struct tn_draft_stream *stream)
{
	struct tn_draft_stream own = { TN_DRAFT_STREAM };
	const struct tn_draft_stream *o = &own;
	struct tn_stream_class **place;
	struct tn_draft_class *c;
	bool clock;

	if (!usable(d) || tn_options_take(&own, sizeof own, stream, "tn_draft_stream", &d->error) < 0)
		return NULL;
	if ((unsigned)o->header > TN_HEADER_LARGE)
		return MISTAKE(d, "stream class '%s': unknown event header", o->name ? o->name : "");
	if (o->header == TN_HEADER_PLAIN && (o->id_bits > 64 || o->time_bits > 64))
		return MISTAKE(d, "stream class '%s': event ids of %u bits and times of %u: at most 64", o->name ? o->name : "",
			       o->id_bits, o->time_bits);
	if (o->sequence_bits > 64 || o->discarded_bits > 64)
		return MISTAKE(d, "stream class '%s': counters of %u and %u bits: at most 64", o->name ? o->name : "",
			       o->sequence_bits, o->discarded_bits);
	if (o->any_order && (o->header != TN_HEADER_PLAIN || (o->time_bits && o->time_bits < 64)))
		return MISTAKE(d, "stream class '%s': times that go back need 64 bits", o->name ? o->name : "");
	if (!(c = TN_NEW(&d->trace.arena, struct tn_draft_class)))
		return no_memory(d);
	clock = o->clock != NULL;
	c->header = o->header;
	c->id_bits = o->id_bits ? o->id_bits : 16;
	c->time_bits = o->time_bits ? o->time_bits : 64;
	c->discarded_bits = o->no_discarded ? 0 : o->discarded_bits ? o->discarded_bits : 64;
	c->sequence_bits = o->no_sequence ? 0 : o->sequence_bits ? o->sequence_bits : 64;
	c->any_order = o->any_order;
	c->model.id = d->trace.n_stream_classes;
	c->model.has_id = true;
	c->model.name = o->name ? copy(d, o->name) : NULL;
	c->model.trace = &d->trace;
	c->model.clock = o->clock;
	c->model.event_header = scope(d, o->header == TN_HEADER_COMPACT ? header_variant(d, 5, 27, clock) :
				      o->header == TN_HEADER_LARGE ? header_variant(d, 16, 32, clock) :
				      header_plain(d, c->id_bits, c->time_bits, clock));
	c->model.packet_context = scope(d, packet_context(d, c, o->packet_context));
	c->model.common_context = scope(d, o->common_context);
	if (!d->trace.packet_header)
		d->trace.packet_header = scope(d, packet_header(d));
	if (!usable(d) || !(place = GROW(d, d->trace.stream_class, d->trace.n_stream_classes)))
		return NULL;
	d->trace.n_stream_classes++;
	return *place = &c->model;
}

struct tn_event_class *
tn_draft_event_class(struct tn_draft *d, struct tn_stream_class *sc, const char *name, int log_level,
		     struct tn_type *specific_context, struct tn_type *payload)
{
	struct tn_event_class *ec, **place;
	const struct tn_draft_class *c;
	struct tn_draft_event *e;

	if (!usable(d) || !sc)
		return NULL;
	c = tn_draft_class_of(sc);
	if (c->header == TN_HEADER_PLAIN && c->id_bits < 32 && sc->n_event_classes >> c->id_bits)
		return MISTAKE(d, "event '%s': ids of %u bits are used up", name, c->id_bits);
	if (!(e = TN_NEW(&d->trace.arena, struct tn_draft_event)))
		return no_memory(d);
	ec = &e->model;
	*ec = (struct tn_event_class) {
		.id = sc->n_event_classes,
		.last_id = sc->n_event_classes,
		.index = (uint32_t)d->trace.n_event_classes,
		.name = copy(d, name),
		.log_level = log_level,
		.stream_class = sc,
		.specific_context = scope(d, specific_context),
		.payload = scope(d, payload),
	};
	if (!(place = GROW(d, sc->event_class, sc->n_event_classes)))
		return NULL;
	*place = ec;
	sc->n_event_classes++;
	if (!(place = GROW(d, d->trace.event_class, d->trace.n_event_classes)))
		return NULL;
	*place = ec;
	d->trace.n_event_classes++;
	return usable(d) ? ec : NULL;
}

struct tn_field *
tn_field_before(const struct tn_field *from, const char *name)
{
	for (const struct tn_field *f = from; f->parent; f = f->parent) {
		struct tn_type *in = f->parent->type;

		if (in->kind != TN_KIND_STRUCT)
			continue;
		for (struct tn_field *m = in->field; m < f; m++)
			if (strcmp(m->name, name) == 0)
				return m;
	}
	return NULL;
}
