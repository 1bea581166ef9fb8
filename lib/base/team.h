/*
 * team.h - worker threads: the only place in the library, and for the program, that makes threads
 *
 * Workers block signals sent to the process. Signals that a thread raises itself (SIGBUS: a mapped file
 * shrinks) reach their handler in every thread.
 */
#ifndef TN_BASE_TEAM_H
#define TN_BASE_TEAM_H

#include <tnav/worker.h>

#include <pthread.h>

#define TN_TEAM_MOST 64

struct tn_team {
	void (*work)(void *user, unsigned number);
	void *user;
	unsigned n;		/* number of threads started */
	struct tn_hand {
		struct tn_team *team;
		unsigned number;
		pthread_t id;
	} hand[TN_TEAM_MOST];
};

/* The number of threads for @wanted, 1 to TN_TEAM_MOST; 0: one a processor. */
unsigned tn_team_size(unsigned wanted);

/*
 * Start up to @n threads (fewer if the system refuses more). Each calls work(user, number) once; numbers begin
 * with 1, as 0 is the caller. Returns the number of threads. @team keeps its address until it is joined.
 */
unsigned tn_team_start(struct tn_team *team, unsigned n, void (*work)(void *user, unsigned number), void *user);

/* Wait for all of them. */
void tn_team_join(struct tn_team *team);

/* In place of tn_worker_join(): let the worker end on its own. */
void tn_worker_leave(struct tn_worker *worker);

#endif
