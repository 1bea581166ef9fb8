#include <config.h>

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"
#include "screen/line.h"

/* ---- values ---- */

static bool
wrong(struct tn_error *err, const char *format, const char *text)
{
	snprintf(err->text, sizeof err->text, format, text);
	return false;
}

static const char *const time_names[] = {
	[TN_TIME_OF_DAY] = "time", [TN_TIME_DATE] = "date", [TN_TIME_SECONDS] = "seconds", [TN_TIME_NS] = "ns",
	[TN_TIME_CYCLES] = "cycles", NULL
};
static const char *const delta_names[DELTA_KINDS + 1] = {
	[DELTA_SHOWN] = "shown", [DELTA_STREAM] = "stream", [DELTA_TYPE] = "type", [DELTA_ORIGIN] = "origin",
	[DELTA_OFF] = "off", NULL
};
static const char *const column_names[COLUMN_FIELD + 1] = {
	[COLUMN_TIME] = "time", [COLUMN_DELTA] = "delta", [COLUMN_ORIGIN] = "origin", [COLUMN_NAME] = "name",
	[COLUMN_FIELDS] = "fields", [COLUMN_PAYLOAD] = "payload", [COLUMN_CONTEXT] = "context",
	[COLUMN_HOST] = "host", [COLUMN_TRACE] = "trace", [COLUMN_STREAM] = "stream", [COLUMN_PACKET] = "packet",
	[COLUMN_LEVEL] = "level", [COLUMN_DURATION] = "duration",
};	/* columns of fields follow */
static const char *const background_names[] = {
	[BACKGROUND_AUTO] = "auto", [BACKGROUND_DARK] = "dark", [BACKGROUND_LIGHT] = "light", NULL
};
static const char *const value_names[] = { "readable", "babeltrace2", NULL };
static const char *const session_names[] = {
	[SESSION_AUTO] = "auto", [SESSION_ON] = "on", [SESSION_OFF] = "off", NULL
};
static const char *const switch_names[] = { "on", "off", NULL };

const char *
column_name(const struct settings *set, enum column_kind kind)
{
	return kind < COLUMN_FIELD ? column_names[kind] : set->field[kind - COLUMN_FIELD];
}


static bool
find_name(const char *const *names, const char *value, size_t *out, struct tn_error *err)
{
	char list[512] = "";

	for (size_t i = 0; names[i]; i++) {
		if (strcmp(names[i], value) == 0) {
			*out = i;
			return true;
		}
		strcat(strcat(list, i ? ", " : ""), names[i]);
	}
	snprintf(err->text, sizeof err->text, _("'%s' is not one of: %s"), value, list);
	return false;
}

static bool
parse_switch(const char *value, bool *out, struct tn_error *err)
{
	if (!*value || !strcmp(value, "on") || !strcmp(value, "yes") || !strcmp(value, "1"))
		*out = true;
	else if (!strcmp(value, "off") || !strcmp(value, "no") || !strcmp(value, "0"))
		*out = false;
	else
		return wrong(err, _("'%s' is not on or off"), value);
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
	return wrong(err, _("'%s' is not a duration: write 500us, 5ms or 1.5s"), value);
}

/* Find the column with a name. If it is a field and a column is free, the column is made. False: failure, and *err is set. */
static bool
column_find(struct settings *set, const char *name, size_t *kind, struct tn_error *err)
{
	for (*kind = 0; *kind < COLUMN_FIELD; ++*kind)
		if (strcmp(column_names[*kind], name) == 0)
			return true;
	for (; *kind < COLUMN_KINDS; ++*kind)
		if (strcmp(set->field[*kind - COLUMN_FIELD], name) == 0)
			return true;
	if (!isalpha((unsigned char)*name) && *name != '_')
		return find_name(column_names, name, kind, err);
	for (*kind = COLUMN_FIELD; *kind < COLUMN_KINDS; ++*kind)
		if (!*set->field[*kind - COLUMN_FIELD]) {
			if (strlen(name) >= FIELD_PATH)
				return wrong(err, _("the name is too long: %.80s"), name);
			strcpy(set->field[*kind - COLUMN_FIELD], name);
			return true;
		}
	snprintf(err->text, sizeof err->text, _("at most %d columns can show fields: c removes one"), QUERY_FIELDS);
	return false;
}

