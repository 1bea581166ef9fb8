/*
 * export.c - the events that pass as a trace of CTF
 */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "output.h"
#include "report.h"

static volatile sig_atomic_t interrupted;

static void
on_signal(int number)
{
	interrupted = number;
}

/* From here on a signal is an answer to give. */
static void
take_signals(bool take)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal }, before;

	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		if (!take)
			signal(numbers[i], SIG_DFL);
		else if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
	}
}

static int
on_damage(void *user, const struct tn_row *row)
{
	job_damage(user, row);
	return 0;
}

static int
on_progress(void *user, uint64_t done, uint64_t all)
{
	(void)user, (void)done, (void)all;
	return interrupted;
}

/* Nothing of it is left: say so. */
static int
export_failed(const struct options *o, const struct tn_error *err)
{
	size_t n = strlen(o->export) + TN_ERROR_SIZE + 200;
	char *text = malloc(n);
	int status = err->code == TN_ERR_ARGUMENT ? 2 : 1;

	if (err->code == TN_ERR_CANCELLED && interrupted)
		status = 128 + interrupted;
	if (text && status > 128)
		snprintf(text, n, _("%s: interrupted; nothing was written"), o->export);
	else if (text && err->code == TN_ERR_EXISTS)
		snprintf(text, n, "%s", err->text);
	else if (text)
		snprintf(text, n, _("%s; %s was not written"), err->text, o->export);
	complain(NULL, text ? text : err->text);
	free(text);
	return status;
}

int
export_traces(struct job *job)
{
	const struct options *o = job->options;
	struct tn_text_options how = o->text;
	struct tn_filter *filter = NULL;
	struct tn_text *text;
	struct tn_exported exported;
	struct tn_export_options options = {
		TN_EXPORT_OPTIONS,
		.has_begin = job->has_begin, .has_end = job->has_end,
		.begin_ns = job->begin_ns, .end_ns = job->end_ns, .threads = o->threads,
		.archive = o->compress, .damage = on_damage, .problem = job_problem, .progress = on_progress,
		.user = job, .exported = &exported,
	};
	struct tn_error err;
	int status = job_filter(job, &filter);

	if (status)
		return status;
	if (tn_text_new(&text, job->set, &how, &err) != TN_OK) {
		tn_filter_free(filter);
		return job_failed(&err);
	}
	options.filter = filter;
	options.text = text;
	take_signals(true);
	if (tn_export(job->set, o->export, &options, &err) < 0)
		status = export_failed(o, &err);
	else
		job->events = exported.events;
	take_signals(false);
	tn_text_free(text);
	tn_filter_free(filter);
	return status ? status : job_status(job);
}
