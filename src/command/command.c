#include <config.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/answer.h>

#include "cmdline.h"
#include "command.h"
#include "configure.h"
#include "fit.h"
#include "prompt/prompt.h"
#include "prompt/words.h"
#include "reopen/offset.h"
#include "select/copy.h"
#include "select/export.h"
#include "session/chosen_spans.h"
#include "session/settings.h"
#include "session/wish.h"
#include "shell.h"
#include "term/screenshot.h"
#include "term/term.h"
#include "travel/reach.h"

/* ---- commands ---- */

/* Whether the file is a picture; the app writes it when the command line has left the screen. */
static bool
wants_picture(struct session *s, const char *path, const char *format, bool force)
{
	if (*format || screenshot_kind_of(path) == SCREENSHOT_NONE)
		return false;
	free(s->wish.picture);
	s->wish.picture = strdup(path);
	s->wish.picture_over = force;
	if (!s->wish.picture)
		session_fail(s, _("out of memory"));
	return true;
}

static void
cmd_write(struct session *s, char *rest)
{
	const char *path = word(&rest), *format = word(&rest);
	size_t n = strlen(path);

	if (wants_picture(s, path, format, false) || cmdline_write(s, path, format, false))
		return;
	if (strcmp(format, "ctf") == 0 || (n && path[n - 1] == '/' && !*format))
		export_events(s, path);
	else
		write_events(s, path, format, false);
}

static void
cmd_export(struct session *s, char *rest)
{
	const char *path = word(&rest);

	if (*path)
		export_events(s, path);
	else
		session_fail(s, _("a folder name is missing: export FOLDER"));
}

static void
cmd_write_over(struct session *s, char *rest)
{
	const char *path = word(&rest), *format = word(&rest);

	if (!wants_picture(s, path, format, true) && !cmdline_write(s, path, format, true))
		write_events(s, path, format, true);
}

/* Read a number in the forms of messages and `=`: 69632, 224,919,552, or 0x11000. */
static bool
parse_place(char *text, uint64_t *out)
{
	char *end, *to = text;

	for (const char *from = text; *from; from++)
		if (*from != ',')
			*to++ = *from;
	*to = '\0';
	*out = strtoull(text, &end, 0);
	return isdigit((unsigned char)*text) && !*end;
}

static void
cmd_byte(struct session *s, char *rest)
{
	char *at = word(&rest), *behind = word(&rest);
	uint64_t byte, bit = 0;

	if (parse_place(at, &byte) && (!*behind || parse_place(behind, &bit)))
		reach_byte(s, byte, bit);
	else
		session_fail(s, _("write byte N or byte N BIT, as byte 4096 or byte 4096 17"));
}

static void
cmd_offset(struct session *s, char *rest)
{
	const char *which = word(&rest), *span = word(&rest);

	offset_set(s, which, span);
}

static void
cmd_align(struct session *s, char *rest)
{
	const char *what = word(&rest), *to = word(&rest);

	if (strlen(what) == 1 && strlen(to) == 1)
		offset_align_marks(s, *what, *to);
	else if (*what && strcmp(what, "off") != 0 && strcmp(what, "start") != 0)
		session_fail(s, "%s", _("write align, align off, or align and the letters of two marks: align a b"));
	else
		offset_align(s, !*what ? OFFSET_CLOCK : *what == 's' ? OFFSET_START : OFFSET_NONE);
}

/* Whether the file describes a time zone: it begins with TZif. */
static bool
is_zone_file(const char *name)
{
	const char *folder = getenv("TZDIR");
	char path[PROMPT_SIZE + 4096], magic[4] = "";
	struct stat st;
	FILE *f;
	bool is;

	snprintf(path, sizeof path, "%s/%s", folder ? folder : "/usr/share/zoneinfo", name);
	f = stat(*name == '/' ? name : path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(*name == '/' ? name : path, "re") : NULL;
	is = f && fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "TZif", sizeof magic) == 0;
	if (f)
		fclose(f);
	return is;
}

