/*
 * test_grow.c - sets of traces that grow: files get longer, files and folders appear, metadata is added
 *
 * After each step a set that grew holds what a set that is opened then holds, and no location has changed.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/tnav.h>

#include "base/folder.h"
#include "../../make/all_kinds.h"
#include "base/str.h"
#include "relay.h"

static char home[] = "/tmp/tnav-grow-test-XXXXXX";

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

TestSuite(grow, .init = setup, .fini = teardown, .timeout = 60);

/* ---- a session that is recorded ---- */

static void
put(const char *name, const char *how, const void *bytes, size_t n)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", home, name);
	for (char *slash = path + strlen(home) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(path, 0700);
	}
	f = fopen(path, how);
	cr_assert_not_null(f, "%s", path);
	fwrite(bytes, 1, n, f);
	fclose(f);
}

static void
put_metadata(const char *folder, bool all)
{
	char name[100];

	snprintf(name, sizeof name, "%s/metadata", folder);
	put(name, "w", relay_metadata(all), strlen(relay_metadata(all)));
}

/* @part: how much of it, in 256; 0: all. */
static void
put_packet(const char *name, size_t stream, struct step s, size_t from, size_t to)
{
	uint8_t room[65536];
	size_t n = relay_packet_bytes(&s, stream, room);

	put(name, "a", room + from, (to ? to : n) - from);
}

static struct step
ticks(uint32_t first, uint32_t n, uint64_t begin)
{
	return (struct step) { .kind = STEP_PACKET, .first = first, .n = n, .begin = begin, .each = 1 };
}

/* ---- contents of a set ---- */

static int
on_lines(void *user, const char *text, size_t n)
{
	tn_str_add(user, text, n);
	return 0;
}

static void
problem(void *user, const struct tn_problem *p)
{
	tn_str_printf(user, "%s\n", p->text);
}

static void
lines_of(struct tn_set *set, struct tn_str *out)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_text *text;
	struct tn_error err;

	how.time = TN_TIME_CYCLES;
	cr_assert_eq(tn_text_new(&text, set, &how, &err), TN_OK, "%s", err.text);
	cr_assert_geq(tn_scan(set, &(struct tn_scan_options) {
		TN_SCAN_OPTIONS, .text = text, .lines = on_lines, .user = out, .threads = 1,
	}, NULL, &err), 0, "%s", err.text);
	tn_text_free(text);
}

static struct tn_set *
open_home(const char *below, bool growing, struct tn_str *problems)
{
	char path[300];
	const char *paths[1] = { path };
	struct tn_error err;
	struct tn_set *set;

	snprintf(path, sizeof path, "%s/%s", home, below);
	cr_assert_eq(tn_set_open(&set, paths, 1, &(struct tn_open_options) {
		TN_OPEN_OPTIONS, .growing = growing, .problem = problem, .user = problems, .no_index_cache = true,
	}, &err), TN_OK, "%s", err.text);
	return set;
}

/* A row that was there, and what it was. */
struct seen {
	struct tn_location at;
	int64_t time_ns;
	char name[40];		/* "" if it is not an event */
	const struct tn_stream *stream;
};

struct session {
	const char *below;
	struct tn_set *set;
	struct tn_str problems;
	struct seen seen[200];
	size_t n_seen;
};

static void
see_all(struct session *s)
{
	struct tn_cursor *cur;
	struct tn_error err;
	struct tn_row row;

	for (size_t i = 0; i < s->n_seen; i++) {
		cr_assert_eq(tn_cursor_new(&cur, s->set, &err), TN_OK);
		cr_assert_eq(tn_cursor_restore(cur, &s->seen[i].at, &err), TN_OK, "row %zu: %s", i, err.text);
		cr_assert(tn_cursor_row(cur, &row));
		cr_assert_eq(tn_location_compare(&row.location, &s->seen[i].at), 0, "row %zu moved", i);
		cr_assert_eq(row.time_ns, s->seen[i].time_ns, "row %zu: %lld not %lld kind %d has %d", i, (long long)row.time_ns, (long long)s->seen[i].time_ns, (int)row.kind, row.has_time);
		cr_assert_eq(row.stream, s->seen[i].stream, "row %zu", i);
		cr_assert_str_eq(row.event_class ? tn_event_class_name(row.event_class) : "", s->seen[i].name, "row %zu", i);
		tn_cursor_free(cur);
	}
	s->n_seen = 0;
	cr_assert_eq(tn_cursor_new(&cur, s->set, &err), TN_OK);
	for (enum tn_code rc = tn_cursor_first(cur, &err); rc == TN_OK; rc = tn_cursor_next(cur, &err)) {
		tn_cursor_row(cur, &row);
		s->seen[s->n_seen] = (struct seen) { .at = row.location, .time_ns = row.time_ns, .stream = row.stream };
		if (row.event_class)
			snprintf(s->seen[s->n_seen].name, sizeof s->seen[0].name, "%s", tn_event_class_name(row.event_class));
		s->n_seen++;
	}
	tn_cursor_free(cur);
}

