/* plot.c - the answer --plot: a number over time as text */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tnav/plot.h>

#include "answers.h"
#include "gettext.h"

#define COLUMNS 80
#define ROWS 20
#define LABEL 12	/* width of the labels of the value axis */

struct printer {
	struct answer answer;
	struct tn_spans *spans;
	struct tn_plot *plot;
	enum plot_as as;
	enum tn_plot_form form;
};

static struct tn_answer_value
a_float(double f)
{
	bool is_whole = isfinite(f) && fabs(f) < 9e15 && f == floor(f);

	if (is_whole)
		return tn_answer_number(true, (int64_t)f);
	return (struct tn_answer_value) { .kind = isnan(f) ? TN_ANSWER_NONE : TN_ANSWER_FLOAT, .is.f = f };
}

/* ---- CSV and JSON lines ---- */

static void
add_columns(struct printer *p)
{
	static const char *const cell[] = { "from", "to", NULL };
	static const char *const point[] = { "min", "mean", "max", "last", "p50", "p99", NULL };

	answer_column(&p->answer, (struct tn_table_column) { .name = "begin" });
	answer_column(&p->answer, (struct tn_table_column) { .name = "end" });
	for (const char *const *name = p->form == TN_PLOT_HEAT ? cell : point; *name; name++)
		answer_column(&p->answer, (struct tn_table_column) { .name = *name });
	if (tn_plot_key_name(p->plot))
		answer_column(&p->answer, (struct tn_table_column) { .name = tn_plot_key_name(p->plot) });
	answer_column(&p->answer, (struct tn_table_column) { .name = "count" });
	answer_column(&p->answer, (struct tn_table_column) { .name = "lost", .flags = TN_COLUMN_BOOL });
}

/* Write a cell or a point that has values as a row. */
static int
put_part(struct printer *p, size_t series, size_t column, size_t row)
{
	struct tn_answer_value v[11];	/* two times, six numbers, the key, count, lost */
	struct tn_plot_point point = tn_plot_point(p->plot, series, column);
	uint64_t count = p->form == TN_PLOT_HEAT ? tn_plot_cell(p->plot, series, column, row) : point.count;
	size_t n = 0;

	if (!count)
		return 0;
	v[n++] = tn_answer_number(true, tn_plot_time(p->plot, column));
	v[n++] = tn_answer_number(true, tn_plot_time(p->plot, column + 1));
	if (p->form == TN_PLOT_HEAT) {
		double from, to;

		tn_plot_limits(p->plot, row, &from, &to);
		v[n++] = a_float(from);
		v[n++] = a_float(to);
	} else {
		const double number[] = { point.min, point.mean, point.max, point.last, point.p50, point.p99 };

		for (size_t i = 0; i < sizeof number / sizeof *number; i++)
			v[n++] = a_float(number[i]);
	}
	if (tn_plot_key_name(p->plot))
		v[n++] = *tn_plot_key(p->plot, series);
	v[n++] = tn_answer_number(true, (int64_t)count);
	v[n] = tn_answer_number(true, tn_plot_lost(p->plot, column));
	return answer_row(&p->answer, v);
}

static int
begin_table(struct printer *p)
{
	int status = answer_table(&p->answer);

	if (!status) {
		add_columns(p);
		status = answer_check_members(&p->answer);
	}
	return status ? status : answer_heading(&p->answer);
}

static int
print_table(struct printer *p)
{
	size_t rows = p->form == TN_PLOT_HEAT ? tn_plot_rows(p->plot) : 1;
	int status = begin_table(p);

	for (size_t c = 0; c < tn_plot_columns(p->plot); c++)
		for (size_t s = 0; s < tn_plot_series(p->plot); s++)
			for (size_t r = 0; r < rows && !status; r++)
				status = put_part(p, s, c, r);
	return status;
}

/* ---- the picture ---- */

static void
put_label(struct printer *p, size_t row)
{
	struct tn_str text = { 0 };
	bool has = tn_plot_label(p->plot, row, &text);
	int width = text.text ? column_width(text.text, text.n) : 0;

	put_column(&p->answer.line, "", 0, width < LABEL ? LABEL - width : 0);
	put_text(&p->answer.line, text.text ? text.text : "");
	put_text(&p->answer.line, has ? " +" : " |");
	tn_str_release(&text);
}

/* The text of an empty cell: a mark if events were lost in its column. */
static const char *
empty(const struct printer *p, size_t column)
{
	return tn_plot_lost(p->plot, column) ? "!" : " ";
}

