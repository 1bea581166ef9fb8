/*
 * readable.h - values as people read them: RUNNING, [203 0 113 35], text without escapes
 *
 * Made from the text that --print writes. Each byte knows its place there, so that matches of a search, which are in that
 * text, can be marked.
 */
#ifndef READABLE_H
#define READABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line.h"

#define READABLE_NONE UINT32_MAX	/* the byte is not from the source */

struct readable {
	char *text;
	uint32_t *from;		/* by byte: its place in the source */
	size_t n, room;
};

/* @text: values between their braces, or one value. False: memory is out. */
bool readable_make(struct readable *out, const char *text, size_t n);
/* Add @n bytes that the source does not have, before the byte @at. Without memory nothing changes. */
void readable_insert(struct readable *r, size_t at, const char *text, size_t n);
/* "{ name = 1, text = "x" }" with names and strings in their colours. */
void readable_put(struct line *l, const char *text, size_t n);
void readable_release(struct readable *r);

#endif
