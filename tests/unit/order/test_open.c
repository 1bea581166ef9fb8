#include <criterion/criterion.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "set/open.h"

/*
 * Formats whose trace is a folder with a file "toy": "UUID-DIGIT HOST STREAMS", where '-' is none;
 * "bad" cannot be opened. Each digit of STREAMS is a stream with that class id.
 */
static char top[] = "/tmp/tnav-open-XXXXXX";

static enum tn_probe
toy_probe(const char *path, bool is_folder)
{
	char name[512];
	struct stat st;

	snprintf(name, sizeof name, "%s/toy", path);
	if (!is_folder)
		return strstr(path, ".toy") ? TN_PROBE_MAYBE : TN_PROBE_NO;
	return stat(name, &st) == 0 ? TN_PROBE_YES : TN_PROBE_NO;
}

static enum tn_code
toy_open(struct tn_trace *t, struct tn_error *err)
{
	char name[512], uuid[16], host[64], streams[64], clock[32] = "";
	FILE *file;
	int n;

	snprintf(name, sizeof name, "%s/toy", t->path);
	if (strstr(t->path, ".toy"))
		snprintf(name, sizeof name, "%s", t->path);
	file = fopen(name, "r");
	n = fscanf(file, "%15s %63s %63s", uuid, host, streams);
	fclose(file);
	if (n != 3)
		return tn_fail(err, TN_ERR_FORMAT, "%s: bad toy", t->path);
	t->format = "toy";
	t->has_uuid = uuid[0] != '-';
	t->uuid[0] = (uint8_t)uuid[0];
	if (host[0] != '-') {
		t->env = TN_NEW(&t->arena, struct tn_env);
		t->n_env = 1;
		*t->env = (struct tn_env) { .name = "hostname", .is_text = true, .text = tn_arena_string(&t->arena, host) };
	}
	t->n_clocks = 1;
	t->clock = TN_NEW(&t->arena, struct tn_clock *);
	t->clock[0] = TN_NEW(&t->arena, struct tn_clock);
	*t->clock[0] = (struct tn_clock) {
		.name = "c", .frequency = 1000000000, .origin = strstr(host, "unix") ? TN_ORIGIN_UNIX : TN_ORIGIN_UNKNOWN,
	};
	/* HOST:CLOCK:OFFSET[:BOOT] */
	if (strchr(host, ':')) {
		char boot[2] = "";

		sscanf(strchr(host, ':') + 1, "%31[^:]:%" SCNd64 ":%1s", clock, &t->clock[0]->offset_s, boot);
		t->clock[0]->name = tn_arena_string(&t->arena, clock);
		t->clock[0]->origin = t->clock[0]->offset_s ? TN_ORIGIN_UNIX : TN_ORIGIN_UNKNOWN;
		t->clock[0]->has_uuid = *boot;
		t->clock[0]->uuid[0] = (uint8_t)*boot;
		t->env->text = tn_arena_string(&t->arena, (*strchr(host, ':') = '\0', host));
	}
	t->n_streams = strlen(streams);
	t->stream = TN_NEW_ARRAY(&t->arena, t->n_streams, struct tn_stream *);
	for (size_t i = 0; i < t->n_streams; i++) {
		struct tn_stream *s = t->stream[i] = TN_NEW(&t->arena, struct tn_stream);

		s->trace = t;
		s->id = i % 2;	/* not in the order of ranks */
		s->stream_class = TN_NEW(&t->arena, struct tn_stream_class);
		s->stream_class->id = (uint64_t)(streams[i] - '0');
		s->stream_class->clock = t->clock[0];
		s->path = t->path;
		s->name = "s";
	}
	return TN_OK;
}

