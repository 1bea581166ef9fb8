/*
 * recode_type.c - how each field is written, and the TSDL that says so
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write/draft.h"
#include "write/recode.h"

/* ---- names ---- */

static bool
is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* @before, @name with what cannot be in a C identifier made underscores, @behind. */
static char *
identifier(struct tn_recoder *rc, const char *before, const char *name, const char *behind)
{
	size_t a = strlen(before), n = strlen(name), b = strlen(behind);
	char *out = tn_arena_alloc(&rc->arena, a + n + b + 16);

	if (!out) {
		rc->failed = true;
		return NULL;
	}
	memcpy(out, before, a);
	for (size_t i = 0; i < n; i++)
		out[a + i] = is_word(name[i]) ? name[i] : '_';
	memcpy(out + a + n, behind, b);
	return out;
}

static bool
is_plain(const char *label)
{
	size_t n = strlen(label);

	if (!n || *label == '_' || (*label >= '0' && *label <= '9') || tn_tsdl_is_keyword(label))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_word(label[i]))
			return false;
	return true;
}

/* ---- the way of a field ---- */

static bool
has_open_type(const struct tn_type *t)
{
	if (t->kind == TN_KIND_VARIANT && !t->n_fields)
		return true;
	for (size_t i = 0; i < t->n_fields; i++)
		if (has_open_type(t->field[i].type))
			return true;
	return false;
}

static enum tn_way
way_of(const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	if (f->hidden && f->parent)
		return TN_WAY_NOTHING;
	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
		return t->length > 64 ? TN_WAY_WIDE : TN_WAY_INTEGER;
	case TN_KIND_BOOL:
		return TN_WAY_BOOL;
	case TN_KIND_FLOAT:
		return t->length > 64 ? TN_WAY_WIDE : TN_WAY_FLOAT;
	case TN_KIND_STRING:
		return TN_WAY_STRING;
	case TN_KIND_BLOB:
		return TN_WAY_BYTES;
	case TN_KIND_STRUCT:
		return has_open_type(t) ? TN_WAY_TEXT : TN_WAY_STRUCT;
	case TN_KIND_ARRAY:
		return has_open_type(t) ? TN_WAY_TEXT : TN_WAY_ARRAY;
	case TN_KIND_VARIANT:
		return has_open_type(t) ? TN_WAY_TEXT : TN_WAY_VARIANT;
	case TN_KIND_OPTIONAL:
		return TN_WAY_OPTIONAL;
	}
	return TN_WAY_NOTHING;
}

/* The member that a name in brackets at @from would mean: the nearest one before. */
static const struct tn_field *
look_up(struct tn_recoder *rc, const struct tn_field *from, const char *name)
{
	for (const struct tn_field *at = from; at->parent; at = at->parent) {
		const struct tn_type *in = at->parent->type;

		if (in->kind != TN_KIND_STRUCT)
			continue;
		for (const struct tn_field *f = at; f-- > in->field;) {
			struct tn_recode_field *way = tn_recode_way(rc, f);

			if (way && way->name && strcmp(way->name, name) == 0)
				return f;
		}
	}
	return NULL;
}

/* The only field that stores to the slot, when a name in brackets can mean it. */
static const struct tn_field *
find_target(struct tn_recoder *rc, const struct tn_field *from)
{
	int32_t slot = from->type->ref_slot;

	if (slot < 0 || rc->slot_users[slot] != 1)
		return NULL;
	for (const struct tn_field *at = from; at->parent; at = at->parent) {
		const struct tn_type *in = at->parent->type;

		if (in->kind != TN_KIND_STRUCT)
			continue;
		for (const struct tn_field *f = at; f-- > in->field;) {
			const struct tn_recode_field *way;

			if (f->slot != slot)
				continue;
			way = tn_recode_way(rc, f);
			return way && way->way == TN_WAY_INTEGER && way->name && look_up(rc, from, way->name) == f ? f : NULL;
		}
	}
	return NULL;
}

