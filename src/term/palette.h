/* palette.h - the colours of styles, for dark, light and unknown backgrounds */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdbool.h>

#include "screen/style.h"

/* The look of a cell. A colour is -1 (the terminal's default), one of the 8 plain colours, or one of 256 from 16 on. */
enum { PLAIN_BLACK = 0, PLAIN_YELLOW = 3, PLAIN_CYAN = 6 };
struct look {
	short text, behind;
	bool bold, underline, reverse;
};
/*
 * The look of a style with its flags (STYLE_SELECTED and so on) on a terminal with 256, 8 or 0 colours. BACKGROUND_AUTO:
 * use colours that are readable on both backgrounds.
 */
struct look palette_look(unsigned style, enum background background, int colors);

/* The background in COLORFGBG, such as "15;0". AUTO: it is not set, or a multiplexer runs, in which it may be outdated. */
enum background palette_told(void);

#endif
