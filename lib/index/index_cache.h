/*
 * index_cache.h - indices that were stored, so that a large trace opens at once the second time
 *
 * One file a trace under $XDG_CACHE_HOME/tnav. It is only a shortcut: what cannot be read, is damaged
 * or does not belong to the files as they are now is found again, and nobody is told.
 */
#ifndef TN_INDEX_INDEX_CACHE_H
#define TN_INDEX_INDEX_CACHE_H

#include <stdio.h>

#include "base/str.h"
#include "model/decoder.h"

struct tn_index_store;

/* Where and what to store; NULL stands for what the program does. */
struct tn_index_store_options {
	const char *folder;	/* is made when it is not there */
	uint64_t trace_bytes;	/* only traces of at least so many */
	uint64_t folder_bytes;	/* all files together; the ones not used for longest are removed */
};

/* Take over what is stored of the traces of the set; NULL when there is nowhere to store anything. */
struct tn_index_store *tn_index_store_load(struct tn_set *set, const struct tn_index_store_options *options);

/*
 * Store the indices that are complete and have news. Not those of traces in @skip (one flag a trace):
 * what was told while they were read would not be told again.
 */
void tn_index_store_save(struct tn_index_store *store, struct tn_set *set, const bool *skip);

void tn_index_store_free(struct tn_index_store *store);	/* when no stream looks at its entries; NULL is allowed */

/* ---- for what is stored beside an index ---- */

#define TN_DIGEST_SUFFIX ".digest"
#define TN_ANSWER_SUFFIX ".answer"

bool tn_index_store_takes(const struct tn_index_store *store, const struct tn_trace *trace);
/* The path of a file; appended: that of a trace, or one of any name. */
void tn_index_store_name(struct tn_str *path, const struct tn_index_store *store, const struct tn_trace *trace,
			 const char *suffix);
void tn_index_store_path(struct tn_str *path, const struct tn_index_store *store, const char *name);
/* Map a file that is there and ours: what somebody else has put there is not to be believed. */
bool tn_index_store_open(struct tn_map *map, const char *path);
void tn_index_store_used(const char *path);	/* it was of use: not the next to be removed */
/* Put a file into the folder: as a whole, or not at all. */
void tn_index_store_put(const struct tn_index_store *store, const char *path, bool (*write)(void *user, FILE *file),
			void *user);
/* Remove the files that were not used for longest, until the others are small enough together. */
void tn_index_store_shrink(const struct tn_index_store *store);
/* The same for those whose names begin and end so. */
void tn_index_store_shrink_some(const struct tn_index_store *store, const char *prefix, const char *suffix,
				uint64_t most_bytes);

#endif
