/*
 * plot_draw.c - draw a plot in cells of the terminal
 *
 * If the terminal does not have colours, each level of a heat map, and each series, has its own character.
 */
#include <config.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axis.h"
#include "gettext.h"
#include "plot_view.h"
#include "screen/charset.h"

#define LEVELS (STYLE_DENSITY_LAST - STYLE_DENSITY + 1)

/* ---- words ---- */

static void
put_value(const struct plot *p, double value, struct line *out, unsigned style)
{
	struct tn_str text = { 0 };

	if (tn_plot_unit(p->plot) == TN_GROUP_DURATION)
		tn_table_duration(value, &text);
	else
		tn_str_printf(&text, "%.*g", fabs(value) < 1e6 ? 6 : 9, value);
	line_puts(out, style, text.text ? text.text : "");
	tn_str_release(&text);
}

static void
put_key(const struct plot *p, size_t series, struct line *out, unsigned style)
{
	struct tn_str key = { 0 };

	if (tn_plot_key(p->plot, series))
		tn_answer_value_text(tn_plot_key(p->plot, series), &key);
	line_add_unsafe(out, style, key.text ? key.text : "", key.n);
	tn_str_release(&key);
}

/* Whether there is only one line, with a band; the legend then has the numbers of the band. */
static bool
has_band(const struct plot *p)
{
	return p->form == PLOT_LINE && (!p->one || tn_plot_series(p->plot) < 2);
}

/* Describe the box, or the cell at the cursor: its times, its values, and how many there are. */
static void
draw_cursor(const struct plot *p, struct canvas *c, int row)
{
	struct session *s = p->base.session;
	struct plot_box b = plot_box_of(p);
	uint64_t n = plot_count(p, p->series, &b);
	bool lost = false;
	struct line l = { 0 };
	char number[32];

	session_put_time(s, &l, STYLE_TIME, plot_time(p, b.first_column));
	line_printf(&l, STYLE_DIM, " +%s  ", span_text(plot_time(p, b.last_column + 1) - plot_time(p, b.first_column), number));
	line_printf(&l, p->boxing ? STYLE_KEY : STYLE_TEXT, ngettext("%s value", "%s values", n), number_text(n, number));
	line_puts(&l, STYLE_TEXT, "  ");
	if (p->one && tn_plot_key_name(p->plot)) {
		put_key(p, p->series, &l, STYLE_KEY);
		line_puts(&l, STYLE_TEXT, "  ");
	}
	if (plot_is_cells(p->form)) {
		double from, to, other;

		plot_limits(p, b.first_row, &from, &other);
		plot_limits(p, b.last_row, &other, &to);
		put_value(p, from, &l, STYLE_TEXT);
		line_puts(&l, STYLE_DIM, " - ");
		put_value(p, to, &l, STYLE_TEXT);
	} else if (n && !p->boxing) {
		struct tn_plot_point at = tn_plot_point(p->plot, p->series, p->column);
		const struct { const char *name; double value; } part[] = {
			{ _("last"), at.last }, { _("mean"), at.mean }, { "p50", at.p50 }, { "p99", at.p99 }, { _("min"), at.min },
			{ _("max"), at.max }, { _("last"), at.last },
		};
		size_t end = sizeof part / sizeof *part, first = p->form == PLOT_STEPS ? 0 : has_band(p) ? end - 1 : 1;

		for (size_t i = first; i < end - (p->form == PLOT_STEPS); i++) {
			line_printf(&l, STYLE_DIM, i > first ? "  %s " : "%s ", part[i].name);
			put_value(p, part[i].value, &l, STYLE_TEXT);
		}
	}
	for (size_t i = b.first_column; i <= b.last_column; i++)
		lost |= tn_plot_lost(p->plot, i * (size_t)plot_across(s, p->form));
	if (lost)
		line_puts(&l, STYLE_LOSS, _("  events were lost"));
	canvas_line(c, row, p->base.area.col, p->base.area.cols, &l, 0, true);
	line_release(&l);
}