static bool
same_ranges(const struct tn_mapping *m, const struct tn_field *option)
{
	if (m->n_ranges != option->n_ranges)
		return false;
	for (size_t i = 0; i < m->n_ranges; i++)
		if (m->range[i].lower != option->range[i].lower || m->range[i].upper != option->range[i].upper)
			return false;
	return true;
}

/* Whether some value has both labels. */
static bool
overlap(const struct tn_mapping *a, const struct tn_mapping *b, bool is_signed)
{
	for (size_t i = 0; i < a->n_ranges; i++)
		if (tn_ranges_have(b->range, b->n_ranges, a->range[i].lower, is_signed) ||
		    tn_ranges_have(b->range, b->n_ranges, a->range[i].upper, is_signed))
			return true;
	for (size_t i = 0; i < b->n_ranges; i++)
		if (tn_ranges_have(a->range, a->n_ranges, b->range[i].lower, is_signed))
			return true;
	return false;
}

static const struct tn_mapping *
label_of(const struct tn_type *tag, const struct tn_field *option)
{
	const struct tn_mapping *found = NULL;

	for (size_t i = 0; i < tag->n_mappings; i++)
		if (same_ranges(&tag->mapping[i], option) && is_plain(tag->mapping[i].label) && !found)
			found = &tag->mapping[i];
	for (size_t i = 0; found && i < tag->n_mappings; i++)
		if (&tag->mapping[i] != found && (strcmp(tag->mapping[i].label, found->label) == 0 ||
						  overlap(&tag->mapping[i], found, tag->kind == TN_KIND_SINT)))
			return NULL;
	return found;
}

/* The part of the range that values of so many bits can be in; false: there is none. */
static bool
clip(const struct tn_range *r, bool is_signed, unsigned bits, struct tn_range *out)
{
	int64_t lowest = is_signed ? -(int64_t)((UINT64_C(1) << (bits - 1)) - 1) - 1 : 0;
	uint64_t highest = is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;

	*out = *r;
	if (is_signed) {
		if ((int64_t)r->lower > (int64_t)highest || (int64_t)r->upper < lowest)
			return false;
		if ((int64_t)out->lower < lowest)
			out->lower = (uint64_t)lowest;
		if ((int64_t)out->upper > (int64_t)highest)
			out->upper = highest;
	} else {
		if (r->lower > highest)
			return false;
		if (out->upper > highest)
			out->upper = highest;
	}
	return true;
}

/* Whether a value of so many bits can have the label. */
static bool
can_be(const struct tn_mapping *m, bool is_signed, unsigned bits)
{
	struct tn_range unused;

	for (size_t i = 0; i < m->n_ranges; i++)
		if (clip(&m->range[i], is_signed, bits, &unused))
			return true;
	return false;
}

/* All labels are beyond the integer: CTF 1.8 wants one, so the integer gets wide enough for them. */
static bool
labels_are_beyond(const struct tn_type *t, unsigned bits)
{
	bool some = false;

	for (size_t i = 0; i < t->n_mappings; i++) {
		if (can_be(&t->mapping[i], t->kind == TN_KIND_SINT, bits))
			return false;
		some |= t->mapping[i].n_ranges != 0;
	}
	return some;
}

/* The labels of @tag that select the options of the variant; false when they do not say just that. */
static bool
take_labels(struct tn_recoder *rc, struct tn_recode_field *way, const struct tn_field *f, const struct tn_type *tag)
{
	size_t n = f->type->n_fields;

	if (!tn_type_is_integer(tag) || tag->varint || !tag->n_mappings || f->type->lenient_tag)
		return false;
	way->label = TN_NEW_ARRAY(&rc->arena, n + 1, const struct tn_mapping *);
	if (!way->label) {
		rc->failed = true;
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		way->label[i] = label_of(tag, &f->type->field[i]);
		if (!way->label[i] || !can_be(way->label[i], tag->kind == TN_KIND_SINT, (unsigned)tag->length))
			return false;
		for (size_t k = 0; k < i; k++)
			if (way->label[k] == way->label[i])
				return false;
	}
	return true;
}

