#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/type.h"
#include "text/put.h"

#define ROWS(a) (sizeof(a) / sizeof *(a))

/* text.md, 4: what each base shows of each size and sign. */
Test(number, integers_in_their_bases)
{
	static const struct { bool is_signed; unsigned bits, base; int64_t v; const char *want; } rows[] = {
		{ false, 64, 10, -1, "18446744073709551615" }, { false, 64, 10, 0, "0" },
		{ true, 8, 10, -3, "-3" }, { true, 64, 10, INT64_MIN, "-9223372036854775808" }, { true, 1, 10, -1, "-1" },
		{ true, 8, 16, -3, "0xFD" }, { true, 5, 16, -3, "0xFD" }, { true, 64, 16, -3, "0xFFFFFFFFFFFFFFFD" },
		{ false, 32, 16, 0, "0x0" }, { false, 32, 16, 0xdeadbeef, "0xDEADBEEF" }, { true, 61, 16, -1, "0xFFFFFFFFFFFFFFFF" },
		{ true, 60, 16, -1, "0xFFFFFFFFFFFFFFF" },
		{ true, 8, 8, -3, "0775" }, { true, 16, 8, -3, "0777775" }, { true, 64, 8, -3, "01777777777777777777775" },
		{ false, 8, 8, 8, "010" }, { false, 8, 8, 0, "00" }, { true, 3, 8, -1, "07" }, { true, 63, 8, -1, "0777777777777777777777" },
		{ true, 8, 2, -3, "0b11111101" }, { false, 5, 2, 22, "0b10110" }, { false, 1, 2, 1, "0b1" },
		{ false, 64, 2, 1, "0b0000000000000000000000000000000000000000000000000000000000000001" },
		/* LEB128 has no size: as many digits as it needs. */
		{ false, 0, 2, 5, "0b101" }, { false, 0, 2, 0, "0b0" }, { true, 0, 16, -1, "0xFFFFFFFFFFFFFFFF" }, { true, 0, 10, -7, "-7" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_type t = { .kind = rows[i].is_signed ? TN_KIND_SINT : TN_KIND_UINT, .length = rows[i].bits,
				     .base = (uint8_t)rows[i].base };
		char room[TN_PUT_INTEGER + 1];

		*tn_put_integer(room, &t, (uint64_t)rows[i].v) = '\0';
		cr_assert_str_eq(room, rows[i].want, "row %zu: %s, not %s", i, room, rows[i].want);
	}
}

/* Every number of digits, and both neighbours of each power of ten, against the C library. */
Test(number, decimals_agree_with_printf)
{
	char got[64], want[64];
	uint64_t power = 1;

	for (int n = 0; n < 20; n++, power *= 10)
		for (int d = -1; d <= 1; d++) {
			uint64_t v = power + (uint64_t)d;

			*tn_put_u64(got, v) = '\0';
			snprintf(want, sizeof want, "%llu", (unsigned long long)v);
			cr_assert_str_eq(got, want);
			*tn_put_i64(got, -(int64_t)v) = '\0';
			snprintf(want, sizeof want, "%lld", -(long long)v);
			cr_assert_str_eq(got, want);
			*tn_put_padded(got, v, 12) = '\0';
			snprintf(want, sizeof want, "%012llu", (unsigned long long)v);
			cr_assert_str_eq(got, want);
			*tn_put_hex(got, v) = '\0';
			snprintf(want, sizeof want, "%llX", (unsigned long long)v);
			cr_assert_str_eq(got, want);
		}
	*tn_put_9(got, 7) = '\0';
	cr_assert_str_eq(got, "000000007");
	*tn_put_9(got, 999999999) = '\0';
	cr_assert_str_eq(got, "999999999");
}

static void
check_double(double d)
{
	char got[64], want[64];

	*tn_put_double(got, d) = '\0';
	snprintf(want, sizeof want, "%g", d);
	cr_assert_str_eq(got, want, "%a: %s, not %s", d, got, want);
}

/* Ties, edges of the exponent form, what 128 bits cannot hold. */
Test(number, doubles_agree_with_printf)
{
	static const double rows[] = {
		0.0, -0.0, 1, -1, 0.1, 0.2, 0.3, 1.5, 1e300, -1e300, 123456789, 1e6, 999999, 999999.4, 999999.5, 999999.6,
		99999.95, 9999995, 1e5, 100000.5, 100001.5, 1e-4, 9.9999949e-5, 9.9999951e-5, 1e-5, 0.5, 0.25, 0.125, 0.0001234565,
		1.000005, 1.0000050000000001, 2.5, 1234565, 1234575, 12345650, 0.00012207031250, 4.9e-324, 2.2250738585072014e-308,
		1.7976931348623157e308, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e-10, 1e-15, 1e-16, 1e-17,
		1e-20, 1e-30, 9007199254740993.0, 1e100, 1e99, 3.14159265358979, 1125899906842624.0 * 1024, 8388608.5, 1048576.5,
	};
	double inf = 1e308 * 10;
	uint64_t x = 88172645463325252u;

	for (size_t i = 0; i < ROWS(rows); i++) {
		check_double(rows[i]);
		check_double(-rows[i]);
	}
	check_double(inf);
	check_double(-inf);
	check_double(inf - inf);
	check_double(-(inf - inf));
	for (int i = 0; i < 20000; i++) {
		double d;
		float f;
		uint32_t half;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		memcpy(&d, &x, 8);
		check_double(d);
		half = (uint32_t)x;
		memcpy(&f, &half, 4);
		check_double(f);
		check_double((double)(x >> 40) / 1000);
		check_double((double)(x >> 44) / 1024);
		check_double((double)(int64_t)x);
		check_double((double)(x >> 11) * 1e-22);
	}
}

Test(number, wide_integers_show_their_raw_bits)
{
	static const uint8_t bytes[] = { 0x00, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x0f };
	static const struct { unsigned shift, bits; bool big, reversed; const char *want; } rows[] = {
		{ 0, 72, true, false, "0x123456789ABCDEF0" }, { 0, 72, false, false, "0xF0DEBC9A7856341200" },
		{ 0, 80, true, false, "0x123456789ABCDEF00F" }, { 4, 68, true, false, "0x123456789ABCDEF0" },
		{ 4, 68, false, false, "0xF0DEBC9A785634120" }, { 8, 66, false, false, "0x3F0DEBC9A78563412" },
		{ 0, 8, true, false, "0x0" },
		/* 0x001234... in a little-endian field whose first bit has the most weight: each byte turned round. */
		{ 0, 72, false, true, "0x482C6A1E593D7B0F" }, { 0, 72, true, true, "0xF7B3D591E6A2C4800" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_type t = { .length = rows[i].bits, .big_endian = rows[i].big, .reversed = rows[i].reversed };
		struct tn_str b = { 0 };

		tn_put_wide(&b, bytes, rows[i].shift, &t);
		tn_str_puts(&b, "!");
		b.text[b.n - 1] = '\0';
		cr_assert_str_eq(b.text, rows[i].want, "row %zu: %s, not %s", i, b.text, rows[i].want);
		tn_str_release(&b);
	}
}

/* The fewest digits of "%.*g" that read back, from the 15th on (a float: the 6th). */
static void
by_printf(char *room, size_t size, double d, bool single)
{
	for (int digits = single ? 6 : 15; digits <= 17; digits++) {
		snprintf(room, size, "%.*g", digits, d);
		if (single ? strtof(room, NULL) == (float)d : strtod(room, NULL) == d)
			break;
	}
}

Test(number, shortest_digits_agree_with_printf)
{
	static const double some[] = {
		0.1, 0.3, 1.0 / 3, 100, 1e15, 1e16, 123456789012345678.0, 5e-5, 0.0001, 2.5, -0.0, 0.0, 9007199254740993.0,
		4503599627370496.5, 9.5367431640625e-07, 0.999999999999999944, 1e22, 4.35, 99999999999999.98, 1024, 1.0000000000000002,
	};
	uint64_t seed = 88172645463325252u;
	size_t made = 0, all = 60000;

	for (size_t i = 0; i < all; i++) {
		bool single = i % 3 == 0;
		char want[64], got[64], *end = got;
		double d;
		float f;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		/* Known ones, decimals of few digits, all bits with an exponent that is not far from 0. */
		if (i < ROWS(some))
			d = some[i];
		else if (i % 2)
			d = (double)(int64_t)(seed % 2000000000) / (double[]) { 1, 10, 100, 1000, 1e6, 1e9 }[seed >> 40 & 3];
		else
			d = ldexp((double)(seed >> 11), (int)(seed % 70) - 80);
		f = (float)d;
		d = single ? (double)f : d;
		by_printf(want, sizeof want, d, single);
		if (!tn_put_shortest(&end, d, single))
			continue;
		made++;
		*end = '\0';
		cr_assert_str_eq(got, want, "%zu: %a", i, d);
	}
#ifdef __SIZEOF_INT128__	/* without it most go the slow way */
	cr_assert_gt(made, all * 8 / 10, "%zu", made);
#endif
}
