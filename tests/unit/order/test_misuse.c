/* Answers of the library to impossible requests. */
#include <criterion/criterion.h>
#include <string.h>

#include <tnav/tnav.h>

#include "base/error.h"
#include "base/options.h"
#include "model/decoder.h"
#include "order/cursor.h"

static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; } := u8; trace { major = 1; minor = 8; byte_order = le; };\n"
	"stream { event.header := struct { u8 id; }; }; event { id = 0; name = \"a\"; fields := struct { u8 x; }; };\n";

#define SAYS(call, words) do { \
	struct tn_error err = { .text = "" }; \
	cr_expect_eq((call), TN_ERR_ARGUMENT, "%s: %s", #call, err.text); \
	cr_expect(strstr(err.text, words), "%s: '%s' does not say '%s'", #call, err.text, words); \
} while (0)

static struct tn_set *
open_one(void)
{
	const struct tn_memory_file file[] = { { "metadata", metadata, sizeof metadata - 1 }, { "s", "\0\1\0\2", 4 } };
	struct tn_error err;
	struct tn_set *set;

	cr_assert_eq(tn_set_open_memory(&set, file, 2, NULL, &err), TN_OK, "%s", err.text);
	return set;
}

Test(misuse, of_sets_and_cursors)
{
	const struct tn_event *event;
	struct tn_set *set = open_one(), *other;
	struct tn_cursor *cur, *copy;
	struct tn_groups *groups;

	SAYS(tn_set_open(&other, NULL, 0, NULL, &err), "no trace given");
	SAYS(tn_set_open(NULL, NULL, 0, NULL, &err), "a pointer is NULL, but must not be");
	SAYS(tn_cursor_new(&cur, NULL, &err), "a cursor needs a set");
	SAYS(tn_cursor_copy(&copy, NULL, &err), "the cursor to copy is NULL");
	cr_assert_eq(tn_cursor_new(&cur, set, NULL), TN_OK);
	SAYS(tn_cursor_read(cur, TN_SCOPE_ALL, &event, &err), "the cursor is not on a row");
	tn_cursor_free(cur);
	cr_assert_eq(tn_groups_new(&groups, set, "name", "count", NULL), TN_OK);
	SAYS(tn_groups_sort(groups, 99, false, &err), "there is no such column");
	SAYS(tn_groups_top(groups, 99, false, 1, &err), "there is no such column");
	tn_groups_free(groups);
	tn_set_close(set);
}

/* Rows that are not events have neither values nor a line. */
Test(misuse, of_rows_that_are_no_event)
{
	/* The second event has no class. */
	const struct tn_memory_file file[] = { { "metadata", metadata, sizeof metadata - 1 }, { "s", "\0\1\7", 3 } };
	const struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_event room = { 0 };
	const struct tn_event *event;
	const struct tn_batch *batch;
	struct tn_str out = { 0 };
	struct tn_row row = { 0 };
	struct tn_cursor *cur;
	struct tn_text *text;
	struct tn_set *set;
	size_t at;

	cr_assert_eq(tn_set_open_memory(&set, file, 2, NULL, NULL), TN_OK);
	cr_assert_eq(tn_text_new(&text, set, &how, NULL), TN_OK);
	cr_assert_eq(tn_cursor_new(&cur, set, NULL), TN_OK);
	SAYS(tn_text_line(text, cur, NULL, &out, &err), "the cursor is not on a row");
	for (enum tn_code rc = tn_cursor_first(cur, NULL); rc == TN_OK; rc = tn_cursor_next(cur, NULL))
		if (tn_cursor_row(cur, &row) && row.kind != TN_ROW_EVENT)
			break;
	cr_assert_neq(row.kind, TN_ROW_EVENT);
	SAYS(tn_cursor_read(cur, TN_SCOPE_ALL, &event, &err), "the cursor is not on an event");
	SAYS(tn_text_line(text, cur, NULL, &out, &err), "the cursor is not on an event");
	cr_expect_eq(out.n, 0);
	batch = tn_cursor_batch(cur, &at);
	SAYS(batch->stream->trace->ops->read(batch, at, TN_SCOPE_ALL, &room, &err), "the row is not an event");
	SAYS(batch->stream->trace->ops->read(batch, batch->refs.n, TN_SCOPE_ALL, &room, &err), "the row is not an event");
	tn_event_release(&room);
	tn_str_release(&out);
	tn_cursor_free(cur);
	tn_text_free(text);
	tn_set_close(set);
}

/* Columns are those of the set that they were made for. */
Test(misuse, of_columns_of_fewer_streams)
{
	const struct tn_memory_file file[] = {
		{ "metadata", metadata, sizeof metadata - 1 }, { "s", "\0\1\0\2", 4 }, { "t", "\0\1", 2 },
	};
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_set *one = open_one(), *two;
	struct tn_str out = { 0 };
	struct tn_row row = { 0 };
	struct tn_cursor *cur;
	struct tn_text *text;

	how.format = TN_LINE_CSV;
	cr_assert_eq(tn_text_new(&text, one, &how, NULL), TN_OK);
	cr_assert_eq(tn_set_open_memory(&two, file, 3, NULL, NULL), TN_OK);
	cr_assert_eq(tn_cursor_new(&cur, two, NULL), TN_OK);
	for (enum tn_code rc = tn_cursor_first(cur, NULL); rc == TN_OK; rc = tn_cursor_next(cur, NULL))
		if (tn_cursor_row(cur, &row) && row.location.stream == 1)
			break;
	cr_assert_eq(row.location.stream, 1);
	SAYS(tn_text_line(text, cur, NULL, &out, &err), "the lines have no columns for this event");
	tn_str_release(&out);
	tn_cursor_free(cur);
	tn_text_free(text);
	tn_set_close(two);
	tn_set_close(one);
}

static int
no_lines(void *user, const char *text, size_t n)
{
	(void)user, (void)text, (void)n;
	return 0;
}

/* A regular expression is about lines: the caller must set their format. */
Test(misuse, of_filters_for_lines)
{
	struct tn_set *set = open_one();
	struct tn_filter *filter;
	struct tn_groups *groups;
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_export_options to = { TN_EXPORT_OPTIONS };

	SAYS(tn_scan(set, &(struct tn_scan_options) { TN_SCAN_OPTIONS, .lines = no_lines }, NULL, &err),
	     "lines and regular expressions need a format of lines");
	cr_assert_eq(tn_filter_new(&filter, set, NULL), TN_OK);
	cr_assert_eq(tn_filter_add_regex(filter, "a", false, NULL), TN_OK);
	o.filter = to.filter = filter;
	SAYS(tn_scan(set, &o, NULL, &err), "lines and regular expressions need a format of lines");
	SAYS(tn_export(set, "/nowhere/at/all", &to, &err), "regular expressions need a format of lines");
	cr_assert_eq(tn_groups_new(&groups, set, "name", "count", NULL), TN_OK);
	SAYS(tn_groups_run(groups, &o, &err), "lines and regular expressions need a format of lines");
	tn_groups_free(groups);
	tn_filter_free(filter);
	tn_set_close(set);
}

struct known { size_t size; int a; };
struct later { struct known known; int b; };

Test(misuse, of_options)
{
	struct known out = { sizeof out, 1 };
	const struct later later = { { sizeof later, 1 }, 2 };
	const struct known none = { 0, 1 };

	SAYS(tn_options_take(&out, sizeof out, &none, "x", &err), "struct x: its size is not set: initialize it with { TN_... }");
	SAYS(tn_options_take(&out, sizeof out, &later, "x", &err), "struct x: a member is set that this version of libtnav");
}

Test(misuse, of_recorders_and_drafts)
{
	static uint32_t buffer[1024];
	struct tn_str text = { 0 };
	struct tn_recorder *r;
	struct tn_draft *d;

	SAYS(tn_recorder_new(&r, NULL, SIZE_MAX, 4, &err), sizeof(size_t) > 4
	     ? "a recorder of 18446744073709551615 bytes in 4 blocks" : "a recorder of 4294967295 bytes in 4 blocks");
	SAYS(tn_recorder_new(&r, NULL, 64, 16, &err), "a recorder of 64 bytes in 16 blocks: at least ");
	SAYS(tn_recorder_new(&r, (char *)buffer + 1, 2048, 4, &err), "the buffer of a recorder is not aligned to 4 bytes");
	cr_assert_eq(tn_draft_new(&d, NULL, NULL), TN_OK);
	SAYS(tn_draft_metadata(d, TN_METADATA_CTF_1_8, &text, &err), "the draft is not finished");
	tn_draft_free(d);
	tn_str_release(&text);
}

/* Types that CTF 1.8 cannot express are named. */
Test(misuse, of_ctf_1_8)
{
	static const struct {
		int which;
		const char *text;
	} rows[] = {
		{ 0, "an integer of variable length" }, { 1, "an encoding other than UTF-8" }, { 2, "CTF 1.8 cannot describe" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_str text = { 0 };
		struct tn_stream_class *sc;
		struct tn_error err;
		struct tn_draft *d;
		struct tn_type *s, *t;

		cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
		sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s" });
		s = tn_draft_struct(d);
		t = rows[i].which == 0 ? tn_draft_varuint(d, 10) : rows[i].which == 1 ? tn_draft_string(d) : tn_draft_blob(d, 4, NULL);
		if (rows[i].which == 1)
			tn_draft_encoding(d, t, TN_ENCODING_UTF16BE);
		tn_draft_member(d, s, "m", t);
		tn_draft_event_class(d, sc, "e", -1, NULL, s);
		cr_assert_eq(tn_draft_finish(d, &err), TN_OK, "%s", err.text);
		cr_assert_lt(tn_draft_metadata(d, TN_METADATA_CTF_1_8, &text, &err), 0);
		cr_assert(strstr(err.text, rows[i].text), "row %zu: %s", i, err.text);
		tn_draft_free(d);
		tn_str_release(&text);
	}
}

/* A caller without an error structure gets the same code: for a path, texts, metadata, questions. */
Test(misuse, without_room_for_the_error)
{
	struct tn_set *set = open_one(), *other;
	struct tn_filter *filter;
	struct tn_groups *groups;
	struct tn_spans *spans;
	struct tn_error err;
	enum tn_code of_open, of_filter, of_groups, of_spans;
	const char *path[] = { "/nowhere/at/all" };

	of_open = tn_set_open(&other, path, 1, NULL, &err);
	cr_assert_eq(of_open, err.code);
	cr_assert_eq(tn_set_open(&other, path, 1, NULL, NULL), of_open);
	cr_assert_lt(of_open, 0);
	cr_assert_eq(tn_filter_new(&filter, set, NULL), TN_OK);
	of_filter = tn_filter_add(filter, "nosuch == (1", &err);
	cr_assert_eq(of_filter, err.code);
	cr_assert_eq(tn_filter_add(filter, "nosuch == (1", NULL), of_filter);
	cr_assert_lt(of_filter, 0);
	tn_filter_free(filter);
	of_groups = tn_groups_new(&groups, set, "nosuch", "count", &err);
	cr_assert_eq(of_groups, err.code);
	cr_assert_eq(tn_groups_new(&groups, set, "nosuch", "count", NULL), of_groups);
	cr_assert_lt(of_groups, 0);
	cr_assert_eq(tn_spans_new(&spans, set, NULL), TN_OK);
	of_spans = tn_spans_add(spans, "nosuch", &err);
	cr_assert_eq(of_spans, err.code);
	cr_assert_eq(tn_spans_add(spans, "nosuch", NULL), of_spans);
	cr_assert_lt(of_spans, 0);
	tn_spans_free(spans);
	tn_set_close(set);
}
