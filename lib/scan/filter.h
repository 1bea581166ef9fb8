/* filter.h - a filter that the threads of a scan use */
#ifndef TN_SCAN_FILTER_H
#define TN_SCAN_FILTER_H

#include <tnav/query.h>

#include "model/decoder.h"
#include "language/expression.h"
#include "text/line.h"

/* State of a thread. Zero it before first use. */
struct tn_filter_state {
	struct tn_expression_state expression;
	struct tn_line_state line;	/* for lines without colour, if the output has colour */
	struct tn_str plain;
};

/* Add the conditions of a filter after those of @filter. The added filter must exist as long as @filter is used. */
enum tn_code tn_filter_borrow(struct tn_filter *filter, const struct tn_filter *from, struct tn_error *err) TN_MUST_CHECK;

/* Get the names for its expressions; they are made if necessary. */
enum tn_code tn_filter_names(struct tn_filter *filter, const struct tn_names **out, struct tn_error *err) TN_MUST_CHECK;
const struct tn_set *tn_filter_set(const struct tn_filter *filter);

void tn_filter_state_release(struct tn_filter_state *state);

/* Get at most @room patterns that the line of every matching event matches. Returns their number. */
size_t tn_filter_patterns(const struct tn_filter *filter, const char **out, size_t room);

struct tn_node;

/*
 * Call a function for each of its conditions in order: for trees of expressions, and for regular expressions over the
 * line.
 */
void tn_filter_each(const struct tn_filter *filter, void (*node)(void *user, const struct tn_node *root),
		    void (*regex)(void *user, const struct tn_regex *regex, bool negate), void *user);

/* Whether the filter is one condition on values (and lines). */
bool tn_filter_is_single(const struct tn_filter *filter);

/* A filter that is one regular expression over the line. */
struct tn_line_match {
	const struct tn_regex *regex;
	bool negate;
	bool has_pair;
	char pair[2];		/* two adjacent bytes that every match contains */
};

/* False: the filter has other conditions. */
bool tn_filter_line_match(const struct tn_filter *filter, struct tn_line_match *out);

/* The verdict of the expressions, without regular expressions, on all events of a class. */
enum tn_verdict tn_filter_verdict(const struct tn_filter *filter, const struct tn_event_class *ec);

struct tn_zone;
/* Like tn_filter_verdict(), with known values of fields (tn_condition_verdict()). */
bool tn_filter_may_pass(const struct tn_filter *filter, const struct tn_event_class *ec,
			const struct tn_zone *(*known)(void *user, const struct tn_reference *reference), void *user);

bool tn_filter_has_regex(const struct tn_filter *filter);	/* NULL is allowed */

/* Test only the expressions. */
enum tn_code tn_filter_match_values(const struct tn_filter *filter, struct tn_filter_state *state,
				    const struct tn_batch *batch, size_t row, bool *pass, struct tn_error *err);

/* Test only the expressions for rows: pass[i], which must be 1, becomes 0 if the event of row + i does not match. */
enum tn_code tn_filter_match_rows(const struct tn_filter *filter, struct tn_filter_state *state,
				  const struct tn_batch *batch, size_t row, size_t n, uint8_t *pass,
				  struct tn_error *err);

/* Test only the regular expressions; the line must be without newline and colour. */
enum tn_code tn_filter_match_line(const struct tn_filter *filter, struct tn_filter_state *state,
				  const struct tn_batch *batch, size_t row, const char *line, size_t n, bool *pass,
				  struct tn_error *err);

#endif
