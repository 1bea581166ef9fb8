/* Lanes of a small trace: cells, states, what a definition must be (tnav/answer.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "../../make/small_trace.h"
#include "lane/lanes.h"

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

TestSuite(lanes, .init = open_small, .fini = close_small);

static struct tn_lanes_picture
picture_of(struct tn_lanes *lanes)
{
	struct tn_lanes_picture p;

	cr_assert_eq(tn_lanes_picture(&p, lanes, NULL, &err), TN_OK, "%s", err.text);
	return p;
}

/* NULL: no state. */
static const char *
state_at(const struct tn_lanes_picture *p, size_t lane, size_t column)
{
	return p->state[p->lane[lane].cell[column] & TN_LANE_STATE].name;
}

/* "value: cells" of each lane, a cell by the first letter of its state, '.' where there is none. */
static void
draw(struct tn_lanes *lanes, struct tn_str *out)
{
	struct tn_lanes_picture p = picture_of(lanes);

	for (size_t i = 0; i < p.lanes; i++) {
		tn_answer_value_text(&p.lane[i].value, out);
		tn_str_puts(out, ": ");
		for (size_t c = 0; c < p.columns; c++) {
			const char *state = state_at(&p, i, c);

			tn_str_putc(out, state ? *state ? *state : '"' : '.');
		}
		tn_str_putc(out, '\n');
	}
}

Test(lanes, pictures)
{
	static const struct { const char *definition; int64_t begin_us, end_us; size_t columns; const char *want; } rows[] = {
		/* At 0 cpu 0 switches to 11; at 5 cpu 1 to 12 and at 50 to 11. */
		{ "sched_switch.next_tid by cpu", 0, 100, 10, "0: 1111111111\n1: 1111111111\n" },
		{ "sched_switch.prev_tid by cpu", 0, 60, 12, "0: 111111111111\n1: .22222222211\n" },
		/* A span that began before the window is known; nothing is before it. */
		{ "sched_switch.prev_tid by cpu", 1000, 1010, 4, "0: 1111\n1: 1111\n" },
		{ "sched_switch.prev_tid by cpu", -1000, -1, 4, "" },
		/* A span that begins at the end of the window is not in it: no lane, no state. */
		{ "sched_switch.next_tid by cpu", 0, 5, 5, "0: 11111\n" },
		{ "sched_switch.next_tid by cpu", 0, 6, 6, "0: 111111\n1: .....1\n" },
		/* Nested: the one that began last counts. */
		{ "(req_begin req_end by id as *) by vtid", 0, 100, 10, NULL },
		{ "(req_begin req_end by id) by vtid", 0, 100, 10, "11: .rrrrr....\n12: ..rrrrrrrr\n" },
		{ "(irq_handler_entry irq_handler_exit by irq) by cpu", 25, 40, 3, "0: .i.\n" },
		{ "what by id", 0, 2000, 2, "1: oo\n2: tt\n3: tt\n4: .f\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
		struct tn_str got = { 0 };
		struct tn_lanes *lanes;

		cr_assert_eq(tn_lanes_new(&lanes, set, rows[i].definition, &err), TN_OK, "%s", err.text);
		cr_expect_eq(picture_of(lanes).lanes, 0);
		cr_expect_eq(picture_of(lanes).columns, 0, "it was not run");
		for (int again = 0; again < 2; again++) {
			tn_str_clear(&got);
			cr_assert_eq(tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN + 1000 * rows[i].begin_us,
						  SMALL_TRACE_BEGIN + 1000 * rows[i].end_us, rows[i].columns, &err), TN_OK);
			draw(lanes, &got);
			if (rows[i].want)
				cr_expect_str_eq(tn_str_text(&got), rows[i].want, "%s: %s", rows[i].definition, tn_str_text(&got));
		}
		tn_lanes_free(lanes);
		tn_str_release(&got);
	}
}

