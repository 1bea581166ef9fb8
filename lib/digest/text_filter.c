#include "digest/text_filter.h"

#include "base/text_hash.h"

#define FEWEST_BITS 5

/* ---- bits in a note ---- */

/* Count eight bytes at a time. The partial sums are joined before one can overflow. */
static size_t
count_bits(const uint64_t *word, size_t words)
{
	const uint64_t two = UINT64_C(0x3333333333333333), four = UINT64_C(0x0f0f0f0f0f0f0f0f);
	size_t n = 0;

	for (size_t i = 0; i < words;) {
		uint64_t sum = 0;

		for (size_t end = i + 31 < words ? i + 31 : words; i < end; i++) {
			uint64_t v = word[i] - (word[i] >> 1 & UINT64_C(0x5555555555555555));

			v = (v & two) + (v >> 2 & two);
			sum += (v + (v >> 4)) & four;
		}
		sum = (sum & UINT64_C(0x00ff00ff00ff00ff)) + (sum >> 8 & UINT64_C(0x00ff00ff00ff00ff));
		n += (size_t)(sum * UINT64_C(0x0001000100010001) >> 48);
	}
	return n;
}

/* Write the number of set bits, and the distance of each from the previous one. If that is longer, write 0 and all words. */
static bool
put_bits(const uint64_t *word, size_t words, size_t n, struct tn_note_bytes *out)
{
	size_t size = words * sizeof *word, last = 0, begin = out->n, end = begin + size;

	if (!TN_ARRAY_RESERVE(out, end + 1 + 2 * TN_VARINT_SIZE))
		return false;
	if (n < size)	/* each number needs at least one byte */
		out->n += tn_varint_put(out->item + out->n, n + 1);
	for (size_t i = 0; n < size && i < words && out->n < end; i++)
		for (uint64_t left = word[i]; left && out->n < end; left &= left - 1) {
			size_t bit = i * 64 + (size_t)__builtin_ctzll(left);

			out->n += tn_varint_put(out->item + out->n, bit - last);
			last = bit;
		}
	if (n < size && out->n < end)
		return true;
	out->item[begin] = 0;
	memcpy(out->item + begin + 1, word, size);
	out->n = begin + 1 + size;
	return true;
}

/* Unpack the bits into @word, which the caller zeroes. */
static bool
get_bits(uint64_t *word, size_t words, const uint8_t **p, const uint8_t *end)
{
	uint64_t n, gap, at = 0;

	if (!tn_varint_get(p, end, &n))
		return false;
	if (!n) {
		if ((size_t)(end - *p) < words * sizeof *word)
			return false;
		memcpy(word, *p, words * sizeof *word);
		*p += words * sizeof *word;
	}
	for (; n > 1; n--) {
		if (!tn_varint_get(p, end, &gap) || gap >= words * 64 || (at += gap) >= words * 64)
			return false;
		word[at / 64] |= UINT64_C(1) << at % 64;
	}
	return true;
}

/* ---- the Bloom filter ---- */

/* Set three bits, by the lower half of a hash, in the word that its upper half selects. */
static inline uint64_t
add_text(uint64_t word, uint32_t hash)
{
	word |= UINT64_C(1) << (hash & 63);
	word |= UINT64_C(1) << (hash >> 6 & 63);
	return word | UINT64_C(1) << (hash >> 12 & 63);
}

static inline size_t
text_word(uint32_t hash, size_t words)
{
	return (size_t)((uint64_t)hash * words >> 32);
}

static bool
make_bloom(struct tn_zone *v, size_t words)
{
	if (v->bloom.n || !TN_ARRAY_RESERVE(&v->bloom, words))
		return words && v->bloom.n == words;
	v->bloom.n = words;
	memset(v->bloom.item, 0, words * sizeof *v->bloom.item);
	return true;
}

static void
join_bloom(struct tn_zone *v, const struct tn_zone_part *part, const struct tn_zone_lists *lists)
{
	const uint32_t *hash = part->n_hashes ? lists->hashes.item + part->first_hash : NULL;
	size_t words = part->bloom_words, n = part->n_hashes;
	uint64_t *word;

	v->many |= part->many || !make_bloom(v, words);
	if (v->many)
		return;
	word = v->bloom.item;
	for (size_t i = 0; i < n; i++) {
		size_t at = text_word(hash[i], words);

		word[at] = add_text(word[at], hash[i]);
	}
}

/* If half of the bits are set, one of eight texts that are absent seems present, which is too much. */
static bool
write_bloom(struct tn_zone *v, struct tn_note_bytes *out)
{
	size_t n = v->many ? 0 : count_bits(v->bloom.item, v->bloom.n);

	v->many |= n > v->bloom.n * 32;
	if (!TN_ARRAY_RESERVE(out, out->n + TN_VARINT_SIZE))
		return false;
	out->n += tn_varint_put(out->item + out->n, v->many ? 0 : v->bloom.n);
	return v->many || put_bits(v->bloom.item, v->bloom.n, n, out);
}

