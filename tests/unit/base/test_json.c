#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/str.h"

/* One line that says all of a value, parents and places among it. */
static void
show(FILE *to, const struct tn_json *v, const struct tn_json *parent, const char *text)
{
	cr_expect_eq(v->parent, parent, "parent at %zu of %s", v->at, text);
	switch (v->kind) {
	case TN_JSON_OBJECT:
	case TN_JSON_ARRAY:
		fputc(v->kind == TN_JSON_OBJECT ? '{' : '[', to);
		for (size_t i = 0; i < v->n; i++) {
			cr_expect_eq(v->child[i].index, i, "index at %zu of %s", v->at, text);
			cr_expect_eq(v->child[i].key != NULL, v->kind == TN_JSON_OBJECT);
			fprintf(to, "%s%s%s", i ? "," : "", v->child[i].key ? v->child[i].key : "",
				v->child[i].key ? "=" : "");
			show(to, &v->child[i], v, text);
		}
		fputc(v->kind == TN_JSON_OBJECT ? '}' : ']', to);
		break;
	case TN_JSON_STRING:
		fprintf(to, "<%s>", v->text);
		break;
	case TN_JSON_INTEGER:
		fprintf(to, "%s%" PRIu64 "%s", v->negative ? "-" : "", v->magnitude, v->beyond ? "+" : "");
		break;
	case TN_JSON_REAL:
		fprintf(to, "~%.*s", (int)(v->end - v->at), text + v->at);
		break;
	case TN_JSON_BOOLEAN:
		fputs(v->truth ? "yes" : "no", to);
		break;
	case TN_JSON_NULL:
		fputs("null", to);
		break;
	}
	fprintf(to, "@%u-%u", v->at, v->end);
}

Test(json, values_and_their_places)
{
	static const struct { const char *text, *shown; } rows[] = {
		{ "{}", "{}@0-2" },
		{ " [ ] ", "[]@1-4" },
		{ "[[],[[1]],{}]", "[[]@1-3,[[1@6-7]@5-8]@4-9,{}@10-12]@0-13" },
		{ "{\"a\":1,\"b\":[true,false,null]}", "{a=1@5-6,b=[yes@12-16,no@17-22,null@23-27]@11-28}@0-29" },
		{ "{\"b\":{\"c\":{\"d\":\"e\"}},\"a\":\"\"}",
		  "{b={c={d=<e>@15-18}@10-19}@5-20,a=<>@25-27}@0-28" },
		{ "[0,-0,18446744073709551615,-9223372036854775808]",
		  "[0@1-2,0@3-5,18446744073709551615@6-26,-9223372036854775808@27-47]@0-48" },
		{ "[18446744073709551616,-99999999999999999999999999]",
		  "[18446744073709551615+@1-21,-18446744073709551615+@22-49]@0-50" },
		{ "[1.0,1e5,-0.25E-3,123456789012345678901234567890.5]",
		  "[~1.0@1-4,~1e5@5-8,~-0.25E-3@9-17,~123456789012345678901234567890.5@18-50]@0-51" },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\\u007F\"",
		  "<\"\\/\b\f\n\r\t\xc3\xa9\xf0\x9f\x98\x80\x7f>@0-42" },
		{ "\"\xc3\xa9\xf0\x9f\x98\x80\"", "<\xc3\xa9\xf0\x9f\x98\x80>@0-8" },
		{ "-17", "-17@0-3" },
		{ "{\"\":0,\"a b\":1}", "{=0@4-5,a b=1@12-13}@0-14" },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_arena arena = { 0 };
		struct tn_json_fault fault;
		struct tn_error err = { 0 };
		struct tn_json *root;
		char shown[400] = "";
		FILE *to = fmemopen(shown, sizeof shown, "w");

		if (tn_json_parse_all(&root, &arena, rows[i].text, strlen(rows[i].text), 0, &fault, &err) == TN_OK)
			show(to, root, NULL, rows[i].text);
		else
			fputs(err.text, to);
		fclose(to);
		cr_expect_str_eq(shown, rows[i].shown, "%s: %s", rows[i].text, shown);
		tn_arena_release(&arena);
	}
}

