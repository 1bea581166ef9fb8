/* ask.c - the answers --pairs (proposed pairs) and --ask (ready questions) */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"

/* Begin a list as CSV or JSON: text columns, the last of which says if the traces have such events. 0, or the exit status. */
static int
begin_list(struct answer *a, const char *const *names, size_t n)
{
	int status = answer_table(a);

	if (status || a->job->options->as == FORMAT_TEXT)
		return status;
	for (size_t i = 0; i < n; i++)
		answer_column(a, (struct tn_table_column) { .name = names[i] });
	answer_column(a, (struct tn_table_column) { .name = "events", .flags = TN_COLUMN_BOOL });
	(void)answer_heading(a);	/* the end of the answer reports a failed write */
	return 0;
}

static struct tn_answer_value
text_value(const char *text)
{
	return (struct tn_answer_value) { .kind = TN_ANSWER_TEXT, .text = text, .n = strlen(text) };
}

/* Print a pair as text; a line before the pair says if the traces lack its events. */
static int
put_pair(struct answer *a, const char *definition, bool met, bool first_without)
{
	if (first_without) {
		put_text(&a->line, _("# questions without events in these traces:\n"));
		if (answer_put(a))
			return 1;
	}
	put_text(&a->line, met ? "" : "# ");
	put_column(&a->line, definition, strlen(definition), 0);
	put_text(&a->line, "\n");
	return answer_put(a);
}

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
	if (!status)
		status = begin_list(&a, (const char *const []) { "spans" }, 1);
	for (size_t i = 0; !status && i < tn_pairs_count(pairs); i++) {
		const char *d = tn_pairs_definition(pairs, i);
		bool met = i < tn_pairs_met(pairs);

		if (job->options->as == FORMAT_TEXT ? put_pair(&a, d, met, i == tn_pairs_met(pairs))
						    : answer_row(&a, (const struct tn_answer_value []) {
							      text_value(d), { .kind = TN_ANSWER_UINT, .is.u = met } }))
			break;
	}
	if (!status && !tn_pairs_count(pairs))
		complain(_("note"),
			 _("no two event names look like a begin and an end: name the events with --spans 'BEGIN END by KEY'"));
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

	n = (size_t)snprintf(text, sizeof text, _("--ask=%s: no such question; the questions are"), name);
	for (size_t i = 0; (q = tn_ready_question_at(i)) && n < sizeof text; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s %s", i ? "," : "", q->name);
	if (n < sizeof text)
		snprintf(text + n, sizeof text - n, ", chain");
	complain(NULL, text);
	return 2;
}

#define WANTED_SHOWN 2	/* number of definitions of a question that a message shows */

/*
 * Append the events that a question needs: begins and ends of its first definitions; without definitions its condition,
 * or else its fields.
 */
static void
put_wanted(const struct tn_ready_question *q, struct tn_str *out)
{
	const char *line = q->spans;

	if (!*q->spans)
		put_text(out, *q->where ? q->where : q->by);
	for (int i = 0; *line && i < WANTED_SHOWN; i++) {
		size_t n = strcspn(line, "\n"), by = 0;

		while (by < n && strncmp(line + by, " by ", 4) != 0)
			by++;
		if (i)
			put_text(out, ", ");
		if (strncmp(line, "else ", 5) == 0)
			tn_str_add(out, line + 5, by - 5);
		else
			tn_str_add(out, line, by);
		line += n + (line[n] == '\n');
	}
	if (*line)
		put_text(out, ", ...");
}

static int
no_events(const struct tn_ready_question *q)
{
	struct tn_str wanted = { 0 };
	char text[1024];

	put_wanted(q, &wanted);
	snprintf(text, sizeof text, _("--ask=%s: the traces do not have the events of this question (%s); tnav "
				      "searched for: %s"), q->name,
		 _(q->title), wanted.text ? wanted.text : "");
	complain(NULL, text);
	tn_str_release(&wanted);
	return 1;
}

/* Answer the question as if its options had been given to --by and --show. */
static int
ask_groups(struct job *job, const struct tn_ready_question *q, const char *keys)
{
	struct options o = *job->options;
	struct job asked = *job;
	const char **filter = NULL;
	struct tn_error err;
	int status;

	if (!*q->spans && o.where && o.n_filters) {
		complain(NULL, _("--where and --filter mean the same for a question about events: use only one of them"));
		return 2;
	}
	switch (tn_ready_question_check(q, job->set, &err)) {
	case TN_OK: break;
	case TN_ERR_ARGUMENT: return no_events(q);
	default: return job_failed(&err);
	}
	if (!o.sort && !o.show && *q->sort && (!o.by || strncmp(o.by, "time", 4) != 0))	/* sorted by one of its other columns */
		o.sort = q->sort;
	o.show = o.show ? o.show : q->show;
	o.narrowed = o.n_filters || o.where || job->has_begin || job->has_end;
	o.by = o.by ? o.by : keys;
	o.question = *q->spans ? q->spans : NULL;
	if (!*q->spans) {
		filter = calloc(o.n_filters + 2, sizeof *filter);
		if (!filter) {
			complain(NULL, _("out of memory"));
			return 1;
		}
		for (size_t i = 0; i < o.n_filters; i++)
			filter[i] = o.filter[i];
		if (o.where)
			filter[o.n_filters++] = o.where;
		if (*q->where)
			filter[o.n_filters++] = q->where;
		o.filter = filter;
	}
	asked.options = &o;
	status = print_groups(&asked);
	job->events = asked.events;
	memcpy(job->problems, asked.problems, sizeof job->problems);
	free(filter);
	return status;
}

static int
put_question(struct answer *a, const char *name, const char *title, bool has)
{
	struct tn_str *out = &a->line;

	if (a->job->options->as != FORMAT_TEXT)
		return answer_row(a, (const struct tn_answer_value []) {
			text_value(name), text_value(title), { .kind = TN_ANSWER_UINT, .is.u = has } });
	put_text(out, has ? "" : "# ");
	put_column(out, name, strlen(name), has ? 20 : 18);
	put_text(out, "  ");
	put_column(out, title, strlen(title), 0);
	put_text(out, "\n");
	return answer_put(a);
}

/* List all questions with their titles; questions whose events are in the traces come first. */
static int
list_questions(struct job *job)
{
	const struct tn_ready_question *q;
	struct tn_error err;
	struct answer a;
	int status = answer_begin(&a, job);

	if (!status)
		status = begin_list(&a, (const char *const []) { "ask", "title" }, 2);
	for (int pass = 0; !status && pass < 2; pass++) {
		bool first = true;

		for (size_t i = 0; !status && (q = tn_ready_question_at(i)); i++) {
			enum tn_code rc = tn_ready_question_check(q, job->set, &err);

			if (rc != TN_OK && rc != TN_ERR_ARGUMENT) {
				complain(NULL, _("out of memory"));
				status = 1;
				break;
			}
			if ((rc == TN_OK) != (pass == 0))
				continue;
			if (pass && first && job->options->as == FORMAT_TEXT)
				put_text(&a.line, _("# questions without events in these traces:\n"));
			first = false;
			if (put_question(&a, q->name, _(q->title), rc == TN_OK))
				return answer_end(&a, status);
		}
	}
	return answer_end(&a, status);
}

int
ask(struct job *job)
{
	const struct tn_ready_question *q = question_named(job->options->ask);
	char *keys;
	int status;

	if (strcmp(job->options->ask, "chain") == 0)
		return ask_chain(job);
	if (strcmp(job->options->ask, "list") == 0)
		return list_questions(job);
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
