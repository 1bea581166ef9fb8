/* compare.c - the answer --diff: the differences of two traces, or of two selections of the same traces */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/compare.h>

#include "flame.h"
#include "sequence.h"

/* One side of a comparison: its traces, its time range and its condition. */
struct side {
	struct job job;
	struct tn_filter *filter;
	struct tn_text *text;
	struct tn_scan_options scan;
	struct tn_selection selection;
	/* The selection that --first or --second makes. */
	bool has_range;
	int64_t begin_ns, end_ns;
	const char *condition;	/* NULL: no condition */
	char *range;		/* owned; the two times that precede "where" */
};

struct printer {
	struct answer answer;
	struct side side[2];
	struct tn_compare *compare;
};

/* ---- selections ---- */

/* Read a range "BEGIN,END". */
static int
read_range(struct side *s, const char *option, const char *text, size_t n)
{
	struct tn_error err;
	char message[512], *comma;

	s->range = strndup(text, n);
	comma = s->range ? strchr(s->range, ',') : NULL;
	if (!comma) {
		snprintf(message, sizeof message,
			 _("--%s=%.300s: write BEGIN,END, a condition, 'BEGIN,END where CONDITION' or rest"), option, text);
		complain(NULL, message);
		return 2;
	}
	*comma = '\0';
	s->job.has_begin = false;
	if (s->job.read_bound(&s->job, s->range, false, &s->begin_ns, &err) < 0)
		return job_failed(&err);
	s->job.has_begin = true;	/* an end such as +5ms is relative to this time */
	s->job.begin_ns = s->begin_ns;
	if (s->job.read_bound(&s->job, comma + 1, true, &s->end_ns, &err) < 0)
		return job_failed(&err);
	if (s->begin_ns > s->end_ns) {
		snprintf(message, sizeof message, _("--%s=%.300s: BEGIN is later than END"), option, text);
		complain(NULL, message);
		return 2;
	}
	s->has_range = true;
	return 0;
}

static int
read_selection(struct side *s, const char *option, const char *text)
{
	const char *where = tn_condition_find_word(text, "where");
	size_t n = where ? (size_t)(where - text) : strlen(text);

	if (where || !tn_condition_is_expression(text)) {
		s->condition = where ? where + strlen(" where") : NULL;
		return read_range(s, option, text, n);
	}
	s->condition = text;
	return 0;
}

static int
add_expression(struct side *s, const char *text, bool is_rest)
{
	struct tn_time_context times = { TN_TIME_CONTEXT, .utc = s->job.options->text.utc };
	struct tn_error err;
	enum tn_code rc = TN_OK;

	if (!s->filter) {
		rc = tn_filter_new(&s->filter, s->job.set, &err);
		if (rc == TN_OK)
			tn_filter_times(s->filter, &times);
	}
	if (rc == TN_OK)
		rc = is_rest ? tn_filter_add_rest(s->filter, text, &err) : tn_filter_add_expression(s->filter, text, &err);
	return rc < 0 ? job_failed(&err) : 0;
}

/* Select all events that the other side does not select. */
static int
take_rest(struct side *s, const struct side *other)
{
	struct tn_str text = { 0 };
	int status;

	if (other->has_range)
		tn_str_printf(&text, "time >= @%" PRId64 " and time <= @%" PRId64 "%s%s%s", other->begin_ns, other->end_ns,
			      other->condition ? " and (" : "", other->condition ? other->condition : "",
			      other->condition ? ")" : "");
	else
		tn_str_puts(&text, other->condition ? other->condition : "");
	s->selection.has_hole = other->has_range && !other->condition;
	s->selection.hole_begin_ns = other->begin_ns;
	s->selection.hole_end_ns = other->end_ns;
	s->selection.is_part = other->condition != NULL;
	status = text.failed ? 1 : add_expression(s, text.text, true);
	tn_str_release(&text);
	return status;
}

static int
take_selection(struct side *s)
{
	if (s->has_range) {
		if (!s->scan.has_begin || s->scan.begin_ns < s->begin_ns)
			s->scan.begin_ns = s->begin_ns;
		if (!s->scan.has_end || s->scan.end_ns > s->end_ns)
			s->scan.end_ns = s->end_ns;
		s->scan.has_begin = s->scan.has_end = true;
	}
	s->selection.is_part = s->condition != NULL;
	return s->condition ? add_expression(s, s->condition, false) : 0;
}

