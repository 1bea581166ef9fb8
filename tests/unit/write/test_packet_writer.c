#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/tnav.h>

#include "base/bits.h"
#include "base/str.h"
#include "../../make/drafting.h"

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

Test(packet_writer, an_event_of_another_stream_class_is_refused)
{
	struct tn_datum d = tn_datum_u(1);
	struct world x, y;

	world_init(&x, TN_HEADER_PLAIN, 64);
	world_init(&y, TN_HEADER_PLAIN, 64);
	cr_assert_eq(tn_packet_writer_event(&x.w, y.number, &d, 1, &x.err), TN_ERR_ARGUMENT);
	cr_assert_str_eq(x.err.text, "event 'number' is from another stream class than the writer");
	tn_draft_free(x.draft);
	tn_draft_free(y.draft);
}

/* Its context is laid out when the draft is finished, not before. */
Test(packet_writer, no_packet_of_an_unfinished_class)
{
	struct tn_stream_class *late;
	struct world x;

	world_init(&x, TN_HEADER_PLAIN, 64);
	tn_draft_reopen(x.draft);
	late = tn_draft_stream_class(x.draft, &(struct tn_draft_stream) { TN_DRAFT_STREAM });
	tn_packet_writer_init(&x.w, late, 6, x.buffer, sizeof x.buffer, &(struct tn_packet_callbacks) { 0 }, &x);
	cr_assert_eq(tn_packet_writer_open(&x.w, NULL, 0, &x.err), TN_ERR_ARGUMENT);
	cr_assert_str_eq(x.err.text, "the draft of the stream class is not finished");
	cr_assert(!tn_packet_writer_is_open(&x.w));
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

/* Two buffers in turn: the one that is full can be sent away while the other one fills. */
static uint8_t other_buffer[512];
static unsigned swaps, sections;

static void
swap_buffers(void *user)
{
	struct world *x = user;
	bool first = tn_packet_writer_buffer(&x->w) == x->buffer;

	sections += *tn_packet_writer_in_tracing_section(&x->w) == 1;
	tn_packet_writer_close(&x->w);
	cr_expect(tn_packet_writer_is_full(&x->w));
	memcpy(x->packet[x->n_packets++ % 16], tn_packet_writer_buffer(&x->w), sizeof x->buffer);
	tn_packet_writer_set_buffer(&x->w, first ? other_buffer : x->buffer, first ? sizeof other_buffer : sizeof x->buffer);
	cr_expect(tn_packet_writer_is_full(&x->w), "nothing goes into it before it is opened");
	swaps++;
}

Test(packet_writer, buffers_take_turns)
{
	static const struct tn_packet_callbacks callbacks = { .clock = world_clock, .close = swap_buffers };
	struct world x;

	world_init(&x, TN_HEADER_PLAIN, 64);
	tn_packet_writer_init(&x.w, x.sc, 5, x.buffer, sizeof x.buffer, &callbacks, &x);
	cr_expect(tn_packet_writer_is_enabled(&x.w));
	/* 13 events fit after the 64 bytes of the first buffer and its 14 each, 32 in the other one. */
	for (uint32_t i = 0; i < 60; i++) {
		cr_assert_eq(put_number(&x, 1000 + i, i), TN_OK, "%s", x.err.text);
		cr_expect_eq(*tn_packet_writer_in_tracing_section(&x.w), 0);
		cr_expect_eq(tn_packet_writer_sequence(&x.w), x.n_packets);
		cr_expect_eq(tn_packet_writer_size(&x.w), x.n_packets % 2 ? sizeof other_buffer : sizeof x.buffer);
	}
	cr_expect_eq(x.n_packets, 3);
	cr_expect_eq(swaps, 3);
	cr_expect_eq(sections, 3, "each was closed while an event was written");
	for (unsigned i = 0; i < 3; i++) {
		static const uint32_t first[] = { 0, 13, 45 };

		cr_expect_eq(member(x.packet[i], 4), i, "number of the packet");
		cr_expect_eq(member(x.packet[i], 3), (i % 2 ? sizeof other_buffer : sizeof x.buffer) * 8);
		cr_expect_eq(tn_bits_le(x.packet[i], (64 + 10) * 8, 32), first[i]);
	}
	tn_packet_writer_enable(&x.w, false);
	cr_expect(!tn_packet_writer_is_enabled(&x.w));
	tn_draft_free(x.draft);
}

/* ---- packets of any size, and what they say of themselves ---- */

struct growing {
	struct tn_draft *draft;
	struct tn_stream_class *sc;
	struct tn_packet_writer w;
	uint8_t *buffer;
	uint8_t file[4096];
	size_t n;
	struct tn_error err;
};

static void *
growing_more(void *user, size_t size)
{
	struct growing *g = user;
	uint8_t *bigger = realloc(g->buffer, size);

	if (!bigger)
		return NULL;
	/* The new part has any bytes. */
	memset(bigger + tn_packet_writer_size(&g->w), 0xa5, size - tn_packet_writer_size(&g->w));
	return g->buffer = bigger;
}

static void
growing_init(struct growing *g, bool any_order)
{
	static const struct tn_packet_callbacks callbacks = { .grow = growing_more };

	memset(g, 0, sizeof *g);
	cr_assert_eq(tn_draft_new(&g->draft, NULL, &g->err), TN_OK);
	g->sc = tn_draft_stream_class(g->draft, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .clock = tn_draft_clock(g->draft, "c", 1000000000, 0, 0, true), .any_order = any_order,
		.sequence_bits = 5, .discarded_bits = 12,
	});
	cr_assert_eq(tn_draft_finish(g->draft, &g->err), TN_OK, "%s", g->err.text);
	tn_packet_writer_init(&g->w, g->sc, 0, NULL, 0, &callbacks, g);
}

