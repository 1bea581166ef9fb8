/*
 * command.c - the command line: times, settings, bindings, actions by name, and a few commands
 */
#include <config.h>

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app_state.h"
#include "term/term.h"

/* ---- words ---- */

static bool
wrong(struct tn_error *err, const char *format, const char *text)
{
	snprintf(err->text, sizeof err->text, format, text);
	return false;
}

/* Cut the first word off *text. */
static char *
word(char **text)
{
	char *w = *text + strspn(*text, " \t"), *end = w + strcspn(w, " \t");

	*text = *end ? end + 1 + strspn(end + 1, " \t") : end;
	*end = '\0';
	return w;
}

static bool
parse_switch(const char *value, bool *out, struct tn_error *err)
{
	if (!*value || !strcmp(value, "on") || !strcmp(value, "yes") || !strcmp(value, "1"))
		*out = true;
	else if (!strcmp(value, "off") || !strcmp(value, "no") || !strcmp(value, "0"))
		*out = false;
	else
		return wrong(err, _("'%s' is neither on nor off"), value);
	return true;
}

bool
span_parse(const char *value, int64_t *out, struct tn_error *err)
{
	static const struct { const char *unit; double ns; } units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 }, { "", 1 },
	};
	char *end;
	double v = strtod(value, &end);

	for (size_t i = 0; end != value && i < sizeof units / sizeof *units; i++)
		if (strcmp(end, units[i].unit) == 0 && fabs(v * units[i].ns) < 9e18) {
			*out = (int64_t)(v * units[i].ns);
			return true;
		}
	return wrong(err, _("'%s' is no span of time: 500us, 5ms, 1.5s"), value);
}

static bool
parse_gap(const char *value, int64_t *out, struct tn_error *err)
{
	return (*value != '-' || wrong(err, _("'%s' is no span of time: 500us, 5ms, 1.5s"), value)) &&
	       span_parse(value, out, err);
}

/* ---- settings ---- */

static const char *const time_names[] = {
	[TN_TIME_OF_DAY] = "time", [TN_TIME_DATE] = "date", [TN_TIME_SECONDS] = "seconds", [TN_TIME_NS] = "ns",
	[TN_TIME_CYCLES] = "cycles",
};
static const char *const delta_names[DELTA_KINDS] = {
	[DELTA_SHOWN] = "shown", [DELTA_STREAM] = "stream", [DELTA_TYPE] = "type", [DELTA_ORIGIN] = "origin",
	[DELTA_OFF] = "off",
};
static const char *const column_names[COLUMN_KINDS] = {
	[COLUMN_TIME] = "time", [COLUMN_DELTA] = "delta", [COLUMN_ORIGIN] = "origin", [COLUMN_NAME] = "name",
	[COLUMN_FIELDS] = "fields", [COLUMN_PAYLOAD] = "payload", [COLUMN_CONTEXT] = "context",
	[COLUMN_HOST] = "host", [COLUMN_TRACE] = "trace", [COLUMN_STREAM] = "stream", [COLUMN_PACKET] = "packet",
	[COLUMN_LEVEL] = "level",
};

static bool
find_name(const char *const *names, size_t n, const char *value, size_t *out, struct tn_error *err)
{
	char list[256] = "";

	for (size_t i = 0; i < n; i++) {
		if (strcmp(names[i], value) == 0) {
			*out = i;
			return true;
		}
		strcat(strcat(list, i ? ", " : ""), names[i]);
	}
	snprintf(err->text, sizeof err->text, _("'%s' is none of: %s"), value, list);
	return false;
}

/* "time,delta,!name": the columns in their order, pinned ones with a '!'. */
static bool
set_columns(struct settings *set, char *value, struct tn_error *err)
{
	struct column column[COLUMN_KINDS];
	bool used[COLUMN_KINDS] = { false };
	size_t n = 0, kind;

	for (char *name = strtok(value, ","); name; name = strtok(NULL, ",")) {
		bool pinned = *name == '!';

		if (!find_name(column_names, COLUMN_KINDS, name + pinned, &kind, err))
			return false;
		if (used[kind])
			return wrong(err, _("column '%s' is there twice"), name);
		used[kind] = true;
		column[n++] = (struct column) { .kind = (enum column_kind)kind, .on = true, .pinned = pinned };
	}
	for (kind = 0; kind < COLUMN_KINDS; kind++)
		if (!used[kind])
			column[n++] = (struct column) { .kind = (enum column_kind)kind };
	memcpy(set->column, column, sizeof column);
	return true;
}

