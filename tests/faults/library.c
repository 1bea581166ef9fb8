/*
 * library.c - calls of the library while calls of the system fail, each at each time: what it would have said, or an
 * error, and nothing else
 *
 *	tests/faults/library STEP [TRACE...]	every STEP-th call of the jobs, of each trace and of a small one in memory
 *	tests/faults/library -a STEP TRACE...	only memory, and only to write, open, print and export: for many traces
 *
 *	FAULTS_ONLY=JOB FAULTS_AT=alloc:73	this one: break on faults_set() in a debugger
 *	FAULTS_KIND=write			only calls of this kind
 *
 * In one process: a job is a thousand times faster than a program. What a job gives is a sum of what it was told; with
 * a fault it is the same sum, or the job has failed with an error that has a text (TN_ERR_MEMORY where memory is out).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/tnav.h>

#include "../make/all_kinds.h"
#include "base/ways.h"
#include "faults.h"
#include "library.h"
#include "live/spool.h"

bool keeps;

static bool only_memory;

unsigned
tn_ways(void)
{
	return (only_memory ? TN_WAYS_ARENA : 0) | (keeps ? TN_WAYS_STORE : 0);
}

void
add(struct job *j, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		j->sum = (j->sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
}

void
add_number(struct job *j, uint64_t n)
{
	add(j, &n, sizeof n);
}

void
add_text(struct job *j, const char *text)
{
	add(j, text ? text : "(none)", text ? strlen(text) + 1 : 7);
}

void
add_value(struct job *j, const struct tn_answer_value *v)
{
	struct tn_str text = { 0 };

	tn_answer_value_text(v, &text);
	tn_answer_value_json(v, &text);
	j->out_of_memory |= text.failed;
	add_text(j, tn_str_text(&text));
	tn_str_release(&text);
}

void
on_problem(void *user, const struct tn_problem *problem)
{
	(void)problem;
	((struct job *)user)->problems++;
}

static enum tn_code
open_set(struct job *j, struct tn_set **out)
{
	struct tn_open_options o = { TN_OPEN_OPTIONS, .problem = on_problem, .user = j, .no_index_cache = true };

	return j->path ? tn_set_open(out, &j->path, 1, &o, &j->err) : tn_set_open_memory(out, j->small->file, 3, &o, &j->err);
}

/* ---- lines, events, packets ---- */

static int
on_lines(void *user, const char *text, size_t n)
{
	add(user, text, n);
	return 0;
}

static int
on_notice(void *user, const struct tn_row *row)
{
	add_number(user, (uint64_t)row->kind);
	add_number(user, row->count);
	return 0;
}

static enum tn_code
lines(struct job *j, enum tn_line_format format)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .lines = on_lines, .notice = on_notice, .threads = 1, .user = j };
	struct tn_filter *filter = NULL;
	struct tn_text *text = NULL;
	enum tn_code rc = TN_OK;
	uint64_t passed = 0;

	how.utc = true;
	how.format = format;
	rc = tn_text_new(&text, j->set, &how, &j->err);
	if (rc == TN_OK && j->text && (rc = tn_filter_new(&filter, j->set, &j->err)) == TN_OK)
		rc = tn_filter_add(filter, j->text, &j->err);
	o.text = text;
	o.filter = filter;
	if (rc == TN_OK)
		rc = tn_scan(j->set, &o, &passed, &j->err);
	add_number(j, passed);
	tn_filter_free(filter);
	tn_text_free(text);
	return rc;
}

static enum tn_code text_lines(struct job *j) { return lines(j, TN_LINE_TEXT); }
static enum tn_code csv_lines(struct job *j) { return lines(j, TN_LINE_CSV); }
static enum tn_code json_lines(struct job *j) { return lines(j, TN_LINE_JSON); }

static int
on_event(void *user, const struct tn_row *row, const struct tn_event *event, const struct tn_error *why)
{
	struct job *j = user;

	add_number(j, row->cycles);
	add_number(j, event ? tn_event_end_bit(event) : (uint64_t)(why ? why->code : TN_OK));
	j->out_of_memory |= why && why->code == TN_ERR_MEMORY;
	return 0;
}

