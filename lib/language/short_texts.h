/*
 * short_texts.h - numbers for short texts
 *
 * Equal numbers mean equal texts. A text may have several numbers: only a few texts are stored at a time, and a text that
 * was replaced gets a new number.
 */
#ifndef TN_LANGUAGE_SHORT_TEXTS_H
#define TN_LANGUAGE_SHORT_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"

#define TN_SHORT_TEXT 16	/* limit of bytes of a text */
#define TN_SHORT_TEXTS 64	/* number of stored texts; a power of two */

/* A zeroed structure is empty. */
struct tn_short_texts {
	struct {
		uint64_t low, high;	/* bytes of the text, filled up with zeros; a text does not contain zeros */
		uint64_t number;	/* 0: the entry is unused */
	} text[TN_SHORT_TEXTS];
	uint64_t last;			/* the last number given to a text */
};

/* The number of a text of @n bytes. TN_SHORT_TEXT bytes at @text must be readable. */
static inline uint64_t
tn_short_text(struct tn_short_texts *texts, const char *text, size_t n)
{
	uint64_t low = tn_load64((const uint8_t *)text), high = tn_load64((const uint8_t *)text + 8), mixed;
	size_t i;

	if (n < 8)
		low &= (UINT64_C(1) << 8 * n) - 1;
	if (n < TN_SHORT_TEXT)
		high &= n > 8 ? (UINT64_C(1) << 8 * (n - 8)) - 1 : 0;
	mixed = (low ^ high * 31) * UINT64_C(0x9e3779b97f4a7c15);
	i = (size_t)(mixed >> 32) % TN_SHORT_TEXTS;
	if (texts->text[i].low != low || texts->text[i].high != high || !texts->text[i].number) {
		texts->text[i].low = low;
		texts->text[i].high = high;
		texts->text[i].number = ++texts->last;
	}
	return texts->text[i].number;
}

#endif
