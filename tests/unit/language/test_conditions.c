/* Conditions about values of every type there is, through tnav/query.h: how many events pass, what is said of mistakes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/cursor.h>
#include <tnav/query.h>
#include <tnav/text.h>

#include "scan/question.h"

#define U8 "{\"type\":\"fixed-length-unsigned-integer\",\"length\":8,\"byte-order\":\"big-endian\"}"
#define U8_NAMED "{\"type\":\"fixed-length-unsigned-integer\",\"length\":8,\"byte-order\":\"big-endian\",\"mappings\":{\"eins\":[[1,1]],\"zwei\":[[2,2]]}}"
#define TEXT "{\"type\":\"null-terminated-string\"}"
#define AT(name) "{\"origin\":\"event-record-payload\",\"path\":[\"" name "\"]}"

static const char metadata[] =
	"\x1e{\"type\":\"preamble\",\"version\":2}"
	"\x1e{\"type\":\"trace-class\",\"environment\":{\"hostname\":-5,\"vpid\":77,\"procname\":\"pp\"}}"
	"\x1e{\"type\":\"data-stream-class\"}"
	"\x1e{\"type\":\"event-record-class\",\"name\":\"e\",\"payload-field-class\":{\"type\":\"structure\",\"member-classes\":["
	"{\"name\":\"n\",\"field-class\":{\"type\":\"fixed-length-signed-integer\",\"length\":8,\"byte-order\":\"big-endian\","
	"\"mappings\":{\"low\":[[-3,-3]],\"some\":[[1,5]],\"q\\\"\\\\\":[[7,7]],\"c\\u0001\":[[8,8]]}}},"
	"{\"name\":\"b\",\"field-class\":{\"type\":\"fixed-length-boolean\",\"length\":8,\"byte-order\":\"big-endian\"}},"
	"{\"name\":\"d\",\"field-class\":{\"type\":\"fixed-length-floating-point-number\",\"length\":32,\"byte-order\":\"big-endian\"}},"
	"{\"name\":\"sel\",\"field-class\":" U8 "},"
	"{\"name\":\"v\",\"field-class\":{\"type\":\"variant\",\"selector-field-location\":" AT("sel") ",\"options\":["
	"{\"name\":\"x\",\"selector-field-ranges\":[[0,0]],\"field-class\":" U8_NAMED "},"
	"{\"name\":\"y\",\"selector-field-ranges\":[[1,1]],\"field-class\":" TEXT "}]}},"
	"{\"name\":\"o\",\"field-class\":{\"type\":\"optional\",\"selector-field-location\":" AT("b") ",\"field-class\":" U8_NAMED "}},"
	"{\"name\":\"s\",\"field-class\":" TEXT "},"
	"{\"name\":\"st\",\"field-class\":{\"type\":\"structure\",\"member-classes\":[{\"name\":\"a\",\"field-class\":" U8 "}]}},"
	"{\"name\":\"arr\",\"field-class\":{\"type\":\"dynamic-length-array\",\"length-field-location\":" AT("sel") ",\"element-field-class\":" U8 "}},"
	"{\"name\":\"text\",\"field-class\":{\"type\":\"static-length-string\",\"length\":2}}]}}";

static const char events[] =
	"\xfd" "\1" "\x7f\xc0\0\0" "\0" "\1" "\1" "\0" "\1" "ab"	/* -3, true, NaN, x 1, o 1, "", no elements */
	"\3" "\0" "\x3f\xc0\0\0" "\1" "yy\0" "x\0" "\0" "\5" "a\0"	/* 3, false, 1.5, y "yy", "x", one element */
	"\x8" "\1" "\xc0\0\0\0" "\0" "\2" "\2" "z\0" "\2" "cd";		/* 8, true, -2, x 2, o 2, "z", no elements */

static struct tn_set *set;
static struct tn_error err;

static void
open_events(void)
{
	const struct tn_memory_file files[] = { { "metadata", metadata, sizeof metadata - 1 }, { "s", events, sizeof events - 1 } };

	cr_assert_eq(tn_set_open_memory(&set, files, 2, NULL, &err), TN_OK, "%s", err.text);
}

static void
close_events(void)
{
	tn_set_close(set);
}

TestSuite(conditions, .init = open_events, .fini = close_events);

