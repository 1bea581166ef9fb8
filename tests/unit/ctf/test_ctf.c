/* Traces made of a few bytes: packets, rows, losses, damage (ctf1-binary.md, 5 to 11, 13, 15). */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"

static const uint32_t limits[] = { TN_BATCH_REFS, 1, 2, 3, 7 };

/* The rows of the trace's stream @i must be @want, whatever the size of batches, by the general path too. */
static void
expect_rows_of(struct folder *f, size_t i, const char *want)
{
	for (int general = 0; general < 2; general++) {
		struct tn_trace *t;

		setenv("TNAV_WAYS", general ? "walk" : "", 1);
		t = folder_open(f);
		index_all(t);
		cr_assert(i < t->n_streams, "%zu streams", t->n_streams);
		for (size_t k = 0; k < TN_COUNT(limits); k++) {
			struct tn_str got = { 0 };

			rows(t->stream[i], limits[k], &got);
			cr_assert_str_eq(tn_str_text(&got), want, "%s, batches of %u:\n%s--- not\n%s",
					 general ? "general" : "fast", limits[k], tn_str_text(&got), want);
			tn_str_release(&got);
		}
		trace_close(t);
	}
	unsetenv("TNAV_WAYS");
}

static void
expect_rows(struct folder *f, const char *want)
{
	expect_rows_of(f, 0, want);
}

/* ---- 15.2: wraps, counters, an empty packet, padding ---- */

static const char counters[] =
	"/* CTF 1.8 */ typealias integer { size = 8; } := u8; typealias integer { size = 16; } := u16;\n"
	"clock { name = c; freq = 1000000000; };\n"
	"typealias integer { size = 8; map = clock.c.value; } := t8;\n"
	"typealias integer { size = 64; map = clock.c.value; } := t64;\n"
	"trace { major = 1; minor = 8; byte_order = le; };\n"
	"stream { packet.context := struct { u16 packet_size; u16 content_size; t64 timestamp_begin;\n"
	" t64 timestamp_end; u8 events_discarded; u8 packet_seq_num; }; event.header := struct { t8 timestamp; }; };\n"
	"event { name = e; fields := struct { u8 a; }; };\n";

static const char counters_bytes[] =
	"18 01 00 01 f0 01 00 00 00 00 00 00 10 03 00 00 00 00 00 00 fa 07 f0 01 ff 02 10 03 10 04 0f 05 aa aa aa\n"
	"b0 00 b0 00 00 06 00 00 00 00 00 00 00 06 00 00 00 00 00 00 04 09\n"
	"c0 00 c0 00 00 06 00 00 00 00 00 00 10 06 00 00 00 00 00 00 04 0a 05 06\n";

Test(ctf, clock_wraps_and_counters)
{
	struct folder f;
	struct tn_trace *t;

	folder_new(&f, counters);
	folder_add_hex(&f, "s", counters_bytes);
	expect_rows(&f, "496 lost unknown events 496 to 784\n496 e 1\n511 e 2\n528 e 3\n528 e 4\n783 e 5\n"
			"1536 lost 10 events 784 to 1536\n1536 lost 1 packets 784 to 1536\n1541 e 6\n");
	t = folder_open(&f);
	index_all(t);
	cr_assert_eq(t->stream[0]->index.n, 3);
	cr_assert_eq(t->stream[0]->index.packet[1].offset, 0x23);
	cr_assert_eq(t->stream[0]->index.packet[0].end_cycles, 784);
	cr_assert_eq(t->stream[0]->index.packet[0].end_ns, 1536);	/* a bound: where the next begins */
	cr_assert_eq(t->stream[0]->index.packet[2].end_ns, 1552);
	trace_close(t);
	cr_assert_str_eq(tn_str_text(&f.told), "");
	folder_free(&f);
}

/* ---- 15.3: headers that LTTng writes, long enough for the special path ---- */

