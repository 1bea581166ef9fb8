/*
 * key.h - keys and their names
 *
 * A key is a Unicode character (which includes control characters: Enter is 13, Ctrl-F is 6), one of KEYS, or either with
 * K_ALT. Names: a character is its own name; others are "^F" for Ctrl-F, "<Enter>", "<PgUp>", "<F1>", "<lt>" for "<",
 * "<M-u>" for Alt-u. The name of a sequence is its keys' names together: "]s".
 */
#ifndef KEY_H
#define KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEYS(K) \
	K(UP, "Up") K(DOWN, "Down") K(LEFT, "Left") K(RIGHT, "Right") K(HOME, "Home") K(END, "End") \
	K(PGUP, "PgUp") K(PGDN, "PgDn") K(INSERT, "Insert") K(DELETE, "Delete") K(BACKSPACE, "BS") \
	K(BACKTAB, "S-Tab") K(F1, "F1") K(F2, "F2") K(F3, "F3") K(F4, "F4") K(F5, "F5") K(F6, "F6") \
	K(F7, "F7") K(F8, "F8") K(F9, "F9") K(F10, "F10") K(F11, "F11") K(F12, "F12")

enum {
	K_NONE = 0,
	K_TAB = 9,
	K_ENTER = 13,
	K_ESC = 27,
	K_FIRST = 0x110000,	/* the number after the last Unicode character */
#define K(name, text) K_##name,
	KEYS(K)
#undef K
	/* Events that are not keys. */
	K_RESIZE,		/* the size of the terminal changed */
	K_PASTE_BEGIN, K_PASTE_END,
	K_MOUSE,
	K_ALT = 0x1000000,
	K_PASTED = 0x2000000	/* flag: the character was pasted, and is text */
};
#define K_CTRL(letter) ((letter) & 0x1f)

#define KEY_SEQUENCE 4		/* largest number of keys in a sequence */
#define KEY_NAME 64		/* bytes for the name of a sequence */

/* Parse the keys of @text, at most KEY_SEQUENCE. Returns their number; 0: a mistake, whose place is *bad. */
size_t keys_parse(uint32_t keys[KEY_SEQUENCE], const char *text, const char **bad);
/* Write the name of a sequence; returns @room. */
const char *keys_name(const uint32_t *keys, size_t n, char *room, size_t size);
/* The UTF-8 bytes of a key that types a character; returns their number, 0 for another key. */
size_t key_text(uint32_t key, char room[4]);

#endif
