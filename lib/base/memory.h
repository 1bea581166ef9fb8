/*
 * memory.h - files that are only in memory, under paths of their own
 *
 * While a trace is opened from memory its files have paths "memory:N/NAME": formats open them as any
 * other (tn_map_open), messages name them. The bytes are the caller's until tn_memory_drop(); maps
 * have copies.
 */
#ifndef TN_BASE_MEMORY_H
#define TN_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define TN_MEMORY_PATH 32

struct tn_memory_bytes {
	const char *name;
	const void *bytes;
	size_t size;
};

/* Make the files known below a new path "memory:N", written to @path. */
enum tn_code tn_memory_add(const struct tn_memory_bytes *file, size_t n, char path[TN_MEMORY_PATH], struct tn_error *err);
void tn_memory_drop(const char *path);

/* Whether the path is of this kind; its number (for identity). */
bool tn_memory_is(const char *path);
unsigned long tn_memory_number(const char *path);

/* The file at "memory:N/NAME"; false when there is none. */
bool tn_memory_find(const char *path, struct tn_memory_bytes *out);
/* File @i below "memory:N"; false behind the last. */
bool tn_memory_file(const char *path, size_t i, struct tn_memory_bytes *out);

#endif
