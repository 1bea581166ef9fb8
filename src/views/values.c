#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "gettext.h"
#include "list.h"
#include "screen/bar.h"
#include "session/expression.h"

/*
 * The values of one field and their counts, among the events that match the filters: groups of events by the field, as
 * with --by PATH. For numbers also the smallest, the mean, the largest and percentiles, as with --by '' --show, and at
 * first bins, as with --by PATH/STEP. Tab shows the values. Enter filters for a value or a bin.
 */
#define NUMBERS "min(%s), mean(%s), max(%s), p50(%s), p90(%s), p99(%s)"
#define VALUE_BYTES 256		/* limit of shown bytes in the text of a value */
#define LIMITS_WIDTH 22	/* width of the limits of a bin */

struct reading {
	struct tn_groups *values, *numbers, *bins;	/* the last two are NULL unless the values are numbers */
	char *path;
	uint64_t with;		/* number of events with a value */
	bool by_name;		/* sorted by value; otherwise by the number of events */
	struct values *view;	/* for the app's thread only */
};

struct values {
	struct list_view list;
	struct job *job;
	struct tn_groups *values, *numbers, *bins;
	bool by_values;		/* values are shown, and not their bins */
	uint64_t most;		/* largest number of events in a bin */
	size_t n_values;	/* number of lines for values */
	struct opened *opened;	/* the open traces of which the groups are */
	uint64_t with, without, others;
	bool wrong;		/* an error is shown in place of values */
	char *path;
	bool by_name;		/* the wanted order; a job that sorts in another order is followed by another job */
	size_t selected;	/* selected line before the values were sorted or counted again */
	bool again;		/* the values are being counted again */
};

/* ---- the job ---- */

static enum tn_code
count_values(struct job *job, struct tn_scan_options *o)
{
	struct reading *r = job->data;
	enum tn_code rc = tn_groups_new(&r->values, job->q.set, r->path, "count", &job->error);

	return rc == TN_OK ? tn_groups_run(r->values, o, &job->error) : rc;
}

static enum tn_code
sum_up(struct job *job, struct tn_scan_options *o)
{
	struct reading *r = job->data;
	const struct tn_answer_value *v = tn_groups_count(r->values) ? tn_groups_row(r->values, 0, NULL) : NULL;
	const char *f = r->path;
	enum tn_code rc;
	char *show;

	if (!v || v->kind == TN_ANSWER_NONE || v->kind == TN_ANSWER_TEXT || v->type)
		return TN_OK;
	if (asprintf(&show, NUMBERS, f, f, f, f, f, f) < 0)
		return TN_ERR_MEMORY;
	rc = tn_groups_new(&r->numbers, job->q.set, "", show, &job->error);
	free(show);
	return rc == TN_OK ? tn_groups_run(r->numbers, o, &job->error) : rc;
}

#define BINS 16		/* approximate number of bins */

static double
number_of(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT ? (double)v->is.u : v->kind == TN_ANSWER_SINT ? (double)v->is.i :
	       v->kind == TN_ANSWER_FLOAT ? v->is.f : NAN;
}

/* Choose steps of 1, 2 or 5 times a power of ten; powers of two if the largest number is far above the median. */
static char *
bins_of(const char *path, const struct tn_answer_value *row)
{
	double least = number_of(&row[0]), most = number_of(&row[2]), median = number_of(&row[3]), step, power;
	bool whole = row[0].kind != TN_ANSWER_FLOAT && row[2].kind != TN_ANSWER_FLOAT;
	char *key;

	if (!isfinite(least) || !isfinite(most) || !isfinite(median))
		return NULL;
	if (least >= 0 && most >= 256 && most > 16 * (median > 1 ? median : 1))
		return asprintf(&key, "log2(%s)", path) < 0 ? NULL : key;
	step = (most - least) / BINS;
	if (whole && step < 1)
		step = 1;
	if (!(step > 0) || !isfinite(step))
		return NULL;
	power = pow(10, floor(log10(step)));
	step = step <= power ? power : step <= 2 * power ? 2 * power : step <= 5 * power ? 5 * power : 10 * power;
	return asprintf(&key, step < 1e15 && step >= 1 ? "%s/%.0f" : "%s/%.9f", path, step) < 0 ? NULL : key;
}

