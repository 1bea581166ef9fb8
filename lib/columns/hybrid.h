/* hybrid.h - numbers of few bits, as runs or packed; packed differences of numbers */
#ifndef TN_COLUMNS_HYBRID_H
#define TN_COLUMNS_HYBRID_H

#include "base/str.h"

/* Writes numbers of few bits, the lowest bits first. Zero all members except @to before first use. */
struct tn_packed {
	char *to;
	uint64_t word;		/* bits that are not written yet */
	unsigned used;
};

static inline void
tn_packed_put(struct tn_packed *p, uint64_t value, unsigned bits)
{
	p->word |= value << p->used;
	p->used += bits;
	if (p->used >= 64) {
		memcpy(p->to, &p->word, 8);
		p->to += 8;
		p->used -= 64;
		p->word = p->used ? value >> (bits - p->used) : 0;
	}
}

static inline void
tn_packed_put4(struct tn_packed *p, uint64_t a, uint64_t b, uint64_t c, uint64_t d, unsigned bits)
{
	if (bits <= 16) {
		tn_packed_put(p, a | b << bits | c << 2 * bits | d << 3 * bits, 4 * bits);
	} else if (bits <= 32) {
		tn_packed_put(p, a | b << bits, 2 * bits);
		tn_packed_put(p, c | d << bits, 2 * bits);
	} else {
		tn_packed_put(p, a, bits);
		tn_packed_put(p, b, bits);
		tn_packed_put(p, c, bits);
		tn_packed_put(p, d, bits);
	}
}

/* The numbers of a page, all packed or all as runs. Begin with { .out = out, .bits = bits }. */
struct tn_hybrid {
	struct tn_str *out;
	unsigned bits;
	bool is_packed;
	struct tn_packed packed;
	uint64_t n;		/* number of packed numbers */
	uint64_t ones;		/* a word of numbers that are 1, to repeat a value */
	unsigned most;		/* number of numbers in this word */
	uint32_t value;		/* value of the current run */
	uint64_t counted;	/* length of the current run so far */
};

/* If the average run has this length, runs are shorter than packed numbers. */
#define TN_LONG_RUN 16

/* Begin: @n numbers follow, in about @runs runs. */
void tn_hybrid_begin(struct tn_hybrid *h, uint64_t n, uint64_t runs);
/* End the current run, and begin another one. */
void tn_hybrid_next(struct tn_hybrid *h, uint32_t value, uint64_t n);

/* Add the same value @n times. */
static inline void
tn_hybrid_run(struct tn_hybrid *h, uint32_t value, uint64_t n)
{
	uint64_t all = value * h->ones;

	if (!h->is_packed) {
		if (value == h->value)
			h->counted += n;
		else
			tn_hybrid_next(h, value, n);
		return;
	}
	for (; n > h->most; n -= h->most)
		tn_packed_put(&h->packed, all, h->most * h->bits);
	if (n * h->bits < 64)
		all &= (UINT64_C(1) << n * h->bits) - 1;
	tn_packed_put(&h->packed, all, (unsigned)n * h->bits);
}

void tn_hybrid_numbers(struct tn_hybrid *h, const uint32_t *number, size_t n);

/* Add the lowest @n bits of @bits, each as a value of one bit. */
void tn_hybrid_bits(struct tn_hybrid *h, uint64_t bits, unsigned n);
void tn_hybrid_end(struct tn_hybrid *h);

/* The number of bits for values up to @most. */
static inline unsigned
tn_bits_for(uint64_t most)
{
	return most ? 64 - (unsigned)__builtin_clzll(most) : 0;
}

/* Write DELTA_BINARY_PACKED; @is_wide: INT64, otherwise INT32. */
void tn_put_differences(struct tn_str *out, const uint64_t *value, size_t n, bool is_wide);

#endif