/* Whether the zone is a POSIX rule such as CET-1CEST or <+03>-3. */
static bool
is_zone_rule(const char *zone)
{
	const char *end = zone;

	if (*zone == '<') {
		end = strchr(zone, '>');
		end = end ? end + 1 : zone;
	} else {
		while (isalpha((unsigned char)*end))
			end++;
	}
	if (end < zone + 3)
		return false;
	end += *end == '+' || *end == '-';
	return isdigit((unsigned char)*end);
}

/* Check a zone's name, because the system silently takes an unknown name as UTC. */
static bool
zone_is_known(const char *zone)
{
	return *zone == ':' ? is_zone_file(zone + 1) : is_zone_file(zone) || is_zone_rule(zone);
}

/* Set the time zone; NULL: the zone in which the program was started. */
static void
set_zone(const char *zone)
{
	static char *home;
	static bool known;
	const char *now = getenv("TZ");

	if (!known)
		home = now ? strdup(now) : NULL;
	known = true;
	if (!zone && !home)
		unsetenv("TZ");
	else
		setenv("TZ", zone ? zone : home, 1);
}

static void
cmd_tz(struct session *s, char *rest)
{
	const char *zone = word(&rest);

	if (strcmp(zone, "utc") == 0 || strcmp(zone, "UTC") == 0) {
		s->settings.text.utc = true;
	} else if (*zone && strcmp(zone, "local") != 0 && !zone_is_known(zone)) {
		session_fail(s, _("this system has no time zone '%s'; examples: utc, local, Europe/Berlin, CET-1CEST"), zone);
		return;
	} else {
		s->settings.text.utc = false;
		set_zone(*zone && strcmp(zone, "local") != 0 ? zone : NULL);
	}
	s->wish.requery = true;
}

void
column_switch(struct session *s, const char *name)
{
	struct tn_error err = { .text = "" };
	bool own = false;

	for (int kind = 0; kind < COLUMN_FIELD; kind++)
		own |= strcmp(column_name(&s->settings, (enum column_kind)kind), name) == 0;
	if ((own || fit_is_there(s, name, &err)) && column_toggle(&s->settings, name, &err))
		s->wish.requery = s->wish.refresh = s->wish.first_column = true;
	else
		session_fail(s, "%s", err.text);
}

static void
cmd_column(struct session *s, char *rest)
{
	const char *name = word(&rest);

	if (*name)
		column_switch(s, name);
	else
		session_fail(s, "%s", _("write column NAME: a field, an attribute, or a column that c lists"));
}

static void
cmd_cmdline(struct session *s, char *rest)
{
	(void)rest;
	cmdline_show(s);
}

/* ---- answers ---- */

/* Cut "KEYS show AGGREGATES where EXPRESSION" at the word. */
static char *
cut_clause(char *text, const char *word)
{
	const char *at = tn_condition_find_word(text, word);

	if (!at)
		return NULL;
	text[at - text] = '\0';
	return text + (at - text) + 1 + strlen(word);
}

static void
cmd_span(struct session *s, char *rest)
{
	wish_for(s, ANSWER_SPANS, rest, NULL, NULL, NULL);
	if (!s->answers.wish.changes)
		return;
	/* Replace the former definition if the new one differs. */
	if (*rest && strcmp(rest, s->answers.wish.changes) != 0) {
		struct tn_error err;

		if (!kept_change(s->answers.wish.changes, KEEP_REFUSED, &err) || !kept_change(rest, KEEP_TAKEN, &err))
			session_fail(s, _("the definition is not stored: %s"), err.text);
	}
	free(s->answers.wish.changes);
	s->answers.wish.changes = NULL;
}

