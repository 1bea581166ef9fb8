/* app.h - the interactive browser */
#ifndef APP_H
#define APP_H

#include "session/browse.h"

/*
 * Browse until the user leaves; the terminal is restored at the end. Returns the exit status: 0, or 1 after a message on
 * standard error if the terminal cannot be used or the traces cannot be read. *still_used: some stopped work has not
 * ended, so do not close the set and do not wait.
 */
int browse(struct tn_set *set, const struct browse_options *options, bool *still_used);

#endif
