#include <config.h>

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "screen/charset.h"

/* The locale that the environment names for a category, searched in the order of setlocale(3); NULL: none. */
static const char *
asked(const char *category)
{
	const char *const names[] = { "LC_ALL", category, "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return value;
	}
	return NULL;
}

/* Choose the language with LANGUAGE: it works if the language's locale is missing, but not in the C locale. */
static void
take_messages(const char *wanted)
{
	char language[64];
	size_t n = strcspn(wanted, ".@");

	if (n == 0 || n >= sizeof language || !setlocale(LC_MESSAGES, "C.UTF-8"))
		return;
	memcpy(language, wanted, n);
	language[n] = '\0';
	setenv("LANGUAGE", language, 0);
}

static char group = ',';

/* The separator between groups of digits in a language; the language's locale need not be installed. */
static char
group_of(const char *locale)
{
	static const struct { const char *languages; char sign; } rows[] = {
		{ "da de el es hr id is it nl pt ro sl sr tr vi", '.' },
		{ "bg cs et fi fr hu lt lv nb nn no pl ru sk sv uk", ' ' },
	};
	size_t n = locale ? strcspn(locale, "_.@") : 0;

	for (size_t i = 0; n == 2 && i < sizeof rows / sizeof *rows; i++)
		for (const char *at = rows[i].languages; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
			if (memcmp(at, locale, n) == 0)
				return rows[i].sign;
	return ',';
}

void
charset_start(void)
{
	const char *wanted = asked("LC_CTYPE");

	if (!setlocale(LC_CTYPE, "") || !wanted)
		setlocale(LC_CTYPE, "C.UTF-8");
	group = group_of(asked("LC_NUMERIC"));
	wanted = asked("LC_MESSAGES");
	if (!setlocale(LC_MESSAGES, "") && wanted)
		take_messages(wanted);
}

char
charset_group(void)
{
	return group;
}

bool
charset_has_signs(void)
{
	const char *term = getenv("TERM");

	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 && (!term || strncmp(term, "linux", 5) != 0);
}

const char *
charset_cut(void)
{
	return charset_has_signs() ? "\u2026" : "~";
}
