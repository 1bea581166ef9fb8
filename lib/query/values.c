#include "query/values.h"

#include <stdlib.h>

#include "query/text_hash.h"

#define CLOSELY 8	/* beside the kind */
#define DEEPLY 16
#define LIST 64		/* beside the bits of a sieve: those that are set, one after the other */
#define FEWEST_BITS 5

#define ALL_BITS ((size_t)65536)

static bool
add_prints(struct tn_values *v, const uint16_t *print, size_t n)
{
	size_t n_bits = v->n_bits;

	if (!v->bits && !(v->bits = calloc(ALL_BITS / 64, sizeof *v->bits)))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t *word = &v->bits[print[i] / 64];

		n_bits += !(*word >> print[i] % 64 & 1);
		*word |= UINT64_C(1) << print[i] % 64;
	}
	v->n_bits = n_bits;
	return n_bits <= TN_PRINTS;
}

void
tn_values_clear(struct tn_values *v)
{
	v->kind = TN_VALUES_NONE;
	v->closely = v->deeply = v->many = v->full = false;
	v->spared_prints = v->spared_sieve = false;
	v->least = UINT64_MAX;
	v->greatest = 0;
	v->print.n = 0;
	v->sieve_bits = 0;
	if (v->n_bits)
		memset(v->bits, 0, ALL_BITS / 8);
	v->n_bits = 0;
}

void
tn_values_release(struct tn_values *v)
{
	free(v->bits);
	v->bits = NULL;
	v->n_bits = 0;
	TN_ARRAY_RELEASE(&v->print);
	TN_ARRAY_RELEASE(&v->sieve);
}

/* ---- sieves of texts ---- */

unsigned
tn_sieve_bits(uint64_t packet_bytes)
{
	uint64_t bits = (4 + packet_bytes / 200) * 8;
	unsigned n = FEWEST_BITS;

	while (n < TN_SIEVE_BITS && bits >> (n + 1))
		n++;
	return n;
}

static bool
make_sieve(struct tn_values *v, unsigned bits)
{
	size_t n = tn_sieve_words(bits);

	if (v->sieve_bits || !TN_ARRAY_RESERVE(&v->sieve, n))
		return v->sieve_bits == bits;
	v->sieve_bits = bits;
	memset(v->sieve.item, 0, n * sizeof *v->sieve.item);
	v->sieve.n = n;
	return true;
}

static void
join_sieve(struct tn_values *v, const struct tn_values_part *part)
{
	if (!part->sieve_bits)
		return;
	v->full |= part->full || !make_sieve(v, part->sieve_bits);
	if (v->full)
		return;
	for (size_t i = 0; part->sieve && i < v->sieve.n; i++)
		v->sieve.item[i] |= part->sieve[i];
	for (size_t i = 0; i < part->n_bits; i++)
		v->sieve.item[part->bit[i] / 64] |= UINT64_C(1) << part->bit[i] % 64;
}

bool
tn_values_may_have_inside(const struct tn_values *v, const char *text, size_t n)
{
	for (size_t i = 0; v->sieve_bits && !v->full && i + TN_PART <= n; i++) {
		uint32_t bit = tn_sieve_part(text + i, v->sieve_bits);

		if (!(v->sieve.item[bit / 64] >> bit % 64 & 1))
			return false;
	}
	return true;
}

bool
tn_values_may_have_text(const struct tn_values *v, const char *text, size_t n)
{
	return tn_values_may_have(v, tn_text_print(text, n)) && tn_values_may_have_inside(v, text, n);
}

/* Bits one by one, or a list of those that are set. */
static bool
write_sieve(struct tn_values *v, struct tn_note_bytes *out)
{
	size_t size = v->sieve.n * sizeof *v->sieve.item, n = 0, last = 0, begin;

	if (!TN_ARRAY_RESERVE(out, out->n + 1))
		return false;
	if (v->full || !v->sieve_bits) {
		out->item[out->n++] = 0;
		return true;
	}
	for (size_t i = 0; i < v->sieve.n; i++)
		n += (size_t)__builtin_popcountll(v->sieve.item[i]);
	v->full = n > ((size_t)1 << v->sieve_bits) * 5 / 8;
	if (v->full) {
		out->item[out->n++] = 0;
		return true;
	}
	if (!TN_ARRAY_RESERVE(out, out->n + 1 + (size > 3 * n ? size : 3 * n)))
		return false;
	begin = out->n++;
	for (size_t i = 0; i < v->sieve.n; i++)
		for (uint64_t word = v->sieve.item[i]; word; word &= word - 1) {
			size_t bit = i * 64 + (size_t)__builtin_ctzll(word);

			out->n += tn_varint_put(out->item + out->n, bit - last);
			last = bit;
		}
	out->item[begin] = (uint8_t)(v->sieve_bits | LIST);
	if (out->n - begin - 1 < size)
		return true;
	out->item[begin] = (uint8_t)v->sieve_bits;
	memcpy(out->item + begin + 1, v->sieve.item, size);
	out->n = begin + 1 + size;
	return true;
}

