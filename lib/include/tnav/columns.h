/*
 * tnav/columns.h - events and answers as files of columns, in the format Parquet
 *
 * Engines such as DuckDB, Spark, pandas and polars read these files. Every column is optional: it is null where an
 * event does not have the field.
 *
 * Units      Times are nanoseconds.
 * Threads    Callbacks run in the calling thread; other threads encode.
 * Errors     TN_ERR_CANCELLED: the sink or the scan's progress returned non-zero. TN_ERR_ARGUMENT: too many columns.
 * States     object		state		may be called
 *            a sink		writing		nothing that changes or closes the set
 *            a table writer	open		rows, then tn_columns_table_end()
 *              		ended		tn_columns_table_free()
 * Source     github.com/apache/parquet-format, with pages of version 1; compressed with zstd if its library is installed.
 */
#ifndef TNAV_COLUMNS_H
#define TNAV_COLUMNS_H

#include <tnav/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* @write gets the bytes of the file, in order. A non-zero result stops. */
struct tn_columns_sink {
	int (*write)(void *user, const void *bytes, size_t n);
	void *user;
};

#define TN_COLUMNS_OPTIONS TN_SIZED(tn_columns_options)
struct tn_columns_options {
	size_t size;		/* TN_COLUMNS_OPTIONS sets it */
	/* The event classes that get columns, usually those of tn_scan_classes(). NULL: all classes of the set. */
	const struct tn_event_class *const *column_class;
	size_t n_column_classes;
	/* Texts for the file's metadata: key, value, key, value, ..., NULL. NULL: no texts. */
	const char *const *note;
	unsigned threads;	/* number of threads that encode a table; 0: one for each processor */
};

/*
 * Write the events that pass. Columns: time (UTC) and time_ns, cycles, trace, host, stream, packet, cpu, tid,
 * pid, process, name; then a column for each field, with its name in CSV. If a field has different types in
 * several event classes, there is a column for each type ("event.fields.x", "event.fields.x:text"). @scan
 * selects the events; its notice, progress, stopped and user are used. *passed (may be NULL) is the number of
 * written events. For kernel events without a thread, tid and process are the thread that ran on the processor.
 * Numbers of losses are in the file's metadata: "tnav.lost_events", "tnav.lost_packets", "tnav.damaged_places",
 * and "tnav.lost_more" if some losses have no number.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_events(struct tn_set *set, const struct tn_columns_sink *sink, const struct tn_columns_options *options,
		  const struct tn_scan_options *scan, uint64_t *passed, struct tn_error *err);

/*
 * Write a folder with a file for each value of @keys ("name", "host,name"; also trace, stream), in the layout
 * that engines read as one table: "host=a/name=b/part-0.parquet". The files do not have columns for the keys.
 * In names, bytes other than letters, digits and -_.~ are percent-encoded. Each loss is a row of
 * "_lost/part-0.parquet". @folder must not exist; it appears when it is complete. TN_ERR_ARGUMENT: a key is
 * unknown.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_folder(struct tn_set *set, const char *folder, const char *keys, const struct tn_columns_options *options,
		  const struct tn_scan_options *scan, uint64_t *passed, struct tn_error *err);

/* ---- tables ---- */

struct tn_columns_table;

/*
 * Make a writer for the rows of a table, with the columns of CSV. It keeps the rows until
 * tn_columns_table_end(), because it needs the types of all values; above 4 MiB it keeps them in a temporary
 * file. A time has two columns, NAME (UTC) and NAME_ns. A value with labels also has two: its text, and its
 * number in NAME.value. Free the writer before @table and @set.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_table_new(struct tn_columns_table **out, const struct tn_table *table, const struct tn_columns_sink *sink,
		     const struct tn_set *set, const struct tn_columns_options *options, struct tn_error *err);
TN_API void tn_columns_table_free(struct tn_columns_table *table);	/* NULL is allowed */
/* Add a row. @values has one value for each column of the table. */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_table_row(struct tn_columns_table *table, const struct tn_answer_value *values, struct tn_error *err);
/* Write the file. */
TN_API TN_MUST_CHECK enum tn_code tn_columns_table_end(struct tn_columns_table *table, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
