/*
 * merge.h - the rows of many streams in one order
 *
 * A heap has the next rows of the flows. The order is total: no two rows are equal in (time, rank of the stream), so
 * walking back gives exactly the reverse of walking forward. A result is a run: all rows of one stream before the next
 * row of any other stream.
 *
 * Walking forward, the heap has a lower bound of a flow's next time, and rows of the flow are walked only when it reaches
 * the top. So the first page of a thousand streams needs few walks.
 */
#ifndef TN_ORDER_MERGE_H
#define TN_ORDER_MERGE_H

#include "order/flow.h"

/* (time, rank) as one number; complemented for walking back, so that the smallest number always comes first. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 tn_merge_key;
#else
typedef struct { uint64_t time; uint32_t rank; } tn_merge_key;
#endif

static inline bool
tn_merge_key_less(tn_merge_key a, tn_merge_key b)
{
#ifdef __SIZEOF_INT128__
	return a < b;
#else
	return a.time != b.time ? a.time < b.time : a.rank < b.rank;
#endif
}

/* ---- the heap ---- */

static inline tn_merge_key
tn_merge_key_of(int64_t time_ns, uint32_t rank, bool backward)
{
	uint64_t time = (uint64_t)time_ns ^ UINT64_C(1) << 63;

	if (backward) {
		time = ~time;
		rank = ~rank;
	}
#ifdef __SIZEOF_INT128__
	return (tn_merge_key)time << 32 | rank;
#else
	return (tn_merge_key) { time, rank };
#endif
}

static inline uint32_t
tn_merge_key_rank(tn_merge_key key, bool backward)
{
#ifdef __SIZEOF_INT128__
	uint32_t rank = (uint32_t)key;
#else
	uint32_t rank = key.rank;
#endif

	return backward ? ~rank : rank;
}

static inline int64_t
tn_merge_key_time(tn_merge_key key, bool backward)
{
#ifdef __SIZEOF_INT128__
	uint64_t time = (uint64_t)(key >> 32);
#else
	uint64_t time = key.time;
#endif

	return (int64_t)((backward ? ~time : time) ^ UINT64_C(1) << 63);
}

void tn_heap_push(tn_merge_key *heap, size_t *n, tn_merge_key key);
void tn_heap_pop(tn_merge_key *heap, size_t *n);
void tn_heap_replace_top(tn_merge_key *heap, size_t n, tn_merge_key key);	/* needs only one sift */

/* ---- the merge ---- */

struct tn_merge {
	const struct tn_set *set;
	struct tn_flow *flow;	/* one for each stream, by rank */
	size_t n_flows;
	struct tn_flow_source source;
	bool backward;
	bool stale;		/* the flow at the top has moved since it was put there */
	tn_merge_key *heap;
	size_t n;
};

/* Rows [first, first + n) of the batch; for walking back, first, first - 1, ... Borrowed until the next call. */
struct tn_run {
	union {
		struct tn_rows rows;
		struct {
			const struct tn_batch *batch;	/* the batch of `walked` */
			size_t first, n;
		};
	};
	struct tn_walked *walked;
	size_t held;		/* belongs to the code that takes runs */
};

/* Move all flows to their start. */
enum tn_code tn_merge_init(struct tn_merge *m, const struct tn_set *set, struct tn_flow_source source,
			   struct tn_error *err);
void tn_merge_release(struct tn_merge *m);

/* Build the heap after gaps were moved. */
enum tn_code tn_merge_start(struct tn_merge *m, bool backward, struct tn_error *err);

/* Get the next rows, at most @max. TN_END: no more rows. After a failure, set the gaps again. */
enum tn_code tn_merge_run(struct tn_merge *m, size_t max, struct tn_run *out, struct tn_error *err);

/*
 * Like tn_merge_run(), for all runs, at least 1 and at most @room, up to the next batch that must be walked. All are
 * borrowed until the next call.
 */
enum tn_code tn_merge_runs(struct tn_merge *m, size_t max, struct tn_run *out, size_t room, size_t *n,
			   struct tn_error *err);

/* Get only the next row, without taking it. */
enum tn_code tn_merge_peek(struct tn_merge *m, struct tn_run *out, struct tn_error *err);

/* Move the gaps. */
void tn_merge_to_start(struct tn_merge *m);
enum tn_code tn_merge_to_end(struct tn_merge *m, struct tn_error *err);
enum tn_code tn_merge_seek(struct tn_merge *m, int64_t time_ns, struct tn_error *err);	/* before the first row from @time_ns on */
enum tn_code tn_merge_seek_row(struct tn_merge *m, const struct tn_location *at, bool after, struct tn_error *err);

#endif
