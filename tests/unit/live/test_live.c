/*
 * test_live.c - the viewer against a relay that plays a script
 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <tnav/tnav.h>

#include "base/folder.h"
#include "base/str.h"
#include "live/live.h"
#include "live/spool.h"
#include "relay.h"

/* Nothing here waits longer. */
#define ENOUGH_S 20

static char home[] = "/tmp/tnav-live-test-XXXXXX";

static void
setup(void)
{
	cr_assert_not_null(mkdtemp(home));
	setenv("XDG_CACHE_HOME", home, 1);
}

static void
teardown(void)
{
	tn_remove_folder(home);
}

TestSuite(live, .init = setup, .fini = teardown, .timeout = 60);

static void
wait_a_moment(void)
{
	static const struct timespec moment = { 0, 1000000 };

	nanosleep(&moment, NULL);
}

/* ---- output of a viewer ---- */

struct view {
	struct tn_set *set;
	struct tn_str lines;
	struct tn_str problems;
	size_t warnings, damages;
	bool has_from;
	int64_t from_ns;
	size_t windows;		/* that had lines */
	size_t breaks;		/* rows of lost connections; the last of them: */
	struct tn_row row;
};

static void
on_problem(void *user, const struct tn_problem *problem)
{
	struct view *v = user;

	v->warnings += problem->severity == TN_WARNING;
	v->damages += problem->severity == TN_DAMAGE;
	tn_str_printf(&v->problems, "%s\n", problem->text);
}

static int
on_lines(void *user, const char *text, size_t n)
{
	struct view *v = user;

	tn_str_add(&v->lines, text, n);
	return 0;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	struct view *v = user;

	if (row->kind == TN_ROW_BREAK) {
		v->breaks++;
		v->row = *row;
	}
	return 0;
}

static void
print(struct view *v, bool last, int64_t until_ns)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_text *text;
	struct tn_error err;
	size_t before = v->lines.n;

	how.time = TN_TIME_CYCLES;
	how.no_delta = true;
	cr_assert_eq(tn_text_new(&text, v->set, &how, &err), TN_OK, "%s", err.text);
	cr_assert_geq(tn_scan(v->set, &(struct tn_scan_options) {
		TN_SCAN_OPTIONS, .text = text, .has_end = !last, .end_ns = until_ns, .has_from = v->has_from,
		.from = { .time_ns = v->from_ns, .stream = UINT32_MAX }, .lines = on_lines,
		.notice = on_notice, .user = v, .threads = 1,
	}, NULL, &err), 0, "%s", err.text);
	tn_text_free(text);
	v->has_from = true;
	v->from_ns = until_ns;
	v->windows += v->lines.n > before;
}

static void
open_paths(struct view *v, const char *const *path, size_t n, uint64_t keep)
{
	struct tn_error err;

	*v = (struct view) { 0 };
	cr_assert_eq(tn_set_open(&v->set, path, n, &(struct tn_open_options) {
		TN_OPEN_OPTIONS, .problem = on_problem, .user = v, .live_keep = keep,
	}, &err), TN_OK, "%s", err.text);
}

static void
open_view(struct view *v, const char *address)
{
	char url[120];
	const char *path[1] = { url };

	snprintf(url, sizeof url, "%s/host/machine/one", address);
	open_paths(v, path, 1, 0);
}

/* All of it, as it comes. */
static void
see_all(struct view *v)
{
	time_t begin = time(NULL);
	bool last = false;

	while (!last) {
		struct tn_growth g;
		struct tn_error err;

		cr_assert_lt(time(NULL) - begin, ENOUGH_S, "it does not end: %s", tn_str_text(&v->problems));
		cr_assert_eq(tn_set_grow(v->set, true, &g, &err), TN_OK, "%s", err.text);
		last = g.over;
		if (last)
			cr_assert_eq(tn_set_settle(v->set, &err), TN_OK, "%s", err.text);
		if (last || (g.has_settled && (!v->has_from || g.settled_ns > v->from_ns)))
			print(v, last, g.settled_ns);
		wait_a_moment();
	}
}

static void
view(struct view *v, const char *address)
{
	open_view(v, address);
	see_all(v);
	tn_set_close(v->set);
}

static void
release_view(struct view *v)
{
	tn_str_release(&v->lines);
	tn_str_release(&v->problems);
}

static size_t
things_in(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		n += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return n;
}

static void
assert_nothing_left(void)
{
	char path[200];

	snprintf(path, sizeof path, "%s/tnav", home);
	cr_assert_eq(things_in(path), 0u, "%zu spools are left", things_in(path));
}

