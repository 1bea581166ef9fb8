/* span_open.h - open begins, on a stack for each key, and all spans that wait to be reported, in one list */
#ifndef TN_SPAN_OPEN_H
#define TN_SPAN_OPEN_H

#include "span/slab.h"
#include "span/spans.h"
#include "base/hash.h"

/* The open begins of one key. */
struct stack {
	size_t open, told;	/* begins on it; begins that wait to be reported and need the key */
	struct begun *first, *last;
	uint64_t hash;
	uint32_t key_words;
	bool is_idle;		/* has neither, and is kept for reuse */
	uint64_t key[];
};

/* The end of a span. In a span that waits to be reported, the words follow. */
struct ended {
	struct tn_location at;
	int64_t ns;
	bool has_time;
	uint32_t n_words;
	const uint64_t *words;
};

/* A begin, or an orphan that waits. Hundreds of thousands exist: 96 bytes. */
struct begun {
	struct begun *before, *behind;	/* neighbours in the list of all begins */
	struct begun *below, *above;	/* neighbours on the stack */
	struct stack *stack;
	union {
		/* For a span that waits to be reported: its end, or the begin that replaced it. */
		struct ended *ended;
		void *mine;		/* the observer's data: with an observer no span waits */
	};
	struct tn_location at;
	int64_t ns;
	uint32_t damage;	/* number of damages seen before it */
	uint32_t class;
	uint32_t captured_words;
	uint16_t definition;
	uint8_t state;		/* enum tn_span_state; OPEN while it is on the stack */
	bool has_time : 1;
	bool unsure : 1;	/* the thread may be a different one */
	bool replaced : 1;	/* OPEN, but no longer on the stack */
	bool is_whole : 1;	/* CLOSED, never on the stack: it may wait for the time of its end (struct tn_wholes) */
	uint64_t captured[];	/* captured values of the begin; an orphan has none */
};

_Static_assert(TN_SPANS_MOST <= UINT16_MAX, "definitions have 16 bits");

#define TN_NEAR_STACKS 256	/* a power of two */

/* Zeroed is empty. */
struct tn_open_spans {
	struct tn_slab slab;
	struct tn_hash stacks;	/* stack of each key */
	struct stack *near[TN_NEAR_STACKS];	/* the stacks used last, by hash; or NULL */
	size_t n_idle;		/* empty stacks kept for reuse */
	struct begun *first, *last;	/* in the order of arrival */
	bool is_observed;	/* begun.mine is in use, not begun.ended */
};

/* The stack of the key, in use from now on; NULL: memory is out. */
struct stack *tn_open_stack(struct tn_open_spans *o, const struct tn_span_record *t);
/* Call after removing a begin from the stack or the list: frees the stack if it is unused. */
void tn_open_drop(struct tn_open_spans *o, struct stack *s);

/* Make a begin; the caller fills it and puts it on a stack and into the list. NULL: memory is out. */
struct begun *tn_open_new(struct tn_open_spans *o, const uint64_t *captured, size_t n_words);
void tn_open_push(struct stack *s, struct begun *b);
void tn_open_pull(struct begun *b);	/* off its stack */
void tn_open_append(struct tn_open_spans *o, struct begun *b);
void tn_open_forget(struct tn_open_spans *o, struct begun *b);	/* out of the list */
void tn_open_release(struct tn_open_spans *o);

/* ---- spans that are one event (span_whole.c) ---- */

struct tn_whole {
	int64_t key_ns, end_ns;	/* time of its end: as a merge key, and displayed */
	uint64_t number;	/* number in the order of the begins */
	struct begun *begun;
};

/* Spans whose end is not reached. Zeroed is empty. */
struct tn_wholes {
	TN_ARRAY(struct tn_whole) heap;
	uint64_t next;
};

bool tn_wholes_push(struct tn_wholes *w, int64_t key_ns, int64_t end_ns, struct begun *b);	/* false: memory is out */
struct tn_whole tn_wholes_pop(struct tn_wholes *w);	/* take the span that ends first; there is one */

/* Whether the span is off its stack and waits to be reported. */
static inline bool
tn_open_is_done(const struct begun *b)
{
	return b->state != TN_SPAN_OPEN || b->replaced;
}

#endif
