/*
 * readable.h - values in a form for people: RUNNING, [203 0 113 35], strings without escapes
 *
 * The text is made from the lines of --print. For each byte it has the place in that source, where a search finds its
 * matches, so that they can be marked.
 */
#ifndef READABLE_H
#define READABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"

#define READABLE_NONE UINT32_MAX	/* the source lacks this byte */

struct readable {
	char *text;
	uint32_t *from;		/* place in the source of each byte */
	size_t n, room;
};

/* Make readable text of @text: values in braces, or a single value. False: memory is out. */
bool readable_make(struct readable *out, const char *text, size_t n);
/* Insert @n bytes that the source lacks before byte @at. If memory is out, nothing changes. */
void readable_insert(struct readable *r, size_t at, const char *text, size_t n);
/* Append a text such as "{ name = 1, text = "x" }", with styles for names and strings. */
void readable_put(struct line *l, const char *text, size_t n);
void readable_release(struct readable *r);

#endif
