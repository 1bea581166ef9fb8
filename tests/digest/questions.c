/*
 * questions [SEED [QUESTIONS]] - random questions on random traces of every format, with a digest and without one
 *
 * What was learnt by earlier questions, in the same program or stored by an earlier one, changes no answer: counts,
 * rows, lines both ways, ranges, limits, numbers by class, stream and time. Now and then a byte of a stored digest
 * is broken. Prints the first difference and what asked for it.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/cursor.h>
#include <tnav/query.h>
#include <tnav/writer.h>


#include "../make/drafting.h"
#include "../make/ovni_maker.h"
#include "../make/vartrace_maker.h"
#include "left_out.h"

#define EACH_TRACE 40	/* questions on one trace */
#define BARS 7

static uint64_t state;
static char folder[] = "/tmp/tnav-digest-XXXXXX";
static char trace_path[256], other_path[256], cache[256];
static bool two;	/* traces are opened together */
static bool lossless;	/* nothing is lost: what has a notice is not learnt */

static uint64_t
below(uint64_t n)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (state >> 33) % n;
}

/* ---- traces ---- */

static void
put_event(struct tn_packet_writer *w, struct tn_event_class *const *ec, uint64_t i, uint64_t clock)
{
	static const char *const paths[] = { "/items", "/cart", "/pay", "/admin" };
	/* Some classes and values come in a part of the trace only. */
	unsigned kind = below(40) == 0 ? 2 : i / 300 % 3 == 1 ? (unsigned)below(2) : 0;
	struct tn_datum d[5] = { tn_datum_i((int64_t)(100 + i / 500)) };
	char path[40];
	size_t n = 1;
	struct tn_error err;

	if (kind == 0) {
		d[n++] = tn_datum_u(i);
		d[n++] = tn_datum_i((int64_t)below(5) - 2);
	} else if (kind == 1) {
		d[n++] = tn_datum_bytes(path, (size_t)snprintf(path, sizeof path, "%s%s%u", paths[i / 250 % 4],
										 below(6) ? "/" : "\xc3\xa9", (unsigned)below(30)));
		d[n++] = tn_datum_u(i);
		d[n++] = tn_datum_u(i / 100 % 4);
		d[n++] = tn_datum_f((double)i / 4);
	} else {
		d[n++] = tn_datum_u(below(1000));
	}
	check(tn_packet_writer_event_at(w, clock, ec[kind], d, n, &err), &err);
}

static bool
is_full(void *user)
{
	(void)user;
	return below(300) == 0;	/* some events are lost */
}

static void
make_ctf(void)
{
	struct tn_packet_writer *w[3];
	struct tn_datum cpu[3];
	struct tn_trace_writer *tw;
	struct tn_stream_class *sc;
	struct tn_event_class *ec[3];
	struct tn_draft *d;
	struct tn_error err;
	unsigned streams = 1 + (unsigned)below(3), events = 300 + (unsigned)below(1500);
	bool losses = below(2) && !lossless, stay = below(2);
	uint64_t clock = 0;

	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "monotonic", below(2) ? 1000000000 : 1000000, 1764226800, 0, true),
		.header = below(2) ? TN_HEADER_COMPACT : TN_HEADER_LARGE,
		.packet_context = structure(d, 1, (const char *[]) { "cpu_id" }, (struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10) }),
		.common_context = structure(d, 1, (const char *[]) { "vpid" }, (struct tn_type *[]) { tn_draft_sint(d, 32, 0, 10) }),
	});
	ec[0] = tn_draft_event_class(d, sc, "shop:tick", 6, NULL, structure(d, 2, (const char *[]) { "id", "step" },
		(struct tn_type *[]) { tn_draft_uint(d, 64, 0, 10), tn_draft_sint(d, 16, 0, 10) }));
	ec[1] = tn_draft_event_class(d, sc, "shop:request", 6, NULL, structure(d, 4,
		(const char *[]) { "path", "size", "level", "cost" },
		(struct tn_type *[]) { tn_draft_string(d), tn_draft_uint(d, 32, 1, 10), tn_draft_uint(d, 3, 1, 10),
			tn_draft_float(d, 64, 0) }));
	ec[2] = tn_draft_event_class(d, sc, "shop:odd", 3, NULL, structure(d, 1, (const char *[]) { "id" },
		(struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&tw, trace_path, d, below(2) ? TN_METADATA_CTF_1_8 : TN_METADATA_CTF_2, &err), &err);
	for (unsigned i = 0; i < streams; i++) {
		char name[24];

		snprintf(name, sizeof name, "ch_%u", i);
		cpu[i] = tn_datum_u(i);
		check(tn_trace_writer_stream(tw, sc, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = name, .id = i,
			.packet_size = 512 << below(4), .is_full = losses ? is_full : NULL,
			.context = &cpu[i], .n_context = 1 }, &w[i], &err), &err);
	}
	for (uint64_t i = 0; i < events; i++) {
		unsigned s = stay ? (unsigned)(i / 200) % streams : (unsigned)below(streams);

		put_event(w[s], ec, i, clock += below(3) ? below(5000) : 0);
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(d);
}