/* Draw the name of the number, and the key of the plot. */
static void
draw_heading(const struct plot *p, struct canvas *c, size_t series, int row)
{
	struct line l = { 0 };

	line_puts_unsafe(&l, STYLE_HEADING, tn_plot_value_name(p->plot));
	line_printf(&l, STYLE_HEADING, "  ");
	line_puts_unsafe(&l, STYLE_HEADING, tn_plot_key_name(p->plot));
	line_puts(&l, STYLE_TEXT, " ");
	put_key(p, series, &l, series == p->series ? STYLE_KEY : STYLE_NAME);
	canvas_line(c, row, p->base.area.col, p->base.area.cols, &l, 0, true);
	line_release(&l);
}

/* ---- density ---- */

/* The level of @n values, counted from 0, on a logarithmic scale. */
static unsigned
level_of(uint64_t n, uint64_t most)
{
	double part = most > 1 ? log((double)n) / log((double)most) : 1;

	return (unsigned)(part * (LEVELS - 1) + 0.5);
}

static const char *
sign_of(bool utf8, unsigned level)
{
	static const char *const blocks[LEVELS] = {
		"\u00b7", ":", "-", "=", "\u2591", "\u2592", "\u2593", "\u2588",
	};
	static const char *const plain[LEVELS] = { ".", ":", "-", "=", "+", "*", "%", "@" };

	return utf8 ? blocks[level] : plain[level];
}

/* ---- series ---- */

static const char *
sign_of_series(const struct plot *p, size_t series)
{
	static const char *const signs[TN_PLOT_SERIES] = { "o", "x", "+", "*", "#", "%", "@", "&" };

	return p->one && tn_plot_series(p->plot) > 1 ? signs[series] : p->base.session->utf8 ? "\u2022" : "o";
}

static unsigned
style_of_series(const struct plot *p, size_t series)
{
	unsigned most = p->base.session->colors < 256 ? 6 : TN_PLOT_SERIES;

	return !p->one || tn_plot_series(p->plot) < 2 ? STYLE_BAR : STYLE_STATE + (unsigned)series % most;
}

#define STYLE_P50 (STYLE_STATE + 2)
#define STYLE_P99 (STYLE_STATE + 3)

static const char *
sign_of_p50(bool utf8)
{
	return utf8 ? "\u2500" : "-";
}

static const char *
sign_of_p99(bool utf8)
{
	return utf8 ? "\u2550" : "=";
}

/* ---- forms ---- */

/* Where a plot is on the screen: its top row, and its number of rows. */
struct frame {
	struct canvas *canvas;
	int top, rows, left;
};

static void
put(const struct frame *f, size_t row, size_t column, unsigned style, const char *sign)
{
	if (row < (size_t)f->rows)	/* the first picture of several plots may have more rows */
		canvas_puts(f->canvas, f->top + f->rows - 1 - (int)row, f->left + (int)column, 1, style, sign);
}

/* Mark empty cells in columns with lost events. */
static void
draw_losses(const struct plot *p, const struct frame *f)
{
	size_t x = (size_t)plot_across(p->base.session, p->form);

	for (size_t c = 0; c < plot_columns(p); c++) {
		bool lost = tn_plot_lost(p->plot, c * x) || tn_plot_lost(p->plot, c * x + x - 1);

		for (size_t r = 0; lost && r < plot_rows(p); r++)
			put(f, r, c, STYLE_DIM, "!");
	}
}

static void
draw_heat(const struct plot *p, const struct frame *f, size_t series)
{
	uint64_t most = tn_plot_most(p->plot, series);

	for (size_t r = 0; r < plot_rows(p) && r < (size_t)f->rows; r++)
		for (size_t c = 0; c < plot_columns(p); c++) {
			uint64_t n = tn_plot_cell(p->plot, series, c, r);

			if (n)
				put(f, r, c, STYLE_DENSITY + level_of(n, most), sign_of(p->base.session->utf8, level_of(n, most)));
		}
}

