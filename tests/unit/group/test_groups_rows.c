/* Groups of events by fields after texts, by fields with signs, and by times: equal to those made row by row. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/tnav.h>

#include "../../make/drafting.h"
#include "../../make/scratch.h"

static struct tn_error err;

static void
make_trace(void)
{
	static const char *const words[] = { "", "a", "two words", "three of them" };
	struct tn_packet_writer *w;
	struct tn_event_class *ec[2];
	struct tn_stream_class *sc;
	struct tn_trace_writer *tw;
	struct tn_draft *d;

	make_folder();
	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 0, 0, true), .header = TN_HEADER_LARGE });
	ec[0] = tn_draft_event_class(d, sc, "e", 6, NULL, structure(d, 6, (const char *[]) { "s", "n", "i", "t", "b", "j" },
		(struct tn_type *[]) { tn_draft_string(d), tn_draft_uint(d, 32, 32, 10), tn_draft_sint(d, 16, 16, 10),
				       tn_draft_string(d), tn_draft_uint(d, 8, 0, 10), tn_draft_sint(d, 8, 0, 10) }));
	ec[1] = tn_draft_event_class(d, sc, "f", 6, NULL, structure(d, 5, (const char *[]) { "m", "i", "t", "n", "k" },
		(struct tn_type *[]) { tn_draft_sint(d, 32, 32, 10), tn_draft_sint(d, 64, 64, 10), tn_draft_string(d),
				       tn_draft_uint(d, 64, 64, 10), tn_draft_uint(d, 8, 0, 10) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&tw, trace_path, d, TN_METADATA_CTF_1_8, &err), &err);
	check(tn_trace_writer_stream(tw, sc, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = "s", .packet_size = 1 << 16 }, &w,
				     &err), &err);
	for (unsigned i = 0; i < 3000; i++) {
		/* With two keys, multiples of 257 share one cache entry: the key is compared. */
		struct tn_datum e[6] = { tn_datum_text(words[i % 4]), tn_datum_u(i % 11 * 257), tn_datum_i((int)(i % 9) - 4),
					 tn_datum_text(words[i / 3 % 4]), tn_datum_u(i % 3), tn_datum_i((int)(i % 5) - 2) };
		struct tn_datum f[5] = { tn_datum_i((int)(i % 3) - 1), tn_datum_i(i % 2 ? INT64_MIN : -(int64_t)(i % 5)),
					 tn_datum_text(words[i / 5 % 4]),
					 tn_datum_u(i % 6), tn_datum_u(i % 8) };

		check(tn_packet_writer_event_at(w, 10 * i, ec[i % 7 == 0], i % 7 ? e : f, i % 7 ? 6 : 5, &err), &err);
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(d);
}

TestSuite(groups_rows, .init = make_trace, .fini = remove_folder);

static struct tn_set *
open_trace(void)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = true };
	struct tn_set *set;
	const char *const paths[] = { trace_path };

	check(tn_set_open(&set, paths, 1, &how, &err), &err);
	return set;
}

static struct tn_groups *
run(struct tn_set *set, const char *by, const char *show)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 2 };
	struct tn_groups *g;

	cr_assert_eq(tn_groups_new(&g, set, by, show, &err), TN_OK, "%s: %s", by, err.text);
	check(tn_groups_run(g, &o, &err), &err);
	return g;
}

/* A line a group, @most at most, in whatever order they are. */
static char *
list(struct tn_groups *g, size_t most)
{
	const struct tn_answer_value *row;
	struct tn_str out = { 0 };

	for (size_t i = 0; i < most && (row = tn_groups_row(g, i, NULL)); i++) {
		for (size_t c = 0; tn_groups_column(g, c); c++) {
			tn_answer_value_text(&row[c], &out);
			tn_str_puts(&out, " ");
		}
		tn_str_puts(&out, "\n");
	}
	return out.text;
}

static char *
ask(const char *by, const char *show)
{
	struct tn_set *set = open_trace();
	struct tn_groups *g = run(set, by, show);
	char *text = list(g, SIZE_MAX);

	tn_groups_free(g);
	tn_set_close(set);
	return text;
}

Test(groups_rows, as_row_by_row)
{
	static const char *const by[] = { "i", "n", "s", "t", "b", "j", "k", "m", "i, t", "n, s", "i, n", "n, i",
		"time/1us", "time/1us, i", "time", "name, t" };
	static const char *const show[] = { "count", "count, sum(n), min(i), last(t)" };

	for (size_t i = 0; i < sizeof by / sizeof *by; i++)
		for (size_t k = 0; k < 2; k++) {
			char *got = ask(by[i], show[k]), *want;

			setenv("TNAV_WAYS", "values", 1);
			want = ask(by[i], show[k]);
			unsetenv("TNAV_WAYS");
			cr_expect(strlen(want) > 20, "%s", by[i]);
			cr_expect_str_eq(got, want, "by %s show %s", by[i], show[k]);
			free(got);
			free(want);
		}
	/* Numbers with a sign are what they are. */
	{
		char *got = ask("i", "count");

		cr_expect(strstr(got, "-9223372036854775808 214 \n") && strstr(got, "-4 ") && strstr(got, "\n4 "), "%s", got);
		free(got);
	}
}

/* All events in one group: numbers with and without a sign, of both signs, of some classes, after texts, and texts. */
Test(groups_rows, all_in_one)
{
	static const char *const field[] = { "n", "i", "b", "j", "m", "k" };
	char show[160];

	for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
		const char *f = field[i];
		char *got, *want;

		snprintf(show, sizeof show, "count, count(%s), sum(%s), min(%s), max(%s), mean(%s), p10(%s), p99(%s)", f, f, f, f, f, f, f);
		got = ask("", show);
		setenv("TNAV_WAYS", "values", 1);
		want = ask("", show);
		unsetenv("TNAV_WAYS");
		cr_expect(strncmp(want, "3000 ", 5) == 0, "%s", want);
		cr_expect_str_eq(got, want, "%s", f);
		free(got);
		free(want);
	}
}

/* The first groups are those that are first when all are sorted: few of many, most of them, all. */
Test(groups_rows, the_first_ones)
{
	static const char *const by[] = { "i", "n", "t", "time/1us", "time/10ns", "i, t", "t, n", "name, i, t, n", "j" };
	static const char *const show = "count, sum(n), min(i), last(t), p50(n)";
	static const size_t some[] = { 0, 1, 2, 3, 10, 74, 75, 76, 3000 };
	struct tn_set *set = open_trace();

	for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
		struct tn_groups *g = run(set, by[i], show), *sorted = run(set, by[i], show);
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
		size_t keys = tn_groups_key_count(g);

		for (size_t c = 0; tn_groups_column(g, c); c++)
			for (size_t k = 0; k < 2 * sizeof some / sizeof *some; k++) {
				size_t n = some[k / 2];
				char *got, *want;

				check(tn_groups_run(g, &o, &err), &err);
				check(tn_groups_top(g, c, k % 2, n, &err), &err);
				for (size_t m = keys; m-- > 0;)
					check(tn_groups_sort(sorted, m, false, &err), &err);
				check(tn_groups_sort(sorted, c, k % 2, &err), &err);
				got = list(g, SIZE_MAX);
				want = list(sorted, n ? n : SIZE_MAX);
				cr_expect_str_eq(got, want, "by %s, column %zu, down %zu, %zu", by[i], c, k % 2, n);
				free(got);
				free(want);
			}
		tn_groups_free(g);
		tn_groups_free(sorted);
	}
	tn_set_close(set);
}
