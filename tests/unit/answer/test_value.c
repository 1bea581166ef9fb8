/* Values that were taken out of events: as text, as JSON, in order (tnav/answer.h). */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <tnav/answer.h>

#include "model/type.h"

#define NONE { .kind = TN_ANSWER_NONE }
#define U(n) { .kind = TN_ANSWER_UINT, .is.u = (n) }
#define I(n) { .kind = TN_ANSWER_SINT, .is.i = (n) }
#define F(n) { .kind = TN_ANSWER_FLOAT, .is.f = (n) }
#define T(s) { .kind = TN_ANSWER_TEXT, .text = (s), .n = sizeof(s) - 1 }

Test(answer_value, text_and_json)
{
	static const struct tn_range one = { 1, 1 }, low = { 0, 1 };
	static const struct tn_mapping mapping[] = { { "one", &one, 1 }, { "low \"x\"", &low, 1 } };
	static const struct tn_type labels = { .kind = TN_KIND_UINT, .length = 8, .mapping = mapping, .n_mappings = 2 };
	static const struct tn_type truth = { .kind = TN_KIND_BOOL, .length = 8 };
	static const struct tn_type hex = { .kind = TN_KIND_UINT, .length = 16, .base = 16 };
	static const struct tn_type octal = { .kind = TN_KIND_SINT, .length = 8, .base = 8 };
	static const struct { struct tn_answer_value v; const char *text, *json; } rows[] = {
		{ NONE, "", "null" }, { U(18446744073709551615u), "18446744073709551615", "18446744073709551615" },
		{ I(-5), "-5", "-5" }, { F(0.5), "0.5", "0.5" }, { F(-1e300), "-1e+300", "-1e+300" },
		{ T("a\"b"), "a\"b", "\"a\\\"b\"" }, { T("nul\0x"), "nul", "\"nul\\u0000x\"" }, { T(""), "", "\"\"" },
		{ { .kind = TN_ANSWER_UINT, .is.u = 1, .type = &labels }, "one|low \"x\"", NULL },
		{ { .kind = TN_ANSWER_UINT, .is.u = 7, .type = &labels }, "7", NULL },
		{ { .kind = TN_ANSWER_UINT, .is.u = 1, .type = &truth }, "true", "true" },
		{ { .kind = TN_ANSWER_UINT, .is.u = 255, .type = &hex }, "0xFF", "255" },
		{ { .kind = TN_ANSWER_SINT, .is.i = -1, .type = &octal }, "0777", "-1" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_str text = { 0 }, json = { 0 };

		tn_answer_value_text(&rows[i].v, &text);
		tn_answer_value_json(&rows[i].v, &json);
		cr_expect_str_eq(tn_str_text(&text), rows[i].text, "row %zu: %s", i, tn_str_text(&text));
		cr_expect_eq(text.n, rows[i].v.kind == TN_ANSWER_TEXT ? rows[i].v.n : strlen(rows[i].text), "row %zu", i);
		if (rows[i].json)
			cr_expect_str_eq(tn_str_text(&json), rows[i].json, "row %zu: %s", i, tn_str_text(&json));
		tn_str_release(&text);
		tn_str_release(&json);
	}
}

Test(answer_value, any_bytes_as_json)
{
	struct tn_str out = { 0 };

	tn_answer_json_string("a\n\xff", 3, &out);
	cr_expect_str_eq(tn_str_text(&out), "\"a\\u000a\\ufffd\"");
	tn_str_clear(&out);
	tn_answer_json_string(NULL, 5, &out);
	cr_expect_str_eq(tn_str_text(&out), "\"\"", "no bytes, whatever their number");
	tn_str_release(&out);
}

/* Each is less than all later ones and equal to itself. */
Test(answer_value, order)
{
	static const struct tn_answer_value rows[] = {
		NONE, F(NAN), F(-INFINITY), I(INT64_MIN), F(-2.5), I(-2), U(0), F(0.5), U(1), U(9007199254740993u), F(1e30),
		T(""), T("a"), T("a\0"), T("ab"), T("b"), T("\xff"),
	};
	static const size_t n = sizeof rows / sizeof *rows;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			int order = tn_answer_value_compare(&rows[i], &rows[k]);

			cr_expect(i < k ? order < 0 : i > k ? order > 0 : order == 0, "rows %zu and %zu: %d", i, k, order);
		}
	cr_expect_lt(tn_answer_value_compare(NULL, &rows[0]), 0);
	cr_expect_gt(tn_answer_value_compare(&rows[0], NULL), 0);
	cr_expect_eq(tn_answer_value_compare(NULL, NULL), 0);
}

/* Whole numbers of one sign are compared as such: a double does not have all of their bits. */
Test(answer_value, large_numbers_are_told_apart)
{
	static const struct tn_answer_value a = U(18446744073709551614u), b = U(18446744073709551615u);
	static const struct tn_answer_value c = I(INT64_MIN), d = I(INT64_MIN + 1);

	cr_expect_lt(tn_answer_value_compare(&a, &b), 0);
	cr_expect_gt(tn_answer_value_compare(&b, &a), 0);
	cr_expect_lt(tn_answer_value_compare(&c, &d), 0);
	cr_expect_gt(tn_answer_value_compare(&d, &c), 0);
}
