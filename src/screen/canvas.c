#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <unigbrk.h>
#include <unistr.h>
#include <uniwidth.h>

#include <tnav/text.h>

#include "canvas.h"

static bool
joins(ucs4_t uc)
{
	return uc == 0x200d || uc == 0xfe0e || uc == 0xfe0f || (uc >= 0x1f3fb && uc <= 0x1f3ff);
}

/*
 * Read one character at the start of text[0, n). Returns its bytes; *width is its columns, -1 if it cannot be shown as it
 * is. *before is the last character that is not joined. Terminals disagree about the width of joined sequences (emoji
 * with U+200D, a skin tone or U+FE0F), and a wrong width moves the rest of the row. So a character that joins others is
 * `left_out`, and its parts are drawn side by side.
 */
static size_t
next_character(const char *text, size_t n, ucs4_t *before, int *width, bool *left_out)
{
	ucs4_t uc = (unsigned char)*text;
	int used = 1;

	*left_out = false;
	if (uc < 0x80) {
		*width = uc >= ' ' && uc != 0x7f ? 1 : -1;
	} else if ((used = u8_mbtoucr(&uc, (const uint8_t *)text, n)) <= 0) {
		uc = 0xfffd;
		used = 1;
		*width = -1;
	} else {
		*width = tn_text_is_unsafe(uc) ? -1 : uc_width(uc, "UTF-8");
		if (uc == 0x200d || uc == 0xfe0e || uc == 0xfe0f
		    || (uc >= 0x1f3fb && uc <= 0x1f3ff && *before && uc_width(*before, "UTF-8") == 2)) {
			*width = 0;
			*left_out = true;
		}
	}
	if (*width != 0)
		*before = uc;
	return (size_t)used;
}

/*
 * A place at or before byte @at where the text can be cut without dividing a grapheme cluster (flags, letters with
 * marks). Sequences whose joining characters are left out can be cut, since their parts are drawn side by side.
 */
static size_t
whole_cluster(const char *text, size_t n, size_t at)
{
	const uint8_t *end = (const uint8_t *)text + n, *cut = (const uint8_t *)text + at, *p = (const uint8_t *)text, *next = p;

	while (next && next < cut) {
		p = next;
		next = u8_grapheme_next(p, end);
	}
	if (!next || next == cut || p == (const uint8_t *)text)
		return at;	/* even the first cluster is too wide, so divide it */
	for (const uint8_t *q = p; q < next;) {
		ucs4_t uc;
		int used = u8_mbtouc(&uc, q, (size_t)(next - q));

		if (joins(uc))
			return at;
		q += used > 0 ? used : 1;
	}
	return (size_t)(p - (const uint8_t *)text);
}

size_t
text_fit(const char *text, size_t n, int width, int *used)
{
	ucs4_t before = 0;
	size_t at = 0;
	int column = 0;

	while (at < n) {
		bool left_out;
		int w;
		size_t k = next_character(text + at, n - at, &before, &w, &left_out);

		if (w < 0)
			w = 1;
		if (column + w > width)
			break;
		column += w;
		at += k;
	}
	if (at < n) {
		size_t whole = whole_cluster(text, n, at);

		if (whole < at)
			return text_fit(text, whole, width, used);
	}
	if (used)
		*used = column;
	return at;
}

size_t
text_skip(const char *text, size_t n, int width)
{
	size_t cut = 0;

	while (cut < n && text_width(text + cut, n - cut) > width)
		for (cut++; cut < n && ((unsigned char)text[cut] & 0xc0) == 0x80; cut++)
			;
	return cut;
}

int
text_width(const char *text, size_t n)
{
	int used;

	text_fit(text, n, 1 << 30, &used);
	return used;
}

bool
canvas_resize(struct canvas *c, int rows, int cols)
{
	struct cell *cell;

	rows = rows > 0 ? rows : 0;
	cols = cols > 0 ? cols : 0;
	cell = calloc((size_t)rows * (size_t)cols + 1, sizeof *cell);
	free(c->cell);
	*c = (struct canvas) { .cell = cell, .rows = cell ? rows : 0, .cols = cell ? cols : 0, .cursor_row = -1 };
	canvas_clear(c);
	return cell != NULL;
}

void
canvas_release(struct canvas *c)
{
	free(c->cell);
	*c = (struct canvas) { .cursor_row = -1 };
}

static const struct cell blank = { .text = " ", .n = 1, .width = 1 };

void
canvas_clear(struct canvas *c)
{
	for (int i = 0; i < c->rows * c->cols; i++)
		c->cell[i] = blank;
	c->cursor_row = -1;
}

static struct cell *
at(struct canvas *c, int row, int col)
{
	return &c->cell[(size_t)row * (size_t)c->cols + (size_t)col];
}

/* Make a cell blank. If it was half of a wide character, clear the other half too. */
static void
clear_cell(struct canvas *c, int row, int col, unsigned style)
{
	struct cell *cell = at(c, row, col);

	if (cell->width == 2 && col + 1 < c->cols) {
		cell[1] = blank;
		cell[1].style = cell->style;
	}
	if (cell->width == 0 && col > 0) {
		cell[-1] = blank;
		cell[-1].style = cell->style;
	}
	*cell = blank;
	cell->style = (uint16_t)style;
}

/* A pen that draws characters in the columns from `left` up to `right`. */
struct pen {
	struct canvas *canvas;
	int row, col, left, right;
	struct cell *last;	/* cell that a combining mark joins */
	bool cut;		/* some text did not fit at the right */
};