/* One of nine characters for @n values (@n > 0): more values give a darker character, on a logarithmic scale. */
static char
shade(uint64_t n, uint64_t most)
{
	static const char signs[] = ".:-=+*#%@";
	double part = most > 1 ? log((double)n) / log((double)most) : 1;

	return signs[(size_t)(part * 8 + 0.5)];
}

static int
print_heat(struct printer *p, size_t series)
{
	uint64_t most = tn_plot_most(p->plot, series);
	struct tn_str *out = &p->answer.line;
	int status = 0;

	for (size_t r = tn_plot_rows(p->plot); r-- > 0 && !status;) {
		put_label(p, r);
		for (size_t c = 0; c < tn_plot_columns(p->plot); c++) {
			uint64_t n = tn_plot_cell(p->plot, series, c, r);
			char sign[2] = { n && p->as != PLOT_POINTS ? shade(n, most) : 'o', '\0' };

			put_text(out, n ? sign : empty(p, c));
		}
		put_text(out, "\n");
		status = answer_put(&p->answer);
	}
	if (!status && p->as != PLOT_POINTS) {
		tn_str_printf(out, ngettext("%*s@ %ju value in a cell\n", "%*s@ %ju values in a cell\n", (unsigned long)most),
			      LABEL + 2, "", (uintmax_t)most);
		status = answer_put(&p->answer);
	}
	return status;
}

/*
 * The character of a point in row @row. For a line: marks for p50, p99 and the mean within a band from the least to the
 * greatest value. NULL: none.
 */
static const char *
sign_of_line(const struct printer *p, const struct tn_plot_point *at, size_t row)
{
	double from, to;

	if (p->as == PLOT_STEPS)
		return tn_plot_row(p->plot, at->last) == row ? "_" : NULL;
	if (tn_plot_row(p->plot, at->mean) == row)
		return "*";
	if (tn_plot_row(p->plot, at->p99) == row)
		return "=";
	if (tn_plot_row(p->plot, at->p50) == row)
		return "-";
	tn_plot_limits(p->plot, row, &from, &to);
	return at->min < to && at->max >= from ? ":" : NULL;
}

static int
print_line(struct printer *p, size_t series)
{
	struct tn_str *out = &p->answer.line;
	int status = 0;

	for (size_t r = tn_plot_rows(p->plot); r-- > 0 && !status;) {
		put_label(p, r);
		for (size_t c = 0; c < tn_plot_columns(p->plot); c++) {
			struct tn_plot_point at = tn_plot_point(p->plot, series, c);
			const char *sign = at.count ? sign_of_line(p, &at, r) : NULL;

			put_text(out, sign ? sign : empty(p, c));
		}
		put_text(out, "\n");
		status = answer_put(&p->answer);
	}
	if (!status && p->as == PLOT_LINE) {
		tn_str_printf(out, "%*s* %s  - p50  = p99  : %s\n", LABEL + 2, "", _("mean"), _("least to greatest"));
		status = answer_put(&p->answer);
	}
	return status;
}

static int
print_axis(struct printer *p)
{
	struct tn_str *out = &p->answer.line;
	bool lost = false;

	put_column(out, "", 0, LABEL + 1);
	put_text(out, "+");
	for (size_t c = 0; c < tn_plot_columns(p->plot); c++) {
		bool is = tn_plot_lost(p->plot, c);

		lost |= is;
		put_text(out, is ? "!" : "-");
	}
	put_text(out, "\n");
	put_column(out, "", 0, LABEL + 2);
	tn_text_time(p->answer.text, tn_plot_time(p->plot, 0), out);
	put_text(out, " - ");
	tn_text_time(p->answer.text, tn_plot_time(p->plot, tn_plot_columns(p->plot)), out);
	if (lost)
		put_text(out, _("  ! events were lost"));
	put_text(out, "\n");
	return answer_put(&p->answer);
}

static int
print_picture(struct printer *p)
{
	struct tn_str *out = &p->answer.line;
	int status = 0;

	for (size_t s = 0; s < tn_plot_series(p->plot) && !status; s++) {
		put_column(out, tn_plot_value_name(p->plot), strlen(tn_plot_value_name(p->plot)), 0);
		if (tn_plot_key(p->plot, s)) {
			struct tn_str key = { 0 };

			tn_answer_value_text(tn_plot_key(p->plot, s), &key);
			put_text(out, "  ");
			put_column(out, tn_plot_key_name(p->plot), strlen(tn_plot_key_name(p->plot)), 0);
			put_text(out, " ");
			put_column(out, key.text ? key.text : "", key.n, 0);
			tn_str_release(&key);
		}
		put_text(out, "\n");
		status = answer_put(&p->answer);
		if (!status)
			status = p->form == TN_PLOT_HEAT ? print_heat(p, s) : print_line(p, s);
	}
	return status ? status : print_axis(p);
}

