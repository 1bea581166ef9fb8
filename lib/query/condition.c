/*
 * condition.c - an expression compiled for the events of one class
 *
 * Negations are pushed down to the tests, where they say which answer is wanted: what an event does not have gives
 * neither. What is left of "and" and "or" are jumps: each step has one place to go on when its test gives the answer
 * that is wanted, and one when it does not. What the class decides is no step at all.
 *
 * Comparisons of integers are ranges of their bits, whatever was written: ==, <, in, labels.
 */
#include "base/bits.h"
#include "query/expression_tree.h"
#include "base/wide.h"

#include <math.h>
#include <stdlib.h>

#define YES UINT32_MAX
#define NO (UINT32_MAX - 1)
#define PACKET_TESTS 32	/* of which the answer is kept while a packet's rows are looked at */

enum step_kind {
	STEP_BYTES,	/* the integer, of whole bytes at a known place, is in one range */
	STEP_BITMAP,	/* in one of some ranges, close to each other */
	STEP_STRING,	/* the string at a known place is this one */
	STEP_TIME,	/* the time of the row is in one range */
	STEP_PACKET,	/* any test of what all events of a packet have */
	STEP_RANGE,	/* the number is in one range */
	STEP_RANGES,	/* in one of some */
	STEP_TEXT,	/* the text is this one */
	STEP_TEXTS,	/* one of these */
	STEP_CELL,	/* any other test */
	STEP_GENERAL,	/* what has several cells, or none */
	STEP_LINE
};

/* Of integers whose order is that of unsigned numbers: signed ones have their top bit turned. */
struct range {
	uint64_t low, high;
};

struct text {
	const char *text;
	size_t n;
	uint64_t hash;
};

struct step {
	enum step_kind kind;
	enum step_kind how;	/* of a cell, where the kind is about where it is */
	bool want;		/* the answer that is wanted */
	enum tn_cell_kind cell;	/* RANGE, RANGES: of the field */
	uint64_t turn;		/* turns the top bit of signed ones */
	uint32_t yes, no;	/* where to go on */
	const struct tn_place *place;
	const struct tn_node *test;
	struct range one;
	const struct range *range;
	const uint64_t *bitmap;	/* BITMAP: of one.low to one.high */
	const struct text *text;	/* TEXT: one; TEXTS: a table of a power of two, by hash */
	size_t n;
	/* BYTES, STRING: from behind the header. */
	uint64_t mask, distance, need;	/* alignment - 1; bits */
	uint8_t shift;		/* what 64 bits have more than the integer */
	bool big_endian, is_signed, ends;	/* STRING: with a zero byte */
	size_t room;		/* STRING of fixed size: bytes */
};

struct tn_steps {
	struct step *step;
	size_t n, room;
	uint32_t first;
	bool plain;		/* all of them are of fields at known places */
};

/* ---- numbers as ranges ---- */

struct domain {
	bool is_signed;
	struct tn_wide least, most;
};

static struct domain
domain_of(bool is_signed)
{
	if (is_signed)
		return (struct domain) { true, tn_wide_of(INT64_MIN), tn_wide_of(INT64_MAX) };
	return (struct domain) { false, tn_wide_of(0), tn_wide_of_unsigned(UINT64_MAX) };
}

/* The number rounded up or down to an integer, far outside when it is far outside; false: it is none. */
static bool
rounded(const struct tn_number *v, bool up, struct tn_wide *out)
{
	const double far = 1e20;
	double f;

	if (!v->is_float) {
		*out = tn_wide_of_unsigned(v->magnitude);
		if (v->is_negative)
			*out = tn_wide_negate(*out);
		return true;
	}
	if (isnan(v->f))
		return false;
	f = fabs(v->f > far ? far : v->f < -far ? -far : up ? ceil(v->f) : floor(v->f));
	out->high = (int64_t)(f / 18446744073709551616.0);
	out->low = (uint64_t)(f - (double)out->high * 18446744073709551616.0);
	if (v->f < 0)
		*out = tn_wide_negate(*out);
	return true;
}