/* "[00000000000000000010] machine tick: { n = 1 }" for each; the lines must be those, in this order. */
static void
expect(const struct view *v, const char *what, const char *const *line)
{
	struct tn_str want = { 0 };

	for (; *line; line++)
		tn_str_printf(&want, "[%020d] machine %s\n", atoi(*line), strchr(*line, ' ') + 1);
	cr_assert_str_eq(tn_str_text(&v->lines), tn_str_text(&want), "%s:\n%s\ninstead of\n%s\n%s", what,
			 tn_str_text(&v->lines), tn_str_text(&want), tn_str_text(&v->problems));
	tn_str_release(&want);
}

/* Two streams whose events come by turns. */
static void
two_streams(struct relay *r)
{
	relay_packet(r, 0, 0, 2, 10, 20);	/* 10, 30 */
	relay_packet(r, 1, 10, 2, 20, 20);	/* 20, 40 */
	relay_step(r, 0, STEP_RETRY);
	relay_step(r, 1, STEP_INACTIVE)->begin = 60;
	relay_packet(r, 0, 2, 2, 50, 20);	/* 50, 70 */
	relay_step(r, 1, STEP_RETRY);
	relay_packet(r, 1, 12, 1, 80, 1);	/* 80 */
	relay_step(r, 0, STEP_HUP);
	relay_step(r, 1, STEP_HUP);
}

static const char *const two_streams_lines[] = {
	"10 tick: { n = 0 }", "20 tick: { n = 10 }", "30 tick: { n = 1 }", "40 tick: { n = 11 }", "50 tick: { n = 2 }",
	"70 tick: { n = 3 }", "80 tick: { n = 12 }", NULL
};

/* ---- the tests ---- */

Test(live, order_of_two_streams)
{
	static const uint32_t minors[] = { 13, 4, 15 };

	for (size_t i = 0; i < sizeof minors / sizeof *minors; i++) {
		struct relay r = { .minor = minors[i] };
		struct view v;
		char address[60];

		two_streams(&r);
		relay_start(&r, address);
		view(&v, address);
		relay_stop(&r);
		expect(&v, "two streams", two_streams_lines);
		cr_assert_eq(v.damages + v.warnings, 0u, "%s", tn_str_text(&v.problems));
		release_view(&v);
	}
	assert_nothing_left();
}

/* An event is shown when every stream has told a later time: one that says nothing holds it back, quiet ones do not. */
Test(live, what_is_settled)
{
	struct relay r = { 0 };
	struct tn_growth g;
	struct tn_error err;
	struct view v;
	char address[60];

	relay_packet(&r, 0, 0, 2, 10, 20);
	relay_step(&r, 0, STEP_RETRY);
	relay_step(&r, 1, STEP_INACTIVE)->begin = 25;
	relay_step(&r, 1, STEP_RETRY);
	relay_start(&r, address);
	open_view(&v, address);
	do {
		cr_assert_eq(tn_set_grow(v.set, true, &g, &err), TN_OK, "%s", err.text);
		wait_a_moment();
	} while (!g.has_settled);
	for (int i = 0; i < 20; i++) {
		cr_assert_eq(tn_set_grow(v.set, true, &g, &err), TN_OK, "%s", err.text);
		wait_a_moment();
	}
	cr_assert_eq(g.settled_ns, 24, "%lld", (long long)g.settled_ns);
	cr_assert(!g.over);
	tn_set_close(v.set);
	relay_stop(&r);
	release_view(&v);
	assert_nothing_left();
}

Test(live, metadata_that_comes_late)
{
	struct relay r = { .late_metadata = 3 };
	struct view v;
	char address[60];

	two_streams(&r);
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	expect(&v, "late metadata", two_streams_lines);
	release_view(&v);
}

Test(live, metadata_that_grows)
{
	static const char *const lines[] = {
		"10 tick: { n = 0 }", "20 tick: { n = 10 }", "30 tick: { n = 1 }", "40 later: { m = 11 }",
		"50 later: { m = 2 }", NULL
	};
	struct relay r = { .later_class = true };
	struct step *s;
	struct view v;
	char address[60];

	relay_packet(&r, 0, 0, 2, 10, 20);
	relay_packet(&r, 1, 10, 1, 20, 20);
	for (int i = 0; i < 10; i++)
		relay_step(&r, 1, STEP_INACTIVE)->begin = 35;
	s = relay_packet(&r, 1, 11, 1, 40, 1);
	s->flags = 1;
	s->event_class = 1;
	for (int i = 0; i < 12; i++)
		relay_step(&r, 0, STEP_RETRY);
	relay_packet(&r, 0, 2, 1, 50, 1)->event_class = 1;
	relay_step(&r, 0, STEP_HUP);
	relay_step(&r, 1, STEP_HUP);
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	expect(&v, "grown metadata", lines);
	cr_assert_eq(v.damages, 0u, "%s", tn_str_text(&v.problems));
	release_view(&v);
}

