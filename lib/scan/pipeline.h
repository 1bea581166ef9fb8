/*
 * pipeline.h - work in pieces that are handed out in order and delivered in order
 *
 * The caller's thread fills slots and delivers them, both in order. In between any thread works on a slot, also
 * the caller's if it is free. The result does not depend on the number of threads.
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
	/* Other work for a thread that is not the caller's: false if it does not find any. NULL: never. */
	bool (*aside)(void *user);
};

/* Number of slots in use with @threads threads. */
size_t tn_pipeline_slots(unsigned threads);

/* Run to the end (TN_OK), or to the first failure. *handle is set meanwhile, for tn_pipeline_wake(). */
enum tn_code tn_pipeline_run(unsigned threads, const struct tn_pipeline_ops *ops, void *user, struct tn_pipeline **handle,
			 struct tn_error *err);

/* Announce other work (`aside`). NULL is allowed. */
void tn_pipeline_wake(struct tn_pipeline *pipeline);

#endif
