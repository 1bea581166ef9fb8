/*
 * mapfile.h - a file mapped for reading, which may shrink or vanish meanwhile
 *
 * If a mapped file is cut, a read after its new end raises SIGBUS. A handler puts a page of zeros in that place
 * and marks the map as `torn`. The reader continues with zeros; decoders call tn_map_torn() before they use
 * their results. The file descriptor is closed once the file is mapped.
 *
 * At least TN_MAP_SLACK bytes after the end are readable (as zeros): a load of a whole word that begins inside
 * the file needs no check of its own.
 */
#ifndef TN_BASE_MAPFILE_H
#define TN_BASE_MAPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define TN_MAP_SLACK 64

/*
 * A file may grow while others read: the atomic members change then. A thread that reads `size` and then `data`
 * finds at least `size` bytes there.
 */
struct tn_map {
	_Atomic(size_t) size;	/* size of the file when it was mapped */
	_Atomic(const uint8_t *) data;	/* NULL when size is 0 */
	_Atomic(void *) base;	/* start of the mapping, for release */
	_Atomic(size_t) base_size;
	bool is_view;		/* a view of another map, which releases the bytes */
	_Atomic(unsigned) slot;	/* index in the table that the signal handler reads */
	uint32_t owner;		/* user */
	uint64_t device, inode;	/* identity of the file, to distinguish it from another of the same name */
	_Atomic(struct tn_map *) former;	/* after a growth: the former mapping, which readers may still use */
	int64_t mtime_ns, ctime_ns;	/* a program cannot set the second one back */
	bool settled;		/* result of tn_map_settled() at mapping */
};

/* Map the regular file at @path; TN_ERR_NOT_FOUND: no such file. */
enum tn_code tn_map_open(struct tn_map *out, const char *path, struct tn_error *err) TN_MUST_CHECK;

/*
 * Whether the times of an open file reveal every later change of it. They do not while the file is young: a
 * second change within one tick of the file system's clock leaves the times as they are. So does a write to a
 * mapped page that was written before, until the system has put the page on the disk (somewhat over 30 seconds
 * later). They never do in memory file systems, which keep no times of mapped pages.
 */
struct stat;
bool tn_map_settled(int fd, const struct stat *st);

/* Map bytes that the caller owns and keeps until release (a copy is made if they have no slack). */
enum tn_code tn_map_memory(struct tn_map *out, const void *bytes, size_t n, struct tn_error *err) TN_MUST_CHECK;

/* Make a second map of the same bytes, valid as long as @map, which releases them. */
void tn_map_view(struct tn_map *out, const struct tn_map *map);

/*
 * Map an empty file of @size bytes without a name, in the cache or among temporary files. It is for bytes that
 * are made when needed, written to *fd, and given back on release. Reads as zeros until then.
 */
enum tn_code tn_map_scratch(struct tn_map *out, int *fd, uint64_t size, struct tn_error *err) TN_MUST_CHECK;
/* Like the function above, for a file that was made with size 0 and written since. */
enum tn_code tn_map_scratch_sized(struct tn_map *out, int fd, uint64_t size, struct tn_error *err) TN_MUST_CHECK;

/*
 * Map a file that has grown to at least @size bytes. Existing mappings keep their addresses until release;
 * `data` may be another address afterwards. TN_ERR_NOT_FOUND: @path is now another file.
 */
enum tn_code tn_map_grow(struct tn_map *map, const char *path, uint64_t size, struct tn_error *err) TN_MUST_CHECK;

/* Whether a page that the file no longer has was read since it was mapped. */
bool tn_map_torn(const struct tn_map *map);

/*
 * Like tn_map_torn(), after a read of the last page: the lost part of a page in which a file was cut reads as zeros,
 * without a signal. False: all bytes read so far were those of the file, unless it was cut within its last page.
 */
bool tn_map_cut(const struct tn_map *map);

/* The expected use of the pages: single pages, or one page after another. */
enum tn_map_use { TN_MAP_RUNS, TN_MAP_SINGLE_PAGES };
void tn_map_expect(const struct tn_map *map, enum tn_map_use use);

/*
 * Bytes [from, to) were read and are unlikely to be needed again soon: stop counting their pages as ours. They
 * stay in the page cache, and a later read maps them again. Safe while other threads read.
 */
#define TN_MAP_LARGE ((uint64_t)32 << 20)	/* smaller files are not worth the effort */
void tn_map_pass(const struct tn_map *map, uint64_t from, uint64_t to);

/*
 * Copies of a few bytes in various places of the file: much cheaper than mapping a page for each. The copies
 * have the slack after them.
 */
#define TN_PEEK_BYTES 1024
struct tn_peek {
	int fd;
	uint8_t bytes[TN_PEEK_BYTES + TN_MAP_SLACK];
};

/* False (then do not close): the file is in memory, or @path no longer names it. */
bool tn_peek_open(struct tn_peek *peek, const struct tn_map *map, const char *path);
size_t tn_peek_at(struct tn_peek *peek, uint64_t offset);	/* the number of bytes in peek->bytes */
void tn_peek_close(struct tn_peek *peek);

/* The first byte at or after @from that is not in a hole of the file, if @path still names it; else @from. */
uint64_t tn_map_skip_hole(const struct tn_map *map, const char *path, uint64_t from);

void tn_map_release(struct tn_map *map);	/* a zeroed map is allowed */

#endif
