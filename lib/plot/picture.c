/* picture.c - make columns and rows of a plot, its cells and its points, from fine cells */
#include "plot/plot.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- columns and rows ---- */

void
tn_plot_release_picture(struct tn_plot *p)
{
	free(p->cell);
	free(p->point);
	free(p->lost);
	p->cell = NULL;
	p->point = NULL;
	p->lost = NULL;
	p->columns = p->rows = p->n_series = 0;
	tn_plot_memory_free(p->of);
	p->of = NULL;
}

int64_t
tn_plot_time(const struct tn_plot *p, size_t column)
{
	uint64_t width = p ? (uint64_t)p->width_ns : 0, begin = p ? (uint64_t)p->begin_ns : 0;

	if (column && width > ((uint64_t)INT64_MAX - begin) / column)
		return INT64_MAX;
	return (int64_t)(begin + column * width);
}

/* The largest power of two that is at most a column's width divided by @parts. */
unsigned
tn_plot_shift(int64_t begin_ns, int64_t end_ns, size_t columns, uint64_t parts)
{
	uint64_t width = ((uint64_t)end_ns - (uint64_t)begin_ns) / columns / parts;

	return width ? 63 - (unsigned)__builtin_clzll(width) : 0;
}

/* Make columns that are whole numbers of fine cells, and begin at one. */
static void
lay_columns(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, size_t columns, unsigned shift)
{
	int64_t first = begin_ns >> shift, last = (end_ns - 1) >> shift;
	uint64_t cells = (uint64_t)last - (uint64_t)first + 1, each = cells / columns + (cells % columns > 0);

	p->begin_ns = (int64_t)((uint64_t)first << shift);
	p->width_ns = (int64_t)(each << shift);
	p->columns = (size_t)(cells / each + (cells % each > 0));
}

/* Get the first and the last fine cell of a column. False: the memory has no cell of it. */
static bool
cells_of(const struct tn_plot *p, const struct tn_plot_memory *m, size_t column, size_t *first, size_t *last)
{
	int64_t begin = tn_plot_time(p, column), end = tn_plot_time(p, column + 1);
	int64_t from = (begin >> m->shift) - m->first, to = ((end - (end < INT64_MAX)) >> m->shift) - m->first;

	if (to < 0 || from >= (int64_t)m->cells)
		return false;
	*first = from < 0 ? 0 : (size_t)from;
	*last = to >= (int64_t)m->cells ? m->cells - 1 : (size_t)to;
	return true;
}

/* The smallest number that is 1, 2 or 5 times a power of ten, and at least @least: returns the power. */
static int
round_step(double least, int64_t *digit)
{
	for (int level = (int)floor(log10(least)) - 1;; level++)
		for (int i = 0; i < 3; i++) {
			static const int digits[] = { 1, 2, 5 };

			if (digits[i] * pow(10, level) >= least * (1 - 1e-12)) {
				*digit = digits[i];
				return level;
			}
		}
}

/* The row that contains a bin of the rows' level. */
static int64_t
row_of(const struct tn_plot *p, int64_t bin)
{
	int64_t size = bin < 0 ? -bin : bin;

	if (p->of->lattice.scale != TN_PLOT_LOG2)
		return bin / p->units - (bin % p->units < 0);
	size = (size + p->per - 1) / p->per;
	return bin < 0 ? -size : size;
}

static int64_t
row_at(const struct tn_plot *p, double v)
{
	enum tn_answer_kind kind = TN_ANSWER_FLOAT;
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	if (p->of->lattice.scale == TN_PLOT_LOG2) {	/* means can be fractions */
		v = floor(fabs(v)) * (v < 0 ? -1 : 1);
		kind = v < 0 ? TN_ANSWER_SINT : TN_ANSWER_UINT;
		bits = v >= 0x1p64 ? UINT64_MAX : v <= -0x1p63 ? UINT64_C(1) << 63 : v < 0 ? -(uint64_t)-v : (uint64_t)v;
	}
	return row_of(p, tn_plot_bin(&p->of->lattice, p->level, kind, bits));
}

/* The smallest and the largest value, and the highest level, in the window. */
struct extent {
	bool some, has_fractions;
	double min, max;
	int level;
};

static struct extent
extent_of(const struct tn_plot *p, const struct tn_plot_memory *m)
{
	struct extent e = { .level = INT_MIN };

	for (size_t s = 0; s < m->n_series; s++)
		for (size_t c = 0, first, last; c < p->columns; c++)
			for (size_t i = cells_of(p, m, c, &first, &last) ? first : 1, end = i == first ? last : 0; i <= end; i++) {
				const struct tn_plot_fine *f = &m->cell[s * m->cells + i];

				if (!f->n)
					continue;
				e.min = e.some && e.min < f->min ? e.min : f->min;
				e.max = e.some && e.max > f->max ? e.max : f->max;
				e.level = f->level > e.level ? f->level : e.level;
				e.has_fractions |= f->has_fractions;
				e.some = true;
			}
	return e;
}

