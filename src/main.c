/* main.c - open the traces and do the work that the command line asks for */
#include <config.h>

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "browser/app.h"
#include "cli/about.h"
#include "cli/demo.h"
#include "cli/babeltrace.h"
#include "screen/charset.h"
#include "gettext.h"
#include "cli/live.h"
#include "cli/options.h"
#include "cli/output.h"
#include "session/problems.h"
#include "term/term.h"
#include "cli/record.h"
#include "cli/remote.h"
#include "cli/report.h"

#define UNPACK_WAIT_NS 100000000	/* if unpacking takes longer, the browser shows the archive while it is unpacked */

static bool unpacking_shown;

static int on_unpacking(void *user, const char *path, uint64_t done, uint64_t all);

static struct tn_open_options
open_options(const struct options *o)
{
	return (struct tn_open_options) {
		TN_OPEN_OPTIONS,
		.format = o->format, .clock_offset_ns = o->clock_offset_ns, .align_clocks = o->align,
		.no_index_cache = o->no_index_cache, .no_index_files = o->no_index_files,
		.growing = o->follow, .progress = on_unpacking,
		.live_from_now = o->live_from_now, .live_lag_ns = o->live_lag_ns,
		.live_keep = o->live_keep, .metadata = o->metadata,
	};
}

/* On a terminal, show how much of an archive is unpacked, and clear this line at the end. */
static int
on_unpacking(void *user, const char *path, uint64_t done, uint64_t all)
{
	(void)user, (void)path;
	if (live_is_interrupted() || !isatty(STDERR_FILENO))
		return live_is_interrupted();
	fputs("\r\033[K", stderr);
	if (all)
		fprintf(stderr, _("unpacking: %d %%"), (int)((double)done / (double)all * 100));
	unpacking_shown = true;
	return 0;
}

static bool
has_archive(const struct options *o)
{
	for (size_t i = 0; i < o->n_traces; i++)
		if (tn_path_is_archive(o->trace[i]))
			return true;
	return false;
}

static enum tn_code
open_set(struct tn_set **out, const struct options *o, const struct tn_open_options *how, struct tn_error *err)
{
	uint64_t since = record_now();
	enum tn_code rc = tn_set_open(out, o->trace, o->n_traces, how, err);

	if (unpacking_shown)
		fputs("\r\033[K", stderr);
	unpacking_shown = false;
	/* Remove the sample's files now: they are mapped, and so no file is left, however the program ends. */
	if (o->demo)
		demo_remove(o->trace[0]);
	record_work(RECORD_OPEN, since, rc == TN_OK ? o->trace[0] : err->text,
		    rc == TN_OK ? tn_set_stream_count(*out) : 0);
	return rc;
}

/* ---- --begin and --end ---- */

/* Whether the time is seconds and nanoseconds from the origin, which tnav can read without a trace. */
static bool
stands_alone(const char *text)
{
	return !strchr(text, ':') && !strchr(text, '%') && !(*text == '+') &&
	       strcspn(text, "abcdefghijklmnopqrstuvwxyz") == strlen(text);
}

/*
 * Read a time of --begin or --end. Days and +durations are relative to the first event; a +duration of --end is relative
 * to --begin.
 */
static enum tn_code
read_bound(struct job *job, const char *text, bool is_end, int64_t *out, struct tn_error *err)
{
	struct tn_time_context context = { TN_TIME_CONTEXT, .utc = job->options->text.utc };
	enum tn_code rc = TN_OK;

	if (!stands_alone(text)) {
		rc = tn_set_first_time(job->set, &context.near_ns, err);
		if (rc >= 0 && (strchr(text, '%') || isalpha((unsigned char)*text)))
			rc = tn_set_time_range(job->set, &context.begin_ns, &context.end_ns, err);
		if (rc < 0)
			return rc;
		if (is_end && job->has_begin && (*text == '+' || *text == '-'))
			context.near_ns = job->begin_ns;
	}
	return tn_time_parse(text, &context, out, err);
}

static int
read_bounds(struct job *job)
{
	const struct options *o = job->options;
	struct tn_error err;

	if (o->begin) {
		if (read_bound(job, o->begin, false, &job->begin_ns, &err) < 0)
			return job_failed(&err);
		job->has_begin = true;
	}
	if (o->end) {
		if (read_bound(job, o->end, true, &job->end_ns, &err) < 0)
			return job_failed(&err);
		job->has_end = true;
	}
	if (o->intersection && !job->grows) {
		int status = babeltrace_intersection(job);

		if (status)
			return status;
	}
	if (!o->intersection && job->has_begin && job->has_end && job->begin_ns > job->end_ns) {
		complain(NULL, _("--begin is later than --end"));
		return 2;
	}
	return 0;
}

