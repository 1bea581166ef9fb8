/* plot.c - how large a number is over time: groups of its bins in steps of time */
#include <tnav/plot.h>

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "language/bins.h"
#include "scan/asker.h"

struct tn_plot {
	struct tn_set *set;
	const struct tn_spans *spans;
	char *value, *key;		/* of the definition */
	struct tn_bins bins;		/* the axis it asks for */
	enum tn_group_unit unit;
	/* the picture */
	struct tn_groups *groups;	/* owns the keys of the series */
	enum tn_plot_form form;
	int64_t begin_ns, width_ns;
	size_t columns, rows, n_series;
	int64_t first_bin;		/* number of the bin that is the lowest row */
	int64_t bins_a_row;
	double step;			/* of a linear axis */
	double min, max;
	bool is_log;
	uint64_t left_out;
	struct tn_answer_value series[TN_PLOT_SERIES];
	uint64_t *cell;			/* [series][column][row] */
	struct tn_plot_point *point;	/* [series][column] */
	bool *lost;			/* [column] */
	const struct tn_scan_options *options;	/* of the run */
};

/* ---- the definition ---- */

/* "VALUE [by KEY]": the place of " by "; text in parentheses and backticks belongs to a name. */
static const char *
find_by(const char *text)
{
	int depth = 0;
	bool quoted = false;

	for (; *text; text++) {
		quoted ^= *text == '`';
		depth += !quoted && *text == '(';
		depth -= !quoted && *text == ')';
		if (!quoted && depth <= 0 && isspace((unsigned char)*text) && strncmp(text + 1, "by", 2) == 0 &&
		    isspace((unsigned char)text[3]))
			return text;
	}
	return NULL;
}

static char *
trimmed(const char *from, const char *end)
{
	while (from < end && isspace((unsigned char)*from))
		from++;
	while (end > from && isspace((unsigned char)end[-1]))
		end--;
	return strndup(from, (size_t)(end - from));
}

static enum tn_code
groups_new(struct tn_plot *p, const char *by, const char *show, struct tn_error *err)
{
	tn_groups_free(p->groups);
	p->groups = NULL;
	return p->spans ? tn_groups_of_spans(&p->groups, p->spans, by, show, err) :
	       tn_groups_new(&p->groups, p->set, by, show, err);
}

/* The unit of the value, and whether the key is one. */
static enum tn_code
check(struct tn_plot *p, struct tn_error *err)
{
	struct tn_str show = { 0 };
	enum tn_code rc;

	tn_str_printf(&show, "max(%s)", p->value);
	rc = show.failed ? tn_fail_memory(err) : groups_new(p, p->key ? p->key : "", show.text, err);
	if (rc == TN_OK)
		p->unit = tn_groups_unit(p->groups, tn_groups_key_count(p->groups));
	if (rc == TN_OK && tn_groups_key_count(p->groups) > 1)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': a plot has one key", p->key);
	tn_str_release(&show);
	return rc;
}

enum tn_code
tn_plot_new(struct tn_plot **out, struct tn_set *set, const struct tn_spans *spans, const char *definition, struct tn_error *err)
{
	struct tn_plot *p;
	const char *by, *name;
	char *value;
	size_t n;
	enum tn_code rc;

	if (out)
		*out = NULL;
	if (!out || !set || !definition)
		return tn_fail_null(err);
	p = calloc(1, sizeof *p);
	if (!p)
		return tn_fail_memory(err);
	by = find_by(definition);
	p->set = set;
	p->spans = spans;
	value = trimmed(definition, by ? by : definition + strlen(definition));
	p->key = by ? trimmed(by + 4, by + strlen(by)) : NULL;
	rc = value && (p->key || !by) ? TN_OK : tn_fail_memory(err);
	if (rc == TN_OK && !*value)
		rc = tn_fail(err, TN_ERR_ARGUMENT, "'%s': what to plot? Write a number: ret, dur by name", definition);
	if (rc == TN_OK) {
		name = value;
		n = strlen(value);
		rc = tn_bins_read(&p->bins, &name, &n, err);
		if (rc == TN_OK)
			p->value = strndup(name, n);
		if (rc == TN_OK && !p->value)
			rc = tn_fail_memory(err);
	}
	free(value);
	rc = rc == TN_OK ? check(p, err) : rc;
	if (rc < 0) {
		tn_plot_free(p);
		return rc;
	}
	*out = p;
	return TN_OK;
}

