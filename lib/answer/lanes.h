/*
 * lanes.h - lanes as they are drawn
 */
#ifndef TN_ANSWER_LANES_H
#define TN_ANSWER_LANES_H

#include "answer/spans.h"
#include "base/hash.h"

/* A span that is open, in its lane. */
struct node {
	struct node *below, *above;
	struct lane *lane;
	uint32_t state;
};

/* How long a state was in the cell that is being filled. */
struct share {
	uint32_t state;
	uint64_t ns;
};

struct lane {
	uint64_t *key;			/* packed, without its type; owned */
	const uint64_t *value;		/* behind it: with its type */
	struct node *top;
	bool has_last;
	int64_t last_ns;		/* up to here it is told */
	size_t column;			/* being filled */
	TN_ARRAY(struct share) shares;
	uint32_t *cell;			/* states + 1; 0: none */
	uint8_t *hit;			/* a bit a column: events that were searched for; NULL: none */
	TN_ARRAY(uint32_t) ranks;	/* of the streams that its begins came from, in their order */
};

struct tn_lanes {
	struct tn_set *set;
	struct tn_spans *spans;
	char *name;			/* of what a lane is made for */
	size_t key, captured;		/* where the lane's value is; SIZE_MAX */
	bool by_field;			/* the state is the first captured value, else the span's name */
	int64_t begin_ns, end_ns;
	size_t columns;
	TN_ARRAY(struct lane *) lane;
	struct tn_hash by_value, by_name;
	TN_ARRAY(char *) state;
	TN_ARRAY(uint64_t) state_ns;	/* of each, in the window */
	struct tn_words_out words;
	uint64_t *lost;			/* by column */
	uint8_t *lost_in;		/* a bit a column and rank; NULL: too many of them */
	uint8_t *elsewhere;		/* a bit a column: hits in no lane; NULL: none */
	int64_t at_ns;			/* of the last begin or end */
	TN_ARRAY(uint32_t) longest;	/* states, the longest first */
	char *letter;			/* of each state */
	uint64_t left_out;		/* spans of lanes beyond the bound */
	bool failed;
	const struct tn_scan_options *options;
};

/* The column of a time in the window. */
size_t tn_lanes_column(const struct tn_lanes *lanes, int64_t ns);

#endif
