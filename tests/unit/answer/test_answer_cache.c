/* Answers that are kept: the same as those that are not, whatever becomes of the file. */
#include <config.h>

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/tnav.h>

#include "../../make/drafting.h"
#include "../../make/scratch.h"
#include "base/hash.h"

static char cache[64];
static uint64_t state;

static unsigned
below(unsigned n)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)((state >> 33) % n);
}

static void
make_cache(void)
{
	make_store();
	snprintf(cache, sizeof cache, "%s/tnav", folder);
}

TestSuite(keeping, .init = make_cache, .fini = remove_folder);

static bool
is_full(void *user)
{
	(void)user;
	return below(4) == 0;	/* some events are lost */
}

static void
make_trace(uint64_t seed, unsigned events)
{
	static const char *const words[] = { "", "x", "a longer text", "y" };
	struct tn_packet_writer *w[3];
	struct tn_event_class *ec[3];
	struct tn_stream_class *sc;
	struct tn_trace_writer *tw;
	struct tn_datum cpu[3];
	struct tn_type *mood;
	struct tn_draft *d;
	struct tn_error err;
	uint64_t clock = 0;
	char command[128];

	state = seed;
	snprintf(command, sizeof command, "rm -rf %s", trace_path);
	cr_assert_eq(system(command), 0);
	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 1764226800, 0, true), .header = TN_HEADER_LARGE,
		.packet_context = structure(d, 1, (const char *[]) { "cpu_id" }, (struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10) }),
	});
	mood = tn_draft_uint(d, 8, 0, 10);
	tn_draft_label(d, mood, "GOOD", 0, 0);
	tn_draft_label(d, mood, "BAD", 1, 2);
	ec[0] = tn_draft_event_class(d, sc, "work_begin", 6, NULL, structure(d, 3, (const char *[]) { "key", "s", "mood" },
		(struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10), tn_draft_string(d), mood }));
	ec[1] = tn_draft_event_class(d, sc, "work_end", 6, NULL, structure(d, 2, (const char *[]) { "key", "ret" },
		(struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10), tn_draft_sint(d, 32, 0, 10) }));
	ec[2] = tn_draft_event_class(d, sc, "other", 6, NULL, structure(d, 1, (const char *[]) { "x" },
		(struct tn_type *[]) { tn_draft_float(d, 64, 0) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&tw, trace_path, d, TN_METADATA_CTF_1_8, &err), &err);
	for (unsigned i = 0; i < 3; i++) {
		char name[24];

		snprintf(name, sizeof name, "ch_%u", i);
		cpu[i] = tn_datum_u(i);
		check(tn_trace_writer_stream(tw, sc, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = name, .id = i,
			.packet_size = 512, .is_full = seed % 2 ? is_full : NULL, .context = &cpu[i], .n_context = 1 }, &w[i],
			&err), &err);
	}
	for (unsigned i = 0; i < events; i++) {
		unsigned kind = below(5) / 2, key = below(4);
		struct tn_datum v[3] = { tn_datum_u(key), tn_datum_text(words[below(4)]), tn_datum_u(below(3)) };

		if (kind == 1)
			v[1] = tn_datum_i((int)below(9) - 4);
		else if (kind == 2)
			v[0] = tn_datum_f(i / 2.0);
		clock += below(3) ? below(5000) : 0;
		check(tn_packet_writer_event_at(w[below(3)], clock, ec[kind], v, 3 - kind, &err), &err);
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(d);
}

/* ---- questions ---- */