static enum tn_code
toy_join(struct tn_trace *into, struct tn_trace *from, struct tn_error *err)
{
	struct tn_stream **all;

	(void)err;
	if (!into->has_uuid || !from->has_uuid || into->uuid[0] != from->uuid[0])
		return TN_END;
	all = TN_NEW_ARRAY(&into->arena, into->n_streams + from->n_streams, struct tn_stream *);
	memcpy(all, into->stream, into->n_streams * sizeof *all);
	memcpy(all + into->n_streams, from->stream, from->n_streams * sizeof *all);
	for (size_t i = 0; i < from->n_streams; i++)
		from->stream[i]->trace = into;
	into->stream = all;
	into->n_streams += from->n_streams;
	from->n_streams = 0;
	return TN_OK;
}

static enum tn_code
toy_extend(struct tn_stream *s, struct tn_error *err)
{
	(void)err;
	s->index.complete = true;
	return TN_OK;
}

static const struct tn_format toy = {
	.name = "toy", .probe = toy_probe, .open = toy_open, .join = toy_join, .extend = toy_extend,
};
static const struct tn_format *const formats[] = { &toy, NULL };

static void
put(const char *folder, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof path, "mkdir -p %s/%s", top, folder);
	cr_assert_eq(system(path), 0);
	snprintf(path, sizeof path, "%s/%s/toy", top, folder);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static void
make_top(void)
{
	cr_assert_not_null(mkdtemp(top));
}

static void
remove_top(void)
{
	char command[64];

	snprintf(command, sizeof command, "rm -rf %s", top);
	cr_assert_eq(system(command), 0);
}

TestSuite(open, .init = make_top, .fini = remove_top);

static void
note_problem(void *user, const struct tn_problem *problem)
{
	tn_str_printf(user, "%d %s\n", problem->severity, problem->text);
}

/* The traces and streams of a set as text: "NAME:class.id@trace ..." in the order of ranks. */
static enum tn_code
open_text(const char *arguments, char *out, struct tn_str *problems, struct tn_error *err)
{
	struct tn_open_options options = { TN_OPEN_OPTIONS, .problem = note_problem, .user = problems, .no_index_cache = true };
	char copy[256], full[8][512];
	const char *path[8];
	struct tn_set *set;
	enum tn_code rc;
	size_t n = 0;

	snprintf(copy, sizeof copy, "%s", arguments);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		snprintf(full[n], sizeof full[n], "%s%s%s", top, *word == '.' ? "" : "/", *word == '.' ? word + 1 : word);
		path[n] = full[n];
		n++;
	}
	rc = tn_set_open_formats(&set, formats, path, n, &options, err);
	*out = '\0';
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < tn_set_stream_count(set); i++) {
		const struct tn_stream *s = tn_set_stream(set, i);

		cr_assert_eq(s->rank, i);
		out += sprintf(out, "%s%s:%d.%d", i ? " " : "", tn_trace_name(s->trace), (int)tn_stream_class_id(s),
			       (int)tn_stream_id(s));
	}
	tn_set_close(set);
	return rc;
}

static void
expect(const char *arguments, const char *want)
{
	struct tn_str problems = { 0 };
	struct tn_error err;
	char got[2048];

	cr_assert_eq(open_text(arguments, got, &problems, &err), TN_OK, "%s: %s", arguments, err.text);
	cr_assert_str_eq(got, want, "%s: %s", arguments, got);
	cr_assert_eq(problems.n, 0, "%s: %s", arguments, problems.text);
	tn_str_release(&problems);
}

Test(open, folders_are_searched_and_named)
{
	put("a", "- host 1");
	put("b/deep/er", "- - 1");
	put("b/deep/er/inside", "- never 1");	/* a trace is not searched */
	put("c", "- - 1");
	expect("a", "host:1.0");
	expect("a/", "host:1.0");
	expect("b/deep/er", ":1.0");
	expect("b", "deep/er:1.0");
	expect(".", "b/deep/er:1.0 c:1.0 host/a:1.0");
	expect("a .", "b/deep/er:1.0 c:1.0 host:1.0");	/* found twice, opened once, by its first name */
	expect("a a a", "host:1.0");
}

