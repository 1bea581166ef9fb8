#include <config.h>

#include "index/stored_scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/meaning.h"
#include "index/index_cache.h"
#include "index/key.h"

#define MAGIC TN_MEANING_MAGIC(7, TN_MEANING_INDEX)
#define MOST_BYTES ((uint64_t)128 << 20)	/* limit of a stored file */
#define PAGE ((size_t)4096)			/* entries begin at a multiple of this */

struct head {
	uint64_t magic;
	uint64_t key_size, parts_size, entries_size;
	uint64_t sum;		/* checksum of all bytes after it */
};

/* ---- parts ---- */

void
tn_scan_bytes(struct tn_scan_parts *s, void *bytes, size_t n)
{
	if (!s->is_reading) {
		tn_str_add(&s->out, bytes, n);
	} else if (s->failed || (size_t)(s->end - s->p) < n) {
		s->failed = true;
	} else if (n) {
		memcpy(bytes, s->p, n);
		s->p += n;
	}
}

void
tn_scan_number(struct tn_scan_parts *s, size_t *n)
{
	uint64_t number = *n;

	tn_scan_bytes(s, &number, sizeof number);
	if (!s->is_reading)
		return;
	s->failed |= number > (size_t)(s->end - s->p);
	*n = s->failed ? 0 : (size_t)number;
}

void
tn_scan_block(struct tn_scan_parts *s, const uint8_t **bytes, size_t *n)
{
	bool exists = *bytes;

	tn_scan_bytes(s, &exists, sizeof exists);
	tn_scan_number(s, n);
	if (!s->is_reading) {
		tn_str_add(&s->out, *bytes, *n);
		return;
	}
	*bytes = NULL;
	if (s->failed || !exists)
		return;
	*bytes = (const uint8_t *)tn_arena_copy(s->arena, (const char *)s->p, *n);
	s->failed |= !*bytes;
	s->p += *n;
}

void
tn_scan_text(struct tn_scan_parts *s, const char **text)
{
	const uint8_t *bytes = (const uint8_t *)*text;
	size_t n = !s->is_reading && *text ? strlen(*text) : 0;

	tn_scan_block(s, &bytes, &n);
	*text = (const char *)bytes;
}

bool
tn_scan_room(struct tn_scan_parts *s, void **item, size_t *room, size_t n, size_t size)
{
	if (s->failed || (n && !tn_array_reserve(item, room, n, size))) {
		s->failed = true;
		return false;
	}
	if (n)
		memset(*item, 0, n * size);
	return true;
}

/* ---- the file ---- */

/* Make the path and the key. NULL: nothing is stored for this trace. */
static struct tn_index_store *
begin(const struct tn_trace *trace, const struct tn_map *file, struct tn_str *path, struct tn_str *key)
{
	const struct tn_open_options *o = trace->options;
	struct tn_index_store *store;

	if (!o || o->no_index_cache || o->growing || trace->memory || !(store = tn_index_store_new(NULL)))
		return NULL;
	tn_index_store_name(path, store, trace, TN_SCAN_SUFFIX);
	tn_str_printf(key, "%s %u %s %" PRIu64 " %" PRIu64 " %zu %" PRId64 " %" PRId64 "\n", PACKAGE_VERSION, trace->ops->meaning,
		      trace->path, file->device, file->inode, file->size, file->mtime_ns, file->ctime_ns);
	/* The times of a young file do not show all changes, so the key has a checksum of its bytes. */
	if (!file->settled && file->size <= TN_KEY_BYTES)
		tn_str_printf(key, "%016" PRIx64 "\n", tn_sum_bytes(8, file->data, file->size));
	if (file->size < tn_index_store_least(store) || path->failed || key->failed ||
	    (!file->settled && file->size > TN_KEY_BYTES)) {
		tn_index_store_free(store);
		return NULL;
	}
	return store;
}

static size_t
entries_at(const struct head *h)
{
	return (sizeof *h + (size_t)h->key_size + (size_t)h->parts_size + PAGE - 1) / PAGE * PAGE;
}

