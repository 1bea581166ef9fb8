#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "ctf/tsdl_parser.h"
#include "model/labels.h"

#define MAX_BITS (UINT64_C(1) << 30)	/* limit of the size of an integer */
#define MAX_ALIGN (UINT64_C(1) << 31)

static struct tsdl_type *
new_type(struct tsdl_unit *u, enum tsdl_type_kind kind, struct tsdl_place place)
{
	struct tsdl_type *t = TN_NEW(u->nodes, struct tsdl_type);

	if (!t) {
		tn_tsdl_fail_memory(u);
		return NULL;
	}
	t->kind = kind;
	t->place = place;
	return t;
}

/* The word of a path that has only one word; otherwise NULL. */
static const char *
word_of(const struct tsdl_value *v)
{
	return v->kind == TSDL_VALUE_PATH && v->path.n == 1 ? v->path.word[0]->text : NULL;
}

/* Read a number that is at least @least and at most @most. */
static bool
number_between(struct tsdl_unit *u, const struct tsdl_value *v, uint64_t least, uint64_t most, uint64_t *out)
{
	if (v->kind != TSDL_VALUE_NUMBER)
		return tn_tsdl_fail(u, v->place, "expected an integer");
	if (v->is_negative || v->magnitude < least || v->magnitude > most)
		return tn_tsdl_fail(u, v->place, "must be %" PRIu64 " to %" PRIu64, least, most);
	*out = v->magnitude;
	return true;
}

bool
tn_tsdl_alignment(struct tsdl_unit *u, const struct tsdl_value *v, uint64_t *out)
{
	if (v->kind != TSDL_VALUE_NUMBER || v->is_negative || v->magnitude == 0 || v->magnitude & (v->magnitude - 1))
		return tn_tsdl_fail(u, v->place, "an alignment must be a power of two");
	return number_between(u, v, 1, MAX_ALIGN, out);
}

/* A word, and the value that it means. */
struct choice {
	const char *word;
	int value;
};

static bool
choose(struct tsdl_unit *u, const struct tsdl_value *v, const struct choice *table, const char *what, int *out)
{
	const char *word = word_of(v);

	for (; table->word; table++) {
		if (word && strcmp(word, table->word) == 0) {
			*out = table->value;
			return true;
		}
	}
	return tn_tsdl_fail(u, v->place, "not %s", _(what));
}

static bool
read_signed(struct tsdl_unit *u, const struct tsdl_value *v, bool *out)
{
	static const struct choice words[] = {
		{ "true", 1 }, { "TRUE", 1 }, { "false", 0 }, { "FALSE", 0 }, { NULL, 0 },
	};
	int value;

	if (v->kind == TSDL_VALUE_NUMBER) {
		*out = v->magnitude != 0;
		return true;
	}
	if (!choose(u, v, words, N_("a boolean: write true, false, 1 or 0"), &value))
		return false;
	*out = value;
	return true;
}

static bool
read_byte_order(struct tsdl_unit *u, const struct tsdl_value *v, enum tsdl_order *out)
{
	static const struct choice words[] = {
		{ "native", TSDL_NATIVE }, { "le", TSDL_LITTLE }, { "be", TSDL_BIG }, { "network", TSDL_BIG },
		{ NULL, 0 },
	};
	int value;

	if (!choose(u, v, words, N_("a byte order: native, le, be or network"), &value))
		return false;
	*out = (enum tsdl_order)value;
	return true;
}

static bool
read_base(struct tsdl_unit *u, const struct tsdl_value *v, uint8_t *out)
{
	static const struct choice words[] = {
		{ "decimal", 10 }, { "dec", 10 }, { "d", 10 }, { "i", 10 }, { "u", 10 },
		{ "hexadecimal", 16 }, { "hex", 16 }, { "x", 16 }, { "X", 16 }, { "p", 16 },
		{ "octal", 8 }, { "oct", 8 }, { "o", 8 }, { "binary", 2 }, { "bin", 2 }, { "b", 2 }, { NULL, 0 },
	};
	int value;

	if (v->kind == TSDL_VALUE_NUMBER) {
		if (v->is_negative || (v->magnitude != 2 && v->magnitude != 8 && v->magnitude != 10 && v->magnitude != 16))
			return tn_tsdl_fail(u, v->place, "a base must be 2, 8, 10 or 16");
		*out = (uint8_t)v->magnitude;
		return true;
	}
	if (!choose(u, v, words, N_("a base: 2, 8, 10, 16 or a word for one"), &value))
		return false;
	*out = (uint8_t)value;
	return true;
}

