/* cmdline.h - the command line that makes the current view; tnav runs it to write a table */
#ifndef CMDLINE_H
#define CMDLINE_H

#include "session/session.h"
#include "views/view.h"

/* From now on, commands refer to this view: session->table. */
void cmdline_take(struct session *s, struct view *v);
/* Show the command line; `y` then copies it. */
void cmdline_show(struct session *s);
/* Write the table to a file. False: the view shows events, for which there is another function. */
bool cmdline_write(struct session *s, const char *path, const char *format, bool force);
/* Send the table to @fd, and close @fd at the end. Only for a table. NULL: this failed. */
struct job *cmdline_pipe(struct session *s, int fd);

#endif