static bool
set_setting(struct app *a, const char *name, char *value, struct tn_error *err)
{
	struct settings *set = &a->session.settings;
	size_t i;

	if (strcmp(name, "time") == 0) {
		if (!find_name(time_names, sizeof time_names / sizeof *time_names, value, &i, err))
			return false;
		set->text.time = (enum tn_time_format)i;
		set->since_origin = false;
		return true;
	}
	if (strcmp(name, "delta") == 0) {
		if (!find_name(delta_names, DELTA_KINDS, value, &i, err))
			return false;
		set->delta = (enum delta_kind)i;
		return true;
	}
	if (strcmp(name, "columns") == 0)
		return set_columns(set, value, err);
	if (strcmp(name, "gap") == 0)
		return parse_gap(value, &set->gap_ns, err);
	if (strcmp(name, "header") == 0)
		return parse_switch(value, &set->header, err);
	if (strcmp(name, "wrap") == 0)
		return parse_switch(value, &set->wrap, err);
	if (strcmp(name, "color") == 0)
		return parse_switch(value, &set->color, err);
	if (strcmp(name, "ignorecase") == 0)
		return parse_switch(value, &set->ignore_case, err);
	if (strcmp(name, "utc") == 0)
		return parse_switch(value, &set->text.utc, err);
	return wrong(err, _("no setting '%s': time, delta, columns, gap, header, wrap, color, ignorecase, utc"), name);
}

static bool
bind_keys(struct app *a, const char *view, const char *keys, const char *name, struct tn_error *err)
{
	const struct view_class *class = view_find(view);
	enum action action = action_find(name);
	uint32_t key[KEY_SEQUENCE];
	const char *bad;
	size_t n = keys_parse(key, keys, &bad);

	if (!class && strcmp(view, "all") != 0)
		return wrong(err, _("no view '%s': all, events, details, packets, ..."), view);
	if (!n)
		return wrong(err, _("these are no keys: '%s' (as in ]s, ^F, <Enter>, <M-u>)"), bad);
	if (action == ACT_NONE && strcmp(name, "none") != 0)
		return wrong(err, _("no action '%s': the help names them all"), name);
	if (!keymap_bind(&a->keymap, class ? class->name : "all", key, n, action))
		return wrong(err, "%s", "out of memory");
	return true;
}

bool
app_configure(struct app *a, const char *line, struct tn_error *err)
{
	char copy[PROMPT_SIZE], *rest = copy, *verb, *name, *value;

	if (strlen(line) >= sizeof copy)
		return wrong(err, "%s", _("the line is too long"));
	strcpy(copy, line);
	verb = word(&rest);
	if (strcmp(verb, "set") == 0) {
		name = word(&rest);
		value = word(&rest);
		if (*rest)
			return wrong(err, _("too much: '%s'"), rest);
		return set_setting(a, name, value, err);
	}
	if (strcmp(verb, "bind") == 0) {
		const char *view = word(&rest);
		const char *keys = word(&rest);

		return bind_keys(a, view, keys, word(&rest), err);
	}
	return wrong(err, _("no such line '%s': set NAME VALUE, bind VIEW KEYS ACTION"), verb);
}

/* ---- commands ---- */

static void
run_shell(struct app *a, const char *text)
{
	int c;

	(void)a;
	term_leave();
	printf("!%s\n", text);
	fflush(stdout);
	if (system(text) == -1)
		perror("tnav");
	fputs(_("[Enter goes back]"), stdout);
	fflush(stdout);
	do
		c = getchar();
	while (c != '\n' && c != '\r' && c != EOF);
	term_return();
}

static void
quote_shell(struct line *l, const char *text)
{
	line_puts(l, STYLE_TEXT, " '");
	for (; *text; text++)
		if (*text == '\'')
			line_puts(l, STYLE_TEXT, "'\\''");
		else
			line_add(l, STYLE_TEXT, text, 1);
	line_puts(l, STYLE_TEXT, "'");
}

static const char *
clock_option(enum tn_time_format format)
{
	switch (format) {
	case TN_TIME_DATE: return " --clock-date";
	case TN_TIME_CYCLES: return " --clock-cycles";
	case TN_TIME_SECONDS:
	case TN_TIME_NS: return " --clock-seconds";
	default: return "";
	}
}

