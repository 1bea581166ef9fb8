/*
 * tnav/plot.h - a number over time: heat maps and lines
 *
 * The number is a field or an attribute of events or of spans. A heat map counts its values in the cells of a grid; the
 * columns are steps of time, the rows are ranges of values. A line has the least, mean, greatest and last value of each
 * column. A plot has up to TN_PLOT_SERIES series, one for each value of a key.
 *
 * Units      Times are nanoseconds since 1970. Durations are nanoseconds.
 * Ownership  A plot borrows its set and its spans. Names and values are borrowed until the next run.
 * Threads    One thread at a time for each plot.
 * Errors     TN_ERR_ARGUMENT for a wrong definition. TN_END: there is nothing to plot: no value has a time in the range.
 * States     Make a plot, and run it any number of times; each run replaces the picture. Free it before its set and spans.
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_PLOT_H
#define TNAV_PLOT_H

#include <tnav/answer.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TN_PLOT_SERIES 8
#define TN_PLOT_COLUMNS 2048	/* the largest number of columns, and of rows */

struct tn_plot;

enum tn_plot_form {
	TN_PLOT_HEAT,		/* the number of values in each cell */
	TN_PLOT_LINE		/* least, mean, greatest and last value of each column, and percentiles */
};

/*
 * Define a plot: "VALUE [by KEY] [where CONDITION]". VALUE is the name of a number. "log2(NAME)" makes rows,
 * each with twice the range of the row below it, as for durations. "NAME/STEP" makes rows with the range
 * STEP, or a multiple of it if there are too many rows. @spans: plot a number of spans, with the names of
 * tn_groups_of_spans(); NULL: of events. CONDITION is an expression over events, or over spans
 * (tn_spans_where()), and selects them.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_new(struct tn_plot **out, struct tn_set *set, const struct tn_spans *spans, const char *definition,
	    struct tn_error *err);
/* Whether the definition plots a number of spans: dur, duration, any_duration, inside. */
TN_API bool tn_plot_is_of_spans(const char *definition);
TN_API void tn_plot_free(struct tn_plot *plot);	/* NULL is allowed */

/*
 * Plot [begin_ns, end_ns) in at most @columns columns and @rows rows (2 to TN_PLOT_COLUMNS). The width of a column is a
 * multiple of a power of two of nanoseconds. A column begins at a multiple of this power, so that the first can begin
 * before @begin_ns. Uses only values in the range of @options.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_run(struct tn_plot *plot, const struct tn_scan_options *options, enum tn_plot_form form, int64_t begin_ns,
	    int64_t end_ns, size_t columns, size_t rows, struct tn_error *err);

/*
 * Plot samples only, in about 100 ms for traces of any size. Counts are those of the samples; keys are the
 * first ones that occur. Spans with a key are read until `progress` stops. TN_END: there are no samples, the
 * plot is of spans without a key, or tn_plot_run() is nearly as fast.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_guess(struct tn_plot *plot, const struct tn_scan_options *options, enum tn_plot_form form, int64_t begin_ns,
	      int64_t end_ns, size_t columns, size_t rows, struct tn_error *err);
/*
 * Within the callback `progress` of a run or of tn_plot_gather(): plot the values that were read until now.
 * TN_END: none.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_so_far(struct tn_plot *plot, enum tn_plot_form form, int64_t begin_ns, int64_t end_ns, size_t columns, size_t rows,
	       struct tn_error *err);
/*
 * Copy the picture to a plot that cannot run and needs neither set nor spans. NULL: there is no picture, or
 * memory is out.
 */
TN_API struct tn_plot *tn_plot_take(struct tn_plot *plot);

/*
 * Keep the values in [begin_ns, end_ns) in memory, for plots of up to about @rows rows. Runs for not much
 * smaller windows in this time then read no events. Plots with the same definition and options share this
 * memory until the traces grow. If the memory already has the values, the function reads nothing.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_gather(struct tn_plot *plot, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns, size_t rows,
	       struct tn_error *err);
/* Whether a run of this window reads no events. */
TN_API bool tn_plot_remembers(struct tn_plot *plot, const struct tn_scan_options *options, int64_t begin_ns,
			      int64_t end_ns, size_t columns);
