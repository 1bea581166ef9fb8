/*
 * memory.h - files that exist only in memory
 *
 * A trace in memory has the path "memory", and its files "memory/NAME", which messages show.
 */
#ifndef TN_BASE_MEMORY_H
#define TN_BASE_MEMORY_H

#include <stddef.h>

#define TN_MEMORY_PATH "memory"

struct tn_memory_bytes {
	const char *name;
	const void *bytes;
	size_t size;
};

/* Owned by the caller. */
struct tn_memory {
	const struct tn_memory_bytes *file;
	size_t n;
};

/* The file @name; NULL: no such file. */
const struct tn_memory_bytes *tn_memory_find(const struct tn_memory *memory, const char *name);

#endif