static void
growing_close(struct growing *g, const struct tn_packet_says *says)
{
	cr_assert_eq(tn_packet_writer_close_as(&g->w, says, &g->err), TN_OK, "%s", g->err.text);
	memcpy(g->file + g->n, g->buffer, tn_packet_writer_packet_size(&g->w));
	g->n += tn_packet_writer_packet_size(&g->w);
}

/* A class that is known only when its first event comes: a text, and bits that do not end on a byte. */
static struct tn_event_class *
late_class(struct growing *g, const char *name)
{
	struct tn_type *fields;
	struct tn_event_class *ec;

	tn_draft_reopen(g->draft);
	fields = tn_draft_struct(g->draft);
	tn_draft_member(g->draft, fields, "s", tn_draft_string(g->draft));
	tn_draft_member(g->draft, fields, "b", tn_draft_uint(g->draft, 3, 1, 10));
	ec = tn_draft_event_class(g->draft, g->sc, name, -1, NULL, fields);
	cr_assert_eq(tn_draft_finish(g->draft, &g->err), TN_OK, "%s", g->err.text);
	return ec;
}

static void
growing_event(struct growing *g, const struct tn_event_class *ec, uint64_t time, const char *text)
{
	struct tn_datum d[] = { tn_datum_text(text), tn_datum_u(7) };

	cr_assert_eq(tn_packet_writer_event_at(&g->w, time, ec, d, 2, &g->err), TN_OK, "%s", g->err.text);
}

static int
keep_text(void *user, const char *text, size_t n)
{
	tn_str_add(user, text, n);
	return 0;
}

static int
keep_loss(void *user, const struct tn_row *row)
{
	tn_str_printf(user, "%s %llu\n", row->kind == TN_ROW_LOST_EVENTS ? "lost" :
		      row->kind == TN_ROW_LOST_PACKETS ? "lost packets" : "damage", (unsigned long long)row->count);
	return 0;
}

Test(packet_writer, packets_are_as_long_as_what_is_in_them)
{
	struct tn_packet_says says = {
		TN_PACKET_SAYS, .has_begin = true, .begin = 900, .has_end = true, .end = 2500,
		.has_sequence = true, .sequence = 31, .has_discarded = true, .discarded = 4095,
	};
	struct tn_str metadata = { 0 };
	struct tn_str got = { 0 };
	struct tn_open_options how = { TN_OPEN_OPTIONS, .no_index_cache = true };
	struct tn_text_options text_how = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_memory_file file[2];
	const struct tn_event_class *first, *second;
	static char huge[1000];
	struct tn_text *text;
	struct growing g;
	struct tn_set *set;

	growing_init(&g, true);
	memset(huge, 'x', sizeof huge - 1);
	cr_assert_eq(tn_packet_writer_open(&g.w, NULL, 0, &g.err), TN_OK, "%s", g.err.text);
	first = late_class(&g, "first");
	growing_event(&g, first, 1000, huge);
	second = late_class(&g, "second");
	growing_event(&g, second, 2000, "b");
	growing_event(&g, first, 1500, "times go back");
	growing_close(&g, &says);
	cr_assert_eq(tn_packet_writer_size(&g.w) > tn_packet_writer_packet_size(&g.w), true);
	cr_assert_eq(g.file[g.n - 1], 7, "bits behind the content are 0");
	/* The next one counts on: its number begins anew, and so does the counter: one more was lost. */
	cr_assert_eq(tn_packet_writer_open(&g.w, NULL, 0, &g.err), TN_OK);
	growing_event(&g, second, 3000, "c");
	says.has_begin = says.has_end = says.has_sequence = false;
	says.discarded = 4096;
	growing_close(&g, &says);

	cr_assert_eq(tn_draft_metadata(g.draft, TN_METADATA_CTF_1_8, &metadata, &g.err), TN_OK);
	cr_assert(strstr(metadata.text, "size = 5; align = 8; signed = false; } packet_seq_num"), "%s", metadata.text);
	file[0] = (struct tn_memory_file) { "metadata", metadata.text, metadata.n };
	file[1] = (struct tn_memory_file) { "s", g.file, g.n };
	cr_assert_eq(tn_set_open_memory(&set, file, 2, &how, &g.err), TN_OK, "%s", g.err.text);
	text_how.utc = true;
	text_how.no_delta = true;
	cr_assert_eq(tn_text_new(&text, set, &text_how, &g.err), TN_OK);
	{
		struct tn_scan_options scan = {
			TN_SCAN_OPTIONS, .text = text, .threads = 1, .lines = keep_text, .notice = keep_loss, .user = &got,
		};

		cr_assert_eq(tn_scan(set, &scan, NULL, &g.err), TN_OK, "%s", g.err.text);
	}
	cr_assert(strstr(got.text, "first: { s = \"xxx"), "%s", got.text);
	cr_assert(strstr(got.text, "second: { s = \"b\", b = 7 }"), "%s", got.text);
	cr_assert(strstr(got.text, "lost 1\n"), "%s", got.text);
	cr_assert_null(strstr(got.text, "lost packets"), "%s", got.text);
	cr_assert(strstr(got.text, "second: { s = \"c\", b = 7 }"), "%s", got.text);
	tn_text_free(text);
	tn_set_close(set);
	free(metadata.text);
	tn_str_release(&got);
	free(g.buffer);
	tn_draft_free(g.draft);
}

