/* options_refuse.h - functions that options.c and options_refuse.c share */
#ifndef OPTIONS_REFUSE_H
#define OPTIONS_REFUSE_H

#include "options.h"

/* Report a mistake in the command line, and the option that prints the help. Returns 2. */
int usage(const char *format, const char *a, const char *b);
/* Refuse an option that has no effect in this mode. Returns 0, or 2 after a message. */
int options_refuse_ignored(const struct options *o);

#endif
