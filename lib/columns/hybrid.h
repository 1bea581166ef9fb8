/* hybrid.h - numbers of few bits as runs or packed; differences of numbers */
#ifndef TN_COLUMNS_HYBRID_H
#define TN_COLUMNS_HYBRID_H

#include "base/str.h"

/* Numbers of few bits one after the other, lowest bits first. Zeroed but for @to before first use. */
struct tn_packed {
	char *to;
	uint64_t word;		/* bits that are not there yet */
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

/* The numbers of a page: all of them packed, or all of them as runs. Begin with { .out = out, .bits = bits }. */
struct tn_hybrid {
	struct tn_str *out;
	unsigned bits;
	bool is_packed;
	struct tn_packed packed;
	uint64_t n;		/* numbers that are packed */
	uint32_t value;		/* the run that is open, */
	uint64_t counted;	/* and its length */
};

/* There will be @n numbers, in about @runs runs. */
void tn_hybrid_begin(struct tn_hybrid *h, uint64_t n, uint64_t runs);
/* The run that is open ends, and another one begins. */
void tn_hybrid_next(struct tn_hybrid *h, uint32_t value, uint64_t n);

/* @n times the same value. */
static inline void
tn_hybrid_run(struct tn_hybrid *h, uint32_t value, uint64_t n)
{
	if (!h->is_packed && value == h->value)
		h->counted += n;
	else if (!h->is_packed)
		tn_hybrid_next(h, value, n);
	for (; h->is_packed && n; n--)
		tn_packed_put(&h->packed, value, h->bits);
}

/* The lowest @n bits of @bits, each a value of one bit. */
void tn_hybrid_bits(struct tn_hybrid *h, uint64_t bits, unsigned n);
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
