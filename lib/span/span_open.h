/* span_open.h - open begins, on a stack for each key, and a list of all spans that are not reported yet */
#ifndef TN_SPAN_OPEN_H
#define TN_SPAN_OPEN_H

#include "span/slab.h"
#include "span/spans.h"
#include "base/hash.h"

/* The open begins with one key. */
struct stack {
	size_t open, told;	/* number of begins on the stack; number of begins that wait to be reported and need its key */
	struct begun *first, *last;
	uint64_t hash;
	uint32_t key_words;
	bool is_idle;		/* both numbers are 0, and the stack is kept for reuse */
	uint64_t key[];
};

/* The end of a span. In a span that waits to be reported, the words follow the structure. */
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
		/* For a span that waits to be reported: its end, or the end of its time because another begin replaced it. */
		struct ended *ended;
		void *mine;		/* the observer's data; with an observer, spans do not wait */
	};
	struct tn_location at;
	int64_t ns;
	uint32_t damage;	/* number of losses of unknown extent before it */
	uint32_t class;
	uint32_t captured_words;
	uint16_t definition;
	uint8_t state;		/* enum tn_span_state; OPEN while it is on the stack */
	bool has_time : 1;
	bool unsure : 1;	/* the end is not certain, because an event may be lost or still arrive */
	bool replaced : 1;	/* OPEN, but removed from the stack by another begin */
	bool is_whole : 1;	/* CLOSED, and never on the stack; it may wait for the time of its end (struct tn_wholes) */
	uint64_t captured[];	/* captured values of the begin; an orphan does not have any */
};

_Static_assert(TN_SPANS_MOST <= UINT16_MAX, "definitions have 16 bits");

#define TN_NEAR_STACKS 256	/* entries of the cache; a power of two */

/* A zeroed structure is empty. */
struct tn_open_spans {
	struct tn_slab slab;
	struct tn_hash stacks;	/* the stack of each key */
	struct stack *near[TN_NEAR_STACKS];	/* the stacks that were used last, by hash; or NULL */
	size_t n_idle;		/* number of empty stacks that are kept for reuse */
	struct begun *first, *last;	/* in the order of arrival */
	bool is_observed;	/* begun.mine is used, and not begun.ended */
};

/* Find or make the stack of the key. NULL: memory is out. */
struct stack *tn_open_stack(struct tn_open_spans *o, const struct tn_span_record *t);
/* Call this after a begin was removed from the stack or the list. Frees the stack if it is not used any more. */
void tn_open_drop(struct tn_open_spans *o, struct stack *s);

/* Make a begin. The caller fills it, puts it on a stack and appends it to the list. NULL: memory is out. */
struct begun *tn_open_new(struct tn_open_spans *o, const uint64_t *captured, size_t n_words);
void tn_open_push(struct stack *s, struct begun *b);
void tn_open_pull(struct begun *b);	/* removes it from its stack */
void tn_open_append(struct tn_open_spans *o, struct begun *b);
void tn_open_forget(struct tn_open_spans *o, struct begun *b);	/* removes it from the list */
void tn_open_release(struct tn_open_spans *o);

/* ---- spans that are one event (span_whole.c) ---- */

struct tn_whole {
	int64_t key_ns, end_ns;	/* time of its end: as merge key, and as displayed */
	uint64_t number;	/* number in the order of begins */
	struct begun *begun;
};

/* Whole spans that wait for their end. A zeroed structure is empty. */
struct tn_wholes {
	TN_ARRAY(struct tn_whole) heap;
	uint64_t next;
};

bool tn_wholes_push(struct tn_wholes *w, int64_t key_ns, int64_t end_ns, struct begun *b);	/* false: memory is out */
struct tn_whole tn_wholes_pop(struct tn_wholes *w);	/* takes the span that ends first; there must be one */

/* Whether the span is not on its stack any more, and waits to be reported. */
static inline bool
tn_open_is_done(const struct begun *b)
{
	return b->state != TN_SPAN_OPEN || b->replaced;
}

#endif
