/*
 * generate FOLDER SEED PLANT [REQUESTS]	write a trace in which one thing is known to differ
 *
 * Four threads serve requests (20000 together), each a stream: the request is parsed, a query is made, sometimes the cache
 * is asked. PLANT is none or, of what a second trace has in place of the first:
 *
 *	slower	queries are 5 % slower		tail	the slowest 2 % of the queries are three times slower
 *	more	10 % more questions of the cache	gone	no request has the status 404
 *	bursts	nothing; but load comes and goes, and everything is slower in the time of much load
 *
 * or a cause of slow requests (--why): value (shard 7), range (size 3000 to 4000), both (shard 7 and method PUT).
 * "bursts" may be added to any: slower+bursts.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/writer.h>

#include "../make/drafting.h"

#define THREADS 4
#define SLOWEST 2.054		/* of a normal distribution 2 % are above */

enum { REQUEST_BEGIN, REQUEST_END, PARSE_BEGIN, PARSE_END, QUERY_BEGIN, QUERY_END, CACHE, TICK, CLASSES };

struct trace {
	struct tn_draft *draft;
	struct tn_stream_class *sc;
	struct tn_event_class *class[CLASSES];
	const char *plant;
	bool bursts;
};

struct thread {
	const struct trace *t;
	struct tn_packet_writer *w;
	uint64_t seed, now, tick;
	int64_t tid;
	double load;
};

