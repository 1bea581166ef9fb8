#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "screen/canvas.h"
#include "session/settings.h"

/*
 * Remove the place from an error such as "expression 'has(x)', column 5: no event has x", since the user did not type
 * that expression.
 */
static void
cut_place(char *text, const char *condition)
{
	const char *at = strstr(text, condition), *what = at ? strstr(at + strlen(condition), ": ") : NULL;

	if (what)
		memmove(text, what + 2, strlen(what + 2) + 1);
}

bool
fit_is_there(struct session *s, const char *name, struct tn_error *err)
{
	struct tn_filter *filter;
	const char *of = strncmp(name, "symbol(", 7) == 0 ? name + 7 : name;	/* its ")" also ends the condition */
	char *condition;
	bool good;

	if (tn_filter_new(&filter, s->traces.set, err) != TN_OK)
		return false;
	good = asprintf(&condition, of == name ? "has(%s)" : "has(%s", of) >= 0;
	if (good) {
		good = tn_filter_add(filter, condition, err) == TN_OK;
		if (!good)
			cut_place(err->text, condition);
		free(condition);
	}
	tn_filter_free(filter);
	return good;
}

/*
 * Choose columns that fit. Processor, thread and process say more than the stream's name; with several traces, the stream
 * is needed to tell them apart.
 */
bool
fit_columns(struct session *s, int cols)
{
	struct settings before = s->settings;
	struct tn_error err;
	bool several = tn_set_trace_count(s->traces.set) > 1, cpu, tid;
	char text[128];

	if (s->settings.columns_chosen)
		return false;
	cpu = !several && fit_is_there(s, "cpu", &err);
	tid = fit_is_there(s, "tid", &err) && (cols >= 120 || (!several && (cols >= 100 || !cpu)));
	snprintf(text, sizeof text, "!time,!delta%s%s%s%s,!name,payload,context",
		 several || (!cpu && tn_set_stream_count(s->traces.set) > 1) ? ",!origin" : "", cpu ? ",!cpu" : "",
		 tid ? ",!tid" : "",
		 !several && cols >= 120 && fit_is_there(s, "process", &err) ? ",!process" : "");
	if (!settings_set(&s->settings, "columns", text, &err))
		return false;
	s->settings.columns_chosen = false;
	for (size_t i = 0; i < COLUMN_KINDS; i++)
		if (before.column[i].kind != s->settings.column[i].kind || before.column[i].on != s->settings.column[i].on)
			return true;
	if (memcmp(before.field, s->settings.field, sizeof before.field) != 0)
		return true;
	memcpy(s->settings.column, before.column, sizeof before.column);	/* the same columns: keep their widths */
	return false;
}

static size_t
common_begin(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (n < most && a[n] && a[n] == b[n] && (unsigned char)a[n] >= ' ' && (unsigned char)a[n] < 0x7f)
		n++;
	return n;
}

void
fit_widths(struct session *s)
{
	struct line l = { 0 };

	const char *first = NULL;
	size_t common = 0;

	s->widths.origin_width = s->widths.name_width = s->widths.short_name_width = 0;
	for (size_t i = 0; i < tn_set_stream_count(s->traces.set); i++) {
		int width = text_width(s->traces.origin[i], strlen(s->traces.origin[i]));

		s->widths.origin_width = width > s->widths.origin_width ? width : s->widths.origin_width;
	}
	for (size_t i = 0; i < tn_set_trace_count(s->traces.set); i++) {
		const struct tn_trace *trace = tn_set_trace(s->traces.set, i);

		for (size_t k = 0; k < tn_trace_event_class_count(trace); k++) {
			const char *name = tn_event_class_name(tn_trace_event_class(trace, k));

			name = name ? name : "";
			line_clear(&l);
			line_puts_unsafe(&l, STYLE_TEXT, name);
			s->widths.name_width = l.width > s->widths.name_width ? l.width : s->widths.name_width;
			common = common_begin(first ? first : name, name, first ? common : SIZE_MAX);
			first = first ? first : name;
		}
	}
	/* Find a common prefix such as "shop:" of "shop:tick" and "shop:request": printable ASCII, one column per byte. */
	while (common && first[common - 1] != ':')
		common--;
	s->widths.name_prefix_size = common;
	s->widths.short_name_width = s->widths.name_width - (int)common;
	line_release(&l);
}
