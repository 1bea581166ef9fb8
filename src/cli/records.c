/*
 * records.c - events as CSV or lines of JSON: which columns, which events, in time order
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "records.h"

#define NEAR_ROWS 4096		/* so far it is quicker to walk than to jump */
#define LINES_SIZE 65536	/* bytes of lines that go out at once */

enum output_format
format_named(const char *name)
{
	static const struct { const char *name; enum output_format format; } names[] = {
		{ "text", FORMAT_TEXT }, { "bt2", FORMAT_TEXT }, { "csv", FORMAT_CSV }, { "jsonl", FORMAT_JSON },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i].name) == 0)
			return names[i].format;
	return FORMAT_UNKNOWN;
}

enum output_format
format_of_file(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && strcmp(dot, ".csv") == 0)
		return FORMAT_CSV;
	return dot && strcmp(dot, ".jsonl") == 0 ? FORMAT_JSON : FORMAT_TEXT;
}

/* ---- the event classes that have columns: those of events that pass ---- */

/* NULL, NULL: everything. */
struct span {
	const struct tn_location *first, *last;
};

static bool
is_in(const struct span *span, const struct tn_row *row)
{
	return (!span->first || tn_location_compare(&row->location, span->first) >= 0) &&
	       (!span->last || tn_location_compare(&row->location, span->last) <= 0);
}

struct classes {
	const struct tn_event_class **event_class;
	bool *seen;		/* of each */
	size_t n;
	const struct tn_trace **trace;
	size_t *first;		/* of each trace: its first class */
	size_t n_traces;
	size_t left;		/* not seen yet */
	const struct tn_scan_options *scan;
	const struct span *span;
};

static bool
all_classes(struct classes *c, const struct tn_set *set)
{
	size_t n = 0;

	c->n_traces = tn_set_trace_count(set);
	for (size_t i = 0; i < c->n_traces; i++)
		n += tn_trace_event_class_count(tn_set_trace(set, i));
	c->event_class = calloc(n + 1, sizeof *c->event_class);
	c->seen = calloc(n + 1, sizeof *c->seen);
	c->trace = calloc(c->n_traces + 1, sizeof *c->trace);
	c->first = calloc(c->n_traces + 1, sizeof *c->first);
	if (!c->event_class || !c->seen || !c->trace || !c->first)
		return false;
	for (size_t i = 0; i < c->n_traces; i++) {
		c->trace[i] = tn_set_trace(set, i);
		c->first[i] = c->n;
		for (size_t k = 0; k < tn_trace_event_class_count(c->trace[i]); k++)
			c->event_class[c->n++] = tn_trace_event_class(c->trace[i], k);
	}
	c->left = c->n;
	return true;
}

static void
release_classes(struct classes *c)
{
	free(c->event_class);
	free(c->seen);
	free(c->trace);
	free(c->first);
}

static int
see_row(void *user, const struct tn_row *row)
{
	struct classes *c = user;
	size_t i = 0;

	if (row->kind != TN_ROW_EVENT || !is_in(c->span, row))
		return 0;
	while (i < c->n_traces && c->trace[i] != tn_event_class_trace(row->event_class))
		i++;
	if (i < c->n_traces) {
		bool *seen = &c->seen[c->first[i] + tn_event_class_index(row->event_class)];

		c->left -= !*seen;
		*seen = true;
	}
	return c->left == 0;	/* no need to look on */
}

static int
see_progress(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns)
{
	const struct tn_scan_options *scan = ((struct classes *)user)->scan;

	return scan->progress ? scan->progress(scan->user, events_read, events_passed, at_ns) : 0;
}

static bool
see_stopped(void *user)
{
	const struct tn_scan_options *scan = ((struct classes *)user)->scan;

	return scan->stopped && scan->stopped(scan->user);
}

/* Leave those classes that events have which pass. */
static enum tn_code
find_classes(struct classes *c, struct tn_set *set, struct tn_error *err)
{
	struct tn_scan_options look = *c->scan;
	enum tn_code rc;
	size_t n = 0;

	look.lines = NULL;
	look.notice = NULL;
	look.row = see_row;
	look.progress = see_progress;
	look.stopped = see_stopped;
	look.user = c;
	rc = tn_scan(set, &look, NULL, err);
	if (rc < 0 && !(rc == TN_ERR_CANCELLED && c->left == 0))
		return rc;
	for (size_t i = 0; i < c->n; i++)
		if (c->seen[i])
			c->event_class[n++] = c->event_class[i];
	c->n = n;
	return TN_OK;
}

/* ---- the events ---- */

