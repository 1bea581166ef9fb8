/* print.c - the jobs --print and --count: events as lines, and their number */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <tnav/symbol.h>

#include "gettext.h"
#include "live.h"
#include "output.h"
#include "query.h"
#include "record.h"
#include "report.h"

#define HELD_BYTES ((size_t)4 << 20)	/* memory for problems that are reported together */

int
job_status(const struct job *job)
{
	return job->problems[TN_DAMAGE] != 0;
}

static void
tell_problem(enum tn_severity severity, const char *text)
{
	if (severity == TN_DAMAGE)
		complain(NULL, text);
	else if (severity != TN_NOTE)
		complain(_("warning"), text);
}

/* Store a problem for later. False: there is not enough space for it. */
static bool
hold(struct job *job, const struct tn_problem *problem)
{
	size_t bytes = sizeof(struct held_problem) + strlen(problem->text) + 1;
	struct held_problem *more;
	char *text;

	if (bytes > HELD_BYTES - job->held_bytes)
		return false;
	more = realloc(job->held, (job->n_held + 1) * sizeof *more);
	text = strdup(problem->text);
	if (more)
		job->held = more;
	if (!more || !text) {
		free(text);
		return false;
	}
	more[job->n_held++] = (struct held_problem) { problem->severity, text };
	job->held_bytes += bytes;
	return true;
}

/* Report the stored problems, in the order in which they were found. */
static void
tell_held(struct job *job)
{
	job->holds = false;
	for (size_t i = 0; i < job->n_held; i++) {
		tell_problem(job->held[i].severity, job->held[i].text);
		free(job->held[i].text);
	}
	free(job->held);
	job->held = NULL;
	job->n_held = job->held_bytes = 0;
}

void
job_problem(void *user, const struct tn_problem *problem)
{
	struct job *job = user;

	job->problems[problem->severity]++;
	record_note(RECORD_PROBLEM, problem->text, problem->severity);
	if (job->holds && hold(job, problem))
		return;
	/* Memory is out: report the stored problems first, then this one. */
	tell_held(job);
	tell_problem(problem->severity, problem->text);
}

/* The path of the file that contains the packet of a row; a stream can have several files. */
static const char *
file_of(const struct tn_row *row)
{
	struct tn_packet_info packet;

	if (tn_stream_packet(row->stream, row->location.packet, &packet) == TN_OK)
		return packet.path;
	return tn_stream_path(row->stream);
}

void
job_damage(struct job *job, const struct tn_row *row)
{
	const char *file = file_of(row), *text = row->text ? row->text : "?";
	size_t n = strlen(file) + strlen(text) + 3;
	char *all = malloc(n);

	job->problems[TN_DAMAGE]++;
	if (all)
		snprintf(all, n, "%s: %s", file, text);
	complain(NULL, all ? all : text);
	free(all);
}

/* Add a condition to a filter. Report a text that may have been meant as a regular expression. */
static enum tn_code
add_condition(struct tn_filter *filter, const char *text, struct tn_error *err)
{
	enum tn_code rc = tn_filter_add(filter, text, err);
	size_t n = rc == TN_ERR_ARGUMENT && tn_filter_takes_expression(filter, text) ? strlen(err->text) : sizeof err->text;

	if (n < sizeof err->text)
		snprintf(err->text + n, sizeof err->text - n, " %s", _("(to search the lines for this text, write /TEXT/)"));
	return rc;
}

int
job_filter(const struct job *job, struct tn_filter **out)
{
	const struct options *o = job->options;
	struct tn_time_context times = { TN_TIME_CONTEXT, .utc = o->text.utc };
	struct tn_error err;
	enum tn_code rc;

	*out = NULL;
	if (!o->n_filters)
		return 0;
	rc = tn_filter_new(out, job->set, &err);
	if (rc == TN_OK)
		tn_filter_times(*out, &times);
	for (size_t i = 0; i < o->n_filters && rc == TN_OK; i++)
		rc = add_condition(*out, o->filter[i], &err);
	if (rc == TN_OK) {
		if (tn_filter_remark(*out))
			complain(_("warning"), tn_filter_remark(*out));
		return 0;
	}
	tn_filter_free(*out);
	*out = NULL;
	return job_failed(&err);
}

