#include <criterion/criterion.h>
#include <string.h>

#include <tnav/writer.h>

#include "base/bits.h"

/* A stream of events with one number, whose packets go to memory. */
struct world {
	struct tn_draft *draft;
	struct tn_stream_class *sc;
	struct tn_event_class *number, *text;
	struct tn_packet_writer w;
	uint8_t buffer[256];
	uint8_t packet[16][256];
	unsigned n_packets;
	uint64_t clock;
	bool full;
	struct tn_error err;
};

static uint64_t
world_clock(void *user)
{
	return ((struct world *)user)->clock;
}

static bool
world_full(void *user)
{
	return ((struct world *)user)->full;
}

static void
world_close(void *user)
{
	struct world *x = user;

	tn_packet_writer_close(&x->w);
	memcpy(x->packet[x->n_packets++ % 16], x->buffer, sizeof x->buffer);
}

static void
world_init(struct world *x, enum tn_draft_header header, unsigned time_bits)
{
	static const struct tn_packet_callbacks callbacks = {
		.clock = world_clock, .is_full = world_full, .close = world_close,
	};
	struct tn_type *fields, *words;

	memset(x, 0, sizeof *x);
	cr_assert_eq(tn_draft_new(&x->draft, NULL, &x->err), TN_OK);
	x->sc = tn_draft_stream_class(x->draft, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM,
		.clock = tn_draft_clock(x->draft, "c", 1000000000, 0, 0, false), .header = header, .time_bits = time_bits,
	});
	fields = tn_draft_struct(x->draft);
	tn_draft_member(x->draft, fields, "n", tn_draft_uint(x->draft, 32, 0, 10));
	x->number = tn_draft_event_class(x->draft, x->sc, "number", -1, NULL, fields);
	words = tn_draft_struct(x->draft);
	tn_draft_member(x->draft, words, "s", tn_draft_string(x->draft));
	x->text = tn_draft_event_class(x->draft, x->sc, "text", -1, NULL, words);
	cr_assert_eq(tn_draft_finish(x->draft, &x->err), TN_OK, "%s", x->err.text);
	tn_packet_writer_init(&x->w, x->sc, 5, x->buffer, sizeof x->buffer, &callbacks, x);
}

static enum tn_code
put_number(struct world *x, uint64_t clock, uint32_t n)
{
	struct tn_datum d = tn_datum_u(n);

	x->clock = clock;
	return tn_packet_writer_event(&x->w, x->number, &d, 1, &x->err);
}

/* Members of the packet context: begin, end, content, size, sequence, discarded; the header is 16 bytes. */
static uint64_t
member(const uint8_t *packet, unsigned i)
{
	return tn_load64(packet + 16 + 8 * i);
}

Test(packet_writer, a_packet_says_what_is_in_it)
{
	struct world x;

	world_init(&x, TN_HEADER_PLAIN, 64);
	cr_assert_eq(put_number(&x, 1000, 7), TN_OK);
	cr_assert_eq(put_number(&x, 1010, 8), TN_OK);
	cr_assert(tn_packet_writer_is_open(&x.w));
	x.clock = 1020;
	tn_packet_writer_finish(&x.w);
	cr_assert_eq(x.n_packets, 1);
	cr_assert_eq(tn_bits_le(x.packet[0], 0, 32), 0xc1fc1fc1);
	cr_assert_eq(tn_load64(x.packet[0] + 8), 5, "stream instance id");
	cr_assert_eq(member(x.packet[0], 0), 1000);
	cr_assert_eq(member(x.packet[0], 1), 1020);
	cr_assert_eq(member(x.packet[0], 2), (64 + 2 * 14) * 8);
	cr_assert_eq(member(x.packet[0], 3), 256 * 8);
	cr_assert_eq(member(x.packet[0], 4), 0);
	cr_assert_eq(member(x.packet[0], 5), 0);
	/* The second event: id 0, time, number. */
	cr_assert_eq(tn_bits_le(x.packet[0], (64 + 14) * 8, 16), 0);
	cr_assert_eq(tn_bits_le(x.packet[0], (64 + 16) * 8, 64), 1010);
	cr_assert_eq(tn_bits_le(x.packet[0], (64 + 24) * 8, 32), 8);
	tn_draft_free(x.draft);
}

/* 13 events of 14 bytes and 10 bytes that stay unused: the 14th closes the packet, with its own time. */
Test(packet_writer, the_event_that_does_not_fit_opens_the_next_packet)
{
	struct world x;

	world_init(&x, TN_HEADER_PLAIN, 64);
	for (unsigned i = 0; i < 14; i++)
		cr_assert_eq(put_number(&x, 100 + i, i), TN_OK);
	cr_assert_eq(x.n_packets, 1);
	cr_assert_eq(member(x.packet[0], 1), 113, "closed at the time of the event that did not fit");
	cr_assert_eq(member(x.packet[0], 2), (64 + 13 * 14) * 8);
	for (unsigned i = 64 + 13 * 14; i < 256; i++)
		cr_assert_eq(x.packet[0][i], 0, "padding byte %u: nothing of the event stays there", i);
	tn_packet_writer_finish(&x.w);
	cr_assert_eq(member(x.packet[1], 0), 113);
	cr_assert_eq(member(x.packet[1], 2), (64 + 14) * 8);
	cr_assert_eq(member(x.packet[1], 4), 1, "sequence number");
	tn_draft_free(x.draft);
}