struct ranges {
	TN_ARRAY(struct range) list;
	struct domain domain;
	bool no_memory;
};

static uint64_t
turned(const struct domain *d, struct tn_wide v)
{
	return d->is_signed ? v.low ^ UINT64_C(1) << 63 : v.low;
}

/* Numbers from low to high, as far as the domain has them. */
static void
add_range(struct ranges *r, struct tn_wide low, struct tn_wide high)
{
	struct range *range;

	low = tn_wide_less(low, r->domain.least) ? r->domain.least : low;
	high = tn_wide_less(r->domain.most, high) ? r->domain.most : high;
	if (tn_wide_less(high, low))
		return;
	range = TN_ARRAY_ADD(&r->list);
	if (range)
		*range = (struct range) { turned(&r->domain, low), turned(&r->domain, high) };
	else
		r->no_memory = true;
}

/* All from @low to @high; either may be NULL: open. */
static void
add_between(struct ranges *r, const struct tn_number *low, const struct tn_number *high)
{
	struct tn_wide from = r->domain.least, to = r->domain.most;

	if ((low && !rounded(low, true, &from)) || (high && !rounded(high, false, &to)))
		return;
	add_range(r, from, to);
}

static void
add_label(struct ranges *r, const struct tn_type *t, const struct tn_literal *l)
{
	for (size_t i = 0; i < t->n_mappings; i++) {
		const struct tn_mapping *m = &t->mapping[i];

		if (strlen(m->label) != l->n || memcmp(m->label, l->text, l->n) != 0)
			continue;
		for (size_t k = 0; k < m->n_ranges; k++) {
			if (r->domain.is_signed)
				add_range(r, tn_wide_of((int64_t)m->range[k].lower),
					  tn_wide_of((int64_t)m->range[k].upper));
			else
				add_range(r, tn_wide_of_unsigned(m->range[k].lower),
					  tn_wide_of_unsigned(m->range[k].upper));
		}
	}
}

static int
compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

static void
join_ranges(struct ranges *r)
{
	size_t n = 0;

	if (r->list.n)
		qsort(r->list.item, r->list.n, sizeof *r->list.item, compare_ranges);
	for (size_t i = 0; i < r->list.n; i++) {
		struct range *last = n ? &r->list.item[n - 1] : NULL;
		const struct range *one = &r->list.item[i];

		if (last && (one->low <= last->high || one->low - 1 == last->high))
			last->high = one->high > last->high ? one->high : last->high;
		else
			r->list.item[n++] = *one;
	}
	r->list.n = n;
}

/* All that is in none of them. */
static void
turn_over(struct ranges *r)
{
	TN_ARRAY(struct range) old = { 0 };
	uint64_t from = 0;
	bool more = true;

	old.item = r->list.item;
	old.n = r->list.n;
	r->list.item = NULL;
	r->list.n = r->list.room = 0;
	for (size_t i = 0; i <= old.n && more; i++) {
		uint64_t to = i < old.n ? old.item[i].low - 1 : UINT64_MAX;

		if (i == old.n || old.item[i].low > from) {
			struct range *range = TN_ARRAY_ADD(&r->list);

			if (range)
				*range = (struct range) { from, to };
			else
				r->no_memory = true;
		}
		if (i < old.n) {
			more = old.item[i].high < UINT64_MAX;
			from = old.item[i].high + 1;
		}
	}
	free(old.item);
}

/* Whether the test compares with numbers or labels only. */
static bool
is_of_numbers(const struct tn_node *test, const struct tn_type *t)
{
	for (size_t i = 0; i < test->n_items; i++) {
		const struct tn_item *item = &test->item[i];

		/* A word is a label where there are labels; else the comparison is neither true nor false. */
		if (!item->low.is_open && !item->low.is_number && (!t || !t->mapping || item->is_range))
			return false;
		if (!item->high.is_open && !item->high.is_number && (!t || !t->mapping || item->is_range))
			return false;
	}
	return test->kind == TN_NODE_TRUE || (test->n_items && !test->regex);
}

