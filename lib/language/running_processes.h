/* running_processes.h - the processes of threads, from forks and state dumps (running.h) */
#ifndef TN_LANGUAGE_RUNNING_PROCESSES_H
#define TN_LANGUAGE_RUNNING_PROCESSES_H

#include "language/running_marks.h"

struct tn_processes;

/* *out is NULL for a trace without such events. */
enum tn_code tn_processes_new(struct tn_processes **out, const struct tn_trace *trace, struct tn_error *err);
void tn_processes_free(struct tn_processes *p);	/* NULL is allowed */

/* The field of a context with the number of the thread. NULL: events of the class do not have it. */
const struct tn_switch_field *tn_processes_thread(const struct tn_processes *p, const struct tn_event_class *ec);

/*
 * Get the process of thread @tid at @time_ns. The first call collects all facts, and other threads wait for it. If the
 * trace grows, the first call for a new packet collects again. *out does not change if the process is unknown.
 */
enum tn_code tn_processes_find(struct tn_processes *p, const struct tn_batch *batch, int64_t tid, int64_t time_ns,
			       struct tn_cell *out, struct tn_error *err) TN_MUST_CHECK;

/*
 * Whether the counts of a digest show that the packet has no damage, and no event of a class in @of_class (by index; NULL
 * for other classes).
 */
bool tn_running_has_none(const struct tn_trace *trace, void *const *of_class, const struct tn_stream *stream, size_t packet,
			 const struct tn_packet *entry);

#endif
