#include <criterion/criterion.h>

#include "base/bits.h"
#include "write/encode.h"

/* The reader of bits finds the stored bits at any place, and nothing around them changes. */
Test(encode, stored_bits_are_read_back)
{
	for (unsigned at = 0; at < 20; at++)
		for (unsigned n = 1; n <= 64; n++)
			for (unsigned be = 0; be < 2; be++) {
				uint64_t v = UINT64_C(0x9e3779b97f4a7c15) * (at * 64 + n), got;
				uint8_t p[24];

				memset(p, 0xa5, sizeof p);
				tn_bits_store(p, at, n, v, be);
				got = tn_bits(p, at, n, be);
				cr_assert_eq(got, tn_low_bits(v, n), "at %u, %u bits, be %u: %llx", at, n, be,
					     (unsigned long long)got);
				/* Put back what was there: then all is as before. */
				for (unsigned i = 0; i < n; i++)
					tn_bits_store(p, at + i, 1, 0xa5 >> (be ? 7 - (at + i) % 8 : (at + i) % 8), be);
				for (unsigned i = 0; i < sizeof p; i++)
					cr_assert_eq(p[i], 0xa5, "at %u, %u bits, be %u: byte %u changed", at, n, be, i);
			}
}

/* The bits after a number stay unchanged, also with fast paths for numbers. */
Test(encode, numbers_take_their_bits)
{
	static const unsigned bits[] = { 8, 16, 31, 32, 33, 63, 64 };

	for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
		for (unsigned be = 0; be < 2; be++) {
			uint8_t p[24];
			struct tn_encoder e = { .p = p, .end = sizeof p * 8 };

			memset(p, 0, sizeof p);
			cr_assert(tn_encode_bits(&e, bits[i], UINT64_MAX, be));
			cr_assert_eq(e.at, bits[i]);
			for (unsigned k = (bits[i] + 7) / 8; k < sizeof p; k++)
				cr_assert_eq(p[k], 0, "%u bits, be %u: byte %u is %02x", bits[i], be, k, p[k]);
			e = (struct tn_encoder) { .p = p, .end = bits[i] - 1 };
			cr_assert(!tn_encode_bits(&e, bits[i], 0, be));
		}
}
