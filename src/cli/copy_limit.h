/*
 * copy_limit.h - how much of a trace on another host a comparison copies
 */
#ifndef CLI_COPY_LIMIT_H
#define CLI_COPY_LIMIT_H

#include "options.h"

/* Limit for the bytes of one trace; UINT64_MAX: no limit, this is not a comparison. */
uint64_t copy_limit(const struct options *o);
/* Report the size of the copy, or that it is above the limit. */
void copy_limit_report(const char *host, uint64_t size, uint64_t limit);

#endif