/* A cell says if its state is not all of it; a picture of one cell has the times of each state. */
Test(lanes, several_states_in_a_cell)
{
	static const struct { const char *definition; int64_t begin_us, end_us; size_t columns; const char *want; } rows[] = {
		{ "sched_switch.next_tid by cpu", 0, 100, 10, "0:..........\n1:~.........\n" },
		{ "sched_switch.next_tid by cpu", 0, 100, 3, "0:... 11 33334 | 11 33333 | 11 33333\n1:~~. 12 28334 | 11 16667 12 16666 | 11 33333\n" },
		{ "sched_switch.next_tid by cpu", 0, 100, 1, "0:. 11 100000\n1:~ 11 50000 12 45000\n" },
		{ "sched_switch.next_tid by cpu", 10, 20, 1, "0:. 11 10000\n1:. 12 10000\n" },
		/* Times without a state, too; not those before the first event. */
		{ "sched_switch.next_tid by cpu", -5, 95, 10, "0:..........\n1:.....~....\n" },
		{ "(req_begin req_end by id) by vtid", 0, 100, 1, "11:~ req_begin 50000\n12:~ req_begin 80000\n" },
		{ "(irq_handler_entry irq_handler_exit by irq) by cpu", 25, 40, 1, "0:~ irq_handler_entry 5000\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
		struct tn_lanes_picture p;
		struct tn_str got = { 0 };
		struct tn_lanes *lanes;
		uint64_t ns;

		cr_assert_eq(tn_lanes_new(&lanes, set, rows[i].definition, &err), TN_OK, "%s", err.text);
		cr_expect_eq(tn_lanes_share(lanes, 0, 0, 0, &ns), 0, "it was not run");
		tn_lanes_keep_shares(lanes, rows[i].columns == 3 ? 2 : 0);
		cr_assert_eq(tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN + 1000 * rows[i].begin_us,
					  SMALL_TRACE_BEGIN + 1000 * rows[i].end_us, rows[i].columns, &err), TN_OK);
		p = picture_of(lanes);
		for (size_t k = 0; k < p.lanes; k++) {
			tn_answer_value_text(&p.lane[k].value, &got);
			tn_str_putc(&got, ':');
			for (size_t c = 0; c < rows[i].columns; c++)
				tn_str_putc(&got, p.lane[k].cell[c] & TN_LANE_PART ? '~' : '.');
			for (size_t c = 0; c < rows[i].columns; c++) {
				for (size_t n = 0, state; (state = tn_lanes_share(lanes, k, c, n, &ns)); n++)
					tn_str_printf(&got, " %s %lu", p.state[state].name, (unsigned long)ns);
				tn_str_puts(&got, c + 1 < p.columns && rows[i].columns == 3 ? " |" : "");
			}
			tn_str_putc(&got, '\n');
		}
		cr_expect_str_eq(tn_str_text(&got), rows[i].want, "row %zu: %s", i, tn_str_text(&got));
		cr_expect_eq(tn_lanes_share(lanes, p.lanes, 0, 0, NULL), 0);
		cr_expect_eq(tn_lanes_share(lanes, 0, p.columns, 0, NULL), 0);
		tn_lanes_free(lanes);
		tn_str_release(&got);
	}
}

Test(lanes, what_is_after_the_end)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_lanes_picture p;
	struct tn_lanes *lanes;
	uint64_t lost = 0;

	cr_assert_eq(tn_lanes_new(&lanes, set, "sched_switch.next_tid by cpu", &err), TN_OK);
	cr_assert_eq(tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN, SMALL_TRACE_BEGIN + 40000000, 8, &err), TN_OK);
	p = picture_of(lanes);
	cr_assert_eq(p.lanes, 2);
	cr_assert_eq(p.columns, 8);
	cr_expect_eq(p.known, 8);
	cr_expect_null(p.state[0].name);
	cr_expect_str_eq(state_at(&p, 0, 0), "11");
	cr_expect_eq(p.state[p.lane[0].cell[0] & TN_LANE_STATE].ns, 40000000 + 40000000 - 50000, "11 on both, from 0 and from 50 us on");
	cr_expect_eq(p.longest[0], p.lane[0].cell[0] & TN_LANE_STATE);
	for (size_t c = 0; c < 8; c++)
		lost += p.mark[c] & TN_LANE_LOST ? 1 : 0;
	cr_expect_eq(lost, 1, "one loss is told");
	cr_expect_eq(p.left_out, 0);
	cr_expect_eq(p.time_ns[1], SMALL_TRACE_BEGIN + 5000000);
	cr_expect_eq(p.time_ns[8], SMALL_TRACE_BEGIN + 40000000, "the end");
	cr_expect_eq(tn_lanes_picture(NULL, lanes, NULL, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_lanes_picture(&p, NULL, NULL, &err), TN_ERR_ARGUMENT);
	for (int i = 0; i < 3; i++) {
		err.text[0] = '\0';
		cr_expect_eq(tn_lanes_guess(lanes, &o, SMALL_TRACE_BEGIN, SMALL_TRACE_BEGIN + 40000000, 8, i == 0 ? 8 : 0, i != 1,
					    i == 2 ? 0 : 1000, &err), TN_ERR_ARGUMENT, "row %d", i);
		cr_expect_str_eq(err.text, "a guess needs a column of the window and a time to look at", "row %d", i);
	}
	tn_lanes_free(lanes);
}

