/*
 * stored_index.c - the stored index and the stored digest of a trace, with wrong contents and right checksums
 *
 * The trace exists in a folder as long as the process. Its stored files are made once, and then written again
 * with the input over all but the key. The first byte selects the checksums that are made right. A part with a
 * wrong checksum counts as missing: then the answers are those of the trace.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/query.h>

#include "base/folder.h"
#include "base/hash.h"
#include "base/ways.h"
#include "fuzz/targets.h"
#include "digest/digest.h"
#include "index/packet_index.h"

/* As in index/index_cache.c. */
struct head { uint64_t magic, entry_size, sum, key_size, n_parts, n_sums, n_entries; };
struct part { uint64_t first_sum, first_entry, n; };

static char place[64], trace[80], file[160];
static uint8_t *sound;		/* the stored files of tnav */
static size_t sound_size;

static void
spew(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || close(fd) != 0)
		abort();
}

/* The only file of its kind in the cache. */
static void
find_file(const char *suffix)
{
	char folder[96];
	struct dirent *e;
	DIR *dir;

	snprintf(folder, sizeof folder, "%s/cache/tnav", place);
	dir = opendir(folder);
	while (dir && (e = readdir(dir)))
		if (strstr(e->d_name, suffix))
			snprintf(file, sizeof file, "%.90s/%.60s", folder, e->d_name);
	if (!dir || !*file)
		abort();
	closedir(dir);
}

static void
clean_up(void)
{
	tn_remove_folder(place);
}

/* The trace; then what is stored of it when that was done. */
static void
begin(const char *suffix, void (*ask)(void))
{
	static uint8_t stream[32 * 128];
	char path[160];
	FILE *f;

	snprintf(place, sizeof place, "%s", fuzz_make_folder());
	atexit(clean_up);
	snprintf(trace, sizeof trace, "%s/trace", place);
	snprintf(path, sizeof path, "%s/cache", place);
	if (mkdir(trace, 0700) < 0 || mkdir(path, 0700) < 0)
		abort();
	setenv("XDG_CACHE_HOME", path, 1);
	snprintf(path, sizeof path, "%s/metadata", trace);
	spew(path, fuzz_metadata, strlen(fuzz_metadata));
	for (size_t i = 0; i < sizeof stream; i += 128) {
		uint8_t *p = stream + i;
		uint64_t begins = 1000 + i * 10, ends = begins + 900;
		uint32_t bits = 128 * 8, content = 8 * (31 + 6 * 15);

		memcpy(p, "\xc1\x1f\xfc\xc1\0", 5);	/* then: times, sizes, discarded, number; six events `numbers` of time 0 */
		memcpy(p + 5, &begins, 8);
		memcpy(p + 13, &ends, 8);
		memcpy(p + 21, &content, 4);
		memcpy(p + 25, &bits, 4);
		p[30] = (uint8_t)(i / 128);
		for (size_t k = 0; k < 6; k++) {
			p[31 + 15 * k + 5] = (uint8_t)(i / 512);	/* a */
			p[31 + 15 * k + 7] = (uint8_t)(k + i / 256);	/* c */
		}
	}
	snprintf(path, sizeof path, "%s/s", trace);
	spew(path, stream, sizeof stream);
	ask();
	find_file(suffix);
	f = fopen(file, "rb");
	sound = malloc(1 << 20);
	sound_size = f && sound ? fread(sound, 1, 1 << 20, f) : 0;
	if (sound_size < sizeof(struct head) || fclose(f) != 0)
		abort();
}

static void
read_with_store(void)
{
	fuzz_ways = TN_WAYS_STORE;
	fuzz_read_stored(trace);
	fuzz_ways = 0;
}

/* Checksums of the blocks, as far as they fit. */
static void
sum_blocks(const struct part *part, size_t n_parts, uint64_t *sums, size_t n_sums, const struct tn_packet *entries,
	   size_t n_entries)
{
	for (size_t i = 0; i < n_parts; i++)
		for (uint64_t k = 0; k < part[i].n; k += TN_INDEX_BLOCK) {
			uint64_t first = part[i].first_entry + k, n = part[i].n - k, to = part[i].first_sum + k / TN_INDEX_BLOCK;

			n = n < TN_INDEX_BLOCK ? n : TN_INDEX_BLOCK;
			if (part[i].first_entry > n_entries || part[i].n > n_entries - part[i].first_entry || part[i].first_sum > n_sums ||
			    to >= n_sums || first + n > n_entries)
				return;
			sums[to] = tn_index_sum(entries + first, (size_t)n);
		}
}

