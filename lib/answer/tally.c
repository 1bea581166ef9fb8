#include "answer/tally.h"

#include <stdlib.h>
#include <string.h>

#include "answer/tally_state.h"

#define CHUNK_SHIFT 15		/* words of a chunk: 256 KiB */
#define CHUNK_WORDS ((size_t)1 << CHUNK_SHIFT)
#define MOST_KEPT 4096		/* slots of a table that is cleared */
#define FIRST_SLOTS 64
#define MOST_FAST (1 << 19)	/* slots; a table of fewer becomes four times as large */

/* ---- where states lie ---- */

static size_t
size_of(enum tn_aggregate_kind kind)
{
	switch (kind) {
	case TN_AGGREGATE_COUNT:
	case TN_AGGREGATE_RATE: return 0;
	case TN_AGGREGATE_COUNT_OF: return 8;
	case TN_AGGREGATE_SUM:
	case TN_AGGREGATE_MEAN: return sizeof(struct sum);
	case TN_AGGREGATE_MIN:
	case TN_AGGREGATE_MAX: return sizeof(struct extreme);
	case TN_AGGREGATE_DISTINCT: return sizeof(struct distinct);
	case TN_AGGREGATE_QUANTILE: return sizeof(struct quantiles);
	case TN_AGGREGATE_FIRST:
	case TN_AGGREGATE_LAST: return sizeof(struct edge);
	}
	return 0;
}

/* It takes more than its place in the group. */
static bool
can_grow(enum tn_aggregate_kind kind)
{
	return kind == TN_AGGREGATE_DISTINCT || kind == TN_AGGREGATE_QUANTILE || kind == TN_AGGREGATE_FIRST ||
	       kind == TN_AGGREGATE_LAST;
}

static bool
shares(const struct tn_aggregate *a, const struct tn_aggregate *b)
{
	bool sums = (a->kind == TN_AGGREGATE_SUM || a->kind == TN_AGGREGATE_MEAN) &&
		    (b->kind == TN_AGGREGATE_SUM || b->kind == TN_AGGREGATE_MEAN);

	return a->argument == b->argument && (sums || (a->kind == b->kind && a->kind != TN_AGGREGATE_COUNT));
}

void
tn_tally_lay_out(struct tn_tally_plan *plan, struct tn_aggregate *aggregate)
{
	plan->state_size = 0;
	plan->seed = tn_hash_seed();
	plan->factor = tn_hash_factor();
	plan->has_edges = plan->has_rate = false;
	for (size_t i = 0; i < plan->n_aggregates; i++) {
		size_t k = 0;

		plan->has_edges |= aggregate[i].kind == TN_AGGREGATE_FIRST || aggregate[i].kind == TN_AGGREGATE_LAST;
		plan->has_rate |= aggregate[i].kind == TN_AGGREGATE_RATE;
		while (k < i && !shares(&aggregate[k], &aggregate[i]))
			k++;
		aggregate[i].works = k == i && size_of(aggregate[i].kind);
		plan->grows |= can_grow(aggregate[i].kind);
		if (k < i) {
			aggregate[i].state = aggregate[k].state;
			continue;
		}
		/* The widest has 16 bytes. */
		aggregate[i].state = plan->state_size;
		plan->state_size += (size_of(aggregate[i].kind) + 15) & ~(size_t)15;
	}
	plan->aggregate = aggregate;
}

/* ---- groups ---- */

void
tn_tally_init(struct tn_tally *t, const struct tn_tally_plan *plan)
{
	*t = (struct tn_tally) { .plan = plan };
}

static size_t
words_of(const struct tn_tally *t, size_t key_words)
{
	size_t words = (sizeof(struct tn_group) + t->plan->state_size) / 8 + key_words;

	return (words + 1) & ~(size_t)1;	/* 16 bytes: for the widest number */
}

static void
release_distinct(struct distinct *d)
{
	if (d->many)
		tn_hash_release(d->many);
	free(d->many);
	free(d->few);
}

/* What it took beside itself. */
static void
release_state(void *state, enum tn_aggregate_kind kind)
{
	if (kind == TN_AGGREGATE_DISTINCT)
		release_distinct(state);
	else if (kind == TN_AGGREGATE_QUANTILE)
		tn_sketch_release(&((struct quantiles *)state)->sketch);
	else if (kind == TN_AGGREGATE_FIRST || kind == TN_AGGREGATE_LAST)
		free(((struct edge *)state)->text);
}

