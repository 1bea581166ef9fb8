/*
 * model.c - the types of vartrace: a class for each message id, a field for each shape of a value
 */
#include "vartrace/private.h"

#include <stdio.h>

#include "model/build.h"

#define SHAPES 32	/* limit of fields for the shapes of a value */

struct builder {
	struct tn_builder b;
	struct tn_vt_trace *own;
};

static struct tn_type *
new_scalar(struct builder *b, unsigned type)
{
	unsigned bits = tn_vt_element_size(type) * 8;

	if (type == TN_VT_DOUBLE || type == TN_VT_FLOAT)
		return tn_build_type(&b->b, TN_KIND_FLOAT, bits);
	return tn_build_type(&b->b, type & 1 ? TN_KIND_SINT : TN_KIND_UINT, bits);
}

/* Every shape of a value, under one name. */
static void
build_values(struct builder *b, struct tn_type *all)
{
	struct tn_vt_trace *own = b->own;
	struct tn_type *member = tn_build_compound(&b->b, TN_KIND_STRUCT, 4);

	for (unsigned i = 1; i < TN_VT_TYPES; i++) {
		if (!tn_vt_element_size(i) || i == TN_VT_CHAR)
			continue;
		own->scalar[i] = tn_build_field(&b->b, all, "value", new_scalar(b, i));
		own->array[i] = tn_build_field(&b->b, all, "value", tn_build_array(&b->b, new_scalar(b, i)));
	}
	own->text = tn_build_field(&b->b, all, "value", tn_build_type(&b->b, TN_KIND_STRING, 0));
	if (own->text)
		own->text->type->encoding = TN_ENCODING_NONE;	/* NULs are kept */
	own->bytes = tn_build_field(&b->b, all, "value", tn_build_array(&b->b, tn_build_type(&b->b, TN_KIND_UINT, 8)));
	/* A subtrace contains values again; their type is not described there. */
	own->member_id = tn_build_field(&b->b, member, "message", tn_build_type(&b->b, TN_KIND_UINT, 8));
	own->member_type = tn_build_field(&b->b, member, "type", tn_build_type(&b->b, TN_KIND_STRING, 0));
	tn_build_field(&b->b, member, "value", tn_build_type(&b->b, TN_KIND_VARIANT, 0));
	own->member_warning = tn_build_field(&b->b, member, "warning", tn_build_type(&b->b, TN_KIND_STRING, 0));
	own->subtrace = tn_build_field(&b->b, all, "value", tn_build_array(&b->b, member));
	if (!b->b.failed)
		own->member = own->subtrace->type->field;
}

static void
build_payload(struct builder *b)
{
	struct tn_vt_trace *own = b->own;
	struct tn_type *payload = tn_build_compound(&b->b, TN_KIND_STRUCT, 3);
	struct tn_type *all = tn_build_compound(&b->b, TN_KIND_VARIANT, SHAPES);
	struct tn_type *header = tn_build_compound(&b->b, TN_KIND_STRUCT, 4);

	own->payload = tn_build_root(&b->b, payload);
	own->header = tn_build_root(&b->b, header);
	own->type = tn_build_field(&b->b, payload, "type", tn_build_type(&b->b, TN_KIND_STRING, 0));
	own->value = tn_build_field(&b->b, payload, "value", all);
	own->warning = tn_build_field(&b->b, payload, "warning", tn_build_type(&b->b, TN_KIND_STRING, 0));
	build_values(b, all);
	tn_build_field(&b->b, header, "time", tn_build_type(&b->b, TN_KIND_UINT, 32));
	tn_build_field(&b->b, header, "size", tn_build_type(&b->b, TN_KIND_UINT, 16));
	tn_build_field(&b->b, header, "id", tn_build_type(&b->b, TN_KIND_UINT, 8));
	tn_build_field(&b->b, header, "type", tn_build_type(&b->b, TN_KIND_UINT, 8));
	if (b->b.failed)
		return;
	tn_field_number(own->payload, &b->b.trace->n_fields);
	tn_field_number(own->header, &b->b.trace->n_fields);
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
				       tn_arena_string(&b->b.trace->arena, text);
		b->b.failed |= !b->own->type_name[i];
	}
}

static void
build_classes(struct builder *b)
{
	struct tn_trace *trace = b->b.trace;
	struct tn_stream_class *sc = TN_NEW(&trace->arena, struct tn_stream_class);
	struct tn_event_class *ec = TN_NEW_ARRAY(&trace->arena, TN_VT_REST + 1, struct tn_event_class);

	trace->stream_class = TN_NEW_ARRAY(&trace->arena, 1, struct tn_stream_class *);
	trace->event_class = TN_NEW_ARRAY(&trace->arena, TN_VT_REST + 1, struct tn_event_class *);
	if (b->b.failed || !sc || !ec || !trace->stream_class || !trace->event_class) {
		b->b.failed = true;
		return;
	}
	sc->trace = trace;
	sc->clock = trace->clock[0];
	sc->event_header = b->own->header;
	sc->event_class = trace->event_class;
	sc->n_event_classes = TN_VT_REST + 1;
	for (unsigned i = 0; i <= TN_VT_REST; i++) {
		char text[16];

		snprintf(text, sizeof text, i < TN_VT_REST ? "message %u" : "message ?", i);
		ec[i] = (struct tn_event_class) {
			.id = i, .index = i, .name = tn_arena_string(&trace->arena, text), .log_level = -1,
			.stream_class = sc, .payload = b->own->payload,
		};
		b->b.failed |= !ec[i].name;
		trace->event_class[i] = &ec[i];
	}
	trace->stream_class[0] = sc;
	trace->n_stream_classes = 1;
	trace->n_event_classes = TN_VT_REST + 1;
}

enum tn_code
tn_vt_build(struct tn_trace *trace, struct tn_error *err)
{
	struct builder b = { .b.trace = trace, .own = trace->own };

	build_payload(&b);
	name_types(&b);
	build_classes(&b);
	return b.b.failed ? tn_fail_memory(err) : TN_OK;
}
