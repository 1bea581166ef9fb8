/* functions.h - functions of processes by address and time, for conditions: lib/symbol finds them */
#ifndef TN_MODEL_FUNCTIONS_H
#define TN_MODEL_FUNCTIONS_H

#include "base/error.h"
#include "model/trace.h"

/* In the order of addresses, none in another. */
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

struct tn_functions {
	TN_ARRAY(struct tn_function_image) image;
	size_t n_files, n_missing;	/* files without names of functions */
	const char *missing;	/* the first one; NULL: none */
};

#endif