/* What says the length or the option. */
static void
find_reference(struct tn_recoder *rc, struct tn_recode_field *way, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	const struct tn_field *target;

	switch (way->way) {
	case TN_WAY_ARRAY:
	case TN_WAY_BYTES:
		if (t->extent == TN_EXTENT_STATIC)
			return;
		target = find_target(rc, f);
		if (target && (target->type->kind != TN_KIND_UINT || target->type->n_mappings))
			target = NULL;
		way->target = target;
		way->own = !target;
		return;
	case TN_WAY_VARIANT:
		target = find_target(rc, f);
		way->own = !target || !take_labels(rc, way, f, target->type);
		way->target = way->own ? NULL : target;
		return;
	case TN_WAY_OPTIONAL:
		way->own = true;
		return;
	default:
		return;
	}
}

static bool
is_member(const struct tn_field *f)
{
	return f->parent && f->parent->type->kind == TN_KIND_STRUCT;
}

static const char *
label_shown(const struct tn_field *f)
{
	return f->label && *f->label ? f->label : f->parent && !is_member(f) ? "value" : "unnamed";
}

/* An identifier that nothing in the structure @in has: escaped names may become the same, and those of lengths. */
static char *
new_name(struct tn_recoder *rc, const struct tn_field *in, const char *before, const char *label, const char *behind)
{
	char *name = identifier(rc, before, label, behind), room[64];

	for (size_t k = 2; name && !tn_recode_take_name(rc, in->id, name); k = k < 16 ? k + 1 : rc->n_names + k) {
		snprintf(room, sizeof room, "%s_%zu", behind, k);
		name = identifier(rc, before, label, room);
	}
	return name;
}

/* All at once: what the trace has keeps its name, lengths and tags in front of it step aside. */
static void
name_members(struct tn_recoder *rc, const struct tn_field *in)
{
	for (size_t i = 0; i < in->type->n_fields; i++) {
		const struct tn_field *f = &in->type->field[i];

		if (!f->hidden)
			rc->field[f->id].name = new_name(rc, in, "_", label_shown(f), "");
	}
}

/* Readers go to where a thing begins, even when there is nothing in it. */
static uint8_t
align_of(struct tn_recoder *rc, const struct tn_recode_field *way, const struct tn_type *t)
{
	uint8_t align = 1;

	switch (way->way) {
	case TN_WAY_STRUCT:
	case TN_WAY_ARRAY:
		for (size_t i = 0; i < t->n_fields; i++) {
			const struct tn_recode_field *inside = tn_recode_way(rc, &t->field[i]);

			if (inside->own || inside->align > align)
				align = 8;
		}
		return align;
	case TN_WAY_UNKNOWN:
	case TN_WAY_NOTHING:
	case TN_WAY_VARIANT:
	case TN_WAY_OPTIONAL:
		return 1;
	default:
		return 8;
	}
}

struct tn_recode_field *
tn_recode_way(struct tn_recoder *rc, const struct tn_field *f)
{
	struct tn_recode_field *way = &rc->field[f->id];
	const char *behind;

	if (way->way != TN_WAY_UNKNOWN)
		return way;
	way->way = way_of(f);
	if (way->way == TN_WAY_NOTHING)
		return way;
	way->bits = f->type->varint || f->type->length > 64 ? 64 : (uint8_t)f->type->length;
	if (way->way == TN_WAY_FLOAT && way->bits < 32)
		way->bits = 32;
	if (way->way == TN_WAY_INTEGER && tn_type_is_integer(f->type) && labels_are_beyond(f->type, way->bits))
		way->bits = 64;
	if (!is_member(f))
		way->name = identifier(rc, "_", label_shown(f), "");
	else if (!way->name)
		name_members(rc, f->parent);
	find_reference(rc, way, f);
	behind = way->way == TN_WAY_VARIANT || way->way == TN_WAY_OPTIONAL ? "_tag" : "_length";
	/* Texts of discovered classes may get a length as well. */
	way->extra = is_member(f) && (way->own || (way->way == TN_WAY_STRING && rc->serial)) ?
		     new_name(rc, f->parent, "__", label_shown(f), behind) : identifier(rc, "__", label_shown(f), behind);
	way->align = align_of(rc, way, f->type);
	return way;
}

