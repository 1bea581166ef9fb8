/*
 * small_trace.h - a small trace in memory with one of each: two processors, spans that nest and that stay open,
 * switches of threads, a loss, fields of many types
 */
#ifndef SMALL_TRACE_H
#define SMALL_TRACE_H

#include <tnav/tnav.h>

/* Its files, made once: metadata and two streams. The first event is at 1,000 s, the last one 40 ms later. */
struct small_trace {
	struct tn_str metadata, stream[2];
	struct tn_memory_file file[3];
};

#define SMALL_TRACE_BEGIN INT64_C(1000000000000)

/* False: *err says why. To be released in any case. */
bool small_trace_make(struct small_trace *t, struct tn_error *err);
void small_trace_release(struct small_trace *t);
/* The same, opened: close the set before it is released. */
bool small_trace_open(struct small_trace *t, struct tn_set **set, struct tn_error *err);

#endif
