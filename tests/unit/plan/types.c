#include "types.h"

#include <stdarg.h>

struct tn_field *
type_field(struct tn_trace *t, const char *name, enum tn_kind kind, uint32_t align)
{
	struct tn_field *f = TN_NEW(&t->arena, struct tn_field);

	f->name = f->label = name;
	f->slot = TN_NO_SLOT;
	f->type = TN_NEW(&t->arena, struct tn_type);
	f->type->kind = kind;
	f->type->align = align;
	f->type->ref_slot = TN_NO_SLOT;
	return f;
}

struct tn_field *
type_int(struct tn_trace *t, const char *name, int bits, uint32_t align, bool big_endian)
{
	struct tn_field *f = type_field(t, name, bits < 0 ? TN_KIND_SINT : TN_KIND_UINT, align);

	f->type->length = (uint64_t)(bits < 0 ? -bits : bits);
	f->type->big_endian = big_endian;
	return f;
}

static void
adopt(struct tn_trace *t, struct tn_field *f, struct tn_field **in, size_t n)
{
	f->type->field = TN_NEW_ARRAY(&t->arena, n + 1, struct tn_field);
	f->type->n_fields = n;
	for (size_t i = 0; i < n; i++) {
		f->type->field[i] = *in[i];
		f->type->field[i].parent = f;
		for (size_t k = 0; k < in[i]->type->n_fields; k++)
			in[i]->type->field[k].parent = &f->type->field[i];
		if (f->type->kind != TN_KIND_VARIANT && f->type->kind != TN_KIND_OPTIONAL &&
		    in[i]->type->align > f->type->align)
			f->type->align = in[i]->type->align;
	}
}

struct tn_field *
type_of(struct tn_trace *t, const char *name, enum tn_kind kind, ...)
{
	struct tn_field *f = type_field(t, name, kind, 1), *in[16];
	size_t n = 0;
	va_list ap;

	va_start(ap, kind);
	while ((in[n] = va_arg(ap, struct tn_field *)))
		n++;
	va_end(ap);
	adopt(t, f, in, n);
	return f;
}

struct tn_field *
type_array(struct tn_trace *t, const char *name, struct tn_field *element, uint64_t n)
{
	struct tn_field *f = type_of(t, name, TN_KIND_ARRAY, element, (struct tn_field *)NULL);

	f->type->length = n;
	return f;
}

struct tn_field *
type_sequence(struct tn_trace *t, const char *name, struct tn_field *element, int32_t slot)
{
	struct tn_field *f = type_array(t, name, element, 0);

	f->type->extent = TN_EXTENT_DYNAMIC;
	f->type->ref_slot = slot;
	return f;
}

void
type_option(struct tn_trace *t, struct tn_field *variant, size_t i, int64_t lower, int64_t upper)
{
	struct tn_field *f = &variant->type->field[i];
	struct tn_range *r = TN_NEW_ARRAY(&t->arena, f->n_ranges + 1, struct tn_range);

	if (f->n_ranges)
		memcpy(r, f->range, f->n_ranges * sizeof *r);
	r[f->n_ranges++] = (struct tn_range) { (uint64_t)lower, (uint64_t)upper };
	f->range = r;
}

int32_t
type_slot(struct tn_trace *t, struct tn_field *f)
{
	f->slot = (int32_t)t->n_slots++;
	return f->slot;
}
