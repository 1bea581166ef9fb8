/*
 * number.c - integers in their bases, floats as "%g"
 */
#include <math.h>
#include <stdio.h>

#include "model/type.h"
#include "text/put.h"

char *
tn_put_large(char *p, uint64_t v)
{
	if (v < 100000000)
		return tn_put_small(p, (uint32_t)v);
	if (v < UINT64_C(10000000000000000))
		return tn_put_8(tn_put_small(p, (uint32_t)(v / 100000000)), (uint32_t)(v % 100000000));
	p = tn_put_small(p, (uint32_t)(v / UINT64_C(10000000000000000)));
	v %= UINT64_C(10000000000000000);
	return tn_put_8(tn_put_8(p, (uint32_t)(v / 100000000)), (uint32_t)(v % 100000000));
}

static char *
put_octal(char *p, uint64_t v)
{
	unsigned digits = v ? (unsigned)(66 - __builtin_clzll(v)) / 3 : 1;

	for (unsigned i = digits; i-- > 0; v >>= 3)
		p[i] = (char)('0' + (v & 7));
	return p + digits;
}

static char *
put_binary(char *p, uint64_t v, unsigned digits)
{
	for (unsigned i = digits; i-- > 0;)
		*p++ = (char)('0' + (v >> i & 1));
	return p;
}

char *
tn_put_padded(char *p, uint64_t v, unsigned width)
{
	char room[24];
	unsigned n = (unsigned)(tn_put_u64(room, v) - room);

	for (; width > n; width--)
		*p++ = '0';
	memcpy(p, room, n);
	return p + n;
}

/*
 * The bits of a number of @length bits that a base shows, as whole digits. LEB128 does not have a fixed length: all
 * 64 bits are shown.
 */
static uint64_t
shown(uint64_t v, uint64_t length, unsigned bits_per_digit)
{
	uint64_t n = (length + bits_per_digit - 1) / bits_per_digit * bits_per_digit;

	return length == 0 || n >= 64 ? v : v & ((UINT64_C(1) << n) - 1);
}

char *
tn_put_integer(char *p, const struct tn_type *t, uint64_t v)
{
	bool is_signed = t->kind == TN_KIND_SINT;

	switch (t->base) {
	case 16:
		p[0] = '0';
		p[1] = 'x';
		return tn_put_hex(p + 2, shown(v, t->length, 4));
	case 8:
		*p++ = '0';
		return put_octal(p, is_signed && t->length < 64 ? shown(v, t->length, 3) : v);
	case 2:
		p[0] = '0';
		p[1] = 'b';
		if (t->length >= 1 && t->length <= 64)
			return put_binary(p + 2, v, (unsigned)t->length);
		return put_binary(p + 2, v, v ? 64 - (unsigned)__builtin_clzll(v) : 1);
	default:
		return is_signed ? tn_put_i64(p, (int64_t)v) : tn_put_u64(p, v);
	}
}

static unsigned
nibble(const uint8_t *bytes, unsigned shift, const struct tn_type *t, uint64_t at)
{
	unsigned v = 0;

	for (unsigned i = 0; i < 4 && at + i < t->length; i++)
		v |= tn_type_bit(t, bytes, shift, at + i) << i;
	return v;
}

void
tn_put_wide(struct tn_str *b, const uint8_t *bytes, unsigned shift, const struct tn_type *t)
{
	uint64_t digit = (t->length + 3) / 4;

	if (digit > SIZE_MAX / 8 || !tn_str_reserve(b, (size_t)digit + 3)) {
		b->failed = true;
		return;
	}
	tn_str_puts(b, "0x");
	while (digit > 1 && nibble(bytes, shift, t, 4 * (digit - 1)) == 0)
		digit--;
	while (digit-- > 0)
		b->text[b->n++] = "0123456789ABCDEF"[nibble(bytes, shift, t, 4 * digit)];
}

/* ---- "%g": six significant digits, the exact value rounded half to even ---- */

