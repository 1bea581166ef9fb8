#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/text.h>

#include "canvas.h"
#include "charset.h"
#include "line.h"

#define PATH_LEAST 8		/* columns that a shortened path takes at least */

void
line_clear(struct line *l)
{
	l->n = 0;
	l->n_spans = 0;
	l->width = 0;
}

void
line_release(struct line *l)
{
	free(l->text);
	free(l->span);
	*l = (struct line) { 0 };
}

static bool
grow(void **item, size_t *room, size_t need, size_t size)
{
	size_t want = *room ? *room : 32;
	void *grown;

	if (need <= *room)
		return true;
	while (want < need)
		want *= 2;
	grown = realloc(*item, want * size);
	if (!grown)
		return false;
	*item = grown;
	*room = want;
	return true;
}

/* Add a span from the end of the last span to @end, or extend the last span if the style is equal. */
static void
add_span(struct line *l, size_t end, unsigned style)
{
	if (l->n_spans && l->span[l->n_spans - 1].style == style) {
		l->span[l->n_spans - 1].end = end;
		return;
	}
	if (grow((void **)&l->span, &l->span_room, l->n_spans + 1, sizeof *l->span))
		l->span[l->n_spans++] = (struct line_span) { end, style };
	else if (l->n_spans)
		l->span[l->n_spans - 1].end = end;
}

void
line_add(struct line *l, unsigned style, const char *text, size_t n)
{
	if (!n || !grow((void **)&l->text, &l->room, l->n + n + 1, 1))
		return;
	memcpy(l->text + l->n, text, n);
	l->n += n;
	l->text[l->n] = '\0';
	l->width += text_width(text, n);
	add_span(l, l->n, style);
}

void
line_puts(struct line *l, unsigned style, const char *text)
{
	line_add(l, style, text, strlen(text));
}

void
line_printf(struct line *l, unsigned style, const char *format, ...)
{
	char room[512];
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(room, sizeof room, format, ap);
	va_end(ap);
	if (n > 0)
		line_add(l, style, room, (size_t)n < sizeof room ? (size_t)n : sizeof room - 1);
}

void
line_add_unsafe(struct line *l, unsigned style, const char *text, size_t n)
{
	struct tn_str safe = { 0 };

	tn_text_safe(text, n, &safe);
	if (safe.text)
		line_add(l, style, safe.text, safe.n);
	tn_str_release(&safe);
}

void
line_puts_unsafe(struct line *l, unsigned style, const char *text)
{
	if (text)
		line_add_unsafe(l, style, text, strlen(text));
}

void
line_put_path(struct line *l, unsigned style, const char *path, int room)
{
	const char *last = strrchr(path, '/');
	size_t head = 0;
	int tail;

	if (text_width(path, strlen(path)) <= room) {
		line_puts_unsafe(l, style, path);
		return;
	}
	if (room < PATH_LEAST)
		return;
	while (last && last > path && !last[1])	/* the path ends with a slash */
		for (last--; last > path && *last != '/'; last--)
			;
	last = last ? last : path;
	tail = text_width(last, strlen(last));
	for (size_t n = 1; path + n <= last; n++)
		if (path[n - 1] == '/' && text_width(path, n) + 1 + tail <= room)
			head = n;
	line_add_unsafe(l, style, path, head);
	line_puts(l, style, charset_cut());
	line_puts_unsafe(l, style, head || tail < room ? last : last + text_skip(last, strlen(last), room - 1));
}

char *
line_safe_copy(const char *text, size_t n)
{
	struct tn_str safe = { 0 };

	tn_text_safe(text, n, &safe);
	return safe.text ? safe.text : strdup("");
}

void
line_pad(struct line *l, int column, bool gap)
{
	static const char blank[] = "                                                                ";
	int need = column - l->width;

	if (need < 1 && gap)
		need = 1;
	for (; need > 0; need -= (int)sizeof blank - 1)
		line_add(l, STYLE_TEXT, blank, (size_t)need < sizeof blank - 1 ? (size_t)need : sizeof blank - 1);
}

void
line_right(struct line *l, unsigned style, const char *text, int width)
{
	line_pad(l, l->width + width - text_width(text, strlen(text)), false);
	line_puts(l, style, text);
}

void
line_flag(struct line *l, size_t from, size_t to, unsigned flag)
{
	struct line_span *old = l->span;
	size_t n = l->n_spans, begin = 0;

	if (from >= to || !n)
		return;
	l->span = NULL;
	l->n_spans = l->span_room = 0;
	for (size_t i = 0; i < n; i++) {
		size_t end = old[i].end, a = from > begin ? from : begin, b = to < end ? to : end;

		if (a >= b) {
			add_span(l, end, old[i].style);
		} else {
			if (a > begin)
				add_span(l, a, old[i].style);
			add_span(l, b, old[i].style | flag);
			if (b < end)
				add_span(l, end, old[i].style);
		}
		begin = end;
	}
	free(old);
}

void
line_restyle(struct line *l, unsigned style)
{
	for (size_t i = 0; i < l->n_spans; i++)
		l->span[i].style = (l->span[i].style & ~(unsigned)STYLE_KIND) | style;
}

void
line_add_part(struct line *l, const struct line *other, size_t from, size_t to)
{
	size_t begin = 0;

	for (size_t i = 0; i < other->n_spans; begin = other->span[i++].end) {
		size_t a = from > begin ? from : begin, b = to < other->span[i].end ? to : other->span[i].end;

		if (a < b)
			line_add(l, other->span[i].style, other->text + a, b - a);
	}
}

size_t
line_piece(const char *text, int cols, const char **next)
{
	size_t n = strcspn(text, "\n"), fits = text_fit(text, n, cols, NULL), at;

	*next = text + n + (text[n] == '\n');
	if (fits >= n || !fits)
		return n;
	for (at = fits; at > fits / 2 && text[at] != ' '; at--)
		;
	if (at <= fits / 2)
		at = fits;
	*next = text + at + strspn(text + at, " ");
	return at;
}