static void
release_picture(struct tn_plot *p)
{
	free(p->cell);
	free(p->point);
	free(p->lost);
	p->cell = NULL;
	p->point = NULL;
	p->lost = NULL;
	p->columns = p->rows = p->n_series = 0;
	p->left_out = 0;
}

void
tn_plot_free(struct tn_plot *p)
{
	if (!p)
		return;
	release_picture(p);
	tn_groups_free(p->groups);
	free(p->value);
	free(p->key);
	free(p);
}

/* ---- a run ---- */

static void
mark_lost(struct tn_plot *p, int64_t from_ns, int64_t to_ns)
{
	int64_t end_ns = tn_plot_time(p, p->columns);
	size_t first, last;

	if (to_ns < p->begin_ns || from_ns >= end_ns)
		return;
	first = from_ns <= p->begin_ns ? 0 : (size_t)(((uint64_t)from_ns - (uint64_t)p->begin_ns) / (uint64_t)p->width_ns);
	last = to_ns >= end_ns ? p->columns - 1 : (size_t)(((uint64_t)to_ns - (uint64_t)p->begin_ns) / (uint64_t)p->width_ns);
	for (size_t i = first; i <= last && i < p->columns; i++)
		p->lost[i] = true;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct tn_plot *p = user;

	if (p->lost && row->has_range)
		mark_lost(p, row->begin_ns, row->end_ns);
	else if (p->lost && row->has_time)
		mark_lost(p, row->time_ns, row->time_ns);
	return p->lost && p->options->notice ? p->options->notice(p->options->user, row) : 0;
}

/* The groups of the values in the range. */
static enum tn_code
run_groups(struct tn_plot *p, const char *by, const char *show, int64_t begin_ns, int64_t end_ns, struct tn_error *err)
{
	struct tn_scan_options o = *p->options;
	enum tn_code rc = groups_new(p, by, show, err);

	o.has_begin = o.has_end = true;
	o.begin_ns = begin_ns;
	o.end_ns = end_ns - 1;
	o.notice = on_notice;
	tn_answer_with(&o, p);
	return rc == TN_OK ? tn_groups_run(p->groups, &o, err) : rc;
}

static double
number(const struct tn_answer_value *v)
{
	switch (v->kind) {
	case TN_ANSWER_UINT: return (double)v->is.u;
	case TN_ANSWER_SINT: return (double)v->is.i;
	case TN_ANSWER_FLOAT: return v->is.f;
	default: return NAN;
	}
}

/* 1, 2 or 5 times a power of ten, not below @least. */
static double
round_step(double least)
{
	double power = pow(10, floor(log10(least)));

	for (;; power *= 10)
		for (int i = 0; i < 3; i++) {
			static const int digit[] = { 1, 2, 5 };

			if (digit[i] * power >= least * (1 - 1e-12))
				return digit[i] * power;
		}
}

/* The number of the bin that contains @v: of a doubling axis 0, then 1 for 1, 2 for 2 and 3, 3 for 4 to 7, ... */
static int64_t
bin_of(const struct tn_plot *p, double v)
{
	int exponent;

	if (!p->is_log)
		return (int64_t)floor(v / p->step);
	frexp(v, &exponent);
	if (exponent < 0)	/* means can be fractions: those below 1 are with 0 */
		exponent = 0;
	return v < 0 ? -exponent : exponent;
}

/* The number of the bin that a group calls @v. */
static int64_t
bin_called(const struct tn_plot *p, double v)
{
	return p->is_log ? bin_of(p, v) : (int64_t)floor(v / p->step + 0.5);
}

/* The lower limit of a bin. */
static double
bin_limit(const struct tn_plot *p, int64_t bin)
{
	if (!p->is_log)
		return (double)bin * p->step;
	if (bin <= 0)	/* down to -2^k, which it contains */
		return bin ? -ldexp(1, (int)-bin) : 0;
	return ldexp(1, (int)bin - 1);
}

/* A doubling axis needs whole numbers. */
static bool
has_fractions(const struct tn_answer_value *min, const struct tn_answer_value *max)
{
	return min->kind == TN_ANSWER_FLOAT || max->kind == TN_ANSWER_FLOAT;
}

