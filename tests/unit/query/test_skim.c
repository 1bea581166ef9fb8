/* Tests of text/skim: scans that leave out lines before they are made find what is in all of them. */
#include <config.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/query.h>
#include <tnav/tnav.h>
#include <tnav/writer.h>

#include "../../make/drafting.h"
#include "query/regex.h"
#include "text/skim.h"

static char folder[] = "/tmp/tnav-skim-XXXXXX";
static char trace_path[64];
static uint64_t seed;

static unsigned
below(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)((seed >> 33) % n);
}

static void
make_folder(void)
{
	cr_assert_not_null(mkdtemp(folder));
	snprintf(trace_path, sizeof trace_path, "%s/trace", folder);
}

static void
remove_folder(void)
{
	char command[128];

	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

TestSuite(skim, .init = make_folder, .fini = remove_folder);

/* Numbers of all bases, labels, floats, strings with what is escaped, arrays, a context that repeats and one that does not. */
static void
make_trace(void)
{
	static const char *const words[] = { "", "ab12", "x\"y\\", "/a/77", "\xc3\xa4" "b", "7 = 1", "\n\x01", "aaaa 1234 bbbb" };
	struct tn_packet_writer *w[2];
	struct tn_event_class *ec[4];
	struct tn_stream_class *sc;
	struct tn_datum cpu[2];
	struct tn_trace_writer *tw;
	struct tn_type *mood;
	struct tn_draft *d;
	struct tn_error err;
	uint64_t clock = 0;

	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 1764226800, 0, true), .header = TN_HEADER_COMPACT,
		.packet_context = structure(d, 1, (const char *[]) { "cpu_id" }, (struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10) }),
		.common_context = structure(d, 1, (const char *[]) { "vpid" }, (struct tn_type *[]) { tn_draft_sint(d, 32, 0, 10) }),
	});
	mood = tn_draft_uint(d, 8, 0, 10);
	tn_draft_label(d, mood, "GOOD", 0, 0);
	tn_draft_label(d, mood, "B1", 1, 2);
	ec[0] = tn_draft_event_class(d, sc, "tick", 6, NULL, structure(d, 3, (const char *[]) { "id", "addr", "step" },
		(struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10), tn_draft_uint(d, 64, 0, 16), tn_draft_sint(d, 16, 0, 10) }));
	ec[1] = tn_draft_event_class(d, sc, "request", 6, NULL, structure(d, 4, (const char *[]) { "path", "mood", "cost", "mode" },
		(struct tn_type *[]) { tn_draft_string(d), mood, tn_draft_float(d, 64, 0), tn_draft_uint(d, 16, 0, 8) }));
	ec[2] = tn_draft_event_class(d, sc, "x1", 6, NULL, structure(d, 2, (const char *[]) { "s", "n" },
		(struct tn_type *[]) { tn_draft_string(d), tn_draft_uint(d, 32, 0, 10) }));
	ec[3] = tn_draft_event_class(d, sc, "two words", 6, NULL, structure(d, 1, (const char *[]) { "a" },
		(struct tn_type *[]) { tn_draft_array(d, 3, tn_draft_uint(d, 8, 0, 10)) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&tw, trace_path, d, TN_METADATA_CTF_1_8, &err), &err);
	for (unsigned i = 0; i < 2; i++) {
		char name[24];

		cpu[i] = tn_datum_u(i * 4321);
		snprintf(name, sizeof name, "ch_%u", i);
		check(tn_trace_writer_stream(tw, sc, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = name, .id = i,
			.packet_size = 2048, .context = &cpu[i], .n_context = 1 }, &w[i], &err), &err);
	}
	for (unsigned i = 0; i < 600; i++) {
		const char *word = words[below(8)];
		struct tn_datum context = tn_datum_i(below(8) ? (int64_t)below(3) * 60 - 7 : (int64_t)below(100000)), v[5] = { context };
		struct tn_datum three[3] = { tn_datum_u(below(256)), tn_datum_u(7), tn_datum_u(below(20)) };
		unsigned kind = below(4);
		size_t n = 2;

		v[1] = kind ? tn_datum_text(word) : tn_datum_u(below(below(2) ? 2000 : 2000000));
		if (kind == 0) {
			v[n++] = tn_datum_u((uint64_t)below(70000) << below(40));
			v[n++] = tn_datum_i((int)below(300) - 150);
		} else if (kind == 1) {
			v[n++] = tn_datum_u(below(4));
			v[n++] = tn_datum_f(below(1000) / 8.0);
			v[n++] = tn_datum_u(below(600));
		} else if (kind == 2) {
			v[n++] = tn_datum_u(below(100));
		} else {
			for (n = 1; n < 4; n++)
				v[n] = three[n - 1];
		}
		clock += below(3) ? below(5000) : 0;
		check(tn_packet_writer_event_at(w[below(2)], clock, ec[kind], v, n, &err), &err);
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(d);
}

