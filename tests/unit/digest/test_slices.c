/* Tests of query/slices: when the events of a packet pass, and pictures over time that are made of that alone. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include <tnav/query.h>
#include <tnav/writer.h>

#include "../../make/drafting.h"
#include "../../make/scratch.h"
#include "model/decoder.h"
#include "digest/slices.h"

static uint64_t seed = 11;

static uint64_t
below(uint64_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (seed >> 33) % n;
}

/* ---- notes ---- */

#define ROWS 3000

/* Counting without slices, for comparison. */
static uint64_t
count_between(const struct tn_ref *ref, const uint8_t *pass, size_t n, int64_t begin_ns, uint64_t length)
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += ref[i].time_ns >= begin_ns && (uint64_t)ref[i].time_ns - (uint64_t)begin_ns < length && pass[i];
	return found;
}

Test(slices, say_of_each_time_how_many_pass)
{
	static const struct {
		int64_t begin_ns;
		uint64_t gap;		/* between events, at most */
		unsigned passes;	/* one of this number */
		uint64_t bytes;		/* of the packet */
	} row[] = {
		{ 0, 1000, 1, 65536 }, { 0, 1000, 3, 65536 }, { -500000, 1000, 7, 65536 }, { 1764226800000000000, 90, 1000, 4096 },
		{ INT64_MIN + 5, 1 << 20, 2, 262144 }, { -3, 1, 2, 65536 }, { 7, 3, 2, 65536 }, { 100, UINT64_C(1) << 50, 2, 65536 },
	};
	static struct tn_ref ref[ROWS];
	static uint8_t pass[ROWS];

	for (size_t r = 0; r < TN_COUNT(row); r++) {
		struct tn_packet entry = { .begin_ns = row[r].begin_ns, .size_bits = row[r].bytes * 8 };
		struct tn_batch b = { .refs = { ref, ROWS, ROWS } };
		struct tn_slices parts = { 0 }, all = { 0 };
		struct tn_note_bytes note = { 0 };
		struct tn_slices_read read;
		uint64_t passed = 0;
		size_t here;
		unsigned shift;

		for (size_t i = 0; i < ROWS; i++) {
			ref[i].time_ns = i ? ref[i - 1].time_ns + (int64_t)(below(4) ? below(row[r].gap) : 0) : entry.begin_ns;
			pass[i] = below(row[r].passes) == 0;
			passed += pass[i];
		}
		entry.end_ns = ref[ROWS - 1].time_ns;
		cr_assert(tn_slices_shift(&entry, &shift), "row %zu", r);
		for (size_t low = 0, high; low < ROWS; low = high + 1) {
			high = low + below(700) < ROWS ? low + below(ROWS - low < 700 ? ROWS - low : 700) : ROWS - 1;
			parts.n = 0;
			here = 0;
			for (size_t i = low; i <= high; i++)
				here += pass[i];
			cr_assert(tn_slices_note(&parts, &b, low, high, pass + low, here, shift), "row %zu", r);
			cr_assert(tn_slices_join(&all, parts.item, parts.n), "row %zu", r);
		}
		cr_assert(tn_slices_write(&all, true, &entry, shift, &note), "row %zu", r);
		cr_expect_lt(note.n, 4 + 2 * TN_SLICES, "row %zu: %zu bytes", r, note.n);
		cr_assert(tn_slices_read(&read, (struct tn_note) { note.item, note.n }, &entry, passed), "row %zu", r);
		cr_expect_leq(read.n, TN_SLICES, "row %zu: %zu slices", r, read.n);
		for (size_t i = 0; i < read.n; i++) {
			int64_t begin = tn_slice_begin(read.first + i, read.shift);

			cr_expect_eq(begin & (int64_t)((UINT64_C(1) << read.shift) - 1), 0, "row %zu: slice %zu", r, i);
			cr_expect_eq(read.count[i], count_between(ref, pass, ROWS, begin, UINT64_C(1) << read.shift),
				     "row %zu: slice %zu: %llu", r, i, (unsigned long long)read.count[i]);
			passed -= read.count[i];
		}
		cr_expect_eq(passed, 0, "row %zu", r);
		TN_ARRAY_RELEASE(&parts);
		TN_ARRAY_RELEASE(&all);
		TN_ARRAY_RELEASE(&note);
	}
}

/* A damaged note is invalid, or has as many events as the packet, at times near it. */
Test(slices, damaged_notes_are_none)
{
	const struct tn_packet entry = { .begin_ns = 1000000, .end_ns = 2000000, .size_bits = 65536 * 8 };
	static const uint8_t good[] = { 14, 2, 3, 0, 0, 130, 1, 7 };
	struct tn_slices_read read;

	cr_assert(tn_slices_read(&read, (struct tn_note) { good, sizeof good }, &entry, 140));
	cr_expect_eq(read.n, 5);
	cr_expect_eq(read.count[3], 130);
	cr_expect_not(tn_slices_read(&read, (struct tn_note) { good, sizeof good }, &entry, 141), "too few");
	cr_expect_not(tn_slices_read(&read, (struct tn_note) { good, sizeof good }, &entry, 139), "too many");
	for (size_t n = 0; n < sizeof good; n++)
		cr_expect_not(tn_slices_read(&read, (struct tn_note) { good, n }, &entry, 140), "%zu bytes", n);
	for (size_t i = 0; i < sizeof good; i++)
		for (unsigned to = 0; to < 256; to++) {
			uint8_t bad[sizeof good];
			uint64_t sum = 0;

			memcpy(bad, good, sizeof good);
			bad[i] = (uint8_t)to;
			if (!tn_slices_read(&read, (struct tn_note) { bad, sizeof bad }, &entry, 140))
				continue;
			for (size_t k = 0; k < read.n; k++)
				sum += read.count[k];
			cr_expect_eq(sum, 140, "byte %zu is %u", i, to);
			cr_expect_lt(read.shift, 64);
			cr_expect_leq(read.first + read.n - 1, UINT64_MAX >> read.shift, "byte %zu is %u", i, to);
		}
	cr_expect_not(tn_slices_read(&read, (struct tn_note) { 0 }, &entry, 140));
}

