/* event_line.h - an event as columns, in two parts: columns that do not scroll, and columns that do */
#ifndef EVENT_LINE_H
#define EVENT_LINE_H

#include "screen/line.h"
#include "screen/readable.h"
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

/* event_hint.c: after a search without a hit, tell the user what to type if the list shows the text. */
void event_hint(struct session *s, const struct window *w, int cols);
/*
 * event_value_names.c: add the name of the number at [from, end) of @r, if it has one; of all numbers, if the range is
 * the text. @text: the source of @r.
 */
void event_name_put(struct session *s, const struct tn_stream *stream, struct readable *r, const char *field, size_t from,
		    size_t end);
void event_names_put(struct session *s, const struct tn_stream *stream, struct readable *r, const char *text);
/* Add the description of events with this name, if the format of the trace has one. */
void event_meaning_put(struct session *s, const char *event, size_t n, struct line *out);

#endif
