#include <fcntl.h>
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mapfile.h"

#define SIZE 4000123	/* the system counts pages with an error of a few hundred KiB */

/* Pages of this process that are mapped to files, in KiB; those of a tmpfs are counted as shared memory. */
static long
mapped_kib(void)
{
	char line[200];
	long file = -1, shared = 0;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof line, f)) {
		sscanf(line, "RssFile: %ld", &file);
		sscanf(line, "RssShmem: %ld", &shared);
	}
	if (f)
		fclose(f);
	return file < 0 ? -1 : file + shared;
}

static uint64_t
sum(const struct tn_map *map)
{
	uint64_t s = 0;

	for (size_t i = 0; i < map->size; i++)
		s = s * 31 + map->data[i];
	return s;
}

/* Pages that were passed are given back, and are there again when they are read. */
Test(mapfile, passed_pages_come_back)
{
	static const struct { uint64_t from, to; } range[] = {
		{ 0, SIZE }, { 1, SIZE - 1 }, { 5000, 5001 }, { 4096, 8192 }, { 8192, 4096 }, { 0, 0 },
		{ SIZE, SIZE }, { 0, UINT64_MAX }, { UINT64_MAX - 10, 5 },
	};
	char path[] = "/tmp/test_mapfile.XXXXXX";
	int fd = mkstemp(path);
	struct tn_map map;
	struct tn_error err;
	uint8_t *bytes = malloc(SIZE);
	uint64_t before;
	long kib;

	cr_assert(fd >= 0 && bytes);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (uint8_t)(i * 7 + i / 256);
	cr_assert_eq(write(fd, bytes, SIZE), SIZE);
	close(fd);
	cr_assert_eq(tn_map_open(&map, path, &err), TN_OK, "%s", err.text);
	before = sum(&map);
	kib = mapped_kib();
	tn_map_pass(&map, 0, SIZE);
	if (kib >= 0)	/* else there is no such file */
		cr_assert_leq(mapped_kib(), kib - SIZE / 1024 / 2, "still %ld KiB of %ld", mapped_kib(), kib);
	for (size_t i = 0; i < TN_COUNT(range); i++) {
		tn_map_pass(&map, range[i].from, range[i].to);
		cr_assert_eq(sum(&map), before, "range %zu", i);
	}
	cr_assert_not(tn_map_torn(&map));
	tn_map_release(&map);
	unlink(path);
	free(bytes);
}

/* Copied bytes are not the system's to give again. */
Test(mapfile, copied_bytes_stay)
{
	static const char text[] = "not from a file";
	struct tn_map map;
	struct tn_error err;

	cr_assert_eq(tn_map_memory(&map, text, sizeof text, &err), TN_OK);
	tn_map_pass(&map, 0, sizeof text);
	cr_assert_str_eq((const char *)map.data, text);
	tn_map_release(&map);
}

/* Holes of a file are skipped; another file of that name, or one that was cut, gives no holes. */
Test(mapfile, holes_are_skipped)
{
	/* Larger files are refused where addresses have 32 bits. */
	const uint64_t size = (uint64_t)1 << (sizeof(size_t) > 4 ? 30 : 28), data = size / 2;
	char path[] = "/tmp/test_mapfile.XXXXXX", other[] = "/tmp/test_mapfile.XXXXXX";
	int fd = mkstemp(path), second = mkstemp(other);
	struct tn_map map;
	struct tn_error err;

	cr_assert(fd >= 0 && second >= 0);
	cr_assert_eq(ftruncate(fd, (off_t)size), 0);
	cr_assert_eq(pwrite(fd, "x", 1, (off_t)data), 1);
	cr_assert_eq(tn_map_open(&map, path, &err), TN_OK, "%s", err.text);
	cr_assert(tn_map_skip_hole(&map, path, 100) > 100 && tn_map_skip_hole(&map, path, 100) <= data);
	cr_assert_eq(tn_map_skip_hole(&map, path, data), data);
	cr_assert_eq(tn_map_skip_hole(&map, path, size - 1), size);
	cr_assert_eq(tn_map_skip_hole(&map, path, size), size);
	cr_assert_eq(tn_map_skip_hole(&map, other, 100), 100);
	cr_assert_eq(tn_map_skip_hole(&map, "/no/such/file", 100), 100);
	cr_assert_eq(ftruncate(fd, (off_t)size - 1), 0);
	cr_assert_eq(tn_map_skip_hole(&map, path, 100), 100);
	tn_map_release(&map);
	close(fd);
	close(second);
	unlink(path);
	unlink(other);
}

