/*
 * expression.h - conditions over the fields of an event
 *
 *	expression := term { "||" term }
 *	term       := factor { "&&" factor }
 *	factor     := "!" factor | "(" expression ")" | subject [ test ]
 *	test       := ("==" | "!=" | "<" | "<=" | ">" | ">=") literal
 *	            | ("=~" | "!~") ( "/" regex "/" [ "i" ] | string )
 *	            | "in" "(" item { "," item } ")"		item := literal | literal ".." literal
 *	literal    := number (decimal, 0x, 0o or leading 0, 0b, floating) | "string" | 'string' | word
 *	subject    := "name" | "stream" | "cpu" | "loglevel" | path of a field (as in tn_event_find())
 *
 * A subject alone: the event has it and it is neither zero nor empty. A test of a field the event does
 * not have fails, also with "!=" and "!~". An enumeration is a number, and any of its labels. A word
 * behind an operator is text: state == IDLE. A stream is its name, and its number.
 */
#ifndef TN_QUERY_EXPRESSION_H
#define TN_QUERY_EXPRESSION_H

#include "model/decoder.h"
#include "query/regex.h"

struct tn_expression;

enum tn_code tn_expression_new(struct tn_expression **out, const struct tn_set *set, const char *text,
			       struct tn_error *err);
void tn_expression_free(struct tn_expression *expression);

/* What can be said of all events of a class without looking at one. */
enum tn_verdict { TN_VERDICT_NO, TN_VERDICT_YES, TN_VERDICT_OPEN };
enum tn_verdict tn_expression_verdict(const struct tn_expression *expression, const struct tn_event_class *ec);

/* Whether the event meets it; @event is room for its values. Safe in several threads. */
enum tn_code tn_expression_match(const struct tn_expression *expression, struct tn_event *event,
				 struct tn_regex_room *room, const struct tn_batch *batch, size_t row, bool *pass,
				 struct tn_error *err);

#endif