/* The axis of values, from the least and the greatest one. */
static enum tn_code
lay_axis(struct tn_plot *p, size_t rows, const struct tn_answer_value *min, const struct tn_answer_value *max, struct tn_error *err)
{
	int64_t last;
	double least;

	p->min = number(min);
	p->max = number(max);
	if (!isfinite(p->min) || !isfinite(p->max))
		return tn_fail(err, TN_ERR_ARGUMENT, "'%s' is infinite in some events: filter them out", p->value);
	if (p->bins.kind == TN_BINS_LOG2 && has_fractions(min, max))
		return tn_fail(err, TN_ERR_ARGUMENT, "log2(%s): a plot doubles for whole numbers; these have fractions", p->value);
	p->is_log = p->bins.kind == TN_BINS_LOG2 || (!p->bins.kind && p->unit == TN_GROUP_DURATION &&
						      p->form == TN_PLOT_HEAT && !has_fractions(min, max));
	p->bins_a_row = 1;
	if (p->is_log) {
		p->first_bin = bin_of(p, p->min);
		last = bin_of(p, p->max);
		p->bins_a_row += (last - p->first_bin) / (int64_t)rows;
	} else {
		least = (p->max - p->min) / (double)(rows - 1);
		p->step = p->bins.kind ? p->bins.width : least > 0 ? round_step(least) : 1;
		if (!has_fractions(min, max) && p->step < 1)
			p->step = 1;
		if (fabs(p->min / p->step) > 9e15 || fabs(p->max / p->step) > 9e15) {
			/* The values differ less than a float can say. */
			p->step = round_step(fmax(fabs(p->min), fabs(p->max)) / 1e12);
		}
		/* A step that makes too many rows becomes a multiple of itself. */
		while ((last = bin_of(p, p->max)) - (p->first_bin = bin_of(p, p->min)) >= (int64_t)rows)
			p->step *= (double)((last - p->first_bin) / (int64_t)rows + 1);
	}
	p->rows = (size_t)((last - p->first_bin) / p->bins_a_row) + 1;
	return TN_OK;
}

/* Columns: a width that is a whole number of nanoseconds, begun at a multiple of it. */
static void
lay_columns(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, size_t columns)
{
	uint64_t all = (uint64_t)end_ns - (uint64_t)begin_ns, width = all / (columns - 1) + (all % (columns - 1) > 0);
	int64_t rest;

	p->width_ns = width ? (int64_t)width : 1;
	rest = begin_ns % p->width_ns;
	p->begin_ns = begin_ns - (rest < 0 ? rest + p->width_ns : rest);
	p->columns = (size_t)(((uint64_t)end_ns - (uint64_t)p->begin_ns + (uint64_t)p->width_ns - 1) / (uint64_t)p->width_ns);
}

struct sum {
	size_t row;	/* one of the key */
	uint64_t n;
};

static int
by_number(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	return x->n != y->n ? (x->n < y->n ? 1 : -1) : x->row < y->row ? -1 : x->row > y->row;
}

/* The keys with most values; rows are in the order of keys. */
static enum tn_code
choose_series(struct tn_plot *p, size_t key, size_t count, struct tn_error *err)
{
	size_t rows = tn_groups_count(p->groups), n = 0;
	struct sum *sum = calloc(rows ? rows : 1, sizeof *sum);
	struct tn_answer_value before = { 0 };

	if (!sum)
		return tn_fail_memory(err);
	for (size_t i = 0; i < rows; i++) {
		bool is_rest;
		const struct tn_answer_value *v = tn_groups_row(p->groups, i, &is_rest);

		/* Events without the value are groups, too. */
		if (is_rest || !v[count].is.u || (p->form == TN_PLOT_HEAT && v[1].kind == TN_ANSWER_NONE))
			continue;
		if (!n || tn_answer_value_compare(&before, &v[key]) != 0)
			sum[n++].row = i;
		before = v[key];
		sum[n - 1].n += v[count].is.u;
	}
	qsort(sum, n, sizeof *sum, by_number);
	for (size_t i = 0; i < n; i++)
		if (i < TN_PLOT_SERIES)
			p->series[p->n_series++] = tn_groups_row(p->groups, sum[i].row, NULL)[key];
		else
			p->left_out += sum[i].n;
	free(sum);
	return TN_OK;
}

static size_t
series_of(const struct tn_plot *p, const struct tn_answer_value *key)
{
	for (size_t i = 0; p->key && i < p->n_series; i++)
		if (tn_answer_value_compare(&p->series[i], key) == 0)
			return i;
	return p->key ? SIZE_MAX : 0;
}

