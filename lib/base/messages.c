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

const char *
tn_message_n(const char *english, const char *many, unsigned long n)
{
	return dngettext(DOMAIN, english, many, n);
}

const char *
tn_messages_head(void)
{
	return dgettext(DOMAIN, "");
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

const char *
tn_message_n(const char *english, const char *many, unsigned long n)
{
	return n == 1 ? english : many;
}

const char *
tn_messages_head(void)
{
	return "";
}

void
tn_messages_in_language(const char *folder)
{
	(void)folder;
}
#endif
