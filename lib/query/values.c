#include "query/values.h"

#include <stdlib.h>

#include "query/text_hash.h"

#define CLOSELY 8	/* beside the kind */
#define DEEPLY 16
#define ASCII 32	/* not beyond */
#define FLAGS (CLOSELY | DEEPLY | ASCII)
#define FEWEST_BITS 5

#define ALL_BITS ((size_t)65536)

static bool
add_prints(struct tn_values *v, const uint32_t *print, size_t n)
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
	v->closely = v->deeply = v->many = v->full = v->beyond = false;
	v->spared_prints = v->spared_sieve = false;
	v->least = UINT64_MAX;
	v->greatest = 0;
	v->print.n = 0;
	v->texts.n = 0;
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
	TN_ARRAY_RELEASE(&v->texts);
	TN_ARRAY_RELEASE(&v->sieve);
}

/* ---- bits, as they are kept ---- */

/* Eight bytes at a time, whose sums are put together when there are so many that one could be too large. */
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

/* Their number and a list of those that are set, each as the distance from the one before; or 0, and all of them. */
static bool
put_bits(const uint64_t *word, size_t words, size_t n, struct tn_note_bytes *out)
{
	size_t size = words * sizeof *word, last = 0, begin = out->n, end = begin + size;

	if (!TN_ARRAY_RESERVE(out, end + 1 + 2 * TN_VARINT_SIZE))
		return false;
	if (n < size)	/* each takes a byte at least */
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

/* Into @word, which is zeroed. */
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

/* ---- texts ---- */

/* Three bits by the lower half of a print, in the word that its upper half says. */
static inline uint64_t
add_text(uint64_t word, uint32_t print)
{
	word |= UINT64_C(1) << (print & 63);
	word |= UINT64_C(1) << (print >> 6 & 63);
	return word | UINT64_C(1) << (print >> 12 & 63);
}

static inline size_t
text_word(uint32_t print, size_t words)
{
	return (size_t)((uint64_t)print * words >> 32);
}

static bool
make_texts(struct tn_values *v, size_t words)
{
	if (v->texts.n || !TN_ARRAY_RESERVE(&v->texts, words))
		return words && v->texts.n == words;
	v->texts.n = words;
	memset(v->texts.item, 0, words * sizeof *v->texts.item);
	return true;
}

static void
join_texts(struct tn_values *v, const struct tn_values_part *part)
{
	const uint32_t *print = part->print;
	size_t words = part->text_words, n = part->n;
	uint64_t *word;

	v->many |= part->many || !make_texts(v, words);
	if (v->many)
		return;
	word = v->texts.item;
	for (size_t i = 0; i < n; i++) {
		size_t at = text_word(print[i], words);

		word[at] = add_text(word[at], print[i]);
	}
}

/* Where half of the bits are set, an eighth of all other texts may be there: that is too many. */
static bool
write_texts(struct tn_values *v, struct tn_note_bytes *out)
{
	size_t n = v->many ? 0 : count_bits(v->texts.item, v->texts.n);

	v->many |= n > v->texts.n * 32;
	if (!TN_ARRAY_RESERVE(out, out->n + TN_VARINT_SIZE))
		return false;
	out->n += tn_varint_put(out->item + out->n, v->many ? 0 : v->texts.n);
	return v->many || put_bits(v->texts.item, v->texts.n, n, out);
}

static bool
read_texts(struct tn_values *v, const uint8_t **p, const uint8_t *end)
{
	uint64_t words;

	if (!tn_varint_get(p, end, &words) || words > TN_TEXT_WORDS)
		return false;
	v->many = words == 0;
	return v->many || (make_texts(v, (size_t)words) && get_bits(v->texts.item, v->texts.n, p, end));
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
	v->beyond |= part->beyond;
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
	uint32_t print = tn_text_print(text, n);

	if (!v->many && !v->texts.n)
		return false;
	if (!v->many && add_text(0, print) & ~v->texts.item[text_word(print, v->texts.n)])
		return false;
	return tn_values_may_have_inside(v, text, n);
}

static bool
write_sieve(struct tn_values *v, struct tn_note_bytes *out)
{
	size_t n = v->full ? 0 : count_bits(v->sieve.item, v->sieve.n);

	if (!TN_ARRAY_RESERVE(out, out->n + 1))
		return false;
	v->full |= !v->sieve_bits || n > ((size_t)1 << v->sieve_bits) * 5 / 8;
	out->item[out->n++] = v->full ? 0 : (uint8_t)v->sieve_bits;
	return v->full || put_bits(v->sieve.item, v->sieve.n, n, out);
}

static bool
read_sieve(struct tn_values *v, const uint8_t **p, const uint8_t *end)
{
	unsigned bits;

	if (*p == end)
		return false;
	bits = *(*p)++;
	v->full = bits == 0;
	if (v->full)
		return true;
	return bits >= FEWEST_BITS && bits <= TN_SIEVE_BITS && make_sieve(v, bits) &&
	       get_bits(v->sieve.item, v->sieve.n, p, end);
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
	if (v->kind == TN_VALUES_TEXT) {
		join_texts(v, part);
		join_sieve(v, part);
		return;
	}
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
	out->n += tn_varint_put(out->item + out->n, v->least);
	out->n += tn_varint_put(out->item + out->n, v->greatest - v->least);
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
	out->item[out->n++] = (uint8_t)((unsigned)v->kind | (v->closely ? CLOSELY : 0) | (v->deeply ? DEEPLY : 0) |
					    (v->deeply && !v->beyond ? ASCII : 0));
	if (v->kind == TN_VALUES_NONE || v->kind == TN_VALUES_MIXED)
		return true;
	if (v->kind != TN_VALUES_TEXT)
		return write_prints(v, most, out);
	return write_texts(v, out) && (!v->deeply || write_sieve(v, out));
}

static bool
read_prints(struct tn_values *v, const uint8_t **p, const uint8_t *end)
{
	uint64_t span, prints, gap, at = 0;

	if (!tn_varint_get(p, end, &v->least) || !tn_varint_get(p, end, &span) || span > UINT64_MAX - v->least)
		return false;
	v->greatest = v->least + span;
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
	if (p == end || (*p & ~FLAGS) > TN_VALUES_MIXED)
		return false;
	v->closely = *p & CLOSELY;
	v->deeply = *p & DEEPLY;
	v->beyond = !(*p & ASCII);
	v->kind = (enum tn_values_kind)(*p++ & ~FLAGS);
	if (v->kind == TN_VALUES_NONE || v->kind == TN_VALUES_MIXED)
		return p == end;
	if (v->kind != TN_VALUES_TEXT)
		return read_prints(v, &p, end) && p == end;
	return read_texts(v, &p, end) && (!v->deeply || read_sieve(v, &p, end)) && p == end;
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
