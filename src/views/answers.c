#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tnav/answer.h>

#include "answers_table.h"
#include "gettext.h"
#include "list.h"
#include "session/kept.h"

/*
 * Spans, groups of events or spans, and the pairs that are proposed: tables that a job makes of the events that
 * pass the filters. Enter goes to a span's begin, % to its end; takes a pair; filters for a group's key, or shows the
 * spans of a group. S makes groups of the spans, & a condition or another definition, Delete refuses a pair.
 */
#define OF_SPANS "count, sum(duration), min(duration), p50(duration), p90(duration), p99(duration), max(duration)"
#define PARTS 8		/* of a distribution */

struct asking_for {
	enum answer_kind kind;
	char *spans, *by, *show, *where;
	bool utf8;
	size_t n_columns, quantile;	/* of the groups; a column of a quantile, 0: none */
	bool duration[COLUMNS_MAX];	/* of each column */
	struct table table;
	struct tn_spans *definitions;
	uint8_t *column;	/* of the spans: of each key and field to show, definition by definition */
	size_t *first;		/* where a definition's begin in it */
	bool unfolded;
	struct timespec until;	/* for so long it is looked which pairs have events */
	struct job *job;
	struct answers *view;	/* the app's thread */
};

struct answers {
	struct list_view list;
	struct job *job;
	enum answer_kind kind;
	struct table table;
	size_t sorted;
	bool up;
	bool done;
	bool from_pairs, from_spans;	/* where it was opened from: closing goes back there */
};

/* ---- the job ---- */

static int
take_span(void *user, const struct tn_span *s)
{
	struct asking_for *ask = ((struct job *)user)->data;
	const struct query *q = ((struct job *)user)->q.query;
	struct table *t = &ask->table;
	struct answer_row *r = table_row(t);
	struct tn_str time = { 0 };
	const uint8_t *column = ask->column + ask->first[s->definition];

	t->of_state[s->state]++;
	if (!r) {
		t->failed = true;
		return 1;
	}
	r->has_begin = s->is_at_begin;
	r->has_end = s->is_at_end;
	r->begin = s->begin;
	r->end = s->end;
	r->weight = s->has_duration ? (double)s->duration_ns : 0;
	table_duration(t, r, 0, s->has_duration, (double)s->duration_ns);
	table_cell(t, r, 1, tn_span_state_name(s->state), strlen(tn_span_state_name(s->state)), NAN);
	tn_text_time(q->text, s->has_begin ? s->begin_ns : s->end_ns, &time);
	table_cell(t, r, 2, time.text ? time.text : "", time.n, (double)(s->has_begin ? s->begin_ns : s->end_ns));
	tn_str_release(&time);
	table_cell(t, r, 3, s->name, strlen(s->name), NAN);
	for (size_t i = 0; i < s->n_keys; i++)
		if (column[i])
			table_value(t, r, column[i], &s->key[i]);
	for (size_t i = 0; i < s->n_captured; i++)
		if (column[s->n_keys + i])
			table_value(t, r, column[s->n_keys + i], &s->captured[i]);
	return t->failed;
}

static enum tn_code
define(struct asking_for *ask, struct tn_set *set, struct tn_error *err)
{
	enum tn_code rc = tn_spans_new(&ask->definitions, set, err), some = TN_ERR_ARGUMENT;
	char *copy = strdup(ask->spans), *rest = copy;
	bool had = false;

	/* Those of a ready question whose events are there; one that was typed has to be right. */
	for (char *line; rc == TN_OK && copy && (line = strsep(&rest, "\n"));) {
		bool other = strncmp(line, "else ", 5) == 0;	/* of a ready question: if the one before has no events here */

		if (other && had)
			continue;
		had = tn_spans_add(ask->definitions, line + (other ? 5 : 0), err) == TN_OK;
		if (had)
			some = TN_OK;
	}
	free(copy);
	return rc == TN_OK ? some : rc;
}