/* Which of the three events pass, as bits: by a scan, and one by one. */
static unsigned
passing(const char *condition)
{
	struct tn_filter *filter;
	struct tn_cursor *cur;
	unsigned bits = 0, n = 0;
	uint64_t count = 0;
	int i = 0;

	cr_assert_eq(tn_filter_new(&filter, set, &err), TN_OK);
	cr_assert_eq(tn_filter_add_expression(filter, condition, &err), TN_OK, "%s: %s", condition, err.text);
	cr_assert_eq(tn_cursor_new(&cur, set, &err), TN_OK);
	for (enum tn_code rc = tn_cursor_first(cur, NULL); rc == TN_OK; rc = tn_cursor_next(cur, NULL), i++) {
		bool pass;

		cr_assert_eq(tn_filter_match(filter, NULL, cur, &pass, &err), TN_OK, "%s: %s", condition, err.text);
		bits |= (unsigned)pass << i;
		n += pass;
	}
	cr_assert_eq(i, 3);
	cr_assert_eq(tn_scan(set, &(struct tn_scan_options) { TN_SCAN_OPTIONS, .filter = filter, .threads = 1 }, &count, &err), TN_OK,
		     "%s", err.text);
	cr_expect_eq(count, n, "%s: %llu are counted, %u pass", condition, (unsigned long long)count, n);
	tn_cursor_free(cur);
	tn_filter_free(filter);
	return bits;
}

Test(conditions, of_all_types)
{
	static const struct { const char *text; unsigned want; } rows[] = {
		{ "n == low", 1 }, { "n <= low", 1 }, { "n > low", 6 }, { "n == some", 2 }, { "n != some", 5 }, { "n in (low, some)", 3 },
		{ "n =~ /om/", 2 }, { "n =~ /^8/", 0 }, { "n =~ /^c/", 4 }, { "n == 8", 4 },
		{ "b == true", 5 }, { "b == false", 2 }, { "b =~ /tru/", 5 }, { "b", 5 }, { "not b", 2 },
		{ "d == 1.5", 2 }, { "d < 0", 4 }, { "d > -1e30", 6 }, { "d in -2.5..1.5", 6 }, { "d =~ /1\\.5/", 2 }, { "d", 7 },
		{ "v.x == eins", 1 }, { "v == eins", 1 }, { "v == yy", 2 }, { "v == 2", 4 }, { "v =~ /e/", 5 }, { "has(v.y)", 2 },
		{ "o == zwei", 4 }, { "o", 5 }, { "s", 6 }, { "not s", 1 }, { "s == ''", 1 }, { "s in 'a'..", 6 },
		{ "text == ab", 1 }, { "text == \"a\\0\"", 0 }, { "text == a", 2 }, { "text", 7 }, { "s == \"x\\0\"", 0 },
		{ "st", 7 }, { "arr", 2 }, { "not arr", 5 }, { "has(arr)", 7 }, { "arr[0] == 5", 2 }, { "arr[*] == 5", 2 }, { "arr[*] != 5", 0 },
		{ "host == -5", 7 }, { "host < 0", 7 }, { "host == 5", 0 }, { "pid == 77", 7 }, { "process == pp", 7 }, { "tid == 1", 0 },
		{ "not has(delta)", 7 }, { "delta > 0ns", 0 }, { "not has(time)", 7 }, { "s and text =~ /d/", 4 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned got = passing(rows[i].text);

		cr_expect_eq(got, rows[i].want, "%s: %x, not %x", rows[i].text, got, rows[i].want);
	}
}

Test(conditions, that_cannot_be)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "n < some", "the label 'some' has several values: write the number" },
		{ "o == eims", "has no label 'eims'; the nearest is 'eins'" },
		{ "st == 1", "st" }, { "sel == x", "write a number here" },
	};
	struct tn_filter *filter;

	cr_assert_eq(tn_filter_new(&filter, set, &err), TN_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect_eq(tn_filter_add_expression(filter, rows[i].text, &err), TN_ERR_ARGUMENT, "%s", rows[i].text);
		cr_expect(strstr(err.text, rows[i].want), "%s: %s", rows[i].text, err.text);
	}
	tn_filter_free(filter);
}

static void
add_word(void *user, const char *word)
{
	char *out = user;

	cr_assert_lt(strlen(out) + strlen(word), 300);
	strcat(strcat(out, word), " ");
}

Test(conditions, values_to_complete)
{
	static const struct { const char *text, *words; } rows[] = {
		{ "b == ", "true false " }, { "b == f", "false " }, { "v == z", "zwei " }, { "o == ", "eins zwei " },
		{ "n == \"q", "\"q\\\"\\\\\" " }, { "n == 'q", "'q\"\\\\' " }, { "n == \"c", "\"c\\x01\" " }, { "n == ", "low some \"q\\\"\\\\\" \"c\\x01\" " },
		{ "delta == ", "" }, { "s == \"a\\\"b\" and te", "text " }, { "s == \"a\\\" and te", "" },
	};
	struct tn_filter *filter;

	cr_assert_eq(tn_filter_new(&filter, set, &err), TN_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char words[400] = "";
		size_t begin;

		cr_assert_eq(tn_filter_complete(filter, rows[i].text, strlen(rows[i].text), &begin, add_word, words, NULL), TN_OK);
		cr_expect_str_eq(words, rows[i].words, "%s: %s", rows[i].text, words);
	}
	tn_filter_free(filter);
}

