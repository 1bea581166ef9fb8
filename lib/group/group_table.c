#include "group/group_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "language/condition.h"

#define CHUNK_SHIFT 15		/* a chunk has 1 << CHUNK_SHIFT words: 256 KiB */
#define CHUNK_WORDS ((size_t)1 << CHUNK_SHIFT)
#define MOST_KEPT 4096		/* limit of slots that a cleared table keeps */
#define FIRST_SLOTS 64
#define MOST_LONG ((size_t)64 << 20)	/* a table without a limit accepts a key longer than a chunk up to this size */
#define MOST_FAST (1 << 19)	/* a table with fewer slots becomes four times as large */

/* ---- layout of states ---- */

static bool
share(const struct tn_aggregate *a, const struct tn_aggregate *b)
{
	return a->argument == b->argument && a->type->state == b->type->state;
}

void
tn_group_table_lay_out(struct tn_group_table_plan *plan, struct tn_aggregate *aggregate)
{
	plan->state_size = 0;
	plan->seed = tn_hash_seed();
	plan->factor = tn_hash_factor();
	plan->needs_place = plan->needs_time = false;
	for (size_t i = 0; i < plan->n_aggregates; i++) {
		struct tn_aggregate *a = &aggregate[i];
		size_t k = 0;

		plan->needs_place |= a->type->needs_place;
		plan->needs_time |= a->type->needs_time;
		a->works = false;
		a->state = 0;
		if (!a->type->state)
			continue;
		plan->grows |= a->type->state->bytes != NULL;
		while (k < i && !share(&aggregate[k], a))
			k++;
		a->works = k == i;
		if (!a->works) {
			a->state = aggregate[k].state;
			continue;
		}
		/* The widest number has 16 bytes. */
		a->state = plan->state_size;
		plan->state_size += (a->type->state->size + 15) & ~(size_t)15;
	}
	plan->aggregate = aggregate;
}

/* ---- groups ---- */

void
tn_group_table_init(struct tn_group_table *t, const struct tn_group_table_plan *plan)
{
	*t = (struct tn_group_table) { .plan = plan };
}

static size_t
words_of(const struct tn_group_table *t, size_t key_words)
{
	size_t words = (sizeof(struct tn_group) + t->plan->state_size) / 8 + key_words;

	return (words + 1) & ~(size_t)1;	/* aligned to 16 bytes, for the widest number */
}

static void
release_states(const struct tn_group_table *t, struct tn_group *g)
{
	for (size_t i = 0; i < t->plan->n_aggregates; i++)
		if (t->plan->aggregate[i].works && t->plan->aggregate[i].type->state->release)
			t->plan->aggregate[i].type->state->release(tn_state_of(g, &t->plan->aggregate[i]));
}

/* The group at a word of chunk @i; NULL: the chunk has no more groups. */
static inline struct tn_group *
group_in(const struct tn_group_table *t, size_t i, size_t word)
{
	uint64_t *w = t->chunks.item[i] + word;

	return word < (i + 1 < t->chunks.n ? CHUNK_WORDS : t->used) && *w != UINT64_MAX ? (struct tn_group *)(void *)w : NULL;
}

struct tn_group *
tn_group_table_at(const struct tn_group_table *t, uint32_t *place)
{
	size_t chunk = *place >> CHUNK_SHIFT, word = *place & (CHUNK_WORDS - 1);
	struct tn_group *g;

	g = chunk < t->chunks.n ? group_in(t, chunk, word) : NULL;
	if (!g && chunk + 1 < t->chunks.n)
		g = group_in(t, ++chunk, word = 0);
	/* If the group ends its chunk, the next word is the first word of the next chunk. */
	if (g) {
		word += words_of(t, g->key_words);
		*place = (uint32_t)((chunk << CHUNK_SHIFT) + (word < CHUNK_WORDS ? word : CHUNK_WORDS));
	}
	return g;
}

