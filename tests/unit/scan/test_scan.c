#include <criterion/criterion.h>
#include <stdio.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "../order/fake.h"
#include "base/array.h"
#include "base/str.h"
#include "order/cursor.h"
#include "tnav/query.h"

/* The output of a scan, written down in order: lines, "# notice" and, on request, "@ row". */
struct log {
	struct tn_str text;
	bool rows;
	size_t stop_after;	/* calls; 0: never */
	size_t calls;
};

static int
log_lines(void *user, const char *text, size_t n)
{
	struct log *log = user;

	cr_assert_gt(n, 0);
	cr_assert_eq(text[n - 1], '\n');
	tn_str_add(&log->text, text, n);
	return ++log->calls == log->stop_after;
}

static int
log_notice(void *user, const struct tn_row *row)
{
	struct log *log = user;

	cr_assert_neq(row->kind, TN_ROW_EVENT);
	tn_str_printf(&log->text, "# %u %u %llu\n", row->location.stream, row->location.packet,
		      (unsigned long long)row->location.row);
	return 0;
}

static int
log_row(void *user, const struct tn_row *row)
{
	struct log *log = user;

	tn_str_printf(&log->text, "@ %lld %u %u %llu %d\n", (long long)row->location.time_ns, row->location.stream,
		      row->location.packet, (unsigned long long)row->location.row, row->kind);
	return ++log->calls == log->stop_after;
}

struct place {
	struct tn_set *set;
	struct tn_text *text;
};

static struct place
open_fake(void)
{
	static const struct tn_text_options options = TN_TEXT_OPTIONS_DEFAULT;
	struct place p = { fake_open(), NULL };

	cr_assert_eq(tn_text_new(&p.text, p.set, &options, NULL), TN_OK);
	return p;
}

static void
close_fake(struct place *p)
{
	tn_text_free(p->text);
	tn_set_close(p->set);
}

static char *
scan_text(struct place *p, struct tn_scan_options o, bool rows, uint64_t *passed)
{
	struct log log = { .rows = rows };

	o.text = p->text;
	if (rows) {
		o.row = log_row;
	} else {
		o.lines = log_lines;
		o.notice = log_notice;
	}
	o.user = &log;
	cr_assert_eq(tn_scan(p->set, &o, passed, NULL), TN_OK);
	return log.text.text ? log.text.text : calloc(1, 1);
}

/* The same by a cursor, row by row: every line, those that match, in [begin, end]. */
static char *
cursor_text(struct place *p, const struct tn_regex *regex, const struct tn_filter *values,
	    const struct tn_scan_options *o)
{
	struct tn_str line = { 0 };
	struct tn_str out = { 0 };
	struct tn_cursor *cur;
	int64_t previous, *known = NULL;
	enum tn_code rc;

	cr_assert_eq(tn_cursor_new(&cur, p->set, NULL), TN_OK);
	rc = o->has_begin ? tn_cursor_seek(cur, o->begin_ns, NULL) : tn_cursor_first(cur, NULL);
	for (; rc == TN_OK; rc = tn_cursor_next(cur, NULL)) {
		struct tn_row row;
		bool pass = true;
		size_t b, e;

		cr_assert(tn_cursor_row(cur, &row));
		if (o->has_end && row.location.time_ns > o->end_ns)
			break;
		if (row.kind != TN_ROW_EVENT) {
			tn_str_printf(&out, "# %u %u %llu\n", row.location.stream, row.location.packet,
				      (unsigned long long)row.location.row);
			continue;
		}
		line.n = 0;
		cr_assert_eq(tn_text_line(p->text, cur, known, &line, NULL), TN_OK);
		if (values)
			cr_assert_eq(tn_filter_match(values, p->text, cur, &pass, NULL), TN_OK);
		if (pass && (!regex || tn_regex_find(regex, line.text, line.n - 1, 0, &b, &e)))
			tn_str_add(&out, line.text, line.n);
		if (row.has_time) {
			previous = row.time_ns;
			known = &previous;
		}
	}
	tn_cursor_free(cur);
	tn_str_release(&line);
	return out.text ? out.text : calloc(1, 1);
}

