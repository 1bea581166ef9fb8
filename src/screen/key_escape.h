/*
 * key_escape.h - what a terminal sends after an Escape: keys, mouse, pasted text, answers
 *
 * Sequences are read by their grammar (ECMA-48, 5.4), not by the list of a data base: an unknown sequence
 * does nothing. Feed it what follows the Escape, one character after the other.
 */
#ifndef KEY_ESCAPE_H
#define KEY_ESCAPE_H

#include "key.h"

#define ESCAPE_BYTES 64		/* bytes kept of a sequence; tnav knows no longer sequence */

enum mouse_what { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct mouse {
	enum mouse_what what;
	int button;		/* 0: left */
	int row, col;		/* from 0 */
};

struct escape {
	char text[ESCAPE_BYTES];
	size_t n;
	int skip;		/* characters of an old mouse report that are still to come */
	struct mouse mouse;	/* the event of K_MOUSE */
};

enum escape_end {
	ESCAPE_MORE,		/* the sequence continues */
	ESCAPE_KEY,		/* *key is set */
	ESCAPE_NOTHING,		/* the sequence is complete and unknown */
	ESCAPE_TWO		/* the Escape was a key of its own, and so is the character */
};

enum escape_end escape_add(struct escape *e, uint32_t c, uint32_t *key);
/* The time for more characters is over: ESCAPE_KEY or ESCAPE_NOTHING. */
enum escape_end escape_over(const struct escape *e, uint32_t *key);

#endif