void
tn_group_table_list(const struct tn_group_table *t, struct tn_group **out)
{
	struct tn_group *g;

	for (size_t i = 0; i < t->chunks.n; i++)
		for (size_t w = 0; (g = group_in(t, i, w)); w += words_of(t, g->key_words))
			*out++ = g;
}

static void
release_groups(struct tn_group_table *t)
{
	uint32_t place = 0;
	struct tn_group *g;

	if (t->plan->state_size)
		while ((g = tn_group_table_at(t, &place)))
			release_states(t, g);
	if (t->others)
		release_states(t, t->others);
	free(t->others);
	t->others = NULL;
}

static inline size_t
most_bytes_of(const struct tn_group_table_plan *plan)
{
	return plan->grows ? plan->most_bytes / 2 : plan->most_bytes;
}

static void
set_easy(struct tn_group_table *t)
{
	size_t most = most_bytes_of(t->plan), slots = t->n_slots * sizeof *t->slot;

	t->easy_n = t->is_full ? 0 : t->n_slots / 4 * 3;
	t->easy_bytes = !t->plan->most_bytes ? SIZE_MAX : most > slots ? most - slots : 0;
}

void
tn_group_table_clear(struct tn_group_table *t)
{
	release_groups(t);
	while (t->chunks.n > 1)
		free(t->chunks.item[--t->chunks.n]);
	t->used = 0;
	if (t->n_slots > MOST_KEPT) {
		free(t->slot);
		t->slot = NULL;
		t->n_slots = 0;
	} else if (t->n) {
		memset(t->slot, 0, t->n_slots * sizeof *t->slot);
	}
	t->n = 0;
	t->bytes = 0;
	t->dropped = 0;
	t->is_full = t->has_time = false;
	set_easy(t);
}

void
tn_group_table_release(struct tn_group_table *t)
{
	if (t->plan)
		release_groups(t);
	for (size_t i = 0; i < t->chunks.n; i++)
		free(t->chunks.item[i]);
	TN_ARRAY_RELEASE(&t->chunks);
	free(t->slot);
	*t = (struct tn_group_table) { 0 };
}

/*
 * A slot has the place of a group in pairs of words, plus 1, and in the upper bits the first bits of the group's hash.
 * These bits exclude most other groups.
 */
#define PLACE_BITS 26		/* 1 GiB */
#define PLACES ((UINT32_C(1) << PLACE_BITS) - 1)
#define MOST_WORDS ((size_t)2 * PLACES)

static inline uint32_t
slot_for(size_t place, uint32_t hash)
{
	return (uint32_t)(place / 2 + 1) | (hash & ~PLACES);
}

static inline struct tn_group *
at_slot(uint64_t *const *chunk, uint32_t slot)
{
	uint32_t pair = (slot & PLACES) - 1;

	return (struct tn_group *)(void *)(chunk[pair >> (CHUNK_SHIFT - 1)] + 2 * (pair & (CHUNK_WORDS / 2 - 1)));
}

/* Whether the slot's group may have the hash. */
static inline bool
may_be(uint32_t slot, uint32_t hash)
{
	return (slot ^ hash) <= PLACES;
}

static struct tn_group *
make_group(struct tn_group_table *t, size_t words)
{
	struct tn_group *g;

	if (!t->chunks.n || t->used + words > CHUNK_WORDS) {
		uint64_t **chunk;

		if ((t->chunks.n + 1) << CHUNK_SHIFT > MOST_WORDS)
			return NULL;
		if (t->chunks.n && t->used < CHUNK_WORDS)
			t->chunks.item[t->chunks.n - 1][t->used] = UINT64_MAX;
		chunk = TN_ARRAY_ADD(&t->chunks);
		if (!chunk)
			return NULL;
		/* A group whose key is longer than a chunk gets its own chunk. */
		*chunk = malloc(8 * (words < CHUNK_WORDS ? CHUNK_WORDS : words));
		if (!*chunk) {
			t->chunks.n--;
			return NULL;
		}
		t->used = 0;
	}
	g = (struct tn_group *)(void *)(t->chunks.item[t->chunks.n - 1] + t->used);
	g->count = 0;
	if (t->plan->state_size)
		memset(g + 1, 0, t->plan->state_size);
	t->used += words;
	t->bytes += words * 8;
	return g;
}

