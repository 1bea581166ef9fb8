/* Traces that cannot be written: the reports, and that no file stays open (tnav/writer.h). */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tnav/tnav.h>

#include "../../make/drafting.h"

static char folder[] = "/tmp/tnav-writer-XXXXXX";
static struct tn_error err;
static struct tn_draft *draft;
static struct tn_stream_class *timed;
static struct tn_event_class *event;

static void
make_draft(void)
{
	cr_assert(mkdtemp(folder));
	check(tn_draft_new(&draft, NULL, &err), &err);
	timed = tn_draft_stream_class(draft, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(draft, "c", 1000000000, 0, 0, true) });
	event = tn_draft_event_class(draft, timed, "e", -1, NULL,
				     structure(draft, 1, (const char *[]) { "x" }, (struct tn_type *[]) { tn_draft_uint(draft, 8, 0, 10) }));
	check(tn_draft_finish(draft, &err), &err);
}

static void
release(void)
{
	char command[128];

	tn_draft_free(draft);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_assert_eq(system(command), 0);
}

TestSuite(trace_writer, .init = make_draft, .fini = release);

static const char *
in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void
make_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	cr_assert(fd >= 0 && close(fd) == 0);
}

Test(trace_writer, a_folder_that_cannot_be_made)
{
	struct tn_trace_writer *w = (struct tn_trace_writer *)&err;

	make_file(in_folder("file"));
	cr_expect_eq(tn_trace_writer_new(&w, in_folder("file/trace"), draft, TN_METADATA_CTF_1_8, &err), TN_ERR_SYSTEM);
	cr_expect(strstr(err.text, "/file/trace: Not a directory"), "%s", err.text);
	cr_expect_null(w);
	tn_trace_writer_free(w);
	/* It exists and is not a folder: the metadata is not written. */
	cr_expect_eq(tn_trace_writer_new(&w, in_folder("file"), draft, TN_METADATA_CTF_1_8, &err), TN_ERR_SYSTEM);
	cr_expect(strstr(err.text, "/file/metadata: Not a directory"), "%s", err.text);
	cr_expect_null(w);
	w = (struct tn_trace_writer *)&err;
	cr_expect_eq(tn_trace_writer_new(&w, NULL, draft, TN_METADATA_CTF_1_8, &err), TN_ERR_ARGUMENT);
	cr_expect_null(w);
}

/* A stream that could not be begun has nothing to be finished; the others have. */
Test(trace_writer, a_stream_that_cannot_be_begun)
{
	struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = "s" };
	struct tn_datum x = tn_datum_u(5);
	struct tn_packet_writer *good, *bad;
	struct tn_trace_writer *w;
	struct stat st;

	check(tn_trace_writer_new(&w, in_folder("trace"), draft, TN_METADATA_CTF_1_8, &err), &err);
	check(tn_trace_writer_stream(w, timed, &file, &good, &err), &err);
	cr_assert_eq(mkdir(in_folder("trace/folder"), 0700), 0);
	file.name = "folder";
	cr_expect_eq(tn_trace_writer_stream(w, timed, &file, &bad, &err), TN_ERR_SYSTEM);
	cr_expect(strstr(err.text, "/trace/folder: Is a directory"), "%s", err.text);
	cr_expect_null(bad);
	check(tn_packet_writer_event_at(good, 7, event, &x, 1, &err), &err);
	cr_expect_eq(tn_trace_writer_finish(w, &err), TN_OK, "%s", err.text);
	cr_expect_eq(tn_trace_writer_finish(w, &err), TN_OK, "it is finished already: %s", err.text);
	tn_trace_writer_free(w);
	cr_assert_eq(stat(in_folder("trace/s"), &st), 0);
	cr_expect_eq(st.st_size, 4096);
}

/* An index that cannot be made is reported at the end; the stream is whole. */
Test(trace_writer, an_index_that_cannot_be_made)
{
	struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = "s" };
	struct tn_datum x = tn_datum_u(5);
	struct tn_packet_writer *packet;
	struct tn_trace_writer *w;
	struct stat st;

	check(tn_trace_writer_new(&w, in_folder("trace"), draft, TN_METADATA_CTF_1_8, &err), &err);
	cr_assert_eq(mkdir(in_folder("trace/index"), 0700), 0);
	cr_assert_eq(mkdir(in_folder("trace/index/s.idx"), 0700), 0);
	check(tn_trace_writer_stream(w, timed, &file, &packet, &err), &err);
	check(tn_packet_writer_event_at(packet, 7, event, &x, 1, &err), &err);
	cr_expect_eq(tn_trace_writer_finish(w, &err), TN_ERR_SYSTEM);
	cr_expect(strstr(err.text, "/trace/index/s.idx: "), "%s", err.text);
	tn_trace_writer_free(w);
	cr_assert_eq(stat(in_folder("trace/s"), &st), 0);
	cr_expect_eq(st.st_size, 4096);
}

