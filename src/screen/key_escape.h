/*
 * key_escape.h - read sequences of a terminal after an Escape: keys, mouse, pasted text, answers
 *
 * Sequences are read by their grammar (ECMA-48, 5.4) and not by a data base, so an unknown sequence has no effect. Pass
 * the characters after the Escape one by one.
 */
#ifndef KEY_ESCAPE_H
#define KEY_ESCAPE_H

#include "key.h"

#define ESCAPE_BYTES 64		/* bytes kept of a sequence; all known ones are shorter */

enum mouse_what { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

struct mouse {
	enum mouse_what what;
	int button;		/* 0: the left one */
	int row, col;		/* the first one is 0 */
};

struct escape {
	char text[ESCAPE_BYTES];
	size_t n;
	int skip;		/* characters that remain of an old mouse report */
	struct mouse mouse;	/* the event of K_MOUSE */
};

enum escape_end {
	ESCAPE_MORE,		/* the sequence needs more characters */
	ESCAPE_KEY,		/* a key is complete */
	ESCAPE_NOTHING,		/* the sequence is complete, but unknown */
	ESCAPE_TWO		/* the Escape was a key, and the character is another key */
};

enum escape_end escape_add(struct escape *e, uint32_t c, uint32_t *key);
/* End a sequence because no character came in time: ESCAPE_KEY or ESCAPE_NOTHING. */
enum escape_end escape_over(const struct escape *e, uint32_t *key);

#endif
