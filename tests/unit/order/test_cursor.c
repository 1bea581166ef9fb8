#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include "fake.h"
#include "order/cursor.h"

static bool
same(const struct tn_location *a, const struct tn_location *b)
{
	return tn_location_compare(a, b) == 0;
}

static void
expect(const struct tn_cursor *cur, const struct fake_place *want, const char *what, size_t i)
{
	struct tn_row row;

	cr_assert(tn_cursor_row(cur, &row), "%s %zu: on no row", what, i);
	cr_assert(same(&row.location, &want->at), "%s %zu: (%lld %u %u %llu), not (%lld %u %u %llu)", what, i,
		  (long long)row.location.time_ns, row.location.stream, row.location.packet,
		  (unsigned long long)row.location.row, (long long)want->at.time_ns, want->at.stream,
		  want->at.packet, (unsigned long long)want->at.row);
	cr_assert_eq(row.kind != TN_ROW_EVENT, want->is_notice);
	if (row.has_time && !want->is_notice)
		cr_assert_eq(row.time_ns, want->shown_ns, "%s %zu: shown time", what, i);
}

static struct tn_cursor *
cursor(struct tn_set *set)
{
	struct tn_cursor *cur;

	cr_assert_eq(tn_cursor_new(&cur, set, NULL), TN_OK);
	return cur;
}

/* Forward to the end, back to the begin, in all ways of finding packets and cutting batches. */
static void
there_and_back(void)
{
	struct fake_place *want;
	size_t n = fake_order(&want);
	struct tn_set *set = fake_open();
	struct tn_cursor *cur = cursor(set);

	for (size_t i = 0; i < n; i++) {
		cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK, "row %zu of %zu", i, n);
		expect(cur, &want[i], "forward", i);
	}
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_END);
	for (size_t i = n; i-- > 0;) {
		expect(cur, &want[i], "back", i);
		cr_assert_eq(tn_cursor_prev(cur, NULL), i ? TN_OK : TN_END);
	}
	if (n) {
		expect(cur, &want[0], "at the begin", 0);
		cr_assert_eq(tn_cursor_last(cur, NULL), TN_OK);
		expect(cur, &want[n - 1], "last", n - 1);
		cr_assert_eq(tn_cursor_first(cur, NULL), TN_OK);
		expect(cur, &want[0], "first", 0);
	} else {
		struct tn_row row;

		cr_assert_eq(tn_cursor_last(cur, NULL), TN_END);
		cr_assert_not(tn_cursor_row(cur, &row));
	}
	tn_cursor_free(cur);
	tn_set_close(set);
	free(want);
}

Test(cursor, forward_and_back_are_the_same_order)
{
	for (unsigned seed = 1; seed <= 40; seed++) {
		fake_random(seed, 1 + seed % 7, 1 + seed % 9, 1 + seed % 17, seed % 6, seed % 4);
		fake.extend_by = seed % 4;
		fake.walk_rows = seed % 3 ? seed % 5 : 0;
		fake.size = seed % 2 ? (uint64_t)1 << 30 : 0;	/* packets are searched by several threads */
		there_and_back();
	}
}

Test(cursor, nothing_to_walk)
{
	static const struct fake_packet empty[3];
	static const struct fake_stream streams[] = { { NULL, 0, false }, { empty, 3, false } };

	fake = (struct fake_trace) { .stream = streams, .n = 2 };
	there_and_back();
	fake = (struct fake_trace) { 0 };
	there_and_back();
}

