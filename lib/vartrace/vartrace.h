/* vartrace.h - vartrace dumps: a file that consists of records */
#ifndef TN_VARTRACE_VARTRACE_H
#define TN_VARTRACE_VARTRACE_H

#include "model/decoder.h"

/* The format has the names "vartrace-le" and "vartrace-be", too (options->format), for an undetectable byte order. */
extern const struct tn_format tn_format_vartrace;

#endif