static const struct question {
	const char *spans, *other, *where, *filter;
	const char *by, *show;	/* NULL: the slowest */
	size_t most;
	bool range;
	const char *why;	/* of the spans, or with "" of events */
	const char *values;	/* compared with the second trace, which may be the same */
} questions[] = {
	{ "work_begin work_end by key show s, mood, ret", NULL, NULL, NULL, NULL, NULL, 7, false },
	{ "work_begin work_end by key show s, mood, ret", NULL, NULL, NULL, NULL, NULL, 10000, false },
	{ "work_begin work_end by key show s, mood, ret fifo", NULL, "dur > 1us or orphan", NULL, NULL, NULL, 50, false },
	{ "work_begin work_end by key, stream", "work_begin work_end by cpu as *x", NULL, "key != 2", NULL, NULL, 500, true },
	{ "work_begin work_end by key", NULL, NULL, NULL, "name", "count, sum(dur), p50(dur), p99(dur), rate", 0, false },
	{ "work_begin work_end by key show mood, s", NULL, NULL, "key < 3", "mood, s, time/10us",
	  "count(dur), min(mood), max(dur), mean(any_duration), first(s), last(mood), distinct(begin)", 0, true },
	/* Each event ends one and begins the next; all begins differ. */
	{ "other other by x", NULL, NULL, NULL, NULL, NULL, 10000, false },
	{ "work_begin work_end by key", NULL, NULL, NULL, "name", "distinct(begin)", 0, false },
	{ "work_begin work_end by stream, key fifo show ret", NULL, "dur < 1ms", NULL, "stream, state",
	  "first(begin), distinct(ret), p90(ret), max(ret), sum(key)", 0, false },
	{ .spans = "work_begin work_end by key show s, mood, ret", .why = "dur > 10us" },
	{ .spans = "", .why = "key == 2 or x > 100", .filter = "key != 3" },
	{ .spans = "work_begin work_end by key", .values = "mood", .filter = "key != 3" },
	{ .spans = "", .values = "s", .range = true },
};

enum { WHY = 9, WHY_EVENTS, COMPARE, COMPARE_PARTS };

static char second_path[80];	/* empty: the same */

static int
on_notice(void *user, const struct tn_row *row)
{
	struct tn_str *out = *(struct tn_str **)user;

	tn_str_printf(out, "notice %d %" PRId64 " %" PRIu64 " %d %" PRId64 " %" PRId64 " %s\n", row->kind, row->time_ns, row->count,
		      row->has_range, row->begin_ns, row->end_ns, row->text ? row->text : "");
	return 0;
}

static unsigned n_progress;

static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	(void)user, (void)read, (void)passed, (void)at_ns;
	n_progress++;
	return 0;
}

static void
put_value(struct tn_str *out, const struct tn_answer_value *v)
{
	tn_str_printf(out, " %d:", v->kind);
	tn_answer_value_text(v, out);
}

static int
on_span(void *user, const struct tn_span *s)
{
	struct tn_str *out = *(struct tn_str **)user;

	tn_str_printf(out, "%zu %s %s %d%d%d%d%d %" PRId64 " %" PRId64 " %" PRId64, s->definition, s->name,
		      tn_span_state_name(s->state), s->has_begin, s->has_end, s->has_duration, s->is_at_begin, s->is_at_end,
		      s->begin_ns, s->end_ns, s->duration_ns);
	tn_str_printf(out, " %" PRId64 ",%u,%u,%" PRIu64 " %" PRId64 ",%u,%u,%" PRIu64, s->begin.time_ns, s->begin.stream,
		      s->begin.packet, s->begin.row, s->end.time_ns, s->end.stream, s->end.packet, s->end.row);
	for (size_t i = 0; i < s->n_keys; i++)
		put_value(out, &s->key[i]);
	for (size_t i = 0; i < s->n_captured; i++)
		put_value(out, &s->captured[i]);
	tn_str_puts(out, "\n");
	return 0;
}

static void
put_groups(struct tn_str *out, struct tn_groups *g)
{
	const struct tn_answer_value *row;
	uint64_t part[8];

	for (size_t i = 0; (row = tn_groups_row(g, i, NULL)); i++) {
		for (size_t c = 0; tn_groups_column(g, c); c++) {
			put_value(out, &row[c]);
			if (!tn_groups_spread(g, i, c, part, 8))
				continue;
			for (size_t k = 0; k < 8; k++)
				tn_str_printf(out, "/%" PRIu64, part[k]);
			row = tn_groups_row(g, i, NULL);
		}
		tn_str_puts(out, "\n");
	}
}