/* The next larger number of bins in a row: a part of a power of two that has whole limits, then whole powers. */
static int64_t
more_bins(int64_t per)
{
	return per < 4 ? per + 1 : per < 8 ? per + 2 : per < 16 ? per + 4 : per + TN_PLOT_OCTAVE;
}

/* Lay out rows of whole bins that include the smallest and the largest value. */
static enum tn_code
lay_rows(struct tn_plot *p, size_t rows, struct tn_error *err)
{
	const struct tn_plot_lattice *l = &p->of->lattice;
	struct extent e = extent_of(p, p->of);
	bool is_log = l->scale == TN_PLOT_LOG2;

	if (!e.some)
		return TN_END;
	if (is_log && e.has_fractions)
		return tn_fail(err, TN_ERR_ARGUMENT, "log2(%s): log2 needs whole numbers, and these have fractions", p->value);
	p->min = e.min;
	p->max = e.max;
	p->level = e.level;
	p->units = 1;
	/* Divide a power of two into rows only if the numbers are large enough for whole limits. */
	p->per = e.min >= TN_PLOT_OCTAVE ? 1 : TN_PLOT_OCTAVE;
	if (l->scale == TN_PLOT_DECIMAL) {
		double least = (e.max / 2 - e.min / 2) / (double)(rows - 1) * 2;
		int level = least > 0 ? round_step(least, &p->units) : 0;

		if (level < p->level || (!e.has_fractions && level < 0) || !(least > 0))
			p->units = 1;	/* a row is one bin, because bins are wider than rows */
		p->level = level > p->level ? level : p->level;
		if (!e.has_fractions && p->level < 0)
			p->level = 0;
	}
	/* The limits of rows are floats, and must differ. */
	while (!is_log && fmax(fabs(e.min), fabs(e.max)) / tn_plot_limit(l, p->level, 1) > 1e12) {
		p->units = 1;
		p->level++;
	}
	for (;;) {
		p->first_row = row_at(p, p->min);
		p->rows = (size_t)(row_at(p, p->max) - p->first_row) + 1;
		if (p->rows <= rows)
			return TN_OK;
		if (is_log)
			p->per = more_bins(p->per);
		else if (l->scale == TN_PLOT_STEPS)
			p->level++;
		else if (p->units == 5)
			p->units = 1, p->level++;
		else
			p->units = p->units == 1 ? 2 : 5;
	}
}

/* ---- the picture ---- */

static void
add_cell(struct tn_plot *p, const struct tn_plot_fine *f, uint64_t *cell)
{
	const struct tn_plot_lattice *l = &p->of->lattice;

	for (uint32_t i = 0; i < f->n_bins; i++) {
		int64_t bin = tn_plot_rebin(l, f->first + (f->bin[i] >> 16), p->level - f->level);
		int64_t row = row_of(p, bin) - p->first_row;

		if (row >= 0 && row < (int64_t)p->rows)
			cell[row] += f->bin[i] & 0xffff;
	}
}

/* Add the values of a fine cell to a point. False: memory is out. */
static bool
add_point(const struct tn_plot_fine *f, struct tn_plot_point *point, const struct tn_plot_fine **latest, struct tn_sketch *all)
{
	if (!f->n)
		return true;
	point->mean = point->count ? point->mean + f->sum : f->sum;	/* the sum so far; divided later */
	point->min = point->count && point->min < f->min ? point->min : f->min;
	point->max = point->count && point->max > f->max ? point->max : f->max;
	if (!*latest || f->last_ns > (*latest)->last_ns ||
	    (f->last_ns == (*latest)->last_ns && f->last_rank >= (*latest)->last_rank))
		*latest = f;
	point->count += f->n;
	return !all || tn_sketch_merge(all, &f->sketch);
}

const struct tn_plot_point tn_plot_no_point = { .min = NAN, .mean = NAN, .max = NAN, .last = NAN, .p50 = NAN, .p99 = NAN };

/* Make cells and points from fine cells. */
static enum tn_code
draw(struct tn_plot *p, struct tn_error *err)
{
	const struct tn_plot_memory *m = p->of;
	bool whole;

	p->lost = calloc(p->columns, sizeof *p->lost);
	p->point = calloc(m->n_series * p->columns, sizeof *p->point);
	p->cell = p->form == TN_PLOT_HEAT ? calloc(m->n_series * p->columns * p->rows, sizeof *p->cell) : NULL;
	whole = p->lost && p->point && (p->form != TN_PLOT_HEAT || p->cell);

	for (size_t s = 0; s < m->n_series; s++)
		for (size_t c = 0, first, last; whole && c < p->columns; c++) {
			struct tn_plot_point *point = &p->point[s * p->columns + c];
			const struct tn_plot_fine *latest = NULL;
			struct tn_sketch sketch = { 0 };

			*point = tn_plot_no_point;
			if (!cells_of(p, m, c, &first, &last))
				continue;
			for (size_t i = first; i <= last; i++) {
				const struct tn_plot_fine *f = &m->cell[s * m->cells + i];

				whole = add_point(f, point, &latest, p->cell ? NULL : &sketch) && whole;
				if (p->cell)
					add_cell(p, f, &p->cell[(s * p->columns + c) * p->rows]);
				p->lost[c] |= m->lost[i];
			}
			if (latest) {
				point->mean /= (double)point->count;
				point->last = latest->last;
				point->p50 = tn_sketch_quantile(&sketch, 50, 100);
				point->p99 = tn_sketch_quantile(&sketch, 99, 100);
			}
			tn_sketch_release(&sketch);
		}
	return whole ? TN_OK : tn_fail_memory(err);
}

