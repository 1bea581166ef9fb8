/* copy_limit.h - the limit for copies of traces from another host, when tnav compares traces */
#ifndef CLI_COPY_LIMIT_H
#define CLI_COPY_LIMIT_H

#include "options.h"

/* The largest number of bytes to copy for one trace; UINT64_MAX: no limit, because tnav does not compare. */
uint64_t copy_limit(const struct options *o);
/* Report the size of the copy, or that the size is above the limit. */
void copy_limit_report(const char *host, uint64_t size, uint64_t limit);

#endif
