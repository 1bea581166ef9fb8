/* Options that are of another size than this library's (base/options.h). */
#include <criterion/criterion.h>
#include <string.h>

#include <tnav/tnav.h>

#include "base/options.h"

struct now {
	size_t size;
	int a, b;
};

struct later {
	struct now now;
	long c;
};

Test(options, of_another_size)
{
	static const struct {
		const char *name;
		struct later given;
		enum tn_code code;
		int a, b;
	} rows[] = {
		{ "this library's", { { sizeof(struct now), 1, 2 }, 0 }, TN_OK, 1, 2 },
		{ "an earlier one's", { { offsetof(struct now, b), 1, 2 }, 0 }, TN_OK, 1, 8 },
		{ "a later one's, nothing new set", { { sizeof(struct later), 1, 2 }, 0 }, TN_OK, 1, 2 },
		{ "a later one's", { { sizeof(struct later), 1, 2 }, 3 }, TN_ERR_ARGUMENT, 7, 8 },
		{ "no size", { { 0, 1, 2 }, 0 }, TN_ERR_ARGUMENT, 7, 8 },
		{ "rubbish", { { SIZE_MAX, 1, 2 }, 0 }, TN_ERR_ARGUMENT, 7, 8 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct now out = { sizeof out, 7, 8 };

		cr_expect_eq(tn_options_take(&out, sizeof out, &rows[i].given, "x", NULL), rows[i].code, "%s", rows[i].name);
		cr_expect(out.a == rows[i].a && out.b == rows[i].b, "%s: %d, %d", rows[i].name, out.a, out.b);
		cr_expect_eq(out.size, sizeof out, "%s", rows[i].name);
	}
}

/* Every function that takes options says so when their size is missing. */
Test(options, without_a_size)
{
	struct tn_error err;
	struct tn_set *set;
	struct tn_text *text;
	struct tn_draft *d;
	struct tn_trace_writer *unused = NULL;
	struct tn_packet_writer *w;
	uint64_t n;
	int64_t ns;

	cr_expect_eq(tn_set_open(&set, NULL, 0, &(struct tn_open_options) { .no_index_cache = true }, &err), TN_ERR_ARGUMENT);
	cr_expect(strstr(err.text, "tn_open_options"), "%s", err.text);
	cr_expect_null(set);
	cr_expect_eq(tn_set_open_memory(&set, NULL, 0, &(struct tn_open_options) { 0 }, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_text_new(&text, NULL, &(struct tn_text_options) { .utc = true }, &err), TN_ERR_ARGUMENT);
	cr_expect_null(text);
	cr_expect_eq(tn_scan(NULL, &(struct tn_scan_options) { .limit = 1 }, NULL, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_count(NULL, &(struct tn_count_options) { .threads = 1 }, &n, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_export(NULL, "x", &(struct tn_export_options) { .threads = 1 }, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_time_parse("1", &(struct tn_time_context) { .utc = true }, &ns, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_draft_new(&d, &(struct tn_draft_options) { .big_endian = true }, &err), TN_ERR_ARGUMENT);
	cr_expect_null(d);
	cr_expect_eq(tn_draft_new(&d, NULL, &err), TN_OK);
	cr_expect_null(tn_draft_stream_class(d, &(struct tn_draft_stream) { .name = "s" }));
	cr_expect_eq(tn_draft_finish(d, &err), TN_ERR_ARGUMENT);
	cr_expect(strstr(err.text, "tn_draft_stream"), "%s", err.text);
	tn_draft_free(d);
	cr_expect_eq(tn_trace_writer_stream(unused, NULL, &(struct tn_output_stream) { .name = "s" }, &w, &err), TN_ERR_ARGUMENT);
}