Test(scan, lines_are_those_of_a_cursor_for_any_number_of_threads)
{
	static const char *const patterns[] = { NULL, "row \\d*3\"", "0000000[25]\\)", "odd:", "no such thing" };

	for (unsigned seed = 1; seed <= 6; seed++) {
		struct place p;
		struct tn_scan_options o = { TN_SCAN_OPTIONS };

		fake_random(seed, 1 + seed * 3 % 11, 40, seed == 3 ? 1 : 120, seed % 6, seed % 3);
		fake.walk_rows = seed % 2 ? 37 : 0;
		fake.extend_by = seed % 3;
		p = open_fake();
		for (size_t k = 0; k < 5; k++) {
			struct tn_filter *filter = NULL;
			struct tn_regex *regex = NULL;
			char *want;

			if (patterns[k]) {
				cr_assert_eq(tn_filter_new(&filter, p.set, NULL), TN_OK);
				cr_assert_eq(tn_filter_add_regex(filter, patterns[k], false, NULL), TN_OK);
				cr_assert_eq(tn_regex_new(&regex, patterns[k], false, NULL), TN_OK);
			}
			o = (struct tn_scan_options) { TN_SCAN_OPTIONS, .filter = filter };
			if (k == 2)
				o.has_begin = o.has_end = true;
			o.begin_ns = 1500;
			o.end_ns = 4000;
			want = cursor_text(&p, regex, NULL, &o);
			for (o.threads = 1; o.threads <= 4; o.threads++) {
				char *got = scan_text(&p, o, false, NULL);

				cr_assert_str_eq(got, want, "seed %u, pattern %zu, %u threads", seed, k, o.threads);
				free(got);
			}
			free(want);
			tn_filter_free(filter);
			tn_regex_free(regex);
		}
		close_fake(&p);
	}
}

/* The delta of a line counts from the event before, whether that passed or not. */
Test(scan, expressions_leave_lines_as_they_are)
{
	struct place p;
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_filter *filter;
	char *want;

	fake_random(8, 4, 12, 60, 3, 1);
	p = open_fake();
	cr_assert_eq(tn_filter_new(&filter, p.set, NULL), TN_OK);
	cr_assert_eq(tn_filter_add_expression(filter, "number in (3..9) && name == odd", NULL), TN_OK);
	want = cursor_text(&p, NULL, filter, &o);
	cr_assert_gt(strlen(want), 1000);
	cr_assert_eq(tn_filter_add_regex(filter, "row|no such", false, NULL), TN_OK);
	o.filter = filter;
	for (o.threads = 1; o.threads <= 3; o.threads++) {
		char *got = scan_text(&p, o, false, NULL);

		cr_assert_str_eq(got, want, "%u threads", o.threads);
		free(got);
	}
	free(want);
	tn_filter_free(filter);
	close_fake(&p);
}

/* The lines of a text in reverse order. */
static char *
reverse(const char *text)
{
	size_t n = strlen(text);
	struct tn_str out = { 0 };

	while (n) {
		size_t end = n--;

		while (n && text[n - 1] != '\n')
			n--;
		tn_str_add(&out, text + n, end - n);
	}
	return out.text ? out.text : calloc(1, 1);
}

