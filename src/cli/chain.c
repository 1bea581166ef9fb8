/*
 * chain.c - what a thread waited for, as text
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"

static int
print_link(void *user, const struct tn_chain_link *l)
{
	struct answer *a = user;
	struct tn_str *out = &a->line;
	const char *kind = tn_chain_kind_name(l->kind);
	char text[80];

	if (a->job->options->as == FORMAT_JSON) {
		tn_str_printf(out, "{\"depth\":%zu,\"tid\":%" PRId64 ",\"state\":\"%s\",\"whom\":", l->depth, l->tid, kind);
		if (l->whom >= 0)
			put_number(out, l->whom);
		else
			put_text(out, "null");
		tn_str_printf(out, ",\"begin\":%" PRId64 ",\"end\":%" PRId64 ",\"duration\":%" PRId64 "}\n", l->begin_ns, l->end_ns,
			      l->end_ns - l->begin_ns);
	} else if (a->job->options->as == FORMAT_CSV) {
		tn_str_printf(out, "%zu,%" PRId64 ",%s,", l->depth, l->tid, kind);
		if (l->whom >= 0)
			put_number(out, l->whom);
		tn_str_printf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", l->begin_ns, l->end_ns, l->end_ns - l->begin_ns);
	} else {
		tn_text_time(a->text, l->begin_ns, out);
		snprintf(text, sizeof text, "  %*s%-10" PRId64, (int)(2 * l->depth), "", l->tid);
		put_text(out, text);
		snprintf(text, sizeof text, " %-10s ", kind);
		put_text(out, text);
		put_duration(out, (double)(l->end_ns - l->begin_ns));
		if (l->whom >= 0) {
			snprintf(text, sizeof text, l->kind == TN_CHAIN_ASLEEP ? _("  woken by %jd") : _("  %jd ran"),
				 (intmax_t)l->whom);
			put_text(out, text);
		}
		put_text(out, "\n");
	}
	return answer_put(a);
}

/* The times that were given, else those of the traces. */
static enum tn_code
window(const struct job *job, int64_t *begin_ns, int64_t *end_ns, struct tn_error *err)
{
	int64_t first = 0, last = 0;
	enum tn_code rc = TN_OK;

	if (!job->has_begin || !job->has_end)
		rc = tn_set_time_range(job->set, &first, &last, err);
	*begin_ns = job->has_begin ? job->begin_ns : first;
	*end_ns = job->has_end ? job->end_ns : last;
	return rc;
}

int
print_chain(struct job *job)
{
	int64_t begin_ns, end_ns;
	char *end, text[256];
	long long tid = strtoll(job->options->chain, &end, 10);
	struct answer a;
	struct tn_error err;
	enum tn_code rc;
	bool cut = false;
	int status;

	if (end == job->options->chain || *end) {
		snprintf(text, sizeof text, _("--chain=%.80s: a number of a thread is needed"), job->options->chain);
		complain(NULL, text);
		return 2;
	}
	status = answer_begin(&a, job);
	rc = status ? TN_OK : window(job, &begin_ns, &end_ns, &err);
	if (rc == TN_END)
		complain(NULL, _("no event has a time"));
	if (!status && rc == TN_OK) {
		if (job->options->as == FORMAT_CSV) {
			put_text(&a.line, "depth,tid,state,whom,begin,end,duration\n");
			status = answer_put(&a);
		}
		rc = tn_chain_run(job->set, &a.scan, tid, begin_ns, end_ns, print_link, &a, &cut, &err);
	}
	if (!status)
		status = rc == TN_END ? 1 : answer_status(&a, rc, &err);
	if (cut)
		complain(_("warning"), _("the chain is longer than what is told: ask for a shorter time"));
	return answer_end(&a, status);
}