void
fuzz_stored_index(const uint8_t *data, size_t n)
{
	struct head *head;
	size_t key, rest, size, before;
	uint8_t *bytes, *body;
	unsigned how = n ? data[0] : 0;

	if (!sound)
		begin(".index", read_with_store);
	key = sizeof *head + ((((const struct head *)sound)->key_size + 7) & ~(size_t)7);
	rest = sound_size - key;
	/* The input replaces the bytes after the key, and the three numbers of the head. */
	size = sound_size + (how & 4 && n > 25 + rest ? n - 25 - rest : 0);
	bytes = calloc(1, size + 8);
	if (!bytes)
		abort();
	memcpy(bytes, sound, sound_size);
	head = (struct head *)bytes;
	body = bytes + key;
	for (size_t i = 1; i < n && i < 25; i++)
		((uint8_t *)&head->n_parts)[i - 1] ^= data[i];
	for (size_t i = 25; i < n && i - 25 < size - key; i++)
		body[i - 25] ^= data[i];
	if (!(how & 8))		/* the numbers fit the size */
		head->n_parts = ((const struct head *)sound)->n_parts, head->n_sums = ((const struct head *)sound)->n_sums,
		head->n_entries = (size - key - head->n_parts * sizeof(struct part) - head->n_sums * 8) / sizeof(struct tn_packet);
	before = head->n_parts < 100 && head->n_sums < 10000 ?
		(size_t)(head->n_parts * sizeof(struct part) + head->n_sums * 8) : size;
	if (!(how & 8))
		size = key + before + (size_t)head->n_entries * sizeof(struct tn_packet);
	if (before <= size - key) {
		if (!(how & 1))
			sum_blocks((const struct part *)body, head->n_parts, (uint64_t *)(body + head->n_parts * sizeof(struct part)),
				   head->n_sums, (const struct tn_packet *)(body + before), (size - key - before) / sizeof(struct tn_packet));
		head->sum = 0;
		if (!(how & 2))
			head->sum = tn_sum_bytes(tn_sum_bytes(3, head, sizeof *head), head + 1, key - sizeof *head + before);
	}
	spew(file, bytes, size);
	free(bytes);
	read_with_store();
}

/* ---- the digest ---- */

/* As in digest/digest_file.c. */
struct digest_head { uint64_t magic, sum, key_size, n_streams, packets_sum, n_columns, names_size, columns_size; };
struct column { uint64_t kind, name, used, at, size, sum; };

static const char *const questions[] = {
	"a == 0", "a > 0", "name == numbers and c < 5", "name == numbers", "name == text", "cpu == 0 or f > 1", "c == 7",
};
#define QUESTIONS (sizeof questions / sizeof *questions)

static uint64_t answer[QUESTIONS];	/* the last reported number of passing events */

/* Each question twice: a field is learnt by the second one. */
static void
ask_all(void)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS };
	const char *path = trace;
	struct tn_set *set;

	fuzz_ways = TN_WAYS_STORE;
	if (tn_set_open(&set, &path, 1, &how, NULL) != TN_OK)
		abort();
	for (size_t i = 0; i < 2 * QUESTIONS; i++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
		struct tn_filter *filter;

		if (tn_filter_new(&filter, set, NULL) != TN_OK || tn_filter_add(filter, questions[i / 2], NULL) != TN_OK)
			abort();
		o.filter = filter;
		if (tn_scan(set, &o, &answer[i / 2], NULL) < 0)
			abort();
		tn_filter_free(filter);
	}
	tn_set_close(set);
	fuzz_ways = 0;
}

/* Checksums of the columns, as far as they are in the file. */
static void
sum_columns(struct column *c, size_t n, const uint8_t *columns, size_t size)
{
	for (size_t i = 0; i < n; i++)
		if (c[i].size <= size && c[i].at <= size - c[i].size)
			c[i].sum = tn_sum_bytes(TN_COLUMN_FIELD, columns + c[i].at, (size_t)c[i].size);
}

/* Bits of the first byte: 1 the sum of the head is left wrong, 2 those of the columns are, 4 the numbers need not fit. */
void
fuzz_stored_digest(const uint8_t *data, size_t n)
{
	static uint64_t want[QUESTIONS];
	struct digest_head *head;
	size_t front, rest, used;
	unsigned how = n ? data[0] : 0;
	uint8_t *bytes, *body;

	if (!sound) {
		begin(TN_DIGEST_SUFFIX, ask_all);
		memcpy(want, answer, sizeof want);
	}
	head = (struct digest_head *)sound;
	front = sizeof *head + (((size_t)head->key_size + 7) & ~(size_t)7) + (size_t)head->n_streams * 8;
	rest = sound_size - front;
	bytes = malloc(sound_size);
	if (!bytes)
		abort();
	memcpy(bytes, sound, sound_size);
	head = (struct digest_head *)bytes;
	body = bytes + front;
	for (size_t i = 1; i < n && i < 25; i++)
		((uint8_t *)&head->n_columns)[i - 1] ^= data[i];
	for (size_t i = 25; i < n && i - 25 < rest; i++)
		body[i - 25] ^= data[i];
	if (!(how & 4)) {
		head->n_columns %= rest / sizeof(struct column) + 1;
		head->names_size = head->names_size % (rest - head->n_columns * sizeof(struct column) + 1) & ~(uint64_t)7;
		head->columns_size = rest - head->n_columns * sizeof(struct column) - head->names_size;
	}
	if (head->n_columns <= rest / sizeof(struct column) && head->names_size <= rest) {
		used = (size_t)head->n_columns * sizeof(struct column) + (size_t)head->names_size;
		if (!(how & 2) && used <= rest)
			sum_columns((struct column *)body, (size_t)head->n_columns, body + used, rest - used);
		if (used <= rest)
			head->sum = tn_sum_bytes(1, &head->key_size, front + used - 2 * sizeof(uint64_t)) ^ (how & 1);
	}
	spew(file, bytes, sound_size);
	free(bytes);
	ask_all();
	if (how & 1 && memcmp(answer, want, sizeof want) != 0) {
		fprintf(stderr, "a digest with a wrong sum was believed\n");
		abort();
	}
}
