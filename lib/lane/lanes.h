/* lanes.h - lanes in memory */
#ifndef TN_LANE_LANES_H
#define TN_LANE_LANES_H

#include "span/origins.h"
#include "span/slab.h"
#include "span/spans.h"
#include "base/hash.h"

/* An open span in its lane. */
struct node {
	struct node *below, *above;
	struct lane *lane;		/* NULL: the span is in no lane, and is only recorded */
	uint32_t state;
	/* The following members are for the recording of lanes (lanes_gather.c). */
	uint32_t class;
	int64_t begin_ns;
	struct tn_location begin;
};

/* The time of a state in a cell. */
struct tn_share {
	uint32_t state;
	uint64_t ns;
};

struct tn_shares {
	struct tn_share *item;		/* one item for each state */
	size_t n, room;
	size_t last;			/* index of the item found last */
	struct tn_hash by_state;	/* index of each state; used if there are many */
};

bool tn_shares_add(struct tn_shares *shares, uint32_t state, uint64_t ns);	/* false: memory is out */
void tn_shares_clear(struct tn_shares *shares);
void tn_shares_release(struct tn_shares *shares);

struct lane {
	uint64_t *key;			/* packed key without its type; owned */
	const uint64_t *value;		/* packed value with its type, after the key */
	uint32_t number;		/* number in the order of arrival */
	int64_t first_ns;		/* time of its first begin */
	struct node *top;
	bool has_last;
	int64_t last_ns;		/* states before this time are already counted */
	size_t column;			/* current column */
	struct tn_shares shares;	/* shares of the current cell; if there is only one cell, they are kept */
	uint32_t *cell;			/* as in struct tn_lane */
	struct tn_share *kept;		/* TN_LANE_SHARES for each column, the longest first; 0 ns ends them. NULL: none */
	TN_ARRAY(uint32_t) ranks;	/* streams with its begins, in order */
};

#define TN_LANES_NEAR 64		/* entries of the cache; a power of two */

/* A number that occurred, and its lane or its state. */
struct tn_lanes_near {
	enum tn_answer_kind kind;	/* NONE: the entry is unused */
	uint32_t rank;		/* rank of the stream; 0 for states */
	uint64_t u;
	const struct tn_type *type;
	struct lane *lane;
	uint32_t state;
};

struct tn_gather;

struct tn_lanes {
	struct tn_set *set;
	struct tn_spans *spans;
	char *text;			/* text of the definition */
	char *name;			/* name of the field whose values are the lanes */
	size_t key, captured;		/* position of the lane's value in the key or in the captured values; SIZE_MAX: not there */
	/* Prefixes for values: hosts, if traces are of several hosts; streams, if two have the same name. */
	struct tn_origins origins;
	bool by_field;			/* the state is the first captured value; otherwise the name of the span */
	int64_t begin_ns, end_ns;
	int64_t first_ns, last_ns;	/* range of the traces; before and after it, no states are missing */
	size_t columns;
	size_t most_kept;		/* number of lanes that keep the shares of their cells: the first ones to arrive */
	struct tn_slab nodes;
	TN_ARRAY(struct lane *) lane;
	struct tn_hash by_value, by_name;
	struct tn_lanes_near near_lane[TN_LANES_NEAR], near_state[TN_LANES_NEAR];
	TN_ARRAY(char *) state;
	TN_ARRAY(uint64_t) state_ns;	/* time of each state in the window */
	TN_ARRAY(int64_t) state_first;	/* time of the first begin of each state */
	struct tn_words_out words;
	uint32_t *marks;		/* by column, as in a picture */
	uint8_t *lost_in;		/* a bit for each column and rank; NULL: there are too many */
	int64_t at_ns;			/* time of the last begin or end event */
	size_t known;			/* number of columns that a complete run made final */
	int64_t *until_ns;		/* for each trace, the end of its last packet; NULL: not computed yet */
	struct tn_lanes_picture picture;	/* the last requested picture */
	uint64_t left_out;		/* number of spans in lanes beyond the limit */
	bool failed;
	const struct tn_scan_options *options;
	struct node *nowhere;		/* open spans that are in no lane, while lanes are recorded */
	struct tn_gather *gather;	/* set while the whole time is read */
	struct tn_lanes_memory *memory;	/* the recorded lanes */
	size_t fine_cells;		/* limit of recorded cells; 0: lanes are not recorded */
	size_t fine_bytes;		/* limit of recorded bytes */
};

