#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "palette.h"

/* The numbers of the colours, the same on all terminals. */
enum { BLACK = PLAIN_BLACK, RED, GREEN, YELLOW = PLAIN_YELLOW, BLUE, MAGENTA, CYAN = PLAIN_CYAN };
enum { B = 1, U = 2, R = 4 };	/* bold, underlined, reverse */

/*
 * Colours of 256 and of 8 for an unknown, a dark and a light background; weights with colours and without. Each of the
 * 256 has a contrast of at least 4.5: to black if dark, to white if light, to both if unknown, which none of the 8 has.
 */
static const struct {
	short rich[BACKGROUNDS], plain[BACKGROUNDS];
	unsigned weight, mono;
} palette[STYLES] = {
	[STYLE_TEXT] = { { -1, -1, -1 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_DIM] = { { 243, 246, 241 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_TIME] = { { 63, 74, 24 }, { -1, CYAN, BLUE }, 0, 0 },
	[STYLE_ORIGIN] = { { 29, 108, 22 }, { -1, GREEN, MAGENTA }, 0, 0 },
	[STYLE_NAME] = { { 98, 176, 90 }, { -1, YELLOW, MAGENTA }, B, B },
	[STYLE_FIELD] = { { 63, 74, 24 }, { -1, CYAN, BLUE }, 0, 0 },
	[STYLE_STRING] = { { 29, 113, 28 }, { -1, GREEN, MAGENTA }, 0, 0 },
	[STYLE_LOSS] = { { 131, 208, 130 }, { -1, YELLOW, RED }, B, B },
	[STYLE_DAMAGE] = { { 131, 203, 124 }, { -1, YELLOW, RED }, B | R, B },
	[STYLE_HEADING] = { { 243, 246, 241 }, { -1, -1, -1 }, U, U },
	[STYLE_STATUS] = { { -1, -1, -1 }, { -1, -1, -1 }, R, R },
	[STYLE_STATUS_NOTE] = { { -1, -1, -1 }, { -1, -1, -1 }, R | B, R | B },
	[STYLE_KEY] = { { 98, 176, 90 }, { -1, YELLOW, MAGENTA }, B, B },
	[STYLE_ERROR] = { { 131, 203, 124 }, { -1, YELLOW, RED }, B, B },
	[STYLE_BAR] = { { 63, 74, 24 }, { -1, CYAN, BLUE }, 0, 0 },
	[STYLE_HIT] = { { 163, 220, 130 }, { -1, YELLOW, RED }, B, B | U },
	[STYLE_WARNING] = { { 131, 214, 130 }, { -1, YELLOW, RED }, B, B },
	[STYLE_CLASS] = { { 98, 176, 90 }, { -1, YELLOW, MAGENTA }, B, B },
	[STYLE_CLASS + 1] = { { 63, 110, 25 }, { -1, CYAN, BLUE }, B, B },
	[STYLE_CLASS + 2] = { { 29, 108, 22 }, { -1, GREEN, RED }, B, B },
	[STYLE_CLASS + 3] = { { 131, 179, 94 }, { -1, -1, -1 }, B, B },
	[STYLE_CLASS + 4] = { { 163, 80, 23 }, { -1, YELLOW, MAGENTA }, 0, B },
	[STYLE_CLASS + 5] = { { 98, 174, 88 }, { -1, CYAN, BLUE }, 0, B },
	[STYLE_CLASS + 6] = { { 29, 141, 54 }, { -1, GREEN, RED }, 0, B },
	[STYLE_CLASS + 7] = { { 131, 144, 58 }, { -1, -1, -1 }, 0, B },
	[STYLE_RED] = { { 131, 203, 124 }, { RED, RED, RED }, 0, B },
	[STYLE_GREEN] = { { 29, 114, 28 }, { GREEN, GREEN, GREEN }, 0, U },
	[STYLE_YELLOW] = { { 131, 221, 94 }, { YELLOW, YELLOW, YELLOW }, 0, B },
	[STYLE_BLUE] = { { 63, 111, 25 }, { BLUE, BLUE, BLUE }, 0, U },
	[STYLE_MAGENTA] = { { 163, 176, 90 }, { MAGENTA, MAGENTA, MAGENTA }, 0, B },
	[STYLE_CYAN] = { { 29, 80, 23 }, { CYAN, CYAN, CYAN }, 0, U },
	[STYLE_BOLD] = { { -1, -1, -1 }, { -1, -1, -1 }, B, B },
	[STYLE_UNDERLINE] = { { -1, -1, -1 }, { -1, -1, -1 }, U, U },
	[STYLE_STATE] = { { 67, 110, 25 }, { BLUE, BLUE, BLUE }, 0, 0 },
	[STYLE_STATE + 1] = { { 136, 179, 94 }, { YELLOW, YELLOW, YELLOW }, 0, 0 },
	[STYLE_STATE + 2] = { { 65, 108, 22 }, { GREEN, GREEN, GREEN }, 0, 0 },
	[STYLE_STATE + 3] = { { 160, 203, 124 }, { RED, RED, RED }, 0, 0 },
	[STYLE_STATE + 4] = { { 133, 176, 90 }, { MAGENTA, MAGENTA, MAGENTA }, 0, 0 },
	[STYLE_STATE + 5] = { { 31, 80, 23 }, { CYAN, CYAN, CYAN }, 0, 0 },
	[STYLE_STATE + 6] = { { 166, 208, 130 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_STATE + 7] = { { 101, 144, 58 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_STATE + 8] = { { 97, 141, 54 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_STATE + 9] = { { 131, 174, 88 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_STATE + 10] = { { 64, 113, 28 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_STATE + 11] = { { 95, 138, 52 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_STATE_LAST] = { { 244, 246, 241 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_DENSITY] = { { 243, 69, 61 }, { BLUE, CYAN, BLUE }, 0, 0 },
	[STYLE_DENSITY + 1] = { { 63, 74, 25 }, { BLUE, CYAN, BLUE }, 0, 0 },
	[STYLE_DENSITY + 2] = { { 29, 79, 91 }, { GREEN, GREEN, MAGENTA }, 0, B },
	[STYLE_DENSITY + 3] = { { 29, 114, 90 }, { GREEN, GREEN, MAGENTA }, 0, 0 },
	[STYLE_DENSITY + 4] = { { 98, 149, 88 }, { MAGENTA, YELLOW, RED }, 0, B },
	[STYLE_DENSITY + 5] = { { 98, 184, 53 }, { MAGENTA, YELLOW, RED }, 0, 0 },
	[STYLE_DENSITY + 6] = { { 131, 221, 17 }, { RED, RED, -1 }, 0, B },
	[STYLE_DENSITY + 7] = { { 163, 230, 16 }, { RED, RED, -1 }, 0, 0 },
	[STYLE_REVERSE] = { { -1, -1, -1 }, { -1, -1, -1 }, R, R },
};

static short
color_of(unsigned kind, enum background background, int colors)
{
	return colors == 256 ? palette[kind].rich[background] : colors ? palette[kind].plain[background] : -1;
}

/* The look of a style with 8 colours or none: a style without a colour among the 8 looks as if there were none. */
static struct look
plain_look(unsigned kind, enum background background, int colors)
{
	short color = color_of(kind, background, colors);
	bool colored = colors && (color >= 0 || palette[kind].rich[background] < 0);
	unsigned w = colored ? palette[kind].weight : palette[kind].mono;

	return (struct look) { color, -1, w & B, w & U, w & R };
}

struct look
palette_look(unsigned style, enum background background, int colors)
{
	struct look l = plain_look(style & STYLE_KIND, background, colors);
	bool selected = style & STYLE_SELECTED;

	if (style & STYLE_MATCH)
		return colors ? (struct look) { BLACK, YELLOW, selected, selected, false }
			      : (struct look) { -1, -1, true, true, selected };
	if (style & STYLE_FOCUS)
		return colors ? (struct look) { BLACK, CYAN, false, false, false } : (struct look) { -1, -1, true, false, true };
	if (selected)
		return (struct look) { -1, -1, l.bold, false, true };
	if (style >= STYLE_BEHIND)
		l.behind = color_of(STYLE_STATE + style / STYLE_BEHIND - 1, background, colors);
	return l;
}

static bool
is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

enum background
palette_told(void)
{
	const char *told = getenv("COLORFGBG"), *last = told ? strrchr(told, ';') : NULL;
	char *end;
	long color;

	if (!last || is_set("TMUX") || is_set("STY"))
		return BACKGROUND_AUTO;
	color = strtol(last + 1, &end, 10);
	if (end == last + 1 || *end || color < 0 || color > 15)	/* "default", or a number outside of the 16 colours */
		return BACKGROUND_AUTO;
	return color <= 6 || color == 8 ? BACKGROUND_DARK : BACKGROUND_LIGHT;
}
