/*
 * copied.h - how much of a trace on another host a comparison copies
 */
#ifndef CLI_COPIED_H
#define CLI_COPIED_H

#include "options.h"

/* Bytes of one trace at most; UINT64_MAX: no limit, this is not a comparison. */
uint64_t copied_limit(const struct options *o);
/* Report how much was copied, or that it is too much. */
void copied_tell(const char *host, uint64_t size, uint64_t limit);

#endif