/* A relay that first wants us to ask for metadata; one that has no more of it, and is not asked again. */
Test(live, metadata_before_a_packet)
{
	static const char *const lines[] = { "10 tick: { n = 0 }", "20 later: { m = 1 }", NULL };
	struct relay r = { .later_class = true }, other = { .metadata_error = true };
	struct step *s;
	struct view v;
	char address[60];

	relay_packet(&r, 0, 0, 1, 10, 1);
	s = relay_packet(&r, 0, 1, 1, 20, 1);
	s->event_class = 1;
	s->refuse = 1;
	s->refuse_flags = 1;
	relay_step(&r, 0, STEP_HUP);
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	expect(&v, "metadata before a packet", lines);
	cr_assert_eq(v.damages + v.warnings, 0u, "%s", tn_str_text(&v.problems));
	release_view(&v);
	two_streams(&other);
	other.stream[1].step[2].flags = 1;
	relay_start(&other, address);
	view(&v, address);
	relay_stop(&other);
	expect(&v, "an error of metadata", two_streams_lines);
	cr_assert_eq(other.metadata_asks, 2u, "%u asks", other.metadata_asks);
	release_view(&v);
}

/* No name is outside of the archive, none is too long for a file system, and none is without an end. */
Test(live, names_in_the_spool)
{
	static const struct { const char *from, *to; } rows[] = {
		{ "a/b", "a/b" }, { "/a//b/", "a/b" }, { "../a/./.b/c", "a/c" }, { "\x1b[2J\x7f\n", "_[2J__" }, { "", "" },
	};
	struct tn_str s = { 0 };
	char *name;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		name = tn_spool_name(rows[i].from);
		cr_expect_str_eq(name, rows[i].to, "%s", name);
		free(name);
	}
	for (int i = 0; i < 10; i++)
		tn_str_printf(&s, "%s%0300d", i ? "/" : "", i);
	name = tn_spool_name(tn_str_text(&s));
	cr_expect_eq(strlen(name), 5u * 200 + 4, "%zu", strlen(name));
	cr_expect_eq(strcspn(name, "/"), 200u);
	cr_expect_eq(name[401], '/');
	cr_expect_eq(name[400], '1', "the end of a name stays");
	free(name);
	tn_str_release(&s);
}

Test(live, streams_that_come)
{
	static const char *const lines[] = {
		"10 tick: { n = 0 }", "20 tick: { n = 30 }", "30 tick: { n = 20 }", "40 tick: { n = 1 }", NULL
	};
	struct relay r = { 0 };
	struct view v;
	char address[60];

	relay_packet(&r, 0, 0, 1, 10, 1);
	for (int i = 0; i < 30; i++)
		relay_step(&r, 0, STEP_INACTIVE)->begin = 15;
	relay_packet(&r, 0, 1, 1, 40, 1)->flags = 2;
	relay_step(&r, 0, STEP_HUP);
	relay_packet(&r, 1, 20, 1, 30, 1);
	relay_step(&r, 1, STEP_HUP);
	r.stream[1].from_ask = 2;
	relay_packet(&r, 2, 30, 1, 20, 1);
	relay_step(&r, 2, STEP_HUP);
	r.stream[2].from_ask = 1;
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	expect(&v, "new streams", lines);
	release_view(&v);
}

Test(live, packets_that_are_refused)
{
	static const char *const lines[] = { "10 tick: { n = 0 }", "30 tick: { n = 2 }", NULL };
	struct relay r = { 0 };
	struct view v;
	char address[60];

	relay_packet(&r, 0, 0, 1, 10, 1)->refuse = 3;
	relay_packet(&r, 0, 1, 1, 20, 1)->unreadable = true;
	relay_packet(&r, 0, 2, 1, 30, 1);
	relay_step(&r, 0, STEP_EOF);
	relay_step(&r, 0, STEP_ERROR);
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	expect(&v, "refused", lines);
	cr_assert_eq(v.damages, 1u, "%s", tn_str_text(&v.problems));
	cr_assert(strstr(v.problems.text, "could not read the packet at byte 256"), "%s", v.problems.text);
	cr_assert(strstr(v.problems.text, "has lost this stream"), "%s", v.problems.text);
	release_view(&v);
}

