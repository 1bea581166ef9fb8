/* losses.h - the times at which events were lost, and whether a begin or an end event of a span may be among them */
#ifndef TN_SPAN_LOSSES_H
#define TN_SPAN_LOSSES_H

#include "base/array.h"
#include "base/error.h"

struct tn_spans;
struct tn_scan_options;

struct tn_lost_range {
	int64_t begin_ns, end_ns;	/* a range of time */
	int64_t latest_ns;		/* latest end of this range and of all ranges before it */
};

struct tn_lost_ranges {
	TN_ARRAY(struct tn_lost_range) range;	/* sorted by begin; ranges that overlap are joined */
	bool known;
};

struct tn_losses {
	const struct tn_spans *spans;
	struct tn_lost_ranges *of_stream;	/* for each stream, by rank */
	TN_ARRAY(uint32_t) rank;		/* ranks of the streams that lost events */
	/* By definition, then by trace: the losses of all streams that matter; made at first use. */
	struct tn_lost_ranges *of_definition;
	size_t n_streams, n_traces;
};

/* The times of a span, and the streams of its events, by rank. */
struct tn_lost_question {
	size_t definition;
	uint32_t begin_rank, end_rank;
	int64_t begin_ns, end_ns;
};

/* Find the losses of all streams in the range of the options, from their packets. */
enum tn_code tn_losses_find(struct tn_losses *l, const struct tn_spans *spans, const struct tn_scan_options *options,
			    struct tn_error *err) TN_MUST_CHECK;
void tn_losses_release(struct tn_losses *l);

/* Whether a begin or an end event of such a span can be among the losses of stream @rank. */
bool tn_loss_matters(const struct tn_spans *spans, uint32_t rank, const struct tn_lost_question *q);
/* Whether events that matter were lost between begin and end. False with *failed: memory is out. */
bool tn_losses_touch(struct tn_losses *l, const struct tn_lost_question *q, bool *failed);

#endif
