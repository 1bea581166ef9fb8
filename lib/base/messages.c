#include <config.h>

#include "base/messages.h"

/*
 * gettext does not find the catalogues by itself. Without tn_messages_in_language() all texts stay in the source's
 * language, even if the program has called setlocale().
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
	/* Output of a trace is always UTF-8, whatever the character set of the locale. */
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