/* ---- the run ---- */

static int
run(struct printer *p)
{
	struct job *job = p->answer.job;
	const struct options *o = job->options;
	size_t columns = o->columns ? (size_t)o->columns : COLUMNS, rows = o->rows ? (size_t)o->rows : ROWS;
	int64_t begin_ns, end_ns, first = 0, last = 0;
	struct tn_error err;
	enum tn_code rc = tn_set_time_range(job->set, &first, &last, &err);
	struct tn_span_counts spans;
	char text[256];

	if (rc == TN_END) {
		complain(NULL, _("no event has a time"));
		return 1;
	}
	begin_ns = job->has_begin ? job->begin_ns : first;
	end_ns = job->has_end ? job->end_ns : last;
	end_ns += end_ns < INT64_MAX;	/* the end is exclusive; --end and the last event belong to the plot */
	if (rc == TN_OK)
		rc = tn_plot_run(p->plot, &p->answer.scan, p->form, begin_ns, end_ns, columns < 2 ? 2 : columns, rows, &err);
	if (rc == TN_END) {
		complain(_("note"), _("nothing to plot: no event or span has this value in this time"));
		return o->as == FORMAT_PARQUET ? begin_table(p) : 0;
	}
	if (rc < 0)
		return answer_status(&p->answer, rc, &err);
	spans = tn_plot_span_counts(p->plot);
	tell_bounds(&spans);
	if (strcmp(tn_plot_value_name(p->plot), "any_duration") != 0)
		tell_doubtful(&spans);
	if (tn_plot_not_finite(p->plot)) {
		snprintf(text, sizeof text, ngettext("%ju value is infinite or not a number: it is left out",
						     "%ju values are infinite or not numbers: they are left out",
						     (unsigned long)tn_plot_not_finite(p->plot)),
			 (uintmax_t)tn_plot_not_finite(p->plot));
		complain(_("note"), text);
	}
	if (tn_plot_left_out(p->plot)) {
		snprintf(text, sizeof text, _("the plot shows the %zu most frequent values of '%s'; %ju numbers of "
					      "other values are left out"),
			 tn_plot_series(p->plot), tn_plot_key_name(p->plot) ? tn_plot_key_name(p->plot) : "",
			 (uintmax_t)tn_plot_left_out(p->plot));
		complain(_("note"), text);
	}
	return o->as == FORMAT_TEXT ? print_picture(p) : print_table(p);
}

static enum tn_code
define(struct printer *p, struct tn_error *err)
{
	struct job *job = p->answer.job;
	const struct options *o = job->options;
	enum tn_code rc = TN_OK;

	if (o->n_spans)
		rc = tn_spans_new(&p->spans, job->set, err);
	for (size_t i = 0; i < o->n_spans && rc == TN_OK; i++)
		rc = tn_spans_add(p->spans, o->spans[i], err);
	if (rc == TN_OK && o->where && p->spans)
		rc = tn_spans_where(p->spans, o->where, err);
	if (rc == TN_OK)
		rc = tn_plot_new(&p->plot, job->set, p->spans, o->plot, err);
	if (rc == TN_ERR_ARGUMENT && !p->spans && tn_plot_is_of_spans(o->plot))
		snprintf(err->text, sizeof err->text, "%s", _("dur is the duration of spans: add --spans"));
	if (rc < 0)
		return rc;
	if (tn_plot_remark(p->plot))
		complain(_("note"), tn_plot_remark(p->plot));
	p->as = o->plot_as ? o->plot_as : tn_plot_unit(p->plot) == TN_GROUP_DURATION ? PLOT_HEAT : PLOT_LINE;
	p->form = p->as == PLOT_HEAT || p->as == PLOT_POINTS ? TN_PLOT_HEAT : TN_PLOT_LINE;
	return rc;
}

int
print_plot(struct job *job)
{
	struct printer p = { .answer.job = job };
	struct tn_error err;
	int status = define(&p, &err) == TN_OK ? 0 : job_failed(&err);

	if (!status) {
		status = answer_begin(&p.answer, job);
		if (!status)
			status = run(&p);
		status = answer_end(&p.answer, status);
	}
	tn_plot_free(p.plot);
	tn_spans_free(p.spans);
	return status;
}