Test(scan, backward_is_the_reverse)
{
	for (unsigned seed = 1; seed <= 6; seed++) {
		struct place p;
		struct tn_filter *filter;

		fake_random(seed, 1 + seed, 20, 70, seed % 6, seed % 3);
		fake.walk_rows = seed % 2 ? 0 : 29;
		p = open_fake();
		cr_assert_eq(tn_filter_new(&filter, p.set, NULL), TN_OK);
		cr_assert_eq(tn_filter_add_regex(filter, "\\+0.00000000[1-5]|\\+\\?", false, NULL), TN_OK);
		for (int rows = 0; rows < 2; rows++) {
			struct tn_scan_options o = { TN_SCAN_OPTIONS, .filter = filter, .threads = 1 };
			char *forward, *want, *got;

			o.has_begin = seed % 2;
			o.begin_ns = 1300;
			o.has_end = seed % 3 == 0;
			o.end_ns = 5000;
			forward = scan_text(&p, o, rows, NULL);
			want = reverse(forward);
			o.backward = true;
			for (o.threads = 1; o.threads <= 3; o.threads++) {
				got = scan_text(&p, o, rows, NULL);
				cr_assert_str_eq(got, want, "seed %u, rows %d, %u threads", seed, rows, o.threads);
				free(got);
			}
			free(forward);
			free(want);
		}
		tn_filter_free(filter);
		close_fake(&p);
	}
}

/* Searching on from each row, one match at a time, finds the matches of one scan; both ways. */
Test(scan, from_match_to_match)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		struct place p;
		struct tn_filter *filter;

		fake_random(seed, 3, 6, 40, 4, 1);
		p = open_fake();
		cr_assert_eq(tn_filter_new(&filter, p.set, NULL), TN_OK);
		cr_assert_eq(tn_filter_add_regex(filter, "\\+0.0000000[01]2|\\+\\?", false, NULL), TN_OK);
		for (int back = 0; back < 2; back++) {
			struct tn_scan_options o = { TN_SCAN_OPTIONS, .filter = filter, .threads = 1 + seed % 2, .backward = back };
			char *want = scan_text(&p, o, true, NULL);
			struct tn_str got = { 0 };
			uint64_t passed;

			o.limit = 1;
			do {
				char *found = scan_text(&p, o, true, &passed), *line, *last = NULL;

				tn_str_puts(&got, found);
				for (line = found; *line; line = strchr(line, '\n') + 1)
					last = line;
				if (last) {
					long long time;
					unsigned long long row;

					cr_assert_eq(sscanf(last, "@ %lld %u %u %llu", &time, &o.from.stream,
							    &o.from.packet, &row), 4);
					o.from.time_ns = time;
					o.from.row = row;
				}
				o.has_from = true;
				free(found);
			} while (passed);
			cr_assert_str_eq(tn_str_text(&got), want, "seed %u, back %d", seed, back);
			tn_str_release(&got);
			free(want);
		}
		tn_filter_free(filter);
		close_fake(&p);
	}
}

/* Sums that do not depend on the order. */
struct sums {
	uint64_t events, rows, notices, sum, fingerprint;
};

