/* Spans that a format knows (lib/model/pairs.h): begins, ends, events that are spans; before any rule of names. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <tnav/tnav.h>

#include "model/pairs.h"
#include "model/trace.h"

static struct tn_set *set;
static struct tn_error err;
static struct tn_str metadata;
static uint64_t buffer[512];

static const struct tn_span_kind slice = { .name = "slice", .by = "vtid", .duration = "dur" };
static const struct tn_span_kind queue = { .name = "queue", .by = "id", .rule = "fifo" };

/* Times in microseconds. */
static void
put(struct tn_packet_writer *w, uint64_t us, struct tn_event_class *ec, int64_t tid, uint64_t value)
{
	const struct tn_datum d[] = { tn_datum_i(tid), tn_datum_u(value) };

	cr_assert_eq(tn_packet_writer_event_at(w, us, ec, d, 2, &err), TN_OK, "%s", err.text);
}

static struct tn_event_class *
class(struct tn_draft *d, struct tn_stream_class *sc, const char *name, const char *field)
{
	struct tn_type *t = tn_draft_struct(d);

	tn_draft_member(d, t, field, tn_draft_uint(d, 64, 0, 10));
	return tn_draft_event_class(d, sc, name, -1, NULL, t);
}

static void
open_set(void)
{
	static const struct tn_packet_callbacks callbacks = { .close = NULL };
	static const struct { const char *name; const struct tn_span_kind *kind; enum tn_span_part part; } parts[] = {
		{ "go_begin", &slice, TN_SPAN_PART_BEGIN }, { "go_end", &slice, TN_SPAN_PART_END }, { "job", &slice, TN_SPAN_PART_WHOLE },
		{ "in", &queue, TN_SPAN_PART_BEGIN }, { "out", &queue, TN_SPAN_PART_END },
	};
	struct tn_event_class *begin, *end, *job, *in, *out;
	struct tn_packet_writer w;
	struct tn_memory_file file[2];
	struct tn_stream_class *sc;
	struct tn_draft *d;
	struct tn_type *context;

	cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
	context = tn_draft_struct(d);
	tn_draft_member(d, context, "vtid", tn_draft_sint(d, 32, 0, 10));
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(d, "c", 1000000, 0, 0, true), .common_context = context,
	});
	begin = class(d, sc, "go_begin", "id");
	end = class(d, sc, "go_end", "id");
	job = class(d, sc, "job", "dur");
	in = class(d, sc, "in", "id");
	out = class(d, sc, "out", "id");
	cr_assert_eq(tn_draft_finish(d, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_draft_metadata(d, TN_METADATA_CTF_1_8, &metadata, &err), TN_OK, "%s", err.text);
	tn_packet_writer_init(&w, sc, 0, buffer, sizeof buffer, &callbacks, NULL);
	cr_assert_eq(tn_packet_writer_open(&w, NULL, 0, &err), TN_OK);
	put(&w, 10, job, 1, 90000);	/* to 100 */
	put(&w, 10, job, 1, 20000);	/* inside, to 30 */
	put(&w, 20, begin, 1, 0);
	put(&w, 20, in, 1, 7);
	put(&w, 25, in, 1, 7);
	put(&w, 30, job, 2, 0);
	put(&w, 40, end, 1, 0);
	put(&w, 50, out, 1, 7);
	put(&w, 60, job, 2, 1000000);	/* beyond the last event */
	put(&w, 70, out, 1, 7);
	put(&w, 80, end, 2, 0);		/* begun never */
	tn_packet_writer_close(&w);
	file[0] = (struct tn_memory_file) { "metadata", metadata.text, metadata.n };
	file[1] = (struct tn_memory_file) { "s", buffer, sizeof buffer };
	cr_assert_eq(tn_set_open_memory(&set, file, 2, NULL, &err), TN_OK, "%s", err.text);
	tn_draft_free(d);
	for (size_t i = 0; i < set->trace[0]->n_event_classes; i++)
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
			if (strcmp(set->trace[0]->event_class[i]->name, parts[k].name) == 0) {
				set->trace[0]->event_class[i]->span_kind = parts[k].kind;
				set->trace[0]->event_class[i]->span_part = parts[k].part;
			}
}

static void
close_set(void)
{
	tn_set_close(set);
	tn_str_release(&metadata);
}

TestSuite(kinds, .init = open_set, .fini = close_set);

static int
on_span(void *user, const struct tn_span *s)
{
	struct tn_str *out = user;

	tn_str_printf(out, "%s %s", s->name, tn_span_state_name(s->state));
	if (s->has_begin)
		tn_str_printf(out, " %" PRId64, s->begin_ns / 1000);
	tn_str_puts(out, "-");
	if (s->has_end)
		tn_str_printf(out, "%" PRId64 "%s", s->end_ns / 1000, s->is_at_end ? "" : "!");
	for (size_t i = 0; i < s->n_keys; i++) {
		tn_str_puts(out, i ? "," : " ");
		tn_answer_value_text(&s->key[i], out);
	}
	for (size_t i = 0; i < s->n_captured; i++) {
		tn_str_puts(out, " ");
		tn_answer_value_text(&s->captured[i], out);
	}
	tn_str_puts(out, "\n");
	return 0;
}

