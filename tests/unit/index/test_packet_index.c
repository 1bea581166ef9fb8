/* Facts of the packet index about a whole trace. */
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

/*
 * The end of a trace is known if all of its packets are known, and its streams have times; else it may continue
 * for ever.
 */
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

/* A session that never ends: entries of dropped packets are freed too, and the others keep their numbers. */
Test(packet_index, entries_of_what_is_gone)
{
	enum { N = 6000, LEFT = 100 };
	static struct fake_row rows[N];
	static struct fake_packet packets[N];
	static const struct fake_stream one = { packets, N, false };
	struct tn_packet p, before;
	struct tn_stream *s;
	struct tn_set *set;
	size_t n, most = 0;

	for (size_t i = 0; i < N; i++) {
		rows[i] = (struct fake_row) { 10 * (int64_t)i, false };
		packets[i] = (struct fake_packet) { &rows[i], 1 };
	}
	fake = (struct fake_trace) { .stream = &one, .n = 1, .extend_by = 50, .ends = true };
	set = fake_open();
	s = set->stream[0];
	while (tn_index_step(s, NULL) == TN_OK) {
		n = tn_stream_packet_count(s);
		if (n > LEFT)
			tn_index_drop_packets(s, n - LEFT);
		most = s->index.room > most ? s->index.room : most;
	}
	cr_expect_leq(most, 2048, "%zu entries", most);
	n = tn_stream_packet_count(s);
	cr_assert_eq(n, N);
	/* Existing packets, packets just dropped, and packets dropped long ago. */
	for (size_t i = N - LEFT; i < N; i++) {
		cr_assert_eq(tn_index_get(s, i, &p, &before, NULL), TN_OK);
		cr_expect_eq(p.begin_ns, 10 * (int64_t)i, "packet %zu", i);
		cr_expect_not(p.flags & TN_PACKET_GONE && i > N - LEFT, "packet %zu", i);
	}
	cr_assert_eq(tn_index_get(s, 17, &p, &before, NULL), TN_OK);
	cr_expect(p.flags & TN_PACKET_GONE && before.flags & TN_PACKET_GONE);
	cr_expect(p.content_bits == 0 && p.size_bits == 0 && p.n_events == 0);
	cr_expect_leq(p.begin_ns, 10 * (int64_t)(N - LEFT));
	tn_index_learn(s, 17, 5);
	cr_assert_eq(tn_index_find(s, 17, &n, NULL), TN_OK);
	cr_expect_geq(n, N - 2 * LEFT);
	cr_assert_eq(tn_index_find(s, 10 * (N - 5), &n, NULL), TN_OK);
	cr_expect(n == N - 5 || n == N - 6, "%zu", n);
	close_set(set);
}