/* ---- the browser ---- */

/* Some threads were stopped but can still use the traces: exit without freeing memory. */
static bool leave_at_once;

struct opener {
	const struct options *options;
	struct problems *problems;
};

static enum tn_code
reopen(void *user, bool grows, const struct tn_trace_offset *offset, size_t n_offsets, struct tn_set **out,
       struct tn_error *err)
{
	struct opener *opener = user;
	struct tn_open_options how = open_options(opener->options);

	how.problem = problems_tell;
	how.user = opener->problems;
	how.growing = grows;
	how.unpack_wait_ns = UNPACK_WAIT_NS;
	how.offset = offset;
	how.align_clocks &= !offset;	/* the offsets already contain the alignment */
	how.n_offsets = n_offsets;
	return open_set(out, opener->options, &how, err);
}

static enum tn_code
open_other(void *user, const char *path, struct tn_set **out, struct tn_error *err)
{
	struct options o = *((struct opener *)user)->options;
	struct tn_open_options how = open_options(&o);
	const char *trace[1] = { path };

	o.trace = trace;
	o.n_traces = 1;
	o.demo = false;
	return open_set(out, &o, &how, err);
}

static int
run_browser(const struct options *o)
{
	struct opener opener = { .options = o, .problems = problems_new() };
	struct job job = { .options = o };
	struct browse_options how = {
		.text = o->text, .filter = o->filter, .n_filters = o->n_filters, .threads = o->threads,
		.problems = opener.problems, .user = &opener,
		.grows = live_is_wanted(o), .open = open_other,
	};
	struct tn_error err;
	int status;

	how.map = o->map;
	how.n_maps = o->n_maps;
	how.symbols = (struct tn_symbols_options) {
		TN_SYMBOLS_OPTIONS, .debug_dir = o->debug_dir, .target_prefix = o->target_prefix, .full_path = o->full_path,
	};
	how.command = o->command;
	how.n_commands = o->n_commands;
	if (o->n_traces == 1 && !o->demo)
		how.title = o->trace[0];
	if (o->demo)
		how.same = DEMO_SAME;
	/* Do not open a session of a relay again: the relay gives it to one viewer at a time. */
	if (!o->demo && !live_has_relay(o))
		how.reopen = reopen;
	if (reopen(&opener, how.grows, NULL, 0, &job.set, &err) != TN_OK) {
		status = job_failed(&err);
	} else {
		status = read_bounds(&job);
		how.has_begin = job.has_begin;
		how.has_end = job.has_end;
		how.begin_ns = job.begin_ns;
		how.end_ns = job.end_ns;
		if (!status)
			status = browse(job.set, &how, &leave_at_once);
	}
	if (leave_at_once) {
		tn_set_leave(job.set);
		return status;
	}
	tn_set_close(job.set);
	problems_free(opener.problems);
	return status;
}

/* ---- the jobs without a screen ---- */

static void
check_problem(void *user, const struct tn_problem *problem)
{
	struct job *job = user;

	if (problem->severity == TN_NOTE)
		complain(_("note"), problem->text);
	if (problem->severity != TN_WRONG) {
		job_problem(user, problem);
		return;
	}
	job->problems[TN_WRONG]++;
	complain(_("wrong"), problem->text);
}

/*
 * Whether events are printed as they arrive. Lines can be, but the first line of CSV names all fields, and other output
 * is about all events.
 */
static bool
prints_as_it_comes(const struct options *o)
{
	return (o->mode == MODE_PRINT || o->mode == MODE_AUTO) && o->as != FORMAT_CSV && o->as != FORMAT_PARQUET &&
	       o->as != FORMAT_CHROME;
}

