#include <criterion/criterion.h>

#include "base/bits.h"

/* ctf1-binary.md, 2 and 15.1. */
Test(bits, document_examples)
{
	static const uint8_t p[16] = { 0x2b, 0xd4, 0x7a };
	static const uint8_t q[24] = { 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18 };
	static const struct { const uint8_t *p; unsigned at, n; bool be; uint64_t want; } rows[] = {
		{ p, 0, 3, false, 3 }, { p, 3, 5, false, 5 }, { p, 8, 12, false, 2772 }, { p, 20, 4, false, 7 },
		{ p, 0, 3, true, 1 }, { p, 3, 5, true, 11 }, { p, 8, 12, true, 3399 }, { p, 20, 4, true, 10 },
		{ q, 0, 4, true, 1 }, { q, 4, 64, true, UINT64_C(0x0111213141516171) }, { q, 68, 4, true, 8 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t got = tn_bits(rows[i].p, rows[i].at, rows[i].n, rows[i].be);

		cr_assert_eq(got, rows[i].want, "row %zu: %llx, not %llx", i, (unsigned long long)got,
			     (unsigned long long)rows[i].want);
	}
	cr_assert_eq(tn_sign_extend(10, 4), -6);
}

/* Every position and size against a bit-by-bit reader. */
Test(bits, all_positions_agree_with_single_bits)
{
	uint8_t p[32];

	for (unsigned i = 0; i < sizeof p; i++)
		p[i] = (uint8_t)(i * 73 + 41);
	for (unsigned at = 0; at < 24; at++)
		for (unsigned n = 1; n <= 64; n++) {
			uint64_t le = 0, be = 0;

			for (unsigned k = 0; k < n; k++) {
				unsigned q = at + k;

				le |= (uint64_t)(p[q / 8] >> q % 8 & 1) << k;
				be = be << 1 | (p[q / 8] >> (7 - q % 8) & 1);
			}
			cr_assert_eq(tn_bits_le(p, at, n), le, "le at %u, %u bits", at, n);
			cr_assert_eq(tn_bits_be(p, at, n), be, "be at %u, %u bits", at, n);
		}
}
