#include <config.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "job.h"
#include "cli/record.h"
#include "term/term.h"

/* Signals for the program go to the app's thread; faults stay where they happen. */
static void
leave_signals_to_app(sigset_t *former)
{
	static const int theirs[] = { SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGALRM };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
		sigaddset(&set, theirs[i]);
	pthread_sigmask(SIG_BLOCK, &set, former);
}

static void *
run(void *user)
{
	struct job *job = user;
	uint64_t since = record_now();

#ifdef SYS_gettid
	/* Keys go first: threads made from this one inherit its priority. */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), job->class->quiet ? 10 : 2);
#endif
	job->class->run(job);
	record_work(RECORD_SCAN, since, job->class->label, atomic_load(&job->events));
	atomic_store(&job->done, true);
	term_wake();
	return NULL;
}

struct job *
job_start(struct jobs *jobs, struct session *session, const struct job_class *class, void *data)
{
	struct job *job = calloc(1, sizeof *job);
	sigset_t former;
	int rc;

	if (!job) {
		class->free(data);
		return NULL;
	}
	job->class = class;
	job->data = data;
	job->session = session;
	atomic_store(&job->permille, -1);
	leave_signals_to_app(&former);
	rc = pthread_create(&job->thread, NULL, run, job);
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	if (rc != 0) {
		class->free(data);
		free(job);
		return NULL;
	}
	job->next = jobs->first;
	jobs->first = job;
	return job;
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
	return atomic_load(&((struct job *)job)->stop);
}

static void
end(struct job *job)
{
	pthread_join(job->thread, NULL);
	if (!job->dropped) {
		if (job->user_stopped && job->class->cancelled)
			job->class->cancelled(job);
		else if (job->class->finish)
			job->class->finish(job);
	}
	job->class->free(job->data);
	free(job);
}

bool
jobs_turn(struct jobs *jobs)
{
	bool any = false;

	for (;;) {
		struct job **at = &jobs->first, *job;

		while (*at && !atomic_load(&(*at)->done))
			at = &(*at)->next;
		job = *at;
		if (!job)
			return any;
		*at = job->next;	/* out of the list first: finish may start others */
		end(job);
		any = true;
	}
}

struct job *
jobs_foreground(const struct jobs *jobs)
{
	for (struct job *job = jobs->first; job; job = job->next)
		if (!job->class->quiet && !job->dropped && !job->user_stopped)
			return job;
	return NULL;
}

bool
jobs_running(const struct jobs *jobs)
{
	return jobs->first != NULL;
}

void
jobs_end(struct jobs *jobs)
{
	for (struct job *job = jobs->first; job; job = job->next)
		job_drop(job);
	while (jobs->first) {
		struct job *job = jobs->first;

		jobs->first = job->next;
		end(job);
	}
}
