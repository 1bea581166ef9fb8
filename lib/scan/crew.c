#include "scan/crew.h"

#include <pthread.h>

#include "base/team.h"

enum slot_state { EMPTY, FILLED, AT_WORK, DONE };

struct tn_crew {
	const struct tn_crew_ops *ops;
	void *user;
	pthread_mutex_t lock;
	pthread_cond_t to_do, done;
	enum slot_state slot[TN_CREW_SLOTS];
	size_t n_slots;
	/* Counted from the start of the work: slot i is i % n_slots. */
	size_t delivered, taken, filled;
	bool asides;		/* other work was announced */
	bool quit;
	bool all_filled;
	enum tn_code failed;	/* filling failed: reported when the slots filled before are delivered */
	struct tn_team team;
	unsigned wanted;	/* threads beside the caller's, not started yet */
};

size_t
tn_crew_slots(unsigned threads)
{
	size_t n = threads < 2 ? 1 : 4 * threads + 4;

	return n < TN_CREW_SLOTS ? n : TN_CREW_SLOTS;
}

/* With the lock: work on the next filled slot; false: none is left. */
static bool
work_on_one(struct tn_crew *crew, unsigned thread)
{
	size_t i;

	if (crew->taken == crew->filled)
		return false;
	i = crew->taken++ % crew->n_slots;
	crew->slot[i] = AT_WORK;
	pthread_mutex_unlock(&crew->lock);
	crew->ops->work(crew->user, i, thread);
	pthread_mutex_lock(&crew->lock);
	crew->slot[i] = DONE;
	if (i == crew->delivered % crew->n_slots)
		pthread_cond_signal(&crew->done);
	return true;
}

/* Work that the merge waits for is first: it is short, and all threads wait for the merge. */
static bool
do_aside(struct tn_crew *crew)
{
	bool more;

	if (!crew->asides)
		return false;
	crew->asides = false;
	pthread_mutex_unlock(&crew->lock);
	more = crew->ops->aside(crew->user);
	pthread_mutex_lock(&crew->lock);
	crew->asides |= more;
	return true;
}

static void
be_a_hand(void *user, unsigned number)
{
	struct tn_crew *crew = user;

	pthread_mutex_lock(&crew->lock);
	while (!crew->quit)
		if (!do_aside(crew) && !work_on_one(crew, number))
			pthread_cond_wait(&crew->to_do, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

void
tn_crew_wake(struct tn_crew *crew)
{
	if (!crew || crew->team.n == 0)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->asides = true;
	pthread_cond_signal(&crew->to_do);
	pthread_mutex_unlock(&crew->lock);
}

/* With the lock: the next thing the caller's thread has to do. TN_END: all is delivered. */
static enum tn_code
lead(struct tn_crew *crew, struct tn_error *err)
{
	size_t i = crew->delivered % crew->n_slots;
	enum tn_code rc = TN_OK;

	if (crew->delivered < crew->filled && crew->slot[i] == DONE) {
		pthread_mutex_unlock(&crew->lock);
		rc = crew->ops->deliver(crew->user, i, err);
		pthread_mutex_lock(&crew->lock);
		crew->slot[i] = EMPTY;
		crew->delivered++;
		return rc;
	}
	if (!crew->all_filled && crew->filled - crew->delivered < crew->n_slots) {
		i = crew->filled % crew->n_slots;
		pthread_mutex_unlock(&crew->lock);
		rc = crew->ops->fill(crew->user, i, err);
		pthread_mutex_lock(&crew->lock);
		if (rc == TN_OK) {
			crew->slot[i] = FILLED;
			crew->filled++;
			if (crew->wanted && crew->filled > 1) {	/* several slots are filled */
				tn_team_start(&crew->team, crew->wanted, be_a_hand, crew);
				crew->wanted = 0;
			}
			pthread_cond_signal(&crew->to_do);
		} else {
			crew->all_filled = true;
			crew->failed = rc;
		}
		return TN_OK;
	}
	if (crew->delivered == crew->filled)
		return crew->failed < 0 ? crew->failed : TN_END;
	if (!work_on_one(crew, 0))
		pthread_cond_wait(&crew->done, &crew->lock);
	return TN_OK;
}

static enum tn_code
run_alone(const struct tn_crew_ops *ops, void *user, struct tn_error *err)
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
tn_crew_run(unsigned threads, const struct tn_crew_ops *ops, void *user, struct tn_crew **handle, struct tn_error *err)
{
	struct tn_crew crew = { .ops = ops, .user = user, .n_slots = tn_crew_slots(threads), .asides = ops->aside };
	enum tn_code rc = TN_OK;

	if (threads < 2)
		return run_alone(ops, user, err);
	crew.wanted = threads - 1;
	pthread_mutex_init(&crew.lock, NULL);
	pthread_cond_init(&crew.to_do, NULL);
	pthread_cond_init(&crew.done, NULL);
	if (handle)
		*handle = &crew;
	pthread_mutex_lock(&crew.lock);
	while (rc == TN_OK)
		rc = lead(&crew, err);
	crew.quit = true;
	pthread_cond_broadcast(&crew.to_do);
	pthread_mutex_unlock(&crew.lock);
	tn_team_join(&crew.team);
	if (handle)
		*handle = NULL;
	pthread_cond_destroy(&crew.done);
	pthread_cond_destroy(&crew.to_do);
	pthread_mutex_destroy(&crew.lock);
	return rc < 0 ? rc : TN_OK;
}
