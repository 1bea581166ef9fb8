/*
 * digest.h - what was learnt of the packets of a trace, beside its index
 *
 * Columns, so that a question touches few of them: a column has a few bytes a packet, or nothing where nothing is
 * known of the packet. What is in them is learnt by scans (scan/zone_writer.h) and read before the next ones
 * (scan/packet_skip.h). A column is bounded by the room of the digest: those not used for longest are forgotten.
 *
 * A digest is only a shortcut: what is not there, is damaged or belongs to other packets is learnt again.
 *
 * Threads	All functions but open, save and free want the lock held.
 */
#ifndef TN_DIGEST_DIGEST_H
#define TN_DIGEST_DIGEST_H

#include <pthread.h>

#include "index/index_cache.h"
#include "model/decoder.h"

/* Each kind has a file that writes, joins and reads its notes. */
enum tn_column_kind {
	TN_COLUMN_COUNTS,	/* counts.h: how many events pass a question, by class; "": all events */
	TN_COLUMN_TAILS,	/* tail.h: the last event of each packet */
	TN_COLUMN_FIELD,	/* zone_map.h, text_filter.h: what values a field has; without notes: a question asked for it */
	TN_COLUMN_SLICES	/* slices.h: when events pass a question; "": all events */
};

struct tn_column;

/* A note that is being made: a TN_ARRAY. */
struct tn_note_bytes {
	uint8_t *item;
	size_t n, room;
};

/* What is known of one packet; NULL: nothing. */
struct tn_note {
	const uint8_t *bytes;
	size_t n;
};

/* Of a trace that is open; what is stored of it comes with the first lock. NULL (@store, too): memory is out. */
struct tn_digest *tn_digest_open(const struct tn_index_store *store, const struct tn_trace *trace);
void tn_digest_free(struct tn_digest *digest);	/* NULL is allowed */
/* Store it, when it has news and the index is complete; whether that was done. */
bool tn_digest_save(struct tn_digest *digest);

void tn_digest_lock(struct tn_digest *digest);
void tn_digest_unlock(struct tn_digest *digest);

/* The column of that name; NULL: there is none, or (@make) no memory. */
struct tn_column *tn_digest_column(struct tn_digest *digest, enum tn_column_kind kind, const char *name, bool make);
/* The columns of a kind, one after the other: *at is 0 at first. NULL: there are no more. */
struct tn_column *tn_digest_next(struct tn_digest *digest, enum tn_column_kind kind, size_t *at);
const char *tn_column_name(const struct tn_column *column);
/* Somebody is about to use its notes; false: what was stored of it is damaged, it is forgotten then. */
bool tn_column_use(struct tn_digest *digest, struct tn_column *column);

/* @stream is the stream's number in its trace. */
struct tn_note tn_column_note(const struct tn_column *column, size_t stream, size_t packet);
void tn_column_put(struct tn_digest *digest, struct tn_column *column, size_t stream, size_t packet,
		   const uint8_t *bytes, size_t n);

/* ---- for the files (digest_file.c, answer_file.c) ---- */

/*
 * The packets of a trace, what a walk depends on: how many each stream has, and a sum over all their entries. False: not
 * all of them are known.
 */
bool tn_digest_packets(const struct tn_trace *trace, uint64_t *packets, uint64_t *sum);

struct tn_column_stream {
	uint32_t *at;		/* by packet: 1 + where its note begins, its size + 1 before it; 0: nothing is known */
	size_t n, room;
};

struct tn_column {
	enum tn_column_kind kind;
	char *name;
	uint64_t used;		/* larger: later */
	struct tn_column_stream *stream;
	TN_ARRAY(uint8_t) bytes;
	size_t stale;		/* of them, of notes that others took the place of */
	/* What is stored of it, until it is used; NULL: it is in the bytes. */
	const uint8_t *stored;
	size_t stored_size;
	uint64_t stored_sum;
};

struct tn_digest {
	pthread_mutex_t lock;
	const struct tn_trace *trace;
	const struct tn_index_store *store;	/* NULL: nothing is stored */
	bool loaded;
	size_t n_streams;
	size_t most;		/* bytes of all columns */
	TN_ARRAY(struct tn_column *) columns;
	uint64_t clock;		/* how often a column was used */
	bool news;
	/* The file that columns are stored in, and the packets that it is about. */
	struct tn_map map;
	const uint64_t *packets;	/* their number, by stream */
};

#define TN_DIGEST_NAME 4096	/* bytes of a column's name; a longer one is not remembered */

void tn_digest_forget(struct tn_digest *digest, struct tn_column *column);
/* Forget columns until the others have room. */
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

/* False: it does not end before @end. */
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
