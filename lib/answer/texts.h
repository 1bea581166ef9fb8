/*
 * texts.h - texts, and how often each was met, in the order in which they were met first
 *
 * As numbers.h, for a piece of the events: cleared it keeps its room, and where most texts are new they are not looked for any
 * more. A text is copied, as the key of a group of it (pack.h).
 */
#ifndef TN_ANSWER_TEXTS_H
#define TN_ANSWER_TEXTS_H

#include "answer/pack.h"
#include "base/hash.h"
#include "query/condition.h"

/* Behind it: the words of the key. */
struct tn_text_met {
	uint32_t count, hash;
};

/* Zeroed is empty. */
struct tn_texts {
	uint64_t *item;		/* words: each text with what is before it, one behind the other */
	size_t n, room;
	size_t met, last;	/* texts; where the last one is that was added */
	uint32_t *slot;		/* `base` and the place of a text, + 1; up to `base`: none, and so all are when that is raised */
	uint32_t base;
	size_t n_slots;		/* a power of two, or 0 */
	uint64_t seed, factor;	/* of hashes: the user's */
	size_t added;		/* since it was empty */
	bool is_raw;		/* not looked for any more */
	bool was_raw;		/* before it was cleared */
};

#define TN_TEXTS_LONG 4096	/* bytes: a longer one is not for this */
#define TN_TEXTS_MANY ((size_t)1 << 19)	/* words: so many are to be taken away and cleared */

bool tn_texts_add(struct tn_texts *texts, const struct tn_found_text *text, size_t n);	/* false: memory is out */
void tn_texts_clear(struct tn_texts *texts);
void tn_texts_release(struct tn_texts *texts);

/* The words of a text as a key. */
static inline size_t
tn_text_words(const uint64_t *key)
{
	return 1 + (size_t)((key[0] >> 8) + 7) / 8;
}

static inline const struct tn_text_met *
tn_text_at(const uint64_t *w)
{
	return (const struct tn_text_met *)(const void *)w;
}

#endif
