/*
 * index_cache.h - stored indices, so that a large trace opens at once the second time
 *
 * One file a trace under $XDG_CACHE_HOME/tnav. The file is optional: if it cannot be read, is damaged, or does
 * not belong to the files as they are now, the index is built again, silently.
 */
#ifndef TN_INDEX_INDEX_CACHE_H
#define TN_INDEX_INDEX_CACHE_H

#include <stdio.h>

#include "base/str.h"
#include "model/decoder.h"

struct tn_index_store;

/* The place and the limits of storage; NULL means the program's defaults. */
struct tn_index_store_options {
	const char *folder;	/* created if it does not exist */
	uint64_t trace_bytes;	/* the least size of a trace that is stored */
	uint64_t folder_bytes;	/* all files together; the least recently used are removed */
};

/* The folder alone; NULL if there is none. */
struct tn_index_store *tn_index_store_new(const struct tn_index_store_options *options);

/* Load the stored indices of the traces of the set; NULL if there is no folder for them. */
struct tn_index_store *tn_index_store_load(struct tn_set *set, const struct tn_index_store_options *options);

/*
 * Store the indices that are complete and have changed. Skips traces in @skip (one flag a trace): the problems
 * reported while they were read would not be reported again.
 */
void tn_index_store_save(struct tn_index_store *store, struct tn_set *set, const bool *skip);

void tn_index_store_free(struct tn_index_store *store);	/* call it when no stream uses its entries; NULL is allowed */

/* ---- for other files beside an index ---- */

#define TN_DIGEST_SUFFIX ".digest"
#define TN_ANSWER_SUFFIX ".answer"
#define TN_SCAN_SUFFIX ".scan"

uint64_t tn_index_store_least(const struct tn_index_store *store);	/* bytes of a trace that is stored */
bool tn_index_store_takes(const struct tn_index_store *store, const struct tn_trace *trace);
/* Append the path of a file: of a trace, or with any name. */
void tn_index_store_name(struct tn_str *path, const struct tn_index_store *store, const struct tn_trace *trace,
			 const char *suffix);
void tn_index_store_path(struct tn_str *path, const struct tn_index_store *store, const char *name);
/* Map an existing file that is ours: a file of another user is not trusted. */
bool tn_index_store_open(struct tn_map *map, const char *path);
void tn_index_store_used(const char *path);	/* mark it as used: not the next to be removed */
/* Put a whole file into the folder, or none. */
void tn_index_store_put(const struct tn_index_store *store, const char *path, bool (*write)(void *user, FILE *file),
			void *user);
/* Remove the least recently used files until the total is small enough. */
void tn_index_store_shrink(const struct tn_index_store *store);
/* Like tn_index_store_shrink(), for files whose names have this prefix and suffix. */
void tn_index_store_shrink_some(const struct tn_index_store *store, const char *prefix, const char *suffix,
				uint64_t most_bytes);

#endif
