/*
 * chromejson.h - Chrome trace event JSON: about:tracing, clang, Node, uftrace, PyTorch, and many loggers
 */
#ifndef TN_CHROMEJSON_CHROMEJSON_H
#define TN_CHROMEJSON_CHROMEJSON_H

#include "model/decoder.h"

extern const struct tn_format tn_format_chromejson;

#endif
