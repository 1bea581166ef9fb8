#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unigbrk.h>
#include <unistr.h>

#include <tnav/text.h>

#include "screen/canvas.h"

static const char *
row(const struct canvas *c, int i)
{
	static char text[4][512];
	static int turn;
	char *room = text[turn++ % 4];

	canvas_row_text(c, i, room, sizeof text[0]);
	return room;
}

/* No character that the library's list of unsafe ones has gets into a cell. */
Test(canvas, nothing_unsafe_is_drawn)
{
	struct canvas c = { .rows = 0 };

	cr_assert(canvas_resize(&c, 1, 10));
	for (uint32_t uc = 1; uc < 0x110000; uc++) {
		uint8_t text[6];
		int n = uc >= 0xd800 && uc < 0xe000 ? 0 : u8_uctomb(text, uc, sizeof text);

		if (n <= 0 || !tn_text_is_unsafe(uc))
			continue;
		cr_assert_eq(canvas_put(&c, 0, 0, 10, 0, (const char *)text, (size_t)n), 1, "U+%04X", (unsigned)uc);
		cr_assert_str_eq(row(&c, 0), "?", "U+%04X", (unsigned)uc);
	}
	canvas_release(&c);
}

/* Texts put at places, and the resulting row of ten columns. */
Test(canvas, text_is_cut_by_width)
{
	static const struct {
		int col, width;
		const char *text, *want;
		int end;
	} rows[] = {
		{ 0, 10, "hello", "hello", 5 },
		{ 7, 10, "hello", "       hel", 10 },	/* the canvas ends */
		{ 0, 3, "hello", "hel", 3 },		/* the area ends */
		{ -2, 10, "hello", "llo", 3 },		/* it begins before the canvas */
		{ 12, 10, "hello", "", 12 },
		{ 0, 0, "hello", "", 0 },
		{ 0, 10, "日本", "日本", 4 },		/* two columns each */
		{ 0, 3, "日本", "日", 3 },		/* half of a character is none */
		{ -1, 10, "日本", " 本", 3 },
		{ 0, 10, "e\u0301x", "e\u0301x", 2 },	/* a mark is on its letter */
		{ 0, 1, "e\u0301x", "e\u0301", 1 },
		{ 0, 10, "a\tb\x1b[1m", "a?b?[1m", 7 },	/* nothing that a terminal obeys */
		{ 0, 10, "\u202e\u200bx\xc2\x85", "??x?", 4 },
		{ 0, 10, "\u061c\u3164\U000e0041\u115f\u180e", "?????", 5 },	/* nor what nobody sees */
		{ 0, 10, "\xff\xfe", "??", 2 },		/* no UTF-8 */
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct canvas c = { 0 };
		int end;

		cr_assert(canvas_resize(&c, 1, 10));
		end = canvas_puts(&c, 0, rows[i].col, rows[i].width, STYLE_TEXT, rows[i].text);
		cr_assert_str_eq(row(&c, 0), rows[i].want, "row %zu: '%s'", i, row(&c, 0));
		cr_assert_eq(end, rows[i].end, "row %zu: ends at %d", i, end);
		canvas_release(&c);
	}
}

/* Clusters of several characters: as many columns as every terminal gives to what is sent to it. */
Test(canvas, clusters_have_one_width_everywhere)
{
	static const struct {
		const char *text, *want;
		int width;
	} rows[] = {
		{ "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\U0001f469\U0001f467", 6 },	/* a family */
		{ "\U0001f44d\U0001f3fd", "\U0001f44d", 2 },	/* a thumb with a skin tone */
		{ "\U0001f3fd", "\U0001f3fd", 2 },		/* the tone alone */
		{ "x\U0001f3fd", "x\U0001f3fd", 3 },
		{ "\u2764\ufe0f", "\u2764", 1 },		/* a heart that asks to be an emoji */
		{ "1\ufe0f\u20e3", "1\u20e3", 1 },	/* a key cap */
		{ "\U0001f1e9\U0001f1ea", "\U0001f1e9\U0001f1ea", 2 },	/* a flag */
		{ "\u0e17\u0e35\u0e48", "\u0e17\u0e35\u0e48", 1 },	/* Thai: two marks on a letter */
		{ "\u0915\u094d\u0937\u093f", "\u0915\u094d\u0937\u093f", 3 },	/* Devanagari */
		{ "\u1100\u1161\u11a8", "\u1100\u1161\u11a8", 2 },	/* Hangul in three letters */
		{ "\u0646\u200c\u0647", "\u0646\u200c\u0647", 2 },	/* Persian: not joined */
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct canvas c = { 0 };
		size_t n = strlen(rows[i].text);
		int end;

		cr_assert(canvas_resize(&c, 1, 10));
		end = canvas_puts(&c, 0, 0, 10, STYLE_TEXT, rows[i].text);
		cr_assert_str_eq(row(&c, 0), rows[i].want, "row %zu: '%s'", i, row(&c, 0));
		cr_assert_eq(end, rows[i].width, "row %zu: ends at %d", i, end);
		cr_assert_eq(text_width(rows[i].text, n), rows[i].width, "row %zu: is %d wide", i, text_width(rows[i].text, n));
		cr_assert_eq(text_fit(rows[i].text, n, rows[i].width, NULL), n, "row %zu", i);
		canvas_release(&c);
	}
}

