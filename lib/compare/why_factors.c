/* why_factors.c - find values by hash; count numbers in steps when there are too many */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/packed_codes.h"
#include "compare/why_factors.h"

#define SHIFT 46		/* after this shift, a double has sign, exponent and 6 bits */

void
tn_factor_clear(struct tn_factor *f)
{
	tn_hash_release(&f->numbers);
	tn_hash_release(&f->texts);
	TN_ARRAY_RELEASE(&f->values);
	memset(f->near, 0, sizeof f->near);
	free(f->step_of);
	f->step_of = NULL;
	f->is_stepped = f->is_dropped = false;
}

void
tn_factor_release(struct tn_factor *f)
{
	tn_factor_clear(f);
	free(f->name);
}

static double
number(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT ? (double)v->is.u : v->kind == TN_ANSWER_SINT ? (double)v->is.i : v->is.f;
}

/* Bits that identify a number, or its step if the factor has steps. */
static uint64_t
bits_of(const struct tn_factor *f, const struct tn_answer_value *v)
{
	double x = number(v);
	uint64_t bits;

	if (!f->is_stepped && v->kind != TN_ANSWER_FLOAT)
		return v->is.u;
	if (x == 0)
		x = 0;		/* -0 becomes 0 */
	memcpy(&bits, &x, sizeof bits);
	return f->is_stepped ? bits >> SHIFT : bits;
}