#define LTTNG_HEADERS(order, natural) \
	"/* CTF 1.8 */ typealias integer { size = 8; } := u8; typealias integer { size = 32; } := u32;\n" \
	"typealias integer { size = 5; align = 1; } := u5; typealias integer { size = 16; align = " natural "; } := u16;\n" \
	"clock { name = c; freq = 1000000000; };\n" \
	"typealias integer { size = 27; align = 1; map = clock.c.value; } := t27;\n" \
	"typealias integer { size = 32; align = " natural "; map = clock.c.value; } := t32;\n" \
	"typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;\n" \
	"trace { major = 1; minor = 8; byte_order = " order "; };\n" \
	"struct compact { enum : u5 { compact = 0 ... 30, extended = 31 } id; variant <id> { struct { t27 timestamp; }\n" \
	" compact; struct { u32 id; t64 timestamp; } extended; } v; } align(8);\n" \
	"struct large { enum : u16 { compact = 0 ... 65534, extended = 65535 } id; variant <id> { struct { t32 timestamp; }\n" \
	" compact; struct { u32 id; t64 timestamp; } extended; } v; } align(8);\n" \
	"event { name = a; id = 2; fields := struct { u8 x; }; }; event { name = b; id = 40; fields := struct { u8 n;\n" \
	" string s; u8 q[n]; }; };\n"

/* @n times the same bytes, between two others. */
static void
add_repeated(struct folder *f, const char *first, const char *again, unsigned n, const char *last)
{
	static uint8_t room[1 << 15];
	size_t at = hex(first, room, sizeof room);

	while (n--)
		at += hex(again, room + at, sizeof room - at);
	at += hex(last, room + at, sizeof room - at);
	folder_add(f, "s", room, at);
}

static void
expect_lttng(const char *metadata, const char *stream, const char *plain, const char *extended)
{
	struct tn_str want = { 0 };
	struct folder f;
	char *text;

	cr_assert(asprintf(&text, "%sstream { event.header := %s; };\n", metadata, stream) > 0);
	folder_new(&f, text);
	add_repeated(&f, plain, plain, 40, extended);
	for (int i = 0; i < 41; i++)
		tn_str_puts(&want, "100 a 17\n");
	/* The extended form has all of the clock; a wrapped value follows. */
	tn_str_puts(&want, "4886718345 b 2 \"hi\" 7 8\n");
	expect_rows(&f, tn_str_text(&want));
	tn_str_release(&want);
	folder_free(&f);
	free(text);
}

Test(ctf, lttng_headers)
{
	expect_lttng(LTTNG_HEADERS("le", "8"), "struct compact", "82 0c 00 00 11",
		     "1f 28 00 00 00 89 67 45 23 01 00 00 00 02 68 69 00 07 08");
	expect_lttng(LTTNG_HEADERS("be", "8"), "struct compact", "10 00 00 64 11",
		     "f8 00 00 00 28 00 00 00 01 23 45 67 89 02 68 69 00 07 08");
	expect_lttng(LTTNG_HEADERS("le", "8"), "struct large", "02 00 64 00 00 00 11",
		     "ff ff 28 00 00 00 89 67 45 23 01 00 00 00 02 68 69 00 07 08");
	expect_lttng(LTTNG_HEADERS("be", "8"), "struct large", "00 02 00 00 00 64 11",
		     "ff ff 00 00 00 28 00 00 00 01 23 45 67 89 02 68 69 00 07 08");
	/* 16 and 32 bits aligned as a processor would: the events of 9 bytes get 3 of padding. */
	expect_lttng(LTTNG_HEADERS("le", "32"), "struct large", "02 00 00 00 64 00 00 00 11 ee ee ee",
		     "ff ff 28 00 00 00 89 67 45 23 01 00 00 00 02 68 69 00 07 08");
}

/* An unknown id and an overrun after many good events: the report has the place, and earlier events stay. */
Test(ctf, lttng_damage)
{
	struct tn_str want = { 0 };
	struct folder f;

	for (int i = 0; i < 21; i++)
		tn_str_puts(&want, "100 a 17\n");
	folder_new(&f, LTTNG_HEADERS("le", "8") "stream { event.header := struct compact; };\n");
	add_repeated(&f, "", "82 0c 00 00 11", 21, "83 0c 00 00 | 82 0c 00 00 11 82 0c 00 00 11 82 0c 00 00 11 82 0c 00 00 11"
		     " 82 0c 00 00 11 82 0c 00 00 11 82 0c 00 00 11 82 0c 00 00 11");
	tn_str_puts(&want, "100 damage: packet 0 at byte 0: event 21 at bit 840: unknown event class id 3\n");
	expect_rows(&f, tn_str_text(&want));
	add_repeated(&f, "", "82 0c 00 00 11", 21, "82 0c 00 00");
	want.n = 21 * 9;
	tn_str_puts(&want, "100 damage: packet 0 at byte 0: event 21 at bit 840: event.fields.x: needs 8 bits at bit 872,"
			   " but the content ends at bit 872\n");
	expect_rows(&f, tn_str_text(&want));
	tn_str_release(&want);
	folder_free(&f);
}

