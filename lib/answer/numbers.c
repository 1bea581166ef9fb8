#include "answer/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

#define FIRST_SLOTS 1024
#define MOST_KEPT 16384		/* slots of a table that is cleared */
#define TRIED 1024		/* numbers, after which it shows whether looking for them helps */

static inline size_t
home_of(const struct tn_numbers *t, uint64_t u)
{
	return (size_t)tn_hash_fold(u ^ t->seed, t->factor) & (t->n_slots - 1);
}

static bool
grow(struct tn_numbers *t)
{
	size_t n = t->n_slots ? 4 * t->n_slots : FIRST_SLOTS;
	uint32_t *slot = n > UINT32_MAX ? NULL : calloc(n, sizeof *slot);

	if (!slot)
		return false;
	if (!t->seed) {
		t->seed = tn_hash_seed();
		t->factor = tn_hash_factor();
	}
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	t->base = 0;
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
	struct tn_number_met *last = NULL;
	uint32_t base;

	t->is_raw = t->is_raw || (t->added >= TRIED && t->n > t->added / 4 * 3);
	t->added += n;
	if (t->is_raw)
		return add_raw(t, u, n);
	while (t->n + n > t->n_slots / 2)
		if (!grow(t))
			return false;
	if (!TN_ARRAY_RESERVE(t, t->n + n))
		return false;
	base = t->base;
	for (size_t i = 0; i < n; i++) {
		size_t at;

		/* Often it is the one before. */
		if (i && u[i] == u[i - 1]) {
			last->count++;
			continue;
		}
		at = home_of(t, u[i]);
		while (t->slot[at] > base && t->item[t->slot[at] - base - 1].u != u[i])
			at = (at + 1) & (t->n_slots - 1);
		if (t->slot[at] > base) {
			last = &t->item[t->slot[at] - base - 1];
			last->count++;
			continue;
		}
		last = &t->item[t->n++];
		*last = (struct tn_number_met) { u[i], 1 };
		t->slot[at] = base + (uint32_t)t->n;
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
	} else if (t->n > UINT32_MAX / 2 - t->base) {
		memset(t->slot, 0, t->n_slots * sizeof *t->slot);
		t->base = 0;
	} else {
		t->base += (uint32_t)t->n;
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
