#include <criterion/criterion.h>

#include "model/trace.h"

static const struct { uint64_t frequency; int64_t offset_s; uint64_t offset_cycles; } clocks[] = {
	{ 1000000000, 0, 0 }, { 3, 0, 0 }, { 3, -2, 1 }, { 1000, 5, 999 }, { 7, 1000000, 3 }, { 2400000001, -1, 2400000000 },
	{ 1, 0, 0 }, { 999999999, 12, 5 },
};

/* The first value at or after a time: its time is not before, that of the value before it is. */
Test(clock, cycles_are_the_first_at_or_after_a_time)
{
	for (size_t i = 0; i < TN_COUNT(clocks); i++) {
		struct tn_clock c = {
			.name = "c", .frequency = clocks[i].frequency, .offset_s = clocks[i].offset_s,
			.offset_cycles = clocks[i].offset_cycles,
		};
		int64_t begin;

		tn_clock_settle(&c);
		begin = tn_clock_ns(&c, 0);
		for (int64_t step = -3; step < 3000; step++) {
			int64_t ns = begin + step * (step % 3 ? 1 : 333333333);
			uint64_t cycles = tn_clock_cycles(&c, ns);

			cr_assert_geq(tn_clock_ns(&c, cycles), ns, "row %zu: %lld", i, (long long)ns);
			if (cycles)
				cr_assert_lt(tn_clock_ns(&c, cycles - 1), ns, "row %zu: %lld: %llu is not the first", i, (long long)ns,
					     (unsigned long long)cycles);
		}
	}
}

Test(clock, cycles_saturate)
{
	struct tn_clock c = { .name = "c", .frequency = 1000000000, .offset_s = 10 };
	struct tn_clock fast = { .name = "c", .frequency = UINT64_MAX };

	tn_clock_settle(&c);
	tn_clock_settle(&fast);
	cr_assert_eq(tn_clock_cycles(&c, INT64_MIN), 0);
	cr_assert_eq(tn_clock_cycles(&c, 0), 0);
	cr_assert_eq(tn_clock_cycles(&c, INT64_C(10000000001)), 1);
	cr_assert_eq(tn_clock_cycles(&fast, INT64_MAX), UINT64_MAX);
}