/* Make the picture of a window from a memory. */
enum tn_code
tn_plot_draw(struct tn_plot *p, struct tn_plot_memory *m, int64_t begin_ns, int64_t end_ns, size_t columns, size_t rows,
	     unsigned shift, struct tn_error *err)
{
	enum tn_code rc;

	tn_plot_release_picture(p);
	p->of = tn_plot_memory_get(m);
	p->n_series = m->n_series;
	p->left_out = m->left_out;
	p->not_finite = m->not_finite;
	p->counts = m->spans;
	lay_columns(p, begin_ns, end_ns, columns, shift > m->shift ? shift : m->shift);
	rc = lay_rows(p, rows, err);
	rc = rc == TN_OK ? draw(p, err) : rc;
	if (rc != TN_OK)
		tn_plot_release_picture(p);
	return rc;
}

/* ---- the axis ---- */

/* The limits (from, to] of a row of a doubling axis as whole numbers; rows below 0 are mirrored. */
static void
doubling_limits(const struct tn_plot *p, int64_t row, double *from, double *to)
{
	int64_t size = row < 0 ? -row : row;
	double low = size ? tn_plot_limit(&p->of->lattice, 0, (size - 1) * p->per + 1) : 0;
	double high = size ? tn_plot_limit(&p->of->lattice, 0, size * p->per + 1) : 1;

	*from = row < 0 ? 1 - high : low;
	*to = row < 0 ? 1 - low : high;
}

void
tn_plot_limits(const struct tn_plot *p, size_t row, double *from, double *to)
{
	int64_t at;

	if (!p || !p->of || !from || !to)
		return;
	at = p->first_row + (int64_t)row;
	if (p->of->lattice.scale == TN_PLOT_LOG2) {
		doubling_limits(p, at, from, to);
		return;
	}
	*from = tn_plot_limit(&p->of->lattice, p->level, at * p->units);
	*to = tn_plot_limit(&p->of->lattice, p->level, (at + 1) * p->units);
}

/* Find a round number in the range of the row. False: there is none. */
static bool
round_number(const struct tn_plot *p, size_t row, double *number)
{
	static const int digits[] = { 1, 2, 5 };
	double from, to, size;

	tn_plot_limits(p, row, &from, &to);
	*number = from;
	if (p->of->lattice.scale != TN_PLOT_LOG2)
		return true;
	if (from <= 0 && to > 0) {
		*number = 0;
		return true;
	}
	size = to <= 0 ? 1 - to : from;
	if (p->unit != TN_GROUP_DURATION) {	/* number axis: only the requested powers of two */
		*number = to <= 0 ? -size : size;
		return exp2(floor(log2(size) + 1e-9)) == size;
	}
	/* 10, 100, ..., and for narrow rows 20 and 50, too. */
	for (int i = 0; i < (p->per < TN_PLOT_OCTAVE ? 3 : 1); i++) {
		double power = digits[i] * pow(10, ceil(log10(size / digits[i]) - 1e-9));

		if (to <= 0 ? -power >= from && -power < to : power >= from && power < to) {
			*number = to <= 0 ? -power : power;
			return true;
		}
	}
	return p->rows < 4;
}

bool
tn_plot_label(const struct tn_plot *p, size_t row, struct tn_str *out)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	unsigned unit = 0;
	double number;

	if (!p || !p->of || row >= p->rows || !out || !round_number(p, row, &number))
		return false;
	for (; p->unit == TN_GROUP_DURATION && unit < 3 && fabs(number) >= 1000; unit++)
		number /= 1000;
	if (p->unit == TN_GROUP_DURATION)
		tn_str_printf(out, "%.6g %s", number, units[unit]);
	else
		tn_str_printf(out, "%.*g", fabs(number) < 1e6 ? 6 : 9, number);
	return true;
}

size_t
tn_plot_row(const struct tn_plot *p, double value)
{
	int64_t row;

	if (!p || !p->rows || !(value >= p->min && value <= p->max))
		return SIZE_MAX;
	row = row_at(p, value) - p->first_row;
	return row >= 0 && row < (int64_t)p->rows ? (size_t)row : SIZE_MAX;
}
