#include "base/threads.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

unsigned
tn_threads_size(unsigned wanted)
{
	long n = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > TN_THREADS_MOST ? TN_THREADS_MOST : (unsigned)n;
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

/* ---- several threads ---- */

static void *
thread_main(void *arg)
{
	struct tn_thread *thread = arg;

	thread->threads->work(thread->threads->user, thread->number);
	return NULL;
}

unsigned
tn_threads_start(struct tn_threads *threads, unsigned n, void (*work)(void *user, unsigned number), void *user)
{
	threads->work = work;
	threads->user = user;
	threads->n = 0;
	for (unsigned i = 0; i < n && i < TN_THREADS_MOST; i++) {
		threads->thread[i] = (struct tn_thread) { .threads = threads, .number = i + 1 };
		if (!start(&threads->thread[i].id, thread_main, &threads->thread[i]))
			break;	/* the threads started so far do all the work */
		threads->n++;
	}
	return threads->n;
}

void
tn_threads_join(struct tn_threads *threads)
{
	while (threads->n)
		pthread_join(threads->thread[--threads->n].id, NULL);
}

/* ---- one alone ---- */

struct tn_worker {
	void (*work)(void *user);
	void *user;
	atomic_int holders;	/* users of this structure: the worker itself, and the thread that started it */
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
		return tn_fail(err, TN_ERR_SYSTEM, "the system cannot create more threads");
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
