#include <config.h>

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <tnav/worker.h>

#include "cli/record.h"
#include "gettext.h"
#include "job.h"

#define MOMENT_MS 25
#define HIDDEN_US 300000
#define END_MS 400
#define LEFT_OVER_MAX 24	/* limit of dropped jobs that still run, because a trace can be made to delay them */

static void
run(void *user)
{
	struct job *job = user;
	struct jobs *jobs = job->jobs;
	void (*wake)(void) = jobs->wake;
	uint64_t since = record_now();

#ifdef SYS_gettid
	/*
	 * Keys have priority: this job gets a lower priority, and threads that it makes inherit it. The user waits for
	 * jobs that read the rows of the screen.
	 */
	if (!job->class->hidden)
		setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), job->class->quiet ? 10 : 2);
#endif
	job->class->run(job);
	record_work(RECORD_SCAN, since, job->class->label, atomic_load(&job->events));
	pthread_mutex_lock(&jobs->lock);
	atomic_store(&job->done, true);
	pthread_cond_broadcast(&jobs->changed);
	pthread_mutex_unlock(&jobs->lock);
	if (wake)
		wake();
}

void
jobs_init(struct jobs *jobs, void (*wake)(void))
{
	pthread_condattr_t attr;

	*jobs = (struct jobs) { .wake = wake };
	pthread_mutex_init(&jobs->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&jobs->changed, &attr);
	pthread_condattr_destroy(&attr);
}

static int
left_over(const struct jobs *jobs)
{
	int n = 0;

	for (const struct job *job = jobs->first; job; job = job->next)
		n += job->dropped;
	return n;
}

struct job *
jobs_add(struct jobs *jobs, struct session *session, const struct job_class *class, void *data,
	 struct question *question, const char **why)
{
	struct job *job = left_over(jobs) < LEFT_OVER_MAX ? calloc(1, sizeof *job) : NULL;

	*why = N_("the stopped job still runs: wait a moment");
	if (job) {
		job->class = class;
		job->data = data;
		job->session = session;
		job->jobs = jobs;
		job->since_us = record_now();
		job->q = *question;
		atomic_store(&job->permille, -1);
		*why = N_("the system cannot create more threads");
		if (tn_worker_start(&job->worker, run, job, NULL) == TN_OK) {
			job->next = jobs->first;
			jobs->first = job;
			return job;
		}
		free(job);
	}
	class->free(data);
	question_release(question);
	return NULL;
}

void
job_drop(struct job *job)
{
	if (!job)
		return;
	job->dropped = true;
	atomic_store(&job->stop, true);
}

void
job_cancel(struct job *job)
{
	job->user_stopped = true;
	atomic_store(&job->stop, true);
}

bool
job_stopped(void *job)
{
	return atomic_load_explicit(&((struct job *)job)->stop, memory_order_relaxed);
}

static void
end(struct job *job)
{
	tn_worker_join(job->worker);
	if (!job->dropped) {
		if (job->user_stopped && job->class->cancelled)
			job->class->cancelled(job);
		else if (job->class->finish)
			job->class->finish(job);
	}
	job->class->free(job->data);
	question_release(&job->q);
	free(job);
}

static void
unlink_job(struct job *job)
{
	struct job **at = &job->jobs->first;

	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
}

/* Wait until one more job has ended, or until @then. */
static bool
wait_until(struct jobs *jobs, const struct timespec *then, bool (*over)(const struct jobs *, void *), void *user)
{
	bool is;

	pthread_mutex_lock(&jobs->lock);
	while (!(is = over(jobs, user)) && pthread_cond_timedwait(&jobs->changed, &jobs->lock, then) == 0)
		;
	pthread_mutex_unlock(&jobs->lock);
	return is;
}

static struct timespec
in_ms(long ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static bool
is_done(const struct jobs *jobs, void *job)
{
	(void)jobs;
	return atomic_load(&((struct job *)job)->done);
}

bool
job_moment(struct job *job)
{
	struct timespec then = in_ms(MOMENT_MS);

	if (!wait_until(job->jobs, &then, is_done, job))
		return false;
	unlink_job(job);
	end(job);
	return true;
}

bool
jobs_turn(struct jobs *jobs)
{
	bool any = false;

	for (;;) {
		struct job *job = jobs->first;

		while (job && !atomic_load(&job->done))
			job = job->next;
		if (!job)
			return any;
		unlink_job(job);	/* remove it from the list first, because finish may start other jobs */
		any |= !job->dropped;
		end(job);
	}
}

bool
job_is_seen(const struct job *job)
{
	return !job->dropped && !job->user_stopped
	       && !(job->class->hidden && record_now() - job->since_us < HIDDEN_US);
}

struct job *
jobs_foreground(const struct jobs *jobs)
{
	for (struct job *job = jobs->first; job; job = job->next)
		if (!job->class->quiet && job_is_seen(job))
			return job;
	return NULL;
}

bool
jobs_running(const struct jobs *jobs)
{
	for (const struct job *job = jobs->first; job; job = job->next)
		if (!job->dropped)
			return true;
	return false;
}

void
jobs_drop(struct jobs *jobs)
{
	for (struct job *job = jobs->first; job; job = job->next)
		job_drop(job);
}

static bool
all_done(const struct jobs *jobs, void *user)
{
	(void)user;
	for (const struct job *job = jobs->first; job; job = job->next)
		if (!atomic_load(&job->done))
			return false;
	return true;
}

bool
jobs_end(struct jobs *jobs)
{
	struct timespec then = in_ms(END_MS);
	bool over;

	jobs_drop(jobs);
	over = wait_until(jobs, &then, all_done, NULL);
	jobs_turn(jobs);
	return over;
}

/* ---- scans ---- */

bool
job_progress(struct job *job, uint64_t events, int64_t at_ns)
{
	int permille = question_permille(&job->q, at_ns);

	atomic_store(&job->events, events);
	atomic_store(&job->permille, job->backward && permille >= 0 ? 1000 - permille : permille);
	return !job_stopped(job);
}

static int
scan_progress(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns)
{
	struct job *job = user;

	atomic_store(&job->passed, events_passed);
	return !job_progress(job, events_read, at_ns);
}

struct tn_scan_options
job_scan_options(struct job *job)
{
	const struct question *q = &job->q;

	return (struct tn_scan_options) {
		TN_SCAN_OPTIONS,
		.filter = job->class->everything ? NULL : q->query->filter, .text = q->query->text,
		.has_begin = q->bounds.has_begin, .begin_ns = q->bounds.begin_ns,
		.has_end = q->bounds.has_end, .end_ns = q->bounds.end_ns,
		.threads = q->threads, .progress = scan_progress, .stopped = job_stopped, .user = job,
	};
}
