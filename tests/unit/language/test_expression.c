#include <criterion/criterion.h>
#include <stdlib.h>

#include "../order/fake.h"
#include "order/cursor.h"
#include "language/expression.h"
#include "tnav/query.h"

/* Events "row 0" (even), "row 1" (odd, log level INFO), ... with number 0, 1, ...; stream 1 has no clock. */
static struct tn_set *
open_rows(void)
{
	static const struct fake_row rows[] = {
		{ 10, false }, { 20, false }, { 30, false }, { 40, false }, { 50, false }, { 60, false },
	};
	static const struct fake_packet packets[] = { { rows, 6 } };
	static const struct fake_stream streams[] = { { packets, 1, false } };

	fake = (struct fake_trace) { .stream = streams, .n = 1 };
	return fake_open();
}

static struct tn_names *names;

static enum tn_code
parse(struct tn_expression **out, struct tn_set *set, const char *text, struct tn_error *err)
{
	static const struct tn_time_context times = { TN_TIME_CONTEXT, .utc = true };
	struct tn_language language = { .set = set, .times = &times };

	if (!names)
		cr_assert_eq(tn_names_new(&names, set, NULL, NULL), TN_OK);
	language.names = names;
	return tn_expression_new(out, &language, text, err);
}

static void
close_rows(struct tn_set *set)
{
	tn_names_free(names);
	names = NULL;
	tn_set_close(set);
}

