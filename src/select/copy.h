/*
 * copy.h - events out of the browser, the selected ones or the one the cursor is on: to the clipboard, to files
 *
 * The trace is walked, in a job; what is on the screen does not matter.
 */
#ifndef COPY_H
#define COPY_H

#include "screen/canvas.h"
#include "screen/line.h"
#include "session/window.h"

/* Copy events as the lines that @compose makes of all rows; NULL: as the lines that --print writes. */
void copy_events(struct session *s, void (*compose)(void *user, struct event_row *row, size_t n, struct line *out),
		 void *user);
/* Copy the text shown a moment ago (`:cmdline`), if @wanted, and forget it. Returns whether it was copied. */
bool copy_said(struct session *s, bool wanted);
/* Write the selected events, else those that pass. @format "": the format of the file's name. */
void write_events(struct session *s, const char *path, const char *format, bool force);

/* Write the screen as a picture (term/screenshot.h). */
void write_screen(struct session *s, const struct canvas *canvas, const char *path, bool force);

/* Write the lines of the selected or else the passing events to a pipe, and close it. NULL: it was closed at once. */
struct job *pipe_events(struct session *s, int fd);

#endif