/* A look into the file: what is there, and only while it is the file that was mapped. */
Test(mapfile, peek)
{
	char path[] = "/tmp/test_mapfile.XXXXXX", other[sizeof path + 2];
	int fd = mkstemp(path);
	struct tn_map map, memory;
	struct tn_peek peek;
	struct tn_error err;
	uint8_t bytes[3000];

	snprintf(other, sizeof other, "%s.2", path);
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i % 251);
	cr_assert(fd >= 0 && write(fd, bytes, sizeof bytes) == sizeof bytes);
	cr_assert_eq(tn_map_open(&map, path, &err), TN_OK, "%s", err.text);
	cr_assert(tn_peek_open(&peek, &map, path));
	cr_assert_eq(tn_peek_at(&peek, 10), TN_PEEK_BYTES);
	cr_assert_arr_eq(peek.bytes, bytes + 10, TN_PEEK_BYTES);
	cr_assert_eq(tn_peek_at(&peek, 2990), 10);
	cr_assert_arr_eq(peek.bytes, bytes + 2990, 10);
	cr_assert_eq(tn_peek_at(&peek, 3000), 0);
	cr_assert_eq(tn_peek_at(&peek, UINT64_MAX), 0);
	tn_peek_close(&peek);

	cr_assert_eq(ftruncate(fd, 2999), 0);
	cr_assert_not(tn_peek_open(&peek, &map, path), "it is shorter now");
	cr_assert_eq(ftruncate(fd, 3000), 0);
	cr_assert_eq(rename(path, other), 0);
	cr_assert_not(tn_peek_open(&peek, &map, path), "it is gone");
	close(fd);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	cr_assert(fd >= 0 && write(fd, bytes, sizeof bytes) == sizeof bytes);
	cr_assert_not(tn_peek_open(&peek, &map, path), "it is another one");
	close(fd);
	tn_map_release(&map);
	unlink(path);
	unlink(other);

	cr_assert_eq(tn_map_memory(&memory, bytes, sizeof bytes, &err), TN_OK);
	cr_assert_not(tn_peek_open(&peek, &memory, "x"));
	tn_map_release(&memory);
}

/* The lost part of a page in which a file was cut reads as zeros, without a signal: the last page shows it. */
Test(mapfile, a_cut_is_seen_before_a_lost_page_is_read)
{
	static uint8_t bytes[70000];
	char path[] = "/tmp/test_mapfile.XXXXXX";
	int fd = mkstemp(path);
	struct tn_map map, memory;
	struct tn_error err;

	memset(bytes, 7, sizeof bytes);
	cr_assert(fd >= 0 && write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
	cr_assert_eq(tn_map_open(&map, path, &err), TN_OK, "%s", err.text);
	cr_assert_not(tn_map_cut(&map));
	cr_assert_eq(ftruncate(fd, 1), 0);
	cr_assert_eq(map.data[1], 0);
	cr_assert_not(tn_map_torn(&map));
	cr_assert(tn_map_cut(&map));
	cr_assert(tn_map_torn(&map));
	tn_map_release(&map);
	close(fd);
	unlink(path);

	cr_assert_eq(tn_map_memory(&memory, bytes, sizeof bytes, &err), TN_OK);
	cr_assert_not(tn_map_cut(&memory));
	tn_map_release(&memory);
}

/* Where no file can be opened, there is none for a while either. */
Test(mapfile, no_temporary_file)
{
	struct rlimit limit;
	struct tn_error err = { 0 };
	struct tn_map map;
	int fd = 77;

	cr_assert_eq(tn_map_scratch(&map, &fd, 4096, &err), TN_OK, "%s", err.text);
	cr_assert_eq(pwrite(fd, "x", 1, 4095), 1);
	cr_assert_eq(map.data[4095], 'x');
	tn_map_release(&map);
	cr_assert_eq(close(fd), 0);
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = 0;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	cr_expect_eq(tn_map_scratch(&map, &fd, 4096, &err), TN_ERR_SYSTEM);
	limit.rlim_cur = limit.rlim_max;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	cr_expect_str_eq(err.text, "cannot make a temporary file: Too many open files");
	cr_expect(!map.data && !map.size);
}