Test(json, what_is_refused)
{
	static const struct { const char *text; size_t at; bool cut; const char *why; } rows[] = {
		{ "", 0, true, "the text ends inside white space" },
		{ "x", 0, false, "'x' is not a value" },
		{ "tru", 3, true, "the text ends inside a value" },
		{ "truth", 0, false, "'truth' is not a value" },
		{ "[tru]", 1, false, "'tru' is not a value" },
		{ "nan", 0, false, "'nan' is not a value" },
		{ "01", 0, false, "'01' is not a value" },
		{ "-", 1, true, "the text ends inside a value" },
		{ "[-]", 1, false, "'-' is not a value" },
		{ "[+1]", 1, false, "'+1' is not a value" },
		{ "[1.]", 1, false, "'1.' is not a value" },
		{ "[.5]", 1, false, "'.5' is not a value" },
		{ "[1e]", 1, false, "'1e' is not a value" },
		{ "[1e+]", 1, false, "'1e+' is not a value" },
		{ "[1.5.5]", 1, false, "'1.5.5' is not a value" },
		{ "[0x10]", 1, false, "'0x10' is not a value" },
		{ "}", 0, false, "a value expected, not '}'" },
		{ "{1:2}", 1, false, "a name in quotes or '}' expected, not '1'" },
		{ "{\"a\":1,}", 7, false, "a name in quotes expected, not '}'" },
		{ "{\"a\" 1}", 5, false, "':' expected, not '1'" },
		{ "{\"a\":}", 5, false, "a value expected, not '}'" },
		{ "{\"a\":1 \"b\":2}", 7, false, "',' or '}' expected, not '\"b'" },
		{ "{\"a\":1", 6, true, "the text ends inside an object" },
		{ "{\"a\"", 4, true, "the text ends inside an object" },
		{ "{\"a\":", 5, true, "the text ends inside an object or array" },
		{ "[1,]", 3, false, "a value expected, not ']'" },
		{ "[1 2]", 3, false, "',' or ']' expected, not '2'" },
		{ "[1", 2, true, "the text ends inside an array" },
		{ "[1}", 2, false, "',' or ']' expected, not '}'" },
		{ "[1,\x01]", 3, false, "a value expected, not byte 01" },
		{ "[1] x", 4, false, "the end is expected, not 'x'" },
		{ "[1] /* */", 4, false, "the end is expected, not '/'" },
		{ "\"a", 2, true, "the text ends inside a string" },
		{ "\"a\\", 3, true, "the text ends inside a string" },
		{ "\"\\u00", 5, true, "the text ends inside a string" },
		{ "\"\\ud83d", 7, true, "the text ends inside a string" },
		{ "\"\xf0\x9f", 3, true, "the text ends inside a string" },
		{ "\"\\x\"", 1, false, "'x' after a backslash in a string" },
		{ "\"\\u00g0\"", 1, false, "\\u needs four hexadecimal digits" },
		{ "\"a\\u0000\"", 2, false, "\\u0000 in a string" },
		{ "{\"a\\u0000\":1}", 3, false, "\\u0000 in a string" },
		{ "\"\\ud83d\"", 1, false, "half of a surrogate pair, \\ud83d, in a string" },
		{ "\"\\ud83d\\u0041\"", 1, false, "half of a surrogate pair, \\ud83d, in a string" },
		{ "\"\\ude00\"", 1, false, "half of a surrogate pair, \\ude00, in a string" },
		{ "\"a\nb\"", 2, false, "the control character 0a in a string" },
		{ "\"a\xff\"", 2, false, "byte ff is not UTF-8" },
		{ "\"\xc0\x80\"", 1, false, "byte c0 is not UTF-8" },
		{ "\"\xed\xa0\x80\"", 1, false, "byte ed is not UTF-8" },
		{ "{\"a\":1,\"b\":2,\"a\":3}", 13, false, "the name \"a\" occurs twice" },
		{ "{\"0\":0,\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0,\"7\":0,\"8\":0,\"1\":0}", 55, false,
		  "the name \"1\" occurs twice" },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_arena arena = { 0 };
		struct tn_json_fault fault;
		struct tn_error err = { 0 };
		struct tn_json *root;

		cr_expect_eq(tn_json_parse_all(&root, &arena, rows[i].text, strlen(rows[i].text), 0, &fault, &err),
			     TN_ERR_FORMAT, "%s", rows[i].text);
		cr_expect_null(root);
		cr_expect_str_eq(err.text, rows[i].why, "%s: %s", rows[i].text, err.text);
		cr_expect_eq(fault.at, rows[i].at, "%s: at %zu", rows[i].text, fault.at);
		cr_expect_eq(fault.cut, rows[i].cut, "%s", rows[i].text);
		cr_expect_eq(tn_json_parse_all(&root, &arena, rows[i].text, strlen(rows[i].text), 0, &fault, NULL),
			     TN_ERR_FORMAT);
		tn_arena_release(&arena);
	}
}

