#include "answer/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

#define FIRST_SLOTS 1024
#define MOST_KEPT 16384		/* slots of a table that is cleared */
#define TRIED 1024		/* numbers, after which it shows whether looking for them helps */
#define ODD UINT64_C(0xd6e8feb86659fd93)

static inline size_t
home_of(const struct tn_numbers *t, uint64_t u)
{
	return (size_t)tn_hash_fold(tn_hash_fold(u ^ t->seed, ODD), t->seed | 1) & (t->n_slots - 1);
}

static bool
grow(struct tn_numbers *t)
{
	size_t n = t->n_slots ? 4 * t->n_slots : FIRST_SLOTS;
	uint32_t *slot = n > UINT32_MAX ? NULL : calloc(n, sizeof *slot);

	if (!slot)
		return false;
	if (!t->seed)
		t->seed = tn_hash_seed();
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	for (size_t i = 0; i < t->n; i++) {
		size_t at = home_of(t, t->item[i].u);

		while (slot[at])
			at = (at + 1) & (n - 1);
		slot[at] = (uint32_t)i + 1;
	}
	return true;
}

static bool
add_raw(struct tn_numbers *t, const uint64_t *u, size_t n)
{
	if (!TN_ARRAY_RESERVE(t, t->n + n))
		return false;
	for (size_t i = 0; i < n; i++)
		t->item[t->n++] = (struct tn_number_met) { u[i], 1 };
	return true;
}

bool
tn_numbers_add(struct tn_numbers *t, const uint64_t *u, size_t n)
{
	t->is_raw = t->is_raw || (t->added >= TRIED && t->n > t->added / 4 * 3);
	t->added += n;
	if (t->is_raw)
		return add_raw(t, u, n);
	while (t->n + n > t->n_slots / 2)
		if (!grow(t))
			return false;
	if (!TN_ARRAY_RESERVE(t, t->n + n))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t at = home_of(t, u[i]);

		while (t->slot[at] && t->item[t->slot[at] - 1].u != u[i])
			at = (at + 1) & (t->n_slots - 1);
		if (t->slot[at]) {
			t->item[t->slot[at] - 1].count++;
			continue;
		}
		t->item[t->n++] = (struct tn_number_met) { u[i], 1 };
		t->slot[at] = (uint32_t)t->n;
	}
	return true;
}

void
tn_numbers_clear(struct tn_numbers *t)
{
	if (t->n_slots > MOST_KEPT) {
		free(t->slot);
		t->slot = NULL;
		t->n_slots = 0;
	} else if (t->n) {
		memset(t->slot, 0, t->n_slots * sizeof *t->slot);
	}
	t->n = t->added = 0;
	t->is_raw = false;
}

void
tn_numbers_release(struct tn_numbers *t)
{
	free(t->item);
	free(t->slot);
	*t = (struct tn_numbers) { 0 };
}
