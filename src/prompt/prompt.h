/*
 * prompt.h - one line of text that the user edits, with a history
 *
 * Independent of the screen: the app draws it. Invariant: text[n] is NUL, at <= n, and `at` is at the start of a
 * character.
 */
#ifndef PROMPT_H
#define PROMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROMPT_SIZE 4096
#define HISTORY_SIZE 100

/* Lines typed before, oldest first. */
struct history {
	char *text[HISTORY_SIZE];
	size_t n;
	uint64_t added;		/* number of additions */
};

struct prompt {
	char lead[16];		/* shown in front of the text: "/", ":", "&" */
	char text[PROMPT_SIZE];
	size_t n, at;
	struct history *history;	/* NULL: no history */
	size_t recalled;	/* index of the history; history->n: the user's own text */
	char own[PROMPT_SIZE];	/* the user's own text while a line of the history is shown */
};

enum prompt_result {
	PROMPT_MORE,		/* the prompt stays open, its text is unchanged */
	PROMPT_CHANGED,		/* the text changed */
	PROMPT_DONE,		/* Enter */
	PROMPT_CANCELLED,	/* Escape, Ctrl-C, or a backspace in an empty line */
	PROMPT_COMPLETE,	/* Tab */
	PROMPT_FULL		/* the line is full; the key was ignored */
};

void prompt_start(struct prompt *p, const char *lead, const char *text, struct history *history);
enum prompt_result prompt_key(struct prompt *p, uint32_t key);
void prompt_set(struct prompt *p, const char *text);
/* Add the text to its history. A repeated text moves to the end; an empty text is ignored. */
void history_add(struct history *h, const char *text);
void history_release(struct history *h);

#endif
