/* groups.c - the answers --by and --group-by: groups of events or of spans, one group per line */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "gettext.h"
#include "screen/bar.h"
#include "screen/charset.h"

/* The aggregates of spans that --group-by shows. */
#define OF_SPANS "count, sum(duration), min(duration), p50(duration), p90(duration), p99(duration), max(duration)"

struct printer {
	struct answer answer;
	struct tn_spans *spans;		/* NULL: groups of events */
	struct tn_groups *groups;
	size_t n_columns;
	size_t n_groups;	/* number of groups, shown or not */
	bool bars;		/* the first key has steps: text shows the first aggregate as a bar */
	bool below;		/* text also shows the share of events up to each row */
	double most, all, so_far;
	char share[32], bar[BAR_TEXT];
	bool by_definition;	/* --group-by was given, with its own column names */
};

/* The name of column @i. --group-by always has the same columns, and shorter names for them. */
static const char *
column_name(const struct printer *p, size_t i)
{
	static const char *const own[] = { "count", "total", "min", "p50", "p90", "p99", "max" };
	size_t keys = tn_groups_key_count(p->groups);

	return p->by_definition && i >= keys ? own[i - keys] : tn_groups_column(p->groups, i);
}

/* Whether a column shows @name, an attribute of spans: "NAME" or "max(NAME)". */
static bool
is_column_of(const char *column, const char *name)
{
	const char *inside = strchr(column, '(');
	size_t n = strlen(name);

	return strcmp(column, name) == 0 || (inside && strncmp(inside + 1, name, n) == 0 && inside[n + 1] == ')');
}

/* Whether all durations shown are any_duration, which includes doubtful spans. */
static bool
has_any_duration(const struct printer *p)
{
	bool any = false;

	for (size_t i = 0; i < p->n_columns; i++) {
		const char *column = tn_groups_column(p->groups, i);

		if (is_column_of(column, "duration") || is_column_of(column, "dur"))
			return false;
		any |= is_column_of(column, "any_duration");
	}
	return any;
}

/* Make a table with the columns of the groups. Returns 0 or the exit status. */
static int
make_table(struct printer *p)
{
	size_t keys = tn_groups_key_count(p->groups);
	int status = answer_table(&p->answer);

	for (size_t i = 0; !status && i < p->n_columns; i++)
		answer_column(&p->answer, (struct tn_table_column) {
			.name = column_name(p, i), .unit = tn_groups_unit(p->groups, i), .flags = i >= keys ? TN_COLUMN_RIGHT : 0,
		});
	p->bars = keys == 1 && keys < p->n_columns && tn_groups_has_steps(p->groups, 0) && answer_form(&p->answer) == TN_TABLE_TEXT;
	p->below = p->bars && strcmp(tn_groups_column(p->groups, keys), "count") == 0 &&
		   strncmp(tn_groups_key(p->groups, 0), "time/", 5) != 0 && !p->answer.job->options->sort;
	if (!status && p->below)
		answer_column(&p->answer, (struct tn_table_column) { .name = _("cumulative"), .flags = TN_COLUMN_RIGHT });
	if (!status && p->bars)
		answer_column(&p->answer, (struct tn_table_column) { .name = _("bar") });
	return status ? status : answer_check_members(&p->answer);
}

static double
number_of(const struct tn_answer_value *v)
{
	return v->kind == TN_ANSWER_UINT ? (double)v->is.u : v->kind == TN_ANSWER_SINT ? (double)v->is.i :
	       v->kind == TN_ANSWER_FLOAT ? v->is.f : 0;
}

static void
measure_bars(struct printer *p)
{
	size_t keys = tn_groups_key_count(p->groups);
	bool is_rest;

	for (size_t r = 0; p->bars && r < tn_groups_count(p->groups); r++) {
		double n = number_of(&tn_groups_row(p->groups, r, &is_rest)[keys]);

		p->all += is_rest ? 0 : n;
		p->most = n > p->most ? n : p->most;
	}
}

/* Fill in the share and the bar, which follow the columns of a row. */
static void
put_bar(struct printer *p, double n, bool is_rest, struct tn_answer_value *out)
{
	p->so_far += is_rest ? 0 : n;
	snprintf(p->share, sizeof p->share, "%.1f%%", is_rest || p->all <= 0 ? 100.0 : 100 * p->so_far / p->all);
	bar_text(p->most > 0 ? n / p->most : 0, charset_has_signs(), p->bar);
	if (p->below)
		*out++ = tn_answer_text(p->share);
	*out = tn_answer_text(p->bar);
}

