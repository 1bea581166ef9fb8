/*
 * tally.h - groups: what is counted, summed up, sampled for each different key
 *
 * A tally is filled by one thread; tallies are added to each other in a fixed order, so that what comes out
 * does not depend on threads. Its memory is bounded: when it is full, rows of keys that are not there yet go into
 * one group for all of them.
 */
#ifndef TN_GROUP_TALLY_H
#define TN_GROUP_TALLY_H

#include <tnav/answer.h>

#include "base/hash.h"
#include "group/aggregate.h"
#include "group/numbers.h"
#include "scan/pack.h"

struct tn_tally_plan {
	const struct tn_aggregate *aggregate;
	size_t n_aggregates;
	size_t n_arguments;
	size_t state_size;	/* tn_tally_lay_out() */
	size_t most_bytes;	/* of groups; 0: no bound */
	bool grows;		/* some of the states do: groups are made up to half of it */
	uint64_t seed, factor;	/* of hashes: tallies of one plan, or of its copies, have the same; tn_tally_lay_out() */
	bool needs_place, needs_time;	/* of each row; the same */
};

/* Set `state` of the aggregates, the size of all, and what else says so. */
void tn_tally_lay_out(struct tn_tally_plan *plan, struct tn_aggregate *aggregate);

/* Behind it: states, then the words of the key. */
struct tn_group {
	uint64_t count;
	uint32_t key_words, hash;	/* of the key: enough of it for all that one tally can have */
};

struct tn_tally {
	const struct tn_tally_plan *plan;
	/* By the hashes of the keys: where groups are, and some bits of their hashes; 0: none. At most three quarters are used. */
	uint32_t *slot;
	size_t n_slots, n;	/* a power of two, or 0; groups */
	TN_ARRAY(uint64_t *) chunks;
	size_t used;		/* words of the last chunk */
	size_t bytes;
	uint64_t dropped;	/* states that there was no more memory for */
	struct tn_group *others;	/* of keys that found no room; NULL: none */
	bool is_full;
	bool has_time;
	int64_t first_ns, last_ns;	/* of all rows */
};

/* What one row gives. */
struct tn_tally_row {
	const uint64_t *key;
	size_t key_words;
	const struct tn_answer_value *argument;
	bool has_nothing;	/* all of them are NONE: it is only counted */
	struct tn_location at;
	bool has_time;
	int64_t time_ns;
};

void tn_tally_init(struct tn_tally *t, const struct tn_tally_plan *plan);
void tn_tally_clear(struct tn_tally *t);	/* keeps some room */
void tn_tally_release(struct tn_tally *t);

/* The group of a key, made when there is none; NULL when memory is out. Stays where it is. */
struct tn_group *tn_tally_group(struct tn_tally *t, const uint64_t *key, size_t words);
/* Rows more of keys that are one number each, hashed as the plan has it, where they are only counted. False: memory is out. */
bool tn_tally_count(struct tn_tally *t, const struct tn_number_met *met, size_t n, bool is_signed);
/* Add a row to its group. False: memory is out. */
bool tn_tally_add(struct tn_tally *t, struct tn_group *g, const struct tn_tally_row *row);
/*
 * Add the numbers of many rows (their kinds: enum tn_number_kind) to one aggregate that works. The plan needs neither place nor
 * time of rows. The rows are not counted. Rows without a group are skipped.
 */
bool tn_tally_column(struct tn_tally *t, const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u,
		     const uint8_t *kind, size_t n);
/* Add rows of one group, each of which has the same number for all arguments; of such a plan. */
bool tn_tally_add_numbers(struct tn_tally *t, struct tn_group *g, const uint64_t *number, size_t n);
bool tn_tally_merge(struct tn_tally *into, const struct tn_tally *from);

/* Call for each group, in the order in which they were made. */
struct tn_group *tn_tally_at(const struct tn_tally *t, uint32_t *place);	/* *place 0 at first; NULL behind the last */

void tn_tally_list(const struct tn_tally *t, struct tn_group **out);	/* the same, all n of them */

static inline const uint64_t *
tn_group_key(const struct tn_tally *t, const struct tn_group *g)
{
	return (const uint64_t *)(const void *)((const char *)(g + 1) + t->plan->state_size);
}

struct tn_answer_out;
struct tn_answer_in;
void tn_tally_store(const struct tn_tally *t, struct tn_answer_out *out);
/* An empty one becomes what was kept of one with the same plan; @keys: values of each key. False: memory is out. */
bool tn_tally_restore(struct tn_tally *t, size_t keys, struct tn_answer_in *in);

static inline void *
tn_state_of(struct tn_group *g, const struct tn_aggregate *a)
{
	return (char *)(g + 1) + a->state;
}

/* The value of an aggregate; texts are borrowed from the tally. */
void tn_group_value(const struct tn_tally *t, struct tn_group *g, size_t aggregate, int64_t step_ns,
		    struct tn_answer_value *out);
/* How many of its numbers are in each of @n parts: tn_sketch_parts(). False: the aggregate cannot say. */
bool tn_group_spread(const struct tn_tally *t, struct tn_group *g, size_t aggregate, uint64_t *part, size_t n);

#endif