/* A NUL is a byte like another: no text ends at it. */
Test(json, nul_in_the_text)
{
	struct tn_arena arena = { 0 };
	struct tn_json_fault fault;
	struct tn_error err;
	struct tn_json *root;

	cr_expect_eq(tn_json_parse_all(&root, &arena, "[1]\0", 4, 0, &fault, &err), TN_ERR_FORMAT);
	cr_expect_str_eq(err.text, "the end is expected, not byte 00");
	cr_expect_eq(tn_json_parse_all(&root, &arena, "[\0]", 3, 0, &fault, &err), TN_ERR_FORMAT);
	cr_expect_str_eq(err.text, "a value expected, not byte 00");
	cr_expect_eq(tn_json_parse_all(&root, &arena, "\"\\\0\"", 4, 0, &fault, &err), TN_ERR_FORMAT);
	cr_expect_eq(tn_json_parse_all(&root, &arena, "\"\0\"", 3, 0, &fault, &err), TN_ERR_FORMAT);
	cr_expect_str_eq(err.text, "the control character 00 in a string");
	tn_arena_release(&arena);
}

Test(json, comments_are_white_space)
{
	static const struct { const char *text; enum tn_code code; size_t at; } rows[] = {
		{ "/* a */ [ 1 /**/ , // two\n2 /* // */ ] // end", TN_OK, 0 },
		{ "[\"/* no */\"]", TN_OK, 0 },
		{ "[1] /* open", TN_OK, 0 },
		{ "[1 / 2]", TN_ERR_FORMAT, 3 },
		{ "/* open", TN_ERR_FORMAT, 7 },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_arena arena = { 0 };
		struct tn_json_fault fault;
		struct tn_json *root;

		cr_expect_eq(tn_json_parse_all(&root, &arena, rows[i].text, strlen(rows[i].text), TN_JSON_COMMENTS, &fault,
					       NULL), rows[i].code, "%s", rows[i].text);
		cr_expect_eq(fault.at, rows[i].at, "%s: %zu", rows[i].text, fault.at);
		tn_arena_release(&arena);
	}
}

/* One value after the other: each call stops after its own. */
Test(json, a_value_has_an_end)
{
	static const char text[] = " {\"a\":[1]}17 \"x\"";
	static const size_t ends[] = { 10, 12, 16 };
	struct tn_arena arena = { 0 };
	struct tn_json_fault fault;
	struct tn_json *root;
	size_t at = 0;

	for (size_t i = 0; i < TN_COUNT(ends); i++) {
		cr_expect_eq(tn_json_parse(&root, &arena, text, strlen(text), &at, 0, NULL, &fault, NULL), TN_OK);
		cr_expect_eq(at, ends[i]);
	}
	cr_expect_eq(tn_json_parse(&root, &arena, text, strlen(text), &at, 0, NULL, &fault, NULL), TN_ERR_FORMAT);
	cr_expect(fault.cut);
	tn_arena_release(&arena);
}

/* The limit of depth is one that the parser keeps without help of the stack. */
Test(json, depth)
{
	static char text[4 * TN_JSON_DEPTH + 8];
	struct tn_arena arena = { 0 };
	struct tn_json_fault fault;
	struct tn_error err;
	struct tn_json *root;

	memset(text, '[', TN_JSON_DEPTH);
	memset(text + TN_JSON_DEPTH, ']', TN_JSON_DEPTH);
	cr_expect_eq(tn_json_parse_all(&root, &arena, text, 2 * TN_JSON_DEPTH, 0, &fault, NULL), TN_OK);
	memset(text, '[', TN_JSON_DEPTH + 1);
	cr_expect_eq(tn_json_parse_all(&root, &arena, text, sizeof text, 0, &fault, &err), TN_ERR_FORMAT);
	cr_expect_str_eq(err.text, "more than 1000 nested values");
	cr_expect_eq(fault.at, TN_JSON_DEPTH);
	tn_arena_release(&arena);
}