Test(lanes, event_of_a_state)
{
	static const struct { const char *definition; int64_t lane, begin_us, end_us; const char *state; int64_t want_us; } rows[] = {
		{ "sched_switch.next_tid by cpu", 1, 10, 20, "12", 5 }, { "sched_switch.next_tid by cpu", 1, 50, 60, "11", 50 },
		{ "sched_switch.next_tid by cpu", 1, 45, 55, "11", 50 }, { "sched_switch.next_tid by cpu", 1, 45, 55, "12", 5 },
		/* It began long before. */
		{ "sched_switch.next_tid by cpu", 0, 39000, 39010, "11", 0 }, { "sched_switch.next_tid by cpu", 1, 39000, 39010, "11", 50 },
		/* Another state, another lane, nothing yet. */
		{ "sched_switch.next_tid by cpu", 1, 10, 20, "11", -1 }, { "sched_switch.next_tid by cpu", 2, 10, 20, "12", -1 },
		{ "sched_switch.next_tid by cpu", 1, 0, 5, "12", -1 },
		/* A nested span is on top, before and after it the outer one. */
		{ "(req_begin req_end by id as *) by vtid", 11, 33, 36, "req", -1 },
		{ "(req_begin req_end by id) by vtid", 11, 33, 36, "req_begin", 31 },
		{ "(req_begin req_end by id) by vtid", 11, 25, 36, "req_begin", 10 },
		{ "(req_begin req_end by id) by vtid", 11, 42, 50, "req_begin", 10 },
		{ "what by id", 1, 20, 30, "one", 10 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct tn_answer_value lane = { .kind = TN_ANSWER_UINT, .is.i = rows[i].lane };
		struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
		struct tn_location at = { .time_ns = 0 };
		struct tn_lanes *lanes;
		enum tn_code rc;

		cr_assert_eq(tn_lanes_new(&lanes, set, rows[i].definition, &err), TN_OK, "%s", err.text);
		rc = tn_lanes_event(lanes, &o, &lane, SMALL_TRACE_BEGIN + 1000 * rows[i].begin_us,
				    SMALL_TRACE_BEGIN + 1000 * rows[i].end_us, rows[i].state, &at, &err);
		cr_expect_eq(rc, rows[i].want_us < 0 ? TN_END : TN_OK, "row %zu: %d", i, rc);
		if (rc == TN_OK)
			cr_expect_eq(at.time_ns, SMALL_TRACE_BEGIN + 1000 * rows[i].want_us, "row %zu: %ld us", i,
				     (long)((at.time_ns - SMALL_TRACE_BEGIN) / 1000));
		tn_lanes_free(lanes);
	}
	cr_expect_eq(tn_lanes_event(NULL, NULL, NULL, 0, 1, "", NULL, &err), TN_ERR_ARGUMENT);
}

Test(lanes, mistakes)
{
	static const struct { const char *definition, *want; } rows[] = {
		{ "", "expected `by` and the key of a lane" }, { "name", "column 5: expected `by`" },
		{ "name bycpu", "expected `by`" }, { "name by", "expected `by`" }, { "name by ", "write one field or attribute" },
		{ "name by cpu tid", "write one field or attribute" }, { "nosuch by cpu", "no event has such a field" },
		{ "name by nosuch", "no event has a field 'nosuch'" }, { "sched_switch.nosuch by cpu", "no event has a field 'nosuch'" },
		{ "(req_begin req_end where dur > 5) by cpu", "column 20: lanes do not take" },
		{ "(req_begin) by cpu", "the event that ends a span is missing" },
	};
	struct tn_scan_options o = { TN_SCAN_OPTIONS };
	struct tn_lanes *lanes;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect_eq(tn_lanes_new(&lanes, set, rows[i].definition, &err), TN_ERR_ARGUMENT, "%s", rows[i].definition);
		cr_expect(strstr(err.text, rows[i].want), "%s: %s", rows[i].definition, err.text);
		cr_expect_null(lanes);
	}
	cr_assert_eq(tn_lanes_new(&lanes, set, "  name  by  cpu", &err), TN_OK, "%s", err.text);
	cr_expect_eq(tn_lanes_run(lanes, &o, 5, 5, 10, &err), TN_ERR_ARGUMENT, "no time");
	err.text[0] = '\0';
	cr_expect_eq(tn_lanes_event(lanes, &o, &(struct tn_answer_value) { .kind = TN_ANSWER_UINT }, 5, 5, "x", &(struct tn_location) { 0 },
				    &err), TN_ERR_ARGUMENT);
	cr_expect_str_eq(err.text, "lanes need a time range");
	cr_expect_eq(tn_lanes_run(lanes, &o, 5, 6, 0, &err), TN_ERR_ARGUMENT, "no columns");
	cr_expect_eq(tn_lanes_run(lanes, &o, 5, 6, 1000001, &err), TN_ERR_ARGUMENT, "too many");
	cr_expect_eq(picture_of(lanes).lanes, 0);
	tn_lanes_free(lanes);
}