static unsigned
grow(struct session *s, const char *what)
{
	struct tn_str grown = { 0 }, anew = { 0 }, unused = { 0 };
	struct tn_growth g;
	struct tn_error err;
	struct tn_set *fresh;

	if (!s->set)
		s->set = open_home(s->below, true, &s->problems);
	cr_assert_eq(tn_set_grow(s->set, true, &g, &err), TN_OK, "%s: %s", what, err.text);
	see_all(s);
	fresh = open_home(s->below, true, &unused);
	lines_of(s->set, &grown);
	lines_of(fresh, &anew);
	cr_assert_str_eq(tn_str_text(&grown), tn_str_text(&anew), "%s:\n%s\ninstead of\n%s", what, tn_str_text(&grown),
			 tn_str_text(&anew));
	tn_set_close(fresh);
	tn_str_release(&grown);
	tn_str_release(&anew);
	tn_str_release(&unused);
	return g.grew;
}

/* ---- the tests ---- */

Test(grow, from_nothing)
{
	struct session s = { .below = "a" };
	char path[300];

	snprintf(path, sizeof path, "%s/a", home);
	mkdir(path, 0700);
	cr_assert_eq(grow(&s, "an empty folder"), 0u);
	put("a/t/metadata", "w", "", 0);
	cr_assert_eq(grow(&s, "empty metadata") & ~(unsigned)TN_GREW_CLASSES, 0u);
	put_metadata("a/t", false);
	cr_assert_eq(grow(&s, "metadata"), (unsigned)TN_GREW_CLASSES);
	put_packet("a/t/ch_0", 0, ticks(0, 3, 10), 0, 0);
	cr_assert_eq(grow(&s, "a stream"), (unsigned)TN_GREW_STREAMS);
	cr_assert_eq(s.n_seen, 3u);
	put_packet("a/t/ch_0", 0, ticks(3, 3, 20), 0, 0);
	cr_assert_eq(grow(&s, "a packet"), (unsigned)TN_GREW_ROWS);
	cr_assert_eq(grow(&s, "nothing"), 0u);
	put_packet("a/t/ch_1", 1, ticks(10, 3, 15), 0, 0);
	cr_assert_eq(grow(&s, "a second stream, in between"), (unsigned)TN_GREW_STREAMS);
	cr_assert_eq(s.n_seen, 9u);
	tn_set_close(s.set);
	cr_assert_str_eq(tn_str_text(&s.problems), "");
}

/* Files of a limited size, one after the other and then again: what was overwritten is lost, what came is there. */
Test(grow, a_tracer_that_goes_round)
{
	struct session s = { .below = "a" };
	struct tn_cursor *cur;
	struct tn_error err;
	struct tn_row row;

	put_metadata("a", false);
	put_packet("a/ch0_0_0", 0, ticks(0, 3, 10), 0, 0);
	put_packet("a/ch0_0_1", 0, ticks(3, 1, 20), 0, 0);
	grow(&s, "two files");
	cr_assert_eq(s.n_seen, 4u);
	/* Longer than it was. */
	s.n_seen = 0;
	put("a/ch0_0_0", "w", "", 0);
	put_packet("a/ch0_0_0", 0, ticks(4, 1, 30), 0, 0);
	put_packet("a/ch0_0_0", 0, ticks(5, 1, 40), 0, 0);
	grow(&s, "overwritten");
	cr_assert_eq(s.n_seen, 4u, "%zu rows", s.n_seen);
	/* Shorter, and growing. */
	s.n_seen = 0;
	put("a/ch0_0_1", "w", "", 0);
	grow(&s, "empty");
	s.n_seen = 0;
	put_packet("a/ch0_0_1", 0, ticks(6, 1, 50), 0, 0);
	grow(&s, "overwritten again");
	s.n_seen = 0;
	put_packet("a/ch0_0_1", 0, ticks(7, 1, 60), 0, 0);
	grow(&s, "grown");
	cr_assert_eq(s.n_seen, 6u, "%zu rows", s.n_seen);
	cr_assert_eq(tn_cursor_new(&cur, s.set, &err), TN_OK);
	cr_assert_eq(tn_cursor_first(cur, &err), TN_OK);
	cr_assert(tn_cursor_row(cur, &row));
	cr_assert(row.kind == TN_ROW_LOST_PACKETS && row.count == 1 && row.begin_ns == 10, "%d", (int)row.kind);
	tn_cursor_free(cur);
	tn_set_close(s.set);
	cr_assert(strstr(tn_str_text(&s.problems), "the tracer has overwritten the file"), "%s", tn_str_text(&s.problems));
	tn_str_release(&s.problems);
}