/* Which of the six events pass, as bits; decided in both ways. */
static unsigned
passing(struct tn_set *set, const char *text)
{
	struct tn_expression *e;
	struct tn_expression_state compiled = { 0 }, general = { .general = true };
	struct tn_cursor *cur;
	struct tn_error err;
	unsigned bits = 0;
	int i = 0;

	cr_assert_eq(parse(&e, set, text, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_cursor_new(&cur, set, NULL), TN_OK);
	for (enum tn_code rc = tn_cursor_first(cur, NULL); rc == TN_OK; rc = tn_cursor_next(cur, NULL), i++) {
		static const char *const line[] = { "row 0", "ROW 1", "row 2", "ROW 3", "row 4", "ROW 5" };
		size_t row;
		const struct tn_batch *b = tn_cursor_batch(cur, &row);
		bool pass[2];

		cr_assert_eq(tn_expression_match(e, &compiled, b, row, line[i], 5, &pass[0], &err), TN_OK, "%s", err.text);
		cr_assert_eq(tn_expression_match(e, &general, b, row, line[i], 5, &pass[1], &err), TN_OK, "%s", err.text);
		cr_assert_eq(pass[0], pass[1], "%s: event %d passes the %s way only", text, i, pass[0] ? "compiled" : "general");
		bits |= (unsigned)pass[0] << i;
	}
	cr_assert_eq(i, 6);
	tn_expression_state_release(&compiled);
	tn_expression_state_release(&general);
	tn_expression_free(e);
	tn_cursor_free(cur);
	return bits;
}

Test(expression, table)
{
	static const struct { const char *text; unsigned want; } rows[] = {
		{ "number == 3", 0x08 }, { "number==3", 0x08 }, { "number = 3", 0x08 }, { "number != 3", 0x37 }, { "number < 2", 0x03 },
		{ "number <= 2", 0x07 }, { "number > 2", 0x38 }, { "number >= 2", 0x3c }, { "number == 0x3", 0x08 },
		{ "number == 0b11", 0x08 }, { "number == 0o3", 0x08 }, { "number == 0b1_1", 0x08 },
		{ "number == 3.0", 0x08 }, { "number > 2.5", 0x38 }, { "number < 2.5", 0x07 }, { "number == 2.5", 0 },
		{ "number != 2.5", 0x3f }, { "number > -1", 0x3f }, { "number < -1", 0 }, { "number > -1.5", 0x3f },
		{ "number < 18446744073709551615", 0x3f }, { "number < 1e30", 0x3f }, { "number > 1e30", 0 },
		{ "number < 1_000_000", 0x3f }, { "number == 3ns", 0x08 }, { "number < 36028797018963968s", 0x3f },
		{ "number > -36028797018963968s", 0x3f }, { "number < 2us", 0x3f }, { "number >= 0.003us", 0x38 },
		{ "number in (1, 3, 9)", 0x0a }, { "number in (0x1..0x3, 5)", 0x2e }, { "number in 1..3", 0x0e },
		{ "number in ..1", 0x03 }, { "number in 4..", 0x30 }, { "number in 1.5..3.5", 0x0c }, { "number in (..0, 5..)", 0x21 },
		{ "number not in (1, 3)", 0x35 }, { "not number in 1..3", 0x31 }, { "number in (0, 1, 2, 3, 4, 5)", 0x3f },
		{ "number in (5, 4, 3, 1)", 0x3a }, { "number and number < 9", 0x3e }, { "!number or number == 9", 0x01 },
		{ "number =~ /[24]/", 0x14 }, { "number !~ /[24]/", 0x2b },
		{ "text == \"row 2\"", 0x04 }, { "text == 'row 2'", 0x04 }, { "text == \"row\\x202\"", 0x04 },
		{ "text != \"row 2\"", 0x3b }, { "text < \"row 2\"", 0x03 }, { "text =~ /ROW [23]/i", 0x0c },
		{ "text =~ /ROW [23]/", 0 }, { "text =~ \"[23]$\"", 0x0c }, { "text !~ /[23]/", 0x33 },
		{ "text =~ /a\\/b/", 0 }, { "text in (\"row 1\", \"row 5\")", 0x22 }, { "text not in (\"row 1\", \"row 5\")", 0x1d },
		{ "text in 'row 2'..'row 4'", 0x1c }, { "text in ('a', 'b', 'c', 'd', 'row 3', 'e', 'f')", 0x08 },
		{ "not text in ('a', 'row 3')", 0x37 }, { "not text == 'row 3'", 0x37 }, { "text == 3", 0 },
		{ "name == even", 0x15 }, { "name != even", 0x2a }, { "name =~ /^o/", 0x2a }, { "name == \"odd\"", 0x2a },
		{ "event.name == odd", 0x2a }, { "name in (odd, third)", 0x2a }, { "id == 1", 0x2a }, { "event.id == 0", 0x15 },
		{ "loglevel == INFO", 0x2a }, { "loglevel <= TRACE_DEBUG", 0x2a }, { "loglevel < 6", 0 },
		{ "has(loglevel)", 0x2a }, { "not has(loglevel)", 0x15 }, { "loglevel in (ERR..INFO)", 0x2a }, { "loglevel =~ /INF/", 0x2a },
		{ "not loglevel == ERR", 0x2a }, { "not not loglevel == INFO", 0x2a },
		{ "stream == fake", 0x3f }, { "stream == 0", 0x3f }, { "stream == 1", 0 }, { "stream =~ /ak/", 0x3f },
		{ "stream in (fake, other)", 0x3f }, { "stream.id in 0..3", 0x3f }, { "packet == 0", 0x3f }, { "lost == 0", 0x3f },
		{ "cpu == 0", 0 }, { "!(cpu == 0)", 0 }, { "not has(cpu)", 0x3f }, { "has(cpu) or number == 1", 0x02 },
		{ "cpu == 0 or number == 1", 0x02 }, { "not (cpu == 0 or number == 1)", 0 }, { "not (cpu == 0 and number == 1)", 0x3d },
		{ "time == @30", 0x04 }, { "time > @20 and time <= @40", 0x0c }, { "time in @20..@30", 0x06 }, { "time_ns == 30", 0x04 },
		{ "time < 00:00:01", 0x3f }, { "time < '1970-01-01 00:00'", 0 }, { "time >= 1970-01-01 00:00:00", 0x3f },
		{ "delta == 10ns", 0x3e }, { "delta > 1us", 0 }, { "not has(delta)", 0x01 },
		{ "event.fields.number == 3", 0x08 }, { "event.fields.text =~ /3/", 0x08 }, { "fields.number == 3", 0x08 },
		{ "number == 1 || number == 2 && name == odd", 0x02 }, { "number == 1 or number == 2 and name == odd", 0x02 },
		{ "(number == 1 || number == 2) && name == odd", 0x02 },
		{ "number == 2 && name == odd || number == 1", 0x02 },
		{ "!number == 3 || number > 4 && !(name == odd)", 0x37 },
		{ "((((number == 3))))", 0x08 }, { "!!number == 3", 0x08 }, { " number\t>=\t4 ", 0x30 },
		{ "number == +3", 0x08 }, { "number == 3e0", 0x08 }, { "number == 30e-1", 0x08 }, { "number == 0.3E+1", 0x08 },
		{ "number == 1_0.5_0", 0 }, { "number == 0B11", 0x08 }, { "number == 0xA", 0 }, { "number == 0xfF", 0 },
		{ "number < 2min", 0x3f }, { "number < 2m", 0x3f }, { "number < 1h", 0x3f }, { "number < 1d", 0x3f },
		{ "number == 0.000003ms", 0x08 }, { "number == 0.5ns", 0 }, { "number >= 0.000000003s", 0x38 },
		{ "number < 99999999999999999h", 0x3f }, { "number > -99999999999999999h", 0x3f }, { "number > -0", 0x3e },
		{ "number > -0.0000025ms", 0x3f }, { "number == 3\302\265s", 0 }, { "number in (3.5)", 0 },
		{ "text == 'r\\x6Fw 2'", 0x04 }, { "text == 'r\\x6fw\\x202'", 0x04 }, { "text != \"\\n\\t\\r\\a\\b\\e\\0\\\\\\'\\\"\"", 0x3f },
		{ "text in ..'row 1'", 0x03 }, { "text in 'row 4'..", 0x30 }, { "text not in 'row 4'..", 0x0f },
		{ "time in ..@20", 0x03 }, { "time in @50..", 0x30 }, { "time == '@30'", 0x04 }, { "delta > 0", 0x3e },
		{ "cycles == 30", 0x04 }, { "cycles >= 0", 0x3f }, { "trace =~ /./", 0x3f }, { "text and number == 2", 0x04 }, { "not text", 0 }, { "host == here", 0 }, { "not has(host)", 0x3f },
		{ "/ROW/", 0x2a }, { "/row/i", 0x3f }, { "not /ROW/", 0x15 }, { "/ROW/ and number > 2", 0x28 },
		{ "/ROW/ or number == 2", 0x2e }, { "number > 3 or /ROW/ and name == odd", 0x3a }, { "not (/ROW/ or number == 0)", 0x14 },
	};
	struct tn_set *set = open_rows();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned got = passing(set, rows[i].text);

		cr_assert_eq(got, rows[i].want, "%s: %02x, not %02x", rows[i].text, got, rows[i].want);
	}
	close_rows(set);
}

