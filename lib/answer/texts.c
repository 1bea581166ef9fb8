#include "answer/texts.h"

#include <stdlib.h>
#include <string.h>

#include "answer/numbers.h"
#include "base/bits.h"

#define FIRST_SLOTS 1024
#define MOST_KEPT 16384		/* slots of a table that is cleared */
#define TRIED 1024		/* texts, after which it shows whether looking for them helps */
#define TRIED_AGAIN 128		/* where it did not the time before */

/* Up to eight bytes, the first one lowest, in the order of this machine's numbers. */
static inline uint64_t
few_bytes(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

/* The words of a key (pack.h), in which bytes lie as in the text, with zeros behind them. Nothing beside the text is read. */
static inline size_t
pack(uint64_t *w, const struct tn_found_text *text)
{
	const uint8_t *p = (const uint8_t *)text->text;
	size_t n = text->n, words = (n + 7) / 8;
	uint64_t last;

	w[0] = (uint64_t)TN_ANSWER_TEXT | (uint64_t)n << 8;
	if (!words)
		return 1;
	for (size_t i = 1; i < words; i++)
		memcpy(w + i, p + 8 * (i - 1), 8);
	last = n >= 8 ? tn_load64(p + n - 8) >> (-n & 7) * 8 : few_bytes(p, n);
	w[words] = tn_load64((const uint8_t *)&last);
	return words + 1;
}

static inline bool
is_same(const uint64_t *a, const uint64_t *b, size_t words)
{
	/* What differs is mostly at the end. */
	for (size_t i = words; i-- > 0;)
		if (a[i] != b[i])
			return false;
	return true;
}

static bool
grow(struct tn_texts *t)
{
	size_t n = t->n_slots ? 4 * t->n_slots : FIRST_SLOTS;
	uint32_t *slot = calloc(n, sizeof *slot);

	if (!slot)
		return false;
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	t->base = 0;
	for (size_t w = 0; w < t->n; w += 1 + tn_text_words(t->item + w + 1)) {
		size_t at = tn_text_at(t->item + w)->hash & (n - 1);

		while (slot[at])
			at = (at + 1) & (n - 1);
		slot[at] = (uint32_t)w + 1;
	}
	return true;
}

/* Where the text is that was packed behind all others: there, or where it was met before. */
static inline size_t
look_up(struct tn_texts *t, size_t words, uint32_t hash)
{
	const uint64_t *key = t->item + t->n + 1;
	size_t mask = t->n_slots - 1, at = hash & mask;

	for (; t->slot[at] > t->base; at = (at + 1) & mask) {
		size_t w = t->slot[at] - t->base - 1;

		if (tn_text_at(t->item + w)->hash == hash && is_same(t->item + w + 1, key, words))
			return w;
	}
	t->slot[at] = t->base + (uint32_t)t->n + 1;
	return t->n;
}

static bool
add(struct tn_texts *t, const struct tn_found_text *text, size_t n, bool is_raw)
{
	for (const struct tn_found_text *end = text + n; text < end; text++) {
		struct tn_text_met *met;
		uint64_t *w;
		uint32_t hash;
		size_t words;

		if (t->room - t->n < 2 + (text->n + 7) / 8 && !TN_ARRAY_RESERVE(t, t->n + 2 + (text->n + 7) / 8))
			return false;
		w = t->item + t->n;
		words = pack(w + 1, text);
		met = (struct tn_text_met *)(void *)(t->item + t->last);
		/* Often it is the one before. */
		if (t->met && w[1] == t->item[t->last + 1] && is_same(w + 1, t->item + t->last + 1, words)) {
			met->count++;
			continue;
		}
		hash = tn_key_hash(t->seed, t->factor, w + 1, words);
		t->last = is_raw ? t->n : look_up(t, words, hash);
		met = (struct tn_text_met *)(void *)(t->item + t->last);
		if (t->last < t->n) {
			met->count++;
			continue;
		}
		*met = (struct tn_text_met) { 1, hash };
		t->n += 1 + words;
		t->met++;
	}
	return true;
}

/* Most of them are new: to look for them costs more than it saves. */
static inline bool
is_hopeless(const struct tn_texts *t)
{
	return t->added >= (t->was_raw ? TRIED_AGAIN : TRIED) && t->met > t->added / 4 * 3;
}

bool
tn_texts_add(struct tn_texts *t, const struct tn_found_text *text, size_t n)
{
	for (size_t here; n && !t->is_raw; text += here, n -= here) {
		here = n < TRIED_AGAIN ? n : TRIED_AGAIN;
		while (t->met + here > t->n_slots / 2)
			if (!grow(t))
				return false;
		if (!add(t, text, here, false))
			return false;
		t->added += here;
		t->is_raw = is_hopeless(t);
	}
	return add(t, text, n, true);
}

void
tn_texts_clear(struct tn_texts *t)
{
	if (t->n_slots > MOST_KEPT) {
		free(t->slot);
		t->slot = NULL;
		t->n_slots = 0;
	} else if (t->n_slots && t->n > UINT32_MAX / 2 - t->base) {
		memset(t->slot, 0, t->n_slots * sizeof *t->slot);
		t->base = 0;
	} else {
		t->base += (uint32_t)t->n;
	}
	t->n = t->met = t->last = t->added = 0;
	t->was_raw = t->is_raw;
	t->is_raw = false;
}

void
tn_texts_release(struct tn_texts *t)
{
	free(t->item);
	free(t->slot);
	*t = (struct tn_texts) { 0 };
}
