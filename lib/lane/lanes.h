/*
 * lanes.h - lanes as they are drawn
 */
#ifndef TN_LANE_LANES_H
#define TN_LANE_LANES_H

#include "span/origins.h"
#include "span/spans.h"
#include "base/hash.h"

/* A span that is open, in its lane. */
struct node {
	struct node *below, *above;
	struct lane *lane;		/* NULL: in none, and only gathered */
	uint32_t state;
	/* For what is gathered. */
	uint32_t class;
	int64_t begin_ns;
	struct tn_location begin;
};

/* How long a state was in a cell. */
struct tn_share {
	uint32_t state;
	uint64_t ns;
};

struct tn_shares {
	struct tn_share *item;		/* each state once */
	size_t n, room;
	size_t last;			/* was found last */
	struct tn_hash by_state;	/* when there are many */
};

bool tn_shares_add(struct tn_shares *shares, uint32_t state, uint64_t ns);	/* false: memory is out */
void tn_shares_clear(struct tn_shares *shares);
void tn_shares_release(struct tn_shares *shares);

struct lane {
	uint64_t *key;			/* packed, without its type; owned */
	const uint64_t *value;		/* behind it: with its type */
	uint32_t number;		/* in the order in which they came */
	int64_t first_ns;		/* its first begin */
	struct node *top;
	bool has_last;
	int64_t last_ns;		/* up to here it is told */
	size_t column;			/* being filled */
	struct tn_shares shares;
	uint32_t *cell;			/* states + 1; 0: none */
	uint8_t *hit;			/* a bit a column: events that were searched for; NULL: none */
	TN_ARRAY(uint32_t) ranks;	/* of the streams that its begins came from, in their order */
};

struct tn_gather;

struct tn_lanes {
	struct tn_set *set;
	struct tn_spans *spans;
	char *text;			/* the definition */
	char *name;			/* of what a lane is made for */
	size_t key, captured;		/* where the lane's value is; SIZE_MAX */
	/* A lane for itself: a value of each host where traces are of several, a stream even if another one is called so. */
	struct tn_origins origins;
	bool by_field;			/* the state is the first captured value, else the span's name */
	int64_t begin_ns, end_ns;
	size_t columns;
	TN_ARRAY(struct lane *) lane;
	struct tn_hash by_value, by_name;
	TN_ARRAY(char *) state;
	TN_ARRAY(uint64_t) state_ns;	/* of each, in the window */
	TN_ARRAY(int64_t) state_first;	/* when it began first */
	struct tn_words_out words;
	uint64_t *lost;			/* by column */
	uint8_t *lost_in;		/* a bit a column and rank; NULL: too many of them */
	uint8_t *elsewhere;		/* a bit a column: hits in no lane; NULL: none */
	int64_t at_ns;			/* of the last begin or end */
	int64_t *until_ns;		/* by trace: its last packet ends then; NULL: nobody asked yet */
	TN_ARRAY(uint32_t) longest;	/* states, the longest first */
	char *letter;			/* of each state */
	uint64_t left_out;		/* spans of lanes beyond the bound */
	bool failed;
	const struct tn_scan_options *options;
	struct node *nowhere;		/* open ones that are in no lane, while it is gathered */
	struct tn_gather *gather;	/* while all of the time is looked at */
	struct tn_lanes_memory *memory;	/* what was gathered */
	size_t fine_cells;		/* at most so many are gathered; 0: none */
	size_t fine_bytes;		/* of at most so many bytes */
};

/* ---- definitions (lanes_define.c) ---- */

enum tn_code tn_lanes_define(struct tn_lanes *lanes, const char *text, struct tn_error *err) TN_MUST_CHECK;
/* The value of a begin's lane, as lanes have it; @room holds what was made for it. False: memory is out. */
bool tn_lanes_own_of(const struct tn_lanes *lanes, const struct tn_span *span, struct tn_str *room, struct tn_answer_value *out);
/* The type that has labels for a lane's value, a number of an event of the class; or NULL. */
const struct tn_type *tn_lanes_type(const struct tn_lanes *lanes, size_t class, bool *no_memory);

/* ---- for those who fill a window (lanes.c) ---- */

/* A window without anything in it. */
enum tn_code tn_lanes_window(struct tn_lanes *lanes, int64_t begin_ns, int64_t end_ns, size_t columns,
			     struct tn_error *err) TN_MUST_CHECK;
void tn_lanes_clear(struct tn_lanes *lanes);
/* Others of the same definition and set, for a look at a part of it. */
void tn_lanes_look(struct tn_lanes *out, const struct tn_lanes *lanes);
void tn_lanes_release(struct tn_lanes *lanes);	/* those */

/* How a window is filled. */
struct tn_lanes_way {
	bool has_from;		/* only events from @from_ns on; else all before the end */
	int64_t from_ns;
	struct tn_record_buffer *seeds;	/* what is open there; NULL: nothing */
	bool is_guess;		/* what is behind the last event is like what is before it */
	bool is_quiet;		/* notices are not told and not counted */
	bool is_open;		/* shares of the last cell stay where they are */
};

enum tn_code tn_lanes_fill(struct tn_lanes *lanes, const struct tn_scan_options *options, const struct tn_lanes_way *way,
			   struct tn_error *err) TN_MUST_CHECK;
/* Made where there is none. NULL: there are too many, or ->failed. */
struct lane *tn_lanes_lane(struct tn_lanes *lanes, const struct tn_answer_value *value, int64_t ns);
uint32_t tn_lanes_state_of(struct tn_lanes *lanes, const char *name, size_t n, int64_t ns);
void tn_lanes_rank(struct tn_lanes *lanes, struct lane *lane, uint32_t rank);
void tn_lanes_sort(struct tn_lanes *lanes);
/* Lanes and states that begin behind the window only: they were gathered, and are not in the picture. */
void tn_lanes_forget_behind(struct tn_lanes *lanes);
/* A loss of the stream @rank. */
void tn_lanes_lose(struct tn_lanes *lanes, int64_t ns, uint32_t rank);

/* The column of a time in the window, and its first time. */
size_t tn_lanes_column(const struct tn_lanes *lanes, int64_t ns);
int64_t tn_lanes_begin(const struct tn_lanes *lanes, size_t column);

#endif
