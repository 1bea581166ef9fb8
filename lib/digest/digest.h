/*
 * digest.h - notes about the packets of a trace, stored with its index
 *
 * The notes are in columns, so that a question reads only few of them. A column has a few bytes for each packet, or
 * nothing for packets without a note. Scans write the notes (scan/zone_writer.h), and later scans read them first
 * (scan/packet_skip.h). The size of the digest is limited: the least recently used columns are dropped.
 *
 * A digest is optional: notes that are missing, damaged or about other packets are written again.
 *
 * Threads Take the lock for all functions except open, save and free.
 */
#ifndef TN_DIGEST_DIGEST_H
#define TN_DIGEST_DIGEST_H

#include <pthread.h>

#include "index/index_cache.h"
#include "model/decoder.h"

/* Each kind has a file that encodes, joins and reads its notes. */
enum tn_column_kind {
	TN_COLUMN_COUNTS,	/* counts.h: number of matching events for each class; "": of all events */
	TN_COLUMN_TAILS,	/* tail.h: last event of each packet */
	TN_COLUMN_FIELD,	/* zone_map.h, text_filter.h: values of a field; no notes yet: a question needed it */
	TN_COLUMN_SLICES	/* slices.h: times of matching events; "": of all events */
};

struct tn_column;

/* A note that is being made; a TN_ARRAY. */
struct tn_note_bytes {
	uint8_t *item;
	size_t n, room;
};

/* The note of one packet; NULL: none. */
struct tn_note {
	const uint8_t *bytes;
	size_t n;
};

/*
 * Make the digest of an open trace. Its stored columns are loaded at the first lock. NULL: memory is out, or @store is
 * NULL.
 */
struct tn_digest *tn_digest_open(const struct tn_index_store *store, const struct tn_trace *trace);
void tn_digest_free(struct tn_digest *digest);	/* NULL is allowed */
/* Store the digest if it has changed and the index is complete. Returns whether it was stored. */
bool tn_digest_save(struct tn_digest *digest);

void tn_digest_lock(struct tn_digest *digest);
void tn_digest_unlock(struct tn_digest *digest);

/* Find the column with the name. NULL: none, or with @make, memory is out. */
struct tn_column *tn_digest_column(struct tn_digest *digest, enum tn_column_kind kind, const char *name, bool make);
/* Get the next column of the kind; *at must be 0 for the first call. NULL: no more columns. */
struct tn_column *tn_digest_next(struct tn_digest *digest, enum tn_column_kind kind, size_t *at);
const char *tn_column_name(const struct tn_column *column);
/* Prepare the notes of a column for use. False: its stored notes are damaged, and the column is dropped. */
bool tn_column_use(struct tn_digest *digest, struct tn_column *column);

/* @stream: number of the stream in its trace. */
struct tn_note tn_column_note(const struct tn_column *column, size_t stream, size_t packet);
void tn_column_put(struct tn_digest *digest, struct tn_column *column, size_t stream, size_t packet,
		   const uint8_t *bytes, size_t n);

/* ---- for the files (digest_file.c, answer_file.c) ---- */

/*
 * The state of the packets of a trace, on which its walks depend: their number in each stream, and a checksum of all
 * entries. False: not all packets are known.
 */
bool tn_digest_packets(const struct tn_trace *trace, uint64_t *packets, uint64_t *sum);

struct tn_column_stream {
	uint32_t *at;		/* for each packet: 1 + the position after the size of its note; 0: no note */
	size_t n, room;
};

struct tn_column {
	enum tn_column_kind kind;
	char *name;
	uint64_t used;		/* a larger number means a later use */
	struct tn_column_stream *stream;
	TN_ARRAY(uint8_t) bytes;
	size_t stale;		/* bytes of notes that were replaced */
	/* The stored notes, until the first use; NULL: they are in memory. */
	const uint8_t *stored;
	size_t stored_size;
	uint64_t stored_sum;
};

struct tn_digest {
	pthread_mutex_t lock;
	const struct tn_trace *trace;
	const struct tn_index_store *store;	/* NULL: the digest is not stored */
	bool loaded;
	size_t n_streams;
	size_t most;		/* limit of the bytes of all columns */
	TN_ARRAY(struct tn_column *) columns;
	uint64_t clock;		/* number of uses of all columns so far */
	bool news;
	/* The file with the stored columns, and the packets that the notes are about. */
	struct tn_map map;
	const uint64_t *packets;	/* number of packets in each stream */
};

#define TN_DIGEST_NAME 4096	/* the longest name of a column; columns with longer names are not kept */

void tn_digest_forget(struct tn_digest *digest, struct tn_column *column);
/* Drop columns until the others fit. */
void tn_digest_shrink(struct tn_digest *digest);

/* ---- numbers of few bytes ---- */

#define TN_VARINT_SIZE 10

static inline size_t
tn_varint_put(uint8_t *out, uint64_t v)
{
	size_t n = 0;

	for (; v >= 128; v >>= 7)
		out[n++] = (uint8_t)(v | 128);
	out[n++] = (uint8_t)v;
	return n;
}

/* False: the number does not end before @end. */
static inline bool
tn_varint_get(const uint8_t **p, const uint8_t *end, uint64_t *out)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *p < end && shift < 64; shift += 7) {
		uint8_t byte = *(*p)++;

		v |= (uint64_t)(byte & 127) << shift;
		if (byte < 128) {
			*out = v;
			return true;
		}
	}
	return false;
}

#endif
