/* prompt_line.h - the prompt in the last line: its question, and earlier answers */
#ifndef PROMPT_LINE_H
#define PROMPT_LINE_H

#include "prompt.h"
#include "session/session.h"

enum question_kind { ASK_NOTHING, ASK_SEARCH, ASK_FILTER, ASK_TIME, ASK_COMMAND, ASK_NOTE };
enum { HISTORY_SEARCH, HISTORY_FILTER, HISTORY_TIME, HISTORY_COMMAND, HISTORIES };

struct prompt_line {
	enum question_kind what;
	bool backward;			/* direction of a search */
	bool edits;			/* the filter replaces condition `condition` */
	size_t condition;
	bool examples;			/* examples are shown above the prompt */
	bool begun;			/* the text is a proposal that the user has not changed */
	struct prompt prompt;
	struct history history[HISTORIES];
	char error[MESSAGE_SIZE];	/* error in the answer, or result of Tab */
	struct tn_regex *mark_before;	/* value of asks.mark before the search was typed */
};

void prompt_line_start(struct prompt_line *q, struct session *s, enum question_kind what, const char *lead, const char *text);
void prompt_line_changed(struct prompt_line *q, struct session *s);	/* the user has changed the text */
void prompt_line_cancel(struct prompt_line *q, struct session *s);
void prompt_line_done(struct prompt_line *q);		/* the answer was accepted */
void prompt_line_release(struct prompt_line *q);

#endif
