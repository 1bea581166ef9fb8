/*
 * question.h - the questions of a filter as canonical texts
 *
 * A filter is a list of parts, which must all match: its conditions, or the operands if a condition is an "and". The text
 * of a part has full paths and plain numbers. So the same text means the same question about the same events, however the
 * user typed it. The digest identifies questions by these texts.
 */
#ifndef TN_SCAN_QUESTION_H
#define TN_SCAN_QUESTION_H

#include "base/str.h"
#include "scan/filter.h"

struct tn_question {
	TN_ARRAY(char *) part;	/* sorted, without duplicates */
	struct tn_str all;	/* the parts, one in each line */
	bool of_lines;		/* some parts are about lines; their texts include the format of lines, and the traces */
};

/* @out must be zeroed. A filter NULL matches all events. False: memory is out. */
bool tn_question_of(struct tn_question *out, const struct tn_filter *filter, const struct tn_set *set,
		    const struct tn_text *match);
void tn_question_release(struct tn_question *question);

/* Append the rules of the time zone for the times of the set, because times of day in a text depend on them. */
void tn_question_zone(struct tn_str *out, const struct tn_set *set);
/* Append the name of a field or attribute in the form for texts of questions. */
void tn_question_name(struct tn_str *out, const struct tn_meaning *meaning);

/* Append an expression, for questions with the typed text of one: symbol() depends on more than its text. */
void tn_question_expression(struct tn_str *out, const struct tn_expression *expression);

/*
 * Whether all lines of @all, from another question, are parts of this question: then every event that matches this
 * question matches the other one.
 */
bool tn_question_has(const struct tn_question *question, const char *all);

#endif
