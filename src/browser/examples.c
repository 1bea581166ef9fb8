#include <config.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "examples.h"
#include "gettext.h"
#include "session/time_text.h"

#define FIELD 48	/* bytes of a name or a value; examples use no longer ones */

/* A field of the event at the cursor. */
struct sample {
	char name[FIELD], value[FIELD];
};

static size_t
word_length(const char *text, size_t n)
{
	size_t i = 0;

	while (i < n && (isalnum((unsigned char)text[i]) || text[i] == '_'))
		i++;
	return i;
}

static bool
take(char *out, const char *text, size_t n)
{
	if (!n || n >= FIELD)
		return false;
	memcpy(out, text, n);
	out[n] = '\0';
	return true;
}

/* Take a number, or the first word of a string, at the start of @text. */
static bool
take_value(const char *text, size_t n, bool number, char *out)
{
	size_t sign = n && *text == '-', digits = 0;

	if (!number)
		return n > 1 && *text == '"' && word_length(text + 1, n - 1) > 2 &&
		       take(out, text + 1, word_length(text + 1, n - 1));
	while (sign + digits < n && isdigit((unsigned char)text[sign + digits]))
		digits++;
	return digits && sign + digits < n && strchr(", ", text[sign + digits]) && take(out, text, sign + digits);
}

/* Find the first field in a piece of the line with a suitable value. @name: only a field with this name; NULL: any field. */
static bool
find_sample(const struct event_row *row, enum piece piece, const char *name, bool number, struct sample *out)
{
	size_t n, i = 0, len;
	const char *text = event_row_piece(row, piece, &n);

	for (; i < n; i += len ? len : 1) {
		len = word_length(text + i, n - i);
		if (text[i] == '"')	/* skip a string, because its content is not a field */
			for (len = 1; i + len < n && text[i + len - 1 + (len == 1)] != '"'; len++)
				;
		if (!len || text[i] == '"' || isdigit((unsigned char)text[i]) || i + len + 3 >= n ||
		    memcmp(text + i + len, " = ", 3) != 0)
			continue;
		if (name && (strlen(name) != len || memcmp(name, text + i, len) != 0))
			continue;
		if (take(out->name, text + i, len) && take_value(text + i + len + 3, n - i - len - 3, number, out->value))
			return true;
	}
	return false;
}

static bool
find_number(const struct event_row *row, struct sample *out)
{
	return row && row->row.kind == TN_ROW_EVENT && find_sample(row, PIECE_PAYLOAD, NULL, true, out);
}

void
examples_number(const struct event_row *row, char out[EXAMPLE_TEXT])
{
	struct sample sample;

	*out = '\0';
	if (find_number(row, &sample))
		snprintf(out, EXAMPLE_TEXT, "%s > %s", sample.name, sample.value);
}

static void
add(struct examples *e, const char *what, const char *format, const char *a, const char *b)
{
	if (e->n < EXAMPLES_MOST)
		e->item[e->n++] = (struct example) { .what = what };
	else
		return;
	/* The format is one of those in this file. */
	snprintf(e->item[e->n - 1].text, EXAMPLE_TEXT, format, a, b);
}

/* Add a condition as an example, if tnav can apply it to these traces. */
static void
add_condition(struct examples *e, struct session *s, const char *what, const char *format, const char *a, const char *b)
{
	struct tn_filter *filter;
	size_t n = e->n;

	add(e, what, format, a, b);
	if (e->n == n || tn_filter_new(&filter, s->traces.set, NULL) != TN_OK)
		return;
	if (tn_filter_add_expression(filter, e->item[n].text, NULL) != TN_OK || tn_filter_remark(filter))
		e->n = n;
	tn_filter_free(filter);
}