static int
take_selections(struct printer *p)
{
	static const char *const option[] = { "first", "second" };
	const struct options *o = p->answer.job->options;
	const char *const text[] = { o->first ? o->first : "rest", o->second ? o->second : "rest" };
	int status = 0;

	if (!o->first && !o->second)
		return 0;
	if (strcmp(text[0], "rest") == 0 && strcmp(text[1], "rest") == 0) {
		complain(NULL, _("--first or --second must select a range, a condition, or both"));
		return 2;
	}
	for (size_t i = 0; i < 2 && !status; i++)
		if (strcmp(text[i], "rest") != 0)
			status = read_selection(&p->side[i], option[i], text[i]);
	for (size_t i = 0; i < 2 && !status; i++)
		status = strcmp(text[i], "rest") == 0 ? take_rest(&p->side[i], &p->side[!i]) : take_selection(&p->side[i]);
	return status;
}

/* ---- the sides ---- */

static int
open_side(struct printer *p, size_t i)
{
	struct side *s = &p->side[i];
	struct job *job = p->answer.job;
	struct tn_error err;
	int status = 0;

	s->job = *job;
	if (i && job->second) {
		s->job.set = job->second;
		s->job.has_begin = s->job.has_end = false;
		status = job->read_bounds(&s->job);	/* each side has a clock of its own */
	}
	if (!status)
		status = job_filter(&s->job, &s->filter);
	if (!status && tn_text_new(&s->text, s->job.set, &job->options->text, &err) != TN_OK)
		status = job_failed(&err);
	s->scan = p->answer.scan;
	s->scan.text = s->text;
	s->scan.has_begin = s->job.has_begin;
	s->scan.has_end = s->job.has_end;
	s->scan.begin_ns = s->job.begin_ns;
	s->scan.end_ns = s->job.end_ns;
	return status;
}

static void
close_side(struct side *s)
{
	tn_filter_free(s->filter);
	tn_text_free(s->text);
	free(s->range);
}

/* The length of the first field in a list of fields; a comma between backticks is part of the name. */
static size_t
field_size(const char *list)
{
	bool quoted = false;
	size_t n = 0;

	for (; list[n] && (quoted || list[n] != ','); n++)
		quoted ^= list[n] == '`';
	return n;
}

/* Add each field of a list to the comparison. */
static enum tn_code
add_fields(struct tn_compare *c, const char *list, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	while (rc == TN_OK && list && *list) {
		size_t n = field_size(list);
		const char *end = list + n;
		char field[512];

		while (n && *list == ' ')
			list++, n--;
		snprintf(field, sizeof field, "%.*s", (int)n, list);
		rc = tn_compare_add_field(c, field, err);
		list = end + (*end == ',');
	}
	return rc;
}

static void
set_selections(struct printer *p)
{
	for (size_t i = 0; i < 2; i++) {
		p->side[i].scan.filter = p->side[i].filter;
		p->side[i].selection.size = sizeof p->side[i].selection;
		p->side[i].selection.set = p->side[i].job.set;
		p->side[i].selection.options = &p->side[i].scan;
	}
}

static int
compare(struct printer *p)
{
	const struct options *o = p->answer.job->options;
	struct tn_error err;
	enum tn_code rc;

	rc = tn_compare_new(&p->compare, &p->side[0].selection, &p->side[1].selection, &err);
	for (size_t i = 0; rc == TN_OK && i < o->n_spans; i++)
		rc = tn_compare_add_spans(p->compare, o->spans[i], &err);
	if (rc == TN_OK)
		rc = add_fields(p->compare, o->values, &err);
	if (rc == TN_OK)
		rc = tn_compare_run(p->compare, &err);
	return answer_status(&p->answer, rc, &err);
}

/* ---- the table ---- */

/* The number of rows to print; *sure: how many of them are certain differences. */
static size_t
rows_to_print(const struct printer *p, size_t *sure)
{
	uint64_t top = p->answer.job->options->top;
	size_t n = tn_compare_count(p->compare);
	struct tn_compare_row r;

	*sure = 0;
	for (size_t i = 0; i < n && tn_compare_row(p->compare, i, &r) && r.verdict == TN_COMPARE_SURE; i++)
		++*sure;
	return top && top < n ? (size_t)top : n;
}

