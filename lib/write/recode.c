/*
 * recode.c - the classes of an export, and its metadata
 */
#include "write/recode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/wide.h"
#include "write/draft.h"
#include "write/encode.h"

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

size_t
tn_recode_class_number(const struct tn_recoder *rc, const struct tn_stream_class *sc)
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
	size_t sc = tn_recode_class_number(rc, ec->stream_class);

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
	rc->serial = strcmp(t->ops->name, "ctf") != 0 || t->is_loose;
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

/* The class of an event that shows its shape only now. */
enum tn_code
tn_recode_class(struct tn_recoder *rc, const struct tn_event *e, const struct tn_value *payload,
		struct tn_recode_shown *shown, uint32_t *id, struct tn_error *err)
{
	bool is_struct = payload && payload->field->type->kind == TN_KIND_STRUCT;
	struct tn_recode_shape *shape;
	struct tn_recode_event *made;
	size_t n;

	if (is_struct && !TN_ARRAY_RESERVE(&shown->members, payload->n + 1))
		return tn_fail_memory(err);
	tn_str_clear(&shown->key);
	write_key(rc, &shown->key, e, payload, shown->members.item, &n);
	if (rc->failed || shown->key.failed || !make_room(rc))
		return tn_fail_memory(err);
	shape = find_shape(rc->shape, rc->shape_room, shown->key.text, shown->key.n);
	if (shape->key) {
		*id = rc->events.item[shape->event].id;
		return TN_OK;
	}
	shape->key = malloc(shown->key.n);
	made = shape->key ? add_class(rc, e->event_class, e->name) : NULL;
	if (!made)
		return tn_fail_memory(err);
	memcpy(shape->key, shown->key.text, shown->key.n);
	shape->n = shown->key.n;
	shape->event = (uint32_t)(rc->events.n - 1);
	rc->n_shapes++;
	if (is_struct && !payload->field->hidden)
		tn_recode_shape(rc, &made->text, shown->members.item, n);
	else
		tn_recode_scope(rc, &made->text, "fields", payload ? payload->field : NULL);
	tn_str_puts(&made->text, "};\n\n");
	*id = made->id;
	return made->text.failed ? tn_fail_memory(err) : TN_OK;
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

/* ---- the metadata ---- */

/* Bits of the counter with that role; 0: there is none. Narrow ones begin anew where they did. */
unsigned
tn_recode_counter_bits(const struct tn_field *f, uint32_t role)
{
	unsigned bits = 0;

	if (!f)
		return 0;
	if (f->type->roles & role)
		return f->type->varint || f->type->length > 64 ? 64 : (unsigned)f->type->length;
	for (size_t i = 0; i < f->type->n_fields && !bits; i++)
		bits = tn_recode_counter_bits(&f->type->field[i], role);
	return bits;
}

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
	int64_t rest = c.shift_ns % 1000000000;
	uint64_t part = tn_multiply_divide(rest < 0 ? 0 - (uint64_t)rest : (uint64_t)rest, c.frequency, 1000000000);

	c.name = rc->clock_name[i];
	c.offset_s += c.shift_ns / 1000000000;
	/* Both are below the frequency, their sum may be more than 64 bits. */
	if (rest < 0) {
		c.offset_s -= c.offset_cycles < part;
		c.offset_cycles = c.offset_cycles < part ? c.offset_cycles + (c.frequency - part) : c.offset_cycles - part;
	} else if (c.offset_cycles >= c.frequency - part) {
		c.offset_s++;
		c.offset_cycles -= c.frequency - part;
	} else {
		c.offset_cycles += part;
	}
	share_uuid(rc->trace, i, &c);
	tn_tsdl_write_clock(out, &c);
}

static void
write_stream_class(struct tn_recoder *rc, struct tn_str *out, size_t i)
{
	const struct tn_stream_class *sc = rc->trace->stream_class[i];
	unsigned sequence = tn_recode_counter_bits(sc->packet_context, TN_ROLE_SEQUENCE_NUMBER);
	unsigned discarded = tn_recode_counter_bits(sc->packet_context, TN_ROLE_DISCARDED);
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
