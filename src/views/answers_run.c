/* answers_run.c - the job that makes the tables of answers */
#include <config.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers_run.h"
#include "screen/bar.h"
#include "gettext.h"
#include "session/chosen_spans.h"
#include "session/expression.h"
#include "session/naming.h"

static void
table_number(struct table *t, struct answer_row *r, size_t column, int64_t number)
{
	const struct tn_answer_value v = tn_answer_number(true, number);

	table_value(t, r, column, &v);
}

static void
text_column(struct table *t, const char *name)
{
	table_column(t, name, TN_COLUMN_BRIEF, TN_GROUP_NUMBER);
}

static int
take_span(void *user, const struct tn_span *s)
{
	struct answer_request *ask = ((struct job *)user)->data;
	struct table *t = &ask->table;
	struct answer_row *r = table_row(t);
	const uint8_t *column = ask->column + ask->first[s->definition];

	if (!r) {
		t->failed = true;
		return 1;
	}
	r->has_begin = s->is_at_begin;
	r->has_end = s->is_at_end;
	r->begin = s->begin;
	r->end = s->end;
	r->has_times = s->has_duration;
	r->begin_ns = s->begin_ns;
	r->end_ns = s->end_ns;
	r->weight = s->has_duration ? (double)s->duration_ns : 0;
	if (s->has_duration)
		table_number(t, r, 0, s->duration_ns);
	else
		table_text(t, r, 0, "-");
	table_text(t, r, 1, tn_span_state_name(s->state));
	table_number(t, r, 2, s->has_begin ? s->begin_ns : s->end_ns);
	table_text(t, r, 3, s->name);
	if (ask->host) {
		const struct tn_stream *stream = tn_set_stream(answers_set(user),
							       s->is_at_begin ? s->begin.stream : s->end.stream);
		const char *host = tn_stream_host(stream);

		table_text(t, r, ask->host, host ? host : "");
	}
	for (size_t i = 0; i < s->n_keys; i++)
		if (column[i]) {
			table_value(t, r, column[i], &s->key[i]);
			r->keys |= UINT32_C(1) << column[i];
		}
	for (size_t i = 0; i < s->n_captured; i++)
		if (column[s->n_keys + i])
			table_value(t, r, column[s->n_keys + i], &s->captured[i]);
	return t->failed;
}

static enum tn_code
define(struct answer_request *ask, struct tn_set *set, struct tn_error *err)
{
	enum tn_code rc = tn_spans_new(&ask->definitions, set, err);

	/* Add those definitions of a ready question for which there are events. A typed definition must be valid. */
	return rc == TN_OK ? tn_spans_add_question(ask->definitions, ask->spans, err) : rc;
}

/* Find the column with this name; keys of several definitions may share it. 0: there is no space for another column. */
static uint8_t
column_named(struct table *t, const char *name)
{
	size_t i = 4;

	while (i < t->n_columns && strcmp(tn_table_column_name(t->form, i), name) != 0)
		i++;
	if (i == t->n_columns)
		text_column(t, name);
	return i < t->n_columns ? (uint8_t)i : 0;
}

/* Name the columns: the keys of all definitions, then the shown fields. */
static bool
name_values(struct answer_request *ask)
{
	size_t n = tn_spans_count(ask->definitions), all = 0;

	ask->first = calloc(n + 1, sizeof *ask->first);
	if (!ask->first)
		return false;
	for (size_t d = 0; d < n; d++) {
		ask->first[d] = all;
		for (size_t i = 0; tn_spans_key(ask->definitions, d, i); i++)
			all++;
		for (size_t i = 0; tn_spans_captured(ask->definitions, d, i); i++)
			all++;
	}
	ask->column = calloc(all + 1, 1);
	for (int captured = 0; ask->column && captured < 2; captured++)
		for (size_t d = 0; d < n; d++) {
			const char *name;
			size_t keys = 0;

			while (tn_spans_key(ask->definitions, d, keys))
				keys++;
			for (size_t i = 0; (name = (captured ? tn_spans_captured : tn_spans_key)(ask->definitions, d, i)); i++)
				ask->column[ask->first[d] + (captured ? keys : 0) + i] = column_named(&ask->table, name);
		}
	return ask->column != NULL;
}

