#include <criterion/criterion.h>

#include <stdlib.h>

#include "session/bars.h"

static struct bars *
bars(int64_t begin_ns, int64_t end_ns, size_t n)
{
	struct bars *b = calloc(1, sizeof *b);

	cr_assert(b);
	bars_init(b, begin_ns, end_ns, n);
	return b;
}

static uint64_t
sum(const struct bars *b)
{
	uint64_t events[BARS_MOST], all = 0;
	bool lossy[BARS_MOST];

	bars_look(b, events, lossy);
	for (size_t i = 0; i < b->n; i++)
		all += events[i];
	return all;
}

Test(bars, a_time_is_in_an_equal_part)
{
	static const struct { int64_t begin_ns, end_ns, time_ns; size_t parts, part; } rows[] = {
		{ 0, 99, 0, 10, 0 }, { 0, 99, 9, 10, 0 }, { 0, 99, 10, 10, 1 }, { 0, 99, 99, 10, 9 }, { 0, 99, -5, 10, 0 },
		{ 0, 99, 500, 10, 9 }, { -100, -1, -50, 2, 1 }, { INT64_MIN, INT64_MAX, 0, 2, 1 }, { 7, 7, 7, 3, 0 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t part = bars_part(rows[i].begin_ns, rows[i].end_ns, rows[i].parts, rows[i].time_ns);

		cr_expect_eq(part, rows[i].part, "row %zu: part %zu", i, part);
	}
}

/* No event gets lost on the way to the bars, and each bar has what its part of the time deserves. */
Test(bars, events_are_spread_and_taken_back)
{
	struct bars *b = bars(0, 999, 10);

	bars_spread(b, 50, 249, 200, false);
	cr_expect_eq(b->events[0], 50);
	cr_expect_eq(b->events[1], 100);
	cr_expect_eq(b->events[2], 50);
	cr_expect_eq(sum(b), 200);
	bars_spread(b, 900, 999, 7, false);
	cr_expect_eq(b->events[9], 7);
	bars_spread(b, 50, 249, 200, true);
	cr_expect_eq(sum(b), 7);
	bars_spread(b, 900, 999, 7, true);
	for (size_t i = 0; i < b->n; i++)
		cr_expect_eq(b->events[i], 0, "bar %zu: %llu", i, (unsigned long long)b->events[i]);
	free(b);
}

Test(bars, wider_bars_have_what_two_had)
{
	struct bars *b = bars(1000, 1099, 10);

	for (size_t i = 0; i < b->n; i++)
		bars_count(b, i, i + 1);
	bars_lose(b, 3);
	cr_expect(!bars_widen(b, 1099));
	cr_expect(bars_widen(b, 1399));	/* twice */
	cr_expect_eq(b->end_ns, 1399);
	cr_expect_eq(b->events[0], 1 + 2 + 3 + 4);
	cr_expect(b->lossy[0] && !b->lossy[1]);
	cr_expect_eq(b->events[2], 9 + 10);
	cr_expect_eq(b->events[3], 0);
	cr_expect_eq(sum(b), 55);
	cr_expect_eq(bars_at(b, 1399), 9);
	free(b);
}
