/* Definitions of spans and of groups on a small trace: what they give, what is wrong with others (tnav/answer.h). */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../make/small_trace.h"

static struct small_trace small;
static struct tn_set *set;
static struct tn_error err;

static void
open_small(void)
{
	cr_assert(small_trace_open(&small, &set, &err), "%s", err.text);
}

static void
close_small(void)
{
	tn_set_close(set);
	small_trace_release(&small);
}

TestSuite(definitions, .init = open_small, .fini = close_small);

/* "NAME STATE BEGIN-END key,... [captured,...]", times in microseconds. */
static int
on_span(void *user, const struct tn_span *s)
{
	struct tn_str *out = user;

	tn_str_printf(out, "%s %s", s->name, tn_span_state_name(s->state));
	if (s->has_begin)
		tn_str_printf(out, " %" PRId64, (s->begin_ns - SMALL_TRACE_BEGIN) / 1000);
	tn_str_puts(out, "-");
	if (s->has_end)
		tn_str_printf(out, "%" PRId64, (s->end_ns - SMALL_TRACE_BEGIN) / 1000);
	for (size_t i = 0; i < s->n_keys; i++) {
		tn_str_puts(out, i ? "," : " ");
		tn_answer_value_text(&s->key[i], out);
	}
	for (size_t i = 0; i < s->n_captured; i++) {
		tn_str_puts(out, i ? "," : " [");
		tn_answer_value_text(&s->captured[i], out);
	}
	tn_str_puts(out, s->n_captured ? "]\n" : "\n");
	return 0;
}

static void
expect(const char *definition, enum tn_span_order order, const char *want)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_span_counts counts;
	struct tn_str got = { 0 };
	struct tn_spans *spans;

	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	cr_assert_eq(tn_spans_add(spans, definition, &err), TN_OK, "%s", err.text);
	for (unsigned threads = 1; threads < 4; threads += 2) {
		o.threads = threads;
		tn_str_clear(&got);
		cr_assert_eq(tn_spans_run(spans, &o, order, on_span, &got, &counts, &err), TN_OK, "%s", err.text);
		cr_expect_str_eq(tn_str_text(&got), want, "%s:\n%s", definition, tn_str_text(&got));
	}
	tn_str_release(&got);
	tn_spans_free(spans);
}