static void
fill_ranges(struct ranges *r, const struct tn_node *test, const struct tn_type *t)
{
	static const struct tn_number zero = { 0 };
	bool negate = test->kind == TN_NODE_DIFFERENT || test->kind == TN_NODE_NOT_IN || test->kind == TN_NODE_TRUE ||
		      test->kind == TN_NODE_LESS || test->kind == TN_NODE_GREATER;

	if (test->kind == TN_NODE_TRUE)
		add_between(r, &zero, &zero);
	for (size_t i = 0; i < test->n_items; i++) {
		const struct tn_item *item = &test->item[i];
		const struct tn_number *low = &item->low.number, *high = &item->high.number;

		switch (test->kind) {
		case TN_NODE_GREATER_EQUAL:
		case TN_NODE_LESS:		/* what is not >= */
			add_between(r, low, NULL);
			break;
		case TN_NODE_LESS_EQUAL:
		case TN_NODE_GREATER:
			add_between(r, NULL, low);
			break;
		default:
			if (!item->low.is_open && !item->low.is_number)
				add_label(r, t, &item->low);
			else
				add_between(r, item->low.is_open ? NULL : low, item->high.is_open ? NULL : high);
			break;
		}
	}
	join_ranges(r);
	if (negate)
		turn_over(r);
}

/* Whether numbers of the place are all of one kind: signed or unsigned integers. */
static bool
find_domain(const struct tn_place *place, const struct tn_meaning *meaning, const struct tn_type **type, bool *is_signed)
{
	*type = NULL;
	*is_signed = false;
	if (place->n_targets) {
		const struct tn_type *t = place->target[0].field->type;

		*type = t;
		*is_signed = t->kind == TN_KIND_SINT;
		return place->n_targets == 1 && t->length <= 64 &&
		       (t->kind == TN_KIND_UINT || t->kind == TN_KIND_SINT || t->kind == TN_KIND_BITS);
	}
	switch (meaning->attribute) {
	case TN_ATTRIBUTE_TIME:
	case TN_ATTRIBUTE_DELTA:
		*is_signed = true;
		return true;
	case TN_ATTRIBUTE_CYCLES:
	case TN_ATTRIBUTE_PACKET:
	case TN_ATTRIBUTE_LOST:
	case TN_ATTRIBUTE_STREAM_ID:
		return true;
	default:
		return false;
	}
}

/* Tests of integers. False: it is none that can be ranges. */
static bool
compile_ranges(struct tn_arena *arena, struct step *s, bool *no_memory)
{
	const struct tn_node *test = s->test;
	const struct tn_type *t;
	struct ranges r = { 0 };
	struct range *copy;
	bool is_signed;

	if (!find_domain(s->place, &test->reference->meaning, &t, &is_signed) || !is_of_numbers(test, t))
		return false;
	r.domain = domain_of(is_signed);
	fill_ranges(&r, test, t);
	if (!s->want)
		turn_over(&r);
	s->want = true;
	s->cell = is_signed ? TN_CELL_SIGNED : TN_CELL_UNSIGNED;
	s->turn = is_signed ? UINT64_C(1) << 63 : 0;
	s->n = r.list.n;
	if (r.list.n == 1)
		s->one = r.list.item[0];
	copy = TN_NEW_ARRAY(arena, r.list.n + 1, struct range);
	*no_memory |= r.no_memory || !copy;
	if (copy && r.list.n)
		memcpy(copy, r.list.item, r.list.n * sizeof *copy);
	s->range = copy;
	s->kind = r.list.n == 1 ? STEP_RANGE : STEP_RANGES;
	TN_ARRAY_RELEASE(&r.list);
	return true;
}

/* ---- texts ---- */

