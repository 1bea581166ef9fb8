/*
 * tnav/worker.h - a thread of the library
 *
 * Threads    Workers block signals that are sent to the process, so that the program's own threads handle them. They do
 *            not block signals that they cause themselves, such as SIGBUS (trace.h) when a file shrinks.
 * Ownership  A worker exists until tn_worker_join().
 * States     object	state		may be called
 *            a worker	running		tn_worker_join(), once
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

/* Call work(user) in a new thread. TN_ERR_SYSTEM: the system refuses another thread. */
TN_API TN_MUST_CHECK enum tn_code
tn_worker_start(struct tn_worker **out, void (*work)(void *user), void *user, struct tn_error *err);

/* Wait until work() returns, and free the worker. NULL is allowed. */
TN_API void tn_worker_join(struct tn_worker *worker);

#ifdef __cplusplus
}
#endif
#endif
