/*
 * deal.h - divide the packets of a set among threads
 *
 * A parcel has successive packets of one stream, and the thread that works on it walks them. One thread deals: it makes
 * parcels in the order of the start times of their packets. It walks a packet that is too large for a parcel itself, a
 * few batches for each parcel.
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
	struct tn_batch_place next;	/* if its number is not 0, the place is inside of a large packet */
	bool done;
	int64_t bound_ns;	/* lower bound of the keys of the rows from there on */
};

struct tn_deal {
	struct tn_set *set;
	const struct tn_scan_options *options;	/* the range, and when to stop */
	const struct tn_packet_marks *marks;	/* packets to leave out; NULL: all are read */
	uint32_t limit;		/* limit of rows in a batch; 0: TN_BATCH_REFS */
	struct tn_walk_pool pool;
	struct tn_deal_place *place;	/* for each stream, by rank */
	tn_merge_key *heap;	/* streams by the start of their next packet */
	size_t n_heap;
	/*
	 * Only the number of events is needed. Packets without notices whose number is in the index are not dealt, but
	 * counted here. Other packets are walked without their rows, if the format can do this.
	 */
	bool counts;
	uint64_t counted;
	uint64_t parcel_bytes;
	bool gives_back;	/* the trace is large: release pages after use */
};

struct tn_parcel {
	struct tn_stream *stream;
	size_t first, n;	/* range of the packets */
	uint64_t bytes;
	bool counts;		/* only the number of events in all its packets is needed */
	TN_ARRAY(struct tn_walked *) walked;	/* batches of a large packet that the dealing thread has walked */
	bool last;		/* the last parcel of the stream */
	/* Lower bound of the keys in later parcels of the stream; INT64_MAX: there is no later parcel. */
	int64_t bound_ns;
};

#define TN_PARCEL_BYTES ((uint64_t)256 << 10)

/* A parcel has at least one packet and about @parcel_bytes, less if there are many streams. */
enum tn_code tn_deal_init(struct tn_deal *d, struct tn_set *set, const struct tn_scan_options *options,
			  const struct tn_packet_marks *marks, uint64_t parcel_bytes, struct tn_error *err);
void tn_deal_release(struct tn_deal *d);	/* call it after all parcels; a zeroed one is allowed */

/* Get the next parcel, which may be empty. TN_END: all packets are dealt. */
enum tn_code tn_deal(struct tn_deal *d, struct tn_parcel *parcel, struct tn_error *err);

/*
 * Walk the packets of a parcel, and pass each batch to @take, which adds a user to batches that it keeps. Any thread may
 * call this. Stops at the first failure.
 */
enum tn_code tn_parcel_walk(struct tn_deal *d, struct tn_parcel *parcel,
			  enum tn_code (*take)(void *user, struct tn_walked *walked, struct tn_error *err), void *user,
			  struct tn_error *err);
/* Release the pages of a parcel. */
void tn_parcel_give_back(const struct tn_deal *d, const struct tn_parcel *parcel);
void tn_parcel_release(struct tn_parcel *parcel);

#endif
