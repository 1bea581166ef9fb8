/* shell.h - run other programs on the terminal, with the events as their input */
#ifndef SHELL_H
#define SHELL_H

#include "session/session.h"

/*
 * Run a shell command. Its input is the lines of the selection or else of the passing events; a command with another '!'
 * in front, and a shell, read the terminal.
 */
void shell_run(struct session *s, const char *text);

#endif