static void
expect(const char *definition, enum tn_span_order order, const char *want)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_str got = { 0 };
	struct tn_spans *spans;

	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	cr_assert_eq(tn_spans_add(spans, definition, &err), TN_OK, "%s", err.text);
	for (o.threads = 1; o.threads < 4; o.threads += 2) {
		tn_str_clear(&got);
		cr_assert_eq(tn_spans_run(spans, &o, order, on_span, &got, NULL, &err), TN_OK, "%s", err.text);
		cr_expect_str_eq(tn_str_text(&got), want, "%s:\n%s", definition, tn_str_text(&got));
	}
	tn_str_release(&got);
	tn_spans_free(spans);
}

Test(kinds, spans)
{
	expect("@slice", TN_SPANS_BY_BEGIN,
	       "job closed 10-100! 1\njob closed 10-30! 1\ngo_begin closed 20-40 1\njob closed 30-30! 2\n"
	       "job closed 60-1060! 2\ngo_end orphan-80 2\n");
	/* A whole span is reported at its end; of two that end together, the inner one first. */
	expect("@slice", TN_SPANS_BY_END,
	       "job closed 10-30! 1\njob closed 30-30! 2\ngo_begin closed 20-40 1\ngo_end orphan-80 2\n"
	       "job closed 10-100! 1\njob closed 60-1060! 2\n");
	/* The rule and the key of the kind, or of the definition; conditions and shown fields. */
	expect("@queue", TN_SPANS_BY_END, "in closed 20-50 7\nin closed 25-70 7\n");
	expect("@queue nested by vtid", TN_SPANS_BY_END, "in closed 25-50 1\nin closed 20-70 1\n");
	expect("@slice show dur as S where closed and dur > 30us", TN_SPANS_BY_BEGIN, "S closed 10-100! 1 90000\nS closed 60-1060! 2 1000000\n");
	/* All kinds. */
	expect("@ where dur == 30us or dur == 20us", TN_SPANS_BY_BEGIN,
	       "job closed 10-30! 1\ngo_begin closed 20-40 1\nin closed 20-50 7\n");
}

Test(kinds, come_before_names)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_pairs *pairs;

	cr_assert_eq(tn_pairs_new(&pairs, set, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_pairs_count(pairs), 2);
	cr_expect_str_eq(tn_pairs_definition(pairs, 0), "@slice");
	cr_expect_str_eq(tn_pairs_definition(pairs, 1), "@queue");
	cr_assert_eq(tn_pairs_look(pairs, &o, &err), TN_OK, "%s", err.text);
	cr_expect_eq(tn_pairs_met(pairs), 2);
	tn_pairs_free(pairs);
}

Test(kinds, that_are_wrong)
{
	static const struct { const char *definition, *want; } rows[] = {
		{ "@slise", "'@slise', column 1: these traces define no spans '@slise': the nearest name is '@slice'" },
		{ "  @ by nothing", "column 11: no event has a field 'nothing'" },
	};
	struct tn_spans *spans;

	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect_eq(tn_spans_add(spans, rows[i].definition, &err), TN_ERR_ARGUMENT);
		cr_expect(strstr(err.text, rows[i].want), "%s", err.text);
	}
	for (size_t i = 0; i < set->trace[0]->n_event_classes; i++)
		set->trace[0]->event_class[i]->span_kind = NULL;
	cr_expect_eq(tn_spans_add(spans, "@", &err), TN_ERR_ARGUMENT);
	cr_expect(strstr(err.text, "define no spans"), "%s", err.text);
	tn_spans_free(spans);
}

/* The state of a lane is the last whole span that has begun and has not ended, up to the window's end. */
Test(kinds, lanes)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_lanes_picture p;
	struct tn_lanes *lanes;
	struct tn_str got = { 0 };

	cr_assert_eq(tn_lanes_new(&lanes, set, "(@slice) by vtid", &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_lanes_run(lanes, &o, 0, 120000, 12, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_lanes_picture(&p, lanes, NULL, &err), TN_OK);
	for (size_t i = 0; i < p.lanes; i++) {
		for (size_t c = 0; c < 12; c++) {
			const char *state = p.state[p.lane[i].cell[c] & TN_LANE_STATE].name;

			tn_str_printf(&got, "%c", state ? *state : '.');
		}
		tn_str_puts(&got, "\n");
	}
	cr_expect_str_eq(tn_str_text(&got), ".jggjjjjjj..\n......jjjjjj\n", "%s", tn_str_text(&got));
	tn_str_release(&got);
	tn_lanes_free(lanes);
}

/* A whole span is in its thread's stack to its end, wherever it is in the stack; the last ones end after all events. */
Test(kinds, stacks)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_flame *flame;
	struct tn_flame_node n;
	struct tn_spans *spans;
	struct tn_str got = { 0 };

	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	cr_assert_eq(tn_spans_add(spans, "@slice", &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_flame_of_spans(&flame, spans, &o, &err), TN_OK, "%s", err.text);
	for (size_t i = 1; tn_flame_node(flame, i, &n); i++) {
		tn_flame_path(flame, i, &got);
		tn_str_printf(&got, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", n.calls, n.total / 1000, n.self / 1000,
			      n.longest_ns / 1000);
	}
	cr_expect_str_eq(tn_str_text(&got),
			 "job 3 1090 1060 1000\njob;job 1 20 10 20\njob;job;go_begin 1 10 10 20\njob;go_begin 0 10 10 0\n", "%s",
			 tn_str_text(&got));
	cr_expect_eq(tn_flame_counts(flame).orphans, 1);
	tn_str_release(&got);
	tn_flame_free(flame);
	tn_spans_free(spans);
}
