/*
 * threads.h - worker threads; neither the library nor the program makes threads in another place
 *
 * Workers block the signals that are sent to the process. A signal that a thread causes itself (SIGBUS, if a mapped
 * file shrinks) reaches its handler in every thread.
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

/* The number of threads for @wanted, 1 to TN_THREADS_MOST. If @wanted is 0, one for each processor. */
unsigned tn_threads_size(unsigned wanted);

/*
 * Start up to @n threads (fewer if the system refuses more). Each calls work(user, number) once; numbers begin
 * with 1, as 0 is the caller. Returns the number of threads. @threads keeps its address until it is joined.
 */
unsigned tn_threads_start(struct tn_threads *threads, unsigned n, void (*work)(void *user, unsigned number), void *user);

/* Wait for all threads. */
void tn_threads_join(struct tn_threads *threads);

/* Call this instead of tn_worker_join(), if the worker may end later on its own. */
void tn_worker_leave(struct tn_worker *worker);

#endif
