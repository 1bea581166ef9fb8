/* command.h - the command line: settings, bindings, actions by name, times, and some commands */
#ifndef COMMAND_H
#define COMMAND_H

#include "session/keymap.h"
#include "session/session.h"
#include "views/view.h"

/* The work left for the caller of command_run(). */
enum command_end { COMMAND_DONE, COMMAND_ACT, COMMAND_TIME, COMMAND_NUMBER };

/* Run a command. COMMAND_ACT: do *call. COMMAND_TIME: go to the time in the text. COMMAND_NUMBER: go to event call->count. */
enum command_end command_run(struct session *s, struct keymap *map, const char *text, struct call *call);
/* Add a column for that field if events have it, or remove the column. */
void column_switch(struct session *s, const char *name);
const struct command_help *command_helps(void);	/* the last entry is followed by one without usage */
const char *command_name(size_t i);		/* NULL after the last name */

#endif
