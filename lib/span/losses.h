/* losses.h - the times at which events were lost, and whether a begin or an end of a span may be among them */
#ifndef TN_SPAN_LOSSES_H
#define TN_SPAN_LOSSES_H

#include "base/array.h"
#include "base/error.h"

struct tn_spans;
struct tn_scan_options;

struct tn_lost_range {
	int64_t begin_ns, end_ns;	/* between the two */
	int64_t latest_ns;		/* end of this one and of all before it */
};

struct tn_lost_ranges {
	TN_ARRAY(struct tn_lost_range) range;	/* sorted by begin; touching ranges are joined */
	bool known;
};

struct tn_losses {
	const struct tn_spans *spans;
	struct tn_lost_ranges *of_stream;	/* by rank */
	TN_ARRAY(uint32_t) rank;		/* streams that have some */
	/* By definition, then by trace: losses of all relevant streams; made at first use. */
	struct tn_lost_ranges *of_definition;
	size_t n_streams, n_traces;
};

/* A span's times and its streams, by rank. */
struct tn_lost_question {
	size_t definition;
	uint32_t begin_rank, end_rank;
	int64_t begin_ns, end_ns;
};

/* Search the packets of all streams for losses in the range of the options. */
enum tn_code tn_losses_find(struct tn_losses *l, const struct tn_spans *spans, const struct tn_scan_options *options,
			    struct tn_error *err) TN_MUST_CHECK;
void tn_losses_release(struct tn_losses *l);

/* Whether the losses of stream @rank may include a begin or an end of such a span. */
bool tn_loss_matters(const struct tn_spans *spans, uint32_t rank, const struct tn_lost_question *q);
/* Whether relevant events were lost between begin and end. False with *failed: memory is out. */
bool tn_losses_touch(struct tn_losses *l, const struct tn_lost_question *q, bool *failed);

#endif
