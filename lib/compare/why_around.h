/* why_around.h - events during and before spans, on the thread of each span: how often they occur */
#ifndef TN_COMPARE_WHY_AROUND_H
#define TN_COMPARE_WHY_AROUND_H

#include "compare/statistics.h"
#include "compare/why.h"
#include "base/hash.h"

#define TN_AROUND_SPANS 1000000	/* if there are more spans, one in two, four, ... is counted */

struct tn_around_span {
	int64_t begin_ns, end_ns;
	int64_t latest_ns;	/* the latest end of this and of all earlier ones of the thread, once they are sorted */
	uint32_t thread;	/* number */
	bool selected;
	uint8_t block;		/* block of the time of its begin */
};

struct tn_around_thread {
	int64_t tid;
	uint32_t rank;		/* rank of a stream of its host */
};

/* Zeroed is empty. */
struct tn_around {
	TN_ARRAY(struct tn_around_span) span;
	struct tn_hash thread_of;	/* thread and loom: its number */
	TN_ARRAY(struct tn_around_thread) threads;	/* by number */
	uint64_t met, every;	/* one span in `every` is kept; 0 is 1 */
	size_t thread;		/* the place of the thread among the values of a span; 0: spans have none */
};

void tn_around_release(struct tn_around *a);
/* @key: @thread with its loom. False: memory is out. */
bool tn_around_add(struct tn_around *a, uint64_t key, const struct tn_around_thread *thread, const struct tn_around_span *span);
/* Read all events, and add a finding for each class that is more frequent during or before the selected spans. */
enum tn_code tn_around_find(struct tn_around *a, struct tn_why *w, const struct tn_scan_options *options,
			    struct tn_error *err) TN_MUST_CHECK;
/* Add a finding for each thread that more of the selected spans waited for most of their time. Before tn_around_find(). */
enum tn_code tn_around_wait(struct tn_around *a, struct tn_why *why, const struct tn_scan_options *options,
			    struct tn_error *err) TN_MUST_CHECK;

#endif
