/*
 * group_table.h - groups: counts, sums and samples for each key
 *
 * A table is filled by one thread. Tables are merged in a fixed order, so that results do not depend on
 * threads. The memory is bounded: when it is full, rows with new keys are put into one common group.
 */
#ifndef TN_GROUP_GROUP_TABLE_H
#define TN_GROUP_GROUP_TABLE_H

#include <tnav/answer.h>

#include "base/hash.h"
#include "group/aggregate.h"
#include "group/numbers.h"
#include "scan/pack.h"

struct tn_group_table_plan {
	const struct tn_aggregate *aggregate;
	size_t n_aggregates;
	size_t n_arguments;
	size_t state_size;	/* tn_group_table_lay_out() */
	size_t most_bytes;	/* limit of the bytes of groups; 0: no limit */
	bool grows;		/* some of the states grow: new groups use up to half of it */
	uint64_t seed, factor;	/* for hashes: equal in tables of one plan or its copies; tn_group_table_lay_out() */
	bool needs_place, needs_time;	/* needed of each row; tn_group_table_lay_out() */
};

/* Set `state` of the aggregates, the total size, and the flags. */
void tn_group_table_lay_out(struct tn_group_table_plan *plan, struct tn_aggregate *aggregate);

/* Followed by states, then the words of the key. */
struct tn_group {
	uint64_t count;
	uint32_t key_words, hash;	/* hash of the key: enough bits for all groups of one table */
};

struct tn_group_table {
	const struct tn_group_table_plan *plan;
	/*
	 * By hash of the key: positions of groups with some bits of their hashes; 0: none. At most three
	 * quarters are used.
	 */
	uint32_t *slot;
	size_t n_slots, n;	/* a power of two, or 0; groups */
	size_t easy_n, easy_bytes;	/* below both, one more group needs no larger table and is within the limit */
	TN_ARRAY(uint64_t *) chunks;
	size_t used;		/* words of the last chunk */
	size_t bytes;
	uint64_t dropped;	/* states dropped for lack of memory */
	struct tn_group *others;	/* the group of all keys that did not fit; NULL: none */
	bool is_full;
	bool has_time;
	int64_t first_ns, last_ns;	/* times of the first and the last row */
};

/* The values of one row. */
struct tn_group_table_row {
	const uint64_t *key;
	size_t key_words;
	const struct tn_answer_value *argument;
	bool has_nothing;	/* all of them are NONE: the row is only counted */
	struct tn_location at;
	bool has_time;
	int64_t time_ns;
};

void tn_group_table_init(struct tn_group_table *t, const struct tn_group_table_plan *plan);
void tn_group_table_clear(struct tn_group_table *t);	/* keeps some memory */
void tn_group_table_release(struct tn_group_table *t);

/* The group of a key, made if it is new; NULL: memory is out. Its address is stable. */
struct tn_group *tn_group_table_group(struct tn_group_table *t, const uint64_t *key, size_t words);
/* Add rows that are only counted, with keys that are one number each, hashed as in the plan. False: memory is out. */
bool tn_group_table_count(struct tn_group_table *t, const struct tn_number_met *met, size_t n, bool is_signed);
/* Add a row to its group. False: memory is out. */
bool tn_group_table_add(struct tn_group_table *t, struct tn_group *g, const struct tn_group_table_row *row);
/*
 * Add the numbers of many rows (their kinds: enum tn_number_kind) to one aggregate that works. The plan needs neither place nor
 * time of rows. The rows are not counted. Rows without a group are skipped.
 */
bool tn_group_table_column(struct tn_group_table *t, const struct tn_aggregate *a, struct tn_group *const *group,
		     const uint64_t *u, const uint8_t *kind, size_t n);
/* Add rows of one group, each of which has the same number for all arguments; for such a plan. */
bool tn_group_table_add_numbers(struct tn_group_table *t, struct tn_group *g, const uint64_t *number, size_t n);
bool tn_group_table_merge(struct tn_group_table *into, const struct tn_group_table *from);

/* Iterate over the groups, in the order in which they were made. */
/* *place 0 at first; NULL after the last. */
struct tn_group *tn_group_table_at(const struct tn_group_table *t, uint32_t *place);

void tn_group_table_list(const struct tn_group_table *t, struct tn_group **out);	/* the same, all n of them */

static inline const uint64_t *
tn_group_key(const struct tn_group_table *t, const struct tn_group *g)
{
	return (const uint64_t *)(const void *)((const char *)(g + 1) + t->plan->state_size);
}

struct tn_answer_out;
struct tn_answer_in;
void tn_group_table_store(const struct tn_group_table *t, struct tn_answer_out *out);
/*
 * Restore the stored contents of a table with the same plan into an empty one; @keys: values of each key.
 * False: memory is out.
 */
bool tn_group_table_restore(struct tn_group_table *t, size_t keys, struct tn_answer_in *in);

static inline void *
tn_state_of(struct tn_group *g, const struct tn_aggregate *a)
{
	return (char *)(g + 1) + a->state;
}

/* The value of an aggregate; texts are borrowed from the table. */
void tn_group_value(const struct tn_group_table *t, struct tn_group *g, size_t aggregate, int64_t step_ns,
		    struct tn_answer_value *out);
/* Number of its values in each of @n parts: tn_sketch_parts(). False: the aggregate does not have them. */
bool tn_group_spread(const struct tn_group_table *t, struct tn_group *g, size_t aggregate, uint64_t *part, size_t n);

#endif
