#include <criterion/criterion.h>
#include <string.h>

#include <tnav/text.h>

#include "text/put.h"

#define ROWS(a) (sizeof(a) / sizeof *(a))

Test(safe, what_a_terminal_would_obey)
{
	static const struct { const char *in; size_t n; const char *want; } rows[] = {
		{ "plain ~", 7, "plain ~" }, { "", 0, "" }, { "a\tb\nc", 5, "a\\x09b\\x0ac" }, { "\033[31m", 5, "\\x1b[31m" },
		{ "\x7f", 1, "\\x7f" }, { "a\0b", 3, "a\\x00b" },
		{ "\303\251", 2, "\303\251" }, { "\346\227\245", 3, "\346\227\245" }, { "\360\237\230\200", 4, "\360\237\230\200" },
		/* Broken UTF-8: a cut character, a lone byte, an overlong form, a surrogate. */
		{ "\303", 1, "\\xc3" }, { "\377\376", 2, "\\xff\\xfe" }, { "\300\200", 2, "\\xc0\\x80" },
		{ "\355\240\200", 3, "\\xed\\xa0\\x80" }, { "\342\202x", 3, "\\xe2\\x82x" },
		/* C1: CSI as one character. */
		{ "\302\233" "31m", 5, "\\u009b31m" },
		/* Changes of the writing direction, and the line separator. */
		{ "\342\200\256", 3, "\\u202e" }, { "\342\201\246", 3, "\\u2066" }, { "\342\200\217", 3, "\\u200f" },
		{ "\330\234", 2, "\\u061c" }, { "\342\200\250", 3, "\\u2028" },
		{ "\327\220", 2, "\327\220" },
		/* Invisible characters: soft hyphen, space of no width, word joiner, filler, a tag; joiners stay. */
		{ "\302\255", 2, "\\u00ad" }, { "\342\200\213", 3, "\\u200b" }, { "\342\201\240", 3, "\\u2060" },
		{ "\343\205\244", 3, "\\u3164" }, { "\363\240\201\201", 4, "\\U000e0041" },
		{ "\342\200\215", 3, "\342\200\215" }, { "\357\270\217", 3, "\357\270\217" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_str b = { 0 };

		tn_text_safe(rows[i].in, rows[i].n, &b);
		cr_assert_str_eq(b.text, rows[i].want, "row %zu: %s, not %s", i, b.text, rows[i].want);
		cr_assert_eq(b.n, strlen(rows[i].want));
		tn_str_release(&b);
	}
}

/* text.md, 4: string escapes. */
Test(safe, quoted_strings)
{
	static const struct { const char *in; size_t n; const char *want; } rows[] = {
		{ "how are you?", 12, "how are you\\?" }, { "q's", 3, "q\\'s" }, { "\"\\", 2, "\\\"\\\\" },
		{ "\a\b\033\f\n\r\t\v", 8, "\\a\\b\\e\\f\\n\\r\\t\\v" }, { "\x01\x7f\x1f", 3, "\\x01\\x7f\\x1f" },
		{ "\303\251\377\200", 4, "\303\251\377\200" }, { "ab\0cd", 5, "ab" }, { "", 0, "" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_str b = { 0 };

		tn_put_escaped(&b, (const uint8_t *)rows[i].in, rows[i].n);
		b.text[b.n] = '\0';
		cr_assert_str_eq(b.text, rows[i].want, "row %zu: %s, not %s", i, b.text, rows[i].want);
		tn_str_release(&b);
	}
}
