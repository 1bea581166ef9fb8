/*
 * event_hint.c - explain why a search finds nothing, although the list shows the text
 *
 * A search matches lines as --print writes them. The list shows labels without numbers, arrays without indices, names
 * next to numbers, and columns for attributes.
 */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "event_line.h"
#include "gettext.h"
#include "session/settings.h"

static bool
finds(const struct session *s, const char *text, size_t n, size_t *from, size_t *end)
{
	return tn_regex_find(s->asks.mark, text, n, 0, from, end) && *end > *from;
}

/*
 * Write a condition such as "status == RUNNING" for the field whose value is at [from, end) of a line. False: a condition
 * cannot express the value.
 */
static bool
put_field_of(struct tn_str *out, const char *text, size_t n, size_t from, size_t end)
{
	size_t at, name, value = 0, size;

	for (size_t i = 0; i + 3 < end; i++)
		if (memcmp(text + i, " = ", 3) == 0)
			value = i + 3;
	for (at = value; at + 1 < from; at++)
		if (text[at] == ',' || text[at] == '}')
			return false;	/* the position is after the field */
	for (name = value ? value - 3 : 0; name && (isalnum((unsigned char)text[name - 1]) || text[name - 1] == '_'); name--)
		;
	size = strcspn(text + value, " ,|\"[{");
	if (!value || name == value - 3 || !size || value + size > n || strchr("|\"[{", text[value + size]))
		return false;
	tn_str_printf(out, "%.*s == %.*s", (int)(value - 3 - name), text + name, (int)size, text + value);
	return true;
}

/* Write a condition for a column of an attribute or a field, such as `process == "httpd"`. */
static bool
put_column_of(struct tn_str *out, const struct session *s, const struct event_row *r)
{
	size_t from, end;

	for (size_t i = 0; r->field && i < QUERY_FIELDS; i++) {
		uint32_t at = i ? r->field_end[i - 1] : 0;

		if (!*s->settings.field[i] || !finds(s, r->field + at, r->field_end[i] - at, &from, &end))
			continue;
		tn_str_printf(out, "%s == %.*s", s->settings.field[i], (int)(r->field_end[i] - at), r->field + at);
		return true;
	}
	return false;
}

/* Whether the row shows a match of the search, so that there are hits in the other direction only. */
static bool
is_hit(const struct line *l)
{
	for (size_t i = 0; i < l->n_spans; i++)
		if (l->span[i].style & STYLE_MATCH)
			return true;
	return false;
}

void
event_hint(struct session *s, const struct window *w, int cols)
{
	struct row_lines lines = { { 0 }, { 0 } };
	struct tn_str what = { 0 };
	bool shown = false;
	size_t from, end;

	for (size_t i = 0; i < w->n && s->asks.mark && !what.n; i++) {
		struct row_context context = { .session = s, .cols = cols };

		if (w->row[i].row.kind != TN_ROW_EVENT)
			continue;
		events_line(&w->row[i], &context, &lines);
		if (is_hit(&lines.free) || is_hit(&lines.pinned) || put_column_of(&what, s, &w->row[i]) || !lines.free.text ||
		    !finds(s, lines.free.text, lines.free.n, &from, &end))
			continue;
		shown = true;
		put_field_of(&what, lines.free.text, lines.free.n, from, end);
	}
	if (what.n && !what.failed)
		session_say(s, _("not found: %s: the search uses the lines of --print, not those of the list: write /%s"),
			    s->asks.pattern, what.text);
	else if (shown)
		session_say(s, _("not found: %s: the search uses the lines of --print, not those of the list: :set values "
				 "babeltrace2 shows these"), s->asks.pattern);
	tn_str_release(&what);
	row_lines_release(&lines);
}
