/* functions.h - functions of processes by address and time, for conditions: lib/symbol finds them */
#ifndef TN_MODEL_FUNCTIONS_H
#define TN_MODEL_FUNCTIONS_H

#include "base/error.h"
#include "model/trace.h"

/* A function. Functions are sorted by address and do not overlap. */
struct tn_function {
	uint64_t low, high;	/* the last byte */
	const char *name;
};

/* A mapped file. */
struct tn_function_image {
	const struct tn_trace *trace;	/* NULL: of any process */
	int64_t pid;
	int64_t begin_ns, end_ns;	/* [begin, end); INT64_MIN, INT64_MAX: unknown */
	uint64_t low, high;	/* addresses; the last one */
	uint64_t base;		/* added to the addresses of the functions */
	const struct tn_function *function;	/* the same array for the same file */
	size_t n;
};

/* An address in an event. */
struct tn_function_place {
	const struct tn_trace *trace;
	bool has_pid;
	int64_t pid;
	int64_t time_ns;
	uint32_t rank;		/* rank of the stream */
	size_t packet, row;
	uint64_t address;
};

/* All functions. They do not change: if traces grow, new ones are made. */
struct tn_functions {
	struct { struct tn_function_image *item; size_t n; } image;
	uint64_t sum;		/* checksum of everything here, for keys of stored answers */
	/* The name of the function at a place; "": none. */
	const char *(*name)(const struct tn_functions *all, const struct tn_function_place *place);
	struct tn_symbols *symbols;	/* the names that @name reads */
	size_t n_files, n_missing;	/* files without names of functions */
	const char *missing;	/* the first one; NULL: none */
};

#endif