/* The values of row @i; as text, the row of all other groups is called "(others)". */
static const struct tn_answer_value *
row_at(struct printer *p, size_t i, struct tn_answer_value *room)
{
	bool is_rest;
	const struct tn_answer_value *v = tn_groups_row(p->groups, i, &is_rest);

	if ((!is_rest && !p->bars) || answer_form(&p->answer) != TN_TABLE_TEXT)
		return v;
	memcpy(room, v, p->n_columns * sizeof *room);
	for (size_t k = 0; is_rest && k < tn_groups_key_count(p->groups); k++)
		room[k] = tn_answer_text(_("(others)"));
	if (p->bars)
		put_bar(p, number_of(&v[tn_groups_key_count(p->groups)]), is_rest, &room[p->n_columns]);
	return room;
}

static void
print_rows(struct printer *p)
{
	size_t n = tn_groups_count(p->groups);
	struct tn_answer_value *room = calloc(p->n_columns + 3, sizeof *room);
	int status = 0;

	p->answer.job->events = n;
	measure_bars(p);
	p->answer.line.failed |= !room;
	for (size_t r = 0; room && r < n && answer_form(&p->answer) == TN_TABLE_TEXT; r++)
		answer_measure(&p->answer, row_at(p, r, room));
	p->so_far = 0;
	status = answer_heading(&p->answer);
	for (size_t r = 0; room && r < n && !status; r++)
		status = answer_row(&p->answer, row_at(p, r, room));
	free(room);
}

/* Sort the rows and keep only the rows to show: times and bins ascend, others begin with the largest. */
static int
sort(struct printer *p)
{
	const char *wanted = p->answer.job->options->sort;
	uint64_t top = p->answer.job->options->top;
	size_t keys = tn_groups_key_count(p->groups), column = keys;
	bool back = wanted && *wanted == '-', down;
	char text[512];
	struct tn_error err;

	if (!wanted && keys && (tn_groups_has_steps(p->groups, 0) || strcmp(tn_groups_key(p->groups, 0), "time") == 0))
		column = 0;
	if (wanted) {
		for (column = 0; column < p->n_columns && strcmp(column_name(p, column), wanted + back) != 0; column++)
			;
		if (column == p->n_columns) {
			snprintf(text, sizeof text, _("--sort=%s: there is no such column"), wanted);
			complain(NULL, text);
			return 2;
		}
	}
	down = (column >= keys) != back;
	return tn_groups_top(p->groups, column, down, top > SIZE_MAX ? 0 : (size_t)top, &err) < 0 ? job_failed(&err) : 0;
}

/* Warn that sums leave unfinished spans out, while the count includes them. */
static void
tell_unfinished(const struct printer *p, const struct tn_span_counts *spans)
{
	uint64_t n = spans->of_state[TN_SPAN_OPEN] + spans->of_state[TN_SPAN_ORPHAN];
	bool durations = false, counts = false, states = false, inside = false;
	char text[512];

	for (size_t i = 0; i < p->n_columns; i++) {
		const char *column = tn_groups_column(p->groups, i);

		durations |= i >= tn_groups_key_count(p->groups) && tn_groups_unit(p->groups, i) == TN_GROUP_DURATION;
		counts |= strcmp(column, "count") == 0;
		/* This column already shows unfinished spans. */
		states |= strcmp(column, "state") == 0 || strcmp(column, "incomplete") == 0 || strncmp(column, "missing(", 8) == 0;
		inside |= is_column_of(column, "inside");
	}
	if (!n || !durations || !counts || states || answer_form(&p->answer) != TN_TABLE_TEXT)
		return;
	if (inside)
		snprintf(text, sizeof text,
			 ngettext("%ju span has no begin or no end in this time: it is counted without a duration; "
				  "`inside` includes the time of an open span up to the end",
				  "%ju spans have no begin or no end in this time: they are counted without a duration; `inside` "
				  "includes the time of open spans up to the end", n), (uintmax_t)n);
	else
		snprintf(text, sizeof text,
			 ngettext("%ju span has no begin or no end in this time: it is counted without a duration; "
				  "--where closed leaves it out",
				  "%ju spans have no begin or no end in this time: they are counted without a "
				  "duration; --where closed leaves them out", n), (uintmax_t)n);
	complain(_("note"), text);
}