struct writer {
	const struct tn_scan_options *scan;
	const struct span *span;
	uint64_t n;
	struct tn_records *records;
	struct tn_cursor *cur;	/* follows the scan, which has threads to find what passes */
	struct tn_text_buffer lines;
	struct tn_error *err;
	enum tn_code rc;
};

static int
put_lines(struct writer *w)
{
	size_t n = w->lines.n;

	w->lines.n = 0;
	return n ? w->scan->lines(w->scan->user, w->lines.text, n) : 0;
}

/* Put the cursor on a row behind the one it is on: mostly it is near. */
static enum tn_code
follow(struct writer *w, const struct tn_location *at)
{
	struct tn_row row;
	enum tn_code rc = TN_OK;

	for (int i = 0; i < NEAR_ROWS && rc == TN_OK && tn_cursor_row(w->cur, &row); i++) {
		if (tn_location_compare(&row.location, at) >= 0)
			break;
		rc = tn_cursor_next(w->cur, w->err);
	}
	if (rc >= 0 && (!tn_cursor_row(w->cur, &row) || tn_location_compare(&row.location, at) != 0))
		rc = tn_cursor_restore(w->cur, at, w->err);
	return rc < 0 ? rc : TN_OK;
}

static int
write_row(void *user, const struct tn_row *row)
{
	struct writer *w = user;
	const struct tn_scan_options *o = w->scan;

	if (!is_in(w->span, row))
		return 0;
	if (row->kind != TN_ROW_EVENT)
		return o->notice ? put_lines(w) || o->notice(o->user, row) : 0;
	w->rc = follow(w, &row->location);
	if (w->rc == TN_OK)
		w->rc = tn_records_line(w->records, w->cur, &w->lines, w->err);
	w->n += w->rc == TN_OK;
	return w->rc < 0 || (w->lines.n >= LINES_SIZE && put_lines(w));
}

static int
write_progress(void *user, uint64_t events_read, uint64_t events_passed, int64_t at_ns)
{
	struct writer *w = user;
	const struct tn_scan_options *o = w->scan;

	return put_lines(w) || (o->progress && o->progress(o->user, events_read, events_passed, at_ns));
}

static bool
write_stopped(void *user)
{
	const struct tn_scan_options *o = ((struct writer *)user)->scan;

	return o->stopped && o->stopped(o->user);
}

static enum tn_code
write_rows(struct writer *w, struct tn_set *set, uint64_t *passed)
{
	struct tn_scan_options scan = *w->scan;
	enum tn_code rc;

	scan.lines = NULL;
	scan.notice = NULL;
	scan.row = write_row;
	scan.progress = write_progress;
	scan.stopped = write_stopped;
	scan.user = w;
	tn_records_heading(w->records, &w->lines);
	rc = tn_scan(set, &scan, NULL, w->err);
	*passed = w->n;
	if (w->rc < 0)
		return w->rc;
	return rc >= 0 && put_lines(w) ? TN_ERR_CANCELLED : rc;
}

enum tn_code
records_write(struct tn_set *set, enum output_format format, const struct tn_text_options *how,
	      const struct tn_scan_options *scan, const struct tn_location *first, const struct tn_location *last,
	      uint64_t *passed, struct tn_error *err)
{
	enum tn_record_format as = format == FORMAT_CSV ? TN_RECORD_CSV : TN_RECORD_JSON;
	struct tn_text_options times = *how;
	const struct span span = { first, last };
	struct classes classes = { .scan = scan, .span = &span };
	struct writer w = { .scan = scan, .span = &span, .err = err };
	struct tn_text *text = NULL;
	enum tn_code rc = TN_OK;

	*passed = 0;
	times.color = false;
	if (times.time == TN_TIME_OF_DAY || times.time == TN_TIME_CYCLES)	/* cycles have a place of their own */
		times.time = tn_set_is_wall_time(set) ? TN_TIME_DATE : TN_TIME_SECONDS;
	if (as == TN_RECORD_CSV && !all_classes(&classes, set)) {
		err->code = rc = TN_ERR_MEMORY;
		strcpy(err->text, "out of memory");
	}
	if (rc == TN_OK && as == TN_RECORD_CSV)
		rc = find_classes(&classes, set, err);
	if (rc == TN_OK)
		rc = tn_text_new(&text, set, &times, err);
	if (rc == TN_OK)
		rc = tn_records_new(&w.records, text, as, classes.event_class, classes.n, err);
	if (rc == TN_OK)
		rc = tn_cursor_new(&w.cur, set, err);
	if (rc == TN_OK)
		rc = write_rows(&w, set, passed);
	tn_cursor_free(w.cur);
	tn_records_free(w.records);
	tn_text_free(text);
	tn_text_buffer_free(&w.lines);
	release_classes(&classes);
	return rc;
}
