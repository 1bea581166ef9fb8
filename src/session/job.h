/*
 * job.h - work in threads beside the view
 *
 * A job runs in a thread with its own cursors. The app looks after its jobs once a turn: `finish` of a
 * job that is done runs in the app's thread, unless the job was dropped; then its data is freed.
 * Nothing waits for a job but the end of the program.
 */
#ifndef JOB_H
#define JOB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tnav/error.h>

struct job;

struct job_class {
	const char *label;	/* what it does: "searching"; translate with _() */
	bool quiet;		/* by itself, not asked for: Escape leaves it alone, others go first */
	void (*run)(struct job *job);		/* in its thread */
	void (*finish)(struct job *job);	/* in the app's thread; may be NULL */
	void (*cancelled)(struct job *job);	/* instead of finish when the user stopped it; may be NULL */
	void (*free)(void *data);
};

struct job {
	const struct job_class *class;
	void *data;
	struct session *session;
	atomic_bool stop;	/* the job looks at this often */
	atomic_bool done;
	atomic_int permille;	/* how far; -1: not known */
	atomic_ullong events;	/* read so far */
	atomic_ullong passed;	/* of these, what it looks for */
	enum tn_code code;	/* how it ended */
	struct tn_error error;
	bool dropped, user_stopped;
	pthread_t thread;
	struct job *next;
};

struct jobs {
	struct job *first;
};

/* Takes @data over, also when it fails (NULL). */
struct job *job_start(struct jobs *jobs, struct session *session, const struct job_class *class, void *data);
/* Stop it, forget it: its finish will not run. NULL is allowed. */
void job_drop(struct job *job);
/* The user stops it: `cancelled` runs as soon as it has stopped. */
void job_cancel(struct job *job);
/* Look after jobs that are done; whether there were any. */
bool jobs_turn(struct jobs *jobs);
/* The newest job that was asked for and is running; NULL: none. */
struct job *jobs_foreground(const struct jobs *jobs);
bool job_stopped(void *job);	/* for the scans of jobs: nobody wants its result any more */
bool jobs_running(const struct jobs *jobs);	/* any at all */
/* Stop them all and wait for them. */
void jobs_end(struct jobs *jobs);

#endif