/* The caller's callbacks are asked; what stops says so, and the picture can be made again. */
static int told, progressed, caller;
static bool stop_now;

static int on_notice(void *user, const struct tn_row *row) { (void)row; cr_expect_eq(user, &caller); return told++, 0; }
static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at)
{
	(void)read, (void)passed, (void)at;
	cr_expect_eq(user, &caller, "not the caller's argument");
	return progressed++, 0;
}

static bool on_stopped(void *user) { return user != &caller || stop_now; }

Test(lanes, callbacks)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1, .notice = on_notice, .progress = on_progress, .stopped = on_stopped,
				     .user = &caller };
	struct tn_lanes *lanes;

	cr_assert_eq(tn_lanes_new(&lanes, set, "name by cpu", &err), TN_OK);
	cr_assert_eq(tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN, SMALL_TRACE_BEGIN + 50000000, 5, &err), TN_OK);
	cr_expect_eq(told, 1);
	stop_now = true;
	cr_expect_eq(tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN, SMALL_TRACE_BEGIN + 50000000, 5, &err), TN_ERR_CANCELLED);
	stop_now = false;
	cr_assert_eq(tn_lanes_run(lanes, &o, SMALL_TRACE_BEGIN, SMALL_TRACE_BEGIN + 50000000, 5, &err), TN_OK);
	cr_expect_eq(picture_of(lanes).lanes, 2);
	tn_lanes_free(lanes);
}

