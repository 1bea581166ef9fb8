/*
 * remote.h - traces on another host: ssh://[USER@]HOST/PATH, HOST:PATH
 */
#ifndef CLI_REMOTE_H
#define CLI_REMOTE_H

#include "options.h"

/*
 * If the one trace is on a host that has tnav, that tnav does the work and only its screen or its output is sent
 * here: true, and *status is its exit status. Otherwise traces of other hosts are copied into the cache, and @o then
 * names the copies: false; or true, if copying fails. @argv is the command line that @o was read from.
 */
bool remote_run(struct options *o, char **argv, int *status);

#endif
