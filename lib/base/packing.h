/* packing.h - unpack bytes with zlib or zstd, whose libraries are loaded on first use */
#ifndef TN_BASE_PACKING_H
#define TN_BASE_PACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum tn_packing { TN_PACKING_NONE, TN_PACKING_ZLIB, TN_PACKING_ZSTD };

/* Zeroed: no library is loaded. */
struct tn_unpacker {
	enum tn_packing how;
	void *handle;
	int (*zlib)(uint8_t *out, unsigned long *size, const uint8_t *in, unsigned long n);
	size_t (*zstd)(void *out, size_t size, const void *in, size_t n);
};

/* Load the library for @path, which an error message names. TN_ERR_UNSUPPORTED: it is not installed. */
enum tn_code tn_unpacker_load(struct tn_unpacker *u, enum tn_packing how, const char *path, struct tn_error *err);
/* Unpack @n bytes into exactly @size; false: the bytes are wrong. Any thread. */
bool tn_unpacker_run(const struct tn_unpacker *u, uint8_t *out, size_t size, const uint8_t *in, size_t n);
void tn_unpacker_release(struct tn_unpacker *u);

#endif
