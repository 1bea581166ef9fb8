/*
 * copy_limit.h - how much of a trace on another host a comparison copies
 */
#ifndef CLI_COPY_LIMIT_H
#define CLI_COPY_LIMIT_H

#include "options.h"

/* Bytes of one trace at most; UINT64_MAX: no limit, this is not a comparison. */
uint64_t copy_limit(const struct options *o);
/* Report how much was copied, or that it is too much. */
void copy_limit_report(const char *host, uint64_t size, uint64_t limit);

#endif
