/*
 * palette.h - what colours styles have, on a dark background, on a light one, and where nobody knows
 */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdbool.h>

#include "screen/style.h"

/* How a cell looks. A colour is the terminal's own (-1), one of the 8 plain ones, or one of 256 from 16 on. */
enum { PLAIN_BLACK = 0, PLAIN_YELLOW = 3, PLAIN_CYAN = 6 };
struct look {
	short text, behind;
	bool bold, underline, reverse;
};
/*
 * The look of a style with its flags (STYLE_SELECTED and so on) on a terminal with 256, 8 or 0 colours.
 * BACKGROUND_AUTO: colours that are readable on both backgrounds.
 */
struct look palette_look(unsigned style, enum background background, int colors);

/*
 * The background in COLORFGBG, such as "15;0". AUTO: the variable is not set, or a multiplexer is in between: it
 * keeps the value of a former terminal.
 */
enum background palette_told(void);

#endif
