#include "columns/hybrid.h"

#include "columns/thrift.h"

#define MOST_GROUPS 63		/* a run of groups with a header of one byte */
#define BLOCK 128
#define MINIBLOCK 32

/* @n numbers of @bits bits each, lowest bits first. @n * @bits is a multiple of 8. */
static void
pack(struct tn_str *out, const uint64_t *value, size_t n, unsigned bits)
{
	uint64_t word = 0;
	unsigned used = 0;
	char *p;

	if (!bits || !tn_str_reserve(out, n * bits / 8 + 8))
		return;
	p = out->text + out->n;
	for (size_t i = 0; i < n; i++) {
		word |= value[i] << used;
		if (used + bits >= 64) {
			memcpy(p, &word, 8);
			p += 8;
			word = used ? value[i] >> (64 - used) : 0;
			used = used + bits - 64;
		} else {
			used += bits;
		}
	}
	memcpy(p, &word, 8);
	out->n += n * bits / 8;
}

static void
end_groups(struct tn_hybrid *h)
{
	if (h->head && !h->out->failed)
		h->out->text[h->head - 1] = (char)(h->groups << 1 | 1);
	h->head = h->groups = 0;
}

static void
begin_group(struct tn_hybrid *h)
{
	if (h->groups == MOST_GROUPS)
		end_groups(h);
	if (!h->head) {
		tn_str_put(h->out, "", 1);
		h->head = h->out->n;
	}
	h->groups++;
}

/* Eight values as packed bits. */
static void
put_packed(struct tn_hybrid *h, const uint32_t *value)
{
	begin_group(h);
	if (!tn_str_reserve(h->out, 32))
		return;
	if (h->bits <= 8) {
		uint64_t word = 0;

		for (unsigned i = 8; i--; )
			word = word << h->bits | value[i];
		memcpy(h->out->text + h->out->n, &word, 8);
		h->out->n += h->bits;
	} else {
		uint64_t wide[8];

		for (unsigned i = 0; i < 8; i++)
			wide[i] = value[i];
		pack(h->out, wide, 8, h->bits);
	}
}

/* Write the equal values that were counted; too few for a run begin a group. */
static void
end_run(struct tn_hybrid *h)
{
	if (h->counted >= 8 || !h->bits) {
		end_groups(h);
		/* The format allows runs of 2^31 - 1 values; a page has fewer. */
		tn_put_varint(h->out, h->counted << 1);
		tn_str_put(h->out, (uint8_t [4]) { (uint8_t)h->value[0], (uint8_t)(h->value[0] >> 8),
						   (uint8_t)(h->value[0] >> 16), (uint8_t)(h->value[0] >> 24) },
			   (h->bits + 7) / 8);
	} else {
		for (h->n = 1; h->n < h->counted; h->n++)
			h->value[h->n] = h->value[0];
	}
	h->counted = 0;
}

void
tn_hybrid_bits(struct tn_hybrid *h, uint64_t bits, unsigned n)
{
	uint64_t mask = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;

	bits &= mask;
	if (!bits || bits == mask) {
		tn_hybrid_run(h, bits & 1, n);
		return;
	}
	if (h->counted)
		end_run(h);
	for (unsigned i = 0; i < n; i += 8) {
		begin_group(h);
		tn_str_put(h->out, &(char) { (char)(bits >> i) }, 1);
	}
}

void
tn_hybrid_run(struct tn_hybrid *h, uint32_t value, uint64_t n)
{
	if (h->counted && value != h->value[0])
		end_run(h);
	while (h->n && n) {
		h->value[h->n++] = value;
		n--;
		if (h->n == 8) {
			put_packed(h, h->value);
			h->n = 0;
		}
	}
	if (n) {
		h->value[0] = value;
		h->counted += n;
	}
}

void
tn_hybrid_put(struct tn_hybrid *h, const uint32_t *value, size_t n)
{
	size_t i = 0, k;

	while (i < n) {
		/* Groups without a run of eight are packed as they are. */
		while (!h->n && !h->counted && n - i >= 8 && value[i] != value[i + 7]) {
			put_packed(h, value + i);
			i += 8;
		}
		if (i == n)
			return;
		for (k = i + 1; k < n && value[k] == value[i]; k++)
			;
		tn_hybrid_run(h, value[i], k - i);
		i = k;
	}
}

void
tn_hybrid_end(struct tn_hybrid *h)
{
	if (h->counted)
		end_run(h);
	if (h->n) {
		memset(h->value + h->n, 0, (8 - h->n) * sizeof *h->value);
		put_packed(h, h->value);
	}
	end_groups(h);
}

/* ---- differences ---- */

/* Numbers wrap around as their type does. */
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
	for (size_t k = 0; k * MINIBLOCK < n; k++)
		pack(out, above + k * MINIBLOCK, MINIBLOCK, bits[k]);
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
