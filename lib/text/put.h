/*
 * put.h - fast writing to a string
 *
 * tn_str_reserve() reserves space once. Then characters are written through a pointer: a tn_put_...() function takes
 * the place to write, and returns the place after its text. These functions never write a NUL.
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

/* Bytes of a string for which space is reserved at a time, because the result may be cut. */
#define TN_PUT_PIECE ((size_t)32768)

/* Space for the longest integer in any base: "0b" and 64 digits. */
#define TN_PUT_INTEGER 72
#define TN_PUT_DOUBLE 32

extern const char tn_digit_pairs[201];
/* For each number below 1000: its three digits with leading zeros, and the number of its digits without them. */
extern const char tn_digit_triples[4000];

static inline char *
tn_put_2(char *p, uint32_t v)
{
	memcpy(p, tn_digit_pairs + 2 * v, 2);
	return p + 2;
}

/*
 * The eight decimal digits of @v, less than 10^8, one in each byte (0 to 9), the first digit in the lowest byte.
 * Multiplications divide halves, quarters and eighths of the word at the same time.
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

/* Write the nine digits of nanoseconds. */
static inline char *
tn_put_9(char *p, uint32_t v)
{
	uint32_t first = v / 100000000;

	*p = (char)('0' + first);
	return tn_put_8(p + 1, v - first * 100000000);
}

/* Write a number less than 10^8 without leading zeros; always writes eight bytes. */
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

/* Write a number less than 1000, with leading zeros or without; always writes four bytes. */
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

char *tn_put_large(char *p, uint64_t v);	/* tn_put_u64() for numbers of 10^6 or more */

/* Writes up to 7 bytes after the digits, too. */
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

/* Write capital digits, at least one; always writes 16 bytes. */
static inline char *
tn_put_hex(char *p, uint64_t v)
{
	unsigned digits = (unsigned)(67 - __builtin_clzll(v | 1)) / 4;

	v <<= 64 - 4 * digits;
#if defined(__x86_64__)
	/* Put each half of a byte, first digit first, into a byte of its own, and add 7 from 10 on. */
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

char *tn_put_padded(char *p, uint64_t v, unsigned width);	/* decimal, with leading zeros */
char *tn_put_double(char *p, double d);		/* as "%g", in every locale */
/*
 * Write a finite number with the fewest digits (at least 15, or 6 if @single) that read back as the same number, like
 * "%.*g" in any locale. False: 128 bits are not enough, and nothing is written.
 */
bool tn_put_shortest(char **p, double d, bool single);
/* Write a number in the base of its type; @v is two's complement if the type is signed. Needs TN_PUT_INTEGER bytes. */
char *tn_put_integer(char *p, const struct tn_type *type, uint64_t v);
/*
 * Append an integer or float of more than 64 bits as its raw bits in base 16; @shift: number of bits in *bytes before
 * it.
 */
void tn_put_wide(struct tn_str *b, const uint8_t *bytes, unsigned shift, const struct tn_type *type);

/* Append a text that belongs between quotes, without the quotes: text.md, 4. A NUL byte ends the text. */
void tn_put_escaped(struct tn_str *b, const uint8_t *bytes, size_t n);

/*
 * Like tn_put_escaped(), for bytes without NUL in a mapped file, which can be read beyond its end. Needs 4 * @n bytes
 * and the slack.
 */
char *tn_put_mapped(char *p, const uint8_t *bytes, size_t n);

/*
 * Like tn_put_mapped(), up to the zero byte before @end. True: *bytes is after that byte. False: *p reached @limit,
 * which 32 bytes of space must follow, so more space is needed; or *bytes reached @end without a zero byte.
 */
bool tn_put_terminated(char **p, const char *limit, const uint8_t **bytes, const uint8_t *end);

#endif
