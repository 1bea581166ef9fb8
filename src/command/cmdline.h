/*
 * cmdline.h - the command that makes the view; tnav runs it to write a table
 */
#ifndef CMDLINE_H
#define CMDLINE_H

#include "session/session.h"
#include "views/view.h"

/* From now on, commands are about this view: session->table. */
void cmdline_take(struct session *s, struct view *v);
/* Show the command; the next `y` copies it. */
void cmdline_show(struct session *s);
/* False: the view shows events, which are written by another function. */
bool cmdline_write(struct session *s, const char *path, const char *format, bool force);
/* Send the command's output to @fd, which is closed then. Only for a table. NULL: it failed. */
struct job *cmdline_pipe(struct session *s, int fd);

#endif
