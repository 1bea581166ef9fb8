/*
 * data_rows.h - events as CSV or lines of JSON, to wherever they are wanted
 */
#ifndef DATA_ROWS_H
#define DATA_ROWS_H

#include <tnav/query.h>

enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_PARQUET, FORMAT_CHROME, FORMAT_UNKNOWN };

enum output_format format_named(const char *name);	/* "text" (or "bt2"), "csv", "jsonl", ... */
bool format_is_told(const char *path);	/* the path has no suffix, or one that names a format */
enum output_format format_of_file(const char *path);	/* the format of the path's suffix; else text */

/*
 * Write the events of @scan in a format other than its `text`, which regular expressions still use. @how: the format
 * of times. The `lines` of @scan gets all bytes. *passed: the number of events. @filter: the texts of the conditions,
 * NULL after the last, for the metadata of a file; NULL: none.
 */
enum tn_code
records_write(struct tn_set *set, enum output_format format, const struct tn_text_options *how,
	      const struct tn_scan_options *scan, const char *const *filter, uint64_t *passed, struct tn_error *err);

/* Like records_write(), into a folder of Parquet files, one for each value of @keys. `lines` is not called. */
enum tn_code
records_write_folder(struct tn_set *set, const char *folder, const char *keys, const struct tn_scan_options *scan,
		     const char *const *filter, uint64_t *passed, struct tn_error *err);

#endif
