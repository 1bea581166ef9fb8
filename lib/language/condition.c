/*
 * condition.c - compile an expression for the events of one class
 *
 * Negations are moved down to the tests, as the wanted result, because a missing field makes a test neither true nor
 * false. The remaining "and" and "or" are jumps: each step has one successor if its test has the wanted result, and
 * another one if it does not. Tests that the class decides need no step.
 *
 * Comparisons of integers (==, <, in, labels) become ranges of their bits.
 */
#include "base/wide.h"
#include "language/condition.h"

#include <math.h>
#include <stdlib.h>

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

/*
 * Round the number up or down to an integer; a number that is too large becomes an integer far outside. False: it is not
 * a number.
 */
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
	TN_ARRAY(struct tn_step_range) list;
	struct domain domain;
	bool no_memory;
};

static uint64_t
turned(const struct domain *d, struct tn_wide v)
{
	return d->is_signed ? v.low ^ UINT64_C(1) << 63 : v.low;
}

/* Add the numbers from @low to @high that are in the domain. */
static void
add_range(struct ranges *r, struct tn_wide low, struct tn_wide high)
{
	struct tn_step_range *range;

	low = tn_wide_less(low, r->domain.least) ? r->domain.least : low;
	high = tn_wide_less(r->domain.most, high) ? r->domain.most : high;
	if (tn_wide_less(high, low))
		return;
	range = TN_ARRAY_ADD(&r->list);
	if (range)
		*range = (struct tn_step_range) { turned(&r->domain, low), turned(&r->domain, high) };
	else
		r->no_memory = true;
}

/* Add all numbers from @low to @high; NULL: no limit. */
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
	const struct tn_step_range *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

static void
join_ranges(struct ranges *r)
{
	size_t n = 0;

	if (r->list.n)
		qsort(r->list.item, r->list.n, sizeof *r->list.item, compare_ranges);
	for (size_t i = 0; i < r->list.n; i++) {
		struct tn_step_range *last = n ? &r->list.item[n - 1] : NULL;
		const struct tn_step_range *one = &r->list.item[i];

		if (last && (one->low <= last->high || one->low - 1 == last->high))
			last->high = one->high > last->high ? one->high : last->high;
		else
			r->list.item[n++] = *one;
	}
	r->list.n = n;
}