static struct tn_group * __attribute__((noinline))
other(struct tn_group_table *t)
{
	t->is_full = true;
	set_easy(t);
	if (!t->others)
		t->others = calloc(1, sizeof *t->others + t->plan->state_size + 16);
	return t->others;
}

static inline uint32_t
hash_of(const struct tn_group_table *t, const uint64_t *key, size_t n)
{
	return tn_key_hash(t->plan->seed, t->plan->factor, key, n);
}

#define FEW_WORDS 8	/* longest key, in words, that is compared here; texts usually differ in their last words */

/* Compare a key. Most keys are two words: the kind of a number, and the number. */
static inline bool
has_key(const struct tn_group_table *t, const struct tn_group *g, const uint64_t *key, size_t n)
{
	const uint64_t *own = tn_group_key(t, g);

	if (g->key_words != n)
		return false;
	if (n > FEW_WORDS)
		return memcmp(own, key, 8 * n) == 0;
	while (n-- > 0)
		if (own[n] != key[n])
			return false;
	return true;
}

/* The slot of the key, or a free slot for it. */
static inline uint32_t *
slot_of(const struct tn_group_table *t, uint32_t hash, const uint64_t *key, size_t n)
{
	size_t i = hash & (t->n_slots - 1);

	for (; t->slot[i]; i = (i + 1) & (t->n_slots - 1)) {
		const struct tn_group *g;

		if (!may_be(t->slot[i], hash))
			continue;
		g = at_slot(t->chunks.item, t->slot[i]);
		if (g->hash == hash && has_key(t, g, key, n))
			break;
	}
	return &t->slot[i];
}

/* Visit groups in memory order; in the order of slots, each would be a cache miss. */
static bool __attribute__((noinline))
grow(struct tn_group_table *t)
{
	size_t n = !t->n_slots ? FIRST_SLOTS : t->n_slots < MOST_FAST ? 4 * t->n_slots : 2 * t->n_slots, mask = n - 1;
	uint32_t *slot = calloc(n, sizeof *slot);

	if (!slot)
		return false;
	for (size_t i = 0; i < t->chunks.n; i++) {
		const struct tn_group *g;

		for (size_t w = 0; (g = group_in(t, i, w)); w += words_of(t, g->key_words)) {
			size_t k = g->hash & mask;

			while (slot[k])
				k = (k + 1) & mask;
			slot[k] = slot_for(i << CHUNK_SHIFT | w, g->hash);
		}
	}
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	set_easy(t);
	return true;
}

/* Whether @words more words exceed the limit. While the table grows, both copies count. */
static bool
is_too_much(const struct tn_group_table *t, size_t words)
{
	size_t slots = t->n + 1 > t->n_slots / 4 * 3 ? 3 * t->n_slots : t->n_slots;
	size_t most = t->plan->most_bytes ? t->plan->most_bytes : MOST_LONG;

	if (t->is_full || (words > CHUNK_WORDS && (words > most / 8 || t->bytes > most - 8 * words)))
		return true;
	return t->plan->most_bytes && t->bytes + slots * sizeof *t->slot >= most_bytes_of(t->plan);
}

static struct tn_group *
add_group(struct tn_group_table *t, uint32_t hash, uint32_t *slot, const uint64_t *key, size_t n)
{
	size_t words = words_of(t, n);
	struct tn_group *g;
	uint64_t *own;

	if (t->n >= t->easy_n || t->bytes >= t->easy_bytes || words > CHUNK_WORDS) {
		if (is_too_much(t, words))
			return other(t);
		if (t->n + 1 > t->n_slots / 4 * 3) {
			if (!grow(t))
				return NULL;
			slot = slot_of(t, hash, key, n);
		}
	}
	g = make_group(t, words);
	if (!g)
		return NULL;
	g->key_words = (uint32_t)n;
	g->hash = hash;
	own = (uint64_t *)(void *)((char *)(g + 1) + t->plan->state_size);
	if (n == 2) {	/* the key is a number */
		own[0] = key[0];
		own[1] = key[1];
	} else if (n) {
		memcpy(own, key, 8 * n);
	}
	*slot = slot_for((t->chunks.n - 1) << CHUNK_SHIFT | (t->used - words), hash);
	t->n++;
	return g;
}

