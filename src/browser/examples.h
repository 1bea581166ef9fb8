/*
 * examples.h - texts for an empty prompt, made from the event under the cursor
 */
#ifndef EXAMPLES_H
#define EXAMPLES_H

#include "prompt/prompt_line.h"
#include "session/window.h"

#define EXAMPLES_MOST 14
#define EXAMPLE_TEXT 120

struct examples {
	struct example {
		char text[EXAMPLE_TEXT];
		const char *what;	/* translate with _() */
	} item[EXAMPLES_MOST];
	size_t n;
};

/* @row: the cursor's row, or NULL. Conditions that the trace cannot answer are left out. */
void examples_fill(struct examples *e, struct session *s, enum question_kind what, const struct event_row *row);
/* "sensor > 3": by the first number of the event; empty if there is none. */
void examples_number(const struct event_row *row, char out[EXAMPLE_TEXT]);

#endif
