/* answers_start.c - start the job that makes a table, and show the table */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "answers.h"
#include "gettext.h"

void
answers_drop_groups(struct answers *a)
{
	tn_groups_free(a->groups);
	tn_spans_free(a->definitions);
	a->groups = NULL;
	a->definitions = NULL;
}

void
answers_select_span(struct answers *a, const struct tn_location *begin, const struct tn_location *end)
{
	size_t i = 0;

	while (i < a->table.n && (tn_location_compare(&a->table.row[i].begin, begin) != 0 ||
				  tn_location_compare(&a->table.row[i].end, end) != 0))
		i++;
	list_select(&a->list, i < a->table.n ? i : 0);
}

/* Move the cursor to where it was before leave(). */
void
answers_come_back(struct answers *a)
{
	a->returns = false;
	if (a->class->has_spans && a->table.n)
		answers_select_span(a, &a->left.begin, &a->left.end);
	for (size_t i = 0; a->class->row_name && a->left.row && i < a->table.n; i++) {
		const char *name = a->class->row_name(&a->table.row[i]);

		if (name && strcmp(name, a->left.row) == 0)
			list_select(&a->list, i);
	}
}

static void
tell(struct answers *a, const struct job *job)
{
	const struct answer_request *ask = job->data;
	struct session *s = a->list.base.session;
	char n[32];

	free(a->list.instead);
	a->list.instead = NULL;
	if (job->code < 0 && job->code != TN_ERR_CANCELLED) {
		session_fail(s, "%s", job->error.text);
		a->list.instead = line_safe_copy(job->error.text, strlen(job->error.text));
	} else if (job->code == TN_OK && !a->list.n)
		session_say(s, "%s", a->table.without ? _("no event has any of the keys: there are no groups")
						      : a->class->nothing(ask));
	else if (ask->remark && !ask->sorts)
		session_say(s, "%s", ask->remark);
	else if (a->table.dropped)
		session_say(s, ngettext("%s value is unknown: memory for values was full; ask for fewer groups, or a range",
					"%s values are unknown: memory for values was full; ask for fewer groups, or a range",
					a->table.dropped), number_text(a->table.dropped, n));
	else if (a->table.without && !ask->sorts)
		session_say(s, ngettext("%s event has none of the keys and is not in a group",
					"%s events have none of the keys and are not in a group", a->table.without),
			    number_text(a->table.without, n));
	if (ask->cut)
		session_say(s, "%s", _("the chain is cut at its limit: choose a shorter span"));
}

static void
answers_end(struct job *job)
{
	struct answer_request *ask = job->data;
	struct answers *a = ask->view;
	bool updated;

	a->job = NULL;
	a->done = true;
	if (!ask->sorts || job->code == TN_OK) {
		table_release(&a->table);
		a->table = ask->table;
		ask->table = (struct table) { 0 };
		tn_sequence_free(a->sequence);
		a->sequence = ask->sequence;
		ask->sequence = NULL;
	}
	answers_keep_other(job->session, ask);
	answers_drop_groups(a);
	a->groups = ask->groups;
	a->definitions = ask->definitions;
	ask->groups = NULL;
	ask->definitions = NULL;
	updated = a->list.n;
	a->list.n = a->sequence ? a->class->panes->count(a) : a->table.n;
	answers_find_keys(a);
	if (a->sequence)
		a->class->panes->show(a, updated);
	tell(a, job);
	a->sorted = a->class->has_groups ? ask->sort_by : a->class->sorted;
	if (a->returns && a->left.sorted != SIZE_MAX && a->class->sort_name)
		a->sorted = a->left.sorted;
	if (a->class->sorts)
		answers_sort(a);
	if (a->class->has_pairs && job->code == TN_OK)
		answers_measure(a);
	if (a->returns)
		answers_come_back(a);
	else if (a->again_at)
		list_select(&a->list, a->again_at);
	a->again_at = 0;
}

static const struct job_class answers_class = {
	.label = N_("computing the answer"),
	.run = answers_run, .finish = answers_end, .cancelled = answers_end, .free = answers_free,
};

/* The filters and the range. A comparison takes long, so it is made again only if these change. */
char *
answers_asked_of(const struct session *s)
{
	struct tn_str text = { 0 };

	for (size_t i = 0; i < s->asks.n_conditions; i++)
		if (s->asks.condition[i].on)
			tn_str_printf(&text, "%s\n", s->asks.condition[i].text);
	tn_str_printf(&text, "%d %d %" PRId64 " %" PRId64, s->asks.range.has_begin, s->asks.range.has_end, s->asks.range.begin_ns,
		      s->asks.range.end_ns);
	return text.text;
}

