/*
 * screenshot.h - write a canvas as a file: SVG, or text with escape sequences
 *
 * Colours are those of terminals with 256 colours, on the given background. AUTO: the background that the terminal
 * reports, or else dark.
 */
#ifndef SCREENSHOT_H
#define SCREENSHOT_H

#include "screen/canvas.h"

/* Make the file's content, *n bytes, which the caller frees. NULL: out of memory. */
char *screenshot_make(enum screenshot_kind kind, const struct canvas *canvas, enum background background, size_t *n);

#endif