/* ---- 15.4: index files ---- */

static const char indexed[] =
	"/* CTF 1.8 */ typealias integer { size = 8; } := u8; typealias integer { size = 32; } := u32;\n"
	"typealias integer { size = 64; } := u64; clock { name = c; freq = 1000000000; };\n"
	"typealias integer { size = 64; map = clock.c.value; } := t64;\n"
	"trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id;\n"
	" u64 stream_instance_id; }; };\n"
	"stream { id = 1; packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u64 content_size;\n"
	" u64 packet_size; u64 packet_seq_num; u64 events_discarded; }; event.header := struct { t64 timestamp; }; };\n"
	"event { name = e; stream_id = 1; fields := struct { u8 a; }; };\n";

#define PACKET_0 \
	"c1 1f fc c1 01 00 00 00 02 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 10 01 00 00 00 00 00 00\n" \
	"48 02 00 00 00 00 00 00 80 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n" \
	"05 01 00 00 00 00 00 00 01 00 00 00 00 00 00 00\n"
#define PACKET_1 \
	"c1 1f fc c1 01 00 00 00 02 00 00 00 00 00 00 00 20 01 00 00 00 00 00 00 30 01 00 00 00 00 00 00\n" \
	"48 02 00 00 00 00 00 00 48 02 00 00 00 00 00 00 01 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00\n" \
	"25 01 00 00 00 00 00 00 02\n"
#define INDEX_HEAD "c1 f1 dc c1 00 00 00 01 00 00 00 01 00 00 00 48\n"
#define INDEX_0 \
	"00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 80 00 00 00 00 00 00 02 48 00 00 00 00 00 00 01 00\n" \
	"00 00 00 00 00 00 01 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02\n" \
	"00 00 00 00 00 00 00 00\n"
#define INDEX_1 \
	"00 00 00 00 00 00 00 50 00 00 00 00 00 00 02 48 00 00 00 00 00 00 02 48 00 00 00 00 00 00 01 20\n" \
	"00 00 00 00 00 00 01 30 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02\n" \
	"00 00 00 00 00 00 00 01\n"

static const char indexed_rows[] = "261 e 1\n288 lost 4 events 272 to 304\n293 e 2\n";

static void
expect_index(const char *index, bool told)
{
	struct folder f;
	struct tn_trace *t;

	folder_new(&f, indexed);
	folder_add_hex(&f, "chan_0", PACKET_0 PACKET_1);
	folder_add_hex(&f, "index/chan_0.idx", index);
	expect_rows(&f, indexed_rows);
	t = folder_open(&f);
	index_all(t);
	cr_assert_eq(t->stream[0]->index.n, 2);
	cr_assert_eq(t->stream[0]->index.packet[1].offset, 80);
	cr_assert_eq(t->stream[0]->id, 2);
	cr_assert_str_eq(t->stream[0]->name, "chan_0");
	/* A hop looks at the first event too, an index file does not know it. */
	cr_assert_eq(t->stream[0]->index.packet[1].begin_ns, 288);
	cr_assert_eq(strstr(tn_str_text(&f.told), "index file") != NULL, told, "%s", tn_str_text(&f.told));
	trace_close(t);
	folder_free(&f);
}

Test(ctf, index_files)
{
	expect_index(INDEX_HEAD INDEX_0 INDEX_1, false);
	/* Other versions keep the known front of longer entries. */
	expect_index("c1 f1 dc c1 00 00 00 01 00 00 00 07 00 00 00 50\n" INDEX_0 "00 00 00 00 00 00 00 00" INDEX_1
		     "00 00 00 00 00 00 00 00", false);
	/* No index file at all, as far as anybody can tell. */
	expect_index("c1 f1 dc c2 00 00 00 01 00 00 00 01 00 00 00 48\n" INDEX_0 INDEX_1, false);
	expect_index(INDEX_HEAD, false);
	expect_index(INDEX_HEAD INDEX_0 INDEX_1 "00", false);
	expect_index(INDEX_HEAD INDEX_0, false);
	expect_index("", false);
	/* Lies: the second packet elsewhere, the end of the first one. */
	expect_index(INDEX_HEAD INDEX_0
		     "00 00 00 00 00 00 00 51 00 00 00 00 00 00 02 40 00 00 00 00 00 00 02 40 00 00 00 00 00 00 01 20\n"
		     "00 00 00 00 00 00 01 30 00 00 00 00 00 00 00 04 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02\n"
		     "00 00 00 00 00 00 00 01\n", true);
	expect_index(INDEX_HEAD
		     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 80 00 00 00 00 00 00 02 40 00 00 00 00 00 00 01 00\n"
		     "00 00 00 00 00 00 01 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 02\n"
		     "00 00 00 00 00 00 00 00\n" INDEX_1, true);
}

