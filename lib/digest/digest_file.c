/*
 * digest_file.c - the digest of a trace, stored beside its index
 *
 * Like the index, a file is read by the version of the program that wrote it, on the same machine. Its parts, each
 * aligned to 8 bytes:
 *
 *	struct head		with a checksum of all but the columns
 *	the key			the origin of the notes; compared byte by byte
 *	packets			their number in each stream, and the checksum of their entries
 *	struct stored		one a column
 *	names			with their ends
 *	columns			the notes of all packets, each with its size + 1 before it, 0 without a note
 *
 * A column has a checksum of its own, checked at its first use.
 */
#include <config.h>

#include "digest/digest.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/meaning.h"
#include "base/str.h"
#include "index/key.h"
#include "index/packet_index.h"

#define MAGIC TN_MEANING_MAGIC(1, TN_MEANING_DIGEST)
#define LEAST_ROOM ((uint64_t)1 << 20)
#define MOST_ROOM ((uint64_t)64 << 20)

struct head {
	uint64_t magic;
	uint64_t sum;		/* checksum of the following parts except the columns */
	uint64_t key_size;	/* size of the key without the padding */
	uint64_t n_streams;
	uint64_t packets_sum;	/* checksum of all entries of the index */
	uint64_t n_columns;
	uint64_t names_size;	/* size of the names with the padding */
	uint64_t columns_size;
};

struct stored {
	uint64_t kind;
	uint64_t name;		/* position of its name in the names */
	uint64_t used;
	uint64_t at, size;	/* position in the columns, and size */
	uint64_t sum;
};

bool
tn_digest_packets(const struct tn_trace *t, uint64_t *packets, uint64_t *sum)
{
	*sum = 0;
	for (size_t s = 0; s < t->n_streams; s++) {
		size_t n;

		if (!tn_index_is_complete(t->stream[s]) || tn_index_complete(t->stream[s], &n, NULL) != TN_OK)
			return false;
		packets[s] = n;
		for (size_t i = 0; i < n; i++) {
			struct tn_packet p;
			uint64_t words[6];

			if (tn_index_get(t->stream[s], i, &p, NULL, NULL) != TN_OK)
				return false;
			words[0] = p.offset;
			words[1] = p.size_bits;
			words[2] = p.content_bits;
			words[3] = (uint64_t)p.begin_ns;
			words[4] = (uint64_t)p.end_ns;
			words[5] = p.file;
			*sum = tn_sum_bytes(*sum, words, sizeof words);
		}
	}
	return true;
}

/*
 * The name of the trace is part of the key, because a condition can test it. It depends on the argument below which the
 * trace was found.
 */
static void
make_key(struct tn_str *key, const struct tn_trace *t)
{
	tn_key_put(key, t);
	tn_str_printf(key, "%d %d %s\n", TN_MEANING_INDEX, TN_MEANING_QUESTION, tn_trace_name(t));
}

/* ---- reading ---- */

struct file {
	const struct head *head;
	const uint64_t *packets;
	const struct stored *stored;
	const char *names;
	const uint8_t *columns;
};

/* Find the parts of the file. False: the file is damaged, or is not about the trace in its current state. */
static bool
check_file(struct file *f, const struct tn_map *map, const struct tn_str *key, size_t n_streams)
{
	const struct head *head = (const struct head *)map->data;
	size_t before;

	if (map->size < sizeof *head || head->magic != MAGIC || head->key_size != key->n || head->n_streams != n_streams)
		return false;
	if (head->n_columns > map->size / sizeof *f->stored || head->names_size > map->size || head->names_size % 8 ||
	    head->columns_size > map->size)
		return false;
	before = sizeof *head + tn_align_up(key->n, 8) + n_streams * sizeof *f->packets +
		 (size_t)head->n_columns * sizeof *f->stored + (size_t)head->names_size;
	if (map->size != before + head->columns_size || memcmp(head + 1, key->text, key->n) != 0 ||
	    tn_sum_bytes(1, &head->key_size, before - 2 * sizeof(uint64_t)) != head->sum)
		return false;
	f->head = head;
	f->packets = (const uint64_t *)(const void *)((const uint8_t *)(head + 1) + tn_align_up(key->n, 8));
	f->stored = (const struct stored *)(f->packets + n_streams);
	f->names = (const char *)(f->stored + head->n_columns);
	f->columns = map->data + before;
	return head->n_columns == 0 || (head->names_size && f->names[head->names_size - 1] == '\0');
}