static void
count_word(void *user, const char *word)
{
	*(size_t *)user += *word != '\0';
}

/* All that begin so, however many others there are. */
Test(conditions, values_to_complete_are_not_cut)
{
	static const struct { const char *text; size_t want; } rows[] = {
		{ "name == ", 2500 }, { "name == ev1", 1111 }, { "name == ev2499", 1 }, { "name == \"ev249", 11 },
	};
	struct tn_str text = { 0 };
	struct tn_filter *filter;
	struct tn_set *many;

	tn_str_puts(&text, "\x1e{\"type\":\"preamble\",\"version\":2}\x1e{\"type\":\"trace-class\"}"
		    "\x1e{\"type\":\"data-stream-class\"}");
	for (int i = 0; i < 2500; i++)
		tn_str_printf(&text, "\x1e{\"type\":\"event-record-class\",\"id\":%d,\"name\":\"ev%d\"}", i, i);
	cr_assert_not(text.failed);
	cr_assert_eq(tn_set_open_memory(&many, &(struct tn_memory_file) { "metadata", text.text, text.n }, 1, NULL, &err), TN_OK,
		     "%s", err.text);
	cr_assert_eq(tn_filter_new(&filter, many, &err), TN_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t begin, n = 0;

		cr_assert_eq(tn_filter_complete(filter, rows[i].text, strlen(rows[i].text), &begin, count_word, &n, NULL), TN_OK);
		cr_expect_eq(n, rows[i].want, "%s: %zu", rows[i].text, n);
	}
	tn_filter_free(filter);
	tn_set_close(many);
	tn_str_release(&text);
}

/* The texts stored for conditions differ. */
Test(conditions, as_questions)
{
	static const char *const rows[] = {
		"n in 1..", "n in ..1", "n in 1..1", "n in 1..2", "d == 1.5", "d == 1.25", "n == 1", "n == -1", "s == '1'", "s == '1.0'", "n == low",
	};
	char *said[sizeof rows / sizeof *rows];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_question q = { { 0 } };
		struct tn_filter *filter;

		cr_assert_eq(tn_filter_new(&filter, set, &err), TN_OK);
		if (tn_filter_add_expression(filter, rows[i], &err) < 0)
			cr_assert_fail("%s: %s", rows[i], err.text);
		cr_assert(tn_question_of(&q, filter, set, NULL));
		cr_assert(tn_question_has(&q, tn_str_text(&q.all)));
		said[i] = strdup(tn_str_text(&q.all));
		for (size_t k = 0; k < i; k++)
			cr_expect_str_neq(said[i], said[k], "%s and %s are one question: %s", rows[i], rows[k], said[i]);
		tn_question_release(&q);
		tn_filter_free(filter);
	}
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		free(said[i]);
}

Test(conditions, of_a_cursor)
{
	struct tn_filter *filter;
	struct tn_text *text;
	struct tn_cursor *cur;
	bool pass;

	cr_assert_eq(tn_filter_new(&filter, set, &err), TN_OK);
	cr_assert_eq(tn_cursor_new(&cur, set, &err), TN_OK);
	cr_assert_eq(tn_text_new(&text, set, NULL, &err), TN_OK);
	cr_assert_eq(tn_filter_match(NULL, NULL, cur, &pass, &err), TN_ERR_ARGUMENT);
	cr_assert_eq(tn_filter_match(filter, NULL, cur, NULL, &err), TN_ERR_ARGUMENT);
	cr_assert_eq(tn_filter_match(filter, NULL, cur, &pass, &err), TN_ERR_ARGUMENT);
	cr_assert_str_eq(err.text, "the cursor is not on a row");
	cr_assert_eq(tn_cursor_first(cur, &err), TN_OK);
	cr_assert_eq(tn_filter_match(filter, NULL, cur, &pass, &err), TN_OK);
	cr_assert(pass, "no condition");
	cr_assert_eq(tn_filter_add_regex(filter, "text = \"a\"", false, &err), TN_OK);
	cr_assert_eq(tn_filter_match(filter, text, cur, &pass, &err), TN_OK);
	cr_assert(!pass);
	cr_assert_eq(tn_cursor_next(cur, &err), TN_OK);
	cr_assert_eq(tn_filter_match(filter, text, cur, &pass, &err), TN_OK);
	cr_assert(pass, "the second event's line has it");
	tn_text_free(text);
	tn_cursor_free(cur);
	tn_filter_free(filter);
}