static uint64_t
mix(uint64_t a, uint64_t b)
{
	return (a ^ (b + 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
}

static int
sum_row(void *user, const struct tn_row *row)
{
	struct sums *s = user;
	uint64_t place = mix(mix(row->location.stream, row->location.packet), (uint64_t)row->location.time_ns);

	s->rows++;
	s->notices += row->kind != TN_ROW_EVENT;
	s->events += row->kind == TN_ROW_EVENT;
	s->fingerprint += mix(mix(place, row->location.row), row->kind);
	if (row->kind == TN_ROW_EVENT)
		s->sum += place;
	return 0;
}

static int
sum_times(void *user, uint32_t stream, size_t packet, const int64_t *time_ns, size_t n)
{
	struct sums *s = user;

	cr_assert_gt(n, 0);
	s->events += n;
	for (size_t i = 0; i < n; i++) {
		cr_assert(!i || time_ns[i] >= time_ns[i - 1]);
		s->sum += mix(mix(stream, packet), (uint64_t)time_ns[i]);
	}
	return 0;
}

/* The same rows and the same times, with one thread and more, in the range and all, by values and by lines. */
Test(scan, any_order_has_the_same_rows)
{
	static const char *const texts[] = { NULL, "number in (3..9) || name == odd", "/row 1/", "number == 4 and /row/" };

	for (unsigned seed = 1; seed <= 16; seed++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS };
		struct sums want = { 0 }, rows = { 0 }, times = { 0 };
		struct tn_filter *filter = NULL;
		uint64_t passed, n;
		struct place p;

		fake_random(seed, 1 + seed * 3 % 11, 20, 90, seed % 6, seed % 3);
		fake.walk_rows = seed % 2 ? 37 : 0;
		p = open_fake();
		if (texts[seed % 4]) {
			cr_assert_eq(tn_filter_new(&filter, p.set, NULL), TN_OK);
			cr_assert_eq(tn_filter_add(filter, texts[seed % 4], NULL), TN_OK);
		}
		o.filter = filter;
		o.text = p.text;
		o.has_begin = o.has_end = seed % 3 == 0;
		o.begin_ns = 300;
		o.end_ns = 5000;
		o.row = sum_row;
		o.user = &want;
		cr_assert_eq(tn_scan(p.set, &o, &n, NULL), TN_OK);
		cr_assert_gt(want.events, 0, "seed %u", seed);
		cr_assert_eq(want.events, n);
		o.any_order = true;
		o.threads = 1 + seed % 3;
		o.user = &rows;
		cr_assert_eq(tn_scan(p.set, &o, &passed, NULL), TN_OK);
		cr_assert_eq(passed, n, "seed %u", seed);
		cr_assert(rows.rows == want.rows && rows.fingerprint == want.fingerprint, "seed %u: other rows", seed);
		o.times = sum_times;
		o.user = &times;
		cr_assert_eq(tn_scan(p.set, &o, &passed, NULL), TN_OK);
		cr_assert_eq(passed, n, "seed %u", seed);
		cr_assert(times.events == want.events && times.sum == want.sum, "seed %u: other times", seed);
		cr_assert(times.rows == want.notices && times.notices == want.notices, "seed %u: other notices", seed);
		tn_filter_free(filter);
		close_fake(&p);
	}
}

Test(scan, limits_cut_after_the_event)
{
	struct place p;
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	uint64_t passed;
	char *all;

	fake_random(2, 4, 30, 200, 3, 0);
	p = open_fake();
	o.threads = 1;
	all = scan_text(&p, o, false, NULL);
	for (o.limit = 1; o.limit < 12000; o.limit = o.limit * 3 + 1) {
		for (o.threads = 1; o.threads <= 3; o.threads++) {
			char *got = scan_text(&p, o, false, &passed);
			size_t lines = 0, n = strlen(got);

			cr_assert_eq(strncmp(got, all, n), 0, "limit %llu", (unsigned long long)o.limit);
			for (char *line = got; *line; line = strchr(line, '\n') + 1)
				lines += *line != '#';
			cr_assert_eq(lines, passed);
			if (all[n])
				cr_assert_eq(passed, o.limit, "%zu lines", lines);
			free(got);
		}
	}
	free(all);
	close_fake(&p);
}

static bool
after_some(void *user)
{
	atomic_int *left = user;

	return atomic_fetch_sub(left, 1) <= 0;
}

/* Before a match of a regular expression, by any thread. */
Test(scan, stops_between_matches)
{
	struct place p;

	fake_random(5, 5, 40, 150, 3, 0);
	p = open_fake();
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .text = p.text, .stopped = after_some, .threads = threads };
		struct tn_filter *filter;
		struct tn_error err;
		atomic_int left = 100;
		uint64_t passed = 0;

		cr_assert_eq(tn_filter_new(&filter, p.set, &err), TN_OK);
		cr_assert_eq(tn_filter_add_regex(filter, "[0-9].*[0-9]", false, &err), TN_OK);
		o.filter = filter;
		o.user = &left;
		cr_assert_eq(tn_scan(p.set, &o, &passed, &err), TN_ERR_CANCELLED);
		cr_assert_leq(passed, 100);
		cr_assert_leq(left, 0);
		cr_assert_geq(left, -4 * 44, "%d went on", -left);
		tn_filter_free(filter);
	}
	close_fake(&p);
}

