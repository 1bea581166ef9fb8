/* wide.h - products and sums of more than 64 bits, also for compilers without such a type (32-bit systems) */
#ifndef TN_BASE_WIDE_H
#define TN_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

/* a * b; the upper half of the product is in *high. */
static inline uint64_t
tn_multiply(uint64_t a, uint64_t b, uint64_t *high)
{
#ifdef __SIZEOF_INT128__
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	*high = (uint64_t)(product >> 64);
	return (uint64_t)product;
#else
	uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
	uint64_t low = al * bl, middle = ah * bl + (low >> 32), other = al * bh + (uint32_t)middle;

	*high = ah * bh + (middle >> 32) + (other >> 32);
	return other << 32 | (uint32_t)low;
#endif
}

/* a * b / c, rounded down; saturates at UINT64_MAX. */
static inline uint64_t
tn_multiply_divide(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t high, low = tn_multiply(a, b, &high);

	if (!high)
		return low / c;
	if (high >= c)
		return UINT64_MAX;
#ifdef __SIZEOF_INT128__
	return (uint64_t)((__extension__ (unsigned __int128)high << 64 | low) / c);
#else
	/* One bit in each step. The rest stays less than c; its 65th bit is in `carry`. */
	for (int i = 0; i < 64; i++) {
		bool carry = high >> 63;

		high = high << 1 | low >> 63;
		low <<= 1;
		if (carry || high >= c) {
			high -= c;
			low |= 1;
		}
	}
	return low;
#endif
}

/* a * b / c, rounded up; saturates at UINT64_MAX. */
static inline uint64_t
tn_multiply_divide_up(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t q = tn_multiply_divide(a, b, c);

	return q < UINT64_MAX && a * b - q * c ? q + 1 : q;
}

/* An integer of 128 bits, two's complement. */
struct tn_wide {
	int64_t high;
	uint64_t low;
};

static inline struct tn_wide
tn_wide_of(int64_t v)
{
	return (struct tn_wide) { v < 0 ? -1 : 0, (uint64_t)v };
}

static inline struct tn_wide
tn_wide_of_unsigned(uint64_t v)
{
	return (struct tn_wide) { 0, v };
}

static inline struct tn_wide
tn_wide_add(struct tn_wide a, struct tn_wide b)
{
	uint64_t low = a.low + b.low;

	return (struct tn_wide) { (int64_t)((uint64_t)a.high + (uint64_t)b.high + (low < a.low)), low };
}

static inline struct tn_wide
tn_wide_negate(struct tn_wide v)
{
	return (struct tn_wide) { (int64_t)(~(uint64_t)v.high + !v.low), ~v.low + 1 };
}

static inline bool
tn_wide_less(struct tn_wide a, struct tn_wide b)
{
	return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static inline double
tn_wide_double(struct tn_wide v)
{
	return v.high < 0 ? -tn_wide_double(tn_wide_negate(v)) : (double)v.high * 18446744073709551616.0 + (double)v.low;
}

#endif
