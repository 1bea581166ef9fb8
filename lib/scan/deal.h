/*
 * deal.h - the packets of a set, dealt out to threads
 *
 * A parcel is some consecutive packets of one stream, walked by the thread that works on it. Parcels are dealt out in the
 * order of the begins of their packets, by one thread. A packet that is too large for a parcel is walked by the thread
 * that deals, a few batches a parcel.
 */
#ifndef TN_SCAN_DEAL_H
#define TN_SCAN_DEAL_H

#include <tnav/query.h>

#include "base/array.h"
#include "index/batches.h"
#include "order/flow.h"
#include "order/merge.h"

/* Where the next parcel of a stream begins. */
struct tn_deal_place {
	struct tn_batch_place next;	/* number > 0: inside a large packet */
	bool done;
	int64_t bound_ns;	/* no row from there on has an earlier key */
};

struct tn_deal {
	struct tn_set *set;
	const struct tn_scan_options *options;	/* its range, and when to stop */
	const struct tn_packet_marks *marks;	/* packets that are left out; NULL: none */
	uint32_t limit;		/* rows of a batch; 0: TN_BATCH_REFS */
	struct tn_walk_pool pool;
	struct tn_deal_place *place;	/* by rank */
	tn_merge_key *heap;	/* streams by their next packet's begin */
	size_t n_heap;
	/*
	 * Nothing but the number is wanted: packets of which the index knows it, and that have no notices, are not dealt out,
	 * but counted here.
	 */
	bool counts;
	uint64_t counted;
	uint64_t parcel_bytes;
	bool gives_back;	/* the trace is large: pages that were read leave the memory */
};

struct tn_parcel {
	struct tn_stream *stream;
	size_t first, n;	/* packets */
	uint64_t bytes;
	TN_ARRAY(struct tn_walked *) walked;	/* of a large packet */
	bool last;		/* the stream has no more */
	int64_t bound_ns;	/* no row of the stream in a later parcel has an earlier key; INT64_MAX: there are none */
};

#define TN_PARCEL_BYTES ((uint64_t)256 << 10)

/* A parcel has about @parcel_bytes, less where there are many streams, and one packet at least. */
enum tn_code tn_deal_init(struct tn_deal *d, struct tn_set *set, const struct tn_scan_options *options,
			  const struct tn_packet_marks *marks, uint64_t parcel_bytes, struct tn_error *err);
void tn_deal_release(struct tn_deal *d);	/* after all parcels; zeroed is allowed */

/* The next parcel, which may be empty; TN_END: all is dealt out. */
enum tn_code tn_deal(struct tn_deal *d, struct tn_parcel *parcel, struct tn_error *err);

/*
 * Walk its packets and pass each batch to @take, which holds those that it keeps. Any thread. Stops at the first failure
 * of either.
 */
enum tn_code tn_parcel_walk(struct tn_deal *d, struct tn_parcel *parcel,
			  enum tn_code (*take)(void *user, struct tn_walked *walked, struct tn_error *err), void *user,
			  struct tn_error *err);
/* Its pages are not needed any more. */
void tn_parcel_give_back(const struct tn_deal *d, const struct tn_parcel *parcel);
void tn_parcel_release(struct tn_parcel *parcel);

#endif
