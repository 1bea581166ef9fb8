#include "model/type.h"

#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/messages.h"
#include "base/str.h"
#include "model/path.h"
#include "model/trace.h"

bool
tn_ranges_have(const struct tn_range *range, size_t n, uint64_t v, bool is_signed)
{
	for (size_t i = 0; i < n; i++) {
		if (is_signed ? (int64_t)v >= (int64_t)range[i].lower && (int64_t)v <= (int64_t)range[i].upper
			      : v >= range[i].lower && v <= range[i].upper)
			return true;
	}
	return false;
}

bool
tn_mapping_has(const struct tn_type *t, const struct tn_mapping *m, uint64_t v)
{
	if (t->kind != TN_KIND_BITMAP)
		return tn_ranges_have(m->range, m->n_ranges, v, t->kind == TN_KIND_SINT);
	for (; v; v &= v - 1)
		if (tn_ranges_have(m->range, m->n_ranges, (uint64_t)__builtin_ctzll(v), false))
			return true;
	return false;
}

static uint64_t
multiply(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

static uint64_t
add(uint64_t a, uint64_t b)
{
	uint64_t r;

	return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}

static uint64_t
min_bits(const struct tn_type *t)
{
	uint64_t sum = 0;

	if (t->located)
		return t->located >= TN_LOCATED_REST ? 0 : 32;
	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
	case TN_KIND_BOOL:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
	case TN_KIND_FLOAT:
		return t->varint ? 8 : t->length;
	case TN_KIND_STRING:
		if (t->extent == TN_EXTENT_TERMINATED)
			return t->encoding >= TN_ENCODING_UTF32BE ? 32 : t->encoding >= TN_ENCODING_UTF16BE ? 16 : 8;
		/* fall through */
	case TN_KIND_BLOB:
		return t->extent == TN_EXTENT_STATIC ? multiply(t->length, 8) : 0;
	case TN_KIND_ARRAY:
		return t->extent == TN_EXTENT_STATIC ? multiply(t->length, t->field[0].type->summary.min_bits) : 0;
	case TN_KIND_STRUCT:
		for (size_t i = 0; i < t->n_fields; i++)
			sum = add(sum, t->field[i].type->summary.min_bits);
		return sum;
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		return 0;
	}
	return 0;
}

/* TN_TYPE_VARIES also means a size that is too large for any trace. */
static uint64_t
fixed_bits(const struct tn_type *t)
{
	uint64_t at = 0, one;

	if (t->located)
		return t->located >= TN_LOCATED_REST ? 0 : 32;
	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
	case TN_KIND_BOOL:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
	case TN_KIND_FLOAT:
		return t->varint ? TN_TYPE_VARIES : t->length;
	case TN_KIND_STRING:
	case TN_KIND_BLOB:
		return t->extent == TN_EXTENT_STATIC ? multiply(t->length, 8) : TN_TYPE_VARIES;
	case TN_KIND_ARRAY:
		one = t->field[0].type->summary.fixed_bits;
		if (t->extent != TN_EXTENT_STATIC || one == TN_TYPE_VARIES)
			return TN_TYPE_VARIES;
		if (t->length == 0)
			return 0;
		/* Padding follows each element except the last, so that the next one is aligned. */
		at = add(multiply(tn_align_up(one, t->field[0].type->align), t->length - 1), one);
		return at < UINT64_MAX / 2 ? at : TN_TYPE_VARIES;
	case TN_KIND_STRUCT:
		/* This is true if the structure starts aligned: the padding inside is then always the same. */
		for (size_t i = 0; i < t->n_fields; i++) {
			one = t->field[i].type->summary.fixed_bits;
			if (one == TN_TYPE_VARIES || t->record)
				return TN_TYPE_VARIES;
			at = add(tn_align_up(at + t->field[i].gap, t->field[i].type->align), one);
			if (at > UINT64_MAX / 2)
				return TN_TYPE_VARIES;
		}
		return at;
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		return TN_TYPE_VARIES;
	}
	return TN_TYPE_VARIES;
}

/* The summary of @t without its fields. */
static struct tn_summary
own_summary(const struct tn_type *t)
{
	struct tn_summary s = { .roles = t->roles, .slots = t->n_guards > 0 };

	if (t->kind <= TN_KIND_FLOAT && !t->varint) {
		s.little = !t->big_endian;
		s.big = t->big_endian;
		s.odd = t->align < 8 || t->length % 8;
	}
	if (t->kind <= TN_KIND_BITMAP && !t->varint)
		for (size_t i = 0; i < TN_ROLES; i++)
			if (t->roles & UINT32_C(1) << i)
				s.bits[i] = (uint8_t)(t->length > 64 ? 64 : t->length);
	return s;
}