/* The column of that name, which keys of several definitions may have; 0: there is no room. */
static uint8_t
column_named(struct table *t, const char *name)
{
	size_t i = 4;

	while (i < t->n_columns && strcmp(t->column[i], name) != 0)
		i++;
	if (i == t->n_columns)
		table_column(t, name, false);
	return i < t->n_columns ? (uint8_t)i : 0;
}

/* Keys of all definitions, then what they show. */
static bool
name_values(struct asking_for *ask)
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
	struct asking_for *ask = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct table *t = &ask->table;
	enum tn_code rc = define(ask, job->q.set, &job->error);

	if (rc == TN_OK && *ask->where)
		rc = tn_spans_where(ask->definitions, ask->where, &job->error);
	if (rc != TN_OK)
		return rc;
	table_column(t, _("duration"), true);
	table_column(t, _("state"), false);
	table_column(t, _("begin"), false);
	table_column(t, _("name"), false);
	if (!name_values(ask))
		return TN_ERR_MEMORY;
	return tn_spans_run(ask->definitions, &scan, TN_SPANS_BY_END, take_span, job, NULL, &job->error);
}

/* How many of the durations lie where between the least and the most, in steps of equal factors. */
static void
set_distribution(struct asking_for *ask, struct answer_row *r, size_t column, struct tn_groups *g, size_t row)
{
	static const char *const blocks[] = {
		" ", "\342\226\201", "\342\226\202", "\342\226\203", "\342\226\204", "\342\226\205", "\342\226\206",
		"\342\226\207", "\342\226\210",
	}, *const letters[] = { " ", ".", ":", "-", "=", "+", "*", "%", "#" };
	uint64_t part[PARTS] = { 0 }, most = 0;
	char text[4 * PARTS + 1] = "";

	if (tn_groups_spread(g, row, ask->quantile, part, PARTS))
		for (size_t i = 0; i < PARTS; i++)
			most = part[i] > most ? part[i] : most;
	for (size_t i = 0; i < PARTS && most; i++)
		strcat(text, (ask->utf8 ? blocks : letters)[part[i] ? 1 + (size_t)((double)part[i] * 7 / (double)most) : 0]);
	table_cell(&ask->table, r, column, text, strlen(text), NAN);
}

/* Which spans a group is of, as a condition over spans. */
static char *
condition_of(const struct table *t, const struct answer_row *r, const struct tn_answer_value *key)
{
	struct tn_str all = { 0 };

	for (size_t i = 0; i < t->n_keys; i++) {
		const char *text = r->cell[i].text ? r->cell[i].text : "";

		if (key[i].kind == TN_ANSWER_NONE || strncmp(t->column[i], "time/", 5) == 0 || strpbrk(text, "\"\\")) {
			tn_str_release(&all);
			return NULL;
		}
		tn_str_printf(&all, isnan(r->cell[i].number) ? "%s%s == \"%s\"" : "%s%s == %s", i ? " and " : "", t->column[i],
			      text);
	}
	return all.text ? all.text : strdup("");
}

/* The usual ones of spans have short names, and their distribution is drawn. */
static void
name_columns(struct asking_for *ask, const struct tn_groups *g)
{
	static const char *const own[] = { "count", "total", "min", "p50", "p90", "p99", "max" };
	struct table *t = &ask->table;
	bool usual = *ask->spans && strcmp(ask->show, OF_SPANS) == 0;

	for (size_t c = 0; tn_groups_column(g, c) && c < COLUMNS_MAX; c++) {
		const char *name = tn_groups_column(g, c);

		if (*ask->spans && c >= t->n_keys && name[0] == 'p' && name[1] >= '0' && name[1] <= '9' && !ask->quantile)
			ask->quantile = c;
		table_column(t, usual && c >= t->n_keys ? own[c - t->n_keys] : name, c >= t->n_keys);
		ask->n_columns = c + 1;
		ask->duration[c] = c >= t->n_keys && (strstr(name, "duration)") || strstr(name, "(dur)")) &&
				   strncmp(name, "count", 5) != 0 && strncmp(name, "distinct", 8) != 0;
	}
	if (ask->quantile)
		table_column(t, _("spread"), false);
}