/* Rows of a comparison, the second side from its middle on; or findings. */
static void
put_comparison(struct tn_str *out, const struct question *q, struct tn_set *set, bool store, const struct tn_scan_options *o)
{
	const char *const path[] = { *second_path ? second_path : trace_path };
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = !store };
	struct tn_scan_options later = *o;
	struct tn_selection first = { TN_SELECTION, .set = set, .options = o }, second = { TN_SELECTION, .options = &later };
	struct tn_answer_value v[TN_COMPARE_COLUMNS];
	struct tn_why_finding f;
	struct tn_compare_row r;
	struct tn_compare *c;
	struct tn_str room = { 0 };
	struct tn_error err;
	struct tn_why *w;

	if (q->why) {
		check(tn_why_new(&w, &first, *q->spans ? q->spans : NULL, q->why, &err), &err);
		check(tn_why_run(w, &err), &err);
		tn_str_printf(out, "%" PRIu64 " %" PRIu64 "\n", tn_why_selected(w), tn_why_rest(w));
		for (size_t i = 0; tn_why_finding(w, i, &f); i++) {
			tn_why_values(v, &f, TN_TABLE_JSON, NULL, &room);
			for (size_t k = 0; k < TN_WHY_COLUMNS; k++)
				put_value(out, &v[k]);
			tn_str_printf(out, " %s %s %s\n", f.condition ? f.condition : "", f.definition ? f.definition : "",
				      f.same ? f.same : "");
		}
		tn_why_free(w);
	} else {
		later.has_begin = q->range;
		later.begin_ns += 300000;
		later.filter = NULL;
		check(tn_set_open(&second.set, path, 1, &how, &err), &err);
		check(tn_compare_new(&c, &first, &second, &err), &err);
		if (*q->spans)
			check(tn_compare_add_spans(c, q->spans, &err), &err);
		check(tn_compare_add_field(c, q->values, &err), &err);
		check(tn_compare_run(c, &err), &err);
		for (size_t i = 0; tn_compare_row(c, i, &r); i++) {
			tn_compare_values(v, &r, TN_TABLE_JSON, &room);
			for (size_t k = 0; k < TN_COMPARE_COLUMNS; k++)
				put_value(out, &v[k]);
			tn_str_printf(out, " %s\n", r.definition ? r.definition : "");
		}
		tn_compare_free(c);
		tn_set_close(second.set);
	}
	tn_str_release(&room);
}

/* The answer as a text, to be freed. */
static char *
ask(const struct question *q, bool store)
{
	const char *const path[] = { trace_path };
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = !store };
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .notice = on_notice, .progress = on_progress, .threads = 1 + below(2) };
	const bool compares = q->why || q->values;
	struct tn_span_counts counts = { 0 };
	struct tn_groups *groups;
	struct tn_filter *filter = NULL;
	struct tn_spans *spans;
	struct tn_error err;
	struct tn_str out = { 0 }, *to = &out;
	struct tn_set *set;

	n_progress = 0;
	check(tn_set_open(&set, path, 1, &how, &err), &err);
	check(tn_spans_new(&spans, set, &err), &err);
	if (*q->spans)
		check(tn_spans_add(spans, q->spans, &err), &err);
	if (q->other)
		check(tn_spans_add(spans, q->other, &err), &err);
	if (q->where)
		check(tn_spans_where(spans, q->where, &err), &err);
	if (q->filter) {
		check(tn_filter_new(&filter, set, &err), &err);
		check(tn_filter_add(filter, q->filter, &err), &err);
	}
	o.filter = filter;
	o.user = &to;
	o.has_begin = o.has_end = q->range;
	o.begin_ns = INT64_C(1764226800) * 1000000000 + 100000;
	o.end_ns = o.begin_ns + 700000;
	if (compares) {
		put_comparison(&out, q, set, store, &o);
	} else if (q->by) {
		check(tn_groups_of_spans(&groups, spans, q->by, q->show, &err), &err);
		check(tn_groups_run(groups, &o, &err), &err);
		counts = tn_groups_span_counts(groups);
		put_groups(&out, groups);
		tn_groups_free(groups);
	} else {
		check(tn_spans_sorted(spans, &o, NULL, q->most, on_span, &to, &counts, &err), &err);
	}
	for (int i = 0; i < 4; i++)
		tn_str_printf(&out, "%" PRIu64 " ", counts.of_state[i]);
	tn_str_printf(&out, "%" PRIu64 "\n", counts.without_key);
	tn_filter_free(filter);
	tn_spans_free(spans);
	tn_set_close(set);
	return out.text;
}

static void
forget(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", cache);
	cr_assert_eq(system(command), 0);
}

Test(keeping, kept_answers_are_the_same)
{
	for (uint64_t seed = 1; seed < 7; seed++) {
		unsigned lost = 0;

		forget();
		make_trace(seed, 400 + 100 * (unsigned)seed);
		for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
			char *right = ask(&questions[i], false), *first = ask(&questions[i], true), *again;
			unsigned progress = n_progress;

			again = ask(&questions[i], true);
			cr_assert_str_eq(first, right, "seed %d, question %zu", (int)seed, i);
			cr_assert_str_eq(again, right, "seed %d, question %zu", (int)seed, i);
			/* More of the slowest are kept than were asked for: the second question asks for more of the same. */
			cr_assert_eq(progress == 0, i == 1, "question %zu", i);
			cr_assert_eq(n_progress, 0, "seed %d, question %zu was not kept", (int)seed, i);
			lost += strstr(right, "notice") != NULL;
			free(right);
			free(first);
			free(again);
		}
		cr_assert_eq(lost != 0, seed % 2 != 0);
	}
}