/*
 * Failures are reported when it is finished, the first of all, with its file; without that, data outside of
 * packets are lost.
 */
Test(trace_writer, a_disk_that_is_full)
{
	struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = "s" };
	struct tn_datum x = tn_datum_u(5);
	struct tn_packet_writer *packet;
	struct tn_trace_writer *w;
	struct stat st;

	if (access("/dev/full", W_OK) != 0)
		return;
	check(tn_trace_writer_new(&w, in_folder("trace"), draft, TN_METADATA_CTF_1_8, &err), &err);
	cr_assert_eq(symlink("/dev/full", in_folder("trace/s")), 0);
	check(tn_trace_writer_stream(w, timed, &file, &packet, &err), &err);
	check(tn_packet_writer_event_at(packet, 7, event, &x, 1, &err), &err);
	cr_expect_eq(tn_trace_writer_finish(w, &err), TN_ERR_SYSTEM);
	cr_expect(strstr(err.text, "/trace/s: No space left on device"), "%s", err.text);
	err = (struct tn_error) { 0 };
	cr_expect_eq(tn_trace_writer_finish(w, &err), TN_ERR_SYSTEM, "it stays so");
	cr_expect(strstr(err.text, "/trace/s: No space left on device"), "%s", err.text);
	tn_trace_writer_free(w);

	file.name = "given_up";
	check(tn_trace_writer_new(&w, in_folder("trace"), draft, TN_METADATA_CTF_1_8, &err), &err);
	check(tn_trace_writer_stream(w, timed, &file, &packet, &err), &err);
	check(tn_packet_writer_event_at(packet, 7, event, &x, 1, &err), &err);
	tn_trace_writer_free(w);
	cr_assert_eq(stat(in_folder("trace/given_up"), &st), 0);
	cr_expect_eq(st.st_size, 0);
}

/* Names that would write over the metadata, outside of the folder, over another stream, or that readers pass over. */
Test(trace_writer, names_of_streams)
{
	static const struct { const char *name; enum tn_code code; } rows[] = {
		{ "metadata", TN_ERR_ARGUMENT }, { "index", TN_ERR_ARGUMENT }, { "../x", TN_ERR_ARGUMENT }, { "a/b", TN_ERR_ARGUMENT },
		{ ".", TN_ERR_ARGUMENT }, { "..", TN_ERR_ARGUMENT }, { ".hidden", TN_ERR_ARGUMENT }, { "", TN_ERR_ARGUMENT },
		{ "s", TN_OK }, { "s", TN_ERR_EXISTS }, { "metadata2", TN_OK }, { "s.", TN_OK },
	};
	struct tn_packet_writer *packet;
	struct tn_trace_writer *w;

	check(tn_trace_writer_new(&w, in_folder("trace"), draft, TN_METADATA_CTF_1_8, &err), &err);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = rows[i].name };

		cr_expect_eq(tn_trace_writer_stream(w, timed, &file, &packet, &err), rows[i].code, "row %zu, '%s'", i, rows[i].name);
		if (rows[i].code == TN_ERR_EXISTS)
			cr_expect_str_eq(err.text, "stream 's': the trace already has a stream of this name");
	}
	tn_trace_writer_free(w);
	cr_expect_eq(access(in_folder("x"), F_OK), -1);
}

static struct tn_set *
opened(const char *path)
{
	struct tn_set *set;

	check(tn_set_open(&set, &path, 1, &(struct tn_open_options) { TN_OPEN_OPTIONS, .no_index_cache = true }, &err), &err);
	return set;
}

struct seen { uint64_t events, lost, damages; char text[256]; };

static int
see(void *user, const struct tn_row *row)
{
	struct seen *s = user;

	s->events += row->kind == TN_ROW_EVENT;
	s->lost += row->kind == TN_ROW_LOST_EVENTS ? row->count : 0;
	s->damages += row->kind == TN_ROW_DAMAGE;
	if (row->kind == TN_ROW_DAMAGE)
		snprintf(s->text, sizeof s->text, "%s", row->text ? row->text : "");
	return 0;
}

static struct seen
read_back(const char *path)
{
	struct seen s = { 0 };
	struct tn_set *set = opened(path);

	check(tn_scan(set, &(struct tn_scan_options) { TN_SCAN_OPTIONS, .row = see, .user = &s }, NULL, &err), &err);
	tn_set_close(set);
	return s;
}