/* ---- TSDL ---- */

struct writer {
	struct tn_recoder *rc;
	struct tn_str *out;
	int depth;
};

static void write_member(struct writer *w, const struct tn_field *f, const struct tn_recode_member *how);

static void
indent(struct writer *w)
{
	for (int i = 0; i < w->depth; i++)
		tn_str_putc(w->out, '\t');
}

static void
write_integer(struct writer *w, unsigned bits, bool is_signed, unsigned base)
{
	tn_str_printf(w->out, "integer { size = %u; align = 8; signed = %s;", bits, is_signed ? "true" : "false");
	if (base && base != 10)
		tn_str_printf(w->out, " base = %u;", base);
	tn_str_puts(w->out, " }");
}

static void
write_number(struct writer *w, const struct tn_type *t, unsigned bits)
{
	bool is_signed = t->kind == TN_KIND_SINT, some = false;
	bool is_bits = t->kind == TN_KIND_BITS || t->kind == TN_KIND_BITMAP;

	for (size_t i = 0; i < t->n_mappings && !is_bits; i++)
		some |= t->mapping[i].n_ranges != 0;
	if (!some) {
		write_integer(w, bits, is_signed, is_bits ? 16 : t->base);
		return;
	}
	tn_str_puts(w->out, "enum : ");
	write_integer(w, bits, is_signed, t->base);
	tn_str_puts(w->out, " {");
	for (size_t i = 0; i < t->n_mappings; i++)
		for (size_t k = 0; k < t->mapping[i].n_ranges; k++) {
			struct tn_range r;

			if (!clip(&t->mapping[i].range[k], is_signed, bits, &r))
				continue;
			tn_str_putc(w->out, ' ');
			tn_tsdl_write_quoted(w->out, t->mapping[i].label);
			tn_str_printf(w->out, is_signed ? " = %" PRId64 : " = %" PRIu64, r.lower);
			if (r.upper != r.lower)
				tn_str_printf(w->out, is_signed ? " ... %" PRId64 : " ... %" PRIu64, r.upper);
			tn_str_putc(w->out, ',');
		}
	tn_str_puts(w->out, " }");
}

/* An option, an element, a content: what needs something in front of it is put into a structure. */
static void
write_inner(struct writer *w, const struct tn_field *f)
{
	tn_str_puts(w->out, "struct {\n");
	w->depth++;
	write_member(w, f, NULL);
	w->depth--;
	indent(w);
	tn_str_puts(w->out, "}");
}

static const char *
option_name(const struct tn_recode_field *way, const struct tn_field *f, size_t i, char *room, size_t size)
{
	const struct tn_type *t = f->type;
	bool plain = is_plain(t->field[i].name) && strcmp(t->field[i].name, "none") != 0;

	if (way->label && !way->own)
		return way->label[i]->label;
	for (size_t k = 0; k < t->n_fields; k++)
		plain = plain && (k == i || strcmp(t->field[k].name, t->field[i].name) != 0);
	if (plain)
		return t->field[i].name;
	snprintf(room, size, "o_%zu", i);
	return room;
}

static bool
has_none(const struct tn_field *f)
{
	return f->type->kind == TN_KIND_OPTIONAL || f->type->lenient_tag;
}

