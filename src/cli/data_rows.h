/* data_rows.h - write events as CSV, lines of JSON or files of columns */
#ifndef DATA_ROWS_H
#define DATA_ROWS_H

#include <tnav/query.h>

enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_PARQUET, FORMAT_CHROME, FORMAT_UNKNOWN };

enum output_format format_named(const char *name);	/* reads "text" (or "bt2"), "csv", "jsonl" and so on */
bool format_is_told(const char *path);	/* the path has a suffix that names a format, or no suffix at all */
enum output_format format_of_file(const char *path);	/* the format that the path's suffix names; without one: text */

/*
 * Write the events of @scan as @format; regular expressions of a filter still search the text lines of @scan. @how: the
 * form of times. `lines` of @scan gets all bytes. *passed: the number of events. @filter: texts of the conditions, with
 * NULL at the end, for the metadata of a file of columns; NULL: no conditions.
 */
enum tn_code
records_write(struct tn_set *set, enum output_format format, const struct tn_text_options *how,
	      const struct tn_scan_options *scan, const char *const *filter, uint64_t *passed, struct tn_error *err);

/* Like records_write(), but write a folder of Parquet files, one file for each value of @keys. `lines` is not called. */
enum tn_code
records_write_folder(struct tn_set *set, const char *folder, const char *keys, const struct tn_scan_options *scan,
		     const char *const *filter, uint64_t *passed, struct tn_error *err);

#endif
