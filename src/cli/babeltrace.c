#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gettext.h"
#include "babeltrace.h"
#include "output.h"
#include "report.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Words that can follow -i of babeltrace2. -i of tnav takes no argument; write "./ctf" for a trace with such a name. */
static const char *const inputs[] = { "ctf", "ctf-fs", "lttng-live" };

/* Values of -o and --output-format. */
static const struct {
	const char *name;
	const char *instead;	/* NULL: tnav has no such output */
	const char *hint;
} outputs[] = {
	{ "text", "--print", NULL },
	{ "ctf-metadata", "--metadata", NULL },
	{ "dummy", "--check", NULL },
	{ "ctf", NULL, N_("-o ctf: write --export=FOLDER") },
	{ "lttng-live", NULL, N_("-o lttng-live: write only the address: tnav lists the sessions of the relay") },
};

/* Options of babeltrace2 that have no effect in tnav. */
static const char *const nothing[] = {
	"-v", "--verbose", "-d", "--debug", "--clock-force-correlate", "--omit-home-plugin-path", "--omit-system-plugin-path",
};
static const struct { char letter; const char *name; } no_matter[] = {
	{ 'l', "--log-level" }, { 0, "--retry-duration" }, { 0, "--plugin-path" },
};

/* The start of each option that tnav replaces by another one or does not support, with a hint. */
static const struct { const char *begin, *hint; } elsewhere[] = {
	{ "--component", N_("--component: tnav does not have components: it finds the format by itself; use --begin, "
		"--end, --filter and --export in place of filters and sinks") },
	{ "--params", N_("--params: tnav does not have components: --help=all lists its options") },
	{ "--run-args", N_("--run-args: tnav does not have components: --help=all lists its options") },
};

/* Other commands of babeltrace2, and the kinds of its components. */
static const char *const commands[] = { "run", "query", "list-plugins", "help" };
static const char *const kinds[] = { "source.", "src.", "filter.", "flt.", "sink." };

/* Values that -f of babeltrace2 takes, which name parts of a line. -f of tnav is a filter. */
static const char *const parts[] = {
	"all", "none", "trace", "trace:hostname", "trace:domain", "trace:procname", "trace:vpid", "loglevel", "emf", "callsite",
};