/* The entry of the small cache in which this value may be. */
static uint32_t *
near_of(struct tn_factor *f, const struct tn_answer_value *v, uint64_t bits)
{
	if (v->kind == TN_ANSWER_TEXT)
		bits = v->n ? v->n ^ (uint64_t)(unsigned char)v->text[v->n - 1] << 8 : 0;
	return &f->near[bits * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

static bool
is_same(const struct tn_factor *f, const struct tn_answer_value *a, const struct tn_answer_value *b, uint64_t bits)
{
	if ((a->kind == TN_ANSWER_TEXT) != (b->kind == TN_ANSWER_TEXT))
		return false;
	return a->kind == TN_ANSWER_TEXT ? a->n == b->n && memcmp(a->text, b->text, a->n) == 0 : bits_of(f, b) == bits;
}

/* Find or add a value. NULL: it is new, and the field has the maximum number of values (*full), or memory is out. */
static struct tn_factor_value *
find(struct tn_factor *f, const struct tn_answer_value *v, struct tn_arena *arena, bool *full)
{
	const bool text = v->kind == TN_ANSWER_TEXT;
	const uint64_t bits = text ? 0 : bits_of(f, v);
	uint32_t *near = near_of(f, v, bits);
	struct tn_factor_value *out = *near ? &f->values.item[*near - 1] : NULL;
	struct tn_hash_item *at;
	bool is_new;

	*full = false;
	if (out && is_same(f, v, &out->value, bits))
		return out;
	at = text ? tn_hash_find(&f->texts, v->text, v->n) : tn_hash_find_u64(&f->numbers, bits);
	if (at) {
		*near = (uint32_t)at->value + 1;
		return &f->values.item[at->value];
	}
	*full = f->values.n >= TN_FACTOR_VALUES;
	if (*full)
		return NULL;
	at = text ? tn_hash_add(&f->texts, v->text, v->n, &is_new) : tn_hash_add_u64(&f->numbers, bits, &is_new);
	out = at ? TN_ARRAY_ADD(&f->values) : NULL;
	if (!out)
		return NULL;
	at->value = out->code = (uint16_t)(f->values.n - 1);
	out->value = out->last = *v;
	if (text) {
		out->value.text = out->last.text = tn_arena_copy(arena, v->text, v->n);
		if (!out->value.text)
			return NULL;
		tn_hash_copy_key(at, out->value.text);
	}
	return out;
}

static bool put(struct tn_factor *f, struct tn_arena *arena, const struct tn_factor_value *v, uint64_t row, uint16_t *code);

/* Count numbers in steps from now on: things from @row on have the codes of steps. */
static bool
make_steps(struct tn_factor *f, struct tn_arena *arena, uint64_t row)
{
	struct tn_factor old = *f;
	bool good = true;

	memset(&f->numbers, 0, sizeof f->numbers);
	memset(&f->texts, 0, sizeof f->texts);
	memset(&f->values, 0, sizeof f->values);
	memset(f->near, 0, sizeof f->near);
	f->is_stepped = true;
	f->stepped_at = row;
	f->step_of = malloc(TN_FACTOR_VALUES * sizeof *f->step_of);
	good = f->step_of != NULL;
	for (size_t i = 0; good && i < old.values.n; i++)
		good = put(f, arena, &old.values.item[i], row, &f->step_of[i]);
	tn_hash_release(&old.numbers);
	tn_hash_release(&old.texts);
	TN_ARRAY_RELEASE(&old.values);
	return good;
}

/* Whether the value is not counted. */
static bool
is_passed_over(const struct tn_factor *f, const struct tn_answer_value *v)
{
	return f->is_dropped || f->is_left_out || v->kind == TN_ANSWER_NONE || (v->kind == TN_ANSWER_FLOAT && isnan(v->is.f));
}

/* Count a value, or a step with its limits. */
static bool
put(struct tn_factor *f, struct tn_arena *arena, const struct tn_factor_value *v, uint64_t row, uint16_t *code)
{
	struct tn_factor_value *at;
	bool full;

	*code = TN_CODES_NONE;
	if (is_passed_over(f, &v->value))
		return true;
	at = find(f, &v->value, arena, &full);
	if (full && (v->value.kind == TN_ANSWER_TEXT || f->is_stepped)) {
		f->is_dropped = true;
		return true;
	}
	if (full)
		return make_steps(f, arena, row) && put(f, arena, v, row, code);
	if (!at)
		return false;
	*code = at->code;
	at->n[0] += v->n[0];
	at->n[1] += v->n[1];
	if (f->is_stepped && v->value.kind != TN_ANSWER_TEXT) {
		if (tn_answer_value_compare(&v->value, &at->value) < 0)
			at->value = v->value;
		if (tn_answer_value_compare(&v->last, &at->last) > 0)
			at->last = v->last;
	}
	return true;
}

bool
tn_factor_count(struct tn_factor *f, struct tn_arena *arena, const struct tn_answer_value *v, bool selected, uint64_t row,
		uint16_t *code)
{
	struct tn_factor_value one, *at;
	bool full = true;

	*code = TN_CODES_NONE;
	if (is_passed_over(f, v))
		return true;
	at = f->is_stepped ? NULL : find(f, v, arena, &full);
	if (at) {
		*code = at->code;
		at->n[selected]++;
		return true;
	}
	one = (struct tn_factor_value) { .value = *v, .last = *v, .n = { !selected, selected } };
	return full && put(f, arena, &one, row, code);
}

bool
tn_factor_merge(struct tn_factor *to, struct tn_arena *arena, const struct tn_factor *from, uint64_t row, uint16_t *code)
{
	bool good = true;

	to->is_dropped |= from->is_dropped;
	if (from->is_stepped && !to->is_stepped)
		good = make_steps(to, arena, row);
	for (size_t i = 0; good && i < from->values.n; i++) {
		const bool was_stepped = to->is_stepped;

		good = put(to, arena, &from->values.item[i], row, &code[i]);
		for (size_t k = 0; good && to->is_stepped && !was_stepped && k < i; k++)
			code[k] = code[k] == TN_CODES_NONE ? code[k] : to->step_of[code[k]];
	}
	return good;
}

static int
compare_values(const void *a, const void *b)
{
	return tn_answer_value_compare(&((const struct tn_factor_value *)a)->value, &((const struct tn_factor_value *)b)->value);
}

void
tn_factor_sort(struct tn_factor *f)
{
	tn_hash_release(&f->numbers);
	tn_hash_release(&f->texts);
	if (f->values.n)
		qsort(f->values.item, f->values.n, sizeof *f->values.item, compare_values);
}
