/*
 * job.h - work in threads while the view is used
 *
 * A job runs in a thread, with its own cursors and its own copy of the question. It does not use the session. The app
 * checks its jobs once in each turn: `finish` of a job that has ended runs in the app's thread. If the job was dropped,
 * for example because a view was closed, only its data are freed. Nothing waits for a job, not even the end of the
 * program.
 */
#ifndef JOB_H
#define JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tnav/error.h>

#include "question.h"

struct job;
struct session;

struct job_class {
	const char *label;	/* names the work, such as "searching"; translate with _() */
	bool quiet;		/* the user did not ask for the job: Escape does not stop it, and other jobs have priority */
	bool hidden;		/* the job reads the rows of the screen: it is not shown unless it takes long */
	bool everything;	/* filters do not matter: the job reads all rows */
	void (*run)(struct job *job);		/* called in the job's thread; may only use job->q and job->data */
	void (*finish)(struct job *job);	/* called in the app's thread; NULL is allowed */
	void (*cancelled)(struct job *job);	/* called in place of finish if the user stopped the job; NULL is allowed */
	void (*free)(void *data);
};

struct job {
	const struct job_class *class;
	void *data;
	void *aside;		/* set by code in the job's thread, for callbacks of a scan that need it in addition to the data */
	struct question q;
	struct session *session;	/* for the app's thread only */
	atomic_bool stop;	/* the job checks this often */
	atomic_bool done;
	atomic_int permille;	/* progress; -1: unknown */
	atomic_ullong events;	/* number of events read so far */
	atomic_ullong passed;	/* number of matching events among these */
	uint64_t since_us;	/* start of the job, from record_now() */
	unsigned views_opened;	/* value in the session when the job began */
	bool backward;		/* the job began at the end of the traces, from which progress counts */
	enum tn_code code;	/* result of the job */
	struct tn_error error;
	bool dropped, user_stopped;
	struct tn_worker *worker;	/* its thread */
	struct jobs *jobs;
	struct job *next;
};

struct jobs {
	struct job *first;
	pthread_mutex_t lock;	/* lock of the condition `changed`, which signals the end of a job */
	pthread_cond_t changed;
	void (*wake)(void);	/* called in the thread of a job that has ended */
};

void jobs_init(struct jobs *jobs, void (*wake)(void));
/*
 * Begin a job. Takes ownership of @data and the question, even if this fails. NULL: failure; *why is the reason, not
 * translated. Only finish uses the session, and begins other jobs with job_start() (session.h).
 */
struct job *jobs_add(struct jobs *jobs, struct session *session, const struct job_class *class, void *data,
		     struct question *question, const char **why);
/* Stop the job and forget it: its finish does not run. NULL is allowed. */
void job_drop(struct job *job);
/* Stop the job for the user: `cancelled` runs when it has stopped. */
void job_cancel(struct job *job);
/*
 * Wait for a moment that the user does not notice. True: the job has ended, was finished here, and does not exist any
 * more.
 */
bool job_moment(struct job *job);
/* Finish the jobs that have ended. Returns whether there were any. */
bool jobs_turn(struct jobs *jobs);
/* Whether the job should be shown: it runs, its result is wanted, and it takes long enough. */
bool job_is_seen(const struct job *job);
/* The newest running job that the user asked for; NULL: none. */
struct job *jobs_foreground(const struct jobs *jobs);
bool job_stopped(void *job);	/* for scans of jobs: whether the result is no longer wanted */
bool jobs_running(const struct jobs *jobs);	/* whether a job runs whose result is wanted */
/* Drop all jobs. */
void jobs_drop(struct jobs *jobs);
/* Drop all jobs, and give them a moment to end. False: some still run and use the traces. */
bool jobs_end(struct jobs *jobs);

/*
 * Options for the scan of a job: its question, progress and stop. The caller adds other options. The `user` of callbacks
 * is the job.
 */
struct tn_scan_options job_scan_options(struct job *job);
/* For jobs without a scan: report that @events events were read, the last one at @at_ns. Returns whether to continue. */
bool job_progress(struct job *job, uint64_t events, int64_t at_ns);

#endif