static inline uint64_t
hash_of(const char *text, size_t n)
{
	uint64_t h = n * UINT64_C(0x9e3779b97f4a7c15), v;

	for (; n >= 8; n -= 8, text += 8) {
		memcpy(&v, text, 8);
		h = (h ^ v) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	v = 0;
	for (size_t i = 0; i < n; i++)
		v = v << 8 | (uint8_t)text[i];
	h = (h ^ v) * UINT64_C(0xff51afd7ed558ccd);
	return h ^ h >> 32;
}

static bool
is_text_place(const struct tn_place *place, const struct tn_meaning *meaning)
{
	if (place->n_targets == 1)
		return place->target[0].field->type->kind == TN_KIND_STRING;
	return !place->n_targets && meaning->attribute == TN_ATTRIBUTE_STREAM;
}

static bool
compile_texts(struct tn_arena *arena, struct step *s, bool *no_memory)
{
	const struct tn_node *test = s->test;
	bool negate = test->kind == TN_NODE_DIFFERENT || test->kind == TN_NODE_NOT_IN;
	size_t room = 4;
	struct text *table;

	if (!is_text_place(s->place, &test->reference->meaning) || (!negate && test->kind != TN_NODE_EQUAL &&
								    test->kind != TN_NODE_IN))
		return false;
	for (size_t i = 0; i < test->n_items; i++)
		if (test->item[i].is_range)
			return false;
	s->want = s->want != negate;
	while (room < 2 * test->n_items)
		room *= 2;
	table = TN_NEW_ARRAY(arena, room, struct text);
	*no_memory |= !table;
	for (size_t i = 0; table && i < test->n_items; i++) {
		const struct tn_literal *l = &test->item[i].low;
		uint64_t hash = hash_of(l->text, l->n);
		size_t at = test->n_items == 1 ? 0 : (size_t)hash & (room - 1);

		while (table[at].text)
			at = (at + 1) & (room - 1);
		table[at] = (struct text) { l->text, l->n, hash };
	}
	s->kind = test->n_items == 1 ? STEP_TEXT : STEP_TEXTS;
	s->text = table;
	s->n = room;
	return true;
}

static bool
find_text(const struct step *s, const char *text, size_t n)
{
	uint64_t hash = hash_of(text, n);

	for (size_t at = (size_t)hash & (s->n - 1); s->text[at].text; at = (at + 1) & (s->n - 1))
		if (s->text[at].hash == hash && s->text[at].n == n && memcmp(s->text[at].text, text, n) == 0)
			return true;
	return false;
}

/* ---- fields at a known place ---- */

/* Integers of whole bytes in one range: the most common test, in a step of its own. */
static void
fuse_bytes(struct step *s, const struct tn_op *op)
{
	static const uint8_t sizes[] = { 8, 16, 16, 32, 32, 64, 64 };
	size_t which = op->code - (op->code >= TN_OP_S8 ? TN_OP_S8 : TN_OP_U8);

	if (op->code < TN_OP_U8 || op->code > TN_OP_S64BE)
		return;
	s->kind = STEP_BYTES;
	s->shift = (uint8_t)(64 - sizes[which]);
	s->big_endian = which && which % 2 == 0;
	s->is_signed = op->code >= TN_OP_S8;
}

/* A text compared where it lies, without looking for its end first. */
static void
fuse_string(struct step *s, const struct tn_op *op)
{
	if ((op->code != TN_OP_STRING8 && op->code != TN_OP_STRING_FIXED) || memchr(s->text->text, 0, s->text->n))
		return;
	s->kind = STEP_STRING;
	s->ends = op->code == TN_OP_STRING8;
	s->room = s->ends ? SIZE_MAX : (size_t)op->m;
}

#define BITMAP_BITS 65536

/* A list of numbers as a table of bits. NULL: they are too far from each other, or memory is out. */
static const uint64_t *
make_bitmap(struct tn_arena *arena, const struct step *s, struct range *whole)
{
	uint64_t *bits;

	*whole = (struct range) { s->range[0].low, s->range[s->n - 1].high };
	if (whole->high - whole->low >= BITMAP_BITS)
		return NULL;
	bits = TN_NEW_ARRAY(arena, (size_t)(whole->high - whole->low) / 64 + 1, uint64_t);
	for (size_t i = 0; bits && i < s->n; i++)
		for (uint64_t v = s->range[i].low - whole->low; v <= s->range[i].high - whole->low; v++)
			bits[v / 64] |= UINT64_C(1) << v % 64;
	return bits;
}

static void
fuse(struct step *s, struct tn_arena *arena)
{
	const struct tn_reach *reach = &s->place->reach;

	s->how = s->kind;
	if (s->place->way == TN_PLACE_PACKET && s->kind != STEP_GENERAL && s->test->number < PACKET_TESTS) {
		s->kind = STEP_PACKET;
		return;
	}
	if (s->kind == STEP_RANGE && s->test->reference->meaning.attribute == TN_ATTRIBUTE_TIME)
		s->kind = STEP_TIME;
	if (s->place->way != TN_PLACE_FIXED)
		return;
	if (s->kind == STEP_RANGES) {
		struct range whole;

		s->bitmap = make_bitmap(arena, s, &whole);
		if (s->bitmap) {
			fuse_bytes(s, reach->load);
			s->one = whole;
			s->kind = s->kind == STEP_BYTES ? STEP_BITMAP : STEP_RANGES;
		}
	}
	s->mask = reach->align - 1;
	s->distance = reach->distance;
	s->need = reach->need;
	if (s->kind == STEP_RANGE)
		fuse_bytes(s, reach->load);
	else if (s->kind == STEP_TEXT)
		fuse_string(s, reach->load);
}

/* ---- the tree to steps, from its end to its begin ---- */

struct compiler {
	struct tn_arena *arena;
	size_t class;
	struct tn_steps *out;
	struct tn_regex_room room;
	struct tn_trial trial;
	bool no_memory;
};

static uint32_t
add_step(struct compiler *c, const struct step *s)
{
	struct tn_steps *out = c->out;

	if (s->yes == s->no)
		return s->yes;
	if (out->n == out->room) {
		size_t room = out->room ? 2 * out->room : 4;
		struct step *more = TN_NEW_ARRAY(c->arena, room, struct step);

		if (!more) {
			c->no_memory = true;
			return NO;
		}
		if (out->n)
			memcpy(more, out->step, out->n * sizeof *more);
		out->step = more;
		out->room = room;
	}
	out->step[out->n] = *s;
	out->plain = (out->plain || !out->n) && s->kind <= STEP_PACKET;
	return (uint32_t)out->n++;
}

static uint32_t
compile_test(struct compiler *c, const struct tn_node *test, bool want, uint32_t yes, uint32_t no)
{
	struct step s = { .kind = STEP_CELL, .want = want, .yes = yes, .no = no, .test = test };
	enum tn_truth truth;

	if (test->kind == TN_NODE_LINE) {
		s.kind = STEP_LINE;
		return add_step(c, &s);
	}
	s.place = tn_reference_place(test->reference, c->class);
	if (!s.place) {
		c->no_memory = true;
		return no;
	}
	if (s.place->way == TN_PLACE_NONE || (s.place->way == TN_PLACE_CONSTANT && !s.place->n_targets)) {
		/* The same for all events of the class. */
		truth = tn_test_cell(test, &s.place->cell, &c->trial);
		return truth == (want ? TN_TRUE : TN_FALSE) ? yes : no;
	}
	if (test->reference->meaning.has_any || test->reference->meaning.attribute == TN_ATTRIBUTE_EXTRA) {
		s.kind = STEP_GENERAL;
	} else if (test->kind != TN_NODE_HAS && compile_ranges(c->arena, &s, &c->no_memory)) {
		if (!s.n)
			return no;	/* no number is wanted */
	} else {
		(void)(test->kind != TN_NODE_HAS && compile_texts(c->arena, &s, &c->no_memory));
	}
	if (!c->no_memory)
		fuse(&s, c->arena);
	return add_step(c, &s);
}

/* Code for "@node is what is wanted": where it begins. */
static uint32_t
compile(struct compiler *c, const struct tn_node *node, bool want, uint32_t yes, uint32_t no)
{
	const struct tn_node **in;
	bool all;
	size_t n = 0;

	if (node->kind == TN_NODE_NOT)
		return compile(c, node->in, !want, yes, no);
	if (node->kind != TN_NODE_AND && node->kind != TN_NODE_OR)
		return compile_test(c, node, want, yes, no);
	all = (node->kind == TN_NODE_AND) == want;	/* else one of them is enough */
	for (const struct tn_node *i = node->in; i; i = i->next)
		n++;
	in = malloc(n * sizeof *in);
	if (!in) {
		c->no_memory = true;
		return no;
	}
	n = 0;
	for (const struct tn_node *i = node->in; i; i = i->next)
		in[n++] = i;
	for (uint32_t next = all ? yes : no; n-- > 0; ) {
		next = all ? compile(c, in[n], want, next, no) : compile(c, in[n], want, yes, next);
		if (n == 0) {
			free(in);
			return next;
		}
	}
	return no;
}

struct tn_steps *
tn_steps_compile(struct tn_arena *arena, const struct tn_tree *tree, const struct tn_names *names, size_t class,
		 struct tn_error *err)
{
	struct tn_steps *out = TN_NEW(arena, struct tn_steps);
	struct compiler c = { .arena = arena, .class = class, .out = out };

	(void)names;
	if (!out) {
		tn_fail_memory(err);
		return NULL;
	}
	c.trial = (struct tn_trial) { .room = &c.room, .err = err };
	out->first = compile(&c, tree->root, true, YES, NO);
	tn_regex_room_release(&c.room);
	if (c.no_memory)
		tn_fail_memory(err);
	return c.no_memory || c.trial.code < 0 ? NULL : out;
}

enum tn_verdict
tn_steps_verdict(const struct tn_steps *steps)
{
	return steps->first == YES ? TN_VERDICT_YES : steps->first == NO ? TN_VERDICT_NO : TN_VERDICT_OPEN;
}

/* ---- running ---- */

static inline bool
in_ranges(const struct step *s, uint64_t v)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v > s->range[mid].high)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->n && v >= s->range[lo].low;
}

