/* The share before a row: three packets of 100 bytes in one stream, one of 700 in the other. */
#include <criterion/criterion.h>

#include "index/packet_index.h"
#include "model/decoder.h"

static struct tn_packet first[3] = {
	{ .offset = 0, .size_bits = 800, .begin_ns = 0, .end_ns = 99, .n_events = 10 },
	{ .offset = 100, .size_bits = 800, .begin_ns = 100, .end_ns = 199, .n_events = TN_UNKNOWN },
	{ .offset = 200, .size_bits = 800, .begin_ns = 200, .end_ns = 300, .n_events = 4 },
};
static struct tn_packet second[1] = { { .offset = 0, .size_bits = 5600, .begin_ns = 0, .end_ns = 100, .n_events = 7 } };

Test(share, of_a_set)
{
	static const struct {
		struct tn_location at;
		double want;
	} rows[] = {
		{ { 0, 0, 0, 0 }, 0.0 },
		{ { 50, 0, 0, 5 }, (50 + 350) / 1000.0 },	/* half of its packet by rows, half of the other by time */
		{ { 100, 1, 0, 7 }, (100 + 700) / 1000.0 },
		{ { 100, 0, 1, 0 }, (100 + 700) / 1000.0 },
		{ { 200, 0, 2, 0 }, (200 + 700) / 1000.0 },
		{ { 250, 0, 2, 2 }, (250 + 700) / 1000.0 },
		{ { 999, 1, 0, 9 }, 1.0 },
	};
	static const struct tn_format plain = { .name = "entries are as the file says" };
	struct tn_trace trace = { .ops = &plain };
	struct tn_stream_class sc = { .id = 0 };
	struct tn_stream stream[2] = {
		{ .trace = &trace, .rank = 0, .size = 300, .stream_class = &sc, .index = { first, 3, 3, true, NULL, NULL } },
		{ .trace = &trace, .rank = 1, .size = 700, .stream_class = &sc, .index = { second, 1, 1, true, NULL, NULL } },
	};
	struct tn_stream *streams[2] = { &stream[0], &stream[1] };
	struct tn_set set = { .stream = streams, .n_streams = 2 };
	double share;

	for (size_t i = 0; i < 2; i++)
		cr_assert_eq(tn_index_guard_new(&stream[i], NULL), TN_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_assert(tn_location_share(&set, &rows[i].at, &share), "row %zu", i);
		cr_expect_float_eq(share, rows[i].want, 0.001, "row %zu: %f, not %f", i, share, rows[i].want);
	}
	cr_expect_not(tn_location_share(NULL, &rows[0].at, &share));
	for (size_t i = 0; i < 2; i++)
		tn_index_guard_free(&stream[i]);
}
