/* remote.h - traces on another host: ssh://[USER@]HOST/PATH, HOST:PATH */
#ifndef CLI_REMOTE_H
#define CLI_REMOTE_H

#include "options.h"

/*
 * Handle traces on other hosts. If the only trace is on a host that has tnav, run tnav there, so only its screen or its
 * output is sent: true, and *status is its exit status. Otherwise copy the traces into the cache and put the copies'
 * paths in @o: false; or true if the copy fails. @argv: the command line that gave @o.
 */
bool remote_run(struct options *o, char **argv, int *status);

#endif
