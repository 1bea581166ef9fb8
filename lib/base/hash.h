/*
 * hash.h - a table from keys of any bytes to numbers
 *
 *	struct tn_hash ids = { 0 };
 *	struct tn_hash_item *item = tn_hash_add(&ids, name, strlen(name), &is_new);	// NULL when memory is out
 *	if (is_new)
 *		item->value = list.n;
 *	...
 *	tn_hash_release(&ids);
 *
 * Keys of up to 8 bytes (numbers) are kept in the table; longer ones are borrowed until they are removed or
 * the table is released. Items are found in O(1) whatever the keys: who writes them does not know the
 * table's seed. There is no order; nothing that is shown may depend on one. An item stays where it is only
 * until the next one is added or removed.
 */
#ifndef TN_BASE_HASH_H
#define TN_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/wide.h"

struct tn_hash_item {
	uint64_t hash;		/* 0: no item */
	union {
		uint64_t bytes;	/* keys of up to 8 */
		const void *at;
	} key;
	size_t n;		/* bytes of the key */
	union {
		uint64_t value;
		void *pointer;
	};
};

/* Zeroed is empty and valid. */
struct tn_hash {
	struct tn_hash_item *item;
	size_t n, room;		/* room: a power of two, or 0 */
	uint64_t seed;
};

/* The item of the key; NULL: there is none. */
struct tn_hash_item *tn_hash_find(const struct tn_hash *h, const void *key, size_t n);

/* The item of the key, made (value 0) when there was none; NULL when memory is out. @is_new may be NULL. */
struct tn_hash_item *tn_hash_add(struct tn_hash *h, const void *key, size_t n, bool *is_new);

void tn_hash_remove(struct tn_hash *h, struct tn_hash_item *item);	/* one that was found */

void tn_hash_clear(struct tn_hash *h);		/* keeps the room */
void tn_hash_release(struct tn_hash *h);

/*
 * The hash of a key under a seed (never 0), for who needs it where the table is not: it finds and adds in a table whose keys
 * were all hashed under that seed. A new item's key is kept as tn_hash_add() keeps it.
 */
uint64_t tn_hash_of(uint64_t seed, const void *key, size_t n);
struct tn_hash_item *tn_hash_find_hashed(const struct tn_hash *h, uint64_t hash, const void *key, size_t n);
struct tn_hash_item *tn_hash_add_hashed(struct tn_hash *h, uint64_t hash, const void *key, size_t n, bool *is_new);
/* From here on the key of an item that is new is borrowed from a copy. */
static inline void
tn_hash_copy_key(struct tn_hash_item *item, const void *copy)
{
	if (item->n > sizeof item->key.bytes)
		item->key.at = copy;
}
uint64_t tn_hash_seed(void);	/* never 0 */
/* Another secret: tn_hash_fold(number ^ seed, factor) is the hash of a number. Odd and large. */
static inline uint64_t
tn_hash_factor(void)
{
	return tn_hash_seed() | UINT64_C(1) << 63 | 1;
}

/* Both halves of a product: each bit of the result depends on all bits of both. */
static inline uint64_t
tn_hash_fold(uint64_t a, uint64_t b)
{
	uint64_t high, low = tn_multiply(a, b, &high);

	return low ^ high;
}

/*
 * The one copy of a text of @n bytes, which @arena keeps with a NUL behind it: @texts has those that there are. NULL: memory is
 * out. Equal texts are the same pointer.
 */
const char *tn_hash_text(struct tn_hash *texts, struct tn_arena *arena, const char *text, size_t n);

/* The same with numbers for keys. */
static inline struct tn_hash_item *
tn_hash_find_u64(const struct tn_hash *h, uint64_t key)
{
	return tn_hash_find(h, &key, sizeof key);
}

static inline struct tn_hash_item *
tn_hash_add_u64(struct tn_hash *h, uint64_t key, bool *is_new)
{
	return tn_hash_add(h, &key, sizeof key, is_new);
}

/*
 * A sum over bytes that are stored, begun with any number: it tells what was damaged. There is no seed: it is no defence
 * against who writes bytes to a given sum.
 */
uint64_t tn_sum_bytes(uint64_t sum, const void *bytes, size_t n);

#endif
