/* factors.c - values by hash; numbers in steps when there are too many */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/factors.h"

#define SHIFT 46		/* of a double's bits: sign, exponent and 6 bits are left */

void
tn_factor_clear(struct tn_factor *f)
{
	tn_hash_release(&f->numbers);
	tn_hash_release(&f->texts);
	TN_ARRAY_RELEASE(&f->values);
	f->is_stepped = f->is_dropped = false;
	f->has[0] = f->has[1] = 0;
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

/* Bits that differ for numbers that differ; with steps, for numbers of different steps. */
static uint64_t
bits_of(const struct tn_factor *f, const struct tn_answer_value *v)
{
	double x = number(v);
	uint64_t bits;

	if (!f->is_stepped && v->kind != TN_ANSWER_FLOAT)
		return v->is.u;
	if (x == 0)
		x = 0;		/* and not -0 */
	memcpy(&bits, &x, sizeof bits);
	return f->is_stepped ? bits >> SHIFT : bits;
}

static struct tn_factor_value *
find(struct tn_factor *f, const struct tn_answer_value *v, struct tn_arena *arena)
{
	const bool text = v->kind == TN_ANSWER_TEXT;
	const uint64_t bits = text ? 0 : bits_of(f, v);
	bool is_new;
	struct tn_hash_item *at = text ? tn_hash_add(&f->texts, v->text, v->n, &is_new) :
				  tn_hash_add_u64(&f->numbers, bits, &is_new);
	struct tn_factor_value *out;

	if (!at || !is_new)
		return at ? &f->values.item[at->value] : NULL;
	out = TN_ARRAY_ADD(&f->values);
	if (!out)
		return NULL;
	at->value = f->values.n - 1;
	out->value = out->last = *v;
	if (text) {
		out->value.text = out->last.text = tn_arena_copy(arena, v->text, v->n);
		if (!out->value.text)
			return NULL;
		tn_hash_copy_key(at, out->value.text);
	}
	return out;
}

static bool
make_steps(struct tn_factor *f, struct tn_arena *arena)
{
	struct tn_factor old = *f;
	bool good = true;

	memset(&f->numbers, 0, sizeof f->numbers);
	memset(&f->texts, 0, sizeof f->texts);
	memset(&f->values, 0, sizeof f->values);
	f->is_stepped = true;
	for (size_t i = 0; good && i < old.values.n; i++) {
		const struct tn_factor_value *from = &old.values.item[i];
		struct tn_factor_value *to = find(f, &from->value, arena);

		good = to != NULL;
		for (size_t k = 0; good && k < 2; k++)
			to->n[k] += from->n[k];
		if (good && tn_answer_value_compare(&from->value, &to->value) < 0)
			to->value = from->value;
		if (good && tn_answer_value_compare(&from->value, &to->last) > 0)
			to->last = from->value;
	}
	tn_hash_release(&old.numbers);
	tn_hash_release(&old.texts);
	TN_ARRAY_RELEASE(&old.values);
	return good;
}

bool
tn_factor_add(struct tn_factor *f, struct tn_arena *arena, const struct tn_answer_value *v, bool selected)
{
	struct tn_factor_value *at;

	if (f->is_dropped || v->kind == TN_ANSWER_NONE || (v->kind == TN_ANSWER_FLOAT && isnan(v->is.f)))
		return true;
	if (f->values.n >= TN_FACTOR_VALUES) {
		f->is_dropped = v->kind == TN_ANSWER_TEXT || f->is_stepped;
		if (f->is_dropped)
			return true;
		if (!make_steps(f, arena))
			return false;
	}
	at = find(f, v, arena);
	if (!at)
		return false;
	at->n[selected]++;
	f->has[selected]++;
	if (f->is_stepped && v->kind != TN_ANSWER_TEXT) {
		if (tn_answer_value_compare(v, &at->value) < 0)
			at->value = *v;
		if (tn_answer_value_compare(v, &at->last) > 0)
			at->last = *v;
	}
	return true;
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
