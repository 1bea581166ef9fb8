#include "base/team.h"

#include <signal.h>
#include <unistd.h>

unsigned
tn_team_size(unsigned wanted)
{
	long n = wanted ? (long)wanted : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > TN_TEAM_MOST ? TN_TEAM_MOST : (unsigned)n;
}

static void *
hand_main(void *arg)
{
	struct tn_hand *hand = arg;

	hand->team->work(hand->team->user, hand->number);
	return NULL;
}

unsigned
tn_team_start(struct tn_team *team, unsigned n, void (*work)(void *user, unsigned number), void *user)
{
	static const int own[] = { SIGBUS, SIGSEGV, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS };
	sigset_t others, before;

	team->work = work;
	team->user = user;
	team->n = 0;
	sigfillset(&others);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		sigdelset(&others, own[i]);
	pthread_sigmask(SIG_SETMASK, &others, &before);
	for (unsigned i = 0; i < n && i < TN_TEAM_MOST; i++) {
		team->hand[i] = (struct tn_hand) { .team = team, .number = i + 1 };
		if (pthread_create(&team->hand[i].id, NULL, hand_main, &team->hand[i]) != 0)
			break;	/* fewer do the same */
		team->n++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return team->n;
}

void
tn_team_join(struct tn_team *team)
{
	while (team->n)
		pthread_join(team->hand[--team->n].id, NULL);
}