bool
column_is_shown(const struct settings *set, const struct column *column)
{
	return column->on && (column->kind < COLUMN_FIELD || column->filled || set->columns_chosen);
}

bool
column_toggle(struct settings *set, const char *name, struct tn_error *err)
{
	size_t kind, i = 0, to = COLUMN_KINDS;
	struct column c;

	if (!column_find(set, name, &kind, err))
		return false;
	set->columns_chosen = true;
	while (set->column[i].kind != kind)
		i++;
	if (set->column[i].on) {
		set->column[i].on = false;
		if (kind >= COLUMN_FIELD)
			*set->field[kind - COLUMN_FIELD] = '\0';
		return true;
	}
	/* Insert the column before the payload, whose end is often not visible. */
	for (size_t k = 0; k < COLUMN_KINDS && to == COLUMN_KINDS; k++)
		if (set->column[k].on && set->column[k].kind >= COLUMN_FIELDS && set->column[k].kind <= COLUMN_CONTEXT)
			to = k;
	c = (struct column) { .kind = (enum column_kind)kind, .on = true };
	memmove(&set->column[i], &set->column[i + 1], (COLUMN_KINDS - 1 - i) * sizeof c);
	to = to > i ? to - 1 : to;
	memmove(&set->column[to + 1], &set->column[to], (COLUMN_KINDS - 1 - to) * sizeof c);
	set->column[to] = c;
	return true;
}

/* Parse "time,delta,!name": the columns in their order; '!' marks those that do not scroll. */
static bool
parse_columns(struct settings *set, char *value, struct tn_error *err)
{
	struct column column[COLUMN_KINDS];
	bool used[COLUMN_KINDS] = { false };
	size_t n = 0, kind;

	for (char *name = strtok(value, ","); name; name = strtok(NULL, ",")) {
		bool pinned = *name == '!';

		if (!column_find(set, name + pinned, &kind, err))
			return false;
		if (used[kind])
			return wrong(err, _("column '%s' is listed twice"), name);
		used[kind] = true;
		column[n++] = (struct column) { .kind = (enum column_kind)kind, .on = true, .pinned = pinned };
	}
	for (kind = 0; kind < COLUMN_KINDS; kind++)
		if (!used[kind]) {
			column[n++] = (struct column) { .kind = (enum column_kind)kind };
			if (kind >= COLUMN_FIELD)
				*set->field[kind - COLUMN_FIELD] = '\0';
		}
	memcpy(set->column, column, sizeof column);
	set->columns_chosen = true;
	return true;
}

/* ---- the table ---- */

enum kind { SWITCH, TIME, DELTA, COLUMNS, GAP, BACKGROUND, VALUES, SESSION, ADDRESSES };

static const struct setting {
	const char *name;
	enum kind kind;
	size_t at;			/* for a switch: its offset in struct settings */
	const char *const *values;	/* possible values; NULL: any value */
} settings[] = {
	{ "time", TIME, 0, time_names },
	{ "delta", DELTA, 0, delta_names },
	{ "columns", COLUMNS, 0, column_names },
	{ "gap", GAP, 0, NULL },
	{ "values", VALUES, 0, value_names },
	{ "header", SWITCH, offsetof(struct settings, header), switch_names },
	{ "strip", SWITCH, offsetof(struct settings, strip), switch_names },
	{ "addresses", ADDRESSES, 0, NULL },
	{ "exact", SWITCH, offsetof(struct settings, exact), switch_names },
	{ "wrap", SWITCH, offsetof(struct settings, wrap), switch_names },
	{ "losses", SWITCH, offsetof(struct settings, losses), switch_names },
	{ "color", SWITCH, offsetof(struct settings, color), switch_names },
	{ "background", BACKGROUND, 0, background_names },
	{ "ignorecase", SWITCH, offsetof(struct settings, ignore_case), switch_names },
	{ "history", SWITCH, offsetof(struct settings, history), switch_names },
	{ "session", SESSION, 0, session_names },
	{ "cursor", SWITCH, offsetof(struct settings, cursor), switch_names },
	{ "mouse", SWITCH, offsetof(struct settings, mouse), switch_names },
	{ "utc", SWITCH, offsetof(struct settings, text.utc), switch_names },
};