Test(cursor, seek_finds_the_first_row_at_or_after)
{
	for (unsigned seed = 1; seed <= 12; seed++) {
		struct fake_place *want;
		struct tn_set *set;
		struct tn_cursor *cur;
		size_t n, k = 0, on = 0;

		fake_random(seed, 1 + seed % 5, 1 + seed % 6, 1 + seed % 9, seed % 6, seed % 4);
		fake.extend_by = seed % 3;
		fake.walk_rows = seed % 4;
		n = fake_order(&want);
		set = fake_open();
		cur = cursor(set);
		while (k < n && want[k].at.time_ns == INT64_MIN)
			k++;
		for (int64_t time = k < n ? want[k].at.time_ns - 3 : 0; k <= n; time++) {
			while (k < n && want[k].at.time_ns < time)
				k++;
			if (k == n) {
				cr_assert_eq(tn_cursor_seek(cur, time, NULL), TN_END);
				if (time > INT64_MIN && n && want[n - 1].at.time_ns != INT64_MIN)
					expect(cur, &want[on], "did not move", on);
				break;
			}
			cr_assert_eq(tn_cursor_seek(cur, time, NULL), TN_OK);
			expect(cur, &want[k], "seek", k);
			/* From there both ways. */
			if (k) {
				cr_assert_eq(tn_cursor_prev(cur, NULL), TN_OK);
				expect(cur, &want[k - 1], "before seek", k - 1);
				cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
			}
			expect(cur, &want[k], "seek again", k);
			on = k;
		}
		if (n) {
			cr_assert_eq(tn_cursor_seek(cur, INT64_MIN, NULL), TN_OK);
			expect(cur, &want[0], "seek to the begin", 0);
		}
		tn_cursor_free(cur);
		tn_set_close(set);
		free(want);
	}
}

Test(cursor, restore_finds_every_row)
{
	for (unsigned seed = 1; seed <= 12; seed++) {
		struct fake_place *want;
		struct tn_set *set;
		struct tn_cursor *cur;
		size_t n;

		fake_random(seed, 1 + seed % 6, 1 + seed % 6, 1 + seed % 9, seed % 7, seed % 4);
		fake.extend_by = seed % 3;
		fake.walk_rows = seed % 4;
		n = fake_order(&want);
		set = fake_open();
		cur = cursor(set);
		for (size_t k = 0; k < n; k++) {
			size_t i = k * 7919 % n;

			cr_assert_eq(tn_cursor_restore(cur, &want[i].at, NULL), TN_OK);
			expect(cur, &want[i], "restore", i);
			cr_assert_eq(tn_cursor_prev(cur, NULL), i ? TN_OK : TN_END);
			expect(cur, &want[i ? i - 1 : 0], "before", i);
			cr_assert_eq(tn_cursor_restore(cur, &want[i].at, NULL), TN_OK);
			cr_assert_eq(tn_cursor_next(cur, NULL), i + 1 < n ? TN_OK : TN_END);
			expect(cur, &want[i + 1 < n ? i + 1 : i], "behind", i);
		}
		tn_cursor_free(cur);
		tn_set_close(set);
		free(want);
	}
}

/* Steps and jumps in any order, beside a number that does the same. */
Test(cursor, any_walk_stays_in_order)
{
	for (unsigned seed = 1; seed <= 20; seed++) {
		struct fake_place *want;
		struct tn_set *set;
		struct tn_cursor *cur;
		size_t n, at;
		unsigned r = seed;

		fake_random(seed, 2 + seed % 6, 1 + seed % 6, 1 + seed % 30, seed % 7, seed % 4);
		fake.walk_rows = seed % 4;
		n = fake_order(&want);
		if (n == 0) {
			free(want);
			continue;
		}
		set = fake_open();
		cur = cursor(set);
		cr_assert_eq(tn_cursor_first(cur, NULL), TN_OK);
		at = 0;
		for (unsigned k = 0; k < 2000; k++) {
			r = r * 1664525u + 1013904223u;
			switch (r >> 28) {
			case 0:
				at = (r >> 8) % n;
				cr_assert_eq(tn_cursor_restore(cur, &want[at].at, NULL), TN_OK);
				break;
			case 1:
				at = n - 1;
				cr_assert_eq(tn_cursor_last(cur, NULL), TN_OK);
				break;
			case 2: case 3: case 4: case 5: case 6: case 7:
				cr_assert_eq(tn_cursor_prev(cur, NULL), at ? TN_OK : TN_END);
				at -= at > 0;
				break;
			default:
				cr_assert_eq(tn_cursor_next(cur, NULL), at + 1 < n ? TN_OK : TN_END);
				at += at + 1 < n;
			}
			expect(cur, &want[at], "step", k);
		}
		tn_cursor_free(cur);
		tn_set_close(set);
		free(want);
	}
}

