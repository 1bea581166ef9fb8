/*
 * aggregate.h - the table of aggregates
 *
 * An aggregate reads the state of a group. Aggregates of one argument with the same kind of state share it: for sum(x)
 * and mean(x), each row is added once.
 */
#ifndef TN_GROUP_AGGREGATE_H
#define TN_GROUP_AGGREGATE_H

#include <tnav/answer.h>

struct tn_aggregate;
struct tn_group;
struct tn_answer_in;
struct tn_answer_out;

/*
 * The stored state of an aggregate in a group; a zeroed state is empty. A function that returns bool returns false if
 * memory is out.
 *
 * A state with `bytes` can grow. It begins with a uint64_t, which is not 0 after the state was dropped for lack of
 * memory. Nothing is added to a dropped state.
 */
struct tn_aggregate_state {
	size_t size;
	/* @at: the place of the row; NULL if the aggregate does not need it. */
	bool (*add)(void *state, const struct tn_answer_value *v, const struct tn_location *at);
	/* Add the numbers of many rows (tn_group_table_column()). NULL: they are added one by one. */
	bool (*add_column)(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind,
			   size_t n);
	bool (*merge)(void *into, const void *from);
	size_t (*bytes)(const void *state);	/* allocated bytes outside of the state; NULL: always 0 */
	/* Bytes that the next value may allocate at once, if this is much; NULL: always little. */
	size_t (*bytes_ahead)(const void *state);
	void (*release)(void *state);	/* frees the allocated bytes */
	void (*keep)(const void *state, struct tn_answer_out *out);
	bool (*restore)(void *state, struct tn_answer_in *in);	/* reads a stored state into an empty one */
	void (*spread)(void *state, uint64_t *part, size_t n);	/* implements tn_groups_spread(); NULL: not available */
};

/* The input for computing an aggregate. */
struct tn_aggregate_read {
	const struct tn_aggregate *aggregate;
	void *state;
	uint64_t count;		/* number of rows in the group */
	double time_ns;		/* time range of these rows; NaN: unknown */
};

/* A row of the table of aggregates. */
struct tn_aggregate_type {
	const char *name, *alias;	/* `alias`: a second name, or NULL */
	/*
	 * Reads `part` and `whole` from a word such as "p99"; `name` is then only a description. NULL: the word must
	 * equal `name`.
	 */
	bool (*read)(const char *word, size_t n, struct tn_aggregate *out);
	bool takes_field;
	bool numbers_only;		/* the field must be a number */
	bool needs_place, needs_time;	/* the aggregate needs the place or the time of each row, in addition to the field */
	bool is_count;			/* the number of rows, which needs no state */
	const char *no_field;		/* error text if the aggregate gets a field; to be translated */
	enum tn_group_unit (*unit)(enum tn_group_unit of_field);
	const struct tn_aggregate_state *state;	/* NULL: no state */
	struct tn_answer_value (*value)(const struct tn_aggregate_read *r);	/* the result's texts are borrowed from the state */
};

/* An aggregate in a question. */
struct tn_aggregate {
	const struct tn_aggregate_type *type;
	uint64_t part, whole;	/* a quantile is part / whole */
	size_t argument;	/* index of its argument among the values of a row */
	size_t state;		/* offset of its state in a group */
	bool works;		/* whether it adds to its state: only the first aggregate with this state does */
};

/*
 * Find an aggregate: sets the type, and the part if it has one. If no aggregate of this name fits @takes_field, the type
 * is one that does not fit.
 */
bool tn_aggregate_find(struct tn_aggregate *out, const char *word, size_t n, bool takes_field);
/* Make the error for an unknown name at this column of @text, with a list of all aggregates. */
enum tn_code tn_aggregate_unknown(const char *word, size_t n, const char *text, size_t column, struct tn_error *err);

/* Convert a number of a column (enum tn_number_kind) to a value. */
static inline struct tn_answer_value
tn_number_value(uint64_t u, uint8_t kind)
{
	static const enum tn_answer_kind kinds[] = { TN_ANSWER_NONE, TN_ANSWER_UINT, TN_ANSWER_SINT, TN_ANSWER_NONE };

	return (struct tn_answer_value) { .kind = kinds[kind & 3], .is.u = u };
}

/* Whether the state was dropped. */
static inline bool
tn_state_dropped(const struct tn_aggregate_state *s, const void *state)
{
	return s->bytes && *(const uint64_t *)state;
}

#endif
