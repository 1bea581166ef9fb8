/*
 * chunk.h - about two thousand rows of a scan, filtered and written by one thread
 *
 * A chunk is filled with runs in the order of the scan. Work on it needs only the chunk, so that any thread may
 * do it. The results are then delivered chunk by chunk.
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

/* A stop of the output: a notice, or an event if each one is reported. */
struct tn_stop {
	size_t text_end;	/* end of its line in the text; without a line, its position */
	const struct tn_batch *batch;
	size_t row;
	bool is_notice;
	/* Replaces this row and all later ones of its packet, which no longer exist, by a notice. */
	bool is_lost;
};

/* A batch with rows of the chunk: [low, high], all of them. */
struct tn_chunk_batch {
	struct tn_walked *walked;
	size_t low, high;
	size_t at;		/* index of row 0 in chunk->pass, if it were in it */
	bool lost, told;	/* the packet was overwritten since; a stop reports it */
	struct tn_zone_part observed;	/* from tn_zone_writer_observed() */
};

struct tn_chunk {
	/* Filled by the merge. Rows [first, first + n) of each batch, in ascending order. */
	TN_ARRAY(struct tn_run) runs;
	TN_ARRAY(struct tn_chunk_batch) held;	/* each batch once; run->held is its number */
	size_t rows;
	uint64_t counted;		/* events of packets that were counted without their rows; all pass */
	int64_t counted_ns;		/* the largest time of the last such packet */
	bool backward;			/* the runs are backward: the last one has the first rows */
	struct tn_line_previous previous;	/* the event before the earliest row */
	/*
	 * Set by the work. The text and the stops are in ascending order. `more`: the text buffer is full.
	 * Deliver it, then call tn_chunk_work_on().
	 */
	bool more;
	bool begun;
	bool whole;			/* the caller takes ranges, and all rows pass: there are no stops */
	bool decided;			/* `pass` has the result of the conditions on values for each row */
	TN_ARRAY(uint8_t) pass;		/* after the work: flags of the passing rows */
	bool cut;			/* the work had several steps: `pass` is from the last one */
	struct tn_zone_notes notes;
	size_t next_run, next_row;	/* where the work continues; the row in its run */
	struct tn_str text;
	TN_ARRAY(struct tn_stop) stops;
	uint64_t read, passed;		/* events */
	enum tn_code code;
	struct tn_error err;
};

/* Values that are the same for all chunks of a scan. */
struct tn_chunk_plan {
	const struct tn_filter *filter;	/* NULL if everything passes */
	const struct tn_prefilter *prefilter;	/* or NULL */
	const struct tn_text *text;	/* format of the delivered lines; NULL: none */
	/*
	 * Format of the lines that regular expressions see; also decides which deltas are needed. NULL: no
	 * lines are made.
	 */
	const struct tn_text *match;
	const struct tn_packet_skip *skip;	/* NULL: all packets are read */
	const struct tn_zone_writer *zone_writer;	/* NULL: no notes are written */
	bool each;		/* a stop for each event that passes */
	bool ranges;		/* only to report ranges of rows */
	size_t most_text;	/* the size of text that ends a step of the work */
	atomic_size_t *waiting;	/* bytes of text in all chunks that are not delivered yet */
	bool (*stopped)(void *user);	/* whether the result is no longer needed; NULL: never */
	void *user;
};

/* State of a thread from chunk to chunk. Zeroed before first use. */
struct tn_chunk_state {
	struct tn_line_state line;
	struct tn_filter_state filter;
	struct tn_prefilter_state prefilter;
	struct tn_zone_buffer zone_buffer;
};

/* Limit for the text of all chunks that are not delivered yet; beyond it no chunk is begun. */
#define TN_CHUNK_WAITING ((size_t)32 << 20)

void tn_chunk_work(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state);
/* Continue with the rest, after the text was delivered: a step makes progress even beyond that limit. */
void tn_chunk_work_on(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state);
void tn_chunk_delivered(struct tn_chunk *c, const struct tn_chunk_plan *plan);	/* releases its text */
void tn_chunk_clear(struct tn_chunk *c);	/* releases the batches, keeps the allocations */
void tn_chunk_release(struct tn_chunk *c);
void tn_chunk_state_release(struct tn_chunk_state *state);

#endif