/* The connection breaks after each byte; existing rows are not shown twice, nothing is missing. */
Test(live, connections_that_break)
{
	static const uint64_t cuts[] = { 40, 379, 383, 391, 5000, 9000, 13000, 13504, 13510, 13600, 13800, 14000, 14100, 14300,
		14400, 14600, 14800, 15000, 15100, 15200, 15300, 15400, 15500, 15600, 15700, 15800, 15900, 16000 };
	size_t all = 0;

	for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
		struct relay r = { .cut_after = cuts[i] };
		struct view v;
		char address[60], what[40];

		two_streams(&r);
		relay_start(&r, address);
		view(&v, address);
		relay_stop(&r);
		snprintf(what, sizeof what, "cut at %llu", (unsigned long long)cuts[i]);
		/* Never had the session: no second try, the address may be wrong. */
		if (r.connections > 1 || !strstr(tn_str_text(&v.problems), "closed"))
			expect(&v, what, two_streams_lines);
		else
			cr_assert_eq(v.damages, 1u, "%s: %s", what, tn_str_text(&v.problems));
		cr_assert_eq(r.connections, v.warnings + 1, "%s: %s", what, tn_str_text(&v.problems));
		cr_assert_leq(v.breaks, (size_t)r.connections - 1, "%s: %zu rows", what, v.breaks);
		all += v.breaks;
		release_view(&v);
	}
	cr_assert_geq(all, 8u, "%zu rows", all);
	assert_nothing_left();
}

/* With a silent relay its streams do not lag: no row is late when it continues. */
Test(live, a_relay_that_stops_for_a_while)
{
	for (uint64_t at = 14200; at < 15700; at += 600) {
		struct relay r = { .stall_after = at, .hold_ms = 450 };
		struct tn_error err;
		struct view v = { 0 };
		char address[60], url[120];
		const char *path[1] = { url };

		two_streams(&r);
		relay_start(&r, address);
		snprintf(url, sizeof url, "%s/host/machine/one", address);
		cr_assert_eq(tn_set_open(&v.set, path, 1, &(struct tn_open_options) {
			TN_OPEN_OPTIONS, .problem = on_problem, .user = &v, .live_lag_ns = 300000000,
		}, &err), TN_OK, "%s", err.text);
		see_all(&v);
		expect(&v, "a relay that stops", two_streams_lines);
		tn_set_close(v.set);
		relay_stop(&r);
		release_view(&v);
	}
}

/* Of a connection that broke without a word the relay may think that it is still there. */
Test(live, the_session_is_still_taken_by_us)
{
	struct relay r = { .cut_after = 14300, .taken = 2 };
	struct view v;
	char address[60];

	two_streams(&r);
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	expect(&v, "taken by us", two_streams_lines);
	cr_assert_eq(r.connections, 4u, "%u: %s", r.connections, tn_str_text(&v.problems));
	release_view(&v);
}

/* One row, before the first later packet, with the earlier ones. */
Test(live, a_break_is_a_row)
{
	struct relay r = { .cut_packet = 2 };
	struct view v;
	char address[60];

	for (uint32_t i = 0; i < 4; i++)
		relay_packet(&r, 0, i, 1, 10 + 10 * i, 1);
	relay_step(&r, 0, STEP_HUP);
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	expect(&v, "a break", (const char *const []) {
		"10 tick: { n = 0 }", "20 tick: { n = 1 }", "30 tick: { n = 2 }", "40 tick: { n = 3 }", NULL });
	cr_assert_eq(v.breaks, 1u, "%zu: %s", v.breaks, tn_str_text(&v.problems));
	cr_assert(v.row.has_range && v.row.begin_ns == 20 && v.row.end_ns == 30 && v.row.location.time_ns == 30);
	release_view(&v);
	/* Also where nothing had come. */
	r = (struct relay) { .cut_after = 9160 + strlen(relay_metadata(false)) };	/* in the first index */
	relay_packet(&r, 0, 0, 1, 10, 1);
	relay_step(&r, 0, STEP_HUP);
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	cr_assert_eq(v.breaks, 1u, "%zu: %s", v.breaks, tn_str_text(&v.problems));
	cr_assert_eq(v.row.location.time_ns, 10);
	release_view(&v);
}

