/*
 * charset.h - which characters the terminal shows
 *
 * The environment says so (LC_ALL, LC_CTYPE, LANG). Where it says nothing, as in containers and many logins,
 * or names a locale that is not installed, the characters are those of C.UTF-8; "C" and "POSIX" mean ASCII.
 */
#ifndef CHARSET_H
#define CHARSET_H

#include <stdbool.h>

/*
 * Take characters and messages from the environment. Dates and orders depend on no locale, numbers only in the sign between
 * digits.
 */
void charset_start(void);
/* The sign between groups of three digits: 6,016, in German 6.016, in French 6 016. */
char charset_group(void);
/* The terminal shows UTF-8, and more signs than a console of Linux, whose fonts have 256 or 512. */
bool charset_has_signs(void);
const char *charset_cut(void);	/* the sign in the place of text that is cut, one column wide: an ellipsis, or "~" */

#endif
