/*
 * archive.h - traces in an archive: unpacked into the cache once, found there again
 *
 * .tar, .tar.zst, .tar.gz, .tar.xz, .zip and all other formats of libarchive. An archive is hostile: it may
 * only contain files and folders below itself, not too many, and not much more data than its size allows. It is
 * unpacked as a whole, or not at all; one file, compressed, may be cut.
 */
#ifndef TN_ARCHIVE_ARCHIVE_H
#define TN_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct tn_archive_limits {
	uint64_t members;	/* limit of files and folders */
	uint64_t bytes;		/* limit of unpacked bytes, in addition to the space that stays free on the disk */
	uint64_t kept;		/* limit of all unpacked archives: the least recently used are removed. 0: 8 GiB */
};

/* The usual limits for an archive of @size bytes. */
struct tn_archive_limits tn_archive_limits_of(uint64_t size);

#define TN_WHOLE ".whole"	/* the note in a folder that lists its unpacked files */
#define TN_CUT ".cut"		/* the note beside a file whose compressed bytes end too early: why */

/*
 * The name of the only file in "t.json.gz" or "trace.dat.xz", by its name: one trace, compressed. Owned by the caller;
 * NULL: an archive.
 */
char *tn_archive_single(const char *path);

/* Whether the only file in the unpacked @folder is cut, and why. */
bool tn_archive_cut(char *why, size_t room, const char *folder);

/* Whether the file at @path begins like an archive. */
bool tn_archive_is(const char *path);

/*
 * The folder with the contents, owned by the caller; unpacked if it is not in the cache. @limits NULL: the
 * usual ones. @progress (may be NULL) gets the bytes of the archive read so far, and all; non-zero stops:
 * TN_ERR_CANCELLED. TN_ERR_UNSUPPORTED: tnav was built without libarchive, or libarchive is not installed.
 */
enum tn_code tn_archive_unpack(char **folder, const char *path, const struct tn_archive_limits *limits,
			       int (*progress)(void *user, uint64_t done, uint64_t all), void *user,
			       struct tn_error *err);

/*
 * The same in steps. Begin: an archive in the cache is done at once. Run: may be in another thread, and the
 * folder may be read meanwhile. Finish: gives the folder its final name in the cache; if another program has
 * unpacked the same archive meanwhile, its folder is used. @fresh: ignore the cache; finish does nothing, and
 * free removes the folder. Free: removes an unfinished folder; NULL is allowed.
 */
struct tn_unpack;
enum tn_code tn_unpack_begin(struct tn_unpack **out, const char *path, const struct tn_archive_limits *limits, bool fresh,
			     struct tn_error *err);
enum tn_code tn_unpack_run(struct tn_unpack *u, int (*progress)(void *user, uint64_t done, uint64_t all), void *user,
			   struct tn_error *err);
enum tn_code tn_unpack_finish(struct tn_unpack *u, struct tn_error *err);
bool tn_unpack_is_done(const struct tn_unpack *u);	/* whether it has its final name */
const char *tn_unpack_path(const struct tn_unpack *u);	/* path of the archive */
const char *tn_unpack_folder(const struct tn_unpack *u);	/* borrowed until it is finished or freed */
void tn_unpack_free(struct tn_unpack *u);

/* Write the folder as a .tar.zst; @file must not exist. */
enum tn_code tn_archive_pack(const char *file, const char *folder, struct tn_error *err);

/* The library in use, with its version; "no libarchive..." if it is not built in or not installed. */
void tn_archive_library(char *out, size_t room);

#endif
