/* What the packet index knows of a trace as a whole. */
#include <criterion/criterion.h>

#include "../order/fake.h"
#include "index/packet_index.h"

static void
close_set(struct tn_set *set)
{
	for (size_t i = 0; i < set->n_streams; i++)
		tn_index_guard_free(set->stream[i]);
	tn_set_close(set);
}

/* When a trace ends is known when all of its packets are, of streams that have times; else it may go on for ever. */
Test(packet_index, end_of_a_trace)
{
	static const struct fake_row rows[] = { { 10, false }, { 20, false }, { 35, false } };
	static const struct fake_packet packets[] = { { rows, 1 }, { rows + 1, 2 } };
	static const struct fake_stream one[] = { { packets, 1, false }, { packets, 2, false } };
	static const struct fake_stream untimed[] = { { packets, 2, false }, { packets, 1, true } };
	static const struct fake_stream none[] = { { packets, 0, false } };
	struct tn_set *set;

	fake = (struct fake_trace) { .stream = one, .n = 2, .extend_by = 1, .ends = true };
	set = fake_open();
	cr_expect_eq(tn_index_end_of_trace(set, set->trace[0]), INT64_MAX, "not all packets are known");
	for (size_t i = 0; i < set->n_streams; i++)
		cr_assert_eq(tn_index_complete(set->stream[i], NULL, NULL), TN_OK);
	cr_expect_eq(tn_index_end_of_trace(set, set->trace[0]), 35);
	set->grown = 1;
	cr_expect_eq(tn_index_end_of_trace(set, set->trace[0]), INT64_MAX, "it grows");
	set->grown = 0;
	close_set(set);

	fake = (struct fake_trace) { .stream = untimed, .n = 2, .ends = true };
	set = fake_open();
	for (size_t i = 0; i < set->n_streams; i++)
		cr_assert_eq(tn_index_complete(set->stream[i], NULL, NULL), TN_OK);
	cr_expect_eq(tn_index_end_of_trace(set, set->trace[0]), INT64_MAX, "a stream has no times");
	close_set(set);

	fake = (struct fake_trace) { .stream = none, .n = 1 };
	set = fake_open();
	for (size_t i = 0; i < set->n_streams; i++)
		cr_assert_eq(tn_index_complete(set->stream[i], NULL, NULL), TN_OK);
	cr_expect_eq(tn_index_end_of_trace(set, set->trace[0]), INT64_MAX, "nothing is in it");
	close_set(set);
}
