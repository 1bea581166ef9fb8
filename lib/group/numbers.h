/*
 * numbers.h - numbers, and how often each was met, in the order in which they were met first
 *
 * Of one thread, for a piece of the events: cleared it keeps its room. Where most numbers are new they are not looked for any
 * more, and one may stand there several times: who adds the counts up does not mind.
 */
#ifndef TN_GROUP_NUMBERS_H
#define TN_GROUP_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct tn_number_met {
	uint64_t u;
	uint32_t count, hash;
};

/* Zeroed is empty. */
struct tn_numbers {
	struct tn_number_met *item;
	size_t n, room;
	uint32_t *slot;		/* `base` and the number of an item, + 1; up to `base`: none, and so all are when that is raised */
	uint32_t base;
	size_t n_slots;		/* a power of two, or 0 */
	uint64_t seed, factor;	/* of hashes: the user's; else its own */
	size_t added;		/* numbers, since it was empty */
	bool is_raw;		/* not looked for any more */
	bool was_raw;		/* before it was cleared */
};

/* Half of that of base/hash.h; whether a number has a sign is not in it. */
static inline uint32_t
tn_number_hash(uint64_t seed, uint64_t factor, uint64_t u)
{
	uint64_t hash = tn_hash_fold(u ^ seed, factor);

	return (uint32_t)(hash ^ hash >> 32);
}

/* Of the words of a key (pack.h): of one number's it is that of the number. */
static inline uint32_t
tn_key_hash(uint64_t seed, uint64_t factor, const uint64_t *key, size_t n)
{
	uint64_t hash = seed;
	size_t i = 0;

	if (n == 2)
		return tn_number_hash(seed, factor, key[1]);
	for (; i + 1 < n; i += 2)
		hash = tn_hash_fold(hash ^ key[i], factor ^ key[i + 1]);
	if (i < n)
		hash = tn_hash_fold(hash ^ key[i], factor);
	return (uint32_t)(hash ^ hash >> 32);
}

bool tn_numbers_add(struct tn_numbers *numbers, const uint64_t *u, size_t n);	/* false: memory is out */
void tn_numbers_clear(struct tn_numbers *numbers);
void tn_numbers_release(struct tn_numbers *numbers);

#endif