Test(open, links_do_not_loop)
{
	char from[256], to[256];

	put("a/b", "- - 1");
	snprintf(from, sizeof from, "%s/a/c", top);
	cr_assert_eq(symlink("..", from), 0);
	snprintf(from, sizeof from, "%s/a/a", top);
	snprintf(to, sizeof to, "%s/a/b", top);
	cr_assert_eq(symlink(to, from), 0);
	expect(".", "a/b:1.0");
}

Test(open, ranks_go_by_uuid_name_class_and_id)
{
	put("1", "- zoo 21");
	put("2", "b - 1");
	put("3", "a x 9187");
	put("4", "- ant 1");
	expect(".", "x/3:1.1 x/3:7.1 x/3:8.0 x/3:9.0 2:1.0 ant/4:1.0 zoo/1:1.1 zoo/1:2.0");
	expect("4 3 2 1", "x:1.1 x:7.1 x:8.0 x:9.0 :1.0 ant:1.0 zoo:1.1 zoo:2.0");
}

Test(open, parts_of_a_trace_are_joined)
{
	put("1", "a h 1");
	put("2", "b h 2");
	put("3", "a h 3");
	put("4", "- h 4");
	put("5", "- h 4");
	expect(".", "h/1:1.0 h/1:3.0 h/2:2.0 h/4:4.0 h/5:4.0");
}

Test(open, a_bad_one_among_several_is_a_problem)
{
	struct tn_str problems = { 0 };
	struct tn_error err;
	char got[1024];

	put("good", "- h 1");
	put("bad", "oops");
	put("empty/folder", "");
	cr_assert_eq(open_text("good bad", got, &problems, &err), TN_OK);
	cr_assert_str_eq(got, "h:1.0");
	cr_assert_not_null(strstr(problems.text, "3 /tmp/tnav-open-"));
	cr_assert_not_null(strstr(problems.text, "/bad: bad toy\n"));
	problems.n = 0;
	cr_assert_eq(open_text("missing good", got, &problems, &err), TN_OK);
	cr_assert_not_null(strstr(problems.text, "/missing: No such file"));
	problems.n = 0;
	cr_assert_eq(open_text("bad", got, &problems, &err), TN_ERR_FORMAT);
	cr_assert_not_null(strstr(err.text, "/bad: bad toy"));
	cr_assert_eq(problems.n, 0);
	cr_assert_eq(open_text("bad empty", got, &problems, &err), TN_ERR_FORMAT);
	cr_assert_eq(open_text("missing", got, &problems, &err), TN_ERR_NOT_FOUND);
	cr_assert_not_null(strstr(err.text, "/missing: No such file"));
	cr_assert_eq(rmdir(top), -1);
	tn_str_release(&problems);
}

Test(open, nothing_to_open)
{
	struct tn_str problems = { 0 };
	struct tn_error err;
	struct tn_set *set;
	char got[64];

	cr_assert_eq(open_text(".", got, &problems, &err), TN_ERR_NOT_FOUND);
	cr_assert_not_null(strstr(err.text, "neither a trace nor a folder with traces"), "%s", err.text);
	cr_assert_eq(tn_set_open_formats(&set, formats, NULL, 0, NULL, &err), TN_ERR_ARGUMENT);
	cr_assert_null(set);
}

Test(open, a_format_can_be_named)
{
	struct tn_open_options options = { TN_OPEN_OPTIONS, .no_index_cache = true, .format = "toy-be" };
	char path[256];
	const char *paths[] = { path };
	struct tn_error err;
	struct tn_set *set;
	FILE *file;

	snprintf(path, sizeof path, "%s/x.toy", top);
	file = fopen(path, "w");
	fputs("- h 1", file);
	fclose(file);
	cr_assert_eq(tn_set_open_formats(&set, formats, paths, 1, &options, &err), TN_OK, "%s", err.text);
	cr_assert_str_eq(tn_set_trace(set, 0)->options->format, "toy-be");
	tn_set_close(set);
	options.format = "to";
	cr_assert_eq(tn_set_open_formats(&set, formats, paths, 1, &options, &err), TN_ERR_ARGUMENT);
	cr_assert_not_null(strstr(err.text, "unknown format 'to'"));
}