Test(scan, a_callback_stops_it)
{
	struct place p;

	fake_random(5, 5, 40, 150, 3, 0);
	p = open_fake();
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct log log = { .stop_after = 2 };
		struct tn_scan_options o = {
			TN_SCAN_OPTIONS,
			.text = p.text, .lines = log_lines, .user = &log, .threads = threads,
		};
		struct tn_error err;

		cr_assert_eq(tn_scan(p.set, &o, NULL, &err), TN_ERR_CANCELLED);
		cr_assert_eq(log.calls, 2);
		tn_str_release(&log.text);
	}
	close_fake(&p);
}

static int
stop_at_notice(void *user, const struct tn_row *row)
{
	cr_assert_neq(row->kind, TN_ROW_EVENT);
	return ++*(size_t *)user == 3;
}

/* In its order, or after all rows; and the line above those of CSV. */
Test(scan, a_notice_or_the_heading_stops_it)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct log log = { .stop_after = 1 };
	struct tn_text *csv;
	struct tn_error err;
	struct place p;

	fake_random(9, 6, 30, 40, 3, 2);
	p = open_fake();
	for (unsigned i = 0; i < 4; i++) {
		size_t n = 0;
		struct tn_scan_options o = {
			TN_SCAN_OPTIONS, .notice = stop_at_notice, .user = &n, .threads = 1 + i / 2, .limit = i % 2 ? UINT64_MAX : 0,
		};

		cr_expect_eq(tn_scan(p.set, &o, NULL, &err), TN_ERR_CANCELLED, "row %u", i);
		cr_expect_eq(n, 3u, "row %u: %zu", i, n);
	}
	how.format = TN_LINE_CSV;
	cr_assert_eq(tn_text_new(&csv, p.set, &how, &err), TN_OK);
	cr_assert_eq(tn_scan(p.set, &(struct tn_scan_options) {
		TN_SCAN_OPTIONS, .text = csv, .lines = log_lines, .user = &log, .threads = 1,
	}, NULL, &err), TN_ERR_CANCELLED);
	cr_assert(strncmp(log.text.text, "time,", 5) == 0 && strchr(log.text.text, '\n') == log.text.text + log.text.n - 1, "%s",
		  log.text.text);
	tn_text_free(csv);
	tn_str_release(&log.text);
	close_fake(&p);
}

static int
count_notice(void *user, const struct tn_row *row)
{
	tn_str_printf(user, "%u %u %llu\n", row->location.stream, row->location.packet,
		      (unsigned long long)row->location.row);
	return 0;
}

Test(scan, count_is_what_a_scan_reads)
{
	struct place p;
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_str first = { 0 };
	uint64_t passed, n;

	fake_random(9, 6, 50, 90, 3, 2);
	fake.walk_rows = 50;
	p = open_fake();
	cr_assert_eq(tn_scan(p.set, &o, &passed, NULL), TN_OK);
	for (unsigned threads = 1; threads <= 4; threads++) {
		struct tn_str notices = { 0 };

		cr_assert_eq(tn_count(p.set, &(struct tn_count_options) {
			TN_COUNT_OPTIONS, .threads = threads, .notice = count_notice, .user = &notices,
		}, &n, NULL), TN_OK);
		cr_assert_eq(n, passed, "%llu, not %llu", (unsigned long long)n, (unsigned long long)passed);
		if (threads == 1)
			first = notices;
		else
			cr_assert_str_eq(notices.text, first.text);
		if (threads > 1)
			tn_str_release(&notices);
	}
	cr_assert_gt(first.n, 100);
	tn_str_release(&first);
	close_fake(&p);
}

/* Counts rows, and stops after this number. */
static int
pass_rows(void *user, const struct tn_row *row)
{
	struct log *log = user;

	(void)row;
	return ++log->calls == log->stop_after;
}

/*
 * A search is a scan from its place on: it walks the packets on its way once. A cursor that is put back for each row
 * would walk one of each stream each time.
 */
