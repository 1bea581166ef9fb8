#include "random_trace.h"

#include <stdlib.h>

#include <tnav/tnav.h>

#define STREAMS 3
#define BUFFER 2048
struct random_trace {
	struct tn_draft *draft;
	struct tn_stream_class *sc;
	struct tn_event_class *begin, *end, *turn, *entry, *exit;
	struct tn_packet_writer writer[STREAMS];
	uint8_t buffer[STREAMS][BUFFER];
	struct tn_str metadata, stream[STREAMS];
	struct tn_memory_file file[STREAMS + 1];
	uint64_t lost[STREAMS];
	uint64_t seed;
	bool failed;
	struct tn_error *err;
};

uint64_t
random_below(uint64_t *seed, uint64_t n)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return (*seed >> 33) % n;
}

static uint64_t
any(struct random_trace *trace, uint64_t n)
{
	return random_below(&trace->seed, n);
}

static struct tn_type *
members(struct tn_draft *d, const char *one, struct tn_type *t1, const char *two, struct tn_type *t2)
{
	struct tn_type *s = tn_draft_struct(d);

	tn_draft_member(d, s, one, t1);
	if (two)
		tn_draft_member(d, s, two, t2);
	return s;
}

static void
make_classes(struct random_trace *trace)
{
	struct tn_draft *d;
	struct tn_type *kind, *cpu;

	trace->failed = trace->failed || tn_draft_new(&trace->draft, NULL, trace->err) < 0;
	d = trace->draft;
	cpu = tn_draft_struct(d);
	tn_draft_member(d, cpu, "cpu_id", tn_draft_uint(d, 32, 0, 10));
	trace->sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 1000, 0, true), .packet_context = cpu,
	});
	kind = tn_draft_uint(d, 8, 0, 10);
	tn_draft_label(d, kind, "read", 0, 0);
	tn_draft_label(d, kind, "write", 1, 3);
	trace->begin = tn_draft_event_class(d, trace->sc, "work_begin", -1, NULL,
					    members(d, "id", tn_draft_uint(d, 32, 0, 10), "kind", kind));
	trace->end = tn_draft_event_class(d, trace->sc, "work_end", -1, NULL,
					  members(d, "id", tn_draft_uint(d, 32, 0, 10), NULL, NULL));
	trace->turn = tn_draft_event_class(d, trace->sc, "sched_switch", -1, NULL,
					   members(d, "next_tid", tn_draft_sint(d, 32, 0, 10), "next_comm", tn_draft_string(d)));
	trace->entry = tn_draft_event_class(d, trace->sc, "syscall_entry_read", -1, NULL,
					    members(d, "fd", tn_draft_uint(d, 32, 0, 10), NULL, NULL));
	trace->exit = tn_draft_event_class(d, trace->sc, "syscall_exit_read", -1, NULL,
					   members(d, "ret", tn_draft_sint(d, 32, 0, 10), NULL, NULL));
	trace->failed = trace->failed || tn_draft_finish(d, trace->err) < 0;
	trace->failed = trace->failed || tn_draft_metadata(d, TN_METADATA_CTF_1_8, &trace->metadata, trace->err) < 0;
}

static void
cut(struct random_trace *trace, size_t s, bool loses)
{
	struct tn_packet_says says = { TN_PACKET_SAYS, .has_discarded = true };

	if (!tn_packet_writer_is_open(&trace->writer[s]))
		return;
	trace->lost[s] += loses ? 1 + any(trace, 3) : 0;
	says.discarded = trace->lost[s];
	trace->failed = trace->failed || tn_packet_writer_close_as(&trace->writer[s], &says, trace->err) < 0;
	tn_str_add(&trace->stream[s], trace->buffer[s], BUFFER);
}

static void
put(struct random_trace *trace, size_t s, uint64_t ns, struct tn_event_class *ec, const struct tn_datum *data, size_t n)
{
	struct tn_datum cpu = tn_datum_u(s);

	if (!tn_packet_writer_is_open(&trace->writer[s]))
		trace->failed = trace->failed || tn_packet_writer_open(&trace->writer[s], &cpu, 1, trace->err) < 0;
	trace->failed = trace->failed || tn_packet_writer_event_at(&trace->writer[s], ns, ec, data, n, trace->err) < 0;
}

/* Spans that nest, end elsewhere, never, or never began; many at the same time; long ones without anything in them. */
static void
fill(struct random_trace *trace, size_t events)
{
	static const char *const comm[] = { "idle", "one", "one10", "one9", "on", "late" };
	size_t in_packet[STREAMS] = { 0 };
	uint64_t ns = 1000 + any(trace, 5000);

	for (size_t i = 0; i < events; i++) {
		size_t s = any(trace, STREAMS), tid = any(trace, 4);
		struct tn_datum d[2] = { tn_datum_u(any(trace, 6)) };
		bool is_late = i > events - events / 10;	/* new ones */

		ns += any(trace, 10) < 3 ? 0 : any(trace, 50) == 0 ? any(trace, 20000) : any(trace, 60);
		switch (any(trace, 10)) {
		case 0: case 1: case 2:
			d[1] = tn_datum_u(any(trace, 5) + (is_late ? 5 : 0));
			put(trace, s, ns, trace->begin, d, 2);
			break;
		case 3: case 4: case 5:
			put(trace, s, ns, trace->end, d, 1);
			break;
		case 6:
			d[0] = tn_datum_i((int64_t)tid);
			d[1] = tn_datum_text(comm[is_late && any(trace, 2) ? 5 : tid + any(trace, 2)]);
			put(trace, s, ns, trace->turn, d, 2);
			break;
		case 7: case 8:
			put(trace, s, ns, trace->entry, d, 1);
			break;
		default:
			d[0] = tn_datum_i(0);
			put(trace, s, ns, trace->exit, d, 1);
		}
		if (++in_packet[s] > 40 || any(trace, 30) == 0) {
			cut(trace, s, any(trace, 6) == 0);
			in_packet[s] = 0;
		}
	}
	for (size_t s = 0; s < STREAMS; s++)
		cut(trace, s, false);
}

struct random_trace *
random_trace_open(uint64_t number, size_t events, struct tn_set **set, struct tn_error *err)
{
	static const struct tn_packet_callbacks callbacks = { .close = NULL };
	static const char *const name[] = { "s0", "s1", "s2" };
	struct random_trace *trace = calloc(1, sizeof *trace);

	*set = NULL;
	*err = (struct tn_error) { .code = TN_OK };
	if (!trace)
		return NULL;
	trace->seed = number;
	trace->err = err;
	make_classes(trace);
	for (size_t s = 0; s < STREAMS && !trace->failed; s++)
		tn_packet_writer_init(&trace->writer[s], trace->sc, s, trace->buffer[s], BUFFER, &callbacks, NULL);
	if (!trace->failed)
		fill(trace, events);
	trace->file[0] = (struct tn_memory_file) { "metadata", trace->metadata.text, trace->metadata.n };
	for (size_t s = 0; s < STREAMS; s++)
		trace->file[s + 1] = (struct tn_memory_file) { name[s], trace->stream[s].text, trace->stream[s].n };
	if (!trace->failed && tn_set_open_memory(set, trace->file, STREAMS + 1, NULL, err) == TN_OK)
		return trace;
	random_trace_close(trace, NULL);
	return NULL;
}

void
random_trace_close(struct random_trace *trace, struct tn_set *set)
{
	tn_set_close(set);
	tn_draft_free(trace->draft);
	tn_str_release(&trace->metadata);
	for (size_t s = 0; s < STREAMS; s++)
		tn_str_release(&trace->stream[s]);
	free(trace);
}