Test(cursor, only_some_streams)
{
	struct fake_place *want;
	struct tn_set *set;
	struct tn_cursor *cur;
	bool only[5] = { true, false, true, true, false };
	size_t n, k = 0;

	fake_random(3, 5, 4, 9, 5, 1);
	n = fake_order(&want);
	set = fake_open();
	cur = cursor(set);
	cr_assert_eq(tn_cursor_restore(cur, &want[n / 2].at, NULL), TN_OK);
	only[want[n / 2].at.stream] = false;
	cr_assert_eq(tn_cursor_only(cur, only, NULL), TN_OK);
	for (k = n / 2; k < n && !only[want[k].at.stream]; k++)
		;
	expect(cur, &want[k], "the next one left", k);
	cr_assert_eq(tn_cursor_first(cur, NULL), TN_OK);
	for (size_t i = 0; i < n; i++) {
		if (!only[want[i].at.stream])
			continue;
		expect(cur, &want[i], "only", i);
		(void)!tn_cursor_next(cur, NULL);
	}
	cr_assert_eq(tn_cursor_only(cur, NULL, NULL), TN_OK);
	cr_assert_eq(tn_cursor_restore(cur, &want[n / 2].at, NULL), TN_OK);
	expect(cur, &want[n / 2], "all again", n / 2);
	tn_cursor_free(cur);
	tn_set_close(set);
	free(want);
}

/* The first page of many streams does not walk all of them. */
Test(cursor, first_rows_walk_few_streams)
{
	static struct fake_row rows[64][4];
	static struct fake_packet packets[64];
	static struct fake_stream streams[64];
	struct tn_set *set;
	struct tn_cursor *cur;

	for (size_t s = 0; s < 64; s++) {
		for (size_t i = 0; i < 4; i++)
			rows[s][i].time_ns = (int64_t)(s * 100 + i);
		packets[s] = (struct fake_packet) { rows[s], 4 };
		streams[s] = (struct fake_stream) { &packets[s], 1, false };
	}
	fake = (struct fake_trace) { .stream = streams, .n = 64 };
	set = fake_open();
	cur = cursor(set);
	for (unsigned i = 0; i < 6; i++)
		cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
	cr_assert_leq(fake.walks, 2, "%zu walks", fake.walks);
	tn_cursor_free(cur);
	tn_set_close(set);
}

Test(cursor, event_before_is_what_a_delta_counts_from)
{
	static const struct fake_row rows[] = { { 10, false }, { 20, true }, { 30, false }, { 25, false } };
	static const struct fake_packet packets[] = { { rows, 2 }, { rows + 2, 2 } };
	static const struct fake_stream streams[] = { { packets, 2, false } };
	struct tn_set *set;
	struct tn_cursor *cur;
	uint64_t cycles;
	int64_t ns;

	fake = (struct fake_trace) { .stream = streams, .n = 1 };
	set = fake_open();
	cur = cursor(set);
	cr_assert_eq(tn_cursor_first(cur, NULL), TN_OK);
	cr_assert_eq(tn_cursor_event_before(cur, &ns, &cycles, NULL), TN_END);
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
	cr_assert_eq(tn_cursor_event_before(cur, &ns, &cycles, NULL), TN_OK);
	cr_assert_eq(ns, 10);
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
	cr_assert_eq(tn_cursor_event_before(cur, &ns, &cycles, NULL), TN_OK);
	cr_assert_eq(ns, 30);
	tn_cursor_free(cur);
	tn_set_close(set);
}

/* A file that shrinks under the map is an error, not a signal and not made-up rows. */
Test(cursor, a_file_cut_meanwhile_is_an_error)
{
	static const struct fake_row rows[] = { { 10, false }, { 20, false } };
	static const struct fake_packet packets[] = { { rows, 1 }, { rows + 1, 1 } };
	static const struct fake_stream streams[] = { { packets, 2, false } };
	static char bytes[8192], path[] = "/tmp/tnav-cut-XXXXXX";
	int fd = mkstemp(path);
	struct tn_set *set;
	struct tn_cursor *cur;
	struct tn_error err;
	struct tn_row row;

	cr_assert_eq(write(fd, bytes, sizeof bytes), (ssize_t)sizeof bytes);
	fake = (struct fake_trace) { .stream = streams, .n = 1, .file = path };
	set = fake_open();
	cur = cursor(set);
	cr_assert_eq(tn_cursor_first(cur, NULL), TN_OK);
	cr_assert_eq(ftruncate(fd, 100), 0);
	cr_assert_eq(tn_cursor_next(cur, &err), TN_ERR_SYSTEM);
	cr_assert_not_null(strstr(err.text, "the file was cut while it was read"), "%s", err.text);
	cr_assert(tn_cursor_row(cur, &row));
	cr_assert_eq(row.location.packet, 0);
	tn_cursor_free(cur);
	tn_set_close(set);
	close(fd);
	unlink(path);
}