/* Another trace, another answer. */
Test(keeping, a_trace_that_changed_is_read_again)
{
	char *old, *right, *got;

	make_trace(1, 500);
	free(ask(&questions[4], true));
	old = ask(&questions[4], true);
	cr_assert_eq(n_progress, 0);
	make_trace(3, 500);
	right = ask(&questions[4], false);
	got = ask(&questions[4], true);
	cr_assert_str_eq(got, right);
	cr_assert_str_neq(got, old);
	free(old);
	free(right);
	free(got);
}

/* A comparison depends on the second trace, too, and on the ranges and conditions of both sides. */
Test(keeping, a_second_trace_that_changed_is_read_again)
{
	char *old, *right, *got, command[300];

	snprintf(second_path, sizeof second_path, "%s.second", trace_path);
	make_trace(2, 500);
	cr_assert_eq(rename(trace_path, second_path), 0);
	make_trace(4, 500);
	free(ask(&questions[COMPARE], true));
	old = ask(&questions[COMPARE], true);
	cr_assert_eq(n_progress, 0);
	free(ask(&questions[COMPARE_PARTS], true));
	cr_assert_neq(n_progress, 0);
	got = ask(&(struct question) { .spans = questions[COMPARE].spans, .values = "mood", .filter = "key != 1" }, true);
	cr_assert_neq(n_progress, 0);
	cr_assert_str_neq(got, old);
	free(got);
	make_trace(6, 500);
	snprintf(command, sizeof command, "rm -rf %s && mv %s %s", second_path, trace_path, second_path);
	cr_assert_eq(system(command), 0);
	make_trace(4, 500);
	right = ask(&questions[COMPARE], false);
	got = ask(&questions[COMPARE], true);
	cr_assert_str_eq(got, right);
	cr_assert_str_neq(got, old);
	free(old);
	free(right);
	free(got);
}

/* Written over in place, the same size, its time put back: that it changed is seen all the same. */
Test(keeping, a_file_rewritten_in_place_is_read_again)
{
	static char bytes[1 << 16];
	char path[128], *right, *got, *old, *at;
	struct timespec times[2];
	struct stat before, after;
	FILE *f;
	size_t n;

	make_trace(2, 500);
	free(ask(&questions[5], true));
	old = ask(&questions[5], true);
	cr_assert_eq(n_progress, 0);
	snprintf(path, sizeof path, "%s/ch_1", trace_path);
	cr_assert_eq(stat(path, &before), 0);
	f = fopen(path, "r+b");
	n = fread(bytes, 1, sizeof bytes, f);
	cr_assert_lt(n, sizeof bytes);
	for (at = bytes; (at = memmem(at, (size_t)(bytes + n - at), "a longer text", 13)); at += 13)
		memcpy(at, "another text!", 13);
	rewind(f);
	cr_assert_eq(fwrite(bytes, 1, n, f), n);
	fclose(f);
	times[0] = before.st_atim;
	times[1] = before.st_mtim;
	/* Clocks of file systems tick seldom. */
	do {
		cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
		cr_assert_eq(stat(path, &after), 0);
	} while (after.st_ctim.tv_sec == before.st_ctim.tv_sec && after.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
	cr_assert(after.st_ino == before.st_ino && after.st_size == before.st_size);
	cr_assert(after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
	right = ask(&questions[5], false);
	got = ask(&questions[5], true);
	cr_assert_str_eq(got, right);
	cr_assert_str_neq(got, old);
	free(old);
	free(right);
	free(got);
}

static bool
only_answer(char path[600])
{
	DIR *dir = opendir(cache);
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)))
		if (strstr(entry->d_name, ".answer")) {
			snprintf(path, 600, "%s/%s", cache, entry->d_name);
			n++;
		}
	if (dir)
		closedir(dir);
	return n == 1;
}

