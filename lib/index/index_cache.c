/*
 * index_cache.c - the files under $XDG_CACHE_HOME/tnav
 *
 * A file is written and read on one machine by one version of the program: words are in its byte
 * order, entries as they are in memory. Its parts, each aligned to 8 bytes:
 *
 *	struct head		with a checksum of all but the entries
 *	the key			the origin of the entries; compared byte by byte
 *	struct part		one a stream of the trace
 *	checksums		of the blocks of entries, stream after stream
 *	entries			stream after stream
 */
#include <config.h>

#include "index/index_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/meaning.h"
#include "base/str.h"
#include "base/ways.h"
#include "index/key.h"
#include "index/packet_index.h"

#define MAGIC TN_MEANING_MAGIC(0, TN_MEANING_INDEX)
#define TRACE_BYTES ((uint64_t)16 << 20)
#define FOLDER_BYTES ((uint64_t)256 << 20)
#define SUFFIX ".index"

struct head {
	uint64_t magic;
	uint64_t entry_size;
	uint64_t sum;		/* checksum of the file up to the entries, computed with 0 in this member */
	uint64_t key_size;	/* size of the key without the padding */
	uint64_t n_parts;
	uint64_t n_sums;
	uint64_t n_entries;
};

struct part {
	uint64_t first_sum;	/* indices of its first checksum and its first entry */
	uint64_t first_entry;
	uint64_t n;		/* number of entries */
};

struct tn_index_store {
	struct tn_str folder;
	uint64_t trace_bytes, folder_bytes;
	struct tn_map *map;	/* one for each trace; zeroed if nothing is stored */
	size_t n_maps;
};

/* ---- names and keys ---- */

static uint64_t
trace_bytes(const struct tn_trace *t)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < t->n_streams; i++)
		bytes += t->stream[i]->size;
	return bytes;
}

/* The name depends only on the trace, and does not change when its files do. */
void
tn_index_store_name(struct tn_str *name, const struct tn_index_store *store, const struct tn_trace *t,
		    const char *suffix)
{
	char *path = realpath(t->path, NULL);
	const char *whole = path ? path : t->path;
	uint64_t sum = tn_sum_bytes(2, whole, strlen(whole));

	sum = tn_sum_bytes(sum, t->ops->name, strlen(t->ops->name));
	sum = tn_sum_bytes(sum, &t->options->no_index_files, sizeof t->options->no_index_files);
	tn_str_printf(name, "%s/%016" PRIx64 "%s", store->folder.text, sum, suffix);
	free(path);
}

void
tn_index_store_path(struct tn_str *path, const struct tn_index_store *store, const char *name)
{
	tn_str_printf(path, "%s/%s", store->folder.text, name);
}

bool
tn_index_store_open(struct tn_map *map, const char *path)
{
	return tn_map_open(map, path, NULL) == TN_OK && map->owner == geteuid();
}

void
tn_index_store_used(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}

uint64_t
tn_index_store_least(const struct tn_index_store *store)
{
	return store->trace_bytes;
}

bool
tn_index_store_takes(const struct tn_index_store *store, const struct tn_trace *t)
{
	/* Times that the user shifted are not stored. */
	return trace_bytes(t) >= store->trace_bytes && (!t->n_clocks || t->clock[0]->shift_ns == 0) && tn_key_is_known(t);
}

/* ---- reading ---- */

static uint64_t
sum_of(const struct head *head, const uint8_t *rest, size_t n)
{
	struct head h = *head;

	h.sum = 0;
	return tn_sum_bytes(tn_sum_bytes(3, &h, sizeof h), rest, n);
}

