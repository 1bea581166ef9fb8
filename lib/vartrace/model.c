/*
 * model.c - the types of vartrace: a class for each message id, a field for each shape of a value
 */
#include "vartrace/private.h"

#include <stdio.h>

#define SHAPES 32	/* fields of values */

struct builder {
	struct tn_trace *trace;
	struct tn_vt_trace *own;
	bool failed;		/* memory */
};

static struct tn_type *
new_type(struct builder *b, enum tn_kind kind, uint64_t bits)
{
	struct tn_type *t = TN_NEW(&b->trace->arena, struct tn_type);

	if (!t) {
		b->failed = true;
		return NULL;
	}
	t->kind = kind;
	t->align = 1;
	t->length = bits;
	t->base = 10;
	t->big_endian = b->trace->big_endian;
	t->ref_slot = TN_NO_SLOT;
	if (kind == TN_KIND_STRING || kind == TN_KIND_ARRAY)
		t->extent = TN_EXTENT_DYNAMIC;
	if (kind == TN_KIND_STRING)
		t->encoding = TN_ENCODING_UTF8;
	return t;
}

/* Room for @n fields in a structure, variant or array. */
static struct tn_type *
new_compound(struct builder *b, enum tn_kind kind, size_t n)
{
	struct tn_type *t = new_type(b, kind, 0);

	if (t && !(t->field = TN_NEW_ARRAY(&b->trace->arena, n, struct tn_field)))
		b->failed = true;
	return b->failed ? NULL : t;
}

static struct tn_field *
add(struct builder *b, struct tn_type *to, const char *name, struct tn_type *type)
{
	struct tn_field *f;

	if (b->failed || !to || !type)
		return NULL;
	f = &to->field[to->n_fields++];
	f->name = f->label = name;
	f->type = type;
	f->slot = TN_NO_SLOT;
	return f;
}

static struct tn_field *
new_root(struct builder *b, struct tn_type *type)
{
	struct tn_field *f = TN_NEW(&b->trace->arena, struct tn_field);

	if (!f || !type) {
		b->failed = true;
		return NULL;
	}
	f->name = f->label = "";
	f->type = type;
	f->slot = TN_NO_SLOT;
	return f;
}

static struct tn_type *
new_scalar(struct builder *b, unsigned type)
{
	unsigned bits = tn_vt_element_size(type) * 8;

	if (type == TN_VT_DOUBLE || type == TN_VT_FLOAT)
		return new_type(b, TN_KIND_FLOAT, bits);
	return new_type(b, type & 1 ? TN_KIND_SINT : TN_KIND_UINT, bits);
}

static struct tn_type *
new_array(struct builder *b, struct tn_type *element)
{
	struct tn_type *array = new_compound(b, TN_KIND_ARRAY, 1);

	add(b, array, "", element);
	return array;
}

/* Every shape of a value, under one name. */
static void
build_values(struct builder *b, struct tn_type *all)
{
	struct tn_vt_trace *own = b->own;
	struct tn_type *member = new_compound(b, TN_KIND_STRUCT, 4);

	for (unsigned i = 1; i < TN_VT_TYPES; i++) {
		if (!tn_vt_element_size(i) || i == TN_VT_CHAR)
			continue;
		own->scalar[i] = add(b, all, "value", new_scalar(b, i));
		own->array[i] = add(b, all, "value", new_array(b, new_scalar(b, i)));
	}
	own->text = add(b, all, "value", new_type(b, TN_KIND_STRING, 0));
	if (own->text)
		own->text->type->encoding = TN_ENCODING_NONE;	/* NULs are kept */
	own->bytes = add(b, all, "value", new_array(b, new_type(b, TN_KIND_UINT, 8)));
	/* A subtrace holds values again: there the type of the value is left open. */
	own->member_id = add(b, member, "message", new_type(b, TN_KIND_UINT, 8));
	own->member_type = add(b, member, "type", new_type(b, TN_KIND_STRING, 0));
	add(b, member, "value", new_type(b, TN_KIND_VARIANT, 0));
	own->member_warning = add(b, member, "warning", new_type(b, TN_KIND_STRING, 0));
	own->subtrace = add(b, all, "value", new_array(b, member));
	if (!b->failed)
		own->member = own->subtrace->type->field;
}

