/*
 * bits.h - bit fields of packets
 *
 * Positions are bits from the start of a packet, whose first byte is @p. In little-endian fields bit 0 of a
 * byte is its least significant, in big-endian ones its most significant (CTF 1.8, 4.1.5).
 *
 * The callers have checked that the whole field is inside the packet. Loads may touch up to 8 bytes after the
 * field: maps have TN_MAP_SLACK bytes of slack there.
 */
#ifndef TN_BASE_BITS_H
#define TN_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
tn_load64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline uint64_t
tn_load64_be(const uint8_t *p)
{
	return __builtin_bswap64(tn_load64(p));
}

/* The low @n bits of @v, 1 <= n <= 64. */
static inline uint64_t
tn_low_bits(uint64_t v, unsigned n)
{
	return v & (~UINT64_C(0) >> (64 - n));
}

static inline int64_t
tn_sign_extend(uint64_t v, unsigned n)
{
	return (int64_t)(v << (64 - n)) >> (64 - n);
}

/* The unsigned little-endian field of @n bits, 1 to 64, at bit @at. */
static inline uint64_t
tn_bits_le(const uint8_t *p, uint64_t at, unsigned n)
{
	unsigned shift = at & 7;
	uint64_t v;

	p += at >> 3;
	v = tn_load64(p) >> shift;
	if (shift + n > 64)
		v |= (uint64_t)p[8] << (64 - shift);
	return tn_low_bits(v, n);
}

/* The unsigned big-endian field of @n bits, 1 to 64, at bit @at. */
static inline uint64_t
tn_bits_be(const uint8_t *p, uint64_t at, unsigned n)
{
	unsigned shift = at & 7;
	uint64_t v;

	p += at >> 3;
	v = tn_load64_be(p) << shift;
	if (shift + n > 64)
		v |= (uint64_t)p[8] >> (8 - shift);
	return v >> (64 - n);
}

static inline uint64_t
tn_bits(const uint8_t *p, uint64_t at, unsigned n, bool big_endian)
{
	return big_endian ? tn_bits_be(p, at, n) : tn_bits_le(p, at, n);
}

/* The low @n bits of @v in reverse order. */
static inline uint64_t
tn_reverse_bits(uint64_t v, unsigned n)
{
	uint64_t r = 0;

	for (unsigned i = 0; i < n; i++, v >>= 1)
		r = r << 1 | (v & 1);
	return r;
}

/* Round @at up to a multiple of @align, a power of two. Positions are less than 2^63, so this does not overflow. */
static inline uint64_t
tn_align_up(uint64_t at, uint64_t align)
{
	return (at + align - 1) & ~(align - 1);
}

/* Convert IEEE 754 binary16 to double. */
static inline double
tn_half(uint16_t h)
{
	uint64_t sign = (uint64_t)(h >> 15) << 63, fraction = h & 0x3ff, bits;
	int exponent = h >> 10 & 0x1f;
	double d;

	if (exponent == 0)
		return (sign ? -1.0 : 1.0) * (double)fraction / 16777216.0;
	if (exponent == 31)
		bits = sign | UINT64_C(0x7ff) << 52 | fraction << 42;
	else
		bits = sign | (uint64_t)(exponent - 15 + 1023) << 52 | fraction << 42;
	memcpy(&d, &bits, 8);
	return d;
}

#endif
