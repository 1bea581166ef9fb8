/*
 * canvas.h - rows of styled cells, cut by width; knows no terminal
 *
 * A cell holds one character with the marks that combine with it. A character two columns wide has the cell
 * after it as `tail`. Nothing that a terminal would obey gets in: control characters become '?'.
 * Positions outside the canvas are allowed everywhere: nothing is drawn there.
 */
#ifndef CANVAS_H
#define CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"
#include "style.h"

#define CELL_BYTES 19		/* a character and the marks on it; marks beyond are dropped */

struct cell {
	char text[CELL_BYTES];	/* UTF-8, not terminated */
	uint8_t n;
	uint8_t width;		/* 1 or 2; 0 for a tail */
	uint16_t style;
};

struct canvas {
	int rows, cols;
	struct cell *cell;	/* rows * cols */
	int cursor_row, cursor_col;	/* the position of the terminal's cursor; row -1: hidden */
};

/* An area of the canvas. */
struct area {
	int row, col, rows, cols;
};

/* Columns that the text takes (valid UTF-8; a broken byte counts as one). */
int text_width(const char *text, size_t n);
/* Bytes of the longest beginning of the text that fits in @width columns; *used (may be NULL) is what it takes. */
size_t text_fit(const char *text, size_t n, int width, int *used);
/* Bytes of its beginning that must go for the rest to fit in @width columns. */
size_t text_skip(const char *text, size_t n, int width);

/* Make all cells blank. False: memory is out, and the canvas has no rows. */
bool canvas_resize(struct canvas *c, int rows, int cols);
void canvas_release(struct canvas *c);
void canvas_clear(struct canvas *c);

/* Put text from @col on, at most @width columns; returns the column after it. */
int canvas_put(struct canvas *c, int row, int col, int width, unsigned style, const char *text, size_t n);
int canvas_puts(struct canvas *c, int row, int col, int width, unsigned style, const char *text);
/* Put a line without its first @skip columns; @more_mark: a '>' in the last column when it is cut there, a '<' in the
 * first when it is cut there. */
int canvas_line(struct canvas *c, int row, int col, int width, const struct line *l, int skip, bool more_mark);
/* Fill with blanks. */
void canvas_fill(struct canvas *c, int row, int col, int width, unsigned style);
/* Add flags to the cells. */
void canvas_flag(struct canvas *c, int row, int col, int width, unsigned flag);

/* Whether the cell shows nothing. */
bool canvas_is_blank(const struct canvas *c, int row, int col);

/* Put the terminal's cursor there: programs that read the screen aloud, or show it in braille, follow it. */
void canvas_point(struct canvas *c, int row, int col);

/* The text of a row without blanks at its end, in @room; for tests and for text that users copy. */
size_t canvas_row_text(const struct canvas *c, int row, char *room, size_t size);

/* The forms of a picture of the screen. */
enum screenshot_kind { SCREENSHOT_NONE, SCREENSHOT_SVG, SCREENSHOT_ANSI };
/* The form that the suffix means: .svg, .ans; NONE: the file is not a picture. */
enum screenshot_kind screenshot_kind_of(const char *path);

#endif
