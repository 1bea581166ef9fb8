/* options.c - the command line: one table has the options for getopt_long() and the text of --help */
#include <config.h>

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/grow.h>

#include "gettext.h"
#include "screen/canvas.h"
#include "options.h"
#include "options_refuse.h"
#include "output.h"

#define NS INT64_C(1000000000)
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Numbers of the options without a letter. An option with a letter has the letter as its number. */
enum { OPT_CHECK = 256, OPT_COMPLETE, OPT_CLOCK_CYCLES, OPT_CLOCK_DATE, OPT_CLOCK_GMT, OPT_CLOCK_OFFSET, OPT_CLOCK_OFFSET_NS,
	OPT_CLOCK_SECONDS, OPT_COLOR, OPT_COMPRESS, OPT_DEBUG_INFO, OPT_DEBUG_DIR, OPT_DEBUG_PREFIX, OPT_DEBUG_FULL, OPT_DEMO,
	OPT_EXPORT, OPT_FIELDS, OPT_FOLLOW, OPT_FORCE, OPT_FORMAT, OPT_INTERSECTION, OPT_KEEP, OPT_LIVE_FROM, OPT_LIVE_LAG,
	OPT_METADATA, OPT_NAMES, OPT_NO_DELTA, OPT_NO_INDEX_CACHE, OPT_NO_INDEX_FILES, OPT_OUTPUT_FORMAT, OPT_PARTITION,
	OPT_RECORD, OPT_THREADS };

/* Numbers of the options for answers. */
enum { OPT_SPANS = 512, OPT_SORT, OPT_TOP, OPT_BY, OPT_SHOW, OPT_GROUP_BY, OPT_PAIRS, OPT_ASK, OPT_CHAIN, OPT_LANES, OPT_COLUMNS,
	OPT_FLAME, OPT_MAP, OPT_KALLSYMS, OPT_PLOT, OPT_PLOT_AS, OPT_ROWS, OPT_WHERE, OPT_LADDER, OPT_DIFF, OPT_FIRST,
	OPT_SECOND, OPT_VALUES, OPT_WHY, OPT_EXIT_CODE, OPT_SEQUENCE, OPT_COPY_LIMIT };