/* Whether babeltrace2 would use colours on this terminal (text.md, 6). */
static bool
terminal_has_colors(void)
{
	static const char *const names[] = { "xterm", "rxvt", "konsole", "gnome", "screen", "tmux", "putty", "linux" };
	const char *term = getenv("TERM");

	for (size_t i = 0; term && i < sizeof names / sizeof *names; i++)
		if (strncmp(term, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static bool
want_color(const struct options *o, const struct output *out)
{
	const char *no = getenv("NO_COLOR"), *family = getenv("BABELTRACE_TERM_COLOR");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	if (family && strcasecmp(family, "always") == 0)
		return !o->output;
	if (family && strcasecmp(family, "never") == 0)
		return false;
	return out->terminal && !o->output && !(no && *no) && terminal_has_colors();
}

struct printer {
	struct job *job;
	struct output out;
	struct tn_text *lines, *notices;	/* forms of lines and of notices */
	bool notice_color;
	struct tn_filter *filter;
	/* Only for a set that grows: */
	bool bounds_known;
	bool has_from;
	int64_t from_ns;	/* rows up to this time are already printed */
	size_t *packets;	/* number of packets of each stream at that time */
	size_t n_streams;
	struct tn_symbols *symbols;	/* names for --debug-info; NULL: not given */
};

static int
on_lines(void *user, const char *text, size_t n)
{
	struct printer *p = user;

	return output_write(&p->out, text, n);
}

/* Flush from time to time, because a user may wait for results of a slow search. */
static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	struct printer *p = user;

	(void)read, (void)passed, (void)at_ns;
	return output_flush(&p->out) || signal_taken();
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct printer *p = user;
	struct tn_str text = { 0 };

	/* The lines and the notices share a terminal: flush the lines, so that the order is kept. */
	if (p->out.terminal)
		output_flush(&p->out);
	if (row->kind == TN_ROW_DAMAGE) {
		job_damage(p->job, row);
	} else {
		tn_text_notice(p->notices, row, &text);
		warn_line(text.text ? text.text : "", text.n, p->notice_color);
	}
	tn_str_release(&text);
	return p->out.error || signal_taken();
}

/*
 * The number of threads. The reader of a pipe needs a processor too: if all processors make lines, the reader and tnav's
 * threads interrupt each other, and all takes longer than with one thread less. With a filter there are few lines, so
 * reading them takes little time.
 */
static unsigned
threads_for(const struct printer *p, const struct tn_filter *filter)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (p->job->options->threads || filter || !p->out.pipe || processors < 2)
		return p->job->options->threads;
	return (unsigned)processors - 1;
}

/* Print all rows; for a set that grows: the rows after the last printed row, up to @end_ns. */
static int
run_print(struct printer *p, bool has_end, int64_t end_ns)
{
	struct job *job = p->job;
	const struct tn_scan_options scan = {
		TN_SCAN_OPTIONS,
		.filter = p->filter, .text = p->lines,
		.has_begin = job->has_begin, .has_end = has_end,
		.begin_ns = job->begin_ns, .end_ns = end_ns,
		.has_from = p->has_from, .from = { .time_ns = p->from_ns, .stream = UINT32_MAX },
		.threads = threads_for(p, p->filter),
		.lines = on_lines, .notice = on_notice, .progress = on_progress, .user = p,
	};
	uint64_t events = 0;
	struct tn_error err;
	enum tn_code rc;

	if (job->options->partition) {
		signals_take(true);
		rc = records_write_folder(job->set, job->options->output, job->options->partition, &scan, job->options->filter,
					  &events, &err);
		signals_take(false);
	} else if (job->options->as == FORMAT_TEXT)
		rc = tn_scan(job->set, &scan, &events, &err);
	else
		rc = records_write(job->set, job->options->as, &job->options->text, &scan, job->options->filter, &events, &err);
	job->events += events;
	if (rc >= 0)
		return 0;
	if (p->out.error)
		return 0;	/* output_close() reports the error */
	if (signal_taken())
		return folder_failed(job->options->output, &err);
	return job_failed(&err);
}

/* Read the mappings of the processes, for names of addresses. */
static int
make_symbols(struct printer *p)
{
	struct tn_error err;

	p->symbols = addresses_read(&p->job->addresses, &err);
	if (!p->symbols)
		return job_failed(&err);
	if (!tn_symbols_mappings(p->symbols))
		complain(_("note"), _("--debug-info: the traces do not record which files the processes mapped "
				      "(lttng_ust_statedump)"));
	return 0;
}

static void
release_looks(struct printer *p)
{
	if (p->notices != p->lines)
		tn_text_free(p->notices);
	tn_text_free(p->lines);
	tn_filter_free(p->filter);
	p->notices = p->lines = NULL;
	p->filter = NULL;
}

/* Make the formats and the filter, which depend on the event classes. */
static int
make_looks(struct printer *p)
{
	struct tn_text_options how = p->job->options->text;
	struct tn_error err;
	int status = p->filter ? 0 : job_filter(p->job, &p->filter);

	if (status)
		return status;
	how.color = p->out.color = p->job->options->as == FORMAT_TEXT && want_color(p->job->options, &p->out);
	how.safe = p->out.terminal;
	p->out.csv = p->job->options->as == FORMAT_CSV;
	if (p->job->options->debug_info && p->job->options->as == FORMAT_TEXT) {
		status = make_symbols(p);
		how.debug_info = tn_symbols_debug_info;
		how.debug_info_user = p->symbols;
	}
	if (status)
		return status;
	if (tn_text_new(&p->lines, p->job->set, &how, &err) != TN_OK)
		return job_failed(&err);
	how.debug_info = NULL;
	how.safe = isatty(STDERR_FILENO);
	how.color = p->notice_color = how.color && how.safe;
	/* Share a text format if both are equal, because it is large with many event classes. */
	if (how.safe == p->out.terminal && how.color == p->out.color && !p->symbols)
		p->notices = p->lines;
	else if (tn_text_new(&p->notices, p->job->set, &how, &err) != TN_OK)
		return job_failed(&err);
	return 0;
}

/* ---- rows that arrive late ---- */

/* Print the rows of one stream, from packet @at on, that sort before the rows already printed. Count their events. */
static enum tn_code
print_rows(struct printer *p, struct tn_cursor *cur, size_t stream, struct tn_location at, uint64_t *events,
	   struct tn_error *err)
{
	struct tn_str text = { 0 };
	size_t n = tn_set_stream_count(p->job->set);
	bool *only = calloc(n, sizeof *only), pass;
	struct tn_row row;
	enum tn_code rc;

	if (!only)
		return TN_ERR_MEMORY;
	only[stream] = true;
	rc = tn_cursor_only(cur, only, err);
	if (rc >= 0)
		rc = tn_cursor_restore(cur, &at, err);
	while (rc == TN_OK && tn_cursor_row(cur, &row) && row.location.time_ns <= p->from_ns && !p->out.error) {
		pass = row.kind == TN_ROW_EVENT;
		if (row.kind == TN_ROW_DAMAGE)
			job_damage(p->job, &row);
		if (pass && p->filter)
			rc = tn_filter_match(p->filter, p->lines, cur, &pass, err);
		text.n = 0;
		if (rc == TN_OK && pass)
			rc = tn_text_line(p->lines, cur, NULL, &text, err);
		if (rc == TN_OK && pass) {
			output_write(&p->out, text.text, text.n);
			++*events;
		}
		if (rc == TN_OK)
			rc = tn_cursor_next(cur, err);
	}
	tn_str_release(&text);
	free(only);
	return rc < 0 ? rc : TN_OK;
}

static void
tell_late(const struct tn_stream *stream, uint64_t events)
{
	char text[600];

	snprintf(text, sizeof text, ngettext("%.300s: %ju event came late: it is printed after later events",
					     "%.300s: %ju events came late: they are printed after later events",
					     (unsigned long)events), tn_stream_path(stream), (uintmax_t)events);
	complain(_("warning"), text);
}

/* Find packets that arrived late, in streams that tnav did not wait for, and print those of their rows that were missed. */
static int
print_late(struct printer *p)
{
	size_t n = tn_set_stream_count(p->job->set);
	size_t *packets = realloc(p->packets, (n + 1) * sizeof *packets);
	struct tn_cursor *cur = NULL;
	struct tn_error err = { 0 };
	enum tn_code rc = packets ? tn_set_index(p->job->set, 0, &err) : TN_ERR_MEMORY;

	if (packets)
		p->packets = packets;
	for (size_t i = 0; rc >= 0 && i < n; i++) {
		const struct tn_stream *stream = tn_set_stream(p->job->set, i);
		size_t k = i < p->n_streams ? packets[i] : 0, now = tn_stream_packet_count(stream);
		struct tn_packet_info info = { 0 };
		uint64_t events = 0;

		packets[i] = now;
		if (!p->has_from || k >= now || tn_stream_packet(stream, k, &info) != TN_OK || !info.has_time ||
		    info.begin_ns > p->from_ns)
			continue;
		if (!cur)
			rc = tn_cursor_new(&cur, p->job->set, &err);
		if (rc >= 0)
			rc = print_rows(p, cur, i, (struct tn_location) { info.begin_ns, (uint32_t)i, (uint32_t)k, 0 },
					&events, &err);
		if (events)
			tell_late(stream, events);
		p->job->events += events;
	}
	p->n_streams = n;
	tn_cursor_free(cur);
	return rc < 0 ? job_failed(&err) : 0;
}

/* Print the new rows whose order can no longer change. */
static int
on_growth(void *user, const struct tn_growth *g, bool last)
{
	struct printer *p = user;
	struct job *job = p->job;
	int status = 0;
	bool mapped = false, has_end = job->has_end && (last || job->end_ns <= g->settled_ns);
	struct tn_error err = { 0 };

	if (last || g->has_settled)
		mapped = addresses_grow(&job->addresses, last ? INT64_MAX : g->settled_ns, &err);
	if (err.code < 0)
		return job_failed(&err);
	if (mapped || g->grew & (TN_GREW_STREAMS | TN_GREW_CLASSES))
		release_looks(p);
	if (p->bounds_known && !p->lines)
		status = make_looks(p);
	if (!status && p->bounds_known && (last || g->grew))
		status = print_late(p);
	if (!last && (!g->has_settled || (p->has_from && g->settled_ns <= p->from_ns)))
		return status ? status : p->out.error ? 1 : 0;
	if (!status && !p->bounds_known && job->read_bounds)
		status = job->read_bounds(job);
	p->bounds_known = true;
	if (!status && !p->lines)
		status = make_looks(p);
	if (!status && !p->has_from)
		status = print_late(p);	/* the first call only counts the packets */
	if (!status)
		status = run_print(p, has_end || !last, has_end ? job->end_ns : g->settled_ns);
	p->has_from = true;
	p->from_ns = g->settled_ns;
	output_flush(&p->out);
	return status;
}

int
print_events(struct job *job)
{
	struct printer p = { .job = job };
	int status = job->grows ? 0 : job_filter(job, &p.filter), closed;

	if (!status && job->options->partition)	/* records_write_folder() makes the folder */
		p.out = (struct output) { .fd = -1 };
	else if (!status)
		status = (job->grows ? output_open_growing : output_open)(&p.out, job->options->output, job->options->force);
	if (status) {
		release_looks(&p);
		return status;
	}
	if (job->grows) {
		status = live_wait(job, on_growth, &p);
	} else {
		status = make_looks(&p);
		if (!status)
			status = run_print(&p, job->has_end, job->end_ns);
	}
	if (status)
		output_fail(&p.out);
	closed = output_close(&p.out);
	release_looks(&p);
	free(p.packets);
	return status ? status : closed ? closed : job_status(job);
}

/* ---- the number of events ---- */

static int
on_damage(void *user, const struct tn_row *row)
{
	struct job *job = user;

	if (row->kind == TN_ROW_DAMAGE)
		job_damage(job, row);
	return 0;
}

/* Count with a scan, because a filter or a range requires a check of each row. */
static enum tn_code
count_some(struct job *job, struct tn_filter *filter, uint64_t *n, struct tn_error *err)
{
	struct tn_text_options how = job->options->text;
	struct tn_scan_options scan = {
		TN_SCAN_OPTIONS,
		.filter = filter,
		.has_begin = job->has_begin, .has_end = job->has_end,
		.begin_ns = job->begin_ns, .end_ns = job->end_ns,
		.threads = job->options->threads, .notice = on_damage, .user = job,
	};
	struct tn_text *text;
	enum tn_code rc = tn_text_new(&text, job->set, &how, err);

	if (rc != TN_OK)
		return rc;
	scan.text = text;
	rc = tn_scan(job->set, &scan, n, err);
	tn_text_free(text);
	return rc;
}

int
print_count(struct job *job)
{
	struct output out;
	struct tn_filter *filter;
	struct tn_error err;
	uint64_t n = 0;
	enum tn_code rc;
	int status = job_filter(job, &filter);

	if (status)
		return status;
	/*
	 * Indices are made ahead of the counting threads, how far ahead depends on their number: hold problems, to report
	 * them in a fixed order.
	 */
	job->holds = !filter && !job->has_begin && !job->has_end;
	if (!job->holds)
		rc = count_some(job, filter, &n, &err);
	else
		rc = tn_count(job->set, &(struct tn_count_options) {
			TN_COUNT_OPTIONS, .threads = job->options->threads, .notice = on_damage, .user = job,
		}, &n, &err);
	tell_held(job);
	tn_filter_free(filter);
	job->events = n;
	if (rc < 0)
		return job_failed(&err);
	status = output_open(&out, job->options->output, job->options->force);
	if (status)
		return status;
	output_printf(&out, "%" PRIu64 "\n", n);
	status = output_close(&out);
	return status ? status : job_status(job);
}