/* Draw two by four dots in a cell, in the colour of the series of the last dot; without braille, one dot. */
static void
draw_dots(const struct plot *p, const struct frame *f, size_t series)
{
	static const uint8_t dot[4][2] = { { 0x40, 0x80 }, { 0x04, 0x20 }, { 0x02, 0x10 }, { 0x01, 0x08 } };
	size_t x = (size_t)plot_across(p->base.session, p->form), y = (size_t)plot_upwards(p->base.session, p->form);

	for (size_t r = 0; r < plot_rows(p) && r < (size_t)f->rows; r++)
		for (size_t c = 0; c < plot_columns(p); c++) {
			unsigned dots = 0;
			char text[4] = "";

			for (size_t i = 0; i < x * y; i++)
				if (tn_plot_cell(p->plot, series, c * x + i % x, r * y + i / x))
					dots |= dot[i / x][i % x];
			if (!dots)
				continue;
			if (x == 2 && (!p->one || tn_plot_series(p->plot) < 2 || p->base.session->colors)) {
				text[0] = (char)0xe2;
				text[1] = (char)(0xa0 | dots >> 6);
				text[2] = (char)(0x80 | (dots & 0x3f));
			}
			put(f, r, c, style_of_series(p, series), *text ? text : sign_of_series(p, series));
		}
}

/*
 * Draw the mean and percentiles in a band from the smallest to the largest value. If there are several series, draw only
 * their means.
 */
static void
draw_line(const struct plot *p, const struct frame *f, size_t series)
{
	bool utf8 = p->base.session->utf8, alone = has_band(p);

	for (size_t c = 0; c < plot_columns(p); c++) {
		struct tn_plot_point at = tn_plot_point(p->plot, series, c);
		size_t low = tn_plot_row(p->plot, at.min), high = tn_plot_row(p->plot, at.max);
		size_t mean = tn_plot_row(p->plot, at.mean);

		for (size_t r = low; alone && at.count && high != SIZE_MAX && r <= high && r < (size_t)f->rows; r++)
			put(f, r, c, STYLE_DIM, utf8 ? "\u2502" : ":");
		if (alone && at.count && high != SIZE_MAX) {
			put(f, tn_plot_row(p->plot, at.p50), c, STYLE_P50, sign_of_p50(utf8));
			put(f, tn_plot_row(p->plot, at.p99), c, STYLE_P99, sign_of_p99(utf8));
		}
		if (at.count && mean != SIZE_MAX)
			put(f, mean, c, style_of_series(p, series), sign_of_series(p, series));
	}
}

/* Draw the last value, which is valid until the next one. */
static void
draw_steps(const struct plot *p, const struct frame *f, size_t series)
{
	bool utf8 = p->base.session->utf8, alone = !p->one || tn_plot_series(p->plot) < 2;
	size_t row = SIZE_MAX;

	for (size_t c = 0; c < plot_columns(p); c++) {
		struct tn_plot_point at = tn_plot_point(p->plot, series, c);
		size_t next = at.count ? tn_plot_row(p->plot, at.last) : row;
		size_t low = row < next ? row : next, high = row < next ? next : row;

		for (size_t r = low + 1; alone && high != SIZE_MAX && r < high; r++)
			put(f, r, c, STYLE_DIM, utf8 ? "\u2502" : "|");
		row = next;
		if (row != SIZE_MAX)
			put(f, row, c, at.count ? style_of_series(p, series) : STYLE_DIM,
			    alone || !at.count ? utf8 ? "\u2500" : "_" : sign_of_series(p, series));
	}
}

static void
draw_series(const struct plot *p, const struct frame *f, size_t series)
{
	switch (p->form) {
	case PLOT_HEAT: draw_heat(p, f, series); break;
	case PLOT_LINE: draw_line(p, f, series); break;
	case PLOT_STEPS: draw_steps(p, f, series); break;
	case PLOT_POINTS: case PLOT_FORMS: draw_dots(p, f, series); break;
	}
}

/* ---- axes and legend ---- */