static bool
read_encoding(struct tsdl_unit *u, const struct tsdl_value *v, enum tn_encoding *out)
{
	static const struct choice words[] = {
		{ "none", TN_ENCODING_NONE }, { "NONE", TN_ENCODING_NONE },
		{ "UTF8", TN_ENCODING_UTF8 }, { "utf8", TN_ENCODING_UTF8 },
		{ "ASCII", TN_ENCODING_ASCII }, { "ascii", TN_ENCODING_ASCII }, { NULL, 0 },
	};
	int value;

	/* UTF-8 has a hyphen, so TSDL can only write it as a string. */
	if (v->kind == TSDL_VALUE_STRING && (strcmp(v->string, "UTF-8") == 0 || strcmp(v->string, "utf-8") == 0)) {
		tn_tsdl_tell(u, TN_WRONG, v->place, "an encoding must be a word, not a string");
		*out = TN_ENCODING_UTF8;
		return true;
	}
	if (!choose(u, v, words, N_("an encoding: none, UTF8 or ASCII"), &value))
		return false;
	*out = (enum tn_encoding)value;
	return true;
}

/* Read `map = clock.NAME.value;`. The clock is searched for when all blocks are read. */
static void
read_map(struct tsdl_unit *u, const struct tsdl_value *v, struct tsdl_type *t)
{
	if (v->kind != TSDL_VALUE_PATH || v->path.n != 3 || v->path.word[0]->keyword != TSDL_CLOCK ||
	    strcmp(v->path.word[2]->text, "value") != 0) {
		tn_tsdl_tell(u, TN_WARNING, v->place, "ignored: a map is `clock.NAME.value`");
		return;
	}
	t->number.clock = v->path.word[1];
	t->number.clock_place = v->place;
}

/* Call @read for each attribute. An attribute that occurs twice is an error. -1 from @read: the attribute is unknown. */
static bool
read_attributes(struct tsdl_unit *u, const struct tsdl_entry *a, struct tsdl_type *t,
		int (*read)(struct tsdl_unit *, const struct tsdl_entry *, struct tsdl_type *))
{
	uint32_t mark = ++u->mark;

	for (; a; a = a->next) {
		if (a->name->mark == mark)
			return tn_tsdl_fail(u, a->place, "the attribute is given twice");
		a->name->mark = mark;
		switch (read(u, a, t)) {
		case 0:
			return false;
		case -1:
			tn_tsdl_tell(u, TN_WARNING, a->place, "unknown attribute, ignored");
		}
	}
	return true;
}

static int
read_integer(struct tsdl_unit *u, const struct tsdl_entry *a, struct tsdl_type *t)
{
	const char *name = a->name->text;

	if (strcmp(name, "size") == 0)
		return number_between(u, &a->value, 1, MAX_BITS, &t->number.size);
	if (strcmp(name, "align") == 0)
		return tn_tsdl_alignment(u, &a->value, &t->align);
	if (strcmp(name, "signed") == 0 || strcmp(name, "is_signed") == 0)	/* for is_signed: kedr.md, 4 */
		return read_signed(u, &a->value, &t->number.is_signed);
	if (strcmp(name, "byte_order") == 0)
		return read_byte_order(u, &a->value, &t->number.order);
	if (strcmp(name, "base") == 0)
		return read_base(u, &a->value, &t->number.base);
	if (strcmp(name, "encoding") == 0)
		return read_encoding(u, &a->value, &t->number.encoding);
	if (strcmp(name, "map") == 0)
		return read_map(u, &a->value, t), 1;
	return -1;
}

struct tsdl_type *
tn_tsdl_integer(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute)
{
	struct tsdl_type *t = new_type(u, TSDL_TYPE_INTEGER, place);

	if (!t)
		return NULL;
	t->number.base = 10;
	if (!read_attributes(u, attribute, t, read_integer))
		return NULL;
	if (t->number.size == 0) {
		tn_tsdl_fail(u, place, "an integer needs a size");
		return NULL;
	}
	return t;
}

static int
read_float(struct tsdl_unit *u, const struct tsdl_entry *a, struct tsdl_type *t)
{
	const char *name = a->name->text;
	uint64_t n = 0;

	if (strcmp(name, "exp_dig") == 0) {
		if (!number_between(u, &a->value, 1, 1 << 16, &n))
			return 0;
		t->number.exponent = (uint32_t)n;
		return 1;
	}
	if (strcmp(name, "mant_dig") == 0) {
		if (!number_between(u, &a->value, 1, 1 << 16, &n))
			return 0;
		t->number.mantissa = (uint32_t)n;
		return 1;
	}
	if (strcmp(name, "align") == 0)
		return tn_tsdl_alignment(u, &a->value, &t->align);
	if (strcmp(name, "byte_order") == 0)
		return read_byte_order(u, &a->value, &t->number.order);
	return -1;
}