/* Find the parts of a stored file, if it is valid and belongs to the trace in its current state. */
static const struct part *
check_file(const struct tn_map *map, const struct tn_str *key, size_t n_streams, const uint64_t **sums,
	   const struct tn_packet **entries)
{
	const struct head *head = (const struct head *)map->data;
	const struct part *part;
	size_t before;	/* size of the parts before the entries, without the head */

	if (map->size < sizeof *head || head->magic != MAGIC || head->entry_size != sizeof(struct tn_packet))
		return NULL;
	if (head->key_size != key->n || head->n_parts != n_streams || head->n_sums > map->size / sizeof **sums ||
	    head->n_entries > map->size / sizeof **entries)
		return NULL;
	before = tn_align_up(key->n, 8) + n_streams * sizeof *part + (size_t)head->n_sums * sizeof **sums;
	if (map->size != sizeof *head + before + (size_t)head->n_entries * sizeof **entries ||
	    memcmp(head + 1, key->text, key->n) != 0 ||
	    sum_of(head, (const uint8_t *)(head + 1), before) != head->sum)
		return NULL;
	part = (const struct part *)((const uint8_t *)(head + 1) + tn_align_up(key->n, 8));
	*sums = (const uint64_t *)(part + n_streams);
	*entries = (const struct tn_packet *)(*sums + head->n_sums);
	for (size_t i = 0; i < n_streams; i++)
		if (part[i].first_entry > head->n_entries || part[i].n > head->n_entries - part[i].first_entry ||
		    part[i].first_sum > head->n_sums ||
		    (part[i].n + TN_INDEX_BLOCK - 1) / TN_INDEX_BLOCK > head->n_sums - part[i].first_sum)
			return NULL;
	return part;
}

static void
load_trace(const struct tn_index_store *store, struct tn_trace *t, struct tn_map *map)
{
	struct tn_str key = { 0 }, name = { 0 };
	const struct tn_packet *entries;
	const struct part *part = NULL;
	const uint64_t *sums;

	tn_key_put(&key, t);
	tn_index_store_name(&name, store, t, SUFFIX);
	if (!key.failed && !name.failed && tn_index_store_open(map, name.text))
		part = check_file(map, &key, t->n_streams, &sums, &entries);
	for (size_t i = 0; part && i < t->n_streams; i++)
		tn_index_adopt(t->stream[i], entries + part[i].first_entry, sums + part[i].first_sum,
			       (size_t)part[i].n, map);
	if (part)
		tn_index_store_used(name.text);
	else
		tn_map_release(map);
	tn_str_release(&key);
	tn_str_release(&name);
}

static bool
find_folder(struct tn_str *folder)
{
	char *path = tn_cache_folder();

	if (path)
		tn_str_puts(folder, path);
	free(path);
	return folder->n && !folder->failed;
}

struct tn_index_store *
tn_index_store_new(const struct tn_index_store_options *options)
{
	struct tn_index_store *store = calloc(1, sizeof *store);

	if (!store)
		return NULL;
	store->trace_bytes = options ? options->trace_bytes : tn_ways() & TN_WAYS_STORE ? 0 : TRACE_BYTES;
	store->folder_bytes = options ? options->folder_bytes : FOLDER_BYTES;
	if (options)
		tn_str_puts(&store->folder, options->folder);
	if (options || find_folder(&store->folder))
		return store;
	tn_index_store_free(store);
	return NULL;
}

struct tn_index_store *
tn_index_store_load(struct tn_set *set, const struct tn_index_store_options *options)
{
	struct tn_index_store *store = tn_index_store_new(options);

	if (!store)
		return NULL;
	if (!(store->map = calloc(set->n_traces ? set->n_traces : 1, sizeof *store->map))) {
		tn_index_store_free(store);
		return NULL;
	}
	store->n_maps = set->n_traces;
	for (size_t i = 0; i < set->n_traces; i++)
		if (tn_index_store_takes(store, set->trace[i])) {
			tn_key_begin(set->trace[i]);
			if (tn_key_is_known(set->trace[i]))
				load_trace(store, set->trace[i], &store->map[i]);
		}
	return store;
}

void
tn_index_store_free(struct tn_index_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < store->n_maps; i++)
		tn_map_release(&store->map[i]);
	free(store->map);
	tn_str_release(&store->folder);
	free(store);
}