/* Incomplete data are waited for; if no more arrive they are damage. */
/* Each snapshot has what the buffers held, and so has the one before: nothing is there twice. */
Test(grow, snapshots)
{
	struct session s = { .below = "snaps" };
	static const char *const folder[] = { "snaps/snapshot-1", "snaps/snapshot-2", "snaps/snapshot-3" };
	char name[100];

	for (uint32_t i = 0; i < 3; i++) {
		snprintf(name, sizeof name, "%s/ch0_0", folder[i]);
		for (uint32_t k = i; k < i + 4; k++)
			put_packet(name, 0, ticks(10 * k, 5, 100 * k), 0, 0);
		put_metadata(folder[i], true);
		s.n_seen = 0;
		grow(&s, folder[i]);
		cr_assert_eq(s.n_seen, 20 + 5 * i, "%zu rows", s.n_seen);
	}
	tn_set_close(s.set);
}

/* ---- overwritten while it is read ---- */

struct overwriting {
	char path[300];
	bool done;
	size_t lines;
	size_t lost;		/* rows that say so, all of the stream whose file went */
};

static int
overwrite(void *user, const char *text, size_t n)
{
	struct overwriting *o = user;

	for (size_t i = 0; i < n; i++)
		o->lines += text[i] == '\n';
	if (!o->done)
		cr_assert_eq(truncate(o->path, 0), 0);
	o->done = true;
	return 0;
}

static int
on_lost(void *user, const struct tn_row *row)
{
	struct overwriting *o = user;

	cr_assert(row->kind == TN_ROW_LOST_EVENTS || row->kind == TN_ROW_LOST_PACKETS, "%d", (int)row->kind);
	cr_assert(strstr(tn_stream_path(row->stream), "ch0_1"));
	o->lost++;
	return 0;
}

/* A scan meets a file that its tracer empties to write it anew: rows say what is lost, and the others are all there. */
Test(grow, overwritten_while_it_is_read)
{
	static const char *const filter[] = { NULL, "n >= 0", "/n = /" };

	for (size_t i = 0; i < sizeof filter / sizeof *filter; i++) {
		struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
		struct overwriting o = { .lines = 0 };
		struct tn_filter *f = NULL;
		struct tn_text *text;
		struct tn_error err;
		struct tn_set *set;
		uint64_t n;

		tn_remove_folder(home);
		mkdir(home, 0700);
		snprintf(o.path, sizeof o.path, "%s/o/ch0_1", home);
		put_metadata("o", true);
		for (uint32_t k = 0; k < 3; k++) {
			put_packet("o/ch0_0", 0, ticks(2000 * k, 2000, 100000 * k), 0, 0);
			put_packet("o/ch0_1", 1, ticks(2000 * k, 2000, 100000 * k), 0, 0);
		}
		set = open_home("o", true, &(struct tn_str) { 0 });
		cr_assert_geq(tn_set_index(set, 0, &err), 0);
		cr_assert_eq(tn_text_new(&text, set, &how, &err), TN_OK, "%s", err.text);
		if (filter[i]) {
			cr_assert_eq(tn_filter_new(&f, set, &err), TN_OK);
			cr_assert_eq(tn_filter_add(f, filter[i], &err), TN_OK, "%s", err.text);
		}
		cr_assert_geq(tn_scan(set, &(struct tn_scan_options) {
			TN_SCAN_OPTIONS, .text = text, .filter = f, .lines = overwrite, .notice = on_lost, .user = &o, .threads = 1,
		}, &n, &err), 0, "%s", err.text);
		cr_assert_eq(n, o.lines, "%s: %zu lines of %zu", filter[i], o.lines, (size_t)n);
		cr_assert(o.lines > 6000 && o.lines < 12000, "%s: %zu lines", filter[i], o.lines);
		cr_assert_geq(o.lost, 3u, "%s: %zu", filter[i], o.lost);
		o.lost = 0;
		cr_assert_geq(tn_count(set, &(struct tn_count_options) {
			TN_COUNT_OPTIONS, .threads = 1, .notice = on_lost, .user = &o,
		}, &n, &err), 0, "%s", err.text);
		cr_assert_eq(n, 6000u);
		cr_assert_eq(o.lost, 3u);
		tn_filter_free(f);
		tn_text_free(text);
		tn_set_close(set);
	}
}

