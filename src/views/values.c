#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "gettext.h"
#include "list.h"
#include "session/expression.h"

/*
 * The values that one field has, and how often, among the events that pass the filters: groups of events by that
 * field, as --by PATH makes them. Of numbers their least, mean, largest and percentiles, as --by '' --show has them.
 * Enter filters for a value.
 */
#define NUMBERS "min(%s), mean(%s), max(%s), p50(%s), p90(%s), p99(%s)"
#define VALUE_BYTES 256		/* of a value's text that are shown */

struct reading {
	struct tn_groups *values, *numbers;	/* numbers: NULL where the values are none */
	char *path;
	uint64_t with;		/* events that have a value */
	bool by_name;		/* sorted by value, not by number of events */
	struct values *view;	/* the app's thread */
};

struct values {
	struct list_view list;
	struct job *job;
	struct tn_groups *values, *numbers;
	struct opened *opened;	/* whose traces the groups are of */
	uint64_t with, without, others;
	bool wrong;		/* there is an error in place of values */
	char *path;
	bool by_name;		/* as is wished: a job that sorts otherwise is followed by another one */
	size_t selected;	/* before they went to be sorted, or counted again */
	bool again;		/* they are */
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

/* A million values take a while: it is work of a job, too. */
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
	if (job->code != TN_OK)
		return;
	for (size_t i = 0; i < tn_groups_count(r->values); i++)
		r->with += tn_groups_row(r->values, i, NULL)[1].is.u;
	sort(job);
}

/* ---- the result of the job ---- */

static void sort_anew(struct values *t);

/* The values go back to the view. */
static void
take_values(struct values *t, struct reading *r)
{
	size_t n = tn_groups_count(r->values);
	bool is_rest = false;

	t->values = r->values;
	r->values = NULL;
	if (n)
		tn_groups_row(t->values, n - 1, &is_rest);	/* it stays last */
	t->list.n = n - is_rest;
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
	free(r->path);
	free(r);
}

static const struct job_class values_class = {
	.label = N_("counting values"),
	.run = values_run, .finish = values_end, .cancelled = values_cancelled, .free = values_free,
};

/* ---- sorted in another way ---- */

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

/* Nothing interrupts it: they are sorted. */
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

/* The rows that the job works on are not drawn meanwhile. */
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

/* False: memory is out. */
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
	return t->path && count_anew(t);
}

static void
forget_values(struct values *t)
{
	job_drop(t->job);
	t->job = NULL;
	tn_groups_free(t->values);
	tn_groups_free(t->numbers);
	t->values = t->numbers = NULL;
	opened_put(t->opened);
	t->opened = NULL;
	t->list.n = 0;
}

/* Other events pass. The cursor keeps its row. */
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
	line_puts(out, STYLE_HEADING, "  ");
	line_puts_unsafe(out, STYLE_HEADING, t->path);
	line_puts(out, STYLE_HEADING, t->by_name ? _(" (by value; Tab: by number)") : _(" (by number; Tab: by value)"));
}

/* Text in quotes, a number with its label after it. */
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
values_row(struct view *v, size_t i, struct line *out)
{
	struct values *t = (struct values *)v;
	const struct tn_answer_value *row = tn_groups_row(t->values, i, NULL);
	uint64_t n = row[1].is.u;
	char text[32];

	line_right(out, STYLE_TEXT, number_text(n, text), 15);
	snprintf(text, sizeof text, "%.2f", t->with ? 100.0 * (double)n / (double)t->with : 0.0);
	line_right(out, STYLE_DIM, text, 8);
	line_puts(out, STYLE_TEXT, "  ");
	put_value(out, row);
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
	line_printf(out, STYLE_STATUS, ngettext("%s value", "%s values", t->list.n), number_text(t->list.n, n));
	line_printf(out, STYLE_STATUS, ngettext(" in %s event, %s are without", " in %s events, %s are without", t->with),
		    number_text(t->with, n), number_text(t->without, m));
	if (t->others)
		line_printf(out, STYLE_STATUS, ngettext("; no memory (48 MiB) for that of %s more event: narrow them with a filter",
						      "; no memory (48 MiB) for those of %s more events: narrow them with a filter",
						      t->others), number_text(t->others, n));
	put_numbers(out, t);
}

/* The value as the language says it; NULL: memory is out. */
static char *
expression(const char *path, const struct tn_answer_value *v)
{
	struct tn_str text = { 0 };
	char *all = NULL;

	if (v->kind == TN_ANSWER_UINT)
		return asprintf(&all, "%s == %" PRIu64, path, v->is.u) < 0 ? NULL : all;
	if (v->kind == TN_ANSWER_SINT)
		return asprintf(&all, "%s == %" PRId64, path, v->is.i) < 0 ? NULL : all;
	if (v->kind == TN_ANSWER_FLOAT) {
		tn_answer_value_text(v, &text);
		if (asprintf(&all, "%s == %s", path, text.text ? text.text : "0") < 0)
			all = NULL;
		tn_str_release(&text);
		return all;
	}
	return expression_text(path, v->text, v->n);
}

static unsigned
values_act(struct view *v, const struct call *call)
{
	struct values *t = (struct values *)v;

	if (call->action == ACT_SORT) {
		t->by_name = !t->by_name;
		if (t->values)
			sort_anew(t);
		return VIEW_DONE | VIEW_REDRAW;
	}
	if ((call->action != ACT_OPEN && call->action != ACT_EXCLUDE) || t->list.selected >= t->list.n)
		return VIEW_PASS;
	if (call->action == ACT_EXCLUDE)
		return view_request_text(v, REQUEST_EXCLUDE, expression_or_without(expression_not(
					 expression(t->path, tn_groups_row(t->values, t->list.selected, NULL))), t->path));
	return view_request_text(v, REQUEST_FILTER, expression(t->path, tn_groups_row(t->values, t->list.selected, NULL)));
}

static bool
values_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	word(user, "--by");
	word(user, ((struct values *)v)->path);
	word(user, "--show");
	word(user, "count");
	return true;
}

const struct view_class values_view = {
	.command = values_command,
	.name = "values",
	.title = N_("values"),
	.hint = N_("Enter filters  ! not this  Tab sorts  q back"),
	.size = sizeof(struct values),
	.open = values_open,
	.again = values_again,
	.close = values_close,
	.act = values_act,
	.status = values_status,
	.row = values_row,
	.heading = values_heading,
};
