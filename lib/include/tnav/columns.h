/*
 * tnav/columns.h - events and answers as files of columns, in the format Parquet
 *
 * Engines such as DuckDB, Spark, pandas and polars read these files. Every column is optional: it is null where an
 * event does not have the field.
 *
 * Units      Times are nanoseconds.
 * Threads    The caller's functions run in its thread; encoding uses threads of its own.
 * Errors     TN_ERR_CANCELLED: the sink, or the scan's progress, stopped. TN_ERR_ARGUMENT: too many columns.
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

/* Gets the bytes of the file, in order. A non-zero result stops. */
struct tn_columns_sink {
	int (*write)(void *user, const void *bytes, size_t n);
	void *user;
};

#define TN_COLUMNS_OPTIONS TN_SIZED(tn_columns_options)
struct tn_columns_options {
	size_t size;		/* TN_COLUMNS_OPTIONS sets it */
	/* The event classes that get columns: those of the events that pass. NULL: all of the set. */
	const struct tn_event_class *const *column_class;
	size_t n_column_classes;
	/* Keys and values for the file's metadata, in turn; NULL after the last. NULL: none. */
	const char *const *note;
	unsigned threads;	/* of a table: those that encode; 0: one a processor */
};

/*
 * Write the events that pass. Columns: time (UTC) and time_ns, cycles, trace, host, stream, packet, cpu, tid, pid,
 * process, name; then a column for each field, with the name that CSV gives it. A field that has other types in other
 * event classes has a column for each type ("event.fields.x", "event.fields.x:text"). @scan: which events, and its
 * notice, progress, stopped and user. *passed (may be NULL): how many events were written. If events do not have their
 * thread, tid and process are the thread that ran on the processor. Losses are numbers in the file's metadata:
 * "tnav.lost_events", "tnav.lost_packets", "tnav.damaged_places", and "tnav.lost_more" if the number of some is unknown.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_events(struct tn_set *set, const struct tn_columns_sink *sink, const struct tn_columns_options *options,
		  const struct tn_scan_options *scan, uint64_t *passed, struct tn_error *err);

/*
 * Write a folder with a file for each value of @keys ("name", "host,name"; also trace, stream), in the layout that
 * engines read as one table: "host=a/name=b/part-0.parquet". Keys are not columns. Bytes that are not letters, digits
 * or -_.~ are percent-encoded. Losses are rows of "_lost/part-0.parquet", if there are any. @folder must not exist; it
 * appears when it is complete. TN_ERR_ARGUMENT: a key is unknown.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_folder(struct tn_set *set, const char *folder, const char *keys, const struct tn_columns_options *options,
		  const struct tn_scan_options *scan, uint64_t *passed, struct tn_error *err);

/* ---- tables ---- */

struct tn_columns_table;

/*
 * Write the rows of a table with the columns that it has in CSV. Rows are kept until tn_columns_table_end(), which
 * knows the types of all values; beyond 4 MiB in a temporary file. A time has two columns, NAME (UTC) and NAME_ns. Values
 * with labels are text, with their numbers in NAME.value. @table and the traces of @set stay until the end.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_table_new(struct tn_columns_table **out, const struct tn_table *table, const struct tn_columns_sink *sink,
		     const struct tn_set *set, const struct tn_columns_options *options, struct tn_error *err);
TN_API void tn_columns_table_free(struct tn_columns_table *table);	/* NULL is allowed */
/* One value for each column of the table. */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_table_row(struct tn_columns_table *table, const struct tn_answer_value *values, struct tn_error *err);
/* Write the file. */
TN_API TN_MUST_CHECK enum tn_code tn_columns_table_end(struct tn_columns_table *table, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