/* Count bins. If no bins fit the numbers, their values are shown. */
static enum tn_code
count_bins(struct job *job, struct tn_scan_options *o)
{
	struct reading *r = job->data;
	char *key = r->numbers && tn_groups_count(r->numbers) ? bins_of(r->path, tn_groups_row(r->numbers, 0, NULL)) : NULL;
	enum tn_code rc = key ? tn_groups_new(&r->bins, job->q.set, key, "count", &job->error) : TN_ERR_ARGUMENT;

	free(key);
	if (rc == TN_OK)
		rc = tn_groups_run(r->bins, o, &job->error);
	if (rc == TN_OK)
		rc = tn_groups_sort(r->bins, 0, false, &job->error);
	return rc == TN_ERR_ARGUMENT ? TN_OK : rc;
}

/* Sorting a million values takes a while, so the job does it. */
static void
sort(struct job *job)
{
	struct reading *r = job->data;

	job->code = tn_groups_sort(r->values, 0, false, &job->error);
	if (job->code == TN_OK && !r->by_name)
		job->code = tn_groups_sort(r->values, 1, true, &job->error);
}

static void
values_run(struct job *job)
{
	struct tn_scan_options o = job_scan_options(job);
	struct reading *r = job->data;

	job->code = count_values(job, &o);
	if (job->code == TN_OK)
		job->code = sum_up(job, &o);
	if (job->code == TN_OK)
		job->code = count_bins(job, &o);
	if (job->code != TN_OK)
		return;
	for (size_t i = 0; i < tn_groups_count(r->values); i++)
		r->with += tn_groups_row(r->values, i, NULL)[1].is.u;
	sort(job);
}

/* ---- the result of the job ---- */

static void sort_anew(struct values *t);

static bool
shows_bins(const struct values *t)
{
	return t->bins && !t->by_values;
}

/* The values return to the view. */
static void
take_values(struct values *t, struct reading *r)
{
	size_t n = tn_groups_count(r->values);
	bool is_rest = false;

	t->values = r->values;
	r->values = NULL;
	if (n)
		tn_groups_row(t->values, n - 1, &is_rest);	/* this row stays last */
	t->n_values = n - is_rest;
	t->list.n = shows_bins(t) ? tn_groups_count(t->bins) : t->n_values;
	if (t->by_name != r->by_name)
		sort_anew(t);
}

static void
values_end(struct job *job)
{
	struct reading *r = job->data;
	struct values *t = r->view;

	t->job = NULL;
	t->wrong = job->code != TN_OK;
	if (t->wrong) {
		session_fail(t->list.base.session, "%s", job->error.text);
		return;
	}
	t->numbers = r->numbers;
	r->numbers = NULL;
	t->bins = r->bins;
	r->bins = NULL;
	t->most = 0;
	for (size_t i = 0; t->bins && i < tn_groups_count(t->bins); i++)
		t->most = tn_groups_row(t->bins, i, NULL)[1].is.u > t->most ? tn_groups_row(t->bins, i, NULL)[1].is.u : t->most;
	t->opened = opened_get(job->q.opened);
	t->with = r->with;
	t->without = tn_groups_without(r->values);
	tn_groups_merged(r->values, &t->others);
	take_values(t, r);
	if (t->again)
		list_select(&t->list, t->selected);
	t->again = false;
}

static void
values_cancelled(struct job *job)
{
	struct reading *r = job->data;

	r->view->job = NULL;
	r->view->wrong = true;
	session_say(r->view->list.base.session, _("stopped: no values"));
}

static void
values_free(void *data)
{
	struct reading *r = data;

	tn_groups_free(r->values);
	tn_groups_free(r->numbers);
	tn_groups_free(r->bins);
	free(r->path);
	free(r);
}

static const struct job_class values_class = {
	.label = N_("counting values"),
	.run = values_run, .finish = values_end, .cancelled = values_cancelled, .free = values_free,
};

/* ---- sorting again ---- */

static void
sort_end(struct job *job)
{
	struct reading *r = job->data;
	struct values *t = r->view;

	t->job = NULL;
	if (job->code != TN_OK)
		session_say(t->list.base.session, "%s", job->error.text);
	take_values(t, r);
	list_select(&t->list, t->selected);
}

/* The sort continues, because it cannot be stopped. */
static void
sort_cancelled(struct job *job)
{
	struct reading *r = job->data;

	r->view->by_name = r->by_name;
	sort_end(job);
}

