/* why_around.h - events during and before spans, on the thread of each span: how often they occur */
#ifndef TN_COMPARE_WHY_AROUND_H
#define TN_COMPARE_WHY_AROUND_H

#include "compare/statistics.h"
#include "compare/why.h"

#define TN_AROUND_SPANS 1000000	/* of more spans, one in two, four, ... is counted */

struct tn_around_span {
	uint64_t thread;	/* and its loom */
	int64_t begin_ns, end_ns;
	bool selected;
	uint8_t block;		/* of the time of its begin */
};

/* Zeroed is empty. */
struct tn_around {
	TN_ARRAY(struct tn_around_span) span;
	uint64_t met, every;	/* one span in `every` is kept; 0 is 1 */
	size_t thread;		/* the place of the thread among the values of a span; 0: spans have none */
};

void tn_around_release(struct tn_around *a);
/* False: memory is out. */
bool tn_around_add(struct tn_around *a, const struct tn_around_span *span);
/* Read all events, and add a finding for each class that is more frequent during or before the selected spans. */
enum tn_code tn_around_find(struct tn_around *a, struct tn_why *w, const struct tn_scan_options *options,
			    struct tn_error *err) TN_MUST_CHECK;

#endif