static uint64_t
bytes_on_disk(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	uint64_t bytes = 0;

	while (dir && (entry = readdir(dir))) {
		char path[600];
		struct stat st;

		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (entry->d_name[0] == '.' || lstat(path, &st) < 0)
			continue;
		bytes += S_ISDIR(st.st_mode) ? bytes_on_disk(path) : (uint64_t)st.st_blocks * 512;
	}
	if (dir)
		closedir(dir);
	return bytes;
}

/* All rows are seen; the oldest packet is dropped afterwards. */
Test(live, no_more_is_kept_than_was_asked_for)
{
	enum { PACKETS = 60, EVENTS = 4000, KEEP = 1 << 20 };
	struct relay r = { 0 };
	struct tn_growth g;
	struct tn_error err;
	struct view v;
	size_t lines = 0, left = 0;
	char address[60], url[120];
	const char *path[1] = { url };

	for (uint32_t i = 0; i < PACKETS; i++)
		relay_packet(&r, i % 2, i * EVENTS, EVENTS, 1 + i / 2 * 10 * EVENTS, 10);
	for (size_t i = 0; i < 2; i++)
		relay_step(&r, i, STEP_HUP);
	relay_start(&r, address);
	snprintf(url, sizeof url, "%s/host/machine/one", address);
	open_paths(&v, path, 1, KEEP);
	see_all(&v);
	for (int i = 0; i < 3; i++)	/* the last seen one is dropped too, and its bytes are freed */
		cr_assert_eq(tn_set_grow(v.set, true, &g, &err), TN_OK, "%s", err.text);
	for (const char *c = tn_str_text(&v.lines); (c = strchr(c, '\n')); c++)
		lines++;
	cr_assert_eq(lines, (size_t)PACKETS * EVENTS, "%zu lines", lines);
	cr_assert(strstr(tn_str_text(&v.problems), "the received data exceeds 1048576 bytes, the limit: the oldest packets are dropped"),
		  "%s", tn_str_text(&v.problems));
	cr_assert_lt(bytes_on_disk(home), (uint64_t)KEEP + (256 << 10), "%llu", (unsigned long long)bytes_on_disk(home));
	/* The rest is whole, without reports of damage. */
	tn_str_clear(&v.lines);
	v.has_from = false;
	print(&v, true, 0);
	for (const char *c = tn_str_text(&v.lines); (c = strchr(c, '\n')); c++)
		left++;
	cr_assert(left % EVENTS == 0 && left >= 12 * EVENTS && left <= 20 * EVENTS, "%zu lines", left);
	cr_assert_eq(v.damages, 0u, "%s", tn_str_text(&v.problems));
	cr_assert_eq(tn_count(v.set, &(struct tn_count_options) { TN_COUNT_OPTIONS }, &g.bytes, &err), TN_OK, "%s", err.text);
	cr_assert_eq(g.bytes, left);
	tn_set_close(v.set);
	relay_stop(&r);
	release_view(&v);
	assert_nothing_left();
}

/* Blocks of a file are freed with their last bytes, if less than a block is dropped each time. */
Test(live, small_pieces_are_given_up)
{
	enum { SIZE = 1 << 20, PIECE = 100 };
	struct tn_error err;
	struct tn_spool spool;
	struct stat st;
	char *bytes = calloc(1, SIZE), path[200];

	cr_assert_eq(tn_spool_new(&spool, &err), TN_OK, "%s", err.text);
	cr_assert_not_null(bytes);
	memset(bytes, 'x', SIZE);
	cr_assert_eq(tn_spool_append(&spool, spool.folder, "s", bytes, SIZE, &err), TN_OK, "%s", err.text);
	snprintf(path, sizeof path, "%s/s", spool.folder);
	for (uint64_t at = 0; at + PIECE < SIZE; at += PIECE)
		cr_assert_eq(tn_spool_drop(path, at, at + PIECE, &err), TN_OK, "%s", err.text);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_size, SIZE);
	cr_expect_leq(st.st_blocks * 512, 65536, "%ju bytes are left", (uintmax_t)st.st_blocks * 512);
	tn_spool_remove(&spool);
	free(bytes);
}

