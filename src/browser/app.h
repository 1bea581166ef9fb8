/*
 * app.h - the interactive browser
 */
#ifndef APP_H
#define APP_H

#include "session/browse.h"

/*
 * Browse until the user leaves. Takes the terminal and gives it back. Returns the exit status: 0, or 1
 * with a message on standard error when the terminal cannot be used or the traces cannot be read.
 * *still_used: some work that was stopped has not ended: the set must not be closed, nor the program wait.
 */
int browse(struct tn_set *set, const struct browse_options *options, bool *still_used);

#endif