static inline struct tn_group *
group_of(struct tn_group_table *t, uint32_t hash, const uint64_t *key, size_t n)
{
	uint32_t *slot = t->n_slots ? slot_of(t, hash, key, n) : NULL;

	return slot && *slot ? at_slot(t->chunks.item, *slot) : add_group(t, hash, slot, key, n);
}

struct tn_group *
tn_group_table_group(struct tn_group_table *t, const uint64_t *key, size_t n)
{
	return group_of(t, hash_of(t, key, n), key, n);
}

#define BLOCK 32	/* slots that are prefetched before they are read */
#define NUMBER_WORDS (sizeof(struct tn_group) / 8 + 2)	/* words of a group without states, whose key is a number */

/* Whether @n more groups with numbers as keys fit into table, chunk and limit. */
static bool
has_room_for(const struct tn_group_table *t, size_t n)
{
	return t->chunks.n && !t->plan->state_size && t->n + n <= t->easy_n && t->used + n * NUMBER_WORDS <= CHUNK_WORDS &&
	       t->bytes + n * NUMBER_WORDS * 8 < t->easy_bytes;
}

static inline uint64_t
kind_of(const struct tn_number_met *met, bool is_signed)
{
	_Static_assert(TN_ANSWER_SINT == TN_ANSWER_UINT + 1, "the sign makes the one of the other");
	return TN_ANSWER_UINT + (met->u >> 63 & is_signed);
}

static inline bool
is_of_number(const struct tn_group *g, uint32_t hash, uint64_t kind, uint64_t u)
{
	const uint64_t *own = (const uint64_t *)(const void *)(g + 1);

	return g->hash == hash && own[1] == u && own[0] == kind && g->key_words == 2;
}

/* Find or add the group of each number, like group_of(), if all fit. If most numbers are new, nothing else is needed. */
static void
count_some(struct tn_group_table *t, const struct tn_number_met *met, size_t n, bool is_signed)
{
	size_t mask = t->n_slots - 1, first = (t->chunks.n - 1) << CHUNK_SHIFT, used = t->used;
	uint64_t *const *chunks = t->chunks.item, *chunk = chunks[t->chunks.n - 1];
	uint32_t *slot = t->slot;

	for (size_t i = 0; i < n; i++) {
		uint64_t kind = kind_of(&met[i], is_signed), *w;
		uint32_t hash = met[i].hash;
		size_t at = hash & mask;
		struct tn_group *g = NULL;

		for (; slot[at]; at = (at + 1) & mask) {
			if (!may_be(slot[at], hash))
				continue;
			g = at_slot(chunks, slot[at]);
			if (is_of_number(g, hash, kind, met[i].u))
				break;
		}
		if (slot[at]) {
			g->count += met[i].count;
			continue;
		}
		slot[at] = slot_for(first | used, hash);
		g = (struct tn_group *)(void *)(chunk + used);
		*g = (struct tn_group) { met[i].count, 2, hash };
		w = (uint64_t *)(void *)(g + 1);
		w[0] = kind;
		w[1] = met[i].u;
		used += NUMBER_WORDS;
	}
	t->n += (used - t->used) / NUMBER_WORDS;
	t->bytes += (used - t->used) * 8;
	t->used = used;
}

bool
tn_group_table_count(struct tn_group_table *t, const struct tn_number_met *met, size_t n, bool is_signed)
{
	for (size_t here; n; met += here, n -= here) {
		const uint32_t *slot = t->slot;
		size_t mask = t->n_slots - 1;

		here = n < BLOCK ? n : BLOCK;
		for (size_t i = 0; slot && i < here; i++)
			__builtin_prefetch(&slot[met[i].hash & mask]);
		if (has_room_for(t, here)) {
			count_some(t, met, here, is_signed);
			continue;
		}
		for (size_t i = 0; i < here; i++) {
			const uint64_t key[2] = { kind_of(&met[i], is_signed), met[i].u };
			struct tn_group *g = group_of(t, met[i].hash, key, 2);

			if (!g)
				return false;
			g->count += met[i].count;
		}
	}
	return true;
}

