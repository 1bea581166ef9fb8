/* The value of a name in single rows (tnav/answer.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "../../make/small_trace.h"

#include <tnav/answer.h>

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

TestSuite(named, .init = open_small, .fini = close_small);

Test(named, values_of_rows)
{
	static const struct { const char *name, *want; } rows[] = {
		{ "name", "sched_switch sched_switch req_begin req_begin " },
		{ "tid", "1 2 11 12 " },
		{ "event.cpu", "0 1 0 1 " },
		{ "next_tid", "11 12 - - " },
		{ "fields.kind", "- - read write (1) " },
		{ "stream", "s0 s1 s0 s1 " },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_str got = { 0 };
		struct tn_cursor *cur;
		struct tn_named *named;
		struct tn_answer_value v;
		enum tn_code rc;

		cr_assert_eq(tn_named_new(&named, set, rows[i].name, &err), TN_OK, "%s", err.text);
		cr_assert_eq(tn_cursor_new(&cur, set, &err), TN_OK);
		cr_expect_eq(tn_named_value(named, cur, &v, &err), TN_ERR_ARGUMENT, "the cursor is nowhere");
		rc = tn_cursor_first(cur, &err);
		for (int k = 0; k < 4 && rc == TN_OK; k++, rc = tn_cursor_next(cur, &err)) {
			cr_assert_eq(tn_named_value(named, cur, &v, &err), TN_OK, "%s", err.text);
			if (v.kind == TN_ANSWER_NONE)
				tn_str_putc(&got, '-');
			tn_answer_value_text(&v, &got);
			tn_str_putc(&got, ' ');
		}
		cr_expect_str_eq(tn_str_text(&got), rows[i].want, "%s: %s", rows[i].name, tn_str_text(&got));
		tn_str_release(&got);
		tn_cursor_free(cur);
		tn_named_free(named);
	}
}

/* A row that is not an event has no values. */
Test(named, a_loss_has_none)
{
	struct tn_cursor *cur;
	struct tn_named *named;
	struct tn_answer_value v;
	struct tn_row row;
	bool met = false;

	cr_assert_eq(tn_named_new(&named, set, "tid", &err), TN_OK);
	cr_assert_eq(tn_cursor_new(&cur, set, &err), TN_OK);
	for (enum tn_code rc = tn_cursor_first(cur, &err); rc == TN_OK; rc = tn_cursor_next(cur, &err)) {
		cr_assert(tn_cursor_row(cur, &row));
		cr_assert_eq(tn_named_value(named, cur, &v, &err), TN_OK);
		if (row.kind == TN_ROW_EVENT)
			continue;
		met = true;
		cr_expect_eq(v.kind, TN_ANSWER_NONE);
	}
	cr_expect(met);
	tn_cursor_free(cur);
	tn_named_free(named);
}

Test(named, mistakes)
{
	struct tn_named *named = (struct tn_named *)&err;
	struct tn_answer_value v;

	cr_expect_eq(tn_named_new(&named, set, "nobody", &err), TN_ERR_ARGUMENT);
	cr_expect_null(named);
	cr_expect_neq(strstr(err.text, "nobody"), NULL, "%s", err.text);
	cr_expect_eq(tn_named_new(&named, set, "a[*]", &err), TN_ERR_ARGUMENT, "it has several values");
	cr_expect_lt(tn_named_new(&named, NULL, "tid", &err), 0);
	cr_expect_lt(tn_named_value(NULL, NULL, &v, &err), 0);
	tn_named_free(NULL);
}
