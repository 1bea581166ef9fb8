#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "palette.h"

enum { BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN };	/* as all terminals number them */
enum { B = 1, U = 2, R = 4 };	/* bold, underlined, reverse */

/* Of 256, and of 8: where nobody knows, on dark, on light. Weights with colours and without. */
static const struct {
	short rich[BACKGROUNDS], plain[BACKGROUNDS];
	unsigned weight, mono;
} palette[STYLES] = {
	[STYLE_TEXT] = { { -1, -1, -1 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_DIM] = { { 244, 246, 241 }, { -1, -1, -1 }, 0, 0 },
	[STYLE_TIME] = { { 31, 74, 24 }, { CYAN, CYAN, BLUE }, 0, 0 },
	[STYLE_ORIGIN] = { { 65, 108, 22 }, { GREEN, GREEN, GREEN }, 0, 0 },
	[STYLE_NAME] = { { 133, 176, 90 }, { MAGENTA, MAGENTA, MAGENTA }, B, B },
	[STYLE_FIELD] = { { 31, 74, 24 }, { CYAN, CYAN, BLUE }, 0, 0 },
	[STYLE_STRING] = { { 64, 113, 28 }, { GREEN, GREEN, GREEN }, 0, 0 },
	[STYLE_LOSS] = { { 166, 208, 130 }, { RED, RED, RED }, B, B },
	[STYLE_DAMAGE] = { { 160, 203, 124 }, { RED, RED, RED }, B | R, B },
	[STYLE_HEADING] = { { 244, 246, 241 }, { -1, -1, -1 }, U, U },
	[STYLE_STATUS] = { { -1, -1, -1 }, { -1, -1, -1 }, R, R },
	[STYLE_STATUS_NOTE] = { { -1, -1, -1 }, { -1, -1, -1 }, R | B, R | B },
	[STYLE_KEY] = { { 133, 176, 90 }, { MAGENTA, MAGENTA, MAGENTA }, B, B },
	[STYLE_ERROR] = { { 160, 203, 124 }, { RED, RED, RED }, B, B },
	[STYLE_BAR] = { { 31, 74, 24 }, { CYAN, CYAN, BLUE }, 0, 0 },
	[STYLE_HIT] = { { 130, 220, 130 }, { YELLOW, YELLOW, RED }, B, B | U },
	[STYLE_WARNING] = { { 166, 214, 130 }, { YELLOW, YELLOW, RED }, B, B },
	[STYLE_CLASS] = { { 133, 176, 90 }, { MAGENTA, MAGENTA, MAGENTA }, B, B },
	[STYLE_CLASS + 1] = { { 67, 110, 25 }, { BLUE, BLUE, BLUE }, B, B },
	[STYLE_CLASS + 2] = { { 65, 108, 22 }, { GREEN, GREEN, GREEN }, B, B },
	[STYLE_CLASS + 3] = { { 136, 179, 94 }, { YELLOW, YELLOW, RED }, B, B },
	[STYLE_CLASS + 4] = { { 31, 80, 23 }, { CYAN, CYAN, BLUE }, B, B },
	[STYLE_CLASS + 5] = { { 131, 174, 88 }, { MAGENTA, MAGENTA, MAGENTA }, 0, B },
	[STYLE_CLASS + 6] = { { 97, 141, 54 }, { BLUE, CYAN, BLUE }, 0, B },
	[STYLE_CLASS + 7] = { { 101, 144, 58 }, { GREEN, GREEN, GREEN }, 0, B },
	[STYLE_RED] = { { 160, 203, 124 }, { RED, RED, RED }, 0, B },
	[STYLE_GREEN] = { { 65, 114, 28 }, { GREEN, GREEN, GREEN }, 0, U },
	[STYLE_YELLOW] = { { 136, 221, 94 }, { YELLOW, YELLOW, YELLOW }, 0, B },
	[STYLE_BLUE] = { { 67, 111, 25 }, { BLUE, BLUE, BLUE }, 0, U },
	[STYLE_MAGENTA] = { { 133, 176, 90 }, { MAGENTA, MAGENTA, MAGENTA }, 0, B },
	[STYLE_CYAN] = { { 31, 80, 23 }, { CYAN, CYAN, CYAN }, 0, U },
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
	[STYLE_REVERSE] = { { -1, -1, -1 }, { -1, -1, -1 }, R, R },
};

struct shade
palette_shade(enum style style, enum background background)
{
	return (struct shade) { palette[style].rich[background], palette[style].plain[background] };
}

struct weight
palette_weight(enum style style, bool color)
{
	unsigned w = color ? palette[style].weight : palette[style].mono;

	return (struct weight) { w & B, w & U, w & R };
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
	if (end == last + 1 || *end || color < 0 || color > 15)	/* "default", and what is not of the 16 */
		return BACKGROUND_AUTO;
	return color <= 6 || color == 8 ? BACKGROUND_DARK : BACKGROUND_LIGHT;
}
