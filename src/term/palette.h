/*
 * palette.h - what colours styles have, on a dark background, on a light one, and where nobody knows
 */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdbool.h>

#include "screen/style.h"

struct shade {
	short color256, color8;		/* -1: the terminal's own */
};

/* BACKGROUND_AUTO has tones that both backgrounds show. */
struct shade palette_shade(enum style style, enum background background);
/* How a style differs by more than its colour; @color: for a terminal with colours. */
struct weight {
	bool bold, underline, reverse;
};
struct weight palette_weight(enum style style, bool color);

/*
 * The background that terminals tell in COLORFGBG, "15;0"; AUTO: none, or a multiplexer is in between, which keeps what
 * another terminal told once.
 */
enum background palette_told(void);

#endif