/* A call that fails or finds nothing changes neither the place nor the streams. */
Test(cursor, streams_without_rows_are_not_chosen)
{
	static const struct fake_row rows[3] = { { 1, false }, { 2, false }, { 3, false } };
	static const struct fake_packet packets[1] = { { rows, 3 } };
	static const struct fake_stream streams[2] = { { packets, 1, false }, { NULL, 0, false } };
	const bool none[2] = { false, true };
	struct tn_cursor *cur;
	struct tn_set *set;
	struct tn_row row;

	fake = (struct fake_trace) { .stream = streams, .n = 2 };
	set = fake_open();
	cur = cursor(set);
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
	cr_assert_eq(tn_cursor_only(cur, none, NULL), TN_END);
	cr_assert(tn_cursor_row(cur, &row), "it has lost its place");
	cr_assert_eq(row.time_ns, 2);
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
	cr_assert(tn_cursor_row(cur, &row) && row.time_ns == 3);
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_END);
	tn_cursor_free(cur);
	tn_set_close(set);
}

/* A copy has the place and the streams, and goes its own way. */
Test(cursor, copy)
{
	struct fake_place *want;
	struct tn_cursor *cur, *other;
	struct tn_set *set;
	const bool only[5] = { true, false, true, true, false };
	struct tn_row row;
	size_t n;

	fake_random(3, 5, 4, 9, 5, 1);
	n = fake_order(&want);
	set = fake_open();
	cur = cursor(set);
	cr_assert_eq(tn_cursor_copy(&other, cur, NULL), TN_OK);
	cr_assert_not(tn_cursor_row(other, &row), "a copy of a cursor without a place");
	tn_cursor_free(other);
	cr_assert_eq(tn_cursor_restore(cur, &want[n / 2].at, NULL), TN_OK);
	cr_assert_eq(tn_cursor_copy(&other, cur, NULL), TN_OK);
	for (size_t i = n / 2; i < n; i++) {
		expect(other, &want[i], "copy", i);
		(void)!tn_cursor_next(other, NULL);
	}
	expect(cur, &want[n / 2], "original", n / 2);
	tn_cursor_free(other);
	cr_assert_eq(tn_cursor_only(cur, only, NULL), TN_OK);
	cr_assert_eq(tn_cursor_copy(&other, cur, NULL), TN_OK);
	cr_assert_eq(tn_cursor_first(other, NULL), TN_OK);
	for (size_t i = 0; i < n; i++) {
		if (!only[want[i].at.stream])
			continue;
		expect(other, &want[i], "copy of some streams", i);
		(void)!tn_cursor_next(other, NULL);
	}
	tn_cursor_free(other);
	tn_cursor_free(cur);
	tn_set_close(set);
	free(want);
}

/* Stopped at the n-th question, for each n: nothing moves; the same call then gets there, one that is stopped later, too. */

struct patience {
	size_t asked, left;
};

static bool
impatient(void *user)
{
	struct patience *p = user;

	p->asked++;
	return p->left-- == 0;
}

static enum tn_code
go(struct tn_cursor *cur, int how, const struct tn_location *at)
{
	switch (how) {
	case 0: return tn_cursor_first(cur, NULL);
	case 1: return tn_cursor_last(cur, NULL);
	case 2: return tn_cursor_seek(cur, at->time_ns, NULL);
	case 3: return tn_cursor_restore(cur, at, NULL);
	case 4: return tn_cursor_next(cur, NULL);
	default: return tn_cursor_prev(cur, NULL);
	}
}