static int
print_rows(struct printer *p)
{
	enum tn_table_form form = answer_form(&p->answer);
	struct tn_answer_value v[TN_COMPARE_COLUMNS];
	struct tn_str room = { 0 };
	struct tn_compare_row r;
	size_t sure, n = rows_to_print(p, &sure);
	int failed;

	p->answer.job->events = n;
	for (size_t i = 0; form == TN_TABLE_TEXT && i < n && tn_compare_row(p->compare, i, &r); i++) {
		tn_compare_values(v, &r, form, &room);
		tn_table_measure(p->answer.table, v);
	}
	failed = answer_heading(&p->answer);
	for (size_t i = 0; i < n && !failed && tn_compare_row(p->compare, i, &r); i++) {
		tn_compare_values(v, &r, form, &room);
		failed = answer_row(&p->answer, v);
	}
	tn_str_release(&room);
	return p->answer.job->options->exit_code && sure ? EXIT_DIFFERS : 0;
}

/* Warn of a side without events, because then no row of the table is certain. */
static void
tell_empty(const struct printer *p)
{
	uint64_t events[2] = { 0, 0 };
	struct tn_compare_row r;

	for (size_t i = 0; tn_compare_row(p->compare, i, &r); i++)
		for (size_t side = 0; side < 2 && r.what == TN_COMPARE_EVENT; side++)
			events[side] += r.side[side].count;
	if (!events[0])
		complain(_("note"), _("the first side has no events: there is nothing to compare"));
	if (!events[1])
		complain(_("note"), _("the second side has no events: there is nothing to compare"));
}

static int
print_table(struct printer *p, int *differs)
{
	struct tn_error err;
	int status;

	if (tn_compare_add_columns(p->answer.table, &err) != TN_OK)
		return job_failed(&err);
	status = compare(p);
	if (!status && p->compare)
		*differs = print_rows(p);
	if (!status)
		tell_empty(p);
	return status;
}

static int
compare_flames(struct printer *p)
{
	struct tn_flame *flame[2] = { NULL, NULL }, *frames;
	struct job *job = p->answer.job;
	enum tn_code rc = TN_OK;
	struct tn_error err;
	int status;

	for (size_t i = 0; i < 2 && rc == TN_OK; i++) {
		struct side *s = &p->side[i];

		s->scan.filter = s->filter;
		rc = flame_read(&flame[i], job->options, s->job.set, &s->scan,
				i && job->second ? &job->second_addresses : &job->addresses, &err);
		if (rc == TN_OK)
			rc = tn_flame_frames(&frames, flame[i], &err);
		tn_flame_free(flame[i]);
		flame[i] = rc == TN_OK ? frames : NULL;
		flame_tell(flame[i]);
	}
	status = answer_status(&p->answer, rc, &err);
	if (!status && flame[1])
		status = print_flame_diff(&p->answer, flame);
	tn_flame_free(flame[0]);
	tn_flame_free(flame[1]);
	return status;
}

int
print_differences(struct job *job)
{
	struct printer p = { .compare = NULL };
	int status = answer_begin(&p.answer, job), differs = 0, closed;

	for (size_t i = 0; i < 2 && !status; i++)
		status = open_side(&p, i);
	if (!status)
		status = take_selections(&p);
	if (job->options->flame_diff) {
		status = status ? status : compare_flames(&p);
		close_side(&p.side[0]);
		close_side(&p.side[1]);
		return answer_end(&p.answer, status);
	}
	if (!status)
		status = answer_table(&p.answer);
	set_selections(&p);
	if (!status && job->options->sequence)
		status = print_sequence(&p.answer, &p.side[0].selection, &p.side[1].selection, &differs);
	else if (!status)
		status = print_table(&p, &differs);
	if (!status && tn_compare_is_cut(p.compare))
		complain(_("warning"),
			 _("not all spans or values fit into memory: choose fewer pairs (--spans), fields or events (--filter)"));
	tn_compare_free(p.compare);
	close_side(&p.side[0]);
	close_side(&p.side[1]);
	closed = answer_end(&p.answer, status);
	return closed ? closed : differs;
}