/*
 * A wrong entry in the middle of a long file is found when its packet is walked: both values are reported, the
 * packet's count.
 */
Test(ctf, index_file_lies_in_the_middle)
{
	struct folder f;
	uint8_t bytes[4096], index[1024];
	size_t n = 0, at;

	folder_new(&f, indexed);
	for (unsigned i = 0; i < 3; i++) {
		at = n;
		n += hex(PACKET_0, bytes + n, sizeof bytes - n);
		bytes[at + 16] = bytes[at + 24] = bytes[at + 64] = (uint8_t)(0x10 * (i + 1));	/* begin, end, event */
		bytes[at + 17] = bytes[at + 25] = bytes[at + 65] = 1;
		bytes[at + 48] = (uint8_t)i;
	}
	folder_add(&f, "chan_0", bytes, n);
	n = hex(INDEX_HEAD, index, sizeof index);
	for (unsigned i = 0; i < 3; i++) {
		at = n;
		n += hex(INDEX_0, index + n, sizeof index - n);
		index[at + 7] = (uint8_t)(80 * i);
		index[at + 31] = index[at + 39] = (uint8_t)(0x10 * (i + 1));
		index[at + 30] = index[at + 38] = 1;
		index[at + 71] = (uint8_t)i;
	}
	index[16 + 72 + 23] = 0x40;	/* content of the second packet: one byte less */
	folder_add(&f, "index/chan_0.idx", index, n);
	expect_rows(&f, "272 e 1\n288 damage: packet 1 at byte 80: content size 576 in the index file, 584 in the "
			"packet\n288 e 1\n304 e 1\n");
	folder_free(&f);
}

/* ---- files of one stream ---- */

/* A packet of the indexed trace with one event. */
static size_t
packet(uint8_t *p, uint8_t instance, uint8_t sequence, uint16_t time, uint8_t a)
{
	size_t n = hex(PACKET_1, p, 128);

	p[8] = instance;
	p[16] = p[24] = p[64] = (uint8_t)time;
	p[17] = p[25] = p[65] = (uint8_t)(time >> 8);
	p[48] = sequence;
	p[56] = 0;
	p[72] = a;
	return n;
}

Test(ctf, files_of_one_stream_are_ordered_by_begin)
{
	uint8_t bytes[1024];
	struct folder f;
	struct tn_trace *t;
	size_t n;

	folder_new(&f, indexed);
	n = packet(bytes, 0, 2, 200, 2);
	n += packet(bytes + n, 0, 4, 400, 4);
	folder_add(&f, "ch_0_0", bytes, n);
	n = packet(bytes, 0, 1, 100, 1);
	n += packet(bytes + n, 0, 3, 300, 3);
	folder_add(&f, "ch_0_1", bytes, n);
	n = packet(bytes, 0, 1, 100, 1);	/* found twice */
	folder_add(&f, "ch_0_2", bytes, n);
	n = packet(bytes, 1, 0, 50, 9);
	folder_add(&f, "ch_1_0", bytes, n);
	t = folder_open(&f);
	cr_assert_eq(t->n_streams, 2);
	cr_assert_str_eq(t->stream[0]->name, "ch_0");
	cr_assert_eq(t->stream[0]->n_files, 3);
	cr_assert_str_eq(t->stream[1]->name, "ch_1");
	trace_close(t);
	expect_rows_of(&f, 0, "100 e 1\n200 e 2\n300 e 3\n400 e 4\n");
	expect_rows_of(&f, 1, "50 e 9\n");
	folder_free(&f);
}