static void
make_ovni(void)
{
	unsigned threads = 1 + (unsigned)below(3);

	for (unsigned i = 0; i < threads; i++) {
		uint64_t now = 1000000000 + i * 10;
		struct ovni_maker m;
		char path[512];
		uint8_t p[16];

		snprintf(path, sizeof path, "%s/loom.node0.sim/proc.100/thread.%u", trace_path, 100 + i);
		if (!ovni_json(path, "node0.sim", 100, 100 + (int)i, "") || !ovni_begin(&m, path, false))
			exit(2);
		ovni_put(&m, ovni_put(&m, ovni_put(&m, p, i, 4), (uint64_t)-1, 4), 0, 8);
		ovni_event(&m, "OHx", now, p, 16);
		for (uint32_t task = 1; task < 300; task++) {
			size_t n = (size_t)(ovni_put(&m, ovni_put(&m, p, task, 4), task % 4, 4) - p);

			ovni_event(&m, "VAs", now += 40 + below(100), NULL, 0);
			ovni_event(&m, task > 200 ? "VTx" : "VTc", now += 20, p, n);
		}
		ovni_event(&m, "OHe", now + 5, NULL, 0);
		if (!ovni_end(&m))
			exit(2);
	}
}

static void
make_vartrace(void)
{
	struct vt_maker m = { .big_endian = below(2) };
	FILE *f = fopen(trace_path, "wb");
	uint8_t room[8];

	for (uint32_t time = 0; time < 900; time += 3) {
		vt_scalar(&m, time, time % 10, 5, (int64_t)below(1000));
		vt_record(&m, time + 1, 102, 13, vt_double(&m, (double)time / 7, room), 8);
		vt_record(&m, time + 2, 103, 12, "abcdefgh", 1 + below(8));
	}
	if (!f || fwrite(m.data, 1, m.n, f) != m.n || fclose(f) != 0)
		exit(2);
	free(m.data);
}

/* Break some bytes of a file after @from. */
static void
break_file(const char *path, long from, unsigned times)
{
	FILE *f = fopen(path, "r+b");
	long size;

	if (!f)
		return;
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	for (; size > from && times; times--) {
		fseek(f, from + (long)below((uint64_t)(size - from)), SEEK_SET);
		fputc((int)below(256), f);
	}
	fclose(f);
}

static void
break_files(const char *in, const char *end, long from, unsigned times)
{
	DIR *dir = opendir(in);
	struct dirent *entry;
	char path[600];

	while (dir && (entry = readdir(dir))) {
		size_t n = strlen(entry->d_name), m = strlen(end);

		snprintf(path, sizeof path, "%s/%s", in, entry->d_name);
		if (entry->d_name[0] != '.' && (n >= m ? strcmp(entry->d_name + n - m, end) == 0 : false))
			break_file(path, from, times);
	}
	if (dir)
		closedir(dir);
}