static bool
take_column(struct tn_digest *d, const struct file *f, const struct stored *stored)
{
	struct tn_column *c;

	if (stored->kind > TN_COLUMN_SLICES || stored->name >= f->head->names_size || stored->size > f->head->columns_size ||
	    stored->at > f->head->columns_size - stored->size || stored->size > UINT32_MAX)
		return false;
	c = tn_digest_column(d, (enum tn_column_kind)stored->kind, f->names + stored->name, true);
	if (!c)
		return false;
	c->stored = f->columns + stored->at;
	c->stored_size = (size_t)stored->size;
	c->stored_sum = stored->sum;
	c->used = stored->used;
	if (stored->used > d->clock)
		d->clock = stored->used;
	return true;
}

/* Whether the file is about these packets. If the index is not complete yet, this is unknown, and the file is not used. */
static bool
is_of(const struct file *f, const struct tn_trace *t)
{
	uint64_t *packets = calloc(t->n_streams + 1, sizeof *packets), sum;
	bool same = packets && tn_digest_packets(t, packets, &sum) && sum == f->head->packets_sum &&
		    (!t->n_streams || memcmp(packets, f->packets, t->n_streams * sizeof *packets) == 0);

	free(packets);
	return same;
}

static void
load(struct tn_digest *d)
{
	struct tn_str key = { 0 }, name = { 0 };
	struct file f;
	bool good = false;

	if (!d->store)
		return;
	make_key(&key, d->trace);
	tn_index_store_name(&name, d->store, d->trace, TN_DIGEST_SUFFIX);
	if (!key.failed && !name.failed && tn_index_store_open(&d->map, name.text))
		good = check_file(&f, &d->map, &key, d->n_streams) && is_of(&f, d->trace);
	if (good) {
		d->packets = f.packets;
		tn_index_store_used(name.text);
	}
	for (size_t i = 0; good && i < f.head->n_columns; i++)
		good = take_column(d, &f, &f.stored[i]);
	if (!good) {
		while (d->columns.n)
			tn_digest_forget(d, d->columns.item[0]);
		tn_map_release(&d->map);
		d->map = (struct tn_map) { 0 };
	}
	d->news = false;
	tn_str_release(&key);
	tn_str_release(&name);
}

void
tn_digest_lock(struct tn_digest *d)
{
	pthread_mutex_lock(&d->lock);
	if (!d->loaded)
		load(d);
	d->loaded = true;
}

void
tn_digest_unlock(struct tn_digest *d)
{
	pthread_mutex_unlock(&d->lock);
}

struct tn_digest *
tn_digest_open(const struct tn_index_store *store, const struct tn_trace *t)
{
	struct tn_digest *d = calloc(1, sizeof *d);
	uint64_t bytes = 0;

	if (!d)
		return NULL;
	pthread_mutex_init(&d->lock, NULL);
	d->trace = t;
	d->store = store && tn_index_store_takes(store, t) ? store : NULL;
	d->n_streams = t->n_streams;
	for (size_t i = 0; i < t->n_streams; i++)
		bytes += t->stream[i]->size;
	bytes /= 100;
	d->most = (size_t)(bytes < LEAST_ROOM ? LEAST_ROOM : bytes > MOST_ROOM ? MOST_ROOM : bytes);
	return d;
}