/* Whether the spans of a definition have the key. */
static bool
spans_have(struct session *s, const char *definition, const char *key)
{
	struct tn_spans *spans = NULL;
	struct tn_groups *groups = NULL;
	bool have = tn_spans_new(&spans, s->traces.set, NULL) == TN_OK && tn_spans_add(spans, definition, NULL) == TN_OK &&
		    tn_groups_of_spans(&groups, spans, key, "count", NULL) == TN_OK;

	tn_groups_free(groups);
	tn_spans_free(spans);
	return have;
}

/* A copy of the definition with another field after `show`. NULL: memory is out. */
static char *
with_field(const char *definition, const char *field, size_t size)
{
	static const char *const words[] = { "show", "nested", "latest", "fifo", "as", "where" };
	const char *end = definition + strlen(definition);
	bool shows = false;
	char *out = NULL;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *at = tn_condition_find_word(definition, words[i]);

		if (at && at < end) {
			end = at;
			shows = i == 0;
		}
	}
	if (asprintf(&out, "%.*s show %.*s%s%s", (int)(end - definition), definition, (int)size, field, shows ? ", " : "",
		     shows ? end + strlen(" show ") : end) < 0)
		return NULL;
	return out;
}

/* Add those key fields to the definition that its events have but that it does not show. */
static char *
spans_with_keys(struct session *s, char *spans, const char *keys)
{
	for (const char *at = keys; spans && *at && !strchr(spans, '\n'); at += strcspn(at, ","), at += *at == ',') {
		size_t n = strcspn(at += strspn(at, " "), ", ");
		char *key = strndup(at, n), *more = n && key && !spans_have(s, spans, key) ? with_field(spans, key, n) : NULL;

		if (more && spans_have(s, more, key)) {
			free(spans);
			spans = more;
			more = NULL;
		}
		free(more);
		free(key);
	}
	return spans;
}

/* Run `group` on the spans that the user asked for last: "KEYS show AGGREGATES where CONDITION". */
static void
cmd_group(struct session *s, char *rest)
{
	char *spans = s->answers.wish.spans ? strdup(s->answers.wish.spans) : NULL;
	char *where = cut_clause(rest, "where"), *show = cut_clause(rest, "show");

	if (!spans) {
		session_fail(s, "%s", _("group: choose spans first: A, or :span BEGIN END by KEY"));
		return;
	}
	spans = spans_with_keys(s, spans, rest);
	wish_for(s, ANSWER_GROUPS, spans, *rest ? rest : "name", show, where);
	free(spans);
}

static void
cmd_by(struct session *s, char *rest)
{
	char *where = cut_clause(rest, "where"), *show = cut_clause(rest, "show");

	rest[strcspn(rest, "\n")] = '\0';
	wish_for(s, ANSWER_GROUPS, NULL, *rest ? rest : "name", show, where);
}

/* Compare with another trace; a relative path starts at the folder in which tnav was started. */
static void
cmd_diff(struct session *s, char *rest)
{
	if (*rest && s->options->open)
		wish_diff(s, rest);
	else
		session_fail(s, "%s", _("write diff PATH to compare with another trace; X compares ranges of this trace"));
}

static void
cmd_sequence(struct session *s, char *rest)
{
	if (!*rest)
		session_fail(s, "%s", _("write sequence KEY or KEY=VALUE: stream, tid, tid=403"));
	else if (!wish_sequence(s, rest))
		session_fail(s, "%s", _("sequence: compare first, with :diff PATH or X"));
}

static void
cmd_why(struct session *s, char *rest)
{
	bool of_spans = tn_condition_has_name(rest, "dur");
	char *spans = of_spans && s->answers.wish.spans ? strdup(s->answers.wish.spans) : NULL;

	if (of_spans && (!spans || strchr(spans, '\n')))
		session_fail(s, "%s", _("why: choose spans first: A, or :span BEGIN END by KEY"));
	else if (!*rest)
		session_fail(s, "%s", _("write why CONDITION: status >= 500, or dur > 5ms for the last spans"));
	else
		wish_why(s, spans, NULL, rest);
	free(spans);
}

