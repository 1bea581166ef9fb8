/*
 * names.c - names of functions for the plans of threads' records; any thread of the program may ask for a name
 *
 * A record gives the address of the function and the time. The time selects the session. Found names are kept in a
 * table that threads read without a lock: an entry does not change once it is in the table.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uftrace/private.h"

#define NEAR 1024		/* entries of the table; a power of two */
#define MOST_NEAR 65536		/* limit of entries that are made; then the table does not change any more */
#define MOST_UNKNOWN 65536		/* limit of addresses without a symbol that get a name */

struct near {
	uint64_t address;
	const struct tn_uf_session *session;
	const char *text;
	size_t n;
};

struct tn_uf_names {
	const struct tn_uf_trace *t;
	struct near *near[NEAR];	/* entries, each an atomic pointer */
	const struct tn_stream **by_place;	/* streams of threads, sorted by the address of their bytes */
	size_t n;
	const struct tn_uf_session *only;	/* the session of all threads; NULL: they have different ones */
	pthread_mutex_t lock;		/* protects the members below */
	struct tn_hash unknown;
	struct tn_arena arena;
	size_t n_near;
};

static int
by_place(const void *a, const void *b)
{
	const struct tn_stream *const *x = a, *const *y = b;
	const uint8_t *p = (*x)->file[0].map.data, *q = (*y)->file[0].map.data;

	return (p > q) - (p < q);
}

/* Returns "<ADDRESS>", which is made once for each address. */
static const char *
unknown_name(struct tn_uf_names *names, uint64_t address)
{
	static const char other[8 + TN_LOOKUP_SLACK] = "<...>";
	struct tn_hash_item *item = NULL;
	const char *text = other;
	char *made;

	pthread_mutex_lock(&names->lock);
	if (names->unknown.n < MOST_UNKNOWN)
		item = tn_hash_add_u64(&names->unknown, address, NULL);
	else
		item = tn_hash_find_u64(&names->unknown, address);
	if (item && !item->value && (made = tn_arena_alloc(&names->arena, 32 + TN_LOOKUP_SLACK))) {
		snprintf(made, 32, "<%" PRIx64 ">", address);
		item->value = (uintptr_t)made;
	}
	if (item && item->value)
		text = (const char *)(uintptr_t)item->value;
	pthread_mutex_unlock(&names->lock);
	return text;
}

static void
keep(struct tn_uf_names *names, struct near **slot, const struct near *found)
{
	struct near *n = NULL;

	pthread_mutex_lock(&names->lock);
	if (names->n_near < MOST_NEAR && (n = TN_NEW(&names->arena, struct near))) {
		*n = *found;
		names->n_near++;
		__atomic_store_n(slot, n, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&names->lock);
}

/* The session of the record at @place; NULL: it has none. */
static const struct tn_uf_session *
session_of(const struct tn_uf_names *names, const uint8_t *place, uint64_t time)
{
	size_t lo = 0;

	TN_BISECT(lo, names->n, mid, names->by_place[mid]->file[0].map.data <= place);
	return lo ? tn_uf_find_session(names->by_place[lo - 1]->own, time) : NULL;
}

/* The name of the function in the record at @place. */
static const char *
find_name(const struct tn_lookup *lookup, const uint8_t *place, size_t *size)
{
	struct tn_uf_names *names = ((const struct tn_uf_trace *)lookup->user)->names;
	const struct tn_uf_session *session = names->only;
	const struct tn_uf_symbol *symbol;
	struct tn_uf_record r;
	struct near *n, **slot, found;

	tn_uf_look(names->t, place, &r);
	if (!session)
		session = session_of(names, place, r.time);
	slot = &names->near[(r.address ^ r.address >> 10) & (NEAR - 1)];
	n = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
	if (n && n->address == r.address && n->session == session) {
		*size = n->n;
		return n->text;
	}
	symbol = tn_uf_find_symbol(session, r.address);
	found = (struct near) { r.address, session, symbol ? symbol->name : unknown_name(names, r.address), 0 };
	*size = found.n = strlen(found.text);
	keep(names, slot, &found);
	return found.text;
}

struct tn_lookup *
tn_uf_new_lookup(struct tn_uf_trace *t)
{
	static const char other[8 + TN_LOOKUP_SLACK] = "<...>";
	struct tn_lookup *lookup = TN_NEW(&t->trace->arena, struct tn_lookup);

	if (lookup)
		*lookup = (struct tn_lookup) { .other = other, .find = find_name, .user = t };
	return lookup;
}

bool
tn_uf_begin_names(struct tn_uf_trace *t)
{
	struct tn_uf_names *names = calloc(1, sizeof *names);

	if (!names)
		return false;
	t->names = names;
	names->t = t;
	pthread_mutex_init(&names->lock, NULL);
	names->by_place = TN_NEW_ARRAY(&t->trace->arena, t->trace->n_streams + 1, const struct tn_stream *);
	if (!names->by_place)
		return false;
	for (size_t i = 0; i < t->trace->n_streams; i++) {
		const struct tn_uf_stream *s = t->trace->stream[i]->own;
		const struct tn_uf_session *first = s->n_sessions == 1 ? s->session[0] : NULL;

		if (s->source == TN_UF_THREAD && t->trace->stream[i]->file[0].map.size) {
			names->only = !names->n || names->only == first ? first : NULL;
			names->by_place[names->n++] = t->trace->stream[i];
		}
	}
	/* If there is one session, the address alone decides. */
	if (names->only)
		t->functions->key_mask = t->big_endian ? UINT64_C(0xffffffffffff0000) : UINT64_C(0xffffffffffff) << 16;
	t->functions->key_byte = 8;
	if (names->n)
		qsort(names->by_place, names->n, sizeof *names->by_place, by_place);
	return true;
}

void
tn_uf_release_names(struct tn_uf_trace *t)
{
	if (!t->names)
		return;
	tn_hash_release(&t->names->unknown);
	tn_arena_release(&t->names->arena);
	pthread_mutex_destroy(&t->names->lock);
	free(t->names);
}
