/*
 * lanes_memory.h - recorded lanes: all of the time, in fine cells
 *
 * While all of the time is read, two kinds of facts are recorded: how long each lane was in each state in each fine cell
 * (a power of two of nanoseconds, about 50,000 cells), and the spans that were open at each border between two cells. A
 * picture of any window is made from these facts. The events of a fine cell are read only if the border of a column is
 * inside of the cell and matters.
 *
 * The recording is a block of bytes that can be stored, and is not trusted when it is loaded: struct tn_fine_head, then
 * the parts, each an array, in the order of the enum.
 */
#ifndef TN_LANE_LANES_MEMORY_H
#define TN_LANE_LANES_MEMORY_H

#include <stdatomic.h>

#include "lane/lanes.h"
#include "base/meaning.h"
#include "digest/answer_file.h"

#define TN_FINE_CELLS 65536
#define TN_FINE_MAGIC TN_MEANING_MAGIC(3, TN_MEANING_LANES)

enum tn_fine_part {
	TN_FINE_LANES, TN_FINE_RANKS, TN_FINE_STATES, TN_FINE_SHARES, TN_FINE_OPEN, TN_FINE_KEYS,
	TN_FINE_WORDS, TN_FINE_NOTICES, TN_FINE_TEXT, TN_FINE_PARTS
};

struct tn_fine_head {
	uint64_t magic;
	int64_t begin_ns, last_ns;	/* range of the traces */
	int64_t origin_ns;		/* start of the first cell */
	uint64_t shift;			/* a cell is 1 << shift nanoseconds long */
	uint64_t cells;
	uint64_t n[TN_FINE_PARTS];	/* number of items in each part */
};

#define TN_FINE_NONE UINT32_MAX

/* A lane. Lanes and states are in the order of arrival. */
struct tn_fine_lane {
	int64_t first_ns;
	uint64_t n_shares, n_ranks, n_words;	/* the items of each lane are consecutive in their part */
	uint64_t class;			/* class of an event whose value has the labels; UINT64_MAX: no labels */
};

/* A stream with begins of a lane. */
struct tn_fine_rank {
	int64_t first_ns;
	uint64_t rank;
};

struct tn_fine_state {
	int64_t first_ns;
	uint64_t n;			/* size of its name */
};

/*
 * Shares are sorted by lane, then by cell. With this flag, a share is a run: @ns cells from @cell on, each filled by the
 * state.
 */
#define TN_FINE_RUN ((uint32_t)1 << 31)
struct tn_fine_share {
	uint32_t cell, state;		/* `state` may have TN_FINE_RUN */
	uint64_t ns;
};

/* A begin whose span is open at the borders @first to @last; border N is before cell N. In the order of the events. */
struct tn_fine_open {
	int64_t begin_ns;		/* time, which is also the merge key */
	uint64_t row;
	uint32_t rank, packet, class, key;
	uint32_t lane, state;		/* `lane` may be TN_FINE_NONE */
	uint32_t first, last;
};

/* Compare open begins by their order; no two are of the same event. */
static inline int
tn_fine_compare(const struct tn_fine_open *x, const struct tn_fine_open *y)
{
	if (x->begin_ns != y->begin_ns)
		return x->begin_ns < y->begin_ns ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->packet != y->packet)
		return x->packet < y->packet ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

struct tn_fine_key {
	uint64_t n_words;
};

struct tn_fine_notice {
	int64_t key_ns, time_ns, begin_ns, end_ns;
	uint64_t row, cycles, count, n;	/* `n`: size of the text */
	uint32_t rank, packet;
	uint8_t kind, has_time, has_cycles, has_range, has_text, unused[3];
};

/* ---- recording (lanes_gather.c) ---- */

/* Record [begin_ns, last_ns] in at most @cells cells and about @most bytes. NULL: impossible. */
struct tn_gather *tn_gather_new(int64_t begin_ns, int64_t last_ns, size_t cells, size_t most);
void tn_gather_free(struct tn_gather *gather);	/* NULL is allowed */
/* Stop recording, because the result would not fit into a stored answer. */
void tn_gather_stop(struct tn_gather *gather);

/* Call this before a begin is reported, and when another thread runs. */
void tn_gather_record(struct tn_gather *gather, uint32_t class);
/* Call this after a begin was reported, when its node is complete. */
void tn_gather_begin(struct tn_gather *gather, const struct tn_lanes *lanes, struct node *node, const struct tn_span *span);
void tn_gather_end(struct tn_gather *gather, struct tn_lanes *lanes, const struct node *node, const struct tn_span *span);
/* Up to @ns, the lane is in the state on its top: record this time. */
void tn_gather_advance(struct tn_gather *gather, const struct lane *lane, int64_t ns);
void tn_gather_notice(struct tn_gather *gather, const struct tn_row *row);

/* The recording as bytes, which the caller frees. NULL: it failed. */
uint8_t *tn_gather_finish(struct tn_gather *gather, const struct tn_lanes *lanes, size_t *n);

/* ---- the recording (lanes_memory.c) ---- */

struct tn_lanes_memory {
	atomic_uint refs;
	char *question;			/* the question for which it was made */
	uint64_t grown;			/* set->grown at that time */
	const struct tn_set *set;	/* the set for which it was made */
	uint8_t *bytes;			/* owned; NULL: the bytes are in a file */
	struct tn_answer_file kept;
	const struct tn_fine_head *head;
	const struct tn_fine_lane *lane;
	const struct tn_fine_rank *rank;
	const struct tn_fine_state *state;
	const struct tn_fine_share *share;
	const struct tn_fine_open *open;
	const struct tn_fine_key *key;
	const uint64_t *word;
	const struct tn_fine_notice *notice;
	const char *text;
	uint64_t *share_at, *key_at;	/* starts of the shares of each lane, and of the words of each key */
	uint32_t *latest;		/* for each block of begins, the last border at which one of them is open */
};

#define TN_FINE_BLOCK 256

/* Make an empty recording with one reference; it takes ownership of @question. NULL: memory is out. */
struct tn_lanes_memory *tn_memory_new(const struct tn_lanes *lanes, char *question);
/*
 * Take the contents from @bytes, and take ownership of them. False: they are not a recording of these lanes for
 * [begin_ns, last_ns].
 */
bool tn_memory_take(struct tn_lanes_memory *m, const struct tn_lanes *lanes, const uint8_t *bytes, size_t n, int64_t begin_ns,
		    int64_t last_ns);

/* ---- the start of pictures (lanes_seeds.c) ---- */

/* Make all lanes and states that begin before the end of the window, without contents. TN_END: the recording is invalid. */
enum tn_code tn_memory_prepare(const struct tn_lanes_memory *m, struct tn_lanes *lanes, struct tn_error *err);
/* Get the spans that are open at a border, as records. */
enum tn_code tn_memory_seeds(const struct tn_lanes_memory *m, const struct tn_lanes *lanes, uint32_t border,
			     struct tn_record_buffer *out, struct tn_error *err);
/* Count the losses and damage before the end of the window, and report them as @options require. */
enum tn_code tn_memory_notices(const struct tn_lanes_memory *m, struct tn_lanes *lanes, const struct tn_scan_options *options,
			       struct tn_error *err);

/* ---- pictures from the recording (lanes_recall.c) ---- */

/* Fill the empty window. TN_END: the recording is invalid. */
enum tn_code tn_memory_recall(const struct tn_lanes_memory *m, struct tn_lanes *lanes, const struct tn_scan_options *options,
			      struct tn_error *err);

#endif