/* Write the number d.ddd * 10^@exponent like "%.*g"; its @n digits, of which the first is not 0, are @digits. */
static char *
put_general(char *p, const char *digits, int n, int exponent)
{
	int precision = n;

	while (n > 1 && digits[n - 1] == '0')
		n--;
	if (exponent < -4 || exponent >= precision) {
		*p++ = digits[0];
		if (n > 1) {
			*p++ = '.';
			memcpy(p, digits + 1, (size_t)n - 1);
			p += n - 1;
		}
		*p++ = 'e';
		*p++ = exponent < 0 ? '-' : '+';
		exponent = exponent < 0 ? -exponent : exponent;
		return exponent < 100 ? tn_put_2(p, (uint32_t)exponent) : tn_put_small(p, (uint32_t)exponent);
	}
	if (exponent < 0) {
		memcpy(p, "0.000", 5);
		p += 1 - exponent;
		memcpy(p, digits, (size_t)n);
		return p + n;
	}
	for (int i = 0; i < n || i <= exponent; i++) {
		if (i == exponent + 1)
			*p++ = '.';
		*p++ = digits[i];
	}
	return p;
}

/* Write the number d.ddddd * 10^@exponent like "%g"; its six digits are @six, in [100000, 999999]. */
static char *
put_digits(char *p, uint32_t six, int exponent)
{
	char digits[16];

	tn_put_small(digits, six);
	return put_general(p, digits, 6, exponent);
}

/* Numbers that are too large or too small for 128 bits need the C library, whose decimal point depends on the locale. */
static char *
put_slow(char *p, double d)
{
	char room[40];
	const char *at = room;
	uint32_t six = 0;
	int exponent = 0, negative;

	snprintf(room, sizeof room, "%.5e", d);
	for (; *at && *at != 'e'; at++)
		if (*at >= '0' && *at <= '9')
			six = six * 10 + (uint32_t)(*at - '0');
	negative = *at && at[1] == '-';
	for (at += *at ? 2 : 0; *at >= '0' && *at <= '9'; at++)
		exponent = exponent * 10 + (*at - '0');
	return put_digits(p, six, negative ? -exponent : exponent);
}

static const uint64_t powers[] = {
	UINT64_C(1), UINT64_C(10), UINT64_C(100), UINT64_C(1000), UINT64_C(10000), UINT64_C(100000),
	UINT64_C(1000000), UINT64_C(10000000), UINT64_C(100000000), UINT64_C(1000000000),
	UINT64_C(10000000000), UINT64_C(100000000000), UINT64_C(1000000000000), UINT64_C(10000000000000),
	UINT64_C(100000000000000), UINT64_C(1000000000000000), UINT64_C(10000000000000000),
	UINT64_C(100000000000000000), UINT64_C(1000000000000000000), UINT64_C(10000000000000000000),
};

/*
 * Round m * 2^e * 10^k to an integer, half to even. All steps are exact, so the result is the correct rounding of the
 * decimal expansion. False: 128 bits are not enough.
 */
static bool
scaled(uint64_t m, int e, int k, uint64_t *out)
{
#ifndef __SIZEOF_INT128__
	(void)m, (void)e, (void)k, (void)out;
	return false;		/* put_slow() handles these numbers */
#else
	unsigned __int128 n = m, q, rest, half;

	if (k > 19 || k < -19 || e > 60 || e < -120)
		return false;
	if (k >= 0)
		n *= powers[k];		/* less than 2^53 * 2^64 */
	if (e >= 0) {
		if (k > 0 && e > 10)
			return false;
		n <<= e;
		if (k < 0) {
			q = n / powers[-k];
			rest = (n - q * powers[-k]) * 2;
			half = powers[-k];
		} else {
			q = n;
			rest = 0;
			half = 1;
		}
	} else if (k < 0) {
		unsigned __int128 by = powers[-k];

		if (e < -60)
			return false;
		by <<= -e;
		q = n / by;
		rest = (n - q * by) * 2;
		half = by;
	} else {
		q = n >> -e;
		rest = n & (((unsigned __int128)1 << -e) - 1);
		half = (unsigned __int128)1 << (-e - 1);
	}
	if (rest > half || (rest == half && (q & 1)))
		q++;
	if (q > UINT64_MAX)
		return false;
	*out = (uint64_t)q;
	return true;
#endif
}