static void
make_trace(unsigned format)
{
	char command[800];

	two = format == 5;
	snprintf(command, sizeof command, "rm -rf '%s' '%s' '%s'", trace_path, other_path, cache);
	if (system(command) != 0)
		exit(2);
	if (two) {
		make_ctf();
		if (rename(trace_path, other_path) < 0)
			exit(2);
		make_ctf();
	} else if (format < 3) {
		make_ctf();
		if (format == 2)
			break_files(trace_path, "_0", 200, 3);
	} else if (format == 3) {
		make_ovni();
	} else {
		make_vartrace();
	}
}

/* ---- questions ---- */

static const char *const tests[] = {
	"name == \"shop:tick\"", "name == \"shop:odd\"", "name =~ /request/", "id == 5", "id == %u", "id > %u", "id in %u..%u",
	"not id < %u", "step == -1", "step != 1", "path =~ /cart/", "path == \"/pay/7\"", "path =~ /admin.%u/",
	"path in (\"/cart/%u\", \"/items/3\")", "path !~ /admin/", "path =~ /ITEMS/i", "not path =~ /cart.[12]/", "cost > %u", "vpid == 101",
	"has(path)", "/items/", "/\\(\\+0.0000[0-4]/", "cpu == 0", "time > %u", "packet in 2..5", "packet == %u", "packet in %u..%u",
	"/id = %u/", "/\\(\\+\\?/", "not /\\(\\+[?]/", "delta < 3us", "loglevel == 3",
	"size == %u", "size in %u..%u", "not size < %u", "level == 2", "level in (1, 3)", "level > 1 and size < %u",
	"/cart|admin/", "/(pay|cart)\\/%u/", "/items.%u[^0-9]/", "/cart.1%u/", "/admin\\/%u\"|nowhere/", "/odd|somewhere/", "/items.%u/ and id > 400",
	"lost == 0", "id in (3, %u, %u)", "stream =~ /1/",
};
static const char *const ovni_tests[] = {
	"name == \"VAs\"", "name == \"VTx\"", "name =~ /VT/", "has(taskid)", "/taskid = 2%u/", "/VAs/", "tid == 101", "taskid == %u",
};
static const char *const vartrace_tests[] = {
	"name == \"7\"", "/103/", "/\"abcd/", "id == 102", "id == %u", "value == %u", "value > %u", "name =~ /10/",
};

static void
say_test(char *out, size_t size, unsigned format)
{
	const char *text = format < 3 || format == 5 ? tests[below(sizeof tests / sizeof *tests)]
			   : format == 3 ? ovni_tests[below(sizeof ovni_tests / sizeof *ovni_tests)]
					 : vartrace_tests[below(sizeof vartrace_tests / sizeof *vartrace_tests)];
	unsigned a = (unsigned)below(below(2) ? 20 : 1500);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(out, size, text, a, a + (unsigned)below(40));
#pragma GCC diagnostic pop
}

/* One to three conditions, joined or not. */
static size_t
say_question(char (*out)[300], unsigned format)
{
	size_t n = below(8) ? 1 + below(2) : 0;
	char a[120], b[120];

	for (size_t i = 0; i < n; i++) {
		say_test(a, sizeof a, format);
		say_test(b, sizeof b, format);
		switch (below(6)) {
		case 0: snprintf(out[i], 300, "%s and %s", a, b); break;
		case 1: snprintf(out[i], 300, "%s or %s", a, b); break;
		case 2: snprintf(out[i], 300, "not (%s)", a); break;
		default: snprintf(out[i], 300, "%s", a); break;
		}
	}
	return n;
}

/* ---- answers ---- */