/* Replace the ranges by all numbers that are in none of them. */
static void
turn_over(struct ranges *r)
{
	TN_ARRAY(struct tn_step_range) old = { 0 };
	uint64_t from = 0;
	bool more = true;

	old.item = r->list.item;
	old.n = r->list.n;
	r->list.item = NULL;
	r->list.n = r->list.room = 0;
	for (size_t i = 0; i <= old.n && more; i++) {
		uint64_t to = i < old.n ? old.item[i].low - 1 : UINT64_MAX;

		if (i == old.n || old.item[i].low > from) {
			struct tn_step_range *range = TN_ARRAY_ADD(&r->list);

			if (range)
				*range = (struct tn_step_range) { from, to };
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

/* Whether the test compares only with numbers or labels. */
static bool
is_of_numbers(const struct tn_node *test, const struct tn_type *t)
{
	bool order = test->kind >= TN_NODE_LESS && test->kind <= TN_NODE_GREATER_EQUAL;

	for (size_t i = 0; i < test->n_items; i++) {
		const struct tn_item *item = &test->item[i];
		bool words = t && t->mapping && !item->is_range && !order;

		/* A word is a label if the field has labels; otherwise the comparison is neither true nor false. */
		if (!words && ((!item->low.is_open && !item->low.is_number) || (!item->high.is_open && !item->high.is_number)))
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
		case TN_NODE_LESS:		/* the complement of >= */
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

/* Whether all numbers of the place are of one kind: signed or unsigned integers. */
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
	case TN_ATTRIBUTE_TID:		/* the number of the running thread */
	case TN_ATTRIBUTE_RUNNING:
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

/* Compile a test of integers to ranges. False: the test cannot be ranges. */
static bool
compile_ranges(struct tn_arena *arena, struct tn_step *s, bool *no_memory)
{
	const struct tn_node *test = s->test;
	const struct tn_type *t;
	struct ranges r = { 0 };
	struct tn_step_range *copy;
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
	copy = TN_NEW_ARRAY(arena, r.list.n + 1, struct tn_step_range);
	*no_memory |= r.no_memory || !copy;
	if (copy && r.list.n)
		memcpy(copy, r.list.item, r.list.n * sizeof *copy);
	s->range = copy;
	s->kind = r.list.n == 1 ? TN_STEP_RANGE : TN_STEP_RANGES;
	TN_ARRAY_RELEASE(&r.list);
	return true;
}

/* ---- texts ---- */

static bool
is_text_place(const struct tn_place *place, const struct tn_meaning *meaning)
{
	if (place->n_targets == 1)
		return place->target[0].field->type->kind == TN_KIND_STRING;
	return !place->n_targets && meaning->attribute == TN_ATTRIBUTE_STREAM;
}

static bool
compile_texts(struct tn_arena *arena, struct tn_step *s, bool *no_memory)
{
	const struct tn_node *test = s->test;
	bool negate = test->kind == TN_NODE_DIFFERENT || test->kind == TN_NODE_NOT_IN;
	size_t room = 4;
	struct tn_step_text *table;

	if (!is_text_place(s->place, &test->reference->meaning) || (!negate && test->kind != TN_NODE_EQUAL &&
								    test->kind != TN_NODE_IN))
		return false;
	for (size_t i = 0; i < test->n_items; i++)
		if (test->item[i].is_range)
			return false;
	s->want = s->want != negate;
	while (room < 2 * test->n_items)
		room *= 2;
	table = TN_NEW_ARRAY(arena, room, struct tn_step_text);
	*no_memory |= !table;
	for (size_t i = 0; table && i < test->n_items; i++) {
		const struct tn_literal *l = &test->item[i].low;
		uint64_t hash = tn_step_hash(l->text, l->n);
		size_t at = test->n_items == 1 ? 0 : (size_t)hash & (room - 1);

		while (table[at].text)
			at = (at + 1) & (room - 1);
		table[at] = (struct tn_step_text) { l->text, l->n, hash };
	}
	s->kind = test->n_items == 1 ? TN_STEP_TEXT : TN_STEP_TEXTS;
	s->text = table;
	s->n = room;
	return true;
}

/* ---- fields at a known place ---- */

/* Integers in one range are the most common test, and have their own kind of step. */
static void
fuse_bytes(struct tn_step *s, const struct tn_reach *reach)
{
	const struct tn_op *op = reach->load;
	static const uint8_t sizes[] = { 8, 16, 16, 32, 32, 64, 64 };
	size_t which = op->code - (op->code >= TN_OP_S8 ? TN_OP_S8 : TN_OP_U8);
	unsigned low = reach->distance % 8;

	if (op->code == TN_OP_BITS && reach->from_byte && low + op->bits <= 64 && !(op->flags & ~TN_OP_SIGNED)) {
		s->kind = TN_STEP_BYTES;
		s->low = (uint8_t)low;
		s->shift = (uint8_t)(64 - op->bits);
		s->is_signed = op->flags & TN_OP_SIGNED;
		return;
	}
	if (op->code < TN_OP_U8 || op->code > TN_OP_S64BE)
		return;
	s->kind = TN_STEP_BYTES;
	s->shift = (uint8_t)(64 - sizes[which]);
	s->big_endian = which && which % 2 == 0;
	s->is_signed = op->code >= TN_OP_S8;
}

/* Mark the step if its field has a known position and needs no alignment or other byte order. */
static void
make_easy(struct tn_step *s)
{
	if ((s->kind != TN_STEP_BYTES && s->kind != TN_STEP_BITMAP) || s->big_endian || s->mask > 7 || s->distance % 8 != s->low ||
	    s->need > TN_STEP_FAR - 512)
		return;
	s->easy = true;
	s->byte = (uint32_t)(s->distance >> 3);
	s->bits = UINT64_MAX >> s->shift;
	s->sign = s->is_signed ? UINT64_C(1) << (63 - s->shift) : 0;
	s->bias = s->is_signed ? (UINT64_C(1) << 63) - s->sign : 0;
}

/* Make a step for any test of the text of a number. */
static void
fuse_lookup(struct tn_step *s, const struct tn_op *op)
{
	if (!op || op->code != TN_OP_STRING_LOOKUP || s->distance % 8)
		return;
	s->kind = TN_STEP_LOOKUP;
	s->big_endian = op->flags & TN_OP_BIG_ENDIAN;
	s->lookup = op->more;
	s->easy = s->mask <= 7 && s->need <= TN_STEP_FAR - 512;
	s->byte = (uint32_t)(s->distance >> 3);
}

/* Make a step that compares a text at its position, without first searching for its end. */
static void
fuse_string(struct tn_step *s, const struct tn_op *op)
{
	if ((op->code != TN_OP_STRING8 && op->code != TN_OP_STRING_FIXED) || memchr(s->text->text, 0, s->text->n))
		return;
	s->kind = TN_STEP_STRING;
	s->ends = op->code == TN_OP_STRING8;
	s->room = s->ends ? SIZE_MAX : (size_t)op->m;
}

/* Make a step for a position near the header, at a whole byte, after a position that is aligned to bytes. */
static bool
step_at(struct tn_step *out, const struct tn_place *place, uint64_t align)
{
	*out = (struct tn_step) { .kind = TN_STEP_CELL, .place = place };
	if (place->way != TN_PLACE_FIXED || place->reach.align > align || place->reach.need > TN_STEP_FAR - 512)
		return false;
	out->mask = place->reach.align - 1;
	out->distance = place->reach.distance;
	out->need = place->reach.need;
	return true;
}

bool
tn_step_of_text(struct tn_step *out, const struct tn_place *place)
{
	const struct tn_op *op = place->reach.load;

	if (!step_at(out, place, 64) || out->distance % 8 || (op->code != TN_OP_STRING8 && op->code != TN_OP_STRING_FIXED) ||
	    op->flags & (TN_OP_UNIT16 | TN_OP_UNIT32))
		return false;
	out->kind = TN_STEP_STRING;
	out->ends = op->code == TN_OP_STRING8;
	out->room = out->ends ? SIZE_MAX : (size_t)op->m;
	return true;
}

bool
tn_step_of_place(struct tn_step *out, const struct tn_place *place)
{
	if (!step_at(out, place, 8))
		return false;
	fuse_bytes(out, &place->reach);
	make_easy(out);
	return out->kind == TN_STEP_BYTES && out->distance % 8 == out->low;
}

#define BITMAP_BITS 65536

/* Make a bitmap for a list of numbers. NULL: they are too far apart, or memory is out. */
static const uint64_t *
make_bitmap(struct tn_arena *arena, const struct tn_step *s, struct tn_step_range *whole)
{
	uint64_t *bits;

	*whole = (struct tn_step_range) { s->range[0].low, s->range[s->n - 1].high };
	if (whole->high - whole->low >= BITMAP_BITS)
		return NULL;
	bits = TN_NEW_ARRAY(arena, (size_t)(whole->high - whole->low) / 64 + 1, uint64_t);
	for (size_t i = 0; bits && i < s->n; i++)
		for (uint64_t v = s->range[i].low - whole->low; v <= s->range[i].high - whole->low; v++)
			bits[v / 64] |= UINT64_C(1) << v % 64;
	return bits;
}

static void
fuse(struct tn_step *s, struct tn_arena *arena)
{
	const struct tn_reach *reach = &s->place->reach;

	s->how = s->kind;
	if (s->place->way == TN_PLACE_PACKET && s->kind != TN_STEP_GENERAL && s->test->number < TN_PACKET_TESTS) {
		s->kind = TN_STEP_PACKET;
		return;
	}
	if (s->kind == TN_STEP_RANGE && s->test->reference->meaning.attribute == TN_ATTRIBUTE_TIME)
		s->kind = TN_STEP_TIME;
	if (s->kind == TN_STEP_RANGE && s->test->reference->meaning.attribute == TN_ATTRIBUTE_DELTA)
		s->kind = TN_STEP_DELTA;
	if (s->place->way != TN_PLACE_FIXED)
		return;
	if (s->kind == TN_STEP_RANGES) {
		struct tn_step_range whole;

		s->bitmap = make_bitmap(arena, s, &whole);
		if (s->bitmap) {
			fuse_bytes(s, reach);
			s->one = whole;
			s->kind = s->kind == TN_STEP_BYTES ? TN_STEP_BITMAP : TN_STEP_RANGES;
		}
	}
	s->mask = reach->align - 1;
	s->distance = reach->distance;
	s->need = reach->need;
	if (s->kind == TN_STEP_RANGE)
		fuse_bytes(s, reach);
	else if (s->kind >= TN_STEP_TEXT && s->kind <= TN_STEP_CELL)
		fuse_lookup(s, reach->load);
	if (s->kind == TN_STEP_TEXT)
		fuse_string(s, reach->load);
	make_easy(s);
}

/* ---- from the tree to steps, last step first ---- */

struct compiler {
	struct tn_arena *arena;
	size_t class;
	struct tn_steps *out;
	struct tn_regex_room room;
	struct tn_trial trial;
	bool no_memory;
};

static uint32_t
add_step(struct compiler *c, const struct tn_step *s)
{
	struct tn_steps *out = c->out;

	if (s->yes == s->no)
		return s->yes;
	if (out->n == out->room) {
		size_t room = out->room ? 2 * out->room : 4;
		struct tn_step *more = TN_NEW_ARRAY(c->arena, room, struct tn_step);

		if (!more) {
			c->no_memory = true;
			return TN_STEP_NO;
		}
		if (out->n)
			memcpy(more, out->step, out->n * sizeof *more);
		out->step = more;
		out->room = room;
	}
	out->step[out->n] = *s;
	out->plain = (out->plain || !out->n) && s->kind <= TN_STEP_PACKET;
	out->easy = (out->easy || !out->n) && (s->easy || s->kind == TN_STEP_TIME);
	out->has_times |= s->kind == TN_STEP_TIME;
	return (uint32_t)out->n++;
}

static uint32_t
compile_test(struct compiler *c, const struct tn_node *test, bool want, uint32_t yes, uint32_t no)
{
	struct tn_step s = { .kind = TN_STEP_CELL, .want = want, .yes = yes, .no = no, .test = test };
	enum tn_truth truth;

	if (test->kind == TN_NODE_LINE) {
		s.kind = TN_STEP_LINE;
		return add_step(c, &s);
	}
	s.place = tn_reference_place(test->reference, c->class);
	if (!s.place) {
		c->no_memory = true;
		return no;
	}
	if (s.place->way == TN_PLACE_NONE || (s.place->way == TN_PLACE_CONSTANT && !s.place->n_targets)) {
		/* The result is the same for all events of the class. */
		truth = tn_test_cell(test, &s.place->cell, &c->trial);
		return truth == (want ? TN_TRUE : TN_FALSE) ? yes : no;
	}
	if (test->reference->meaning.has_any || test->reference->meaning.attribute == TN_ATTRIBUTE_EXTRA) {
		s.kind = TN_STEP_GENERAL;
	} else if (test->kind != TN_NODE_HAS && compile_ranges(c->arena, &s, &c->no_memory)) {
		if (!s.n)
			return no;	/* no number passes the test */
	} else {
		(void)(test->kind != TN_NODE_HAS && compile_texts(c->arena, &s, &c->no_memory));
	}
	if (!c->no_memory)
		fuse(&s, c->arena);
	return add_step(c, &s);
}

/* Emit code that tests whether @node has the wanted result. Returns its first step. */
static uint32_t
compile(struct compiler *c, const struct tn_node *node, bool want, uint32_t yes, uint32_t no)
{
	const struct tn_node **in;
	bool all;
	size_t n = 0;

	if (node->kind == TN_NODE_NOT)
		return compile(c, node->in, !want, yes, no);
	if (node->kind == TN_NODE_UNLESS)
		return want ? compile(c, node->in, true, no, yes) : compile(c, node->in, true, yes, no);
	if (node->kind != TN_NODE_AND && node->kind != TN_NODE_OR)
		return compile_test(c, node, want, yes, no);
	all = (node->kind == TN_NODE_AND) == want;	/* otherwise one of them suffices */
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
	out->first = compile(&c, tree->root, true, TN_STEP_YES, TN_STEP_NO);
	if (out->n == 1 && out->first == 0 && out->step->kind != TN_STEP_GENERAL && out->step->kind != TN_STEP_LINE)
		out->only = out->step->test->reference;
	tn_regex_room_release(&c.room);
	if (c.no_memory)
		tn_fail_memory(err);
	return c.no_memory || c.trial.code < 0 ? NULL : out;
}

enum tn_verdict
tn_steps_verdict(const struct tn_steps *steps)
{
	return steps->first == TN_STEP_YES ? TN_VERDICT_YES : steps->first == TN_STEP_NO ? TN_VERDICT_NO : TN_VERDICT_OPEN;
}
