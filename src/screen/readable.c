#include <config.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "readable.h"

#define DEEPEST 64	/* deepest level of brackets that is changed */

struct reader {
	struct readable *out;
	const char *text;
	size_t n, at;
	bool array[DEEPEST];
	size_t depth;
	bool no_memory;
};

static void
emit_as(struct reader *r, char byte, uint32_t from)
{
	struct readable *o = r->out;

	if (o->n == o->room) {
		size_t room = o->room ? 2 * o->room : 256;
		char *text = realloc(o->text, room);
		uint32_t *places;

		if (text)
			o->text = text;
		places = text ? realloc(o->from, room * sizeof *places) : NULL;
		if (!places) {
			r->no_memory = true;
			return;
		}
		o->from = places;
		o->room = room;
	}
	o->text[o->n] = byte;
	o->from[o->n++] = from;
}

static void
emit(struct reader *r, size_t at)
{
	emit_as(r, r->text[at], (uint32_t)at);
}

static bool
is_at(const struct reader *r, size_t at, const char *text)
{
	size_t n = strlen(text);

	return at + n <= r->n && memcmp(r->text + at, text, n) == 0;
}

/* The place after the closing quote of the string at @at; r->n: the string is cut. */
static size_t
end_of_text(const struct reader *r, size_t at)
{
	for (at++; at < r->n && r->text[at] != '"'; at++)
		at += r->text[at] == '\\' && at + 1 < r->n;
	return at < r->n ? at + 1 : r->n;
}

/* Copy bytes [from, to) of a string without the backslashes that escape quotes and backslashes. */
static void
emit_text(struct reader *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (r->text[i] == '\\' && i + 1 < to && (r->text[i + 1] == '"' || r->text[i + 1] == '\\'))
			i++;
		emit(r, i);
	}
}

/* Read ( "A", "B" : container = 3 ) as A|B, or as the number if it has no label. False: it is something else. */
static bool
label(struct reader *r)
{
	size_t at = r->at + 2, value, end;
	bool known = is_at(r, r->at, "( \"");

	if (!known && !is_at(r, r->at, "( <unknown> : "))
		return false;
	if (!known)
		at = r->at + strlen("( <unknown>");
	while (known && at < r->n && r->text[at] == '"') {
		at = end_of_text(r, at);
		at += is_at(r, at, ", \"") ? 2 : 0;
	}
	if (!is_at(r, at, " : container = "))
		return false;
	value = at + strlen(" : container = ");
	for (end = value; end < r->n && r->text[end] != ' '; end++)
		;
	if (!is_at(r, end, " )"))
		return false;
	if (!known) {
		emit_text(r, value, end);
	} else {
		for (at = r->at + 2; r->text[at] == '"'; ) {
			size_t after = end_of_text(r, at);

			emit_text(r, at + 1, after - 1);
			if (!is_at(r, after, ", \""))
				break;
			emit_as(r, '|', READABLE_NONE);
			at = after + 2;
		}
	}
	r->at = end + 2;
	return true;
}

/* Skip "[3] = " before an element. */
static void
skip_index(struct reader *r)
{
	size_t at = r->at + 1;

	if (!is_at(r, r->at, "["))
		return;
	while (at < r->n && r->text[at] >= '0' && r->text[at] <= '9')
		at++;
	if (at > r->at + 1 && is_at(r, at, "] = "))
		r->at = at + 4;
}

static bool
in_array(const struct reader *r)
{
	return r->depth && r->depth <= DEEPEST && r->array[r->depth - 1];
}

static void
enter(struct reader *r, bool array)
{
	if (r->depth < DEEPEST)
		r->array[r->depth] = array;
	r->depth++;
}

static void
next(struct reader *r)
{
	char c = r->text[r->at];

	if (c == '"') {
		size_t end = end_of_text(r, r->at);

		emit_text(r, r->at, end);
		r->at = end;
		return;
	}
	if (c == '(' && label(r))
		return;
	if (c == '[' && is_at(r, r->at, "[ ")) {
		emit(r, r->at);
		enter(r, true);
		r->at += 2;
		skip_index(r);
		if (r->at < r->n && r->text[r->at] == ']')
			next(r);
		return;
	}
	if (in_array(r) && is_at(r, r->at, " ]"))
		r->at++;
	else if (in_array(r) && is_at(r, r->at, ", ")) {
		emit(r, r->at + 1);
		r->at += 2;
		skip_index(r);
		return;
	}
	c = r->text[r->at];
	if (c == '{')
		enter(r, false);
	else if ((c == '}' || c == ']') && r->depth)
		r->depth--;
	emit(r, r->at++);
}

bool
readable_make(struct readable *out, const char *text, size_t n)
{
	struct reader r = { .out = out, .text = text, .n = n };

	out->n = 0;
	while (r.at < n && !r.no_memory)
		next(&r);
	return !r.no_memory;
}

void
readable_insert(struct readable *out, size_t at, const char *text, size_t n)
{
	struct reader r = { .out = out };
	size_t after = out->n - at;

	for (size_t i = 0; i < n && !r.no_memory; i++)
		emit_as(&r, text[i], READABLE_NONE);
	if (r.no_memory) {
		out->n = at + after;
		return;
	}
	memmove(out->text + at + n, out->text + at, after);
	memmove(out->from + at + n, out->from + at, after * sizeof *out->from);
	memcpy(out->text + at, text, n);
	for (size_t i = 0; i < n; i++)
		out->from[at + i] = READABLE_NONE;
}

void
readable_release(struct readable *r)
{
	free(r->text);
	free(r->from);
	*r = (struct readable) { 0 };
}

/* ---- colours ---- */

static bool
is_name(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_'
	       || (unsigned char)ch >= 0x80;
}

static size_t
string_end(const char *text, size_t i, size_t n)
{
	for (i++; i < n && text[i] != '"'; i++)
		if (text[i] == '\\')
			i++;
	return i < n ? i + 1 : n;
}

void
readable_put(struct line *l, const char *text, size_t n)
{
	size_t from = 0, i = 0;

	while (i < n) {
		size_t end = i;
		unsigned style = STYLE_TEXT;

		if (text[i] == '"') {
			end = string_end(text, i, n);
			style = STYLE_STRING;
		} else if (is_name(text[i])) {
			while (end < n && is_name(text[end]))
				end++;
			if (end + 3 <= n && memcmp(text + end, " = ", 3) == 0)
				style = STYLE_FIELD;
		} else {
			end++;
		}
		if (style != STYLE_TEXT) {
			line_add(l, STYLE_TEXT, text + from, i - from);
			line_add(l, style, text + i, end - i);
			from = end;
		}
		if (style == STYLE_FIELD && end - i == 3 && end + 3 < n && memcmp(text + i, "ret", 3) == 0
		    && text[end + 3] == '-') {
			line_add(l, STYLE_TEXT, text + end, 3);
			for (from = end += 3; end < n && text[end] != ',' && text[end] != ' '; end++)
				;
			line_add(l, STYLE_ERROR, text + from, end - from);	/* a negative result of a call */
			from = end;
		}
		i = end;
	}
	line_add(l, STYLE_TEXT, text + from, n - from);
}