struct answer {
	uint64_t passed, sum, rows;
	enum tn_code code;
	bool sorted;		/* rows count whatever their order: numbers by class, stream, bar */
	int64_t begin_ns, end_ns;
	uint64_t by_class[64], by_stream[8], by_bar[BARS];
};

static void
add(struct answer *a, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < n; i++)
		a->sum = (a->sum ^ p[i]) * UINT64_C(0x100000001b3);
}

static int
on_lines(void *user, const char *text, size_t n)
{
	add(user, text, n);
	return 0;
}

static int
on_row(void *user, const struct tn_row *row)
{
	struct answer *a = user;
	uint64_t words[5] = { (uint64_t)row->location.time_ns, row->location.stream, row->location.packet, row->location.row,
			      (uint64_t)row->kind };

	a->rows++;
	add(a, words, sizeof words);
	return 0;
}

static size_t
bar_of(const struct answer *a, int64_t t)
{
	return a->end_ns <= a->begin_ns || t <= a->begin_ns ? 0
	       : t >= a->end_ns ? BARS - 1
				: (size_t)((double)(t - a->begin_ns) / (double)(a->end_ns - a->begin_ns) * (BARS - 1));
}

static int
count_row(void *user, const struct tn_row *row)
{
	struct answer *a = user;

	if (row->kind != TN_ROW_EVENT)
		return 0;
	a->rows++;
	a->by_class[tn_event_class_index(row->event_class) % 64]++;
	a->by_stream[row->location.stream % 8]++;
	a->by_bar[bar_of(a, row->location.time_ns)]++;
	return 0;
}

static uint64_t n_packets;	/* that were not read */
static uint64_t n_sliced;	/* of these, packets with events in several bars */
static uint64_t n_left_out;	/* for code that reads without a scan */

/* Whether the bar of each event is known; adds them. */
static bool
take_slices(struct answer *a, const struct tn_packet_counts *c)
{
	struct tn_packet_slices slices;

	if (!tn_packet_slices(c, &slices))
		return false;
	for (int add = 0; add < 2; add++)
		for (size_t i = 0; i < slices.n; i++) {
			int64_t begin = slices.begin_ns + (int64_t)(i * slices.slice_ns), end = begin + (int64_t)(slices.slice_ns - 1);

			if (slices.count[i] && bar_of(a, begin) != bar_of(a, end))
				return false;
			if (add)
				a->by_bar[bar_of(a, begin)] += slices.count[i];
		}
	n_sliced++;
	return true;
}

static bool
count_packet(void *user, const struct tn_packet_counts *c)
{
	struct answer *a = user;
	size_t bar = bar_of(a, c->begin_ns);

	bool whole = c->begin_ns != INT64_MIN && c->end_ns != INT64_MAX && bar_of(a, c->end_ns) == bar;

	if (!whole && !take_slices(a, c))
		return false;
	n_packets++;
	a->rows += c->events;
	for (size_t i = 0; i < c->n_classes; i++)
		a->by_class[tn_event_class_index(c->event_class[i]) % 64] += c->count[i];
	a->by_stream[c->stream % 8] += c->events;
	a->by_bar[bar] += whole ? c->events : 0;
	return true;
}

/* How one asks. */
struct way {
	unsigned kind;
	struct tn_scan_options o;
	unsigned threads;
};