/* Where the field begins, when all that is needed is there; UINT64_MAX: the general way has to say what is wrong. */
static inline uint64_t
place_of(const struct step *s, struct tn_row_state *row)
{
	uint64_t at;

	if (!tn_row_behind_prepared(row))
		return UINT64_MAX;
	at = (row->m.at + s->mask) & ~s->mask;
	return at <= row->m.end && s->need <= row->m.end - at ? at + s->distance : UINT64_MAX;
}

static inline uint64_t
load_bytes(const struct step *s, const uint8_t *p)
{
	uint64_t v = tn_load64(p);

	v = s->big_endian ? __builtin_bswap64(v) : v << s->shift;
	return s->is_signed ? (uint64_t)((int64_t)v >> s->shift) ^ UINT64_C(1) << 63 : v >> s->shift;
}

static inline bool
run_bytes(const struct step *s, const uint8_t *p)
{
	uint64_t v = load_bytes(s, p);

	if (v < s->one.low || v > s->one.high)
		return false;
	if (s->kind == STEP_BYTES)
		return true;
	v -= s->one.low;
	return s->bitmap[v / 64] >> v % 64 & 1;
}

static inline bool
run_string(const struct step *s, const uint8_t *p, uint64_t left)
{
	size_t n = s->text->n, room = s->ends ? (size_t)(left >> 3) : s->room;
	bool same = n <= room && (n < room || !s->ends) && memcmp(p, s->text->text, n) == 0 && (n == room || p[n] == 0);

	return same == s->want;
}

