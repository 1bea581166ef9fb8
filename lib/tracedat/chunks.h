/*
 * chunks.h - compressed data of a processor, unpacked by chunks on demand
 *
 * The pages get places in a nameless file, as if they had never been packed. The first access to a chunk unpacks it
 * into this file. So pages keep their addresses, the memory is part of the page cache, and tnav unpacks only chunks
 * that are read.
 */
#ifndef TN_TRACEDAT_CHUNKS_H
#define TN_TRACEDAT_CHUNKS_H

#include <pthread.h>

#include "tracedat/file.h"

struct tn_dat_chunk {
	uint64_t at;		/* position of its packed bytes in the trace.dat */
	uint64_t out;		/* position of its unpacked bytes */
	uint32_t packed, size;
	unsigned char state;	/* a CHUNK_... constant, atomic */
};

enum { TN_CHUNK_PACKED, TN_CHUNK_THERE, TN_CHUNK_BROKEN };

struct tn_dat_chunks {
	const struct tn_dat_file *file;
	TN_ARRAY(struct tn_dat_chunk) list;
	uint64_t size;		/* size of all chunks when unpacked */
	int fd;			/* the nameless file; -1: not made yet */
	pthread_mutex_t lock;
};

/* Find the chunks of @cpu, and map the nameless file for their pages. Missing chunks are reported. */
enum tn_code tn_dat_chunks_open(struct tn_dat_chunks *c, const struct tn_dat_file *file, const struct tn_dat_cpu *cpu,
				struct tn_map *map, struct tn_error *err);
/* Unpack bytes [from, to). False: some of them cannot be unpacked, and are zeros. Any thread may call this. */
bool tn_dat_chunks_bring(struct tn_dat_chunks *c, uint64_t from, uint64_t to);
void tn_dat_chunks_release(struct tn_dat_chunks *c);

#endif
