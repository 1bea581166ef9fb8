/*
 * pipeline.h - work in pieces that are filled in order and delivered in order
 *
 * The caller's thread fills slots and delivers them, both in order. Between these steps, any thread can work on a slot,
 * also the caller's thread if it has nothing else to do. The result does not depend on the number of threads.
 */
#ifndef TN_SCAN_PIPELINE_H
#define TN_SCAN_PIPELINE_H

#include <stdbool.h>

#include "base/error.h"

#define TN_PIPELINE_SLOTS 40

struct tn_pipeline;

struct tn_pipeline_ops {
	enum tn_code (*fill)(void *user, size_t slot, struct tn_error *err);	/* TN_END: no more pieces */
	void (*work)(void *user, size_t slot, unsigned thread);
	enum tn_code (*deliver)(void *user, size_t slot, struct tn_error *err);	/* TN_END: stop */
	/* Other work for a thread that is not the caller's. False: there is none. NULL: there never is any. */
	bool (*aside)(void *user);
};

/* The number of slots for @threads threads. */
size_t tn_pipeline_slots(unsigned threads);

/* Run until all is delivered (TN_OK), or to the first failure. *handle is set meanwhile, for tn_pipeline_wake(). */
enum tn_code tn_pipeline_run(unsigned threads, const struct tn_pipeline_ops *ops, void *user, struct tn_pipeline **handle,
			 struct tn_error *err);

/* Announce other work (`aside`). @pipeline may be NULL. */
void tn_pipeline_wake(struct tn_pipeline *pipeline);

#endif