static bool
read_sieve(struct tn_values *v, const uint8_t *p, const uint8_t *end)
{
	uint64_t gap, at = 0;
	unsigned bits;
	bool list;

	if (p == end)
		return false;
	bits = *p & (LIST - 1);
	list = *p++ & LIST;
	v->full = bits == 0;
	if (v->full)
		return p == end && !list;
	if (bits < FEWEST_BITS || bits > TN_SIEVE_BITS || !make_sieve(v, bits))
		return false;
	if (!list) {
		if ((size_t)(end - p) != v->sieve.n * sizeof *v->sieve.item)
			return false;
		memcpy(v->sieve.item, p, (size_t)(end - p));
		return true;
	}
	while (p < end) {
		if (!tn_varint_get(&p, end, &gap) || gap >> bits || (at += gap) >> bits)
			return false;
		v->sieve.item[at / 64] |= UINT64_C(1) << at % 64;
	}
	return true;
}

/* ---- all ---- */

void
tn_values_join(struct tn_values *v, const struct tn_values_part *part)
{
	v->spared_prints |= part->spared_prints;
	v->spared_sieve |= part->spared_sieve;
	if (part->kind == TN_VALUES_NONE)
		return;
	v->kind = v->kind == TN_VALUES_NONE || v->kind == part->kind ? part->kind : TN_VALUES_MIXED;
	if (v->kind == TN_VALUES_MIXED)
		return;
	join_sieve(v, part);
	v->least = part->least < v->least ? part->least : v->least;
	v->greatest = part->greatest > v->greatest ? part->greatest : v->greatest;
	v->many |= part->many || !add_prints(v, part->print, part->n);
}

/* The prints that there are, each as the distance from the one before. */
static uint8_t *
put_prints(const struct tn_values *v, uint8_t *out)
{
	const uint64_t *bits = v->bits;
	size_t last = 0, left = v->n_bits;

	for (size_t i = 0; left; i += 64)
		for (uint64_t word = *bits++; word; word &= word - 1, left--) {
			size_t print = i + (size_t)__builtin_ctzll(word), gap = print - last;

			last = print;
			if (gap < 128)
				*out++ = (uint8_t)gap;
			else
				out += tn_varint_put(out, gap);
		}
	return out;
}

static bool
write_prints(struct tn_values *v, size_t most, struct tn_note_bytes *out)
{
	v->many |= v->n_bits > most;
	if (!TN_ARRAY_RESERVE(out, out->n + 3 * TN_VARINT_SIZE + (v->many ? 0 : v->n_bits * 3)))
		return false;
	if (v->kind != TN_VALUES_TEXT) {
		out->n += tn_varint_put(out->item + out->n, v->least);
		out->n += tn_varint_put(out->item + out->n, v->greatest - v->least);
	}
	out->n += tn_varint_put(out->item + out->n, v->many ? 0 : v->n_bits + 1);
	if (!v->many)
		out->n = (size_t)(put_prints(v, out->item + out->n) - out->item);
	return true;
}

bool
tn_values_write(struct tn_values *v, size_t most, struct tn_note_bytes *out)
{
	if (!TN_ARRAY_RESERVE(out, out->n + 2))
		return false;
	out->item[out->n++] = (uint8_t)((unsigned)v->kind | (v->closely ? CLOSELY : 0) | (v->deeply ? DEEPLY : 0));
	if (v->kind == TN_VALUES_NONE || v->kind == TN_VALUES_MIXED)
		return true;
	return write_prints(v, most, out) && (v->kind != TN_VALUES_TEXT || !v->deeply || write_sieve(v, out));
}

static bool
read_prints(struct tn_values *v, const uint8_t **p, const uint8_t *end)
{
	uint64_t span, prints, gap, at = 0;

	if (v->kind != TN_VALUES_TEXT) {
		if (!tn_varint_get(p, end, &v->least) || !tn_varint_get(p, end, &span) || span > UINT64_MAX - v->least)
			return false;
		v->greatest = v->least + span;
	}
	if (!tn_varint_get(p, end, &prints) || prints > TN_PRINTS + 1)
		return false;
	v->many = prints == 0;
	if (!TN_ARRAY_RESERVE(&v->print, TN_PRINTS))
		return false;
	for (; prints > 1; prints--) {
		if (!tn_varint_get(p, end, &gap) || gap > UINT16_MAX || (at += gap) > UINT16_MAX)
			return false;
		v->print.item[v->print.n++] = (uint16_t)at;
	}
	return true;
}

bool
tn_values_read(struct tn_values *v, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;

	tn_values_clear(v);
	if (p == end || (*p & ~(CLOSELY | DEEPLY)) > TN_VALUES_MIXED)
		return false;
	v->closely = *p & CLOSELY;
	v->deeply = *p & DEEPLY;
	v->kind = (enum tn_values_kind)(*p++ & ~(CLOSELY | DEEPLY));
	if (v->kind == TN_VALUES_NONE || v->kind == TN_VALUES_MIXED)
		return p == end;
	if (!read_prints(v, &p, end))
		return false;
	return v->kind == TN_VALUES_TEXT && v->deeply ? read_sieve(v, p, end) : p == end;
}

bool
tn_values_suffice(const uint8_t *p, size_t n, bool closely, bool deeply)
{
	return n && (!closely || *p & CLOSELY) && (!deeply || *p & DEEPLY);
}

bool
tn_values_may_have(const struct tn_values *v, uint16_t print)
{
	size_t lo = 0, hi = v->print.n;

	if (v->many)
		return true;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v->print.item[mid] < print)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < v->print.n && v->print.item[lo] == print;
}
