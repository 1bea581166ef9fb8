/*
 * perfetto.h - traces of Perfetto: ftrace, track events, and all other packets
 */
#ifndef TN_PERFETTO_PERFETTO_H
#define TN_PERFETTO_PERFETTO_H

#include "model/decoder.h"

extern const struct tn_format tn_format_perfetto;

#endif
