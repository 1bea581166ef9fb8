/* Groups of events by texts, wherever those are and whatever they are: as those that are made row by row. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/tnav.h>

#include "../../make/drafting.h"
#include "../../make/scratch.h"

enum { EVENTS = 5000, CLASSES = 4 };

static struct tn_error err;

/* Texts of all lengths, many of which differ; some are longer than what is put together, one is longer than a group may be. */
static const char *
text_of(unsigned i)
{
	static char long_one[300000];
	static char text[64];

	if (i == 2100)
		return memset(long_one, 'x', sizeof long_one - 1);
	if (i % 1000 == 7 || i % 1000 == 8) {
		snprintf(long_one, sizeof long_one, "%05000u", i / 2000);
		return long_one;
	}
	if (i % 1000 >= 900) {	/* few texts, which differ in their last byte: of 8, 9, 15, 16 and 17 bytes */
		snprintf(text, sizeof text, "%.*s%u", (int)(i % 5 < 2 ? 7 + i % 5 : 12 + i % 5), "/api/v1/items/and", i / 5 % 3);
		return text;
	}
	snprintf(text, sizeof text, "%.*s%u", (int)(i % 31), "/api/v1/items/and/what/is/behind", i % 3 ? i : i % 13);
	return text;
}

static void
make_trace(void)
{
	struct tn_event_class *ec[CLASSES];
	struct tn_packet_writer *w[2];
	struct tn_stream_class *sc;
	struct tn_trace_writer *tw;
	struct tn_draft *d;

	make_folder();
	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 0, 0, true), .header = TN_HEADER_LARGE });
	/*
	 * "x" is at a known place, after a text, of fixed size; "y" a text here and a number there, "z" of two
	 * widths.
	 */
	ec[0] = tn_draft_event_class(d, sc, "a", 6, NULL, structure(d, 3, (const char *[]) { "n", "x", "y" },
		(struct tn_type *[]) { tn_draft_uint(d, 32, 32, 10), tn_draft_string(d), tn_draft_string(d) }));
	ec[1] = tn_draft_event_class(d, sc, "b", 6, NULL, structure(d, 3, (const char *[]) { "s", "x", "z" },
		(struct tn_type *[]) { tn_draft_string(d), tn_draft_string(d), tn_draft_string(d) }));
	ec[2] = tn_draft_event_class(d, sc, "c", 6, NULL, structure(d, 3, (const char *[]) { "x", "y", "z" },
		(struct tn_type *[]) { tn_draft_text(d, 6), tn_draft_uint(d, 16, 8, 10), tn_draft_string(d) }));
	ec[3] = tn_draft_event_class(d, sc, "d", 6, NULL, structure(d, 1, (const char *[]) { "n" },
		(struct tn_type *[]) { tn_draft_uint(d, 8, 8, 10) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&tw, trace_path, d, TN_METADATA_CTF_1_8, &err), &err);
	for (size_t k = 0; k < 2; k++)
		check(tn_trace_writer_stream(tw, sc, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = k ? "t" : "s",
			.packet_size = k ? 1 << 19 : 1 << 15 }, &w[k], &err), &err);
	for (unsigned i = 0; i < EVENTS; i++) {
		const char *text = text_of(i);
		bool is_long = strlen(text) > 100;
		struct tn_datum a[3] = { tn_datum_u(i % 5), tn_datum_text(text), tn_datum_text(is_long ? "" : text + strlen(text) / 2) };
		struct tn_datum b[3] = { tn_datum_text(is_long ? "" : text), tn_datum_text(text),
					 tn_datum_text(i % 2 ? "same" : "other") };
		struct tn_datum c[3] = { tn_datum_text(i % 2 ? "abc" : "abcdef"), tn_datum_u(i % 9), tn_datum_text("same") };
		struct tn_datum n = tn_datum_u(i % 7);
		struct tn_datum *of[CLASSES] = { a, b, c, &n };
		unsigned which = i % 1000 < 400 ? i % 2 : i % CLASSES;

		check(tn_packet_writer_event_at(w[i % 3 == 0 || is_long], 10 * i, ec[which], of[which], which < 3 ? 3 : 1, &err), &err);
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(d);
}

TestSuite(groups_texts, .init = make_trace, .fini = remove_folder);

/* A line a group: in the order of the first keys that @most says, or, when it is 0, as they were met. */
static char *
ask(const char *ways, const char *by, const char *show, unsigned threads, size_t most)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = threads };
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = true };
	const struct tn_answer_value *row;
	struct tn_str out = { 0 };
	struct tn_groups *g;
	struct tn_set *set;
	const char *const paths[] = { trace_path };
	bool rest;

	setenv("TNAV_WAYS", ways, 1);
	check(tn_set_open(&set, paths, 1, &how, &err), &err);
	cr_assert_eq(tn_groups_new(&g, set, by, show, &err), TN_OK, "%s: %s", by, err.text);
	check(tn_groups_run(g, &o, &err), &err);
	if (most)
		check(tn_groups_top(g, most > 20 ? 0 : tn_groups_key_count(g), most <= 20, most, &err), &err);
	for (size_t i = 0; (row = tn_groups_row(g, i, &rest)); i++) {
		tn_str_puts(&out, rest ? "rest " : "");
		for (size_t c = 0; tn_groups_column(g, c); c++) {
			tn_answer_value_text(&row[c], &out);
			tn_str_puts(&out, " ");
		}
		tn_str_puts(&out, "\n");
	}
	tn_str_printf(&out, "%u without\n", (unsigned)tn_groups_without(g));
	tn_groups_free(g);
	tn_set_close(set);
	unsetenv("TNAV_WAYS");
	return out.text;
}

Test(groups_texts, as_row_by_row)
{
	static const char *const by[] = { "x", "y", "z", "s", "x, z", "n, x" };
	static const char *const show[] = { "count", "sum(n), count, last(z)", "sum(n), max(time)" };
	static const size_t most[] = { 0, 3, 17, 400 };

	for (size_t i = 0; i < sizeof by / sizeof *by; i++)
		for (size_t k = 0; k < sizeof show / sizeof *show; k++)
			for (size_t m = 0; m < (k ? 1 : sizeof most / sizeof *most); m++) {
				char *want = ask("values", by[i], show[k], 1, most[m]), *got;

				for (unsigned threads = 1; threads < 4; threads++) {
					got = ask(threads == 2 ? "small" : "", by[i], show[k], 3 * threads - 2, most[m]);
					cr_assert_str_eq(got, want, "by %s show %s, %zu, %u threads", by[i], show[k], most[m], threads);
					free(got);
				}
				cr_assert(strlen(want) > 20, "%s", by[i]);
				cr_assert_null(strstr(want, "rest "), "%s", by[i]);	/* long texts have groups, too */
				free(want);
			}
}
