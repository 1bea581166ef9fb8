/*
 * query.h - how lines look and which of them are wanted: shared by the view and its jobs
 *
 * Read-only once made, counted by reference: a job that continues for a moment after the user changed
 * the filters keeps its own query.
 */
#ifndef QUERY_H
#define QUERY_H

#include <stdatomic.h>

#include <tnav/query.h>

#define QUERY_FIELDS 8		/* fields that have a column of their own */
#define FIELD_PATH 200		/* bytes of the name of one */

#define COLOR_RULES 16
#define COLOR_TEXT 200

/* A style for the events that pass a condition. */
struct color_rule {
	char text[COLOR_TEXT];	/* "": none */
	unsigned style;
};

struct query {
	atomic_int refs;
	struct color_rule rule[COLOR_RULES];	/* with their conditions: */
	struct tn_filter *rule_filter[COLOR_RULES];	/* NULL: these traces have no such fields */
	bool has_rules;
	char field[QUERY_FIELDS][FIELD_PATH];	/* "": none */
	struct tn_text *text;
	struct tn_filter *filter;	/* NULL: everything */
};

/* One condition, as the user typed it after `&`; or a range of times, which does not belong to a query. */
struct condition {
	char *text;
	bool on;
	bool is_range, has_begin, has_end;
	int64_t begin_ns, end_ns;
};

struct query *query_get(struct query *q);
void query_put(struct query *q);	/* NULL is allowed */

/* Set its rules to these, as far as the set has their fields. */
void query_rules(struct query *q, struct tn_set *set, const struct color_rule rule[COLOR_RULES]);
/* The style of the row the cursor is on; 0: no rule says. */
unsigned query_style(const struct query *q, struct tn_cursor *cur);

/* Make a query of the conditions that are on and of @extra (may be NULL). */
enum tn_code query_new(struct query **out, struct tn_set *set, const struct tn_text_options *options,
		       const struct condition *condition, size_t n, const char *extra,
		       bool extra_is_expression, struct tn_error *err) TN_MUST_CHECK;

#endif
