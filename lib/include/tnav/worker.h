/*
 * tnav/worker.h - a thread beside the program's own
 *
 * Threads    Workers block the signals sent to the process: the program's own threads handle those. Signals that a
 *            worker raises itself reach their handler in it: a file that shrinks while it is read is reported as an error.
 * Ownership  A worker exists until tn_worker_join().
 * States     object	state		may be called
 *            a worker	running		tn_worker_join(), once: it waits
 *              		joined		nothing
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_WORKER_H
#define TNAV_WORKER_H

#include <tnav/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tn_worker;

/* Call work(user) in a thread of its own. TN_ERR_SYSTEM: the system refuses another thread. */
TN_API TN_MUST_CHECK enum tn_code
tn_worker_start(struct tn_worker **out, void (*work)(void *user), void *user, struct tn_error *err);

/* Wait until work() has returned. NULL is allowed. */
TN_API void tn_worker_join(struct tn_worker *worker);

#ifdef __cplusplus
}
#endif
#endif