static void
tell_left_out(struct printer *p)
{
	struct tn_span_counts spans = tn_groups_span_counts(p->groups);
	uint64_t n = tn_groups_without(p->groups), merged;
	char text[512];

	if (tn_groups_remark(p->groups) && !p->answer.job->options->ask)
		complain(_("warning"), tn_groups_remark(p->groups));
	tell_bounds(&spans);
	tell_unfinished(p, &spans);
	if (!has_any_duration(p))
		tell_doubtful(&spans);
	if (n) {
		snprintf(text, sizeof text, ngettext("%ju event has none of the keys and is not in a group",
						     "%ju events have none of the keys and are not in a group", n), (uintmax_t)n);
		complain(_("note"), text);
	}
	if (tn_groups_merged(p->groups, &merged)) {
		snprintf(text, sizeof text, ngettext("there are at least %zu groups, more than the memory limit "
						    "allows: the last group has %ju event of all other keys",
						    "there are at least %zu groups, more than the memory limit allows: the last "
						    "group has %ju events of all other keys", (unsigned long)merged),
			 p->n_groups - 1, (uintmax_t)merged);
		complain(_("warning"), text);
	}
	n = tn_groups_dropped(p->groups);
	if (n) {
		snprintf(text, sizeof text,
			 ngettext("%ju value is unknown: memory for values was full; ask for fewer groups, or a range",
				  "%ju values are unknown: memory for values was full; ask for fewer groups, or a range", n),
			 (uintmax_t)n);
		complain(_("warning"), text);
	}
}

/* Report that there are no groups, because a heading alone would not say so. */
static void
tell_nothing(struct printer *p)
{
	const struct options *o = p->answer.job->options;
	char text[512];

	if (o->ask)
		snprintf(text, sizeof text, o->narrowed ?
			 _("--ask=%s: no event of this question matches the given conditions and times") :
			 _("--ask=%s: the traces describe the events of this question, but none was recorded"),
			 o->ask);
	else
		snprintf(text, sizeof text, "%s", o->n_spans ? _("there are no such spans, so no groups")
							    : _("no event matches: there are no groups"));
	complain(_("note"), text);
}

static int
run(struct printer *p)
{
	struct tn_error err;
	enum tn_code rc = tn_groups_run(p->groups, &p->answer.scan, &err);
	int status = answer_status(&p->answer, rc, &err);

	if (rc < 0)
		return status;
	p->n_groups = tn_groups_count(p->groups);
	status = sort(p);
	if (status)
		return status;
	print_rows(p);
	if (!p->n_groups && !tn_groups_without(p->groups))
		tell_nothing(p);
	tell_left_out(p);
	return 0;
}

static enum tn_code
define(struct printer *p, struct tn_error *err)
{
	struct job *job = p->answer.job;
	const struct options *o = job->options;
	const char *by = o->group_by ? o->group_by : o->by ? o->by : "", *show = o->show ? o->show : "count";
	enum tn_code rc = TN_OK;

	p->by_definition = o->group_by && !o->show;
	if (!o->n_spans && !o->question)
		return tn_groups_new(&p->groups, job->set, by, show, err);
	rc = tn_spans_new(&p->spans, job->set, err);
	if (rc == TN_OK && o->question)
		rc = tn_spans_add_question(p->spans, o->question, err);
	for (size_t i = 0; i < o->n_spans && rc == TN_OK; i++)
		rc = tn_spans_add(p->spans, o->spans[i], err);
	if (rc == TN_OK && o->where)
		rc = tn_spans_where(p->spans, o->where, err);
	return rc == TN_OK ? tn_groups_of_spans(&p->groups, p->spans, by, p->by_definition ? OF_SPANS : show, err) : rc;
}

int
print_groups(struct job *job)
{
	struct printer p = { .n_columns = 0 };
	struct tn_error err;
	int status;

	p.answer.job = job;
	status = define(&p, &err) == TN_OK ? 0 : job_failed(&err);
	if (!status) {
		while (tn_groups_column(p.groups, p.n_columns))
			p.n_columns++;
		status = answer_begin(&p.answer, job);
		if (!status)
			status = make_table(&p);
		if (!status)
			status = answer_names(&p.answer, p.answer.table, NULL);
		if (!status)
			status = run(&p);
		status = answer_end(&p.answer, status);
	}
	tn_groups_free(p.groups);
	tn_spans_free(p.spans);
	return status;
}