/* An event after the end goes nowhere: it is counted as discarded. */
Test(trace_writer, events_after_the_end)
{
	struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = "s" };
	struct tn_packet_writer *packet, *empty;
	struct tn_datum x = tn_datum_u(5);
	struct tn_trace_writer *w;

	check(tn_trace_writer_new(&w, in_folder("trace"), draft, TN_METADATA_CTF_1_8, &err), &err);
	check(tn_trace_writer_stream(w, timed, &file, &packet, &err), &err);
	file.name = "empty";
	file.id = 1;
	check(tn_trace_writer_stream(w, timed, &file, &empty, &err), &err);
	check(tn_packet_writer_event_at(packet, 7, event, &x, 1, &err), &err);
	check(tn_packet_writer_open(empty, NULL, 0, &err), &err);
	check(tn_trace_writer_finish(w, &err), &err);
	for (unsigned i = 0; i < 2000; i++) {
		cr_assert_eq(tn_packet_writer_event_at(packet, 8 + i, event, &x, 1, &err), TN_OK);
		cr_assert_eq(tn_packet_writer_event_at(empty, 8 + i, event, &x, 1, &err), TN_OK);
	}
	cr_expect_eq(tn_packet_writer_discarded(packet), 2000);
	cr_expect_eq(tn_packet_writer_discarded(empty), 2000);
	cr_expect_eq(tn_packet_writer_open(packet, NULL, 0, &err), TN_ERR_ARGUMENT);
	file.name = "late";
	cr_expect_eq(tn_trace_writer_stream(w, timed, &file, &packet, &err), TN_ERR_ARGUMENT);
	cr_expect_str_eq(err.text, "stream 'late': the trace is finished");
	tn_trace_writer_free(w);
	cr_expect_eq(read_back(in_folder("trace")).events, 1);
}

static bool
always(void *user)
{
	return *(bool *)user;
}

/* Losses at the end, or of all events, reach readers. */
Test(trace_writer, events_discarded_after_the_last_packet)
{
	for (unsigned before = 0; before < 2; before++) {
		bool full = false;
		struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = "s", .is_full = always, .user = &full };
		struct tn_packet_writer *packet;
		struct tn_datum x = tn_datum_u(5);
		struct tn_trace_writer *w;
		struct seen s;

		check(tn_trace_writer_new(&w, in_folder("trace"), draft, TN_METADATA_CTF_1_8, &err), &err);
		check(tn_trace_writer_stream(w, timed, &file, &packet, &err), &err);
		for (unsigned i = 0; before && tn_packet_writer_sequence(packet) == 0; i++)
			check(tn_packet_writer_event_at(packet, i, event, &x, 1, &err), &err);
		full = true;
		for (unsigned i = 0; i < 1000; i++)
			check(tn_packet_writer_event_at(packet, 10000 + i, event, &x, 1, &err), &err);
		cr_assert_gt(tn_packet_writer_discarded(packet), 0);
		check(tn_trace_writer_finish(w, &err), &err);
		s = read_back(in_folder("trace"));
		cr_expect_eq(s.lost, tn_packet_writer_discarded(packet), "%u before: %llu lost", before, (unsigned long long)s.lost);
		tn_trace_writer_free(w);
	}
}

/* Classes that are added under a writer are in the metadata at the end; unfinished ones cannot be written. */
Test(trace_writer, a_draft_that_is_reopened)
{
	struct tn_output_stream file = { TN_OUTPUT_STREAM, .name = "s" };
	struct tn_datum x = tn_datum_u(5);
	struct tn_packet_writer *packet, *other;
	struct tn_stream_class *timeless;
	struct tn_event_class *late;
	struct tn_trace_writer *w;
	struct seen s;

	check(tn_trace_writer_new(&w, in_folder("trace"), draft, TN_METADATA_CTF_2, &err), &err);
	check(tn_trace_writer_stream(w, timed, &file, &packet, &err), &err);
	check(tn_packet_writer_event_at(packet, 7, event, &x, 1, &err), &err);
	tn_draft_reopen(draft);
	late = tn_draft_event_class(draft, timed, "late", -1, NULL,
				    structure(draft, 1, (const char *[]) { "y" }, (struct tn_type *[]) { tn_draft_uint(draft, 8, 0, 10) }));
	timeless = tn_draft_stream_class(draft, &(struct tn_draft_stream) { TN_DRAFT_STREAM });
	file.name = "t";
	cr_expect_eq(tn_packet_writer_event_at(packet, 8, late, &x, 1, &err), TN_ERR_ARGUMENT);
	cr_expect_str_eq(err.text, "the draft of event 'late' is not finished");
	cr_expect_eq(tn_trace_writer_stream(w, timeless, &file, &other, &err), TN_ERR_ARGUMENT);
	cr_expect_str_eq(err.text, "stream 't': its class is from another draft, or the draft is not finished");
	check(tn_draft_finish(draft, &err), &err);
	check(tn_packet_writer_event_at(packet, 8, late, &x, 1, &err), &err);
	check(tn_trace_writer_finish(w, &err), &err);
	tn_trace_writer_free(w);
	s = read_back(in_folder("trace"));
	cr_expect_eq(s.events, 2);
	cr_expect_eq(s.damages, 0, "%s", s.text);
}
