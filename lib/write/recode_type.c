/* recode_type.c - decide the written form of each field, and make its type in a draft */
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

/*
 * Make a unique name of @before, @name and the last argument, in which underscores replace the characters that a C
 * identifier cannot have.
 */
static const char *
identifier(struct tn_recoder *rc, const char *before, const char *name, const char *suffix)
{
	size_t a = strlen(before), n = strlen(name), b = strlen(suffix);
	struct tn_str *s = &rc->identifier;
	const char *out = NULL;

	tn_str_clear(s);
	if (tn_str_reserve(s, a + n + b)) {
		memcpy(s->text, before, a);
		for (size_t i = 0; i < n; i++)
			s->text[a + i] = is_word(name[i]) ? name[i] : '_';
		memcpy(s->text + a + n, suffix, b);
		out = tn_hash_text(&rc->texts, &rc->arena, s->text, a + n + b);
	}
	rc->failed |= !out;
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

/* ---- the written form of a field ---- */

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

/* Find the member that a name in brackets at @from would mean: the nearest one before it. */
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

static void
count_slots(struct tn_recoder *rc, const struct tn_field *f, bool back)
{
	if (f->slot >= 0)
		rc->slot_users[f->slot] += back ? UINT32_MAX : 1;
	for (size_t i = 0; i < f->type->n_fields; i++)
		count_slots(rc, &f->type->field[i], back);
}

/* The number of fields in the scope of @f that store in the slot. */
static uint32_t
slot_users(struct tn_recoder *rc, const struct tn_field *f, int32_t slot)
{
	while (f->parent)
		f = f->parent;
	if (f != rc->counted) {
		if (rc->counted)
			count_slots(rc, rc->counted, true);
		count_slots(rc, f, false);
		rc->counted = f;
	}
	return rc->slot_users[slot];
}

/* Find the only field of the scope that stores in the slot, if a name in brackets can mean it. */
static const struct tn_field *
find_target(struct tn_recoder *rc, const struct tn_field *from)
{
	int32_t slot = from->type->ref_slot;

	if (slot < 0 || slot_users(rc, from, slot) != 1)
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

/* ---- labels that select options ---- */

struct labelled {
	uint64_t lower, upper;	/* changed so that they compare as unsigned */
	size_t label;
};

/* The labels of a tag. A text may have 1,500 of them, and 80 variants that use them. */
struct labels {
	const struct tn_type *tag;
	struct tn_hash by_ranges;	/* the first label with a plain name, for each set of ranges */
	bool *usable;		/* no other label has one of its values; freed with free() */
};

static int
compare_labelled(const void *a, const void *b)
{
	const struct labelled *x = a, *y = b;

	return x->lower != y->lower ? (x->lower < y->lower ? -1 : 1) : x->label < y->label ? -1 : x->label > y->label;
}

/*
 * Labels that share a value cannot be used. If a range shares a value with any earlier range, it also does so with the
 * earlier range that extends furthest.
 */
static bool
drop_overlapping(struct labels *l)
{
	uint64_t move = l->tag->kind == TN_KIND_SINT ? UINT64_C(1) << 63 : 0;
	struct labelled *all, *furthest;
	size_t n = 0, k = 0;

	for (size_t i = 0; i < l->tag->n_mappings; i++)
		n += l->tag->mapping[i].n_ranges;
	if (!(all = malloc((n + 1) * sizeof *all)))
		return false;
	for (size_t i = 0; i < l->tag->n_mappings; i++) {
		const struct tn_mapping *m = &l->tag->mapping[i];

		for (size_t r = 0; r < m->n_ranges; r++) {
			all[k] = (struct labelled) { m->range[r].lower ^ move, m->range[r].upper ^ move, i };
			k += all[k].lower <= all[k].upper;
		}
	}
	qsort(all, k, sizeof *all, compare_labelled);
	furthest = all;
	for (size_t i = 1; i < k; i++) {
		if (all[i].lower <= furthest->upper && all[i].label != furthest->label)
			l->usable[all[i].label] = l->usable[furthest->label] = false;
		if (all[i].upper > furthest->upper)
			furthest = &all[i];
	}
	free(all);
	return true;
}

static void
release_labels(struct labels *l)
{
	tn_hash_release(&l->by_ranges);
	free(l->usable);
}

static bool
read_labels(struct labels *l)
{
	l->usable = malloc(l->tag->n_mappings + 1);
	if (!l->usable)
		return false;
	for (size_t i = 0; i < l->tag->n_mappings; i++) {
		const struct tn_mapping *m = &l->tag->mapping[i];
		struct tn_hash_item *ranges;
		bool is_new;

		l->usable[i] = true;
		if (!is_plain(m->label) || !m->n_ranges)
			continue;
		if (!(ranges = tn_hash_add(&l->by_ranges, m->range, m->n_ranges * sizeof *m->range, &is_new)))
			return false;
		if (is_new)
			ranges->value = i;
	}
	return drop_overlapping(l);
}

/* The label with exactly the values of @option; each label is used once. */
static const struct tn_mapping *
take_label(struct labels *l, const struct tn_field *option)
{
	const struct tn_hash_item *item = option->n_ranges ?
		tn_hash_find(&l->by_ranges, option->range, option->n_ranges * sizeof *option->range) : NULL;

	if (!item || !l->usable[item->value])
		return NULL;
	l->usable[item->value] = false;
	return &l->tag->mapping[item->value];
}

/* Limit the range to the values of an integer of this size. False: none is left. */
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

/* Whether some value of this size has the label. */
static bool
can_be(const struct tn_mapping *m, bool is_signed, unsigned bits)
{
	struct tn_range unused;

	for (size_t i = 0; i < m->n_ranges; i++)
		if (clip(&m->range[i], is_signed, bits, &unused))
			return true;
	return false;
}

/* Whether all labels exceed the integer. CTF 1.8 needs at least one label, so the integer then becomes large enough. */
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

static bool
fail_memory(struct tn_recoder *rc)
{
	rc->failed = true;
	return false;
}

/* Find the labels of @tag that select the options of the variant. False: the labels do not select exactly these options. */
static bool
take_labels(struct tn_recoder *rc, struct tn_recode_field *way, const struct tn_field *f, const struct tn_type *tag)
{
	struct labels l = { .tag = tag };
	size_t n = f->type->n_fields, i = 0;

	if (!tn_type_is_integer(tag) || tag->varint || !tag->n_mappings || f->type->lenient_tag)
		return false;
	way->label = TN_NEW_ARRAY(&rc->arena, n + 1, const struct tn_mapping *);
	if (!way->label)
		return fail_memory(rc);
	if (!read_labels(&l)) {
		release_labels(&l);
		return fail_memory(rc);
	}
	for (; i < n; i++) {
		way->label[i] = take_label(&l, &f->type->field[i]);
		if (!way->label[i] || !can_be(way->label[i], tag->kind == TN_KIND_SINT, (unsigned)tag->length))
			break;
	}
	release_labels(&l);
	return i == n;
}

/* Find the member with the length or the option. */
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

/* Give a member of the structure with the id @in the name @name, an identifier. False: another member has the name. */
static bool
take_name(struct tn_recoder *rc, uint32_t in, const char *name)
{
	struct { const char *name; uint64_t in; } *key = tn_arena_alloc(&rc->arena, sizeof *key);
	bool is_new = false;

	if (key) {
		key->name = name;
		key->in = in;
	}
	if (!key || !tn_hash_add(&rc->names, key, sizeof *key, &is_new))
		return rc->failed = true;
	return is_new;
}

/* Make an identifier that no member of the structure @in has. Escaped names, and names of lengths, can be equal to others. */
static const char *
new_name(struct tn_recoder *rc, const struct tn_field *in, const char *before, const char *label, const char *suffix)
{
	const char *name = identifier(rc, before, label, suffix);
	char room[64];

	for (size_t k = 2; name && !take_name(rc, in->id, name); k = k < 16 ? k + 1 : rc->names.n + k) {
		snprintf(room, sizeof room, "%s_%zu", suffix, k);
		name = identifier(rc, before, label, room);
	}
	return name;
}

/* Name all members together: the trace's members keep their names, and added lengths and tags get other names. */
static void
name_members(struct tn_recoder *rc, const struct tn_field *in)
{
	for (size_t i = 0; i < in->type->n_fields; i++) {
		const struct tn_field *f = &in->type->field[i];

		if (!f->hidden)
			rc->field[f->id].name = new_name(rc, in, "_", label_shown(f), "");
	}
}

struct tn_recode_field *
tn_recode_find_way(struct tn_recoder *rc, const struct tn_field *f)
{
	struct tn_recode_field *way = &rc->field[f->id];
	const char *suffix;

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
	suffix = way->way == TN_WAY_VARIANT || way->way == TN_WAY_OPTIONAL ? "_tag" : "_length";
	/* Texts of discovered classes may also get a length. */
	way->extra = is_member(f) && (way->own || (way->way == TN_WAY_STRING && rc->serial)) ?
		     new_name(rc, f->parent, "__", label_shown(f), suffix) : identifier(rc, "__", label_shown(f), suffix);
	return way;
}

/* ---- types of the draft ---- */

static void add_member(struct tn_recoder *rc, struct tn_type *in, const struct tn_field *f, const struct tn_recode_member *how);

static struct tn_type *
byte_type(struct tn_recoder *rc)
{
	if (!rc->byte)
		rc->byte = tn_draft_uint(rc->draft, 8, 8, 16);
	return rc->byte;
}

static struct tn_type *
plain_number(struct tn_recoder *rc, unsigned bits, bool is_signed)
{
	struct tn_type **known = &rc->number[is_signed][bits];

	if (!*known)
		*known = is_signed ? tn_draft_sint(rc->draft, bits, 8, 10) : tn_draft_uint(rc->draft, bits, 8, 10);
	return *known;
}

static struct tn_type *
number_type(struct tn_recoder *rc, const struct tn_type *t, unsigned bits)
{
	bool is_signed = t->kind == TN_KIND_SINT, is_bits = t->kind == TN_KIND_BITS || t->kind == TN_KIND_BITMAP;
	unsigned base = is_bits ? 16 : t->base ? t->base : 10;
	struct tn_type *to;

	if (base == 10 && !t->n_mappings)
		return plain_number(rc, bits, is_signed);
	to = is_signed ? tn_draft_sint(rc->draft, bits, 8, base) : tn_draft_uint(rc->draft, bits, 8, base);
	for (size_t i = 0; i < t->n_mappings && !is_bits; i++)
		for (size_t k = 0; k < t->mapping[i].n_ranges; k++) {
			struct tn_range r;

			if (clip(&t->mapping[i].range[k], is_signed, bits, &r))
				tn_draft_label(rc->draft, to, t->mapping[i].label, (int64_t)r.lower, (int64_t)r.upper);
		}
	return to;
}

static struct tn_type *
bool_type(struct tn_recoder *rc)
{
	struct tn_type *to = tn_draft_uint(rc->draft, 8, 8, 10);

	tn_draft_label(rc->draft, to, "false", 0, 0);
	tn_draft_label(rc->draft, to, "true", 1, 1);
	return to;
}

static const char *
option_name(const struct tn_recode_field *way, const struct tn_field *f, size_t i, char *room, size_t size)
{
	const struct tn_type *t = f->type;
	bool plain = is_plain(t->field[i].name) && strcmp(t->field[i].name, "none") != 0;

	if (t->kind == TN_KIND_OPTIONAL)
		return "some";
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

static struct tn_type *
tag_type(struct tn_recoder *rc, const struct tn_recode_field *way, const struct tn_field *f)
{
	struct tn_type *to = tn_draft_uint(rc->draft, tn_recode_tag_bits(f->type), 8, 10);
	char room[32];

	if (has_none(f))
		tn_draft_label(rc->draft, to, "none", 0, 0);
	for (size_t i = 0; i < f->type->n_fields; i++) {
		int64_t v = (int64_t)i + has_none(f);

		tn_draft_label(rc->draft, to, option_name(way, f, i, room, sizeof room), v, v);
	}
	return to;
}

static struct tn_type *type_of(struct tn_recoder *rc, const struct tn_field *f);

/* Make the type of an option, an element or a content. If it needs a member before it, a structure contains both. */
static struct tn_type *
inner_type(struct tn_recoder *rc, const struct tn_field *f)
{
	struct tn_type *to;

	if (!tn_recode_way(rc, f)->own)
		return type_of(rc, f);
	to = tn_draft_struct(rc->draft);
	add_member(rc, to, f, NULL);
	return to;
}

/* The name in the brackets of a sequence or variant. */
static const char *
reference(struct tn_recoder *rc, const struct tn_recode_field *way)
{
	return way->own ? way->extra : tn_recode_way(rc, way->target)->name;
}

static struct tn_type *
variant_type(struct tn_recoder *rc, const struct tn_recode_field *way, const struct tn_field *f)
{
	struct tn_type *to = tn_draft_variant(rc->draft, reference(rc, way));
	char room[32];

	if (has_none(f))
		tn_draft_member(rc->draft, to, "none", tn_draft_struct(rc->draft));
	for (size_t i = 0; i < f->type->n_fields; i++)
		tn_draft_member(rc->draft, to, option_name(way, f, i, room, sizeof room), inner_type(rc, &f->type->field[i]));
	return to;
}

static struct tn_type *
array_type(struct tn_recoder *rc, const struct tn_recode_field *way, const struct tn_type *t, struct tn_type *element)
{
	if (t->extent == TN_EXTENT_STATIC)
		return tn_draft_array(rc->draft, t->length, element);
	return tn_draft_sequence(rc->draft, reference(rc, way), element);
}

/* Make the type, without the member for its length or tag. */
static struct tn_type *
type_of(struct tn_recoder *rc, const struct tn_field *f)
{
	const struct tn_recode_field *way = tn_recode_way(rc, f);
	const struct tn_type *t = f->type;
	struct tn_type *to;

	switch (way->way) {
	case TN_WAY_INTEGER:
		return number_type(rc, t, way->bits);
	case TN_WAY_BOOL:
		return bool_type(rc);
	case TN_WAY_WIDE:
		return tn_draft_array(rc->draft, (t->length + 7) / 8, byte_type(rc));
	case TN_WAY_BYTES:
		return array_type(rc, way, t, byte_type(rc));
	case TN_WAY_FLOAT:
		return tn_draft_float(rc->draft, way->bits, 8);
	case TN_WAY_STRING:
	case TN_WAY_TEXT:
		return tn_draft_string(rc->draft);
	case TN_WAY_ARRAY:
		return array_type(rc, way, t, inner_type(rc, &t->field[0]));
	case TN_WAY_VARIANT:
	case TN_WAY_OPTIONAL:
		return variant_type(rc, way, f);
	case TN_WAY_STRUCT:
	case TN_WAY_UNKNOWN:
	case TN_WAY_NOTHING:
		break;
	}
	to = tn_draft_struct(rc->draft);
	for (size_t i = 0; way->way == TN_WAY_STRUCT && i < t->n_fields; i++)
		add_member(rc, to, &t->field[i], NULL);
	return to;
}

static void
name_member(struct tn_recoder *rc, struct tn_type *in, const char *name, struct tn_type *type)
{
	tn_draft_member_as(rc->draft, in, name, *name == '_' ? name + 1 : name, type);
}

/* Add a member, after the member for its length or tag. @how: its form for one event; NULL: the form of the type. */
static void
add_member(struct tn_recoder *rc, struct tn_type *in, const struct tn_field *f, const struct tn_recode_member *how)
{
	const struct tn_recode_field *way = tn_recode_way(rc, f);
	bool counted = how && how->counted, is_list = way->way == TN_WAY_ARRAY || way->way == TN_WAY_BYTES;

	if (way->way == TN_WAY_NOTHING || rc->failed)
		return;
	if (how && how->has_nul) {
		name_member(rc, in, way->extra, plain_number(rc, 32, false));
		name_member(rc, in, way->name, tn_draft_text_sequence(rc->draft, way->extra));
		return;
	}
	if (way->own && !counted)
		name_member(rc, in, way->extra, is_list ? plain_number(rc, 32, false) : tag_type(rc, way, f));
	name_member(rc, in, way->name,
		    counted ? tn_draft_array(rc->draft, how->n, inner_type(rc, &f->type->field[0])) : type_of(rc, f));
}

struct tn_type *
tn_recode_scope(struct tn_recoder *rc, const struct tn_field *root, const bool *has)
{
	struct tn_type *to;

	if (!root || root->hidden)
		return NULL;
	to = tn_draft_struct(rc->draft);
	if (root->type->kind == TN_KIND_STRUCT)
		for (size_t i = 0; i < root->type->n_fields; i++) {
			if (!has || has[i])
				add_member(rc, to, &root->type->field[i], NULL);
		}
	else
		add_member(rc, to, root, NULL);
	return to;
}

struct tn_type *
tn_recode_shape(struct tn_recoder *rc, const struct tn_recode_member *member, size_t n)
{
	struct tn_type *to = tn_draft_struct(rc->draft);

	for (size_t i = 0; i < n; i++)
		add_member(rc, to, member[i].field, &member[i]);
	return to;
}

const char *
tn_recode_identifier(struct tn_recoder *rc, const char *name)
{
	const char *before = is_plain(name) ? "" : *name == '_' || (*name >= '0' && *name <= '9') || !*name ||
			     tn_tsdl_is_keyword(name) ? "n_" : "";

	return identifier(rc, before, name, "");
}

const char *
tn_recode_env_name(struct tn_recoder *rc, const char *name)
{
	const char *own = tn_recode_identifier(rc, name), *first = own;
	char room[32];

	for (size_t k = 2; own && !take_name(rc, UINT32_MAX, own); k = k < 16 ? k + 1 : rc->names.n + k) {
		snprintf(room, sizeof room, "_%zu", k);
		own = identifier(rc, "", first, room);
	}
	return own;
}