static void
cmd_lanes(struct session *s, char *rest)
{
	free(s->answers.lanes);
	s->answers.lanes = *rest ? strdup(rest) : NULL;
	s->answers.asks_anew = true;
}

static void
cmd_plot(struct session *s, char *rest)
{
	free(s->answers.plot);
	s->answers.plot = *rest ? strdup(rest) : NULL;
	s->answers.asks_anew = true;
}

static void
cmd_flame(struct session *s, char *rest)
{
	free(s->answers.flame);
	s->answers.flame = *rest ? strdup(rest) : NULL;
	s->answers.asks_anew = true;
}

static void
cmd_ask(struct session *s, char *rest)
{
	const struct tn_ready_question *q;
	char all[MESSAGE_SIZE] = "";
	const char *best = NULL;
	size_t distance = SIZE_MAX;

	for (size_t i = 0; (q = tn_ready_question_at(i)); i++) {
		if (strcmp(q->name, rest) == 0) {
			char *keys = tn_ready_question_keys(q, s->traces.set);

			wish_for(s, ANSWER_GROUPS, q->spans, keys, q->show, q->where);
			free(keys);
			s->answers.wish.sort = q->sort;
			return;
		}
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? " " : "", q->name);
		if (strncmp(q->name, rest, strlen(rest)) == 0 && distance) {
			best = q->name;
			distance = 0;
		}
		tn_nearest(rest, q->name, &best, &distance);
	}
	if (*rest && best)
		session_fail(s, _("no question '%s': the nearest is '%s'; Tab after ask shows all"), rest, best);
	else
		session_fail(s, "ask: %s", all);
}

/* Explain a thread on the host of the selected event, in the range or over the whole time. */
static void
cmd_chain(struct session *s, char *rest)
{
	size_t n = strspn(rest, "0123456789");

	if (!n || n > 18 || rest[n]) {
		session_fail(s, _("chain %s: write the number of a thread; chain alone uses the thread of the span"),
			     rest);
		return;
	}
	if (!s->here.has_row) {
		session_fail(s, _("the host of the thread is unknown: go to an event of that host first"));
		return;
	}
	wish_for(s, ANSWER_CHAIN, NULL, NULL, NULL, NULL);
	s->answers.wish.chain_at = s->here.row.location;
	s->answers.wish.chain_begin_ns = s->asks.range.has_begin ? s->asks.range.begin_ns : INT64_MIN;
	s->answers.wish.chain_end_ns = s->asks.range.has_end ? s->asks.range.end_ns : INT64_MAX;
	s->answers.wish.chain_tid = (int64_t)strtoull(rest, NULL, 10);
}

static bool
is_configuration(const char *text)
{
	return strncmp(text, "same ", 5) == 0 || strncmp(text, "set ", 4) == 0 || strncmp(text, "bind ", 5) == 0 ||
	       strncmp(text, "color ", 6) == 0;
}

/* Check a typed colour rule: it must fit these traces. A rule of the configuration may be for other traces. */
static bool
rules_are_right(struct session *s, struct tn_error *err)
{
	for (size_t i = 0; i < COLOR_RULES && *s->settings.rule[i].text; i++) {
		struct tn_filter *filter;
		enum tn_code rc = tn_filter_new(&filter, s->traces.set, err);

		if (rc != TN_OK)
			return false;
		rc = tn_filter_add(filter, s->settings.rule[i].text, err);
		tn_filter_free(filter);
		if (rc == TN_OK || (s->asks.query->rule[i].style &&
				    strcmp(s->asks.query->rule[i].text, s->settings.rule[i].text) == 0))
			continue;	/* a valid rule, or one that was already there */
		*s->settings.rule[i].text = '\0';
		return false;
	}
	return true;
}