/* ---- a row, or another state ---- */

static void
drop(struct tn_group_table *t, void *state, const struct tn_aggregate_state *type)
{
	t->bytes -= type->bytes(state);
	t->dropped++;
	type->release(state);
	memset(state, 0, type->size);
	*(uint64_t *)state = 1;
}

/* Call before a state changes. Returns its size in bytes; SIZE_MAX: the state was dropped. */
static size_t
begin_change(struct tn_group_table *t, void *state, const struct tn_aggregate_state *type)
{
	size_t ahead;

	if (!type->bytes)
		return 0;
	if (tn_state_dropped(type, state))
		return SIZE_MAX;
	ahead = type->bytes_ahead && t->plan->most_bytes ? type->bytes_ahead(state) : 0;
	if (!ahead || t->bytes + ahead <= t->plan->most_bytes)
		return type->bytes(state);
	drop(t, state, type);
	return SIZE_MAX;
}

/* Call after a change: drops the state if it is too large now. */
static void
end_change(struct tn_group_table *t, void *state, const struct tn_aggregate_state *type, size_t before)
{
	size_t bytes = type->bytes ? type->bytes(state) : 0;

	t->bytes += bytes - before;
	if (t->plan->most_bytes && t->bytes > t->plan->most_bytes && bytes > before)
		drop(t, state, type);
}

static bool
add_value(struct tn_group_table *t, struct tn_group *g, const struct tn_aggregate *a, const struct tn_group_table_row *row)
{
	const struct tn_aggregate_state *type = a->type->state;
	const struct tn_answer_value *v = &row->argument[a->argument];
	void *state = tn_state_of(g, a);
	size_t before;

	if (!t->plan->most_bytes || !type->bytes)
		return type->add(state, v, &row->at);
	before = begin_change(t, state, type);
	if (before == SIZE_MAX)
		return true;
	if (!type->add(state, v, &row->at))
		return false;
	end_change(t, state, type, before);
	return true;
}

bool
tn_group_table_add(struct tn_group_table *t, struct tn_group *g, const struct tn_group_table_row *row)
{
	g->count++;
	if (row->has_time && t->plan->needs_time) {
		if (!t->has_time || row->time_ns < t->first_ns)
			t->first_ns = row->time_ns;
		if (!t->has_time || row->time_ns > t->last_ns)
			t->last_ns = row->time_ns;
		t->has_time = true;
	}
	if (row->has_nothing)
		return true;
	for (const struct tn_aggregate *a = t->plan->aggregate, *end = a + t->plan->n_aggregates; a < end; a++)
		if (a->works && !add_value(t, g, a, row))
			return false;
	return true;
}

static bool
add_column(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind, size_t n)
{
	if (a->type->state->add_column)
		return a->type->state->add_column(a, group, u, kind, n);
	for (size_t i = 0; i < n; i++) {
		struct tn_answer_value v = tn_number_value(u[i], kind[i]);

		if (group[i] && !a->type->state->add(tn_state_of(group[i], a), &v, NULL))
			return false;
	}
	return true;
}

#define MOST_AT_ONCE 64		/* numbers that are added to a state before its size is checked */

bool
tn_group_table_column(struct tn_group_table *t, const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u,
		const uint8_t *kind, size_t n)
{
	const struct tn_aggregate_state *type = a->type->state;

	if (!t->plan->most_bytes || !type->bytes)
		return add_column(a, group, u, kind, n);
	for (size_t i = 0, end; i < n; i = end) {
		size_t before;
		void *state;

		for (end = i + 1; end < n && end - i < MOST_AT_ONCE && group[end] == group[i];)
			end++;
		if (!group[i])
			continue;
		state = tn_state_of(group[i], a);
		before = begin_change(t, state, type);
		if (before == SIZE_MAX)
			continue;
		if (!add_column(a, group + i, u + i, kind + i, end - i))
			return false;
		end_change(t, state, type, before);
	}
	return true;
}

