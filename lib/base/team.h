/*
 * team.h - threads that work beside the caller's: the one place in the library that makes any, for the program, too
 *
 * Signals that are sent to the process are for the program's own threads; those that a thread raises itself
 * (a file that shrinks while it is mapped: SIGBUS) reach their handler in every thread.
 */
#ifndef TN_BASE_TEAM_H
#define TN_BASE_TEAM_H

#include <tnav/worker.h>

#include <pthread.h>

#define TN_TEAM_MOST 64

struct tn_team {
	void (*work)(void *user, unsigned number);
	void *user;
	unsigned n;		/* threads started */
	struct tn_hand {
		struct tn_team *team;
		unsigned number;
		pthread_t id;
	} hand[TN_TEAM_MOST];
};

/* How many threads @wanted means, 1 to TN_TEAM_MOST; 0: one a processor. */
unsigned tn_team_size(unsigned wanted);

/*
 * Start up to @n threads (fewer when the system has no more) that each call work(user, number) once, numbers
 * from 1 on: 0 is the caller's. Returns how many. @team stays where it is until it is joined.
 */
unsigned tn_team_start(struct tn_team *team, unsigned n, void (*work)(void *user, unsigned number), void *user);

/* Wait for all of them. */
void tn_team_join(struct tn_team *team);

/* Instead of tn_worker_join(): it ends when it likes. */
void tn_worker_leave(struct tn_worker *worker);

#endif
