#include "scan/pipeline.h"

#include <pthread.h>

#include "base/threads.h"

enum slot_state { EMPTY, FILLED, AT_WORK, DONE };

struct tn_pipeline {
	const struct tn_pipeline_ops *ops;
	void *user;
	pthread_mutex_t lock;
	pthread_cond_t to_do, done;
	enum slot_state slot[TN_PIPELINE_SLOTS];
	size_t n_slots;
	/* Numbers counted from the start of the work; number i is in slot i % n_slots. */
	size_t delivered, taken, filled;
	bool asides;		/* other work was announced */
	bool quit;
	bool all_filled;
	enum tn_code failed;	/* filling failed; reported when the slots filled before are delivered */
	struct tn_threads workers;
	unsigned wanted;	/* number of additional threads that are not started yet */
};

size_t
tn_pipeline_slots(unsigned threads)
{
	size_t n = threads < 2 ? 1 : 4 * threads + 4;

	return n < TN_PIPELINE_SLOTS ? n : TN_PIPELINE_SLOTS;
}

/* Work on the next filled slot. False: there is none. The caller holds the lock. */
static bool
work_on_one(struct tn_pipeline *pipeline, unsigned thread)
{
	size_t i;

	if (pipeline->taken == pipeline->filled)
		return false;
	i = pipeline->taken++ % pipeline->n_slots;
	pipeline->slot[i] = AT_WORK;
	pthread_mutex_unlock(&pipeline->lock);
	pipeline->ops->work(pipeline->user, i, thread);
	pthread_mutex_lock(&pipeline->lock);
	pipeline->slot[i] = DONE;
	if (i == pipeline->delivered % pipeline->n_slots)
		pthread_cond_signal(&pipeline->done);
	return true;
}

/* Work that the merge waits for comes first: it is short, and all threads wait for the merge. */
static bool
do_aside(struct tn_pipeline *pipeline)
{
	bool more;

	if (!pipeline->asides)
		return false;
	pipeline->asides = false;
	pthread_mutex_unlock(&pipeline->lock);
	more = pipeline->ops->aside(pipeline->user);
	pthread_mutex_lock(&pipeline->lock);
	pipeline->asides |= more;
	return true;
}

static void
be_a_hand(void *user, unsigned number)
{
	struct tn_pipeline *pipeline = user;

	pthread_mutex_lock(&pipeline->lock);
	while (!pipeline->quit)
		if (!do_aside(pipeline) && !work_on_one(pipeline, number))
			pthread_cond_wait(&pipeline->to_do, &pipeline->lock);
	pthread_mutex_unlock(&pipeline->lock);
}

void
tn_pipeline_wake(struct tn_pipeline *pipeline)
{
	if (!pipeline || pipeline->workers.n == 0)
		return;
	pthread_mutex_lock(&pipeline->lock);
	pipeline->asides = true;
	pthread_cond_signal(&pipeline->to_do);
	pthread_mutex_unlock(&pipeline->lock);
}

/* Do the next step of the caller's thread. TN_END: all is delivered. The caller holds the lock. */
static enum tn_code
lead(struct tn_pipeline *pipeline, struct tn_error *err)
{
	size_t i = pipeline->delivered % pipeline->n_slots;
	enum tn_code rc = TN_OK;

	if (pipeline->delivered < pipeline->filled && pipeline->slot[i] == DONE) {
		pthread_mutex_unlock(&pipeline->lock);
		rc = pipeline->ops->deliver(pipeline->user, i, err);
		pthread_mutex_lock(&pipeline->lock);
		pipeline->slot[i] = EMPTY;
		pipeline->delivered++;
		return rc;
	}
	if (!pipeline->all_filled && pipeline->filled - pipeline->delivered < pipeline->n_slots) {
		i = pipeline->filled % pipeline->n_slots;
		pthread_mutex_unlock(&pipeline->lock);
		rc = pipeline->ops->fill(pipeline->user, i, err);
		pthread_mutex_lock(&pipeline->lock);
		if (rc == TN_OK) {
			pipeline->slot[i] = FILLED;
			pipeline->filled++;
			if (pipeline->wanted && pipeline->filled > 1) {	/* several slots are filled */
				tn_threads_start(&pipeline->workers, pipeline->wanted, be_a_hand, pipeline);
				pipeline->wanted = 0;
			}
			pthread_cond_signal(&pipeline->to_do);
		} else {
			pipeline->all_filled = true;
			pipeline->failed = rc;
		}
		return TN_OK;
	}
	if (pipeline->delivered == pipeline->filled)
		return pipeline->failed < 0 ? pipeline->failed : TN_END;
	if (!work_on_one(pipeline, 0))
		pthread_cond_wait(&pipeline->done, &pipeline->lock);
	return TN_OK;
}

static enum tn_code
run_alone(const struct tn_pipeline_ops *ops, void *user, struct tn_error *err)
{
	enum tn_code rc;

	while ((rc = ops->fill(user, 0, err)) == TN_OK) {
		ops->work(user, 0, 0);
		if ((rc = ops->deliver(user, 0, err)) != TN_OK)
			break;
	}
	return rc < 0 ? rc : TN_OK;
}

enum tn_code
tn_pipeline_run(unsigned threads, const struct tn_pipeline_ops *ops, void *user, struct tn_pipeline **handle, struct tn_error *err)
{
	struct tn_pipeline pipeline = { .ops = ops, .user = user, .n_slots = tn_pipeline_slots(threads), .asides = ops->aside };
	enum tn_code rc = TN_OK;

	if (threads < 2)
		return run_alone(ops, user, err);
	pipeline.wanted = threads - 1;
	pthread_mutex_init(&pipeline.lock, NULL);
	pthread_cond_init(&pipeline.to_do, NULL);
	pthread_cond_init(&pipeline.done, NULL);
	if (handle)
		*handle = &pipeline;
	pthread_mutex_lock(&pipeline.lock);
	while (rc == TN_OK)
		rc = lead(&pipeline, err);
	pipeline.quit = true;
	pthread_cond_broadcast(&pipeline.to_do);
	pthread_mutex_unlock(&pipeline.lock);
	tn_threads_join(&pipeline.workers);
	if (handle)
		*handle = NULL;
	pthread_cond_destroy(&pipeline.done);
	pthread_cond_destroy(&pipeline.to_do);
	pthread_mutex_destroy(&pipeline.lock);
	return rc < 0 ? rc : TN_OK;
}
