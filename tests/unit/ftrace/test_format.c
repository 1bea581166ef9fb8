#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "ftrace/format.h"

static struct tn_arena arena;

static void
release(void)
{
	tn_arena_release(&arena);
}

TestSuite(ftrace_format, .fini = release);

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static enum tn_code
parse(struct tn_ftrace_format *out, const char *fields, const char *print, unsigned long_size, struct tn_error *err)
{
	struct tn_ftrace_machine machine = { long_size };
	char text[4096];

	snprintf(text, sizeof text, "name: it\nID: 7\nformat:\n" COMMON "%s\nprint fmt: %s\n", fields, print);
	return tn_ftrace_format_parse(out, &arena, &machine, "test", text, strlen(text), err);
}

/* The kind of each declaration (tracedat.md, "Declarations of fields"). */
Test(ftrace_format, declarations)
{
	static const struct {
		const char *line, *name;
		unsigned long_size;
		enum tn_ftrace_kind kind;
		enum tn_located located;
		unsigned width;
		bool is_signed, is_hex;
	} row[] = {
		{ "int x;\toffset:8;\tsize:4;\tsigned:1;", "x", 8, TN_FTRACE_NUMBER, 0, 4, true, false },
		{ "u64 x;\toffset:8;\tsize:8;\tsigned:0;", "x", 8, TN_FTRACE_NUMBER, 0, 8, false, false },
		{ "pid_t pid;\toffset:8;\tsize:4;", "pid", 8, TN_FTRACE_NUMBER, 0, 4, false, false },
		{ "const char * str;\toffset:8;\tsize:8;\tsigned:0;", "str", 8, TN_FTRACE_NUMBER, 0, 8, false, true },
		{ "char comm[16];\toffset:8;\tsize:16;\tsigned:0;", "comm", 8, TN_FTRACE_TEXT, 0, 1, false, false },
		{ "char comm[TASK_COMM_LEN];\toffset:8;\tsize:16;\tsigned:0;", "comm", 8, TN_FTRACE_TEXT, 0, 1, false, false },
		{ "unsigned long args[6];\toffset:8;\tsize:48;\tsigned:0;", "args", 8, TN_FTRACE_NUMBERS, 0, 8, false, false },
		{ "unsigned long args[6];\toffset:8;\tsize:24;\tsigned:0;", "args", 4, TN_FTRACE_NUMBERS, 0, 4, false, false },
		{ "struct mine x[3];\toffset:8;\tsize:12;\tsigned:0;", "x", 8, TN_FTRACE_NUMBERS, 0, 4, false, false },
		{ "u8 mac[6];\toffset:8;\tsize:6;\tsigned:0;", "mac", 8, TN_FTRACE_NUMBERS, 0, 1, false, false },
		{ "struct in6 a;\toffset:8;\tsize:24;\tsigned:0;", "a", 8, TN_FTRACE_BYTES, 0, 24, false, false },
		{ "char buf[];\toffset:8;\tsize:0;\tsigned:0;", "buf", 8, TN_FTRACE_TEXT, TN_LOCATED_REST, 1, false, false },
		{ "u32 buf[];\toffset:8;\tsize:0;\tsigned:0;", "buf", 8, TN_FTRACE_NUMBERS, TN_LOCATED_REST, 4, false, false },
		{ "__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:1;", "name", 8, TN_FTRACE_TEXT, TN_LOCATED_DATA, 1, true, false },
		{ "__rel_loc char[] name;\toffset:8;\tsize:4;\tsigned:1;", "name", 8, TN_FTRACE_TEXT, TN_LOCATED_REL, 1, true, false },
		{ "__data_loc cpumask_t mask;\toffset:8;\tsize:4;\tsigned:0;", "mask", 8, TN_FTRACE_NUMBERS, TN_LOCATED_DATA, 8, false, true },
		{ "__data_loc u16[] list;\toffset:8;\tsize:4;\tsigned:0;", "list", 8, TN_FTRACE_NUMBERS, TN_LOCATED_DATA, 2, false, false },
	};

	for (size_t i = 0; i < TN_COUNT(row); i++) {
		struct tn_ftrace_format format;
		const struct tn_ftrace_field *f;
		struct tn_error err = { 0 };
		char line[200];

		snprintf(line, sizeof line, "\tfield:%s", row[i].line);
		cr_assert_eq(parse(&format, line, "\"\"", row[i].long_size, &err), TN_OK, "%s: %s", row[i].line, err.text);
		cr_assert_eq(format.id, 7, "%s", row[i].line);
		cr_assert_eq(format.n_fields, 3, "%s: %zu fields", row[i].line, format.n_fields);
		cr_assert_eq(format.n_common, 2, "%s: %zu common", row[i].line, format.n_common);
		f = &format.field[2];
		cr_assert_str_eq(f->name, row[i].name, "%s: name %s", row[i].line, f->name);
		cr_assert_eq(f->kind, row[i].kind, "%s: kind %d", row[i].line, f->kind);
		cr_assert_eq(f->located, row[i].located, "%s: located %d", row[i].line, f->located);
		cr_assert_eq(f->width, row[i].width, "%s: width %u", row[i].line, f->width);
		cr_assert_eq(f->is_signed, row[i].is_signed, "%s: signed", row[i].line);
		cr_assert_eq(f->is_hex, row[i].is_hex, "%s: hex", row[i].line);
	}
}