static void
ask(struct answer *a, struct tn_set *set, const struct way *way, char (*text)[300], size_t n, int64_t begin_ns, int64_t end_ns)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_scan_options o = way->o;
	struct tn_filter *filter = NULL;
	struct tn_text *lines;
	struct tn_error err = { 0 };

	*a = (struct answer) { .begin_ns = begin_ns, .end_ns = end_ns };
	how.utc = true;
	check(tn_text_new(&lines, set, &how, &err), &err);
	check(tn_filter_new(&filter, set, &err), &err);
	for (size_t i = 0; i < n && a->code >= 0; i++)
		a->code = tn_filter_add(filter, text[i], &err);
	o.filter = n ? filter : NULL;
	o.text = lines;
	o.threads = way->threads;
	o.user = a;
	switch (way->kind) {
	case 0: break;
	case 1: o.row = on_row; break;
	case 2: o.lines = on_lines; o.notice = on_row; break;
	case 3: o.row = count_row; o.packet = count_packet; break;
	default: o.notice = on_row; break;
	}
	if (a->code >= 0 && way->kind == 5)
		a->code = tn_count(set, &(struct tn_count_options) {
			TN_COUNT_OPTIONS, .threads = way->threads, .notice = on_row, .user = a,
		}, &a->passed, &err);
	else if (a->code >= 0)
		a->code = tn_scan(set, &o, &a->passed, &err);
	tn_filter_free(filter);
	tn_text_free(lines);
}

static struct way
choose_way(int64_t begin_ns, int64_t end_ns, const struct tn_location *somewhere)
{
	struct way w = { .kind = (unsigned)below(6), .o = { TN_SCAN_OPTIONS }, .threads = 1 + (unsigned)below(3) };
	uint64_t span = end_ns > begin_ns ? (uint64_t)end_ns - (uint64_t)begin_ns : 1;

	if (below(3) == 0) {
		w.o.has_begin = true;
		w.o.begin_ns = below(2) ? somewhere->time_ns : begin_ns + (int64_t)(below(2) ? 0 : below(span));
	}
	if (below(3) == 0) {
		w.o.has_end = true;
		w.o.end_ns = end_ns - (int64_t)(below(2) ? 0 : below(span));
	}
	if (below(4) == 0) {
		w.o.has_from = true;
		w.o.from = *somewhere;
		w.o.from_included = below(2);
	} else if (below(4) == 0) {
		w.o.has_to = true;
		w.o.to = *somewhere;
	}
	if (w.kind == 1 || w.kind == 2) {
		w.o.backward = below(3) == 0 && !w.o.has_to;
		w.o.limit = below(3) == 0 ? 1 + below(20) : 0;
	}
	return w;
}

static struct tn_set *
open_trace(bool digest)
{
	const char *paths[] = { trace_path, other_path };
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = !digest };
	struct tn_set *set;
	struct tn_error err;

	setenv("TNAV_WAYS", digest ? "store" : "", 1);
	check(tn_set_open(&set, paths, two ? 2 : 1, &how, &err), &err);
	return set;
}

static void
somewhere_in(struct tn_set *set, struct tn_location *out)
{
	struct tn_cursor *cur;
	struct tn_row row = { 0 };
	struct tn_error err;
	uint64_t steps = below(600);

	check(tn_cursor_new(&cur, set, &err), &err);
	for (enum tn_code rc = tn_cursor_first(cur, &err); rc == TN_OK && steps; steps--)
		rc = tn_cursor_next(cur, &err);
	if (!tn_cursor_row(cur, &row) && tn_cursor_last(cur, &err) == TN_OK)
		tn_cursor_row(cur, &row);
	/* More can be wrong at the start of a packet. */
	if (below(2))
		while (row.location.row && tn_cursor_prev(cur, &err) == TN_OK)
			tn_cursor_row(cur, &row);
	*out = row.location;
	tn_cursor_free(cur);
}

static bool
same(const struct answer *a, const struct answer *b)
{
	return a->code == b->code && (a->code < 0 || (a->passed == b->passed && a->sum == b->sum && a->rows == b->rows &&
	       memcmp(a->by_class, b->by_class, sizeof a->by_class) == 0 && memcmp(a->by_bar, b->by_bar, sizeof a->by_bar) == 0 &&
	       memcmp(a->by_stream, b->by_stream, sizeof a->by_stream) == 0));
}

