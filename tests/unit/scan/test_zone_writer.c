/* Tests of scan/zone_writer: what is learnt of the packets of a trace, and where it is not worth it. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include <tnav/query.h>
#include <tnav/writer.h>

#include "../../make/drafting.h"
#include "../../make/scratch.h"
#include "digest/digest.h"
#include "scan/zone_writer.h"

TestSuite(zone_writer, .init = make_store, .fini = remove_folder);

#define PACKET_SIZE 65536	/* longer than what is read at a time, so that each is judged before most of the next one is read */
#define MANY 56	/* packets all texts of which differ; later ones have few */
#define PACKETS (MANY + 24)

/* Events of a text each, or (@begin is NULL) of two numbers "n" and "n2". */
static void
make_trace(const char *begin, uint64_t many)
{
	struct tn_packet_writer *w;
	struct tn_stream_class *sc;
	struct tn_event_class *ec;
	struct tn_trace_writer *tw;
	struct tn_draft *d;
	struct tn_error err;
	char text[40];

	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 1764226800, 0, true), .header = TN_HEADER_LARGE,
	});
	ec = tn_draft_event_class(d, sc, "e", 6, NULL, begin ?
		structure(d, 1, (const char *[]) { "path" }, (struct tn_type *[]) { tn_draft_string(d) }) :
		structure(d, 2, (const char *[]) { "n", "n2" },
			  (struct tn_type *[]) { tn_draft_uint(d, 32, 32, 10), tn_draft_uint(d, 32, 32, 10) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&tw, trace_path, d, TN_METADATA_CTF_1_8, &err), &err);
	check(tn_trace_writer_stream(tw, sc, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = "s", .packet_size = PACKET_SIZE },
				     &w, &err), &err);
	for (uint64_t i = 0; tn_packet_writer_sequence(w) < PACKETS; i++) {
		uint64_t number = tn_packet_writer_sequence(w) < many ? i : i % 5;
		struct tn_datum datum[2] = { tn_datum_u(number), tn_datum_u(number) };

		if (begin)
			datum[0] = tn_datum_bytes(text, (size_t)snprintf(text, sizeof text, "%s%llu", begin, (unsigned long long)number));
		check(tn_packet_writer_event_at(w, i, ec, datum, begin ? 1 : 2, &err), &err);
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(d);
}

/* Ask, how many lines pass, and of which packets something is known: '.' nothing, 'm' that there are too many texts, 'x' which there are. */
static uint64_t
ask_both(struct tn_set *set, const char *question, const char *other, char out[PACKETS + 1])
{
	struct tn_text_options lines = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_digest *digest = set->trace[0]->digest;
	const struct tn_column *column = NULL, *next;
	struct tn_zone v = { 0 };
	struct tn_filter *filter;
	struct tn_text *text;
	struct tn_error err;
	uint64_t passed;
	size_t at = 0;

	check(tn_filter_new(&filter, set, &err), &err);
	check(tn_filter_add(filter, question, &err), &err);
	if (other)
		check(tn_filter_add(filter, other, &err), &err);
	o.filter = filter;
	check(tn_text_new(&text, set, &lines, &err), &err);
	o.text = text;
	check(tn_scan(set, &o, &passed, &err), &err);
	tn_filter_free(filter);
	tn_text_free(text);
	tn_digest_lock(digest);
	while ((next = tn_digest_next(digest, TN_COLUMN_FIELD, &at)))
		column = next;
	cr_assert_not_null(column, "nothing was learnt of the field");
	for (size_t i = 0; i < PACKETS; i++) {
		struct tn_note note = tn_column_note(column, 0, i);

		out[i] = '.';
		if (note.bytes && tn_zone_read(&v, note.bytes, note.n))
			out[i] = v.many && (!(v.level & TN_ZONE_NGRAMS) || v.full) ? 'm' : 'x';
	}
	out[PACKETS] = '\0';
	tn_digest_unlock(digest);
	tn_zone_release(&v);
	return passed;
}

static uint64_t
ask(struct tn_set *set, const char *question, char out[PACKETS + 1])
{
	return ask_both(set, question, NULL, out);
}

static size_t
count(const char *of, size_t from, size_t to, char c)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += of[i] == c;
	return n;
}

/*
 * If packet after packet has more texts than fit, only one in 16 is recorded, until one has fewer: from there
 * on all are.
 */
