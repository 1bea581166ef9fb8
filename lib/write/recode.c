/* recode.c - make the draft of an export (clocks, environment, stream classes, event classes) and its metadata */
#include "write/recode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "write/draft.h"

/* ---- parts of the trace before its events ---- */

static void
add_env(struct tn_recoder *rc)
{
	for (size_t i = 0; i < rc->trace->n_env && !rc->failed; i++) {
		const struct tn_env *e = &rc->trace->env[i];
		const char *name = tn_recode_env_name(rc, e->name);

		if (!name)
			return;
		if (e->is_text)
			tn_draft_env_text(rc->draft, name, e->text);
		else
			tn_draft_env_number(rc->draft, name, e->number);
		if (rc->draft->trace.n_env)
			rc->draft->trace.env[rc->draft->trace.n_env - 1].is_unsigned = e->is_unsigned;
	}
}

/*
 * If the metadata gives clocks one origin, tnav puts their times in one order. The exported clocks then get one UUID,
 * because CTF 1.8 cannot express this in another way.
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

/* Add the user's offset of times to the offset of the clock. */
static void
shift_clock(struct tn_clock *c)
{
	int64_t rest = c->shift_ns % 1000000000;
	uint64_t part = tn_multiply_divide(rest < 0 ? 0 - (uint64_t)rest : (uint64_t)rest, c->frequency, 1000000000);

	c->offset_s += c->shift_ns / 1000000000;
	/* Both numbers of cycles are less than the frequency, but their sum can need more than 64 bits. */
	if (rest < 0) {
		c->offset_s -= c->offset_cycles < part;
		c->offset_cycles = c->offset_cycles < part ? c->offset_cycles + (c->frequency - part) : c->offset_cycles - part;
	} else if (c->offset_cycles >= c->frequency - part) {
		c->offset_s++;
		c->offset_cycles -= c->frequency - part;
	} else {
		c->offset_cycles += part;
	}
}

static void
add_clocks(struct tn_recoder *rc)
{
	const struct tn_trace *t = rc->trace, *to = &rc->draft->trace;

	for (size_t i = 0; i < t->n_clocks && !rc->failed; i++) {
		struct tn_clock *c;
		const char *name = tn_recode_identifier(rc, t->clock[i]->name);

		for (size_t k = 0; k < i && name; k++)
			if (strcmp(to->clock[k]->name, name) == 0) {
				char other[32];

				snprintf(other, sizeof other, "clock_%zu_", i);
				name = tn_recode_identifier(rc, other);
			}
		c = name ? tn_draft_clock(rc->draft, name, t->clock[i]->frequency, 0, 0, false) : NULL;
		if (!c) {
			rc->failed = true;
			return;
		}
		*c = *t->clock[i];
		c->name = name;
		shift_clock(c);
		share_uuid(t, i, c);
	}
}

/*
 * The size in bits of the counter with this role in a packet context; 0: none. A counter of the same size wraps like the
 * original.
 */
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

/* Whether the classes can keep their ids: each has one that fits, and all differ. */
static bool
ids_fit(const struct tn_trace *t)
{
	for (size_t i = 0; i < t->n_stream_classes; i++) {
		if (t->stream_class[i]->id > UINT32_MAX)
			return false;
		for (size_t k = 0; k < i; k++)
			if (t->stream_class[i]->id == t->stream_class[k]->id)
				return false;
	}
	return true;
}

/* Whether the losses of its packets are in records of the format, and not in a field of the packets. */
static bool
counts_apart(const struct tn_trace *t, const struct tn_stream_class *sc)
{
	for (size_t i = 0; i < t->n_streams; i++) {
		const struct tn_stream *s = t->stream[i];

		if (s->stream_class == sc && s->index.n > s->index.n_dropped && s->index.packet[0].discarded != TN_UNKNOWN)
			return true;
	}
	return false;
}

static struct tn_stream_class *
add_stream_class(struct tn_recoder *rc, const struct tn_stream_class *sc, const bool *has)
{
	const struct tn_field *context = sc->packet_context;
	unsigned sequence = counter_bits(context, TN_ROLE_SEQUENCE_NUMBER);
	unsigned discarded = counter_bits(context, TN_ROLE_DISCARDED);
	bool apart = !discarded && counts_apart(rc->trace, sc);
	struct tn_draft_stream s = {
		TN_DRAFT_STREAM, .id_bits = 32, .any_order = true,
		.no_discarded = !discarded, .discarded_bits = discarded,
		.no_sequence = !sequence, .sequence_bits = sequence,
		.common_context = tn_recode_scope(rc, sc->common_context, has),
	};
	struct tn_stream_class *to;

	/* With the number of the first packet, a reader knows that the losses before it belong to it. */
	if (apart) {
		s.no_discarded = s.no_sequence = false;
		s.discarded_bits = 64;
		s.sequence_bits = sequence ? sequence : 64;
	}
	if (context && context->type->kind == TN_KIND_STRUCT)
		s.packet_context = tn_recode_scope(rc, context, NULL);
	for (size_t k = 0; k < rc->trace->n_clocks; k++)
		if (rc->trace->clock[k] == sc->clock)
			s.clock = rc->draft->trace.clock[k];
	to = rc->failed ? NULL : tn_draft_stream_class(rc->draft, &s);
	if (to && rc->keep_ids)
		to->id = sc->id;
	return to;
}