bool
answers_is_comparison(const struct answers *a)
{
	return a->class->compares;
}

void
answers_note_making(struct answers *a)
{
	const struct session *s = a->list.base.session;

	free(a->made_of);
	a->made_of = answers_asked_of(s);
	a->settled_ns = s->traces.settled_ns;
	a->made_s = time(NULL);
}

bool
answers_start(struct answers *a, struct tn_error *err)
{
	struct session *s = a->list.base.session;
	const struct answer_wish *w = &s->answers.wish;
	const struct answer_class *class = a->classes[w->kind == ANSWER_SPANS && !w->spans ? ANSWER_PAIRS : w->kind];
	struct answer_request *ask;

	if (answers_of_two_selections(w->kind) && w->other && (s->asks.range.has_begin || s->asks.range.has_end)) {
		snprintf(err->text, sizeof err->text, "%s",
			 _("diff compares whole traces: :unrange removes the range, X compares ranges"));
		return false;
	}
	strcpy(err->text, "out of memory");
	ask = answers_ask(s, class->kind);
	if (!ask)
		return false;
	a->class = class;
	ask->view = a;
	ask->sort_by = a->returns ? a->left.sorted : SIZE_MAX;
	a->list.base.no_hint = a->class->no_hint;
	answers_note_making(a);
	a->list.base.hint = a->class->has_groups && w->spans && *w->spans ?
			    N_("Enter shows its spans  Tab sorts  & a condition  q back") : a->class->hint;
	job_drop(a->job);	/* the job may still work on the former question */
	job_drop(a->measuring_job);
	a->job = a->measuring_job = NULL;
	a->measuring = NULL;
	answers_drop_groups(a);
	if (!a->updates) {
		table_release(&a->table);
		tn_sequence_free(a->sequence);
		a->sequence = NULL;
		a->list.n = a->list.top = a->list.selected = 0;
	}
	a->done = a->falls = a->updates = false;
	/* A condition over events is an additional filter; a condition over spans is a part of the question. */
	if (*ask->where && !*ask->spans) {
		struct query *query;

		if (query_new(&query, s->traces.set, &s->settings.text, s->asks.condition, s->asks.n_conditions, ask->where, true,
			      err) != TN_OK) {
			answers_free(ask);
			return false;
		}
		a->job = job_ask(s, &answers_class, ask, query);
		query_put(query);	/* the job has its own reference */
		return true;
	}
	a->job = job_start(s, &answers_class, ask);
	return true;
}

unsigned
answers_start_again(struct answers *a)
{
	struct tn_error err;

	if (!answers_start(a, &err))
		session_fail(a->list.base.session, "%s", err.text);
	return VIEW_DONE | VIEW_REDRAW;
}

/* Sort by the next column; if not all groups are rows, a job sorts all groups and picks the rows anew. */
unsigned
answers_sort_next(struct answers *a)
{
	struct answer_request *ask;

	if (a->job) {
		session_say(a->list.base.session, _("the answer is not complete yet"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	a->sorted = a->nested ? 0 : (a->sorted + 1) % a->table.n_columns;
	a->nested = false;
	if (a->table.steps && a->sorted == 0)
		a->falls = !a->falls;
	if (!a->groups || !tn_groups_column(a->groups, a->sorted)) {
		answers_sort(a);
		return VIEW_DONE | VIEW_REDRAW;
	}
	ask = answers_ask(a->list.base.session, a->class->kind);
	if (!ask)
		return VIEW_DONE;
	ask->view = a;
	ask->groups = a->groups;
	ask->definitions = a->definitions;
	a->groups = NULL;
	a->definitions = NULL;
	ask->sorts = true;
	ask->falls = a->falls;
	ask->sort_by = a->sorted;
	a->returns = false;
	a->job = job_start(a->list.base.session, &answers_class, ask);
	return VIEW_DONE | VIEW_REDRAW;
}

unsigned
answers_show_pairs(struct answers *a)
{
	struct answer_wish *w = &a->list.base.session->answers.wish;

	free(w->spans);
	free(w->where);
	w->spans = w->where = NULL;
	w->kind = ANSWER_SPANS;
	a->from_pairs = false;
	return answers_start_again(a);
}
