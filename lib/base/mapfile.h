/*
 * mapfile.h - a file mapped for reading, which may shrink or vanish meanwhile
 *
 * A read behind the end of a file that was cut after it was mapped raises SIGBUS. A handler puts a
 * page of zeros in that place and marks the map as `torn`: the reader goes on with zeros, and whoever
 * decoded from the map checks tn_map_torn() before it believes what it decoded. The file descriptor
 * is closed once the file is mapped.
 *
 * At least TN_MAP_SLACK bytes behind the end are readable (as zeros): a load of a whole word that
 * begins inside the file needs no check of its own.
 */
#ifndef TN_BASE_MAPFILE_H
#define TN_BASE_MAPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define TN_MAP_SLACK 64

/*
 * A file may grow while others read: the atomic members change then. Who reads `size` and then `data` finds so many bytes
 * there at least.
 */
struct tn_map {
	_Atomic(size_t) size;	/* bytes of the file when it was mapped */
	_Atomic(const uint8_t *) data;	/* NULL when size is 0 */
	_Atomic(void *) base;	/* for release */
	_Atomic(size_t) base_size;
	bool is_view;		/* of another one, which releases it */
	_Atomic(unsigned) slot;	/* in the table the signal handler reads */
	uint32_t owner;		/* user */
	uint64_t device, inode;	/* what the file was, to tell it from another of the same name */
	_Atomic(struct tn_map *) former;	/* of a file that grew: where it was mapped before; readers may still look there */
	int64_t mtime_ns, ctime_ns;	/* the second cannot be set back */
	bool settled;		/* tn_map_settled(), when it was mapped */
};

/* Map the regular file at @path; TN_ERR_NOT_FOUND when there is none. */
enum tn_code tn_map_open(struct tn_map *out, const char *path, struct tn_error *err) TN_MUST_CHECK;

/*
 * Whether the times of an open file tell every later change of it. Not while the file is young: a second change within one
 * tick of the file system's clock leaves its times as they are, and so does a write to a mapped page that was written
 * before, until the system has put the page on the disk (30 seconds and some later). Never in memory file systems,
 * which keep no times of mapped pages.
 */
struct stat;
bool tn_map_settled(int fd, const struct stat *st);

/* The same for bytes that the caller owns and keeps until release (no slack: a copy is made). */
enum tn_code tn_map_memory(struct tn_map *out, const void *bytes, size_t n, struct tn_error *err) TN_MUST_CHECK;

/* The same bytes once more: for as long as @map is there, which releases them. */
void tn_map_view(struct tn_map *out, const struct tn_map *map);

/*
 * An empty file of @size bytes that has no name, in the cache or where temporary files are: bytes that are made when they
 * are needed, written to *fd, and given back when it is released. Reads as zeros until then.
 */
enum tn_code tn_map_scratch(struct tn_map *out, int *fd, uint64_t size, struct tn_error *err) TN_MUST_CHECK;

/*
 * The file has grown to @size bytes at least: map so many. What was mapped stays where it is, for whoever reads
 * there, until release; `data` may be another place afterwards. TN_ERR_NOT_FOUND: @path is another file by now.
 */
enum tn_code tn_map_grow(struct tn_map *map, const char *path, uint64_t size, struct tn_error *err) TN_MUST_CHECK;

/* Whether a page that the file no longer has was read since it was mapped. */
bool tn_map_torn(const struct tn_map *map);

/*
 * The same, with a look at the last page first: what is left of the page that a file was cut in reads as zeros, and
 * no signal tells. False: what was read until now is what the file had, unless it was cut within its last page.
 */
bool tn_map_cut(const struct tn_map *map);

/* How the pages will be read: one here and there, or one after the other. */
enum tn_map_use { TN_MAP_RUNS, TN_MAP_SINGLE_PAGES };
void tn_map_expect(const struct tn_map *map, enum tn_map_use use);

/*
 * Bytes [from, to) were read, and will hardly be again soon: their pages no longer count as ours. They stay
 * in the page cache, and whoever reads them gets them back. Safe beside readers in other threads.
 */
#define TN_MAP_LARGE ((uint64_t)32 << 20)	/* of less, it is not worth the trouble */
void tn_map_pass(const struct tn_map *map, uint64_t from, uint64_t to);

/*
 * A few bytes here and there, copied out of the file: cheaper by far than mapping a page for each look. The
 * copies have the slack behind them.
 */
#define TN_PEEK_BYTES 1024
struct tn_peek {
	int fd;
	uint8_t bytes[TN_PEEK_BYTES + TN_MAP_SLACK];
};

/* False, and no need to close: the file is in memory, or @path no longer names it. */
bool tn_peek_open(struct tn_peek *peek, const struct tn_map *map, const char *path);
size_t tn_peek_at(struct tn_peek *peek, uint64_t offset);	/* how many bytes there are in peek->bytes */
void tn_peek_close(struct tn_peek *peek);

/* The first byte at or behind @from that is not in a hole of the file, which @path still names; else @from. */
uint64_t tn_map_skip_hole(const struct tn_map *map, const char *path, uint64_t from);

void tn_map_release(struct tn_map *map);	/* a zeroed map is allowed */

#endif
