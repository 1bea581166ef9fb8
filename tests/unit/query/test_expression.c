#include <criterion/criterion.h>
#include <stdlib.h>

#include "../order/fake.h"
#include "order/cursor.h"
#include "query/expression.h"
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

/* Which of the six events pass, as bits. */
static unsigned
passing(struct tn_set *set, const char *text)
{
	struct tn_filter *filter;
	struct tn_cursor *cur;
	struct tn_error err;
	unsigned bits = 0;
	int i = 0;

	cr_assert_eq(tn_filter_new(&filter, set, NULL), TN_OK);
	cr_assert_eq(tn_filter_add_expression(filter, text, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_cursor_new(&cur, set, NULL), TN_OK);
	for (enum tn_code rc = tn_cursor_first(cur, NULL); rc == TN_OK; rc = tn_cursor_next(cur, NULL), i++) {
		bool pass;

		cr_assert_eq(tn_filter_match(filter, NULL, cur, &pass, NULL), TN_OK);
		bits |= (unsigned)pass << i;
	}
	cr_assert_eq(i, 6);
	tn_cursor_free(cur);
	tn_filter_free(filter);
	return bits;
}

Test(expression, table)
{
	static const struct { const char *text; unsigned want; } rows[] = {
		{ "number == 3", 0x08 }, { "number==3", 0x08 }, { "number != 3", 0x37 }, { "number < 2", 0x03 },
		{ "number <= 2", 0x07 }, { "number > 2", 0x38 }, { "number >= 2", 0x3c }, { "number == 0x3", 0x08 },
		{ "number == 0b11", 0x08 }, { "number == 03", 0x08 }, { "number == 0o3", 0x08 },
		{ "number == 3.0", 0x08 }, { "number > 2.5", 0x38 }, { "number > -1", 0x3f }, { "number < -1", 0 },
		{ "number < 18446744073709551615", 0x3f }, { "number in (1, 3, 9)", 0x0a },
		{ "number in (0x1..0x3, 5)", 0x2e }, { "number in (4..3)", 0x18 & 0x18 }, { "number", 0x3e }, { "!number", 0x01 },
		{ "number =~ /[24]/", 0x14 }, { "number !~ /[24]/", 0x2b },
		{ "text == \"row 2\"", 0x04 }, { "text == 'row 2'", 0x04 }, { "text == \"row\\x202\"", 0x04 },
		{ "text != \"row 2\"", 0x3b }, { "text < \"row 2\"", 0x03 }, { "text =~ /ROW [23]/i", 0x0c },
		{ "text =~ /ROW [23]/", 0 }, { "text =~ \"[23]$\"", 0x0c }, { "text !~ /[23]/", 0x33 },
		{ "text =~ /a\\/b/", 0 }, { "text in (\"row 1\", \"row 5\")", 0x22 }, { "text", 0x3f },
		{ "name == even", 0x15 }, { "name != even", 0x2a }, { "name =~ /^o/", 0x2a }, { "name == \"odd\"", 0x2a },
		{ "loglevel == INFO", 0x2a }, { "loglevel <= TRACE_DEBUG", 0x2a }, { "loglevel < 6", 0 },
		{ "loglevel", 0x2a }, { "loglevel in (ERR..INFO)", 0x2a }, { "loglevel =~ /INF/", 0x2a },
		{ "stream == fake", 0x3f }, { "stream == 0", 0x3f }, { "stream == 1", 0 }, { "stream =~ /ak/", 0x3f },
		{ "cpu == 0", 0 }, { "!(cpu == 0)", 0x3f },
		{ "event.fields.number == 3", 0x08 }, { "event.fields.text =~ /3/", 0x08 },
		{ "number == 1 || number == 2 && name == odd", 0x02 },
		{ "(number == 1 || number == 2) && name == odd", 0x02 },
		{ "number == 2 && name == odd || number == 1", 0x02 },
		{ "!number == 3 || number > 4 && !(name == odd)", 0x37 },
		{ "((((number == 3))))", 0x08 }, { "!!number", 0x3e }, { " number\t>=\t4 ", 0x30 },
		{ "number.text == 3", 0 }, { "text[0] == 3", 0 },
	};
	struct tn_set *set = open_rows();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		unsigned got = passing(set, rows[i].text);

		cr_assert_eq(got, rows[i].want, "%s: %02x, not %02x", rows[i].text, got, rows[i].want);
	}
	tn_set_close(set);
}

