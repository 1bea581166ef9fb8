#include "group/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

#define FIRST_SLOTS 1024
#define MOST_KEPT 16384		/* limit of slots that a cleared table keeps */
#define TRIED 1024		/* numbers added before the list checks whether searching pays off */
#define TRIED_AGAIN 128		/* the same after searching did not pay off */

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
		size_t at = t->item[i].hash & (n - 1);

		while (slot[at])
			at = (at + 1) & (n - 1);
		slot[at] = (uint32_t)i + 1;
	}
	return true;
}

static void
add_raw(struct tn_numbers *t, const uint64_t *u, size_t n)
{
	struct tn_number_met *item = t->item + t->n;
	uint64_t seed = t->seed, factor = t->factor;

	for (size_t i = 0; i < n; i++)
		item[i] = (struct tn_number_met) { u[i], 1, tn_number_hash(seed, factor, u[i]) };
	t->n += n;
}

static void
add_some(struct tn_numbers *t, const uint64_t *u, size_t n)
{
	struct tn_number_met *item = t->item, *last = NULL;
	uint32_t *slot = t->slot, base = t->base, hash;
	size_t mask = t->n_slots - 1, at, items = t->n;

	for (size_t i = 0; i < n; i++) {
		/* A number often equals the one before it. */
		if (i && u[i] == u[i - 1]) {
			last->count++;
			continue;
		}
		hash = tn_number_hash(t->seed, t->factor, u[i]);
		at = hash & mask;
		while (slot[at] > base && item[slot[at] - base - 1].u != u[i])
			at = (at + 1) & mask;
		if (slot[at] > base) {
			last = &item[slot[at] - base - 1];
			last->count++;
			continue;
		}
		last = &item[items++];
		*last = (struct tn_number_met) { u[i], 1, hash };
		slot[at] = base + (uint32_t)items;
	}
	t->n = items;
}

/* Whether most numbers are new, so that a search costs more than it saves. */
static inline bool
is_hopeless(const struct tn_numbers *t)
{
	return t->added >= (t->was_raw ? TRIED_AGAIN : TRIED) && t->n > t->added / 4 * 3;
}

bool
tn_numbers_add(struct tn_numbers *t, const uint64_t *u, size_t n)
{
	if (!TN_ARRAY_RESERVE(t, t->n + n))
		return false;
	for (size_t here; n && !t->is_raw; u += here, n -= here) {
		here = n < TRIED_AGAIN ? n : TRIED_AGAIN;
		while (t->n + here > t->n_slots / 2)
			if (!grow(t))
				return false;
		add_some(t, u, here);
		t->added += here;
		t->is_raw = is_hopeless(t);
	}
	add_raw(t, u, n);
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
	t->was_raw = t->is_raw;
	t->is_raw = false;
}

void
tn_numbers_release(struct tn_numbers *t)
{
	free(t->item);
	free(t->slot);
	*t = (struct tn_numbers) { 0 };
}
