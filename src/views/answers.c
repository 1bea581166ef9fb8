#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "gettext.h"
#include "list.h"

/*
 * Spans, groups of events or spans, and the pairs that are proposed: tables that a job makes of the events that
 * pass the filters. Enter goes to a span's begin, % to its end; takes a pair; filters for a group's key.
 */
#define ROWS_MAX 10000		/* the longest spans, the largest groups */
#define COLUMNS_MAX 24
#define TEXT_MAX 200

struct answer_cell {
	char *text;		/* safe */
	double number;		/* to sort by; NaN: by text */
};

struct answer_row {
	struct answer_cell *cell;
	bool has_begin, has_end;
	struct tn_location begin, end;
	double weight;		/* what stays when there are too many */
};

struct table {
	char *column[COLUMNS_MAX];
	int width[COLUMNS_MAX];
	bool right[COLUMNS_MAX];
	size_t n_columns, n_keys;
	struct answer_row *row;
	size_t n, room;
	uint64_t all;		/* rows that there are, with those left out */
	uint64_t of_state[4];
	bool failed;
};

struct asking_for {
	enum answer_kind kind;
	char *spans, *by, *show, *where;
	struct table table;
	struct tn_spans *definitions;
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
};

/* ---- tables ---- */

static void
free_row(const struct table *t, struct answer_row *r)
{
	for (size_t i = 0; r->cell && i < t->n_columns; i++)
		free(r->cell[i].text);
	free(r->cell);
	r->cell = NULL;
}

static void
table_release(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free_row(t, &t->row[i]);
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->column[i]);
	free(t->row);
	*t = (struct table) { 0 };
}

static void
add_column(struct table *t, const char *name, bool right)
{
	struct tn_str safe = { 0 };

	if (t->n_columns == COLUMNS_MAX)
		return;
	tn_text_safe(name, strlen(name), &safe);
	t->right[t->n_columns] = right;
	t->width[t->n_columns] = (int)safe.n;
	t->column[t->n_columns++] = safe.text ? safe.text : strdup("");
}

static int
by_weight(const void *a, const void *b)
{
	const struct answer_row *x = a, *y = b;

	return x->weight > y->weight ? -1 : x->weight < y->weight;
}

/* A row more; when there are too many the lightest half goes. */
static struct answer_row *
add_row(struct table *t)
{
	struct answer_row *r;

	t->all++;
	if (t->n == 2 * ROWS_MAX) {
		qsort(t->row, t->n, sizeof *t->row, by_weight);
		while (t->n > ROWS_MAX)
			free_row(t, &t->row[--t->n]);
	}
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 256;

		r = realloc(t->row, room * sizeof *r);
		if (!r)
			return NULL;
		t->row = r;
		t->room = room;
	}
	r = &t->row[t->n];
	*r = (struct answer_row) { .cell = calloc(t->n_columns + 1, sizeof *r->cell) };
	if (!r->cell)
		return NULL;
	t->n++;
	return r;
}

static void
set_cell(struct table *t, struct answer_row *r, size_t column, const char *text, size_t n, double number)
{
	struct tn_str safe = { 0 };

	if (column >= t->n_columns)
		return;
	tn_text_safe(text, n < TEXT_MAX ? n : TEXT_MAX, &safe);
	if ((int)safe.n > t->width[column])
		t->width[column] = safe.n > 40 ? 40 : (int)safe.n;
	r->cell[column] = (struct answer_cell) { safe.text, number };
	t->failed |= !safe.text && n;
}

static double
number_of(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT ? (double)v->is.u : v->kind == TN_ANSWER_SINT ? (double)v->is.i :
	       v->kind == TN_ANSWER_FLOAT ? v->is.f : NAN;
}

static void
set_value(struct table *t, struct answer_row *r, size_t column, const struct tn_answer_value *v)
{
	struct tn_str text = { 0 };

	tn_answer_value_text(v, &text);
	set_cell(t, r, column, text.text ? text.text : "", text.n, v->type ? NAN : number_of(v));
	tn_str_release(&text);
}

static void
duration_text(double ns, char text[32])
{
	static const struct { double ns; const char *unit; } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" } };

	for (size_t i = 0; i < 3; i++)
		if (fabs(ns) >= units[i].ns) {
			snprintf(text, 32, "%.3f %s", ns / units[i].ns, units[i].unit);
			return;
		}
	snprintf(text, 32, "%.0f ns", ns);
}