char *
tn_put_double(char *p, double d)
{
	uint64_t bits, m, six;
	int e, exponent;

	memcpy(&bits, &d, 8);
	if (bits >> 63)
		*p++ = '-';
	bits &= UINT64_MAX >> 1;
	if (bits == 0) {
		*p = '0';
		return p + 1;
	}
	/* Whole numbers of up to six digits need no scaling. */
	memcpy(&d, &bits, 8);
	if (d < 1000000 && (double)(uint32_t)d == d)
		return tn_put_small(p, (uint32_t)d);
	if (bits >> 52 == 0x7ff) {
		/* The C library prints the sign of a NaN, and so does babeltrace2. */
		memcpy(p, bits << 12 ? "nan" : "inf", 3);
		return p + 3;
	}
	m = bits & ((UINT64_C(1) << 52) - 1);
	e = (int)(bits >> 52);
	if (e == 0)
		return put_slow(p, d);
	m |= UINT64_C(1) << 52;
	e -= 1075;
	/* m * 2^e is in [2^(e+52), 2^(e+53)), so the decimal exponent is this one or the next. */
	exponent = (int)floor((e + 52) * 0.30102999566398120);
	for (int i = 0; i < 2; i++, exponent++) {
		if (!scaled(m, e, 5 - exponent, &six))
			return put_slow(p, d);
		if (six < 1000000)
			return put_digits(p, (uint32_t)six, exponent);
		/*
		 * If the result has seven digits, the next exponent is the right one. Or a number of 999999.5 or more
		 * was rounded up; the next exponent then gives 100000.
		 */
	}
	return put_slow(p, d);
}

/*
 * Whether q * 10^-k reads back as m * 2^e. Neighbours of this number are 2^e apart, but if @near, the lower one is
 * half as far. A number reads back if its distance is less than half of that. A number exactly in between reads back
 * as the even one.
 */
static bool
reads_back(uint64_t q, int k, uint64_t m, int e, bool near)
{
#ifndef __SIZEOF_INT128__
	(void)q, (void)k, (void)m, (void)e, (void)near;
	return false;
#else
	unsigned __int128 exact = m, given = q, apart, unit = 1;
	bool below;

	if (k > 19 || k < -19 || e > 10 || e < -64)
		return false;
	/* Multiply both by 2^-e and 10^k, or by the remaining factors, to make them integers. */
	if (k >= 0) {
		exact *= powers[k];
		unit *= powers[k];
	} else {
		if (e < -60)
			return false;
		given *= powers[-k];
	}
	if (e >= 0) {
		exact <<= e;
		unit <<= e;
	} else {
		if (given >> (127 + e))
			return false;
		given <<= -e;
	}
	below = given < exact;
	apart = below ? exact - given : given - exact;
	if (apart >> 125)
		return false;
	apart *= near && below ? 4 : 2;
	return apart < unit || (apart == unit && !(m & 1));
#endif
}

bool
tn_put_shortest(char **at, double d, bool single)
{
	uint64_t bits, m, q;
	int e, first, exponent;
	char digits[32], *p = *at, *end;

	memcpy(&bits, &d, 8);
	if (!(bits << 1)) {
		memcpy(p, "-0", 2);
		*at = p + (bits >> 63 ? 2 : 1);
		if (!(bits >> 63))
			*p = '0';
		return true;
	}
	m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	e = (int)(bits >> 52 & 0x7ff) - 1075;
	if (e == -1075)
		return false;
	if (single) {		/* the number of digits of a float */
		m >>= 29;
		e += 29;
		if (e < -126 - 23)
			return false;
	}
	exponent = (int)floor((e + (single ? 23 : 52)) * 0.30102999566398120);
	first = single ? 6 : 15;
	for (int n = first; n <= 17; n++) {
		if (!scaled(m, e, n - 1 - exponent, &q))
			return false;
		if (q >= powers[n]) {	/* the decimal exponent is larger by 1 */
			exponent++;
			if (!scaled(m, e, n - 1 - exponent, &q) || q >= powers[n])
				return false;
		}
		if (q < powers[n - 1])
			return false;
		if (!reads_back(q, n - 1 - exponent, m, e, !(m & (m - 1))))
			continue;
		if (bits >> 63)
			*p++ = '-';
		end = tn_put_u64(digits, q);
		*at = put_general(p, digits, (int)(end - digits), exponent);
		return true;
	}
	return false;
}