static void
take_groups(struct asking_for *ask, struct tn_groups *g)
{
	struct table *t = &ask->table;
	struct tn_span_counts spans = tn_groups_span_counts(g);
	size_t n = tn_groups_count(g);

	t->n_keys = tn_groups_key_count(g);
	memcpy(t->of_state, spans.of_state, sizeof t->of_state);
	name_columns(ask, g);
	for (size_t i = 0; i < n && i < ROWS_MAX && !t->failed; i++) {
		const struct tn_answer_value *v = tn_groups_row(g, i, NULL);
		struct answer_row *r = table_row(t);

		if (!r) {
			t->failed = true;
			return;
		}
		for (size_t c = 0; c < ask->n_columns && c < t->n_columns; c++) {
			if (ask->duration[c] && v[c].kind != TN_ANSWER_NONE)
				table_short_duration(t, r, c, table_number(&v[c]));
			else
				table_value(t, r, c, &v[c]);
		}
		if (*ask->spans)
			r->condition = condition_of(t, r, v);
		if (ask->quantile)
			set_distribution(ask, r, ask->n_columns, g, i);
	}
	t->all = n;
}

static enum tn_code
run_groups(struct job *job)
{
	struct asking_for *ask = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_groups *groups = NULL;
	enum tn_code rc = TN_OK;

	if (*ask->spans) {
		rc = define(ask, job->q.set, &job->error);
		if (rc == TN_OK && *ask->where)
			rc = tn_spans_where(ask->definitions, ask->where, &job->error);
		if (rc == TN_OK)
			rc = tn_groups_of_spans(&groups, ask->definitions, ask->by, ask->show, &job->error);
	} else {
		rc = tn_groups_new(&groups, job->q.set, ask->by, ask->show, &job->error);
	}
	if (rc == TN_OK)
		rc = tn_groups_run(groups, &scan, &job->error);
	if (rc == TN_OK)
		rc = tn_groups_sort(groups, tn_groups_key_count(groups), true, &job->error);
	if (rc == TN_OK)
		take_groups(ask, groups);
	tn_groups_free(groups);
	return rc;
}

static void
add_pair(struct table *t, const char *definition, int what)
{
	static const char *const says[] = { "", N_("taken"), N_("refused"), "", "" };
	struct answer_row *r = table_row(t);

	if (!r)
		return;
	r->pair = what;
	table_cell(t, r, 0, *says[what] ? _(says[what]) : "", strlen(*says[what] ? _(says[what]) : ""), NAN);
	table_cell(t, r, 1, definition, strlen(definition), NAN);
}

/* Nobody waits for ever to see them in a better order. */
static bool
looked_enough(void *user)
{
	const struct asking_for *ask = ((struct job *)user)->data;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return job_stopped(user) || now.tv_sec > ask->until.tv_sec ||
	       (now.tv_sec == ask->until.tv_sec && now.tv_nsec > ask->until.tv_nsec);
}

static enum tn_code
look(struct job *job, struct tn_pairs *pairs)
{
	struct asking_for *ask = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	enum tn_code rc;

	clock_gettime(CLOCK_MONOTONIC, &ask->until);
	ask->until.tv_sec++;
	scan.progress = NULL;
	scan.stopped = looked_enough;
	rc = tn_pairs_look(pairs, &scan, &job->error);
	return rc == TN_ERR_CANCELLED && !job_stopped(job) ? TN_OK : rc;
}

/* Those that are proposed and have events; the others are behind a fold. */
static void
add_proposed(struct asking_for *ask, const struct tn_pairs *pairs, const struct kept *kept)
{
	size_t n = tn_pairs_count(pairs), folded = 0;
	char text[200], number[32];

	for (size_t i = 0; i < n; i++) {
		const char *d = tn_pairs_definition(pairs, i);

		if (kept_find(kept, d))
			continue;
		if (i < tn_pairs_met(pairs) || ask->unfolded)
			add_pair(&ask->table, d, PAIR_PROPOSED);
		else
			folded++;
	}
	if (!folded)
		return;
	snprintf(text, sizeof text, ngettext("%s more without events here: Enter shows it",
					     "%s more without events here: Enter shows them", folded), number_text(folded, number));
	add_pair(&ask->table, text, PAIR_FOLD);
}