static void
draw_labels(const struct plot *p, const struct frame *f)
{
	struct session *s = p->base.session;
	size_t y = (size_t)plot_upwards(s, p->form), n = tn_plot_rows(p->plot);

	for (size_t r = 0; r < plot_rows(p) && r < (size_t)f->rows; r++) {
		int row = f->top + f->rows - 1 - (int)r;
		struct tn_str label = { 0 };
		struct line l = { 0 };
		bool has = false;

		for (size_t i = r * y; !has && i < n && i < r * y + y; i++)
			has = tn_plot_label(p->plot, i, &label);
		line_puts(&l, STYLE_DIM, has && label.text ? label.text : "");
		tn_str_release(&label);
		if (l.width <= PLOT_LABEL)
			canvas_line(f->canvas, row, f->left - 1 - l.width, l.width, &l, 0, false);
		canvas_puts(f->canvas, row, f->left - 1, 1, STYLE_DIM, s->utf8 ? has ? "\u2524" : "\u2502" : has ? "+" : "|");
		line_release(&l);
	}
}

static void
draw_times(const struct plot *p, struct canvas *c, int row)
{
	int left = p->base.area.col + PLOT_LABEL + 1;
	size_t n = plot_columns(p), x = (size_t)plot_across(p->base.session, p->form);

	axis_draw(p->base.session, c, row, left, (int)n, plot_time(p, 0), plot_time(p, n));
	for (size_t i = 0; i < n; i++)
		if (tn_plot_lost(p->plot, i * x) && canvas_is_blank(c, row, left + (int)i))
			canvas_puts(c, row, left + (int)i, 1, STYLE_LOSS, "!");
}

/* The smallest number of values that has a level. */
static uint64_t
least_of(unsigned level, uint64_t most)
{
	uint64_t n = level ? (uint64_t)exp(log((double)most) * (level - 0.5) / (LEVELS - 1)) : 1;

	while (level && n <= most && (!n || level_of(n, most) < level))
		n++;
	return n;
}

/* Put the characters of a line and its numbers at the cursor. */
static void
put_band(const struct plot *p, struct line *l)
{
	bool utf8 = p->base.session->utf8;
	struct tn_plot_point at = tn_plot_point(p->plot, p->series, p->column);
	const struct { const char *sign, *name; unsigned style; double value; } part[] = {
		{ sign_of_series(p, 0), _("mean"), STYLE_BAR, at.mean }, { sign_of_p50(utf8), "p50", STYLE_P50, at.p50 },
		{ sign_of_p99(utf8), "p99", STYLE_P99, at.p99 },
	};

	for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
		line_puts(l, part[i].style, part[i].sign);
		line_printf(l, STYLE_DIM, " %s ", part[i].name);
		if (at.count)
			put_value(p, part[i].value, l, STYLE_TEXT);
		line_puts(l, STYLE_TEXT, at.count ? "  " : " ");
	}
	line_puts(l, STYLE_DIM, utf8 ? "\u2502 " : ": ");
	if (!at.count) {
		line_puts(l, STYLE_DIM, _("least to greatest"));
		return;
	}
	put_value(p, at.min, l, STYLE_TEXT);
	line_puts(l, STYLE_DIM, " - ");
	put_value(p, at.max, l, STYLE_TEXT);
}

/* Put the characters of the series and their keys. Keys that are too long are cut in the middle. */
static void
put_series(const struct plot *p, struct line *l)
{
	size_t n = tn_plot_series(p->plot);
	int cols = p->base.area.cols, most = cols, all = cols + 1;
	struct line key[TN_PLOT_SERIES] = { 0 };

	for (size_t i = 0; i < n; i++)
		put_key(p, i, &key[i], i == p->series ? STYLE_KEY : STYLE_TEXT);
	while (all > cols && most > 2) {
		most--;
		all = 0;
		for (size_t i = 0; i < n; i++)
			all += 4 + (key[i].width < most ? key[i].width : most);
	}
	line_pad(l, all + PLOT_LABEL < cols && !has_band(p) ? PLOT_LABEL + 1 : 0, false);
	for (size_t i = 0; i < n; i++) {
		bool cut = key[i].width > most;

		line_puts(l, style_of_series(p, i), sign_of_series(p, i));
		line_puts(l, STYLE_TEXT, " ");
		line_add_part(l, &key[i], 0, cut ? text_fit(key[i].text, key[i].n, most / 2, NULL) : key[i].n);
		line_puts(l, STYLE_DIM, cut ? charset_cut() : "");
		line_add_part(l, &key[i], cut ? text_skip(key[i].text, key[i].n, most - most / 2 - 1) : key[i].n, key[i].n);
		line_puts(l, STYLE_TEXT, "  ");
		line_release(&key[i]);
	}
}

