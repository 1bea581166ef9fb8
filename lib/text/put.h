/*
 * put.h - fast writing to a string
 *
 * tn_str_reserve() reserves space once, then characters are written through a pointer: every tn_put_...()
 * function takes the place to write and returns the place after its text. They never write a NUL.
 */
#ifndef TN_TEXT_PUT_H
#define TN_TEXT_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tnav/text.h>

#include "base/str.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* Bytes of a string for which space is reserved at once, as the result may be cut. */
#define TN_PUT_PIECE ((size_t)32768)

/* The longest integer in any base: "0b" and 64 digits. */
#define TN_PUT_INTEGER 72
#define TN_PUT_DOUBLE 32

extern const char tn_digit_pairs[201];
/* The three digits of each number below 1000, with leading zeros, and the number of its digits without them. */
extern const char tn_digit_triples[4000];

static inline char *
tn_put_2(char *p, uint32_t v)
{
	memcpy(p, tn_digit_pairs + 2 * v, 2);
	return p + 2;
}

/*
 * The eight decimal digits of @v, below 10^8, one to a byte (0 to 9), the first one in the lowest byte:
 * halves, quarters and eighths are divided all at once, by multiplying.
 */
static inline uint64_t
tn_decimal_fours(uint32_t first, uint32_t second)	/* the digits of two numbers below 10000 */
{
	uint64_t x = (uint64_t)first | (uint64_t)second << 32, tens;

	tens = (x * 10486) >> 20 & UINT64_C(0x0000007f0000007f);
	x = tens | (x - 100 * tens) << 16;
	tens = (x * 103) >> 10 & UINT64_C(0x000f000f000f000f);
	return tens | (x - 10 * tens) << 8;
}

static inline uint64_t
tn_decimal_digits(uint32_t v)
{
	return tn_decimal_fours(v / 10000, v % 10000);
}

static inline void
tn_store_digits(char *p, uint64_t digits)
{
	digits |= UINT64_C(0x3030303030303030);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	digits = __builtin_bswap64(digits);
#endif
	memcpy(p, &digits, 8);
}

static inline char *
tn_put_8(char *p, uint32_t v)
{
	tn_store_digits(p, tn_decimal_digits(v));
	return p + 8;
}

/* The nine digits of nanoseconds. */
static inline char *
tn_put_9(char *p, uint32_t v)
{
	uint32_t first = v / 100000000;

	*p = (char)('0' + first);
	return tn_put_8(p + 1, v - first * 100000000);
}

/* Below 10^8, without leading zeros; always writes eight bytes. */
static inline char *
tn_put_small(char *p, uint32_t v)
{
	uint64_t digits = tn_decimal_digits(v);
	/* The last digit counts even if it is 0. */
	unsigned zeros = (unsigned)__builtin_ctzll(digits | UINT64_C(1) << 56) & ~7u;

	digits |= UINT64_C(0x3030303030303030);
	tn_store_digits(p, digits >> zeros);
	return p + 8 - zeros / 8;
}

/* Below 1000: with leading zeros, and without; always writes four bytes. */
static inline char *
tn_put_3(char *p, uint32_t v)
{
	memcpy(p, tn_digit_triples + 4 * v, 4);
	return p + 3;
}

static inline char *
tn_put_upto_3(char *p, uint32_t v)
{
	unsigned n = (unsigned)tn_digit_triples[4 * v + 3];

	memcpy(p, tn_digit_triples + 4 * v + 3 - n, 4);
	return p + n;
}

char *tn_put_large(char *p, uint64_t v);	/* tn_put_u64() for numbers from 10^6 on */

/* Writes up to 7 bytes more than the digits. */
static inline char *
tn_put_u64(char *p, uint64_t v)
{
	if (v < 1000)
		return tn_put_upto_3(p, (uint32_t)v);
	if (v < 1000000)
		return tn_put_3(tn_put_upto_3(p, (uint32_t)v / 1000), (uint32_t)v % 1000);
	return tn_put_large(p, v);
}

static inline char *
tn_put_i64(char *p, int64_t v)
{
	if (v >= 0)
		return tn_put_u64(p, (uint64_t)v);
	*p = '-';
	return tn_put_u64(p + 1, -(uint64_t)v);
}

/* Capitals, at least one digit; always writes 16 bytes. */
static inline char *
tn_put_hex(char *p, uint64_t v)
{
	unsigned digits = (unsigned)(67 - __builtin_clzll(v | 1)) / 4;

	v <<= 64 - 4 * digits;
#if defined(__x86_64__)
	/* The first digit in the lowest half of a byte, each half in a byte of its own, plus 7 from 10 on. */
	__m128i x = _mm_cvtsi64_si128((long long)__builtin_bswap64(v));

	x = _mm_and_si128(_mm_unpacklo_epi8(_mm_srli_epi64(x, 4), x), _mm_set1_epi8(15));
	x = _mm_add_epi8(_mm_add_epi8(x, _mm_set1_epi8('0')),
			 _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8(9)), _mm_set1_epi8(7)));
	_mm_storeu_si128((__m128i *)(void *)p, x);
#else
	for (unsigned i = 0; i < digits; i++)
		p[i] = "0123456789ABCDEF"[v << 4 * i >> 60];
#endif
	return p + digits;
}

struct tn_type;

char *tn_put_padded(char *p, uint64_t v, unsigned width);	/* decimal, zeros in front */
char *tn_put_double(char *p, double d);		/* as "%g", in every locale */
/*
 * A finite number with the fewest digits, 15 at least (6 if @single), that read back as the same; as "%.*g" in
 * every locale. False, with nothing written: 128 bits are not enough for it.
 */
bool tn_put_shortest(char **p, double d, bool single);
/* Put a number in the base of its type; @v is two's complement if the type is signed. Needs TN_PUT_INTEGER. */
char *tn_put_integer(char *p, const struct tn_type *type, uint64_t v);
/* An integer or float of more than 64 bits: base 16 of the raw bits; @shift: bits of *bytes before it. */
void tn_put_wide(struct tn_str *b, const uint8_t *bytes, unsigned shift, const struct tn_type *type);

/* Text for between quotes, without them: text.md, 4. A NUL byte ends it. */
void tn_put_escaped(struct tn_str *b, const uint8_t *bytes, size_t n);

/*
 * Like tn_put_escaped(), from a mapped file, which can be read beyond its end, without NUL bytes; needs 4 * @n bytes
 * and the slack.
 */
char *tn_put_mapped(char *p, const uint8_t *bytes, size_t n);

/*
 * Like tn_put_mapped(), up to the zero byte before @end, in one step. True: *bytes is after that byte. False: more
 * space is needed, as *p reached @limit, which has 32 bytes after it; or *bytes reached @end without a zero byte.
 */
bool tn_put_terminated(char **p, const char *limit, const uint8_t **bytes, const uint8_t *end);

#endif