/* A relay that has nothing but metadata: after a while tnav says so, once. */
Test(live, nothing_but_metadata)
{
	struct relay r = { .timer_us = 1000000 };	/* a tenth of it between two answers */
	struct view v;
	char address[60];
	const char *told;

	for (int i = 0; i < 45; i++)
		relay_step(&r, 0, STEP_RETRY);
	relay_step(&r, 0, STEP_HUP);
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	told = strstr(tn_str_text(&v.problems), "the relay has sent metadata only");
	cr_assert_not_null(told, "%s", tn_str_text(&v.problems));
	cr_expect_null(strstr(told + 1, "the relay has sent metadata only"));
	release_view(&v);
}

/* Received data are gone, or not a file: that is reported once, and all later data are kept. */
Test(live, what_cannot_be_given_up)
{
	enum { PACKETS = 20, EVENTS = 1000 };
	struct relay r = { 0 };
	struct tn_growth g;
	struct tn_error err;
	struct view v;
	char address[60], url[120], command[120];
	const char *path[1] = { url }, *told;

	cr_assert_eq(tn_spool_drop("/dev/null", 0, 4096, &err), TN_ERR_SYSTEM);
	cr_assert(strstr(err.text, "/dev/null: no packet of it can be dropped"), "%s", err.text);
	cr_assert_eq(tn_spool_drop("/dev/null/x", 0, 4096, &err), TN_ERR_SYSTEM);
	for (uint32_t i = 0; i < PACKETS; i++)
		relay_packet(&r, 0, i * EVENTS, EVENTS, 1 + i * 10 * EVENTS, 10);
	relay_step(&r, 0, STEP_RETRY);
	relay_start(&r, address);
	snprintf(url, sizeof url, "%s/host/machine/one", address);
	open_paths(&v, path, 1, 65536);
	while (atomic_load(&r.indices) < PACKETS + 2)	/* all of them are in the file, which is not made again */
		wait_a_moment();
	while (!strstr(tn_str_text(&v.problems), "the received data exceeds")) {
		cr_assert_eq(tn_set_grow(v.set, true, &g, &err), TN_OK, "%s", err.text);
		wait_a_moment();
	}
	cr_assert_not(strstr(v.problems.text, "all received data is kept"));
	snprintf(command, sizeof command, "find %s -type f -name 'ch*' -delete", home);
	cr_assert_eq(system(command), 0);
	for (int i = 0; i < 3; i++)
		(void)!tn_set_grow(v.set, true, &g, &err);
	told = strstr(v.problems.text, "all received data is kept: ");
	cr_assert(told && !strstr(told + 1, "all received data is kept"), "%s", v.problems.text);
	tn_set_close(v.set);
	relay_stop(&r);
	release_view(&v);
	assert_nothing_left();
}

/* One timeline; it ends when the sessions do. */
Test(live, two_relays_and_a_file)
{
	static const char *const lines[] = {
		"10 tick: { n = 0 }", "20 tick: { n = 1 }", "30 tick: { n = 2 }", "40 tick: { n = 3 }", NULL
	};
	struct relay r[2] = { 0 };
	const struct step step = { .kind = STEP_PACKET, .first = 2, .n = 1, .begin = 30, .each = 1 };
	char address[60], url[2][120], file[200];
	const char *path[3] = { url[0], url[1], home };
	uint8_t room[65536];
	struct view v;
	FILE *f;

	snprintf(file, sizeof file, "%s/metadata", home);
	cr_assert_not_null(f = fopen(file, "w"));
	fputs(relay_metadata(false), f);
	fclose(f);
	snprintf(file, sizeof file, "%s/ch0_2", home);
	cr_assert_not_null(f = fopen(file, "w"));
	fwrite(room, 1, relay_packet_bytes(&step, 2, room), f);
	fclose(f);
	for (uint32_t i = 0; i < 2; i++) {
		relay_packet(&r[i], i, i, 1, 10 + 10 * i, 1);
		for (size_t k = 0; k <= i; k++)
			relay_step(&r[i], k, STEP_HUP);
	}
	r[0].stall_after = 1;	/* one of them is slow to answer at all: the other's events wait */
	r[0].hold_ms = 200;
	r[1].stream[1].n = 1;
	relay_packet(&r[1], 1, 3, 1, 40, 1);
	relay_step(&r[1], 1, STEP_HUP);
	for (size_t i = 0; i < 2; i++) {
		relay_start(&r[i], address);
		snprintf(url[i], sizeof url[i], "%s/host/machine/one", address);
	}
	open_paths(&v, path, 3, 0);
	see_all(&v);
	expect(&v, "two relays and a file", lines);
	tn_set_close(v.set);
	for (size_t i = 0; i < 2; i++)
		relay_stop(&r[i]);
	release_view(&v);
}

