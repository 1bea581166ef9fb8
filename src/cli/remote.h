/*
 * remote.h - traces on another host: ssh://[USER@]HOST/PATH, HOST:PATH
 */
#ifndef CLI_REMOTE_H
#define CLI_REMOTE_H

#include "options.h"

/*
 * Where the one trace is on a host that has tnav, that one does the work and only its screen, or what it prints,
 * travels: true, and *status is how it ended. Else traces of other hosts are copied into the cache, and @o then names
 * the copies: false; or true, when that fails. @argv is the command line that @o was read from.
 */
bool remote_run(struct options *o, char **argv, int *status);

#endif