/* Compute the summary of @type from those of its fields. tn_field_number() calls this for whole scopes. */
static void
summarize(struct tn_type *t)
{
	struct tn_summary s = own_summary(t);
	bool arrays = t->kind == TN_KIND_ARRAY;

	for (size_t i = 0; i < t->n_fields; i++) {
		const struct tn_summary *in = &t->field[i].type->summary;

		s.roles |= in->roles;
		s.little |= in->little;
		s.big |= in->big;
		s.odd |= in->odd;
		s.slots |= in->slots || t->field[i].slot >= 0;
		arrays |= !in->is_flat;
		s.n_empty = add(s.n_empty, in->n_empty);
		for (size_t k = 0; k < TN_ROLES; k++)
			if (in->bits[k] > s.bits[k])
				s.bits[k] = in->bits[k];
	}
	s.min_bits = min_bits(t);
	s.fixed_bits = fixed_bits(t);
	s.is_flat = !arrays && s.fixed_bits != TN_TYPE_VARIES;
	if (t->kind == TN_KIND_ARRAY)
		s.n_empty = multiply(add(s.n_empty, t->field[0].type->summary.fixed_bits == 0), t->length);
	t->summary = s;
}

enum tn_kind tn_type_kind(const struct tn_type *t) { return t ? t->kind : (enum tn_kind)0; }
uint64_t tn_type_align(const struct tn_type *t) { return t ? t->align : 0; }
bool tn_type_signed(const struct tn_type *t) { return t && t->kind == TN_KIND_SINT; }
bool tn_type_big_endian(const struct tn_type *t) { return t && t->big_endian; }
unsigned tn_type_base(const struct tn_type *t) { return t ? (t->base ? t->base : 10) : 0; }
enum tn_encoding tn_type_encoding(const struct tn_type *t) { return t ? t->encoding : (enum tn_encoding)0; }
const char *tn_type_media_type(const struct tn_type *t) { return t ? t->media_type : NULL; }
size_t tn_type_field_count(const struct tn_type *t) { return t ? t->n_fields : 0; }
size_t tn_type_label_count(const struct tn_type *t) { return t ? t->n_mappings : 0; }

uint64_t
tn_type_bits(const struct tn_type *t)
{
	if (!t)
		return 0;
	return t->kind <= TN_KIND_FLOAT && !t->varint ? t->length : 0;
}

int64_t
tn_type_length(const struct tn_type *t)
{
	if (!t)
		return -1;
	if (t->kind != TN_KIND_STRING && t->kind != TN_KIND_BLOB && t->kind != TN_KIND_ARRAY)
		return -1;
	return t->extent == TN_EXTENT_STATIC && t->length <= INT64_MAX ? (int64_t)t->length : -1;
}

const struct tn_field *
tn_type_field(const struct tn_type *t, size_t i)
{
	if (!t)
		return NULL;
	return i < t->n_fields ? &t->field[i] : NULL;
}

const char *
tn_type_label(const struct tn_type *t, size_t i)
{
	if (!t)
		return NULL;
	return i < t->n_mappings ? t->mapping[i].label : NULL;
}

const char *
tn_kind_name(enum tn_kind kind)
{
	static const char *const names[] = {
		[TN_KIND_UINT] = N_("unsigned integer"), [TN_KIND_SINT] = N_("signed integer"),
		[TN_KIND_BOOL] = N_("boolean"), [TN_KIND_BITS] = N_("bit array"), [TN_KIND_BITMAP] = N_("bit map"),
		[TN_KIND_FLOAT] = N_("floating point number"), [TN_KIND_STRING] = N_("string"), [TN_KIND_BLOB] = "BLOB",
		[TN_KIND_STRUCT] = N_("structure"), [TN_KIND_ARRAY] = N_("array"), [TN_KIND_VARIANT] = N_("variant"),
		[TN_KIND_OPTIONAL] = N_("optional"),
	};

	return (size_t)kind < TN_COUNT(names) ? _(names[kind]) : _("unknown");
}

static const char *const encoding_names[] = {
	[TN_ENCODING_NONE] = N_("no encoding"), [TN_ENCODING_ASCII] = "ASCII", [TN_ENCODING_UTF8] = "UTF-8",
	[TN_ENCODING_UTF16BE] = "UTF-16BE", [TN_ENCODING_UTF16LE] = "UTF-16LE",
	[TN_ENCODING_UTF32BE] = "UTF-32BE", [TN_ENCODING_UTF32LE] = "UTF-32LE",
};

static void describe_extent(struct tn_str *s, const struct tn_type *t, const char *unit)
{
	if (t->extent == TN_EXTENT_STATIC)
		tn_str_printf(s, "[%llu%s]", (unsigned long long)t->length, unit);
	else if (t->extent == TN_EXTENT_DYNAMIC)
		tn_str_printf(s, "[%s]", t->ref_path ? t->ref_path : "...");
}

