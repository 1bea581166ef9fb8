/*
 * ahead.h - batches that are walked before the merge needs them
 *
 * A scan knows the next batch of each stream, so a free thread can walk it: one batch for each stream. The merge takes
 * this batch, or walks it itself if no thread has begun.
 */
#ifndef TN_SCAN_AHEAD_H
#define TN_SCAN_AHEAD_H

#include <pthread.h>

#include "order/flow.h"
#include "scan/pipeline.h"

struct tn_ahead_stream;

struct tn_ahead {
	struct tn_walk_pool pool;
	bool backward;
	bool is_on;		/* other threads can walk batches */
	/* Release pages that the merge has passed. Set this after init, only for forward scans. */
	bool gives_back;
	const struct tn_packet_marks *marks;	/* marks for the flows (order/flow.h); set this after init */
	struct tn_pipeline *pipeline;	/* pipeline to wake; set while it runs */
	pthread_mutex_t lock;
	pthread_cond_t walked;
	struct tn_ahead_stream *stream;	/* for each stream, by rank */
	size_t n_streams;
	uint32_t *wanted;	/* a ring of ranks of streams whose next batch no thread has begun */
	size_t n_wanted, first_wanted;
};

enum tn_code tn_ahead_init(struct tn_ahead *a, size_t n_streams, bool backward, bool is_on, struct tn_error *err);
void tn_ahead_release(struct tn_ahead *a);	/* all batches must be returned before */

/* Implements the source of flows (order/flow.h). */
enum tn_code tn_ahead_get(void *ahead, const struct tn_batch_place *place, struct tn_walked **out,
			  struct tn_error *err);

/* Walk one of the next batches. False: there is none to walk. */
bool tn_ahead_walk_one(struct tn_ahead *a);

#endif