Test(live, lies)
{
	static const char *const text[LIES] = {
		[LIE_MAJOR] = "its protocol is of another major version", [LIE_NEW_STREAMS] = "impossible answer: streams (", [LIE_NEW_STATUS] = "impossible answer: status of new streams (",
		[LIE_METADATA_LENGTH] = "bytes of metadata", [LIE_METADATA_STATUS] = "status of metadata",
		[LIE_INDEX_STATUS] = "status of an index", [LIE_PACKET_LENGTH] = "bytes of a packet, not those asked for",
		[LIE_PACKET_STATUS] = "status of a packet", [LIE_NO_VIEWER] = "the relay does not create a viewer session",
		[LIE_INDEX_CONTENT] = "is left out",
	};

	for (enum lie lie = LIE_NONE + 1; lie < LIE_NOISE; lie++) {
		struct relay r = { .lie = lie };
		struct view v;
		char address[60];

		two_streams(&r);
		relay_start(&r, address);
		view(&v, address);
		relay_stop(&r);
		cr_assert_geq(v.damages, 1u, "lie %d: %s", (int)lie, tn_str_text(&v.problems));
		cr_assert(!text[lie] || strstr(tn_str_text(&v.problems), text[lie]), "lie %d: %s", (int)lie, tn_str_text(&v.problems));
		release_view(&v);
	}
	assert_nothing_left();
}

/* Wrong again and again, without an end: the number of reports is limited. */
Test(live, a_relay_that_is_wrong_for_ever)
{
	struct relay r = { .lie = LIE_INDEX_CONTENT, .for_ever = true };
	struct tn_live_look look;
	struct tn_live_url url;
	struct tn_live *live;
	struct tn_error err;
	enum tn_severity severity;
	char address[60], text[TN_ERROR_SIZE], last[TN_ERROR_SIZE] = "";
	size_t n = 0;

	two_streams(&r);
	relay_start(&r, address);
	snprintf(text, sizeof text, "%s/host/machine/one", address);
	cr_assert_eq(tn_live_url_parse(&url, text, &err), TN_OK);
	cr_assert_eq(tn_live_open(&live, &url, NULL, &err), TN_OK);
	while (atomic_load(&r.indices) < 3000) {
		wait_a_moment();
		tn_live_look(live, &look);
		cr_assert_eq(look.phase == TN_LIVE_FAILED, false, "%s", look.error.text);
		while (tn_live_news(live, &severity, text, sizeof text)) {
			n++;
			snprintf(last, sizeof last, "%s", text);
		}
	}
	while (tn_live_news(live, &severity, text, sizeof text)) {
		n++;
		snprintf(last, sizeof last, "%s", text);
	}
	cr_assert_eq(n, 1000u);
	cr_assert(strstr(last, "is left out; further ones are not reported"), "%s", last);
	tn_live_close(live);
	relay_stop(&r);
	assert_nothing_left();
}

Test(live, noise)
{
	for (unsigned seed = 0; seed < 60; seed++) {
		struct relay r = { .lie = LIE_NOISE, .seed = seed };
		struct tn_live_look look;
		struct tn_live_url url;
		struct tn_live *live;
		struct tn_error err;
		char address[60], text[120];
		time_t begin = time(NULL);

		two_streams(&r);
		relay_start(&r, address);
		snprintf(text, sizeof text, "%s/host/machine/one", address);
		cr_assert_eq(tn_live_url_parse(&url, text, &err), TN_OK);
		cr_assert_eq(tn_live_open(&live, &url, &(struct tn_live_options) { .patience_ms = 20 }, &err), TN_OK);
		do {
			wait_a_moment();
			tn_live_look(live, &look);
		} while (look.phase != TN_LIVE_FAILED && look.phase != TN_LIVE_ENDED && look.phase != TN_LIVE_LOST &&
			 time(NULL) - begin < 1);
		tn_live_close(live);
		relay_stop(&r);
	}
	assert_nothing_left();
}

