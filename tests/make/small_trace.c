#include "small_trace.h"

#include <stdlib.h>

#define BUFFER 4096

struct maker {
	struct small_trace *trace;
	struct tn_draft *draft;
	struct tn_stream_class *sc;
	struct tn_event_class *begin, *end, *entry, *exit, *turn, *sample;
	struct tn_packet_writer writer[2];
	uint8_t buffer[2][BUFFER];
	bool failed;
	struct tn_error *err;
};

static struct tn_type *
one(struct tn_draft *d, const char *name, struct tn_type *type)
{
	struct tn_type *s = tn_draft_struct(d);

	tn_draft_member(d, s, name, type);
	return s;
}

static void
make_draft(struct maker *m)
{
	struct tn_draft *d = m->draft;
	struct tn_type *t, *kind;

	tn_draft_env_text(d, "hostname", "small");
	tn_draft_env_number(d, "vpid", 7);
	m->sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000000, 1000, 0, true),
		.packet_context = one(d, "cpu_id", tn_draft_uint(d, 32, 0, 10)),
		.common_context = one(d, "vtid", tn_draft_sint(d, 32, 0, 10)),
	});
	kind = tn_draft_uint(d, 8, 0, 10);
	tn_draft_label(d, kind, "read", 0, 0);
	tn_draft_label(d, kind, "write", 1, 3);
	t = tn_draft_struct(d);
	tn_draft_member(d, t, "id", tn_draft_uint(d, 64, 0, 10));
	tn_draft_member(d, t, "kind", kind);
	tn_draft_member(d, t, "what", tn_draft_string(d));
	m->begin = tn_draft_event_class(d, m->sc, "req_begin", 6, NULL, t);
	t = tn_draft_struct(d);
	tn_draft_member(d, t, "id", tn_draft_uint(d, 64, 0, 10));
	tn_draft_member(d, t, "ret", tn_draft_sint(d, 32, 0, 10));
	m->end = tn_draft_event_class(d, m->sc, "req_end", 6, NULL, t);
	m->entry = tn_draft_event_class(d, m->sc, "irq_handler_entry", -1, NULL, one(d, "irq", tn_draft_uint(d, 32, 0, 16)));
	m->exit = tn_draft_event_class(d, m->sc, "irq_handler_exit", -1, NULL, one(d, "irq", tn_draft_uint(d, 32, 0, 16)));
	t = tn_draft_struct(d);
	tn_draft_member(d, t, "prev_tid", tn_draft_sint(d, 32, 0, 10));
	tn_draft_member(d, t, "next_tid", tn_draft_sint(d, 32, 0, 10));
	m->turn = tn_draft_event_class(d, m->sc, "sched_switch", -1, NULL, t);
	t = tn_draft_struct(d);
	tn_draft_member(d, t, "f", tn_draft_float(d, 64, 0));
	tn_draft_member(d, t, "n", tn_draft_uint(d, 8, 0, 10));
	tn_draft_member(d, t, "a", tn_draft_sequence(d, "n", tn_draft_sint(d, 16, 0, 10)));
	tn_draft_member(d, t, "bits", tn_draft_uint(d, 5, 0, 2));
	m->sample = tn_draft_event_class(d, m->sc, "sample", 3, one(d, "depth", tn_draft_uint(d, 16, 0, 10)), t);
}

static void
put(struct maker *m, int cpu, uint64_t us, struct tn_event_class *ec, const struct tn_datum *data, size_t n)
{
	struct tn_datum cpu_id = tn_datum_u((uint64_t)cpu);

	if (m->failed)
		return;
	if (!tn_packet_writer_is_open(&m->writer[cpu]))
		m->failed = tn_packet_writer_open(&m->writer[cpu], &cpu_id, 1, m->err) < 0;
	m->failed = m->failed || tn_packet_writer_event_at(&m->writer[cpu], 1000 * us, ec, data, n, m->err) < 0;
}

/* The packet ends; @discarded as its counter. */
static void
cut(struct maker *m, int cpu, uint64_t discarded)
{
	struct tn_packet_says says = { TN_PACKET_SAYS, .has_discarded = true, .discarded = discarded };

	if (m->failed || tn_packet_writer_close_as(&m->writer[cpu], &says, m->err) < 0) {
		m->failed = true;
		return;
	}
	tn_str_add(&m->trace->stream[cpu], m->buffer[cpu], BUFFER);
	m->failed = m->trace->stream[cpu].failed;
}

static void
begin(struct maker *m, int cpu, uint64_t us, int64_t tid, uint64_t id, uint64_t kind, const char *what)
{
	const struct tn_datum d[] = { tn_datum_i(tid), tn_datum_u(id), tn_datum_u(kind), tn_datum_text(what) };

	put(m, cpu, us, m->begin, d, 4);
}

