/*
 * line.h - one line of styled text, longer than the screen perhaps
 *
 * Invariant: spans follow each other and cover the text; a span reaches to its `end`.
 * When memory is out the rest of the line is missing: nothing else depends on it.
 */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "style.h"

struct line_span {
	size_t end;		/* the byte after its last */
	unsigned style;
};

struct line {
	char *text;
	size_t n, room;
	struct line_span *span;
	size_t n_spans, span_room;
	int width;		/* columns of the text so far */
};

void line_clear(struct line *l);	/* keeps the allocation */
void line_release(struct line *l);

/* Text that is safe for a terminal already. */
void line_add(struct line *l, unsigned style, const char *text, size_t n);
void line_puts(struct line *l, unsigned style, const char *text);
void line_printf(struct line *l, unsigned style, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Add text from a trace, and make it safe. */
void line_add_unsafe(struct line *l, unsigned style, const char *text, size_t n);
void line_puts_unsafe(struct line *l, unsigned style, const char *text);	/* NULL: nothing */
/*
 * A path in @room columns at most: if it is too long, whole folders from its start, and the last one: "/srv/.../kernel". Nothing
 * if not even a part of a name fits.
 */
void line_put_path(struct line *l, unsigned style, const char *path, int room);
/* The text made safe, in memory that the caller frees; NULL: memory is out. */
char *line_safe_copy(const char *text, size_t n);

/* Blanks up to @column, one at least when @gap. */
void line_pad(struct line *l, int column, bool gap);
/* Text at the right end of a column that begins where the line ends. */
void line_right(struct line *l, unsigned style, const char *text, int width);

/* Add the flag to the bytes [from, to). */
void line_flag(struct line *l, size_t from, size_t to, unsigned flag);

/* The bytes [from, to) of another line, as they look there. */
void line_add_part(struct line *l, const struct line *other, size_t from, size_t to);

/*
 * Bytes of the next piece of a text that fits in @cols columns, and in *next the start of the piece after it: up to a
 * newline, or as wide as it may be, between words unless that leaves the line half empty.
 */
size_t line_piece(const char *text, int cols, const char **next);

/* Give the whole line one style; flags stay. */
void line_restyle(struct line *l, unsigned style);

#endif