/* Set the names of fields that mean the same. */
static void
cmd_same(struct session *s, char *rest)
{
	struct line l = { 0 };

	(void)rest;
	for (size_t i = 0; i < SAME_ROWS; i++) {
		if (!*s->settings.same[i].names)
			continue;
		line_puts(&l, STYLE_TEXT, l.n ? "\nsame " : "same ");
		line_puts_unsafe(&l, STYLE_TEXT, s->settings.same[i].names);
	}
	session_say(s, "%s", l.n ? l.text : _("no fields are treated as one yet; example: same request query"));
	line_release(&l);
}

/* Add a colour rule, or list the rules. */
static void
cmd_color(struct session *s, char *rest)
{
	struct line l = { 0 };

	(void)rest;
	for (size_t i = 0; i < COLOR_RULES && *s->settings.rule[i].text; i++) {
		line_puts_unsafe(&l, STYLE_TEXT, s->settings.rule[i].text);
		line_printf(&l, STYLE_TEXT, " %s\n", style_name_of(s->settings.rule[i].style));
	}
	session_say(s, "%s", l.n ? l.text : _("no rules yet; examples: color ret < 0 red, color name =~ /irq/ cyan"));
	line_release(&l);
}

/* Change a setting; without arguments, show all settings in the form in which users write them. */
static void
cmd_set(struct session *s, char *rest)
{
	struct line l = { 0 };

	(void)rest;
	for (size_t i = 0; settings_name(i); i++) {
		line_printf(&l, STYLE_TEXT, "%s%s=", i ? "  " : "", settings_name(i));
		settings_put(&s->settings, settings_name(i), &l);
	}
	session_say(s, "%s", l.text ? l.text : "");
	line_release(&l);
}

/* Check typed columns: they must be fields of these traces. Columns of the configuration may be for other traces. */
static bool
columns_are_right(struct session *s, const struct settings *before, struct tn_error *err)
{
	char list[512] = "", why[TN_ERROR_SIZE];

	for (size_t i = 0; i < QUERY_FIELDS; i++) {
		const char *name = s->settings.field[i];
		bool known = !*name;

		for (size_t k = 0; k < QUERY_FIELDS && !known; k++)
			known = strcmp(before->field[k], name) == 0;
		if (known || fit_is_there(s, name, err))
			continue;
		for (size_t k = 0; (name = settings_value("columns", k)); k++)
			strcat(strcat(list, k ? ", " : ""), name);
		snprintf(why, sizeof why, "%s", err->text);
		snprintf(err->text, sizeof err->text, _("%.300s; other columns: %s"), why, list);
		return false;
	}
	return true;
}

static void
configure(struct session *s, struct keymap *map, const char *text)
{
	struct settings before = s->settings;
	struct tn_error err;

	if (!configure_line(&s->settings, map, text, &err) || !rules_are_right(s, &err) || !columns_are_right(s, &before, &err)) {
		s->settings = before;
		session_fail(s, "%s", err.text);
		return;
	}
	s->wish.requery = s->wish.refresh = true;
}

static void
cmd_session(struct session *s, char *rest)
{
	s->wish.session = true;
	snprintf(s->wish.session_name, sizeof s->wish.session_name, "%s", rest);
}

