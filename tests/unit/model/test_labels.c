/* Labels looked up are labels searched (labels.h). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/labels.h"

static uint32_t seed = 1;

static uint64_t
any(uint64_t n)
{
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % n;
}

static void
compare(const struct tn_type *with, const struct tn_type *without, uint64_t v, int round)
{
	struct tn_label_list a, b;
	const struct tn_mapping *x, *y;

	tn_labels_begin(&a, with, v);
	tn_labels_begin(&b, without, v);
	do {
		x = tn_labels_next(&a);
		y = tn_labels_next(&b);
		cr_assert_eq(x, y, "round %d, value %llu: label %td, not %td", round, (unsigned long long)v,
			     x ? x - with->mapping : -1, y ? y - with->mapping : -1);
	} while (x);
	cr_assert_eq(tn_labels_first(with, v), tn_labels_first(without, v));
}

Test(labels, found_as_searched)
{
	static struct tn_range range[300][3];
	static struct tn_mapping mapping[300];
	static char name[300][8];

	for (int round = 0; round < 300; round++) {
		bool flags = round % 3 == 2;
		struct tn_type plain = {
			.kind = flags ? TN_KIND_BITMAP : round % 3 ? TN_KIND_SINT : TN_KIND_UINT, .length = 64,
			.mapping = mapping, .n_mappings = 1 + any(round % 10 ? 20 : 300),
		}, indexed = plain;
		struct tn_arena arena = { 0 };

		for (size_t i = 0; i < plain.n_mappings; i++) {
			mapping[i] = (struct tn_mapping) { name[i], range[i], any(4) };
			snprintf(name[i], sizeof name[i], "%03zu", (size_t)any(1000));
			for (size_t k = 0; k < mapping[i].n_ranges; k++) {
				range[i][k].lower = any(80) - (round % 3 == 1 ? 40 : 0);
				range[i][k].upper = range[i][k].lower + any(any(4) ? 3 : 50);
			}
		}
		indexed.labels = tn_labels_new(&arena, &plain);
		cr_assert(indexed.labels);
		for (int64_t v = -60; v < 140; v++)
			compare(&indexed, &plain, flags ? (uint64_t)1 << (v & 63) | any(9) : (uint64_t)v, round);
		compare(&indexed, &plain, 0, round);
		compare(&indexed, &plain, UINT64_MAX, round);
		if (flags)
			for (size_t i = 1; i < plain.n_mappings; i++)
				cr_assert_leq(strcmp(mapping[indexed.labels->by_name[i - 1]].label,
						     mapping[indexed.labels->by_name[i]].label), 0);
		tn_arena_release(&arena);
	}
}