/* Flags for the members that exist; NULL: all exist. */
static bool *
members_of(struct tn_recoder *rc, const struct tn_field *root, const struct tn_value *v)
{
	const struct tn_value *member = v ? v + 1 : NULL;
	bool *has, all = true;
	uint64_t met = 0;

	if (!v || !root || root->type->kind != TN_KIND_STRUCT)
		return NULL;
	has = tn_arena_alloc(&rc->arena, root->type->n_fields + 1);
	if (!has) {
		rc->failed = true;
		return NULL;
	}
	for (size_t i = 0; i < root->type->n_fields; i++) {
		has[i] = met < v->n && member->field == &root->type->field[i];
		all = all && has[i];
		if (has[i]) {
			member += member->next;
			met++;
		}
	}
	return all ? NULL : has;
}

const struct tn_recode_class *
tn_recode_stream_class(struct tn_recoder *rc, const struct tn_stream_class *sc, const struct tn_value *common,
		       struct tn_error *err)
{
	bool *has = members_of(rc, sc->common_context, common);
	struct tn_recode_class *c = NULL;
	struct tn_hash_item *item = NULL;
	struct tn_str key = { 0 };
	const char *own;

	tn_str_add(&key, &sc, sizeof sc);
	if (has)
		tn_str_add(&key, has, sc->common_context->type->n_fields);
	item = key.failed ? NULL : tn_hash_find(&rc->classes, key.text, key.n);
	if (!item && !key.failed && (own = tn_arena_copy(&rc->arena, key.text, key.n)) &&
	    (c = TN_NEW(&rc->arena, struct tn_recode_class))) {
		tn_draft_reopen(rc->draft);
		*c = (struct tn_recode_class) { add_stream_class(rc, sc, has), has };
		item = tn_hash_add(&rc->classes, own, key.n, NULL);
		if (item)
			item->pointer = c;
	}
	tn_str_release(&key);
	if (!item || rc->failed) {
		tn_fail_memory(err);
		return NULL;
	}
	if (c && tn_draft_finish(rc->draft, err) != TN_OK)
		return NULL;
	return item->pointer;
}

/* ---- event classes ---- */

/* Add an event class. NULL: the draft has an error, or memory is out. */
static struct tn_event_class *
add_class(struct tn_recoder *rc, struct tn_stream_class *sc, const struct tn_event_class *ec, const char *name,
	  struct tn_type *payload)
{
	struct tn_event_class *to;

	if (!rc->specific[ec->index])
		rc->specific[ec->index] = tn_recode_scope(rc, ec->specific_context, NULL);
	to = rc->failed ? NULL : tn_draft_event_class(rc->draft, sc, name ? name : "", ec->log_level, rc->specific[ec->index],
						      payload);
	if (to)
		to->emf_uri = ec->emf_uri;
	return to;
}

/*
 * Add all classes of a trace whose classes are known before its events. The written form of each field must be decided
 * before streams are written in parallel.
 */
static enum tn_code
add_all(struct tn_recoder *rc, struct tn_error *err)
{
	const struct tn_trace *t = rc->trace;

	for (size_t i = 0; i < t->n_stream_classes; i++)
		if (!tn_recode_stream_class(rc, t->stream_class[i], NULL, err))
			return err ? err->code : TN_ERR_MEMORY;
	tn_draft_reopen(rc->draft);
	for (size_t i = 0; i < t->n_event_classes && !rc->failed; i++) {
		const struct tn_event_class *ec = t->event_class[i];
		const struct tn_recode_class *in = tn_recode_stream_class(rc, ec->stream_class, NULL, err);

		if (!in)
			return err ? err->code : TN_ERR_MEMORY;
		rc->fixed[i] = add_class(rc, in->to, ec, ec->name, tn_recode_scope(rc, ec->payload, NULL));
	}
	return t->n_stream_classes ? tn_draft_finish(rc->draft, err) : TN_OK;
}