static void
write_tag(struct writer *w, const struct tn_recode_field *way, const struct tn_field *f)
{
	size_t n = f->type->n_fields;
	char room[32];

	indent(w);
	tn_str_printf(w->out, "enum : integer { size = %u; align = 8; signed = false; } {", n > 250 ? 32 : 8);
	if (has_none(f))
		tn_str_puts(w->out, " none = 0,");
	if (f->type->kind == TN_KIND_OPTIONAL)
		tn_str_puts(w->out, " some = 1,");
	else
		for (size_t i = 0; i < n; i++)
			tn_str_printf(w->out, " %s = %zu,", option_name(way, f, i, room, sizeof room), i + has_none(f));
	tn_str_printf(w->out, " } %s;\n", way->extra);
}

static void
write_length(struct writer *w, const struct tn_recode_field *way)
{
	indent(w);
	write_integer(w, 32, false, 10);
	tn_str_printf(w->out, " %s;\n", way->extra);
}

static void write_type(struct writer *w, const struct tn_field *f);

/* A member of a structure or variant without what is in front of it. */
static void
write_option(struct writer *w, const struct tn_field *f, const char *name)
{
	const struct tn_recode_field *way = tn_recode_way(w->rc, f);

	indent(w);
	if (way->own || way->way == TN_WAY_NOTHING || way->way == TN_WAY_ARRAY || way->way == TN_WAY_BYTES ||
	    way->way == TN_WAY_WIDE) {
		bool in_line = !way->own && way->way != TN_WAY_NOTHING;

		if (in_line)
			write_type(w, f);
		else if (way->own)
			write_inner(w, f);
		else
			tn_str_puts(w->out, "struct { }");
		tn_str_printf(w->out, " %s", name);
		if (in_line)
			tn_recode_lengths(w->rc, w->out, f);
	} else {
		write_type(w, f);
		tn_str_printf(w->out, " %s", name);
	}
	tn_str_puts(w->out, ";\n");
}

static void
write_variant(struct writer *w, const struct tn_recode_field *way, const struct tn_field *f)
{
	char room[32];

	tn_str_printf(w->out, "variant <%s> {\n", way->own ? way->extra : tn_recode_way(w->rc, way->target)->name);
	w->depth++;
	if (has_none(f)) {
		indent(w);
		tn_str_puts(w->out, "struct { } none;\n");
	}
	for (size_t i = 0; i < f->type->n_fields; i++)
		write_option(w, &f->type->field[i], f->type->kind == TN_KIND_OPTIONAL ? "some" :
			     option_name(way, f, i, room, sizeof room));
	w->depth--;
	indent(w);
	tn_str_puts(w->out, "}");
}

/* The type up to the name; arrays have their lengths behind it. */
static void
write_type(struct writer *w, const struct tn_field *f)
{
	const struct tn_recode_field *way = tn_recode_way(w->rc, f);
	const struct tn_type *t = f->type;

	switch (way->way) {
	case TN_WAY_UNKNOWN:
	case TN_WAY_NOTHING:
		tn_str_puts(w->out, "struct { }");
		return;
	case TN_WAY_INTEGER:
		write_number(w, t, way->bits);
		return;
	case TN_WAY_BOOL:
		tn_str_puts(w->out, "enum : integer { size = 8; align = 8; signed = false; } { \"false\" = 0, \"true\" = 1, }");
		return;
	case TN_WAY_WIDE:
	case TN_WAY_BYTES:
		write_integer(w, 8, false, 16);
		return;
	case TN_WAY_FLOAT:
		tn_str_printf(w->out, "floating_point { exp_dig = %d; mant_dig = %d; align = 8; }",
			      way->bits == 32 ? 8 : 11, way->bits == 32 ? 24 : 53);
		return;
	case TN_WAY_STRING:
	case TN_WAY_TEXT:
		tn_str_puts(w->out, "string { encoding = UTF8; }");
		return;
	case TN_WAY_STRUCT:
		tn_str_puts(w->out, "struct {\n");
		w->depth++;
		for (size_t i = 0; i < t->n_fields; i++)
			write_member(w, &t->field[i], NULL);
		w->depth--;
		indent(w);
		tn_str_puts(w->out, "}");
		return;
	case TN_WAY_ARRAY:
		if (tn_recode_way(w->rc, &t->field[0])->own)
			write_inner(w, &t->field[0]);
		else
			write_type(w, &t->field[0]);
		return;
	case TN_WAY_VARIANT:
	case TN_WAY_OPTIONAL:
		write_variant(w, way, f);
		return;
	}
}

