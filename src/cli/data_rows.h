/*
 * data_rows.h - events as CSV or lines of JSON, to wherever they are wanted
 */
#ifndef DATA_ROWS_H
#define DATA_ROWS_H

#include <tnav/query.h>

enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_UNKNOWN };

enum output_format format_named(const char *name);	/* "text" (or "bt2"), "csv", "jsonl" */
bool format_is_told(const char *path);	/* it has no suffix, or one that says what it is taken for */
enum output_format format_of_file(const char *path);	/* by its suffix: .csv, .jsonl or .json, else text */

/*
 * Write the events that @scan leaves, in another format than its `text` has, which stays for regular
 * expressions. @how says how times look. *passed: how many they were.
 */
enum tn_code
records_write(struct tn_set *set, enum output_format format, const struct tn_text_options *how,
	      const struct tn_scan_options *scan, uint64_t *passed, struct tn_error *err);

#endif