Test(packet_writer, what_cannot_be_said_is_refused)
{
	struct tn_packet_says says = { TN_PACKET_SAYS, .has_begin = true };
	struct tn_error err = { 0 };
	struct growing g;
	struct world x;
	struct tn_draft *d;

	/* A compact header counts from the begin that the packet was opened with. */
	world_init(&x, TN_HEADER_COMPACT, 0);
	put_number(&x, 5, 1);
	cr_assert_eq(tn_packet_writer_close_as(&x.w, &says, &x.err), TN_ERR_ARGUMENT);
	cr_assert(strstr(x.err.text, "64 bits"), "%s", x.err.text);
	cr_assert(tn_packet_writer_is_open(&x.w));
	tn_draft_free(x.draft);

	growing_init(&g, false);
	cr_assert_eq(tn_packet_writer_open(&g.w, NULL, 0, &g.err), TN_OK);
	{
		const struct tn_event_class *ec = late_class(&g, "e");
		struct tn_datum data[] = { tn_datum_text("a"), tn_datum_u(1) };

		growing_event(&g, ec, 10, "a");
		cr_assert_eq(tn_packet_writer_event_at(&g.w, 9, ec, data, 2, &g.err), TN_ERR_ARGUMENT, "times must not go back");
	}
	free(g.buffer);
	tn_draft_free(g.draft);

	cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
	cr_assert_null(tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .any_order = true, .time_bits = 32 }));
	cr_assert_eq(tn_draft_finish(d, &err), TN_ERR_ARGUMENT);
	cr_assert(strstr(err.text, "go back need 64 bits"), "%s", err.text);
	tn_draft_free(d);
	cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
	cr_assert_null(tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .sequence_bits = 65 }));
	cr_assert_eq(tn_draft_finish(d, &err), TN_ERR_ARGUMENT);
	cr_assert(strstr(err.text, "65 and 0 bits"), "%s", err.text);
	tn_draft_free(d);
}

/* As many lengths and tags as there are: more than fit beside the encoder are in memory of their own. */
Test(packet_writer, an_event_of_many_sequences)
{
	static struct tn_datum data[400];
	char name[2][16];
	struct tn_type *fields;
	struct tn_event_class *ec;
	struct growing g;

	growing_init(&g, false);
	tn_draft_reopen(g.draft);
	fields = tn_draft_struct(g.draft);
	for (unsigned i = 0; i < 200; i++) {
		snprintf(name[0], sizeof *name, "n%u", i);
		snprintf(name[1], sizeof *name, "t%u", i);
		tn_draft_member(g.draft, fields, name[0], tn_draft_uint(g.draft, 8, 8, 10));
		tn_draft_member(g.draft, fields, name[1], tn_draft_text_sequence(g.draft, name[0]));
		data[2 * i] = tn_datum_u(i % 3);
		data[2 * i + 1] = tn_datum_bytes("abc", i % 3);
	}
	ec = tn_draft_event_class(g.draft, g.sc, "many", -1, NULL, fields);
	cr_assert_eq(tn_draft_finish(g.draft, &g.err), TN_OK, "%s", g.err.text);
	cr_assert_eq(tn_packet_writer_open(&g.w, NULL, 0, &g.err), TN_OK);
	cr_assert_eq(tn_packet_writer_event_at(&g.w, 1, ec, data, 400, &g.err), TN_OK, "%s", g.err.text);
	growing_close(&g, NULL);
	/* The header, four numbers, the two counters, the event header. */
	cr_assert_eq(g.n, 16 + 32 + 1 + 2 + 10 + 200 + 199, "%zu", g.n);
	free(g.buffer);
	tn_draft_free(g.draft);
}

