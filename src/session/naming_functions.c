/* naming_functions.c - the job that reads the names of all functions, for symbol() in conditions */
#include <config.h>

#include <stdlib.h>

#include "gettext.h"
#include "naming.h"
#include "session.h"

struct functions_job {
	const struct browse_options *options;
};

static void
functions_run(struct job *job)
{
	const struct functions_job *f = job->data;

	naming_functions(job->q.opened->naming, job->q.set, f->options);
}

static void
functions_finish(struct job *job)
{
	session_say(job->session, "%s", _("the names of functions are read: repeat the condition"));
	job->session->wish.redraw = true;
}

static const struct job_class functions_class = {
	.label = N_("reading the names of functions"), .everything = true, .quiet = true,
	.run = functions_run, .finish = functions_finish, .free = free,
};

void
naming_turn(struct session *s)
{
	struct functions_job *f;

	if (!naming_starts_functions(s->traces.opened->naming) || !(f = calloc(1, sizeof *f)))
		return;
	f->options = s->options;
	job_start(s, &functions_class, f);
}
