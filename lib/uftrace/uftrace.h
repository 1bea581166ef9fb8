/*
 * uftrace.h - folders of uftrace: calls of functions, with arguments and results
 */
#ifndef TN_UFTRACE_UFTRACE_H
#define TN_UFTRACE_UFTRACE_H

#include "model/decoder.h"

extern const struct tn_format tn_format_uftrace;

#endif
