/*
 * shrink MODE THREADS TRACE [TARGET] - the files of a trace shrink to one byte when its index is known
 *
 * All that reads them then must say so: an error or damage. Exit status 0: it did; 1: silence. Not to survive it is
 * the failure this is for: threads that work for the library may not block the signal of a lost page.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tnav/tnav.h>

static unsigned told;

static int
on_row(void *user, const struct tn_row *row)
{
	(void)user;
	told += row->kind == TN_ROW_DAMAGE;
	return 0;
}

static int
on_lines(void *user, const char *text, size_t n)
{
	(void)user, (void)text, (void)n;
	return 0;
}

static void
on_problem(void *user, const struct tn_problem *problem)
{
	(void)user;
	told += problem->severity == TN_DAMAGE;
}

static enum tn_code
scan(struct tn_set *set, const char *mode, unsigned threads, struct tn_error *err)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = threads, .lines = on_lines, .notice = on_row };
	struct tn_filter *filter = NULL;
	struct tn_text *text = NULL;
	enum tn_code rc;

	how.format = strcmp(mode, "json") == 0 ? TN_LINE_JSON : strcmp(mode, "csv") == 0 ? TN_LINE_CSV : TN_LINE_TEXT;
	rc = tn_text_new(&text, set, &how, err);
	if (rc == TN_OK && strcmp(mode, "regex") == 0) {
		rc = tn_filter_new(&filter, set, err);
		if (rc == TN_OK)
			rc = tn_filter_add_regex(filter, "[0-9]{3}.*e", false, err);
	} else if (rc == TN_OK && strcmp(mode, "expression") == 0) {
		rc = tn_filter_new(&filter, set, err);
		if (rc == TN_OK)
			rc = tn_filter_add_expression(filter, "cpu_id == 1", err);
	}
	o.text = text;
	o.filter = filter;
	if (rc == TN_OK)
		rc = tn_scan(set, &o, NULL, err);
	tn_filter_free(filter);
	tn_text_free(text);
	return rc;
}

static enum tn_code
walk_back(struct tn_set *set, struct tn_error *err)
{
	struct tn_cursor *cur;
	struct tn_row row;
	enum tn_code rc = tn_cursor_new(&cur, set, err);

	if (rc == TN_OK)
		rc = tn_cursor_last(cur, err);
	while (rc == TN_OK) {
		if (tn_cursor_row(cur, &row))
			on_row(NULL, &row);
		rc = tn_cursor_prev(cur, err);
	}
	tn_cursor_free(cur);
	return rc;
}

int
main(int argc, char **argv)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = true, .problem = on_problem };
	unsigned threads = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	const char *mode = argc > 1 ? argv[1] : "", *path = argc > 3 ? argv[3] : "";
	struct tn_error err = { 0 };
	struct tn_set *set = NULL;
	uint64_t events;
	enum tn_code rc = tn_set_open(&set, &path, 1, &how, &err);

	if (rc == TN_OK && (rc = tn_set_index(set, 0, &err)) == TN_END)
		rc = TN_OK;
	for (size_t i = 0; rc == TN_OK && i < tn_set_stream_count(set); i++)
		if (truncate(tn_stream_path(tn_set_stream(set, i)), 1) < 0)
			rc = TN_ERR_SYSTEM;
	if (rc < 0) {
		printf("not tried: %s\n", err.text);
		return 2;
	}
	told = 0;
	if (strcmp(mode, "count") == 0)
		rc = tn_count(set, &(struct tn_count_options) { TN_COUNT_OPTIONS, .threads = threads, .notice = on_row }, &events,
			      &err);
	else if (strcmp(mode, "export") == 0)
		rc = tn_export(set, argc > 4 ? argv[4] : "", &(struct tn_export_options) { TN_EXPORT_OPTIONS,
			       .threads = threads, .damage = on_row }, &err);
	else if (strcmp(mode, "check") == 0)
		rc = tn_set_check(set, &err);
	else if (strcmp(mode, "back") == 0)
		rc = walk_back(set, &err);
	else
		rc = scan(set, mode, threads, &err);
	tn_set_close(set);
	if (rc >= 0 && !told) {
		printf("%s with %u threads: no word of it\n", mode, threads);
		return 1;
	}
	return 0;
}