Test(packet_writer, events_are_counted_that_find_no_room)
{
	static char huge[200];
	struct tn_datum d;
	struct world x;

	world_init(&x, TN_HEADER_PLAIN, 64);
	cr_assert_eq(put_number(&x, 1, 1), TN_OK);
	/* One that never fits is lost at once, and the packet stays open. */
	memset(huge, 'x', sizeof huge - 1);
	d = tn_datum_text(huge);
	cr_assert_eq(tn_packet_writer_event(&x.w, x.text, &d, 1, &x.err), TN_OK);
	cr_assert_eq(tn_packet_writer_discarded(&x.w), 1);
	cr_assert_eq(x.n_packets, 0);
	for (unsigned i = 0; i < 12; i++)
		put_number(&x, 2 + i, i);
	x.full = true;
	cr_assert_eq(put_number(&x, 20, 1), TN_OK);
	cr_assert_eq(put_number(&x, 21, 1), TN_OK);
	cr_assert_eq(tn_packet_writer_discarded(&x.w), 3);
	cr_assert_not(tn_packet_writer_is_open(&x.w));
	cr_assert(tn_packet_writer_is_full(&x.w));
	x.full = false;
	cr_assert_eq(put_number(&x, 22, 1), TN_OK);
	tn_packet_writer_finish(&x.w);
	cr_assert_eq(x.n_packets, 2);
	cr_assert_eq(member(x.packet[0], 5), 1, "what was lost before it was closed");
	cr_assert_eq(member(x.packet[1], 5), 3);
	tn_draft_free(x.draft);
}

/* 16 bits of time: a longer step begins a packet, which tells the whole time. */
Test(packet_writer, a_step_too_far_for_the_header_begins_a_packet)
{
	struct world x;

	world_init(&x, TN_HEADER_PLAIN, 16);
	put_number(&x, 10, 1);
	put_number(&x, 10 + 65535, 1);
	cr_assert_eq(x.n_packets, 0);
	put_number(&x, 10 + 65535 + 65536, 1);
	cr_assert_eq(x.n_packets, 1);
	tn_packet_writer_finish(&x.w);
	cr_assert_eq(member(x.packet[1], 0), 10 + 65535 + 65536);
	tn_draft_free(x.draft);
}

/* 5 bits of id and 27 of time, or 31, id and time in full. */
Test(packet_writer, compact_headers_extend_for_long_steps)
{
	struct world x;

	world_init(&x, TN_HEADER_COMPACT, 0);
	put_number(&x, 1, 1);
	put_number(&x, (1 << 27), 2);
	put_number(&x, UINT64_C(1) << 28, 3);
	x.clock++;
	tn_packet_writer_finish(&x.w);
	cr_assert_eq(tn_bits_le(x.packet[0], 64 * 8, 32), 1u << 5);
	cr_assert_eq(tn_bits_le(x.packet[0], 72 * 8, 32), 0, "the low 27 bits are 0");
	cr_assert_eq(tn_bits_le(x.packet[0], 80 * 8, 5), 31);
	cr_assert_eq(tn_bits_le(x.packet[0], 81 * 8, 32), 0);
	cr_assert_eq(tn_load64(x.packet[0] + 85), UINT64_C(1) << 28);
	tn_draft_free(x.draft);
}

Test(packet_writer, wrong_data_are_refused_and_leave_no_trace)
{
	struct tn_datum d = tn_datum_i(-1), two[2] = { tn_datum_u(1), tn_datum_u(2) };
	struct world x;

	world_init(&x, TN_HEADER_PLAIN, 64);
	put_number(&x, 1, 1);
	cr_assert_eq(tn_packet_writer_event(&x.w, x.number, &d, 1, &x.err), TN_ERR_ARGUMENT);
	cr_assert(strstr(x.err.text, "event 'number': field.n"), "%s", x.err.text);
	cr_assert_eq(tn_packet_writer_event(&x.w, x.number, NULL, 0, &x.err), TN_ERR_ARGUMENT);
	cr_assert_eq(tn_packet_writer_event(&x.w, x.number, two, 2, &x.err), TN_ERR_ARGUMENT);
	d = tn_datum_u(UINT64_C(1) << 32);
	cr_assert_eq(tn_packet_writer_event(&x.w, x.number, &d, 1, &x.err), TN_ERR_ARGUMENT);
	d = tn_datum_bytes("a\0b", 3);
	cr_assert_eq(tn_packet_writer_event(&x.w, x.text, &d, 1, &x.err), TN_ERR_ARGUMENT);
	tn_packet_writer_finish(&x.w);
	cr_assert_eq(member(x.packet[0], 2), (64 + 14) * 8);
	cr_assert_eq(member(x.packet[0], 5), 0);
	tn_draft_free(x.draft);
}

Test(packet_writer, nothing_is_written_while_tracing_is_off)
{
	struct world x;

	world_init(&x, TN_HEADER_PLAIN, 64);
	tn_packet_writer_enable(&x.w, false);
	cr_assert_eq(put_number(&x, 1, 1), TN_OK);
	cr_assert_eq(tn_packet_writer_open(&x.w, NULL, 0, &x.err), TN_OK);
	cr_assert_not(tn_packet_writer_is_open(&x.w));
	tn_packet_writer_enable(&x.w, true);
	put_number(&x, 2, 1);
	tn_packet_writer_enable(&x.w, false);
	tn_packet_writer_close(&x.w);
	cr_assert(tn_packet_writer_is_open(&x.w), "the buffer is left as it is");
	tn_draft_free(x.draft);
}
