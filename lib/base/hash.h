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
 * the table is released. A search takes O(1) even for hostile keys: their author does not know the table's
 * seed. Items are not in order; no displayed result may depend on their order. An item keeps its address only
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
	uint64_t hash;		/* 0: the slot is free */
	union {
		uint64_t bytes;	/* the key itself, if it has up to 8 bytes */
		const void *at;
	} key;
	size_t n;		/* size of the key in bytes */
	union {
		uint64_t value;
		void *pointer;
	};
};

/* A zeroed table is empty and valid. */
struct tn_hash {
	struct tn_hash_item *item;
	size_t n, room;		/* `room`: number of slots, a power of two, or 0 */
	uint64_t seed;
};

/* Find the item of the key; NULL: no such item. */
struct tn_hash_item *tn_hash_find(const struct tn_hash *h, const void *key, size_t n);

/* Find the item of the key, or add one with value 0; NULL: memory is out. @is_new may be NULL. */
struct tn_hash_item *tn_hash_add(struct tn_hash *h, const void *key, size_t n, bool *is_new);

void tn_hash_remove(struct tn_hash *h, struct tn_hash_item *item);	/* @item must be in the table */

void tn_hash_clear(struct tn_hash *h);		/* keeps the allocation */
void tn_hash_release(struct tn_hash *h);

/*
 * The hash of a key with a seed, never 0, for code that computes hashes without the table. The functions below find
 * and add in a table whose keys all have hashes with the same seed. A new item keeps its key as in tn_hash_add().
 */
uint64_t tn_hash_of(uint64_t seed, const void *key, size_t n);
struct tn_hash_item *tn_hash_find_hashed(const struct tn_hash *h, uint64_t hash, const void *key, size_t n);
struct tn_hash_item *tn_hash_add_hashed(struct tn_hash *h, uint64_t hash, const void *key, size_t n, bool *is_new);
/* Replace the key of a new item by @copy, which is borrowed from now on. */
static inline void
tn_hash_copy_key(struct tn_hash_item *item, const void *copy)
{
	if (item->n > sizeof item->key.bytes)
		item->key.at = copy;
}
uint64_t tn_hash_seed(void);	/* never 0 */
/* A second secret number, odd and large: tn_hash_fold(number ^ seed, factor) is the hash of a number. */
static inline uint64_t
tn_hash_factor(void)
{
	return tn_hash_seed() | UINT64_C(1) << 63 | 1;
}

/* Combine both halves of the product of @a and @b, so that each bit of the result depends on all their bits. */
static inline uint64_t
tn_hash_fold(uint64_t a, uint64_t b)
{
	uint64_t high, low = tn_multiply(a, b, &high);

	return low ^ high;
}

/*
 * The only copy of a text of @n bytes, in @arena with a NUL after it. @texts finds existing copies, so equal texts
 * give the same pointer. NULL: memory is out.
 */
const char *tn_hash_text(struct tn_hash *texts, struct tn_arena *arena, const char *text, size_t n);

/* Like tn_hash_find(), with numbers as keys. */
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
 * A checksum of stored bytes; @sum is any start value. It detects damage, but not attacks, because it does not have a
 * secret seed.
 */
uint64_t tn_sum_bytes(uint64_t sum, const void *bytes, size_t n);

#endif
