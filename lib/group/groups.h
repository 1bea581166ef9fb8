/* groups.h - groups while they are computed */
#ifndef TN_GROUP_GROUPS_H
#define TN_GROUP_GROUPS_H

#include "language/take.h"
#include "group/group_table.h"

struct tn_group_column {
	char *name;		/* name of an aggregate: as typed, or set by `as` */
	char *text;		/* text as typed */
};

/* The condition that selects the spans for an argument. */
struct tn_group_condition {
	char *text;		/* NULL: all spans */
	struct tn_span_where *where;
};

/*
 * Takes the values of the first argument one by one, in place of aggregates. Events arrive in pieces: each piece has its
 * own state, and is in the order of its stream. States are merged in a fixed order. Spans have one state.
 */
struct tn_group_sink {
	void *(*make)(void *user);	/* NULL: memory is out */
	void (*release)(void *state);
	/* @key: the packed words of the group's key. @bits: the bits of a number. False: memory is out. */
	bool (*put)(void *state, const uint64_t *key, size_t words, int64_t time_ns, uint32_t rank, enum tn_answer_kind kind,
		    uint64_t bits);
	bool (*merge)(void *user, void *state);	/* adds @state and empties it; called in the thread of the run */
	void *user;
};

struct tn_groups {
	const struct tn_group_sink *sink;	/* NULL: no sink */
	struct tn_set *set;
	const struct tn_spans *spans;	/* NULL: groups of events */
	struct tn_classes classes;
	TN_ARRAY(struct tn_take) keys, arguments;
	TN_ARRAY(struct tn_group_condition) conditions;	/* one for each argument */
	TN_ARRAY(struct tn_aggregate) aggregates;
	TN_ARRAY(struct tn_group_column) columns;
	/* Resolves a name; there is one function for events, and one for spans. */
	enum tn_code (*take)(struct tn_groups *g, struct tn_take *out, const char *name, size_t n, const char *what,
			     size_t column, struct tn_error *err);
	int64_t step_ns;	/* the step of a key "time/STEP" */
	bool only_counts;	/* only the number of events in each group is needed */
	struct tn_group_table_plan plan, piece_plan;
	struct tn_group_table all;
	char *remark;		/* a hint about a probable mistake; or NULL */
	const struct tn_scan_options *options;	/* set during the run */
	struct tn_span_counts span_counts;
	uint64_t without;	/* number of rows without any of the keys */
	/* The results, in sorted order. */
	struct tn_group **row;
	size_t n_rows;
	struct tn_answer_value *value;	/* the values of one row */
	const struct tn_type **labels;	/* the type whose labels each key has */
};

/* groups.c: the value of a group in a column. Texts are borrowed from the table. */
struct tn_answer_value tn_groups_cell(const struct tn_groups *g, struct tn_group *group, size_t column);

/* groups_rows.c */
enum tn_code tn_groups_run_events(struct tn_groups *g, const struct tn_scan_options *options, struct tn_error *err);

/* group_spans.c */
enum tn_code tn_groups_take_of_spans(struct tn_groups *g, struct tn_take *out, const char *name, size_t n,
				     const char *what, size_t column, struct tn_error *err);
/* Whether spans have only texts under this name. */
bool tn_groups_is_text_of_spans(const struct tn_groups *g, const struct tn_take *take, bool *no_memory);
enum tn_code tn_groups_run_spans(struct tn_groups *g, const struct tn_scan_options *options, struct tn_error *err);

#endif