/* Which thread runs is known whatever a filter leaves out. */
Test(definitions, which_thread_runs_with_filters)
{
	static const struct { const char *condition; bool of_lines; } rows[] = {
		{ "irq", true }, { "name =~ /irq/", false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tn_text_options how = TN_TEXT_OPTIONS_DEFAULT;
		struct tn_scan_options o = { TN_SCAN_OPTIONS };
		struct tn_span_counts counts;
		struct tn_filter *filter;
		struct tn_str got = { 0 };
		struct tn_spans *spans;
		struct tn_text *text;
		enum tn_code rc;

		cr_assert_eq(tn_text_new(&text, set, &how, &err), TN_OK);
		cr_assert_eq(tn_filter_new(&filter, set, &err), TN_OK);
		rc = rows[i].of_lines ? tn_filter_add_regex(filter, rows[i].condition, false, &err)
				      : tn_filter_add(filter, rows[i].condition, &err);
		cr_assert_eq(rc, TN_OK, "%s", err.text);
		o.filter = filter;
		o.text = text;
		cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
		cr_assert_eq(tn_spans_add(spans, "irq_handler_entry irq_handler_exit by irq show begin.current", &err), TN_OK);
		rc = tn_spans_run(spans, &o, TN_SPANS_BY_BEGIN, on_span, &got, &counts, &err);
		cr_expect(rc == TN_OK && strstr(tn_str_text(&got), "[11]"), "%s: %d, %s", rows[i].condition, rc, tn_str_text(&got));
		tn_spans_free(spans);
		tn_filter_free(filter);
		tn_text_free(text);
		tn_str_release(&got);
	}
}

Test(definitions, spans)
{
	/* A loss on cpu 0 between 40 us and 1,600 us: what has a part of that is doubtful, whichever processor it ends on. */
	expect("req_begin req_end by id", TN_SPANS_BY_BEGIN,
	       "req_begin doubtful 10-60 1\nreq_begin doubtful 20-40000 2\nreq_begin closed 31-40 3\n"
	       "req_begin doubtful 1000-30000 4\nreq_end orphan-1500 99\nreq_begin open 30001- 5\n");
	expect("req_begin req_end by id", TN_SPANS_BY_END,
	       "req_begin closed 31-40 3\nreq_begin doubtful 10-60 1\nreq_end orphan-1500 99\n"
	       "req_begin doubtful 1000-30000 4\nreq_begin doubtful 20-40000 2\nreq_begin open 30001- 5\n");
	/* Without an id the last begin of a thread ends first; with fifo the first. */
	expect("req_begin req_end by vtid show begin.id, end.id where end < @1000000070000", TN_SPANS_BY_END,
	       "req_begin closed 31-40 11 [3,3]\nreq_begin doubtful 10-60 11 [1,1]\n");
	expect("req_begin req_end by vtid show begin.id, end.id fifo where end < @1000000070000", TN_SPANS_BY_END,
	       "req_begin closed 10-40 11 [1,3]\nreq_begin doubtful 31-60 11 [3,1]\n");
	/* Labels of keys and of what is shown; the end's field first, then the begin's. */
	expect("req_begin req_end by id show kind, ret, what as '*' where open or dur < 40us", TN_SPANS_BY_BEGIN,
	       "* closed 31-40 3 [write (2),-2,three]\n* open 30001- 5 [read,,]\n");
	expect("'irq_*_entry' irq_handler_exit by irq = irq, cpu as 'irq *' where closed", TN_SPANS_BY_BEGIN,
	       "irq handler closed 30-35 0x11,0\nirq handler closed 1600-30001 0x12,0\n");
	/* The thread that runs where the event is. */
	expect("irq_handler_entry irq_handler_exit by irq show begin.current where begin < @1000000100000", TN_SPANS_BY_BEGIN,
	       "irq_handler_entry closed 30-35 0x11 [11]\n");
	/* Events by conditions; names that stand for what the star stood for. */
	expect("(id == 3 and kind == write) (id == 3 and ret < 0) by id as three", TN_SPANS_BY_BEGIN, "three closed 31-40 3\n");
	expect("req_b* (name == req_end) by id as <*> where id == 3", TN_SPANS_BY_BEGIN, "<egin> closed 31-40 3\n");
	/* The text of `*` in both: "req" is not "irq_handler". */
	expect("*_begin *_end by vtid nested where end < @1000000070000", TN_SPANS_BY_END,
	       "req_begin closed 31-40 11\nreq_begin doubtful 10-60 11\n");
	/* The second begin replaces the first one, which is reported at once. */
	expect("req_begin req_end by vtid latest where begin < @1000000070000 or end < @1000000070000", TN_SPANS_BY_END,
	       "req_begin open 10- 11\nreq_begin closed 31-40 11\nreq_end orphan-60 11\nreq_begin open 20- 12\n");
}

Test(definitions, of_spans_that_are_wrong)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "column 1: the event that begins a span is missing" }, { "by id", "column 1: the event that begins" },
		{ "req_begin", "column 10: the event that ends a span is missing" }, { "req_begin by id", "the event that ends" },
		{ "req_begni req_end", "column 1: no event has the name 'req_begni': the nearest name is 'req_begin'" },
		{ "req_b* req_e* by id", "`*` matches different texts in begin and end events: write an expression" },
		{ "req_begin req_end fifo by id latest", "column 30: `nested`, `latest` and `fifo` exclude each other" },
		{ "req_begin req_end nested nested fifo", "column 33: `nested`, `latest` and `fifo` exclude each other" },
		{ "(id == 3 req_end", "column 1: the ) of the function is missing" }, { "\"req_begin req_end", "column 1: the closing quote is missing" },
		{ "req_begin req_end by", "the name of a field is missing" }, { "req_begin req_end by id,", "the name of a field is missing" },
		{ "req_begin req_end by id =", "the name of a field is missing" },
		{ "req_begin req_end by ret", "column 22: no begin event has a field 'ret'" },
		{ "req_begin req_end by kind", "no end event has a field 'kind'" },
		{ "req_begin req_end by nosuch", "column 22: no event has a field 'nosuch'" },
		{ "req_begin req_end by id,id,id,id,id,id,id,id,id", "more than 8 keys" },
		{ "req_begin req_end show", "the name of a field is missing" }, { "req_begin req_end show nosuch", "no event has a field" },
		{ "req_begin req_end as", "a name is missing" },
		{ "req_begin req_end where", "a condition is missing after `where`" }, { "req_begin req_end where x == 1", "spans have no 'x'" },
		{ "req_begin req_end where /x/", "spans have no line" }, { "req_begin req_end id == 3", "expected `by`, `show`" },
		{ "(/x/) req_end", "select the events of a span by fields, not by" }, { "id==x req_end", "kind" },
		{ "req_begin req_end show 'x", "the closing quote is missing" }, { "req_begin req_end by 'x", "the closing quote is missing" },
	};
	struct tn_spans *spans;

	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect_eq(tn_spans_add(spans, rows[i].text, &err), TN_ERR_ARGUMENT, "%s", rows[i].text);
		if (strcmp(rows[i].want, "kind") != 0)
			cr_expect(strstr(err.text, rows[i].want), "%s: %s", rows[i].text, err.text);
		cr_expect_eq(tn_spans_count(spans), 0, "%s", rows[i].text);
	}
	cr_assert_eq(tn_spans_add(spans, "req_begin req_end by id, vtid show kind", &err), TN_OK);
	cr_expect_str_eq(tn_spans_key(spans, 0, 1), "vtid");
	cr_expect(!tn_spans_key(spans, 0, 2) && !tn_spans_key(spans, 1, 0));
	cr_expect_str_eq(tn_spans_captured(spans, 0, 0), "kind");
	cr_expect(!tn_spans_captured(spans, 0, 1) && !tn_spans_captured(spans, 1, 0));
	for (size_t n = 1; n < 64; n++)
		if (tn_spans_add(spans, "req_begin req_end", &err) != TN_OK)
			break;
	cr_expect_eq(tn_spans_where(spans, "nosuch > 1", &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_spans_where(spans, "dur > 1ms", &err), TN_OK);
	cr_expect_eq(tn_spans_where(spans, "dur > 2ms", &err), TN_OK, "another one takes its place");
	tn_spans_free(spans);
}