Test(expression, errors_say_where)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "column 1: something is missing at the end" },
		{ "number ==", "column 10: a number, a string or a word is needed here" },
		{ "number = 3", "column 8: '=' is not a test: '==' is" },
		{ "(number == 3", "column 13: ')' is needed here" },
		{ "number == 3)", "column 12: '&&', '||' or the end is needed here" },
		{ "number == 3 && ", "column 16: something is missing at the end" },
		{ "3 == number", "column 1: the name of a field comes first" },
		{ "text == \"abc", "column 9: the string has no end" },
		{ "text == \"a\\q\"", "column 12: no such escape" },
		{ "text =~ /a(/", "column 9: regular expression 'a(', column 3: " },
		{ "text =~ /a", "column 9: the regular expression has no end" },
		{ "number in 3", "column 11: '(' is needed here" },
		{ "number in (3 4)", "column 14: ')' or ',' is needed here" },
		{ "number == 99999999999999999999", "column 11: not a number" },
		{ "number == 12abc", "column 11: not a number" },
		{ "number == 1 & number", "column 13: '&&', '||' or the end" },
		{ "t\xc3\xa4xt == 1 &&& 3", "column 13: a field, 'name'" },
		{ "loglevel == LOUD", "no such log level" },
		{ "number == 1 && nmber == 2", "column 16: no event has a field 'nmber'" },
		{ "number. == 1", "column 8: a field" },
		{ "number[x] == 1", "column 7: a field" },
	};
	struct tn_set *set = open_rows();
	struct tn_expression *e;
	struct tn_error err;
	char deep[400];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_assert_eq(tn_expression_new(&e, set, rows[i].text, &err), TN_ERR_ARGUMENT, "%s", rows[i].text);
		cr_assert_not_null(strstr(err.text, rows[i].want), "%s: %s", rows[i].text, err.text);
	}
	memset(deep, '(', sizeof deep);
	deep[sizeof deep - 1] = '\0';
	cr_assert_eq(tn_expression_new(&e, set, deep, &err), TN_ERR_ARGUMENT);
	cr_assert_not_null(strstr(err.text, "nested too deep"));
	tn_set_close(set);
}

/* What is known of a class needs no event. */
Test(expression, verdicts)
{
	static const struct { const char *text; enum tn_verdict even, odd; } rows[] = {
		{ "name == odd", TN_VERDICT_NO, TN_VERDICT_YES },
		{ "name == odd && number == 1", TN_VERDICT_NO, TN_VERDICT_OPEN },
		{ "name == odd || number == 1", TN_VERDICT_OPEN, TN_VERDICT_YES },
		{ "!(name == odd)", TN_VERDICT_YES, TN_VERDICT_NO },
		{ "!(number == 1)", TN_VERDICT_OPEN, TN_VERDICT_OPEN },
		{ "cpu == 1", TN_VERDICT_NO, TN_VERDICT_NO },
		{ "loglevel == INFO", TN_VERDICT_NO, TN_VERDICT_YES },
	};
	struct tn_set *set = open_rows();

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tn_trace *t = tn_set_trace(set, 0);
		struct tn_expression *e;

		cr_assert_eq(tn_expression_new(&e, set, rows[i].text, NULL), TN_OK, "%s", rows[i].text);
		cr_assert_eq(tn_expression_verdict(e, t->event_class[0]), rows[i].even, "%s", rows[i].text);
		cr_assert_eq(tn_expression_verdict(e, t->event_class[1]), rows[i].odd, "%s", rows[i].text);
		tn_expression_free(e);
	}
	tn_set_close(set);
}