/* Those that were taken and are of events that are here, those proposed, those refused. */
static enum tn_code
run_pairs(struct job *job)
{
	struct asking_for *ask = job->data;
	struct tn_spans *spans = NULL;
	struct tn_pairs *pairs;
	struct kept kept = { 0 };
	enum tn_code rc = tn_pairs_new(&pairs, job->q.set, &job->error);

	if (rc == TN_OK)
		rc = tn_spans_new(&spans, job->q.set, &job->error);
	if (rc == TN_OK && !kept_read(&kept, &job->error))
		rc = TN_ERR_SYSTEM;
	if (rc == TN_OK)
		rc = look(job, pairs);
	table_column(&ask->table, "", false);
	table_column(&ask->table, _("seem to belong together: Enter takes, & changes, Delete refuses"), false);
	for (int what = PAIR_TAKEN; rc == TN_OK && what <= PAIR_REFUSED; what++) {
		for (size_t i = 0; i < kept.n; i++)
			if (kept.item[i].refused == (what == PAIR_REFUSED) &&
			    tn_spans_add(spans, kept.item[i].definition, NULL) == TN_OK)
				add_pair(&ask->table, kept.item[i].definition, what);
		if (what == PAIR_TAKEN)
			add_proposed(ask, pairs, &kept);
	}
	if (rc == TN_OK && !ask->table.n)
		add_pair(&ask->table, _("no events are named like begin and end: :span BEGIN END by KEY says which are"),
			 PAIR_WORDS);
	kept_release(&kept);
	tn_spans_free(spans);
	tn_pairs_free(pairs);
	return rc;
}

static void
answers_run(struct job *job)
{
	struct asking_for *ask = job->data;

	job->code = ask->kind == ANSWER_PAIRS ? run_pairs(job) : ask->kind == ANSWER_SPANS ? run_spans(job) : run_groups(job);
}

static void sort(struct answers *a);

static void
answers_end(struct job *job)
{
	struct asking_for *ask = job->data;
	struct answers *a = ask->view;

	a->job = NULL;
	a->done = true;
	a->table = ask->table;
	ask->table = (struct table) { 0 };
	a->list.n = a->table.n;
	if (job->code < 0 && job->code != TN_ERR_CANCELLED)
		session_fail(a->list.base.session, "%s", job->error.text);
	else if (job->code == TN_OK && !a->table.n)
		session_say(a->list.base.session, "%s", a->kind == ANSWER_SPANS ? _("there are no such spans") :
			    *ask->spans ? _("there are no such spans, and no groups of them") :
			    _("no event passes: there are no groups"));
	a->sorted = a->kind == ANSWER_GROUPS ? a->table.n_keys : 0;
	if (a->kind != ANSWER_PAIRS)
		sort(a);
}

static void
answers_free(void *data)
{
	struct asking_for *ask = data;

	table_release(&ask->table);
	tn_spans_free(ask->definitions);
	free(ask->column);
	free(ask->first);
	free(ask->spans);
	free(ask->by);
	free(ask->show);
	free(ask->where);
	free(ask);
}

static const struct job_class answers_class = {
	.label = N_("looking for the answer"),
	.run = answers_run, .finish = answers_end, .cancelled = answers_end, .free = answers_free,
};

/* ---- the view ---- */