/* Two folders with one UUID are one trace (10.3); the larger metadata serves both. */
Test(ctf, folders_join)
{
	static const char more[] = "event { name = f; id = 7; stream_id = 1; };\n";
	uint8_t bytes[256];
	struct folder f[2];
	struct tn_trace *t[2];
	struct tn_error err;
	char *text[2];
	struct tn_str got = { 0 };
	const char *uuid = strstr(indexed, "byte_order");

	for (int i = 0; i < 2; i++) {
		cr_assert(asprintf(&text[i], "%.*suuid = \"2a6422d0-6cee-11e0-8c08-cb07d7b3a564\"; %s%s",
				   (int)(uuid - indexed), indexed, uuid, i ? more : "") > 0);
		/* Two classes need an id in the header. */
		folder_new(&f[i], indexed);
		folder_add(&f[i], "metadata", text[i], strlen(text[i]) - (i ? strlen(more) : 0));
		folder_add(&f[i], "ch_0", bytes, packet(bytes, 0, (uint8_t)i, (uint16_t)(100 + i), (uint8_t)i));
		t[i] = folder_open(&f[i]);
		free(text[i]);
	}
	cr_assert_eq(t[0]->ops->join(t[0], t[1], &err), TN_OK);
	cr_assert_eq(t[0]->n_streams, 1);
	cr_assert_eq(t[1]->n_streams, 0);
	index_all(t[0]);
	rows(t[0]->stream[0], 8192, &got);
	cr_assert_str_eq(tn_str_text(&got), "100 e 0\n101 e 1\n");
	tn_str_release(&got);
	trace_close(t[0]);
	trace_close(t[1]);
	folder_free(&f[0]);
	folder_free(&f[1]);
}

/* ---- damage ---- */

Test(ctf, damage_costs_its_packet)
{
	uint8_t bytes[1024];
	struct folder f;
	size_t n;

	folder_new(&f, indexed);
	n = packet(bytes, 0, 0, 100, 1);
	n += packet(bytes + n, 0, 1, 200, 2);
	n += packet(bytes + n, 0, 2, 300, 3);
	bytes[73] = 0;	/* magic of the second packet */
	folder_add(&f, "s", bytes, n);
	expect_rows(&f, "100 e 1\n100 damage: packet 1 at byte 73: magic number is 0xc1fc1f00, not 0xc1fc1fc1; 73 bytes are"
			" left out\n300 e 3\n");
	bytes[73] = 0xc1;
	bytes[73 + 40 + 5] = 1;	/* packet size */
	folder_add(&f, "s", bytes, n);
	expect_rows(&f, "100 e 1\n100 damage: packet 1 at byte 73: packet size of 1099511628360 bits overlaps the next "
			"packet; 73 bytes are left out\n300 e 3\n");
	bytes[73 + 40 + 5] = 0;
	bytes[73 + 4] = 7;
	folder_add(&f, "s", bytes, n);
	expect_rows(&f, "100 e 1\n100 damage: packet 1 at byte 73: no stream class has the id 7; 73 bytes are left out\n"
			"300 e 3\n");
	bytes[73 + 4] = 1;
	bytes[73 + 40] = 0x49;
	folder_add(&f, "s", bytes, n);
	expect_rows(&f, "100 e 1\n100 damage: packet 1 at byte 73: packet size of 585 bits is not a whole number of bytes; 73 bytes are left"
			" out\n300 e 3\n");
	bytes[73 + 40] = 0x48;
	/* Tails. */
	memset(bytes + n, 0, 100);
	folder_add(&f, "s", bytes, n + 100);
	expect_rows(&f, "100 e 1\n200 e 2\n300 e 3\n300 damage: packet 3 at byte 219: 100 zero bytes up to the end of the"
			" file\n");
	bytes[n] = 0xc1;
	folder_add(&f, "s", bytes, n + 3);
	expect_rows(&f, "100 e 1\n200 e 2\n300 e 3\n300 damage: packet 3 at byte 219: the last 3 bytes of the file are not a"
			" packet: trace.packet.header.magic: needs 32 bits at bit 0, but the content ends at bit 24\n");
	/* Cut: in the event, in the padding (there is none: in the content then). */
	folder_add(&f, "s", bytes, n - 1);
	expect_rows(&f, "100 e 1\n200 e 2\n300 damage: packet 2 at byte 146: the file ends 1 byte before the packet does:"
			" event 0 at bit 512: event.fields.a: needs 8 bits at bit 576, but the content ends at bit 576\n");
	folder_free(&f);
}

