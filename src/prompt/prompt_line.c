#include <config.h>

#include "prompt_line.h"

static struct history *
history_of(struct prompt_line *q, enum question_kind what)
{
	switch (what) {
	case ASK_SEARCH: return &q->history[HISTORY_SEARCH];
	case ASK_FILTER: return &q->history[HISTORY_FILTER];
	case ASK_TIME: return &q->history[HISTORY_TIME];
	case ASK_COMMAND: return &q->history[HISTORY_COMMAND];
	default: return NULL;
	}
}

void
prompt_line_start(struct prompt_line *q, struct session *s, enum question_kind what, const char *lead, const char *text)
{
	q->what = what;
	q->error[0] = '\0';
	q->begun = q->edits = q->examples = false;
	prompt_start(&q->prompt, lead, text, history_of(q, what));
	if (what == ASK_SEARCH) {
		q->mark_before = s->asks.mark;
		s->asks.mark = NULL;
	}
}

/* Mark the matches of the typed text at once, if it is a valid regular expression. */
void
prompt_line_changed(struct prompt_line *q, struct session *s)
{
	q->error[0] = '\0';
	if (q->what != ASK_SEARCH)
		return;
	tn_regex_free(s->asks.mark);
	s->asks.mark = NULL;
	if (q->prompt.n && !tn_condition_is_expression(q->prompt.text) &&
	    tn_regex_new(&s->asks.mark, q->prompt.text, s->settings.ignore_case, NULL) != TN_OK)
		s->asks.mark = NULL;
}

void
prompt_line_cancel(struct prompt_line *q, struct session *s)
{
	if (q->what == ASK_SEARCH) {
		tn_regex_free(s->asks.mark);
		s->asks.mark = q->mark_before;
		q->mark_before = NULL;
	}
	q->error[0] = '\0';
	q->what = ASK_NOTHING;
}

void
prompt_line_done(struct prompt_line *q)
{
	if (q->prompt.history)
		history_add(q->prompt.history, q->prompt.text);
	tn_regex_free(q->mark_before);
	q->mark_before = NULL;
	q->what = ASK_NOTHING;
}

void
prompt_line_release(struct prompt_line *q)
{
	tn_regex_free(q->mark_before);
	for (int i = 0; i < HISTORIES; i++)
		history_release(&q->history[i]);
}