static enum tn_code
run_spans(struct job *job)
{
	struct answer_request *ask = job->data;
	struct tn_scan_options scan = answers_options(job);
	struct table *t = &ask->table;
	struct tn_span_counts counts;
	struct tn_set *set = answers_set(job);
	enum tn_code rc = define(ask, set, &job->error);

	if (rc == TN_OK && *ask->where)
		rc = tn_spans_where(ask->definitions, ask->where, &job->error);
	if (rc != TN_OK)
		return rc;
	table_column(t, _("duration"), TN_COLUMN_RIGHT, TN_GROUP_DURATION);
	text_column(t, _("state"));
	table_column(t, _("begin"), 0, TN_GROUP_TIME);
	text_column(t, _("name"));
	/* Numbers of threads and processors are unique only in a host. */
	if (tn_set_has_hosts(set)) {
		ask->host = t->n_columns;
		text_column(t, _("host"));
	}
	if (!name_values(ask))
		return TN_ERR_MEMORY;
	rc = tn_spans_sorted(ask->definitions, &scan, NULL, ROWS_MAX, take_span, job, &counts, &job->error);
	memcpy(t->of_state, counts.of_state, sizeof t->of_state);
	t->all = 0;
	for (size_t i = 0; i < sizeof t->of_state / sizeof *t->of_state; i++)
		t->all += t->of_state[i];
	if (rc == TN_OK)
		table_nest(t, ask->same);
	return rc == TN_OK && t->failed ? TN_ERR_MEMORY : rc;
}

/* Make the condition over events or spans that selects a group. */
static char *
condition_of(const struct tn_groups *g, const struct table *t, const struct tn_answer_value *key)
{
	struct tn_str all = { 0 };

	for (size_t i = 0; i < t->n_keys; i++) {
		bool has_steps = tn_groups_has_steps(g, i);
		struct tn_answer_value from, to;

		tn_str_puts(&all, i ? " and " : "");
		if (tn_groups_step(g, i, &key[i], &from, &to))
			expression_step(&all, tn_groups_key(g, i), tn_groups_unit(g, i), &key[i], &from, &to);
		else
			expression_key(&all, tn_groups_key(g, i), has_steps, tn_groups_unit(g, i), &key[i]);
	}
	return all.text ? all.text : strdup("");
}

/* Name the columns. The usual columns for spans have short names, and the distribution is drawn. */
static void
name_columns(struct answer_request *ask, const struct tn_groups *g)
{
	static const char *const own[] = { "count", "total", "min", "p50", "p90", "p99", "max" };
	struct table *t = &ask->table;
	bool usual = *ask->spans && strcmp(ask->show, OF_SPANS) == 0;

	for (size_t c = 0; tn_groups_column(g, c) && c < COLUMNS_MAX; c++) {
		const char *name = tn_groups_column(g, c);
		unsigned flags = c >= t->n_keys ? TN_COLUMN_RIGHT | TN_COLUMN_SHORT :
				 tn_groups_unit(g, c) == TN_GROUP_DURATION ? TN_COLUMN_SHORT : 0;

		if (*ask->spans && c >= t->n_keys && name[0] == 'p' && name[1] >= '0' && name[1] <= '9' && !ask->quantile)
			ask->quantile = c;
		table_column(t, usual && c >= t->n_keys ? own[c - t->n_keys] : name, TN_COLUMN_BRIEF | flags, tn_groups_unit(g, c));
		ask->n_columns = c + 1;
	}
	if (ask->quantile)
		text_column(t, _("spread"));
	t->steps = t->n_keys && tn_groups_has_steps(g, 0);
	ask->below = ask->bar = 0;
	if (!t->steps || t->n_keys != 1 || ask->quantile || t->n_columns + 2 > COLUMNS_MAX || ask->n_columns <= t->n_keys)
		return;
	if (strcmp(tn_groups_column(g, 1), "count") == 0 && strncmp(tn_groups_key(g, 0), "time/", 5) != 0 && !ask->sort_by) {
		ask->below = t->n_columns;
		table_column(t, _("cumulative"), TN_COLUMN_BRIEF | TN_COLUMN_RIGHT, TN_GROUP_NUMBER);
	}
	ask->bar = t->n_columns;
	text_column(t, _("bar"));
}

static double
number_of(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT ? (double)v->is.u : v->kind == TN_ANSWER_SINT ? (double)v->is.i :
	       v->kind == TN_ANSWER_FLOAT ? v->is.f : 0;
}

