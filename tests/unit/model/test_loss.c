#include <criterion/criterion.h>
#include <inttypes.h>

#include "base/array.h"
#include "model/loss.h"

#define NONE UINT64_MAX	/* no such counter, or no packet before */
#define SOME UINT64_MAX	/* not known how many */

/* Counters of @bits bits; the packet before has @from and @first, this one @to and @second. */
Test(loss, rule)
{
	static const struct {
		const char *what;
		unsigned bits;
		bool has_before;
		uint64_t from, to, events;	/* events_discarded */
		uint64_t first, second, packets;	/* packet_seq_num */
	} rows[] = {
		{ "nothing", 64, true, 5, 5, 0, 1, 2, 0 },
		{ "events", 64, true, 5, 8, 3, 1, 2, 0 },
		{ "packets", 64, true, 5, 5, 0, 1, 5, 3 },
		{ "both", 32, true, 0, 1, 1, 0, 2, 1 },
		{ "8 bits wrap", 8, true, 250, 4, 10, 254, 2, 3 },
		{ "8 bits, nearly all of them", 8, true, 4, 250, 246, 1, 2, 0 },
		{ "16 bits wrap", 16, true, 65535, 0, 1, 65535, 0, 0 },
		{ "32 bits wrap", 32, true, UINT32_MAX, 2, 3, UINT32_MAX - 1, 1, 2 },
		{ "64 bits wrap", 64, true, UINT64_MAX - 1, 3, 5, UINT64_MAX - 1, 0, 1 },
		{ "the last growth that is one", 32, true, 0, INT32_MAX, INT32_MAX, 0, 1, 0 },
		{ "64 bits fall", 64, true, 7, 0, 0, 1, 2, 0 },
		{ "32 bits fall", 32, true, 7, 0, 0, 1, 2, 0 },
		{ "no width falls", 0, true, 7, 0, 0, 1, 2, 0 },
		{ "no width", 0, true, 7, 9, 2, 1, 4, 2 },
		{ "numbers begin anew", 64, true, 5, 5, 0, 9, 0, 0 },
		{ "narrow numbers go back", 8, true, 5, 5, 0, 9, 8, 0 },
		{ "narrow numbers far ahead", 8, true, 5, 5, 0, 0, 127, 126 },
		{ "narrow numbers too far ahead", 8, true, 5, 5, 0, 0, 128, 0 },
		{ "the same number", 64, true, 5, 5, 0, 9, 9, 0 },
		{ "first packet, nothing", 64, false, NONE, 0, 0, NONE, 3, 0 },
		{ "first packet of its tracer", 64, false, NONE, 4, 4, NONE, 0, 0 },
		{ "first packet of a part", 64, false, NONE, 4, SOME, NONE, 9, 0 },
		{ "first packet without a number", 64, false, NONE, 4, SOME, NONE, NONE, 0 },
		{ "no counters", 64, true, NONE, NONE, 0, NONE, NONE, 0 },
		{ "no counters in the first packet", 64, false, NONE, NONE, 0, NONE, NONE, 0 },
		{ "the packet before cannot be read", 64, true, NONE, 4, 0, NONE, 9, 0 },
		{ "this packet cannot be read", 64, true, 4, NONE, 0, 9, NONE, 0 },
		{ "numbers only", 64, true, NONE, NONE, 0, 3, 5, 1 },
		{ "no numbers", 64, true, 3, 5, 2, NONE, NONE, 0 },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_type context = { .kind = TN_KIND_STRUCT };
		struct tn_field root = { .type = &context };
		struct tn_stream_class sc = { .packet_context = &root };
		struct tn_packet before = { .discarded = rows[i].from, .highest = rows[i].from, .sequence = rows[i].first };
		struct tn_packet p = { .discarded = rows[i].to, .sequence = rows[i].second };
		struct tn_loss loss;

		context.summary.bits[7] = context.summary.bits[8] = (uint8_t)rows[i].bits;
		cr_assert_eq(tn_context_bits(&sc, TN_ROLE_DISCARDED), rows[i].bits);
		loss = tn_loss_find(&sc, &p, rows[i].has_before ? &before : NULL);
		cr_expect_eq(loss.events, rows[i].events, "%s: %" PRIu64 " events", rows[i].what, loss.events);
		cr_expect_eq(loss.packets, rows[i].packets, "%s: %" PRIu64 " packets", rows[i].what, loss.packets);
	}
}

/* Only what rises above the highest value so far is new. */
Test(loss, falls)
{
	static const struct { const char *what; unsigned bits; uint64_t counter[8], events[8]; } rows[] = {
		{ "to 0 and back", 64, { 0, 26145, 0, 26145, 26145, 0, 26146, 5 }, { 0, 26145, 0, 0, 0, 0, 1, 0 } },
		{ "32 bits", 32, { 0, 26145, 0, 26145, 0, 0, 26145, 26147 }, { 0, 26145, 0, 0, 0, 0, 0, 2 } },
		{ "slowly back", 0, { 0, 10, 0, 4, 9, 10, 12, 0 }, { 0, 10, 0, 0, 0, 0, 2, 0 } },
		{ "packets that cannot be read", 64, { 3, NONE, 5, NONE, 0, 5, NONE, 8 }, { 3, 0, 2, 0, 0, 0, 0, 3 } },
		{ "32 bits wrap, and fall after that", 32, { UINT32_MAX, 2, UINT32_MAX, 1, 2, 4, 0, 4 },
		  { UINT32_MAX, 3, 0, 0, 0, 2, 0, 0 } },
		{ "narrow ones only wrap", 8, { 0, 5, 0, 5, 5, 5, 5, 5 }, { 0, 5, 251, 5, 0, 0, 0, 0 } },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_type context = { .kind = TN_KIND_STRUCT };
		struct tn_field root = { .type = &context };
		struct tn_stream_class sc = { .packet_context = &root };
		struct tn_packet before, p = { .highest = NONE };

		context.summary.bits[7] = (uint8_t)rows[i].bits;
		for (size_t k = 0; k < 8; k++) {
			struct tn_loss loss;

			before = p;
			p = (struct tn_packet) { .discarded = rows[i].counter[k], .sequence = k };
			p.highest = tn_loss_highest(&sc, &p, before.highest);
			loss = tn_loss_find(&sc, &p, k ? &before : NULL);
			cr_expect_eq(loss.events, rows[i].events[k], "%s: packet %zu: %" PRIu64 " events", rows[i].what, k,
				     loss.events);
		}
	}
}

/* Formats without packet contexts lose nothing that they would know of. */
Test(loss, without_context)
{
	struct tn_stream_class sc = { .packet_context = NULL };
	struct tn_packet p = { .discarded = TN_UNKNOWN, .highest = TN_UNKNOWN, .sequence = TN_UNKNOWN };
	struct tn_loss loss = tn_loss_find(&sc, &p, &p);

	cr_expect_eq(loss.events, 0);
	cr_expect_eq(loss.packets, 0);
}