/* Two packets with @gap bytes @fill between them, of which @hole are not even on disk. */
static void
write_far_apart(const struct folder *f, uint64_t hole, size_t gap, int fill)
{
	uint8_t bytes[128], *between = malloc(gap + 1);
	char path[100];
	size_t n;
	FILE *out;

	snprintf(path, sizeof path, "%s/s", f->path);
	out = fopen(path, "wb");
	cr_assert(out && between);
	n = packet(bytes, 0, 0, 100, 1);
	cr_assert_eq(fwrite(bytes, 1, n, out), n);
	cr_assert_eq(fseeko(out, (off_t)hole, SEEK_CUR), 0);
	memset(between, fill, gap);
	cr_assert_eq(fwrite(between, 1, gap, out), gap);
	n = packet(bytes, 0, 1, 200, 2);
	cr_assert_eq(fwrite(bytes, 1, n, out), n);
	cr_assert_eq(fclose(out), 0);
	free(between);
}

/* However far it is to the next packet: it is found, in steps, where a step ends in its magic number too. */
Test(ctf, next_packet_is_far)
{
	/* Larger files are refused where addresses have 32 bits. */
	enum { HOLE = 1 << (sizeof(size_t) > 4 ? 30 : 28) };
	static const struct { uint64_t hole; size_t gap; int fill; const char *why; } row[] = {
		{ HOLE, 0, 0, "magic number is 0x00000000" }, { HOLE, 100, 0, "magic number is 0x00000000" },
		{ HOLE, 9000, 'Z', "magic number is 0x00000000" }, { 0, 20 << 20, 0, "magic number is 0x00000000" },
		{ 0, 20 << 20, 'Z', "magic number is 0x5a5a5a5a" }, { 0, (3 << 20) + 1, 'Z', "magic number is 0x5a5a5a5a" },
		{ 0, 3 << 20, 'Z', "magic number is 0x5a5a5a5a" }, { 0, (3 << 20) - 1, 'Z', "magic number is 0x5a5a5a5a" },
		{ 0, (3 << 20) - 2, 'Z', "magic number is 0x5a5a5a5a" }, { 0, (3 << 20) - 3, 'Z', "magic number is 0x5a5a5a5a" },
		{ 0, 1 << 20, 0xc1, "magic number is 0xc1c1c1c1" }, { 0, 1, 0, "magic number is 0xfc1fc100" },
	};

	for (size_t i = 0; i < TN_COUNT(row); i++) {
		struct tn_str want = { 0 };
		struct folder f;

		folder_new(&f, indexed);
		write_far_apart(&f, row[i].hole, row[i].gap, row[i].fill);
		tn_str_printf(&want, "100 e 1\n100 damage: packet 1 at byte 73: %s, not 0xc1fc1fc1; %llu byte%s left out\n"
			      "200 e 2\n", row[i].why, (unsigned long long)(row[i].hole + row[i].gap),
			      row[i].hole + row[i].gap == 1 ? " is" : "s are");
		expect_rows(&f, tn_str_text(&want));
		tn_str_release(&want);
		folder_free(&f);
	}
}

/* Nobody waits for all of it: extend comes back in between. */
Test(ctf, searching_is_done_in_steps)
{
	struct folder f;
	struct tn_trace *t;
	unsigned steps = 0;

	folder_new(&f, indexed);
	write_far_apart(&f, 0, 100 << 20, 'Z');
	t = folder_open(&f);
	for (struct tn_error err; !t->stream[0]->index.complete; steps++) {
		cr_assert_eq(t->ops->extend(t->stream[0], &err), TN_OK);
		cr_assert(t->stream[0]->index.complete || t->stream[0]->index.n < 3);
	}
	cr_assert_eq(t->stream[0]->index.n, 3);
	cr_assert(steps >= 10 && steps < 100, "%u steps", steps);
	trace_close(t);
	folder_free(&f);
}

Test(ctf, cut_in_the_padding)
{
	uint8_t bytes[128];
	struct folder f;

	folder_new(&f, indexed);
	folder_add(&f, "s", bytes, hex(PACKET_0, bytes, sizeof bytes) - 2);
	expect_rows(&f, "261 e 1\n261 damage: packet 0 at byte 0: the file ends 2 bytes before the packet does\n");
	folder_free(&f);
}