static const struct row {
	const char *group;	/* title of the group that begins here */
	int id;
	const char *name;
	const char *argument;	/* NULL: the option takes no argument */
	const char *help;	/* NULL: --help omits the option (it is for tests) */
} rows[] = {
	{ N_("What to do (without any: browse on a terminal, else print)"),
	  'p', "print", NULL, N_("print the events, as babeltrace2 does") },
	{ NULL, 'c', "count", NULL, N_("print the number of events") },
	{ NULL, 'i', "info", NULL, N_("print a summary of the traces") },
	{ NULL, OPT_CHECK, "check", NULL, N_("read everything and print each problem") },
	{ NULL, OPT_METADATA, "metadata", NULL,
	  N_("print the metadata of the traces as text; =FILE: read it from FILE, if the streams are elsewhere") },
	{ NULL, OPT_COMPLETE, "complete", N_("TEXT"), N_("print the completions of the condition TEXT, for shells") },
	{ NULL, OPT_EXPORT, "export", N_("FOLDER"), N_("write the events as a CTF trace, FOLDER, which must not exist") },
	{ NULL, OPT_COMPRESS, "compress", NULL, N_("with --export: write an archive, FOLDER.tar.zst, instead of a folder") },
	{ NULL, OPT_SPANS, "spans", N_("SPANS"),
	  N_("print durations: BEGIN END [by KEY, ...] [show FIELD, ...] [nested|latest|fifo] [as NAME] [where CONDITION]") },
	{ NULL, OPT_FLAME, "flame", NULL,
	  N_("print the stacks of --spans, or of call chains, as a tree; =folded: for flamegraph.pl; =frames: a table; =callers") },
	{ NULL, OPT_PLOT, "plot", N_("PLOT"),
	  N_("plot a number of events, or of --spans, over time: 'ret', 'dur by name', 'log2(len) where len > 0'") },
	{ NULL, OPT_LANES, "lanes", N_("LANES"), N_("print states over time: EVENT.FIELD by LANE, or (BEGIN END by KEY) by LANE") },
	{ NULL, OPT_LADDER, "ladder", N_("BY"),
	  N_("print events as a ladder, with arrows between lanes of BY: stream, tid, pid, cpu, a field, or auto") },
	{ NULL, OPT_PAIRS, "pairs", NULL, N_("print the pairs of begin and end events that tnav finds, for --spans") },
	{ NULL, OPT_ASK, "ask", N_("NAME"),
	  N_("print the answer to a ready question: syscalls, scheduling, ...; list: all of them") },
	{ NULL, OPT_CHAIN, "chain", N_("TID"),
	  N_("print what thread TID waited for from --begin to --end, and what those threads waited for") },
	{ NULL, OPT_BY, "by", N_("KEYS"), N_("print groups: of events (with --spans: of spans) with equal KEYS") },
	{ NULL, OPT_SHOW, "show", N_("LIST"),
	  N_("columns of each group: count, missing(F), sum(F), min(F), max(F), mean(F), stddev(F), median(F), p1(F) to p99(F), "
	     "distinct(F), first(F), last(F), rate") },
	{ NULL, OPT_DIFF, "diff", NULL, N_("compare two traces A B: print the differences, surest and largest first") },
	{ NULL, OPT_FIRST, "first", N_("SELECTION"),
	  N_("compare two parts: BEGIN,END; CONDITION; BEGIN,END where CONDITION; rest (all but the other)") },
	{ NULL, OPT_SECOND, "second", N_("SELECTION"), N_("the part to compare with (rest)") },
	{ NULL, OPT_SEQUENCE, "sequence", N_("KEY"),
	  N_("with --diff: print where events of a thread, request or stream differ first: tid, tid=403,517, 'id=7 show status'") },
	{ NULL, OPT_WHY, "why", N_("CONDITION"),
	  N_("print values that are more frequent in events (--spans: spans, dur > 5ms) that match CONDITION") },
	{ NULL, OPT_DEMO, "demo", NULL, N_("open a sample trace, no TRACE is needed") },
	{ NULL, 'h', "help", NULL, N_("print the most used options, or all") },
	{ NULL, 'V', "version", NULL, N_("print the version") },
	{ N_("Which events"),
	  'f', "filter", N_("FILTER"),
	  N_("only events that match CONDITION (ret < 0), or whose line matches REGEX (or not: !REGEX); may be repeated") },
	{ NULL, 'b', "begin", N_("TIME"), N_("only events at TIME or later") },
	{ NULL, 'e', "end", N_("TIME"), N_("only events at TIME or earlier") },
	{ NULL, 't', "timerange", N_("BEGIN,END"), N_("both at once") },
	{ NULL, OPT_INTERSECTION, "stream-intersection", NULL,
	  N_("only events between the latest begin and the earliest end of all streams") },
	{ N_("Answers"),
	  OPT_GROUP_BY, "group-by", N_("KEYS"), N_("with --spans: number and durations by name, key, field, state, or time/10ms") },
	{ NULL, OPT_WHERE, "where", N_("CONDITION"),
	  N_("only spans that match CONDITION: dur > 5ms, open, doubtful, key.tid == 7; of --by and --plot: events that match") },
	{ NULL,
	  OPT_SORT, "sort", N_("COLUMN"),
	  N_("sort by duration (longest first), begin, end, name, state, key or field; -COLUMN: backwards") },
	{ NULL, OPT_COLUMNS, "columns", N_("N"), N_("with --lanes and --plot: time steps (80); with --sequence: width") },
	{ NULL, OPT_ROWS, "rows", N_("N"), N_("with --plot: number of steps of the value (20)") },
	{ NULL, OPT_PLOT_AS, "plot-as", N_("FORM"),
	  N_("with --plot: heat (usual for durations), line (for other numbers), steps, points") },
	{ NULL, OPT_VALUES, "values", N_("FIELDS"), N_("with --diff: also compare how often FIELDS have each value") },
	{ NULL, OPT_EXIT_CODE, "exit-code", NULL, N_("with --diff: exit with 3 if a difference is sure or sequences differ") },
	{ NULL, OPT_COPY_LIMIT, "copy-limit", N_("SIZE"), N_("with --diff: copy at most SIZE of a trace on a host (1G)") },
	{ NULL, OPT_MAP, "map", N_("FILE"), N_("read function names from FILE: output of nm, or /proc/PID/maps") },
	{ NULL, OPT_KALLSYMS, "kallsyms", N_("FILE"), N_("read kernel function names from a copy of /proc/kallsyms") },
	{ NULL, OPT_TOP, "top", N_("N"), N_("only the first N lines") },
	{ N_("How an event is printed"),
	  OPT_CLOCK_SECONDS, "clock-seconds", NULL, N_("print times as seconds and nanoseconds") },
	{ NULL, OPT_CLOCK_DATE, "clock-date", NULL, N_("print the date of each time") },
	{ NULL, OPT_CLOCK_GMT, "clock-gmt", NULL, N_("print times in UTC instead of the local time zone") },
	{ NULL, OPT_CLOCK_CYCLES, "clock-cycles", NULL, N_("print times as raw clock values") },
	{ NULL, OPT_NO_DELTA, "no-delta", NULL, N_("do not print the time since the previous event") },
	{ NULL, OPT_NAMES, "names", N_("LIST"), N_("print names of: payload, context, scope, header; all, none") },
	{ NULL, OPT_FIELDS, "fields", N_("LIST"),
	  N_("print: trace, trace:hostname, trace:domain, trace:procname, trace:vpid, loglevel, emf; all, none") },
	{ NULL, OPT_DEBUG_INFO, "debug-info", NULL, N_("print file, function and line of each address (ip)") },
	{ NULL, OPT_DEBUG_DIR, "debug-info-dir", N_("FOLDER"), N_("separate debug files are in FOLDER (/usr/lib/debug)") },
	{ NULL, OPT_DEBUG_PREFIX, "debug-info-target-prefix", N_("FOLDER"), N_("the traced system's files are in FOLDER") },
	{ NULL, OPT_DEBUG_FULL, "debug-info-full-path", NULL, N_("print full paths of files and sources") },
	{ NULL, OPT_COLOR, "color", N_("WHEN"), N_("use color: never, auto (on a terminal) or always") },
	{ N_("Input and output"),
	  'w', "output", N_("FILE"),
	  N_("write to FILE, which must not exist; the suffix sets the format: .csv, .jsonl, .parquet, .trace.json") },
	{ NULL, OPT_OUTPUT_FORMAT, "output-format", N_("NAME"), N_("print events as text, csv, jsonl, parquet or chrome-json") },
	{ NULL, OPT_PARTITION, "partition", N_("KEYS"),
	  N_("with -w FOLDER/: one Parquet file for each value of KEYS: name, host, trace, stream") },
	{ NULL, OPT_FORCE, "force", NULL, N_("let -w overwrite an existing file") },
	{ NULL, OPT_FORMAT, "format", N_("NAME"),
	  N_("read the traces in this format: ctf, ovni, perf.data, trace.dat, chrome-json, perfetto, uftrace, "
	     "vartrace, vartrace-le, vartrace-be") },
	{ NULL, OPT_FOLLOW, "follow", NULL, N_("follow traces that grow: continue with new events") },
	{ NULL, OPT_LIVE_FROM, "live-from", N_("WHERE"), N_("start live sessions at the oldest packet of the relay, or now") },
	{ NULL, OPT_LIVE_LAG, "live-lag", N_("S"), N_("do not wait for a stream that is silent for S seconds (10)") },
	{ NULL, OPT_KEEP, "keep", N_("SIZE"), N_("keep at most SIZE (500M, 2G) of a live session; the oldest is dropped") },
	{ NULL, OPT_CLOCK_OFFSET, "clock-offset", N_("S"),
	  N_("add S seconds to all times; align: one time line for traces of one clock") },
	{ NULL, OPT_CLOCK_OFFSET_NS, "clock-offset-ns", N_("NS"), N_("add NS nanoseconds to all times") },
	{ NULL, OPT_THREADS, "threads", N_("N"), N_("use N threads (0: one per processor); the output is the same") },
	{ NULL, OPT_NO_INDEX_CACHE, "no-index-cache", NULL,
	  N_("neither read nor write the cache: indices, scans, answers, unpacked archives") },
	{ NULL, OPT_NO_INDEX_FILES, "no-index-files", NULL, N_("do not use the tracer's index files") },
	{ NULL, OPT_RECORD, "record", N_("FILE"), N_("record tnav itself in a ring and write it to FILE at the end, as a trace") },
};

