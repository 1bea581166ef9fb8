/*
 * aggregate.h - the table of aggregates: one row each
 *
 * An aggregate reads the state of a group. Aggregates of one argument that use the same kind of state share it:
 * sum(x) and mean(x) add each row once.
 */
#ifndef TN_GROUP_AGGREGATE_H
#define TN_GROUP_AGGREGATE_H

#include <tnav/answer.h>

struct tn_aggregate;
struct tn_group;
struct tn_answer_in;
struct tn_answer_out;

/*
 * The stored state of an aggregate in a group; zeroed is empty. A function that returns bool returns false if
 * memory is out.
 *
 * A state with `bytes` can grow: it begins with a uint64_t that is not 0 once the state was dropped for lack of
 * memory. Nothing is added to a dropped state.
 */
struct tn_aggregate_state {
	size_t size;
	/* @at: NULL if the type of the aggregate does not need the place. */
	bool (*add)(void *state, const struct tn_answer_value *v, const struct tn_location *at);
	/* Adds the numbers of many rows: tn_group_table_column(). NULL: they are added one by one. */
	bool (*add_column)(const struct tn_aggregate *a, struct tn_group *const *group, const uint64_t *u, const uint8_t *kind,
			   size_t n);
	bool (*merge)(void *into, const void *from);
	size_t (*bytes)(const void *state);	/* bytes allocated beside it; NULL: always 0 */
	/* bytes that the next value may allocate at once, if these are many; NULL: few */
	size_t (*bytes_ahead)(const void *state);
	void (*release)(void *state);	/* frees these */
	void (*keep)(const void *state, struct tn_answer_out *out);
	bool (*restore)(void *state, struct tn_answer_in *in);	/* into an empty state */
	void (*spread)(void *state, uint64_t *part, size_t n);	/* tn_groups_spread(); NULL: not available */
};

/* The input for the value of an aggregate. */
struct tn_aggregate_read {
	const struct tn_aggregate *aggregate;
	void *state;
	uint64_t count;		/* number of rows in the group */
	double time_ns;		/* time of these rows; NaN: unknown */
};

/* A row of the table. */
struct tn_aggregate_type {
	const char *name, *alias;	/* the alias is NULL or a second name */
	/*
	 * Reads `part` and `whole` from a word such as "p99"; `name` then only describes such words. NULL: the
	 * name is compared.
	 */
	bool (*read)(const char *word, size_t n, struct tn_aggregate *out);
	bool takes_field;
	bool numbers_only;		/* the field must be a number */
	bool needs_place, needs_time;	/* each row's place, each row's time are needed, beside the field */
	bool is_count;			/* the number of rows: needs no state */
	const char *no_field;		/* the reason for an error if it gets a field; for translation */
	enum tn_group_unit (*unit)(enum tn_group_unit of_field);
	const struct tn_aggregate_state *state;	/* NULL: no state */
	struct tn_answer_value (*value)(const struct tn_aggregate_read *r);	/* texts are borrowed from the state */
};

/* An aggregate of a question. */
struct tn_aggregate {
	const struct tn_aggregate_type *type;
	uint64_t part, whole;	/* a quantile is part / whole */
	size_t argument;	/* number of its argument among the values of a row */
	size_t state;		/* offset of its state in a group */
	bool works;		/* the first with this state adds to it; false for those without a state */
};

/*
 * Find an aggregate; sets the type, and the part if it has one. If none of that name fits @takes_field, the
 * type is one that does not fit.
 */
bool tn_aggregate_find(struct tn_aggregate *out, const char *word, size_t n, bool takes_field);
/* Make the error about an unknown name, with a list of all aggregates, at this column of @text. */
enum tn_code tn_aggregate_unknown(const char *word, size_t n, const char *text, size_t column, struct tn_error *err);

/* A number of a column (enum tn_number_kind) as a value. */
static inline struct tn_answer_value
tn_number_value(uint64_t u, uint8_t kind)
{
	static const enum tn_answer_kind kinds[] = { TN_ANSWER_NONE, TN_ANSWER_UINT, TN_ANSWER_SINT, TN_ANSWER_NONE };

	return (struct tn_answer_value) { .kind = kinds[kind & 3], .is.u = u };
}

/* Whether its state was dropped. */
static inline bool
tn_state_dropped(const struct tn_aggregate_state *s, const void *state)
{
	return s->bytes && *(const uint64_t *)state;
}

#endif
