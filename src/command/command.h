/*
 * command.h - the command line: settings, bindings, actions by name, times, and a few commands
 */
#ifndef COMMAND_H
#define COMMAND_H

#include "session/keymap.h"
#include "session/session.h"
#include "views/view.h"

/* The work that is left for the caller. */
enum command_end { COMMAND_DONE, COMMAND_ACT, COMMAND_TIME, COMMAND_NUMBER };

/* COMMAND_ACT: do *call. COMMAND_TIME: the text is a time to go to; COMMAND_NUMBER: call->count is an event. */
enum command_end command_run(struct session *s, struct keymap *map, const char *text, struct call *call);
/* Add a column of that name, if events have such a field, or remove it. */
void column_switch(struct session *s, const char *name);
const struct command_help *command_helps(void);	/* an entry without usage is after the last */
const char *command_name(size_t i);		/* NULL after the last */

#endif
