/*
 * expression.h - the language of conditions, over events and over other objects
 *
 *	condition  := and { ("or" | "||") and }
 *	and        := not { ("and" | "&&") not }
 *	not        := ("not" | "!") not | "(" condition ")" | test
 *	test       := "/" regex "/" [ "i" ]			the line matches
 *	            | "has" "(" name ")"
 *	            | name						a number that is not 0, a text that is not empty
 *	            | name ("==" | "=" | "!=" | "<" | "<=" | ">" | ">=") literal
 *	            | name ("=~" | "!~") ( "/" regex "/" [ "i" ] | string )
 *	            | name [ "not" ] "in" ( range | "(" item { "," item } ")" )
 *	item       := literal | range
 *	range      := [ literal ] ".." [ literal ]
 *	literal    := number [ unit ] | "string" | 'string' | word | time (of the attribute time)
 *
 * A test of a field that an event does not have is neither true nor false; "not" leaves it so. An event passes if the
 * whole is true. has() is always true or false. With "[*]" in the name, a test is true if it is true of at least one
 * element.
 *
 * Conditions are decided in two ways. The general one follows the tree, with cells made from decoded values if asked
 * for. The compiled one (condition.c) has, for each event class, all parts that need no event already decided. For the
 * rest it has a few steps that load a field from its place and jump. Tests run both.
 */
#ifndef TN_LANGUAGE_EXPRESSION_H
#define TN_LANGUAGE_EXPRESSION_H

#include "language/field.h"
#include "language/regex.h"

#define TN_EXPRESSION_LENGTH 65536	/* limit of bytes of a text */
#define TN_EXPRESSION_DEPTH 64		/* limit of nested parentheses and "not" */
#define TN_EXPRESSION_TESTS 1000

struct tn_expression;

/* The context in which an expression is read. */
struct tn_language {
	const struct tn_names *names;	/* must outlive the expression */
	struct tn_set *set;		/* the day of times comes from the set; NULL: 1970 */
	const struct tn_time_context *times;	/* NULL: the times of the first event of the set */
	bool is_rest;			/* the expression is true of what the text does not select */
};

/* The state of a thread. Zero it before first use. */
struct tn_expression_state {
	struct tn_row_state row;
	struct tn_regex_room regex;
	bool general;		/* use the general path (tests) */
	struct tn_observer *observer;	/* condition.h; NULL: values are not collected */
	/* Gets an additional attribute (names.h) of the current object. */
	void (*extra)(void *user, size_t which, struct tn_cell *out);
	void *user;
};

void tn_expression_state_release(struct tn_expression_state *state);

/*
 * Whether @text has the form of an expression: it begins like one and has a comparison (or in, has, &&, ||), or it begins
 * with /regex/. Any other text is a regular expression over the line. The expression may still be invalid.
 */
bool tn_expression_is_meant(const char *text);
/*
 * Like tn_expression_is_meant(), with known names: "NAME in" is an expression if the name exists. So is a text with
 * "and", "or" or "not" that is valid as a whole ("lost or status").
 */
bool tn_expression_is_one(const struct tn_language *language, const char *text);

/* TN_ERR_ARGUMENT: the text has the column, the expected word, and the nearest existing name. */
enum tn_code tn_expression_new(struct tn_expression **out, const struct tn_language *language, const char *text,
			       struct tn_error *err) TN_MUST_CHECK;
void tn_expression_free(struct tn_expression *expression);

/* A hint that a valid expression is probably a mistake; see tn_filter_remark(). NULL: no hint. */
const char *tn_expression_remark(const struct tn_expression *expression);

struct tn_node;
const struct tn_node *tn_expression_root(const struct tn_expression *expression);

/* Append a text between quotes, as expressions and definitions have it. */
void tn_put_quoted(struct tn_str *out, const char *text);

/* Whether the expression needs the line. */
bool tn_expression_wants_line(const struct tn_expression *expression);

/* The verdict on all events of a class, without reading events. */
enum tn_verdict { TN_VERDICT_NO, TN_VERDICT_YES, TN_VERDICT_OPEN };
enum tn_verdict tn_expression_verdict(const struct tn_expression *expression, const struct tn_event_class *ec);

/* The condition compiled for the events of a class. NULL: the class does not belong to these traces, or memory is out. */
struct tn_steps;
const struct tn_steps *tn_expression_steps(const struct tn_expression *expression, const struct tn_event_class *ec);

/* Get at most @room patterns that the line of every matching event matches. Returns their number. */
size_t tn_expression_patterns(const struct tn_expression *expression, const char **out, size_t room);

/*
 * Whether the event matches. @line, without newline and colour, may be NULL: *pass is then also true if the line decides.
 * Safe in several threads.
 */
enum tn_code tn_expression_match(const struct tn_expression *expression, struct tn_expression_state *state,
				 const struct tn_batch *batch, size_t row, const char *line, size_t n, bool *pass,
				 struct tn_error *err) TN_MUST_CHECK;

/*
 * Like tn_expression_match(), for rows without lines: pass[i] becomes 0 if the event of row + i does not match. Notices
 * do not change.
 */
enum tn_code tn_expression_match_rows(const struct tn_expression *expression, struct tn_expression_state *state,
				      const struct tn_batch *batch, size_t row, size_t n, uint8_t *pass,
				      struct tn_error *err) TN_MUST_CHECK;

/*
 * Whether an object other than an event matches; state->extra gets its attributes. Fields are those of the row, which may
 * be NULL: the object then has no fields.
 */
enum tn_code tn_expression_match_thing(const struct tn_expression *expression, struct tn_expression_state *state,
				       const struct tn_batch *batch, size_t row, bool *pass, struct tn_error *err) TN_MUST_CHECK;

#endif
