/* hybrid.h - numbers of few bits as runs and packed groups of eight; differences of numbers */
#ifndef TN_COLUMNS_HYBRID_H
#define TN_COLUMNS_HYBRID_H

#include "base/str.h"

/* Begin with { .out = out, .bits = bits }. */
struct tn_hybrid {
	struct tn_str *out;
	unsigned bits;
	unsigned n;		/* values of the group of eight that is open */
	uint32_t value[8];	/* they; or the value that is counted */
	size_t head;		/* place of the header of the run of groups that is open, + 1; 0: none */
	unsigned groups;
	uint64_t counted;	/* equal values before any group that is open */
};

/* @n times the same value. */
void tn_hybrid_run(struct tn_hybrid *h, uint32_t value, uint64_t n);
/* The lowest @n bits of @bits, each a value; @n is a multiple of 8, or this is the end. */
void tn_hybrid_bits(struct tn_hybrid *h, uint64_t bits, unsigned n);
void tn_hybrid_put(struct tn_hybrid *h, const uint32_t *value, size_t n);
void tn_hybrid_end(struct tn_hybrid *h);

/* Bits that are needed for numbers up to @most. */
static inline unsigned
tn_bits_for(uint64_t most)
{
	return most ? 64 - (unsigned)__builtin_clzll(most) : 0;
}

/* DELTA_BINARY_PACKED; @is_wide: INT64, else INT32. */
void tn_put_differences(struct tn_str *out, const uint64_t *value, size_t n, bool is_wide);

#endif