Test(scan, a_search_over_many_streams_walks_each_packet_once)
{
	enum { STREAMS = 500, PACKETS = 4, ROWS = 8, ALL = STREAMS * PACKETS * ROWS };
	static const size_t wanted[] = { 1, 3000, 0 };	/* the next row, one that is farther, none */
	static struct fake_row row[STREAMS][PACKETS][ROWS];
	static struct fake_packet packet[STREAMS][PACKETS];
	static struct fake_stream stream[STREAMS];
	struct tn_cursor *cur;
	struct tn_row middle;
	struct place p;

	for (size_t s = 0; s < STREAMS; s++) {
		stream[s] = (struct fake_stream) { packet[s], PACKETS, false };
		for (size_t i = 0; i < PACKETS; i++) {
			packet[s][i] = (struct fake_packet) { row[s][i], ROWS };
			for (size_t r = 0; r < ROWS; r++)
				row[s][i][r].time_ns = (int64_t)((i * ROWS + r) * STREAMS + s);
		}
	}
	fake = (struct fake_trace) { .stream = stream, .n = STREAMS };
	p = open_fake();
	cr_assert_eq(tn_cursor_new(&cur, p.set, NULL), TN_OK);
	cr_assert_eq(tn_cursor_seek(cur, ALL / 2, NULL), TN_OK);
	cr_assert(tn_cursor_row(cur, &middle));
	for (int backward = 0; backward < 2; backward++)
		for (size_t i = 0; i < TN_COUNT(wanted); i++) {
			struct log log = { .stop_after = wanted[i] };
			struct tn_scan_options o = {
				TN_SCAN_OPTIONS, .threads = 1, .has_from = true, .from = middle.location,
				.backward = backward, .row = pass_rows, .user = &log,
			};
			size_t on_the_way = STREAMS + (wanted[i] ? wanted[i] / ROWS : ALL / 2 / ROWS);

			fake.walks = 0;
			cr_assert_eq(tn_scan(p.set, &o, NULL, NULL), wanted[i] ? TN_ERR_CANCELLED : TN_OK);
			cr_expect_eq(log.calls, wanted[i] ? wanted[i] : (size_t)(ALL / 2 - !backward));
			cr_expect_leq(fake.walks, 2 * on_the_way, "%zu rows: %zu walks", log.calls, fake.walks);
		}
	tn_cursor_free(cur);
	close_fake(&p);
}

/* Where only the number is wanted, notices wait for their order; when they are too many it is read once more, in order. */
Test(scan, many_notices_are_told_once_and_in_order)
{
	static const struct { size_t packets, least, most; } rows[] = { { 30, 100, 1000 }, { 250, 1001, SIZE_MAX } };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int part = 0; part < 2; part++) {
			struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1, .has_begin = part, .begin_ns = 2000 };
			struct tn_str want = { 0 };
			struct log plain = { 0 };
			uint64_t events, passed;
			struct place p;
			size_t n = 0;

			fake_random(9, 6, rows[i].packets, 40, 3, 2);
			fake.walk_rows = 50;
			p = open_fake();
			o.row = log_row;
			o.user = &plain;
			cr_assert_eq(tn_scan(p.set, &o, &events, NULL), TN_OK);
			o.row = NULL;
			o.notice = count_notice;
			o.user = &want;
			o.limit = UINT64_MAX;	/* a limit needs the order */
			cr_assert_eq(tn_scan(p.set, &o, &passed, NULL), TN_OK);
			cr_expect_eq(passed, events);
			for (const char *at = want.text; *at; at++)
				n += *at == '\n';
			cr_assert(part || (n >= rows[i].least && n <= rows[i].most), "%zu notices", n);
			cr_expect_eq(plain.calls, events + n);
			o.limit = 0;
			for (o.threads = 1; o.threads <= 4; o.threads++) {
				struct tn_str got = { 0 };

				o.user = &got;
				cr_assert_eq(tn_scan(p.set, &o, &passed, NULL), TN_OK);
				cr_expect_eq(passed, events, "%llu, not %llu", (unsigned long long)passed, (unsigned long long)events);
				cr_expect_str_eq(tn_str_text(&got), want.text);
				tn_str_release(&got);
			}
			tn_str_release(&want);
			tn_str_release(&plain.text);
			close_fake(&p);
		}
}

