/*
 * line.h - one line of styled text, which can be longer than the screen
 *
 * Invariant: the spans cover the text in order, and each reaches to its `end`. If memory is out, only the rest of the
 * line is missing.
 */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "style.h"

struct line_span {
	size_t end;		/* offset of the byte after the span */
	unsigned style;
};

struct line {
	char *text;
	size_t n, room;
	struct line_span *span;
	size_t n_spans, span_room;
	int width;		/* columns of the text so far */
};

void line_clear(struct line *l);	/* keeps the allocated memory */
void line_release(struct line *l);

/* Append text that is already safe for a terminal. */
void line_add(struct line *l, unsigned style, const char *text, size_t n);
void line_puts(struct line *l, unsigned style, const char *text);
void line_printf(struct line *l, unsigned style, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Append text of a trace, made safe. */
void line_add_unsafe(struct line *l, unsigned style, const char *text, size_t n);
void line_puts_unsafe(struct line *l, unsigned style, const char *text);	/* @text NULL: append nothing */
/*
 * Append a path in at most @room columns. A longer path is shortened to its first folders and its last name:
 * "/srv/.../kernel". Append nothing if no part of a name fits.
 */
void line_put_path(struct line *l, unsigned style, const char *path, int room);
/* Copy the text, made safe; the caller frees it. NULL: memory is out. */
char *line_safe_copy(const char *text, size_t n);

/* Append blanks up to @column; with @gap, at least one. */
void line_pad(struct line *l, int column, bool gap);
/* Append text aligned to the right in @width columns. */
void line_right(struct line *l, unsigned style, const char *text, int width);

/* Add a flag to the style of the bytes [from, to). */
void line_flag(struct line *l, size_t from, size_t to, unsigned flag);

/* Append the bytes [from, to) of another line, with their styles. */
void line_add_part(struct line *l, const struct line *other, size_t from, size_t to);

/*
 * Divide a text into pieces that fit in @cols columns: returns the bytes of the first piece; *next is the start of the
 * next one. A piece ends at a newline or else between words, unless that would leave half of the line empty.
 */
size_t line_piece(const char *text, int cols, const char **next);

/* Give the whole line one style; flags do not change. */
void line_restyle(struct line *l, unsigned style);

#endif