/* Fields to show have a bound, and so have definitions. */
Test(definitions, bounds)
{
	struct tn_str text = { 0 };
	struct tn_spans *spans;
	size_t n = 0;

	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	tn_str_puts(&text, "req_begin req_end show id");
	for (int i = 0; i < 63; i++)
		tn_str_puts(&text, ",id");
	cr_expect_eq(tn_spans_add(spans, tn_str_text(&text), &err), TN_OK, "%s", err.text);
	tn_str_puts(&text, ",id");
	cr_expect_eq(tn_spans_add(spans, tn_str_text(&text), &err), TN_ERR_ARGUMENT);
	cr_expect(strstr(err.text, "more than 64 fields"), "%s", err.text);
	while (n < 100000 && tn_spans_add(spans, "req_begin req_end", &err) == TN_OK)
		n++;
	cr_expect(strstr(err.text, "more than") && strstr(err.text, "definitions"), "%s", err.text);
	cr_expect_eq(tn_spans_count(spans), n + 1);
	tn_str_release(&text);
	tn_spans_free(spans);
}

/* ---- groups ---- */

static void
list(struct tn_groups *groups, size_t columns, struct tn_str *out)
{
	const struct tn_answer_value *row;
	bool is_rest;

	for (size_t i = 0; (row = tn_groups_row(groups, i, &is_rest)); i++) {
		cr_expect(!is_rest);
		for (size_t c = 0; c < columns; c++) {
			tn_str_puts(out, c ? " " : "");
			tn_answer_value_text(&row[c], out);
		}
		tn_str_puts(out, "\n");
	}
}

