/*
 * event_line.h - an event as columns, in two parts: what stays at the left, what is scrolled sideways
 */
#ifndef EVENT_LINE_H
#define EVENT_LINE_H

#include "screen/line.h"
#include "session/window.h"

struct row_lines {
	struct line pinned, free;
};
struct row_context {
	struct session *session;
	int cols;
	const struct event_row *above;	/* the event above, for the delta; NULL: none */
};
void events_line(struct event_row *r, const struct row_context *context, struct row_lines *out);
void events_heading(struct session *s, struct row_lines *out);
void row_lines_release(struct row_lines *l);

#endif