Test(grow, half_a_packet)
{
	static const size_t parts[] = { 1, 3, 4, 20, 40, 71, 72, 100, 255 };
	struct step step = ticks(3, 8, 20);
	struct session s = { .below = "a" };
	struct tn_error err;

	put_metadata("a", true);
	put_packet("a/ch_0", 0, ticks(0, 3, 10), 0, 0);
	grow(&s, "begin");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		put_packet("a/ch_0", 0, step, i ? parts[i - 1] : 0, parts[i]);
		grow(&s, "a part");
		cr_assert_eq(s.n_seen, 3u, "part %zu: %zu rows", i, s.n_seen);
	}
	put_packet("a/ch_0", 0, step, parts[8], 0);
	grow(&s, "the rest");
	cr_assert_eq(s.n_seen, 11u);
	put_packet("a/ch_0", 0, ticks(20, 4, 40), 0, 90);
	grow(&s, "a part again");
	cr_assert_eq(s.n_seen, 11u);
	cr_assert_eq(tn_set_settle(s.set, &err), TN_OK, "%s", err.text);
	{
		struct tn_cursor *cur;
		struct tn_row row;

		cr_assert_eq(tn_cursor_new(&cur, s.set, &err), TN_OK);
		cr_assert_eq(tn_cursor_last(cur, &err), TN_OK);
		cr_assert(tn_cursor_row(cur, &row));
		cr_assert_eq(row.kind, TN_ROW_DAMAGE);
		tn_cursor_free(cur);
	}
	tn_set_close(s.set);
}

Test(grow, metadata_before_its_events)
{
	struct step later = ticks(5, 2, 30);
	struct session s = { .below = "a" };
	struct tn_growth g;
	struct tn_error err;

	later.event_class = 1;
	put_metadata("a", false);
	put_packet("a/ch_0", 0, ticks(0, 3, 10), 0, 0);
	grow(&s, "begin");
	put_metadata("a", true);
	put_packet("a/ch_0", 0, later, 0, 0);
	/* Beside others: neither, for the packet needs the metadata. */
	cr_assert_eq(tn_set_grow(s.set, false, &g, &err), TN_OK, "%s", err.text);
	cr_assert_eq(g.grew, (unsigned)TN_GREW_WAITS, "%u", g.grew);
	cr_assert_eq(grow(&s, "alone"), (unsigned)(TN_GREW_CLASSES | TN_GREW_ROWS));
	cr_assert_eq(s.n_seen, 5u);
	tn_set_close(s.set);
	cr_assert_str_eq(tn_str_text(&s.problems), "");
}

/* Metadata that says a uid and no name are of the same trace, in the same folder, when they get longer. */
Test(grow, metadata_without_a_name)
{
	static const char more[] =
		"\036{\"type\":\"event-record-class\",\"id\":1991,\"data-stream-class-id\":0,\"name\":\"later\"}\n";
	struct session s = { .below = "k" };
	struct tn_error err;
	char path[300];

	snprintf(path, sizeof path, "%s/k", home);
	cr_assert_eq(all_kinds_write(path, &err), TN_OK, "%s", err.text);
	grow(&s, "begin");
	put("k/metadata", "ab", more, sizeof more - 1);
	cr_assert_eq(grow(&s, "metadata"), (unsigned)TN_GREW_CLASSES);
	cr_assert_eq(tn_set_trace_count(s.set), 1u);
	cr_assert_eq(tn_set_stream_count(s.set), 2u);
	tn_set_close(s.set);
}