static int
ask_trace(unsigned format)
{
	char recent[8][2][300];
	size_t n_recent[8], n_kept = 0;
	struct tn_set *plain = open_trace(false), *set = open_trace(true);
	struct tn_location at;
	int64_t begin_ns = 0, end_ns = 0;
	struct tn_error err;

	(void)!tn_set_time_range(plain, &begin_ns, &end_ns, &err);
	for (unsigned i = 0; i < EACH_TRACE; i++) {
		char text[2][300];
		size_t n, out, old = below(8);
		struct answer a, b;
		struct way way;

		if (old < n_kept && below(2)) {
			memcpy(text, recent[old], sizeof text);
			n = n_recent[old];
			if (n == 1 && below(3) == 0)
				say_test(text[n++], 200, format);
		} else {
			n = say_question(text, format);
		}
		memcpy(recent[old < n_kept ? old : n_kept], text, sizeof text);
		n_recent[old < n_kept ? old : n_kept] = n;
		n_kept += n_kept < 8 && old >= n_kept;
		somewhere_in(plain, &at);
		way = choose_way(begin_ns, end_ns, &at);
		ask(&a, plain, &way, text, n, begin_ns, end_ns);
		ask(&b, set, &way, text, n, begin_ns, end_ns);
		if (!same(&a, &b)) {
			printf("questions: %zu conditions: %s | %s\n  way %u, threads %u, begin %d, end %d, from %d, to %d, backward %d, limit %"
			       PRIu64 "\n  without: %d %" PRIu64 " %016" PRIx64 " %" PRIu64 "\n  with:    %d %" PRIu64 " %016" PRIx64 " %"
			       PRIu64 "\n  trace: %s\n", n, n ? text[0] : "", n > 1 ? text[1] : "", way.kind, way.threads, way.o.has_begin,
			       way.o.has_end, way.o.has_from, way.o.has_to, way.o.backward, way.o.limit, a.code, a.passed, a.sum, a.rows,
			       b.code, b.passed, b.sum, b.rows, trace_path);
			return 1;
		}
		if (!is_rightly_left_out(set, plain, text, n, &out)) {
			printf("questions: %s | %s: an event passes in a packet that is left out without a scan\n", n ? text[0] : "",
			       n > 1 ? text[1] : "");
			return 1;
		}
		n_left_out += out;
		if (below(12) == 0) {
			tn_set_close(set);
			if (below(3) == 0)
				break_files(cache, ".digest", 0, 1);
			set = open_trace(true);
		}
	}
	tn_set_close(set);
	tn_set_close(plain);
	return 0;
}

/* The first line of a range has no delta, whatever was learnt of it in a longer one. */
static int
ask_ranges(void)
{
	char text[1][300] = { "/\\(\\+[?]/" };
	struct tn_set *plain, *set;
	struct answer a, b;
	struct way whole = { .o = { TN_SCAN_OPTIONS }, .threads = 1 }, way = whole;
	struct tn_packet_info info;
	int status = 0;

	make_trace(0);
	plain = open_trace(false);
	set = open_trace(true);
	ask(&a, plain, &whole, text, 1, 0, 1);
	for (int i = 0; i < 2; i++)
		ask(&b, set, &whole, text, 1, 0, 1);
	way.o.has_begin = true;
	for (size_t i = 0; !status && tn_stream_packet(tn_set_stream(set, 0), i, &info) == TN_OK; i++) {
		way.o.begin_ns = info.begin_ns;
		ask(&a, plain, &way, text, 1, 0, 1);
		ask(&b, set, &way, text, 1, 0, 1);
		status = !same(&a, &b);
	}
	if (status)
		printf("questions: a range that begins with a packet: %" PRIu64 " and %" PRIu64 "\n", a.passed, b.passed);
	tn_set_close(set);
	tn_set_close(plain);
	return status;
}

/* ---- recorded facts ---- */

enum how_many { ALL, SOME };