static bool
start(struct answers *a, struct tn_error *err)
{
	struct session *s = a->list.base.session;
	const struct answer_wish *w = &s->answer;
	struct asking_for *ask = calloc(1, sizeof *ask);

	strcpy(err->text, "out of memory");
	if (!ask)
		return false;
	ask->view = a;
	a->kind = ask->kind = w->kind == ANSWER_SPANS && !w->spans ? ANSWER_PAIRS : w->kind;
	a->list.base.no_hint = a->kind == ANSWER_PAIRS;	/* the heading has its keys */
	ask->spans = strdup(w->spans ? w->spans : "");
	ask->by = strdup(w->by ? w->by : "");
	ask->show = strdup(w->show ? w->show : w->spans ? OF_SPANS : "count");
	ask->where = strdup(w->where ? w->where : "");
	if (!ask->spans || !ask->by || !ask->show || !ask->where) {
		answers_free(ask);
		return false;
	}
	job_drop(a->job);	/* it may still look for what was asked before */
	a->job = NULL;
	table_release(&a->table);
	a->list.n = a->list.top = a->list.selected = 0;
	a->done = a->up = false;
	ask->utf8 = s->utf8;
	ask->unfolded = w->unfolded;
	/* A condition over events is one more filter; one over spans is theirs. */
	if (*ask->where && !*ask->spans) {
		struct query *query;

		if (query_new(&query, s->set, &s->settings.text, s->condition, s->n_conditions, ask->where, true, err) != TN_OK) {
			answers_free(ask);
			return false;
		}
		a->job = job_ask(s, &answers_class, ask, query);
		query_put(query);	/* the job has its own */
		return true;
	}
	a->job = job_start(s, &answers_class, ask);
	return true;
}

static bool
answers_open(struct view *v, struct tn_error *err)
{
	return start((struct answers *)v, err);
}

static void
answers_close(struct view *v)
{
	struct answers *a = (struct answers *)v;

	job_drop(a->job);
	table_release(&a->table);
}

static unsigned
answers_turn(struct view *v)
{
	return ((struct answers *)v)->job ? VIEW_REDRAW : VIEW_PASS;
}

static const struct answers *sorting;	/* qsort() has no room for it; the app's thread alone */

static int
compare(const void *x, const void *y)
{
	const struct answer_cell *a = &((const struct answer_row *)x)->cell[sorting->sorted];
	const struct answer_cell *b = &((const struct answer_row *)y)->cell[sorting->sorted];
	int order;

	if (isnan(a->number) != isnan(b->number))
		order = isnan(a->number) ? 1 : -1;
	else if (!isnan(a->number))
		order = a->number > b->number ? -1 : a->number < b->number;
	else
		order = strcmp(a->text ? a->text : "", b->text ? b->text : "");
	if (!order)
		order = tn_location_compare(&((const struct answer_row *)x)->begin, &((const struct answer_row *)y)->begin);
	return order;
}

static void
sort(struct answers *a)
{
	sorting = a;
	if (a->table.n && a->sorted < a->table.n_columns)
		qsort(a->table.row, a->table.n, sizeof *a->table.row, compare);
}

static void
put_cell(struct line *out, const struct table *t, size_t column, unsigned style, const char *text)
{
	int from = out->width;

	if (column)
		line_puts(out, style, "  ");
	from = out->width;
	if (t->right[column]) {
		line_right(out, style, text, t->width[column]);
		return;
	}
	line_puts(out, style, text);
	if (column + 1 < t->n_columns)
		line_pad(out, from + t->width[column], false);
}

static void
answers_heading(struct view *v, struct line *out)
{
	struct answers *a = (struct answers *)v;

	for (size_t i = 0; i < a->table.n_columns; i++)
		put_cell(out, &a->table, i, i == a->sorted && a->kind != ANSWER_PAIRS ? STYLE_HEADING | STYLE_MATCH : STYLE_HEADING,
			 a->table.column[i] ? a->table.column[i] : "");
}

static void
answers_row(struct view *v, size_t i, struct line *out)
{
	struct answers *a = (struct answers *)v;

	for (size_t c = 0; c < a->table.n_columns; c++)
		put_cell(out, &a->table, c, STYLE_TEXT, a->table.row[i].cell[c].text ? a->table.row[i].cell[c].text : "");
}

