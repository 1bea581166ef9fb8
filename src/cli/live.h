/*
 * live.h - jobs on traces that grow: sessions of a relay, files that are still written
 */
#ifndef CLI_LIVE_H
#define CLI_LIVE_H

#include "report.h"

/* Whether the traces of the command line grow. */
bool live_is_wanted(const struct options *o);

bool live_has_relay(const struct options *o);	/* the address of a relay is among the traces */

/*
 * An address that names a relay and no session: print the relay's sessions. True: done, *status is set. With @chosen, which is
 * NULL at first, the terminal asks for one of them: false with its address, owned.
 */
bool live_list(const struct options *o, char **chosen, int *status);

/* From here on ^C ends the waiting. Call it before a live session is opened, or ^C would leave its spool in place. */
void live_take_interrupts(void);
bool live_is_interrupted(void);
void live_leave_interrupts(void);	/* ^C ends the program again; an earlier ^C does so now */

/*
 * Wait until all live sessions have ended, or ^C; @turn is called each time something may have come, with `last` at
 * the end. The set is settled then. @turn returns an exit status that stops, or 0.
 */
int live_wait(struct job *job, int (*turn)(void *user, const struct tn_growth *growth, bool last), void *user);

/* Wait without turns: the caller reads the result when everything has arrived. */
int live_collect(struct job *job);

#endif