static double
any(struct thread *t)
{
	uint64_t x = t->seed += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return ((double)((x ^ x >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double
normal(struct thread *t)
{
	double r = sqrt(-2 * log(any(t)));

	return r * cos(6.283185307179586 * any(t));
}

static bool
is(const struct thread *t, const char *plant)
{
	return strcmp(t->t->plant, plant) == 0;
}

static struct tn_type *
fields(struct tn_draft *d, const char *names)
{
	struct tn_type *s = tn_draft_struct(d);
	char copy[200];

	snprintf(copy, sizeof copy, "%s", names);
	for (char *name = strtok(copy, " "); name; name = strtok(NULL, " "))
		tn_draft_member(d, s, name, strcmp(name, "method") == 0 ? tn_draft_string(d) : tn_draft_uint(d, 32, 0, 10));
	return s;
}

static void
draft(struct trace *t)
{
	static const struct { const char *name, *fields; } classes[CLASSES] = {
		{ "web:request_begin", "shard method size a b c d" }, { "web:request_end", "status" },
		{ "web:parse_begin", "n" }, { "web:parse_end", "n" }, { "db:query_begin", "table" }, { "db:query_end", "rows" },
		{ "cache:ask", "key" }, { "timer:tick", "n" },
	};
	struct tn_error err = { 0 };
	struct tn_draft *d;

	check(tn_draft_new(&d, NULL, &err), &err);
	t->draft = d;
	t->sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM,
		.clock = tn_draft_clock(d, "monotonic", 1000000000, 1764226800, 0, true),
		.header = TN_HEADER_COMPACT, .common_context = fields(d, "vtid"),
	});
	for (size_t i = 0; i < CLASSES; i++)
		t->class[i] = tn_draft_event_class(d, t->sc, classes[i].name, -1, NULL, fields(d, classes[i].fields));
	check(tn_draft_finish(d, &err), &err);
}

static void
put(struct thread *t, int class, const struct tn_datum *data, size_t n)
{
	struct tn_datum all[9] = { tn_datum_i(t->tid) };
	struct tn_error err = { 0 };

	memcpy(all + 1, data, n * sizeof *data);
	check(tn_packet_writer_event_at(t->w, t->now, t->t->class[class], all, n + 1, &err), &err);
}

static void
put_number(struct thread *t, int class, double x)
{
	put(t, class, (const struct tn_datum[]) { tn_datum_u((uint64_t)x) }, 1);
}

/* Time passes; ticks are regular. */
static void
pass(struct thread *t, double ns)
{
	uint64_t until = t->now + (uint64_t)(ns * t->load) + 1;

	while (t->tick < until) {
		t->now = t->tick > t->now ? t->tick : t->now;
		put_number(t, TICK, 1);
		t->tick += 1000000;
	}
	t->now = until;
}

/* Load changes slowly, and by a factor: parts of a second are alike. */
static void
change_load(struct thread *t)
{
	if (t->t->bursts && any(t) < 0.01)
		t->load = exp(0.4 * normal(t));
}

static void
query(struct thread *t)
{
	double how = normal(t), ns = 200000 * exp(0.4 * how);

	if (is(t, "slower"))
		ns *= 1.05;
	if (is(t, "tail") && how > SLOWEST)
		ns *= 3;
	put_number(t, QUERY_BEGIN, any(t) * 10);
	pass(t, ns);
	put_number(t, QUERY_END, any(t) * 100);
}

static double
slow_part(struct thread *t, unsigned shard, const char *method, unsigned size)
{
	bool slow = is(t, "value") ? shard == 7 : is(t, "range") ? size >= 3000 && size < 4000 :
		    is(t, "both") ? shard == 7 && strcmp(method, "PUT") == 0 :
		    is(t, "nothing") || is(t, "during") || is(t, "before") ? any(t) < 0.05 : false;

	return slow && any(t) < 0.8 ? 5000000 * (0.5 + any(t)) : any(t) < 0.005 ? 5000000 * (0.5 + any(t)) : 0;
}

static void
ask(struct thread *t, unsigned times, double ns)
{
	for (unsigned i = 0; i < times; i++) {
		put_number(t, CACHE, any(t) * 1000);
		pass(t, ns / times);
	}
}

static void
request(struct thread *t)
{
	static const char *const methods[] = { "GET", "GET", "GET", "POST", "PUT", "HEAD" };
	const char *method = methods[(size_t)(any(t) * 6)];
	unsigned shard = (unsigned)(any(t) * 16), size = (unsigned)(1000 * exp(0.8 * normal(t))), status;
	double slow = slow_part(t, shard, method, size), how = any(t);

	if (slow > 0 && is(t, "before"))
		ask(t, 3, 10000);
	put(t, REQUEST_BEGIN, (const struct tn_datum[]) {
		tn_datum_u(shard), tn_datum_text(method), tn_datum_u(size), tn_datum_u((uint64_t)(any(t) * 4)),
		tn_datum_u((uint64_t)(any(t) * 40)), tn_datum_u((uint64_t)(any(t) * 4000000)), tn_datum_u((uint64_t)(any(t) * 2)) }, 7);
	put_number(t, PARSE_BEGIN, 1);
	pass(t, 50000 * exp(0.5 * normal(t)));
	put_number(t, PARSE_END, 1);
	if (any(t) < 0.5 * (is(t, "more") ? 1.1 : 1))
		put_number(t, CACHE, any(t) * 1000);
	query(t);
	if (slow > 0 && is(t, "during"))
		ask(t, 10, slow);
	else
		pass(t, slow);
	pass(t, -30000 * log(any(t)));
	status = how < 0.9 ? 200 : how < 0.95 ? 301 : how < 0.97 ? 404 : 500;
	put_number(t, REQUEST_END, status == 404 && is(t, "gone") ? 200 : status);
	pass(t, -300000 * log(any(t)));
}

int
main(int argc, char **argv)
{
	struct trace trace = { .plant = "none" };
	struct tn_trace_writer *tw;
	struct tn_error err = { 0 };
	char *plus, name[24];
	unsigned requests;

	if (argc < 4) {
		fprintf(stderr, "usage: generate FOLDER SEED PLANT [REQUESTS]\n");
		return 2;
	}
	requests = argc > 4 ? (unsigned)atoi(argv[4]) : 20000;
	trace.plant = argv[3];
	trace.bursts = strstr(argv[3], "bursts") != NULL;
	plus = strchr(argv[3], '+');
	if (plus)
		*plus = '\0';
	draft(&trace);
	check(tn_trace_writer_new(&tw, argv[1], trace.draft, TN_METADATA_CTF_1_8, &err), &err);
	for (unsigned i = 0; i < THREADS; i++) {
		struct thread t = { .t = &trace, .tid = 100 + i, .load = 1, .now = 1000000, .tick = 1000000 };

		t.seed = (uint64_t)atoll(argv[2]) * 1000003 + i * UINT64_C(7777777777777);
		snprintf(name, sizeof name, "ch0_%u", i);
		check(tn_trace_writer_stream(tw, trace.sc, &(struct tn_output_stream) {
			TN_OUTPUT_STREAM, .name = name, .id = i, .packet_size = 64 * 1024 }, &t.w, &err), &err);
		for (unsigned k = 0; k < requests / THREADS; k++) {
			change_load(&t);
			request(&t);
		}
	}
	check(tn_trace_writer_finish(tw, &err), &err);
	tn_trace_writer_free(tw);
	tn_draft_free(trace.draft);
	return 0;
}