static void
answers_status(struct view *v, struct line *out)
{
	struct answers *a = (struct answers *)v;
	char n[32], m[32];

	if (!a->done)
		return;
	line_printf(out, STYLE_STATUS, ngettext("%s line", "%s lines", a->table.n), number_text(a->table.n, n));
	if (a->table.all > a->table.n)
		line_printf(out, STYLE_STATUS, _(" of %s: the others are shorter"), number_text(a->table.all, m));
	for (int i = TN_SPAN_OPEN; i <= TN_SPAN_DOUBTFUL; i++)
		if (a->table.of_state[i])
			line_printf(out, STYLE_STATUS, ", %s %s", number_text(a->table.of_state[i], n),
				    tn_span_state_name((enum tn_span_state)i));
}

/* The same of other things: spans of a group, groups of the spans. */
static unsigned
ask_again(struct answers *a, enum answer_kind kind, const char *spans, const char *where)
{
	struct session *s = a->list.base.session;
	char *own_spans = strdup(spans ? spans : ""), *own_where = strdup(where ? where : "");
	struct tn_error err;

	if (own_spans && own_where) {
		free(s->answer.spans);
		free(s->answer.where);
		free(s->answer.by);
		free(s->answer.show);
		s->answer.kind = kind;
		s->answer.spans = own_spans;
		s->answer.where = own_where;
		s->answer.by = kind == ANSWER_GROUPS ? strdup("name") : NULL;
		s->answer.show = NULL;
		if (!start(a, &err))
			session_fail(s, "%s", err.text);
	} else {
		free(own_spans);
		free(own_where);
	}
	return VIEW_DONE | VIEW_REDRAW;
}