/* Warn if nothing was recorded in the range, because it may be on another day or in another time zone. */
static void
tell_range(struct job *job)
{
	const struct options *o = job->options;
	struct tn_text_options how = o->text;
	struct tn_str first = { 0 }, last = { 0 };
	int64_t begin_ns, end_ns;
	struct tn_text *text;
	char note[400];

	if (o->intersection || o->mode == MODE_CHAIN || o->mode == MODE_LANES ||
	    tn_set_time_range(job->set, &begin_ns, &end_ns, NULL) != TN_OK ||
	    !((job->has_begin && job->begin_ns > end_ns) || (job->has_end && job->end_ns < begin_ns)))
		return;
	how.time = how.time == TN_TIME_OF_DAY ? TN_TIME_DATE : how.time;
	if (tn_text_new(&text, job->set, &how, NULL) != TN_OK)
		return;
	tn_text_time(text, begin_ns, &first);
	tn_text_time(text, end_ns, &last);
	snprintf(note, sizeof note, _("no event is in the selected time: the traces are from %s to %s"),
		 first.text ? first.text : "?", last.text ? last.text : "?");
	complain(_("note"), note);
	tn_str_release(&first);
	tn_str_release(&last);
	tn_text_free(text);
}

/* Report a condition in the place of a trace, as in "tnav 'ret < 0' TRACE". */
static void
tell_condition(const struct options *o)
{
	for (size_t i = 0; i < o->n_traces; i++) {
		char note[1000];

		if (!strpbrk(o->trace[i], "=<>") || strchr(o->trace[i], '/') || access(o->trace[i], F_OK) == 0)
			continue;
		snprintf(note, sizeof note, _("%.300s: write a condition after -f, in quotes"), o->trace[i]);
		complain(_("note"), note);
	}
}

/* Report why a file or an answer is empty. */
static void
tell_nothing(struct job *job)
{
	const struct options *o = job->options;
	char note[1000];

	if (!tn_set_stream_count(job->set)) {
		complain(_("note"), strncmp(tn_trace_format(tn_set_trace(job->set, 0)), "CTF", 3) == 0
			 ? _("there are no events: the folder of the metadata has no stream files")
			 : _("there are no events: the trace has no streams"));
	} else if (o->output && !job->events && (o->mode == MODE_PRINT || o->mode == MODE_AUTO)) {
		snprintf(note, sizeof note, _("%.500s: the file has no events, because no event matches"), o->output);
		complain(_("note"), note);
	}
}

/* Open the traces. A comparison has two sets, unless it compares parts of one. */
static int
open_sets(struct job *job, const struct tn_open_options *how)
{
	bool apart = job->options->mode == MODE_DIFF && !job->options->first && !job->options->second;
	struct options o = *job->options;
	struct tn_error err;

	if (apart)
		o.n_traces = 1;
	if (open_set(&job->set, &o, how, &err) != TN_OK)
		return job_failed(&err);
	addresses_serve(&job->addresses, job->options, job->set);
	o.trace++;
	if (apart && open_set(&job->second, &o, how, &err) != TN_OK)
		return job_failed(&err);
	if (apart)
		addresses_serve(&job->second_addresses, job->options, job->second);
	return 0;
}

static int
run_job(const struct options *o)
{
	struct job job = { .options = o };
	struct tn_open_options how = open_options(o);
	bool unpacks = has_archive(o) && !live_has_relay(o);
	int status = 0;

	how.problem = o->mode == MODE_CHECK ? check_problem : job_problem;
	how.user = &job;
	if (live_has_relay(o) || unpacks)
		live_take_interrupts();
	status = open_sets(&job, &how);
	tell_condition(o);
	if (unpacks)	/* an interrupt during unpacking ends the program here, and its files are removed */
		live_leave_interrupts();
	if (status) {
		addresses_release(&job.addresses);
		tn_set_close(job.set);
		return status;
	}
	job.grows = live_is_wanted(o);
	job.read_bounds = read_bounds;
	job.read_bound = read_bound;
	if (job.grows && !prints_as_it_comes(o))
		status = live_collect(&job);
	/* Report the failure to read a session; otherwise it would look like a trace without events. */
	if (!status && live_has_relay(o) && o->mode != MODE_CHECK &&
	    (!tn_set_trace_count(job.set) || (job.second && !tn_set_trace_count(job.second))))
		status = job_status(&job);
	if (!status && !(job.grows && prints_as_it_comes(o)))
		status = read_bounds(&job);
	if (!status) {
		uint64_t since = record_now();

		switch (o->mode) {
		case MODE_COUNT: status = print_count(&job); break;
		case MODE_INFO: status = print_info(&job); break;
		case MODE_CHECK: status = check_traces(&job); break;
		case MODE_METADATA: status = print_metadata(&job); break;
		case MODE_COMPLETE: status = print_completions(&job); break;
		case MODE_EXPORT: status = export_traces(&job); break;
		case MODE_SPANS: status = print_spans(&job); break;
		case MODE_GROUPS: status = print_groups(&job); break;
		case MODE_PAIRS: status = print_pairs(&job); break;
		case MODE_LANES: status = print_lanes(&job); break;
		case MODE_WHY: status = print_why(&job); break;
		case MODE_DIFF: status = print_differences(&job); break;
		case MODE_LADDER: status = print_ladder(&job); break;
		case MODE_FLAME: status = print_flame(&job); break;
		case MODE_PLOT: status = print_plot(&job); break;
		case MODE_CHAIN: status = print_chain(&job); break;
		case MODE_ASK: status = ask(&job); break;
		default: status = print_events(&job); break;
		}
		if (status == 0 && !job.grows && !job.events && (job.has_begin || job.has_end))
			tell_range(&job);
		if (status == 0 && !job.grows && o->mode != MODE_INFO && o->mode != MODE_METADATA && o->mode != MODE_COMPLETE &&
		    o->mode != MODE_PAIRS)
			tell_nothing(&job);
		record_work(o->mode == MODE_COUNT ? RECORD_COUNT : o->mode == MODE_INFO ? RECORD_INDEX : RECORD_SCAN,
			    since, NULL, job.events);
	}
	addresses_release(&job.addresses);
	addresses_release(&job.second_addresses);
	tn_set_close(job.set);
	tn_set_close(job.second);
	return status;
}

