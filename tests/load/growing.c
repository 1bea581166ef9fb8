/*
 * growing.c - a set that grows while other threads read it: run under ThreadSanitizer (./check)
 *
 *	growing FOLDER
 *
 * A trace of three streams is written to FOLDER/all, and comes packet by packet to FOLDER/live, which is open. One thread takes
 * in what comes, tn_set_grow() with `alone` false; others scan, walk and seek meanwhile. In the end all events are there.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tnav/tnav.h>

#include "../make/drafting.h"

#define STREAMS 3
#define PACKET 512
#define EVENTS 20000

static struct tn_error err;
static struct tn_set *set;
static atomic_bool over;

static void
write_all(const char *folder)
{
	struct tn_packet_writer *packet[STREAMS];
	struct tn_trace_writer *w;
	struct tn_stream_class *sc;
	struct tn_event_class *event;
	struct tn_draft *d;

	check(tn_draft_new(&d, NULL, &err), &err);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 0, 0, true) });
	event = tn_draft_event_class(d, sc, "e", -1, NULL,
				     structure(d, 1, (const char *[]) { "x" }, (struct tn_type *[]) { tn_draft_uint(d, 64, 0, 10) }));
	check(tn_draft_finish(d, &err), &err);
	check(tn_trace_writer_new(&w, folder, d, TN_METADATA_CTF_1_8, &err), &err);
	for (unsigned i = 0; i < STREAMS; i++) {
		char name[] = { 's', (char)('0' + i), 0 };

		check(tn_trace_writer_stream(w, sc, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = name, .id = i, .packet_size = PACKET },
					     &packet[i], &err), &err);
	}
	for (uint64_t i = 0; i < EVENTS; i++) {
		struct tn_datum x = tn_datum_u(i);

		check(tn_packet_writer_event_at(packet[i % STREAMS], i * 1000, event, &x, 1, &err), &err);
	}
	check(tn_trace_writer_finish(w, &err), &err);
	tn_trace_writer_free(w);
	tn_draft_free(d);
}

/* Bytes [from, from + n) of a file to the end of another; how many there were. */
static size_t
come(const char *folder, const char *name, long from, size_t n)
{
	char path[4096], bytes[65536];
	FILE *in, *out;
	size_t got;

	snprintf(path, sizeof path, "%s/all/%s", folder, name);
	in = fopen(path, "rb");
	snprintf(path, sizeof path, "%s/live/%s", folder, name);
	out = fopen(path, "ab");
	if (!in || !out || fseek(in, from, SEEK_SET) != 0)
		exit(2);
	got = fread(bytes, 1, n < sizeof bytes ? n : sizeof bytes, in);
	if (fwrite(bytes, 1, got, out) != got || fclose(out) != 0)
		exit(2);
	fclose(in);
	return got;
}

static int
no_line(void *user, const char *text, size_t n)
{
	(void)user, (void)text, (void)n;
	return 0;
}

static void *
scans(void *user)
{
	struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_filter *filter;
	struct tn_text *text;
	struct tn_error why;

	check(tn_text_new(&text, set, &how, &why), &why);
	check(tn_filter_new(&filter, set, &why), &why);
	check(tn_filter_add(filter, "x > 7", &why), &why);
	while (!atomic_load(&over)) {
		uint64_t n;

		check(tn_scan(set, &(struct tn_scan_options) { TN_SCAN_OPTIONS, .text = text, .filter = filter, .lines = no_line, .threads = 2 },
			      &n, &why), &why);
		check(tn_count(set, NULL, &n, &why), &why);
	}
	tn_filter_free(filter);
	tn_text_free(text);
	return user;
}

static void *
walks(void *user)
{
	struct tn_error why;

	while (!atomic_load(&over)) {
		struct tn_cursor *cur;
		struct tn_row row;
		double share;
		enum tn_code rc;

		check(tn_cursor_new(&cur, set, &why), &why);
		rc = tn_cursor_last(cur, &why);
		for (unsigned i = 0; rc == TN_OK && i < 100; i++)
			rc = tn_cursor_prev(cur, &why);
		if (rc == TN_OK && tn_cursor_row(cur, &row))
			(void)tn_location_share(set, &row.location, &share);
		if (tn_cursor_seek(cur, 1000000, &why) < 0)
			exit(2);
		for (size_t i = 0; i < tn_set_stream_count(set); i++) {
			const struct tn_stream *s = tn_set_stream(set, i);

			(void)tn_stream_name(s);
			(void)tn_stream_path(s);
		}
		tn_cursor_free(cur);
	}
	return user;
}

int
main(int argc, char **argv)
{
	char path[4000];
	const char *paths[] = { path };
	pthread_t thread[3];
	struct tn_growth growth;
	uint64_t n = 0;
	bool more = true;

	if (argc != 2)
		return 2;
	snprintf(path, sizeof path, "%s/all", argv[1]);
	write_all(path);
	snprintf(path, sizeof path, "%s/live", argv[1]);
	if (mkdir(path, 0700) != 0)
		return 2;
	come(argv[1], "metadata", 0, SIZE_MAX);
	for (unsigned i = 0; i < STREAMS; i++)
		come(argv[1], (const char[]) { 's', (char)('0' + i), 0 }, 0, PACKET);
	check(tn_set_open(&set, paths, 1, &(struct tn_open_options) { TN_OPEN_OPTIONS, .growing = true, .no_index_cache = true }, &err), &err);
	for (unsigned i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, i ? walks : scans, NULL) != 0)
			return 2;
	for (long at = PACKET; more; at += PACKET) {
		more = false;
		for (unsigned i = 0; i < STREAMS; i++)
			more |= come(argv[1], (const char[]) { 's', (char)('0' + i), 0 }, at, PACKET) > 0;
		check(tn_set_grow(set, false, &growth, &err), &err);
	}
	atomic_store(&over, true);
	for (unsigned i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	check(tn_set_grow(set, true, &growth, &err), &err);
	check(tn_count(set, NULL, &n, &err), &err);
	tn_set_close(set);
	if (n != EVENTS)
		printf("growing: %llu events of %d\n", (unsigned long long)n, EVENTS);
	return n != EVENTS;
}
