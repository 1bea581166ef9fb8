/* Tests of base/automaton: what it refuses has no match; and it refuses most of that. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <criterion/criterion.h>
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

#include "base/automaton.h"

static bool
takes(const char *pattern, const char *text, bool *made)
{
	struct tn_automaton a;
	bool found;

	*made = tn_automaton_make(&a, pattern);
	if (!*made)
		return true;
	found = tn_automaton_run(&a, a.begin, text, strlen(text)) == TN_AUTOMATON_FOUND;
	tn_automaton_release(&a);
	return found;
}

Test(automaton, finds_what_patterns_match)
{
	static const struct { const char *pattern, *yes, *no; } rows[] = {
		{ "abc", "xabcx", "abxc" }, { "ab|cd", "xcd", "adbc" }, { "(foo|bar)=\\d+", "a bar=7", "foo bar =7 foo=x" },
		{ "[0-9]{3}x", "a123x", "12x3" }, { "a{2,3}b", "xaab", "abaxab" }, { "a{2}b", "caab", "ab" }, { "ab*c", "ac", "abd" },
		{ "ab+c", "abbc", "ac" }, { "ab?c", "ac", "abbc" }, { "a.c", "axc", "ac" }, { "a.c", "a\xc3\xa4" "c", "ac" },
		{ "[^a-c]x", "dx", "ax" }, { "[^a-c]x", "\xe2\x82\xacx", "bx" }, { "[a\\d-]z", "-z", "bz" }, { "\\w\\s\\W", "a \xc3\xa4", "a b" },
		{ "\\Dx", "ax", "1x" }, { "a(b(c|d)){2}", "abcbd", "abcad" }, { "(?:ab){2,}c", "ababc", "abc" }, { "{ id", "{ id", "{id" },
		{ "a\\.b", "a.b", "axb" }, { "\\[\\d\\]", "[7]", "7" }, { "[]a]b", "]b", "cb" }, { "[^]a]b", "cb", "]b" }, { "a++b", "aab", "ac" },
		{ "a*?b+?c", "bc", "ac" }, { "\xc3\xa4{2}x", "\xc3\xa4\xc3\xa4x", "\xc3\xa4x" }, { "(a|b)?c{1,2}d", "cd", "ad" },
		{ "a{0}b", "b", "a" }, { "a{,x", "", "" }, { "x{y", "x{y", "xy" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool made;

		cr_expect(takes(rows[i].pattern, rows[i].yes, &made), "%s in %s", rows[i].pattern, rows[i].yes);
		if (*rows[i].no)
			cr_expect_not(takes(rows[i].pattern, rows[i].no, &made), "%s not in %s", rows[i].pattern, rows[i].no);
	}
}

Test(automaton, gives_up_on_what_it_does_not_know)
{
	static const char *const rows[] = {
		"(?i)abc", "a(?=b)", "(a)\\1", "\\x41", "\\Qa\\E", "\\p{L}", "[[:alpha:]]x", "(*UTF)a", "a{,3}", "a{ 2 }", "\\n", "(?<n>a)", "a**",
		"a|(", "[a", "a\\", "[\\n]", "(((a{99}){99}){99}){99}", "[\xc3\xa4-\xc3\xbc]", "a{2}{3}", "(a|b)*a(a|b){12}",
	};
	struct tn_automaton a;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect_not(tn_automaton_make(&a, rows[i]), "%s", rows[i]);
		tn_automaton_release(&a);
	}
}

static uint64_t seed = 1;

static unsigned
below(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)((seed >> 33) % n);
}

static void
put_pattern(char *out, unsigned depth)
{
	static const char *const atoms[] = {
		"a", "b", "1", "x", " ", ".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\b", "\\B", "^", "$", "[ab]", "[^a1]", "[a-x]", "[^\\d ]", "[\\w-]",
		"\xc3\xa4", "[^\xc3\xa4]", "[\xc3\xa4" "b]", "=", "\\.", "{ ", "7", "[1-7]", "\\(",
	};
	static const char *const times[] = { "", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "*?", "++", "{0}", "*+" };

	for (unsigned n = 1 + below(4); n; n--) {
		size_t at = strlen(out);

		if (depth && below(4) == 0) {
			strcat(out, below(2) ? "(" : "(?:");
			put_pattern(out, depth - 1);
			if (below(2)) {
				strcat(out, "|");
				put_pattern(out, depth - 1);
			}
			strcat(out, ")");
		} else {
			strcat(out, atoms[below(sizeof atoms / sizeof *atoms)]);
		}
		if (strcmp(out + at, "^") && strcmp(out + at, "$") && strcmp(out + at, "\\b") && strcmp(out + at, "\\B"))
			strcat(out, times[below(sizeof times / sizeof *times)]);
	}
}

/* What PCRE2 finds is found. */
Test(automaton, random_patterns_miss_nothing)
{
	static const char *const pieces[] = { "a", "b", "1", "x", " ", "\xc3\xa4", "\xe2\x82\xac", "7", "=", ".", "{ ", "(", "12", "ab" };
	unsigned made = 0, refused = 0;

	for (unsigned i = 0; i < 1500; i++) {
		char pattern[2000] = "", text[200];
		pcre2_match_data *match;
		struct tn_automaton a;
		pcre2_code *code;
		PCRE2_SIZE offset;
		int error;

		put_pattern(pattern, 2);
		code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY,
				     &error, &offset, NULL);
		if (!code)
			continue;
		match = pcre2_match_data_create(1, NULL);
		if (tn_automaton_make(&a, pattern)) {
			made++;
			for (unsigned k = 0; k < 30; k++) {
				bool found;

				*text = '\0';
				for (unsigned n = below(12); n; n--)
					strcat(text, pieces[below(sizeof pieces / sizeof *pieces)]);
				found = tn_automaton_run(&a, a.begin, text, strlen(text)) == TN_AUTOMATON_FOUND;
				refused += !found;
				if (!found)
					cr_assert_lt(pcre2_match(code, (PCRE2_SPTR)text, strlen(text), 0, 0, match, NULL), 0,
						     "pattern %u, %s, matches \"%s\"", i, pattern, text);
			}
			tn_automaton_release(&a);
		}
		pcre2_match_data_free(match);
		pcre2_code_free(code);
	}
	cr_expect_gt(made, 500);
	cr_expect_gt(refused, 2000);
}