Test(ftrace_format, refused)
{
	static const char *const line[] = {
		"\tfield:int x;\toffset:8;\tsize:99999999999999999999;\tsigned:1;",
		"\tfield:int x;\toffset:70000;\tsize:4;\tsigned:1;",
		"\tfield:int x;\toffset:8;\tsigned:1;",
		"\tfield:int x;\toffset:6;\tsize:4;\tsigned:1;",	/* where common_pid is */
		"\tfield:char b[];\toffset:8;\tsize:0;\tsigned:0;\n\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;",
		"\tfield:__data_loc char[] x;\toffset:8;\tsize:8;\tsigned:1;",
		"\tfield:;\toffset:8;\tsize:4;\tsigned:1;",
	};

	for (size_t i = 0; i < TN_COUNT(line); i++) {
		struct tn_ftrace_format format;
		struct tn_error err = { 0 };

		cr_assert_eq(parse(&format, line[i], "\"\"", 8, &err), TN_ERR_FORMAT, "%s: %s", line[i], err.text);
	}
}

/* The number of the label or flag @name; -1: there is none. */
static int64_t
value_of(const struct tn_ftrace_field *f, const char *name)
{
	for (size_t i = 0; i < f->n_mappings; i++)
		if (strcmp(f->mapping[i].label, name) == 0)
			return (int64_t)f->mapping[i].range[0].lower;
	return -1;
}

Test(ftrace_format, tables)
{
	static const struct {
		const char *print, *label;
		int64_t value;
		bool flags;
	} row[] = {
		{ "\"%s\", __print_symbolic(REC->x, { 0, \"zero\" }, { 1, \"one\" })", "one", 1, false },
		{ "\"%d %s\", REC->x, __print_symbolic((REC->x), { (1 << 4) | 2, \"a, \\\"b\\\"\" })", "a, \"b\"", 18, false },
		{ "\"%s\", __print_symbolic(REC->x, { -2, \"minus\" })", "minus", -2, false },
		{ "\"%s\", __print_symbolic(REC->x, { NAME, \"unresolved\" }, { 3, \"three\" })", "unresolved", -1, false },
		{ "\"%s\", __print_symbolic(REC->x >> 4, { 3, \"three\" })", "three", -1, false },
		{ "\"%s\", __print_flags(REC->x, \"|\", { 0x10, \"ten\" }, { 0x30, \"both\" })", "ten", 4, true },
		{ "\"%s\", __print_flags(REC->x, \"|\", { 0x10, \"ten\" }, { 0x30, \"both\" })", "both", -1, false },
		{ "\"%s\", (REC->x & 3) ? __print_flags(REC->x & ((0x1 | 0x2) + 1), \"|\", { 0x2, \"D\" }) : \"R\"", "D", 2, false },
		{ "\"%s\", (REC->x & 3) ? __print_flags(REC->x & ((0x1 | 0x2) + 1), \"|\", { 0x2, \"D\" }) : \"R\"", "R", 0, false },
		{ "\"%s\", __print_flags((unsigned long)(REC)->x, \",\", { 1UL << 31, \"top\" })", "top", 31, true },
		{ "\"%s\", __print_symbolic(REC->x, { 08, \"no octal\" }, { 0x, \"no hex\" })", "no octal", -1, false },
		{ "\"%s\", __print_symbolic(REC->x, { 1", "", -1, false },
	};

	for (size_t i = 0; i < TN_COUNT(row); i++) {
		struct tn_ftrace_format format;
		struct tn_error err = { 0 };

		cr_assert_eq(parse(&format, "\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;", row[i].print, 8, &err), TN_OK, "%s", err.text);
		cr_assert_eq(value_of(&format.field[2], row[i].label), row[i].value, "%s: %lld", row[i].print,
			     (long long)value_of(&format.field[2], row[i].label));
		if (row[i].value >= 0)
			cr_assert_eq(format.field[2].is_flags, row[i].flags, "%s: flags", row[i].print);
	}
}

Test(ftrace_format, hexadecimal)
{
	static const struct { const char *print; bool x, y; } row[] = {
		{ "\"%d %x\", REC->x, REC->y", false, true },
		{ "\"%ps %08lx\", (void *)REC->x, ((unsigned long)(REC->y))", true, true },
		{ "\"100%% %p %u\", REC->x, REC->y", true, false },
		{ "\"%*x %llx\", 4, REC->x, REC->y", true, true },
		{ "\"%x\", REC->x + REC->y", false, false },
	};

	for (size_t i = 0; i < TN_COUNT(row); i++) {
		struct tn_ftrace_format format;
		struct tn_error err = { 0 };

		cr_assert_eq(parse(&format, "\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:int y;\toffset:12;\tsize:4;\tsigned:1;",
				   row[i].print, 8, &err), TN_OK, "%s", err.text);
		cr_assert_eq(format.field[2].is_hex, row[i].x, "%s: x", row[i].print);
		cr_assert_eq(format.field[3].is_hex, row[i].y, "%s: y", row[i].print);
	}
}

Test(ftrace_format, layout)
{
	static const char good[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:12;\tsize:4084;\tsigned:0;\n";
	struct tn_ftrace_layout layout = { .big_endian = true };

	cr_assert_eq(tn_ftrace_layout_parse(&layout, good, strlen(good), NULL), TN_OK);
	cr_assert(layout.big_endian && layout.commit_at == 8 && layout.commit_size == 4 && layout.data_at == 12 && layout.time_at == 0);
	cr_assert_eq(tn_ftrace_layout_parse(&layout, good, 80, NULL), TN_ERR_FORMAT);
	cr_assert_eq(tn_ftrace_layout_parse(&layout, "", 0, NULL), TN_ERR_FORMAT);
}