/* ---- writing ---- */

static bool
put(FILE *file, const void *bytes, size_t n)
{
	return n == 0 || fwrite(bytes, 1, n, file) == n;
}

/* Write the entries that are known now, in pieces. */
static bool
put_entries(FILE *file, struct tn_stream *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tn_packet entry;

		if (tn_index_get(s, i, &entry, NULL, NULL) != TN_OK || !put(file, &entry, sizeof entry))
			return false;
	}
	return true;
}

static bool
sum_blocks(struct tn_stream *s, size_t n, uint64_t *sums)
{
	struct tn_packet block[TN_INDEX_BLOCK];

	for (size_t first = 0; first < n; first += TN_INDEX_BLOCK) {
		size_t in_block = n - first < TN_INDEX_BLOCK ? n - first : TN_INDEX_BLOCK;

		for (size_t i = 0; i < in_block; i++)
			if (tn_index_get(s, first + i, &block[i], NULL, NULL) != TN_OK)
				return false;
		sums[first / TN_INDEX_BLOCK] = tn_index_sum(block, in_block);
	}
	return true;
}

/* Make the tables between the head and the entries from known numbers. */
static bool
make_tables(struct tn_str *out, const struct tn_trace *t, struct head *head)
{
	struct part *part = calloc(t->n_streams, sizeof *part);
	uint64_t *sums = NULL;
	bool ok = part != NULL;

	tn_key_put(out, t);
	head->key_size = out->n;
	tn_str_add(out, "\0\0\0\0\0\0\0", tn_align_up(out->n, 8) - out->n);
	for (size_t i = 0; ok && i < t->n_streams; i++) {
		size_t n = 0;

		ok = tn_index_complete(t->stream[i], &n, NULL) == TN_OK;
		part[i] = (struct part) { head->n_sums, head->n_entries, n };
		head->n_sums += (n + TN_INDEX_BLOCK - 1) / TN_INDEX_BLOCK;
		head->n_entries += n;
	}
	ok = ok && (sums = calloc((size_t)head->n_sums + 1, sizeof *sums));
	for (size_t i = 0; ok && i < t->n_streams; i++)
		ok = sum_blocks(t->stream[i], (size_t)part[i].n, sums + part[i].first_sum);
	if (ok) {
		tn_str_add(out, part, t->n_streams * sizeof *part);
		tn_str_add(out, sums, (size_t)head->n_sums * sizeof *sums);
	}
	free(part);
	free(sums);
	return ok && !out->failed;
}

static bool
write_index(void *user, FILE *file)
{
	const struct tn_trace *t = user;
	struct head head = { .magic = MAGIC, .entry_size = sizeof(struct tn_packet), .n_parts = t->n_streams };
	struct tn_str tables = { 0 };
	bool ok;

	ok = make_tables(&tables, t, &head);
	if (ok)
		head.sum = sum_of(&head, (const uint8_t *)tables.text, tables.n);
	ok = ok && put(file, &head, sizeof head) && put(file, tables.text, tables.n);
	for (size_t i = 0; ok && i < t->n_streams; i++) {
		size_t n;

		ok = tn_index_complete(t->stream[i], &n, NULL) == TN_OK && put_entries(file, t->stream[i], n);
	}
	tn_str_release(&tables);
	return ok;
}

/* The file is first written under another name, so that a reader sees the complete old file or the complete new one. */
/* If a file exceeds its limit (ulimit -f), a signal ends the program. An optional file must not cause this. */
static bool
hold_signal(sigset_t *before)
{
	sigset_t too_large;

	sigemptyset(&too_large);
	sigaddset(&too_large, SIGXFSZ);
	return pthread_sigmask(SIG_BLOCK, &too_large, before) == 0 && !sigismember(before, SIGXFSZ);
}

