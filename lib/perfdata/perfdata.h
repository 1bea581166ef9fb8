/*
 * perfdata.h - perf.data: recordings of Linux perf, as files and as pipes wrote them
 */
#ifndef TN_PERFDATA_PERFDATA_H
#define TN_PERFDATA_PERFDATA_H

#include "model/decoder.h"

extern const struct tn_format tn_format_perfdata;

#endif