static const struct command {
	const char *name;
	void (*run)(struct session *s, char *rest);	/* NULL: `action` only, or another function; else runs before `action` */
	const char *usage, *help;		/* NULL: another name of the command above */
	enum action action;
} commands[] = {
	{ "set", cmd_set, N_("set NAME VALUE"), N_("change a setting; Tab completes; alone: list the settings"), 0 },
	{ "bind", NULL, N_("bind VIEW KEYS ACTION"), N_("bind keys to an action; VIEW: all, events, packets, ..."), 0 },
	{ "same", cmd_same, N_("same NAME NAME ..."),
		N_("fields that K treats as one; NAME alone: separate it; alone: list all"), 0 },
	{ "color", cmd_color, N_("color EXPRESSION STYLE"),
	  N_("draw matching events red, green, bold, ...; alone: list rules"), 0 },
	{ "w", cmd_write, N_("w FILE [FORMAT]"), N_("write as text, csv, jsonl, parquet, chrome-json, ctf; .svg: the "
						    "screen"), 0 },
	{ "write", cmd_write, NULL, NULL, 0 },
	{ "w!", cmd_write_over, NULL, NULL, 0 },
	{ "export", cmd_export, N_("export FOLDER"), N_("write matching events as a CTF trace, like w FOLDER ctf"), 0 },
	{ "byte", cmd_byte, N_("byte N [BIT]"), N_("go to the event at this place of the stream's file"), 0 },
	{ "offset", cmd_offset, N_("offset TRACE SPAN"), N_("shift a trace's times; alone: list traces and shifts"), 0 },
	{ "align", cmd_align, N_("align [A B] [start] [off]"),
		N_("one time line for traces of one clock; start: begin together; A B: mark B to mark A"), 0 },
	{ "session", cmd_session, N_("session NAME"),
	  N_("store marks, filters, columns, place, shifts; alone: list them"), 0 },
	{ "tz", cmd_tz, N_("tz ZONE"), N_("show times in this zone: utc, local, Europe/Berlin"), 0 },
	{ "span", cmd_span, N_("span BEGIN END [by KEY, ...]"), N_("list durations between two events"), ACT_ANSWER },
	{ "by", cmd_by, N_("by KEYS [show LIST] [where CONDITION]"), N_("groups of events with equal keys"), ACT_ANSWER },
	{ "group", cmd_group, N_("group KEYS [show LIST] [where ...]"), N_("group the spans of the last question"),
	  ACT_ANSWER },
	{ "diff", cmd_diff, N_("diff PATH"), N_("compare this trace with another one"), ACT_ANSWER },
	{ "sequence", cmd_sequence, N_("sequence KEY[=VALUE]"), N_("find where the two sides of a comparison start to "
								   "differ"), ACT_ANSWER },
	{ "why", cmd_why, N_("why CONDITION"), N_("values that are more frequent in matching events or spans"), ACT_ANSWER },
	{ "plot", cmd_plot, N_("plot NUMBER by KEY where CONDITION"),
	  N_("plot a field, or dur of the last spans, over time"), ACT_PLOT },
	{ "flame", cmd_flame, N_("flame [BEGIN END by KEY]"),
	  N_("flame graph of spans; alone: of functions, samples, or the last spans"),
	  ACT_FLAME },
	{ "lanes", cmd_lanes, N_("lanes EVENT.FIELD by LANE"), N_("states over time, a lane for each value"), ACT_LANES },
	{ "ask", cmd_ask, N_("ask NAME"), N_("answer a ready question: syscalls, scheduling, interrupts, ..."), ACT_ANSWER },
	{ "chain", cmd_chain, N_("chain TID"), N_("show what a thread waited for in the range"), ACT_ANSWER },
	{ "unrange", NULL, "unrange", N_("show all times again"), ACT_RANGE_CLEAR },
	{ "column", cmd_column, NULL, NULL, 0 },	/* the help describes it in the list of columns */
	{ "noh", NULL, "noh", N_("clear the marks of the search"), ACT_SEARCH_CLEAR },
	{ "cmdline", cmd_cmdline, "cmdline", N_("show the command line that prints this view"), 0 },
	{ "q", NULL, "q", N_("leave"), ACT_QUIT },
	{ "q!", NULL, NULL, NULL, ACT_QUIT },
	{ "h", NULL, NULL, NULL, ACT_HELP },
};

const char *
command_name(size_t i)
{
	return i < sizeof commands / sizeof *commands ? commands[i].name : NULL;
}

const struct command_help *
command_helps(void)
{
	static struct command_help helps[sizeof commands / sizeof *commands + 5];
	size_t n = 0;

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (commands[i].help)
			helps[n++] = (struct command_help) { commands[i].usage, commands[i].help };
	helps[n++] = (struct command_help) { N_("!COMMAND"),
		N_("run COMMAND on selected or matching events; !!COMMAND: on the terminal") };
	helps[n++] = (struct command_help) { N_("TIME"), N_("go to this time, as t does") };
	helps[n++] = (struct command_help) { "N", N_("go to event N") };
	helps[n++] = (struct command_help) { N_("ACTION"), N_("run an action by its name; Tab completes names") };
	helps[n] = (struct command_help) { NULL, NULL };
	return helps;
}

