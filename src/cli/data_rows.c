/* data_rows.c - events as CSV, lines of JSON or files of columns: choose columns, select events, sort by time */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/columns.h>
#include <tnav/table.h>

#include "data_rows.h"
#include "trace_events.h"

enum output_format
format_named(const char *name)
{
	static const struct { const char *name; enum output_format format; } names[] = {
		{ "text", FORMAT_TEXT }, { "bt2", FORMAT_TEXT }, { "csv", FORMAT_CSV }, { "jsonl", FORMAT_JSON },
		{ "parquet", FORMAT_PARQUET }, { "chrome-json", FORMAT_CHROME },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i].name) == 0)
			return names[i].format;
	return FORMAT_UNKNOWN;
}

enum output_format
format_of_file(const char *path)
{
	static const char chrome[] = ".trace.json";
	const char *dot = strrchr(path, '.');
	size_t n = strlen(path);

	if (n >= sizeof chrome - 1 && strcmp(path + n - (sizeof chrome - 1), chrome) == 0)
		return FORMAT_CHROME;
	if (dot && strcmp(dot, ".csv") == 0)
		return FORMAT_CSV;
	if (dot && strcmp(dot, ".parquet") == 0)
		return FORMAT_PARQUET;
	return dot && (strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".json") == 0) ? FORMAT_JSON : FORMAT_TEXT;
}

bool
format_is_told(const char *path)
{
	static const char *const text[] = { "txt", "text", "log", "out" };
	const char *name = strrchr(path, '/'), *dot;

	name = name ? name + 1 : path;
	dot = strrchr(name, '.');
	if (!dot || dot == name || format_of_file(path) != FORMAT_TEXT)
		return true;
	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		if (strcmp(dot + 1, text[i]) == 0)
			return true;
	return !dot[1] || dot[strcspn(dot, "0123456789")];	/* the suffix is a version or a date */
}

/* ---- the events ---- */

static int
put_bytes(void *user, const void *bytes, size_t n)
{
	const struct tn_scan_options *scan = user;

	return scan->lines(scan->user, bytes, n);
}

/* Number of keys and values in the metadata of a file of columns. */
#define NOTES 6

struct notes {
	struct tn_str text[NOTES / 2];
	const char *item[2 * NOTES + 2];
};

static void
make_notes(struct notes *n, const struct tn_set *set, const struct tn_scan_options *scan, const char *const *filter)
{
	static const char *const name[] = { "tnav.traces", "tnav.range", "tnav.filter" };

	for (size_t i = 0; i < tn_set_trace_count(set); i++) {
		tn_str_puts(&n->text[0], i ? "\n" : "");
		tn_str_puts(&n->text[0], tn_trace_path(tn_set_trace(set, i)));
	}
	if (scan->has_begin)
		tn_str_printf(&n->text[1], "%" PRId64, scan->begin_ns);
	if (scan->has_begin || scan->has_end)
		tn_str_puts(&n->text[1], ",");
	if (scan->has_end)
		tn_str_printf(&n->text[1], "%" PRId64, scan->end_ns);
	for (size_t i = 0; filter && filter[i]; i++) {
		tn_str_puts(&n->text[2], i ? "\n" : "");
		tn_table_csv(filter[i], strlen(filter[i]), &n->text[2]);
	}
	for (size_t i = 0; i < NOTES / 2; i++) {
		n->item[2 * i] = name[i];
		n->item[2 * i + 1] = n->text[i].text ? n->text[i].text : "";
	}
}

/* Write a file of columns. If @folder is NULL: one file, passed to `lines` of @scan. */
static enum tn_code
write_columns(struct tn_set *set, const char *folder, const char *keys, const struct tn_scan_options *scan,
	      const char *const *filter, uint64_t *passed, struct tn_error *err)
{
	const struct tn_columns_sink sink = { put_bytes, (void *)scan };
	struct notes notes = { 0 };
	struct tn_columns_options options = { TN_COLUMNS_OPTIONS, .note = notes.item };
	const struct tn_event_class **classes;
	enum tn_code rc = tn_scan_classes(set, scan, &classes, &options.n_column_classes, err);

	options.column_class = classes;
	make_notes(&notes, set, scan, filter);
	if (rc == TN_OK)
		rc = folder ? tn_columns_folder(set, folder, keys, &options, scan, passed, err)
			    : tn_columns_events(set, &sink, &options, scan, passed, err);
	free(classes);
	for (size_t i = 0; i < NOTES / 2; i++)
		tn_str_release(&notes.text[i]);
	return rc;
}

enum tn_code
records_write(struct tn_set *set, enum output_format format, const struct tn_text_options *how,
	      const struct tn_scan_options *scan, const char *const *filter, uint64_t *passed, struct tn_error *err)
{
	struct tn_text_options as = *how;
	struct tn_scan_options write = *scan;
	const struct tn_event_class **classes = NULL;
	struct tn_text *text = NULL;
	enum tn_code rc = TN_OK;

	*passed = 0;
	as.format = format == FORMAT_CSV ? TN_LINE_CSV : TN_LINE_JSON;
	if (as.time == TN_TIME_OF_DAY || as.time == TN_TIME_CYCLES)	/* cycles have their own column */
		as.time = tn_set_is_wall_time(set) ? TN_TIME_DATE : TN_TIME_SECONDS;
	if (format == FORMAT_CHROME)
		return trace_events_write(set, &as, scan, passed, err);
	if (format == FORMAT_PARQUET) {
		write.match = scan->match ? scan->match : scan->text;
		return write_columns(set, NULL, NULL, &write, filter, passed, err);
	}
	if (format == FORMAT_CSV)
		rc = tn_scan_classes(set, scan, &classes, &as.n_column_classes, err);
	as.column_class = classes;
	if (rc == TN_OK)
		rc = tn_text_new(&text, set, &as, err);
	write.match = scan->text;
	write.text = text;
	if (rc == TN_OK)
		rc = tn_scan(set, &write, passed, err);
	tn_text_free(text);
	free(classes);
	return rc;
}

enum tn_code
records_write_folder(struct tn_set *set, const char *folder, const char *keys, const struct tn_scan_options *scan,
		     const char *const *filter, uint64_t *passed, struct tn_error *err)
{
	*passed = 0;
	return write_columns(set, folder, keys, scan, filter, passed, err);
}