Test(definitions, groups)
{
	static const struct { const char *by, *show; size_t columns, sort; bool down; const char *want; } rows[] = {
		{ "", "count, count(id), sum(id), min(ret), max(id), mean(ret), distinct(vtid), first(what), last(what)", 9, 0, 0,
		  "20 10 124 -2 99 1.6 6 one \n" },
		{ "kind", "count, sum(id)", 3, 0, 0, "read 2 6\nwrite (1) 1 2\nwrite (2) 1 3\nwrite (3) 1 4\n" },
		{ "name", "count", 2, 1, 1, NULL },
		{ "cpu, vtid", "count", 3, 2, 1, NULL },
		{ "time/10ms", "count", 2, 0, 0, NULL },
		{ "event.fields.`id`", "p50(id), p0(id), p100(id), median(vtid), p99.9(id), rate", 7, 0, 1, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS };
		struct tn_groups *groups;
		struct tn_str got[2] = { { 0 } };
		uint64_t events = 5, part[3];

		cr_assert_eq(tn_groups_new(&groups, set, rows[i].by, rows[i].show, &err), TN_OK, "%s", err.text);
		cr_expect_eq(tn_groups_count(groups), 0);
		for (int k = 0; k < 2; k++) {
			o.threads = 1 + 2 * (unsigned)k;
			cr_assert_eq(tn_groups_run(groups, &o, &err), TN_OK, "%s", err.text);
			cr_assert_eq(tn_groups_sort(groups, rows[i].sort, rows[i].down, &err), TN_OK);
			list(groups, rows[i].columns, &got[k]);
		}
		cr_expect_str_eq(tn_str_text(&got[0]), tn_str_text(&got[1]), "%s: once and again", rows[i].by);
		if (rows[i].want)
			cr_expect_str_eq(tn_str_text(&got[0]), rows[i].want, "%s:\n%s", rows[i].by, tn_str_text(&got[0]));
		cr_expect_not_null(tn_groups_column(groups, rows[i].columns - 1));
		cr_expect_null(tn_groups_column(groups, rows[i].columns));
		cr_expect_eq(tn_groups_sort(groups, rows[i].columns, false, &err), TN_ERR_ARGUMENT);
		cr_expect(!tn_groups_merged(groups, &events) && events == 0);
		cr_expect_null(tn_groups_row(groups, tn_groups_count(groups), NULL));
		cr_expect_eq(tn_groups_spread(groups, 0, tn_groups_key_count(groups), part, 3), strncmp(rows[i].show, "p50", 3) == 0);
		part[0] = UINT64_MAX;
		cr_expect(!tn_groups_spread(groups, 0, tn_groups_key_count(groups), part + 1, 0) && part[0] == UINT64_MAX, "no parts");
		cr_expect(!tn_groups_spread(groups, 1000, 0, part, 3) && !tn_groups_spread(groups, 0, 1000, part, 3));
		tn_str_release(&got[0]);
		tn_str_release(&got[1]);
		tn_groups_free(groups);
	}
}

Test(definitions, units_of_groups)
{
	static const enum tn_group_unit want[] = {
		TN_GROUP_TIME, TN_GROUP_NUMBER, TN_GROUP_NUMBER, TN_GROUP_NUMBER, TN_GROUP_TIME, TN_GROUP_TIME, TN_GROUP_DURATION,
		TN_GROUP_DURATION, TN_GROUP_NUMBER, TN_GROUP_NUMBER, TN_GROUP_RATE, TN_GROUP_NUMBER, TN_GROUP_NUMBER,
	};
	struct tn_groups *groups;

	cr_assert_eq(tn_groups_new(&groups, set, "time/1ms, kind",
				   "count, sum(time), first(time), max(time), sum(delta), p99(delta), count(delta), distinct(time), rate, "
				   "max(id)", &err), TN_OK, "%s", err.text);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		cr_expect_eq(tn_groups_unit(groups, i), want[i], "%zu", i);
	cr_expect_eq(tn_groups_unit(groups, SIZE_MAX), TN_GROUP_NUMBER);
	cr_expect_eq(tn_groups_unit(NULL, 0), TN_GROUP_NUMBER);
	tn_groups_free(groups);
}