static int
run_traces(const struct options *given)
{
	const bool browses = given->mode == MODE_AUTO && isatty(STDOUT_FILENO);
	struct options with_choice = *given, *o = &with_choice;
	char *chosen = NULL;
	int status;

	if (live_list(o, browses && isatty(STDIN_FILENO) ? &chosen : NULL, &status))
		return status;
	if (chosen)
		o->trace = (const char *const *)&chosen;
	if (browses) {
		status = run_browser(o);
		free(chosen);
		return status;
	}
	if (!o->n_commands)
		return run_job(o);
	complain(NULL, _("+COMMAND works in the browser only: it needs a terminal, and no --print or other output"));
	return 2;
}

/* Write the sample trace to a folder, which exists only until the trace is open, and do the work with it. */
static int
run_demo(const struct options *given)
{
	struct options o = *given;
	const char *trace[1];
	char folder[4096];
	struct tn_error err;
	int status;

	if (demo_make(folder, sizeof folder, &err) != TN_OK)
		return job_failed(&err);
	trace[0] = folder;
	o.trace = trace;
	o.n_traces = 1;
	o.no_index_cache = true;
	status = run_traces(&o);
	demo_remove(folder);
	return status;
}

static int
run(const struct options *o)
{
	switch (o->mode) {
	case MODE_HELP:
		if (o->help_all)
			options_help(stdout);
		else
			about_help(stdout);
		return output_end_standard();
	case MODE_VERSION:
		about_version(stdout, term_library());
		return output_end_standard();
	default:
		return o->demo ? run_demo(o) : run_traces(o);
	}
}

/*
 * Open /dev/null in place of a closed standard stream, so that none of our files gets its number and receives messages.
 * Using the stream is still an error.
 */
static void
fill_closed_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Choose the language of the program's and the library's messages. Translators set TNAV_LOCALEDIR to test a translation. */
static void
take_language(void)
{
	const char *folder = getenv("TNAV_LOCALEDIR");

	if (folder && !*folder)
		folder = NULL;
	bindtextdomain(PACKAGE, folder ? folder : LOCALEDIR);
	textdomain(PACKAGE);
	tn_messages_in_language(folder);
}

int
main(int argc, char **argv)
{
	struct options options;
	char **words;
	int status;

	fill_closed_descriptors();
	/* If a file cannot grow, report an error and remove the file, instead of ending with a signal. */
	signal(SIGXFSZ, SIG_IGN);
	charset_start();
	take_language();
	record_now();		/* starts the clock of the records */
	words = babeltrace_translate(&argc, argv);
	if (!words)
		return 2;
	status = options_read(&options, argc, words);
	if (!status && options.record && !record_open(options.record, argc, words))
		status = 1;
	if (!status && !remote_run(&options, words, &status))
		status = run(&options);
	if (!record_close(status) && !status)
		status = 1;
	if (leave_at_once) {
		fflush(NULL);
		_exit(status);
	}
	options_release(&options);
	free(words);
	return status;
}