static enum tn_code
events(struct job *j)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .event = on_event, .threads = 1, .backward = true, .user = j };

	return tn_scan(j->set, &o, NULL, &j->err);
}

static enum tn_code
counted(struct job *j)
{
	struct tn_count_options o = { TN_COUNT_OPTIONS, .threads = 2 };
	uint64_t n = 0;
	enum tn_code rc = tn_count(j->set, &o, &n, &j->err);

	add_number(j, n);
	return rc;
}

static enum tn_code checked(struct job *j) { return tn_set_check(j->set, &j->err); }

static enum tn_code
iterated(struct job *j)
{
	struct tn_reader *reader;
	enum tn_code rc = tn_reader_new(&reader, &j->err);

	for (size_t i = 0; rc >= 0 && i < tn_set_stream_count(j->set); i++) {
		const struct tn_stream *s = tn_set_stream(j->set, i);
		const struct tn_event *event;
		struct tn_packet_iter packet;
		struct tn_event_iter at;

		for (rc = tn_packet_iter_begin(s, &packet, &j->err); rc == TN_OK; rc = tn_packet_iter_next(&packet, &j->err))
			if (tn_packet_iter_read(reader, &packet, &event, &j->err) == TN_OK)
				add_number(j, tn_event_end_bit(event));
			else if (j->err.code == TN_ERR_MEMORY)
				break;
		if (j->err.code == TN_ERR_MEMORY)
			break;
		if (rc >= 0)
			rc = tn_event_iter_begin(reader, s, &at, &j->err);
		for (; rc == TN_OK; rc = tn_event_iter_next(reader, &at, &j->err))
			if (tn_event_iter_read(reader, &at, TN_SCOPE_ALL, &event, &j->err) == TN_OK)
				add_number(j, tn_event_end_bit(event));
			else if (j->err.code == TN_ERR_MEMORY)
				break;
	}
	tn_reader_free(reader);
	return rc < 0 ? rc : j->err.code == TN_ERR_MEMORY ? TN_ERR_MEMORY : TN_OK;
}

static enum tn_code
moved(struct job *j)
{
	struct tn_cursor *cursor = NULL, *copy = NULL;
	int64_t begin = 0, end = 0;
	const struct tn_event *event;
	struct tn_row row;
	enum tn_code rc = tn_cursor_new(&cursor, j->set, &j->err);

	for (rc = rc == TN_OK ? tn_cursor_last(cursor, &j->err) : rc; rc == TN_OK; rc = tn_cursor_prev(cursor, &j->err))
		if (tn_cursor_row(cursor, &row))
			add_number(j, (uint64_t)row.location.time_ns);
	if (rc == TN_END)
		rc = tn_set_time_range(j->set, &begin, &end, &j->err);
	if (rc == TN_OK)
		rc = tn_cursor_seek(cursor, begin / 2 + end / 2, &j->err);
	if (rc == TN_OK)
		rc = tn_cursor_copy(&copy, cursor, &j->err);
	for (; rc == TN_OK; rc = tn_cursor_next(copy, &j->err))
		if (tn_cursor_row(copy, &row) && row.kind == TN_ROW_EVENT &&
		    (rc = tn_cursor_read(copy, TN_SCOPE_ALL, &event, &j->err)) < 0)
			break;
	tn_cursor_free(copy);
	tn_cursor_free(cursor);
	return rc < 0 ? rc : TN_OK;
}

static enum tn_code
opened(struct job *j)
{
	struct tn_set *set = NULL;
	enum tn_code rc = open_set(j, &set);

	if (rc == TN_OK)
		rc = tn_set_index(set, 0, &j->err);
	add_number(j, tn_set_stream_count(set));
	tn_set_close(set);
	return rc < 0 ? rc : TN_OK;
}

