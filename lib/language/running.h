/*
 * running.h - the thread that runs on a processor, as the last switch there says
 *
 * Most traces of kernels do not record the thread with each event. Each event that says which thread runs from then on
 * (running.def) is a mark, and so is each notice of a loss: behind it nobody knows. The marks of a packet are found once and
 * kept for a while; an event's thread is that of the last mark before it, in its own stream or, where switches are in another
 * stream of the same processor, there. If its packet has none before it, the packets before are asked: the counts of a digest
 * say which of them have no mark. They save only work: the answer is the same without.
 *
 * Threads	A struct tn_running is shared by any number of threads, a state is one thread's. Neither outlives the set.
 */
#ifndef TN_LANGUAGE_RUNNING_H
#define TN_LANGUAGE_RUNNING_H

#include "language/names.h"
#include "plan/cell.h"

struct tn_running;
struct tn_running_state;	/* what a thread looked at last; NULL at first */

enum tn_running_part { TN_RUNNING_TID, TN_RUNNING_NAME };

/* *out is NULL for a set that has no such events. */
enum tn_code tn_running_new(struct tn_running **out, const struct tn_set *set, struct tn_error *err);
void tn_running_free(struct tn_running *running);	/* NULL is allowed, here and below */
void tn_running_state_free(struct tn_running_state *state);

/* Of a switch: the field with the thread that ran until then. False: events of the class are none. */
bool tn_running_before(const struct tn_running *running, const struct tn_event_class *ec, enum tn_running_part part,
		       struct tn_target *out);
/* Whether it may be known which thread runs where events of the class are. */
bool tn_running_tells(const struct tn_running *running, const struct tn_event_class *ec);

/* Of the row, an event; NONE: it is not known. Text is borrowed until the next call with this state. */
enum tn_code tn_running_look(struct tn_running *running, struct tn_running_state **state, const struct tn_batch *batch,
			     size_t row, enum tn_running_part part, struct tn_cell *out, struct tn_error *err) TN_MUST_CHECK;

#endif