/* Set the bar of each step, from the first aggregate, and the share of all events up to the step. */
static void
set_bars(struct answer_request *ask)
{
	struct table *t = &ask->table;
	double most = 0, all = 0, so_far = 0;
	char text[BAR_TEXT];

	for (size_t i = 0; ask->bar && i < t->n; i++) {
		double n = number_of(&t->row[i].cell[1].number);

		all += t->row[i].is_rest ? 0 : n;
		most = n > most ? n : most;
	}
	for (size_t i = 0; ask->bar && i < t->n; i++) {
		double n = number_of(&t->row[i].cell[1].number);

		so_far += t->row[i].is_rest ? 0 : n;
		snprintf(text, sizeof text, "%.1f%%", all > 0 ? 100 * so_far / all : 0.0);
		if (ask->below && !t->row[i].is_rest)
			table_text(t, &t->row[i], ask->below, text);
		bar_text(most > 0 ? n / most : 0, ask->utf8, text);
		table_text(t, &t->row[i], ask->bar, text);
	}
}

/* Take the first groups, and last the rest. */
static void
take_groups(struct job *job, struct tn_groups *g)
{
	struct answer_request *ask = job->data;
	struct table *t = &ask->table;
	struct tn_span_counts spans = tn_groups_span_counts(g);
	size_t n = tn_groups_count(g);

	t->n_keys = tn_groups_key_count(g);
	t->without = tn_groups_without(g);
	t->dropped = tn_groups_dropped(g);
	t->has_rest = tn_groups_merged(g, NULL);
	memcpy(t->of_state, spans.of_state, sizeof t->of_state);
	name_columns(ask, g);
	for (size_t i = 0; i < n && !t->failed; i++) {
		const struct tn_answer_value *v;
		char text[SPREAD_BYTES];
		struct answer_row *r;

		if (i == ROWS_MAX)
			i = t->has_rest ? n - 1 : n;
		if (i == n)
			break;
		r = table_row(t);
		if (!r) {
			t->failed = true;
			return;
		}
		v = tn_groups_row(g, i, &r->is_rest);
		for (size_t c = 0; c < ask->n_columns; c++)
			if (r->is_rest && c < t->n_keys)
				table_text(t, r, c, c ? "" : _("(others)"));
			else
				table_value(t, r, c, &v[c]);
		if (!r->is_rest)
			r->condition = condition_of(g, t, v);
		if (ask->quantile)
			spread_text(text, g, i, ask->quantile, ask->utf8);
		if (ask->quantile)
			table_text(t, r, ask->n_columns, text);
	}
	set_bars(ask);
	t->all = n - t->has_rest;
}

/* Sort like all tables: numbers descend, texts ascend. */
static enum tn_code
sort_groups(struct answer_request *ask, struct tn_groups *g, struct tn_error *err)
{
	size_t column = ask->sort_by, keys = tn_groups_key_count(g);
	enum tn_code rc;

	for (size_t i = 0; column == SIZE_MAX && ask->sort && tn_groups_column(g, i); i++)
		if (strcmp(tn_groups_column(g, i), ask->sort) == 0)
			column = i;
	if ((column == SIZE_MAX || column == 0) && keys && tn_groups_has_steps(g, 0) && !ask->falls) {
		ask->sort_by = 0;
		return tn_groups_sort(g, 0, false, err);
	}
	ask->sort_by = column == SIZE_MAX ? keys : column;
	rc = tn_groups_sort(g, ask->sort_by, true, err);
	if (rc == TN_OK && tn_groups_count(g) && tn_groups_row(g, 0, NULL)[ask->sort_by].kind == TN_ANSWER_TEXT)
		rc = tn_groups_sort(g, ask->sort_by, false, err);
	return rc;
}

static enum tn_code
run_groups(struct job *job)
{
	struct answer_request *ask = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_groups *groups = ask->groups;
	enum tn_code rc = TN_OK;

	ask->groups = NULL;
	if (!groups && *ask->spans) {
		rc = define(ask, job->q.set, &job->error);
		if (rc == TN_OK && *ask->where)
			rc = tn_spans_where(ask->definitions, ask->where, &job->error);
		if (rc == TN_OK)
			rc = tn_groups_of_spans(&groups, ask->definitions, ask->by, ask->show, &job->error);
		if (rc == TN_OK)
			rc = tn_groups_run(groups, &scan, &job->error);
	} else if (!groups) {
		rc = tn_groups_new(&groups, job->q.set, ask->by, ask->show, &job->error);
		if (rc == TN_OK)
			rc = tn_groups_run(groups, &scan, &job->error);
	}
	if (rc == TN_OK)
		rc = sort_groups(ask, groups, &job->error);
	if (rc == TN_OK)
		take_groups(job, groups);
	if (rc == TN_OK && tn_groups_remark(groups))
		ask->remark = strdup(tn_groups_remark(groups));
	if (rc == TN_OK && ask->table.n < tn_groups_count(groups))
		ask->groups = groups;
	else
		tn_groups_free(groups);
	return rc;
}