Test(cursor, a_step_or_jump_that_is_stopped_does_not_move)
{
	struct tn_set *set;
	size_t stops = 0;

	fake_random(4, 3, 12, 30, 3, 2);
	fake.walk_rows = 4;
	set = fake_open();
	for (int how = 0; how < 6; how++) {
		struct tn_cursor *want = cursor(set), *cur = NULL;
		struct tn_row start, row, there;
		bool stopped = false;
		struct patience p;
		enum tn_code rc;

		cr_assert_eq(tn_cursor_last(want, NULL), TN_OK);
		for (int i = 0; i < 100; i++)
			cr_assert_eq(tn_cursor_prev(want, NULL), TN_OK);
		cr_assert(tn_cursor_row(want, &there));
		for (size_t n = 0; ; n++) {
			tn_cursor_free(cur);
			cur = cursor(set);
			cr_assert_eq(tn_cursor_first(cur, NULL), TN_OK);
			for (int i = 0; i < 40 + how; i++)
				cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
			cr_assert(tn_cursor_row(cur, &start));
			p = (struct patience) { .left = n };
			tn_cursor_stop(cur, impatient, &p);
			rc = go(cur, how, &there.location);
			if (rc == TN_OK)
				break;
			stops++;
			stopped = true;
			cr_assert_eq(rc, TN_ERR_CANCELLED, "%d, question %zu: %d", how, n, rc);
			cr_assert(tn_cursor_row(cur, &row) && same(&row.location, &start.location), "%d, question %zu", how, n);
			tn_cursor_stop(cur, NULL, NULL);
			cr_assert_eq(go(cur, how, &there.location), TN_OK);
			tn_cursor_free(want);
			cr_assert_eq(tn_cursor_copy(&want, cur, NULL), TN_OK);
		}
		cr_assert(tn_cursor_row(cur, &row) && tn_cursor_row(want, &there));
		cr_assert(!stopped || same(&row.location, &there.location), "%d", how);
		tn_cursor_free(cur);
		tn_cursor_free(want);
	}
	cr_assert_gt(stops, 20, "%zu", stops);
	tn_set_close(set);
}

/* At the last possible moment; at rows that a packet does not have: the next existing row. */
Test(cursor, restore_at_the_ends)
{
	static const struct fake_row rows[] = { { 10, false }, { 20, false }, { 15, false }, { INT64_MAX, false } };
	static const struct fake_packet packets[] = { { rows, 2 }, { rows + 2, 2 } };
	static const struct fake_stream streams[] = { { packets, 1, false }, { packets + 1, 1, false } };

	for (unsigned walked = 0; walked < 3; walked++) {
		struct tn_location at = { .time_ns = INT64_MAX, .stream = 1, .packet = 0, .row = 1 };
		struct tn_set *set;
		struct tn_cursor *cur;
		struct tn_row row;

		fake = (struct fake_trace) { .stream = streams, .n = 2, .walk_rows = walked };
		set = fake_open();
		cur = cursor(set);
		cr_assert_eq(tn_cursor_restore(cur, &at, NULL), TN_OK);
		cr_assert(tn_cursor_row(cur, &row) && row.location.time_ns == INT64_MAX && row.location.stream == 1);
		cr_assert_eq(tn_cursor_next(cur, NULL), TN_END);
		cr_assert_eq(tn_cursor_prev(cur, NULL), TN_OK);
		cr_assert(tn_cursor_row(cur, &row) && row.location.time_ns == 20 && row.location.stream == 0);
		at.row = 99;
		cr_assert_eq(tn_cursor_restore(cur, &at, NULL), TN_END, "nothing is behind it");
		at = (struct tn_location) { .time_ns = 20, .stream = 0, .packet = 0, .row = 99 };
		cr_assert_eq(tn_cursor_restore(cur, &at, NULL), TN_OK);
		cr_assert(tn_cursor_row(cur, &row) && row.location.time_ns == INT64_MAX && row.location.stream == 1);
		at = (struct tn_location) { .time_ns = 12, .stream = 0, .packet = 7, .row = 0 };
		cr_assert_eq(tn_cursor_restore(cur, &at, NULL), TN_OK, "no such packet: by its time");
		cr_assert(tn_cursor_row(cur, &row) && row.location.time_ns == 15);
		tn_cursor_free(cur);
		tn_set_close(set);
	}
}
