#include <criterion/criterion.h>

#include <tnav/table.h>

static int
bytes(const char *text, size_t n)
{
	(void)text;
	return (int)n;
}

static struct tn_table *
table(const struct tn_table_column *column, size_t n)
{
	static const struct tn_table_options how = { .width = bytes };
	struct tn_table *t;

	cr_assert_eq(tn_table_new(&t, &how, NULL), TN_OK);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(tn_table_add_column(t, &column[i], NULL), TN_OK);
	return t;
}

static const struct tn_table_column columns[] = {
	{ .name = "name" },
	{ .name = "dur", .heading = "duration", .unit = TN_GROUP_DURATION, .flags = TN_COLUMN_RIGHT },
	{ .name = "a", .object = "key", .flags = TN_COLUMN_NAMED },
	{ .name = "ok", .flags = TN_COLUMN_BOOL | TN_COLUMN_OPTIONAL | TN_COLUMN_NO_TEXT },
	{ .name = "b", .object = "key", .flags = TN_COLUMN_NAMED },
};
#define N (sizeof columns / sizeof *columns)

Test(table, a_row_has_three_forms)
{
	const struct tn_answer_value row[N] = {
		tn_answer_text("x,\"y\""), tn_answer_number(true, 1500), tn_answer_number(true, -3), tn_answer_number(true, 7),
		tn_answer_text(NULL),
	}, other[N] = { tn_answer_text("a longer name"), tn_answer_text(NULL), tn_answer_text("1"), { .kind = TN_ANSWER_NONE },
			tn_answer_text("") };
	static const char *const want[] = {
		"name           duration\n"
		"x,\"y\"          1.500 us  a=-3\n"
		"a longer name         -  a=1  b=\n",
		"name,dur,key.a,ok,key.b\n\"x,\"\"y\"\"\",1500,-3,true,\na longer name,,1,,\"\"\n",
		"{\"name\":\"x,\\\"y\\\"\",\"dur\":1500,\"key\":{\"a\":-3,\"b\":null},\"ok\":true}\n"
		"{\"name\":\"a longer name\",\"dur\":null,\"key\":{\"a\":\"1\",\"b\":\"\"}}\n",
	};

	for (int form = TN_TABLE_TEXT; form <= TN_TABLE_JSON; form++) {
		struct tn_table *t = table(columns, N);
		struct tn_str out = { 0 };

		tn_table_measure(t, row);
		tn_table_measure(t, other);
		tn_table_heading(t, (enum tn_table_form)form, &out);
		tn_table_row(t, (enum tn_table_form)form, row, &out);
		tn_table_row(t, (enum tn_table_form)form, other, &out);
		cr_assert_str_eq(out.text, want[form], "form %d: %s", form, out.text);
		tn_str_release(&out);
		tn_table_free(t);
	}
}