/* Options are the labels' ranges, all of them; the tag may have a sign. Duplicate names are found among many. */
Test(packet_writer, variants_by_signed_labels_of_several_ranges)
{
	struct tn_datum data[] = { tn_datum_i(-5), tn_datum_u(9) }, other[] = { tn_datum_i(3), tn_datum_text("c") };
	struct tn_datum none[] = { tn_datum_i(0), tn_datum_u(9) };
	struct tn_type *fields, *tag, *v;
	struct tn_event_class *ec;
	struct growing g;

	growing_init(&g, false);
	tn_draft_reopen(g.draft);
	fields = tn_draft_struct(g.draft);
	tag = tn_draft_sint(g.draft, 8, 8, 10);
	tn_draft_label(g.draft, tag, "some", -5, -5);
	tn_draft_label(g.draft, tag, "some", 7, 9);
	tn_draft_label(g.draft, tag, "other", 1, 6);
	v = tn_draft_variant(g.draft, "tag");
	tn_draft_member(g.draft, v, "some", tn_draft_uint(g.draft, 8, 8, 10));
	tn_draft_member(g.draft, v, "other", tn_draft_string(g.draft));
	tn_draft_member(g.draft, fields, "tag", tag);
	tn_draft_member(g.draft, fields, "v", v);
	ec = tn_draft_event_class(g.draft, g.sc, "choice", -1, NULL, fields);
	cr_assert_eq(tn_draft_finish(g.draft, &g.err), TN_OK, "%s", g.err.text);
	cr_assert_eq(tn_packet_writer_open(&g.w, NULL, 0, &g.err), TN_OK);
	cr_assert_eq(tn_packet_writer_event_at(&g.w, 1, ec, data, 2, &g.err), TN_OK, "%s", g.err.text);
	data[0] = tn_datum_i(8);
	cr_assert_eq(tn_packet_writer_event_at(&g.w, 2, ec, data, 2, &g.err), TN_OK, "%s", g.err.text);
	cr_assert_eq(tn_packet_writer_event_at(&g.w, 3, ec, other, 2, &g.err), TN_OK, "%s", g.err.text);
	cr_assert_eq(tn_packet_writer_event_at(&g.w, 4, ec, none, 2, &g.err), TN_ERR_ARGUMENT);
	cr_assert(strstr(g.err.text, "selects no option"), "%s", g.err.text);
	free(g.buffer);
	tn_draft_free(g.draft);
}

/* A counter that ends inside a byte: the user's members begin where their types say (the last own member has 3 bits). */
Test(packet_writer, members_after_a_counter_of_bits)
{
	static const struct { unsigned sequence, discarded; size_t at; } rows[] = {
		{ 64, 3, 16 + 4 * 8 + 8 + 1 }, { 3, 64, 16 + 4 * 8 + 1 + 8 }, { 9, 9, 16 + 4 * 8 + 2 + 2 }, { 8, 8, 16 + 4 * 8 + 1 + 1 },
	};
	static const struct tn_packet_callbacks callbacks = { .close = world_close };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_datum cpu = tn_datum_u(0xab);
		struct tn_type *context;
		struct world x = { 0 };

		check(tn_draft_new(&x.draft, NULL, &x.err), &x.err);
		context = tn_draft_struct(x.draft);
		tn_draft_member(x.draft, context, "cpu", tn_draft_uint(x.draft, 8, 8, 10));
		x.sc = tn_draft_stream_class(x.draft, &(struct tn_draft_stream) {
			TN_DRAFT_STREAM, .clock = tn_draft_clock(x.draft, "c", 1000000000, 0, 0, false), .packet_context = context,
			.sequence_bits = rows[i].sequence, .discarded_bits = rows[i].discarded,
		});
		check(tn_draft_finish(x.draft, &x.err), &x.err);
		tn_packet_writer_init(&x.w, x.sc, 5, x.buffer, sizeof x.buffer, &callbacks, &x);
		check(tn_packet_writer_open(&x.w, &cpu, 1, &x.err), &x.err);
		cr_expect_eq(x.buffer[rows[i].at], 0xab, "row %zu: byte %zu is %#x", i, rows[i].at, x.buffer[rows[i].at]);
		tn_draft_free(x.draft);
	}
}
