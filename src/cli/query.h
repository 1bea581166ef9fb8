/*
 * query.h - the form of lines and the selection of events, which the view and its jobs share
 *
 * A query is read-only once made, and counted by reference: if the user changes the filters, a job that still runs for a
 * moment keeps its own query.
 */
#ifndef QUERY_H
#define QUERY_H

#include <stdatomic.h>

#include <tnav/query.h>

#define QUERY_FIELDS 8		/* number of fields that can have their own column */
#define FIELD_PATH 200		/* bytes of such a field's name */

#define COLOR_RULES 16
#define COLOR_TEXT 200

/* A style for the events that pass a condition. */
struct color_rule {
	char text[COLOR_TEXT];	/* the condition; "": no rule */
	unsigned style;
};

struct query {
	atomic_int refs;
	struct color_rule rule[COLOR_RULES];	/* styles of rows */
	struct tn_filter *rule_filter[COLOR_RULES];	/* their conditions; NULL: these traces lack its fields */
	bool has_rules;
	char field[QUERY_FIELDS][FIELD_PATH];	/* names of fields with a column; "": none */
	struct tn_text *text;
	struct tn_filter *filter;	/* NULL: all events */
};

/* One condition that the user typed after `&`; or a range of times, which is not part of a query. */
struct condition {
	char *text;
	bool on;
	bool is_range, has_begin, has_end;
	int64_t begin_ns, end_ns;
};

struct query *query_get(struct query *q);
void query_put(struct query *q);	/* @q may be NULL */

/* Set the rules of the query; a rule whose fields the set lacks does not apply. */
void query_rules(struct query *q, struct tn_set *set, const struct color_rule rule[COLOR_RULES]);
/* The style of the row at the cursor; 0: no rule applies. */
unsigned query_style(const struct query *q, struct tn_cursor *cur);

/* Make a query of the conditions that are on, and of @extra, which may be NULL. */
enum tn_code query_new(struct query **out, struct tn_set *set, const struct tn_text_options *options,
		       const struct condition *condition, size_t n, const char *extra,
		       bool extra_is_expression, struct tn_error *err) TN_MUST_CHECK;

#endif