/* Rows with what is read of them: the same rows, their values, notices with none. */
static int
log_event(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why)
{
	struct log *log = user;

	cr_assert_null(why);
	cr_assert_eq(event != NULL, row->kind == TN_ROW_EVENT);
	if (event) {
		cr_assert_eq(tn_event_class(event), row->event_class);
		cr_assert_not_null(tn_event_scope(event, TN_SCOPE_PAYLOAD));
	}
	return log_row(user, row) || log->calls == log->stop_after;
}

Test(scan, events_come_with_their_values)
{
	for (int backward = 0; backward < 2; backward++) {
		struct place p;
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 2, .backward = backward };
		struct log log = { 0 };
		char *want;

		fake_random(2, 4, 30, 100, 3, 2);
		p = open_fake();
		want = scan_text(&p, o, true, NULL);
		o.event = log_event;
		o.user = &log;
		cr_assert_eq(tn_scan(p.set, &o, NULL, NULL), TN_OK);
		cr_assert_str_eq(tn_str_text(&log.text), want, "%d", backward);
		free(want);
		tn_str_release(&log.text);
		close_fake(&p);
	}
}

/* From one row to another one, both or all but the first, either way: the rows between them of all rows. */
Test(scan, ends_are_rows)
{
	fake_random(5, 4, 40, 20, 3, 2);
	struct place p = open_fake();
	TN_ARRAY(struct tn_location) all = { 0 };
	struct tn_cursor *cur;
	enum tn_code rc;
	uint32_t random = 7;

	cr_assert_eq(tn_cursor_new(&cur, p.set, NULL), TN_OK);
	for (rc = tn_cursor_first(cur, NULL); rc == TN_OK; rc = tn_cursor_next(cur, NULL)) {
		struct tn_location *at = TN_ARRAY_ADD(&all);
		struct tn_row row;

		cr_assert(tn_cursor_row(cur, &row));
		*at = row.location;
	}
	tn_cursor_free(cur);
	cr_assert_gt(all.n, 500);
	for (size_t turn = 0; turn < 200; turn++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .has_from = true, .has_to = true, .threads = turn % 3 + 1 };
		struct tn_str want = { 0 };
		size_t from, to;
		char *got;

		random = random * 1664525 + 1013904223;
		from = random % all.n;
		to = turn % 5 ? from + random / 4096 % 300 : from;
		to = to < all.n ? to : all.n - 1;
		o.backward = turn % 2;
		o.from_included = turn % 4 < 2;
		o.from = all.item[o.backward ? to : from];
		o.to = all.item[o.backward ? from : to];
		for (size_t i = 0; i <= to - from; i++) {
			const struct tn_location *at = &all.item[o.backward ? to - i : from + i];

			if (i || o.from_included)
				tn_str_printf(&want, "%lld %u %u %llu\n", (long long)at->time_ns, at->stream, at->packet,
					      (unsigned long long)at->row);
		}
		got = scan_text(&p, o, true, NULL);
		/* Without the "@ " and the kind. */
		for (char *line = got, *next, *out = got; ; line = next) {
			char *last;

			next = strchr(line, '\n');
			if (!next) {
				*out = '\0';
				break;
			}
			*next++ = '\0';
			last = strrchr(line, ' ');
			*last = '\0';
			memmove(out, line + 2, strlen(line + 2) + 1);
			out += strlen(out);
			*out++ = '\n';
		}
		cr_assert_str_eq(got, tn_str_text(&want), "turn %zu", turn);
		free(got);
		tn_str_release(&want);
	}
	TN_ARRAY_RELEASE(&all);
	close_fake(&p);
}
