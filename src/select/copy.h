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

/* As lines that @compose makes of all rows; NULL: as --print writes them. */
void copy_events(struct session *s, void (*compose)(void *user, struct event_row *row, size_t n, struct line *out),
		 void *user);
/* Copies the text shown a moment ago (`:cmdline`), if @wanted, and forgets it. Returns whether it copied one. */
bool copy_said(struct session *s, bool wanted);
/* Writes the selected events, else those that pass. @format "": by the name of the file. */
void write_events(struct session *s, const char *path, const char *format, bool force);

/* The screen as a picture (term/screenshot.h). */
void write_screen(struct session *s, const struct canvas *canvas, const char *path, bool force);

/* The lines of what is selected, else of what passes, into a pipe, which is closed then. NULL: it was closed at once. */
struct job *pipe_events(struct session *s, int fd);

#endif