Test(expression, errors_say_where)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "column 1: the condition is incomplete" },
		{ "number ==", "column 10: write a number, a string or a word here" },
		{ "(number == 3", "column 13: expected ')'" },
		{ "number == 3)", "column 12: there is no '(' for this ')'" },
		{ "number == 3 && ", "column 16: the condition is incomplete" },
		{ "3 == number", "column 1: write the field first" },
		{ "text == \"abc", "column 9: the string has no end" },
		{ "text == \"a\\q\"", "column 12: unknown escape" },
		{ "text =~ /a(/", "column 9: regular expression 'a(', column 3: " },
		{ "text =~ /a", "column 9: the regular expression has no end" },
		{ "text =~ a", "column 9: write a regular expression" },
		{ "text == /a/", "column 9: use =~ or !~ with a regular expression" },
		{ "number in 3", "column 11: write a list or a range" },
		{ "number in (3 4)", "column 14: ')' or ',' is missing here" },
		{ "number in (3, 4", "column 16: ')' or ',' is missing here" },
		{ "number in (4..3)", "column 12: the range is empty" },
		{ "number in (..)", "column 12: a range needs at least one limit" },
		{ "number == 99999999999999999999", "column 11: this number cannot" },
		{ "number == 12abc", "column 11: this number cannot" },
		{ "number == abc", "column 11: write a number here: event.fields.number is a number" },
		{ "number == 1 & number", "column 13: expected 'and', 'or', a comparison or the end" },
		{ "t\xc3\xa4xt == 1", "column 1: no event has a field" },
		{ "number == 1 &&& 3", "column 15: expected the name of a field or attribute" },
		{ "loglevel == LOUD", "no such log level" },
		{ "loglevel == DEBG", "column 13: no such log level; the nearest is 'DEBUG'" },
		{ "number == 1 && nmber == 2", "column 16: no event has a field 'nmber'; the nearest name is 'number'" },
		{ "number. == 1", "column 7: expected 'and', 'or', a comparison" },
		{ "number[x] == 1", "column 7: expected 'and', 'or', a comparison" },
		{ "number[0] == 1", "column 1: no event has a field 'number[0]'" },
		{ "number.text == 3", "column 1: no event has a field 'number.text'" },
		{ "has number", "column 1: no event has a field 'has'" },
		{ "has(number", "column 11: ')' is missing here" },
		{ "event.nosuch == 1", "column 1: no event has a field 'event.nosuch'" },
		{ "delta > 5", "column 10: write a unit here: ns" },
		{ "delta > 5.5", "column 12: write a unit" }, { "number == 1__0", "column 11: this number cannot" },
		{ "number == 0x", "column 11: this number cannot" }, { "number == 0b2", "column 11: this number cannot" },
		{ "number == 0o8", "column 11: this number cannot" }, { "number == 08", "column 11: a decimal number cannot begin with 0" },
		{ "number == 1e5x", "column 11: this number cannot" }, { "number == 5q", "column 11: this number cannot" },
		{ "text == \"\\", "column 11: unknown escape" }, { "text == '\\xg1'", "column 11: unknown escape" },
		{ "text == '\\x1g'", "column 11: unknown escape" },
		{ "time > abc", "column 8: " }, { "time >", "column 7: write a time here: 13:46" },
		{ "not", "column 4: the condition is incomplete" }, { "number == 1 or", "column 15: the condition is incomplete" },
	};
	struct tn_set *set = open_rows();
	struct tn_expression *e;
	struct tn_error err;
	char *deep = calloc(1, 70000);

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_assert_eq(parse(&e, set, rows[i].text, &err), TN_ERR_ARGUMENT, "%s", rows[i].text);
		cr_assert_not_null(strstr(err.text, rows[i].want), "%s: %s", rows[i].text, err.text);
	}
	memset(deep, '(', 400);
	cr_assert_eq(parse(&e, set, deep, &err), TN_ERR_ARGUMENT);
	cr_assert_not_null(strstr(err.text, "more than 64 nested parentheses and negations"));
	memset(deep, ' ', 69999);
	cr_assert_eq(parse(&e, set, deep, &err), TN_ERR_ARGUMENT);
	cr_assert_not_null(strstr(err.text, "the limit is 65536"), "%s", err.text);
	deep[0] = '\0';
	for (int i = 0; i < 1001; i++)
		strcat(deep, i ? "||number==1" : "number==1");
	cr_assert_eq(parse(&e, set, deep, &err), TN_ERR_ARGUMENT);
	cr_assert_not_null(strstr(err.text, "more than 1000 comparisons"), "%s", err.text);
	deep[strlen(deep) - 11] = '\0';
	cr_assert_eq(passing(set, deep), 0x02);
	free(deep);
	close_rows(set);
}

