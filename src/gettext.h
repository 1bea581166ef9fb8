/*
 * gettext.h - messages of the program in the user's language
 */
#ifndef GETTEXT_H
#define GETTEXT_H

#include <libintl.h>

#define _(text) gettext(text)
#define N_(text) text

#endif