static size_t
bytes_of(const void *state, enum tn_aggregate_kind kind)
{
	const struct distinct *d = state;
	const struct edge *e = state;

	switch (kind) {
	case TN_AGGREGATE_DISTINCT:
		return d->many ? sizeof *d->many + d->many->room * sizeof *d->many->item : d->few_room * sizeof *d->few;
	case TN_AGGREGATE_QUANTILE:
		return tn_sketch_bytes(&((const struct quantiles *)state)->sketch);
	default:
		return e->text ? e->v.n + 1 : 0;
	}
}

static bool
is_given_up(const void *state, enum tn_aggregate_kind kind)
{
	return kind == TN_AGGREGATE_DISTINCT ? ((const struct distinct *)state)->given_up != 0 :
	       kind == TN_AGGREGATE_QUANTILE ? ((const struct quantiles *)state)->given_up != 0 :
	       ((const struct edge *)state)->given_up != 0;
}

void
tn_tally_give_up(struct tn_tally *t, void *state, enum tn_aggregate_kind kind)
{
	t->bytes -= bytes_of(state, kind);
	t->given_up++;
	release_state(state, kind);
	if (kind == TN_AGGREGATE_DISTINCT)
		*(struct distinct *)state = (struct distinct) { .given_up = 1 };
	else if (kind == TN_AGGREGATE_QUANTILE)
		*(struct quantiles *)state = (struct quantiles) { .given_up = 1 };
	else
		*(struct edge *)state = (struct edge) { .given_up = 1 };
}

static void
release_states(const struct tn_tally *t, struct tn_group *g)
{
	for (size_t i = 0; i < t->plan->n_aggregates; i++)
		if (t->plan->aggregate[i].works)
			release_state(tn_state_of(g, &t->plan->aggregate[i]), t->plan->aggregate[i].kind);
}

struct tn_group *
tn_tally_at(const struct tn_tally *t, uint32_t *place)
{
	size_t chunk = *place >> CHUNK_SHIFT, word = *place & (CHUNK_WORDS - 1);
	struct tn_group *g;

	if (chunk < t->chunks.n && chunk + 1 < t->chunks.n && t->chunks.item[chunk][word] == UINT64_MAX) {
		chunk++;	/* the rest of that one is empty */
		word = 0;
	}
	if (chunk >= t->chunks.n || (chunk + 1 == t->chunks.n && word >= t->used))
		return NULL;
	g = (struct tn_group *)(void *)(t->chunks.item[chunk] + word);
	*place = (uint32_t)(chunk << CHUNK_SHIFT | (word + words_of(t, g->key_words)));
	if ((*place & (CHUNK_WORDS - 1)) == 0 && word)
		*place = (uint32_t)((chunk + 1) << CHUNK_SHIFT);
	return g;
}

void
tn_tally_list(const struct tn_tally *t, struct tn_group **out)
{
	size_t fixed = words_of(t, 0), number = words_of(t, 2);

	for (size_t i = 0; i < t->chunks.n; i++) {
		bool is_last = i + 1 == t->chunks.n;
		uint64_t *w = t->chunks.item[i], *end = w + (is_last ? t->used : CHUNK_WORDS);

		while (w < end && (is_last || *w != UINT64_MAX)) {
			struct tn_group *g = (struct tn_group *)(void *)w;

			*out++ = g;
			w += g->key_words == 2 ? number : (fixed + g->key_words + 1) & ~(size_t)1;
		}
	}
}

static void
release_groups(struct tn_tally *t)
{
	uint32_t place = 0;
	struct tn_group *g;

	if (t->plan->state_size)
		while ((g = tn_tally_at(t, &place)))
			release_states(t, g);
	if (t->others)
		release_states(t, t->others);
	free(t->others);
	t->others = NULL;
}

void
tn_tally_clear(struct tn_tally *t)
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
	t->given_up = 0;
	t->is_full = t->has_time = false;
}

void
tn_tally_release(struct tn_tally *t)
{
	if (t->plan)
		release_groups(t);
	for (size_t i = 0; i < t->chunks.n; i++)
		free(t->chunks.item[i]);
	TN_ARRAY_RELEASE(&t->chunks);
	free(t->slot);
	*t = (struct tn_tally) { 0 };
}

/*
 * A slot has the place of a group, in pairs of words and + 1, and above it the first bits of the group's hash: of most groups
 * that are other ones that is all there is to look at.
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

/* Whether the group of the slot may have that hash. */
static inline bool
may_be(uint32_t slot, uint32_t hash)
{
	return (slot ^ hash) <= PLACES;
}

