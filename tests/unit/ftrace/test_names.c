#include <criterion/criterion.h>
#include <string.h>

#include "base/array.h"
#include "ftrace/names.h"
#include "plan/plan.h"

Test(ftrace_names, commands)
{
	static const char text[] = "12 twelve\n5 a name with blanks\nno number\n12 again\n99999999999 too large\n7 \n0 zero";
	static const struct { int64_t number; const char *text; } row[] = {
		{ 12, "twelve" }, { 5, "a name with blanks" }, { 7, "" }, { 0, "<idle>" }, { 6, "<...>" }, { -1, "<...>" },
		{ 99999999999, "<...>" },
	};
	struct tn_arena arena = { 0 };
	const struct tn_lookup *lookup = tn_ftrace_commands(&arena, text, strlen(text));

	cr_assert(lookup);
	for (size_t i = 0; i < TN_COUNT(row); i++) {
		size_t n;
		const char *found = tn_lookup_find(lookup, row[i].number, &n);

		cr_assert(n == strlen(row[i].text) && memcmp(found, row[i].text, n) == 0, "%lld: %.*s", (long long)row[i].number,
			  (int)n, found);
	}
	tn_arena_release(&arena);
}

Test(ftrace_names, printk_formats)
{
	static const char text[] = "0xffffffff81000010 : \"one\\n\"\n0x20 : \"two %d\\tx\"\nnot a line\n0x30 : \"one\\n\"\n";
	const struct tn_mapping *mapping;
	struct tn_arena arena = { 0 };
	size_t n;

	cr_assert(tn_ftrace_printk_formats(&arena, text, strlen(text), &mapping, &n));
	cr_assert_eq(n, 2);
	cr_assert_str_eq(mapping[0].label, "one");
	cr_assert_eq(mapping[0].range[0].lower, UINT64_C(0xffffffff81000010));
	cr_assert_str_eq(mapping[1].label, "two %d\tx");
	cr_assert(tn_ftrace_printk_formats(&arena, NULL, 0, &mapping, &n) && n == 0);
	tn_arena_release(&arena);
}