static bool
make_room(struct tn_plot *p)
{
	if (p->form == TN_PLOT_HEAT)
		p->cell = calloc(p->n_series * p->columns * p->rows + 1, sizeof *p->cell);
	else
		p->point = calloc(p->n_series * p->columns + 1, sizeof *p->point);
	for (size_t i = 0; p->point && i < p->n_series * p->columns; i++)
		p->point[i] = (struct tn_plot_point) { 0, NAN, NAN, NAN, NAN, NAN, NAN };
	return p->cell || p->point;
}

/* Rows of the groups become cells or points. */
static enum tn_code
take_groups(struct tn_plot *p, struct tn_error *err)
{
	size_t key = p->form == TN_PLOT_HEAT ? 2 : 1, aggregates = key + (p->key != NULL);
	enum tn_code rc = TN_OK;
	uint64_t merged;

	if (p->key) {
		rc = tn_groups_sort(p->groups, key, false, err);
		rc = rc == TN_OK ? choose_series(p, key, aggregates, err) : rc;
	} else {
		p->n_series = 1;
	}
	if (rc < 0 || !make_room(p))
		return rc < 0 ? rc : tn_fail_memory(err);
	if (tn_groups_merged(p->groups, &merged))
		p->left_out += merged;
	for (size_t i = 0; i < tn_groups_count(p->groups); i++) {
		bool is_rest;
		const struct tn_answer_value *v = tn_groups_row(p->groups, i, &is_rest);
		size_t series = is_rest || v[0].kind == TN_ANSWER_NONE ? SIZE_MAX : series_of(p, &v[key]);
		size_t column;

		if (series == SIZE_MAX)
			continue;
		column = (size_t)(((uint64_t)v[0].is.i - (uint64_t)p->begin_ns) / (uint64_t)p->width_ns);
		if (column >= p->columns)
			continue;
		if (p->form == TN_PLOT_LINE) {
			const struct tn_answer_value *a = v + aggregates;

			p->point[series * p->columns + column] = (struct tn_plot_point) {
				a[0].is.u, number(&a[1]), number(&a[2]), number(&a[3]), number(&a[4]), number(&a[5]), number(&a[6]),
			};
		} else if (v[1].kind != TN_ANSWER_NONE) {
			int64_t row = (bin_called(p, number(&v[1])) - p->first_bin) / p->bins_a_row;

			if (row >= 0 && row < (int64_t)p->rows)
				p->cell[(series * p->columns + column) * p->rows + (size_t)row] += v[aggregates].is.u;
		}
	}
	return TN_OK;
}

static enum tn_code
find_axis(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, size_t rows, struct tn_error *err)
{
	struct tn_str show = { 0 };
	const struct tn_answer_value *v = NULL;
	enum tn_code rc;

	tn_str_printf(&show, "min(%s), max(%s)", p->value, p->value);
	rc = show.failed ? tn_fail_memory(err) : run_groups(p, "", show.text, begin_ns, end_ns, err);
	tn_str_release(&show);
	if (rc < 0)
		return rc;
	if (tn_groups_count(p->groups))
		v = tn_groups_row(p->groups, 0, NULL);
	if (!v || v[0].kind == TN_ANSWER_NONE)
		return TN_END;
	return lay_axis(p, rows, &v[0], &v[1], err);
}

enum tn_code
tn_plot_run(struct tn_plot *p, const struct tn_scan_options *options, enum tn_plot_form form, int64_t begin_ns, int64_t end_ns,
	    size_t columns, size_t rows, struct tn_error *err)
{
	struct tn_str by = { 0 }, show = { 0 };
	enum tn_code rc;

	if (!p || !options)
		return tn_fail_null(err);
	if (columns < 2 || rows < 2 || columns > TN_PLOT_COLUMNS || rows > TN_PLOT_COLUMNS || end_ns <= begin_ns)
		return tn_fail(err, TN_ERR_ARGUMENT, "a plot has 2 to %d columns and rows, and ends after it begins",
			       TN_PLOT_COLUMNS);
	release_picture(p);
	p->options = options;
	p->form = form;
	rc = find_axis(p, begin_ns, end_ns, rows, err);
	if (rc != TN_OK)
		return rc;
	lay_columns(p, begin_ns, end_ns, columns);
	p->lost = calloc(p->columns, sizeof *p->lost);
	tn_str_printf(&by, "time/%" PRId64 "ns", p->width_ns);
	if (form == TN_PLOT_HEAT && p->is_log)
		tn_str_printf(&by, ", log2(%s)", p->value);
	else if (form == TN_PLOT_HEAT)
		tn_str_printf(&by, p->step < 1e15 && p->step == floor(p->step) ? ", %s/%.0f" : ", %s/%.17g", p->value, p->step);
	if (p->key)
		tn_str_printf(&by, ", %s", p->key);
	if (form == TN_PLOT_HEAT)
		tn_str_puts(&show, "count");
	else
		tn_str_printf(&show, "count(%s), min(%s), mean(%s), p50(%s), p99(%s), max(%s), last(%s)", p->value, p->value,
			      p->value, p->value, p->value, p->value, p->value);
	if (!p->lost || by.failed || show.failed)
		rc = tn_fail_memory(err);
	else
		rc = run_groups(p, by.text, show.text, begin_ns, end_ns, err);
	tn_str_release(&by);
	tn_str_release(&show);
	rc = rc >= 0 ? take_groups(p, err) : rc;
	if (rc < 0)
		release_picture(p);
	return rc;
}

