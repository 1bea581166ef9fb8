/* Traces that cannot be written: what is told, and that nothing is left open (tnav/writer.h). */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	/* It is there and is no folder: the metadata are not written. */
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
	file.name = "nosuch/s";
	cr_expect_eq(tn_trace_writer_stream(w, timed, &file, &bad, &err), TN_ERR_SYSTEM);
	cr_expect(strstr(err.text, "/trace/nosuch/s: No such file or directory"), "%s", err.text);
	cr_expect_null(bad);
	check(tn_packet_writer_event_at(good, 7, event, &x, 1, &err), &err);
	cr_expect_eq(tn_trace_writer_finish(w, &err), TN_OK, "%s", err.text);
	cr_expect_eq(tn_trace_writer_finish(w, &err), TN_OK, "it is finished already: %s", err.text);
	tn_trace_writer_free(w);
	cr_assert_eq(stat(in_folder("trace/s"), &st), 0);
	cr_expect_eq(st.st_size, 4096);
}

/* An index that cannot be made is told at the end; the stream is whole. */
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

/* What fails is told when it is finished, the first of all, with its file; who gives up loses what is in no packet yet. */
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