/* All ones in both sizes: the packet was never finished; what is there counts (13). */
Test(ctf, sizes_that_were_never_written)
{
	uint8_t bytes[1024];
	struct folder f;
	size_t n;

	folder_new(&f, indexed);
	n = packet(bytes, 0, 0, 100, 1);
	memset(bytes + 32, 0xff, 16);
	memset(bytes + 24, 0, 8);
	n += packet(bytes + n, 0, 1, 200, 2);
	folder_add(&f, "s", bytes, n);
	expect_rows(&f, "100 e 1\n200 e 2\n");
	folder_free(&f);
}

Test(ctf, time_goes_back)
{
	uint8_t bytes[1024];
	struct folder f;
	size_t n;

	folder_new(&f, indexed);
	n = packet(bytes, 0, 0, 100, 1);
	bytes[64] = 105;
	for (unsigned i = 0; i < 4; i++) {
		memcpy(bytes + n, bytes + 64, 9);
		bytes[n] = (uint8_t)(104 - i);
		n += 9;
	}
	bytes[n - 9] = 106;
	bytes[32] = bytes[40] = (uint8_t)(n * 8);
	bytes[33] = bytes[41] = (uint8_t)(n * 8 >> 8);
	bytes[24] = 110;
	folder_add(&f, "s", bytes, n);
	expect_rows(&f, "105 e 1\n105 damage: packet 0 at byte 0: event 1 at bit 584: time goes back by 1 ns\n104 e 1\n"
			"103 e 1\n102 e 1\n106 e 1\n");
	folder_free(&f);
}

/* Files that are none of the trace, unless all are. */
Test(ctf, stray_files)
{
	uint8_t bytes[256];
	struct folder f;
	struct tn_trace *t;

	folder_new(&f, indexed);
	folder_add(&f, "README", "hello, this is text", 19);
	t = folder_open(&f);
	cr_assert_eq(t->n_streams, 1);
	trace_close(t);
	folder_add(&f, "s", bytes, packet(bytes, 0, 0, 100, 1));
	folder_add(&f, ".hidden", "x", 1);
	folder_add(&f, "empty", "", 0);
	t = folder_open(&f);
	cr_assert_eq(t->n_streams, 1);
	cr_assert_str_eq(t->stream[0]->name, "s");
	cr_assert(strstr(tn_str_text(&f.told), "/README: the file is not a stream of this trace"), "%s", tn_str_text(&f.told));
	trace_close(t);
	folder_free(&f);
}

/* A file that shrinks while it is mapped: damage, no signal. */
Test(ctf, file_shrinks)
{
	enum { PACKETS = 300 };
	static uint8_t bytes[PACKETS * 73];
	struct folder f;
	struct tn_trace *t;
	char path[100];
	size_t n = 0;

	for (unsigned i = 0; i < PACKETS; i++)
		n += packet(bytes + n, 0, (uint8_t)i, (uint16_t)(100 + i), (uint8_t)i);
	folder_new(&f, indexed);
	folder_add(&f, "s", bytes, n);
	t = folder_open(&f);
	index_all(t);
	cr_assert_eq(t->stream[0]->index.n, PACKETS);
	snprintf(path, sizeof path, "%s/s", f.path);
	cr_assert_eq(truncate(path, 4096), 0);
	for (size_t k = 0; k < PACKETS; k++) {
		struct tn_batch b = { .stream = t->stream[0], .packet = k, .entry = t->stream[0]->index.packet[k] };
		struct tn_error err;

		b.begin.key = b.entry.begin_ns;
		cr_assert_eq(t->ops->walk(&b, &err), TN_OK);
		cr_assert(b.refs.n >= 1 && b.last);
		cr_assert_eq(b.refs.item[b.refs.n - 1].event_class == TN_REF_NOTICE, k >= 4096 / 73, "packet %zu", k);
		tn_batch_release(&b);
	}
	trace_close(t);
	folder_free(&f);
}

/* ---- clocks ---- */

/* Without begin times the clock continues from packet to packet (8.3). */
Test(ctf, clock_goes_on)
{
	struct folder f;

	folder_new(&f, "/* CTF 1.8 */ typealias integer { size = 8; } := u8; clock { name = c; freq = 1000000000; };\n"
		       "trace { major = 1; minor = 8; byte_order = le; };\n"
		       "stream { packet.context := struct { u8 packet_size; };\n"
		       " event.header := struct { integer { size = 8; map = clock.c.value; } timestamp; }; };\n"
		       "event { name = e; };\n");
	folder_add_hex(&f, "s", "18 f0 10 | 10 05 | 20 05 06 07");
	expect_rows(&f, "240 e\n272 e\n517 e\n517 e\n518 e\n519 e\n");
	folder_free(&f);
}

