/*
 * tally_state.h - what an aggregate keeps of a group: filled by tally_state.c, tally_numbers.c, tally_column.c, read by
 * tally_value.c, tally_keep.c
 */
#ifndef TN_ANSWER_TALLY_STATE_H
#define TN_ANSWER_TALLY_STATE_H

#include "answer/sketch.h"
#include "answer/tally.h"
#include "base/wide.h"

struct sum {
	struct tn_wide whole;
	double f, rest;		/* what was rounded off (Neumaier) */
	uint64_t n;
	uint64_t is_float;
};

struct extreme {
	struct tn_answer_value v;	/* NONE: no number yet */
};

struct edge {
	struct tn_location at;
	struct tn_answer_value v;
	char *text;		/* owned */
	uint32_t some, given_up;
};

/* Sums of the values that are told from each other. */
struct distinct {
	uint64_t *few;		/* as long as there are few, and no table */
	uint32_t n_few, few_room;
	struct tn_hash *many;
	uint64_t given_up;
};

struct quantiles {
	struct tn_sketch sketch;
	uint32_t is_float, given_up;
};

static inline void *
tn_state_of(struct tn_group *g, const struct tn_aggregate *a)
{
	return (char *)(g + 1) + a->state;
}

/* A state grew beyond what there may be: what it is is not known. */
void tn_tally_give_up(struct tn_tally *t, void *state, enum tn_aggregate_kind kind);
/* False: memory is out. */
bool tn_state_add(void *state, const struct tn_aggregate *a, const struct tn_tally_row *row);
bool tn_state_merge(void *into, const void *from, const struct tn_aggregate *a);
bool tn_distinct_add(struct distinct *d, uint64_t sum);
/* Take the value if it comes before the one that is there (@sign < 0: behind it). */
bool tn_edge_add(struct edge *e, const struct tn_answer_value *v, const struct tn_location *at, int sign);

#endif