struct tn_plot_memory;
TN_API struct tn_plot_memory *tn_plot_memory(const struct tn_plot *plot);	/* adds a reference; NULL: no memory */
TN_API struct tn_plot_memory *tn_plot_memory_get(struct tn_plot_memory *memory);	/* adds a reference */
TN_API void tn_plot_memory_free(struct tn_plot_memory *memory);	/* removes a reference; NULL is allowed */
TN_API void tn_plot_remember(struct tn_plot *plot, struct tn_plot_memory *memory);	/* adds a reference */

TN_API size_t tn_plot_columns(const struct tn_plot *plot);
TN_API size_t tn_plot_rows(const struct tn_plot *plot);	/* row 0 has the least values */
TN_API size_t tn_plot_series(const struct tn_plot *plot);	/* at least 1 after a run, most values first */
TN_API uint64_t tn_plot_not_finite(const struct tn_plot *plot);	/* omitted values: infinite, or not a number */
TN_API uint64_t tn_plot_left_out(const struct tn_plot *plot);	/* omitted values: those whose key has no series */
/* Number of spans that a plot of spans read. Only closed spans have a duration. */
TN_API struct tn_span_counts tn_plot_span_counts(const struct tn_plot *plot);
/* The time at which a column starts; @column tn_plot_columns(): the end of the plot. */
TN_API int64_t tn_plot_time(const struct tn_plot *plot, size_t column);
TN_API enum tn_group_unit tn_plot_unit(const struct tn_plot *plot);
TN_API const char *tn_plot_value_name(const struct tn_plot *plot);	/* "dur" of "log2(dur) by name" */
TN_API const char *tn_plot_key_name(const struct tn_plot *plot);	/* NULL: the plot has no key */
TN_API enum tn_group_unit tn_plot_key_unit(const struct tn_plot *plot);
/*
 * A hint about a condition over events that is probably a mistake (tn_filter_remark()); valid until the next
 * run, or NULL.
 */
TN_API const char *tn_plot_remark(const struct tn_plot *plot);
TN_API const char *tn_plot_condition(const struct tn_plot *plot);	/* NULL: the plot has no condition */
/* The key of a series; NULL: the plot has no key. */
TN_API const struct tn_answer_value *tn_plot_key(const struct tn_plot *plot, size_t series);
/* Get the limits of the key of a series, as tn_groups_step() does. False: the key does not have steps. */
TN_API bool tn_plot_key_step(const struct tn_plot *plot, size_t series, struct tn_answer_value *from,
			     struct tn_answer_value *to);
/* Get the limits of a row, which has the values from *from up to, not including, *to. */
TN_API void tn_plot_limits(const struct tn_plot *plot, size_t row, double *from, double *to);
/*
 * Append a round number in the range of the row, as a label of the axis: "20 us". False: the row has no round
 * number.
 */
TN_API bool tn_plot_label(const struct tn_plot *plot, size_t row, struct tn_str *out);
/* The row that contains a value; SIZE_MAX: no row contains it. */
TN_API size_t tn_plot_row(const struct tn_plot *plot, double value);
/* The number of values in a cell. */
TN_API uint64_t tn_plot_cell(const struct tn_plot *plot, size_t series, size_t column, size_t row);
TN_API uint64_t tn_plot_most(const struct tn_plot *plot, size_t series);	/* the largest number in a cell */
TN_API bool tn_plot_lost(const struct tn_plot *plot, size_t column);	/* events were lost or damaged in it */

/*
 * The numbers of a column; NAN if the column has no values. Percentiles are exact for up to 256 values; otherwise their
 * error is at most 0.4 %. For TN_PLOT_HEAT they are NAN.
 */
struct tn_plot_point {
	uint64_t count;
	double min, mean, max, last, p50, p99;
};

TN_API struct tn_plot_point tn_plot_point(const struct tn_plot *plot, size_t series, size_t column);
#ifdef __cplusplus
}
#endif
#endif
