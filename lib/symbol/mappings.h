/* mappings.h - the files that processes have mapped, by process and time */
#ifndef TN_SYMBOL_MAPPINGS_H
#define TN_SYMBOL_MAPPINGS_H

#include <tnav/query.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"

/* A moment in the order of all events: rows with the same time are in the order of their streams. */
struct tn_moment {
	int64_t time_ns;
	uint32_t rank;
	size_t packet;
	uint64_t row;
};

struct tn_image {
	struct tn_image *next;	/* next mapping of the process, by begin */
	struct tn_moment begin, end;
	bool has_end;
	uint64_t n_open;	/* number of dlopen() calls without a dlclose() */
	uint64_t base, size;
	const char *path;
	bool is_pic;		/* the addresses in the file are relative to the base */
	bool of_file;		/* is_pic, and the base is at position `offset` of the file */
	uint64_t offset;
	const uint8_t *build_id;	/* NULL: unknown */
	size_t build_id_size;
	struct tn_moment build_id_at;	/* the build id is known from this moment on */
	const char *link;	/* file name of its debug link; NULL: none */
	uint32_t crc;
	struct tn_moment link_at;
	size_t binary[4];	/* indices of its file plus 1, by the facts that are known about it (symbols.c); 0: not looked up */
	const struct tn_function *function;	/* functions of the file, when they are read (functions.c) */
	size_t n_functions;
};

struct tn_place_of_image {
	const struct tn_image *image;
	uint64_t last;		/* the highest address of this mapping and of the earlier ones in the list */
};

struct tn_process {
	const struct tn_trace *trace;
	int64_t vpid;
	struct tn_image *first, *last;
	TN_ARRAY(struct tn_image *) now;	/* mappings without an end, from the highest base to the lowest */
	TN_ARRAY(struct tn_place_of_image) place;	/* all mappings, by base and begin; of one base, one at a time */
	bool changed;		/* the mappings changed after `place` was made */
};

/* A zeroed structure is empty. */
struct tn_mappings {
	struct tn_arena arena;
	struct tn_hash processes;	/* first and last mapping of each process, by trace and vpid */
	TN_ARRAY(struct tn_process) process;
	size_t n;
	bool is_read, changed;
	int64_t end_ns;		/* events up to this time are read */
};

#define TN_MAPPINGS_MOST 1000000	/* limit of mappings */

/* Read the events about mappings that are new since the last call, up to @end_ns. Sets `changed` if there are any. */
enum tn_code tn_mappings_read(struct tn_mappings *m, struct tn_set *set, unsigned threads, int64_t end_ns,
			      struct tn_error *err) TN_MUST_CHECK;
void tn_mappings_release(struct tn_mappings *m);

/* The mapping of @address in a process of @trace at a moment; NULL: none. */
const struct tn_image *tn_mappings_find(const struct tn_mappings *m, const struct tn_trace *trace, int64_t vpid,
					  const struct tn_moment *at, uint64_t address);
/* The address in the file's own addresses; if `of_file`, a position in the file. */
static inline uint64_t
tn_image_place(const struct tn_image *m, uint64_t address)
{
	return m->is_pic ? address - m->base + m->offset : address;
}

/*
 * The mapping of @address in any process at any time, if all mappings of this address are of the same file; otherwise
 * NULL.
 */
const struct tn_image *tn_mappings_find_any(const struct tn_mappings *m, uint64_t address);
/* map.c: add the symbols of a text, as if they were a file. */
struct tn_symbol_map;
enum tn_code tn_symbol_map_take(struct tn_symbol_map *m, const char *text, size_t n, struct tn_error *err) TN_MUST_CHECK;
bool tn_moment_is_before(const struct tn_moment *a, const struct tn_moment *b);

#endif
