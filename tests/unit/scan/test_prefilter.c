#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "scan/prefilter.h"

/* Texts that every match has to contain, the longest first; "" for none. */
Test(prefilter, literals_of_patterns)
{
	static const struct { const char *pattern, *want[3]; } rows[] = {
		{ "items", { "items" } }, { "it", { "" } }, { "", { "" } },
		{ "items/\\d*777\\b", { "items/", "777" } }, { "777.*items", { "items", "777" } },
		{ "a = 5, name = \"x\"", { "name" } }, { "abc:def", { "abc", "def" } },
		{ "abcd?", { "abc" } }, { "abcd*", { "abc" } }, { "abcd+", { "abcd" } }, { "abcd+efg", { "abcd", "defg" } },
		{ "abc{2}de", { "abc", "cde" } }, { "abcd{0,2}", { "abc" } }, { "abcd{2,}", { "abcd" } },
		{ "abcd{,2}", { "abc" } }, { "abcd{ 0, 2 }", { "abc" } },
		{ "abcd{\t0 }", { "abc" } }, { "abcd{ , 2}efg", { "abc", "efg" } }, { "abcd{ 2 , }efg", { "abcd", "defg" } },
		{ "abcd*?ef", { "abc" } }, { "abcd++", { "abcd" } },
		{ "ab|cd", { "" } }, { "(abc)", { "" } }, { "abc(?i)d", { "" } }, { "abc(d|e)", { "abc" } },
		{ "[abc]def", { "def" } }, { "[]abc]def", { "def" } }, { "[^]abc]def", { "def" } },
		{ "[a\\]b]def", { "def" } }, { "[[:alpha:]]def", { "" } },
		{ "^abc$", { "abc" } }, { "abc.def", { "abc", "def" } }, { "abc\\.def", { "abc.def" } },
		{ "abc\\ndef", { "abc", "def" } }, { "abc\\x41", { "" } }, { "abc\\Qd*\\E", { "" } },
		{ "\\babc\\b", { "abc" } }, { "abc\xc3\xa4*def", { "abc", "def" } }, { "\xc3\xa4" "abc", { "abc" } },
		{ "abc\\/def", { "abc/def" } }, { "abc-def_g", { "abc-def_g" } }, { "abc\\1", { "" } },
		{ "a b c", { "" } }, { "abc{x}", { "abc" } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char got[4][TN_LITERAL_SIZE];
		size_t n = tn_pattern_literals(rows[i].pattern, got, 4), want = 0;

		while (want < 3 && rows[i].want[want] && rows[i].want[want][0])
			want++;
		cr_assert_eq(n, want, "%s: %zu literals", rows[i].pattern, n);
		for (size_t k = 0; k < n; k++)
			cr_assert_str_eq(got[k], rows[i].want[k], "%s", rows[i].pattern);
	}
}

/* More and longer runs than fit. */
Test(prefilter, literals_keep_to_their_room)
{
	char pattern[300], got[2][TN_LITERAL_SIZE];

	memset(pattern, 'a', 200);
	strcpy(pattern + 200, " bcd efghi jkl mnopqr");
	cr_assert_eq(tn_pattern_literals(pattern, got, 2), 2);
	cr_assert_eq(strlen(got[0]), TN_LITERAL_SIZE - 1);
	cr_assert_eq(strlen(got[1]), TN_LITERAL_SIZE - 1);
	cr_assert_eq(tn_pattern_literals("abc defgh ijkl", got, 2), 2);
	cr_assert_str_eq(got[0], "defgh");
	cr_assert_str_eq(got[1], "ijkl");
}

/* As they are written, one after the other; "": too complex. */
Test(prefilter, branches_of_patterns)
{
	static const struct { const char *pattern, *want; } rows[] = {
		{ "abc", "abc;" }, { "a|bc|d", "a;bc;d;" }, { "a||b", "a;;b;" }, { "", ";" }, { "|", ";;" }, { "(a|b)", "a;b;" },
		{ "(?:a|b)", "a;b;" }, { "((a|b))", "a;b;" }, { "(a|b)c", "(a|b)c;" }, { "(a)|(b)", "(a);(b);" }, { "(a|b)+", "(a|b)+;" },
		{ "[a|b]|c", "[a|b];c;" }, { "a\\|b|c", "a\\|b;c;" }, { "(a|(b|c)?)|d", "(a|(b|c)?);d;" }, { "(?i)a|b", "" }, { "a|(?=b)c", "" },
		{ "(a|b", "" }, { "a|b)", "" }, { "\\Qa|b\\E", "" }, { "(*UTF)a|b", "" }, { "(?:(?i)a|b)|c", "" },
		{ "1|2|3|4|5|6|7|8", "1;2;3;4;5;6;7;8;" }, { "1|2|3|4|5|6|7|8|9", "" }, { "a{2}|b", "a{2};b;" }, { "(a)(b)", "(a)(b);" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *at[TN_PATTERN_BRANCHES + 1];
		size_t n = tn_pattern_branches(rows[i].pattern, at);
		char got[100] = "";

		for (size_t k = 0; k < n; k++)
			snprintf(got + strlen(got), sizeof got - strlen(got), "%.*s;", (int)(at[k + 1] - at[k]) - 1, at[k]);
		cr_expect_str_eq(got, rows[i].want, "%s", rows[i].pattern);
	}
}

/* The characters after the text, one by one; '.' for any. "": none that helps. */
Test(prefilter, tails_of_literals)
{
	static const struct { const char *pattern, *literal, *want; } rows[] = {
		{ "items.16", "items", ".16" }, { "items.16\\?", "items", ".16?" }, { "items/", "items/", "" },
		{ "items.[0-9]6", "items", "" }, { "items..6", "items", "" }, { "items =16", "items", "" },
		{ "items[^x]16", "items", ".16" }, { "items\\d6", "items", ".6" }, { "items\\b6.7", "items", "" },
		{ "items.6\\b7", "items", ".6" }, { "items.6$", "items", ".6" }, { "items.6x*", "items", ".6" },
		{ "items.6+x", "items", "" }, { "items.?6", "items", "" }, { "items.*16", "items", "" },
		{ "itemss?.16", "items", "" }, { "items+.16", "sitems", "" }, { "ite+ms.16", "ems", ".16" },
		{ "abc.defg.12", "defg", ".12" }, { "abc.defg.12", "abc", ".defg.12" }, { "items.1\xc3\xa4", "items", ".1" },
		{ "items,12", "items", ",12" }, { "items.12345678", "items", ".1234567" }, { "abc(.1)", "abc", "" },
		{ "abc.1(2)", "abc", ".1" }, { "items.a{2}", "items", "" }, { "items.a.{2}", "items", ".a" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char got[TN_TAIL_SIZE + 1] = "";
		size_t n = tn_pattern_tail(rows[i].pattern, rows[i].literal, got);

		for (size_t k = 0; k < n; k++)
			got[k] = got[k] ? got[k] : '.';
		got[n] = '\0';
		cr_expect_str_eq(got, rows[i].want, "%s behind %s: \"%s\"", rows[i].pattern, rows[i].literal, got);
	}
}

Test(prefilter, pairs_of_patterns)
{
	static const struct { const char *pattern, *pair; } cases[] = {
		{ "[a-z]\\d\\d77\\b", "77" }, { "id = [0-9]*7[,} ]", "id" }, { "a.b", "" }, { "ab?c", "" }, { "ab*c", "" },
		{ "7\\b7", "" }, { "^7$", "" }, { "a|bc", "" }, { "(?i)abc", "" }, { "a\\.", "a." }, { "\\Qab\\E", "" }, { "xab+", "xa" },
		{ "", "" }, { "a{2}b", "" }, { "\xc3\xa4", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char pair[3] = "";

		cr_expect_eq(tn_pattern_pair(cases[i].pattern, pair), *cases[i].pair != 0, "%s", cases[i].pattern);
		cr_expect_str_eq(pair, cases[i].pair, "%s", cases[i].pattern);
	}
}

/* At any place, and nowhere else. */
Test(prefilter, pairs_are_found)
{
	char text[70];

	for (size_t n = 0; n <= sizeof text; n++) {
		memset(text, 'a', sizeof text);
		cr_expect_not(tn_has_pair(text, n, "ab"));
		for (size_t at = 0; at < sizeof text; at++) {
			memset(text, 'a', sizeof text);
			text[at] = 'b';
			cr_expect_eq(tn_has_pair(text, n, "ab"), at > 0 && at < n, "%zu of %zu", at, n);
			cr_expect_not(tn_has_pair(text, n, "bb"));
		}
	}
}