static bool
run_cell(const struct step *s, struct tn_expression_state *state, struct tn_trial *trial)
{
	struct tn_cell cell;
	enum tn_code rc = tn_place_get(s->test->reference, s->place, &state->row, &cell, trial->err);
	uint64_t v;

	if (__builtin_expect(rc < 0, 0)) {
		trial->code = trial->code < 0 ? trial->code : rc;
		return false;
	}
	switch (s->how) {
	case STEP_RANGE:
		v = cell.u ^ s->turn;
		return cell.kind == s->cell && v >= s->one.low && v <= s->one.high;
	case STEP_RANGES:
		return cell.kind == s->cell && in_ranges(s, cell.u ^ s->turn);
	case STEP_TEXT:
		return cell.kind == TN_CELL_TEXT &&
		       (cell.n == s->text->n && memcmp(cell.text, s->text->text, cell.n) == 0) == s->want;
	case STEP_TEXTS:
		return cell.kind == TN_CELL_TEXT && find_text(s, cell.text, cell.n) == s->want;
	default:
		return tn_test_cell(s->test, &cell, trial) == (s->want ? TN_TRUE : TN_FALSE);
	}
}

static inline bool
run_step(const struct step *s, struct tn_expression_state *state, const char *line, size_t n, struct tn_trial *trial)
{
	uint64_t at;

	switch (s->kind) {
	case STEP_BYTES:
	case STEP_BITMAP:
		at = place_of(s, &state->row);
		return __builtin_expect(at != UINT64_MAX, 1) ? run_bytes(s, state->row.m.p + (at >> 3))
							    : run_cell(s, state, trial);
	case STEP_STRING:
		at = place_of(s, &state->row);
		return __builtin_expect(at != UINT64_MAX, 1)
			       ? run_string(s, state->row.m.p + (at >> 3), state->row.m.end - at)
			       : run_cell(s, state, trial);
	case STEP_LINE:
	case STEP_GENERAL:
		return tn_decide(s->test, state, line, n, trial) == (s->want ? TN_TRUE : TN_FALSE);
	default:
		return run_cell(s, state, trial);
	}
}

