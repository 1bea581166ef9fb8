/*
 * threads.h - worker threads: the only place in the library, and for the program, that makes threads
 *
 * Workers block signals sent to the process. Signals that a thread raises itself (SIGBUS: a mapped file
 * shrinks) reach their handler in every thread.
 */
#ifndef TN_BASE_THREADS_H
#define TN_BASE_THREADS_H

#include <tnav/worker.h>

#include <pthread.h>

#define TN_THREADS_MOST 64

struct tn_threads {
	void (*work)(void *user, unsigned number);
	void *user;
	unsigned n;		/* number of threads started */
	struct tn_thread {
		struct tn_threads *threads;
		unsigned number;
		pthread_t id;
	} thread[TN_THREADS_MOST];
};

/* The number of threads for @wanted, 1 to TN_THREADS_MOST; 0: one a processor. */
unsigned tn_threads_size(unsigned wanted);

/*
 * Start up to @n threads (fewer if the system refuses more). Each calls work(user, number) once; numbers begin
 * with 1, as 0 is the caller. Returns the number of threads. @threads keeps its address until it is joined.
 */
unsigned tn_threads_start(struct tn_threads *threads, unsigned n, void (*work)(void *user, unsigned number), void *user);

/* Wait for all of them. */
void tn_threads_join(struct tn_threads *threads);

/* Use this instead of tn_worker_join(): the worker ends on its own. */
void tn_worker_leave(struct tn_worker *worker);

#endif
