/*
 * plot_view.h - the view of plots: a number over time
 *
 * Time goes to the right, and the number upwards. A job makes the picture of a window; the former one stays until the
 * next one is complete. It first shows samples, then all values, which are kept for later windows and forms. Plots of
 * several keys are one below the other, or in one. A box is a part of a plot, with its times and values; it gives a
 * condition for the events or spans inside.
 */
#ifndef VIEWS_PLOT_VIEW_H
#define VIEWS_PLOT_VIEW_H

#include <pthread.h>

#include <tnav/plot.h>
#include <tnav/table.h>

#include "list.h"
#include "view.h"

#define PLOT_LABEL 11	/* width of the axis of numbers */

enum plot_form { PLOT_HEAT, PLOT_LINE, PLOT_STEPS, PLOT_POINTS, PLOT_FORMS };

struct plot {
	struct view base;
	struct job *job;
	struct making *making;	/* data of the job */
	struct tn_plot *plot;	/* the current picture; NULL: none yet */
	struct tn_plot_memory *memory;
	bool of_spans;
	bool is_guess;		/* the picture shows samples, or only the data read so far: */
	bool is_part;
	char *instead;		/* the reason why there is no picture; NULL: no message */
	enum plot_form form;	/* form of the picture */
	bool one;		/* all series are in one plot */
	enum plot_form wanted;
	bool wants_one;
	bool chosen;		/* the user chose a form */
	const struct query *query;	/* query for which the picture was made */
	int rows, cols;		/* size of the picture */
	int64_t begin_ns, end_ns;	/* the window */
	bool whole;		/* the window is the whole time, and grows with the traces */
	bool ready;		/* the window is chosen */
	bool stale;		/* window or form differ from those of the picture */
	bool has_at;		/* the cursor of the next picture is at this time: */
	int64_t at_ns;
	int64_t grown_ns;	/* end of the traces in the picture; start and duration of the work on it: */
	int64_t begun_ns, took_ns;
	size_t column, row, series;	/* cursor, in cells of the terminal */
	bool boxing;		/* the user is drawing a box, from this cell to the cursor: */
	size_t box_column, box_row;
};

/* A box, or the cell at the cursor: cells [first, last]. */
struct plot_box {
	size_t first_column, last_column, first_row, last_row;
};

/* The number of cells of the picture in a cell of the terminal: braille has 2 by 4 dots. */
int plot_across(const struct session *s, enum plot_form form);
int plot_upwards(const struct session *s, enum plot_form form);
bool plot_is_cells(enum plot_form form);	/* the form has cells, and not points in columns */
size_t plot_columns(const struct plot *p);	/* number of terminal columns */
size_t plot_rows(const struct plot *p);
int64_t plot_time(const struct plot *p, size_t column);
void plot_limits(const struct plot *p, size_t row, double *from, double *to);
/* The number of plots on the screen; the number of rows of each, without its heading. */
size_t plot_shown(const struct plot *p);
int plot_rows_each(const struct plot *p);
int plot_rows_of(const struct plot *p, bool one);	/* @one: all series are in one plot; otherwise each has its own */
struct plot_box plot_box_of(const struct plot *p);
/* The number of values of a series in a box. */
uint64_t plot_count(const struct plot *p, size_t series, const struct plot_box *box);
void plot_draw(struct view *v, struct canvas *c);

#endif
