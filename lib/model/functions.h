/* functions.h - functions of processes by address and time, for conditions; lib/symbol implements it */
#ifndef TN_MODEL_FUNCTIONS_H
#define TN_MODEL_FUNCTIONS_H

#include "base/error.h"
#include "model/trace.h"

/* A function. Functions are sorted by address and do not overlap. */
struct tn_function {
	uint64_t low, high;	/* first and last byte */
	const char *name;
};

/* A file that a process has mapped. */
struct tn_function_image {
	const struct tn_trace *trace;	/* NULL: mapped by any process */
	int64_t pid;
	int64_t begin_ns, end_ns;	/* [begin, end); INT64_MIN, INT64_MAX: unknown */
	uint64_t low, high;	/* first and last address */
	uint64_t base;		/* the number that is added to the addresses of the functions */
	const struct tn_function *function;	/* maps of the same file share one array */
	size_t n;
};

/* The address in an event, and the process and time to which it belongs. */
struct tn_function_place {
	const struct tn_trace *trace;
	bool has_pid;
	int64_t pid;
	int64_t time_ns;
	uint32_t rank;		/* rank of the stream */
	size_t packet, row;
	uint64_t address;
};

/* The functions of all mapped files. The structure is constant: if traces grow, a new one is made. */
struct tn_functions {
	struct { struct tn_function_image *item; size_t n; } image;
	uint64_t sum;		/* checksum of all contents, for keys of stored answers */
	/* The name of the function at a place; "": none. */
	const char *(*name)(const struct tn_functions *all, const struct tn_function_place *place);
	struct tn_symbols *symbols;	/* the names that @name reads */
	size_t n_files, n_missing;	/* number of mapped files, and number of those without function names */
	const char *missing;	/* first file without function names; NULL: none */
};

#endif