#define N_SETTINGS (sizeof settings / sizeof *settings)
#define SETTING_NAMES \
	"time, delta, columns, gap, values, addresses, header, strip, exact, wrap, losses, color, background, ignorecase, " \
	"history, session, cursor, mouse, utc"

static const struct setting *
find(const char *name)
{
	for (size_t i = 0; i < N_SETTINGS; i++)
		if (strcmp(settings[i].name, name) == 0)
			return &settings[i];
	return NULL;
}

bool
settings_set(struct settings *set, const char *name, char *value, struct tn_error *err)
{
	const struct setting *s = find(name);
	size_t i = 0;

	if (!s) {
		snprintf(err->text, sizeof err->text, _("no setting '%s': %s"), name, SETTING_NAMES);
		return false;
	}
	if ((s->kind == TIME || s->kind == DELTA || s->kind == BACKGROUND || s->kind == VALUES || s->kind == SESSION) &&
	    !find_name(s->values, value, &i, err))
		return false;
	switch (s->kind) {
	case TIME:
		set->text.time = (enum tn_time_format)i;
		set->since_origin = false;
		return true;
	case DELTA:
		set->delta = (enum delta_kind)i;
		return true;
	case SESSION:
		set->session = (enum keep_session)i;
		return true;
	case VALUES:
		set->readable = i == 0;
		return true;
	case ADDRESSES:
		if (strlen(value) >= sizeof set->addresses)
			return wrong(err, _("the name is too long: %.80s"), value);
		strcpy(set->addresses, value);
		return true;
	case BACKGROUND:
		set->background = (enum background)i;
		return true;
	case COLUMNS: return parse_columns(set, value, err);
	case GAP:
		if (*value == '-')
			return wrong(err, _("'%s' is not a duration: write 500us, 5ms or 1.5s"), value);
		return span_parse(value, &set->gap_ns, err);
	default: return parse_switch(value, (bool *)((char *)set + s->at), err);
	}
}

bool
settings_is_switch(const char *name)
{
	const struct setting *s = find(name);

	return s && s->kind == SWITCH;
}

/* Write the columns in their order, in the form that parse_columns() reads. */
static void
put_columns(const struct settings *set, struct line *out)
{
	size_t n = 0;

	for (size_t i = 0; i < COLUMN_KINDS; i++)
		if (set->column[i].on) {
			line_printf(out, STYLE_TEXT, "%s%s", n++ ? "," : "", set->column[i].pinned ? "!" : "");
			line_puts(out, STYLE_TEXT, column_name(set, set->column[i].kind));
		}
}

/* Append a duration in the largest unit that needs no fraction. */
static void
put_span(int64_t ns, struct line *out)
{
	static const struct { const char *unit; int64_t ns; } units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 } };

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (ns && ns % units[i].ns == 0) {
			line_printf(out, STYLE_TEXT, "%" PRId64 "%s", ns / units[i].ns, units[i].unit);
			return;
		}
	line_printf(out, STYLE_TEXT, "%" PRId64 "ns", ns);
}

void
settings_put(const struct settings *set, const char *name, struct line *out)
{
	const struct setting *s = find(name);

	switch (s->kind) {
	case TIME: line_puts(out, STYLE_TEXT, time_names[set->text.time]); break;
	case DELTA: line_puts(out, STYLE_TEXT, delta_names[set->delta]); break;
	case BACKGROUND: line_puts(out, STYLE_TEXT, background_names[set->background]); break;
	case GAP: put_span(set->gap_ns, out); break;
	case SESSION: line_puts(out, STYLE_TEXT, session_names[set->session]); break;
	case VALUES: line_puts(out, STYLE_TEXT, value_names[!set->readable]); break;
	case ADDRESSES: line_puts_unsafe(out, STYLE_TEXT, set->addresses); break;
	case COLUMNS: put_columns(set, out); break;
	default: line_puts(out, STYLE_TEXT, *(const bool *)((const char *)set + s->at) ? "on" : "off"); break;
	}
}

