/*
 * deal.h - the packets of a set, dealt out to threads
 *
 * A parcel is a number of consecutive packets of one stream, walked by the thread that works on it. One thread
 * deals parcels out in the order of the start times of their packets. A packet that is too large for a parcel
 * is walked by the dealing thread, a few batches a parcel.
 */
#ifndef TN_SCAN_DEAL_H
#define TN_SCAN_DEAL_H

#include <tnav/query.h>

#include "base/array.h"
#include "index/batches.h"
#include "order/flow.h"
#include "order/merge.h"

/* The start of the next parcel of a stream. */
struct tn_deal_place {
	struct tn_batch_place next;	/* number > 0: inside a large packet */
	bool done;
	int64_t bound_ns;	/* no row from there on has an earlier key */
};

struct tn_deal {
	struct tn_set *set;
	const struct tn_scan_options *options;	/* the range, and when to stop */
	const struct tn_packet_marks *marks;	/* packets to leave out; NULL: none */
	uint32_t limit;		/* rows of a batch; 0: TN_BATCH_REFS */
	struct tn_walk_pool pool;
	struct tn_deal_place *place;	/* by rank */
	tn_merge_key *heap;	/* streams by the start of their next packet */
	size_t n_heap;
	/*
	 * Only the number of events is needed: packets without notices whose number is in the index are not
	 * dealt out, but counted here. Other packets are walked without their rows, if the format can.
	 */
	bool counts;
	uint64_t counted;
	uint64_t parcel_bytes;
	bool gives_back;	/* the trace is large: give back pages after use */
};

struct tn_parcel {
	struct tn_stream *stream;
	size_t first, n;	/* packets */
	uint64_t bytes;
	bool counts;		/* only the number of events of all its packets is needed */
	TN_ARRAY(struct tn_walked *) walked;	/* the walked batches of a large packet */
	bool last;		/* the last parcel of the stream */
	/* No row of the stream in a later parcel has an earlier key; INT64_MAX: no later parcel. */
	int64_t bound_ns;
};

#define TN_PARCEL_BYTES ((uint64_t)256 << 10)

/* A parcel has about @parcel_bytes, less if there are many streams, and at least one packet. */
enum tn_code tn_deal_init(struct tn_deal *d, struct tn_set *set, const struct tn_scan_options *options,
			  const struct tn_packet_marks *marks, uint64_t parcel_bytes, struct tn_error *err);
void tn_deal_release(struct tn_deal *d);	/* call it after all parcels; zeroed is allowed */

/* The next parcel, which may be empty; TN_END: all packets are dealt out. */
enum tn_code tn_deal(struct tn_deal *d, struct tn_parcel *parcel, struct tn_error *err);

/*
 * Walk its packets and pass each batch to @take, which adds a user to those that it keeps. Any thread. Stops at
 * the first failure of either.
 */
enum tn_code tn_parcel_walk(struct tn_deal *d, struct tn_parcel *parcel,
			  enum tn_code (*take)(void *user, struct tn_walked *walked, struct tn_error *err), void *user,
			  struct tn_error *err);
/* Give back its pages. */
void tn_parcel_give_back(const struct tn_deal *d, const struct tn_parcel *parcel);
void tn_parcel_release(struct tn_parcel *parcel);

#endif
