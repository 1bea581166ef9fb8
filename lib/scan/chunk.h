/*
 * chunk.h - about two thousand rows of a scan, filtered and written by one thread
 *
 * A chunk is filled with runs in the order of the scan; working on it needs nothing but the chunk, so
 * any thread may do it; what came out is then delivered chunk by chunk.
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

/* Something in the output to stop at: a notice, or an event when each one is asked for. */
struct tn_stop {
	size_t text_end;	/* of its line in the text; where it stands when it has none */
	const struct tn_batch *batch;
	size_t row;
	bool is_notice;
	bool is_lost;		/* a notice in place of this row and what is behind it in its packet: they are there no more */
};

/* A batch that a chunk has rows of: [low, high], all of them. */
struct tn_chunk_batch {
	struct tn_walked *walked;
	size_t low, high;
	size_t at;		/* of row 0 in chunk->pass, were it there */
	bool lost, told;	/* its packet was overwritten since; there is a stop that says so */
	struct tn_zone_part observed;	/* of tn_zone_writer_observed() */
};

struct tn_chunk {
	/* Filled by who merges. Rows [first, first + n) of each batch, in rising order. */
	TN_ARRAY(struct tn_run) runs;
	TN_ARRAY(struct tn_chunk_batch) held;	/* each batch once; run->held is its number */
	size_t rows;
	bool backward;			/* the runs go back: the last one has the first rows */
	struct tn_line_previous previous;	/* the event before the earliest row */
	/*
	 * Set by the work. The text and the stops are in rising order. `more`: there was too much text: what is there is
	 * to be delivered, and the work goes on.
	 */
	bool more;
	bool begun;
	bool decided;			/* `pass` says of each row what its values say */
	TN_ARRAY(uint8_t) pass;		/* behind the work: which of them pass */
	bool cut;			/* it was worked on more than once: `pass` is of the last time */
	struct tn_zone_notes notes;
	size_t next_run, next_row;	/* where it goes on; the row in its run */
	struct tn_str text;
	TN_ARRAY(struct tn_stop) stops;
	uint64_t read, passed;		/* events */
	enum tn_code code;
	struct tn_error err;
};

/* What is the same for all chunks of a scan. */
struct tn_chunk_plan {
	const struct tn_filter *filter;	/* NULL when everything passes */
	const struct tn_prefilter *prefilter;	/* or NULL */
	const struct tn_text *text;	/* of the lines that are wanted; NULL: none */
	/* Of those that regular expressions see; also says what deltas need. NULL: no line is made. */
	const struct tn_text *match;
	const struct tn_packet_skip *skip;	/* NULL: all is read */
	const struct tn_zone_writer *zone_writer;	/* NULL: nothing is learnt */
	bool each;		/* a stop for each event that passes */
	size_t most_text;	/* bytes after which a chunk has enough */
	atomic_size_t *waiting;	/* bytes of text in all chunks that wait to be delivered */
	bool (*stopped)(void *user);	/* nobody waits for the chunk any more; NULL: somebody does */
	void *user;
};

/* What a thread keeps from chunk to chunk. Zeroed before first use. */
struct tn_chunk_state {
	struct tn_line_state line;
	struct tn_filter_state filter;
	struct tn_prefilter_state prefilter;
	struct tn_zone_buffer zone_buffer;
};

/* All chunks' text that may wait; who finds more does not begin. */
#define TN_CHUNK_WAITING ((size_t)32 << 20)

void tn_chunk_work(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state);
/* The same, on what is left, when what was there is delivered: some work is done however much waits. */
void tn_chunk_work_on(struct tn_chunk *c, const struct tn_chunk_plan *plan, struct tn_chunk_state *state);
void tn_chunk_delivered(struct tn_chunk *c, const struct tn_chunk_plan *plan);	/* its text may go */
void tn_chunk_clear(struct tn_chunk *c);	/* lets the batches go, keeps the room */
void tn_chunk_release(struct tn_chunk *c);
void tn_chunk_state_release(struct tn_chunk_state *state);

#endif