/* A preview reads the start of a column: its picture fills some columns until they are exact. */
Test(lanes, guesses)
{
	static const struct { int64_t begin_us, end_us; size_t columns, column, n; int64_t look_ns; const char *want; } rows[] = {
		{ 0, 100, 10, 5, 3, 2000, "1: .....111..\n" },
		/* Not beyond the last column or the window's end; earlier columns are not searched for. */
		{ 0, 100, 10, 4, 9, INT64_MAX, "1: ....111111\n" },
		{ -1000, -1, 4, 0, 4, 1000, "" },
	};
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	struct tn_lanes *lanes;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_str got = { 0 };

		cr_assert_eq(tn_lanes_new(&lanes, set, "sched_switch.next_tid by cpu", &err), TN_OK);
		cr_assert_eq(tn_lanes_guess(lanes, &o, SMALL_TRACE_BEGIN + rows[i].begin_us * 1000,
					    SMALL_TRACE_BEGIN + rows[i].end_us * 1000, rows[i].columns, rows[i].column, rows[i].n,
					    rows[i].look_ns, &err), TN_OK, "row %zu: %s", i, err.text);
		draw(lanes, &got);
		cr_expect_str_eq(tn_str_text(&got), rows[i].want, "row %zu: %s", i, tn_str_text(&got));
		tn_str_release(&got);
		tn_lanes_free(lanes);
	}
	cr_assert_eq(tn_lanes_new(&lanes, set, "name by cpu", &err), TN_OK);
	cr_expect_eq(tn_lanes_guess(lanes, &o, 0, 10, 5, 5, 1, 1, &err), TN_ERR_ARGUMENT, "no such column");
	/* A window longer than INT64_MAX: the events are after the microsecond that is read. */
	cr_expect_eq(tn_lanes_guess(lanes, &o, -6000000000000000000, 6000000000000000000, 5, 0, 1, 1000, &err), TN_OK, "%s", err.text);
	cr_expect_eq(picture_of(lanes).lanes, 0, "lanes in a microsecond without events");
	cr_expect_eq(tn_lanes_guess(lanes, &o, 0, 10, 5, 0, 0, 1, &err), TN_ERR_ARGUMENT, "no column");
	cr_expect_eq(tn_lanes_guess(lanes, &o, 0, 10, 5, 0, 1, 0, &err), TN_ERR_ARGUMENT, "no time");
	cr_expect(strstr(err.text, "a guess needs a column"), "%s", err.text);
	tn_lanes_free(lanes);
}

/* Guesses stay until exact results replace them, from the first column on. */
Test(lanes, guesses_stay_until_it_is_known)
{
	struct tn_scan_options o = { TN_SCAN_OPTIONS, .threads = 1 };
	int64_t begin = SMALL_TRACE_BEGIN, end = begin + 100000;
	struct tn_lanes *guess, *exact;
	struct tn_str guessed = { 0 }, known = { 0 };

	cr_assert_eq(tn_lanes_new(&guess, set, "sched_switch.next_tid by cpu", &err), TN_OK);
	cr_assert_eq(tn_lanes_new(&exact, set, "sched_switch.next_tid by cpu", &err), TN_OK);
	cr_assert_eq(tn_lanes_guess(guess, &o, begin, end, 10, 4, 9, INT64_MAX, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_lanes_run(exact, &o, begin, end, 10, &err), TN_OK, "%s", err.text);
	draw(guess, &guessed);
	draw(exact, &known);
	cr_assert_str_eq(tn_str_text(&guessed), "1: ....111111\n");
	cr_assert_str_neq(tn_str_text(&guessed), tn_str_text(&known));
	for (size_t columns = 0; columns <= 10; columns++) {
		struct tn_lanes_picture p, q = picture_of(exact);

		exact->known = columns;
		cr_assert_eq(tn_lanes_picture(&p, exact, guess, &err), TN_OK, "%s", err.text);
		cr_expect_eq(p.known, columns);
		for (size_t i = 0; i < p.lanes; i++)
			for (size_t c = 0; c < 10; c++) {
				const struct tn_answer_value *lane = &p.lane[i].value;
				const char *is = state_at(&p, i, c);
				const char *want = NULL;

				for (size_t k = 0; c < columns && k < q.lanes; k++)
					if (tn_answer_value_compare(lane, &q.lane[k].value) == 0)
						want = state_at(&q, k, c);
				if (c >= columns)
					want = lane->is.u == 1 && c >= 4 ? "11" : NULL;
				cr_expect((!is && !want) || (is && want && strcmp(is, want) == 0),
					  "%zu known: lane %zu column %zu: %s, not %s", columns, i, c, is ? is : "none", want ? want : "none");
			}
	}
	exact->known = 11;
	cr_expect_eq(tn_lanes_picture(&(struct tn_lanes_picture) { 0 }, exact, guess, &err), TN_ERR_ARGUMENT);
	cr_expect(strstr(err.text, "the guesses and the results are from different windows"), "%s", err.text);
	tn_str_release(&guessed);
	tn_str_release(&known);
	tn_lanes_free(guess);
	tn_lanes_free(exact);
}