/* Another frequency: clock values cannot be had back from times. */
Test(ctf, other_frequencies)
{
	struct folder f;

	folder_new(&f, "/* CTF 1.8 */ clock { name = c; freq = 3; offset_s = 2; };\n"
		       "trace { major = 1; minor = 8; byte_order = be; };\n"
		       "stream { event.header := struct { integer { size = 8; map = clock.c.value; } timestamp; }; };\n"
		       "event { name = e; };\n");
	folder_add_hex(&f, "s", "00 01 02 03 02");
	expect_rows(&f, "2000000000 e\n2333333333 e\n2666666666 e\n3000000000 e\n88000000000 e\n");
	folder_free(&f);
}

/* Events before the packet's begin or after its end are not damage (13); their times are shown. */
Test(ctf, events_outside_of_their_packet)
{
	uint8_t bytes[512];
	struct folder f;
	size_t n;

	folder_new(&f, indexed);
	n = packet(bytes, 0, 0, 200, 1);
	bytes[64] = 190;	/* before the begin */
	n += packet(bytes + n, 0, 1, 300, 2);
	bytes[73 + 24] = 0;	/* end before the begin: not known */
	bytes[73 + 25] = 0;
	n += packet(bytes + n, 0, 2, 400, 3);
	bytes[146 + 64] = 0x9a;	/* 410, after the end */
	folder_add(&f, "s", bytes, n);
	expect_rows(&f, "190 e 1\n300 e 2\n410 e 3\n");
	folder_free(&f);
}

/* ---- headers that are larger than the bytes read first ---- */

static const char noted[] =
	"/* CTF 1.8 */ typealias integer { size = 8; align = 8; } := u8; typealias integer { size = 32; align = 8; } := u32;\n"
	"clock { name = c; freq = 1000000000; }; typealias integer { size = 64; align = 8; map = clock.c.value; } := t64;\n"
	"trace { major = 1; minor = 8; byte_order = le; };\n"
	"stream { packet.context := struct { u32 packet_size; u32 content_size; string note; t64 timestamp_begin; };\n"
	" event.header := struct { t64 timestamp; }; };\n"
	"event { name = e; fields := struct { u8 a; }; };\n";

static size_t
put(uint8_t *to, uint64_t v, size_t n)
{
	memcpy(to, &v, n);
	return n;
}

/* A packet with a note of @note characters, which begins at @begin and has one event one before that. */
static size_t
noted_packet(uint8_t *to, size_t note, uint64_t begin)
{
	size_t size = 4 + 4 + note + 1 + 8 + 8 + 1, at = 0;

	at += put(to, size * 8, 4);
	at += put(to + at, size * 8, 4);
	memset(to + at, 'n', note);
	at += note;
	at += put(to + at, 0, 1);
	at += put(to + at, begin, 8);
	at += put(to + at, begin - 1, 8);
	return at + put(to + at, 7, 1);
}

/* Wherever the header ends: after the bytes that are read first, before, or on their edge. */
Test(ctf, headers_of_any_size)
{
	enum { PACKETS = 400, MOST = TN_PEEK_BYTES + 60 };
	uint8_t *bytes = malloc(PACKETS * (MOST + 64));
	size_t n = 0;
	struct folder f;
	struct tn_trace *t;

	cr_assert(bytes && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	for (size_t i = 0; i < PACKETS; i++)
		n += noted_packet(bytes + n, i < 20 ? 3 : MOST - (i % 100), 1000 * (i + 1));
	folder_new(&f, noted);
	folder_add(&f, "s", bytes, n);
	t = folder_open(&f);
	index_all(t);
	cr_assert_eq(t->stream[0]->index.n, PACKETS);
	for (size_t i = 0; i < PACKETS; i++) {
		const struct tn_packet *p = &t->stream[0]->index.packet[i];

		cr_assert_eq(p->begin_ns, (int64_t)(1000 * (i + 1)) - 1, "packet %zu", i);
		cr_assert_eq(p->size_bits, 8 * (26 + (i < 20 ? 3 : MOST - (i % 100))), "packet %zu", i);
	}
	trace_close(t);
	folder_free(&f);
	free(bytes);
}
