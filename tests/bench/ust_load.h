/* Tracepoints of the benchmark's load for LTTng-UST: the events of generate.c. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./ust_load.h"
#if !defined(UST_LOAD_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define UST_LOAD_H
#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(bench, request, LTTNG_UST_TP_ARGS(uint64_t, id, const char *, path, int, status),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, id, id)
		lttng_ust_field_string(path, path)
		lttng_ust_field_integer(uint16_t, status, status)))
LTTNG_UST_TRACEPOINT_EVENT(bench, item, LTTNG_UST_TP_ARGS(uint32_t, item, double, price, int, flags),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint32_t, item, item)
		lttng_ust_field_float(double, price, price)
		lttng_ust_field_integer_hex(uint16_t, flags, flags)))
LTTNG_UST_TRACEPOINT_EVENT(bench, order, LTTNG_UST_TP_ARGS(uint64_t, order, const uint32_t *, items, int, n),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, order, order)
		lttng_ust_field_sequence(uint32_t, items, items, uint8_t, n)))
#endif
#include <lttng/tracepoint-event.h>