static inline enum tn_verdict
run(const struct tn_steps *steps, struct tn_expression_state *state, const struct tn_batch *batch, size_t row,
    const char *line, size_t n, struct tn_trial *trial)
{
	uint32_t at = steps->first;

	if (at >= NO)
		return at == YES ? TN_VERDICT_YES : TN_VERDICT_NO;
	tn_row_at(&state->row, batch, row);
	do {
		const struct step *s = &steps->step[at];

		if (s->kind == STEP_LINE && !line)
			return TN_VERDICT_OPEN;
		at = run_step(s, state, line, n, trial) ? s->yes : s->no;
	} while (at < NO);
	return at == YES && trial->code >= 0 ? TN_VERDICT_YES : TN_VERDICT_NO;
}

/* ---- rows whose steps are all of fields at known places ---- */

/* What is the same for the rows of a batch. */
struct rows {
	const uint8_t *p;
	uint64_t base, end;
	uint64_t align, time_align;	/* of the header: - 1 */
	enum tn_header_shape shape;
	bool big_endian;
	/* For what is no field of the row. */
	struct tn_expression_state *state;
	const struct tn_batch *batch;
	struct tn_trial *trial;
	uint8_t known[PACKET_TESTS];	/* what a test of the packet said: 0 not asked yet, 1 no, 2 yes */
};

static void
begin_rows(struct rows *r, struct tn_expression_state *state, const struct tn_batch *b, struct tn_trial *trial)
{
	const struct tn_plan *plan = b->stream->stream_class->plan;

	*r = (struct rows) { .p = state->row.m.p, .base = b->base_bit, .end = state->row.m.end };
	r->state = state;
	r->batch = b;
	r->trial = trial;
	if (!plan || plan->shape == TN_HEADER_OTHER)
		return;
	r->shape = plan->shape;
	r->align = plan->shape_align - 1;
	r->time_align = plan->shape == TN_HEADER_COMPACT ? 0 : plan->shape_time_align - 1;
	r->big_endian = plan->shape_big_endian;
}

static bool __attribute__((noinline))
ask_packet(struct rows *r, const struct step *s, size_t row)
{
	uint8_t *known = &r->known[s->test->number];

	if (!*known) {
		tn_row_at(&r->state->row, r->batch, row);
		*known = run_cell(s, r->state, r->trial) ? 2 : 1;
	}
	return *known == 2;
}

