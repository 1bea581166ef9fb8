/*
 * plot_view.h - the view of plots: a number over time
 *
 * Time across, the number upwards. A job makes the picture of a window; the former one stays until the next is there: first
 * of samples, then of all values, which are remembered for the next windows and forms. Plots of several keys are one below
 * the other, or in one. A box is a part of a plot, its times and its values: a condition for what is in it.
 */
#ifndef VIEWS_PLOT_VIEW_H
#define VIEWS_PLOT_VIEW_H

#include <pthread.h>

#include <tnav/plot.h>
#include <tnav/table.h>

#include "list.h"
#include "view.h"

#define PLOT_LABEL 11	/* columns of the axis of numbers */

enum plot_form { PLOT_HEAT, PLOT_LINE, PLOT_STEPS, PLOT_POINTS, PLOT_FORMS };

struct plot {
	struct view base;
	struct job *job;
	struct making *making;	/* data of the job */
	struct tn_plot *plot;	/* the picture; NULL: none yet */
	struct tn_plot_memory *memory;
	bool of_spans;
	bool is_guess;		/* the picture shows samples; or the part that was read so far: */
	bool is_part;
	char *instead;		/* the reason why there is no picture; NULL: no message */
	enum plot_form form;	/* form of the picture */
	bool one;		/* the picture has all series in one plot */
	enum plot_form wanted;
	bool wants_one;
	bool chosen;		/* the user chose a form */
	const struct query *query;	/* query of the picture */
	int rows, cols;		/* size of the picture's area */
	int64_t begin_ns, end_ns;	/* the window */
	bool whole;		/* the window is all of the time: it grows with the traces */
	bool ready;		/* the window is chosen */
	bool stale;		/* the window or the form differs from the picture's */
	bool has_at;		/* the next picture has the cursor at this time: */
	int64_t at_ns;
	int64_t grown_ns;	/* the picture's end of the traces; start and duration of its making: */
	int64_t begun_ns, took_ns;
	size_t column, row, series;	/* the cursor, in cells of the terminal */
	bool boxing;		/* a box is being made, from this cell to the cursor: */
	size_t box_column, box_row;
};

/* A box, or the cursor's cell: cells [first, last]. */
struct plot_box {
	size_t first_column, last_column, first_row, last_row;
};

/* Cells of the picture in a cell of the terminal: braille has 2 by 4 dots. */
int plot_across(const struct session *s, enum plot_form form);
int plot_upwards(const struct session *s, enum plot_form form);
bool plot_is_cells(enum plot_form form);	/* the form has cells, not points of columns */
size_t plot_columns(const struct plot *p);	/* columns of the terminal */
size_t plot_rows(const struct plot *p);
int64_t plot_time(const struct plot *p, size_t column);
void plot_limits(const struct plot *p, size_t row, double *from, double *to);
/* Number of plots on the screen; rows of each without its heading. */
size_t plot_shown(const struct plot *p);
int plot_rows_each(const struct plot *p);
int plot_rows_of(const struct plot *p, bool one);	/* @one: in one plot; else each series has its own */
struct plot_box plot_box_of(const struct plot *p);
/* The number of values in a box of a series. */
uint64_t plot_count(const struct plot *p, size_t series, const struct plot_box *box);
void plot_draw(struct view *v, struct canvas *c);

#endif
