/* babeltrace.h - accept the command line of babeltrace2 */
#ifndef BABELTRACE_H
#define BABELTRACE_H

#include <stdbool.h>

struct job;

/*
 * Translate @argv to options of tnav, and set *argc to their number. Free the result, which ends with NULL, with free();
 * its texts belong to @argv. NULL: tnav does this in another way, which the printed message names.
 */
char **babeltrace_translate(int *argc, char **argv);

/* Limit the job to the time that all streams share (--stream-intersection). Returns 0, or an exit status after a message. */
int babeltrace_intersection(struct job *job);

#endif
