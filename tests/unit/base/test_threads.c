#include <criterion/criterion.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/threads.h"

struct seen {
	atomic_uint hand[TN_THREADS_MOST + 1];
	atomic_uint deaf, listens;
};

static void
work(void *user, unsigned number)
{
	struct seen *seen = user;
	sigset_t mask;

	atomic_fetch_add(&seen->hand[number], 1);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	if (sigismember(&mask, SIGBUS) || sigismember(&mask, SIGSEGV) || sigismember(&mask, SIGABRT))
		atomic_fetch_add(&seen->deaf, 1);
	if (!sigismember(&mask, SIGINT) || !sigismember(&mask, SIGWINCH) || !sigismember(&mask, SIGTERM))
		atomic_fetch_add(&seen->listens, 1);
}

Test(threads, each_thread_works_once_and_hears_its_own_signals_only)
{
	struct seen seen = { 0 };
	struct tn_threads threads;
	sigset_t before, after;

	pthread_sigmask(SIG_BLOCK, NULL, &before);
	cr_assert_eq(tn_threads_start(&threads, 5, work, &seen), 5u);
	tn_threads_join(&threads);
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	for (unsigned i = 0; i <= TN_THREADS_MOST; i++)
		cr_expect_eq(atomic_load(&seen.hand[i]), i >= 1 && i <= 5 ? 1u : 0u, "hand %u", i);
	cr_expect_eq(atomic_load(&seen.deaf), 0u);
	cr_expect_eq(atomic_load(&seen.listens), 0u);
	cr_expect_eq(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
}

Test(threads, size)
{
	cr_expect_eq(tn_threads_size(3), 3u);
	cr_expect_eq(tn_threads_size(1000), (unsigned)TN_THREADS_MOST);
	cr_expect_geq(tn_threads_size(0), 1u);
}

static void
count_one(void *user)
{
	atomic_fetch_add((atomic_int *)user, 1);
}

/* The starter may wait for it, or leave it alone. */
Test(threads, a_worker_alone)
{
	atomic_int seen = 0;
	struct tn_worker *worker, *left;

	cr_assert_eq(tn_worker_start(&worker, count_one, &seen, NULL), TN_OK);
	tn_worker_join(worker);
	cr_expect_eq(atomic_load(&seen), 1);
	cr_assert_eq(tn_worker_start(&left, count_one, &seen, NULL), TN_OK);
	tn_worker_leave(left);
	while (atomic_load(&seen) < 2)
		sched_yield();
}