static struct tn_group *
make_group(struct tn_tally *t, size_t words)
{
	struct tn_group *g;

	if (!t->chunks.n || t->used + words > CHUNK_WORDS) {
		uint64_t **chunk;

		if (words > CHUNK_WORDS || (t->chunks.n + 1) << CHUNK_SHIFT > MOST_WORDS)
			return NULL;
		if (t->chunks.n && t->used < CHUNK_WORDS)
			t->chunks.item[t->chunks.n - 1][t->used] = UINT64_MAX;
		chunk = TN_ARRAY_ADD(&t->chunks);
		if (!chunk)
			return NULL;
		*chunk = malloc(CHUNK_WORDS * 8);
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

static struct tn_group *
other(struct tn_tally *t)
{
	t->is_full = true;
	if (!t->others)
		t->others = calloc(1, sizeof *t->others + t->plan->state_size + 16);
	return t->others;
}

static inline uint32_t
hash_of(const struct tn_tally *t, const uint64_t *key, size_t n)
{
	return tn_key_hash(t->plan->seed, t->plan->factor, key, n);
}

#define FEW_WORDS 8	/* of a key that is compared and copied here */

/* Most keys are one number: its kind, and the number. Of texts the last ones mostly differ. */
static inline bool
has_key(const struct tn_tally *t, const struct tn_group *g, const uint64_t *key, size_t n)
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

/* The slot of the key, or the one that is free for it. */
static inline uint32_t *
slot_of(const struct tn_tally *t, uint32_t hash, const uint64_t *key, size_t n)
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

/* Groups are gone through as they lie: in the order of their slots each would be somewhere else. */
static bool __attribute__((noinline))
grow(struct tn_tally *t)
{
	size_t n = !t->n_slots ? FIRST_SLOTS : t->n_slots < MOST_FAST ? 4 * t->n_slots : 2 * t->n_slots, mask = n - 1;
	uint32_t *slot = calloc(n, sizeof *slot);

	if (!slot)
		return false;
	for (size_t i = 0; i < t->chunks.n; i++) {
		const uint64_t *chunk = t->chunks.item[i];
		size_t w = 0, end = i + 1 < t->chunks.n ? CHUNK_WORDS : t->used;

		while (w < end && chunk[w] != UINT64_MAX) {
			const struct tn_group *g = (const struct tn_group *)(const void *)(chunk + w);
			size_t k = g->hash & mask;

			while (slot[k])
				k = (k + 1) & mask;
			slot[k] = slot_for(i << CHUNK_SHIFT | w, g->hash);
			w += words_of(t, g->key_words);
		}
	}
	free(t->slot);
	t->slot = slot;
	t->n_slots = n;
	return true;
}

/* One more would take more than there may be: the table is copied when it grows. */
static bool
is_too_much(const struct tn_tally *t, size_t words)
{
	size_t slots = t->n + 1 > t->n_slots / 4 * 3 ? 3 * t->n_slots : t->n_slots;

	return t->is_full || words > CHUNK_WORDS ||
	       (t->plan->most_bytes &&
		t->bytes + slots * sizeof *t->slot >= (t->plan->grows ? t->plan->most_bytes / 2 : t->plan->most_bytes));
}

static struct tn_group *
add_group(struct tn_tally *t, uint32_t hash, uint32_t *slot, const uint64_t *key, size_t n)
{
	size_t words = words_of(t, n);
	struct tn_group *g;
	uint64_t *own;

	if (is_too_much(t, words))
		return other(t);
	if (t->n + 1 > t->n_slots / 4 * 3) {
		if (!grow(t))
			return NULL;
		slot = slot_of(t, hash, key, n);
	}
	g = make_group(t, words);
	if (!g)
		return NULL;
	g->key_words = (uint32_t)n;
	g->hash = hash;
	own = (uint64_t *)(void *)((char *)(g + 1) + t->plan->state_size);
	if (n > FEW_WORDS)
		memcpy(own, key, 8 * n);
	else
		for (size_t i = 0; i < n; i++)
			own[i] = key[i];
	*slot = slot_for((t->chunks.n - 1) << CHUNK_SHIFT | (t->used - words), hash);
	t->n++;
	return g;
}

static inline struct tn_group *
group_of(struct tn_tally *t, uint32_t hash, const uint64_t *key, size_t n)
{
	uint32_t *slot = t->n_slots ? slot_of(t, hash, key, n) : NULL;

	return slot && *slot ? at_slot(t->chunks.item, *slot) : add_group(t, hash, slot, key, n);
}

struct tn_group *
tn_tally_group(struct tn_tally *t, const uint64_t *key, size_t n)
{
	return group_of(t, hash_of(t, key, n), key, n);
}

#define BLOCK 32	/* whose slots are asked for before they are looked at */
#define NUMBER_WORDS (sizeof(struct tn_group) / 8 + 2)	/* of a group without states whose key is a number */

/* Whether so many numbers more have room in the table, in the chunk and in what there may be. */
static bool
has_room_for(const struct tn_tally *t, size_t n)
{
	size_t most = t->plan->grows ? t->plan->most_bytes / 2 : t->plan->most_bytes;

	return t->n_slots && t->chunks.n && !t->plan->state_size && !t->is_full && t->n + n <= t->n_slots / 4 * 3 &&
	       t->used + n * NUMBER_WORDS <= CHUNK_WORDS &&
	       (!most || t->bytes + n * NUMBER_WORDS * 8 + t->n_slots * sizeof *t->slot < most);
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

/* As group_of() for each of them, when there is room for all: where most numbers are new this is all there is to do. */
static void
count_some(struct tn_tally *t, const struct tn_number_met *met, size_t n, bool is_signed)
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
tn_tally_count(struct tn_tally *t, const struct tn_number_met *met, size_t n, bool is_signed)
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

#define AHEAD 16	/* texts whose slots are asked for before they are looked at */

static inline const uint64_t *
ask_for_text(const struct tn_tally *t, const uint64_t *w)
{
	if (t->slot)
		__builtin_prefetch(&t->slot[tn_text_at(w)->hash & (t->n_slots - 1)]);
	return w + 1 + tn_text_words(w + 1);
}

bool
tn_tally_count_texts(struct tn_tally *t, const struct tn_texts *texts)
{
	const uint64_t *w = texts->item, *end = w + texts->n, *ahead = w;

	for (size_t i = 0; i < AHEAD && ahead < end; i++)
		ahead = ask_for_text(t, ahead);
	while (w < end) {
		size_t words = tn_text_words(w + 1);
		struct tn_group *g = group_of(t, tn_text_at(w)->hash, w + 1, words);

		if (!g)
			return false;
		g->count += tn_text_at(w)->count;
		w += 1 + words;
		if (ahead < end)
			ahead = ask_for_text(t, ahead);
	}
	return true;
}

/* ---- a row, or another state ---- */

/* The table of its values will be twice as large, and both are there for a while. */
static bool
is_about_to_grow(const struct distinct *d)
{
	return d->many && d->many->n >= d->many->room / 2;
}

/* A row's value, or another state, is added. False: memory is out. */
static bool
change_state(struct tn_tally *t, void *state, const struct tn_aggregate *a, const struct tn_tally_row *row, const void *from)
{
	size_t before;
	bool ok;

	if (!can_grow(a->kind))
		return row ? tn_state_add(state, a, row) : tn_state_merge(state, from, a);
	if (is_given_up(state, a->kind))
		return true;
	before = bytes_of(state, a->kind);
	if (t->plan->most_bytes && a->kind == TN_AGGREGATE_DISTINCT && is_about_to_grow(state) &&
	    t->bytes + 2 * before > t->plan->most_bytes) {
		tn_tally_give_up(t, state, a->kind);
		return true;
	}
	ok = row ? tn_state_add(state, a, row) : tn_state_merge(state, from, a);
	t->bytes += bytes_of(state, a->kind) - before;
	if (ok && t->plan->most_bytes && t->bytes > t->plan->most_bytes && bytes_of(state, a->kind) > before)
		tn_tally_give_up(t, state, a->kind);
	return ok;
}

bool
tn_tally_add(struct tn_tally *t, struct tn_group *g, const struct tn_tally_row *row)
{
	g->count++;
	if (row->has_time && t->plan->has_rate) {
		if (!t->has_time || row->time_ns < t->first_ns)
			t->first_ns = row->time_ns;
		if (!t->has_time || row->time_ns > t->last_ns)
			t->last_ns = row->time_ns;
		t->has_time = true;
	}
	if (row->has_nothing)
		return true;
	for (const struct tn_aggregate *a = t->plan->aggregate, *end = a + t->plan->n_aggregates; a < end; a++)
		if (a->works && !(t->plan->most_bytes ? change_state(t, tn_state_of(g, a), a, row, NULL)
						      : tn_state_add(tn_state_of(g, a), a, row)))
			return false;
	return true;
}

/* ---- adding tallies ---- */

static bool
merge_group(struct tn_tally *into, struct tn_group *to, const struct tn_group *from)
{
	to->count += from->count;
	for (size_t i = 0; i < into->plan->n_aggregates; i++) {
		const struct tn_aggregate *a = &into->plan->aggregate[i];

		if (a->works && !change_state(into, tn_state_of(to, a), a, NULL, (const char *)(from + 1) + a->state))
			return false;
	}
	return true;
}

bool
tn_tally_merge(struct tn_tally *into, const struct tn_tally *from)
{
	uint32_t place = 0;
	const struct tn_group *g;

	while ((g = tn_tally_at(from, &place))) {
		struct tn_group *to = group_of(into, g->hash, tn_group_key(from, g), g->key_words);

		if (!to || !merge_group(into, to, g))
			return false;
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