static int
learns(struct tn_set *set, const char *asked, const char *then, enum how_many expected)
{
	struct way way = { .kind = 3, .o = { TN_SCAN_OPTIONS }, .threads = 2 };
	char text[1][300];
	struct answer a;
	size_t n = 0, out;

	snprintf(text[0], sizeof text[0], "%s", asked);
	ask(&a, set, &way, text, 1, 0, 1);
	out = left_out(set, then, &n);
	if (out != SIZE_MAX && n && (expected == ALL ? out == n : out > 0))
		return 0;
	printf("questions: %s, then %s: %zu packets of %zu are not read\n", asked, then, out, n);
	return 1;
}

/*
 * The first question about a field records values shared by all events of a packet, the range of numbers, and
 * texts; a question about two fields takes them by turns, and the next one records the rest. The same question
 * is recognised in any spelling. Packets as small as these do not have space for many texts, but packets
 * without texts are known.
 */
static int
ask_other_values(void)
{
	static const struct {
		const char *asked, *then;
		enum how_many expected;
	} row[] = {
		{ "cpu_id == 77", "cpu_id == 78", ALL },
		{ "id == 1000000", "id == 1000001", ALL },
		{ "step != -7", "step < -2", ALL },
		{ "step == 100", "step == 101", ALL },
		{ "step == 100", "event.fields.step==100", ALL },
		{ "size == 1000000", "size == 1000001", ALL },
		{ "level == 7", "level > 5", ALL },
		{ "path == \"/none\"", "path == \"/other\"", SOME },
		{ "path =~ /nothing/", "path =~ /elsewhere/", SOME },
		{ NULL },
		{ "size == 1000000 and level == 7", "size == 1000002", SOME },
		{ "size == 1000000 or level == 6", "size == 1000003", ALL },
		{ NULL },
		{ "level == 7 or id == 1000000", "id == 1000003", SOME },
		{ "level == 7 or id == 1000001", "level == 6", ALL },
		{ NULL },
		{ "level == 7", "level == 6", ALL },
		{ "level == 7 or step == 99", "step == 101", ALL },
		{ NULL },
		{ "path =~ /nothing/", "path =~ /elsewhere/", SOME },
		{ "path == \"/none\"", "path =~ /somewhere/", SOME },
	};
	struct tn_set *set;
	int status = 0;

	lossless = true;
	make_trace(0);
	set = open_trace(true);
	for (size_t i = 0; !status && i < sizeof row / sizeof *row; i++) {
		if (row[i].asked) {
			status = learns(set, row[i].asked, row[i].then, row[i].expected);
			continue;
		}
		tn_set_close(set);
		make_trace(0);
		set = open_trace(true);
	}
	tn_set_close(set);
	lossless = false;
	return status;
}

/* A complete walk knows the number of events of each packet; it does not need a digest. */
static int
tells_packets(void)
{
	struct way way = { .kind = 1, .o = { TN_SCAN_OPTIONS }, .threads = 2 };
	struct tn_packet_info info;
	struct tn_set *set;
	struct answer a;
	uint64_t events = 0;
	bool known = true;

	make_trace(0);
	set = open_trace(false);
	ask(&a, set, &way, NULL, 0, 0, 1);
	for (size_t s = 0; s < tn_set_stream_count(set); s++)
		for (size_t i = 0; tn_stream_packet(tn_set_stream(set, s), i, &info) == TN_OK; i++) {
			known &= info.events != TN_COUNT_UNKNOWN;
			events += info.events;
		}
	tn_set_close(set);
	if (known && events == a.passed)
		return 0;
	printf("questions: packets have %" PRIu64 " events, read were %" PRIu64 "\n", events, a.passed);
	return 1;
}

/* ---- every byte ---- */

static char *
read_file(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *bytes = malloc(1 << 20);

	*n = f && bytes ? fread(bytes, 1, 1 << 20, f) : 0;
	if (f)
		fclose(f);
	return bytes;
}

static void
write_file(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
		exit(2);
}

