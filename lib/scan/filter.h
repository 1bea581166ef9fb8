/* filter.h - a filter for the threads of a scan */
#ifndef TN_SCAN_FILTER_H
#define TN_SCAN_FILTER_H

#include <tnav/query.h>

#include "model/decoder.h"
#include "language/expression.h"
#include "text/line.h"

/* State of a thread: zeroed before first use. */
struct tn_filter_state {
	struct tn_expression_state expression;
	struct tn_line_state line;	/* for the plain text, if lines have colour */
	struct tn_str plain;
};

/* Add the conditions of a filter that stays as long as @filter is used; after its own ones. */
enum tn_code tn_filter_borrow(struct tn_filter *filter, const struct tn_filter *from, struct tn_error *err) TN_MUST_CHECK;

/* The names that its expressions use; made now if they are missing. */
enum tn_code tn_filter_names(struct tn_filter *filter, const struct tn_names **out, struct tn_error *err) TN_MUST_CHECK;
const struct tn_set *tn_filter_set(const struct tn_filter *filter);

void tn_filter_state_release(struct tn_filter_state *state);

/* Patterns that the line of every passing event matches, at most @room; returns their number. */
size_t tn_filter_patterns(const struct tn_filter *filter, const char **out, size_t room);

struct tn_node;

/* Call functions for its conditions in order: the trees of expressions, and regular expressions over the line. */
void tn_filter_each(const struct tn_filter *filter, void (*node)(void *user, const struct tn_node *root),
		    void (*regex)(void *user, const struct tn_regex *regex, bool negate), void *user);

/* Whether it is one condition over values (and lines). */
bool tn_filter_is_single(const struct tn_filter *filter);

/* A filter that consists of one regular expression over the line. */
struct tn_line_match {
	const struct tn_regex *regex;
	bool negate;
	bool has_pair;
	char pair[2];		/* two adjacent bytes of every match */
};

/* False: it has other conditions. */
bool tn_filter_line_match(const struct tn_filter *filter, struct tn_line_match *out);

/* The verdict of the expressions alone on all events of a class. */
enum tn_verdict tn_filter_verdict(const struct tn_filter *filter, const struct tn_event_class *ec);

struct tn_zone;
/* Like tn_filter_verdict(), with known values of fields (tn_condition_verdict()). */
bool tn_filter_may_pass(const struct tn_filter *filter, const struct tn_event_class *ec,
			const struct tn_zone *(*known)(void *user, const struct tn_reference *reference), void *user);

bool tn_filter_has_regex(const struct tn_filter *filter);	/* NULL is allowed */

/* Decide by the expressions alone. */
enum tn_code tn_filter_match_values(const struct tn_filter *filter, struct tn_filter_state *state,
				    const struct tn_batch *batch, size_t row, bool *pass, struct tn_error *err);

/* Like tn_filter_match_values(), for rows: pass[i] of row + i, 1 before, becomes 0 if the event does not pass. */
enum tn_code tn_filter_match_rows(const struct tn_filter *filter, struct tn_filter_state *state,
				  const struct tn_batch *batch, size_t row, size_t n, uint8_t *pass,
				  struct tn_error *err);

/* Decide by the regular expressions alone; the line is without its newline and without colour. */
enum tn_code tn_filter_match_line(const struct tn_filter *filter, struct tn_filter_state *state,
				  const struct tn_batch *batch, size_t row, const char *line, size_t n, bool *pass,
				  struct tn_error *err);

#endif
