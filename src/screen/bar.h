/*
 * bar.h - a number as the length of a bar of cells
 */
#ifndef BAR_H
#define BAR_H

#include <stdbool.h>

#define BAR_CELLS 20
#define BAR_TEXT (4 * BAR_CELLS + 1)

/* @share: 1 is the whole bar of BAR_CELLS cells. More than 0 is at least the least sign. */
void bar_text(double share, bool utf8, char out[BAR_TEXT]);

#endif
