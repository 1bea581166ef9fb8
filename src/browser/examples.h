/* examples.h - examples for an empty prompt, made from the event at the cursor */
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

/* Make examples for a prompt. @row: the cursor's row, or NULL. Conditions that do not fit the traces are omitted. */
void examples_fill(struct examples *e, struct session *s, enum question_kind what, const struct event_row *row);
/* Make a condition such as "sensor > 3" from the event's first number; empty if there is no number. */
void examples_number(const struct event_row *row, char out[EXAMPLE_TEXT]);

#endif
