/*
 * tnav/plot.h - how large a number is over time: heat maps and lines
 *
 * A plot counts the values of a number, a field or an attribute of events or of spans, in the cells of a grid:
 * time across, the value upwards. Or it computes the aggregates of the values in each column of time. Values of
 * up to TN_PLOT_SERIES keys are separate.
 *
 * Units      Times are nanoseconds since 1970. Durations are nanoseconds.
 * Ownership  A plot borrows its set and its spans. Names and values are borrowed until the next run.
 * Threads    One thread at a time for each plot.
 * Errors     TN_ERR_ARGUMENT for a wrong definition. TN_END: nothing to plot, no value has a time in the range.
 * States     made, then run any number of times; each run replaces the picture. Freed before its set and spans.
 * Source     none: this is tnav's own.
 */
#ifndef TNAV_PLOT_H
#define TNAV_PLOT_H

#include <tnav/answer.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TN_PLOT_SERIES 8
#define TN_PLOT_COLUMNS 2048	/* the most columns, and rows */

struct tn_plot;

enum tn_plot_form {
	TN_PLOT_HEAT,		/* the number of values in each cell */
	TN_PLOT_LINE		/* least, mean, greatest and last value of each column, and percentiles */
};

/*
 * Define a plot: "VALUE [by KEY] [where CONDITION]". VALUE is the name of a number, "log2(NAME)" for an axis that doubles from row
 * to row, or "NAME/STEP" for rows of that height, or a multiple if they are too many. Durations double unless a
 * step is given. @spans: the plot is of spans, with the names of tn_groups_of_spans(); NULL: of events. CONDITION is an
 * expression over events, or over spans (tn_spans_where()): only the numbers of those that meet it are plotted.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_new(struct tn_plot **out, struct tn_set *set, const struct tn_spans *spans, const char *definition,
	    struct tn_error *err);
/* Whether it is a number that all spans have, and few events: dur, duration, any_duration, inside. */
TN_API bool tn_plot_is_of_spans(const char *definition);
TN_API void tn_plot_free(struct tn_plot *plot);	/* NULL is allowed */

/*
 * Plot [begin_ns, end_ns) in up to @columns and up to @rows (2 to TN_PLOT_COLUMNS). Columns are as wide as a whole number of
 * steps, a power of two of nanoseconds, and begin at a multiple of it: the first may begin before @begin_ns. Values are
 * those in the range of the options.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_run(struct tn_plot *plot, const struct tn_scan_options *options, enum tn_plot_form form, int64_t begin_ns,
	    int64_t end_ns, size_t columns, size_t rows, struct tn_error *err);

/*
 * A picture of samples, within about 100 ms however large the traces are: counts are those of the samples. Keys are those
 * that come first. Spans with a key are read until `progress` stops. TN_END: there are none, the plot is of spans without a
 * key, or all of it is nearly as quick.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_guess(struct tn_plot *plot, const struct tn_scan_options *options, enum tn_plot_form form, int64_t begin_ns,
	      int64_t end_ns, size_t columns, size_t rows, struct tn_error *err);
/*
 * Within the callback `progress` of a run or of tn_plot_gather(): a picture of the values so far. TN_END: there are none.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_so_far(struct tn_plot *plot, enum tn_plot_form form, int64_t begin_ns, int64_t end_ns, size_t columns, size_t rows,
	       struct tn_error *err);
/* The picture as a plot of its own, which cannot run and needs neither set nor spans; NULL: there is none, or no memory. */
TN_API struct tn_plot *tn_plot_take(struct tn_plot *plot);

/*
 * Remember all values in [begin_ns, end_ns), for plots of up to about @rows rows: runs for windows in it that are not much
 * smaller read nothing. A plot with the same definition and options uses the memory of another one until the traces
 * grow. Nothing is read if the memory is there.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_plot_gather(struct tn_plot *plot, const struct tn_scan_options *options, int64_t begin_ns, int64_t end_ns, size_t rows,
	       struct tn_error *err);
/* Whether a run of this window reads nothing. */
TN_API bool tn_plot_remembers(struct tn_plot *plot, const struct tn_scan_options *options, int64_t begin_ns,
			      int64_t end_ns, size_t columns);
struct tn_plot_memory;
TN_API struct tn_plot_memory *tn_plot_memory(const struct tn_plot *plot);	/* one more reference; NULL: none */
TN_API struct tn_plot_memory *tn_plot_memory_get(struct tn_plot_memory *memory);	/* one more reference */
TN_API void tn_plot_memory_free(struct tn_plot_memory *memory);	/* NULL is allowed */
TN_API void tn_plot_remember(struct tn_plot *plot, struct tn_plot_memory *memory);	/* takes a reference of its own */

TN_API size_t tn_plot_columns(const struct tn_plot *plot);
TN_API size_t tn_plot_rows(const struct tn_plot *plot);	/* from the least value */
TN_API size_t tn_plot_series(const struct tn_plot *plot);	/* at least 1 after a run; those with most values first */
TN_API uint64_t tn_plot_not_finite(const struct tn_plot *plot);	/* values left out: infinite, or not a number */
TN_API uint64_t tn_plot_left_out(const struct tn_plot *plot);	/* values of further keys */
/* How many spans a plot of spans read. Open, orphan and doubtful spans have no duration; a dropped one has no end. */
TN_API struct tn_span_counts tn_plot_span_counts(const struct tn_plot *plot);
TN_API int64_t tn_plot_time(const struct tn_plot *plot, size_t column);	/* start of a column; @column columns: the end */
TN_API enum tn_group_unit tn_plot_unit(const struct tn_plot *plot);
TN_API const char *tn_plot_value_name(const struct tn_plot *plot);	/* "dur" of "log2(dur) by name" */
TN_API const char *tn_plot_key_name(const struct tn_plot *plot);	/* NULL: no key */
TN_API enum tn_group_unit tn_plot_key_unit(const struct tn_plot *plot);
/* A hint about a condition over events that is probably a mistake, as for a filter; valid until the next run. NULL: none. */
TN_API const char *tn_plot_remark(const struct tn_plot *plot);
TN_API const char *tn_plot_condition(const struct tn_plot *plot);	/* NULL: none */
/* The key of a series; NULL: the plot has no key. */
TN_API const struct tn_answer_value *tn_plot_key(const struct tn_plot *plot, size_t series);
/* The limits of the key of a series, as tn_groups_step() gives them; false: the key is without steps. */
TN_API bool tn_plot_key_step(const struct tn_plot *plot, size_t series, struct tn_answer_value *from,
			     struct tn_answer_value *to);
/* The limits of a row: values from *from up to, not including, *to. */
TN_API void tn_plot_limits(const struct tn_plot *plot, size_t row, double *from, double *to);
/* Add a round number in the row with its unit, to write beside the row: "20 us"; false: there is none. */
TN_API bool tn_plot_label(const struct tn_plot *plot, size_t row, struct tn_str *out);
/* The row that contains a value; SIZE_MAX: none does. */
TN_API size_t tn_plot_row(const struct tn_plot *plot, double value);
TN_API uint64_t tn_plot_cell(const struct tn_plot *plot, size_t series, size_t column, size_t row);
TN_API uint64_t tn_plot_most(const struct tn_plot *plot, size_t series);	/* the largest number in a cell */
TN_API bool tn_plot_lost(const struct tn_plot *plot, size_t column);	/* events were lost in it, or it has damage */

/*
 * The values of a column. A number is NAN if the column has none. Percentiles are exact for up to 256 values, else at most
 * 0.4 % off; in a picture of TN_PLOT_HEAT they are NAN.
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