enum { HELP_COLUMN = 31, HELP_COLUMNS = 80 };

/* Print a text that starts at a column, in lines that fit the screen. */
static void
put_help(FILE *out, int column, const char *text)
{
	bool first = true;

	if (column > HELP_COLUMN) {
		fprintf(out, "\n%*s", HELP_COLUMN, "");
		column = HELP_COLUMN;
	}
	for (fprintf(out, "%*s", HELP_COLUMN - column, ""); *text; first = false) {
		const char *next;
		size_t n = line_piece(text, HELP_COLUMNS - HELP_COLUMN, &next);

		fprintf(out, "%*s%.*s\n", first ? 0 : HELP_COLUMN, "", (int)n, text);
		text = next;
	}
}

void
options_help(FILE *out)
{
	fputs(_("Usage: tnav [OPTION]... [+COMMAND]... TRACE...\n"
		"Browse or print traces: CTF 1.8, CTF 2, ovni, perf.data, trace.dat,\n"
		"Chrome JSON, Perfetto, uftrace, vartrace.\n"
		"\n"
		"TRACE is a trace folder, a folder above several, or a trace file.\n"
		"The browser runs +COMMAND first, as after ':'; +/REGEX searches, +&FILTER\n"
		"filters.\n"), out);
	for (size_t i = 0; i < COUNT(rows); i++) {
		char left[200];

		if (rows[i].group)
			fprintf(out, "\n%s:\n", _(rows[i].group));
		if (!rows[i].help)
			continue;
		if (rows[i].id < 256)
			snprintf(left, sizeof left, "-%c, --%s", rows[i].id, rows[i].name);
		else
			snprintf(left, sizeof left, "    --%s", rows[i].name);
		if (rows[i].argument) {
			strncat(left, "=", sizeof left - strlen(left) - 1);
			strncat(left, _(rows[i].argument), sizeof left - strlen(left) - 1);
		} else if (rows[i].id == 'h') {
			strncat(left, "[=all]", sizeof left - strlen(left) - 1);
		} else if (rows[i].id == OPT_FLAME) {
			strncat(left, "[=FORM]", sizeof left - strlen(left) - 1);
		}
		fprintf(out, "  %s ", left);
		put_help(out, text_width(left, strlen(left)) + 3, _(rows[i].help));
	}
	/* xgettext:no-c-format */
	fputs(_("\n"
		"TIME is hh:mm[:ss[.n]] on the day of the first event, YYYY-MM-DD\n"
		"hh:mm[:ss[.n]], seconds [-]S[.n], @nanoseconds, N% of the trace, or +5ms from\n"
		"the first event (--end: from --begin).\n"
		"\n"
		"Exit status: 0; 1 if a trace is damaged or cannot be read; 2 if the command line\n"
		"is wrong.\n"), out);
}