/* Texts that begin like an expression, and compare. */
Test(expression, which_texts_are_meant)
{
	static const struct { const char *text; bool meant; } rows[] = {
		{ "ret < 0", true }, { "not ret == 0", true }, { "ret in 1..5", true }, { "comm in (\"a\", \"b\")", true },
		{ "!(ret == 0)", true }, { "event.name == \"x\"", true }, { "event.nosuch == 1", true }, { "comm in (", true },
		{ "has(ret)", true }, { "not has (ret)", true }, { "/ret/", true }, { "/ret/i and x == 1", true }, { "/a/)", true },
		{ "a->b", true }, { "3 == x", true }, { "\"a\" == x", true }, { "a && b", true }, { "= 3", true }, { "x=", true },
		{ "x in ..3", true }, { "x in -3..", true }, { "x in 'a'..", true }, { "(((x<3", true },
		{ "ret", false }, { "!ret", false }, { "not found", false }, { "sched_switch", false }, { "a|b", false },
		{ "error in function", false }, { "in 3", false }, { "hash(x)", false }, { "has x", false }, { "(?<=a)b", false },
		{ "^ret = -1", false }, { "ret \\= -1", false }, { "vector\\<int\\>", false }, { "/usr/bin/x", false }, { "/usr", false },
		{ "level in WARNING..INFO", true }, { "comm in a..", true }, { "waiting in queue...", false }, { "/a b/ x == 1", true },
		{ "x \342\211\245 3", true }, { "[<>]", false }, { "\"a = b\"", false }, { "", false }, { ".*=", false }, { "\\bx=1", false }, { "a and b", false },
		{ "-1 < x", true }, { "-1", false }, { "-x < 1", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_assert_eq(tn_expression_is_meant(rows[i].text), rows[i].meant, "%s", rows[i].text);
}

/* Texts that are expressions because the names exist. */
Test(expression, which_texts_names_make_expressions)
{
	static const struct { const char *text; bool one; } rows[] = {
		{ "number or text", true }, { "not number", true }, { "(number and text)", true }, { "number in", true },
		{ "not number in use", true }, { "text not in x", true }, { "number == 1", true }, { "lost or packet", true },
		{ "number", false }, { "(number)", false }, { "!number", false }, { "number and nosuch", false }, { "a and b", false },
		{ "text contains 'a'", true }, { "not (number is 3)", true }, { "text like \"a%\"", true }, { "number gt 3", true },
		{ "nosuch is 3", false }, { "text is empty", false }, { "number contains", false }, { "text likes 3", false },
		{ "nosuch in use", false }, { "number inside", false }, { "not found", false }, { "", false }, { "and", false },
	};
	struct tn_set *set = open_rows();
	struct tn_filter *filter;

	cr_assert_eq(tn_filter_new(&filter, set, NULL), TN_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_assert_eq(tn_filter_takes_expression(filter, rows[i].text), rows[i].one, "%s", rows[i].text);
	cr_assert_not(tn_filter_takes_expression(NULL, "number == 1"));
	cr_assert_not(tn_filter_takes_expression(filter, NULL));
	tn_filter_free(filter);
	close_rows(set);
}

/* Spans are exact where they come out even, and never wrap around. */
Test(expression, spans_in_units)
{
	static const struct { const char *text; unsigned pass; } rows[] = {
		{ "number < 0.000000001s", 0x01 }, { "number <= 0.000000001s", 0x03 }, { "number == 0.001us", 0x02 },
		{ "number == 0.000_001ms", 0x02 }, { "number < 99999999999999999d", 0x3f }, { "number > 99999999999999999d", 0 },
		{ "number > -99999999999999999d", 0x3f }, { "number == 1e-9s", 0x02 },
	};
	struct tn_set *set = open_rows();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_assert_eq(passing(set, rows[i].text), rows[i].pass, "%s: %x", rows[i].text, passing(set, rows[i].text));
	close_rows(set);
}

/* Facts about a class need no event. */
Test(expression, verdicts)
{
	static const struct { const char *text; enum tn_verdict even, odd; } rows[] = {
		{ "name == odd", TN_VERDICT_NO, TN_VERDICT_YES },
		{ "name == odd && number == 1", TN_VERDICT_NO, TN_VERDICT_OPEN },
		{ "name == odd || number == 1", TN_VERDICT_OPEN, TN_VERDICT_YES },
		{ "!(name == odd)", TN_VERDICT_YES, TN_VERDICT_NO },
		{ "!(number == 1)", TN_VERDICT_OPEN, TN_VERDICT_OPEN },
		{ "!(cpu == 1)", TN_VERDICT_NO, TN_VERDICT_NO }, { "has(number) and number > 1e30", TN_VERDICT_NO, TN_VERDICT_NO },
		{ "cpu == 1", TN_VERDICT_NO, TN_VERDICT_NO },
		{ "loglevel == INFO", TN_VERDICT_NO, TN_VERDICT_YES },
	};
	struct tn_set *set = open_rows();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tn_trace *t = tn_set_trace(set, 0);
		struct tn_expression *e;

		cr_assert_eq(parse(&e, set, rows[i].text, NULL), TN_OK, "%s", rows[i].text);
		cr_assert_eq(tn_expression_verdict(e, t->event_class[0]), rows[i].even, "%s", rows[i].text);
		cr_assert_eq(tn_expression_verdict(e, t->event_class[1]), rows[i].odd, "%s", rows[i].text);
		tn_expression_free(e);
	}
	close_rows(set);
}

static void
add_word(void *user, const char *word)
{
	char *out = user;

	cr_assert_lt(strlen(out) + strlen(word), 300);
	strcat(strcat(out, word), " ");
}

struct completion {
	const char *text;
	size_t begin;		/* of the word */
	const char *words;
};

static void
complete(struct tn_set *set, const struct completion *rows, size_t n)
{
	struct tn_filter *filter;

	cr_assert_eq(tn_filter_new(&filter, set, NULL), TN_OK);
	for (size_t i = 0; i < n; i++) {
		char words[400] = "";
		size_t begin;

		cr_assert_eq(tn_filter_complete(filter, rows[i].text, strlen(rows[i].text), &begin, add_word, words, NULL), TN_OK);
		cr_assert_str_eq(words, rows[i].words, "%s: %s", rows[i].text, words);
		cr_assert_eq(begin, rows[i].begin, "%s: %zu", rows[i].text, begin);
	}
	tn_filter_free(filter);
}

Test(expression, words_to_complete)
{
	static const struct completion rows[] = {
		{ "num", 0, "number " }, { "!(te", 2, "text " }, { "number == 1 and t", 16, "trace tid time text " },
		{ "event.fields.n", 0, "event.fields.number " }, { "nam", 0, "name " }, { "name == o", 8, "odd " },
		{ "name == \"ev", 8, "\"even\" " }, { "name in (odd, e", 14, "even " }, { "name not in (o", 13, "odd " },
		{ "loglevel >= CR", 12, "CRIT " }, { "stream = ", 9, "fake " }, { "number == ", 10, "" }, { "(nosuch == x", 11, "" },
		{ "has(nu", 4, "number " }, { "zzz", 0, "" }, { "number == 1 an", 12, "and " },
	};
	struct tn_set *set = open_rows();

	complete(set, rows, sizeof rows / sizeof *rows);
	tn_set_close(set);
}

/* Names that are not identifiers, and names that are words of the language. */
Test(expression, quoted_words_to_complete)
{
	static const char metadata[] =
		"\x1e{\"type\":\"preamble\",\"version\":2}\x1e{\"type\":\"trace-class\"}"
		"\x1e{\"type\":\"data-stream-class\"}\x1e{\"type\":\"event-record-class\",\"name\":\"e\","
		"\"payload-field-class\":{\"type\":\"structure\",\"member-classes\":["
		"{\"name\":\"two words\",\"field-class\":{\"type\":\"fixed-length-unsigned-integer\",\"length\":8,"
		"\"byte-order\":\"big-endian\",\"mappings\":{\"ON\":[[1,1]]}}},"
		"{\"name\":\"a.b\",\"field-class\":{\"type\":\"fixed-length-unsigned-integer\",\"length\":8,"
		"\"byte-order\":\"big-endian\"}},"
		"{\"name\":\"not\",\"field-class\":{\"type\":\"fixed-length-unsigned-integer\",\"length\":8,"
		"\"byte-order\":\"big-endian\"}}]}}";
	static const struct completion rows[] = {
		{ "tw", 0, "`two words` " }, { "`two wo", 0, "`two words` " }, { "has(`a", 4, "`a.b` " },
		{ "event.fields.`two w", 0, "event.fields.`two words` " }, { "`a.b` == 1 and `tw", 15, "`two words` " },
		{ "`two words` == ", 15, "ON " }, { "event.fields.`two words` in (ON, O", 33, "ON " }, { "no", 0, "fields.not not " },
	};
	const struct tn_memory_file files[] = { { "metadata", metadata, sizeof metadata - 1 }, { "s", "\1\2\3", 3 } };
	struct tn_set *set;
	struct tn_error err;

	cr_assert_eq(tn_set_open_memory(&set, files, 2, NULL, &err), TN_OK, "%s", err.text);
	complete(set, rows, sizeof rows / sizeof *rows);
	tn_set_close(set);
}

Test(expression, what_a_value_is_compared_with)
{
	static const struct { const char *text, *name; } rows[] = {
		{ "ret == ", "ret" }, { "ret == 1", "ret" }, { "not event.fields.a[1] >= ", "event.fields.a[1]" },
		{ "x == 1 and `two words` in (1, ", "`two words`" }, { "ret", NULL }, { "", NULL }, { "ret == 1 and ", NULL },
		{ "s == \"a b", "s" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char name[32];

		cr_assert_eq(tn_condition_compared(rows[i].text, strlen(rows[i].text), name, sizeof name), rows[i].name != NULL,
			     "%s", rows[i].text);
		cr_assert_str_eq(name, rows[i].name ? rows[i].name : "", "%s", rows[i].text);
		cr_assert_not(tn_condition_compared(rows[i].text, strlen(rows[i].text), name, 1));
	}
}

static int
add_time(void *user, const struct tn_row *row)
{
	if (row->kind == TN_ROW_EVENT)
		tn_str_printf(user, "%lld ", (long long)row->location.time_ns);
	return 0;
}

/* From event to event, whatever is between them, and however many are walked at a time. */
Test(expression, deltas_over_notices)
{
	static const struct fake_row rows[] = {
		{ 10, true }, { 20, false }, { 30, false }, { 40, false }, { 60, false }, { 70, true }, { 70, true }, { 80, false }, { 90, false },
	};
	static const struct fake_packet packets[] = { { rows, 5 }, { rows + 5, 4 } };
	static const struct fake_stream streams[] = { { packets, 2, false } };
	static const struct { const char *text, *want; } tried[] = {
		{ "delta == 10ns", "30 40 90 " }, { "delta == 20ns", "60 80 " }, { "delta > 0", "30 40 60 80 90 " },
		{ "not has(delta)", "20 " },
	};

	for (unsigned walked = 0; walked < 5; walked++)
		for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
			struct tn_str got = { 0 };
			struct tn_filter *filter;
			struct tn_set *set;

			fake = (struct fake_trace) { .stream = streams, .n = 1, .walk_rows = walked };
			set = fake_open();
			cr_assert_eq(tn_filter_new(&filter, set, NULL), TN_OK);
			cr_assert_eq(tn_filter_add_expression(filter, tried[i].text, NULL), TN_OK);
			cr_assert_eq(tn_scan(set, &(struct tn_scan_options) {
				TN_SCAN_OPTIONS, .filter = filter, .row = add_time, .user = &got, .threads = 1,
			}, NULL, NULL), TN_OK);
			cr_expect_str_eq(tn_str_text(&got), tried[i].want, "%s, %u rows: %s", tried[i].text, walked, tn_str_text(&got));
			tn_str_release(&got);
			tn_filter_free(filter);
			tn_set_close(set);
		}
}

/* Of no events there is neither a first day nor a way through them: times are those from the epoch. */
Test(expression, times_without_events)
{
	static const struct tn_time_context times = { TN_TIME_CONTEXT, .utc = true };
	struct tn_language language = { .times = &times };
	struct tn_expression *e;
	struct tn_set *set;
	struct tn_error err;

	fake = (struct fake_trace) { .n = 0 };
	set = fake_open();
	cr_assert_eq(parse(&e, set, "time > 50%", &err), TN_OK, "%s", err.text);
	tn_expression_free(e);
	cr_assert_eq(parse(&e, set, "time > 00:00:01", &err), TN_OK, "%s", err.text);
	tn_expression_free(e);
	language.names = names;
	cr_assert_eq(tn_expression_new(&e, &language, "time > 00:00:01", &err), TN_OK, "%s", err.text);
	tn_expression_free(e);
	close_rows(set);
}