static void
end(struct maker *m, int cpu, uint64_t us, int64_t tid, uint64_t id, int64_t ret)
{
	const struct tn_datum d[] = { tn_datum_i(tid), tn_datum_u(id), tn_datum_i(ret) };

	put(m, cpu, us, m->end, d, 3);
}

static void
irq(struct maker *m, int cpu, uint64_t us, bool exit, uint64_t n)
{
	const struct tn_datum d[] = { tn_datum_i(0), tn_datum_u(n) };

	put(m, cpu, us, exit ? m->exit : m->entry, d, 2);
}

static void
turn(struct maker *m, int cpu, uint64_t us, int64_t from, int64_t to)
{
	const struct tn_datum d[] = { tn_datum_i(from), tn_datum_i(from), tn_datum_i(to) };

	put(m, cpu, us, m->turn, d, 3);
}

static void
sample(struct maker *m, int cpu, uint64_t us, int64_t tid, double f)
{
	const struct tn_datum d[] = { tn_datum_i(tid), tn_datum_u(us & 7), tn_datum_f(f), tn_datum_u(3), tn_datum_i(-1),
				      tn_datum_i(0), tn_datum_i((int64_t)(us & 1023)), tn_datum_u(us & 31) };

	put(m, cpu, us, m->sample, d, 8);
}

static void
fill(struct maker *m)
{
	turn(m, 0, 0, 1, 11);
	turn(m, 1, 5, 2, 12);
	begin(m, 0, 10, 11, 1, 0, "one");
	begin(m, 1, 20, 12, 2, 1, "two");
	irq(m, 0, 30, false, 17);
	begin(m, 0, 31, 11, 3, 2, "three");	/* inside of one */
	irq(m, 0, 35, true, 17);
	end(m, 0, 40, 11, 3, -2);
	sample(m, 1, 45, 12, 0.5);
	turn(m, 1, 50, 12, 11);
	end(m, 1, 60, 11, 1, 0);	/* begun on the other processor */
	sample(m, 1, 61, 11, -1e300);
	cut(m, 0, 0);
	cut(m, 1, 0);
	begin(m, 0, 1000, 13, 4, 3, "four");
	end(m, 0, 1500, 13, 99, 1);	/* begun never */
	irq(m, 0, 1600, false, 18);
	cut(m, 0, 2);			/* two were lost */
	end(m, 0, 30000, 13, 4, 7);
	irq(m, 0, 30001, true, 18);
	begin(m, 1, 30001, 12, 5, 0, "");	/* ends never */
	sample(m, 1, 39999, 12, 3);
	end(m, 1, 40000, 12, 2, 2);
	cut(m, 0, 2);
	cut(m, 1, 0);
}

bool
small_trace_make(struct small_trace *t, struct tn_error *err)
{
	static const struct tn_packet_callbacks callbacks = { .close = NULL };
	struct maker *m = calloc(1, sizeof *m);
	bool made;

	*t = (struct small_trace) { .file = { { .name = NULL } } };
	*err = (struct tn_error) { .code = TN_OK };
	if (!m || tn_draft_new(&m->draft, NULL, err) < 0) {
		free(m);
		return false;
	}
	m->trace = t;
	m->err = err;
	make_draft(m);
	m->failed = tn_draft_finish(m->draft, err) < 0 ||
		    tn_draft_metadata(m->draft, TN_METADATA_CTF_1_8, &t->metadata, err) < 0;
	for (size_t i = 0; i < 2 && !m->failed; i++)
		tn_packet_writer_init(&m->writer[i], m->sc, i, m->buffer[i], BUFFER, &callbacks, NULL);
	if (!m->failed)
		fill(m);
	t->file[0] = (struct tn_memory_file) { "metadata", t->metadata.text, t->metadata.n };
	t->file[1] = (struct tn_memory_file) { "s0", t->stream[0].text, t->stream[0].n };
	t->file[2] = (struct tn_memory_file) { "s1", t->stream[1].text, t->stream[1].n };
	made = !m->failed && !t->metadata.failed;
	tn_draft_free(m->draft);
	free(m);
	return made;
}

void
small_trace_release(struct small_trace *t)
{
	tn_str_release(&t->metadata);
	tn_str_release(&t->stream[0]);
	tn_str_release(&t->stream[1]);
}

bool
small_trace_open(struct small_trace *t, struct tn_set **set, struct tn_error *err)
{
	*set = NULL;
	return small_trace_make(t, err) && tn_set_open_memory(set, t->file, sizeof t->file / sizeof *t->file, NULL, err) == TN_OK;
}
