/* live.h - jobs on traces that grow: sessions of a relay, files that are still being written */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include "report.h"

/* Whether the traces of the command line grow. */
bool live_is_wanted(const struct options *o);

bool live_has_relay(const struct options *o);	/* one of the traces is the address of a relay */

/*
 * If an address names a relay but not a session, print the relay's sessions. True: the program is done, and *status is
 * set. If @chosen is not NULL (and *chosen is), ask the user to choose a session. False: *chosen is the address of that
 * session; owned.
 */
bool live_list(const struct options *o, char **chosen, int *status);

/*
 * From here on, ^C ends only the waiting. Call it before a live session is opened; otherwise ^C would leave temporary
 * files.
 */
void live_take_interrupts(void);
bool live_is_interrupted(void);
void live_leave_interrupts(void);	/* ^C ends the program again, at once if it was pressed before */

/*
 * Wait until all live sessions have ended or the user presses ^C. Call @turn when data may have arrived, and once at the
 * end with `last`; the set is settled then. @turn returns 0, or an exit status that ends the waiting.
 */
int live_wait(struct job *job, int (*turn)(void *user, const struct tn_growth *growth, bool last), void *user);

/* Wait without calling a function; read the set when all data has arrived. */
int live_collect(struct job *job);

#endif
