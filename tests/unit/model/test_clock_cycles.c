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

/* Which clocks' times can be put in one order: the origin decides, then what names the clock. */
Test(clock, compare)
{
	const struct tn_clock epoch = { .name = "u", .origin = TN_ORIGIN_UNIX }, other_epoch = { .name = "v", .origin = TN_ORIGIN_UNIX };
	const struct tn_clock origin = { .name = "o", .origin = TN_ORIGIN_NAMED, .origin_name_space = "s", .origin_name = "n",
					 .origin_uid = "1" };
	struct tn_clock at_origin = origin;
	struct tn_clock a = { .name = "c", .uid = "x" }, b = a;

	cr_expect(tn_clocks_compare(&epoch, &epoch) && tn_clocks_compare(&epoch, &other_epoch));
	cr_expect(!tn_clocks_compare(&epoch, &a) && !tn_clocks_compare(&a, &epoch));
	at_origin.name = "another";
	cr_expect(tn_clocks_compare(&origin, &at_origin));
	at_origin.origin_name_space = NULL;
	cr_expect_not(tn_clocks_compare(&origin, &at_origin));
	at_origin = origin;
	at_origin.origin_name = "m";
	cr_expect_not(tn_clocks_compare(&origin, &at_origin));
	at_origin = origin;
	at_origin.origin_uid = "2";
	cr_expect_not(tn_clocks_compare(&origin, &at_origin));
	cr_expect(tn_clocks_compare(&a, &a), "a clock with itself");
	cr_expect(tn_clocks_compare(&a, &b), "the same name and UID");
	b.name_space = "s";
	cr_expect_not(tn_clocks_compare(&a, &b));
	b = a;
	b.uid = "y";
	cr_expect_not(tn_clocks_compare(&a, &b));
	b.uid = NULL;
	cr_expect(!tn_clocks_compare(&a, &b) && !tn_clocks_compare(&b, &a), "one says less");
	b = a;
	b.unnamed = true;
	cr_expect(!tn_clocks_compare(&a, &b) && !tn_clocks_compare(&b, &a));
	a.has_uuid = b.has_uuid = true;
	cr_expect(tn_clocks_compare(&a, &b), "UUIDs that are equal say all");
	b.uuid[15] = 1;
	cr_expect_not(tn_clocks_compare(&a, &b));
}

Test(clock, times_that_do_not_fit)
{
	struct tn_clock c = { .frequency = 1, .offset_s = 9223372036 };
	int64_t ns = 5;

	cr_expect(tn_clock_time(&c, 0, &ns) && ns == INT64_C(9223372036000000000));
	ns = 5;
	cr_expect(!tn_clock_time(&c, 1, &ns) && ns == 5);
	c.frequency = 0;
	cr_expect(!tn_clock_time(&c, 0, &ns), "a clock that stands");
	c = (struct tn_clock) { .frequency = 1, .offset_s = INT64_MIN / 2 };
	cr_expect(!tn_clock_time(&c, 0, &ns) && ns == 5);
	cr_expect_eq(tn_clock_ns(&c, 0), INT64_MIN);
	tn_clock_settle(&c);
	cr_expect(c.beyond);
	cr_expect_eq(tn_clock_ns(&c, 3), 3 * INT64_C(1000000000), "keys then count from the first cycle");
	c = (struct tn_clock) { .frequency = 1, .offset_s = INT64_MIN, .shift_ns = INT64_MIN };
	cr_expect_eq(tn_clock_ns(&c, 0), INT64_MIN);
	c.offset_s = c.shift_ns = INT64_MAX;
	cr_expect_eq(tn_clock_ns(&c, 0), INT64_MAX);
	cr_expect_eq(tn_clock_cycles(&c, INT64_MIN), 0, "all values are later");
	c.offset_s = INT64_MIN;
	c.shift_ns = -INT64_C(1000000000);
	cr_expect_eq(tn_clock_cycles(&c, INT64_MAX), UINT64_MAX, "and earlier");
}