static bool
read_bloom(struct tn_zone *v, const uint8_t **p, const uint8_t *end)
{
	uint64_t words;

	if (!tn_varint_get(p, end, &words) || words > TN_BLOOM_WORDS)
		return false;
	v->many = words == 0;
	return v->many || (make_bloom(v, (size_t)words) && get_bits(v->bloom.item, v->bloom.n, p, end));
}

/* ---- the n-gram filter ---- */

unsigned
tn_ngram_bits(uint64_t packet_bytes)
{
	uint64_t bits = (4 + packet_bytes / 200) * 8;
	unsigned n = FEWEST_BITS;

	while (n < TN_NGRAM_BITS && bits >> (n + 1))
		n++;
	return n;
}

static bool
make_ngrams(struct tn_zone *v, unsigned bits)
{
	size_t n = tn_ngram_words(bits);

	if (v->ngram_bits || !TN_ARRAY_RESERVE(&v->ngrams, n))
		return v->ngram_bits == bits;
	v->ngram_bits = bits;
	memset(v->ngrams.item, 0, n * sizeof *v->ngrams.item);
	v->ngrams.n = n;
	return true;
}

static void
join_ngrams(struct tn_zone *v, const struct tn_zone_part *part, const struct tn_zone_lists *lists)
{
	if (!part->ngram_bits)
		return;
	v->full |= part->full || !make_ngrams(v, part->ngram_bits);
	v->beyond |= part->beyond;
	if (v->full)
		return;
	for (size_t i = 0; part->has_ngrams && i < v->ngrams.n; i++)
		v->ngrams.item[i] |= lists->words.item[part->first_word + i];
	for (size_t i = part->first_bit; i < part->first_bit + part->n_bits; i++)
		v->ngrams.item[lists->bits.item[i] / 64] |= UINT64_C(1) << lists->bits.item[i] % 64;
}

bool
tn_zone_may_have_inside(const struct tn_zone *v, const char *text, size_t n)
{
	for (size_t i = 0; v->ngram_bits && !v->full && i + TN_NGRAM <= n; i++) {
		uint32_t bit = tn_ngram_part(text + i, v->ngram_bits);

		if (!(v->ngrams.item[bit / 64] >> bit % 64 & 1))
			return false;
	}
	return true;
}

bool
tn_zone_may_have_text(const struct tn_zone *v, const char *text, size_t n)
{
	uint32_t hash = tn_text_hash32(text, n);

	if (!v->many && !v->bloom.n)
		return false;
	if (!v->many && add_text(0, hash) & ~v->bloom.item[text_word(hash, v->bloom.n)])
		return false;
	return tn_zone_may_have_inside(v, text, n);
}

static bool
write_ngrams(struct tn_zone *v, struct tn_note_bytes *out)
{
	size_t n = v->full ? 0 : count_bits(v->ngrams.item, v->ngrams.n);

	if (!TN_ARRAY_RESERVE(out, out->n + 1))
		return false;
	v->full |= !v->ngram_bits || n > ((size_t)1 << v->ngram_bits) * 5 / 8;
	out->item[out->n++] = v->full ? 0 : (uint8_t)v->ngram_bits;
	return v->full || put_bits(v->ngrams.item, v->ngrams.n, n, out);
}

static bool
read_ngrams(struct tn_zone *v, const uint8_t **p, const uint8_t *end)
{
	unsigned bits;

	if (*p == end)
		return false;
	bits = *(*p)++;
	v->full = bits == 0;
	if (v->full)
		return true;
	return bits >= FEWEST_BITS && bits <= TN_NGRAM_BITS && make_ngrams(v, bits) &&
	       get_bits(v->ngrams.item, v->ngrams.n, p, end);
}

/* ---- both ---- */

void
tn_text_filter_join(struct tn_zone *v, const struct tn_zone_part *part, const struct tn_zone_lists *lists)
{
	join_bloom(v, part, lists);
	join_ngrams(v, part, lists);
}

bool
tn_text_filter_write(struct tn_zone *v, struct tn_note_bytes *out)
{
	return write_bloom(v, out) && (!(v->level & TN_ZONE_NGRAMS) || write_ngrams(v, out));
}

bool
tn_text_filter_read(struct tn_zone *v, const uint8_t **p, const uint8_t *end)
{
	return read_bloom(v, p, end) && (!(v->level & TN_ZONE_NGRAMS) || read_ngrams(v, p, end));
}
