/*
 * babeltrace.h - the command line as users of babeltrace2 write it
 */
#ifndef BABELTRACE_H
#define BABELTRACE_H

#include <stdbool.h>

struct job;

/*
 * Translate @argv to the options of tnav, NULL at its end; free it with free(), its texts belong to @argv. *argc is
 * its length. NULL with a message: tnav has another way, which the message gives.
 */
char **babeltrace_translate(int *argc, char **argv);

/* Set the bounds to the time that all streams share (--stream-intersection). 0, or an exit status with a message. */
int babeltrace_intersection(struct job *job);

#endif