/* Metadata with mistakes: the report has the place, for which memory may be out. */
static enum tn_code
opened_wrong(struct job *j)
{
	struct tn_open_options o = { TN_OPEN_OPTIONS, .problem = on_problem, .user = j };
	struct tn_memory_file file = { "metadata", j->text, strlen(j->text) };
	struct tn_set *set = NULL;
	enum tn_code rc = tn_set_open_memory(&set, &file, 1, &o, &j->err);

	tn_set_close(set);
	return rc;
}

/* With a stored index, which is made and then used. */
static enum tn_code
opened_twice(struct job *j)
{
	struct tn_open_options o = { TN_OPEN_OPTIONS, .problem = on_problem, .user = j };
	enum tn_code rc = TN_OK;

	for (int i = 0; rc >= 0 && i < 2; i++) {
		struct tn_set *set = NULL;

		rc = tn_set_open(&set, &j->path, 1, &o, &j->err);
		if (rc == TN_OK)
			rc = tn_set_index(set, 0, &j->err);
		j->set = set;
		if (rc >= 0)
			rc = counted(j);
		j->set = NULL;
		tn_set_close(set);
	}
	return rc < 0 ? rc : TN_OK;
}

static enum tn_code
exported(struct job *j)
{
	struct tn_exported done = { 0 };
	struct tn_export_options o = { TN_EXPORT_OPTIONS, .threads = 1, .problem = on_problem, .user = j, .exported = &done };
	enum tn_code rc = tn_export(j->set, "exported", &o, &j->err);

	add_number(j, done.events);
	add_number(j, done.streams);
	if (rc < 0 && access("exported", F_OK) == 0) {
		printf("library: an export that failed has left its folder\n");
		exit(1);
	}
	return rc;
}

static enum tn_code
written_whole(struct job *j)
{
	struct tn_new_file *file = NULL;
	int fd;
	enum tn_code rc = tn_new_file_begin(&file, "written", true, &fd, &j->err);

	if (rc == TN_OK && write(fd, "all of it", 9) != 9)
		j->problems++;
	else if (rc == TN_OK)
		rc = tn_new_file_finish(file, &j->err);
	tn_new_file_free(file);
	if ((rc < 0 || j->problems) && access("written", F_OK) == 0) {
		printf("library: a file that is not whole has got its name\n");
		exit(1);
	}
	return rc;
}

/* Data of a relay: after existing data, or whole under its name. */
static enum tn_code
spooled(struct job *j)
{
	static const char text[] = "0123456789";
	struct tn_spool spool;
	char *trace = NULL, path[512];
	struct stat st;
	enum tn_code rc = tn_spool_new(&spool, &j->err);

	if (rc == TN_OK && !(trace = tn_spool_trace(&spool, "a/b", &j->err)))
		rc = j->err.code;
	for (int i = 0; rc == TN_OK && i < 3; i++)
		rc = tn_spool_append(&spool, trace, "stream", text, 10, &j->err);
	if (rc == TN_OK)
		rc = tn_spool_put(&spool, trace, "metadata", text, 10, &j->err);
	if (rc == TN_OK) {
		snprintf(path, sizeof path, "%s/stream", trace);
		if (stat(path, &st) == 0)
			add_number(j, (uint64_t)st.st_size);
		else
			j->problems++;
	}
	tn_spool_remove(&spool);
	free(trace);
	return rc;
}

static void on_word(void *user, const char *word) { add_text(user, word); }

static enum tn_code
completed(struct job *j)
{
	struct tn_filter *filter = NULL;
	size_t begin = 0;
	enum tn_code rc = tn_filter_new(&filter, j->set, &j->err);

	if (rc == TN_OK)
		rc = tn_filter_complete(filter, j->text, strlen(j->text), &begin, on_word, j, &j->err);
	tn_filter_free(filter);
	return rc;
}

static enum tn_code
made(struct job *j)
{
	struct small_trace small;
	bool all = small_trace_make(&small, &j->err);

	for (size_t i = 0; all && i < 3; i++)
		add(j, small.file[i].bytes, small.file[i].size);
	small_trace_release(&small);
	j->out_of_memory = !all && j->err.code == TN_OK;	/* a string of the maker's */
	return all ? TN_OK : j->err.code < 0 ? j->err.code : TN_ERR_MEMORY;
}