/* ---- lists of words ---- */

struct word {
	const char *word;
	unsigned bits;
};

/*
 * Read a list of words. "all" turns on the words that are not in the list, "none" turns them off, as does a list with
 * neither (text.md, 2).
 */
static bool
read_list(const char *list, const struct word *words, size_t n_words, unsigned all, unsigned *out)
{
	unsigned named = 0;
	bool everything = false;

	while (*list) {
		size_t n = strcspn(list, ","), i;

		for (i = 0; i < n_words; i++)
			if (strlen(words[i].word) == n && memcmp(words[i].word, list, n) == 0)
				break;
		if (n == 3 && memcmp(list, "all", 3) == 0)
			everything = true;
		else if (n == 4 && memcmp(list, "none", 4) == 0)
			everything = false;
		else if (i < n_words)
			named |= words[i].bits;
		else
			return false;
		list += n + (list[n] == ',');
	}
	*out = everything ? all : named;
	return true;
}

bool
options_names(const char *list, unsigned *out)
{
	static const struct word words[] = {
		{ "payload", TN_NAMES_PAYLOAD }, { "args", TN_NAMES_PAYLOAD }, { "arg", TN_NAMES_PAYLOAD },
		{ "context", TN_NAMES_CONTEXT }, { "ctx", TN_NAMES_CONTEXT },
		{ "header", TN_NAMES_HEADER }, { "scope", TN_NAMES_SCOPE },
	};

	return *list && read_list(list, words, COUNT(words), TN_NAMES_ALL, out);
}

bool
options_fields(const char *list, unsigned *out)
{
	static const struct word words[] = {
		{ "trace", TN_FIELD_TRACE },
		{ "trace:hostname", TN_FIELD_HOSTNAME }, { "hostname", TN_FIELD_HOSTNAME },
		{ "trace:domain", TN_FIELD_DOMAIN }, { "domain", TN_FIELD_DOMAIN },
		{ "trace:procname", TN_FIELD_PROCNAME }, { "procname", TN_FIELD_PROCNAME },
		{ "trace:vpid", TN_FIELD_VPID }, { "vpid", TN_FIELD_VPID },
		{ "loglevel", TN_FIELD_LOGLEVEL }, { "emf", TN_FIELD_EMF }, { "callsite", 0 },
	};

	return *list && read_list(list, words, COUNT(words), TN_FIELDS_ALL, out);
}

/* ---- single options ---- */

static bool
read_number(const char *text, int64_t least, int64_t most, int64_t *out)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(text, &end, 10);
	if (end == text || *end || errno || v < least || v > most)
		return false;
	*out = v;
	return true;
}

/* Read a number of bytes such as "500M". */
static bool
read_size(const char *text, uint64_t *out)
{
	static const char units[] = "kMGT";
	char *end;
	unsigned long long v;
	const char *unit;

	errno = 0;
	v = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (end == text || *text == '-' || !v || errno || (*end && (!unit || end[1])))
		return false;
	for (const char *u = units; unit && u <= unit; u++)
		if (__builtin_mul_overflow(v, 1024, &v))
			return false;
	*out = v;
	return true;
}

static int
add_offset(struct options *o, const char *name, const char *text, int64_t unit)
{
	int64_t v;

	if (strcmp(text, "align") == 0)
		o->align = true;
	else if (!read_number(text, INT64_MIN / unit, INT64_MAX / unit, &v) ||
		 __builtin_add_overflow(o->clock_offset_ns, v * unit, &o->clock_offset_ns))
		return usage(_("--%s=%s: not a whole number, or too large"), name, text);
	return 0;
}

/* Read a range "BEGIN,END"; it can be in brackets, as babeltrace2 takes it, and can have " - " instead of the comma. */
static int
cut_range(struct options *o, const char *text)
{
	size_t n = strlen(text);
	char *at, *comma;

	free(o->range);
	o->range = strdup(text);
	if (!o->range)
		return usage(_("out of memory"), NULL, NULL);
	at = o->range;
	if (at[0] == '[' && n > 1 && at[n - 1] == ']') {
		at[n - 1] = '\0';
		at++;
	}
	comma = strchr(at, ',');
	if (comma) {
		*comma = '\0';
		o->end = comma + 1;
	} else if ((comma = strstr(at, " - "))) {
		*comma = '\0';
		o->end = comma + 3;
	} else {
		return usage(_("--timerange=%s: write BEGIN,END"), text, NULL);
	}
	o->begin = at;
	return 0;
}

static int
read_color(struct options *o, const char *text)
{
	static const char *const names[] = { [COLOR_AUTO] = "auto", [COLOR_NEVER] = "never", [COLOR_ALWAYS] = "always" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(text, names[i]) == 0) {
			o->color = (enum color)i;
			return 0;
		}
	return usage(_("--color=%s: write never, auto or always"), text, NULL);
}

static int
set_mode(struct options *o, enum mode mode)
{
	if (o->mode != MODE_AUTO && o->mode != mode && o->mode < MODE_HELP && mode < MODE_HELP)
		return usage(_("use only one of --print, --count, --info, --check, --metadata, --export and the answers"),
			     NULL, NULL);
	if (o->mode < MODE_HELP)
		o->mode = mode;
	return 0;
}