/* The command that shows what is shown now. */
static void
show_command_line(struct app *a)
{
	struct session *s = &a->session;
	struct line l = { 0 };

	line_puts(&l, STYLE_TEXT, "tnav --print");
	for (size_t i = 0; i < s->n_conditions; i++)
		if (s->condition[i].on) {
			line_puts(&l, STYLE_TEXT, " -f");
			quote_shell(&l, s->condition[i].text);
		}
	if (s->bounds.has_begin)
		line_printf(&l, STYLE_TEXT, " --begin %" PRId64 ".%09" PRId64, s->bounds.begin_ns / 1000000000,
			    s->bounds.begin_ns % 1000000000);
	if (s->bounds.has_end)
		line_printf(&l, STYLE_TEXT, " --end %" PRId64 ".%09" PRId64, s->bounds.end_ns / 1000000000,
			    s->bounds.end_ns % 1000000000);
	line_puts(&l, STYLE_TEXT, clock_option(s->settings.text.time));
	if (s->settings.text.utc)
		line_puts(&l, STYLE_TEXT, " --clock-gmt");
	if (s->options->title)
		quote_shell(&l, s->options->title);
	else if (!s->options->reopen)
		line_puts(&l, STYLE_TEXT, " --demo");
	for (size_t i = 0; !s->options->title && s->options->reopen && i < tn_set_trace_count(s->set); i++)
		quote_shell(&l, tn_trace_path(tn_set_trace(s->set, i)));
	session_say(s, "%s", l.text ? l.text : "");
	line_release(&l);
}

static void
cmd_write(struct app *a, char *rest)
{
	const char *path = word(&rest), *format = word(&rest);

	app_write(a, path, format, false);
}

static void
cmd_write_over(struct app *a, char *rest)
{
	const char *path = word(&rest), *format = word(&rest);

	app_write(a, path, format, true);
}

/* As messages and `=` write it: 69632, 224,919,552, or 0x11000. */
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
cmd_byte(struct app *a, char *rest)
{
	char *at = word(&rest), *behind = word(&rest);
	uint64_t byte, bit = 0;

	if (parse_place(at, &byte) && (!*behind || parse_place(behind, &bit)))
		app_go_byte(a, byte, bit);
	else
		session_fail(&a->session, _("write byte N or byte N BIT: byte 4096, byte 4096 17"));
}

static void
cmd_offset(struct app *a, char *rest)
{
	const char *which = word(&rest), *span = word(&rest);

	app_offset(a, which, span);
}

static void
cmd_align(struct app *a, char *rest)
{
	const char *what = word(&rest);

	if (*what && strcmp(what, "off") != 0)
		session_fail(&a->session, _("align takes nothing, or off"));
	else
		app_align(a, *what != '\0');
}

/* A name that the system does not know would be UTC without a word. */
static bool
zone_is_known(const char *zone)
{
	const char *folder = getenv("TZDIR");
	char path[PROMPT_SIZE + 4096];

	if (strpbrk(zone, "0123456789:<"))	/* as POSIX writes it: CET-1CEST */
		return true;
	snprintf(path, sizeof path, "%s/%s", folder ? folder : "/usr/share/zoneinfo", zone);
	return access(path, R_OK) == 0;
}

/* NULL: the one the program was started in. */
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
cmd_tz(struct app *a, char *rest)
{
	const char *zone = word(&rest);

	if (strcmp(zone, "utc") == 0 || strcmp(zone, "UTC") == 0) {
		a->session.settings.text.utc = true;
	} else if (*zone && strcmp(zone, "local") != 0 && !zone_is_known(zone)) {
		session_fail(&a->session, _("no zone '%s' on this system: utc, local, Europe/Berlin, CET-1CEST"), zone);
		return;
	} else {
		a->session.settings.text.utc = false;
		set_zone(*zone && strcmp(zone, "local") != 0 ? zone : NULL);
	}
	app_new_query(a, false);
}

static void
cmd_noh(struct app *a, char *rest)
{
	struct call call = { .action = ACT_SEARCH_CLEAR };

	(void)rest;
	app_act(a, &call);
}

static void
cmd_quit(struct app *a, char *rest)
{
	(void)rest;
	a->quit = true;
}

static void
cmd_cmdline(struct app *a, char *rest)
{
	(void)rest;
	show_command_line(a);
}

