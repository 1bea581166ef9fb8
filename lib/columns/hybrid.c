#include "columns/hybrid.h"

#include "columns/thrift.h"

#define BLOCK 128
#define MINIBLOCK 32

void
tn_hybrid_begin(struct tn_hybrid *h, uint64_t n, uint64_t runs)
{
	uint64_t groups = (n + 7) / 8;

	h->is_packed = n && h->bits && runs > n / TN_LONG_RUN && tn_str_reserve(h->out, groups * h->bits + 16);
	if (!h->is_packed)
		return;
	tn_put_varint(h->out, groups << 1 | 1);
	h->packed.to = h->out->text + h->out->n;
	h->out->n += groups * h->bits;
	h->n = n;
	h->most = 64 / h->bits;
	for (unsigned i = 0; i < h->most; i++)
		h->ones |= UINT64_C(1) << i * h->bits;
}

void
tn_hybrid_next(struct tn_hybrid *h, uint32_t value, uint64_t n)
{
	if (h->counted) {	/* the format allows 2^31 - 1; a page has fewer */
		tn_put_varint(h->out, h->counted << 1);
		tn_str_put(h->out, &h->value, (h->bits + 7) / 8);
	}
	h->value = value;
	h->counted = n;
}

void
tn_hybrid_numbers(struct tn_hybrid *h, const uint32_t *number, size_t n)
{
	size_t i = 0;

	for (; h->is_packed && i + 4 <= n; i += 4)
		tn_packed_put4(&h->packed, number[i], number[i + 1], number[i + 2], number[i + 3], h->bits);
	for (; i < n; i++)
		tn_hybrid_run(h, number[i], 1);
}

void
tn_hybrid_bits(struct tn_hybrid *h, uint64_t bits, unsigned n)
{
	bits &= n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
	if (h->is_packed) {
		tn_packed_put(&h->packed, bits, n);
		return;
	}
	while (n) {
		uint64_t other = bits & 1 ? ~bits : bits;
		unsigned run = other && (unsigned)__builtin_ctzll(other) < n ? (unsigned)__builtin_ctzll(other) : n;

		tn_hybrid_run(h, bits & 1, run);
		bits = run < 64 ? bits >> run : 0;
		n -= run;
	}
}

void
tn_hybrid_end(struct tn_hybrid *h)
{
	if (!h->is_packed) {
		tn_hybrid_next(h, 0, 0);
		return;
	}
	for (; h->n % 8; h->n++)
		tn_packed_put(&h->packed, 0, h->bits);
	memcpy(h->packed.to, &h->packed.word, 8);
}

/* ---- differences ---- */

/* Differences of numbers wrap like the type. */
static void
put_block(struct tn_str *out, const uint64_t *value, size_t n, bool is_wide)
{
	int64_t least = INT64_MAX;
	uint64_t above[BLOCK];
	uint8_t bits[BLOCK / MINIBLOCK] = { 0 };

	for (size_t i = 0; is_wide && i < n; i++) {
		int64_t d = (int64_t)(value[i] - value[i - 1]);

		above[i] = (uint64_t)d;
		least = d < least ? d : least;
	}
	for (size_t i = 0; !is_wide && i < n; i++) {
		int64_t d = (int32_t)((uint32_t)value[i] - (uint32_t)value[i - 1]);

		above[i] = (uint64_t)d;
		least = d < least ? d : least;
	}
	for (size_t i = n; i < BLOCK; i++)
		above[i] = (uint64_t)least;
	for (size_t k = 0; k * MINIBLOCK < n; k++) {
		uint64_t any = 0;

		for (size_t i = 0; i < MINIBLOCK; i++)
			any |= above[k * MINIBLOCK + i] -= (uint64_t)least;
		bits[k] = (uint8_t)tn_bits_for(any);
	}
	tn_put_zigzag(out, least);
	tn_str_put(out, bits, sizeof bits);
	for (size_t k = 0; k * MINIBLOCK < n && tn_str_reserve(out, MINIBLOCK * 8); k++) {
		struct tn_packed packed = { .to = out->text + out->n };

		for (const uint64_t *v = above + k * MINIBLOCK; bits[k] && v < above + (k + 1) * MINIBLOCK; v += 4)
			tn_packed_put4(&packed, v[0], v[1], v[2], v[3], bits[k]);
		memcpy(packed.to, &packed.word, 8);
		out->n += MINIBLOCK / 8 * bits[k];
	}
}

void
tn_put_differences(struct tn_str *out, const uint64_t *value, size_t n, bool is_wide)
{
	tn_put_varint(out, BLOCK);
	tn_put_varint(out, BLOCK / MINIBLOCK);
	tn_put_varint(out, n);
	tn_put_zigzag(out, !n ? 0 : is_wide ? (int64_t)value[0] : (int32_t)(uint32_t)value[0]);
	for (size_t i = 1; i < n; i += BLOCK)
		put_block(out, value + i, n - i < BLOCK ? n - i : BLOCK, is_wide);
}