struct lines {
	char *line[1000];
	size_t n;
};

static int
keep_lines(void *user, const char *text, size_t n)
{
	struct lines *l = user;

	for (const char *at = text, *end = text + n; at < end;) {
		const char *next = memchr(at, '\n', (size_t)(end - at));

		cr_assert(next && l->n < 1000);
		l->line[l->n++] = strndup(at, (size_t)(next - at));
		at = next + 1;
	}
	return 0;
}

static void
put_branch(char *out)
{
	static const char *const atoms[] = {
		"a", "[a-z]", "\\d", "[0-9]", "7", "1", "x", "0", " ", "=", ".", "[^,]", "\\w", "\\b", "77", "(tick|x1)", "id = ", "\\.", "\"", "\\\\",
		"[A-F]", ", ", "(B1|GOOD)", "-", "{ ", "addr", "0x", "[1-3]", "\\}", "$", "mode = 0", "4321", "43", "21",
		"GOOD", "request", "tick", "(?:o|d)", "1234", "aaaa", "bbbb", "ab12", "/a/", "x01", "\\\\n",
	};
	static const char *const times[] = { "", "", "", "", "", "*", "+", "?", "{2}", "{3}" };

	for (unsigned n = 1 + below(6); n; n--) {
		const char *atom = atoms[below(sizeof atoms / sizeof *atoms)];

		strcat(out, atom);
		if (*atom != '$' && strcmp(atom, "\\b") != 0)
			strcat(out, times[below(sizeof times / sizeof *times)]);
	}
}

static void
put_pattern(char *out)
{
	unsigned n = below(3) ? 1 : 2 + below(3);
	bool brackets = n > 1 && !below(4);

	strcpy(out, brackets ? (below(2) ? "(" : "(?:") : "");
	for (; n; n--) {
		put_branch(out);
		strcat(out, n > 1 ? "|" : "");
	}
	strcat(out, brackets ? ")" : "");
}

/* How many of all lines match. */
static uint64_t
ask(struct tn_set *set, struct tn_text *text, const char *pattern, unsigned threads)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .text = text, .threads = threads };
	struct tn_filter *filter;
	struct tn_error err;
	uint64_t passed;

	check(tn_filter_new(&filter, set, &err), &err);
	check(tn_filter_add_regex(filter, pattern, false, &err), &err);
	o.filter = filter;
	check(tn_scan(set, &o, &passed, &err), &err);
	tn_filter_free(filter);
	return passed;
}

Test(skim, random_patterns_find_what_is_in_all_lines)
{
	static const unsigned names[] = { TN_NAMES_DEFAULT, TN_NAMES_DEFAULT, 0, ~0u };
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = true };
	const char *paths[] = { trace_path };
	unsigned skims = 0, none = 0;

	for (seed = 1; seed <= 4; seed++) {
		struct tn_text_options options = TN_TEXT_OPTIONS_DEFAULT;
		struct lines lines = { .n = 0 };
		uint64_t number = seed;
		struct tn_text *text;
		struct tn_set *set;
		struct tn_error err;
		char command[128];

		snprintf(command, sizeof command, "rm -rf %s", trace_path);
		cr_assert_eq(system(command), 0);
		make_trace();
		options.utc = true;
		options.names = names[number - 1];
		options.no_delta = number == 2;
		check(tn_set_open(&set, paths, 1, &how, &err), &err);
		check(tn_text_new(&text, set, &options, &err), &err);
		check(tn_scan(set, &(struct tn_scan_options) { TN_SCAN_OPTIONS, .text = text, .lines = keep_lines, .user = &lines }, NULL,
			      &err), &err);
		cr_assert_eq(lines.n, 600);
		for (unsigned i = 0; i < 250; i++) {
			struct tn_regex_room room = { 0 };
			struct tn_regex *regex;
			struct tn_skim *skim;
			char pattern[500];
			uint64_t want = 0, got;

			put_pattern(pattern);
			if (tn_regex_new(&regex, pattern, false, NULL) < 0)
				continue;
			for (size_t k = 0; k < lines.n; k++) {
				bool matched;

				check(tn_regex_match(regex, &room, lines.line[k], strlen(lines.line[k]), &matched, &err), &err);
				want += matched;
			}
			got = ask(set, text, pattern, 1 + i % 2);
			cr_assert_eq(got, want, "trace %u: %s: %u lines of %u", (unsigned)number, pattern, (unsigned)got, (unsigned)want);
			skim = tn_skim_new(set, text, pattern);
			skims += skim != NULL;
			none += skim && !want;
			tn_skim_free(skim);
			tn_regex_room_release(&room);
			tn_regex_free(regex);
		}
		for (size_t i = 0; i < lines.n; i++)
			free(lines.line[i]);
		tn_text_free(text);
		tn_set_close(set);
		seed = number;
	}
	cr_expect_gt(skims, 300);
	cr_expect_gt(none, 100);
}