static void
cmd_range(struct app *a, char *rest)
{
	(void)rest;
	a->session.bounds = (struct bounds) { 0 };
	app_reply(a, a->screen[0], events_refresh(a->screen[0]));
	app_start_count(a);
}

static const struct {
	const char *name;
	void (*run)(struct app *a, char *rest);	/* NULL: done elsewhere */
	const char *usage, *help;		/* NULL: as the one above */
} commands[] = {
	{ "set", NULL, N_("set NAME VALUE"),
	  N_("time delta columns gap header wrap color ignorecase utc") },
	{ "bind", NULL, N_("bind VIEW KEYS ACTION"), N_("put an action on keys; VIEW: all, events, packets, ...") },
	{ "w", cmd_write, N_("w FILE [FORMAT]"), N_("text, csv or jsonl of what is selected or passes") },
	{ "write", cmd_write, NULL, NULL },
	{ "w!", cmd_write_over, NULL, NULL },
	{ "byte", cmd_byte, N_("byte N [BIT]"), N_("go to the event at that place of the stream's file") },
	{ "offset", cmd_offset, N_("offset TRACE SPAN"), N_("shift a trace's times; alone: traces and shifts") },
	{ "align", cmd_align, N_("align [off]"), N_("shift the traces so that they begin together") },
	{ "tz", cmd_tz, N_("tz ZONE"), N_("times in this zone: utc, local, Europe/Berlin") },
	{ "unrange", cmd_range, "unrange", N_("show all times again") },
	{ "noh", cmd_noh, "noh", N_("take the marks of the search away") },
	{ "cmdline", cmd_cmdline, "cmdline", N_("the command line that prints what is on the screen") },
	{ "q", cmd_quit, "q", N_("leave") },
};

const struct command_help *
command_helps(void)
{
	static struct command_help helps[sizeof commands / sizeof *commands + 4];
	size_t n = 0;

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (commands[i].help)
			helps[n++] = (struct command_help) { commands[i].usage, commands[i].help };
	helps[n++] = (struct command_help) { N_("!COMMAND"), N_("run it in a shell") };
	helps[n++] = (struct command_help) { N_("TIME"), N_("go there, as behind t") };
	helps[n++] = (struct command_help) { N_("ACTION"), N_("do it, by its name; Tab completes all of these") };
	helps[n] = (struct command_help) { NULL, NULL };
	return helps;
}

static bool
is_configuration(const char *text)
{
	return strncmp(text, "set ", 4) == 0 || strncmp(text, "bind ", 5) == 0;
}

static void
configure(struct app *a, const char *text)
{
	struct tn_error err;

	if (!app_configure(a, text, &err)) {
		session_fail(&a->session, "%s", err.text);
		return;
	}
	events_forget_widths(a->screen[0]);
	app_new_query(a, false);
	app_layout(a);
}

void
app_command(struct app *a, const char *text)
{
	char copy[PROMPT_SIZE], *rest = copy, *name;
	struct tn_error err;
	struct call call = { 0 };

	text += strspn(text, " \t");
	if (!*text)
		return;
	if (*text == '!') {
		run_shell(a, text + 1);
		return;
	}
	if (is_configuration(text)) {
		configure(a, text);
		return;
	}
	strcpy(copy, text);
	name = word(&rest);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (strcmp(commands[i].name, name) == 0) {
			if (commands[i].run)
				commands[i].run(a, rest);
			else
				session_fail(&a->session, "%s: %s", _(commands[i].usage), _(commands[i].help));
			return;
		}
	call.action = action_find(name);
	if (call.action != ACT_NONE) {
		call.count = strtoull(rest, NULL, 10);
		app_act(a, &call);
		return;
	}
	if (!isdigit((unsigned char)*text) && !strchr("+-@[", *text))
		session_fail(&a->session, _("no command '%s', no action of that name, and no time"), name);
	else if (!app_go_time(a, text, &err))
		session_fail(&a->session, "%s", err.text);
}

/* ---- completion ---- */

static const char *const setting_names[] = {
	"time", "delta", "columns", "gap", "header", "wrap", "color", "ignorecase", "utc",
};
static const char *const switch_values[] = { "on", "off" };
static const char *const zones[] = { "utc", "local" };
static const char *const formats[] = { "text", "csv", "jsonl" };

struct completion {
	const char *begin;	/* of what is looked for */
	char common[PROMPT_SIZE], list[MESSAGE_SIZE];
	size_t found;
};

