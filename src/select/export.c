#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "gettext.h"
#include "session/job.h"

struct exporting {
	char path[4096];
	struct tn_exported exported;
	uint64_t warnings;
	char warning[400];	/* text of the first warning */
};

static int
on_progress(void *user, uint64_t done, uint64_t all)
{
	struct job *job = user;

	(void)all;
	(void)done;
	return job_stopped(job);
}

static void
on_problem(void *user, const struct tn_problem *problem)
{
	struct job *job = user;
	struct exporting *e = job->data;

	if (!e->warnings++)
		snprintf(e->warning, sizeof e->warning, "%s", problem->text);
}

static void
export_run(struct job *job)
{
	struct exporting *e = job->data;
	const struct question *q = &job->q;
	const struct tn_export_options options = {
		TN_EXPORT_OPTIONS,
		.filter = q->query->filter, .text = q->query->text,
		.has_begin = q->bounds.has_begin, .begin_ns = q->bounds.begin_ns,
		.has_end = q->bounds.has_end, .end_ns = q->bounds.end_ns,
		.threads = q->threads, .progress = on_progress, .problem = on_problem, .user = job, .exported = &e->exported,
	};

	job->code = tn_export(q->set, e->path, &options, &job->error);
}

static void
export_finish(struct job *job)
{
	const struct exporting *e = job->data;
	struct session *s = job->session;
	char number[32];

	s->wish.redraw = true;
	if (job->code < 0)
		session_fail(s, "%s", job->error.text);
	else if (e->warnings)
		session_say(s, _("%s: written, with changes: %s"), e->path, e->warning);
	else
		session_say(s, ngettext("%s event written to %s", "%s events written to %s", e->exported.events),
			    number_text(e->exported.events, number), e->path);
}

static void
export_cancelled(struct job *job)
{
	const struct exporting *e = job->data;

	job->session->wish.redraw = true;
	session_say(job->session, _("stopped: %s was not written"), e->path);
}

static const struct job_class export_class = {
	.label = N_("writing"), .run = export_run, .finish = export_finish, .cancelled = export_cancelled, .free = free,
};

void
export_events(struct session *s, const char *path)
{
	struct exporting *e = calloc(1, sizeof *e);
	size_t n = strlen(path);

	if (!e) {
		session_fail(s, _("out of memory"));
		return;
	}
	snprintf(e->path, sizeof e->path, "%s", path);
	while (n > 1 && n < sizeof e->path && e->path[n - 1] == '/')
		e->path[--n] = '\0';
	if (s->here.selecting)
		session_fail(s, _("a selection can be text, csv, jsonl, parquet or chrome-json; for a CTF trace make it the "
			"range (&) first"));
	else if (job_start(s, &export_class, e))
		return;
	else
		e = NULL;	/* job_start() freed it */
	free(e);
}