void
tn_recode_lengths(struct tn_recoder *rc, struct tn_str *out, const struct tn_field *f)
{
	const struct tn_recode_field *way = tn_recode_way(rc, f);
	const struct tn_type *t = f->type;

	if (way->way == TN_WAY_WIDE) {
		tn_str_printf(out, "[%" PRIu64 "]", (t->length + 7) / 8);
		return;
	}
	if (way->way != TN_WAY_ARRAY && way->way != TN_WAY_BYTES)
		return;
	if (t->extent == TN_EXTENT_STATIC)
		tn_str_printf(out, "[%" PRIu64 "]", t->length);
	else
		tn_str_printf(out, "[%s]", way->own ? way->extra : tn_recode_way(rc, way->target)->name);
	if (way->way == TN_WAY_ARRAY && !tn_recode_way(rc, &t->field[0])->own)
		tn_recode_lengths(rc, out, &t->field[0]);
}

/* With what is in front of it. @how: as one event has it; NULL: as its type says. */
static void
write_member(struct writer *w, const struct tn_field *f, const struct tn_recode_member *how)
{
	const struct tn_recode_field *way = tn_recode_way(w->rc, f);

	if (way->way == TN_WAY_NOTHING)
		return;
	if (how && how->has_nul) {
		write_length(w, way);
		indent(w);
		tn_str_printf(w->out, "integer { size = 8; align = 8; signed = false; encoding = UTF8; } %s[%s];\n",
			      way->name, way->extra);
		return;
	}
	if (way->own && !(how && how->counted)) {
		if (way->way == TN_WAY_ARRAY || way->way == TN_WAY_BYTES)
			write_length(w, way);
		else
			write_tag(w, way, f);
	}
	indent(w);
	write_type(w, f);
	tn_str_printf(w->out, " %s", way->name);
	if (how && how->counted)
		tn_str_printf(w->out, "[%" PRIu64 "]", how->n);
	else
		tn_recode_lengths(w->rc, w->out, f);
	tn_str_puts(w->out, ";\n");
}

void
tn_recode_scope(struct tn_recoder *rc, struct tn_str *out, const char *name, const struct tn_field *root)
{
	struct writer w = { rc, out, 2 };

	if (!root || root->hidden)
		return;
	tn_str_printf(out, "\t%s := struct {\n", name);
	if (root->type->kind == TN_KIND_STRUCT)
		for (size_t i = 0; i < root->type->n_fields; i++)
			write_member(&w, &root->type->field[i], NULL);
	else
		write_member(&w, root, NULL);
	tn_str_puts(out, "\t};\n");
}

void
tn_recode_shape(struct tn_recoder *rc, struct tn_str *out, const struct tn_recode_member *member, size_t n)
{
	struct writer w = { rc, out, 2 };

	tn_str_puts(out, "\tfields := struct {\n");
	for (size_t i = 0; i < n; i++)
		write_member(&w, member[i].field, &member[i]);
	tn_str_puts(out, "\t};\n");
}

/* The members of the packet context that are the user's. */
void
tn_recode_context(struct tn_recoder *rc, struct tn_str *out, const struct tn_field *root)
{
	struct writer w = { rc, out, 2 };

	if (!root || root->hidden || root->type->kind != TN_KIND_STRUCT)
		return;
	for (size_t i = 0; i < root->type->n_fields; i++)
		write_member(&w, &root->type->field[i], NULL);
}

char *
tn_recode_identifier(struct tn_recoder *rc, const char *name)
{
	const char *before = is_plain(name) ? "" : *name == '_' || (*name >= '0' && *name <= '9') || !*name ||
			     tn_tsdl_is_keyword(name) ? "n_" : "";

	return identifier(rc, before, name, "");
}