/* ---- the waits of a thread ---- */

static int
take_link(void *user, const struct tn_chain_link *l)
{
	struct job *job = user;
	struct answer_request *ask = job->data;
	struct table *t = &ask->table;
	struct answer_row *r = t->n < ROWS_MAX ? table_row(t) : NULL;
	char text[80] = "";
	int n;

	if (!r) {
		ask->cut |= t->n >= ROWS_MAX;
		t->failed |= t->n < ROWS_MAX;
		return 1;
	}
	ask->knows |= l->kind != TN_CHAIN_UNKNOWN;
	r->has_times = true;
	r->begin_ns = l->begin_ns;
	r->end_ns = l->end_ns;
	table_number(t, r, 0, l->begin_ns);
	table_number(t, r, 1, l->end_ns - l->begin_ns);
	snprintf(text, sizeof text, "%*s%lld", (int)(2 * l->depth), "", (long long)l->tid);
	table_text(t, r, 2, text);
	r->cell[2].number = tn_answer_number(true, l->tid);
	*text = '\0';
	table_text(t, r, 3, _(tn_chain_kind_name(l->kind)));
	n = l->whom < 0 ? 0 : snprintf(text, sizeof text, l->kind == TN_CHAIN_ASLEEP ? _("woken by %lld") : _("%lld ran"),
				       (long long)l->whom);
	if (l->doubtful && n >= 0 && (size_t)n < sizeof text)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", n ? ", " : "", _("doubtful"));
	table_text(t, r, 4, text);
	r->cell[4].number = tn_answer_number(l->whom >= 0, l->whom);
	return t->failed || job_stopped(job);
}

/* If there is no range, explain the whole time. */
static enum tn_code
chain_times(struct job *job, int64_t *begin_ns, int64_t *end_ns)
{
	int64_t first_ns, last_ns;
	enum tn_code rc;

	if (*begin_ns != INT64_MIN && *end_ns != INT64_MAX)
		return TN_OK;
	rc = tn_set_time_range(job->q.set, &first_ns, &last_ns, &job->error);
	*begin_ns = *begin_ns == INT64_MIN ? first_ns : *begin_ns;
	*end_ns = *end_ns == INT64_MAX ? last_ns : *end_ns;
	return rc;
}

static enum tn_code
run_chain(struct job *job)
{
	struct answer_request *ask = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct table *t = &ask->table;
	const char *host = NULL;
	char text[400];
	int64_t tid;
	bool cut = false;
	int64_t begin_ns = ask->chain_begin_ns, end_ns = ask->chain_end_ns;
	enum tn_code rc = tn_chain_thread(job->q.set, &scan, &ask->chain_at, &host, &tid, &job->error);

	if (ask->chain_tid >= 0 && rc >= 0) {
		rc = TN_OK;
		tid = ask->chain_tid;
	}
	if (rc == TN_OK)
		rc = chain_times(job, &begin_ns, &end_ns);
	if (rc == TN_END) {
		snprintf(job->error.text, sizeof job->error.text, "%s",
			 _("the thread of this event is unknown: events need a tid, or sched_switch before them"));
		return TN_ERR_ARGUMENT;
	}
	table_column(t, _("begin"), 0, TN_GROUP_TIME);
	table_column(t, _("duration"), TN_COLUMN_RIGHT, TN_GROUP_DURATION);
	text_column(t, _("thread"));
	text_column(t, _("it"));
	text_column(t, _("because of"));
	if (rc == TN_OK)
		rc = tn_chain_run(job->q.set, &scan, host, tid, begin_ns, end_ns, take_link, job, &cut,
				  &job->error);
	if (rc == TN_OK && !ask->knows) {
		if (host)
			snprintf(text, sizeof text, _("no event in this time shows what thread %jd of %s did; the host is that "
						      "of the event under the cursor"), (intmax_t)tid, host);
		else
			snprintf(text, sizeof text, _("no event in this time shows what thread %jd did"), (intmax_t)tid);
		ask->remark = strdup(text);
	}
	ask->cut |= cut;
	return rc == TN_OK && t->failed ? TN_ERR_MEMORY : rc;
}

