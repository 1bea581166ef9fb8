/*
 * expression.h - the language of conditions over events, and over things that are no events
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
 * A test of what an event does not have is neither true nor false; "not" leaves it so; an event passes when the whole
 * is true. has() is always one or the other. With "[*]" in the name, a test is true when it is of one of the
 * elements at least.
 *
 * There are two ways to decide. The general one follows the tree, with cells made from decoded values where it is told
 * so; the compiled one (condition.c) has, for each event class, what needs no event already decided, and of the rest
 * a few steps that load a field where it lies and jump. Tests run both.
 */
#ifndef TN_LANGUAGE_EXPRESSION_H
#define TN_LANGUAGE_EXPRESSION_H

#include "language/field.h"
#include "language/regex.h"

#define TN_EXPRESSION_LENGTH 65536	/* bytes; a longer text is refused */
#define TN_EXPRESSION_DEPTH 64		/* parentheses and "not" in each other */
#define TN_EXPRESSION_TESTS 1000

struct tn_expression;

/* What the reader of an expression has to know. */
struct tn_language {
	const struct tn_names *names;	/* outlive the expression */
	struct tn_set *set;		/* for the day of times; NULL: 1970 */
	const struct tn_time_context *times;	/* NULL: of the first event of the set */
};

/* What a thread keeps: zeroed before first use. */
struct tn_expression_state {
	struct tn_row_state row;
	struct tn_regex_room regex;
	bool general;		/* for tests: the general way */
	struct tn_observer *observer;	/* condition.h; NULL: what is looked at is not noted */
	/* Extra attributes (names.h) of the thing that is looked at. */
	void (*extra)(void *user, size_t which, struct tn_cell *out);
	void *user;
};

void tn_expression_state_release(struct tn_expression_state *state);

/*
 * Whether @text is to be read as an expression: it begins as one can, and has a comparison (or in, has, &&, ||), or
 * begins with /regex/. Any other text is a regular expression over the line. Says nothing of its being right.
 */
bool tn_expression_is_meant(const char *text);
/*
 * More of them where the names are known: "NAME in" of a name that there is, and what has "and", "or" or "not" in it and
 * is right as a whole ("lost or status"), are expressions, too.
 */
bool tn_expression_is_one(const struct tn_language *language, const char *text);

/* TN_ERR_ARGUMENT: the text says the column, what was expected, and the nearest name that exists. */
enum tn_code tn_expression_new(struct tn_expression **out, const struct tn_language *language, const char *text,
			       struct tn_error *err) TN_MUST_CHECK;
void tn_expression_free(struct tn_expression *expression);

/* What is right, but hardly meant: see tn_filter_remark(). NULL: nothing. */
const char *tn_expression_remark(const struct tn_expression *expression);

struct tn_node;
const struct tn_node *tn_expression_root(const struct tn_expression *expression);

/* Whether lines have to be matched. */
bool tn_expression_wants_line(const struct tn_expression *expression);

/* What can be said of all events of a class without looking at one. */
enum tn_verdict { TN_VERDICT_NO, TN_VERDICT_YES, TN_VERDICT_OPEN };
enum tn_verdict tn_expression_verdict(const struct tn_expression *expression, const struct tn_event_class *ec);

/* The condition compiled for the events of a class. NULL: the class is not of these traces, or memory is out. */
struct tn_steps;
const struct tn_steps *tn_expression_steps(const struct tn_expression *expression, const struct tn_event_class *ec);

/* Patterns that every line matches whose event meets it; how many there are, at most @room. */
size_t tn_expression_patterns(const struct tn_expression *expression, const char **out, size_t room);

/*
 * Whether the event meets it; @line (without newline and colour) may be NULL: *pass is true then too where the line
 * decides. Safe in several threads.
 */
enum tn_code tn_expression_match(const struct tn_expression *expression, struct tn_expression_state *state,
				 const struct tn_batch *batch, size_t row, const char *line, size_t n, bool *pass,
				 struct tn_error *err) TN_MUST_CHECK;

/* The same for rows [row, row + n) without lines: pass[i] becomes 0 where an event does not meet it; notices stay. */
enum tn_code tn_expression_match_rows(const struct tn_expression *expression, struct tn_expression_state *state,
				      const struct tn_batch *batch, size_t row, size_t n, uint8_t *pass,
				      struct tn_error *err) TN_MUST_CHECK;

/*
 * Whether a thing meets it that is no event: state->extra tells its attributes; fields are those of the row, which may
 * be NULL: there are none then.
 */
enum tn_code tn_expression_match_thing(const struct tn_expression *expression, struct tn_expression_state *state,
				       const struct tn_batch *batch, size_t row, bool *pass, struct tn_error *err) TN_MUST_CHECK;

#endif
