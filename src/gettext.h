/* gettext.h - messages of the program in the user's language; with --disable-nls, messages stay as they are in the source */
#ifndef GETTEXT_H
#define GETTEXT_H

#include <config.h>

#ifdef ENABLE_NLS
#include <libintl.h>
#else
#define gettext(text) (text)
#define ngettext(one, many, n) ((n) == 1 ? (one) : (many))
#define bindtextdomain(domain, folder) ((void)0)
#define textdomain(domain) ((void)0)
#endif

#define _(text) gettext(text)
#define N_(text) text

#endif
