/*
 * batches.h - walked batches, which are shared and cached
 *
 * A struct tn_walked is a batch with a count of its users. When the last user drops it, its memory returns to its pool. A
 * struct tn_batches is the small cache of one cursor, so that moving forward and back by pages walks each packet once.
 */
#ifndef TN_INDEX_BATCHES_H
#define TN_INDEX_BATCHES_H

#include <pthread.h>
#include <stdatomic.h>

#include "model/decoder.h"

struct tn_walked {
	struct tn_batch batch;
	size_t number;		/* number of the batch in its packet */
	atomic_uint holders;
	uint64_t user;		/* belongs to the code that merges the batch; 0 at first */
	struct tn_walk_pool *pool;
	struct tn_walked *next;	/* next free batch in the pool */
};

/* Free batches with their memory, for any thread. All batches must be returned before the release. */
struct tn_walk_pool {
	pthread_mutex_t lock;
	struct tn_walked *free;
};

void tn_walk_pool_init(struct tn_walk_pool *pool);
void tn_walk_pool_release(struct tn_walk_pool *pool);

/* The place where a batch begins; @number is its number in the packet. */
struct tn_batch_place {
	struct tn_stream *stream;
	size_t packet, number;
	struct tn_mark mark;	/* the mark; not used for batch 0, which begins with the entry */
	uint32_t limit;		/* limit of rows */
	bool counts;		/* only the number of events is needed, and the packet has no losses */
};

/* Walk the batch at @place; it then has one user. TN_END: no such packet. */
enum tn_code tn_walk(struct tn_walk_pool *pool, const struct tn_batch_place *place, struct tn_walked **out,
		     struct tn_error *err);

/* Check that the packet is still the one that was mapped. Results from a torn file or a dropped packet are invalid. */
enum tn_code tn_packet_check(const struct tn_stream *stream, const struct tn_packet *entry, struct tn_error *err);

struct tn_walked *tn_walked_hold(struct tn_walked *w);
void tn_walked_drop(struct tn_walked *w);	/* NULL is allowed */

/* The limit of rows in a batch if @n_streams streams are open at a time. */
uint32_t tn_batch_limit(size_t n_streams);

/* ---- the cache ---- */
#define TN_BATCHES_ROOM 32

struct tn_batches {
	struct tn_walk_pool pool;
	struct tn_walked *kept[TN_BATCHES_ROOM];	/* the least recently used batch is last */
	size_t n;
};

void tn_batches_init(struct tn_batches *c);
void tn_batches_release(struct tn_batches *c);

/* Get the batch at @place, from the cache or by a walk, and add a user. TN_END: no such packet. */
enum tn_code tn_batches_get(struct tn_batches *c, const struct tn_batch_place *place, struct tn_walked **out,
			    struct tn_error *err);

#endif
