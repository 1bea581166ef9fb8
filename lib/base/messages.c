#include <config.h>

#include "base/messages.h"

/*
 * The catalogues lie where gettext does not look by itself: without tn_messages_in_language() every text stays
 * as it is in the source, also in programs that have called setlocale().
 */
#ifdef ENABLE_NLS
#include <libintl.h>

#define DOMAIN "libtnav"

const char *
tn_message(const char *english)
{
	return dgettext(DOMAIN, english);
}

void
tn_messages_in_language(const char *folder)
{
	bindtextdomain(DOMAIN, folder ? folder : TN_MESSAGES);
	/* What a trace is printed in is UTF-8 everywhere, whatever the locale's character set. */
	bind_textdomain_codeset(DOMAIN, "UTF-8");
}
#else
const char *
tn_message(const char *english)
{
	return english;
}

void
tn_messages_in_language(const char *folder)
{
	(void)folder;
}
#endif
