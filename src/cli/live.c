#include <config.h>

#include "live.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tnav/str.h>

#include "copy_limit.h"
#include "gettext.h"
#include "output.h"

#define PAUSE_MS 20

#define AT_ONCE_NS INT64_C(300000000)

static volatile sig_atomic_t interrupted;
static struct timespec interrupted_at;

/*
 * Handle an interrupt: the first one ends the waiting, a later one ends the program as usual. Interrupts within a short
 * time count as one, because a sender that ends a group of processes may signal this process twice.
 */
static void
on_interrupt(int number)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!interrupted) {
		interrupted_at = now;
		interrupted = number;
	} else if ((now.tv_sec - interrupted_at.tv_sec) * INT64_C(1000000000) + now.tv_nsec - interrupted_at.tv_nsec >
		   AT_ONCE_NS) {
		signal(number, SIG_DFL);
		raise(number);
	}
}

bool
live_has_relay(const struct options *o)
{
	for (size_t i = 0; i < o->n_traces; i++)
		if (tn_path_is_live(o->trace[i]))
			return true;
	return false;
}

bool
live_is_wanted(const struct options *o)
{
	return o->follow || live_has_relay(o);
}

/* ---- the sessions of a relay ---- */

struct listing {
	struct output out;
	const char *relay;	/* address of the relay, as it was given */
	int n;			/* length of that address without slashes at the end */
	bool is_menu;		/* the list is a menu, which numbers the live sessions */
	size_t n_choices;
	char **choice;		/* addresses of the live sessions */
};

static void
number_one(struct listing *l, const char *address)
{
	char **choice = realloc(l->choice, (l->n_choices + 1) * sizeof *choice);

	if (choice) {
		l->choice = choice;
		choice[l->n_choices] = strdup(address);
		l->n_choices += choice[l->n_choices] != NULL;
	}
}

/* Print a session as a line that begins with an address which tnav can open. */
static void
list_one(void *user, const struct tn_live_entry *e)
{
	struct listing *l = user;
	struct output *out = &l->out;
	struct tn_str address = { 0 };
	char timer[40];

	tn_str_printf(&address, "%.*s/host/%s/%s", l->n, l->relay, e->machine, e->session);
	if (l->is_menu && e->timer_us && !address.failed)
		number_one(l, address.text);
	if (l->is_menu && e->timer_us)
		output_printf(out, "%3zu  ", l->n_choices);
	else if (l->is_menu)
		output_puts(out, "  -  ");
	if (e->timer_us)
		snprintf(timer, sizeof timer, _("live timer %.3f s"), e->timer_us / 1e6);
	else
		snprintf(timer, sizeof timer, "%s", _("not live"));
	output_printf(out, "%s  ", address.text ? address.text : "");
	tn_str_release(&address);
	output_printf(out, ngettext("%ju stream", "%ju streams", e->streams), (uintmax_t)e->streams);
	output_printf(out, "  %s  ", timer);
	output_printf(out, ngettext("%ju viewer", "%ju viewers", e->viewers), (uintmax_t)e->viewers);
	output_puts(out, "\n");
}

/* Ask the user for the number of a session. NULL: the user chose no session. */
static const char *
choose(const struct listing *l)
{
	char line[32], *end;
	size_t n;

	while (l->n_choices) {
		printf(_("Number of the session to open (Enter: none): "));
		fflush(stdout);
		if (!fgets(line, sizeof line, stdin) || *line == '\n' || *line == 'q')
			return NULL;
		n = strtoul(line, &end, 10);
		if (*end == '\n' && n >= 1 && n <= l->n_choices)
			return l->choice[n - 1];
	}
	complain(l->relay, _("the relay has no live session"));
	return NULL;
}

static int
list_sessions(const struct options *o, char **chosen)
{
	struct listing l = { .relay = o->trace[0], .n = (int)strlen(o->trace[0]), .is_menu = chosen };
	struct tn_error err;
	bool names_session;
	int status = output_open(&l.out, o->output, o->force), closed;
	const char *choice;

	if (status)
		return status;
	while (l.n && l.relay[l.n - 1] == '/')
		l.n--;
	if (tn_live_sessions(o->trace[0], &names_session, list_one, &l, &err) < 0)
		status = job_failed(&err);
	if (status)
		output_fail(&l.out);
	closed = output_close(&l.out);
	choice = chosen && !status && !closed ? choose(&l) : NULL;
	if (choice)
		*chosen = strdup(choice);
	while (l.n_choices)
		free(l.choice[--l.n_choices]);
	free(l.choice);
	return status ? status : closed;
}

bool
live_list(const struct options *o, char **chosen, int *status)
{
	bool names_session;
	struct tn_error err;

	if (o->n_traces != 1 || !tn_path_is_live(o->trace[0]))
		return false;
	if (strchr(strstr(o->trace[0], "//") + 2, '/') &&
	    strcmp(strchr(strstr(o->trace[0], "//") + 2, '/'), "/") != 0) {
		if (tn_live_sessions(o->trace[0], &names_session, NULL, NULL, &err) == TN_OK)
			return false;
		*status = job_failed(&err);
		return true;
	}
	*status = list_sessions(o, chosen);
	return !chosen || !*chosen;
}

/* ---- waiting ---- */

void
live_take_interrupts(void)
{
	struct sigaction action = { .sa_handler = on_interrupt };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

bool
live_is_interrupted(void)
{
	return interrupted;
}

void
live_leave_interrupts(void)
{
	static const int number[] = { SIGINT, SIGTERM };

	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		signal(number[i], SIG_DFL);
	if (interrupted)
		raise(interrupted);
}

int
live_wait(struct job *job, int (*turn)(void *user, const struct tn_growth *growth, bool last), void *user)
{
	static const struct timespec pause = { 0, PAUSE_MS * 1000000 };
	struct tn_growth growth;
	struct tn_error err;
	bool last = false;
	int status = 0;

	live_take_interrupts();
	while (!status && !last) {
		last = interrupted;
		if (tn_set_grow(job->set, true, &growth, &err) < 0)
			return job_failed(&err);
		last = last || growth.over;
		if (last && tn_set_settle(job->set, &err) < 0)
			return job_failed(&err);
		if (turn)
			status = turn(user, &growth, last);
		if (!status && !last && !interrupted)
			nanosleep(&pause, NULL);
	}
	return status;
}

struct receiving {
	const char *address;
	uint64_t bytes, limit;
};

static int
on_received(void *user, const struct tn_growth *growth, bool last)
{
	struct receiving *r = user;

	(void)last;
	r->bytes = growth->bytes;
	if (r->bytes <= r->limit)
		return 0;
	copy_limit_report(r->address, r->bytes, r->limit);
	return 1;
}

/* Receive all sessions of one set of traces: one side of a comparison, or all traces. */
static int
collect(struct job *job, struct tn_set *set, const char *address)
{
	struct receiving r = { .address = address, .limit = copy_limit(job->options) };
	struct job part = *job;
	int status;

	part.set = set;
	status = live_wait(&part, on_received, &r);
	if (!status && r.limit != UINT64_MAX)
		copy_limit_report(address, r.bytes, r.limit);
	return status;
}

int
live_collect(struct job *job)
{
	const char *const *trace = job->options->trace;
	int status = 0;

	if (!job->second || tn_path_is_live(trace[0]))
		status = collect(job, job->set, trace[0]);
	if (!status && job->second && tn_path_is_live(trace[1]))
		status = collect(job, job->second, trace[1]);
	return status;
}
