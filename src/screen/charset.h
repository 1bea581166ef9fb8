/*
 * charset.h - the characters that the terminal can show
 *
 * The environment names them (LC_ALL, LC_CTYPE, LANG). If it names none, as in containers, or a locale that is not
 * installed, tnav uses the characters of C.UTF-8; "C" and "POSIX" mean ASCII.
 */
#ifndef CHARSET_H
#define CHARSET_H

#include <stdbool.h>

/*
 * Set up characters and messages according to the environment. Dates and sorting are the same in every locale; numbers
 * differ only in the separator of digits.
 */
void charset_start(void);
/* The separator between groups of three digits: 6,016, in German 6.016, in French 6 016. */
char charset_group(void);
/* Whether the terminal shows UTF-8 and has a large font; the Linux console has fonts of 256 or 512 signs only. */
bool charset_has_signs(void);
const char *charset_cut(void);	/* sign for omitted text, one column wide: an ellipsis, or "~" */

#endif