/* The questions that a stored digest knows, and one that is new; whether all answers are right. */
static bool
ask_again(struct tn_set *set, const struct answer *right, bool store)
{
	static char text[4][300] = { "id in 300..330", "name == \"shop:odd\"", "id == 7", "/items/" };
	struct answer a;
	bool good = true;

	for (unsigned i = 0; i < 8; i++) {
		struct way way = { .kind = i < 4 ? 3 : 2, .o = { TN_SCAN_OPTIONS }, .threads = 1 };

		ask(&a, set, &way, &text[i % 4], 1, 0, 1);
		if (store)
			((struct answer *)right)[i] = a;
		else
			good &= same(&a, &right[i]);
	}
	return good;
}

/* Break every byte, @step by @step, of a stored digest: the answers are the same. */
static int
flip_bytes(size_t step)
{
	static struct answer right[8];
	struct tn_set *set;
	char path[600] = "", *bytes;
	struct dirent *entry;
	size_t n;
	DIR *dir;

	make_trace(0);
	set = open_trace(false);
	ask_again(set, right, true);
	tn_set_close(set);
	for (int i = 0; i < 3; i++) {
		set = open_trace(true);
		if (!ask_again(set, right, false))
			return 1;
		tn_set_close(set);
	}
	dir = opendir(cache);
	while (dir && (entry = readdir(dir)))
		if (strstr(entry->d_name, ".digest"))
			snprintf(path, sizeof path, "%s/%s", cache, entry->d_name);
	if (dir)
		closedir(dir);
	bytes = read_file(path, &n);
	if (n < 500) {
		printf("questions: nothing was stored\n");
		return 1;
	}
	for (size_t i = 0; i < n; i += step) {
		bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
		write_file(path, bytes, n);
		bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
		set = open_trace(true);
		if (!ask_again(set, right, false)) {
			printf("questions: byte %zu of %zu of the digest: another answer\n", i, n);
			return 1;
		}
		tn_set_close(set);
	}
	for (size_t i = 0; i < n; i += 1 + n / 20) {	/* and one that was cut */
		write_file(path, bytes, i);
		set = open_trace(true);
		if (!ask_again(set, right, false)) {
			printf("questions: a digest cut at byte %zu: another answer\n", i);
			return 1;
		}
		tn_set_close(set);
	}
	printf("%zu bytes of a digest broken, one of %zu\n", n, step);
	free(bytes);
	return 0;
}

int
main(int argc, char **argv)
{
	unsigned long questions = argc > 2 ? strtoul(argv[2], NULL, 10) : 1600, asked = 0;
	const char *more = getenv("DIGEST_QUESTIONS");
	char command[64];
	int status = 0;

	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 20261122;
	if (more)
		questions = strtoul(more, NULL, 10);
	if (!mkdtemp(folder))
		return 2;
	snprintf(trace_path, sizeof trace_path, "%s/trace", folder);
	snprintf(other_path, sizeof other_path, "%s/other", folder);
	snprintf(cache, sizeof cache, "%s/tnav", folder);
	setenv("XDG_CACHE_HOME", folder, 1);
	for (unsigned round = 0; !status && asked < questions; round++, asked += EACH_TRACE) {
		make_trace(round % 6);
		status = ask_trace(round % 6);
	}
	for (int i = 0; i < 5 && !status; i++)
		status = ask_ranges();
	if (!status)
		status = ask_other_values() || tells_packets();
	if (!status)
		status = flip_bytes(more ? 1 : 17);
	printf("%lu questions, %" PRIu64 " packets not read, %" PRIu64 " of several bars\n", asked, n_packets, n_sliced);
	if (!status && (!n_packets || !n_left_out)) {
		printf("questions: nothing was learnt, or nothing left out (%" PRIu64 " packets) without a scan\n", n_left_out);
		status = 1;
	}
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (!status || !getenv("KEEP"))
		(void)!system(command);
	return status;
}
