/*
 * why.c - spans that meet a condition against the others: what do they have more often?
 */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/compare.h>

#include "answers.h"
#include "gettext.h"

/* JSON has the limits of a range in an object in place of the value: two tables. */
enum { VERDICT, FIELD, VALUE, FROM, TO, SELECTED, SELECTED_SHARE, REST, REST_SHARE, LIFT, LAST_VERDICT, SAME, N_COLUMNS };

struct printer {
	struct answer answer;
	struct tn_table *of_ranges;	/* JSON */
	struct tn_why *why;
};

static int
make_table(struct answer *a, bool of_ranges)
{
	const bool json = answer_form(a) == TN_TABLE_JSON;
	const unsigned text = TN_COLUMN_NO_CSV | TN_COLUMN_NO_JSON, record = TN_COLUMN_NO_TEXT;
	const unsigned value = json && of_ranges ? record | TN_COLUMN_NO_JSON : 0;
	const unsigned range = json && !of_ranges ? record | TN_COLUMN_NO_JSON : record;
	const unsigned share = TN_COLUMN_RIGHT;
	const struct tn_table_column columns[N_COLUMNS] = {
		[VERDICT] = { .name = "verdict", .flags = text },
		[FIELD] = { .name = "field" },
		[VALUE] = { .name = "value", .flags = value | TN_COLUMN_BRIEF },
		[FROM] = { .name = "from", .object = "value", .flags = range },
		[TO] = { .name = "to", .object = "value", .flags = range },
		[SELECTED] = { .name = "count", .heading = "selected", .object = "selected", .flags = share },
		[SELECTED_SHARE] = { .name = "share", .object = "selected", .flags = share },
		[REST] = { .name = "count", .heading = "rest", .object = "rest", .flags = share },
		[REST_SHARE] = { .name = "share", .object = "rest", .flags = share },
		[LIFT] = { .name = "lift", .flags = share },
		[LAST_VERDICT] = { .name = "verdict", .flags = record },
		[SAME] = { .name = "same", .flags = TN_COLUMN_NAMED | TN_COLUMN_OPTIONAL },
	};
	int status = answer_table(a);

	for (size_t i = 0; !status && i < N_COLUMNS; i++)
		answer_column(a, columns[i]);
	return status;
}

static struct tn_answer_value
fraction(double f)
{
	return (struct tn_answer_value) { .kind = isfinite(f) ? TN_ANSWER_FLOAT : TN_ANSWER_NONE, .is.f = f };
}

struct texts {
	struct tn_str value, selected, rest, lift;
};

/* A limit of a range; times as the events show them. */
static void
put_limit(const struct printer *p, struct tn_str *out, const struct tn_why_finding *f, const struct tn_answer_value *v)
{
	if (strcmp(f->field, "time") == 0)
		tn_text_time(p->answer.text, v->is.i, out);
	else
		tn_answer_value_text(v, out);
}

static void
put_texts(const struct printer *p, struct tn_answer_value *v, const struct tn_why_finding *f, struct texts *t)
{
	tn_str_clear(&t->value);
	tn_str_clear(&t->selected);
	tn_str_clear(&t->rest);
	tn_str_clear(&t->lift);
	if (f->is_range) {
		put_limit(p, &t->value, f, &f->from);
		tn_str_printf(&t->value, _(" to "));
		put_limit(p, &t->value, f, &f->to);
		v[VALUE] = tn_answer_text(t->value.text);
	}
	tn_str_printf(&t->selected, "%.1f %%", f->selected_share * 100);
	tn_str_printf(&t->rest, "%.1f %%", f->rest_share * 100);
	v[SELECTED_SHARE] = tn_answer_text(t->selected.text);
	v[REST_SHARE] = tn_answer_text(t->rest.text);
	if (isfinite(f->lift)) {
		tn_str_printf(&t->lift, "%.3g", f->lift);
		v[LIFT] = tn_answer_text(t->lift.text);
	}
}