/* One more word that could be meant. */
static void
offer(struct completion *c, const char *name)
{
	size_t i = 0, room = sizeof c->list - strlen(c->list);

	if (strncmp(name, c->begin, strlen(c->begin)) != 0)
		return;
	if (c->found++ == 0)
		snprintf(c->common, sizeof c->common, "%s", name);
	while (c->common[i] && c->common[i] == name[i])
		i++;
	c->common[i] = '\0';
	if (strlen(name) + 2 < room)
		strcat(strcat(c->list, *c->list ? " " : ""), name);
}

static void
offer_all(struct completion *c, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		offer(c, names[i]);
}

#define OFFER(c, names) offer_all((c), (names), sizeof(names) / sizeof *(names))

static void
offer_actions(struct completion *c)
{
	for (int i = 1; i < ACTIONS_END; i++)
		offer(c, action_info((enum action)i)->name);
}

static void
offer_commands(struct completion *c)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		offer(c, commands[i].name);
	offer_actions(c);
}

static void
offer_values(struct completion *c, const char *setting)
{
	if (strcmp(setting, "time") == 0)
		OFFER(c, time_names);
	else if (strcmp(setting, "delta") == 0)
		OFFER(c, delta_names);
	else if (strcmp(setting, "columns") == 0)
		OFFER(c, column_names);
	else if (strcmp(setting, "gap") != 0)
		OFFER(c, switch_values);
}

/* Files and folders; c->begin is what stands behind the last slash of @path. */
static void
offer_files(struct completion *c, const char *path)
{
	char folder[PROMPT_SIZE], name[NAME_MAX + 2];
	const struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof folder, "%.*s", (int)(c->begin - path), path);
	dir = opendir(*folder ? folder : ".");
	while (dir && (entry = readdir(dir)) != NULL) {
		struct stat st;

		if (entry->d_name[0] == '.' && c->begin[0] != '.')
			continue;
		snprintf(name, sizeof name, "%s%s", entry->d_name,
			 fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode) ? "/" : "");
		offer(c, name);
	}
	if (dir)
		closedir(dir);
}

static void
offer_arguments(struct completion *c, char *words[], size_t n)
{
	const char *verb = words[0], *slash;
	bool writes = !strcmp(verb, "w") || !strcmp(verb, "w!") || !strcmp(verb, "write");

	if (strcmp(verb, "set") == 0 && n == 2) {
		OFFER(c, setting_names);
	} else if (strcmp(verb, "set") == 0 && n == 3) {
		const char *comma = strrchr(c->begin, ',');

		c->begin = comma ? comma + 1 : c->begin;
		c->begin += *c->begin == '!';
		offer_values(c, words[1]);
	} else if (strcmp(verb, "bind") == 0 && n == 2) {
		offer(c, "all");
		for (size_t i = 0; view_classes[i]; i++)
			offer(c, view_classes[i]->name);
	} else if (strcmp(verb, "bind") == 0 && n == 4) {
		offer_actions(c);
	} else if (strcmp(verb, "tz") == 0 && n == 2) {
		OFFER(c, zones);
	} else if (writes && n == 3) {
		OFFER(c, formats);
	} else if (writes && n == 2) {
		slash = strrchr(c->begin, '/');
		c->begin = slash ? slash + 1 : c->begin;
		offer_files(c, words[1]);
	}
}

void
app_complete(struct app *a)
{
	struct completion c = { .list = "" };
	char copy[PROMPT_SIZE], *words[4] = { NULL }, *rest = copy;
	char whole[PROMPT_SIZE * 2];
	size_t n = 0;

	if (a->asking != ASK_COMMAND || a->prompt.at != a->prompt.n)
		return;
	strcpy(copy, a->prompt.text);
	do
		words[n++] = word(&rest);
	while (n < 4 && (*rest || (a->prompt.n && a->prompt.text[a->prompt.n - 1] == ' ' && *words[n - 1])));
	if (*rest)
		return;
	c.begin = words[n - 1];
	if (n == 1)
		offer_commands(&c);
	else
		offer_arguments(&c, words, n);
	if (strlen(c.common) > strlen(c.begin)) {
		snprintf(whole, sizeof whole, "%s%s", a->prompt.text, c.common + strlen(c.begin));
		prompt_set(&a->prompt, whole);
	}
	snprintf(a->prompt_error, sizeof a->prompt_error, "%s",
		 c.found > 1 ? c.list : c.found ? "" : _("nothing begins so"));
}
