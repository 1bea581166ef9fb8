/*
 * chunks.h - compressed data of a processor, unpacked by chunks on demand
 *
 * The pages get places in a file without a name, as if they had never been packed; a chunk is written there at
 * the first access. So pages keep their addresses, memory is the page cache's, and no chunk is unpacked unless
 * it is read.
 */
#ifndef TN_TRACEDAT_CHUNKS_H
#define TN_TRACEDAT_CHUNKS_H

#include <pthread.h>

#include "tracedat/file.h"

struct tn_dat_chunk {
	uint64_t at;		/* position of its packed bytes in the trace.dat */
	uint64_t out;		/* position of its unpacked bytes */
	uint32_t packed, size;
	unsigned char state;	/* CHUNK_..., atomic */
};

enum { TN_CHUNK_PACKED, TN_CHUNK_THERE, TN_CHUNK_BROKEN };

struct tn_dat_chunks {
	const struct tn_dat_file *file;
	TN_ARRAY(struct tn_dat_chunk) list;
	uint64_t size;		/* bytes of all chunks, unpacked */
	int fd;			/* the file of unpacked bytes; -1: not made yet */
	pthread_mutex_t lock;
};

/* Find the chunks of @cpu and map the file for their pages. Missing chunks are reported. */
enum tn_code tn_dat_chunks_open(struct tn_dat_chunks *c, const struct tn_dat_file *file, const struct tn_dat_cpu *cpu,
				struct tn_map *map, struct tn_error *err);
/* Unpack bytes [from, to); false: some of them cannot be unpacked, and are zeros. Any thread. */
bool tn_dat_chunks_bring(struct tn_dat_chunks *c, uint64_t from, uint64_t to);
void tn_dat_chunks_release(struct tn_dat_chunks *c);

#endif