/* Replace keys and fields that are addresses by names. */
static void
name_addresses(struct job *job)
{
	struct answer_request *ask = job->data;
	struct table *t = &ask->table;
	struct naming *naming = job->q.opened->naming;
	struct tn_str name = { 0 };

	for (size_t c = 0; c < t->n_columns; c++) {
		const char *field = tn_table_column_name(t->form, c);

		if (!naming_is_address("ros2:", field, ask->addresses) || !naming_read(naming, job->q.set, ask->options))
			continue;
		for (size_t i = 0; i < t->n && !job_stopped(job); i++) {
			const struct tn_answer_value *v = &t->row[i].cell[c].number;

			tn_str_clear(&name);
			if (v->kind == TN_ANSWER_UINT && naming_name(naming, NULL, v->is.u, NAMING_WHOLE, &name))
				table_label(t, &t->row[i], c, name.text);
		}
	}
	tn_str_release(&name);
}

static char *
copy(const char *text, bool *failed)
{
	char *own = text ? strdup(text) : NULL;

	*failed |= text && !own;
	return own;
}

struct answer_request *
answers_ask(const struct session *s, enum answer_kind kind)
{
	const struct answer_wish *w = &s->answers.wish;
	struct answer_request *ask = calloc(1, sizeof *ask);
	bool failed = false;

	if (!ask)
		return NULL;
	ask->kind = kind;
	ask->sort = w->sort;
	ask->spans = copy(w->spans ? w->spans : "", &failed);
	ask->by = copy(w->by ? w->by : "", &failed);
	ask->show = copy(w->show ? w->show : w->spans ? OF_SPANS : "count", &failed);
	ask->where = copy(w->where ? w->where : "", &failed);
	ask->why = copy(w->why, &failed);
	ask->utf8 = s->utf8;
	ask->options = s->options;
	strcpy(ask->addresses, s->settings.addresses);
	ask->chain_at = w->chain_at;
	ask->chain_begin_ns = w->chain_begin_ns;
	ask->chain_end_ns = w->chain_end_ns;
	ask->chain_tid = w->chain_tid;
	memcpy(ask->same, s->settings.same, sizeof ask->same);
	ask->unfolded = w->unfolded;
	memcpy(ask->part, w->part, sizeof ask->part);
	if (!failed && (w->other || answers_of_two_selections(kind)))
		failed = !answers_ask_other(ask, s);
	if (failed) {
		answers_free(ask);
		return NULL;
	}
	return ask;
}

void
answers_run(struct job *job)
{
	static enum tn_code (*const run[])(struct job *job) = {
		[ANSWER_SPANS] = run_spans, [ANSWER_PAIRS] = pairs_run, [ANSWER_GROUPS] = run_groups, [ANSWER_CHAIN] = run_chain,
		[ANSWER_DIFF] = diff_run, [ANSWER_WHY] = why_run, [ANSWER_LINES] = lines_run,
		[ANSWER_SEQUENCE] = sequence_run,
	};

	struct answer_request *ask = job->data;
	const char *const text[] = { ask->spans, ask->where, ask->by, ask->show };

	job->code = ask->condition ? answers_open_other(job) : TN_OK;
	if (job->code != TN_OK)
		return;
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		naming_prepare(job->q.opened->naming, job->q.set, ask->options, text[i]);
	ask->table.text = ask->other_query ? ask->other_query->text : job->q.query->text;
	job->code = run[ask->kind](job);
	if (job->code == TN_OK && !ask->other && (ask->kind == ANSWER_SPANS || ask->kind == ANSWER_GROUPS))
		name_addresses(job);
	ask->table.text = NULL;
}

void
answers_free(void *data)
{
	struct answer_request *ask = data;

	table_release(&ask->table);
	tn_groups_free(ask->groups);
	tn_spans_free(ask->definitions);
	tn_sequence_free(ask->sequence);
	free(ask->column);
	free(ask->first);
	free(ask->spans);
	free(ask->by);
	free(ask->show);
	free(ask->where);
	free(ask->remark);
	free(ask->why);
	free(ask->other_path);
	conditions_free(ask->condition, ask->n_conditions);
	query_put(ask->other_query);	/* release it before the set that it refers to */
	opened_put(ask->other);
	free(ask);
}