struct tsdl_type *
tn_tsdl_float(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute)
{
	struct tsdl_type *t = new_type(u, TSDL_TYPE_FLOAT, place);

	if (!t || !read_attributes(u, attribute, t, read_float))
		return NULL;
	if (t->number.exponent == 0 || t->number.mantissa == 0) {
		tn_tsdl_fail(u, place, "a floating point number needs exp_dig and mant_dig");
		return NULL;
	}
	t->number.size = (uint64_t)t->number.exponent + t->number.mantissa;
	return t;
}

static int
read_string(struct tsdl_unit *u, const struct tsdl_entry *a, struct tsdl_type *t)
{
	return strcmp(a->name->text, "encoding") == 0 ? read_encoding(u, &a->value, &t->number.encoding) : -1;
}

struct tsdl_type *
tn_tsdl_string(struct tsdl_unit *u, struct tsdl_place place, const struct tsdl_entry *attribute)
{
	struct tsdl_type *t = new_type(u, TSDL_TYPE_STRING, place);

	if (!t)
		return NULL;
	t->number.encoding = TN_ENCODING_UTF8;
	if (!read_attributes(u, attribute, t, read_string))
		return NULL;
	if (t->number.encoding == TN_ENCODING_NONE)
		t->number.encoding = TN_ENCODING_UTF8;
	return t;
}

/* ---- enumerations ---- */

static bool
does_not_fit(struct tsdl_unit *u, const struct tsdl_value *v, const struct tsdl_type *integer)
{
	return tn_tsdl_fail(u, v->place, integer->number.is_signed ?
			    N_("does not fit in a signed integer of %" PRIu64 " bits") :
			    N_("does not fit in an unsigned integer of %" PRIu64 " bits"), integer->number.size);
}

/* Convert the number of an enumerator to a value of @integer, in two's complement. It is an error if it does not fit. */
static bool
enumerator_value(struct tsdl_unit *u, const struct tsdl_value *v, const struct tsdl_type *integer, uint64_t *out)
{
	uint64_t bits = integer->number.size, most;

	if (v->kind != TSDL_VALUE_NUMBER)
		return tn_tsdl_fail(u, v->place, "the value of a label must be an integer");
	if (v->is_negative && v->magnitude) {
		if (!integer->number.is_signed || v->magnitude > UINT64_C(1) << (bits < 64 ? bits - 1 : 63))
			return does_not_fit(u, v, integer);
		*out = 0 - v->magnitude;
		return true;
	}
	most = bits < 64 ? UINT64_MAX >> (64 - bits) : UINT64_MAX;
	if (integer->number.is_signed)
		most >>= 1;
	if (v->magnitude > most)
		return does_not_fit(u, v, integer);
	*out = v->magnitude;
	return true;
}

/* Get the range of @item; @next is the value after the previous range. */
static bool
enumerator_range(struct tsdl_unit *u, const struct tsdl_enumerator *item, const struct tsdl_type *integer,
		 uint64_t next, bool has_next, struct tn_range *out)
{
	bool is_signed = integer->number.is_signed;

	if (!item->has_first) {
		struct tsdl_value v = { .kind = TSDL_VALUE_NUMBER, .place = item->place, .magnitude = next };

		if (is_signed && (int64_t)next < 0) {
			v.is_negative = true;
			v.magnitude = 0 - next;
		}
		if (!has_next)
			return tn_tsdl_fail(u, item->place, "no value is left for this label");
		if (!enumerator_value(u, &v, integer, &out->lower))
			return false;
		out->upper = out->lower;
		return true;
	}
	if (!enumerator_value(u, &item->first, integer, &out->lower))
		return false;
	out->upper = out->lower;
	if (item->has_last && !enumerator_value(u, &item->last, integer, &out->upper))
		return false;
	if (is_signed ? (int64_t)out->lower > (int64_t)out->upper : out->lower > out->upper)
		return tn_tsdl_fail(u, tsdl_span(item->first.place, item->last.place), "the range ends before it begins");
	return true;
}

