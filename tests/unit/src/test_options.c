#include <criterion/criterion.h>
#include <string.h>

#include "cli/options.h"

#define ROWS(a) (sizeof(a) / sizeof *(a))

/* The words of @line, as a command line. */
static int
read_line(struct options *o, const char *line)
{
	static char room[512];
	static char *argv[32];
	int argc = 0;

	strcpy(room, line);
	for (char *word = strtok(room, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	return options_read(o, argc, argv);
}

/* text.md, 2: naming any turns the others off, unless "all" is said. */
Test(options, names)
{
	static const struct { const char *list; unsigned want; } rows[] = {
		{ "payload", TN_NAMES_PAYLOAD }, { "args", TN_NAMES_PAYLOAD }, { "arg", TN_NAMES_PAYLOAD },
		{ "ctx,header", TN_NAMES_CONTEXT | TN_NAMES_HEADER }, { "all", TN_NAMES_ALL }, { "none", 0 },
		{ "none,scope", TN_NAMES_SCOPE }, { "all,scope", TN_NAMES_ALL }, { "scope,all", TN_NAMES_ALL },
	};
	unsigned got;

	for (size_t i = 0; i < ROWS(rows); i++) {
		cr_assert(options_names(rows[i].list, &got), "%s", rows[i].list);
		cr_assert_eq(got, rows[i].want, "%s: %x, not %x", rows[i].list, got, rows[i].want);
	}
	cr_assert_not(options_names("payloads", &got));
	cr_assert_not(options_names("", &got));
	cr_assert_not(options_names("payload,,ctx", &got));
}

Test(options, fields)
{
	static const struct { const char *list; unsigned want; } rows[] = {
		{ "trace", TN_FIELD_TRACE }, { "trace:hostname,trace:vpid", TN_FIELD_HOSTNAME | TN_FIELD_VPID },
		{ "loglevel,emf,callsite", TN_FIELD_LOGLEVEL | TN_FIELD_EMF }, { "all", TN_FIELDS_ALL }, { "none", 0 },
		{ "trace:domain", TN_FIELD_DOMAIN }, { "trace:procname", TN_FIELD_PROCNAME },
	};
	unsigned got;

	for (size_t i = 0; i < ROWS(rows); i++) {
		cr_assert(options_fields(rows[i].list, &got), "%s", rows[i].list);
		cr_assert_eq(got, rows[i].want, "%s: %x, not %x", rows[i].list, got, rows[i].want);
	}
	cr_assert_not(options_fields("nothing", &got));
}

/* How events are written: by name, by the file's suffix; only with --print. */
Test(options, output_format)
{
	static const struct { const char *line; int status; enum output_format want; } rows[] = {
		{ "tnav t", 0, FORMAT_TEXT }, { "tnav -w a.csv t", 0, FORMAT_CSV }, { "tnav -w a.jsonl t", 0, FORMAT_JSON },
		{ "tnav -w a.json t", 0, FORMAT_JSON },
		{ "tnav -w a.csv.txt t", 0, FORMAT_TEXT }, { "tnav -w a.csv --output-format text t", 0, FORMAT_TEXT },
		{ "tnav --output-format=csv t", 0, FORMAT_CSV }, { "tnav --output-format=jsonl -w csv t", 0, FORMAT_JSON },
		{ "tnav --output-format=xml t", 2, FORMAT_UNKNOWN }, { "tnav --count --output-format=csv t", 2, FORMAT_CSV },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct options o;

		cr_assert_eq(read_line(&o, rows[i].line), rows[i].status, "%s", rows[i].line);
		cr_assert_eq(o.as, rows[i].want, "%s: %d", rows[i].line, o.as);
		cr_assert(rows[i].status || !strstr(rows[i].line, "format") || o.mode == MODE_PRINT, "%s", rows[i].line);
		options_release(&o);
	}
}

Test(options, everything_at_once)
{
	struct options o;

	cr_assert_eq(read_line(&o, "tnav --print -f a --filter=!b -b 12 --end=+5ms --clock-gmt --no-delta --threads 3 "
				   "--format ctf --clock-offset=2 --clock-offset-ns=-5 -w out --force --color=never t1 t2"), 0);
	cr_assert_eq(o.mode, MODE_PRINT);
	cr_assert_eq(o.n_filters, 2);
	cr_assert_str_eq(o.filter[1], "!b");
	cr_assert_str_eq(o.begin, "12");
	cr_assert_str_eq(o.end, "+5ms");
	cr_assert(o.text.utc && o.text.no_delta && o.force);
	cr_assert_eq(o.threads, 3);
	cr_assert_str_eq(o.format, "ctf");
	cr_assert_eq(o.clock_offset_ns, INT64_C(1999999995));
	cr_assert_str_eq(o.output, "out");
	cr_assert_eq(o.color, COLOR_NEVER);
	cr_assert_eq(o.n_traces, 2);
	cr_assert_str_eq(o.trace[1], "t2");
	options_release(&o);
}

/* "+COMMAND" is not a trace, at any place. */
Test(options, commands)
{
	struct options o;

	cr_assert_eq(read_line(&o, "tnav +100 t1 --clock-gmt +/order t2 +&x<3"), 0);
	cr_assert_eq(o.n_traces, 2);
	cr_assert_str_eq(o.trace[0], "t1");
	cr_assert_str_eq(o.trace[1], "t2");
	cr_assert_eq(o.n_commands, 3);
	cr_assert_str_eq(o.command[0], "100");
	cr_assert_str_eq(o.command[1], "/order");
	cr_assert_str_eq(o.command[2], "&x<3");
	options_release(&o);
	cr_assert_eq(read_line(&o, "tnav +100"), 2);
	options_release(&o);
	cr_assert_eq(read_line(&o, "tnav ./+100"), 0);
	cr_assert_eq(o.n_traces, 1);
	options_release(&o);
}

/* Which clock option wins does not depend on the order they come in. */
Test(options, clocks)
{
	static const struct { const char *line; enum tn_time_format want; } rows[] = {
		{ "tnav t", TN_TIME_OF_DAY }, { "tnav --clock-date t", TN_TIME_DATE },
		{ "tnav --clock-seconds --clock-date t", TN_TIME_SECONDS }, { "tnav --clock-date --clock-seconds t", TN_TIME_SECONDS },
		{ "tnav --clock-cycles --clock-seconds t", TN_TIME_CYCLES },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct options o;

		cr_assert_eq(read_line(&o, rows[i].line), 0);
		cr_assert_eq(o.text.time, rows[i].want, "%s", rows[i].line);
		options_release(&o);
	}
}

Test(options, time_ranges)
{
	static const struct { const char *range, *begin, *end; } rows[] = {
		{ "1,2", "1", "2" }, { "[1.5,2.5]", "1.5", "2.5" }, { "-2,-1", "-2", "-1" }, { "22:14:38,22:15:07", "22:14:38", "22:15:07" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		char line[80];
		struct options o;

		snprintf(line, sizeof line, "tnav --timerange=%s t", rows[i].range);
		cr_assert_eq(read_line(&o, line), 0);
		cr_assert_str_eq(o.begin, rows[i].begin);
		cr_assert_str_eq(o.end, rows[i].end);
		options_release(&o);
	}
}

/* -w prints, whatever standard output is; help and version need no trace. */
Test(options, modes)
{
	static const struct { const char *line; enum mode want; } rows[] = {
		{ "tnav t", MODE_AUTO }, { "tnav -w f t", MODE_PRINT }, { "tnav --count t", MODE_COUNT }, { "tnav -i t", MODE_INFO },
		{ "tnav --check t", MODE_CHECK }, { "tnav --help", MODE_HELP }, { "tnav --version", MODE_VERSION },
		{ "tnav --count --help", MODE_HELP }, { "tnav --demo", MODE_AUTO }, { "tnav --print --print t", MODE_PRINT },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct options o;

		cr_assert_eq(read_line(&o, rows[i].line), 0, "%s", rows[i].line);
		cr_assert_eq(o.mode, rows[i].want, "%s", rows[i].line);
		options_release(&o);
	}
}

Test(options, wrong_usage)
{
	static const char *const rows[] = {
		"tnav", "tnav --print", "tnav --nonsense t", "tnav --threads=x t", "tnav --threads=-1 t", "tnav --threads=99999 t",
		"tnav --color=blue t", "tnav --names=x t", "tnav --fields=x t", "tnav --clock-offset=1x t",
		"tnav --clock-offset=9999999999999 t", "tnav --clock-offset-ns=9223372036854775807 --clock-offset-ns=1 t",
		"tnav --timerange=1 t", "tnav --count --print t", "tnav --demo t", "tnav -f",
	};

	freopen("/dev/null", "w", stderr);
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct options o;

		cr_assert_eq(read_line(&o, rows[i]), 2, "%s", rows[i]);
		options_release(&o);
	}
}
