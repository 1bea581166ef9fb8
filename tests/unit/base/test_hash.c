#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

#define MANY 20000

/* Keys of every length around the 8 bytes that are kept, among them some that begin alike and end in NUL. */
static size_t
make_key(char *key, size_t i)
{
	size_t n = i % 23;

	memset(key, 0, 24);
	snprintf(key, 24, "%zu", i);
	return n < strlen(key) ? strlen(key) : n;
}

Test(hash, what_was_added_is_found)
{
	static char key[MANY][24];
	struct tn_hash h = { 0 };
	bool is_new;

	cr_assert_null(tn_hash_find(&h, "a", 1));
	for (size_t i = 0; i < MANY; i++) {
		struct tn_hash_item *item = tn_hash_add(&h, key[i], make_key(key[i], i), &is_new);

		cr_assert(item && is_new && item->value == 0, "key %zu", i);
		item->value = i;
	}
	cr_assert_eq(h.n, MANY);
	for (size_t i = 0; i < MANY; i++) {
		char copy[24];
		size_t n = make_key(copy, i);
		struct tn_hash_item *item = tn_hash_add(&h, copy, n, &is_new);

		cr_assert(item && !is_new && item->value == i, "key %zu", i);
		cr_assert_eq(tn_hash_find(&h, copy, n), item, "key %zu", i);
	}
	cr_assert_null(tn_hash_find(&h, "x", 1));
	tn_hash_clear(&h);
	cr_assert(h.n == 0 && !tn_hash_find(&h, "0", 1));
	tn_hash_release(&h);
}

Test(hash, keys_of_different_lengths_differ)
{
	static const char zeros[32];
	struct tn_hash h = { 0 };

	for (size_t n = 0; n <= sizeof zeros; n++) {
		bool is_new;
		struct tn_hash_item *item = tn_hash_add(&h, n ? zeros : NULL, n, &is_new);

		cr_assert(item && is_new, "%zu zeros", n);
		item->value = n + 1;
	}
	for (size_t n = 0; n <= sizeof zeros; n++)
		cr_assert_eq(tn_hash_find(&h, zeros, n)->value, n + 1, "%zu zeros", n);
	tn_hash_release(&h);
}

/* Whatever is removed in whatever order, the rest is found. */
Test(hash, what_was_removed_is_not_found_and_the_rest_is)
{
	enum { N = 1000 };
	static bool gone[N];
	struct tn_hash h = { 0 };
	uint32_t random = 1;

	for (uint64_t i = 0; i < N; i++)
		tn_hash_add_u64(&h, i, NULL)->value = i;
	for (size_t turn = 0; turn < 5000; turn++) {
		uint64_t i = (random = random * 1664525 + 1013904223) >> 8;

		i %= N;
		if (gone[i])
			tn_hash_add_u64(&h, i, NULL)->value = i;
		else
			tn_hash_remove(&h, tn_hash_find_u64(&h, i));
		gone[i] = !gone[i];
		if (turn % 50 == 0)
			for (uint64_t k = 0; k < N; k++) {
				struct tn_hash_item *item = tn_hash_find_u64(&h, k);

				cr_assert_eq(item == NULL, gone[k], "turn %zu: %d", turn, (int)k);
				cr_assert(!item || item->value == k, "turn %zu: %d", turn, (int)k);
			}
	}
	tn_hash_release(&h);
}

/* A table finds keys that another thread hashed under its seed. */
Test(hash, hashed_before)
{
	static const uint64_t key[] = { 1, 2, 3 };
	struct tn_hash h = { 0 };
	uint64_t seed = tn_hash_seed();
	bool is_new;

	for (size_t n = 0; n <= sizeof key; n++)
		cr_assert(tn_hash_add_hashed(&h, tn_hash_of(seed, key, n), key, n, &is_new) && is_new, "%zu bytes", n);
	for (size_t n = 0; n <= sizeof key; n++) {
		cr_assert_eq(tn_hash_find_hashed(&h, tn_hash_of(seed, key, n), key, n)->n, n);
		cr_assert(tn_hash_of(seed, key, n) != tn_hash_of(seed + 1, key, n) && tn_hash_of(seed, key, n));
	}
	tn_hash_release(&h);
}

/* The same whether bytes come at once or in parts of whole words. */
Test(hash, sums)
{
	static const char text[] = "sixteen bytes...and some";

	cr_assert_eq(tn_sum_bytes(tn_sum_bytes(7, text, 16), text + 16, 5), tn_sum_bytes(7, text, 21));
	cr_assert_eq(tn_sum_bytes(7, text, 0), 7);
	for (size_t n = 1; n < sizeof text; n++)
		cr_assert(tn_sum_bytes(7, text, n) != tn_sum_bytes(7, text, n - 1), "%zu bytes", n);
}