Test(open, clocks_that_cannot_be_compared_are_told)
{
	struct tn_str problems = { 0 };
	struct tn_error err;
	char got[256];

	put("a", "- unix 1");
	put("b", "- boot 1");
	cr_assert_eq(open_text(".", got, &problems, &err), TN_OK);
	cr_assert_not_null(strstr(tn_str_text(&problems), "the clocks do not count from the same time"));
	tn_str_release(&problems);
}

/* Two traces by what they say of themselves: how far each is moved in seconds; nothing: it shares no clock. */
Test(open, traces_that_read_one_clock_follow_the_one_that_knows_the_date)
{
	static const struct {
		const char *host[3], *want;
	} rows[] = {
		{ { "h:mono:0", "h:monotonic:1000" }, "1000 0 " },
		{ { "h:monotonic:1000", "h:mono:0" }, "0 1000 " },
		{ { "h:mono:1000", "h:mono:1003" }, "0 -3 " },	/* a step of the date between two recordings */
		{ { "h:mono:1000", "h:mono:1061" }, "" },	/* another boot */
		{ { "h:mono:1000:A", "h:mono:5000:A" }, "0 -4000 " },	/* the boot is said */
		{ { "h:mono:1000:A", "h:mono:1000:B" }, "" },
		{ { "g:mono:1000:A", "h:mono:1000:A" }, "0 0 " },
		{ { "g:mono:0", "h:mono:1000" }, "" },
		{ { "h:boot:0", "h:mono:1000" }, "" },
		{ { "h:local:0", "h:local:1000" }, "" },
		{ { "h:mono:0", "h:mono:0" }, "0 0 " },
		{ { "h:mono:0", "h:mono:0", "h:mono:9" }, "9 9 0 " },
		{ { "h:perf:0", "h:mono:7", "h:perf:9" }, "9 0 " },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_open_options options = { TN_OPEN_OPTIONS, .no_index_cache = true };
		const char *paths[3];
		char path[3][256];
		struct tn_str got = { 0 };
		struct tn_error err;
		struct tn_set *set;
		size_t n = 0;
		int64_t ns;

		for (; n < 3 && rows[i].host[n]; n++) {
			char text[80];
			char name[16];

			snprintf(name, sizeof name, "a%zu-%zu", i, n);
			snprintf(text, sizeof text, "- %s 1", rows[i].host[n]);
			put(name, text);
			snprintf(path[n], sizeof path[n], "%s/%s", top, name);
			paths[n] = path[n];
		}
		for (int aligned = 0; aligned < 2; aligned++) {
			options.align_clocks = aligned;
			cr_assert_eq(tn_set_open_formats(&set, formats, paths, n, &options, &err), TN_OK, "%s", err.text);
			tn_str_clear(&got);
			for (size_t k = 0; k < n; k++) {
				const struct tn_trace *t = tn_set_trace(set, k);
				const struct tn_trace *with = tn_set_shared_clock(set, t, &ns);

				if (with)
					tn_str_printf(&got, "%lld ", (long long)((aligned ? tn_trace_shift(t) : ns) / 1000000000));
				cr_assert(!with || !aligned || ns == 0, "row %zu: still %lld apart", i, (long long)ns);
				cr_assert(aligned || tn_trace_shift(t) == 0);
			}
			cr_assert_str_eq(tn_str_text(&got), rows[i].want, "row %zu", i);
			tn_set_close(set);
		}
		tn_str_release(&got);
	}
	cr_assert_null(tn_set_shared_clock(NULL, NULL, NULL));
	cr_assert_eq(tn_trace_shift(NULL), 0);
}
