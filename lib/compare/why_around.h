/* why_around.h - count the events during and before spans, on the thread of each span */
#ifndef TN_COMPARE_WHY_AROUND_H
#define TN_COMPARE_WHY_AROUND_H

#include "compare/statistics.h"
#include "compare/why.h"
#include "base/hash.h"

#define TN_AROUND_SPANS 1000000	/* if there are more spans, only every second, fourth, ... is kept */

struct tn_around_span {
	int64_t begin_ns, end_ns;
	int64_t latest_ns;	/* set when spans are sorted: latest end of this span and of all earlier spans of the thread */
	uint32_t thread;	/* number of the thread */
	bool selected;
	uint8_t block;		/* block that contains its begin */
};

struct tn_around_thread {
	int64_t tid;
	uint32_t rank;		/* rank of a stream of the thread's host */
};

/* A zeroed structure is empty. */
struct tn_around {
	TN_ARRAY(struct tn_around_span) span;
	struct tn_hash thread_of;	/* number of the thread, by thread and loom */
	TN_ARRAY(struct tn_around_thread) threads;	/* threads by number */
	uint64_t met, every;	/* number of spans so far; one span in `every` is kept, and 0 means 1 */
	size_t thread;		/* position of the thread in the values of a span; 0: spans do not have a thread */
};

void tn_around_release(struct tn_around *a);
/* Add a span. @key: its thread with the loom. False: memory is out. */
bool tn_around_add(struct tn_around *a, uint64_t key, const struct tn_around_thread *thread, const struct tn_around_span *span);
/* Read all events, and add a finding for each class that is more frequent during or before the selected spans. */
enum tn_code tn_around_find(struct tn_around *a, struct tn_why *w, const struct tn_scan_options *options,
			    struct tn_error *err) TN_MUST_CHECK;
/*
 * Add a finding for each thread for which the selected spans waited more often than the rest, for most of their time.
 * Call it before tn_around_find().
 */
enum tn_code tn_around_wait(struct tn_around *a, struct tn_why *why, const struct tn_scan_options *options,
			    struct tn_error *err) TN_MUST_CHECK;

#endif