/* ---- definitions (lanes_define.c) ---- */

enum tn_code tn_lanes_define(struct tn_lanes *lanes, const char *text, struct tn_error *err) TN_MUST_CHECK;
/* The value of the lane of a begin, without a prefix. */
const struct tn_answer_value *tn_lanes_value_of(const struct tn_lanes *lanes, const struct tn_span *span);
/* The value of the lane of a begin, in the form that lanes have; @room owns a copy if one is needed. False: memory is out. */
bool tn_lanes_own_of(const struct tn_lanes *lanes, const struct tn_span *span, struct tn_str *room, struct tn_answer_value *out);
/* The type whose labels apply to a lane's value, a number in events of the class; or NULL. */
const struct tn_type *tn_lanes_type(const struct tn_lanes *lanes, size_t class, bool *no_memory);

/* ---- for code that fills a window (lanes.c) ---- */

/* Make an empty window. */
enum tn_code tn_lanes_window(struct tn_lanes *lanes, int64_t begin_ns, int64_t end_ns, size_t columns,
			     struct tn_error *err) TN_MUST_CHECK;
void tn_lanes_clear(struct tn_lanes *lanes);
/* Make lanes with the same definition and set, to read a part of the window. */
void tn_lanes_look(struct tn_lanes *out, const struct tn_lanes *lanes);
void tn_lanes_release(struct tn_lanes *lanes);	/* releases the lanes of tn_lanes_look() */

/* How to fill a window. */
struct tn_lanes_way {
	bool has_from;		/* read only events from @from_ns on; otherwise all events before the end */
	int64_t from_ns;
	struct tn_record_buffer *seeds;	/* the spans that are open at this time; NULL: none */
	bool is_guess;		/* guess that the states at the end last until the end of the window */
	bool is_quiet;		/* neither report nor count notices */
};

enum tn_code tn_lanes_fill(struct tn_lanes *lanes, const struct tn_scan_options *options, const struct tn_lanes_way *way,
			   struct tn_error *err) TN_MUST_CHECK;
/* Space for the shares of a cell that the lane keeps. NULL: it keeps none. */
struct tn_share *tn_lanes_kept(struct tn_lanes *lanes, struct lane *lane, size_t column);
/* The number of columns, from the first on, that are final now. */
size_t tn_lanes_known(struct tn_lanes *lanes);
/*
 * Replace the first @known columns of a preview by those of @exact, which has the same set, definition and window. Lanes
 * and states of the preview are kept.
 */
enum tn_code tn_lanes_settle(struct tn_lanes *guess, const struct tn_lanes *exact, size_t known,
			     struct tn_error *err) TN_MUST_CHECK;
/* Release the arrays of the last picture. */
void tn_lanes_picture_release(struct tn_lanes *lanes);
/* Find or make a lane. NULL: there are too many lanes, or `failed` is set. */
struct lane *tn_lanes_lane(struct tn_lanes *lanes, const struct tn_answer_value *value, int64_t ns);
uint32_t tn_lanes_state_of(struct tn_lanes *lanes, const char *name, size_t n, int64_t ns);
void tn_lanes_rank(struct tn_lanes *lanes, struct lane *lane, uint32_t rank);
void tn_lanes_sort(struct tn_lanes *lanes);
/* Remove lanes and states that begin only after the window: they were recorded, but do not belong to the picture. */
void tn_lanes_forget_after(struct tn_lanes *lanes);
/* Note a loss in the stream @rank. */
void tn_lanes_lose(struct tn_lanes *lanes, int64_t ns, uint32_t rank);

/* The column that contains a time in the window, and the column's first time. */
size_t tn_lanes_column(const struct tn_lanes *lanes, int64_t ns);
int64_t tn_lanes_begin(const struct tn_lanes *lanes, size_t column);
/* The length of the column in nanoseconds, without the time before and after the traces. */
uint64_t tn_lanes_width(const struct tn_lanes *lanes, size_t column);

#endif
