#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define FIRST_ROOM 16
#define MOST_FAST 4096		/* a table with fewer items becomes four times as large */
#define ODD_1 UINT64_C(0x9e3779b97f4a7c15)
#define ODD_2 UINT64_C(0xd6e8feb86659fd93)

static uint64_t
short_key(const void *key, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, key, n);
	return word;
}

uint64_t
tn_hash_of(uint64_t seed, const void *key, size_t n)
{
	const uint8_t *p = key;
	uint64_t sum = seed ^ tn_hash_fold(n + ODD_1, ODD_2);
	size_t left = n;

	for (; left > 8; left -= 8, p += 8)
		sum = tn_hash_fold(sum ^ short_key(p, 8), seed ^ ODD_1);
	if (left == 8)
		sum = tn_hash_fold(sum ^ short_key(p, 8), seed ^ ODD_2);
	else if (left)
		sum = tn_hash_fold(sum ^ short_key(p, left), seed ^ ODD_2);
	sum = tn_hash_fold(sum ^ ODD_1, ODD_2);
	return sum ? sum : 1;
}

static bool
is_key(const struct tn_hash_item *item, uint64_t hash, const void *key, size_t n)
{
	if (item->hash != hash || item->n != n)
		return false;
	return n <= 8 ? !n || item->key.bytes == short_key(key, n) : memcmp(item->key.at, key, n) == 0;
}

/* The slot of the key, or a free slot for it. At least one slot is always free. */
static inline struct tn_hash_item *
look_up(const struct tn_hash *h, uint64_t hash, const void *key, size_t n)
{
	size_t i = hash & (h->room - 1);

	while (h->item[i].hash && !is_key(&h->item[i], hash, key, n))
		i = (i + 1) & (h->room - 1);
	return &h->item[i];
}

uint64_t
tn_hash_seed(void)
{
	struct timespec now;
	uint64_t seed;

	if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed)
		return seed | 1;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return tn_hash_fold((uint64_t)now.tv_nsec ^ ODD_1, (uint64_t)(uintptr_t)&now ^ ODD_2) | 1;
}

static bool
grow(struct tn_hash *h)
{
	size_t room = !h->room ? FIRST_ROOM : h->room < MOST_FAST ? 4 * h->room : 2 * h->room;
	struct tn_hash more = { .n = h->n, .room = room, .seed = h->seed };

	if (more.room > SIZE_MAX / sizeof *more.item / 2)
		return false;
	more.item = calloc(more.room, sizeof *more.item);
	if (!more.item)
		return false;
	for (size_t i = 0; i < h->room; i++) {
		size_t k = h->item[i].hash & (more.room - 1);

		if (!h->item[i].hash)
			continue;
		while (more.item[k].hash)
			k = (k + 1) & (more.room - 1);
		more.item[k] = h->item[i];
	}
	free(h->item);
	*h = more;
	return true;
}

struct tn_hash_item *
tn_hash_find_hashed(const struct tn_hash *h, uint64_t hash, const void *key, size_t n)
{
	struct tn_hash_item *item;

	if (!h->n)
		return NULL;
	item = look_up(h, hash, key, n);
	return item->hash ? item : NULL;
}

struct tn_hash_item *
tn_hash_find(const struct tn_hash *h, const void *key, size_t n)
{
	return h->n ? tn_hash_find_hashed(h, tn_hash_of(h->seed, key, n), key, n) : NULL;
}

struct tn_hash_item *
tn_hash_add_hashed(struct tn_hash *h, uint64_t hash, const void *key, size_t n, bool *is_new)
{
	struct tn_hash_item *item;

	if (h->n >= h->room / 2 && !grow(h))
		return NULL;
	item = look_up(h, hash, key, n);
	if (is_new)
		*is_new = !item->hash;
	if (!item->hash) {
		*item = (struct tn_hash_item) { .hash = hash, .n = n };
		if (n > 8)
			item->key.at = key;
		else if (n)
			item->key.bytes = short_key(key, n);
		h->n++;
	}
	return item;
}

struct tn_hash_item *
tn_hash_add(struct tn_hash *h, const void *key, size_t n, bool *is_new)
{
	if (!h->seed)
		h->seed = tn_hash_seed();
	return tn_hash_add_hashed(h, tn_hash_of(h->seed, key, n), key, n, is_new);
}

void
tn_hash_remove(struct tn_hash *h, struct tn_hash_item *item)
{
	size_t free_at = (size_t)(item - h->item), mask = h->room - 1;

	/* If a search would not find a later item because of the gap, move the item into the gap. */
	for (size_t i = (free_at + 1) & mask; h->item[i].hash; i = (i + 1) & mask) {
		size_t home = h->item[i].hash & mask;

		if (((i - home) & mask) >= ((i - free_at) & mask)) {
			h->item[free_at] = h->item[i];
			free_at = i;
		}
	}
	h->item[free_at] = (struct tn_hash_item) { 0 };
	h->n--;
}

void
tn_hash_clear(struct tn_hash *h)
{
	if (h->room)
		memset(h->item, 0, h->room * sizeof *h->item);
	h->n = 0;
}

void
tn_hash_release(struct tn_hash *h)
{
	free(h->item);
	*h = (struct tn_hash) { 0 };
}

const char *
tn_hash_text(struct tn_hash *texts, struct tn_arena *arena, const char *text, size_t n)
{
	struct tn_hash_item *item = tn_hash_find(texts, text, n);
	char *copy;

	if (item)
		return item->pointer;
	copy = tn_arena_copy(arena, text, n);
	item = copy ? tn_hash_add(texts, copy, n, NULL) : NULL;
	if (!item)
		return NULL;
	item->pointer = copy;
	return copy;
}

uint64_t
tn_sum_bytes(uint64_t sum, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	for (; n >= 8; n -= 8, p += 8) {
		sum = (sum ^ short_key(p, 8)) * ODD_2;
		sum ^= sum >> 32;
	}
	for (; n; n--, p++) {
		sum = (sum ^ *p) * ODD_2;
		sum ^= sum >> 32;
	}
	return sum;
}
