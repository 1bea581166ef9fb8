/*
 * question.h - what a filter asks, as texts that say nothing else
 *
 * A filter is a list of parts all of which have to be met: its conditions, and what "and" joins in them. The text of a
 * part has full paths and plain numbers, so that the same text asks the same of the same events, however it was typed.
 * The digest remembers questions by these texts.
 */
#ifndef TN_SCAN_QUESTION_H
#define TN_SCAN_QUESTION_H

#include "base/str.h"
#include "scan/filter.h"

struct tn_question {
	TN_ARRAY(char *) part;	/* sorted, each once */
	struct tn_str all;	/* the parts, one a line */
	bool of_lines;		/* some parts are of lines: how those look, and which traces there are, is in their text */
};

/* Zeroed before; NULL: everything. False: memory is out. */
bool tn_question_of(struct tn_question *out, const struct tn_filter *filter, const struct tn_set *set,
		    const struct tn_text *match);
void tn_question_release(struct tn_question *question);

/* A field or attribute, as texts of questions name it; appended. */
void tn_question_name(struct tn_str *out, const struct tn_meaning *meaning);

/* Whether all lines of @all, which is another question's, are parts of this one: what passes this passes that. */
bool tn_question_has(const struct tn_question *question, const char *all);

#endif
