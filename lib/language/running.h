/*
 * running.h - the thread on a processor, from the last switch on that processor
 *
 * Most traces of kernels do not record the thread with each event. A mark is an event after which the thread is known
 * (running.def), or a notice of a loss, after which it is unknown. The marks of a packet are found once and cached. The
 * thread of an event comes from the last mark before it, in its own stream, or in another stream of the same processor if
 * that one has the switches. If its packet has no mark before it, earlier packets are searched; the counts of a digest
 * show which packets have no marks. The digest only saves work: the answer does not depend on it.
 *
 * The process of a thread is known from forks and state dumps (running_processes.c), which one pass over the trace
 * collects when the first process is requested.
 *
 * Threads Any number of threads share a struct tn_running; a state belongs to one thread. Neither outlives the set.
 */
#ifndef TN_LANGUAGE_RUNNING_H
#define TN_LANGUAGE_RUNNING_H

#include "language/names.h"
#include "plan/cell.h"

struct tn_running;
struct tn_running_state;	/* cached position of a thread; NULL at first */

enum tn_running_part { TN_RUNNING_TID, TN_RUNNING_NAME, TN_RUNNING_PID };

/* *out is NULL for a set without switches and without events that report processes. */
enum tn_code tn_running_new(struct tn_running **out, const struct tn_set *set, struct tn_error *err);
void tn_running_free(struct tn_running *running);	/* NULL is allowed, here and below */
void tn_running_state_free(struct tn_running_state *state);

/*
 * The field of a switch with the thread that ran until then. False: events of the class are not switches, or only have
 * TN_RUNNING_PID.
 */
bool tn_running_before(const struct tn_running *running, const struct tn_event_class *ec, enum tn_running_part part,
		       struct tn_target *out);
/* Whether the thread or its process may be known for events of the class. */
bool tn_running_tells(const struct tn_running *running, const struct tn_event_class *ec, enum tn_running_part part);

/* Get the thread of the row, which is an event. NONE: unknown. Text is borrowed until the next call with this state. */
enum tn_code tn_running_look(struct tn_running *running, struct tn_running_state **state, const struct tn_batch *batch,
			     size_t row, enum tn_running_part part, struct tn_cell *out, struct tn_error *err) TN_MUST_CHECK;

#endif