static enum tn_code
made_all_kinds(struct job *j)
{
	enum tn_code rc = all_kinds_write("written", &j->err);
	const char *path = "written";
	struct tn_set *set = NULL;

	j->calls = faults_calls();
	faults_set(NULL);	/* the output is complete */
	if (rc == TN_OK && tn_set_open(&set, &path, 1, NULL, &j->err) == TN_OK) {
		struct job in = { .set = set };

		rc = text_lines(&in);
		j->sum = in.sum;
	}
	tn_set_close(set);
	return rc;
}

/* Only some events, as an archive where there is a library for them. */
static enum tn_code
exported_in_part(struct job *j)
{
	struct tn_export_options o = { TN_EXPORT_OPTIONS, .threads = 2, .problem = on_problem, .user = j, .archive = true };
	struct tn_filter *filter = NULL;
	enum tn_code rc = tn_filter_new(&filter, j->set, &j->err);

	if (rc == TN_OK)
		rc = tn_filter_add(filter, "name =~ /[a-t]/ and stream != \"none\"", &j->err);
	o.filter = filter;
	if (rc == TN_OK)
		rc = tn_export(j->set, "exported", &o, &j->err);
	tn_filter_free(filter);
	return rc;
}

/* ---- jobs with faults ---- */

struct row {
	const char *name;
	job_fn *run;
	const char *text;
	bool is_own;	/* opens by itself */
	bool on_disk;	/* of traces on the disk only */
};

static const struct row of_traces[] = {
	{ "open", opened, NULL, true, false }, { "open twice", opened_twice, NULL, true, true },
	{ "text", text_lines, NULL, false, false }, { "CSV", csv_lines, NULL, false, false },
	{ "JSON", json_lines, NULL, false, false }, { "events", events, NULL, false, false },
	{ "count", counted, NULL, false, false }, { "check", checked, NULL, false, false },
	{ "iterate", iterated, NULL, false, false }, { "cursor", moved, NULL, false, false },
	{ "export", exported, NULL, false, false }, { "export a part", exported_in_part, NULL, false, false },
	{ "pairs", pairs, NULL, false, false }, { "index", indexed, NULL, true, false },
	{ "regex", text_lines, "/[a-m]+/", false, false },
	{ "attributes", text_lines, "(name =~ /e/ or stream > \"b\") and not (delta > 3s) and cpu != 77", false, false },
};

/* Jobs for few traces: if FAULTS_ONLY names them. */
static const struct row of_some[] = {
	{ "chain", chain, NULL, false, false }, { "kept answers", kept, NULL, true, true },
	{ "archive", unpacked, NULL, false, false },
};

#define WRONG_TSDL "/* CTF 1.8 */\ntrace { major = 1; minor = 8; byte_order = le; byte_order = be; odd = 1; };\n" \
	"stream { event.header := struct { integer { size = 8; } id; }; };\n" \
	"event { id = 1; name = a; fields := struct { integer { size = 70; signed = maybe; } x; nosuch y; }; };\n"
#define WRONG_CTF2 "\x1e{\"type\":\"preamble\",\"version\":2,\"odd\":1}\n\x1e{\"type\":\"trace-class\",\"environment\":{\"a\":1,\"b\":true}}\n"

#define REQUESTS "req_begin req_end by id show kind, begin.what, end.ret, current where dur > 1us or open or orphan or doubtful"

/* Jobs for each golden case: all have different metadata and packets. */
static const struct row of_cases[] = {
	{ "open", opened, NULL, true, false }, { "text", text_lines, NULL, false, false },
	{ "JSON", json_lines, NULL, false, false }, { "export", exported, NULL, false, false },
};

