#include "digest/text_filter.h"

#include <stdlib.h>

/* The first byte of a note: the kind in the lowest bits, then the level, then these flags. */
#define LEVEL_SHIFT 3
#define ASCII 32	/* no text has bytes beyond ASCII */
#define KIND 7

#define ALL_BITS ((size_t)65536)

static bool
add_hashes(struct tn_zone *v, const uint32_t *hash, size_t n)
{
	size_t n_bits = v->n_bits;

	if (!v->bits && !(v->bits = calloc(ALL_BITS / 64, sizeof *v->bits)))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t *word = &v->bits[hash[i] / 64];

		n_bits += !(*word >> hash[i] % 64 & 1);
		*word |= UINT64_C(1) << hash[i] % 64;
	}
	v->n_bits = n_bits;
	return n_bits <= TN_ZONE_MOST_HASHES;
}

void
tn_zone_clear(struct tn_zone *v)
{
	v->kind = TN_ZONE_NONE;
	v->level = 0;
	v->many = v->full = v->beyond = false;
	v->spared_hashes = v->spared_ngrams = false;
	v->least = UINT64_MAX;
	v->greatest = 0;
	v->hash.n = 0;
	v->bloom.n = 0;
	v->ngram_bits = 0;
	if (v->n_bits)
		memset(v->bits, 0, ALL_BITS / 8);
	v->n_bits = 0;
}

void
tn_zone_release(struct tn_zone *v)
{
	free(v->bits);
	v->bits = NULL;
	v->n_bits = 0;
	TN_ARRAY_RELEASE(&v->hash);
	TN_ARRAY_RELEASE(&v->bloom);
	TN_ARRAY_RELEASE(&v->ngrams);
}

/* ---- all ---- */

void
tn_zone_join(struct tn_zone *v, const struct tn_zone_part *part, const struct tn_zone_lists *lists)
{
	v->spared_hashes |= part->spared_hashes;
	v->spared_ngrams |= part->spared_ngrams;
	if (part->kind == TN_ZONE_NONE)
		return;
	v->kind = v->kind == TN_ZONE_NONE || v->kind == part->kind ? part->kind : TN_ZONE_MIXED;
	if (v->kind == TN_ZONE_MIXED)
		return;
	if (v->kind == TN_ZONE_TEXT) {
		tn_text_filter_join(v, part, lists);
		return;
	}
	v->least = part->least < v->least ? part->least : v->least;
	v->greatest = part->greatest > v->greatest ? part->greatest : v->greatest;
	v->many |= part->many || !add_hashes(v, part->n_hashes ? lists->hashes.item + part->first_hash : NULL, part->n_hashes);
}

void
tn_zone_lists_clear(struct tn_zone_lists *lists)
{
	lists->hashes.n = lists->words.n = lists->bits.n = 0;
}

void
tn_zone_lists_release(struct tn_zone_lists *lists)
{
	TN_ARRAY_RELEASE(&lists->hashes);
	TN_ARRAY_RELEASE(&lists->words);
	TN_ARRAY_RELEASE(&lists->bits);
}

/* Write the hashes, each as the distance from the previous one. */
static uint8_t *
put_hashes(const struct tn_zone *v, uint8_t *out)
{
	const uint64_t *bits = v->bits;
	size_t last = 0, left = v->n_bits;

	for (size_t i = 0; left; i += 64)
		for (uint64_t word = *bits++; word; word &= word - 1, left--) {
			size_t hash = i + (size_t)__builtin_ctzll(word), gap = hash - last;

			last = hash;
			if (gap < 128)
				*out++ = (uint8_t)gap;
			else
				out += tn_varint_put(out, gap);
		}
	return out;
}

static bool
write_numbers(struct tn_zone *v, size_t most, struct tn_note_bytes *out)
{
	v->many |= v->n_bits > most;
	if (!TN_ARRAY_RESERVE(out, out->n + 3 * TN_VARINT_SIZE + (v->many ? 0 : v->n_bits * 3)))
		return false;
	out->n += tn_varint_put(out->item + out->n, v->least);
	out->n += tn_varint_put(out->item + out->n, v->greatest - v->least);
	out->n += tn_varint_put(out->item + out->n, v->many ? 0 : v->n_bits + 1);
	if (!v->many)
		out->n = (size_t)(put_hashes(v, out->item + out->n) - out->item);
	return true;
}

bool
tn_zone_write(struct tn_zone *v, size_t most, struct tn_note_bytes *out)
{
	if (!TN_ARRAY_RESERVE(out, out->n + 2))
		return false;
	out->item[out->n++] = (uint8_t)((unsigned)v->kind | v->level << LEVEL_SHIFT |
					    (v->level & TN_ZONE_NGRAMS && !v->beyond ? ASCII : 0));
	if (v->kind == TN_ZONE_NONE || v->kind == TN_ZONE_MIXED)
		return true;
	if (v->kind != TN_ZONE_TEXT)
		return write_numbers(v, most, out);
	return tn_text_filter_write(v, out);
}

static bool
read_numbers(struct tn_zone *v, const uint8_t **p, const uint8_t *end)
{
	uint64_t span, hashes, gap, at = 0;

	if (!tn_varint_get(p, end, &v->least) || !tn_varint_get(p, end, &span) || span > UINT64_MAX - v->least)
		return false;
	v->greatest = v->least + span;
	if (!tn_varint_get(p, end, &hashes) || hashes > TN_ZONE_MOST_HASHES + 1)
		return false;
	v->many = hashes == 0;
	if (!TN_ARRAY_RESERVE(&v->hash, TN_ZONE_MOST_HASHES))
		return false;
	for (; hashes > 1; hashes--) {
		if (!tn_varint_get(p, end, &gap) || gap > UINT16_MAX || (at += gap) > UINT16_MAX)
			return false;
		v->hash.item[v->hash.n++] = (uint16_t)at;
	}
	return true;
}

bool
tn_zone_read(struct tn_zone *v, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;

	tn_zone_clear(v);
	if (p == end || (*p & KIND) > TN_ZONE_MIXED || *p >> 6)
		return false;
	v->level = *p >> LEVEL_SHIFT & (TN_ZONE_HASHES | TN_ZONE_NGRAMS);
	v->beyond = !(*p & ASCII);
	v->kind = (enum tn_zone_kind)(*p++ & KIND);
	if (v->kind == TN_ZONE_NONE || v->kind == TN_ZONE_MIXED)
		return p == end;
	if (v->kind != TN_ZONE_TEXT)
		return read_numbers(v, &p, end) && p == end;
	return tn_text_filter_read(v, &p, end) && p == end;
}

unsigned
tn_zone_level(struct tn_note note)
{
	return note.n ? *note.bytes >> LEVEL_SHIFT & (TN_ZONE_HASHES | TN_ZONE_NGRAMS) : 0;
}

bool
tn_zone_may_have(const struct tn_zone *v, uint16_t hash)
{
	size_t lo = 0;

	if (v->many)
		return true;
	TN_BISECT(lo, v->hash.n, mid, v->hash.item[mid] < hash);
	return lo < v->hash.n && v->hash.item[lo] == hash;
}