const char *
settings_name(size_t i)
{
	return i < N_SETTINGS ? settings[i].name : NULL;
}

const char *
settings_value(const char *name, size_t i)
{
	const struct setting *s = find(name);

	if (!s || !s->values)
		return NULL;
	for (size_t k = 0; k < i; k++)
		if (!s->values[k])
			return NULL;
	return s->values[i];
}

/* ---- colours ---- */

static const struct { const char *name; unsigned style; } styles[] = {
	{ "red", STYLE_RED }, { "green", STYLE_GREEN }, { "yellow", STYLE_YELLOW }, { "blue", STYLE_BLUE },
	{ "magenta", STYLE_MAGENTA }, { "cyan", STYLE_CYAN }, { "dim", STYLE_DIM }, { "bold", STYLE_BOLD },
	{ "underline", STYLE_UNDERLINE }, { "reverse", STYLE_REVERSE }, { "off", STYLE_TEXT },
};

#define N_STYLES (sizeof styles / sizeof *styles)

const char *
style_name(size_t i)
{
	return i < N_STYLES ? styles[i].name : NULL;
}

const char *
style_name_of(unsigned style)
{
	for (size_t i = 0; style_name(i); i++)
		if (styles[i].style == style)
			return styles[i].name;
	return "off";
}

static void
remove_rule(struct settings *set, size_t i)
{
	memmove(&set->rule[i], &set->rule[i + 1], (COLOR_RULES - 1 - i) * sizeof *set->rule);
	*set->rule[COLOR_RULES - 1].text = '\0';
}

bool
settings_color(struct settings *set, const char *text, struct tn_error *err)
{
	const char *last = strrchr(text, ' ');
	size_t n = last ? (size_t)(last - text) : 0, i = 0, k = 0;

	if (strcmp(text, "off") == 0) {
		memset(set->rule, 0, sizeof set->rule);
		return true;
	}
	while (last && k < N_STYLES && strcmp(styles[k].name, last + 1) != 0)
		k++;
	while (n && text[n - 1] == ' ')
		n--;
	if (!n || k == N_STYLES)
		return wrong(err, _("write color EXPRESSION STYLE; STYLE: red, green, yellow, blue, magenta, cyan, dim, bold, "
				    "underline, reverse, off%s"), "");
	if (n >= COLOR_TEXT)
		return wrong(err, _("the condition is too long: %.80s"), text);
	while (i < COLOR_RULES && *set->rule[i].text && !(strncmp(set->rule[i].text, text, n) == 0 && !set->rule[i].text[n]))
		i++;
	if (styles[k].style == STYLE_TEXT) {
		if (i == COLOR_RULES || !*set->rule[i].text)
			return wrong(err, _("no rule has this condition: %.80s"), text);
		remove_rule(set, i);
		return true;
	}
	if (i == COLOR_RULES)
		return wrong(err, "%s", _("there are already 16 rules: color EXPRESSION off removes one"));
	memcpy(set->rule[i].text, text, n);
	set->rule[i].text[n] = '\0';
	set->rule[i].style = styles[k].style;
	return true;
}

/* ---- fields that mean the same ---- */

static const char *const same_names[] = {
	"tid vtid next_tid prev_tid child_tid", "pid vpid next_pid prev_pid parent_pid child_pid",
	"procname process comm next_comm prev_comm", "fd fildes ufd",
};

static bool
has_word(const char *words, const char *name, size_t n)
{
	for (const char *at = words; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");

		if (len == n && strncmp(at, name, n) == 0)
			return true;
		at += len;
	}
	return false;
}

const char *
settings_same_as(const struct same *same, const char *name)
{
	for (size_t i = 0; i < SAME_ROWS; i++)
		if (*same[i].names && has_word(same[i].names, name, strlen(name)))
			return same[i].names;
	return NULL;
}

