/* Broken bytes: whatever they are, walks end, keys do not fall, counts agree, reads do not fail. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "folder.h"

static const char metadata[] =
	"/* CTF 1.8 */ typealias integer { size = 8; } := u8; typealias integer { size = 16; } := u16;\n"
	"typealias integer { size = 32; } := u32; typealias integer { size = 64; } := u64;\n"
	"clock { name = c; freq = 1000000000; };\n"
	"typealias integer { size = 64; map = clock.c.value; } := t64;\n"
	"trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };\n"
	"stream { id = 0; packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u16 content_size;\n"
	" u16 packet_size; u8 packet_seq_num; u8 events_discarded; u8 k; };\n"
	" event.header := struct { enum : integer { size = 5; align = 1; } { compact = 0 ... 30, extended = 31 } id;\n"
	"  variant <id> { struct { integer { size = 27; align = 1; map = clock.c.value; } timestamp; } compact;\n"
	"  struct { u32 id; t64 timestamp; } extended; } v; } align(8); };\n"
	"event { name = a; id = 0; stream_id = 0; fields := struct { u8 n; struct { u8 m; string s; u8 x[m]; } q[n]; }; };\n"
	"event { name = b; id = 1; stream_id = 0; fields := struct { enum : u8 { X = 0, Y = 1 ... 3, Z = 9 } t; variant <t> {\n"
	"  u16 X; string Y; struct { integer { size = 3; align = 1; } i; integer { size = 9; align = 1; } j; } Z; } v;\n"
	"  u16 end; }; };\n"
	"event { name = c; id = 2; stream_id = 0; fields := struct { u8 a[3]; struct { } none[2];\n"
	"  integer { size = 8; encoding = UTF8; } t[4]; u32 n; struct { } e[n]; } align(32); };\n"
	"event { name = d; id = 77; stream_id = 0; fields := struct { u64 y; u8 z[stream.packet.context.k]; }; };\n";

#define BEGIN "c1 1f fc c1 00 00 00 00 e8 03 00 00 00 00 00 00 00 08 00 00 00 00 00 00 "

static const char packet[] =
	BEGIN "00 00 00 00 00 00 02\n"	/* sizes are set below */
	"00 7d 00 00 02 01 68 69 00 07 00 00\n"
	"21 7e 00 00 02 77 6f 00 34 12 | 21 7e 00 00 09 ff ff 05 06\n"
	"42 7e 00 00 00 00 | 01 02 03 61 62 00 63 02 00 00 00\n"
	"1f 4d 00 00 00 00 04 00 00 00 00 00 00 01 02 03 04 05 06 07 08 aa bb\n"
	"00 80 00 00 00 20 80 00 00 00 40 80 00 00 00 60 80 00 00 00 80 80 00 00 00 a0 80 00 00 00\n"
	"c0 80 00 00 00 e0 80 00 00 00 00 81 00 00 00 20 81 00 00 00 40 81 00 00 00\n";

/* Three packets, each with four bytes of padding. */
static size_t
make(uint8_t *out, size_t room)
{
	size_t n = 0;

	for (int i = 0; i < 3; i++) {
		size_t at = n, content;

		n += hex(packet, out + n, room - n);
		content = (n - at) * 8;
		out[at + 24] = (uint8_t)content;
		out[at + 25] = (uint8_t)(content >> 8);
		out[at + 26] = (uint8_t)(content + 32);
		out[at + 27] = (uint8_t)((content + 32) >> 8);
		out[at + 28] = (uint8_t)i;
		memset(out + n, 0xee, 4);
		n += 4;
	}
	return n;
}

Test(ctf, mutations, .timeout = 120)
{
	uint32_t seed = 1;
	uint8_t good[1024], bytes[1024];
	struct folder f;
	size_t n;

	n = make(good, sizeof good);
	folder_new(&f, metadata);
	for (int round = 0; round < 1500; round++) {
		struct tn_str one = { 0 }, other = { 0 };
		struct tn_trace *t;
		size_t size = n;

		memcpy(bytes, good, n);
		for (int k = round % 4; k >= 0 && round; k--) {
			seed = seed * 1664525 + 1013904223;
			bytes[(seed >> 8) % n] = seed & 1 ? (uint8_t)(seed >> 24) : (uint8_t)(1u << (seed >> 29));
		}
		if (round % 16 == 15)
			size = (seed >> 8) % n + 1;
		folder_add(&f, "s", bytes, size);
		setenv("TNAV_WAYS", "", 1);
		t = folder_open(&f);
		index_all(t);
		rows(t->stream[0], TN_BATCH_REFS, &one);
		trace_close(t);
		setenv("TNAV_WAYS", "walk", 1);
		t = folder_open(&f);
		index_all(t);
		rows(t->stream[0], 1 + round % 5, &other);
		trace_close(t);
		cr_assert_str_eq(tn_str_text(&one), tn_str_text(&other), "round %d:\n%s--- not\n%s", round,
				 tn_str_text(&one), tn_str_text(&other));
		if (!round)
			cr_assert(!strstr(tn_str_text(&one), "damage") && one.n > 500, "%s", tn_str_text(&one));
		tn_str_release(&one);
		tn_str_release(&other);
	}
	folder_free(&f);
}
