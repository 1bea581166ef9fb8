/*
 * mapfile.h - a file mapped for reading, which may shrink or vanish meanwhile
 *
 * If a mapped file is cut, a read after its new end raises SIGBUS. The handler maps a page of zeros there, and marks
 * the map as `torn`. The reader continues with zeros; decoders call tn_map_torn() before they use their results. The
 * file descriptor is closed once the file is mapped.
 *
 * At least TN_MAP_SLACK bytes after the end are readable, as zeros, so that loading a whole word that begins inside
 * the file needs no check.
 */
#ifndef TN_BASE_MAPFILE_H
#define TN_BASE_MAPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define TN_MAP_SLACK 64

/*
 * A file may grow while other threads read. The atomic members change then. A thread that reads `size` and then
 * `data` finds at least `size` bytes there.
 */
struct tn_map {
	_Atomic(size_t) size;	/* size of the file when it was mapped */
	_Atomic(const uint8_t *) data;	/* NULL when size is 0 */
	_Atomic(void *) base;	/* start of the mapping, for release */
	_Atomic(size_t) base_size;
	bool is_view;		/* a view of another map, which owns the bytes */
	_Atomic(unsigned) slot;	/* index in the table that the signal handler reads */
	uint32_t owner;		/* user id of the file's owner */
	uint64_t device, inode;	/* identity of the file: another file may have the same name later */
	_Atomic(struct tn_map *) former;	/* after a growth: the previous mapping, which readers may still use */
	int64_t mtime_ns, ctime_ns;	/* a program can set the first one back, but not the second */
	bool settled;		/* result of tn_map_settled() at mapping */
};

/* Map the regular file at @path; TN_ERR_NOT_FOUND: no such file. */
enum tn_code tn_map_open(struct tn_map *out, const char *path, struct tn_error *err) TN_MUST_CHECK;

/*
 * Whether the times of an open file reveal every later change. They do not while the file is young: a second change
 * within one tick of the file system's clock leaves the times unchanged. A write to a mapped page that was written
 * before also leaves them unchanged, until the system has put the page on the disk (somewhat over 30 seconds later).
 * In memory file systems they never do, because these keep no times for mapped pages.
 */
struct stat;
bool tn_map_settled(int fd, const struct stat *st);

/* Map bytes that the caller owns and keeps until release. If they do not have slack, they are copied. */
enum tn_code tn_map_memory(struct tn_map *out, const void *bytes, size_t n, struct tn_error *err) TN_MUST_CHECK;

/* Make a second map of the same bytes, valid as long as @map, which releases them. */
void tn_map_view(struct tn_map *out, const struct tn_map *map);

/*
 * Map an empty file of @size bytes without a name, in the cache folder or among temporary files. It is for bytes that
 * the caller makes when needed and writes to *fd; unwritten bytes are zeros. Release gives the space back.
 */
enum tn_code tn_map_scratch(struct tn_map *out, int *fd, uint64_t size, struct tn_error *err) TN_MUST_CHECK;
/* Like tn_map_scratch(), for a file that was made with size 0 and written since. */
enum tn_code tn_map_scratch_sized(struct tn_map *out, int fd, uint64_t size, struct tn_error *err) TN_MUST_CHECK;

/*
 * Map a file that has grown to at least @size bytes. Existing mappings keep their addresses until release, but `data`
 * may change. TN_ERR_NOT_FOUND: @path is now another file.
 */
enum tn_code tn_map_grow(struct tn_map *map, const char *path, uint64_t size, struct tn_error *err) TN_MUST_CHECK;

/* Whether @path still names the file, and the file is as it was when it was mapped, by its size and times. */
bool tn_map_is_at(const struct tn_map *map, const char *path);

/* Whether a page was read that the file has lost since it was mapped. */
bool tn_map_torn(const struct tn_map *map);

/*
 * Like tn_map_torn(), after a read of the last page. If a file is cut inside a page, the lost part of this page reads
 * as zeros without a signal. False: all bytes read so far were bytes of the file, unless it was cut within its last
 * page.
 */
bool tn_map_cut(const struct tn_map *map);

/* How the pages will be used: one page after another, or single pages. */
enum tn_map_use { TN_MAP_RUNS, TN_MAP_SINGLE_PAGES };
void tn_map_expect(const struct tn_map *map, enum tn_map_use use);

/*
 * Bytes [from, to) were read, and will probably not be read again soon: release their pages from the memory of this
 * process. They stay in the page cache, and a later read maps them again. Safe while other threads read.
 */
#define TN_MAP_LARGE ((uint64_t)32 << 20)	/* the function skips smaller files, which are not worth the effort */
void tn_map_pass(const struct tn_map *map, uint64_t from, uint64_t to);

/*
 * Copies of a few bytes at various places of the file. This is much cheaper than mapping a page for each place. The
 * copies have slack after them.
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

/* The first byte at or after @from that is not in a hole of the file; @from itself if @path is now another file. */
uint64_t tn_map_skip_hole(const struct tn_map *map, const char *path, uint64_t from);

void tn_map_release(struct tn_map *map);	/* a zeroed map is allowed */

#endif