static void
expect_sample(const char *question)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS };
	size_t back = (MANY + TN_ZONE_SAMPLE - 1) / TN_ZONE_SAMPLE * TN_ZONE_SAMPLE;	/* where few are seen */
	char learnt[PACKETS + 1];
	const char *paths[] = { trace_path };
	struct tn_set *set;
	struct tn_error err;

	make_trace("/", MANY);
	check(tn_set_open(&set, paths, 1, &how, &err), &err);
	cr_assert_not_null(set->trace[0]->digest);
	cr_expect_eq(ask(set, question, learnt), 0);
	for (size_t i = 0; i < TN_ZONE_IN_VAIN; i++)
		cr_expect_eq(learnt[i], 'm', "packet %zu in %s", i, learnt);
	/* The next one was begun before the last one was judged. */
	for (size_t i = TN_ZONE_IN_VAIN + 1; i < back; i++)
		cr_expect_eq(learnt[i], i % TN_ZONE_SAMPLE ? '.' : 'm', "packet %zu in %s", i, learnt);
	cr_expect_eq(learnt[back], 'x', "packet %zu in %s", back, learnt);
	cr_expect_eq(count(learnt, back + 2, PACKETS, 'x'), PACKETS - back - 2, "%s", learnt);
	tn_set_close(set);
}

static struct tn_set *
open_trace(void)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS };
	const char *paths[] = { trace_path };
	struct tn_set *set;
	struct tn_error err;

	check(tn_set_open(&set, paths, 1, &how, &err), &err);
	return set;
}

Test(zone_writer, of_many_hashes_a_sample_is_looked_at)
{
	expect_sample("path == \"/none\"");
}

Test(zone_writer, of_many_parts_a_sample_is_looked_at)
{
	expect_sample("path =~ /nowhere/");
}

/* The texts of lines: of some packets in a first question, of all others in the next one. */
Test(zone_writer, texts_of_lines_come_in_two_questions)
{
	char learnt[PACKETS + 1];
	struct tn_set *set;

	make_trace("/items/", 0);
	set = open_trace();
	cr_expect_eq(ask(set, "/items.7/", learnt), 0);
	for (size_t i = 0; i < PACKETS; i++)
		cr_expect_eq(learnt[i], tn_zone_lines_spare(i) ? '.' : 'x', "packet %zu in %s", i, learnt);
	cr_expect_gt(count(learnt, 0, PACKETS, '.'), 0);
	cr_expect_gt(count(learnt, 0, PACKETS, 'x'), 0);
	cr_expect_eq(ask(set, "/items.8|nowhere/", learnt), 0);
	cr_expect_eq(count(learnt, 0, PACKETS, 'x'), PACKETS, "%s", learnt);
	cr_expect_eq(ask(set, "/items.9/", learnt), 0);
	tn_set_close(set);
}

/* A character that a pattern leaves open may have several bytes in the texts. */
Test(zone_writer, texts_of_lines_with_characters_of_several_bytes)
{
	char learnt[PACKETS + 1];
	struct tn_set *set;
	uint64_t all;

	make_trace("/items\xc3\xa9" "77", 0);
	set = open_trace();
	cr_expect_eq(ask(set, "/items.88/", learnt), 0);
	cr_expect_eq(ask(set, "/items.99/", learnt), 0);
	all = ask(set, "/items.77/", learnt);
	cr_expect_gt(all, PACKETS * 5);
	cr_expect_gt(ask(set, "/items.773/", learnt), all / 6);
	cr_expect_eq(ask(set, "/items.7773/", learnt), 0);
	tn_set_close(set);
}

/* The first question about a field learns ranges alone, also after one about a field whose name begins with its name. */
Test(zone_writer, a_field_is_asked_for_by_its_whole_name)
{
	static const struct { const char *question; char learnt; } rows[] = {
		{ "n2 == 1000000", 'm' }, { "n == 1000000", 'm' }, { "n == 2", 'x' },
	};
	char learnt[PACKETS + 1];
	struct tn_set *set;

	make_trace(NULL, 0);
	set = open_trace();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ask(set, rows[i].question, learnt);
		cr_expect_eq(count(learnt, 0, PACKETS, rows[i].learnt), PACKETS, "%s: %s", rows[i].question, learnt);
	}
	tn_set_close(set);
}

/* Several filters read none of their fields the first time; that they were asked for is known the next time. */
Test(zone_writer, fields_of_several_filters_are_read_the_second_time)
{
	char learnt[PACKETS + 1];
	struct tn_set *set;

	make_trace(NULL, 0);
	set = open_trace();
	cr_expect_eq(ask_both(set, "n == 1", "n2 == 2", learnt), 0);
	cr_expect_eq(count(learnt, 0, PACKETS, '.'), PACKETS, "%s", learnt);
	tn_set_close(set);
	set = open_trace();
	cr_expect_eq(ask_both(set, "n == 3", "n2 == 4", learnt), 0);
	cr_expect_eq(count(learnt, 0, PACKETS, 'x'), PACKETS, "%s", learnt);
	tn_set_close(set);
}