static const struct job_class sort_class = {
	.label = N_("sorting values"), .everything = true,
	.run = sort, .finish = sort_end, .cancelled = sort_cancelled, .free = values_free,
};

/* Let the job sort the values. Rows that it is sorting are not drawn. */
static void
sort_anew(struct values *t)
{
	struct reading *r = calloc(1, sizeof *r);

	if (!r) {
		session_say(t->list.base.session, _("out of memory"));
		return;
	}
	*r = (struct reading) { .values = t->values, .by_name = t->by_name, .view = t };
	t->values = NULL;
	t->selected = t->list.selected;
	t->list.n = 0;
	t->job = job_start(t->list.base.session, &sort_class, r);
	if (t->job)
		job_moment(t->job);
}

/* ---- the view ---- */

/* Count again. False: memory is out. */
static bool
count_anew(struct values *t)
{
	struct reading *r = calloc(1, sizeof *r);

	if (!r)
		return false;
	r->view = t;
	r->by_name = t->by_name;
	r->path = strdup(t->path);
	if (!r->path) {
		values_free(r);
		return false;
	}
	t->job = job_start(t->list.base.session, &values_class, r);
	return true;
}

static bool
values_open(struct view *v, struct tn_error *err)
{
	struct values *t = (struct values *)v;
	struct session *s = v->session;

	strcpy(err->text, "out of memory");
	t->path = strdup(s->here.focus_path ? s->here.focus_path : "");
	t->by_values = session_has_nicknames(s, t->path);	/* the number of a thread is not a quantity */
	return t->path && count_anew(t);
}

static void
forget_values(struct values *t)
{
	job_drop(t->job);
	t->job = NULL;
	tn_groups_free(t->values);
	tn_groups_free(t->numbers);
	tn_groups_free(t->bins);
	t->values = t->numbers = t->bins = NULL;
	opened_put(t->opened);
	t->opened = NULL;
	t->list.n = 0;
}

/* The filters have changed. The cursor keeps its row. */
static void
values_again(struct view *v)
{
	struct values *t = (struct values *)v;

	t->selected = t->list.selected;
	t->again = true;
	forget_values(t);
	if (!count_anew(t))
		session_say(v->session, _("out of memory"));
}

static void
values_close(struct view *v)
{
	struct values *t = (struct values *)v;

	forget_values(t);
	free(t->path);
}

static void
values_heading(struct view *v, struct line *out)
{
	struct values *t = (struct values *)v;

	line_right(out, STYLE_HEADING, _("events"), 15);
	line_right(out, STYLE_HEADING, "%", 8);
	if (shows_bins(t)) {
		line_right(out, STYLE_HEADING, _("cumulative"), 12);
		line_puts(out, STYLE_HEADING, "  ");
		line_puts_unsafe(out, STYLE_HEADING, tn_groups_column(t->bins, 0));
		line_puts(out, STYLE_HEADING, _(" (bins; Tab: values)"));
		return;
	}
	line_puts(out, STYLE_HEADING, "  ");
	line_puts_unsafe(out, STYLE_HEADING, t->path);
	if (t->bins && t->by_name) {
		line_puts(out, STYLE_HEADING, _(" (by value; Tab: bins)"));
		return;
	}
	line_puts(out, STYLE_HEADING, t->by_name ? _(" (by value; Tab: by number)") : _(" (by number; Tab: by value)"));
}

/* Put a text in quotes, or a number with its label after it. */
static void
put_value(struct line *out, const struct tn_answer_value *v)
{
	struct tn_answer_value number = *v;
	struct tn_str text = { 0 }, label = { 0 }, safe = { 0 };

	number.type = NULL;
	tn_answer_value_text(&number, &text);
	tn_text_safe(text.text ? text.text : "", text.n < VALUE_BYTES ? text.n : VALUE_BYTES, &safe);
	if (v->kind == TN_ANSWER_TEXT) {
		line_puts(out, STYLE_STRING, "\"");
		line_puts(out, STYLE_STRING, safe.text ? safe.text : "");
		line_puts(out, STYLE_STRING, text.n <= VALUE_BYTES ? "\"" : "\"...");
	} else {
		line_puts(out, STYLE_TEXT, safe.text ? safe.text : "");
	}
	if (v->type && v->kind != TN_ANSWER_TEXT) {
		tn_answer_value_text(v, &label);
		if (label.text && strcmp(label.text, text.text ? text.text : "") != 0) {
			line_puts(out, STYLE_TEXT, "  ");
			line_puts_unsafe(out, STYLE_TEXT, label.text);
		}
	}
	tn_str_release(&text);
	tn_str_release(&label);
	tn_str_release(&safe);
}

