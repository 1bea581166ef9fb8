#include <config.h>

#include <math.h>
#include <stdlib.h>

#include <criterion/criterion.h>

#include "term/palette.h"

/* How bright one of the 256 colours is, 0 to 1, as WCAG 2 reckons it (the cube and the greys of xterm). */
static double
part(int value)
{
	double v = value / 255.0;

	return v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double
brightness(int color)
{
	static const int level[] = { 0, 95, 135, 175, 215, 255 };
	int r, g, b;

	if (color >= 232) {
		r = g = b = 8 + (color - 232) * 10;
	} else {
		r = level[(color - 16) / 36];
		g = level[(color - 16) / 6 % 6];
		b = level[(color - 16) % 6];
	}
	return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
}

/* How bright one of the 8 is, as xterm shows it. */
static double
plain_brightness(int color)
{
	return (color & 1 ? 0.2126 : 0) * part(205) + (color & 2 ? 0.7152 : 0) * part(205) +
	       (color & 4 ? 0.0722 : 0) * part(color == 4 ? 238 : 205);
}

/* The plain text; the colours that a user's rule names have these names. */
static bool
is_text(unsigned style)
{
	return style < STYLE_RED;
}

Test(palette, text_of_8_and_16_colours_can_be_read_on_its_background)
{
	for (unsigned style = 0; style < STYLES; style++) {
		for (unsigned on = 0; on < BACKGROUNDS && is_text(style); on++) {
			int color = palette_look(style, (enum background)on, 8).text;

			cr_assert_eq(palette_look(style, (enum background)on, 16).text, color, "style %u", style);
			if (color == -1)
				continue;
			if (on != BACKGROUND_LIGHT)
				cr_expect_gt((plain_brightness(color) + 0.05) / 0.05, 4.5, "style %u on dark", style);
			if (on != BACKGROUND_DARK)
				cr_expect_gt(1.05 / (plain_brightness(color) + 0.05), 4.5, "style %u on light", style);
		}
	}
}

Test(palette, every_colour_can_be_read_on_its_background)
{
	for (unsigned style = 0; style < STYLES; style++) {
		for (unsigned on = 0; on < BACKGROUNDS; on++) {
			short plain = palette_look(style, (enum background)on, 8).text;
			short color = palette_look(style, (enum background)on, 256).text;
			double dark, light;

			cr_assert(plain >= -1 && plain <= 6, "style %u", style);
			if (color == -1)
				continue;
			cr_assert(color >= 16, "style %u: one of the 16 that terminals change", style);
			dark = (brightness(color) + 0.05) / 0.05;
			light = 1.05 / (brightness(color) + 0.05);
			if (on != BACKGROUND_LIGHT)
				cr_assert_gt(dark, on == BACKGROUND_DARK ? 6 : style < STYLE_STATE ? 4.5 : 3, "style %u, %u: %g", style, on, dark);
			if (on != BACKGROUND_DARK)
				cr_assert_gt(light, on == BACKGROUND_LIGHT || style < STYLE_STATE ? 4.5 : 3, "style %u, %u: %g", style, on, light);
		}
	}
}

Test(palette, what_terminals_tell)
{
	static const struct { const char *told, *tmux; enum background want; } row[] = {
		{ "15;0", NULL, BACKGROUND_DARK }, { "0;15", NULL, BACKGROUND_LIGHT }, { "0;7", NULL, BACKGROUND_LIGHT },
		{ "7;default;8", NULL, BACKGROUND_DARK }, { "0;default;15", "", BACKGROUND_LIGHT },
		{ "15;default", NULL, BACKGROUND_AUTO }, { "15", NULL, BACKGROUND_AUTO }, { "", NULL, BACKGROUND_AUTO },
		{ "0;99", NULL, BACKGROUND_AUTO }, { "0;-1", NULL, BACKGROUND_AUTO }, { "0;", NULL, BACKGROUND_AUTO },
		{ "0;7x", NULL, BACKGROUND_AUTO }, { NULL, NULL, BACKGROUND_AUTO },
		{ "0;15", "/tmp/tmux-0/default,1,0", BACKGROUND_AUTO },
	};

	unsetenv("STY");
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		unsetenv("COLORFGBG");
		unsetenv("TMUX");
		if (row[i].told)
			setenv("COLORFGBG", row[i].told, 1);
		if (row[i].tmux)
			setenv("TMUX", row[i].tmux, 1);
		cr_assert_eq(palette_told(), row[i].want, "row %zu", i);
	}
}

/* Flags over a style, on terminals with colours and without. */
Test(palette, a_flag_replaces_what_is_below)
{
	static const struct { unsigned style; int colors; struct look want; } row[] = {
		{ STYLE_NAME, 256, { 176, -1, true, false, false } },
		{ STYLE_NAME | STYLE_SELECTED, 256, { -1, -1, true, false, true } },
		{ STYLE_TIME | STYLE_SELECTED, 0, { -1, -1, false, false, true } },
		{ STYLE_TIME | STYLE_FOCUS | STYLE_SELECTED, 8, { 0, 6, false, false, false } },
		{ STYLE_TIME | STYLE_FOCUS, 0, { -1, -1, true, false, true } },
		{ STYLE_TIME | STYLE_MATCH | STYLE_FOCUS, 8, { 0, 3, false, false, false } },
		{ STYLE_TIME | STYLE_MATCH | STYLE_SELECTED, 256, { 0, 3, true, true, false } },
		{ STYLE_TIME | STYLE_MATCH | STYLE_SELECTED, 0, { -1, -1, true, true, true } },
		{ STYLE_TEXT | STYLE_ON_STATE(1), 256, { -1, 179, false, false, false } },
		{ STYLE_TEXT | STYLE_ON_STATE(1) | STYLE_SELECTED, 256, { -1, -1, false, false, true } },
		{ STYLE_TEXT | STYLE_ON_STATE(1), 0, { -1, -1, false, false, false } },
		/* Without a colour among the 8 a style has the weight of a terminal without any. */
		{ STYLE_CLASS + 7, 8, { -1, -1, true, false, false } },
		{ STYLE_CLASS + 7, 256, { 144, -1, false, false, false } },
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct look l = palette_look(row[i].style, BACKGROUND_DARK, row[i].colors), want = row[i].want;

		cr_expect(l.text == want.text && l.behind == want.behind && l.bold == want.bold && l.underline == want.underline &&
			  l.reverse == want.reverse, "row %zu: %d on %d, %d%d%d", i, l.text, l.behind, l.bold, l.underline, l.reverse);
	}
}
