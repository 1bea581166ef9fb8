/*
 * canvas.h - rows of styled cells, cut by width; independent of any terminal
 *
 * A cell holds one character and its combining marks. A character two columns wide is followed by a `tail` cell. Control
 * characters become '?', so a terminal cannot obey any of them. Positions outside of the canvas are allowed; nothing is
 * drawn there.
 */
#ifndef CANVAS_H
#define CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"
#include "style.h"

#define CELL_BYTES 19		/* bytes for a character with marks; more marks are dropped */

struct cell {
	char text[CELL_BYTES];	/* UTF-8 without a terminating NUL */
	uint8_t n;
	uint8_t width;		/* 1 or 2; 0 for a tail */
	uint16_t style;
};

struct canvas {
	int rows, cols;
	struct cell *cell;	/* rows * cols cells */
	int cursor_row, cursor_col;	/* position of the terminal's cursor; row -1: hidden */
};

/* An area of the canvas. */
struct area {
	int row, col, rows, cols;
};

/* Columns that the text takes; it must be valid UTF-8, and a broken byte counts as one column. */
int text_width(const char *text, size_t n);
/* Length in bytes of the longest start of the text that fits in @width columns; *used, if not NULL, is its width. */
size_t text_fit(const char *text, size_t n, int width, int *used);
/* Bytes to remove at the start of the text so that the rest fits in @width columns. */
size_t text_skip(const char *text, size_t n, int width);

/* Change the size, and make all cells blank. False: memory is out, and the canvas has no rows. */
bool canvas_resize(struct canvas *c, int rows, int cols);
void canvas_release(struct canvas *c);
void canvas_clear(struct canvas *c);

/* Draw text from @col on, in at most @width columns; returns the column after it. */
int canvas_put(struct canvas *c, int row, int col, int width, unsigned style, const char *text, size_t n);
int canvas_puts(struct canvas *c, int row, int col, int width, unsigned style, const char *text);
/*
 * Draw a line without its first @skip columns. @more_mark: if it is cut, show '>' in the last column or '<' in the first
 * one.
 */
int canvas_line(struct canvas *c, int row, int col, int width, const struct line *l, int skip, bool more_mark);
/* Fill an area with blanks. */
void canvas_fill(struct canvas *c, int row, int col, int width, unsigned style);
/* Add flags to the styles of the cells. */
void canvas_flag(struct canvas *c, int row, int col, int width, unsigned flag);

/* Whether the cell is blank. */
bool canvas_is_blank(const struct canvas *c, int row, int col);

/* Place the terminal's cursor here, because screen readers and braille displays follow it. */
void canvas_point(struct canvas *c, int row, int col);

/* Copy the text of a row without trailing blanks to @room, for tests. */
size_t canvas_row_text(const struct canvas *c, int row, char *room, size_t size);

/* The forms of a picture of the screen. */
enum screenshot_kind { SCREENSHOT_NONE, SCREENSHOT_SVG, SCREENSHOT_ANSI };
/* The form that a suffix names: .svg, .ans; NONE: another file. */
enum screenshot_kind screenshot_kind_of(const char *path);

#endif
