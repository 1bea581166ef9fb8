/* export.c - the job --export: write the events that pass the filters as a CTF trace */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "output.h"
#include "report.h"

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
	return signal_taken();
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
	signals_take(true);
	if (tn_export(job->set, o->export, &options, &err) < 0)
		status = folder_failed(o->export, &err);
	else
		job->events = exported.events;
	signals_take(false);
	tn_text_free(text);
	tn_filter_free(filter);
	return status ? status : job_status(job);
}
