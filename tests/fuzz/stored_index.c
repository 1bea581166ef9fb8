/*
 * stored_index.c - the stored index of a trace, made wrong with sums that are right
 *
 * The trace lies in a folder for as long as the process lives; what is stored of it is made once, and then written
 * again with the input over all that is not the key. The first byte says which sums are made to fit.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/hash.h"
#include "base/ways.h"
#include "fuzz/targets.h"
#include "index/packet_index.h"

/* As in index/index_cache.c. */
struct head { uint64_t magic, entry_size, sum, key_size, n_parts, n_sums, n_entries; };
struct part { uint64_t first_sum, first_entry, n; };

static char place[64], trace[80], file[160];
static uint8_t *sound;		/* what tnav has stored */
static size_t sound_size;

static void
spew(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || close(fd) != 0)
		abort();
}

/* The only file in the cache. */
static void
find_file(void)
{
	char folder[96];
	struct dirent *e;
	DIR *dir;

	snprintf(folder, sizeof folder, "%s/cache/tnav", place);
	dir = opendir(folder);
	while (dir && (e = readdir(dir)))
		if (strstr(e->d_name, ".index"))
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

static void
begin(void)
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
		uint32_t bits = 128 * 8;

		memcpy(p, "\xc1\x1f\xfc\xc1\0", 5);	/* then: times, sizes, discarded, number; an event `numbers` of time 5 */
		memcpy(p + 5, &begins, 8);
		memcpy(p + 13, &ends, 8);
		memcpy(p + 21, &bits, 4);
		memcpy(p + 25, &bits, 4);
		p[30] = (uint8_t)(i / 128);
	}
	snprintf(path, sizeof path, "%s/s", trace);
	spew(path, stream, sizeof stream);
	fuzz_ways = TN_WAYS_STORE;
	fuzz_read_stored(trace);
	fuzz_ways = 0;
	find_file();
	f = fopen(file, "rb");
	sound = malloc(1 << 20);
	sound_size = f && sound ? fread(sound, 1, 1 << 20, f) : 0;
	if (sound_size < sizeof(struct head) || fclose(f) != 0)
		abort();
}

/* Sums of the blocks, as far as there is room for them. */
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
		begin();
	key = sizeof *head + ((((const struct head *)sound)->key_size + 7) & ~(size_t)7);
	rest = sound_size - key;
	/* The input lies over what is behind the key, and over the three numbers of the head. */
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
	fuzz_ways = TN_WAYS_STORE;
	fuzz_read_stored(trace);
	fuzz_ways = 0;
}
