/* plot.h - a plot: plot.c defines and runs it, gather.c reads its values, picture.c makes pictures */
#ifndef TN_PLOT_PLOT_H
#define TN_PLOT_PLOT_H

#include "plot/fine_cells.h"

struct tn_plot {
	struct tn_set *set;		/* NULL: this is only a picture */
	const struct tn_spans *spans;
	char *value, *key, *where;	/* parts of the definition; NULL: no key, or no condition */
	struct tn_bins bins;		/* the axis that the definition asks for */
	enum tn_group_unit unit, key_unit;
	struct tn_groups *groups;
	struct tn_scan_options asked;	/* options of the run, with the condition */
	struct tn_filter *filter;	/* for a plot of events with a condition; otherwise NULL */
	bool has_lines;			/* the run is also for lines, so its memory gets sketches */
	struct tn_plot_memory *memory, *made;	/* the memory of earlier runs; the memory that the run is making */
	bool has_many_keys;		/* there are more keys than series */
	uint64_t told, skipped;		/* notices that the reading reported; notices that are not reported again */
	/* The current picture. */
	struct tn_plot_memory *of;	/* owns the keys of the series; a job may add to it, so that the numbers are copied: */
	size_t n_series;
	uint64_t left_out, not_finite;
	struct tn_span_counts counts;
	enum tn_plot_form form;
	int64_t begin_ns, width_ns;
	size_t columns, rows;
	int level;			/* level of the rows */
	int64_t first_row, units;	/* number of the lowest row; bins of the level in a row */
	int64_t per;			/* number of bins in a row of a doubling axis */
	double min, max;
	uint64_t *cell;			/* by series, then by column, then by row */
	struct tn_plot_point *point;	/* by series, then by column */
	bool *lost;			/* by column */
};

/* gather.c: groups of the value by the key, with one aggregate. */
enum tn_code tn_plot_groups(struct tn_plot *p, const char *aggregate, struct tn_error *err) TN_MUST_CHECK;
/*
 * Make p->made an empty memory for [begin_ns, end_ns). For samples with keys, it learns the keys. TN_END: there are no
 * keys.
 */
enum tn_code tn_plot_begin(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, unsigned shift, size_t rows, bool samples,
			   struct tn_error *err) TN_MUST_CHECK;
/* Put the values of a part of the time into p->made. */
enum tn_code tn_plot_read(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, struct tn_error *err) TN_MUST_CHECK;
/* Call both functions, for all values. */
enum tn_code tn_plot_fill(struct tn_plot *p, int64_t begin_ns, int64_t end_ns, unsigned shift, size_t rows,
			  struct tn_error *err) TN_MUST_CHECK;
/* Sort the series of p->made: most values first. */
enum tn_code tn_plot_sort(struct tn_plot *p, struct tn_error *err) TN_MUST_CHECK;

/* picture.c */
extern const struct tn_plot_point tn_plot_no_point;
void tn_plot_release_picture(struct tn_plot *p);
/* The largest power of two that is at most a part of a column's width. */
unsigned tn_plot_shift(int64_t begin_ns, int64_t end_ns, size_t columns, uint64_t parts);
/* Make the picture of a window from a memory, with columns of cells of 1 << @shift or larger. TN_END: it is empty. */
enum tn_code tn_plot_draw(struct tn_plot *p, struct tn_plot_memory *m, int64_t begin_ns, int64_t end_ns, size_t columns,
			  size_t rows, unsigned shift, struct tn_error *err) TN_MUST_CHECK;

#endif