/* ---- pictures ---- */

TestSuite(pictures, .init = make_store, .fini = remove_folder);

#define EVENTS 60000
#define PACKET_SIZE 65536

static void
make_trace(void)
{
	struct tn_packet_writer *w[2];
	struct tn_stream_class *sc;
	struct tn_event_class *ec;
	struct tn_trace_writer *tw;
	struct tn_draft *d;
	struct tn_error err;
	uint64_t time = 0;

	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 1764226800, 0, true), .header = TN_HEADER_LARGE,
	});
	ec = tn_draft_event_class(d, sc, "e", 6, NULL,
				  structure(d, 1, (const char *[]) { "n" }, (struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&tw, trace_path, d, TN_METADATA_CTF_1_8, &err), &err);
	for (size_t i = 0; i < 2; i++)
		check(tn_trace_writer_stream(tw, sc, &(struct tn_output_stream) {
			TN_OUTPUT_STREAM, .name = i ? "b" : "a", .id = i, .packet_size = PACKET_SIZE,
		}, &w[i], &err), &err);
	for (uint64_t i = 0; i < EVENTS; i++) {
		struct tn_datum datum = tn_datum_u(below(10));

		time += below(50) ? below(100) : below(20000);
		check(tn_packet_writer_event_at(w[below(3) == 0], time, ec, &datum, 1, &err), &err);
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(d);
}

#define BARS 100

struct picture {
	int64_t begin_ns;
	uint64_t width;		/* of a bar, a power of two */
	uint64_t bar[BARS], times, sliced;
	size_t packets;		/* that were read */
	size_t last_packet;
};

static uint64_t *
bar_at(struct picture *p, int64_t time_ns)
{
	uint64_t i = ((uint64_t)time_ns - (uint64_t)p->begin_ns) / p->width;

	return &p->bar[i < BARS ? i : BARS - 1];
}

static int
on_times(void *user, uint32_t stream, size_t packet, const int64_t *time_ns, size_t n)
{
	struct picture *p = user;

	(void)stream, (void)packet;
	p->times += n;
	for (size_t i = 0; i < n; i++)
		++*bar_at(p, time_ns[i]);
	return 0;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	(void)user;
	cr_expect_fail("packet %u has something to tell", (unsigned)row->location.packet);
	return 0;
}

static bool
on_packet(void *user, const struct tn_packet_counts *counts)
{
	struct tn_packet_slices slices = { 0 };
	struct picture *p = user;

	if (!tn_packet_slices(counts, &slices) || slices.slice_ns > p->width)
		return false;
	p->sliced++;
	for (size_t i = 0; i < slices.n; i++)
		*bar_at(p, slices.begin_ns + (int64_t)(i * slices.slice_ns)) += slices.count[i];
	return true;
}

static void
draw(struct picture *out, struct tn_set *set, const char *question, bool known)
{
	struct tn_scan_options o = {
		TN_SCAN_OPTIONS, .threads = 2, .any_order = true, .times = on_times, .row = on_notice, .packet = known ? on_packet : NULL, .user = out,
	};
	struct tn_filter *filter;
	struct tn_error err;
	int64_t end_ns;
	uint64_t passed;

	*out = (struct picture) { .width = 1 };
	check(tn_set_time_range(set, &out->begin_ns, &end_ns, &err), &err);
	while (out->width * (BARS - 1) < (uint64_t)(end_ns - out->begin_ns))
		out->width *= 2;
	out->begin_ns &= -(int64_t)out->width;
	check(tn_filter_new(&filter, set, &err), &err);
	if (question)
		check(tn_filter_add(filter, question, &err), &err);
	o.filter = question ? filter : NULL;
	check(tn_scan(set, &o, &passed, &err), &err);
	tn_filter_free(filter);
}

static struct tn_set *
open_it(void)
{
	struct tn_open_options how = { TN_OPEN_OPTIONS };
	const char *paths[] = { trace_path };
	struct tn_set *set;
	struct tn_error err;

	check(tn_set_open(&set, paths, 1, &how, &err), &err);
	return set;
}

/* Of a question that was asked before, and of all events, no packet is read; stored in between, too. */
Test(pictures, are_made_without_events)
{
	static const char *const question[] = { "n == 3", "n < 9", NULL };
	struct picture right[3], got;
	struct tn_set *set;

	make_trace();
	set = open_it();
	for (size_t i = 0; i < 3; i++)
		draw(&right[i], set, question[i], false);
	for (int stored = 0; stored < 2; stored++) {
		for (size_t i = 0; i < 3; i++) {
			const char *q = question[i] ? question[i] : "all";

			draw(&got, set, question[i], true);
			cr_expect_eq(got.times, 0, "%s: %llu events were read", q, (unsigned long long)got.times);
			cr_expect_gt(got.sliced, 10, "%s", q);
			cr_expect_arr_eq(got.bar, right[i].bar, sizeof got.bar, "%s, stored: %d", q, stored);
		}
		tn_set_close(set);
		set = open_it();
	}
	tn_set_close(set);
}

Test(pictures, nothing_is_known_without_a_packet)
{
	struct tn_packet_slices slices = { 0 };

	cr_expect_not(tn_packet_slices(NULL, &slices));
	cr_expect_not(tn_packet_slices(&(struct tn_packet_counts) { .events = 1 }, &slices));
}