static bool
is_sound(const struct tn_map *map, const struct tn_str *key)
{
	const struct head *h = (const struct head *)(const void *)map->data;

	return map->size >= sizeof *h && map->size <= MOST_BYTES && h->magic == MAGIC && h->key_size == key->n &&
	       h->parts_size <= map->size && h->entries_size <= map->size &&
	       map->size - sizeof *h >= key->n && memcmp(h + 1, key->text, key->n) == 0 &&
	       entries_at(h) + h->entries_size == map->size &&
	       tn_sum_bytes(9, h + 1, map->size - sizeof *h) == h->sum;
}

static bool
take(struct tn_trace *trace, tn_scan_parts_fn *parts, const struct tn_map *stored, struct tn_map *entries)
{
	const struct head *h = (const struct head *)(const void *)stored->data;
	struct tn_scan_parts s = { .is_reading = true, .arena = &trace->arena };

	s.p = stored->data + sizeof *h + h->key_size;
	s.end = s.p + h->parts_size;
	tn_map_view(entries, stored);
	entries->data = stored->data + entries_at(h);
	entries->size = (size_t)h->entries_size;
	return parts(trace, &s) && !s.failed && s.p == s.end && !tn_map_torn(stored);
}

bool
tn_stored_scan_load(struct tn_trace *trace, const struct tn_map *file, tn_scan_parts_fn *parts, struct tn_map *stored,
		    struct tn_map *entries)
{
	struct tn_str path = { 0 }, key = { 0 };
	struct tn_index_store *store = begin(trace, file, &path, &key);
	bool good = store && tn_index_store_open(stored, path.text) && is_sound(stored, &key) &&
		    take(trace, parts, stored, entries);

	if (good) {
		tn_index_store_used(path.text);
	} else {
		*entries = (struct tn_map) { 0 };
		tn_map_release(stored);
	}
	tn_str_release(&path);
	tn_str_release(&key);
	tn_index_store_free(store);
	return good;
}

struct writing {
	struct head head;
	const struct tn_str *front;	/* key and parts, before the entries */
	const struct tn_map *entries;
};

static bool
write_scan(void *user, FILE *out)
{
	const struct writing *w = user;

	return fwrite(&w->head, sizeof w->head, 1, out) == 1 && fwrite(w->front->text, 1, w->front->n, out) == w->front->n &&
	       (!w->entries->size || fwrite(w->entries->data, w->entries->size, 1, out) == 1);
}

void
tn_stored_scan_save(struct tn_trace *trace, const struct tn_map *file, tn_scan_parts_fn *parts, const struct tn_map *entries)
{
	static const char zeros[PAGE];
	struct tn_scan_parts s = { .arena = &trace->arena };
	struct tn_str path = { 0 }, key = { 0 };
	struct tn_index_store *store = begin(trace, file, &path, &key);
	struct writing w = { .head.magic = MAGIC, .front = &s.out, .entries = entries };

	if (store) {
		tn_str_add(&s.out, key.text, key.n);
		s.failed |= !parts(trace, &s);
		w.head.key_size = key.n;
		w.head.parts_size = s.out.n - key.n;
		w.head.entries_size = entries->size;
		tn_str_add(&s.out, zeros, entries_at(&w.head) - sizeof w.head - s.out.n);
	}
	if (store && !s.failed && !s.out.failed && sizeof w.head + s.out.n + entries->size <= MOST_BYTES && !tn_map_torn(file)) {
		uint64_t sum = tn_sum_bytes(9, s.out.text, s.out.n);

		/* The checksum treats both parts as one piece of bytes, as in the file. */
		w.head.sum = tn_sum_bytes(sum, entries->data, entries->size);
		tn_index_store_put(store, path.text, write_scan, &w);
		tn_index_store_shrink(store);
	}
	tn_str_release(&s.out);
	tn_str_release(&path);
	tn_str_release(&key);
	tn_index_store_free(store);
}
