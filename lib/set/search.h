/* search.h - find the traces at and below a path */
#ifndef TN_SET_SEARCH_H
#define TN_SET_SEARCH_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/hash.h"
#include "model/decoder.h"

/* The identity of a file or folder, whatever its name is. It is a key, so it has no padding. */
struct tn_identity {
	uint64_t device, inode;
};

/* A trace that was found below an argument. It owns its texts. */
struct tn_found {
	char *path;
	char *below;	/* path below the argument, "" for the argument itself; part of the trace's name */
	const struct tn_format *format;
	struct tn_identity id;	/* identity of the trace's folder */
	TN_ARRAY(struct tn_identity) only;	/* files of the wanted streams; empty: all streams */
	char *named;		/* name of the first wanted stream's file, as typed */
};

/* Folders of archives that were unpacked without the cache; they are removed at the end. */
struct tn_unpacked {
	TN_ARRAY(struct tn_unpack *) list;
};

struct tn_search {
	const struct tn_format *const *formats;
	const char *wanted;	/* format that the user named; or NULL */
	const struct tn_open_options *options;
	struct tn_unpacked *unpacked;	/* folders of archives; NULL: they are in the cache */
	const struct tn_memory *memory;	/* files to search, if they are in memory; NULL: they are on disk */
	bool growing;		/* an argument without a trace may get one later */
	const struct tn_problems *problems;	/* gets reports about skipped parts; NULL: no reports */
	const char *top;	/* the argument that is being searched */
	TN_ARRAY(struct tn_found) traces;
	struct tn_hash found;	/* index in `traces`, by identity */
	struct tn_hash seen;	/* folders that were already searched */
	struct tn_arena arena;	/* memory of the keys */
};

/* Add the traces at or below @argument. */
enum tn_code tn_search_argument(struct tn_search *search, const char *argument, struct tn_error *err);

/* Add the trace that the files in memory are. */
enum tn_code tn_search_memory(struct tn_search *search, const struct tn_memory *memory, struct tn_error *err);

/* The format that the user named; NULL: none, or an unknown name. */
const struct tn_format *tn_search_forced(const struct tn_search *search);

void tn_unpacked_release(struct tn_unpacked *unpacked);
void tn_found_release(struct tn_found *found);
void tn_search_release(struct tn_search *search);

#endif
