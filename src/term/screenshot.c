/*
 * screenshot.c - write a canvas as a file
 *
 * Text of a trace was already made safe for a terminal when its line was built; this file also escapes XML.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "palette.h"
#include "screenshot.h"

enum { CELL_WIDTH = 9, CELL_HEIGHT = 19, BASE_LINE = 14, FONT_SIZE = 15 };
enum { BLACK = 16, YELLOW = 184, CYAN = 44 };	/* the plain colours as terminals usually show them, of 256 */

/* One of the 256 colours in place of a plain one. */
static short
fixed(short color)
{
	return color == PLAIN_BLACK ? BLACK : color == PLAIN_YELLOW ? YELLOW : color == PLAIN_CYAN ? CYAN : color;
}

static struct look
look_of(unsigned style, enum background background)
{
	struct look l = palette_look(style, background, 256);

	l.text = fixed(l.text);
	l.behind = fixed(l.behind);
	return l;
}

static bool
is_same(const struct look *a, const struct look *b)
{
	return a->text == b->text && a->behind == b->behind && a->bold == b->bold && a->underline == b->underline &&
	       a->reverse == b->reverse;
}

/*
 * Find a run of cells that look alike, from *col on. *col is then the first cell after the run; *blank: the run has no
 * characters.
 */
static struct look
next_run(const struct canvas *c, const struct cell *row, int *col, enum background background, bool *blank)
{
	struct look look = look_of(row[*col].style, background);

	*blank = true;
	do {
		const struct cell *cell = &row[(*col)++];

		*blank &= !cell->width || (cell->n == 1 && *cell->text == ' ') || !cell->n;
		while (*col < c->cols && !row[*col].width)	/* tail of a wide character */
			(*col)++;
		if (*col < c->cols) {
			struct look next = look_of(row[*col].style, background);

			if (!is_same(&look, &next))
				break;
		}
	} while (*col < c->cols);
	return look;
}

/* ---- SVG ---- */

static unsigned
rgb(short color, unsigned other)
{
	static const unsigned level[] = { 0, 95, 135, 175, 215, 255 };
	unsigned n = (unsigned)color - 16;

	if (color < 16)
		return other;
	if (n >= 216)
		return (8 + 10 * (n - 216)) * 0x10101;
	return level[n / 36] << 16 | level[n / 6 % 6] << 8 | level[n % 6];
}

static void
put_xml(FILE *out, const struct cell *cell)
{
	for (size_t i = 0; i < cell->n; i++) {
		unsigned char b = (unsigned char)cell->text[i];

		/* Replace U+FFFE and U+FFFF, the only characters above U+0020 that XML does not allow. */
		if (cell->n - i >= 3 && b == 0xef && (unsigned char)cell->text[i + 1] == 0xbf &&
		    (unsigned char)cell->text[i + 2] >= 0xbe) {
			fputc('?', out);
			i += 2;
		} else if (b == '&' || b == '<' || b == '>') {
			fputs(b == '&' ? "&amp;" : b == '<' ? "&lt;" : "&gt;", out);
		} else {
			fputc(b < 0x20 || b == 0x7f ? '?' : b, out);
		}
	}
}

static void
put_svg(FILE *out, const struct canvas *c, enum background background)
{
	bool light = background == BACKGROUND_LIGHT;
	unsigned page = light ? 0xffffff : 0x16181c, ink = light ? 0x1f2328 : 0xd8dee9;
	int width = c->cols * CELL_WIDTH, height = c->rows * CELL_HEIGHT;

	fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"\n"
		" font-family=\"ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace\" font-size=\"%d\" role=\"img\">\n"
		"<title>tnav</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
		width, height, width, height, FONT_SIZE, width, height, page);
	for (int y = 0; y < c->rows; y++) {
		const struct cell *row = c->cell + (size_t)y * (size_t)c->cols;

		for (int x = 0, from; x < c->cols;) {
			bool blank;
			struct look look = next_run(c, row, (from = x, &x), background, &blank);
			unsigned text = rgb(look.text, ink), behind = rgb(look.behind, page);
			int wide = (x - from) * CELL_WIDTH;

			if (look.reverse) {
				unsigned swap = text;

				text = behind;
				behind = swap;
			}
			if (behind != page)
				fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n",
					from * CELL_WIDTH, y * CELL_HEIGHT, wide, CELL_HEIGHT, behind);
			if (blank && !look.underline)
				continue;
			fprintf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\" "
				"xml:space=\"preserve\" fill=\"#%06x\"%s%s>", from * CELL_WIDTH, y * CELL_HEIGHT + BASE_LINE, wide,
				text, look.bold ? " font-weight=\"bold\"" : "",
				look.underline ? " text-decoration=\"underline\"" : "");
			for (int i = from; i < x; i++)
				if (row[i].width)
					put_xml(out, &row[i]);
			fputs("</text>\n", out);
		}
	}
	fputs("</svg>\n", out);
}

/* ---- text with escapes ---- */

static void
put_ansi(FILE *out, const struct canvas *c, enum background background)
{
	for (int y = 0; y < c->rows; y++) {
		const struct cell *row = c->cell + (size_t)y * (size_t)c->cols;

		for (int x = 0, from; x < c->cols;) {
			bool blank;
			struct look look = next_run(c, row, (from = x, &x), background, &blank);

			fprintf(out, "\033[0%s%s%s", look.bold ? ";1" : "", look.underline ? ";4" : "", look.reverse ? ";7" : "");
			if (look.text >= 0)
				fprintf(out, ";38;5;%d", look.text);
			if (look.behind >= 0)
				fprintf(out, ";48;5;%d", look.behind);
			fputc('m', out);
			for (int i = from; i < x; i++)
				if (row[i].width)
					fwrite(row[i].text, 1, row[i].n, out);
		}
		fputs("\033[0m\n", out);
	}
}

char *
screenshot_make(enum screenshot_kind kind, const struct canvas *canvas, enum background background, size_t *n)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, n);
	bool failed;

	if (!out)
		return NULL;
	if (background == BACKGROUND_AUTO)
		background = palette_told() == BACKGROUND_LIGHT ? BACKGROUND_LIGHT : BACKGROUND_DARK;
	if (kind == SCREENSHOT_SVG)
		put_svg(out, canvas, background);
	else
		put_ansi(out, canvas, background);
	failed = ferror(out);
	if (fclose(out) == 0 && !failed)
		return text;
	free(text);
	return NULL;
}
