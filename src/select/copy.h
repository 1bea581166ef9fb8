/*
 * copy.h - copy the selected events, or the event at the cursor, to the clipboard or to files
 *
 * A job walks the trace, so events that are not on the screen are copied too.
 */
#ifndef COPY_H
#define COPY_H

#include "screen/canvas.h"
#include "screen/line.h"
#include "session/window.h"

/* Copy events as the lines that @compose makes of all rows. @compose NULL: as the lines that --print writes. */
void copy_events(struct session *s, void (*compose)(void *user, struct event_row *row, size_t n, struct line *out),
		 void *user);
/* If @wanted, copy the text shown a moment ago (by `:cmdline`). Forget the text. Returns whether it was copied. */
bool copy_said(struct session *s, bool wanted);
/* Write the selected events, or else all that pass. @format "": the format that the file's name gives. */
void write_events(struct session *s, const char *path, const char *format, bool force);

/* Write the screen as a picture (term/screenshot.h). */
void write_screen(struct session *s, const struct canvas *canvas, const char *path, bool force);

/* Write the lines of the selected or else the passing events to a pipe, then close the pipe. NULL: it is already closed. */
struct job *pipe_events(struct session *s, int fd);

#endif