/* The ranges of one label are one mapping: count the ranges of each label, then allocate all from one array. */
static bool
group_labels(struct tsdl_unit *u, struct tsdl_type *t, const struct tsdl_enumerator *item, const struct tn_range *range,
	     size_t n)
{
	struct tn_mapping *mapping = TN_NEW_ARRAY(&u->trace->arena, n, struct tn_mapping);
	struct tn_range *room = TN_NEW_ARRAY(&u->trace->arena, n, struct tn_range);
	struct tn_type made = { .kind = TN_KIND_UINT };
	uint32_t mark = ++u->mark;
	size_t n_mappings = 0;

	if (!mapping || !room)
		return tn_tsdl_fail_memory(u);
	for (size_t i = 0; i < n; i++) {
		struct tsdl_word *label = item[i].label;

		if (label->mark != mark) {
			label->mark = mark;
			label->mark_index = (uint32_t)n_mappings++;
			mapping[label->mark_index].label = label->text;
		}
		mapping[label->mark_index].n_ranges++;
	}
	for (size_t i = 0; i < n_mappings; i++) {
		mapping[i].range = room;
		room += mapping[i].n_ranges;
		mapping[i].n_ranges = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct tn_mapping *m = &mapping[item[i].label->mark_index];

		((struct tn_range *)m->range)[m->n_ranges++] = range[i];
	}
	t->enumeration.mapping = mapping;
	t->enumeration.n_mappings = n_mappings;
	made.kind = tsdl_literal(t->enumeration.container)->number.is_signed ? TN_KIND_SINT : TN_KIND_UINT;
	made.mapping = mapping;
	made.n_mappings = n_mappings;
	t->enumeration.labels = tn_labels_new(&u->trace->arena, &made);
	return t->enumeration.labels || tn_tsdl_fail_memory(u);
}

struct labelled {
	struct tn_range range;	/* limits changed so that they compare as unsigned */
	const struct tsdl_enumerator *item;
};

static int
compare_lower(const void *a, const void *b)
{
	const struct labelled *x = a, *y = b;

	if (x->range.lower != y->range.lower)
		return x->range.lower < y->range.lower ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

/* Several labels may have a common value: report it as a note. */
static bool
tell_overlap(struct tsdl_unit *u, bool is_signed, const struct tsdl_enumerator *item, const struct tn_range *range,
	     size_t n)
{
	struct labelled *all = TN_NEW_ARRAY(u->nodes, n, struct labelled), *furthest;
	uint64_t move = is_signed ? UINT64_C(1) << 63 : 0;

	if (!all)
		return tn_tsdl_fail_memory(u);
	for (size_t i = 0; i < n; i++)
		all[i] = (struct labelled) { { range[i].lower ^ move, range[i].upper ^ move }, &item[i] };
	qsort(all, n, sizeof *all, compare_lower);
	furthest = all;
	for (size_t i = 1; i < n; i++) {
		if (all[i].range.lower <= furthest->range.upper && all[i].item->label != furthest->item->label) {
			tn_tsdl_tell(u, TN_NOTE, all[i].item->place, "shares values with the label `%s`",
				     furthest->item->label->text);
			return true;
		}
		if (all[i].range.upper > furthest->range.upper)
			furthest = &all[i];
	}
	return true;
}

bool
tn_tsdl_enumerate(struct tsdl_unit *u, struct tsdl_type *t, const struct tsdl_enumerator *item, size_t n)
{
	const struct tsdl_type *integer = tsdl_literal(t->enumeration.container);
	struct tn_range *range;
	uint64_t next = 0;
	bool has_next = true;

	if (integer->kind != TSDL_TYPE_INTEGER)
		return tn_tsdl_fail(u, t->enumeration.container->place, "an enumeration needs an integer type");
	if (integer->number.size > 64) {
		tn_tsdl_tell(u, TN_WARNING, t->place, "the labels are ignored: the integer has more than 64 bits");
		return true;
	}
	if (n == 0) {
		static const struct tn_mapping none;

		t->enumeration.mapping = &none;	/* the type is still an enumeration, without labels (KEDR) */
		return true;
	}
	range = TN_NEW_ARRAY(u->nodes, n, struct tn_range);
	if (!range)
		return tn_tsdl_fail_memory(u);
	for (size_t i = 0; i < n; i++) {
		if (!enumerator_range(u, &item[i], integer, next, has_next, &range[i]))
			return false;
		next = range[i].upper + 1;
		has_next = range[i].upper != (integer->number.is_signed ? INT64_MAX : UINT64_MAX);
	}
	return group_labels(u, t, item, range, n) && tell_overlap(u, integer->number.is_signed, item, range, n);
}
