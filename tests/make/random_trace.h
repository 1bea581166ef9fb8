/*
 * random_trace.h - a random trace in memory, the same for the same number: three processors, spans that nest, end
 * elsewhere, never, or never began, switches of threads, losses, equal times, long times without anything in them
 */
#ifndef RANDOM_TRACE_H
#define RANDOM_TRACE_H

#include <tnav/trace.h>

#define RANDOM_TRACE_BEGIN INT64_C(1000000000000)

struct random_trace;

/* NULL: *err says why. */
struct random_trace *random_trace_open(uint64_t number, size_t events, struct tn_set **set, struct tn_error *err);
void random_trace_close(struct random_trace *trace, struct tn_set *set);

/* The next number, less than @n. */
uint64_t random_below(uint64_t *seed, uint64_t n);

#endif
