/*
 * ask.c - pairs that are proposed, and ready questions
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"

int
print_pairs(struct job *job)
{
	struct tn_pairs *pairs;
	struct answer a;
	struct tn_error err;
	int status;

	if (tn_pairs_new(&pairs, job->set, &err) != TN_OK)
		return job_failed(&err);
	status = answer_begin(&a, job);
	if (!status && tn_pairs_look(pairs, &a.scan, &err) < 0)
		status = answer_status(&a, err.code, &err);
	for (size_t i = 0; !status && i < tn_pairs_count(pairs); i++) {
		const char *d = tn_pairs_definition(pairs, i);
		bool met = i < tn_pairs_met(pairs);

		if (job->options->as == FORMAT_TEXT && i == tn_pairs_met(pairs)) {
			put_text(&a.line, _("# without events here:\n"));
			if (answer_put(&a))
				break;
		}
		if (job->options->as == FORMAT_JSON) {
			put_text(&a.line, "{\"spans\":");
			tn_answer_json_string(d, strlen(d), &a.line);
			put_text(&a.line, met ? ",\"events\":true}" : ",\"events\":false}");
		} else if (job->options->as == FORMAT_CSV) {
			put_csv(&a.line, d, strlen(d));
		} else {
			put_text(&a.line, met ? "" : "# ");
			put_column(&a.line, d, strlen(d), 0);
		}
		put_text(&a.line, "\n");
		if (answer_put(&a))
			break;
	}
	if (!status && !tn_pairs_count(pairs))
		complain(_("note"),
			 _("no events are named like begin and end: --spans 'BEGIN END by KEY' says which are"));
	status = answer_end(&a, status);
	tn_pairs_free(pairs);
	return status;
}

static const struct tn_ready_question *
question_named(const char *name)
{
	const struct tn_ready_question *q;

	for (size_t i = 0; (q = tn_ready_question_at(i)); i++)
		if (strcmp(q->name, name) == 0)
			return q;
	return NULL;
}

static int
no_such_question(const char *name)
{
	char text[2048];
	const struct tn_ready_question *q;
	size_t n;

	n = (size_t)snprintf(text, sizeof text, _("--ask=%s: there is no such question; there are"), name);
	for (size_t i = 0; (q = tn_ready_question_at(i)) && n < sizeof text; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s %s", i ? "," : "", q->name);
	if (n < sizeof text)
		snprintf(text + n, sizeof text - n, ", chain");
	complain(NULL, text);
	return 2;
}

/* Whether events are there that the question is about. */
static enum tn_code
has_events(const struct job *job, const struct tn_ready_question *q, const char *keys, struct tn_error *err)
{
	struct tn_groups *groups = NULL;
	struct tn_spans *spans = NULL;
	enum tn_code rc;

	if (*q->spans) {
		rc = tn_spans_new(&spans, job->set, err);
		if (rc == TN_OK)
			rc = tn_spans_add_question(spans, q->spans, err);
	} else {
		rc = tn_groups_new(&groups, job->set, keys, q->show, err);
	}
	tn_groups_free(groups);
	tn_spans_free(spans);
	return rc;
}

static int
no_events(const struct tn_ready_question *q)
{
	char text[1024];

	snprintf(text, sizeof text, _("--ask=%s: the traces do not have the events of this question (%s)"), q->name, _(q->title));
	complain(NULL, text);
	return 1;
}

/* The question as the options of groups. */
static int
ask_groups(struct job *job, const struct tn_ready_question *q, const char *keys)
{
	struct options o = *job->options;
	struct job asked = *job;
	const char *filter[2];
	struct tn_error err;
	int status;

	if (!*q->spans && o.where && o.n_filters) {
		complain(NULL, _("--where and --filter say the same of a question about events: one of them"));
		return 2;
	}
	switch (has_events(job, q, keys, &err)) {
	case TN_OK: break;
	case TN_ERR_ARGUMENT: return no_events(q);
	default: return job_failed(&err);
	}
	if (!o.sort && !o.show && *q->sort)	/* by a column of its own */
		o.sort = q->sort;
	o.show = o.show ? o.show : q->show;
	o.by = o.by ? o.by : keys;
	o.question = *q->spans ? q->spans : NULL;
	if (!*q->spans && (o.where || (*q->where && !o.n_filters))) {
		o.n_filters = 0;
		filter[o.n_filters++] = q->where;
		if (o.where)
			filter[o.n_filters++] = o.where;
		o.filter = filter;
	}
	asked.options = &o;
	status = print_groups(&asked);
	job->events = asked.events;
	memcpy(job->problems, asked.problems, sizeof job->problems);
	return status;
}

int
ask(struct job *job)
{
	const struct tn_ready_question *q = question_named(job->options->ask);
	char *keys;
	int status;

	if (strcmp(job->options->ask, "chain") == 0)
		return ask_chain(job);
	if (!q)
		return no_such_question(job->options->ask);
	keys = tn_ready_question_keys(q, job->set);
	if (!keys) {
		complain(NULL, _("out of memory"));
		return 1;
	}
	status = ask_groups(job, q, keys);
	free(keys);
	return status;
}