/* A session is rotated: its folder moves to the archives, a new one takes its place. Trace files are limited. */
Test(grow, chunks)
{
	struct session s = { .below = "a" };
	char from[300], to[300];

	put_metadata("a/ust", true);
	put_packet("a/ust/ch_0_0", 0, ticks(0, 3, 10), 0, 0);
	put_packet("a/ust/ch_1_0", 1, ticks(50, 3, 12), 0, 0);
	grow(&s, "begin");
	put_packet("a/ust/ch_0_1", 0, ticks(3, 3, 20), 0, 0);
	cr_assert_eq(grow(&s, "the next trace file"), (unsigned)TN_GREW_ROWS);
	snprintf(from, sizeof from, "%s/a/ust/ch_0_0", home);
	unlink(from);
	put_packet("a/ust/ch_0_0", 0, ticks(6, 3, 30), 0, 0);
	{	/* written over: what was read stays, in the set that grew */
		struct tn_growth g;
		struct tn_error err;

		cr_assert_eq(tn_set_grow(s.set, true, &g, &err), TN_OK, "%s", err.text);
		see_all(&s);
		cr_assert_eq(s.n_seen, 12u, "%zu", s.n_seen);
	}
	tn_set_close(s.set);
	s.set = NULL;
	s.n_seen = 0;
	grow(&s, "opened anew");
	snprintf(from, sizeof from, "%s/a/ust", home);
	snprintf(to, sizeof to, "%s/a/archives", home);
	mkdir(to, 0700);
	strcat(to, "/1");
	put_packet("a/ust/ch_1_0", 1, ticks(53, 3, 32), 0, 0);	/* not read before it moves */
	cr_assert_eq(rename(from, to), 0);
	grow(&s, "moved");
	put_metadata("a/ust", true);
	put_packet("a/ust/ch_0_0", 0, ticks(9, 3, 40), 0, 0);
	put_packet("a/ust/ch_2_0", 2, ticks(90, 3, 41), 0, 0);
	grow(&s, "the next chunk");
	cr_assert_eq(s.n_seen, 18u, "%zu", s.n_seen);
	cr_assert_eq(tn_set_trace_count(s.set), 1u);
	cr_assert_eq(tn_set_stream_count(s.set), 3u);
	tn_set_close(s.set);
}

/* A cursor continues where it was, at the end too. */
Test(grow, under_a_cursor)
{
	struct session s = { .below = "a" };
	struct tn_cursor *cur;
	struct tn_growth g;
	struct tn_error err;
	struct tn_row row;

	put_metadata("a", true);
	put_packet("a/ch_0", 0, ticks(0, 3, 10), 0, 0);
	s.set = open_home("a", true, &s.problems);
	cr_assert_eq(tn_cursor_new(&cur, s.set, &err), TN_OK);
	cr_assert_eq(tn_cursor_last(cur, &err), TN_OK);
	cr_assert_eq(tn_cursor_next(cur, &err), TN_END);
	for (uint32_t i = 0; i < 300; i++) {	/* the file is mapped in several places in turn */
		put_packet("a/ch_0", 0, ticks(3 + i, 1, 20 + i), 0, 0);
		cr_assert_eq(tn_set_grow(s.set, false, &g, &err), TN_OK, "%s", err.text);
		cr_assert_eq(g.grew, (unsigned)TN_GREW_ROWS, "%u: %u", i, g.grew);
		cr_assert_eq(tn_cursor_next(cur, &err), TN_OK, "%u", i);
		cr_assert(tn_cursor_row(cur, &row));
		cr_assert_eq(row.time_ns, 20 + i, "%u: %lld", i, (long long)row.time_ns);
		cr_assert_eq(tn_cursor_next(cur, &err), TN_END, "%u", i);
	}
	cr_assert_eq(tn_cursor_prev(cur, &err), TN_OK);
	cr_assert(tn_cursor_row(cur, &row));
	cr_assert_eq(row.time_ns, 318);
	tn_cursor_free(cur);
	tn_set_close(s.set);
}
