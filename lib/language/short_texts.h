/*
 * short_texts.h - numbers for short texts
 *
 * Equal numbers mean equal texts. A text may have several numbers: a few texts are known at a time, and one that was
 * replaced gets a new number.
 */
#ifndef TN_LANGUAGE_SHORT_TEXTS_H
#define TN_LANGUAGE_SHORT_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"

#define TN_SHORT_TEXT 16	/* bytes, at most */
#define TN_SHORT_TEXTS 64	/* a power of two */

/* Zeroed is empty. */
struct tn_short_texts {
	struct {
		uint64_t low, high;	/* its bytes, filled up with zeros, which a text does not have */
		uint64_t number;	/* 0: unused */
	} text[TN_SHORT_TEXTS];
	uint64_t last;			/* number */
};

/* The number of a text of @n bytes. TN_SHORT_TEXT bytes at @text can be loaded. */
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
