/*
 * archive.h - traces in an archive: unpacked into the cache once, found there again
 *
 * .tar, .tar.zst, .tar.gz, .tar.xz, .zip and what else libarchive reads. An archive is hostile: what it
 * holds may only be files and folders below it, not too many, and not much more than such an archive can
 * hold in earnest. Either all of it is unpacked or nothing.
 */
#ifndef TN_ARCHIVE_ARCHIVE_H
#define TN_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct tn_archive_limits {
	uint64_t members;	/* files and folders in it */
	uint64_t bytes;		/* unpacked; besides what is left free on the disk */
	uint64_t kept;		/* of all that was unpacked: the longest unused goes first. 0: 8 GiB */
};

#define TN_WHOLE ".whole"	/* the note in a folder on what was unpacked there */

/* Whether the file at @path begins as an archive does. */
bool tn_archive_is(const char *path);

/*
 * The folder with what is in it, owned by the caller; made when it is not in the cache. @limits NULL: the
 * usual ones. @progress (may be NULL) is told bytes of the archive read so far, and all; non-zero stops:
 * TN_ERR_CANCELLED. TN_ERR_UNSUPPORTED: tnav was built without libarchive, or none is installed.
 */
enum tn_code tn_archive_unpack(char **folder, const char *path, const struct tn_archive_limits *limits,
			       int (*progress)(void *user, uint64_t done, uint64_t all), void *user,
			       struct tn_error *err);

/*
 * The same step by step. Begin: an archive that is in the cache is done at once. Run: may be in another thread, and
 * the folder may be looked into meanwhile. Finish: it gets the name by which it is found again; when the same archive
 * was unpacked by somebody else meanwhile, theirs. @fresh: nothing that is in the cache is looked at, finish does nothing, and
 * free removes the folder. Free: what was not finished is removed; NULL is allowed.
 */
struct tn_unpack;
enum tn_code tn_unpack_begin(struct tn_unpack **out, const char *path, const struct tn_archive_limits *limits, bool fresh,
			     struct tn_error *err);
enum tn_code tn_unpack_run(struct tn_unpack *u, int (*progress)(void *user, uint64_t done, uint64_t all), void *user,
			   struct tn_error *err);
enum tn_code tn_unpack_finish(struct tn_unpack *u, struct tn_error *err);
bool tn_unpack_is_done(const struct tn_unpack *u);	/* it has that name */
const char *tn_unpack_path(const struct tn_unpack *u);	/* of the archive */
const char *tn_unpack_folder(const struct tn_unpack *u);	/* borrowed until it is finished or freed */
void tn_unpack_free(struct tn_unpack *u);

/* Write the folder as a .tar.zst, which must not exist. */
enum tn_code tn_archive_pack(const char *file, const char *folder, struct tn_error *err);

/* The library that does it, with its version; "no libarchive..." where it is not built in or not there. */
void tn_archive_library(char *out, size_t room);

#endif