/* Choose a mode that also takes spans; --spans then only defines them. */
static int
set_of_spans(struct options *o, enum mode mode)
{
	o->flame_diff |= o->mode == MODE_FLAME && mode == MODE_DIFF;
	if (o->mode == MODE_SPANS || (o->flame_diff && mode == MODE_DIFF))
		o->mode = mode;
	return set_mode(o, mode);
}

/* Choose groups, of events or of spans. With --ask, the options only change the question. */
static int
set_groups(struct options *o)
{
	if (o->mode == MODE_SPANS)
		o->mode = MODE_GROUPS;
	return o->mode == MODE_ASK ? 0 : set_mode(o, MODE_GROUPS);
}

/* Read the form of a plot. */
static int
read_plot_form(struct options *o, const char *text)
{
	static const char *const names[] = {
		[PLOT_HEAT] = "heat", [PLOT_LINE] = "line", [PLOT_STEPS] = "steps", [PLOT_POINTS] = "points",
	};

	for (size_t i = PLOT_HEAT; i < COUNT(names); i++)
		if (strcmp(text, names[i]) == 0) {
			o->plot_as = (enum plot_as)i;
			return 0;
		}
	return usage(_("--plot-as=%s: write heat, line, steps or points"), text, NULL);
}

static int
read_flame(struct options *o, const char *text)
{
	static const char *const names[] = { "tree", "folded", "frames", "callers" };	/* in the order of enum flame_form */
	size_t i = 0;

	while (text && i < COUNT(names) && strcmp(text, names[i]) != 0)
		i++;
	if (i == COUNT(names))
		return usage(_("--flame=%s: write tree, folded, frames or callers"), text, NULL);
	o->flame = (enum flame_form)i;
	return (o->flame_diff = o->mode == MODE_DIFF) ? 0 : set_of_spans(o, MODE_FLAME);
}

static bool
is_comparison(enum mode mode)
{
	return mode == MODE_DIFF || mode == MODE_WHY;
}

/* Choose --spans, unless the mode can answer about spans; one question of --ask can. */
static int
set_spans(struct options *o)
{
	return o->mode == MODE_FLAME || o->mode == MODE_GROUPS || o->mode == MODE_ASK || is_comparison(o->mode) ||
	       o->mode == MODE_PLOT ? 0 :
	       set_mode(o, MODE_SPANS);
}

static int
set_ask(struct options *o)
{
	if (o->mode == MODE_SPANS || o->mode == MODE_GROUPS)
		o->mode = MODE_ASK;
	return set_mode(o, MODE_ASK);
}

