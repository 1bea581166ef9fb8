/*
 * chunk.h - about two thousand rows of a scan, filtered and written by one thread
 *
 * A chunk is filled with runs in the order of the scan. The work on it needs nothing else, so any thread may do it.
 * Chunks are then delivered in order.
 */
#ifndef TN_SCAN_CHUNK_H
#define TN_SCAN_CHUNK_H

#include <stdatomic.h>

#include "order/merge.h"
#include "scan/filter.h"
#include "scan/packet_skip.h"
#include "scan/zone_writer.h"
#include "scan/prefilter.h"

#define TN_CHUNK_ROWS 2048

/* A row at which the output stops: a notice, or an event if each event is reported. */
struct tn_stop {
	size_t text_end;	/* end of its line in the text; if it has no line, its place in the text */
	const struct tn_batch *batch;
	size_t row;
	bool is_notice;
	/* A notice that replaces this row and all later rows of its packet, which no longer exist. */
	bool is_lost;
};

/* A batch of which the chunk has all rows from @low to @high. */
struct tn_chunk_batch {
	struct tn_walked *walked;
	size_t low, high;
	size_t at;		/* index in chunk->pass of the batch's row 0, even if the chunk does not have this row */
	bool lost, told;	/* `lost`: the packet was overwritten since; `told`: a stop reports this */
	struct tn_zone_part observed;	/* result of tn_zone_writer_observed() */
};

struct tn_chunk {
	/* Filled by the merge: rows [first, first + n) of each batch, in ascending order. */
	TN_ARRAY(struct tn_run) runs;
	TN_ARRAY(struct tn_chunk_batch) held;	/* each batch occurs once; run->held is its index */
	size_t rows;
	uint64_t counted;		/* number of events in packets that were counted without their rows; all match */
	int64_t counted_ns;		/* largest time in the last of these packets */
	bool backward;			/* the runs are backward, so the last run has the first rows */
	struct tn_line_previous previous;	/* the event before the earliest row */
	/*
	 * Results of the work; text and stops are in ascending order. `more`: the text buffer is full. Deliver it, then
	 * call tn_chunk_work_on().
	 */
	bool more;
	bool begun;
	bool whole;			/* the caller takes ranges, and all rows match: there are no stops */
	bool decided;			/* `pass` has the result of the conditions on values for each row */
	TN_ARRAY(uint8_t) pass;		/* after the work: a flag for each matching row */
	bool cut;			/* the work had several steps, and `pass` is only from the last one */
	struct tn_zone_notes notes;
	size_t next_run, next_row;	/* where the work continues: the run, and the row in it */
	struct tn_str text;
	TN_ARRAY(struct tn_stop) stops;
	uint64_t read, passed;		/* number of events */
	enum tn_code code;
	struct tn_error err;
};

/* Settings that are the same for all chunks of a scan. */
struct tn_chunk_plan {
	const struct tn_filter *filter;	/* NULL: all events match */
	const struct tn_prefilter *prefilter;	/* NULL is allowed */
	const struct tn_text *text;	/* format of the delivered lines; NULL: no lines are delivered */
	/*
	 * Format of the lines that regular expressions match; it also decides which deltas are needed. NULL: no lines are
	 * made.
	 */
	const struct tn_text *match;
	const struct tn_packet_skip *skip;	/* NULL: all packets are read */
	const struct tn_zone_writer *zone_writer;	/* NULL: no notes are written */
	bool each;		/* make a stop for each event that matches */
	bool ranges;		/* only ranges of rows are reported */
	size_t most_text;	/* a step of the work ends after this size of text */
	atomic_size_t *waiting;	/* bytes of text in all chunks that are not delivered yet */
	bool (*stopped)(void *user);	/* returns whether the result is no longer needed; NULL: it is always needed */
	void *user;
};

/* The state that a thread keeps from chunk to chunk. Zero it before first use. */
struct tn_chunk_state {
	struct tn_line_state line;
	struct tn_filter_state filter;
	struct tn_prefilter_state prefilter;
	struct tn_zone_buffer zone_buffer;
};

/* Limit of the text in all chunks that are not delivered yet. Above it, no chunk is begun. */
#define TN_CHUNK_WAITING ((size_t)32 << 20)

void tn_chunk_work(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state);
/* Continue with the rest after the text was delivered. A step makes progress even above the limit. */
void tn_chunk_work_on(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state);
void tn_chunk_delivered(struct tn_chunk *c, const struct tn_chunk_plan *plan);	/* releases its text */
void tn_chunk_clear(struct tn_chunk *c);	/* releases the batches, but keeps the allocations */
void tn_chunk_release(struct tn_chunk *c);
void tn_chunk_state_release(struct tn_chunk_state *state);

#endif
