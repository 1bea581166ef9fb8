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
	struct lane *lane;		/* NULL: in no lane, and only recorded */
	uint32_t state;
	/* For the recording of lanes (lanes_gather.c). */
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
	struct tn_share *item;		/* each state once */
	size_t n, room;
	size_t last;			/* index of the last result */
	struct tn_hash by_state;	/* index of each state, if there are many */
};

bool tn_shares_add(struct tn_shares *shares, uint32_t state, uint64_t ns);	/* false: memory is out */
void tn_shares_clear(struct tn_shares *shares);
void tn_shares_release(struct tn_shares *shares);

struct lane {
	uint64_t *key;			/* packed, without its type; owned */
	const uint64_t *value;		/* packed value with its type, after the key */
	uint32_t number;		/* in the order of arrival */
	int64_t first_ns;		/* time of its first begin */
	struct node *top;
	bool has_last;
	int64_t last_ns;		/* states before this time are added up */
	size_t column;			/* the current one */
	struct tn_shares shares;	/* shares of the current cell; if there is only one cell, they stay */
	uint32_t *cell;			/* as in struct tn_lane */
	struct tn_share *kept;		/* TN_LANE_SHARES of each column, the longest first; 0 ns: no more. NULL: none */
	TN_ARRAY(uint32_t) ranks;	/* streams of its begins, in order */
};

#define TN_LANES_NEAR 64		/* a power of two */

/* A number that occurred, and its lane or its state. */
struct tn_lanes_near {
	enum tn_answer_kind kind;	/* NONE: unused */
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
	char *text;			/* the definition */
	char *name;			/* name of the field that gives the lanes */
	size_t key, captured;		/* position of the lane's value; SIZE_MAX */
	/*
	 * Prefixes for values: those of each host if traces are of several, and of streams if two have the same
	 * name.
	 */
	struct tn_origins origins;
	bool by_field;			/* the state is the first captured value, else the span's name */
	int64_t begin_ns, end_ns;
	int64_t first_ns, last_ns;	/* range of the traces: no cell lacks a state before or after them */
	size_t columns;
	size_t most_kept;		/* lanes that keep the shares of their cells: the first ones to arrive */
	struct tn_slab nodes;
	TN_ARRAY(struct lane *) lane;
	struct tn_hash by_value, by_name;
	struct tn_lanes_near near_lane[TN_LANES_NEAR], near_state[TN_LANES_NEAR];
	TN_ARRAY(char *) state;
	TN_ARRAY(uint64_t) state_ns;	/* time of each state in the window */
	TN_ARRAY(int64_t) state_first;	/* time of its first begin */
	struct tn_words_out words;
	uint32_t *marks;		/* by column, as in a picture */
	uint8_t *lost_in;		/* a bit a column and rank; NULL: too many */
	int64_t at_ns;			/* time of the last begin or end */
	size_t known;			/* columns that a whole run made final */
	int64_t *until_ns;		/* by trace: end of its last packet; NULL: not computed yet */
	struct tn_lanes_picture picture;	/* the last one that was asked for */
	uint64_t left_out;		/* spans in lanes beyond the limit */
	bool failed;
	const struct tn_scan_options *options;
	struct node *nowhere;		/* open spans in no lane, while the memory is recorded */
	struct tn_gather *gather;	/* set while the whole time is read */
	struct tn_lanes_memory *memory;	/* the recorded memory */
	size_t fine_cells;		/* limit of recorded cells; 0: no recording */
	size_t fine_bytes;		/* limit of recorded bytes */
};

/* ---- definitions (lanes_define.c) ---- */

enum tn_code tn_lanes_define(struct tn_lanes *lanes, const char *text, struct tn_error *err) TN_MUST_CHECK;
/* The value of a begin's lane, without a prefix. */
const struct tn_answer_value *tn_lanes_value_of(const struct tn_lanes *lanes, const struct tn_span *span);
/* The value of a begin's lane, as in lanes; @room owns a copy if one was made. False: memory is out. */
bool tn_lanes_own_of(const struct tn_lanes *lanes, const struct tn_span *span, struct tn_str *room, struct tn_answer_value *out);
/* The type that has labels for a lane's value, a number in events of the class; or NULL. */
const struct tn_type *tn_lanes_type(const struct tn_lanes *lanes, size_t class, bool *no_memory);

/* ---- for code that fills a window (lanes.c) ---- */

/* Make an empty window. */
enum tn_code tn_lanes_window(struct tn_lanes *lanes, int64_t begin_ns, int64_t end_ns, size_t columns,
			     struct tn_error *err) TN_MUST_CHECK;
void tn_lanes_clear(struct tn_lanes *lanes);
/* Make lanes of the same definition and set, for reading a part of the window. */
void tn_lanes_look(struct tn_lanes *out, const struct tn_lanes *lanes);
void tn_lanes_release(struct tn_lanes *lanes);	/* release lanes of tn_lanes_look() */

/* Options for filling a window. */
struct tn_lanes_way {
	bool has_from;		/* only events from @from_ns on; else all before the end */
	int64_t from_ns;
	struct tn_record_buffer *seeds;	/* the open spans there; NULL: none */
	bool is_guess;		/* the states at the end continue to the end of the window */
	bool is_quiet;		/* notices are neither reported nor counted */
};

enum tn_code tn_lanes_fill(struct tn_lanes *lanes, const struct tn_scan_options *options, const struct tn_lanes_way *way,
			   struct tn_error *err) TN_MUST_CHECK;
/* The shares of a cell that the lane keeps, to be written; NULL: it keeps none. */
struct tn_share *tn_lanes_kept(struct tn_lanes *lanes, struct lane *lane, size_t column);
/* The number of columns, from the first, that are final now. */
size_t tn_lanes_known(struct tn_lanes *lanes);
/*
 * Replace the first @known columns of a preview by those of @exact, which has the same set, definition and window. Lanes and
 * states of the preview stay.
 */
enum tn_code tn_lanes_settle(struct tn_lanes *guess, const struct tn_lanes *exact, size_t known,
			     struct tn_error *err) TN_MUST_CHECK;
/* Release the arrays of the last picture. */
void tn_lanes_picture_release(struct tn_lanes *lanes);
/* Find or make a lane. NULL: too many lanes, or ->failed. */
struct lane *tn_lanes_lane(struct tn_lanes *lanes, const struct tn_answer_value *value, int64_t ns);
uint32_t tn_lanes_state_of(struct tn_lanes *lanes, const char *name, size_t n, int64_t ns);
void tn_lanes_rank(struct tn_lanes *lanes, struct lane *lane, uint32_t rank);
void tn_lanes_sort(struct tn_lanes *lanes);
/* Remove lanes and states that only begin after the window: they were recorded, and are not in the picture. */
void tn_lanes_forget_after(struct tn_lanes *lanes);
/* Note a loss of the stream @rank. */
void tn_lanes_lose(struct tn_lanes *lanes, int64_t ns, uint32_t rank);

/* The column of a time in the window, and its first time. */
size_t tn_lanes_column(const struct tn_lanes *lanes, int64_t ns);
int64_t tn_lanes_begin(const struct tn_lanes *lanes, size_t column);
/* The nanoseconds of the column, without the time before and after the traces. */
uint64_t tn_lanes_width(const struct tn_lanes *lanes, size_t column);

#endif
