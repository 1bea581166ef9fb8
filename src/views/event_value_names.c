/* event_value_names.c - names next to the numbers in the line of an event: "vec = 1 TIMER" */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_line.h"
#include "screen/canvas.h"
#include "screen/charset.h"

#define NAME_CELLS 32

/*
 * Get the name of a number in a field, such as "TIMER" for vec 1. It is safe for a terminal and owned by the caller.
 * NULL: none.
 */
static char *
name_of(struct session *s, const struct tn_stream *stream, const char *field, const char *number, size_t n)
{
	struct tn_answer_value value = { .kind = TN_ANSWER_TEXT, .text = number, .n = n };
	const char *host = tn_stream_host(stream), *name;

	if (!tn_nicknames_in_rows(field) || !session_has_nicknames(s, field))
		return NULL;
	name = tn_nicknames_find(NULL, field, host, &value);	/* if possible, without a scan of the trace */
	name = name ? name : tn_nicknames_find(session_nicknames(s), field, host, &value);
	return name ? line_safe_copy(name, strlen(name)) : NULL;
}

void
event_name_put(struct session *s, const struct tn_stream *stream, struct readable *r, const char *field, size_t from, size_t end)
{
	char *name = name_of(s, stream, field, r->text + from, end - from);
	size_t n;

	if (name) {
		n = text_width(name, strlen(name)) > NAME_CELLS ? text_fit(name, strlen(name), NAME_CELLS - 1, NULL) : strlen(name);
		if (name[n])
			readable_insert(r, end, charset_cut(), strlen(charset_cut()));
		readable_insert(r, end, name, n);
		readable_insert(r, end, " ", 1);
	}
	free(name);
}

void
event_names_put(struct session *s, const struct tn_stream *stream, struct readable *r, const char *text)
{
	bool is_quoted = false;
	char field[64];

	for (size_t i = 3, at = 0, from, end; i < r->n; i++) {
		for (; r->from[i] != READABLE_NONE && at < r->from[i]; at++) {
			is_quoted ^= text[at] == '"';
			at += text[at] == '\\';
		}
		/* The name that was inserted may have such words, too. */
		if (is_quoted || r->from[i] == READABLE_NONE || !isdigit((unsigned char)r->text[i]) ||
		    memcmp(r->text + i - 3, " = ", 3) != 0)
			continue;
		for (from = i - 3; from && (isalnum((unsigned char)r->text[from - 1]) || r->text[from - 1] == '_'); from--)
			;
		for (end = i; end < r->n && isalnum((unsigned char)r->text[end]); end++)
			;
		snprintf(field, sizeof field, "%.*s", (int)(i - 3 - from), r->text + from);
		event_name_put(s, stream, r, field, i, end);
	}
}

void
event_meaning_put(struct session *s, const char *event, size_t n, struct line *out)
{
	const struct tn_answer_value value = { .kind = TN_ANSWER_TEXT, .text = event, .n = n };
	const char *meaning = session_has_nicknames(s, "name") ?
			      tn_nicknames_find(session_nicknames(s), "name", NULL, &value) : NULL;

	if (!meaning)
		return;
	line_puts(out, STYLE_DIM, "  ");
	line_puts_unsafe(out, STYLE_DIM, meaning);
}
