/*
 * shell.h - other programs on the terminal, with the events for their input
 */
#ifndef SHELL_H
#define SHELL_H

#include "session/session.h"

/*
 * Run a command of the shell. It reads the lines of the selection, or else of the events that pass; "!COMMAND" with
 * one more '!', and a shell alone, read the terminal.
 */
void shell_run(struct session *s, const char *text);

#endif
