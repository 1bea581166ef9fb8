/*
 * job.h - work in threads beside the view
 *
 * A job runs in a thread with its own cursors and its own copy of the question. It knows nothing of the
 * session; the app looks after its jobs once a turn: `finish` of a job that is done runs in the app's
 * thread, unless the job was dropped, as by a view that was closed; then its data is freed and no more.
 * Nothing waits for a job, the end of the program included.
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
	const char *label;	/* names its work: "searching"; translate with _() */
	bool quiet;		/* the user did not ask for it: Escape does not stop it, other jobs go first */
	bool hidden;		/* it reads the rows of the screen: not reported unless it takes long */
	bool everything;	/* filters do not matter: it reads all rows */
	void (*run)(struct job *job);		/* called in the job's thread; uses only job->q and job->data */
	void (*finish)(struct job *job);	/* called in the app's thread; may be NULL */
	void (*cancelled)(struct job *job);	/* instead of finish when the user stopped it; may be NULL */
	void (*free)(void *data);
};

struct job {
	const struct job_class *class;
	void *data;
	void *aside;		/* set by code in the job's thread: callbacks of a scan need it beside the data */
	struct question q;
	struct session *session;	/* only for the app's thread */
	atomic_bool stop;	/* the job looks at this often */
	atomic_bool done;
	atomic_int permille;	/* progress; -1: unknown */
	atomic_ullong events;	/* read so far */
	atomic_ullong passed;	/* events found among these */
	uint64_t since_us;	/* start of the job, record_now() */
	unsigned views_opened;	/* value in the session at the start */
	bool backward;		/* the job began at the end: progress counts from there */
	enum tn_code code;	/* result of the job */
	struct tn_error error;
	bool dropped, user_stopped;
	struct tn_worker *worker;	/* its thread */
	struct jobs *jobs;
	struct job *next;
};

struct jobs {
	struct job *first;
	pthread_mutex_t lock;	/* lock of the condition `changed`: a job is done */
	pthread_cond_t changed;
	void (*wake)(void);	/* called in a job's thread when it is done */
};

void jobs_init(struct jobs *jobs, void (*wake)(void));
/*
 * Begin a job. Takes @data and the question over, also on failure: NULL, and *why is the reason, untranslated. Only
 * finish uses the session; it begins other jobs with job_start() (session.h).
 */
struct job *jobs_add(struct jobs *jobs, struct session *session, const struct job_class *class, void *data,
		     struct question *question, const char **why);
/* Stop the job and forget it: its finish will not run. NULL is allowed. */
void job_drop(struct job *job);
/* Stop the job for the user: `cancelled` runs as soon as it has stopped. */
void job_cancel(struct job *job);
/* Wait a moment that nobody notices. True: the job is done; it is finished here and no longer exists. */
bool job_moment(struct job *job);
/* Look after jobs that are done; returns whether there were any. */
bool jobs_turn(struct jobs *jobs);
/* Whether the job should be shown: it runs, its result is wanted, and it takes long enough. */
bool job_is_seen(const struct job *job);
/* The newest job that was asked for and is running; NULL: none. */
struct job *jobs_foreground(const struct jobs *jobs);
bool job_stopped(void *job);	/* for the scans of jobs: the result is no longer wanted */
bool jobs_running(const struct jobs *jobs);	/* a job whose result is wanted runs */
/* Drop all jobs. */
void jobs_drop(struct jobs *jobs);
/* Drop all jobs and give them a moment to end; false: some still run, and use the traces. */
bool jobs_end(struct jobs *jobs);

/*
 * Options for a scan of a job: its question, progress and stop. The caller adds other options of the scan;
 * `user` of its callbacks is the job.
 */
struct tn_scan_options job_scan_options(struct job *job);
/* For jobs without a scan: @events were read, the last one at @at_ns. Returns whether to continue. */
bool job_progress(struct job *job, uint64_t events, int64_t at_ns);

#endif