static void
set_duration(struct table *t, struct answer_row *r, size_t column, bool some, double ns)
{
	char text[32] = "-";

	if (some)
		duration_text(ns, text);
	set_cell(t, r, column, text, strlen(text), some ? ns : -1);
}

/* ---- the job ---- */

static int
take_span(void *user, const struct tn_span *s)
{
	struct asking_for *ask = ((struct job *)user)->data;
	const struct query *q = ((struct job *)user)->q.query;
	struct table *t = &ask->table;
	struct answer_row *r = add_row(t);
	struct tn_str time = { 0 };
	size_t c = 4;

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
	set_duration(t, r, 0, s->has_duration, (double)s->duration_ns);
	set_cell(t, r, 1, tn_span_state_name(s->state), strlen(tn_span_state_name(s->state)), NAN);
	tn_text_time(q->text, s->has_begin ? s->begin_ns : s->end_ns, &time);
	set_cell(t, r, 2, time.text ? time.text : "", time.n, (double)(s->has_begin ? s->begin_ns : s->end_ns));
	tn_str_release(&time);
	set_cell(t, r, 3, s->name, strlen(s->name), NAN);
	for (size_t i = 0; i < s->n_keys && s->definition == 0; i++)
		set_value(t, r, c++, &s->key[i]);
	for (size_t i = 0; i < s->n_captured && s->definition == 0; i++)
		set_value(t, r, c++, &s->captured[i]);
	return t->failed;
}

static enum tn_code
define(struct asking_for *ask, struct tn_set *set, struct tn_error *err)
{
	enum tn_code rc = tn_spans_new(&ask->definitions, set, err), some = TN_ERR_ARGUMENT;
	char *copy = strdup(ask->spans), *rest = copy;

	/* Those of a ready question whose events are there; one that was typed has to be right. */
	for (char *line; rc == TN_OK && copy && (line = strsep(&rest, "\n"));) {
		enum tn_code one = tn_spans_add(ask->definitions, line, err);

		if (one == TN_OK)
			some = TN_OK;
	}
	free(copy);
	return rc == TN_OK ? some : rc;
}

static enum tn_code
run_spans(struct job *job)
{
	struct asking_for *ask = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct table *t = &ask->table;
	const char *name;
	enum tn_code rc = define(ask, job->q.set, &job->error);

	if (rc != TN_OK)
		return rc;
	add_column(t, _("duration"), true);
	add_column(t, _("state"), false);
	add_column(t, _("begin"), false);
	add_column(t, _("name"), false);
	for (size_t i = 0; (name = tn_spans_key(ask->definitions, 0, i)); i++)
		add_column(t, name, false);
	for (size_t i = 0; (name = tn_spans_captured(ask->definitions, 0, i)); i++)
		add_column(t, name, false);
	return tn_spans_run(ask->definitions, &scan, TN_SPANS_BY_END, take_span, job, NULL, &job->error);
}

static void
take_groups(struct asking_for *ask, struct tn_groups *g)
{
	struct table *t = &ask->table;
	size_t n = tn_groups_count(g);

	t->n_keys = tn_groups_key_count(g);
	for (size_t c = 0; tn_groups_column(g, c); c++)
		add_column(t, tn_groups_column(g, c), c >= t->n_keys);
	for (size_t i = 0; i < n && i < ROWS_MAX && !t->failed; i++) {
		const struct tn_answer_value *v = tn_groups_row(g, i, NULL);
		struct answer_row *r = add_row(t);

		if (!r) {
			t->failed = true;
			return;
		}
		for (size_t c = 0; c < t->n_columns; c++) {
			if (c >= t->n_keys && strstr(t->column[c], "(dur") && v[c].kind != TN_ANSWER_NONE)
				set_duration(t, r, c, true, number_of(&v[c]));
			else
				set_value(t, r, c, &v[c]);
		}
	}
	t->all = n;
}