/* ---- writing ---- */

/* Put the notes of a column into their stored form. */
static void
pack(const struct tn_digest *d, const struct tn_column *c, const uint64_t *packets, struct tn_str *out)
{
	uint8_t room[TN_VARINT_SIZE];

	if (c->stored) {
		tn_str_add(out, c->stored, c->stored_size);
		return;
	}
	for (size_t s = 0; s < d->n_streams; s++)
		for (size_t i = 0; i < packets[s]; i++) {
			struct tn_note note = tn_column_note(c, s, i);

			tn_str_add(out, room, tn_varint_put(room, note.bytes ? (uint64_t)note.n + 1 : 0));
			if (note.n)
				tn_str_add(out, note.bytes, note.n);
		}
}

struct writing {
	struct tn_digest *d;
	uint64_t *packets;
	uint64_t packets_sum;
};

static bool
write_digest(void *user, FILE *file)
{
	static const char zeros[8];
	const struct writing *w = user;
	const struct tn_digest *d = w->d;
	struct head head = { .magic = MAGIC, .n_streams = d->n_streams, .packets_sum = w->packets_sum, .n_columns = d->columns.n };
	struct stored *stored = calloc(d->columns.n + 1, sizeof *stored);
	struct tn_str before = { 0 }, names = { 0 }, columns = { 0 };
	bool ok;

	for (size_t i = 0; stored && i < d->columns.n; i++) {
		const struct tn_column *c = d->columns.item[i];

		stored[i] = (struct stored) { .kind = c->kind, .name = names.n, .used = c->used, .at = columns.n };
		pack(d, c, w->packets, &columns);
		stored[i].size = columns.n - stored[i].at;
		stored[i].sum = c->stored ? c->stored_sum
					  : tn_sum_bytes(TN_COLUMN_FIELD, tn_str_text(&columns) + stored[i].at,
							  (size_t)stored[i].size);
		tn_str_add(&names, c->name, strlen(c->name) + 1);
	}
	tn_str_add(&names, zeros, tn_align_up(names.n, 8) - names.n);
	make_key(&before, d->trace);
	head.key_size = before.n;
	tn_str_add(&before, zeros, tn_align_up(before.n, 8) - before.n);
	tn_str_add(&before, w->packets, d->n_streams * sizeof *w->packets);
	if (stored)
		tn_str_add(&before, stored, d->columns.n * sizeof *stored);
	tn_str_add(&before, tn_str_text(&names), names.n);
	head.names_size = names.n;
	head.columns_size = columns.n;
	head.sum = tn_sum_bytes(1, &head.key_size, sizeof head - 2 * sizeof(uint64_t));
	head.sum = tn_sum_bytes(head.sum, tn_str_text(&before), before.n);
	ok = stored && !before.failed && !names.failed && !columns.failed && fwrite(&head, sizeof head, 1, file) == 1 &&
	     (!before.n || fwrite(before.text, before.n, 1, file) == 1) &&
	     (!columns.n || fwrite(columns.text, columns.n, 1, file) == 1);
	free(stored);
	tn_str_release(&before);
	tn_str_release(&names);
	tn_str_release(&columns);
	return ok;
}

bool
tn_digest_save(struct tn_digest *d)
{
	struct writing w = { .d = d };
	struct tn_str path = { 0 };
	bool save;

	if (!d || !d->news || !d->store)
		return false;
	tn_digest_shrink(d);
	w.packets = calloc(d->n_streams + 1, sizeof *w.packets);
	save = w.packets && tn_key_is_same(d->trace) && tn_digest_packets(d->trace, w.packets, &w.packets_sum);
	tn_index_store_name(&path, d->store, d->trace, TN_DIGEST_SUFFIX);
	if (save && !path.failed)
		tn_index_store_put(d->store, path.text, write_digest, &w);
	tn_str_release(&path);
	free(w.packets);
	return save;
}