static const struct row of_small[] = {
	{ "wrong TSDL", opened_wrong, WRONG_TSDL, true, false }, { "wrong CTF 2", opened_wrong, WRONG_CTF2, true, false },
	{ "write", made, NULL, true, false }, { "write all kinds", made_all_kinds, NULL, true, false },
	{ "spans", spans_by_begin, REQUESTS, false, false }, { "spans as they end", spans_by_end, REQUESTS, false, false },
	{ "spans by tid", spans_by_end, "irq_handler_entry irq_handler_exit by cpu, tid, irq fifo as 'irq *'", false, false },
	{ "spans of conditions", spans_by_begin, "(name =~ /begin$/ and id < 9) 'req_*' by id as \"r*\"", false, false },
	{ "groups", groups, "name, cpu, vtid, kind", false, false }, { "groups of time", groups, "time/10ms", false, false },
	{ "one group", groups, "", false, false }, { "groups of spans", groups_of_spans, REQUESTS, false, false },
	{ "lanes of a field", lanes, "sched_switch.next_tid by cpu", false, false },
	{ "lanes of any event", lanes, "id by vtid", false, false },
	{ "lanes of spans", lanes, "(req_begin req_end by id) by vtid", false, false },
	{ "slowest", slowest, "req_begin req_end by id show kind\nelse name name by id\nirq_handler_entry irq_handler_exit by cpu, irq",
	  false, false },
	{ "grow", grown, NULL, true, false }, { "pieces", pieces, NULL, false, false },
	{ "lanes of a field, step by step", lanes_step_by_step, "sched_switch.next_tid by cpu", false, false },
	{ "lanes of spans, step by step", lanes_step_by_step, "(req_begin req_end by id) by vtid", false, false },
	{ "flame", flame, "req_begin req_end by id", false, false },
	{ "plot", plot, "log2(dur) by name", false, false },
	{ "plot of fields", plot, "vtid by name", false, false },
	{ "flame of fields", flame, "req_begin req_end by id, vtid show kind, what as q", false, false },
	{ "ladder", ladder, NULL, false, false }, { "new file", written_whole, NULL, true, false },
	{ "spool", spooled, NULL, true, false },
	{ "other ends", other_ends, "req_begin req_end by id", false, false },
	{ "other ends, first", other_ends, "req_begin req_end by id fifo", false, false },
	{ "fields", text_lines, "id > 1 and kind == write or what =~ /o/ and ret in (0, -2) or a[2] > 5 or f < 1.5e3", false, false },
	{ "more fields", json_lines, "event.fields.a[1] == 0 or has(a) or has(ret) and vtid > 12", false, false },
	{ "functions", text_lines, "has(what) and what >= \"t\" or bits == 0b01 or irq == 0x11 or vtid in 12..14", false, false },
	{ "complete names", completed, "ki", false, false }, { "complete labels", completed, "kind == w", false, false },
	{ "complete events", completed, "name == \"req", false, false },
};

static unsigned passed, failed;

static enum tn_code
run(struct job *j, const struct row *row, const char *fault, unsigned long *calls)
{
	long maps = faults_maps();
	enum tn_code rc;

	*j = (struct job) { .set = j->set, .path = j->path, .small = j->small, .text = row->text };
	if ((access("exported", F_OK) == 0 || access("exported.tar.zst", F_OK) == 0 || access("written", F_OK) == 0 ||
	     access("cache", F_OK) == 0) && system("rm -rf exported exported.tar.zst written cache") != 0)
		exit(2);
	faults_set(fault);
	rc = row->run(j);
	j->maps = row->is_own ? faults_maps() - maps : 0;
	*calls = j->calls ? j->calls : faults_calls();
	faults_set(NULL);
	return rc;
}

/* The mistake in the result; NULL: none. */
static const char *
judge(const struct job *j, enum tn_code rc, const struct job *want, enum tn_code wanted, bool is_memory)
{
	if (j->maps)
		return j->maps > 0 ? "a file stays mapped" : "a file is unmapped twice";
	if (rc == wanted && j->sum == want->sum && !j->out_of_memory)
		return NULL;
	if (j->out_of_memory || j->problems > want->problems)
		return NULL;	/* told, though not by the code */
	if (rc >= 0)
		return "another result, and no error";
	if (!j->err.text[0])
		return "an error without a text";
	return is_memory && rc != TN_ERR_MEMORY && rc != wanted ? "memory is out, and the error is another one" : NULL;
}

