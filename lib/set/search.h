/* search.h - the traces at and below a path */
#ifndef TN_SET_SEARCH_H
#define TN_SET_SEARCH_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/hash.h"
#include "model/decoder.h"

/* The identity of a file or folder, whatever its name. No padding: it is a key. */
struct tn_identity {
	uint64_t device, inode;
};

/* A trace found below an argument. It owns its texts. */
struct tn_found {
	char *path;
	char *below;	/* path below the argument, "" for the argument itself; part of the name */
	const struct tn_format *format;
	struct tn_identity id;	/* identity of its folder */
	TN_ARRAY(struct tn_identity) only;	/* files of the wanted streams; none: all streams */
	char *named;		/* name of the first wanted stream's file, as given */
};

/* Archives unpacked without the cache: their folders are removed at the end. */
struct tn_unpacked {
	TN_ARRAY(struct tn_unpack *) list;
};

struct tn_search {
	const struct tn_format *const *formats;
	const char *wanted;	/* format the user named, or NULL */
	const struct tn_open_options *options;
	struct tn_unpacked *unpacked;	/* folders of archives; NULL: in the cache */
	const struct tn_memory *memory;	/* the searched files; NULL: on the disk */
	bool growing;		/* a place without a trace may have one later */
	const struct tn_problems *problems;	/* receives reports on skipped parts; NULL: none */
	const char *top;	/* the argument being searched */
	TN_ARRAY(struct tn_found) traces;
	struct tn_hash found;	/* by identity: number in traces */
	struct tn_hash seen;	/* folders that were searched */
	struct tn_arena arena;	/* memory of the keys */
};

/* Add the traces at or below @argument. */
enum tn_code tn_search_argument(struct tn_search *search, const char *argument, struct tn_error *err);

/* Add the trace made of the files. */
enum tn_code tn_search_memory(struct tn_search *search, const struct tn_memory *memory, struct tn_error *err);

/* The format named by the user, if it is one of ours. */
const struct tn_format *tn_search_forced(const struct tn_search *search);

void tn_unpacked_release(struct tn_unpacked *unpacked);
void tn_found_release(struct tn_found *found);
void tn_search_release(struct tn_search *search);

#endif
