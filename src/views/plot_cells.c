/* plot_cells.c - where the parts of a plot are on the screen */
#include <config.h>

#include "plot_view.h"

#define LEAST_ROWS 3	/* smallest height of a plot */

bool
plot_is_cells(enum plot_form form)
{
	return form == PLOT_HEAT || form == PLOT_POINTS;
}

int
plot_across(const struct session *s, enum plot_form form)
{
	return form == PLOT_POINTS && s->utf8 ? 2 : 1;
}

int
plot_upwards(const struct session *s, enum plot_form form)
{
	return form == PLOT_POINTS && s->utf8 ? 4 : 1;
}

size_t
plot_columns(const struct plot *p)
{
	size_t n = (size_t)plot_across(p->base.session, p->form);

	return (tn_plot_columns(p->plot) + n - 1) / n;
}

size_t
plot_rows(const struct plot *p)
{
	size_t n = (size_t)plot_upwards(p->base.session, p->form);

	return (tn_plot_rows(p->plot) + n - 1) / n;
}

int64_t
plot_time(const struct plot *p, size_t column)
{
	size_t at = column * (size_t)plot_across(p->base.session, p->form), n = tn_plot_columns(p->plot);

	return tn_plot_time(p->plot, at < n ? at : n);
}

void
plot_limits(const struct plot *p, size_t row, double *from, double *to)
{
	size_t n = (size_t)plot_upwards(p->base.session, p->form), last = row * n + n - 1;
	double other;

	*from = *to = 0;
	tn_plot_limits(p->plot, row * n, from, &other);
	tn_plot_limits(p->plot, last < tn_plot_rows(p->plot) ? last : tn_plot_rows(p->plot) - 1, &other, to);
}

static size_t
series_of(const struct plot *p)
{
	return p->plot ? tn_plot_series(p->plot) : 1;
}

int
plot_rows_of(const struct plot *p, bool one)
{
	int rows = p->base.area.rows - 3, least = LEAST_ROWS + 1;
	int most = rows / least > 0 ? rows / least : 1, shown = series_of(p) < (size_t)most ? (int)series_of(p) : most;

	if (!p->plot || !tn_plot_key_name(p->plot) || one)
		return rows;
	return rows / shown - 1;
}

int
plot_rows_each(const struct plot *p)
{
	return plot_rows_of(p, p->one);
}

size_t
plot_shown(const struct plot *p)
{
	size_t most;

	if (!p->plot || p->one)
		return p->plot != NULL;
	most = (size_t)((p->base.area.rows - 3) / (plot_rows_each(p) + 1));
	return series_of(p) < most ? series_of(p) : most ? most : 1;
}

struct plot_box
plot_box_of(const struct plot *p)
{
	struct plot_box b = { p->column, p->column, p->row, p->row };

	if (p->boxing) {
		b.first_column = p->box_column < p->column ? p->box_column : p->column;
		b.last_column = p->box_column > p->column ? p->box_column : p->column;
		b.first_row = p->box_row < p->row ? p->box_row : p->row;
		b.last_row = p->box_row > p->row ? p->box_row : p->row;
	}
	return b;
}

uint64_t
plot_count(const struct plot *p, size_t series, const struct plot_box *b)
{
	size_t x = (size_t)plot_across(p->base.session, p->form), y = (size_t)plot_upwards(p->base.session, p->form);
	uint64_t n = 0;

	for (size_t c = b->first_column * x; c < (b->last_column + 1) * x; c++) {
		if (!plot_is_cells(p->form))
			n += tn_plot_point(p->plot, series, c).count;
		for (size_t r = b->first_row * y; plot_is_cells(p->form) && r < (b->last_row + 1) * y; r++)
			n += tn_plot_cell(p->plot, series, c, r);
	}
	return n;
}