static void
try(struct job *base, const struct row *row, const char *trace, unsigned step)
{
	static const char *const kinds[] = { "alloc", "open", "read", "map", "write", "sync", "rename", "thread", "folder", "stat" };
	static unsigned turn;
	struct job want = *base;
	unsigned long calls;
	unsigned long most;
	enum tn_code wanted = run(&want, row, "alloc:4000000000", &most);	/* it only counts */

	if (wanted < 0 && getenv("FAULTS_VERBOSE"))
		printf("%s, %s: without a fault: %s\n", trace, row->name, want.err.text);

	for (size_t k = 0; k < (only_memory ? 1 : sizeof kinds / sizeof *kinds); k++) {
		if (getenv("FAULTS_KIND") && strcmp(getenv("FAULTS_KIND"), kinds[k]) != 0)
			continue;
		for (unsigned long n = 1 + turn++ % step; k > 0 || n <= most; n += step) {
			struct job j = *base;
			char fault[32];
			const char *wrong;
			enum tn_code rc;

			snprintf(fault, sizeof fault, "%s:%lu", kinds[k], n);
			if (getenv("FAULTS_AT") && strcmp(getenv("FAULTS_AT"), fault) != 0 && n < 100000)
				continue;
			rc = run(&j, row, fault, &calls);
			if (calls < n)
				break;
			wrong = judge(&j, rc, &want, wanted, k == 0);
			failed += wrong != NULL;
			passed += !wrong;
			if (wrong)
				printf("%s, %s, %s: %s: %d %s\n", trace, row->name, fault, wrong, rc, j.err.text);
		}
	}
}

static void
try_all(struct job *base, const struct row *rows, size_t n, const char *trace, unsigned step)
{
	for (size_t i = 0; i < n; i++) {
		struct job job = *base;

		if ((rows[i].on_disk && !base->path) || (getenv("FAULTS_ONLY") && strcmp(getenv("FAULTS_ONLY"), rows[i].name) != 0))
			continue;
		if (!rows[i].is_own && open_set(&job, &job.set) < 0)
			continue;	/* one that cannot be opened: "open" has said so */
		if (job.set && tn_set_index(job.set, 0, NULL) < 0)
			job.problems++;
		job.problems = 0;
		try(&job, &rows[i], trace, step);
		tn_set_close(job.set);
	}
}

int
main(int argc, char **argv)
{
	unsigned step = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	struct small_trace small;
	struct job job = { .small = &small };

	if (argc > 2 && strcmp(argv[1], "-a") == 0) {
		only_memory = true;
		try_all(&job, of_small + 2, 2, "small", (unsigned)atoi(argv[2]));	/* writing */
		for (int i = 3; i < argc; i++) {
			job.path = argv[i];
			try_all(&job, of_cases, sizeof of_cases / sizeof *of_cases, job.path, (unsigned)atoi(argv[2]));
		}
		printf("library: memory: %u passed, %u failed\n", passed, failed);
		return failed != 0;
	}
	if (!small_trace_make(&small, &job.err)) {
		printf("library: no small trace: %s\n", job.err.text);
		return 2;
	}
	try_all(&job, of_small, sizeof of_small / sizeof *of_small, "small", step);
	try_all(&job, of_traces, sizeof of_traces / sizeof *of_traces, "small", step);
	if (all_kinds_write("kinds", &job.err) != TN_OK) {
		printf("library: no trace of all kinds: %s\n", job.err.text);
		return 2;
	}
	for (int i = 1; i < argc; i++) {
		job.path = i > 1 ? argv[i] : "kinds";
		try_all(&job, of_traces, sizeof of_traces / sizeof *of_traces, job.path, step);
		if (getenv("FAULTS_ONLY"))
			try_all(&job, of_some, sizeof of_some / sizeof *of_some, job.path, step);
	}
	small_trace_release(&small);
	printf("library: %u passed, %u failed\n", passed, failed);
	return failed != 0;
}
