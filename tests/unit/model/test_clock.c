/* Times of clocks: what 128 bits give, in 64. */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "base/wide.h"
#include "model/trace.h"

#ifdef __SIZEOF_INT128__

#define NS 1000000000

__extension__ typedef __int128 wide;

static uint64_t seed = 7;

static uint64_t
any(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return seed >> (seed >> 58);	/* of all sizes */
}

static wide
part_ns(const struct tn_clock *c, uint64_t cycles)
{
	return (wide)(cycles / c->frequency) * NS +
	       (wide)((__extension__ (unsigned __int128)(cycles % c->frequency)) * NS / c->frequency);
}

static wide
base_ns(const struct tn_clock *c)
{
	return c->beyond ? 0 : (wide)c->offset_s * NS + c->shift_ns + part_ns(c, c->offset_cycles);
}

static int64_t
plain_ns(const struct tn_clock *c, uint64_t cycles)
{
	wide v = base_ns(c) + part_ns(c, cycles);

	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (int64_t)v;
}

static uint64_t
plain_cycles(const struct tn_clock *c, int64_t ns)
{
	wide rest = (wide)ns - base_ns(c), cycles;

	if (rest < 0)
		return 0;
	cycles = (rest / NS) * c->frequency + ((rest % NS) * c->frequency + NS - 1) / NS;
	return cycles > UINT64_MAX ? UINT64_MAX : (uint64_t)cycles;
}

Test(clock, as_with_128_bits)
{
	for (int round = 0; round < 200000; round++) {
		uint64_t a = any(), b = any(), d = any() | 1, high, low = tn_multiply(a, b, &high);
		__extension__ unsigned __int128 product = (unsigned __int128)a * b;
		struct tn_clock c = { .frequency = round % 4 ? any() | 1 : round % 8 ? NS : 3 };
		uint64_t cycles = any();
		int64_t ns = (int64_t)any() - (int64_t)any();

		cr_assert(low == (uint64_t)product && high == (uint64_t)(product >> 64));
		cr_assert_eq(tn_multiply_divide(a, b, d),
			     product / d > UINT64_MAX ? UINT64_MAX : (uint64_t)(product / d));
		c.offset_s = round % 3 ? (int64_t)(any() % 4000000000) - 2000000000 : (int64_t)any();
		c.offset_cycles = any() % c.frequency;
		c.shift_ns = round % 5 ? 0 : (int64_t)any() - (int64_t)any();
		tn_clock_settle(&c);
		cr_assert_eq(tn_clock_ns(&c, cycles), plain_ns(&c, cycles),
			     "round %d: %" PRIu64 " Hz, %" PRId64 " s + %" PRIu64 ", shift %" PRId64 ", %" PRIu64 ": %" PRId64
			     ", not %" PRId64, round, c.frequency, c.offset_s, c.offset_cycles, c.shift_ns, cycles,
			     tn_clock_ns(&c, cycles), plain_ns(&c, cycles));
		cr_assert_eq(tn_clock_cycles(&c, ns), plain_cycles(&c, ns), "round %d: %" PRIu64 " Hz, %" PRId64 " s + %" PRIu64
			     ", shift %" PRId64 ", at %" PRId64 ": %" PRIu64 ", not %" PRIu64, round, c.frequency, c.offset_s,
			     c.offset_cycles, c.shift_ns, ns, tn_clock_cycles(&c, ns), plain_cycles(&c, ns));
	}
}

#endif
