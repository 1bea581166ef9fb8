/*
 * numbers.h - numbers and their counts, in the order of their first occurrence
 *
 * A list serves one thread and one piece of the events. Clearing keeps the allocation. If most numbers are new, the list
 * stops searching for them, and may then contain a number several times; the caller must add up its counts.
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

/* A zeroed list is empty. */
struct tn_numbers {
	struct tn_number_met *item;
	size_t n, room;
	/*
	 * `base` plus the number of an item plus 1. Values up to `base` mean that the slot is free, so raising `base`
	 * frees all slots.
	 */
	uint32_t *slot;
	uint32_t base;
	size_t n_slots;		/* a power of two, or 0 */
	uint64_t seed, factor;	/* for hashes: set by the user; otherwise the list makes its own */
	size_t added;		/* numbers added since the list was empty */
	bool is_raw;		/* the list no longer searches for numbers */
	bool was_raw;		/* is_raw before the list was cleared */
};

/* The hash of base/hash.h in 32 bits; it does not depend on the sign of the number. */
static inline uint32_t
tn_number_hash(uint64_t seed, uint64_t factor, uint64_t u)
{
	uint64_t hash = tn_hash_fold(u ^ seed, factor);

	return (uint32_t)(hash ^ hash >> 32);
}

/* The hash of the words of a key (pack.h). For a key of one number it equals tn_number_hash(). */
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