/* In the middle of a record: the patience ends it, and a quit does not wait for it. */
Test(live, stalls)
{
	for (int quits = 0; quits < 2; quits++) {
		struct relay r = { .stall_after = quits ? 200 : 13600 };
		struct tn_live_look look = { 0 };
		struct tn_live_url url;
		struct tn_live *live;
		struct tn_error err;
		char address[60], text[120];

		two_streams(&r);
		relay_start(&r, address);
		snprintf(text, sizeof text, "%s/host/machine/one", address);
		cr_assert_eq(tn_live_url_parse(&url, text, &err), TN_OK);
		cr_assert_eq(tn_live_open(&live, &url, &(struct tn_live_options) { .patience_ms = quits ? 50000 : 30 },
					  &err), TN_OK);
		/* A machine under load may lose its patience earlier. */
		while (!quits && look.phase != TN_LIVE_LOST && look.phase != TN_LIVE_FAILED) {
			wait_a_moment();
			tn_live_look(live, &look);
		}
		cr_assert(quits || strstr(look.error.text, "sent nothing"), "%s", look.error.text);
		tn_live_close(live);
		relay_stop(&r);
	}
	assert_nothing_left();
}

Test(live, sessions_that_cannot_be_had)
{
	static const struct row {
		struct relay relay;
		const char *text;
	} rows[] = {
		{ { .session = "other" }, "has no session one of machine; it has /host/machine/other" },
		{ { .attach_status = 2 }, "another viewer reads it" },
		{ { .attach_status = 3 }, "just been closed" },
		{ { .attach_status = 4, .not_live = true }, "not a live session" },
		{ { .attach_status = 5 }, "the relay cannot begin there" }, { { .attach_status = 6 }, "does not allow it" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct relay r = rows[i].relay;
		struct view v;
		char address[60];

		two_streams(&r);
		relay_start(&r, address);
		view(&v, address);
		relay_stop(&r);
		cr_assert_eq(v.damages, 1u, "row %zu: %s", i, tn_str_text(&v.problems));
		cr_assert(strstr(v.problems.text, rows[i].text), "row %zu: %s", i, v.problems.text);
		release_view(&v);
	}
}

/* Names that lead outside the spool, or are not there at all, or are another stream's. */
Test(live, hostile_names)
{
	static const char *const lines[] = {
		"10 tick: { n = 0 }", "20 tick: { n = 1 }", "30 tick: { n = 2 }", "40 tick: { n = 3 }", "50 tick: { n = 4 }",
		"60 tick: { n = 5 }", "70 tick: { n = 6 }", "80 tick: { n = 7 }", NULL
	};
	static const char *const channel[] = {
		"../../../../../tmp/x", "", "metadata", "metadata", "metadata", "metadata", "metadata-6", "metadata"
	};
	struct relay r = { 0 };
	struct view v;
	char address[60];

	for (size_t i = 0; i < sizeof channel / sizeof *channel; i++) {
		relay_packet(&r, i, (uint32_t)i, 1, 10 + 10 * i, 1);
		relay_step(&r, i, STEP_HUP);
		r.stream[i].folder = "../..//./../\x1b[2Jetc";
		r.stream[i].channel = channel[i];
	}
	relay_start(&r, address);
	view(&v, address);
	relay_stop(&r);
	expect(&v, "hostile names", lines);
	release_view(&v);
	assert_nothing_left();
}

struct sessions { size_t n; char text[400]; };

static void
on_session(void *user, const struct tn_live_entry *e)
{
	struct sessions *s = user;

	s->n++;
	snprintf(s->text, sizeof s->text, "%s/%s %u %u %u", e->machine, e->session, e->timer_us, e->viewers, e->streams);
}

Test(live, list)
{
	for (uint32_t minor = 13; minor < 17; minor++) {
		struct relay r = { .minor = minor, .timer_us = 500000 };
		struct sessions s = { 0 };
		struct tn_error err;
		bool names_session;
		char address[60];

		two_streams(&r);
		relay_start(&r, address);
		cr_assert_eq(tn_live_sessions(address, &names_session, on_session, &s, &err), TN_OK, "%s", err.text);
		relay_stop(&r);
		cr_assert(!names_session);
		cr_assert_eq(s.n, 1u);
		cr_assert_str_eq(s.text, "machine/one 500000 0 3");
	}
}

Test(live, a_hundred_times)
{
	struct relay r = { 0 };
	char address[60];
	size_t before, after;

	two_streams(&r);
	relay_start(&r, address);
	before = things_in("/proc/self/fd");
	for (int i = 0; i < 100; i++) {
		struct view v;

		open_view(&v, address);
		if (i % 4 == 1)
			wait_a_moment();
		tn_set_close(v.set);
		release_view(&v);
	}
	after = things_in("/proc/self/fd");
	relay_stop(&r);
	/* The relay may not have noticed the last one yet. */
	cr_assert_leq(after, before + 1, "%zu files, %zu before", after, before);
	assert_nothing_left();
}