static void
put_wide(struct pen *p, unsigned style, const char *text, size_t n, int width)
{
	p->last = NULL;
	if (p->col + width > p->right) {
		p->cut = true;
		for (; p->col < p->right && width == 2; p->col++)
			if (p->col >= p->left)
				clear_cell(p->canvas, p->row, p->col, style);
		p->col = p->right;
		return;
	}
	if (p->col < p->left) {	/* if the right half is visible, draw a blank there */
		if (p->col + width > p->left)
			clear_cell(p->canvas, p->row, p->left, style);
	} else {
		for (int i = 0; i < width; i++)
			clear_cell(p->canvas, p->row, p->col + i, style);
		p->last = at(p->canvas, p->row, p->col);
		memcpy(p->last->text, text, n);
		p->last->n = (uint8_t)n;
		p->last->width = (uint8_t)width;
		if (width == 2)
			p->last[1] = (struct cell) { .style = (uint16_t)style };
	}
	p->col += width;
}

static void
put_text(struct pen *p, unsigned style, const char *text, size_t n)
{
	ucs4_t before = 0;

	for (size_t i = 0, k; i < n && !p->cut; i += k) {
		bool left_out;
		int width;

		k = next_character(text + i, n - i, &before, &width, &left_out);
		if (width < 0)
			put_wide(p, style, "?", 1, 1);
		else if (width > 0)
			put_wide(p, style, text + i, k, width);
		else if (p->last && !left_out && p->last->n + k <= CELL_BYTES) {
			memcpy(p->last->text + p->last->n, text + i, k);
			p->last->n = (uint8_t)(p->last->n + k);
		}
	}
}

static bool
start_pen(struct pen *p, struct canvas *c, int row, int col, int width)
{
	if (row < 0 || row >= c->rows || width <= 0 || col >= c->cols)
		return false;
	*p = (struct pen) {
		.canvas = c, .row = row, .col = col, .left = col > 0 ? col : 0,
		.right = width < c->cols - col ? col + width : c->cols,
	};
	return true;
}

int
canvas_put(struct canvas *c, int row, int col, int width, unsigned style, const char *text, size_t n)
{
	struct pen p;

	if (!start_pen(&p, c, row, col, width))
		return col;
	put_text(&p, style, text, n);
	return p.col;
}

int
canvas_puts(struct canvas *c, int row, int col, int width, unsigned style, const char *text)
{
	return canvas_put(c, row, col, width, style, text, strlen(text));
}

int
canvas_line(struct canvas *c, int row, int col, int width, const struct line *l, int skip, bool more_mark)
{
	struct pen p;
	size_t begin = 0;

	if (!start_pen(&p, c, row, col, width))
		return col;
	p.col -= skip;
	for (size_t i = 0; i < l->n_spans && !p.cut; i++) {
		put_text(&p, l->span[i].style, l->text + begin, l->span[i].end - begin);
		begin = l->span[i].end;
	}
	if (p.cut && more_mark && p.right > p.left) {
		clear_cell(c, row, p.right - 1, STYLE_DIM);
		at(c, row, p.right - 1)->text[0] = '>';
	}
	if (skip > 0 && more_mark && l->width > 0 && p.right > p.left) {
		clear_cell(c, row, p.left, STYLE_DIM);
		at(c, row, p.left)->text[0] = '<';
	}
	return p.col > col ? p.col : col;
}

void
canvas_point(struct canvas *c, int row, int col)
{
	if (row < 0 || row >= c->rows || col < 0 || col >= c->cols)
		return;
	c->cursor_row = row;
	c->cursor_col = col;
}

void
canvas_fill(struct canvas *c, int row, int col, int width, unsigned style)
{
	struct pen p;

	if (start_pen(&p, c, row, col, width))
		for (int i = p.left; i < p.right; i++)
			clear_cell(c, row, i, style);
}

void
canvas_flag(struct canvas *c, int row, int col, int width, unsigned flag)
{
	struct pen p;

	if (start_pen(&p, c, row, col, width))
		for (int i = p.left; i < p.right; i++)
			at(c, row, i)->style |= (uint16_t)flag;
}

bool
canvas_is_blank(const struct canvas *c, int row, int col)
{
	const struct cell *cell;

	if (row < 0 || row >= c->rows || col < 0 || col >= c->cols)
		return true;
	cell = &c->cell[(size_t)row * (size_t)c->cols + (size_t)col];
	return cell->width == 1 && cell->n == 1 && cell->text[0] == ' ';
}

size_t
canvas_row_text(const struct canvas *c, int row, char *room, size_t size)
{
	size_t n = 0, used = 0;

	for (int i = 0; i < c->cols; i++) {
		const struct cell *cell = &c->cell[(size_t)row * (size_t)c->cols + (size_t)i];

		if (n + cell->n + 1 > size)
			break;
		memcpy(room + n, cell->text, cell->n);
		n += cell->n;
		if (cell->n && !(cell->n == 1 && cell->text[0] == ' '))
			used = n;
	}
	room[used] = '\0';
	return used;
}

enum screenshot_kind
screenshot_kind_of(const char *path)
{
	size_t n = strlen(path);

	if (n > 4 && strcmp(path + n - 4, ".svg") == 0)
		return SCREENSHOT_SVG;
	return n > 4 && strcmp(path + n - 4, ".ans") == 0 ? SCREENSHOT_ANSI : SCREENSHOT_NONE;
}