/* Cut at every width: never inside of one character by libunistring, except where parts are side by side. */
Test(canvas, clusters_are_not_cut)
{
	static const struct { const char *text; bool side_by_side; } rows[] = {
		{ "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7x", false },			/* two flags */
		{ "a\U0001f1ef\U0001f1f5\U0001f1e8\U0001f1f3", false },
		{ "e\u0301e\u0301o\u0308\u0304z", false },					/* letters with marks */
		{ "\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48", false },				/* Thai */
		/* Devanagari: marks that take columns. */
		{ "\u0928\u093f\u0932\u094b\u0924\u094d\u092a", false },
		{ "\u1100\u1161\u11a8\u1102\u1161", false },					/* Hangul in letters */
		{ "\uac01\u11a8x\u6f22\u5b57", false },
		{ "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd", false },			/* Hebrew with points */
		{ "\U0001f468\u200d\U0001f469\u200d\U0001f467", true },
		{ "x\U0001f44d\U0001f3fdy", true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].text), at;
		const uint8_t *begin = (const uint8_t *)rows[i].text, *p, *next;
		int all = text_width(rows[i].text, n), used, before = 0;

		for (int width = 0; width <= all; width++) {
			at = text_fit(rows[i].text, n, width, &used);
			cr_assert(used <= width && used >= before, "row %zu, width %d: takes %d", i, width, used);
			before = used;
			cr_assert_eq(text_width(rows[i].text, at), used, "row %zu, width %d", i, width);
			for (p = begin; p < begin + at; p = next)
				next = u8_grapheme_next(p, begin + n);
			/* The first one is cut where it is alone and wider. */
			next = u8_grapheme_next(begin, begin + n);
			cr_assert(p == begin + at || rows[i].side_by_side || begin + at < next, "row %zu, width %d: cut inside", i, width);
		}
		cr_assert_eq(at, n, "row %zu", i);
	}
}

/* Overwriting half of a wide character takes the other half away. */
Test(canvas, no_half_characters_stay)
{
	struct canvas c = { 0 };

	cr_assert(canvas_resize(&c, 1, 6));
	canvas_puts(&c, 0, 0, 6, STYLE_TEXT, "日本語");
	canvas_puts(&c, 0, 1, 1, STYLE_TEXT, "x");
	cr_assert_str_eq(row(&c, 0), " x本語");
	canvas_puts(&c, 0, 2, 1, STYLE_TEXT, "y");
	cr_assert_str_eq(row(&c, 0), " xy 語");
	for (int i = 0; i < 6; i++) {
		const struct cell *cell = &c.cell[i];

		cr_assert(cell->width != 2 || (i < 5 && cell[1].width == 0), "cell %d", i);
		cr_assert(cell->width != 0 || (i > 0 && cell[-1].width == 2), "cell %d", i);
	}
	canvas_release(&c);
}

Test(canvas, lines_scroll_sideways)
{
	static const struct { int skip; bool mark; const char *want; } rows[] = {
		{ 0, false, "abcd日" }, { 0, true, "abcd >" }, { 1, true, "<cd日>" }, { 4, true, "< 本x" },
		{ 4, false, "日本x" }, { 5, true, "<本x" }, { 20, true, "<" },
	};
	struct line l = { 0 };

	line_puts(&l, STYLE_NAME, "abcd");
	line_puts(&l, STYLE_TEXT, "日本x");
	cr_assert_eq(l.width, 9);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct canvas c = { 0 };

		cr_assert(canvas_resize(&c, 1, 6));
		canvas_line(&c, 0, 0, 6, &l, rows[i].skip, rows[i].mark);
		cr_assert_str_eq(row(&c, 0), rows[i].want, "row %zu: '%s'", i, row(&c, 0));
		canvas_release(&c);
	}
	line_release(&l);
}

Test(canvas, nothing_outside_is_touched)
{
	struct canvas c = { 0 };

	cr_assert(canvas_resize(&c, 2, 4));
	canvas_puts(&c, -1, 0, 4, STYLE_TEXT, "x");
	canvas_puts(&c, 2, 0, 4, STYLE_TEXT, "x");
	canvas_fill(&c, 1, -5, 100, STYLE_STATUS);
	canvas_flag(&c, 1, 2, 100, STYLE_SELECTED);
	cr_assert_str_eq(row(&c, 0), "");
	cr_assert_eq(c.cell[0].style, STYLE_TEXT);
	cr_assert_eq(c.cell[5].style, STYLE_STATUS);
	cr_assert_eq(c.cell[7].style, STYLE_STATUS | STYLE_SELECTED);
	cr_assert(canvas_resize(&c, -3, 5));
	cr_assert_eq(c.rows, 0);
	canvas_puts(&c, 0, 0, 4, STYLE_TEXT, "x");
	canvas_release(&c);
}

/* Flags split spans where they must and nowhere else. */
Test(line, flags_cover_what_they_say)
{
	struct line l = { 0 };
	char got[64] = "";

	line_puts(&l, STYLE_TIME, "abc");
	line_puts(&l, STYLE_NAME, "def");
	line_flag(&l, 2, 4, STYLE_MATCH);
	line_flag(&l, 5, 5, STYLE_MATCH);
	for (size_t i = 0, at = 0; i < l.n_spans; at = l.span[i++].end)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s", i ? " " : "",
			 (int)(l.span[i].end - at), l.text + at);
	cr_assert_str_eq(got, "ab c d ef");
	cr_assert_eq(l.span[1].style, STYLE_TIME | STYLE_MATCH);
	cr_assert_eq(l.span[2].style, STYLE_NAME | STYLE_MATCH);
	cr_assert_eq(l.span[3].style, STYLE_NAME);
	line_release(&l);
}

Test(line, columns_are_filled_up)
{
	struct line l = { 0 };

	line_puts(&l, STYLE_TEXT, "日");
	line_pad(&l, 4, true);
	line_right(&l, STYLE_TEXT, "12", 5);
	line_pad(&l, 3, true);
	line_puts_unsafe(&l, STYLE_TEXT, "\x1b");
	cr_assert_str_eq(l.text, "日     12 \\x1b");
	cr_assert_eq(l.width, 14);
	line_release(&l);
}