/* ---- the picture ---- */

size_t
tn_plot_columns(const struct tn_plot *p)
{
	return p ? p->columns : 0;
}

size_t
tn_plot_rows(const struct tn_plot *p)
{
	return p ? p->rows : 0;
}

size_t
tn_plot_series(const struct tn_plot *p)
{
	return p ? p->n_series : 0;
}

uint64_t
tn_plot_left_out(const struct tn_plot *p)
{
	return p ? p->left_out : 0;
}

int64_t
tn_plot_time(const struct tn_plot *p, size_t column)
{
	int64_t at;

	if (!p)
		return 0;
	return __builtin_add_overflow(p->begin_ns, (int64_t)column * p->width_ns, &at) ? INT64_MAX : at;
}

enum tn_group_unit
tn_plot_unit(const struct tn_plot *p)
{
	return p ? p->unit : TN_GROUP_NUMBER;
}

const char *
tn_plot_value_name(const struct tn_plot *p)
{
	return p ? p->value : NULL;
}

const char *
tn_plot_key_name(const struct tn_plot *p)
{
	return p ? p->key : NULL;
}

const struct tn_answer_value *
tn_plot_key(const struct tn_plot *p, size_t series)
{
	return p && p->key && series < p->n_series ? &p->series[series] : NULL;
}

void
tn_plot_limits(const struct tn_plot *p, size_t row, double *from, double *to)
{
	int64_t bin;

	if (!p || !from || !to)
		return;
	bin = p->first_bin + (int64_t)row * p->bins_a_row;
	*from = bin_limit(p, bin);
	*to = bin_limit(p, bin + p->bins_a_row);
	if (p->is_log && bin < 0) {	/* mirrored: (from, to], as whole numbers */
		*from += 1;
		*to += bin + p->bins_a_row < 0;
	}
}

size_t
tn_plot_row(const struct tn_plot *p, double value)
{
	int64_t row;

	if (!p || !p->rows || !(value >= p->min && value <= p->max))
		return SIZE_MAX;
	row = (bin_of(p, value) - p->first_bin) / p->bins_a_row;
	return row >= 0 && row < (int64_t)p->rows ? (size_t)row : SIZE_MAX;
}

uint64_t
tn_plot_cell(const struct tn_plot *p, size_t series, size_t column, size_t row)
{
	if (!p || !p->cell || series >= p->n_series || column >= p->columns || row >= p->rows)
		return 0;
	return p->cell[(series * p->columns + column) * p->rows + row];
}

uint64_t
tn_plot_most(const struct tn_plot *p, size_t series)
{
	uint64_t most = 0;

	if (!p || !p->cell || series >= p->n_series)
		return 0;
	for (size_t i = 0; i < p->columns * p->rows; i++) {
		uint64_t n = p->cell[series * p->columns * p->rows + i];

		most = n > most ? n : most;
	}
	return most;
}

bool
tn_plot_lost(const struct tn_plot *p, size_t column)
{
	return p && p->lost && column < p->columns && p->lost[column];
}

struct tn_plot_point
tn_plot_point(const struct tn_plot *p, size_t series, size_t column)
{
	if (!p || !p->point || series >= p->n_series || column >= p->columns)
		return (struct tn_plot_point) { 0, NAN, NAN, NAN, NAN, NAN, NAN };
	return p->point[series * p->columns + column];
}
