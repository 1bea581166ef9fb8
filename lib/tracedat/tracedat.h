/*
 * tracedat.h - trace.dat: recordings of ftrace by trace-cmd, versions 6 and 7
 */
#ifndef TN_TRACEDAT_TRACEDAT_H
#define TN_TRACEDAT_TRACEDAT_H

#include "model/decoder.h"

extern const struct tn_format tn_format_tracedat;

#endif
