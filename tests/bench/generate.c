/*
 * generate FOLDER EVENTS STREAMS	write a trace for the benchmark with the packet writer
 * generate --cost			nanoseconds that one recorded event costs, of both writers
 *
 * Always the same bytes for the same arguments. Headers are LTTng's compact ones; the events look like a
 * shop's: a few numbers, a path, a float, sometimes a sequence.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tnav/recorder.h>
#include <tnav/writer.h>

#include "../make/drafting.h"

#define PACKET_SIZE (256 * 1024)
#define MANY_STREAMS 200

struct trace {
	struct tn_draft *draft;
	struct tn_stream_class *sc;
	struct tn_event_class *request, *item, *order;
};

static void
draft(struct trace *t)
{
	static const uint8_t uuid[16] = { 0xbe, 0x4c, 0x40, 0x01, 7 };
	struct tn_error err = { 0 };
	struct tn_draft *d;

	check(tn_draft_new(&d, &(struct tn_draft_options) { TN_DRAFT_OPTIONS, .uuid = uuid }, &err), &err);
	t->draft = d;
	tn_draft_env_text(d, "hostname", "bench");
	t->sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM,
		.clock = tn_draft_clock(d, "monotonic", 1000000000, 1764226800, 0, true),
		.header = TN_HEADER_COMPACT,
		.packet_context = structure(d, 1, (const char *[]) { "cpu_id" },
					    (struct tn_type *[]) { tn_draft_uint(d, 32, 0, 10) }),
		.common_context = structure(d, 2, (const char *[]) { "vpid", "vtid" }, (struct tn_type *[]) {
			tn_draft_sint(d, 32, 0, 10), tn_draft_sint(d, 32, 0, 10) }),
	});
	t->request = tn_draft_event_class(d, t->sc, "shop:request", 6, NULL,
		structure(d, 3, (const char *[]) { "id", "path", "status" }, (struct tn_type *[]) {
			tn_draft_uint(d, 64, 0, 10), tn_draft_string(d), tn_draft_uint(d, 16, 0, 10) }));
	t->item = tn_draft_event_class(d, t->sc, "shop:item", 7, NULL,
		structure(d, 3, (const char *[]) { "item", "price", "flags" }, (struct tn_type *[]) {
			tn_draft_uint(d, 32, 0, 10), tn_draft_float(d, 64, 0), tn_draft_uint(d, 16, 0, 16) }));
	t->order = tn_draft_event_class(d, t->sc, "shop:order", 5, NULL,
		structure(d, 3, (const char *[]) { "order", "n", "items" }, (struct tn_type *[]) {
			tn_draft_uint(d, 64, 0, 10), tn_draft_uint(d, 8, 0, 10),
			tn_draft_sequence(d, "n", tn_draft_uint(d, 32, 0, 10)) }));
	check(tn_draft_finish(d, &err), &err);
}

/* Event number @i: one of 3 kinds, by its number. */
static void
put(struct trace *t, struct tn_packet_writer *w, uint64_t i, unsigned stream, uint64_t clock)
{
	struct tn_error err = { 0 };
	struct tn_datum d[8] = { tn_datum_i(4000), tn_datum_i(4001 + stream) };
	const struct tn_event_class *ec = i % 10 == 0 ? t->order : i % 3 == 0 ? t->item : t->request;
	char path[40];
	size_t n = 2;

	if (ec == t->request) {
		d[n++] = tn_datum_u(i);
		d[n++] = tn_datum_bytes(path, (size_t)snprintf(path, sizeof path, "/items/%" PRIu64, i * 7919 % 1000000));
		d[n++] = tn_datum_u(i % 97 ? 200 : 404);
	} else if (ec == t->item) {
		d[n++] = tn_datum_u(i & 0xffffffff);
		d[n++] = tn_datum_f((double)(i % 10007) / 8);
		d[n++] = tn_datum_u(i & 0xffff);
	} else {
		d[n++] = tn_datum_u(i);
		d[n++] = tn_datum_u(i / 10 % 4);
		for (unsigned k = 0; k < i / 10 % 4; k++)
			d[n++] = tn_datum_u(k * 1000);
	}
	check(tn_packet_writer_event_at(w, clock, ec, d, n, &err), &err);
}

