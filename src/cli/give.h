/*
 * give.h - text into a pipe without the system copying it under the pipe's lock
 *
 * Writer and reader of a pipe copy in turns. What is given lies in fresh memory instead, whose pages the
 * pipe takes over as they are. Nobody writes to them again, so whoever reads the pipe may keep them, or
 * pass them on, for as long as they like. It pays for much text only, and with huge pages only: small
 * ones cost more to get than to copy.
 */
#ifndef GIVE_H
#define GIVE_H

#include <stdbool.h>
#include <stddef.h>

#define GIVE_LEAST ((size_t)64 << 10)	/* of less it is not worth it */

struct giver {
	char *area;	/* NULL: none yet */
	size_t at;	/* bytes of it that were given */
	bool off;
};

/* Whether this system has what it takes; else the giver is off. */
void giver_init(struct giver *g);
void giver_release(struct giver *g);

/* Put @n bytes into the pipe. How many went there; fewer than @n: errno says why, and they can be written. */
size_t give(struct giver *g, int fd, const char *text, size_t n);

#endif
