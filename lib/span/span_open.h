/*
 * span_open.h - begins that are open, on a stack a key, and all that wait to be told, in one list
 */
#ifndef TN_SPAN_OPEN_H
#define TN_SPAN_OPEN_H

#include "span/room.h"
#include "span/spans.h"
#include "base/hash.h"

/* The open begins of one key. */
struct stack {
	size_t open, told;	/* begins on it; those that wait to be told and need the key */
	struct begun *first, *last;
	uint64_t hash;
	uint32_t key_words;
	bool is_idle;		/* neither open nor told, and stays */
	uint64_t key[];
};

/* How a span ended. Of one that waits to be told the words follow. */
struct ended {
	struct tn_location at;
	int64_t ns;
	bool has_time;
	uint32_t n_words;
	const uint64_t *words;
};

/* A begin, or an orphan that waits. There are hundreds of thousands: 96 bytes. */
struct begun {
	struct begun *before, *behind;	/* in the list of all */
	struct begun *below, *above;	/* on the stack */
	struct stack *stack;
	union {
		struct ended *ended;	/* of one that waits to be told: how it ended, or what took its place */
		void *mine;		/* of who observes: none waits then */
	};
	struct tn_location at;
	int64_t ns;
	uint32_t damage;	/* that was seen before it */
	uint32_t class;
	uint32_t captured_words;
	uint16_t definition;
	uint8_t state;		/* enum tn_span_state; OPEN as long as it is on the stack */
	bool has_time : 1;
	bool unsure : 1;	/* its thread may be another */
	bool replaced : 1;	/* OPEN, but no longer on the stack */
	uint64_t captured[];	/* of the begin; of an orphan: none */
};

_Static_assert(TN_SPANS_MOST <= UINT16_MAX, "definitions have 16 bits");

#define TN_NEAR_STACKS 256	/* a power of two */

/* Zeroed is empty. */
struct tn_open_spans {
	struct tn_room room;
	struct tn_hash stacks;	/* by key */
	struct stack *near[TN_NEAR_STACKS];	/* by hash: those met last; or NULL */
	size_t n_idle;		/* empty stacks that stay */
	struct begun *first, *last;	/* in the order in which they came */
	bool is_observed;	/* begun.mine is in use, not begun.ended */
};

/* The words of a record. */
static inline const uint64_t *
tn_span_record_words(const struct tn_span_record *t)
{
	return (const uint64_t *)(const void *)(t + 1);
}

/* The stack of the key, which is in use from now on; NULL: memory is out. */
struct stack *tn_open_stack(struct tn_open_spans *o, const struct tn_span_record *t);
/* The caller has taken something off the stack, or out of the list: a stack that nobody needs goes. */
void tn_open_drop(struct tn_open_spans *o, struct stack *s);

/* The caller fills it in and puts it on a stack and into the list. NULL: memory is out. */
struct begun *tn_open_new(struct tn_open_spans *o, const uint64_t *captured, size_t n_words);
void tn_open_push(struct stack *s, struct begun *b);
void tn_open_pull(struct begun *b);	/* off its stack */
void tn_open_append(struct tn_open_spans *o, struct begun *b);
void tn_open_forget(struct tn_open_spans *o, struct begun *b);	/* out of the list */
void tn_open_release(struct tn_open_spans *o);

/* It is off its stack and waits for its turn. */
static inline bool
tn_open_is_done(const struct begun *b)
{
	return b->state != TN_SPAN_OPEN || b->replaced;
}

#endif
