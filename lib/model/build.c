#include "model/build.h"

struct tn_type *
tn_build_type(struct tn_builder *b, enum tn_kind kind, uint64_t bits)
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

struct tn_type *
tn_build_compound(struct tn_builder *b, enum tn_kind kind, size_t n)
{
	struct tn_type *t = tn_build_type(b, kind, 0);

	if (t && !(t->field = TN_NEW_ARRAY(&b->trace->arena, n, struct tn_field)))
		b->failed = true;
	return b->failed ? NULL : t;
}

static void
set_field(struct tn_field *f, const char *name, struct tn_type *type)
{
	f->name = f->label = name;
	f->type = type;
	f->slot = TN_NO_SLOT;
}

struct tn_field *
tn_build_field(struct tn_builder *b, struct tn_type *in, const char *name, struct tn_type *type)
{
	struct tn_field *f;

	if (b->failed || !in || !type)
		return NULL;
	f = &in->field[in->n_fields++];
	set_field(f, name, type);
	return f;
}

struct tn_type *
tn_build_array(struct tn_builder *b, struct tn_type *element)
{
	struct tn_type *array = tn_build_compound(b, TN_KIND_ARRAY, 1);

	tn_build_field(b, array, "", element);
	return array;
}

struct tn_field *
tn_build_root(struct tn_builder *b, struct tn_type *type)
{
	struct tn_field *f = TN_NEW(&b->trace->arena, struct tn_field);

	if (!f || !type) {
		b->failed = true;
		return NULL;
	}
	set_field(f, "", type);
	return f;
}
