/* compression.h - pack and unpack bytes with zlib or zstd, whose libraries are loaded on first use */
#ifndef TN_BASE_COMPRESSION_H
#define TN_BASE_COMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

enum tn_compression { TN_COMPRESSION_NONE, TN_COMPRESSION_ZLIB, TN_COMPRESSION_ZSTD };

/* If it is zeroed, no library is loaded. */
struct tn_unpacker {
	enum tn_compression how;
	void *handle;
	int (*zlib)(uint8_t *out, unsigned long *size, const uint8_t *in, unsigned long n);
	size_t (*zstd)(void *out, size_t size, const void *in, size_t n);
};

/* Load the library. @path is the file that an error message names. TN_ERR_UNSUPPORTED: the library is not installed. */
enum tn_code tn_unpacker_load(struct tn_unpacker *u, enum tn_compression how, const char *path, struct tn_error *err);
/* Unpack @n bytes into exactly @size bytes; false: the bytes are invalid. Any thread may call this. */
bool tn_unpacker_run(const struct tn_unpacker *u, uint8_t *out, size_t size, const uint8_t *in, size_t n);
void tn_unpacker_release(struct tn_unpacker *u);

/* Packs with zstd. If it is zeroed, no library is loaded. */
struct tn_packer {
	void *handle;
	size_t (*bound)(size_t n);
	unsigned (*is_error)(size_t result);
	void *(*begin)(void);
	size_t (*end)(void *context);
	size_t (*run)(void *context, void *out, size_t size, const void *in, size_t n, int level);
};

/* False: the library is not installed. */
bool tn_packer_load(struct tn_packer *p);
/*
 * Replace the text of @out by the packed @n bytes. *context belongs to one thread, and is NULL before the first use.
 * False: memory is out.
 */
bool tn_packer_run(const struct tn_packer *p, void **context, struct tn_str *out, const void *in, size_t n);
void tn_packer_drop(const struct tn_packer *p, void *context);	/* NULL is allowed */
void tn_packer_release(struct tn_packer *p);

#endif
