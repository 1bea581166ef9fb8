/*
 * group_table.h - groups: counts, sums and samples for each key
 *
 * One thread fills a table. Tables are merged in a fixed order, so results do not depend on threads. Memory is limited:
 * when the limit is reached, rows with new keys are put into one common group.
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
	size_t state_size;	/* size of all states of a group; set by tn_group_table_lay_out() */
	size_t most_bytes;	/* limit of the bytes of all groups; 0: no limit */
	bool grows;		/* some states grow; new groups then use at most half of the limit */
	uint64_t seed, factor;	/* for hashes; the same for a plan and its copies; tn_group_table_lay_out() */
	bool needs_place, needs_time;	/* each row needs its place or time; set by tn_group_table_lay_out() */
};

/* Set `state` of the aggregates, and the computed members of the plan. */
void tn_group_table_lay_out(struct tn_group_table_plan *plan, struct tn_aggregate *aggregate);

/* A group; its states and then the words of its key follow. */
struct tn_group {
	uint64_t count;
	uint32_t key_words, hash;	/* `hash`: bits of the key's hash, enough for all groups of a table */
};

struct tn_group_table {
	const struct tn_group_table_plan *plan;
	/*
	 * For each hash of a key: the place of a group, and bits of its hash; 0: free. At most three quarters of the
	 * slots are used.
	 */
	uint32_t *slot;
	size_t n_slots, n;	/* number of slots, a power of two or 0; number of groups */
	size_t easy_n, easy_bytes;	/* while both are less, another group fits into the slots and the limit */
	TN_ARRAY(uint64_t *) chunks;
	size_t used;		/* number of used words in the last chunk */
	size_t bytes;
	uint64_t dropped;	/* number of states dropped for lack of memory */
	struct tn_group *others;	/* the group of all keys that did not fit; NULL: none */
	bool is_full;
	bool has_time;
	int64_t first_ns, last_ns;	/* time of the first and the last row */
};

/* The values of one row. */
struct tn_group_table_row {
	const uint64_t *key;
	size_t key_words;
	const struct tn_answer_value *argument;
	bool has_nothing;	/* all values are NONE, so the row is only counted */
	struct tn_location at;
	bool has_time;
	int64_t time_ns;
};

void tn_group_table_init(struct tn_group_table *t, const struct tn_group_table_plan *plan);
void tn_group_table_clear(struct tn_group_table *t);	/* keeps some allocations */
void tn_group_table_release(struct tn_group_table *t);

/* Find or make the group of a key; NULL: memory is out. Groups keep their addresses. */
struct tn_group *tn_group_table_group(struct tn_group_table *t, const uint64_t *key, size_t words);
/* Count rows whose keys are one number each; the numbers are hashed as in the plan. False: memory is out. */
bool tn_group_table_count(struct tn_group_table *t, const struct tn_number_met *met, size_t n, bool is_signed);
/* Add a row to its group. False: memory is out. */
bool tn_group_table_add(struct tn_group_table *t, struct tn_group *g, const struct tn_group_table_row *row);
/*
 * Add the numbers of many rows (kinds: enum tn_number_kind) to one aggregate whose `works` is set. The plan must need
 * neither place nor time of rows. The rows are not counted. Rows without a group are skipped.
 */
bool tn_group_table_column(struct tn_group_table *t, const struct tn_aggregate *a, struct tn_group *const *group,
		     const uint64_t *u, const uint8_t *kind, size_t n);
/* Add rows of one group. In each row, all arguments are the same number. The plan must allow this. */
bool tn_group_table_add_numbers(struct tn_group_table *t, struct tn_group *g, const uint64_t *number, size_t n);
bool tn_group_table_merge(struct tn_group_table *into, const struct tn_group_table *from);

/* The group at *place, and the next place. Begin with 0; NULL: no more groups. */
struct tn_group *tn_group_table_at(const struct tn_group_table *t, uint32_t *place);

void tn_group_table_list(const struct tn_group_table *t, struct tn_group **out);	/* lists all `n` groups in this order */

static inline const uint64_t *
tn_group_key(const struct tn_group_table *t, const struct tn_group *g)
{
	return (const uint64_t *)(const void *)((const char *)(g + 1) + t->plan->state_size);
}

struct tn_answer_out;
struct tn_answer_in;
void tn_group_table_store(const struct tn_group_table *t, struct tn_answer_out *out);
/*
 * Restore the stored contents of a table with the same plan into an empty table. @keys: number of values in each key.
 * False: memory is out.
 */
bool tn_group_table_restore(struct tn_group_table *t, size_t keys, struct tn_answer_in *in);

static inline void *
tn_state_of(struct tn_group *g, const struct tn_aggregate *a)
{
	return (char *)(g + 1) + a->state;
}

/* Compute an aggregate of a group. Texts are borrowed from the table. */
void tn_group_value(const struct tn_group_table *t, struct tn_group *g, size_t aggregate, int64_t step_ns,
		    struct tn_answer_value *out);
/* Count the values in each of @n parts (tn_sketch_parts()). False: the aggregate does not keep its values. */
bool tn_group_spread(const struct tn_group_table *t, struct tn_group *g, size_t aggregate, uint64_t *part, size_t n);

#endif
