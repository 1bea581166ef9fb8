/*
 * screenshot.h - a canvas as a file: SVG, or text with the escapes of colours
 *
 * The colours are those of terminals with 256, on the background that is given. AUTO is the
 * background that the terminal reports, else dark.
 */
#ifndef SCREENSHOT_H
#define SCREENSHOT_H

#include "screen/canvas.h"

/* The file's *n bytes, malloc()ed; NULL: out of memory. */
char *screenshot_make(enum screenshot_kind kind, const struct canvas *canvas, enum background background, size_t *n);

#endif