static void
let_go(const sigset_t *before)
{
	const struct timespec now = { 0 };
	sigset_t too_large;

	sigemptyset(&too_large);
	sigaddset(&too_large, SIGXFSZ);
	while (sigtimedwait(&too_large, NULL, &now) > 0)
		;
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

void
tn_index_store_put(const struct tn_index_store *store, const char *path, bool (*write)(void *user, FILE *file), void *user)
{
	struct tn_str draft = { 0 };
	sigset_t before;
	FILE *file = NULL;
	int fd = -1;
	bool ok, held = hold_signal(&before);

	(void)!tn_make_folders(store->folder.text, 0700);
	tn_str_printf(&draft, "%s.%ld.new", path, (long)getpid());
	if (!draft.failed)
		fd = open(draft.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0 && !(file = fdopen(fd, "wb")))
		close(fd);
	ok = file && write(user, file);
	if (file && fclose(file) != 0)
		ok = false;
	if (fd >= 0 && (!ok || rename(draft.text, path) != 0))
		unlink(draft.text);
	if (held)
		let_go(&before);
	tn_str_release(&draft);
}

static bool
has_news(const struct tn_trace *t)
{
	bool news = false;

	for (size_t i = 0; i < t->n_streams; i++) {
		if (!tn_index_is_complete(t->stream[i]))
			return false;
		news |= tn_index_has_news(t->stream[i]);
	}
	return news;
}

/* ---- the folder ---- */

struct stored {
	char *name;
	uint64_t bytes;
	int64_t used_ns;
};

static int
by_age(const void *a, const void *b)
{
	const struct stored *x = a, *y = b;

	if (x->used_ns != y->used_ns)
		return x->used_ns < y->used_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* Whether this program made the file. Drafts that killed programs left count, too. */
static bool
is_ours(const char *name)
{
	return ends_with(name, SUFFIX) || ends_with(name, TN_DIGEST_SUFFIX) || ends_with(name, TN_ANSWER_SUFFIX) ||
	       ends_with(name, TN_SCAN_SUFFIX) ||
	       ends_with(name, ".new");
}

void
tn_index_store_shrink_some(const struct tn_index_store *store, const char *prefix, const char *suffix, uint64_t most_bytes)
{
	TN_ARRAY(struct stored) all = { 0 };
	DIR *dir = opendir(store->folder.text);
	uint64_t bytes = 0;
	struct dirent *entry;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		struct stored *stored;
		struct stat st;

		if (!is_ours(entry->d_name) || strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
		    !ends_with(entry->d_name, suffix))
			continue;
		if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
			continue;
		stored = TN_ARRAY_ADD(&all);
		if (!stored || !(stored->name = strdup(entry->d_name))) {
			all.n -= stored != NULL;
			break;
		}
		stored->bytes = (uint64_t)st.st_size;
		stored->used_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
		bytes += stored->bytes;
	}
	if (all.n)
		qsort(all.item, all.n, sizeof *all.item, by_age);
	for (size_t i = 0; i < all.n; i++) {
		if (bytes > most_bytes && unlinkat(dirfd(dir), all.item[i].name, 0) == 0)
			bytes -= all.item[i].bytes;
		free(all.item[i].name);
	}
	TN_ARRAY_RELEASE(&all);
	closedir(dir);
}

void
tn_index_store_shrink(const struct tn_index_store *store)
{
	tn_index_store_shrink_some(store, "", "", store->folder_bytes);
}

void
tn_index_store_save(struct tn_index_store *store, struct tn_set *set, const bool *skip)
{
	bool saved = false;

	for (size_t i = 0; i < set->n_traces; i++) {
		struct tn_trace *t = set->trace[i];
		struct tn_str path = { 0 };

		if (t->n_streams == 0 || (skip && skip[i]) || !tn_index_store_takes(store, t) || !has_news(t) ||
		    !tn_key_is_same(t))
			continue;
		tn_index_store_name(&path, store, t, SUFFIX);
		if (!path.failed)
			tn_index_store_put(store, path.text, write_index, t);
		tn_str_release(&path);
		saved = true;
	}
	if (saved)
		tn_index_store_shrink(store);
}
