/* Numbers and how often they were met (numbers.h): whatever there are, the counts add up. */
#include <criterion/criterion.h>

#include "group/numbers.h"

enum { ALL = 9000 };

static uint64_t
of_kind(int kind, size_t i)
{
	uint64_t mixed = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);

	switch (kind) {
	case 0: return i % 3;
	case 1: return mixed;		/* all differ */
	case 2: return i < 3000 ? i % 7 : mixed;
	case 3: return i < 3000 ? mixed : i % 7;
	case 4: return (uint64_t)(i % 2500) << 40;
	default: return UINT64_MAX - i % 1100;
	}
}

static int
compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Of all that were met: each number as often as it was added. */
static void
check(const struct tn_numbers *t, int kind)
{
	static uint64_t want[ALL], got[ALL];
	size_t n = 0;

	for (size_t i = 0; i < ALL; i++)
		want[i] = of_kind(kind, i);
	for (size_t i = 0; i < t->n; i++)
		for (uint64_t k = 0; k < t->item[i].count; k++) {
			cr_assert(n < ALL, "kind %d: more than were added", kind);
			got[n++] = t->item[i].u;
		}
	cr_assert_eq(n, ALL, "kind %d: %zu", kind, n);
	qsort(want, ALL, sizeof *want, compare);
	qsort(got, ALL, sizeof *got, compare);
	cr_assert_arr_eq(got, want, sizeof got, "kind %d", kind);
}

Test(numbers, counts_add_up)
{
	static const size_t most[] = { 3, 9000, 9000, 9000, 2500, 1100 };
	struct tn_numbers t = { 0 };
	uint64_t block[97];

	for (int kind = 0; kind < 6; kind++) {
		for (size_t i = 0, n; i < ALL; i += n) {
			n = ALL - i < 97 ? ALL - i : 97;
			for (size_t k = 0; k < n; k++)
				block[k] = of_kind(kind, i + k);
			cr_assert(tn_numbers_add(&t, block, n));
		}
		check(&t, kind);
		cr_assert(t.n <= most[kind] || t.is_raw, "kind %d: %zu items", kind, t.n);
		cr_assert_eq(t.is_raw, kind == 1 || kind == 3 || kind == 4 || kind == 5, "kind %d", kind);
		tn_numbers_clear(&t);
		cr_assert_eq(t.n, 0);
	}
	/* Many that come again and again: a large table, which is given back. */
	for (uint64_t i = 0; i < 60000; i++)
		cr_assert(tn_numbers_add(&t, &(uint64_t) { i < 1000 ? i % 7 : i % 12000 / 2 + i / 30000 * 6000 }, 1));
	cr_assert(!t.is_raw && t.n > 8192, "%zu", t.n);
	tn_numbers_clear(&t);
	cr_assert(t.n == 0 && t.n_slots == 0 && !t.slot);
	cr_assert(tn_numbers_add(&t, &(uint64_t) { 5 }, 1));
	cr_assert(t.n == 1 && t.item[0].u == 5 && t.item[0].count == 1);
	tn_numbers_release(&t);
}

/* Old slots of the table count as empty, also when the numbers of items wrap. */
Test(numbers, cleared_again_and_again)
{
	static const uint64_t some[] = { 1, 2, 2, 3, 1 };
	struct tn_numbers t = { 0 };

	for (int i = 0; i < 100; i++) {
		if (i == 50)
			t.base = UINT32_MAX / 2 - 100;
		cr_assert(tn_numbers_add(&t, some, 5));
		cr_assert(t.n == 3 && t.item[0].count == 2 && t.item[1].count == 2 && t.item[2].count == 1, "%d: %zu", i, t.n);
		tn_numbers_clear(&t);
	}
	cr_expect(t.base < 100, "%u", t.base);
	tn_numbers_release(&t);
}