static const struct command *
find(const char *name)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

/* Words of options or of other programs, and the command that tnav has instead. NULL: the word is unknown. */
static const char *
other_way(const char *name)
{
	static const struct { const char *name, *way; } ways[] = {
		{ "filter", "&CONDITION" }, { "search", "/TEXT" },
		{ "goto", N_("only the time, or the number of the event") }, { "spans", N_("span BEGIN END by KEY") },
		{ "pairs", N_("spans, which lists them") }, { "values", N_("by FIELD") }, { "stats", N_("statistics") },
		{ "count", N_("statistics, or by KEYS") }, { "info", N_("streams, or metadata") }, { "check", N_("problems") },
		{ "ladder", N_("ladder without a word; Tab in the ladder changes the lanes") },
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(name, ways[i].name) == 0)
			return _(ways[i].way);
	return NULL;
}

/* Report an unknown command, with the most similar name. */
static void
fail_unknown(struct session *s, const char *name)
{
	size_t distance = SIZE_MAX;
	const char *best = NULL;

	if (other_way(name)) {
		session_fail(s, _("no command '%s': write %s"), name, other_way(name));
		return;
	}
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		tn_nearest(name, commands[i].name, &best, &distance);
	for (int i = ACT_NONE + 1; i < ACTIONS_END; i++)
		tn_nearest(name, action_info((enum action)i)->name, &best, &distance);
	if (best && distance <= strlen(name) / 3)	/* a short name is similar to many others */
		session_fail(s, _("no command, action or time '%s': the nearest is '%s'"), name, best);
	else
		session_fail(s, _("no command, action or time '%s': h lists them, Tab completes"), name);
}

enum command_end
command_run(struct session *s, struct keymap *map, const char *text, struct call *call)
{
	char copy[PROMPT_SIZE], *rest = copy, *name;
	const struct command *c;

	*call = (struct call) { 0 };
	text += strspn(text, " \t");
	if (*text == '!') {
		shell_run(s, text + 1);
		return COMMAND_DONE;
	}
	if (!*text || strlen(text) >= sizeof copy)
		return COMMAND_DONE;
	if (is_configuration(text)) {
		configure(s, map, text);
		return COMMAND_DONE;
	}
	strcpy(copy, text);
	name = word(&rest);
	c = find(name);
	if (c && c->run == cmd_chain && !*rest)
		c = NULL;	/* without an argument, it is the action for a span */
	call->action = c ? c->action : action_find(name);
	if (c && c->run && c->action != ACT_NONE) {
		s->message_is_error = false;
		c->run(s, rest);
		return s->message_is_error ? COMMAND_DONE : COMMAND_ACT;
	}
	if (call->action != ACT_NONE && rest[strspn(rest, "0123456789 \t")]) {
		if (other_way(name))
			session_fail(s, _("'%s' takes a number: write %s"), name, other_way(name));
		else
			session_fail(s, _("'%s' takes a number only: nothing was done"), name);
		return COMMAND_DONE;
	}
	if (call->action != ACT_NONE) {
		call->count = strtoull(rest, NULL, 10);
		return COMMAND_ACT;
	}
	if (c) {
		if (c->run)
			c->run(s, rest);
		else
			session_fail(s, "%s: %s", _(c->usage), _(c->help));
		return COMMAND_DONE;
	}
	if (!text[strspn(text, "0123456789")]) {
		call->count = strtoull(text, NULL, 10);
		return COMMAND_NUMBER;
	}
	if (isdigit((unsigned char)*text) || strchr("+-@[", *text))
		return COMMAND_TIME;
	fail_unknown(s, name);
	return COMMAND_DONE;
}
