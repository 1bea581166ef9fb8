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

#include <tnav/query.h>

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
};

/*
 * Write the events that pass. Columns: time (UTC) and time_ns, cycles, trace, host, stream, packet, cpu, tid, pid,
 * process, name; then a column for each field, with the name that CSV gives it. A field that has other types in other
 * event classes has a column for each type ("event.fields.x", "event.fields.x:text"). @scan: which events, and its
 * notice, progress, stopped and user. *passed (may be NULL): how many events were written.
 */
TN_API TN_MUST_CHECK enum tn_code
tn_columns_events(struct tn_set *set, const struct tn_columns_sink *sink, const struct tn_columns_options *options,
		  const struct tn_scan_options *scan, uint64_t *passed, struct tn_error *err);

#ifdef __cplusplus
}
#endif
#endif
