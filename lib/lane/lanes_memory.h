/*
 * lanes_memory.h - all of the time of lanes, in fine cells
 *
 * While all of the time is looked at, it is gathered how long each lane was in each state in each fine cell (a power of
 * two of nanoseconds, about 50,000 of them), and which spans were open at each border between two: a picture of any window
 * is put together from these, and from the events of those fine cells only in which the border of a column lies and matters.
 *
 * It is a block of bytes that can be kept and is not trusted when it comes back: struct tn_fine_head, then the parts, each
 * an array, in the order of the enum.
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
	int64_t begin_ns, last_ns;	/* of the traces */
	int64_t origin_ns;		/* where the first cell begins */
	uint64_t shift;			/* a cell is 1 << shift nanoseconds */
	uint64_t cells;
	uint64_t n[TN_FINE_PARTS];	/* items of each part */
};

#define TN_FINE_NONE UINT32_MAX

/* In the order in which they came; so are states. */
struct tn_fine_lane {
	int64_t first_ns;
	uint64_t n_shares, n_ranks, n_words;	/* they follow one another in the parts */
	uint64_t class;			/* of an event that has such a value with labels; UINT64_MAX: no labels */
};

/* A stream that begins of a lane come from. */
struct tn_fine_rank {
	int64_t first_ns;
	uint64_t rank;
};

struct tn_fine_state {
	int64_t first_ns;
	uint64_t n;			/* bytes of its name */
};

/* By lane, then by cell. A run: @ns whole cells from @cell on. */
#define TN_FINE_RUN ((uint32_t)1 << 31)
struct tn_fine_share {
	uint32_t cell, state;		/* | TN_FINE_RUN */
	uint64_t ns;
};

/* A begin that is open at borders (before cells) @first to @last; in the order of the events. */
struct tn_fine_open {
	int64_t begin_ns;		/* it is the merge key, too */
	uint64_t row;
	uint32_t rank, packet, class, key;
	uint32_t lane, state;		/* lane: or TN_FINE_NONE */
	uint32_t first, last;
};

/* In the order of their begins, no two of which are the same event. */
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
	uint64_t row, cycles, count, n;	/* n: bytes of its text */
	uint32_t rank, packet;
	uint8_t kind, has_time, has_cycles, has_range, has_text, unused[3];
};

/* ---- gathering (lanes_gather.c) ---- */

/* Times of [begin_ns, last_ns] in at most @cells cells and about @most bytes. NULL: it cannot be done. */
struct tn_gather *tn_gather_new(int64_t begin_ns, int64_t last_ns, size_t cells, size_t most);
void tn_gather_free(struct tn_gather *gather);	/* NULL is allowed */
/* No more than this is wanted: what comes does not fit into what can be kept. */
void tn_gather_stop(struct tn_gather *gather);

/* A begin is about to be told, or another thread runs. */
void tn_gather_record(struct tn_gather *gather, const struct tn_span_record *record);
/* It was told: its node is complete. */
void tn_gather_begin(struct tn_gather *gather, const struct tn_lanes *lanes, struct node *node, const struct tn_span *span);
void tn_gather_end(struct tn_gather *gather, struct tn_lanes *lanes, const struct node *node, const struct tn_span *span);
/* Up to @ns the lane is in the state on top. */
void tn_gather_advance(struct tn_gather *gather, const struct lane *lane, int64_t ns);
void tn_gather_notice(struct tn_gather *gather, const struct tn_row *row);

/* All of it as bytes, which are the caller's to free; NULL: it could not be done. */
uint8_t *tn_gather_finish(struct tn_gather *gather, const struct tn_lanes *lanes, size_t *n);

/* ---- what was gathered (lanes_memory.c) ---- */

struct tn_lanes_memory {
	atomic_uint refs;
	char *question;			/* what it is an answer to */
	uint64_t grown;			/* of the set, then */
	const struct tn_set *set;	/* it is of */
	uint8_t *bytes;			/* owned; NULL: they are in a file */
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
	uint64_t *share_at, *key_at;	/* by lane, by key: where they begin */
	uint32_t *latest;		/* of each block of begins: the last border one is open at */
};

#define TN_FINE_BLOCK 256

/* Empty, and nobody else's; the question is taken over. NULL: memory is out. */
struct tn_lanes_memory *tn_memory_new(const struct tn_lanes *lanes, char *question);
/* Take what is in it out of @bytes, which it has. False: they are no memory of such lanes of [begin_ns, last_ns]. */
bool tn_memory_take(struct tn_lanes_memory *m, const struct tn_lanes *lanes, const uint8_t *bytes, size_t n, int64_t begin_ns,
		    int64_t last_ns);

/* ---- where pictures begin (lanes_seeds.c) ---- */

/* All lanes and states from before the end of the window, none with anything in it. TN_END: they are wrong. */
enum tn_code tn_memory_prepare(const struct tn_lanes_memory *m, struct tn_lanes *lanes, struct tn_error *err);
/* What is open at a border, as records. */
enum tn_code tn_memory_seeds(const struct tn_lanes_memory *m, const struct tn_lanes *lanes, uint32_t border,
			     struct tn_record_buffer *out, struct tn_error *err);
/* Losses and damage before the end of the window: counted, and told as @options want it. */
enum tn_code tn_memory_notices(const struct tn_lanes_memory *m, struct tn_lanes *lanes, const struct tn_scan_options *options,
			       struct tn_error *err);

/* ---- pictures out of it (lanes_recall.c) ---- */

/* Fill the window, which is empty. TN_END: what is remembered is wrong. */
enum tn_code tn_memory_recall(const struct tn_lanes_memory *m, struct tn_lanes *lanes, const struct tn_scan_options *options,
			      struct tn_error *err);

#endif
