/*
 * archive.h - traces in an archive, which is unpacked into the cache once
 *
 * Supports .tar, .tar.zst, .tar.gz, .tar.xz, .zip and all other formats of libarchive. An archive is hostile: it may only
 * contain files and folders below its own folder, a limited number of them, and not much more data than its size allows.
 * It is unpacked completely or not at all. Only a single compressed file may be cut.
 */
#ifndef TN_ARCHIVE_ARCHIVE_H
#define TN_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct tn_archive_limits {
	uint64_t members;	/* limit of files and folders */
	uint64_t bytes;		/* limit of unpacked bytes, in addition to the space that stays free on the disk */
	uint64_t kept;		/* limit of all unpacked archives, of which the least recently used are removed; 0: 8 GiB */
};

/* The usual limits for an archive of @size bytes. */
struct tn_archive_limits tn_archive_limits_of(uint64_t size);

#define TN_WHOLE ".whole"	/* name of the note in a folder that lists the unpacked files */
#define TN_CUT ".cut"		/* suffix of the note for a file whose compressed bytes end too early, with the reason */

/*
 * If the name at @path is that of a single compressed file ("t.json.gz", "trace.dat.xz"), its name without the suffix,
 * owned by the caller. NULL: an archive.
 */
char *tn_archive_single(const char *path);

/* Whether the only file in the unpacked @folder was cut, and the reason. */
bool tn_archive_cut(char *why, size_t room, const char *folder);

/* Whether the file at @path begins like an archive. */
bool tn_archive_is(const char *path);

/*
 * Get the folder with the contents, which the caller owns. If the cache does not have it, the archive is unpacked.
 * @limits NULL: the usual limits. @progress (may be NULL) gets the bytes of the archive read so far, and all its bytes;
 * if it returns non-zero, unpacking stops with TN_ERR_CANCELLED. TN_ERR_UNSUPPORTED: tnav was built without libarchive,
 * or libarchive is not installed.
 */
enum tn_code tn_archive_unpack(char **folder, const char *path, const struct tn_archive_limits *limits,
			       int (*progress)(void *user, uint64_t done, uint64_t all), void *user,
			       struct tn_error *err);

/*
 * Unpack in steps. Begin: starts the work, which is already done if the cache has the archive. Run: may be called in
 * another thread, and the folder may be read meanwhile. Finish: gives the folder its final name in the cache; if another
 * program has unpacked the same archive meanwhile, uses that folder. @fresh: ignores the cache; then finish does nothing,
 * and free removes the folder. Free: removes an unfinished folder; NULL is allowed.
 */
struct tn_unpack;
enum tn_code tn_unpack_begin(struct tn_unpack **out, const char *path, const struct tn_archive_limits *limits, bool fresh,
			     struct tn_error *err);
enum tn_code tn_unpack_run(struct tn_unpack *u, int (*progress)(void *user, uint64_t done, uint64_t all), void *user,
			   struct tn_error *err);
enum tn_code tn_unpack_finish(struct tn_unpack *u, struct tn_error *err);
bool tn_unpack_is_done(const struct tn_unpack *u);	/* whether the folder has its final name */
const char *tn_unpack_path(const struct tn_unpack *u);	/* path of the archive */
const char *tn_unpack_folder(const struct tn_unpack *u);	/* borrowed until it is finished or freed */
void tn_unpack_free(struct tn_unpack *u);

/*
 * One file that its format unpacks, in the same cache: begin; if it is not done, put the unpacked file into the folder and
 * keep it. @kind is part of the key, borrowed: the name of the format and the number of its meaning. Keep does
 * nothing if the file at @path changed meanwhile, or the disk is full: free then removes the folder.
 */
enum tn_code tn_unpack_begin_own(struct tn_unpack **out, const char *path, const char *kind, struct tn_error *err);
void tn_unpack_keep(struct tn_unpack *u);

/* Write the folder to @file, which must not exist, as .tar.zst. */
enum tn_code tn_archive_pack(const char *file, const char *folder, struct tn_error *err);

/* Get the name and version of the library, or "no libarchive..." if it is not built in or not installed. */
void tn_archive_library(char *out, size_t room);

#endif
