/*
 * sink_run.h - the machine of plan/run.h with the put_...() functions as its sink; include it after these functions,
 * with TN_RUN_NAME and TN_RUN_SINK defined
 */
#define TN_SINK_UINT(op, v, bit) put_number(sink, op, v)
#define TN_SINK_SINT(op, v, bit) put_number(sink, op, (uint64_t)(v))
#define TN_SINK_TOO_LARGE(op, v, bit) put_too_large(sink, op)
#define TN_SINK_FLOAT(op, v, bit) put_float(sink, op, v)
#define TN_SINK_WIDE(op, p, bit) put_wide(sink, op, p, bit)
#define TN_SINK_STRING(op, p, n, bit) put_string(sink, op, p, n)
#define TN_SINK_BLOB(op, p, n, bit) put_blob(sink, op, p, n)
#define TN_SINK_STRUCT(op, bit) put_struct(sink, op)
#define TN_SINK_ARRAY(op, n, bit) put_open(sink, op, false)
#define TN_SINK_VARIANT(op, option, bit) put_open(sink, op, (option) != UINT32_MAX)
#define TN_SINK_OPTIONAL(op, there, bit) put_open(sink, op, there)
#define TN_SINK_CLOSE(op, bit) put_close(sink, op)
#include "plan/run.h"
