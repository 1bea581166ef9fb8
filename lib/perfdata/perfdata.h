/* perfdata.h - perf.data: recordings of Linux perf, in the form of files and of pipes */
#ifndef TN_PERFDATA_PERFDATA_H
#define TN_PERFDATA_PERFDATA_H

#include "model/decoder.h"

extern const struct tn_format tn_format_perfdata;

#endif