enum tn_code
tn_recoder_new(struct tn_recoder **out, const struct tn_trace *t, bool with_uuid, tn_value_text_fn *value_text,
	       void *user, struct tn_error *err)
{
	struct tn_draft_options options = { TN_DRAFT_OPTIONS, .uuid = with_uuid && t->has_uuid ? t->uuid : NULL };
	struct tn_recoder *rc = calloc(1, sizeof *rc);
	enum tn_code code;

	*out = rc;
	if (!rc)
		return tn_fail_memory(err);
	rc->trace = t;
	rc->value_text = value_text;
	rc->user = user;
	rc->serial = strcmp(t->ops->name, "ctf") != 0 || t->is_loose;
	rc->field = tn_arena_array(&rc->arena, t->n_fields + 1, sizeof *rc->field);
	rc->slot_users = tn_arena_array(&rc->arena, t->n_slots + 1, sizeof *rc->slot_users);
	rc->specific = tn_arena_array(&rc->arena, t->n_event_classes + 1, sizeof *rc->specific);
	rc->fixed = tn_arena_array(&rc->arena, t->n_event_classes + 1, sizeof *rc->fixed);
	if (!rc->field || !rc->slot_users || !rc->specific || !rc->fixed)
		return tn_fail_memory(err);
	if ((code = tn_draft_new(&rc->draft, &options, err)) != TN_OK)
		return code;
	add_env(rc);
	add_clocks(rc);
	if (rc->failed)
		return tn_fail_memory(err);
	/* If streams get their classes during the export, the classes are numbered in the order of their creation. */
	rc->keep_ids = ids_fit(t) && strcmp(t->ops->name, "ctf") == 0;
	code = rc->serial ? TN_OK : add_all(rc, err);
	return rc->failed ? tn_fail_memory(err) : code;
}

void
tn_recoder_free(struct tn_recoder *rc)
{
	if (!rc)
		return;
	tn_draft_free(rc->draft);
	tn_hash_release(&rc->classes);
	tn_hash_release(&rc->shapes);
	tn_hash_release(&rc->names);
	tn_hash_release(&rc->texts);
	tn_str_release(&rc->identifier);
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

	if (way->way == TN_WAY_ARRAY && way->own && v->n <= TN_RECODE_COUNTED && rc->shapes.n < TN_RECODE_SHAPES) {
		m.counted = true;
		m.n = v->n;
	}
	if (way->way == TN_WAY_STRING && t->encoding == TN_ENCODING_NONE && t->extent == TN_EXTENT_DYNAMIC)
		m.has_nul = v->size && memchr(v->bytes, 0, v->size);
	return m;
}

/* Write the key by which an event finds its class: its own class, its name, its members. */
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

enum tn_code
tn_recode_class(struct tn_recoder *rc, struct tn_stream_class *in, const struct tn_event *e, const struct tn_value *payload,
		struct tn_recode_shown *shown, const struct tn_event_class **out, struct tn_error *err)
{
	bool is_struct = payload && payload->field->type->kind == TN_KIND_STRUCT;
	struct tn_event_class *made;
	struct tn_hash_item *item;
	struct tn_type *type;
	const char *key;
	size_t n;

	if (is_struct && !TN_ARRAY_RESERVE(&shown->members, payload->n + 1))
		return tn_fail_memory(err);
	tn_str_clear(&shown->key);
	tn_str_add(&shown->key, &in, sizeof in);
	write_key(rc, &shown->key, e, payload, shown->members.item, &n);
	if (rc->failed || shown->key.failed)
		return tn_fail_memory(err);
	item = tn_hash_find(&rc->shapes, shown->key.text, shown->key.n);
	if (item) {
		*out = item->pointer;
		return TN_OK;
	}
	tn_draft_reopen(rc->draft);
	type = is_struct && !payload->field->hidden ? tn_recode_shape(rc, shown->members.item, n)
						    : tn_recode_scope(rc, payload ? payload->field : NULL, NULL);
	*out = made = add_class(rc, in, e->event_class, e->name, type);
	key = tn_arena_copy(&rc->arena, shown->key.text, shown->key.n);
	item = key ? tn_hash_add(&rc->shapes, key, shown->key.n, NULL) : NULL;
	if (!item || rc->failed)
		return tn_fail_memory(err);
	item->pointer = made;
	return tn_draft_finish(rc->draft, err);
}

/* ---- the metadata ---- */

enum tn_code
tn_recoder_metadata(struct tn_recoder *rc, const char *folder, const char *shown, struct tn_error *err)
{
	struct tn_str text = { 0 }, path = { 0 };
	struct tn_outfile file = { 0 };
	enum tn_code code = tn_draft_metadata(rc->draft, TN_METADATA_CTF_1_8, &text, err);

	tn_str_printf(&path, "%s/metadata", folder);
	if (code == TN_OK && (text.failed || path.failed))
		code = tn_fail_memory(err);
	if (code != TN_OK)
		tn_str_release(&path);
	else
		code = tn_outfile_init(&file, path.text, shown, text.n + 1, err);
	if (code == TN_OK)
		code = tn_outfile_write(&file, text.text, text.n, err);
	if (code == TN_OK)
		code = tn_outfile_flush(&file, err);
	tn_outfile_release(&file);
	tn_str_release(&text);
	return code;
}