static void
fill_conditions(struct examples *e, struct session *s, const struct event_row *row)
{
	const struct tn_event_class *ec = row ? row->row.event_class : NULL;
	const char *name = ec ? tn_event_class_name(ec) : NULL;
	struct sample number, text, tid = { .value = "" };
	char time[64];
	size_t skip;

	name = name && !strpbrk(name, "\"\\/()[]*+?.|^$") && strlen(name) < FIELD ? name : NULL;
	skip = name && name[strcspn(name, "_:")] ? strcspn(name, "_:") + 1 : 0;
	if (find_number(row, &number)) {
		add_condition(e, s, N_("this value"), "%s == %s", number.name, number.value);
		add_condition(e, s, N_("more than this"), "%s > %s", number.name, number.value);
		add_condition(e, s, N_("events that have this field"), "has(%s)", number.name, NULL);
	}
	if (row && find_sample(row, PIECE_PAYLOAD, NULL, false, &text))
		add_condition(e, s, N_("texts that contain this"), "%s =~ /%s/", text.name, text.value);
	for (enum piece p = PIECE_COMMON; row && p <= PIECE_SPECIFIC && !*tid.value; p++)
		if (!find_sample(row, p, "tid", true, &tid) && !find_sample(row, p, "vtid", true, &tid))
			*tid.value = '\0';
	if (*tid.value)
		add_condition(e, s, N_("the events of a thread"), "tid == %s", tid.value, NULL);
	add_condition(e, s, N_("calls that failed"), "ret < 0", NULL, NULL);
	if (name) {
		add_condition(e, s, N_("all others"), "not name == \"%s\"", name, NULL);
		add_condition(e, s, N_("names that contain this"), "name =~ /%s/", name + skip, NULL);
	}
	add(e, N_("more than 1 ms after the previous event of its stream"), "delta > 1ms", NULL, NULL);
	if (row && row->row.has_time) {
		time_text_as(s, TN_TIME_OF_DAY, row->row.time_ns, time, sizeof time);
		add_condition(e, s, N_("from this time on"), "time >= %s", time, NULL);
	}
	if (name) {
		add(e, N_("lines that contain this text"), "%s", name + skip, NULL);
		add(e, N_("a regular expression over the line"), "/%s.*%s/", name + skip,
		    find_number(row, &number) ? number.value : "");
		add(e, N_("lines that do not contain it"), "!%s", name + skip, NULL);
	}
}

static void
fill_times(struct examples *e, struct session *s, const struct event_row *row)
{
	static const struct { enum tn_time_format format; const char *mark, *what; } forms[] = {
		{ TN_TIME_OF_DAY, "", N_("on the day of the events") }, { TN_TIME_DATE, "", N_("date and time") },
		{ TN_TIME_SECONDS, "", N_("seconds") }, { TN_TIME_NS, "@", N_("nanoseconds") },
	};
	char text[64];

	for (size_t i = 0; row && row->row.has_time && i < sizeof forms / sizeof *forms; i++) {
		time_text_as(s, forms[i].format, row->row.time_ns, text, sizeof text);
		add(e, forms[i].what, "%s%s", forms[i].mark, text);
	}
	add(e, N_("from here"), "+5ms", NULL, NULL);
	add(e, N_("before here, in seconds"), "-0.001", NULL, NULL);
	add(e, N_("of the time of the traces"), "50%%", NULL, NULL);
	add(e, N_("before the end, of the time of the traces"), "-10%%", NULL, NULL);
	add(e, N_("the last event"), "end", NULL, NULL);
	if (row && row->row.has_time && tn_stream_clock(row->row.stream)) {
		snprintf(text, sizeof text, "%" PRIu64, row->row.cycles);
		add(e, N_("of the clock"), "%s cycles", text, NULL);
	}
}

static void
fill_commands(struct examples *e, const struct event_row *row)
{
	struct sample number;
	bool some = find_number(row, &number);

	add(e, N_("write the selected events, or all that match"), "w FILE.csv", NULL, NULL);
	add(e, N_("send them to another program"), "!wc -l", NULL, NULL);
	add(e, N_("add a column"), "column %s", some ? number.name : "tid", NULL);
	add(e, N_("add a color rule"), "color %s < 0 red", some ? number.name : "ret", NULL);
	add(e, N_("groups"), some ? "by name show count, p99(%s)" : "by name show count", number.name, NULL);
	add(e, N_("store the place, marks and filters"), "session NAME", NULL, NULL);
	add(e, N_("shift mark b to the time of mark a"), "align a b", NULL, NULL);
	add(e, N_("print the command line for this view"), "cmdline", NULL, NULL);
}

void
examples_fill(struct examples *e, struct session *s, enum question_kind what, const struct event_row *row)
{
	e->n = 0;
	if (row && row->row.kind != TN_ROW_EVENT)
		row = NULL;
	if (what == ASK_TIME)
		fill_times(e, s, row);
	else if (what == ASK_COMMAND)
		fill_commands(e, row);
	else
		fill_conditions(e, s, row);
}