static enum tn_code
run_groups(struct job *job)
{
	struct asking_for *ask = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_groups *groups = NULL;
	struct tn_filter *filter = NULL;
	enum tn_code rc = TN_OK;

	if (*ask->spans) {
		rc = define(ask, job->q.set, &job->error);
		if (rc == TN_OK)
			rc = tn_groups_of_spans(&groups, ask->definitions, ask->by, ask->show, &job->error);
	} else {
		rc = tn_groups_new(&groups, job->q.set, ask->by, ask->show, &job->error);
	}
	if (rc == TN_OK && *ask->where && !scan.filter) {
		rc = tn_filter_new(&filter, job->q.set, &job->error);
		if (rc == TN_OK)
			rc = tn_filter_add_expression(filter, ask->where, &job->error);
		scan.filter = filter;
	}
	if (rc == TN_OK)
		rc = tn_groups_run(groups, &scan, &job->error);
	if (rc == TN_OK)
		rc = tn_groups_sort(groups, tn_groups_key_count(groups), true, &job->error);
	if (rc == TN_OK)
		take_groups(ask, groups);
	tn_groups_free(groups);
	tn_filter_free(filter);
	return rc;
}

static enum tn_code
run_pairs(struct job *job)
{
	struct asking_for *ask = job->data;
	struct tn_pairs *pairs;
	enum tn_code rc = tn_pairs_new(&pairs, job->q.set, &job->error);

	if (rc != TN_OK)
		return rc;
	add_column(&ask->table, _("begins and ends that seem to belong together: Enter takes them"), false);
	for (size_t i = 0; i < tn_pairs_count(pairs); i++) {
		struct answer_row *r = add_row(&ask->table);
		const char *d = tn_pairs_definition(pairs, i);

		if (r)
			set_cell(&ask->table, r, 0, d, strlen(d), NAN);
	}
	tn_pairs_free(pairs);
	return TN_OK;
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
	ask->spans = strdup(w->spans ? w->spans : "");
	ask->by = strdup(w->by ? w->by : "");
	ask->show = strdup(w->show ? w->show : "count");
	ask->where = strdup(w->where ? w->where : "");
	if (!ask->spans || !ask->by || !ask->show || !ask->where) {
		answers_free(ask);
		return false;
	}
	table_release(&a->table);
	a->list.n = a->list.top = a->list.selected = 0;
	a->done = a->up = false;
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

/* Enter on a group: its first key is what is looked at. */
static unsigned
filter_for(struct answers *a, const struct answer_row *r)
{
	const struct answer_cell *c = &r->cell[0];
	bool number = !isnan(c->number);

	if (!a->table.n_keys || !c->text || a->list.base.session->answer.spans || strchr(c->text, '"') ||
	    strncmp(a->table.column[0], "time", 4) == 0) {
		session_say(a->list.base.session, _("no filter can say this value"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	free(a->list.base.wish);
	if (asprintf(&a->list.base.wish, number ? "%s == %s" : "%s == \"%s\"", a->table.column[0], c->text) < 0)
		a->list.base.wish = NULL;
	return VIEW_DONE | VIEW_FILTER;
}

static unsigned
open_row(struct answers *a, bool end)
{
	const struct answer_row *r = &a->table.row[a->list.selected];
	struct session *s = a->list.base.session;
	struct tn_error err;

	if (a->kind == ANSWER_PAIRS) {
		free(s->answer.spans);
		s->answer.spans = strdup(r->cell[0].text ? r->cell[0].text : "");
		if (!start(a, &err))
			session_fail(s, "%s", err.text);
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (a->kind == ANSWER_GROUPS)
		return filter_for(a, r);
	if (end ? !r->has_end : !r->has_begin)
		end = !end;
	a->list.base.go = (struct place) { .kind = PLACE_LOCATION, .location = end ? r->end : r->begin };
	return VIEW_DONE | VIEW_GO;
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
	if (a->list.selected >= a->list.n || (call->action != ACT_OPEN && call->action != ACT_SPAN_END))
		return VIEW_PASS;
	return open_row(a, call->action == ACT_SPAN_END);
}

const struct view_class answers_view = {
	.name = "answers",
	.title = N_("answers"),
	.size = sizeof(struct answers),
	.open = answers_open,
	.close = answers_close,
	.turn = answers_turn,
	.act = answers_act,
	.status = answers_status,
	.row = answers_row,
	.heading = answers_heading,
};