static void
fill(const struct printer *p, struct tn_answer_value *v, const struct tn_why_finding *f, struct texts *t)
{
	memset(v, 0, N_COLUMNS * sizeof *v);
	v[VERDICT] = v[LAST_VERDICT] = tn_answer_text(tn_compare_verdict_name(f->verdict));
	v[FIELD] = tn_answer_text(f->field);
	v[VALUE] = f->value;
	v[FROM] = f->is_range ? f->from : (struct tn_answer_value) { 0 };
	v[TO] = f->is_range ? f->to : (struct tn_answer_value) { 0 };
	v[SELECTED] = tn_answer_number(true, (int64_t)f->selected);
	v[SELECTED_SHARE] = fraction(f->selected_share);
	v[REST] = tn_answer_number(true, (int64_t)f->rest);
	v[REST_SHARE] = fraction(f->rest_share);
	v[LIFT] = fraction(f->lift);
	v[SAME] = tn_answer_text(f->same);
	if (answer_form(&p->answer) == TN_TABLE_TEXT)
		put_texts(p, v, f, t);
}

static int
print_findings(struct printer *p)
{
	enum tn_table_form form = answer_form(&p->answer);
	uint64_t top = p->answer.job->options->top;
	struct tn_answer_value v[N_COLUMNS];
	struct texts t = { { 0 } };
	struct tn_why_finding f;
	size_t n = tn_why_count(p->why);
	bool sure = tn_why_finding(p->why, 0, &f) && f.verdict == TN_COMPARE_SURE;
	int failed;

	n = top && top < n ? (size_t)top : n;
	for (size_t i = 0; form == TN_TABLE_TEXT && i < n && tn_why_finding(p->why, i, &f); i++) {
		fill(p, v, &f, &t);
		tn_table_measure(p->answer.table, v);
	}
	failed = answer_heading(&p->answer);
	for (size_t i = 0; i < n && !failed && tn_why_finding(p->why, i, &f); i++) {
		fill(p, v, &f, &t);
		tn_table_row(form == TN_TABLE_JSON && f.is_range ? p->of_ranges : p->answer.table, form, v, &p->answer.line);
		failed = answer_put(&p->answer);
	}
	tn_str_release(&t.value);
	tn_str_release(&t.selected);
	tn_str_release(&t.rest);
	tn_str_release(&t.lift);
	return p->answer.job->options->exit_code && sure ? EXIT_DIFFERS : 0;
}

/* Nothing can be compared where all, or none, are selected. */
static void
tell_all_or_none(const struct tn_why *why)
{
	char text[300];

	if (tn_why_selected(why) && tn_why_rest(why))
		return;
	snprintf(text, sizeof text, _("%ju of %ju spans are selected: there is nothing to compare them with"),
		 (uintmax_t)tn_why_selected(why), (uintmax_t)(tn_why_selected(why) + tn_why_rest(why)));
	complain(_("note"), text);
}

static int
run(struct printer *p)
{
	const struct options *o = p->answer.job->options;
	const struct tn_selection selection = { TN_SELECTION, .set = p->answer.job->set, .options = &p->answer.scan };
	struct tn_error err;
	enum tn_code rc = tn_why_new(&p->why, &selection, o->spans[0], o->why, &err);

	if (rc == TN_OK)
		rc = tn_why_run(p->why, &err);
	return answer_status(&p->answer, rc, &err);
}

int
print_why(struct job *job)
{
	struct printer p = { .why = NULL };
	int status = answer_begin(&p.answer, job), found = 0, closed;

	if (!status)
		status = make_table(&p.answer, true);
	p.of_ranges = p.answer.table;
	p.answer.table = NULL;
	if (!status)
		status = make_table(&p.answer, false);
	if (!status)
		status = run(&p);
	if (!status && !p.answer.out.error) {
		found = print_findings(&p);
		tell_all_or_none(p.why);
		job->events = tn_why_selected(p.why) + tn_why_rest(p.why);
	}
	tn_why_free(p.why);
	tn_table_free(p.of_ranges);
	closed = answer_end(&p.answer, status);
	return closed ? closed : found;
}
