/*
 * generate FOLDER EVENTS STREAMS [CLASSES]	write a trace for the benchmark with the packet writer
 * generate --cost			nanoseconds that one recorded event costs, of both writers
 *
 * Always the same bytes for the same arguments. Headers are LTTng's compact ones; the events look like a
 * shop's: a few numbers, a path, a float, sometimes a sequence. With CLASSES there are so many event classes, of the kinds
 * that the program of ../shared has (a number and an address, a request with a label, a sequence), each kind with up to
 * three bytes more in front.
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
#define MOST_CLASSES 1000
#define MOST_IN_FRONT 3

struct trace {
	struct tn_draft *draft;
	struct tn_stream_class *sc;
	struct tn_event_class *request, *item, *order;
	struct tn_event_class *class[MOST_CLASSES];
	unsigned classes;	/* 0: the three above */
};

/* The fields before those of class @i. */
static unsigned
in_front(unsigned i)
{
	return i / 3 % (MOST_IN_FRONT + 1);
}

static struct tn_type *
payload_of(struct tn_draft *d, unsigned i)
{
	static const char *const front[MOST_IN_FRONT] = { "a", "b", "c" };
	struct tn_type *t = tn_draft_struct(d), *state = tn_draft_uint(d, 8, 0, 10);

	tn_draft_label(d, state, "IDLE", 0, 0);
	tn_draft_label(d, state, "BUSY", 1, 1);
	tn_draft_label(d, state, "ERROR", 2, 9);
	for (unsigned k = 0; k < in_front(i); k++)
		tn_draft_member(d, t, front[k], tn_draft_uint(d, 8, 0, 10));
	tn_draft_member(d, t, "id", tn_draft_sint(d, 32, 0, 10));
	if (i % 3 == 0) {
		tn_draft_member(d, t, "addr", tn_draft_uint(d, 64, 0, 16));
	} else if (i % 3 == 1) {
		tn_draft_member(d, t, "path", tn_draft_string(d));
		tn_draft_member(d, t, "cost", tn_draft_float(d, 64, 0));
		tn_draft_member(d, t, "state", state);
	} else {
		tn_draft_member(d, t, "n", tn_draft_uint(d, 8, 0, 10));
		tn_draft_member(d, t, "data", tn_draft_sequence(d, "n", tn_draft_uint(d, 8, 0, 10)));
		tn_draft_member(d, t, "head", tn_draft_array(d, 4, tn_draft_uint(d, 8, 0, 10)));
	}
	return t;
}

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
		.header = t->classes ? TN_HEADER_LARGE : TN_HEADER_COMPACT,	/* as LTTng does it */
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
	for (unsigned i = 0; i < t->classes; i++) {
		static const char *const kind[] = { "tick", "request", "blob" };
		char name[32];

		snprintf(name, sizeof name, "shop:%s_%u", kind[i % 3], i / 3);
		t->class[i] = tn_draft_event_class(d, t->sc, name, 6, NULL, payload_of(d, i));
	}
	check(tn_draft_finish(d, &err), &err);
}

/* The same of many classes: three of five are ticks, and each comes as often as the others of its kind. */
static void
put_class(struct trace *t, struct tn_packet_writer *w, uint64_t i, unsigned stream, uint64_t clock)
{
	unsigned kind = i % 5 < 3 ? 0 : i % 5 - 2, of_kind = (t->classes + 2 - kind) / 3;
	unsigned class = (unsigned)(i * 2654435761u >> 9) % of_kind * 3 + kind;
	struct tn_datum d[24] = { tn_datum_i(4000), tn_datum_i(4001 + stream) };
	struct tn_error err = { 0 };
	char path[60];
	size_t n = 2;

	for (unsigned k = 0; k < in_front(class); k++)
		d[n++] = tn_datum_u((i + k) & 255);
	d[n++] = tn_datum_i((int64_t)(i / 5));
	if (kind == 0) {
		d[n++] = tn_datum_u(i * 4096);
	} else if (kind == 1) {
		d[n++] = tn_datum_bytes(path, (size_t)snprintf(path, sizeof path, "/api/v1/items/%" PRIu64 "?user=%" PRIu64, i / 5,
							       i % 10));
		d[n++] = tn_datum_f((double)(i % 10007) / 8);
		d[n++] = tn_datum_u(i / 5 % 5);
	} else {
		d[n++] = tn_datum_u(i / 5 % 8);
		for (unsigned k = 0; k < i / 5 % 8 + 4; k++)
			d[n++] = tn_datum_u(k);
	}
	check(tn_packet_writer_event_at(w, clock, t->class[class], d, n, &err), &err);
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
generate(const char *folder, uint64_t events, unsigned streams, unsigned classes)
{
	struct trace t = { .classes = classes };
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

		(classes ? put_class : put)(&t, w[s], i, s, clock += 120 + i * 31 % 400);
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
	static const int32_t array[16];
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
	for (unsigned i = 0; i < N; i++)
		tn_record_array(recorder, 7, TN_RECORD_I32, array, 16, sizeof *array);
	printf("ring recorder: %.1f ns an array of 16 int32 (counter)\n", (seconds() - begin) * 1e9 / N);
	begin = seconds();
	for (unsigned i = 0; i < N; i++)
		tn_record_text(recorder, 7, "a text of some length");
	printf("ring recorder: %.1f ns a text of 21 bytes (counter)\n", (seconds() - begin) * 1e9 / N);
	begin = seconds();
	for (unsigned i = 0; i < N; i++)
		tn_record_bytes(recorder, 7, array, 24);
	printf("ring recorder: %.1f ns 24 bytes (counter)\n", (seconds() - begin) * 1e9 / N);
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
	if (argc < 4 || argc > 5 || atoi(argv[3]) < 1 || (argc == 5 && (atoi(argv[4]) < 3 || atoi(argv[4]) > MOST_CLASSES))) {
		fprintf(stderr, "usage: generate FOLDER EVENTS STREAMS [CLASSES] | generate --cost; 3 to %d classes\n",
			MOST_CLASSES);
		return 2;
	}
	generate(argv[1], strtoull(argv[2], NULL, 10), (unsigned)atoi(argv[3]), argc == 5 ? (unsigned)atoi(argv[4]) : 0);
	return 0;
}
