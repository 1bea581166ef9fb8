/*
 * zone_text.c - note the texts of a field: a hash of each, and a bit for each four successive bytes
 *
 * Successive texts are mostly similar. The parts that a text shares with the previous one (at the start and the end, or
 * at any place if both have the same size) already have their bits.
 */
#include "base/bits.h"
#include "base/text_hash.h"
#include "digest/text_filter.h"
#include "scan/zone_writer.h"

#define DENSE 48	/* if there are fewer texts, their bits are in a list */
#define LIST 4096	/* limit of bits of a text */

static size_t
same_begin(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		uint64_t differ = tn_load64((const uint8_t *)a + i) ^ tn_load64((const uint8_t *)b + i);

		if (differ)
			return i + (size_t)__builtin_ctzll(differ) / 8;
	}
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/* The number of equal bytes at the ends of two texts, which end at @a and @b. */
static size_t
same_end(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		uint64_t differ = tn_load64((const uint8_t *)a - i - 8) ^ tn_load64((const uint8_t *)b - i - 8);

		if (differ)
			return i + (size_t)__builtin_clzll(differ) / 8;
	}
	while (i < n && a[-1 - (ptrdiff_t)i] == b[-1 - (ptrdiff_t)i])
		i++;
	return i;
}

/* Where the bits are stored: in @word, or in a list. */
struct ngrams {
	uint64_t *word;
	uint16_t *list;
	size_t n;
	unsigned bits;
	uint32_t all;	/* bits that all four bytes have in common */
};

static inline void
put(struct ngrams *s, const char *text)
{
	uint32_t four, bit;

	memcpy(&four, text, sizeof four);
	bit = tn_ngram_bit(four, s->bits);
	s->all |= four;
	if (s->word)
		s->word[bit / 64] |= UINT64_C(1) << bit % 64;
	else
		s->list[s->n++] = (uint16_t)bit;
}

#ifdef __SSE2__
/*
 * Compare two texts of the same size, at least 16 bytes. Returns a bit for each of at most 64 bytes from @i on that
 * differ.
 */
static inline uint64_t
differ(const char *a, const char *b, size_t n, size_t i)
{
	uint64_t bits = 0;

	for (size_t k = 0; k < 64 && i + k < n; k += 16) {
		size_t at = i + k + 16 <= n ? i + k : n - 16;
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)(a + at));
		__m128i y = _mm_loadu_si128((const __m128i *)(const void *)(b + at));
		uint64_t other = (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)) ^ 0xffff;

		bits |= other >> (i + k - at) << k;
	}
	return bits;
}

/* Add the parts of @text that differ from the previous text, which has the same size. */
static void
add_other_parts(struct ngrams *s, const char *text, const char *before, size_t n)
{
	size_t parts = n - (TN_NGRAM - 1), step = 64 - (TN_NGRAM - 1);

	for (size_t i = 0; i < parts; i += step) {
		uint64_t bits = differ(text, before, n, i);

		for (unsigned k = 1; k < TN_NGRAM; k++)
			bits |= bits >> 1;
		if (parts - i < 64)
			bits = tn_low_bits(bits, (unsigned)(parts - i));
		for (; bits; bits &= bits - 1)
			put(s, text + i + __builtin_ctzll(bits));
	}
}
#endif

static void
add_parts(struct ngrams *s, const struct tn_found_text *t, const struct tn_found_text *before)
{
	size_t least, from = 0, to = t->n;

	if (t->n < TN_NGRAM)
		return;
#ifdef __SSE2__
	if (before && before->n == t->n && t->n >= 16) {
		add_other_parts(s, t->text, before->text, t->n);
		return;
	}
#endif
	if (before) {
		least = before->n < t->n ? before->n : t->n;
		from = same_begin(t->text, before->text, least);
		from = from < TN_NGRAM ? 0 : from - (TN_NGRAM - 1);
		to -= same_end(t->text + t->n, before->text + before->n, least);
	}
	to = to < t->n - (TN_NGRAM - 1) ? to : t->n - (TN_NGRAM - 1);
	for (size_t i = from; i < to; i++)
		put(s, t->text + i);
}

/* The largest number of bits that the texts can set. SIZE_MAX: a text is so long that it would fill the filter. */
static size_t
most_bits(unsigned bits, const struct tn_found_text *text, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		if (text[i].n >> bits)
			return SIZE_MAX;
		most += text[i].n;
	}
	return most;
}

static bool
add_ngrams(struct tn_zone_notes *notes, struct tn_zone_part *v, const struct tn_found_text *text, size_t n)
{
	struct ngrams s = { .bits = v->ngram_bits };
	size_t words = tn_ngram_words(v->ngram_bits), most = most_bits(v->ngram_bits, text, n);

	v->full |= most == SIZE_MAX;
	if (v->full)
		return true;
	if (!v->has_ngrams && (n >= DENSE || v->n_bits + most > LIST)) {
		if (!TN_ARRAY_RESERVE(&notes->lists.words, notes->lists.words.n + words))
			return false;
		v->has_ngrams = true;
		v->first_word = notes->lists.words.n;
		notes->lists.words.n += words;
		memset(notes->lists.words.item + v->first_word, 0, words * sizeof *notes->lists.words.item);
	}
	if (v->has_ngrams)
		s.word = notes->lists.words.item + v->first_word;
	else if (TN_ARRAY_RESERVE(&notes->lists.bits, notes->lists.bits.n + most))
		s.list = notes->lists.bits.item + notes->lists.bits.n;
	else
		return false;
	for (size_t i = 0; i < n; i++)
		add_parts(&s, &text[i], i ? &text[i - 1] : NULL);
	notes->lists.bits.n += s.n;
	v->n_bits += s.n;
	v->beyond |= (s.all & UINT32_C(0x80808080)) != 0;
	return true;
}

static bool
add_hashes(struct tn_zone_notes *notes, struct tn_zone_part *v, const struct tn_found_text *text, size_t n)
{
	uint64_t last = UINT64_MAX;	/* differs from every hash */
	uint32_t *hash;
	size_t kept = 0;

	if (!TN_ARRAY_RESERVE(&notes->lists.hashes, notes->lists.hashes.n + n))
		return false;
	hash = notes->lists.hashes.item + notes->lists.hashes.n;
	for (size_t i = 0; i < n; i++) {
		uint32_t one = tn_text_hash32(text[i].text, text[i].n);

		hash[kept] = one;
		kept += one != last;
		last = one;
	}
	notes->lists.hashes.n += kept;
	v->n_hashes += kept;
	return true;
}

bool
tn_zone_texts(struct tn_zone_notes *notes, struct tn_zone_part *v, const struct tn_found_text *text, size_t n)
{
	return (v->many || add_hashes(notes, v, text, n)) && (!v->ngram_bits || add_ngrams(notes, v, text, n));
}