static void
describe(struct tn_str *s, const struct tn_type *t)
{
	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
	case TN_KIND_BOOL:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
	case TN_KIND_FLOAT:
		if (t->n_mappings && tn_type_is_integer(t))
			tn_str_puts(s, _("enumeration : "));
		tn_str_puts(s, tn_kind_name(t->kind));
		if (t->varint) {
			tn_str_puts(s, ", LEB128");
			break;
		}
		tn_str_printf(s, P_(", %llu bit, %s, align %u", ", %llu bits, %s, align %u", t->length),
			      (unsigned long long)t->length, t->big_endian ? _("big-endian") : _("little-endian"), t->align);
		if (t->reversed)
			tn_str_puts(s, _(", reversed bit order"));
		if (t->base && t->base != 10)
			tn_str_printf(s, _(", base %u"), t->base);
		break;
	case TN_KIND_STRING:
		tn_str_printf(s, _("string, %s"), _(encoding_names[t->encoding]));
		describe_extent(s, t, _(" bytes"));
		break;
	case TN_KIND_BLOB:
		tn_str_puts(s, "BLOB");
		describe_extent(s, t, _(" bytes"));
		if (t->media_type)
			tn_str_printf(s, ", %s", t->media_type);
		break;
	case TN_KIND_ARRAY:
		tn_str_puts(s, t->extent == TN_EXTENT_STATIC ? _("array") : _("sequence"));
		describe_extent(s, t, "");
		tn_str_puts(s, _(" of "));
		describe(s, t->field[0].type);
		break;
	case TN_KIND_STRUCT:
		tn_str_printf(s, P_("structure, %zu member, align %u", "structure, %zu members, align %u", t->n_fields),
			      t->n_fields, t->align);
		break;
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		tn_str_puts(s, tn_kind_name(t->kind));
		if (t->ref_path)
			tn_str_printf(s, " <%s>", t->ref_path);
		if (t->kind == TN_KIND_VARIANT)
			tn_str_printf(s, P_(", %zu option", ", %zu options", t->n_fields), t->n_fields);
		break;
	}
}

size_t
tn_type_describe(const struct tn_type *t, char *out, size_t room)
{
	if (!t)
		return 0;

	struct tn_str s = { 0 };
	size_t n;

	describe(&s, t);
	n = s.n;
	if (room) {
		size_t copy = n < room - 1 ? n : room - 1;

		memcpy(out, tn_str_text(&s), copy);
		out[copy] = '\0';
	}
	tn_str_release(&s);
	return n;
}

size_t
tn_field_option_count(const struct tn_field *f)
{
	if (!f)
		return 0;
	return f->type->kind == TN_KIND_VARIANT ? f->type->n_fields : f->root ? f->root->n_names : 0;
}

const char *
tn_field_option(const struct tn_field *f, size_t i)
{
	if (!f)
		return NULL;
	if (i >= tn_field_option_count(f))
		return NULL;
	return f->type->kind == TN_KIND_VARIANT ? f->type->field[i].name : f->root->name[i];
}

const char *tn_field_name(const struct tn_field *f) { return f ? f->name : NULL; }
const char *tn_field_label(const struct tn_field *f) { return f ? f->label : NULL; }
const struct tn_type *tn_field_type(const struct tn_field *f) { return f ? f->type : NULL; }
const struct tn_field *tn_field_parent(const struct tn_field *f) { return f ? f->parent : NULL; }

void
tn_field_number(struct tn_field *root, uint32_t *next_id)
{
	root->id = (*next_id)++;
	for (size_t i = 0; i < root->type->n_fields; i++) {
		root->type->field[i].parent = root;
		tn_field_number(&root->type->field[i], next_id);
	}
	summarize(root->type);
}

/* A field is hidden if it has fields and all of them are hidden. An empty structure of the metadata is not hidden. */
void
tn_field_hide_empty(struct tn_field *root)
{
	struct tn_type *t = root->type;
	bool all = t->n_fields > 0;

	for (size_t i = 0; i < t->n_fields; i++) {
		tn_field_hide_empty(&t->field[i]);
		all = all && t->field[i].hidden;
	}
	if (all)
		root->hidden = true;
	else if (t->kind == TN_KIND_VARIANT)	/* one visible option makes all options visible */
		for (size_t i = 0; i < t->n_fields; i++)
			t->field[i].hidden = false;
}

static void
add_path(struct tn_str *s, const struct tn_field *f, const char *scope_name)
{
	if (!f->parent) {
		tn_str_puts(s, scope_name);
		return;
	}
	add_path(s, f->parent, scope_name);
	if (f->parent->type->kind == TN_KIND_ARRAY)
		tn_str_puts(s, "[]");
	else if (f->name[0])
		tn_str_printf(s, ".%s", f->name);
}

const char *
tn_field_path(const struct tn_field *field, const char *scope_name, char *buf, size_t size)
{
	struct tn_str s = { 0 };

	add_path(&s, field, scope_name);
	snprintf(buf, size, "%s", tn_str_text(&s));
	tn_str_release(&s);
	return buf;
}
