/*
 * Few bytes that stand for much text: lines that are cut, lines that are delivered one after the other
 */
#include <criterion/criterion.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "tnav/query.h"

static struct tn_set *
open_bytes(const char *metadata, const void *bytes, size_t n)
{
	struct tn_memory_file files[] = { { "metadata", metadata, strlen(metadata) }, { "s", bytes, n } };
	struct tn_set *set;
	struct tn_error err;

	cr_assert_eq(tn_set_open_memory(&set, files, 2, NULL, &err), TN_OK, "%s", err.text);
	return set;
}

static struct tn_text *
text_of(struct tn_set *set, enum tn_line_format format, bool color)
{
	struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_text *text;

	o.format = format;
	o.color = color;
	cr_assert_eq(tn_text_new(&text, set, &o, NULL), TN_OK);
	return text;
}

/* A sum over all text, its size, and the greatest piece. */
struct sum {
	uint64_t sum;
	size_t n, largest;
};

static int
add_lines(void *user, const char *text, size_t n)
{
	struct sum *s = user;

	for (size_t i = 0; i < n; i += 7)
		s->sum = (s->sum ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3) + i % 7;
	s->n += n;
	s->largest = n > s->largest ? n : s->largest;
	return 0;
}

#define BITS 20000	/* elements of each event's array; its line has some 300 KB */
#define EVENTS 150

Test(large_lines, come_one_after_the_other)
{
	static const char metadata[] = "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };"
		"event { name = e; fields := struct { integer { size = 1; align = 1; } a[20000]; }; };";
	uint8_t *bytes = calloc(EVENTS, BITS / 8);
	struct tn_set *set = open_bytes(metadata, bytes, EVENTS * (BITS / 8));
	struct tn_text *text = text_of(set, TN_LINE_TEXT, false);
	size_t n = 0;

	for (unsigned threads = 1; threads <= 3; threads++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .text = text, .threads = threads, .lines = add_lines };
		struct sum sum = { 0 };
		uint64_t passed;

		o.user = &sum;
		cr_assert_eq(tn_scan(set, &o, &passed, NULL), TN_OK);
		cr_assert_eq(passed, EVENTS);
		cr_assert_gt(sum.n, 30u << 20);
		cr_assert(!n || sum.n == n, "%u threads: %zu, not %zu", threads, sum.n, n);
		cr_assert_lt(sum.largest, 33u << 20, "%u threads: %zu", threads, sum.largest);
		n = sum.n;
	}
	tn_text_free(text);
	tn_set_close(set);
	free(bytes);
}

#if defined __GLIBC__ && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
static size_t
in_use(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}
#else
static size_t in_use(void) { return 0; }
#endif

static int
note_memory(void *user, const char *text, size_t n)
{
	size_t *most = user, now = in_use();

	(void)text, (void)n;
	*most = now > *most ? now : *most;
	return 0;
}

/* Backwards lines wait for those before them: for some, not for as many as a chunk may have. */
Test(large_lines, backward_few_wait)
{
	static const char metadata[] = "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };"
		"event { name = e; fields := struct { integer { size = 1; align = 1; } a[20000]; }; };";
	uint8_t *bytes = calloc(EVENTS, BITS / 8);
	struct tn_set *set = open_bytes(metadata, bytes, EVENTS * (BITS / 8));
	struct tn_text *text = text_of(set, TN_LINE_TEXT, false);
	size_t before = in_use(), most = 0;
	struct tn_scan_options o = {
		TN_SCAN_OPTIONS, .text = text, .threads = 1, .lines = note_memory, .user = &most, .backward = true,
	};
	uint64_t passed;

	cr_assert_eq(tn_scan(set, &o, &passed, NULL), TN_OK);
	cr_assert_eq(passed, EVENTS);
	cr_assert_lt(most, before + (24u << 20), "%zu bytes", most - before);
	tn_text_free(text);
	tn_set_close(set);
	free(bytes);
}

static int
keep_lines(void *user, const char *text, size_t n)
{
	tn_str_add(user, text, n);
	return 0;
}

/* 1000 elements of a byte, each with a label of 3000. */
Test(large_lines, are_cut_with_a_word)
{
	static const struct { enum tn_line_format format; bool color, values; const char *end; } rows[] = {
		{ TN_LINE_TEXT, false, false, "<cut: the line has more than 1305576 bytes>\n" },
		{ TN_LINE_TEXT, false, true, "<cut: the line has more than 1305576 bytes>\n" },
		{ TN_LINE_TEXT, true, false, "<cut: the line has more than 1305576 bytes>\n" },
		{ TN_LINE_JSON, false, false, "\"id\":0,\"cut\":\"<cut: the line has more than 1305576 bytes>\"}}\n" },
		{ TN_LINE_JSON, false, true, "\"id\":0,\"cut\":\"<cut: the line has more than 1305576 bytes>\"}}\n" },
		{ TN_LINE_CSV, false, false, ",e,<cut: the line has more than 1305576 bytes>\n" },
		{ TN_LINE_CSV, false, true, ",e,<cut: the line has more than 1305576 bytes>\n" },
	};
	char label[3001] = "";
	struct tn_str metadata = { 0 };
	uint8_t bytes[1000] = { 0 };
	struct tn_set *set;

	memset(label, 'x', sizeof label - 1);
	tn_str_printf(&metadata, "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };"
		      "event { name = e; fields := struct { enum : integer { size = 8; } { %s = 0 } a[1000]; }; };", label);
	set = open_bytes(metadata.text, bytes, sizeof bytes);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1, .lines = keep_lines };
		struct tn_str lines = { 0 };
		struct tn_text *text;
		size_t n = strlen(rows[i].end);

		if (rows[i].values)
			setenv("TNAV_WAYS", "values", 1);
		text = text_of(set, rows[i].format, rows[i].color);
		unsetenv("TNAV_WAYS");
		o.text = text;
		o.user = &lines;
		cr_assert_eq(tn_scan(set, &o, NULL, NULL), TN_OK);
		cr_assert(lines.n > n && strcmp(lines.text + lines.n - n, rows[i].end) == 0, "row %zu: ...%s", i,
			  lines.text + (lines.n > 200 ? lines.n - 200 : 0));
		if (rows[i].format == TN_LINE_TEXT)
			cr_assert_eq(lines.n, 1305576 + n, "row %zu: %zu", i, lines.n);
		tn_text_free(text);
		tn_str_release(&lines);
	}
	tn_set_close(set);
	tn_str_release(&metadata);
}