bool
tn_group_table_add_numbers(struct tn_group_table *t, struct tn_group *g, const uint64_t *number, size_t n)
{
	struct tn_group *group[MOST_AT_ONCE];
	uint8_t kind[MOST_AT_ONCE];

	g->count += n;
	for (size_t i = 0; i < MOST_AT_ONCE && i < n; i++) {
		group[i] = g;
		kind[i] = TN_NUMBER_PLAIN;
	}
	for (size_t here; n; number += here, n -= here) {
		here = n < MOST_AT_ONCE ? n : MOST_AT_ONCE;
		for (const struct tn_aggregate *a = t->plan->aggregate, *end = a + t->plan->n_aggregates; a < end; a++)
			if (a->works && !tn_group_table_column(t, a, group, number, kind, here))
				return false;
	}
	return true;
}

/* ---- values ---- */

void
tn_group_value(const struct tn_group_table *t, struct tn_group *g, size_t i, int64_t step_ns, struct tn_answer_value *out)
{
	const struct tn_aggregate *a = &t->plan->aggregate[i];
	struct tn_aggregate_read r = { .aggregate = a, .state = tn_state_of(g, a), .count = g->count };

	r.time_ns = step_ns ? (double)step_ns : t->has_time ? (double)((uint64_t)t->last_ns - (uint64_t)t->first_ns) : NAN;
	*out = a->type->value(&r);
}

bool
tn_group_spread(const struct tn_group_table *t, struct tn_group *g, size_t i, uint64_t *part, size_t n)
{
	const struct tn_aggregate *a = &t->plan->aggregate[i];

	if (!a->type->state || !a->type->state->spread)
		return false;
	a->type->state->spread(tn_state_of(g, a), part, n);
	return true;
}

/* ---- adding tables ---- */

static bool
merge_state(struct tn_group_table *t, void *into, const void *from, const struct tn_aggregate_state *type)
{
	size_t before = begin_change(t, into, type);

	if (before == SIZE_MAX)
		return true;
	if (!type->merge(into, from))
		return false;
	end_change(t, into, type, before);
	return true;
}

static bool
merge_states(struct tn_group_table *into, struct tn_group *to, const struct tn_group *from)
{
	for (size_t i = 0; i < into->plan->n_aggregates; i++) {
		const struct tn_aggregate *a = &into->plan->aggregate[i];

		if (a->works && !merge_state(into, tn_state_of(to, a), (const char *)(from + 1) + a->state, a->type->state))
			return false;
	}
	return true;
}

static inline bool
merge_group(struct tn_group_table *into, struct tn_group *to, const struct tn_group *from)
{
	to->count += from->count;
	return !into->plan->state_size || merge_states(into, to, from);
}

bool
tn_group_table_merge(struct tn_group_table *into, const struct tn_group_table *from)
{
	for (size_t i = 0; i < from->chunks.n; i++) {
		uint64_t *w = from->chunks.item[i], *end = w + (i + 1 < from->chunks.n ? CHUNK_WORDS : from->used);

		while (w < end && *w != UINT64_MAX) {
			const struct tn_group *g = (const struct tn_group *)(void *)w;
			struct tn_group *to = group_of(into, g->hash, tn_group_key(from, g), g->key_words);

			if (!to || !merge_group(into, to, g))
				return false;
			w += words_of(from, g->key_words);
		}
	}
	if (from->others && !(other(into) && merge_group(into, into->others, from->others)))
		return false;
	if (!from->has_time)
		return true;
	if (!into->has_time || from->first_ns < into->first_ns)
		into->first_ns = from->first_ns;
	if (!into->has_time || from->last_ns > into->last_ns)
		into->last_ns = from->last_ns;
	into->has_time = true;
	return true;
}