static bool
is_one_of(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; text && i < n; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

/* The value of the option at argv[*i], which follows the '=', the letter, or is the next word. NULL: it has no value. */
static const char *
value_of(char **argv, int *i, char letter, const char *name)
{
	const char *word = argv[*i];
	size_t n = strlen(name);

	if (letter && word[0] == '-' && word[1] == letter)
		return word[2] ? word + 2 : argv[*i + 1] ? argv[++*i] : NULL;
	if (strncmp(word, name, n) == 0 && word[n] == '=')
		return word + n + 1;
	return strcmp(word, name) == 0 && argv[*i + 1] ? argv[++*i] : NULL;
}

static bool
has_begin(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

/* Whether the text is a list of parts of a line, as --fields takes it. */
static bool
is_parts(const char *list)
{
	char part[32];
	size_t n;

	for (const char *p = list;; p += n + 1) {
		n = strcspn(p, ",");
		snprintf(part, sizeof part, "%.*s", (int)(n < sizeof part ? n : 0), p);
		if (!is_one_of(part, parts, COUNT(parts)))
			return false;
		if (!p[n])
			return true;
	}
}

/* Skip an option that has no effect, and its value. False: argv[*i] is another word. */
static bool
is_no_matter(char **argv, int *i)
{
	for (size_t k = 0; k < COUNT(no_matter); k++)
		if (value_of(argv, i, no_matter[k].letter, no_matter[k].name))
			return true;
	return is_one_of(argv[*i], nothing, COUNT(nothing));
}

/*
 * The option of tnav that replaces an output of babeltrace2. NULL: it is a value that tnav has too, or nothing replaces
 * it.
 */
static const char *
output_for(const char *value, const char **hint)
{
	for (size_t i = 0; i < COUNT(outputs); i++)
		if (strcmp(outputs[i].name, value) == 0) {
			*hint = outputs[i].hint;
			return outputs[i].instead;
		}
	return NULL;
}

/*
 * Recognize -c COMPONENT and -p PARAMS of babeltrace2, because -c and -p of tnav take no argument. Returns the long
 * option's name; NULL: another word.
 */
static const char *
component_option(char **argv, int i)
{
	const char *word = argv[i], *value, *colon;

	if (!has_begin(word, "-c") && !has_begin(word, "-p"))
		return NULL;
	value = word[2] ? word + 2 : argv[i + 1];
	if (!value)
		return NULL;
	if (word[1] == 'p')	/* -pfa=1 means -p -f a=1 */
		return !word[2] && value[0] != '-' && strchr(value, '=') && access(value, F_OK) != 0 ? "--params" : NULL;
	colon = strchr(value, ':');
	for (size_t k = 0; k < COUNT(kinds); k++)
		if (has_begin(value, kinds[k]) || (colon && has_begin(colon + 1, kinds[k])))
			return "--component";
	return NULL;
}

/* Report an option that tnav replaces by another one or does not support, with a hint. False: it is another word. */
static bool
is_elsewhere(char **argv, int i)
{
	const char *word = component_option(argv, i);

	if (!word)
		word = argv[i];
	for (size_t k = 0; k < COUNT(elsewhere); k++)
		if (has_begin(word, elsewhere[k].begin)) {
			complain(NULL, _(elsewhere[k].hint));
			return true;
		}
	return false;
}

/* Translate one word, or an option with its value. False: it was refused with a message. */
static bool
translate(char **argv, int *i, char **out, int *n)
{
	const char *word = argv[*i], *value, *hint = NULL, *instead;
	int from = *i;

	if (is_no_matter(argv, i))
		return true;
	if (is_elsewhere(argv, *i))
		return false;
	if (has_begin(word, "-i") && is_one_of(word[2] ? word + 2 : argv[*i + 1], inputs, COUNT(inputs))) {
		*i += !word[2];
		return true;
	}
	if (has_begin(word, "-f") && (value = word[2] ? word + 2 : argv[*i + 1]) && is_parts(value)) {
		char text[512];

		snprintf(text, sizeof text,
			 _("-f %.100s: -f is the filter option of tnav; for -f of babeltrace2 write --fields=%.100s"),
			 value, value);
		complain(_("note"), text);
	}
	if (strncmp(word, "--input-format", 14) == 0 && (value = value_of(argv, i, 0, "--input-format"))) {
		if (is_one_of(value, inputs, COUNT(inputs)))
			return true;
		complain(NULL, _("--input-format: tnav finds the format by itself; --format=NAME names it"));
		return false;
	}
	if (strncmp(word, "-o", 2) == 0 || strncmp(word, "--output-format", 15) == 0) {
		value = value_of(argv, i, 'o', "--output-format");
		instead = value ? output_for(value, &hint) : NULL;
		if (hint) {
			complain(NULL, _(hint));
			return false;
		}
		if (instead && !(word[1] == '-' && strcmp(value, "text") == 0)) {
			out[(*n)++] = (char *)(uintptr_t)instead;
			return true;
		}
		if (word[1] == 'o') {
			complain(NULL, _("-o takes text or ctf-metadata, as in babeltrace2; -w FILE writes to a file"));
			return false;
		}
		*i = from;
	}
	if (has_begin(word, "-n") && (value = value_of(argv, i, 'n', "-n"))) {
		out[(*n)++] = (char *)(uintptr_t)"--names";
		out[(*n)++] = (char *)(uintptr_t)value;
		return true;
	}
	out[(*n)++] = argv[*i];
	return true;
}

/* Whether a word is a command of babeltrace2: only complete options precede it, and it is not the name of a file. */
static bool
is_command(char **argv, int i)
{
	if (argv[i][0] == '-' || access(argv[i], F_OK) == 0)
		return false;
	for (int k = 1; k < i; k++)
		if (argv[k][0] != '-' || !(strchr(argv[k], '=') || is_one_of(argv[k], nothing, COUNT(nothing))))
			return false;
	return true;
}

char **
babeltrace_translate(int *argc, char **argv)
{
	char **out = calloc(2 * (size_t)*argc + 1, sizeof *out);
	int n = 0;

	if (!out) {
		complain(NULL, _("out of memory"));
		return NULL;
	}
	for (int i = 0; i < *argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			while (i < *argc)
				out[n++] = argv[i++];
			break;
		}
		if (i == 0)
			out[n++] = argv[i];
		else if (strcmp(argv[i], "convert") == 0 && is_command(argv, i))
			continue;
		else if (is_one_of(argv[i], commands, COUNT(commands)) && is_command(argv, i)) {
			complain(argv[i], _("a babeltrace2 command that tnav does not have: --help=all lists the options"));
			free(out);
			return NULL;
		} else if (!translate(argv, &i, out, &n)) {
			free(out);
			return NULL;
		}
	}
	*argc = n;
	return out;
}

int
babeltrace_intersection(struct job *job)
{
	size_t n = tn_set_stream_count(job->set);
	struct tn_error err;
	int64_t begin, end;
	enum tn_code rc;

	if (tn_set_trace_count(job->set) > 1) {
		complain(NULL, _("--stream-intersection works on one trace: open the traces one by one"));
		return 2;
	}
	rc = tn_set_time_range(job->set, &begin, &end, &err);	/* reads the index of all packets */
	if (rc < 0)
		return job_failed(&err);
	if (rc == TN_END)
		return 0;
	for (size_t i = 0; i < n; i++) {
		const struct tn_stream *s = tn_set_stream(job->set, i);
		struct tn_packet_info first, last;
		size_t packets = tn_stream_packet_count(s);

		if (!packets || tn_stream_packet(s, 0, &first) != TN_OK || tn_stream_packet(s, packets - 1, &last) != TN_OK ||
		    !first.has_time || !last.has_time) {
			complain(NULL, _("--stream-intersection: a stream does not record the times of its packets"));
			return 1;
		}
		if (!job->has_begin || first.begin_ns > job->begin_ns)
			job->begin_ns = first.begin_ns;
		if (!job->has_end || last.end_ns < job->end_ns)
			job->end_ns = last.end_ns;
		job->has_begin = job->has_end = true;
	}
	return 0;
}