Test(table, no_name_is_twice_in_one_object)
{
	static const struct { struct tn_table_column column[2]; const char *twice; } rows[] = {
		{ { { .name = "a" }, { .name = "b" } }, NULL },
		{ { { .name = "a" }, { .name = "a" } }, "a" },
		{ { { .name = "a" }, { .name = "a", .object = "o" } }, NULL },
		{ { { .name = "a", .object = "o" }, { .name = "a", .object = "o" } }, "a" },
		{ { { .name = "o" }, { .name = "a", .object = "o" } }, "o" },
		{ { { .name = "a", .flags = TN_COLUMN_NO_JSON }, { .name = "a" } }, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_table *t = table(rows[i].column, 2);
		const char *twice = tn_table_twice(t);

		cr_assert(rows[i].twice ? twice && strcmp(twice, rows[i].twice) == 0 : !twice, "row %zu: %s", i, twice);
		tn_table_free(t);
	}
}

/* Broken UTF-8 becomes U+FFFD, control characters become escapes on a terminal only. */
Test(table, text_is_safe_in_each_form)
{
	static const struct tn_table_column one[] = { { .name = "t" } };
	const struct tn_answer_value row[] = { tn_answer_text("a\033\xff") };
	static const char *const want[] = { "a\\x1b\\xff\n", "a\033\xef\xbf\xbd\n" };

	for (int form = TN_TABLE_TEXT; form <= TN_TABLE_CSV; form++) {
		struct tn_table *t = table(one, 1);
		struct tn_str out = { 0 };

		tn_table_row(t, (enum tn_table_form)form, row, &out);
		cr_assert_str_eq(out.text, want[form], "form %d: %s", form, out.text);
		tn_str_release(&out);
		tn_table_free(t);
	}
}

Test(table, long_names_are_cut_and_it_says_so)
{
	static const struct tn_table_column one[] = { { .name = "t", .flags = TN_COLUMN_BRIEF } };
	char name[TN_TABLE_BRIEF + 2] = { 0 };
	struct tn_table *t = table(one, 1);
	struct tn_str out = { 0 };
	struct tn_answer_value row[1];

	memset(name, 'n', TN_TABLE_BRIEF);
	row[0] = tn_answer_text(name);
	tn_table_row(t, TN_TABLE_TEXT, row, &out);
	cr_assert(!tn_table_is_cut(t));
	cr_assert_eq(out.n, TN_TABLE_BRIEF + 1);
	name[TN_TABLE_BRIEF] = 'n';
	row[0] = tn_answer_text(name);
	out.n = 0;
	tn_table_row(t, TN_TABLE_TEXT, row, &out);
	cr_assert(tn_table_is_cut(t));
	cr_assert_str_eq(out.text + TN_TABLE_BRIEF, "...\n");
	tn_str_release(&out);
	tn_table_free(t);
}

/* As the browser shows cells: short numbers, no value as it likes, widths as a terminal has them up to a limit. */
Test(table, cells_are_short_and_measured)
{
	static const struct { enum tn_group_unit unit; double number; const char *text; } rows[] = {
		{ TN_GROUP_DURATION, 999, "999 ns" }, { TN_GROUP_DURATION, 1234, "1.23 us" }, { TN_GROUP_DURATION, 12345, "12.3 us" },
		{ TN_GROUP_DURATION, 123456, "123 us" }, { TN_GROUP_DURATION, 99960, "100 us" }, { TN_GROUP_NUMBER, 2.5, "2.5" },
		{ TN_GROUP_NUMBER, 1.0 / 3, "0.333333" }, { TN_GROUP_NUMBER, 12.0, "12" }, { TN_GROUP_NUMBER, 1234.5678, "1234.57" },
		{ TN_GROUP_NUMBER, 1e5, "100000" }, { TN_GROUP_RATE, 12.34, "12.34 /s" },
	};
	static const struct tn_table_options how = { .width = bytes, .most_width = 8, .none = "?" };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tn_answer_value v = { .kind = TN_ANSWER_FLOAT, .is.f = rows[i].number }, none = { .kind = TN_ANSWER_NONE };
		struct tn_str out = { 0 };
		struct tn_table *t;

		cr_assert_eq(tn_table_new(&t, &how, NULL), TN_OK);
		cr_assert_eq(tn_table_add_column(t, &(struct tn_table_column) { .name = "n", .heading = "a long heading",
			     .unit = rows[i].unit, .flags = TN_COLUMN_SHORT }, NULL), TN_OK);
		tn_table_cell(t, 0, NULL, &out);
		cr_assert_str_eq(out.text, "a long heading");
		cr_assert_eq(tn_table_width(t, 0), 0);
		out.n = 0;
		tn_table_cell(t, 0, &v, &out);
		cr_assert_str_eq(out.text, rows[i].text, "row %zu: %s", i, out.text);
		cr_assert_eq(tn_table_width(t, 0), (int)strlen(rows[i].text), "row %zu: %d", i, tn_table_width(t, 0));
		tn_table_cell(t, 0, &none, &out);
		cr_assert_str_eq(out.text + strlen(rows[i].text), "?");
		tn_str_release(&out);
		tn_table_free(t);
	}
}

Test(table, no_column_is_wider_than_the_limit)
{
	static const struct tn_table_options how = { .width = bytes, .most_width = 8 };
	const struct tn_answer_value v = tn_answer_text("nine bytes or so");
	struct tn_str out = { 0 };
	struct tn_table *t;

	cr_assert_eq(tn_table_new(&t, &how, NULL), TN_OK);
	cr_assert_eq(tn_table_add_column(t, &(struct tn_table_column) { .name = "n" }, NULL), TN_OK);
	tn_table_cell(t, 0, &v, &out);
	cr_assert_str_eq(out.text, "nine bytes or so");
	cr_assert_eq(tn_table_width(t, 0), 8);
	cr_assert_eq(tn_table_width(t, 1), 0);
	tn_str_release(&out);
	tn_table_free(t);
}
