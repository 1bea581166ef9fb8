#include <criterion/criterion.h>

#include "order/merge.h"

/* Equal times pushed in every order: the rank decides, the other way round when going back. */
Test(merge, equal_times_come_in_the_order_of_ranks)
{
	static const uint32_t order[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		for (int back = 0; back < 2; back++) {
			tn_merge_key heap[3];
			size_t n = 0;

			for (size_t k = 0; k < 3; k++)
				tn_heap_push(heap, &n, tn_merge_key_of(-7, order[i][k], back));
			for (uint32_t want = 0; want < 3; want++) {
				uint32_t got = tn_merge_key_rank(heap[0], back);

				cr_assert_eq(got, back ? 2 - want : want, "order %zu: %u", i, got);
				cr_assert_eq(tn_merge_key_time(heap[0], back), -7);
				tn_heap_pop(heap, &n);
			}
			cr_assert_eq(n, 0);
		}
	}
}

/* Replacing the top keeps the order, over the whole range of times. */
Test(merge, replaced_tops_come_out_sorted)
{
	static const int64_t times[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX };
	tn_merge_key heap[7], last = { 0 };
	unsigned seed = 1;
	size_t n = 0;

	for (uint32_t i = 0; i < 7; i++)
		tn_heap_push(heap, &n, tn_merge_key_of(times[(i * 3) % 7], i, false));
	for (size_t i = 0; i < 7; i++) {
		cr_assert_eq(tn_merge_key_time(heap[0], false), times[i]);
		tn_heap_pop(heap, &n);
	}
	for (uint32_t i = 0; i < 7; i++)
		tn_heap_push(heap, &n, tn_merge_key_of(i, i, false));
	for (unsigned k = 0; k < 5000; k++) {
		uint32_t rank = tn_merge_key_rank(heap[0], false);

		cr_assert(!tn_merge_key_less(heap[0], last), "step %u", k);
		last = heap[0];
		seed = seed * 1103515245u + 12345u;
		tn_heap_replace_top(heap, n, tn_merge_key_of(tn_merge_key_time(last, false) + (seed >> 16) % 9 + 1,
							     rank, false));
	}
}