/* Remove the name from its row; if only one name is left there, remove the row. */
static void
forget_name(struct settings *set, const char *name, size_t n)
{
	for (size_t i = 0; i < SAME_ROWS; i++) {
		char *names = set->same[i].names, left[SAME_TEXT] = "";
		size_t words = 0;

		if (!has_word(names, name, n))
			continue;
		for (const char *at = names; *at; at += strspn(at, " ")) {
			size_t len = strcspn(at, " ");

			if (len != n || strncmp(at, name, n) != 0) {
				snprintf(left + strlen(left), sizeof left - strlen(left), "%s%.*s", words ? " " : "", (int)len, at);
				words++;
			}
			at += len;
		}
		memcpy(names, words > 1 ? left : "", words > 1 ? strlen(left) + 1 : 1);
	}
}

bool
settings_same(struct settings *set, const char *text, struct tn_error *err)
{
	size_t n = strlen(text), words = 0, row = 0;

	if (n >= SAME_TEXT || strpbrk(text, "\"\\\n"))
		return wrong(err, _("write same NAME NAME ... with names of equal meaning: %.80s"), text);
	for (const char *at = text; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");

		forget_name(set, at, len);
		at += len;
		words++;
	}
	while (row < SAME_ROWS && *set->same[row].names)
		row++;
	if (words < 2)
		return true;
	if (row == SAME_ROWS)
		return wrong(err, "%s", _("there are already 16 lists of names: same NAME removes a name"));
	memcpy(set->same[row].names, text, n + 1);
	return true;
}

/* ---- at the start ---- */

/* Rules for events that report an error. A rule about a field that a trace does not have has no effect. */
static const char *const default_rules[] = {
	"loglevel <= 3 red", "ret < 0 red", "status >= 400 and status < 600 red",
};

bool
settings_is_default_rule(const struct color_rule *rule)
{
	size_t n = strlen(rule->text);

	for (size_t i = 0; i < sizeof default_rules / sizeof *default_rules; i++)
		if (strncmp(default_rules[i], rule->text, n) == 0 && default_rules[i][n] == ' ' &&
		    strcmp(default_rules[i] + n + 1, style_name_of(rule->style)) == 0)
			return true;
	return false;
}

static void
default_columns(struct settings *set)
{
	static const enum column_kind on[] = {
		COLUMN_TIME, COLUMN_DELTA, COLUMN_ORIGIN, COLUMN_NAME, COLUMN_PAYLOAD, COLUMN_CONTEXT,
	};
	size_t n = sizeof on / sizeof *on;
	bool used[COLUMN_KINDS] = { false };

	for (size_t i = 0; i < n; i++) {
		set->column[i] = (struct column) { .kind = on[i], .on = true };
		used[on[i]] = true;
	}
	for (size_t i = 0; set->column[i].kind != COLUMN_PAYLOAD; i++)
		set->column[i].pinned = true;
	for (size_t kind = 0; kind < COLUMN_KINDS; kind++)
		if (!used[kind])
			set->column[n++] = (struct column) { .kind = (enum column_kind)kind };
}

void
settings_defaults(struct settings *set, const struct browse_options *options)
{
	const char *no_color = getenv("NO_COLOR");
	struct tn_error err;

	*set = (struct settings) { .text = options->text, .gap_ns = 1000000, .readable = true, .header = true, .strip = true,
				   .losses = true, .history = true, .cursor = true, .mouse = true };
	set->text.color = false;
	set->color = !no_color || !*no_color;
	for (size_t i = 0; i < sizeof same_names / sizeof *same_names; i++)
		snprintf(set->same[i].names, SAME_TEXT, "%s", same_names[i]);
	for (size_t i = 0; i < sizeof default_rules / sizeof *default_rules; i++)
		(void)!settings_color(set, default_rules[i], &err);
	if (options->same)
		snprintf(set->same[sizeof same_names / sizeof *same_names].names, SAME_TEXT, "%s", options->same);
	default_columns(set);
}