Test(definitions, units_of_groups_of_spans)
{
	static const enum tn_group_unit want[] = {
		TN_GROUP_TIME, TN_GROUP_TIME, TN_GROUP_NUMBER, TN_GROUP_NUMBER, TN_GROUP_DURATION, TN_GROUP_DURATION,
		TN_GROUP_TIME, TN_GROUP_TIME, TN_GROUP_NUMBER, TN_GROUP_NUMBER, TN_GROUP_NUMBER,
	};
	struct tn_groups *groups;
	struct tn_spans *spans;

	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	cr_assert_eq(tn_spans_add(spans, "req_begin req_end by id", &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_groups_of_spans(&groups, spans, "begin, time/1ms, name",
					"count, p50(duration), sum(any_duration), min(begin), last(end), p50(time), sum(doubtful), max(id)",
					&err), TN_OK, "%s", err.text);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		cr_expect_eq(tn_groups_unit(groups, i), want[i], "%zu", i);
	tn_groups_free(groups);
	tn_spans_free(spans);
}

Test(definitions, of_groups_that_are_wrong)
{
	static const struct { const char *by, *show, *want; } rows[] = {
		{ "nosuch", "count", "no event has a field 'nosuch'" }, { "kind what", "count", "expected a comma" },
		{ "kind,", "count", "the name of a field is missing" }, { "time/x", "count", "is not a step of time" },
		{ "time/0ms", "count", "is not a step of time" }, { "kind", "", "is not an aggregate" }, { "kind", "cuont", "the nearest is 'count'" },
		{ "kind", "sum", "a field is missing" }, { "kind", "p99", "a field is missing" }, { "kind", "sum(id", "the ) of the function is missing" },
		{ "kind", "sum( )", "the name of a field is missing" }, { "kind", "sum(nosuch)", "no event has a field" },
		{ "kind", "p101(id)", "is not an aggregate" }, { "kind", "p1.2.3(id)", "is not an aggregate" }, { "kind", "p(id)", "is not an aggregate" },
		{ "kind", "p0000000000000000000(id)", "is not an aggregate" }, { "kind", "count,", "is not an aggregate" },
		{ "kind", "count(id)x", "expected a comma" }, { "kind", "p99.(id), p0.5(name)", "'name' is text" },
		{ "kind", "sum(stream)", "'stream' is text" }, { "kind", "rate(id)", "column 5: rate counts events a second" },
		{ "kind", "percent", "'percent' is not an aggregate; use count, " },
		{ "kind|id|name", "count", "'kind|id|name': write only one |, between two names" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_groups *groups;

		cr_expect_eq(tn_groups_new(&groups, set, rows[i].by, rows[i].show, &err), TN_ERR_ARGUMENT, "%s, %s", rows[i].by, rows[i].show);
		cr_expect(strstr(err.text, rows[i].want), "%s, %s: %s", rows[i].by, rows[i].show, err.text);
		cr_expect_null(groups);
	}
}

Test(definitions, groups_of_spans)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_span_counts counts;
	struct tn_groups *groups;
	struct tn_spans *spans;
	struct tn_str got = { 0 };

	cr_assert_eq(tn_spans_new(&spans, set, &err), TN_OK);
	cr_assert_eq(tn_spans_add(spans, "req_begin req_end by id show kind, ret", &err), TN_OK);
	cr_assert_eq(tn_spans_add(spans, "irq_handler_entry irq_handler_exit by irq as irq", &err), TN_OK);
	cr_expect_eq(tn_groups_of_spans(&groups, spans, "nosuch", "count", &err), TN_ERR_ARGUMENT);
	cr_expect(strstr(err.text, "spans have no 'nosuch'"), "%s", err.text);
	cr_expect_eq(tn_groups_of_spans(&groups, spans, "nosuch|none", "count", &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_groups_of_spans(&groups, spans, "time/x", "count", &err), TN_ERR_ARGUMENT);
	cr_assert_eq(tn_groups_of_spans(&groups, spans, "name, state", "count, sum(dur), max(any_duration), distinct(key.id|irq)", &err),
		     TN_OK, "%s", err.text);
	cr_assert_eq(tn_groups_run(groups, &o, &err), TN_OK);
	cr_assert_eq(tn_groups_sort(groups, 1, false, &err), TN_OK);
	cr_assert_eq(tn_groups_sort(groups, 0, false, &err), TN_OK);
	list(groups, 6, &got);
	cr_expect_str_eq(tn_str_text(&got), "irq closed 2 28406000 28401000 2\n"
			 "req_begin closed 1 9000 9000 1\nreq_begin doubtful 3 0 39980000 3\nreq_begin open 1 0  1\n"
			 "req_end orphan 1 0  1\n", "%s", tn_str_text(&got));
	counts = tn_groups_span_counts(groups);
	cr_expect_eq(counts.of_state[TN_SPAN_CLOSED], 3);
	cr_expect_eq(counts.of_state[TN_SPAN_DOUBTFUL], 3);
	cr_expect_eq(tn_groups_without(groups), 0);
	tn_groups_free(groups);
	cr_assert_eq(tn_groups_of_spans(&groups, spans, "time/10ms, kind", "count", &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_groups_run(groups, &o, &err), TN_OK);
	tn_str_clear(&got);
	list(groups, 3, &got);
	cr_expect(strstr(tn_str_text(&got), "1000030000000 read 1\n"), "%s", tn_str_text(&got));
	tn_groups_free(groups);
	tn_spans_free(spans);
	tn_str_release(&got);
}

/* ---- from one end to the other ---- */

/* "begin us-end us" of each event that begins or ends a span of one of the definitions. */
static void
expect_ends(const char *const *definition, size_t n, const char *want)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_location other;
	struct tn_cursor *cursor;
	struct tn_str got = { 0 };
	enum tn_code rc;
	size_t which;

	cr_assert_eq(tn_cursor_new(&cursor, set, &err), TN_OK);
	for (rc = tn_cursor_first(cursor, &err); rc == TN_OK; rc = tn_cursor_next(cursor, &err)) {
		struct tn_row row;
		enum tn_code end;

		cr_assert(tn_cursor_row(cursor, &row));
		end = tn_span_other_end(set, definition, n, &o, &row.location, &other, &which, &err);
		cr_assert_geq(end, 0, "%s", err.text);
		cr_expect(end == TN_OK ? which < n : true);
		if (end == TN_OK)
			tn_str_printf(&got, "%zu: %" PRId64 ">%" PRId64 " ", which, (row.location.time_ns - SMALL_TRACE_BEGIN) / 1000,
				      (other.time_ns - SMALL_TRACE_BEGIN) / 1000);
		else if (which != SIZE_MAX)
			tn_str_printf(&got, "%zu: %" PRId64 "> ", which, (row.location.time_ns - SMALL_TRACE_BEGIN) / 1000);
	}
	cr_assert_eq(rc, TN_END);
	cr_expect_str_eq(tn_str_text(&got), want, "%s", tn_str_text(&got));
	tn_cursor_free(cursor);
	tn_str_release(&got);
}

Test(definitions, other_ends)
{
	static const char *const two[] = { "nosuch event by x", "irq_handler_entry irq_handler_exit by irq", "req_begin req_end by id" };
	static const char *const first[] = { "req_begin req_end by vtid fifo" };
	static const char *const none[] = { "nosuch event" };
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_location at = { .time_ns = SMALL_TRACE_BEGIN }, other;
	size_t which = 3;

	expect_ends(two, 3, "2: 10>60 2: 20>40000 1: 30>35 2: 31>40 1: 35>30 2: 40>31 2: 60>10 2: 1000>30000 2: 1500> 1: 1600>30001 "
		    "2: 30000>1000 1: 30001>1600 2: 30001> 2: 40000>20 ");
	expect_ends(first, 1, "0: 10>40 0: 20>40000 0: 31>60 0: 40>10 0: 60>31 0: 1000>1500 0: 1500>1000 0: 30000> 0: 30001> 0: 40000>20 ");
	cr_expect_eq(tn_span_other_end(set, none, 1, &o, &at, &other, &which, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(which, SIZE_MAX);
	cr_expect_eq(tn_span_other_end(set, two, 0, &o, &at, &other, NULL, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_span_other_end(set, NULL, 1, &o, &at, &other, NULL, &err), TN_ERR_ARGUMENT);
}