/* Whether the traces are "FILE STREAM...": a metadata file, then streams without metadata in their folder. */
static bool
has_streams_apart(const struct options *o)
{
	struct stat st;

	if (o->n_traces < 2 || stat(o->trace[0], &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	for (size_t i = 1; i < o->n_traces; i++) {
		const char *slash = strrchr(o->trace[i], '/');
		char path[PATH_MAX];
		int n;

		if (stat(o->trace[i], &st) < 0)
			return false;
		if (S_ISDIR(st.st_mode))
			n = snprintf(path, sizeof path, "%s/metadata", o->trace[i]);
		else
			n = snprintf(path, sizeof path, "%.*smetadata", slash ? (int)(slash - o->trace[i]) + 1 : 0, o->trace[i]);
		if (n < 0 || (size_t)n >= sizeof path || access(path, F_OK) == 0)
			return false;
	}
	return true;
}

/* The clock options given so far, because their order does not matter. */
struct clock_flags {
	bool cycles, seconds, date;
};

static int
take(struct options *o, struct clock_flags *clock, bool *names_metadata, int id, const char *value)
{
	int64_t v;

	switch (id) {
	case 'p': return set_mode(o, MODE_PRINT);
	case 'c': return set_mode(o, MODE_COUNT);
	case 'i': return set_mode(o, MODE_INFO);
	case OPT_CHECK: return set_mode(o, MODE_CHECK);
	case OPT_COMPLETE: o->complete = value; return set_mode(o, MODE_COMPLETE);
	case OPT_METADATA:
		if (value)
			o->metadata = value;
		else
			*names_metadata = true;
		return 0;
	case OPT_EXPORT:
		o->export = value;
		return *value ? set_mode(o, MODE_EXPORT) : usage(_("--export: a folder without a name"), NULL, NULL);
	case 'h':
		o->help_all = value && strcmp(value, "all") == 0;
		return !value || o->help_all ? set_mode(o, MODE_HELP) : usage(_("--help=%s: write all"), value, NULL);
	case 'V': return set_mode(o, MODE_VERSION);
	case OPT_SPANS: o->spans[o->n_spans++] = value; return set_spans(o);
	case OPT_FLAME: return read_flame(o, value);
	case OPT_PLOT: o->plot = value; return set_of_spans(o, MODE_PLOT);
	case OPT_PLOT_AS: return read_plot_form(o, value);
	case OPT_ROWS:
		if (!read_number(value, 2, 1000, &v))
			return usage(_("--rows=%s: write a number from 2 to 1000"), value, NULL);
		o->rows = (int)v;
		return 0;
	case OPT_LANES: o->lanes = value; return set_mode(o, MODE_LANES);
	case OPT_LADDER: o->ladder = value; return set_mode(o, MODE_LADDER);
	case OPT_COLUMNS:
		if (!read_number(value, 1, 1000000, &v))
			return usage(_("--columns=%s: write a number from 1 to 1000000"), value, NULL);
		o->columns = (uint64_t)v;
		return 0;
	case OPT_PAIRS: return set_mode(o, MODE_PAIRS);
	case OPT_ASK: o->ask = value; return set_ask(o);
	case OPT_CHAIN: o->chain = value; return set_mode(o, MODE_CHAIN);
	case OPT_DIFF: o->diff = true; return set_of_spans(o, MODE_DIFF);
	case OPT_FIRST: o->first = value; return set_of_spans(o, MODE_DIFF);
	case OPT_SECOND: o->second = value; return set_of_spans(o, MODE_DIFF);
	case OPT_WHY: o->why = value; return set_of_spans(o, MODE_WHY);
	case OPT_VALUES: o->values = value; return 0;
	case OPT_EXIT_CODE: o->exit_code = true; return 0;
	case OPT_SEQUENCE: o->sequence = value; return 0;
	case OPT_COPY_LIMIT:
		return read_size(value, &o->copy_limit) ? 0 : usage(_("--copy-limit=%s: write a size: 500M, 20G"), value, NULL);
	case OPT_BY: o->by = value; return set_groups(o);
	case OPT_SHOW: o->show = value; return set_groups(o);
	case OPT_GROUP_BY: o->group_by = value; return set_groups(o);
	case OPT_WHERE: o->where = value; return 0;
	case OPT_MAP: case OPT_KALLSYMS: o->map[o->n_maps++] = value; return 0;
	case OPT_SORT: o->sort = value; return 0;
	case OPT_TOP:
		if (!read_number(value, 1, INT64_MAX, &v))
			return usage(_("--top=%s: write a number of lines"), value, NULL);
		o->top = (uint64_t)v;
		return 0;
	case OPT_DEMO: o->demo = true; return 0;
	case 'f': o->filter[o->n_filters++] = value; return 0;
	case 'b': o->begin = value; return 0;
	case 'e': o->end = value; return 0;
	case 't': return cut_range(o, value);
	case OPT_INTERSECTION: o->intersection = true; return 0;
	case OPT_CLOCK_CYCLES: clock->cycles = true; return 0;
	case OPT_CLOCK_SECONDS: clock->seconds = true; return 0;
	case OPT_CLOCK_DATE: clock->date = true; return 0;
	case OPT_CLOCK_GMT: o->text.utc = true; return 0;
	case OPT_CLOCK_OFFSET: return add_offset(o, "clock-offset", value, NS);
	case OPT_CLOCK_OFFSET_NS: return add_offset(o, "clock-offset-ns", value, 1);
	case OPT_NO_DELTA: o->text.no_delta = true; return 0;
	case OPT_DEBUG_FULL: o->full_path = true; o->debug_info = true; return 0;
	case OPT_DEBUG_DIR: o->debug_dir = value; o->debug_info = true; return 0;
	case OPT_DEBUG_PREFIX: o->target_prefix = value; o->debug_info = true; return 0;
	case OPT_DEBUG_INFO: o->debug_info = true; return 0;
	case OPT_NAMES:
		return options_names(value, &o->text.names) ? 0 :
			usage(_("--names=%s: write payload, context, scope, header, all or none"), value, NULL);
	case OPT_FIELDS:
		return options_fields(value, &o->text.fields) ? 0 :
			usage(_("--fields=%s: write trace, trace:hostname, trace:domain, trace:procname, trace:vpid, "
				"loglevel, emf, all or none"), value, NULL);
	case OPT_COLOR: return read_color(o, value);
	case 'w': o->output = value; return *value ? 0 : usage(_("--output: a file without a name"), NULL, NULL);
	case OPT_PARTITION: o->partition = value; return 0;
	case OPT_FORCE: o->force = true; return 0;
	case OPT_COMPRESS: o->compress = true; return 0;
	case OPT_FOLLOW: o->follow = true; return 0;
	case OPT_LIVE_FROM: o->live_from = value; o->live_from_now = strcmp(value, "now") == 0;
		return o->live_from_now || strcmp(value, "oldest") == 0 ? 0 :
			usage(_("--live-from=%s: write oldest or now"), value, NULL);
	case OPT_LIVE_LAG:
		if (!read_number(value, 1, 1000000, &v))
			return usage(_("--live-lag=%s: write a number of seconds from 1 to 1000000"), value, NULL);
		o->live_lag_ns = v * NS;
		return 0;
	case OPT_KEEP:
		return read_size(value, &o->live_keep) && o->live_keep >= 1 << 20 ? 0 :
			usage(_("--keep=%s: write a size of 1M or more: 500M, 2G"), value, NULL);
	case OPT_OUTPUT_FORMAT:
		o->as = format_named(value);
		if (strcmp(value, "json") == 0)
			return usage(_("--output-format=json: write jsonl, a JSON object a line"), NULL, NULL);
		return o->as != FORMAT_UNKNOWN ? 0 :
			usage(_("--output-format=%s: write text, csv, jsonl, parquet or chrome-json"), value, NULL);
	case OPT_FORMAT: o->format = value; return 0;
	case OPT_THREADS:
		if (!read_number(value, 0, 1024, &v))
			return usage(_("--threads=%s: write a number from 0 to 1024"), value, NULL);
		o->threads = (unsigned)v;
		return 0;
	case OPT_NO_INDEX_CACHE: o->no_index_cache = true; return 0;
	case OPT_NO_INDEX_FILES: o->no_index_files = true; return 0;
	case OPT_RECORD: o->record = value; return 0;
	default: return 2;
	}
}

/* ---- unknown options ---- */

static const struct row *
row_of(int id)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

/* Report an unknown or ambiguous option, and name options that begin like it, or the most similar option. */
static int
unknown_word(const char *word)
{
	size_t n = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0, found = 0, distance = SIZE_MAX;
	char names[2000] = "", typed[64];
	const char *best = NULL;

	for (size_t i = 0; i < COUNT(rows) && n; i++) {
		if (strncmp(rows[i].name, word + 2, n) != 0)
			continue;
		found++;
		strncat(names, " --", sizeof names - strlen(names) - 1);
		strncat(names, rows[i].name, sizeof names - strlen(names) - 1);
	}
	if (found > 1)
		return usage(_("%s fits several options:%s"), word, names);
	snprintf(typed, sizeof typed, "%.*s", n < sizeof typed ? (int)n : 0, word + (n ? 2 : 0));
	for (size_t i = 0; i < COUNT(rows) && *typed; i++)
		tn_nearest(typed, rows[i].name, &best, &distance);
	if (!best)
		return usage(_("there is no option %s"), word, NULL);
	snprintf(names, sizeof names, "--%s", best);
	return usage(_("there is no option %s: the nearest is %s"), word, names);
}

/* Report a word that getopt_long() refused; its own message could print any byte of the word. */
static int
wrong_option(int id, char *const *argv)
{
	const struct row *row = optopt ? row_of(optopt) : NULL;
	char letter[3] = { '-', (char)optopt, '\0' }, name[64];

	if (!optopt)
		return unknown_word(argv[optind - 1]);
	if (!row)
		return usage(_("there is no option %s"), letter, NULL);
	snprintf(name, sizeof name, "--%s", row->name);
	return id == ':' ? usage(_("%s needs an argument: %s"), name, row->argument ? _(row->argument) : "")
			 : usage(_("%s takes no argument"), name, NULL);
}

static bool
is_answer(enum mode mode)
{
	return mode >= MODE_SPANS && mode < MODE_HELP;
}

int
options_read(struct options *o, int argc, char **argv)
{
	struct option table[COUNT(rows) + 1] = { 0 };
	char letters[2 * COUNT(rows) + 2], *letter = letters;
	struct clock_flags clock = { 0 };
	int id;
	const char *last = NULL;	/* argument of the last option */
	bool names_metadata = false;	/* --metadata without an argument was given */

	*o = (struct options) { .text = TN_TEXT_OPTIONS_DEFAULT, .as = FORMAT_UNKNOWN };
	o->filter = calloc((size_t)argc + 1, sizeof *o->filter);
	o->spans = calloc((size_t)argc + 1, sizeof *o->spans);
	o->map = calloc((size_t)argc + 1, sizeof *o->map);
	o->copy = calloc((size_t)argc + 1, sizeof *o->copy);
	o->command = calloc((size_t)argc + 1, sizeof *o->command);
	if (!o->command || !o->filter || !o->spans || !o->map || !o->copy)
		return usage(_("out of memory"), NULL, NULL);
	*letter++ = ':';	/* getopt_long() then tells a missing argument from an unknown option */
	for (size_t i = 0; i < COUNT(rows); i++) {
		table[i].name = rows[i].name;
		table[i].has_arg = rows[i].id == 'h' || rows[i].id == OPT_METADATA || rows[i].id == OPT_FLAME ? optional_argument :
				   rows[i].argument ? required_argument : no_argument;
		table[i].val = rows[i].id;
		if (rows[i].id < 256) {
			*letter++ = (char)rows[i].id;
			if (table[i].has_arg == required_argument)
				*letter++ = ':';
		}
	}
	*letter = '\0';
	optind = opterr = 0;
	while ((id = getopt_long(argc, argv, letters, table, NULL)) != -1) {
		int status = id == '?' || id == ':' ? wrong_option(id, argv) : take(o, &clock, &names_metadata, id, optarg);

		last = optarg;
		if (status)
			return status;
	}
	o->text.time = clock.cycles ? TN_TIME_CYCLES : clock.seconds ? TN_TIME_SECONDS :
		       clock.date ? TN_TIME_DATE : TN_TIME_OF_DAY;
	o->trace = (const char *const *)argv + optind;
	for (int i = optind; i < argc; i++)	/* "+COMMAND" is not a trace; write ./+... for a trace with such a name */
		if (argv[i][0] == '+')
			o->command[o->n_commands++] = argv[i] + 1;
		else
			argv[optind + (int)o->n_traces++] = argv[i];
	if (names_metadata && has_streams_apart(o)) {
		o->metadata = *o->trace++;
		o->n_traces--;
	} else if (names_metadata && set_mode(o, MODE_METADATA)) {
		return 2;
	}
	if (o->mode >= MODE_HELP)
		return 0;
	for (size_t i = 0; i < o->n_traces; i++)
		if (strcmp(o->trace[i], "-") == 0)
			return usage(_("-: tnav cannot read a trace from standard input: name a folder or a file"), NULL, NULL);
	if (o->output && strcmp(o->output, "-") == 0)
		return usage(_("--output=-: leave out --output for standard output; ./- is a file of that name"), NULL, NULL);
	if (!o->n_traces && !o->demo && last && access(last, F_OK) == 0)
		return usage(_("no trace given: '%s' was read as the argument of the option before it"), last, NULL);
	if (argc == 1 && !o->demo) {
		complain(NULL, _("no trace given"));
		fputs(_("  tnav TRACE            browse a trace: a folder, a folder above several, a file\n"
			"  tnav --demo           browse a sample trace; h shows the keys\n"
			"  tnav --print TRACE    print its events as text\n"
			"  tnav net://HOST       list the live LTTng sessions of a relay\n"
			"  tnav --help           list the options that are used most\n"), stderr);
		return 2;
	}
	if (!o->n_traces && !o->demo)
		return usage(_("no trace given"), NULL, NULL);
	if (o->n_traces && o->demo)
		return usage(_("--demo takes no TRACE"), NULL, NULL);
	if ((o->output || o->as != FORMAT_UNKNOWN) && o->mode == MODE_AUTO)
		o->mode = MODE_PRINT;
	if (o->compress && o->mode != MODE_EXPORT)
		return usage(_("--compress works only with --export"), NULL, NULL);
	if (o->as != FORMAT_UNKNOWN && o->mode != MODE_PRINT && !is_answer(o->mode))
		return usage(_("--output-format works only with --print and the answers"), NULL, NULL);
	if ((o->sort || o->top) && !is_answer(o->mode))
		return usage(_("--sort and --top work with the answers: --spans, --by, --ask"), NULL, NULL);
	if (o->where && o->mode != MODE_SPANS && o->mode != MODE_GROUPS && o->mode != MODE_ASK && o->mode != MODE_PLOT)
		return usage(_("--where works with --spans, --by, --plot, --ask; for events use --filter"), NULL, NULL);
	if (o->where && (o->mode == MODE_GROUPS || o->mode == MODE_PLOT) && !o->n_spans) {
		if (!tn_condition_is_expression(o->where))
			return usage(_("--where=%s: write a condition on events, such as ret < 0"), o->where, NULL);
		o->filter[o->n_filters++] = o->where;
	}
	if (o->mode == MODE_ASK && o->n_spans && strcmp(o->ask, "chain") != 0)
		return usage(_("--ask=%s defines its own spans: use --spans only with --ask=chain"), o->ask, NULL);
	if (o->group_by && (!o->n_spans || o->mode == MODE_ASK))
		return usage(_("--group-by works with --spans; for groups of events use --by"), NULL, NULL);
	if (o->group_by && o->by)
		return usage(_("--by and --group-by mean the same: use only one of them"), NULL, NULL);
	if (o->mode == MODE_DIFF && !o->first && !o->second && o->n_traces != 2)
		return usage(_("--diff compares two traces: name both, or select two parts with --first and --second"), NULL, NULL);
	if (o->mode == MODE_WHY && o->n_spans > 1)
		return usage(_("--why explains events, or one kind of spans: write --spans 'BEGIN END by KEY' once"), NULL, NULL);
	if (options_refuse_ignored(o))
		return 2;
	if (o->as == FORMAT_UNKNOWN && o->partition)
		o->as = FORMAT_PARQUET;
	if (o->as == FORMAT_UNKNOWN && o->output && (o->mode == MODE_PRINT || is_answer(o->mode)) && !format_is_told(o->output)) {
		char text[4400];

		snprintf(text, sizeof text,
			 _("%s: written as text; .csv, .jsonl, .parquet and .trace.json are the other formats, "
			   "--export writes a trace"), o->output);
		complain(_("note"), text);
	}
	if (o->as == FORMAT_UNKNOWN)
		o->as = o->output ? format_of_file(o->output) : FORMAT_TEXT;
	if (o->as == FORMAT_PARQUET && !o->output && isatty(STDOUT_FILENO))
		return usage(_("--output-format=parquet: a terminal cannot show it: write to a file, -w FILE.parquet"), NULL, NULL);
	if (o->partition && o->as != FORMAT_PARQUET)
		return usage(_("--partition writes Parquet files, not another format"), NULL, NULL);
	if (o->as == FORMAT_CHROME && is_answer(o->mode))
		return usage(_("answers are written as text, csv, jsonl or parquet"), NULL, NULL);
	return 0;
}

void
options_release(struct options *o)
{
	free(o->filter);
	free(o->spans);
	free(o->map);
	free(o->command);
	free(o->range);
	for (size_t i = 0; o->copy && i < o->n_traces; i++)
		if (o->copy[i]) {
			unlink(o->copy[i]);
			free(o->copy[i]);
		}
	free(o->copy);
	*o = (struct options) { 0 };
}