/* Draw the legend: the smallest number of values for each character, or the characters of the series. */
static void
draw_legend(const struct plot *p, struct canvas *c, int row)
{
	struct area a = p->base.area;
	uint64_t most = tn_plot_most(p->plot, p->series);
	struct line l = { 0 }, lost = { 0 };
	char number[32];

	if (p->one && tn_plot_key_name(p->plot))
		put_series(p, &l);
	else if (!has_band(p))
		line_pad(&l, PLOT_LABEL + 1, false);
	for (unsigned i = 0; p->form == PLOT_HEAT && i < LEVELS; i++) {
		uint64_t least = least_of(i, most), next = i + 1 < LEVELS ? least_of(i + 1, most) : most + 1;

		if (least >= next || least > most)
			continue;
		line_puts(&l, STYLE_DENSITY + i, sign_of(p->base.session->utf8, i));
		line_printf(&l, STYLE_DIM, " %s", number_text(least, number));
		line_printf(&l, STYLE_DIM, next > most && most > least ? "-%s" : "  ", number_text(most, number));
	}
	if (has_band(p))
		put_band(p, &l);
	for (size_t i = 0; i < tn_plot_columns(p->plot); i++)
		if (tn_plot_lost(p->plot, i)) {
			line_puts(&lost, STYLE_LOSS, _("  ! events were lost"));
			break;
		}
	if (l.width + lost.width <= a.cols)
		line_add_part(&l, &lost, 0, lost.n);
	canvas_line(c, row, a.col, a.cols, &l, 0, true);
	line_release(&l);
	line_release(&lost);
}

/* The selected cells are reversed; for points, a whole column is. */
static void
draw_chosen(const struct plot *p, const struct frame *f)
{
	struct plot_box b = plot_box_of(p);
	bool cells = plot_is_cells(p->form);

	for (size_t r = cells ? b.first_row : 0; r <= b.last_row || (!cells && (int)r < f->rows); r++)
		canvas_flag(f->canvas, f->top + f->rows - 1 - (int)r, f->left + (int)b.first_column,
			    (int)(b.last_column - b.first_column) + 1, STYLE_SELECTED);
	canvas_point(f->canvas, f->top + f->rows - 1 - (int)(cells ? p->row : 0), f->left + (int)p->column);
}

void
plot_draw(struct view *v, struct canvas *c)
{
	struct plot *p = (struct plot *)v;
	struct area a = v->area;
	struct frame f = { c, a.row + 1, plot_rows_each(p), a.col + PLOT_LABEL + 1 };

	if (!p->plot) {
		if (p->instead)
			list_put_text(c, a, p->instead);
		return;
	}
	if (f.rows < 1)
		return;
	draw_cursor(p, c, a.row);
	for (size_t s = 0; s < plot_shown(p); s++) {
		if (tn_plot_key_name(p->plot) && !p->one)
			draw_heading(p, c, s, f.top++);
		draw_losses(p, &f);
		for (size_t i = 0; p->one && i < tn_plot_series(p->plot); i++)
			if (i != p->series)
				draw_series(p, &f, i);
		draw_series(p, &f, p->one ? p->series : s);
		draw_labels(p, &f);
		if (p->one || s == p->series)
			draw_chosen(p, &f);
		f.top += f.rows;
	}
	draw_times(p, c, a.row + a.rows - 2);
	draw_legend(p, c, a.row + a.rows - 1);
}
