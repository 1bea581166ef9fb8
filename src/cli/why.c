/*
 * why.c - the answer --why: compare spans or events that meet a condition with all others, and find values that they have
 * more often
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/compare.h>

#include "answers.h"
#include "gettext.h"

struct printer {
	struct answer answer;
	struct tn_table *of_ranges;	/* table of ranges, for JSON */
	struct tn_why *why;
};

static int
make_table(struct answer *a, bool of_ranges)
{
	int status = answer_table(a);
	struct tn_error err;

	if (!status && tn_why_add_columns(a->table, of_ranges && answer_form(a) == TN_TABLE_JSON, &err) != TN_OK)
		status = job_failed(&err);
	return status;
}

static int
print_findings(struct printer *p)
{
	enum tn_table_form form = answer_form(&p->answer);
	uint64_t top = p->answer.job->options->top;
	struct tn_answer_value v[TN_WHY_COLUMNS];
	struct tn_str room = { 0 };
	struct tn_why_finding f;
	size_t n = tn_why_count(p->why);
	bool sure = tn_why_finding(p->why, 0, &f) && f.verdict == TN_COMPARE_SURE;
	int failed;

	n = top && top < n ? (size_t)top : n;
	for (size_t i = 0; form == TN_TABLE_TEXT && i < n && tn_why_finding(p->why, i, &f); i++) {
		tn_why_values(v, &f, form, p->answer.text, &room);
		tn_table_measure(p->answer.table, v);
	}
	failed = answer_heading(&p->answer);
	for (size_t i = 0; i < n && !failed && tn_why_finding(p->why, i, &f); i++) {
		tn_why_values(v, &f, form, p->answer.text, &room);
		failed = answer_table_row(&p->answer, form == TN_TABLE_JSON && f.is_range ? p->of_ranges : p->answer.table, v);
	}
	tn_str_release(&room);
	return p->answer.job->options->exit_code && sure ? EXIT_DIFFERS : 0;
}

/* Report that the condition selects all or none, so that a comparison is impossible. */
static void
tell_all_or_none(const struct tn_why *why, bool of_spans)
{
	char text[300];

	if (tn_why_selected(why) && tn_why_rest(why))
		return;
	snprintf(text, sizeof text, of_spans ? _("%ju of %ju spans are selected: there is nothing to compare them with") :
		 _("%ju of %ju events are selected: there is nothing to compare them with"),
		 (uintmax_t)tn_why_selected(why), (uintmax_t)(tn_why_selected(why) + tn_why_rest(why)));
	complain(_("note"), text);
}

static int
run(struct printer *p)
{
	const struct options *o = p->answer.job->options;
	const struct tn_selection selection = { TN_SELECTION, .set = p->answer.job->set, .options = &p->answer.scan };
	struct tn_error err;
	enum tn_code rc = tn_why_new(&p->why, &selection, o->n_spans ? o->spans[0] : NULL, o->why, &err);

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
		tell_all_or_none(p.why, job->options->n_spans);
		job->events = tn_why_selected(p.why) + tn_why_rest(p.why);
	}
	tn_why_free(p.why);
	tn_table_free(p.of_ranges);
	closed = answer_end(&p.answer, status);
	return closed ? closed : found;
}
