/*
 * export.c - the events that pass as a trace of CTF
 */
#define _GNU_SOURCE	/* memrchr() */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gettext.h"
#include "output.h"
#include "report.h"

static volatile sig_atomic_t interrupted;

static void
on_signal(int number)
{
	interrupted = number;
}

/* From here on a signal is an answer to give, and a file that may not grow is an error to tell. */
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
	signal(SIGXFSZ, take ? SIG_IGN : SIG_DFL);
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
export_failed(const char *folder, const struct tn_error *err)
{
	size_t n = strlen(folder) + TN_ERROR_SIZE + 200;
	char *text = malloc(n);
	int status = err->code == TN_ERR_ARGUMENT ? 2 : 1;

	if (err->code == TN_ERR_CANCELLED && interrupted)
		status = 128 + interrupted;
	if (text && status > 128)
		snprintf(text, n, _("%s: interrupted; nothing was written"), folder);
	else if (text)
		snprintf(text, n, _("%s; %s was not written"), err->text, folder);
	complain(NULL, text ? text : err->text);
	free(text);
	return status;
}

/* ---- into an archive ---- */

#define SUFFIX ".tar.zst"

struct packing {
	char *file;		/* "a/b.tar.zst" */
	char *around;		/* a folder beside it */
	char *folder;		/* "b" in that: what is packed */
};

static void
packing_release(struct packing *p)
{
	if (p->around)
		tn_unlink_folder(p->around);
	free(p->file);
	free(p->around);
	free(p->folder);
}

static char *
joined(const char *a, size_t n, const char *b, const char *c)
{
	size_t room = n + strlen(b) + strlen(c) + 1;
	char *text = malloc(room);

	if (text)
		snprintf(text, room, "%.*s%s%s", (int)n, a, b, c);
	return text;
}

/* A status, 0: the folder can be exported to. */
static int
packing_begin(struct packing *p, const char *name)
{
	size_t n = strlen(name), end = strlen(SUFFIX);
	const char *slash;

	while (n > 1 && name[n - 1] == '/')
		n--;
	if (n > end && strncmp(name + n - end, SUFFIX, end) == 0)
		n -= end;
	p->file = joined(name, n, SUFFIX, "");
	p->around = p->file ? joined(name, n, ".tnav-XXXXXX", "") : NULL;
	if (!p->around) {
		complain(NULL, _("out of memory"));
		return 1;
	}
	if (access(p->file, F_OK) == 0 || !mkdtemp(p->around)) {
		struct tn_error err = { .code = TN_ERR_SYSTEM };

		snprintf(err.text, sizeof err.text, "%.900s: %s", p->file, strerror(access(p->file, F_OK) == 0 ? EEXIST : errno));
		free(p->around);
		p->around = NULL;
		return export_failed(p->file, &err);
	}
	slash = memrchr(name, '/', n);
	p->folder = joined(p->around, strlen(p->around), "/", "");
	if (p->folder) {
		char *base = joined(slash ? slash + 1 : name, n - (size_t)(slash ? slash + 1 - name : 0), "", "");
		char *folder = base ? joined(p->folder, strlen(p->folder), base, "") : NULL;

		free(p->folder);
		free(base);
		p->folder = folder;
	}
	return p->folder ? 0 : 1;
}

int
export_traces(struct job *job)
{
	struct packing packing = { 0 };
	const struct options *o = job->options;
	struct tn_text_options how = o->text;
	struct tn_filter *filter = NULL;
	struct tn_text *text;
	struct tn_exported exported;
	struct tn_export_options options = {
		TN_EXPORT_OPTIONS,
		.has_begin = job->has_begin, .has_end = job->has_end,
		.begin_ns = job->begin_ns, .end_ns = job->end_ns, .threads = o->threads,
		.damage = on_damage, .progress = on_progress, .user = job, .exported = &exported,
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
	if (o->compress)
		status = packing_begin(&packing, o->export);
	if (!status && tn_export(job->set, o->compress ? packing.folder : o->export, &options, &err) < 0)
		status = export_failed(o->compress ? packing.file : o->export, &err);
	else if (!status && o->compress && tn_archive_folder(packing.file, packing.around, &err) < 0)
		status = export_failed(packing.file, &err);
	else if (!status)
		job->events = exported.events;
	packing_release(&packing);
	take_signals(false);
	tn_text_free(text);
	tn_filter_free(filter);
	return status ? status : job_status(job);
}
