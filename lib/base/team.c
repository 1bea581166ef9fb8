#include "base/team.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

unsigned
tn_team_size(unsigned wanted)
{
	long n = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > TN_TEAM_MOST ? TN_TEAM_MOST : (unsigned)n;
}

static bool
start(pthread_t *id, void *(*begin)(void *), void *arg)
{
	static const int own[] = { SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS };
	sigset_t others, before;
	bool ok;

	sigfillset(&others);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_SETMASK, &others, &before);
	ok = pthread_create(id, NULL, begin, arg) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

/* ---- a team ---- */

static void *
hand_main(void *arg)
{
	struct tn_hand *hand = arg;

	hand->team->work(hand->team->user, hand->number);
	return NULL;
}

unsigned
tn_team_start(struct tn_team *team, unsigned n, void (*work)(void *user, unsigned number), void *user)
{
	team->work = work;
	team->user = user;
	team->n = 0;
	for (unsigned i = 0; i < n && i < TN_TEAM_MOST; i++) {
		team->hand[i] = (struct tn_hand) { .team = team, .number = i + 1 };
		if (!start(&team->hand[i].id, hand_main, &team->hand[i]))
			break;	/* fewer do the same */
		team->n++;
	}
	return team->n;
}

void
tn_team_join(struct tn_team *team)
{
	while (team->n)
		pthread_join(team->hand[--team->n].id, NULL);
}

/* ---- one alone ---- */

struct tn_worker {
	void (*work)(void *user);
	void *user;
	atomic_int holders;	/* the thread itself, and the one that started it */
	pthread_t id;
};

static void
drop(struct tn_worker *worker)
{
	if (atomic_fetch_sub(&worker->holders, 1) == 1)
		free(worker);
}

static void *
worker_main(void *arg)
{
	struct tn_worker *worker = arg;

	worker->work(worker->user);
	drop(worker);
	return NULL;
}

enum tn_code
tn_worker_start(struct tn_worker **out, void (*work)(void *user), void *user, struct tn_error *err)
{
	struct tn_worker *worker;

	if (!out || !work)
		return tn_fail_null(err);
	*out = NULL;
	if (!(worker = malloc(sizeof *worker)))
		return tn_fail_memory(err);
	worker->work = work;
	worker->user = user;
	atomic_init(&worker->holders, 2);
	if (!start(&worker->id, worker_main, worker)) {
		free(worker);
		return tn_fail(err, TN_ERR_SYSTEM, "the system gives no more threads");
	}
	*out = worker;
	return TN_OK;
}

void
tn_worker_join(struct tn_worker *worker)
{
	if (!worker)
		return;
	pthread_join(worker->id, NULL);
	drop(worker);
}

void
tn_worker_leave(struct tn_worker *worker)
{
	pthread_detach(worker->id);
	drop(worker);
}