static void
generate(const char *folder, uint64_t events, unsigned streams)
{
	struct trace t = { 0 };
	struct tn_trace_writer *tw;
	struct tn_packet_writer **w = calloc(streams, sizeof(struct tn_packet_writer *));
	struct tn_datum *cpu = calloc(streams, sizeof *cpu);
	struct tn_error err = { 0 };
	uint64_t clock = 0;

	draft(&t);
	check(tn_trace_writer_new(&tw, folder, t.draft, TN_METADATA_CTF_1_8, &err), &err);
	for (unsigned i = 0; i < streams; i++) {
		char name[24];

		snprintf(name, sizeof name, "ch0_%u", i);
		cpu[i] = tn_datum_u(i);
		check(tn_trace_writer_stream(tw, t.sc, &(struct tn_output_stream) {
			TN_OUTPUT_STREAM,
			.name = name, .id = i, .packet_size = PACKET_SIZE, .context = &cpu[i], .n_context = 1 }, &w[i], &err), &err);
	}
	/* A stream stays ahead for a few events, then another; of hundreds each event is of another one. */
	for (uint64_t i = 0; i < events; i++) {
		unsigned s = (unsigned)((streams < MANY_STREAMS ? i / 5 : i) * 2654435761u >> 7) % streams;

		put(&t, w[s], i, s, clock += 120 + i * 31 % 400);
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(t.draft);
	free(cpu);
	free(w);
}

/* ---- cost ---- */

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static struct tn_packet_writer writer;

static void
drop_packet(void *user)
{
	(void)user;
	tn_packet_writer_close(&writer);
}

static uint64_t
now_ns(void *user)
{
	struct timespec ts;

	(void)user;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static uint32_t
now_32(void *user)
{
	return (uint32_t)now_ns(user);
}

static void
cost(void)
{
	enum { N = 3000000 };
	static const struct tn_packet_callbacks callbacks = { .clock = now_ns, .close = drop_packet };
	struct tn_datum cpu = tn_datum_u(0), d[5] = { tn_datum_i(1), tn_datum_i(2) };
	struct tn_recorder *recorder;
	struct tn_error err = { 0 };
	struct trace t = { 0 };
	void *buffer = malloc(PACKET_SIZE);
	double begin;

	draft(&t);
	(void)cpu;
	tn_packet_writer_init(&writer, t.sc, 0, buffer, PACKET_SIZE, &callbacks, NULL);
	check(tn_packet_writer_open(&writer, &cpu, 1, &err), &err);
	begin = seconds();
	for (unsigned i = 0; i < N; i++) {
		d[2] = tn_datum_u(i);
		d[3] = tn_datum_f(i);
		d[4] = tn_datum_u(i & 0xffff);
		if (!tn_packet_writer_is_open(&writer))
			check(tn_packet_writer_open(&writer, &cpu, 1, &err), &err);
		tn_packet_writer_event(&writer, t.item, d, 5, &err);
	}
	printf("packet writer: %.1f ns an event (5 values, two of them contexts; clock_gettime)\n", (seconds() - begin) * 1e9 / N);
	check(tn_recorder_new(&recorder, NULL, 1 << 20, 64, &err), &err);
	tn_recorder_set_clock(recorder, now_32, NULL);
	begin = seconds();
	for (unsigned i = 0; i < N; i++)
		tn_record_u64(recorder, 7, i);
	printf("ring recorder: %.1f ns a record (1 value, clock_gettime)\n", (seconds() - begin) * 1e9 / N);
	tn_recorder_set_clock(recorder, NULL, NULL);
	begin = seconds();
	for (unsigned i = 0; i < N; i++)
		tn_record_i32(recorder, 7, (int32_t)i);
	printf("ring recorder: %.1f ns an int32 (counter)\n", (seconds() - begin) * 1e9 / N);
	begin = seconds();
	for (unsigned i = 0; i < N; i++)
		tn_record_double(recorder, 7, i);
	printf("ring recorder: %.1f ns a double (counter)\n", (seconds() - begin) * 1e9 / N);
	begin = seconds();
	for (unsigned i = 0; i < N; i++) {
		(void)!tn_record_begin(recorder, 7);
		tn_record_i32(recorder, 8, (int32_t)i);
		tn_record_i32(recorder, 9, (int32_t)i);
		tn_record_end(recorder);
	}
	printf("ring recorder: %.1f ns a bundle of two int32 (counter)\n", (seconds() - begin) * 1e9 / N);
	begin = seconds();
	for (unsigned i = 0; i < N; i++)
		now_ns(NULL);
	printf("clock_gettime alone: %.1f ns\n", (seconds() - begin) * 1e9 / N);
	tn_recorder_free(recorder);
	tn_draft_free(t.draft);
	free(buffer);
}

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--cost") == 0) {
		cost();
		return 0;
	}
	if (argc != 4 || atoi(argv[3]) < 1) {
		fprintf(stderr, "usage: generate FOLDER EVENTS STREAMS | generate --cost\n");
		return 2;
	}
	generate(argv[1], strtoull(argv[2], NULL, 10), (unsigned)atoi(argv[3]));
	return 0;
}
