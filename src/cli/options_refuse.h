/*
 * options_refuse.h - parts of the command line that options.c and options_refuse.c share
 */
#ifndef OPTIONS_REFUSE_H
#define OPTIONS_REFUSE_H

#include "options.h"

/* Report a mistake and how to get the help. Returns 2. */
int usage(const char *format, const char *a, const char *b);
/* 0, or 2 with a message: an option does nothing here. */
int options_refuse_ignored(const struct options *o);

#endif
