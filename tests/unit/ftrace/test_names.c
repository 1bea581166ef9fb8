#include <criterion/criterion.h>
#include <string.h>

#include "base/array.h"
#include "ftrace/names.h"
#include "ftrace/types.h"
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

Test(ftrace_names, system_calls)
{
	static const struct { const char *architecture, *third; } row[] = {
		{ "x86_64", "close" }, { "aarch64", "io_cancel" }, { "arm64", "io_cancel" }, { "i686", "read" }, { "i386", "read" },
		{ "riscv64", NULL }, { "", NULL }, { NULL, NULL },
	};

	for (size_t i = 0; i < TN_COUNT(row); i++) {
		struct tn_env env = { .name = "architecture", .is_text = true, .text = row[i].architecture };
		const struct tn_trace trace = { .env = &env, .n_env = row[i].architecture != NULL };
		const struct tn_mapping *label;
		const char *third = NULL;
		size_t n;

		label = tn_ftrace_syscalls(&trace, &n);
		for (size_t k = 0; k < n; k++)
			if (label[k].range[0].lower == 3)
				third = label[k].label;
		cr_assert(third == row[i].third || (third && row[i].third && strcmp(third, row[i].third) == 0), "%s: %s",
			  row[i].architecture, third);
	}
}
