/*
 * question.h - the questions of a filter, as canonical texts
 *
 * A filter is a list of parts, all of which have to be met: its conditions, and the operands of "and" in them.
 * The text of a part has full paths and plain numbers, so that the same text means the same question about the
 * same events, however it was typed. The digest identifies questions by these texts.
 */
#ifndef TN_SCAN_QUESTION_H
#define TN_SCAN_QUESTION_H

#include "base/str.h"
#include "scan/filter.h"

struct tn_question {
	TN_ARRAY(char *) part;	/* sorted, each once */
	struct tn_str all;	/* the parts, one a line */
	bool of_lines;		/* some parts are about lines: their format, and the traces, are in their text */
};

/* Zeroed before; NULL: everything. False: memory is out. */
bool tn_question_of(struct tn_question *out, const struct tn_filter *filter, const struct tn_set *set,
		    const struct tn_text *match);
void tn_question_release(struct tn_question *question);

/* Append the rules of the zone at the times of the set: times of day in a text depend on them. */
void tn_question_zone(struct tn_str *out, const struct tn_set *set);
/* Append the name of a field or attribute in texts of questions. */
void tn_question_name(struct tn_str *out, const struct tn_meaning *meaning);

/* Append an expression, for questions with the written text of one: symbol() depends on more than its text. */
void tn_question_expression(struct tn_str *out, const struct tn_expression *expression);

/*
 * Whether all lines of @all, from another question, are parts of this one: then every event that passes this
 * one passes the other.
 */
bool tn_question_has(const struct tn_question *question, const char *all);

#endif