/* Enter on a group: its first key is what is looked at; of spans: they are. */
static unsigned
filter_for(struct answers *a, const struct answer_row *r)
{
	const struct answer_cell *c = &r->cell[0];
	struct session *s = a->list.base.session;
	bool number = !isnan(c->number);
	char *all = NULL;

	if (s->answer.spans && r->condition) {
		const char *where = s->answer.where ? s->answer.where : "";
		unsigned reply;

		if (asprintf(&all, *where && *r->condition ? "(%s) and %s" : "%s%s", where, r->condition) < 0)
			return VIEW_DONE;
		reply = ask_again(a, ANSWER_SPANS, s->answer.spans, all);
		free(all);
		return reply;
	}
	if (!a->table.n_keys || !c->text || s->answer.spans || strchr(c->text, '"') ||
	    strncmp(a->table.column[0], "time", 4) == 0) {
		session_say(s, _("no filter can say this value"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	free(a->list.base.wish);
	if (asprintf(&a->list.base.wish, number ? "%s == %s" : "%s == \"%s\"", a->table.column[0], c->text) < 0)
		a->list.base.wish = NULL;
	return VIEW_DONE | VIEW_FILTER;
}

static const char *
pair_of(const struct answer_row *r)
{
	return r->cell[1].text ? r->cell[1].text : "";
}

/* Kept for the next trace that has such events. */
static void
keep(struct answers *a, const char *definition, enum keep what)
{
	struct tn_error err;

	if (!kept_change(definition, what, &err))
		session_fail(a->list.base.session, _("the definition is not kept: %s"), err.text);
}

/* The list of pairs, again. */
static unsigned
show_pairs(struct answers *a)
{
	struct answer_wish *w = &a->list.base.session->answer;
	struct tn_error err;

	free(w->spans);
	free(w->where);
	w->spans = w->where = NULL;
	w->kind = ANSWER_SPANS;
	a->from_pairs = false;
	if (!start(a, &err))
		session_fail(a->list.base.session, "%s", err.text);
	return VIEW_DONE | VIEW_REDRAW;
}

/* Where it came from, if that was a list of answers. */
static unsigned
go_back(struct answers *a)
{
	struct answer_wish *w = &a->list.base.session->answer;

	if (a->kind == ANSWER_GROUPS && a->from_spans) {
		a->from_spans = false;
		return ask_again(a, ANSWER_SPANS, w->spans, w->where);
	}
	return a->kind == ANSWER_SPANS && a->from_pairs ? show_pairs(a) : VIEW_PASS;
}

static unsigned
open_row(struct answers *a, bool end)
{
	const struct answer_row *r = &a->table.row[a->list.selected];

	if (a->kind == ANSWER_PAIRS && r->pair == PAIR_FOLD) {
		a->list.base.session->answer.unfolded = true;
		return show_pairs(a);
	}
	if (a->kind == ANSWER_PAIRS && r->pair == PAIR_WORDS)
		return VIEW_DONE;
	if (a->kind == ANSWER_PAIRS) {
		keep(a, pair_of(r), KEEP_TAKEN);
		a->from_pairs = true;
		return ask_again(a, ANSWER_SPANS, pair_of(r), NULL);
	}
	if (a->kind == ANSWER_GROUPS)
		return filter_for(a, r);
	if (end ? !r->has_end : !r->has_begin)
		end = !end;
	a->list.base.go = (struct place) { .kind = PLACE_LOCATION, .location = end ? r->end : r->begin };
	return VIEW_DONE | VIEW_GO;
}

static unsigned
refuse(struct answers *a, struct answer_row *r)
{
	bool refused = r->pair == PAIR_REFUSED;
	const char *says = refused ? "" : _("refused");

	keep(a, pair_of(r), refused ? KEEP_NOTHING : KEEP_REFUSED);
	free(r->cell[0].text);
	table_cell(&a->table, r, 0, says, strlen(says), NAN);
	r->pair = refused ? PAIR_PROPOSED : PAIR_REFUSED;
	return VIEW_DONE | VIEW_REDRAW;
}

/* The command that made this, to be made another. */
static unsigned
change(struct answers *a)
{
	struct session *s = a->list.base.session;
	const struct answer_wish *w = &s->answer;
	bool pair = a->kind == ANSWER_PAIRS && a->list.selected < a->list.n && a->table.row[a->list.selected].pair < PAIR_FOLD;
	char **wish = &a->list.base.wish;
	int n;

	free(*wish);
	if (pair) {
		free(s->answer.changes);
		s->answer.changes = strdup(pair_of(&a->table.row[a->list.selected]));
		n = asprintf(wish, "span %s", pair_of(&a->table.row[a->list.selected]));
	} else if (a->kind == ANSWER_GROUPS) {
		n = asprintf(wish, "%s %s where ", w->spans ? "group" : "by", w->by && *w->by ? w->by : "name");
	} else {
		n = asprintf(wish, "span %s where ", w->spans ? w->spans : "");
	}
	if (n < 0)
		*wish = NULL;
	if (*wish && strchr(*wish, '\n'))
		(*wish)[strcspn(*wish, "\n")] = '\0';
	return VIEW_DONE | VIEW_ASK;
}

static unsigned
answers_act(struct view *v, const struct call *call)
{
	struct answers *a = (struct answers *)v;

	if (call->action == ACT_SORT && a->table.n_columns) {
		a->sorted = (a->sorted + 1) % a->table.n_columns;
		sort(a);
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (call->action == ACT_FILTER && a->done)
		return change(a);
	if (call->action == ACT_CLOSE)
		return go_back(a);
	if (call->action == ACT_STATISTICS && a->kind == ANSWER_SPANS)
		a->from_spans = true;
	if (call->action == ACT_STATISTICS && a->kind == ANSWER_SPANS)
		return ask_again(a, ANSWER_GROUPS, a->list.base.session->answer.spans, a->list.base.session->answer.where);
	if (call->action == ACT_REMOVE && a->kind == ANSWER_PAIRS && a->list.selected < a->list.n &&
	    a->table.row[a->list.selected].pair < PAIR_FOLD)
		return refuse(a, &a->table.row[a->list.selected]);
	if (a->list.selected >= a->list.n || (call->action != ACT_OPEN && call->action != ACT_SPAN_END))
		return VIEW_PASS;
	return open_row(a, call->action == ACT_SPAN_END);
}

const struct view_class answers_view = {
	.name = "answers",
	.title = N_("answers"),
	.hint = N_("Enter goes to its begin  Tab sorts  q back  its end: %"),
	.size = sizeof(struct answers),
	.open = answers_open,
	.close = answers_close,
	.turn = answers_turn,
	.act = answers_act,
	.status = answers_status,
	.row = answers_row,
	.heading = answers_heading,
};
