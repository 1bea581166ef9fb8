/*
 * ahead.h - batches walked before the merge asks for them
 *
 * A scan knows which batch of a stream comes next: it is walked by whoever has time, one a stream.
 * The merge takes it, or walks itself what nobody has begun.
 */
#ifndef TN_SCAN_AHEAD_H
#define TN_SCAN_AHEAD_H

#include <pthread.h>

#include "order/flow.h"
#include "scan/crew.h"

struct tn_ahead_stream;

struct tn_ahead {
	struct tn_walk_pool pool;
	bool backward;
	bool is_on;		/* somebody else is there to walk */
	bool gives_back;	/* pages behind the merge; to be set after init, going forward only */
	const struct tn_packet_marks *marks;	/* as of the flows (order/flow.h); to be set after init */
	struct tn_crew *crew;	/* to tell; set while it runs */
	pthread_mutex_t lock;
	pthread_cond_t walked;
	struct tn_ahead_stream *stream;	/* by rank */
	size_t n_streams;
	uint32_t *wanted;	/* ring of ranks: the streams whose next batch nobody has begun */
	size_t n_wanted, first_wanted;
};

enum tn_code tn_ahead_init(struct tn_ahead *a, size_t n_streams, bool backward, bool is_on, struct tn_error *err);
void tn_ahead_release(struct tn_ahead *a);	/* all batches must be back */

/* A source of flows (order/flow.h). */
enum tn_code tn_ahead_get(void *ahead, const struct tn_batch_place *place, struct tn_walked **out,
			  struct tn_error *err);

/* Walk one of the batches that are wanted; false when there is none. */
bool tn_ahead_walk_one(struct tn_ahead *a);

#endif
