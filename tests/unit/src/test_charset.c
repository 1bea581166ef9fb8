#include <criterion/criterion.h>
#include <stdlib.h>

#include "screen/charset.h"

/* The sign between groups of digits, of locales that need not be installed. */
Test(charset, groups_of_digits)
{
	static const struct { const char *locale; char want; } rows[] = {
		{ "C", ',' }, { "en_US.UTF-8", ',' }, { "ja_JP.UTF-8", ',' }, { "de_DE.UTF-8", '.' }, { "de", '.' },
		{ "pt_BR.UTF-8", '.' }, { "fr_FR@euro", ' ' }, { "ru_RU.UTF-8", ' ' }, { "german", ',' }, { "", ',' },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		setenv("LC_ALL", rows[i].locale, 1);
		setenv("LC_NUMERIC", "", 1);
		setenv("LANG", "", 1);
		charset_start();
		cr_expect_eq(charset_group(), rows[i].want, "%s: %c", rows[i].locale, charset_group());
	}
}
