/* vartrace.h - vartrace dumps: a file that consists of records */
#ifndef TN_VARTRACE_VARTRACE_H
#define TN_VARTRACE_VARTRACE_H

#include "model/decoder.h"

/* Also named "vartrace-le" and "vartrace-be" (options->format), if the byte order cannot be detected. */
extern const struct tn_format tn_format_vartrace;

#endif
