/* Names in paths: what is written is what is read (path.h). */
#include <criterion/criterion.h>

#include "model/path.h"

Test(path, names)
{
	static const struct { const char *name, *written; } rows[] = {
		{ "ret", "ret" }, { "_x9", "_x9" }, { "größe", "größe" }, { "$a", "$a" }, { "", "``" }, { "0x", "`0x`" },
		{ "two words", "`two words`" }, { "a.b", "`a.b`" }, { "a[1]", "`a[1]`" }, { "a-b", "`a-b`" },
		{ "`", "`\\``" }, { "\\", "`\\\\`" }, { "a\nb\tc\x01\x7f", "`a\\nb\\tc\\x01\\x7f`" }, { "\\n", "`\\\\n`" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_str out = { 0 }, back = { 0 };

		tn_path_put_name(&out, rows[i].name);
		cr_assert_str_eq(tn_str_text(&out), rows[i].written);
		cr_assert_eq(tn_path_name_length(tn_str_text(&out)), out.n, "%s", rows[i].written);
		tn_str_puts(&out, ".next");
		cr_assert_eq(tn_path_take_name(tn_str_text(&out), &back), out.n - 5, "%s", rows[i].written);
		cr_assert_str_eq(tn_str_text(&back), rows[i].name);
		tn_str_release(&out);
		tn_str_release(&back);
	}
}

Test(path, no_names)
{
	static const char *const none[] = { "", ".a", "[0]", "`open", "`open\\`", " a", "-" };
	struct tn_str name = { 0 };

	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		cr_assert_eq(tn_path_name_length(none[i]), 0, "%s", none[i]);
	cr_assert_eq(tn_path_take_name("`open", &name), 0);
	tn_str_release(&name);
}

/* A word outside of quotes, names, regular expressions and parentheses. */
Test(path, words)
{
	static const struct { const char *text; int at; } rows[] = {
		{ "a where b", 1 }, { "a where", 1 }, { "a wherever where b", 10 }, { "nowhere", -1 }, { "a\twhere\tb", 1 },
		{ "t == \" where \"", -1 }, { "t == ' where ' where x", 14 }, { "`a where b` where c", 11 },
		{ "t == \"\\\" where \" where x", 16 }, { "t =~ / where / where x", 14 }, { "t =~ /a\\/ where / where", 17 },
		{ "dur / 2 where x", 7 }, { "(a where b) where c", 11 }, { "t == \" where ", -1 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *text = rows[i].text, *found = tn_path_find_word(text, text + strlen(text), "where");

		cr_assert_eq(found ? found - text : -1, rows[i].at, "%s", text);
	}
}