static void
put_value_row(struct values *t, size_t i, struct line *out)
{
	const struct tn_answer_value *row = tn_groups_row(t->values, i, NULL);
	const char *name = NULL;
	uint64_t n = row[1].is.u;
	char text[32];

	line_right(out, STYLE_TEXT, number_text(n, text), 15);
	snprintf(text, sizeof text, "%.2f", t->with ? 100.0 * (double)n / (double)t->with : 0.0);
	line_right(out, STYLE_DIM, text, 8);
	line_puts(out, STYLE_TEXT, "  ");
	put_value(out, row);
	if (session_has_nicknames(t->list.base.session, t->path))
		name = tn_nicknames_find(session_nicknames(t->list.base.session), t->path, NULL, row);
	if (name) {
		line_puts(out, STYLE_TEXT, " ");
		line_puts_unsafe(out, STYLE_NAME, name);
	}
}

static bool
is_whole(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT || v->kind == TN_ANSWER_SINT;
}

/* The next larger or smaller whole number. At the ends of 64 bits it wraps; no bin ends there. */
static struct tn_answer_value
next_whole(const struct tn_answer_value *v, int step)
{
	struct tn_answer_value next = *v;

	next.is.u += (uint64_t)step;
	if (v->kind == TN_ANSWER_UINT && v->is.u == 0 && step < 0)
		next.kind = TN_ANSWER_SINT;
	else if (v->kind == TN_ANSWER_SINT && next.is.i >= 0)
		next.kind = TN_ANSWER_UINT;
	return next;
}

/*
 * Put the limits of a bin: "100 .. 199" for whole numbers, first and last; "1 .. 2" for other numbers, which are less
 * than the second.
 */
static void
put_limits(struct values *t, size_t i, struct line *out)
{
	const struct tn_answer_value *row = tn_groups_row(t->bins, i, NULL);
	struct tn_answer_value limit[2];
	struct tn_str text = { 0 };

	if (!tn_groups_step(t->bins, 0, row, &limit[0], &limit[1]))
		return;
	if (is_whole(&limit[0]) && is_whole(&limit[1])) {	/* the second limit of bins of log2 below 0 belongs to the bin */
		if (strncmp(tn_groups_column(t->bins, 0), "log2(", 5) == 0 && number_of(row) <= 0)
			limit[0] = number_of(row) < 0 ? next_whole(&limit[0], 1) : limit[1];
		else
			limit[1] = next_whole(&limit[1], -1);
	}
	tn_answer_value_text(&limit[0], &text);
	if (number_of(&limit[0]) != number_of(&limit[1])) {
		tn_str_puts(&text, " .. ");
		tn_answer_value_text(&limit[1], &text);
	}
	line_puts_unsafe(out, STYLE_TEXT, text.text ? text.text : "");
	tn_str_release(&text);
}

static void
put_bin(struct values *t, size_t i, struct line *out)
{
	uint64_t n = tn_groups_row(t->bins, i, NULL)[1].is.u, below = 0;
	char text[BAR_TEXT];
	int begin;

	for (size_t k = 0; k <= i; k++)	/* there are few bins */
		below += tn_groups_row(t->bins, k, NULL)[1].is.u;
	line_right(out, STYLE_TEXT, number_text(n, text), 15);
	snprintf(text, sizeof text, "%.2f", t->with ? 100.0 * (double)n / (double)t->with : 0.0);
	line_right(out, STYLE_DIM, text, 8);
	snprintf(text, sizeof text, "%.1f%%", t->with ? 100.0 * (double)below / (double)t->with : 0.0);
	line_right(out, STYLE_DIM, text, 12);
	line_puts(out, STYLE_TEXT, "  ");
	begin = out->width;
	put_limits(t, i, out);
	line_pad(out, begin + LIMITS_WIDTH, true);
	line_puts(out, STYLE_TEXT, " ");
	bar_text(t->most ? (double)n / (double)t->most : 0, t->list.base.session->utf8, text);
	line_puts(out, STYLE_NAME, text);
}