Test(json, truncate_and_compare)
{
	static const struct { const char *text; int64_t value; } rows[] = {
		{ "0", 0 }, { "-1", -1 }, { "9223372036854775807", INT64_MAX }, { "9223372036854775808", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN }, { "-9223372036854775809", INT64_MIN },
		{ "99999999999999999999999999", INT64_MAX }, { "-99999999999999999999999999", INT64_MIN },
		{ "3.0", 3 }, { "3.99", 3 }, { "-3.99", -3 }, { "0.9", 0 }, { "12.5e1", 125 }, { "12.5e2", 1250 },
		{ "1250e-2", 12 }, { "0.00012e5", 12 }, { "1e18", INT64_C(1000000000000000000) }, { "1e19", INT64_MAX },
		{ "-1e19", INT64_MIN }, { "1e999999999999999999999", INT64_MAX }, { "1e-999999999999999999999", 0 },
		{ "0e999999999999999999999", 0 }, { "0.0", 0 },
	};
	struct tn_arena arena = { 0 };
	struct tn_json_fault fault;
	struct tn_json *root;

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		cr_assert_eq(tn_json_parse_all(&root, &arena, rows[i].text, strlen(rows[i].text), 0, &fault, NULL), TN_OK);
		cr_expect_eq(tn_json_truncate(root, rows[i].text), rows[i].value, "%s: %" PRId64, rows[i].text,
			     tn_json_truncate(root, rows[i].text));
	}
	{
		static const char list[] = "[-99999999999999999999999,-99999999999999999999998,-5,-4,0,7,"
					   "18446744073709551615,18446744073709551616,18446744073709551617,"
					   "100000000000000000000]";

		cr_assert_eq(tn_json_parse_all(&root, &arena, list, strlen(list), 0, &fault, NULL), TN_OK);
		for (size_t i = 0; i < root->n; i++)
			for (size_t k = 0; k < root->n; k++) {
				int order = tn_json_compare(&root->child[i], &root->child[k], list);

				cr_expect_eq((order > 0) - (order < 0), (i > k) - (i < k), "%zu and %zu", i, k);
			}
	}
	tn_arena_release(&arena);
}

Test(json, members)
{
	static const char text[] = "{\"a\":{\"b\":\"c\"},\"d\":[\"a\"]}";
	struct tn_arena arena = { 0 };
	struct tn_json_fault fault;
	struct tn_json *root;
	size_t line, column;

	cr_assert_eq(tn_json_parse_all(&root, &arena, text, strlen(text), 0, &fault, NULL), TN_OK);
	cr_expect_str_eq(tn_json_text(tn_json_get(tn_json_get(root, "a"), "b")), "c");
	cr_expect_null(tn_json_get(root, "b"));
	cr_expect_null(tn_json_get(tn_json_get(root, "d"), "a"));
	cr_expect_null(tn_json_get(NULL, "a"));
	cr_expect_null(tn_json_text(root));
	tn_arena_release(&arena);
	tn_json_line("\x1e{\n \xc3\xa9x", 6, &line, &column);
	cr_expect_eq(line, 2);
	cr_expect_eq(column, 3);
}

/* Lists of many values stay where they were read; those around them move. */
Test(json, many_values_inside_each_other)
{
	struct tn_arena arena = { 0 };
	struct tn_str text = { 0 };
	struct tn_json_fault fault;
	struct tn_json *root;
	struct tn_error err;
	char want[24];

	tn_str_puts(&text, "[7, {");
	for (int i = 0; i < 3000; i++) {
		tn_str_printf(&text, "%s\"key %d\": ", i ? "," : "", i);
		if (i != 20) {
			tn_str_printf(&text, "%d", i);
			continue;
		}
		for (int k = 0; k < 2000; k++)
			tn_str_printf(&text, "%c[%d]", k ? ',' : '[', k);
		tn_str_puts(&text, "]");
	}
	tn_str_puts(&text, "}, 9]");
	cr_assert(tn_json_parse_all(&root, &arena, tn_str_text(&text), text.n, 0, &fault, &err) == TN_OK, "%s", err.text);
	cr_assert_eq(root->n, 3);
	cr_expect_eq(root->child[0].magnitude, 7);
	cr_expect_eq(root->child[2].magnitude, 9);
	cr_assert_eq(root->child[1].n, 3000);
	for (size_t i = 0; i < 3000; i++) {
		const struct tn_json *c = &root->child[1].child[i];

		snprintf(want, sizeof want, "key %d", (int)i);
		cr_assert_str_eq(c->key, want);
		cr_assert(c->parent == &root->child[1] && c->index == i && c->parent->parent == root, "%zu", i);
		if (i != 20) {
			cr_assert_eq(c->magnitude, i);
			continue;
		}
		cr_assert_eq(c->n, 2000);
		for (size_t k = 0; k < 2000; k++) {
			cr_assert(c->child[k].parent == c && c->child[k].index == k && c->child[k].n == 1, "%zu", k);
			cr_assert(c->child[k].child->magnitude == k && c->child[k].child->parent == &c->child[k], "%zu", k);
		}
	}
	tn_arena_release(&arena);
	text.n -= strlen("}, 9]");
	tn_str_puts(&text, ", \"key 1500\": 1}, 9]");
	cr_expect_eq(tn_json_parse_all(&root, &arena, tn_str_text(&text), text.n, 0, &fault, &err), TN_ERR_FORMAT);
	cr_expect_str_eq(err.text, "the name \"key 1500\" occurs twice");
	tn_arena_release(&arena);
	tn_str_release(&text);
}