/* What is no field of the row. */
static inline bool
run_beside(struct rows *r, const struct step *s, size_t row)
{
	const struct tn_batch *b = r->batch;
	uint64_t v;

	if (s->kind == STEP_PACKET)
		return r->known[s->test->number] ? r->known[s->test->number] == 2 : ask_packet(r, s, row);
	if (!b->stream->stream_class->clock)
		return false;
	v = (uint64_t)(b->cycles ? tn_batch_time(b, row) : b->refs.item[row].time_ns) ^ UINT64_C(1) << 63;
	return v >= s->one.low && v <= s->one.high;
}

/* As run(); 2: what has to be looked at more closely. */
static inline unsigned
run_plain(const struct tn_steps *steps, struct rows *r, size_t row, uint32_t bit)
{
	uint64_t at = r->base + bit, behind;
	const uint8_t *p;
	uint32_t next = steps->first;

	/* So far from the end the header is there, and what is compared of the next field may be read. */
	if (__builtin_expect(at > r->end || r->end - at < 512, 0))
		return 2;
	at = (at + r->align) & ~r->align;
	p = r->p + (at >> 3);
	if (r->shape == TN_HEADER_LARGE) {
		if (__builtin_expect((p[0] & p[1]) == 0xff, 0))
			return 2;
		behind = ((at + 16 + r->time_align) & ~r->time_align) + 32;
	} else {
		if (__builtin_expect((r->big_endian ? *p >> 3 : *p & 31) == 31, 0))
			return 2;
		behind = at + 32;
	}
	do {
		const struct step *s = &steps->step[next];

		if (s->kind == STEP_TIME || s->kind == STEP_PACKET) {
			next = run_beside(r, s, row) ? s->yes : s->no;
			continue;
		}
		at = (behind + s->mask) & ~s->mask;
		if (__builtin_expect(at > r->end || s->need > r->end - at, 0))
			return 2;
		at += s->distance;
		p = r->p + (at >> 3);
		next = (s->kind != STEP_STRING ? run_bytes(s, p) : run_string(s, p, r->end - at)) ? s->yes : s->no;
	} while (next < NO);
	return next == YES;
}

enum tn_verdict
tn_steps_run(const struct tn_steps *steps, struct tn_expression_state *state, const struct tn_batch *batch, size_t row,
	     const char *line, size_t n, struct tn_trial *trial)
{
	state->row.values_only = false;
	if (!tn_row_prepare(&state->row, batch)) {
		trial->code = tn_fail_memory(trial->err);
		return TN_VERDICT_NO;
	}
	return run(steps, state, batch, row, line, n, trial);
}

size_t
tn_steps_run_rows(const _Atomic(struct tn_steps *) *of_class, size_t n_classes, struct tn_expression_state *state,
		  const struct tn_batch *batch, size_t row, size_t end, uint8_t *pass, struct tn_trial *trial)
{
	struct rows rows;

	state->row.values_only = false;
	if (!tn_row_prepare(&state->row, batch)) {
		trial->code = tn_fail_memory(trial->err);
		return row;
	}
	begin_rows(&rows, state, batch, trial);
	for (; row < end; row++, pass++) {
		const struct tn_ref *ref = &batch->refs.item[row];
		const struct tn_steps *steps;
		unsigned plain = 2;

		if (!*pass || ref->event_class == TN_REF_NOTICE)
			continue;
		steps = ref->event_class < n_classes ? atomic_load_explicit(&of_class[ref->event_class], memory_order_acquire)
						     : NULL;
		if (__builtin_expect(!steps, 0))
			break;
		if (steps->first >= NO) {
			*pass = steps->first == YES;
			continue;
		}
		if (steps->plain && rows.shape != TN_HEADER_OTHER)
			plain = run_plain(steps, &rows, row, ref->bit);
		*pass = plain < 2 ? plain : run(steps, state, batch, row, NULL, 0, trial) != TN_VERDICT_NO;
		if (__builtin_expect(trial->code < 0, 0))
			break;
	}
	return row;
}