static void
build_payload(struct builder *b)
{
	struct tn_vt_trace *own = b->own;
	struct tn_type *payload = new_compound(b, TN_KIND_STRUCT, 3), *all = new_compound(b, TN_KIND_VARIANT, SHAPES);
	struct tn_type *header = new_compound(b, TN_KIND_STRUCT, 4);

	own->payload = new_root(b, payload);
	own->header = new_root(b, header);
	own->type = add(b, payload, "type", new_type(b, TN_KIND_STRING, 0));
	own->value = add(b, payload, "value", all);
	own->warning = add(b, payload, "warning", new_type(b, TN_KIND_STRING, 0));
	build_values(b, all);
	add(b, header, "time", new_type(b, TN_KIND_UINT, 32));
	add(b, header, "size", new_type(b, TN_KIND_UINT, 16));
	add(b, header, "id", new_type(b, TN_KIND_UINT, 8));
	add(b, header, "type", new_type(b, TN_KIND_UINT, 8));
	if (b->failed)
		return;
	tn_field_number(own->payload, &b->trace->n_fields);
	tn_field_number(own->header, &b->trace->n_fields);
}

static void
name_types(struct builder *b)
{
	static const char *const names[TN_VT_TYPES] = {
		"subtrace", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
		[TN_VT_CHAR] = "char", [TN_VT_DOUBLE] = "double", [TN_VT_FLOAT] = "float",
	};

	for (unsigned i = 0; i < 256; i++) {
		char text[16];

		snprintf(text, sizeof text, "user:%u", i);
		b->own->type_name[i] = i < TN_VT_TYPES && names[i] ? names[i] : i == TN_VT_UNKNOWN ? "unknown" :
				       tn_arena_string(&b->trace->arena, text);
		b->failed |= !b->own->type_name[i];
	}
}

static void
build_classes(struct builder *b)
{
	struct tn_trace *trace = b->trace;
	struct tn_stream_class *sc = TN_NEW(&trace->arena, struct tn_stream_class);
	struct tn_event_class *ec = TN_NEW_ARRAY(&trace->arena, 256, struct tn_event_class);

	trace->stream_class = TN_NEW_ARRAY(&trace->arena, 1, struct tn_stream_class *);
	trace->event_class = TN_NEW_ARRAY(&trace->arena, 256, struct tn_event_class *);
	if (b->failed || !sc || !ec || !trace->stream_class || !trace->event_class) {
		b->failed = true;
		return;
	}
	sc->trace = trace;
	sc->clock = trace->clock[0];
	sc->event_header = b->own->header;
	sc->event_class = trace->event_class;
	sc->n_event_classes = 256;
	for (unsigned i = 0; i < 256; i++) {
		char text[16];

		snprintf(text, sizeof text, "message %u", i);
		ec[i] = (struct tn_event_class) {
			.id = i, .index = i, .name = tn_arena_string(&trace->arena, text), .log_level = -1,
			.stream_class = sc, .payload = b->own->payload,
		};
		b->failed |= !ec[i].name;
		trace->event_class[i] = &ec[i];
	}
	trace->stream_class[0] = sc;
	trace->n_stream_classes = 1;
	trace->n_event_classes = 256;
}

enum tn_code
tn_vt_build(struct tn_trace *trace, struct tn_error *err)
{
	struct builder b = { .trace = trace, .own = trace->own };

	build_payload(&b);
	name_types(&b);
	build_classes(&b);
	return b.failed ? tn_fail_memory(err) : TN_OK;
}
