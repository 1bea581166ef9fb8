#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tnav/query.h"

#include "language/regex.h"

Test(regex, finds)
{
	static const struct { const char *pattern, *text; size_t n, from; bool ignore, found; size_t begin, end; } rows[] = {
		{ "b+", "abbc", 4, 0, false, true, 1, 3 }, { "b+", "abbc", 4, 2, false, true, 2, 3 },
		{ "b+", "abbc", 4, 3, false, false, 0, 0 }, { "B+", "abbc", 4, 0, true, true, 1, 3 },
		{ "^c", "abbc", 4, 3, false, false, 0, 0 }, { "c$", "abbc", 4, 0, false, true, 3, 4 },
		{ "x*", "abbc", 4, 4, false, true, 4, 4 }, { ".", "\xc3\xa4", 2, 0, false, true, 0, 2 },
		{ "b", "\xff\xfe b", 4, 0, false, true, 3, 4 },	/* invalid UTF-8 does no harm */
		{ "\xc3\x84", "\xc3\xa4", 2, 0, true, true, 0, 2 }, { "a\\Kb", "ab", 2, 0, false, true, 1, 2 },
		{ "a", "", 0, 0, false, false, 0, 0 }, { "", "", 0, 0, false, true, 0, 0 },
		{ "a.c", "a\0c", 3, 0, false, true, 0, 3 }, { "(?s)a.c", "a\nc", 3, 0, false, true, 0, 3 },
		{ "(*NO_JIT)b", "abbc", 4, 0, false, true, 1, 2 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_regex *r;
		size_t begin = 0, end = 0;
		bool found;

		cr_assert_eq(tn_regex_new(&r, rows[i].pattern, rows[i].ignore, NULL), TN_OK);
		found = tn_regex_find(r, rows[i].text, rows[i].n, rows[i].from, &begin, &end);
		cr_assert_eq(found, rows[i].found, "row %zu", i);
		if (found) {
			cr_assert_eq(begin, rows[i].begin, "row %zu: %zu", i, begin);
			cr_assert_eq(end, rows[i].end, "row %zu: %zu", i, end);
		}
		tn_regex_free(r);
	}
}

Test(regex, errors_say_where)
{
	static const struct { const char *pattern, *want; } rows[] = {
		{ "a(b", "'a(b', column 4: missing closing parenthesis" },
		{ "a[", "column 3: missing terminating ]" },
		{ "\xc3\xa4*+?+", "column 4: quantifier does not follow" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_regex *r;
		struct tn_error err;

		cr_assert_eq(tn_regex_new(&r, rows[i].pattern, false, &err), TN_ERR_ARGUMENT);
		cr_assert_null(r);
		cr_assert_not_null(strstr(err.text, rows[i].want), "%s", err.text);
	}
}

/* A pattern that would backtrack without end is an error, each time; a mark on a screen is not tried again. */
Test(regex, endless_matches_are_given_up)
{
	static const char *const patterns[] = { "((.|..)*)*Q$", "^(.+)+[0-9]{9}$", "(?R)", "(*NO_JIT)(x+x+)+y" };
	static const char text[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxQyx1";

	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		struct tn_regex *r;
		struct tn_error err;
		struct tn_regex_room room = { 0 };
		size_t begin, end;
		bool matched = true;

		cr_assert_eq(tn_regex_new(&r, patterns[i], false, &err), TN_OK);
		cr_assert_eq(tn_regex_match(r, &room, text, strlen(text), &matched, &err), TN_ERR_ARGUMENT, "%s", patterns[i]);
		cr_assert_not(matched);
		cr_assert_not_null(strstr(err.text, patterns[i]), "%s", err.text);
		cr_assert_not(tn_regex_find(r, text, strlen(text), 0, &begin, &end));
		tn_regex_free(r);
		/* Nothing is left of it for the next one. */
		cr_assert_eq(tn_regex_new(&r, "y[z2]1$", false, &err), TN_OK);
		cr_assert_eq(tn_regex_match(r, &room, text, strlen(text), &matched, &err), TN_OK);
		cr_assert_not(matched);
		cr_assert_eq(tn_regex_match(r, &room, "xyz1", 4, &matched, &err), TN_OK);
		cr_assert(matched);
		tn_regex_room_release(&room);
		tn_regex_free(r);
	}
}

/* One step of PCRE2 may take as long as the text is: time and memory are bounded for each text. */
Test(regex, long_texts_are_bounded, .timeout = 60)
{
	enum { N = 1000000 };
	static const struct { const char *pattern; size_t n; enum tn_code want; } rows[] = {
		{ "(?=(a+))a*b\\1", N, TN_ERR_ARGUMENT },
		{ "(?=(a+))a*a*b\\1", N, TN_ERR_ARGUMENT },
		{ "(*NO_JIT)((a|b)(a|b))*[cd]", N, TN_ERR_ARGUMENT },	/* a frame of memory each time */
		{ "(?:a,?)*$", N / 10, TN_OK }, { "b$", N, TN_OK }, { "a{500}a{500}.*a$", N, TN_OK },
	};
	char *text = malloc(N);

	cr_assert_not_null(text);
	memset(text, 'a', N);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_regex_room room = { 0 };
		struct tn_regex *r;
		struct tn_error err;
		struct timespec before, after;
		bool matched;

		cr_assert_eq(tn_regex_new(&r, rows[i].pattern, false, &err), TN_OK);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
		cr_expect_eq(tn_regex_match(r, &room, text, rows[i].n, &matched, &err), rows[i].want, "%s", rows[i].pattern);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
		cr_expect_lt(after.tv_sec - before.tv_sec, 4, "%s", rows[i].pattern);
		tn_regex_room_release(&room);
		tn_regex_free(r);
	}
	free(text);
}