static void
values_row(struct view *v, size_t i, struct line *out)
{
	struct values *t = (struct values *)v;

	if (shows_bins(t)) {
		put_bin(t, i, out);
		return;
	}
	put_value_row(t, i, out);
}

static void
put_numbers(struct line *out, struct values *t)
{
	static const char *const name[] = { N_("min"), N_("mean"), N_("max"), "p50", "p90", "p99" };
	const struct tn_answer_value *row = t->numbers && tn_groups_count(t->numbers) ? tn_groups_row(t->numbers, 0, NULL) : NULL;

	for (size_t i = 0; row && i < sizeof name / sizeof *name; i++) {
		struct tn_str text = { 0 };

		tn_answer_value_text(&row[i], &text);
		line_printf(out, STYLE_STATUS, "%s%s %s", i ? "  " : "; ", _(name[i]), text.text ? text.text : "");
		tn_str_release(&text);
	}
}

static void
values_status(struct view *v, struct line *out)
{
	struct values *t = (struct values *)v;
	char n[32], m[32];

	if (!t->values)
		return;
	line_printf(out, STYLE_STATUS, ngettext("%s value", "%s values", t->n_values), number_text(t->n_values, n));
	line_printf(out, STYLE_STATUS, ngettext(" in %s event; %s do not have it", " in %s events; %s do not have it", t->with),
		    number_text(t->with, n), number_text(t->without, m));
	if (t->others)
		line_printf(out, STYLE_STATUS, ngettext("; %s more event exceeds 48 MiB of memory: use a filter",
						      "; %s more events exceed 48 MiB of memory: use a filter",
						      t->others), number_text(t->others, n));
	put_numbers(out, t);
}

/* The condition for the selected row. NULL: memory is out. */
static char *
condition_of(const struct values *t)
{
	struct tn_groups *g = shows_bins(t) ? t->bins : t->values;
	const struct tn_answer_value *row = tn_groups_row(g, t->list.selected, NULL);
	struct tn_answer_value from, to;
	struct tn_str all = { 0 };

	if (tn_groups_step(g, 0, row, &from, &to))
		expression_step(&all, tn_groups_column(g, 0), tn_groups_unit(g, 0), row, &from, &to);
	else
		expression_key(&all, t->path, false, tn_groups_unit(g, 0), row);
	if (!all.failed)
		return all.text;
	tn_str_release(&all);
	return NULL;
}

/* Go to the next form: bins, values by number of events, values by value. */
static unsigned
next_form(struct values *t)
{
	bool sorts = t->by_values || !t->bins;

	if (!t->values)
		return VIEW_DONE;
	if (sorts)
		t->by_name = !t->by_name;
	if (t->bins && (!sorts || !t->by_name)) {
		t->by_values = !t->by_values;
		t->list.n = shows_bins(t) ? tn_groups_count(t->bins) : t->n_values;
		list_select(&t->list, 0);
	}
	if (sorts)
		sort_anew(t);
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
values_act(struct view *v, const struct call *call)
{
	struct values *t = (struct values *)v;
	char *condition;

	if (call->action == ACT_SORT)
		return next_form(t);
	if ((call->action != ACT_OPEN && call->action != ACT_EXCLUDE) || t->list.selected >= t->list.n)
		return VIEW_PASS;
	condition = condition_of(t);
	if (call->action == ACT_EXCLUDE)
		return view_request_text(v, REQUEST_EXCLUDE, expression_or_without(expression_not(condition), t->path));
	return view_request_text(v, REQUEST_FILTER, condition);
}

static bool
values_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	const struct values *t = (const struct values *)v;

	word(user, "--by");
	word(user, shows_bins(t) ? tn_groups_column(t->bins, 0) : t->path);
	word(user, "--show");
	word(user, "count");
	return true;
}

const struct view_class values_view = {
	.command = values_command,
	.name = "values",
	.title = N_("values"),
	.hint = N_("Enter filters  ! hides this  Tab bins or values, sorted  q back"),
	.size = sizeof(struct values),
	.open = values_open,
	.again = values_again,
	.close = values_close,
	.act = values_act,
	.status = values_status,
	.row = values_row,
	.heading = values_heading,
};
