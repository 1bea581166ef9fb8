/* choice.c - find the option of a variant or optional that a selector selects (plan.h) */
#include <stdlib.h>
#include <string.h>

#include "plan/compile.h"

static int
compare_cases(const void *a, const void *b)
{
	const struct tn_case *x = a, *y = b;

	return x->lower < y->lower ? -1 : x->lower > y->lower;
}

/* Choose how to find a selector: by a table, a binary search, or a linear search. */
static bool
index_cases(struct tn_arena *arena, struct tn_choice *choice, struct tn_case *item)
{
	uint64_t top = 0;

	for (size_t i = 0; i < choice->n_cases; i++)
		if (item[i].upper > top)
			top = item[i].upper;
	if (!choice->bias && choice->n_cases > 1 && top < 256) {
		uint16_t *dense = TN_NEW_ARRAY(arena, (size_t)top + 1, uint16_t);

		if (!dense)
			return false;
		for (size_t i = choice->n_cases; i-- > 0; )
			for (uint64_t v = item[i].lower; v <= item[i].upper; v++)
				dense[v] = (uint16_t)(item[i].option + 1);
		choice->dense = dense;
		choice->n_dense = (uint32_t)top + 1;
		choice->n_cases = 0;
	} else if (choice->n_cases > 4) {
		struct tn_case *sorted = TN_NEW_ARRAY(arena, choice->n_cases, struct tn_case);
		bool apart = true;

		if (!sorted)
			return false;
		memcpy(sorted, item, choice->n_cases * sizeof *item);
		qsort(sorted, choice->n_cases, sizeof *sorted, compare_cases);
		for (size_t i = 1; i < choice->n_cases; i++)
			apart = apart && sorted[i].lower > sorted[i - 1].upper;
		if (apart) {
			choice->item = sorted;
			choice->sorted = true;
		}
	}
	return true;
}

struct tn_choice *
tn_choice_new(struct tn_arena *arena, const struct tn_type *t)
{
	bool optional = t->kind == TN_KIND_OPTIONAL;
	struct tn_choice *choice = TN_NEW(arena, struct tn_choice);
	struct tn_case *item;
	size_t n = 0, k = 0;

	if (!choice)
		return NULL;
	choice->slot = t->ref_slot;
	choice->lenient = t->lenient_tag;
	choice->bias = t->ref_signed ? UINT64_C(1) << 63 : 0;
	choice->invert = optional && !t->some;
	if (choice->invert)
		choice->bias = 0;
	choice->target = TN_NEW_ARRAY(arena, t->n_fields + 1, uint32_t);
	for (size_t i = 0; i < t->n_fields; i++)
		n += optional ? t->n_some : t->field[i].n_ranges;
	item = TN_NEW_ARRAY(arena, n + 1, struct tn_case);
	if (!choice->target || !item)
		return NULL;
	for (size_t i = 0; i < t->n_fields; i++) {
		const struct tn_range *range = optional ? t->some : t->field[i].range;
		size_t n_ranges = optional ? t->n_some : t->field[i].n_ranges;

		for (size_t r = 0; r < n_ranges; r++) {
			struct tn_case one = { range[r].lower + choice->bias, range[r].upper + choice->bias, (uint32_t)i };

			if (one.lower <= one.upper)
				item[k++] = one;
		}
	}
	choice->item = item;
	choice->n_cases = k;
	if (t->n_fields > UINT16_MAX - 1 || index_cases(arena, choice, item))
		return choice;
	return NULL;
}