/* The same sum that the file has, over other words: what is in it is checked, too. */
static void
break_words(const struct question *q, bool sum_too)
{
	static uint64_t words[4096];
	char path[600], *right;
	size_t n, used = 0;
	FILE *f;

	forget();
	make_trace(1, 120);
	right = ask(q, true);
	cr_assert(only_answer(path));
	f = fopen(path, "rb");
	n = fread(words, 8, sizeof words / 8, f);
	fclose(f);
	cr_assert_lt(n, sizeof words / 8);
	for (size_t i = 0; i < n; i += 3) {
		uint64_t was = words[i];
		char *got;

		words[i] ^= UINT64_C(1) << (i * 7 % 64);
		if (sum_too)
			words[i] = was + 1;
		f = fopen(path, "wb");
		cr_assert_eq(fwrite(words, 8, n, f), n);
		fclose(f);
		words[i] = was;
		got = ask(q, true);
		cr_assert_str_eq(got, right, "word %zu", i);
		used += n_progress == 0;
		free(got);
	}
	cr_assert_lt(used, 2);		/* paddings say nothing */
	free(right);
}

Test(keeping, every_word_that_is_broken_is_noticed)
{
	break_words(&questions[0], false);
	break_words(&questions[5], true);
	break_words(&questions[WHY_EVENTS], true);
	break_words(&questions[COMPARE], false);
}

/* The sum is right, and what is said is not: an answer or none, and nothing breaks. */
static void
lie(const struct question *q)
{
	static uint64_t words[4096];
	static const uint64_t as[] = { 0, 1, 5, 255, UINT64_C(1) << 32, UINT64_MAX, UINT64_MAX / 8, INT64_MAX };
	char path[600], *right;
	size_t n, used = 0, tries = 0, first;
	FILE *f;

	forget();
	make_trace(1, 120);
	right = ask(q, true);
	cr_assert(only_answer(path));
	f = fopen(path, "rb");
	n = fread(words, 8, sizeof words / 8, f);
	fclose(f);
	/* Magic, sum, bytes of the key, bytes of the answer. */
	first = 4 + (size_t)(words[2] + 7) / 8;
	cr_assert_eq(first + (words[3] + 7) / 8, n);
	for (size_t i = first; i < n; i++) {
		uint64_t was = words[i];
		char *got;

		words[i] = i % 3 ? as[i % 8] : was + as[i % 8];
		words[1] = tn_sum_bytes(tn_sum_bytes(tn_sum_bytes(6, &words[2], 16), words + 4, (size_t)words[2]), words + first,
					(size_t)words[3]);
		f = fopen(path, "wb");
		cr_assert_eq(fwrite(words, 8, n, f), n);
		fclose(f);
		words[i] = was;
		got = ask(q, true);
		cr_assert_not_null(got);
		cr_assert(n_progress == 0 || strcmp(got, right) == 0, "word %zu", i);
		used += n_progress == 0;
		tries++;
		free(got);
	}
	cr_assert(used > 0 && used < tries, "%zu of %zu were used", used, tries);
	free(right);
}

Test(keeping, lies_with_the_right_sum)
{
	lie(&questions[0]);
	lie(&questions[5]);
	lie(&questions[8]);
	lie(&questions[WHY]);
	lie(&questions[COMPARE]);
}

/* A callback stops it, be it from what is kept; more than are kept cannot be asked for. */
static int
stop(void *user, const struct tn_span *span)
{
	(void)span;
	return ++*(int *)user == 2;
}

Test(keeping, the_slowest_stop_where_they_are_told_to)
{
	const char *const path[] = { trace_path };
	struct tn_open_options how = { TN_OPEN_OPTIONS };

	make_trace(2, 300);
	for (int i = 0; i < 2; i++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS };
		struct tn_spans *spans;
		struct tn_error err;
		struct tn_set *set;
		int n = 0;

		check(tn_set_open(&set, path, 1, &how, &err), &err);
		check(tn_spans_new(&spans, set, &err), &err);
		check(tn_spans_add(spans, "work_begin work_end by key", &err), &err);
		cr_assert_eq(tn_spans_sorted(spans, &o, NULL, 5, stop, &n, NULL, &err), TN_ERR_CANCELLED);
		cr_assert_eq(n, 2);
		cr_assert_eq(tn_spans_sorted(spans, &o, &(struct tn_span_sort) { .column = (enum tn_span_column)9 }, 5, stop, &n, NULL,
					     &err), TN_ERR_ARGUMENT);
		cr_assert(strstr(err.text, "cannot be sorted by column 9"), "%s", err.text);
		tn_spans_free(spans);
		tn_set_close(set);
	}
}
