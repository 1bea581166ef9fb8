/*
 * index_cache.h - stored indices, so that a large trace opens at once the second time
 *
 * There is one file for each trace in $XDG_CACHE_HOME/tnav. The file is optional: if it cannot be read, is damaged, or
 * does not belong to the current files, the index is made again without a message.
 */
#ifndef TN_INDEX_INDEX_CACHE_H
#define TN_INDEX_INDEX_CACHE_H

#include <stdio.h>

#include "base/str.h"
#include "model/decoder.h"

struct tn_index_store;

/* The folder and the limits of stored files; NULL means the program's defaults. */
struct tn_index_store_options {
	const char *folder;	/* made if it does not exist */
	uint64_t trace_bytes;	/* smallest trace whose index is stored */
	uint64_t folder_bytes;	/* limit of all files together; the least recently used files are removed */
};

/* Make a store without loading a file. NULL: there is no folder. */
struct tn_index_store *tn_index_store_new(const struct tn_index_store_options *options);

/* Load the stored indices of the set's traces. NULL: there is no folder for them. */
struct tn_index_store *tn_index_store_load(struct tn_set *set, const struct tn_index_store_options *options);

/*
 * Store the indices that are complete and have changed. Traces with a flag in @skip (one flag for each trace) are not
 * stored, because a loaded index would not report again the problems that were reported while they were read.
 */
void tn_index_store_save(struct tn_index_store *store, struct tn_set *set, const bool *skip);

void tn_index_store_free(struct tn_index_store *store);	/* call it when no stream uses its entries; NULL is allowed */

/* ---- for other files stored with an index ---- */

#define TN_DIGEST_SUFFIX ".digest"
#define TN_ANSWER_SUFFIX ".answer"
#define TN_SCAN_SUFFIX ".scan"

uint64_t tn_index_store_least(const struct tn_index_store *store);	/* smallest trace whose index is stored */
bool tn_index_store_takes(const struct tn_index_store *store, const struct tn_trace *trace);
/* Append the path of a stored file, for a trace or with any name. */
void tn_index_store_name(struct tn_str *path, const struct tn_index_store *store, const struct tn_trace *trace,
			 const char *suffix);
void tn_index_store_path(struct tn_str *path, const struct tn_index_store *store, const char *name);
/* Map an existing file that belongs to this user: files of other users are not trusted. */
bool tn_index_store_open(struct tn_map *map, const char *path);
void tn_index_store_used(const char *path);	/* marks it as used, so that it is not the next to be removed */
/* Put a file into the folder, completely or not at all. */
void tn_index_store_put(const struct tn_index_store *store, const char *path, bool (*write)(void *user, FILE *file),
			void *user);
/* Remove the least recently used files until the total is small enough. */
void tn_index_store_shrink(const struct tn_index_store *store);
/* Like tn_index_store_shrink(), for files whose names have this prefix and suffix. */
void tn_index_store_shrink_some(const struct tn_index_store *store, const char *prefix, const char *suffix,
				uint64_t most_bytes);

#endif
