/*
 * prompt_line.h - the prompt in the last line: its question, and earlier answers
 */
#ifndef PROMPT_LINE_H
#define PROMPT_LINE_H

#include "prompt.h"
#include "session/session.h"

enum question_kind { ASK_NOTHING, ASK_SEARCH, ASK_FILTER, ASK_TIME, ASK_COMMAND, ASK_NOTE };
enum { HISTORY_SEARCH, HISTORY_FILTER, HISTORY_TIME, HISTORY_COMMAND, HISTORIES };

struct asking {
	enum question_kind what;
	bool backward;			/* of a search */
	bool edits;			/* of a filter: in place of condition `condition` */
	size_t condition;
	bool examples;			/* they are shown above it */
	bool begun;			/* with a text of ours that nobody has touched */
	struct prompt prompt;
	struct history history[HISTORIES];
	char error[MESSAGE_SIZE];	/* the error in the answer, or the result of Tab */
	struct tn_regex *mark_before;	/* while a search is typed */
};

void asking_start(struct asking *q, struct session *s, enum question_kind what, const char *lead, const char *text);
void asking_changed(struct asking *q, struct session *s);	/* another text is typed */
void asking_cancel(struct asking *q, struct session *s);
void asking_done(struct asking *q);		/* the answer was taken */
void asking_release(struct asking *q);

#endif
