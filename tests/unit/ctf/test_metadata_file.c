/* The metadata file: plain text and packets (ctf1-tsdl.md, 1; ctf1-binary.md, 12). */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "ctf/metadata.h"
#include "ctf/tsdl.h"
#include "folder.h"
#include "write/sink.h"

#define LE "\x57\x1d\xd1\x75"
#define BE "\x75\xd1\x1d\x57"
#define UUID "0123456789abcdef"
#define OTHER_UUID "0123456789abcdeF"
#define NO_SUM "\0\0\0\0"
#define PLAIN "\0\0\0\x01\x08"		/* no compression, encryption, checksum; 1.8 */
/* A header; both sizes are two bytes of bits, in the order of the header. */
#define LE_HEAD(content, packet) LE UUID NO_SUM content "\0\0" packet "\0\0" PLAIN
#define BE_HEAD(content, packet) BE UUID NO_SUM "\0\0" content "\0\0" packet PLAIN
#define BITS_40 "\x40\x01"	/* 320 bits, little-endian: header and 3 bytes */
#define BITS_41 "\x48\x01"
#define BITS_48 "\x80\x01"
#define BE_40 "\x01\x40"

struct row {
	const char *bytes;
	size_t n;
	const char *want;	/* the text, or the error after `!` */
	const char *problems;
};

#define BYTES(b) b, sizeof b - 1

static void
tell(void *user, const struct tn_problem *problem)
{
	tn_str_printf(user, "%s\n", problem->text);
}

static void
check(const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct tn_str told = { 0 }, got = { 0 };
		struct tn_problems problems = { tell, &told };
		struct tn_ctf_metadata m;
		struct tn_error err;
		/* Exactly the given bytes: a read beyond them must be detected. */
		uint8_t *copy = malloc(row[i].n + (row[i].n == 0));

		memcpy(copy, row[i].bytes, row[i].n);
		if (tn_ctf_metadata_unpack(&m, copy, row[i].n, false, "m", &problems, &err) < 0) {
			tn_str_printf(&got, "!%s", err.text);
		} else {
			cr_expect_eq(m.text[m.n], '\0');
			tn_str_printf(&got, "%s%s%s%s", m.language == TN_CTF_JSON ? "json " : "",
				      m.is_packetized ? m.big_endian ? "be " : "le " : "",
				      m.has_signature ? "" : "unsigned ", m.text);
			tn_ctf_metadata_release(&m);
		}
		cr_expect_str_eq(tn_str_text(&got), row[i].want, "row %zu: %s, not %s", i, tn_str_text(&got), row[i].want);
		cr_expect_str_eq(tn_str_text(&told), row[i].problems ? row[i].problems : "", "row %zu: tells %s", i,
				 tn_str_text(&told));
		tn_str_release(&told);
		tn_str_release(&got);
		free(copy);
	}
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

Test(metadata_file, plain_text)
{
	static const struct row rows[] = {
		{ BYTES("/* CTF 1.8 */ trace"), "/* CTF 1.8 */ trace", NULL },
		{ BYTES("/* CTF 1.8*/trace"), "/* CTF 1.8*/trace", NULL },
		{ BYTES("trace"), "unsigned trace", NULL },
		{ BYTES("/* CTF 1.9 */"), "/* CTF 1.9 */", "m:1:8: `1.9`: CTF version is not 1.8\n" },
		{ BYTES("/* CTF 2.0 */"), "!m:1:8: `2.0`: CTF version is not 1.8", NULL },
		{ BYTES("/* CTF 99999999999999999999.8 */"), "!m:1:8: `99999999999999999999.8`: CTF version is not 1.8",
		  NULL },
		{ BYTES("/* CTF 1 */"), "!m:1:8: `1`: not a CTF version", NULL },
		{ BYTES("/* CTF one */"), "!m:1:8: `one`: not a CTF version", NULL },
		{ BYTES("/* CTF x"), "!m:1:8: `x`: not a CTF version", NULL },
		{ BYTES("/* CTF "), "!m:1:8: ``: not a CTF version", NULL },
		{ BYTES(""), "unsigned ", NULL },
		{ BYTES("\x1e{}"), "json \x1e{}", NULL },
		{ BYTES("{}"), "json {}", NULL },
		{ BYTES(" \n[{}]"), "json  \n[{}]", NULL },
		{ BYTES(" \x1e{}"), "json  \x1e{}", NULL },
	};

	CHECK(rows);
}

Test(metadata_file, packets)
{
	static const struct row rows[] = {
		{ BYTES(LE_HEAD(BITS_40, BITS_40) "abc"), "le abc", NULL },
		{ BYTES(BE_HEAD(BE_40, BE_40) "abc"), "be abc", NULL },
		/* A token may continue in the next packet; padding is left out; a packet may be empty. */
		{ BYTES(LE_HEAD(BITS_40, BITS_48) "abc########" LE_HEAD("\x28\x01", "\x28\x01") LE_HEAD(BITS_40, BITS_40) "def"),
		  "le abcdef", NULL },
		{ BYTES(LE_HEAD(BITS_40, BITS_40) "\x1e{}"), "json le \x1e{}", NULL },
		/* Padding that is cut off, zeros and a newline after the last packet. */
		{ BYTES(LE_HEAD(BITS_40, BITS_48) "abc#"), "le abc", NULL },
		{ BYTES(LE_HEAD(BITS_40, BITS_40) "abc\0\0\0"), "le abc", NULL },
		{ BYTES(LE_HEAD(BITS_40, BITS_40) "abc\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
		  "le abc", NULL },
		{ BYTES(LE_HEAD(BITS_40, BITS_40) "abc\n"), "le abc", "m: 1 byte after the last metadata packet ignored\n" },
	};

	CHECK(rows);
}

Test(metadata_file, odd_packets)
{
	static const struct row rows[] = {
		{ BYTES(LE_HEAD("\x43\x01", "\x45\x01") "abc"), "le abc",
		  "m: metadata packet at byte 0: content size of 323 bits is not a whole number of bytes, rounded down\n"
		  "m: metadata packet at byte 0: packet size of 325 bits is not a whole number of bytes, rounded down\n" },
		{ BYTES(LE_HEAD(BITS_40, "\0\0") "abc"), "le abc",
		  "m: metadata packet at byte 0: packet of 0 bytes with 40 bytes of content: tnav uses the content size\n" },
		{ BYTES(LE_HEAD(BITS_41, BITS_41) "abc"), "le abc",
		  "m: metadata packet at byte 0: 41 bytes of content, but the file has 40\n" },
		{ BYTES(LE_HEAD(BITS_40, BITS_40) "abc" BE_HEAD(BE_40, BE_40) "def"), "le abcdef",
		  "m: metadata packet at byte 40: its byte order differs from the first packet\n" },
		{ BYTES(LE_HEAD(BITS_40, BITS_40) "abc" LE OTHER_UUID NO_SUM BITS_40 "\0\0" BITS_40 "\0\0" PLAIN "def"),
		  "le abcdef", "m: metadata packet at byte 40: its UUID differs from the first packet\n" },
		{ BYTES(LE UUID "sum!" BITS_40 "\0\0" BITS_40 "\0\0" PLAIN "abc"), "le abc", NULL },
		{ BYTES(LE UUID "sum!" BITS_40 "\0\0" BITS_40 "\0\0" "\0\0\x03\x01\x08" "abc"), "le abc",
		  "m: metadata packet at byte 0: checksum (scheme 3) not verified\n" },
		/* The version in a header does not count for CTF 2. */
		{ BYTES(LE UUID NO_SUM BITS_40 "\0\0" BITS_40 "\0\0" "\0\0\0\x02\0" "\x1e{}"), "json le \x1e{}", NULL },
	};

	CHECK(rows);
}

Test(metadata_file, broken_packets)
{
	static const struct row rows[] = {
		{ BYTES(LE), "!m: metadata packet at byte 0: 4 bytes, but its header needs 37", NULL },
		{ BYTES(LE_HEAD("\x27\x01", BITS_40) "abc"),
		  "!m: metadata packet at byte 0: content of 295 bits is less than its header of 296",
		  "m: metadata packet at byte 0: content size of 295 bits is not a whole number of bytes, rounded down\n" },
		{ BYTES(LE_HEAD(BITS_40, BITS_40) "abc" "####" "0123456789abcdef0123456789abcdefghijklmnop"),
		  "!m: metadata packet at byte 40: magic number is 0x23232323, not 0x75d11d57", NULL },
		{ BYTES(LE UUID NO_SUM BITS_40 "\0\0" BITS_40 "\0\0" "\x02\0\0\x01\x08" "abc"),
		  "!m: metadata packet at byte 0: compressed (scheme 2)", NULL },
		{ BYTES(LE UUID NO_SUM BITS_40 "\0\0" BITS_40 "\0\0" "\0\x01\0\x01\x08" "abc"),
		  "!m: metadata packet at byte 0: encrypted (scheme 1)", NULL },
		{ BYTES(LE UUID NO_SUM BITS_40 "\0\0" BITS_40 "\0\0" "\0\0\0\0\0" "abc"),
		  "!m: metadata packet at byte 0: CTF version is not 1.8", NULL },
	};

	CHECK(rows);
}

/* ---- texts that are too long to be copied ---- */

#define SMALL_TRACE "trace { major = 1; minor = 8; byte_order = le; };\nevent { name = e; fields := struct { string s; }; };\n"

/* Too much to be copied. */
static void
make_long(struct tn_str *text, bool json)
{
	tn_str_puts(text, json ? "\x1e{\"type\": \"preamble\", \"version\": 2}\n" : "/* CTF 1.8 */\n" SMALL_TRACE);
	for (unsigned i = 0; text->n < TN_CTF_METADATA_COPIED + 5000; i++)
		if (!json)
			tn_str_printf(text, "/* %0*u */%s", (int)(i % 300) + 1, i, i % 3 ? "\n" : "");
		else
			tn_str_printf(text, "\x1e{\"type\": \"clock-class\", \"id\": \"c%u\", \"frequency\": %u}\n", i, i + 1);
	if (json)
		tn_str_puts(text, "\x1e{\"type\": \"data-stream-class\"}\n\x1e{\"type\": \"event-record-class\", \"name\": \"e\"}\n");
	cr_assert(!text->failed);
}

static void
put_byte(const struct folder *f, size_t at, char byte)
{
	char path[400];
	FILE *file;

	snprintf(path, sizeof path, "%s/metadata", f->path);
	cr_assert((file = fopen(path, "r+b")));
	cr_assert_eq(fseek(file, (long)at, SEEK_SET), 0);
	cr_assert_eq(fputc(byte, file), byte);
	cr_assert_eq(fclose(file), 0);
}

Test(metadata_file, long_text_is_of_the_file)
{
	for (int json = 0; json < 2; json++) {
		struct tn_str text = { 0 };
		struct tn_trace *t;
		struct folder f;
		char path[400];
		size_t n;

		make_long(&text, json);
		folder_new(&f, text.text);
		t = folder_open(&f);
		cr_expect_str_eq(tn_str_text(&f.told), "");
		cr_expect_str_eq(t->event_class[0]->name, "e");
		cr_assert(t->metadata_map.base, "it was copied");
		cr_assert(tn_trace_metadata(t, &n) && n == text.n && memcmp(tn_trace_metadata(t, NULL), text.text, n) == 0);
		cr_expect(!tn_trace_metadata_changed(t));
		put_byte(&f, text.n / 2, '#');
		cr_expect(tn_trace_metadata_changed(t));
		cr_expect_eq(tn_repack_metadata(t, f.path, "out", &(struct tn_error) { 0 }), TN_ERR_SYSTEM, "it is there already");
		snprintf(path, sizeof path, "%s/metadata", f.path);
		put_byte(&f, text.n / 2, text.text[text.n / 2]);
		cr_expect(!tn_trace_metadata_changed(t));
		cr_assert_eq(truncate(path, 100), 0);
		cr_expect(tn_trace_metadata_changed(t));
		cr_expect_eq(tn_trace_metadata(t, NULL)[n - 1], '\0', "what it has no more reads as zeros");
		trace_close(t);
		folder_free(&f);
		tn_str_release(&text);
	}
}

/* An export has the text of the model, or says that it is not there any more. */
Test(metadata_file, long_text_that_changed_is_not_exported)
{
	struct tn_error err = { 0 };
	struct tn_str text = { 0 };
	struct tn_trace *t;
	struct folder f;
	char out[400];

	make_long(&text, false);
	folder_new(&f, text.text);
	folder_add(&f, "one/x", "", 0);
	folder_add(&f, "two/x", "", 0);
	t = folder_open(&f);
	snprintf(out, sizeof out, "%s/one", f.path);
	cr_expect_eq(tn_repack_metadata(t, out, "out", &err), TN_OK, "%s", err.text);
	put_byte(&f, text.n - 3, 'x');
	snprintf(out, sizeof out, "%s/two", f.path);
	cr_expect_eq(tn_repack_metadata(t, out, "out", &err), TN_ERR_FORMAT);
	cr_expect(strstr(err.text, "metadata: the metadata has changed since the trace was opened"), "%s", err.text);
	trace_close(t);
	folder_free(&f);
	tn_str_release(&text);
}

/* Small texts are copies. */
Test(metadata_file, short_text_stays_as_it_was)
{
	struct tn_trace *t;
	struct folder f;

	folder_new(&f, "/* CTF 1.8 */ " SMALL_TRACE);
	t = folder_open(&f);
	cr_expect_null(t->metadata_map.base);
	put_byte(&f, 3, '#');
	cr_expect(!tn_trace_metadata_changed(t));
	cr_expect_str_eq(tn_trace_metadata(t, NULL), "/* CTF 1.8 */ " SMALL_TRACE);
	trace_close(t);
	folder_free(&f);
}

/* Lines are counted over more than one piece of the text. */
Test(metadata_file, places_in_long_text)
{
	struct tn_str told = { 0 }, text = { 0 }, want = { 0 };
	struct tn_trace trace = { .problems = { tell, &told } };
	struct tn_error err;

	tn_str_puts(&text, "trace { major = 1; minor = 8; byte_order = le;\n");
	for (unsigned i = 0, line = 2, column = 1; i < 3000; i++) {
		unsigned width = i * i % 97;

		if (i % 100 == 50) {
			tn_str_printf(&want, "metadata:%u:%u: `u%u`: unknown entry, ignored\n", line, column, i);
			tn_str_printf(&text, "u%u = 1;", i);
			column += i < 100 ? 8 : i < 1000 ? 9 : 10;
		}
		tn_str_printf(&text, "/*%0*u*/", (int)width + 5, i);
		column += width + 9;
		/* At times a line continues over several pieces, or a piece is nothing but ends of lines. */
		for (unsigned k = i % 700 < 300 ? i % 100 == 99 ? 9000 : 1 : 0; k; k--) {
			tn_str_putc(&text, '\n');
			line++;
			column = 1;
		}
	}
	tn_str_puts(&text, "};\nevent { name = e; fields := struct { string s; }; };\n");
	cr_assert(!text.failed);
	cr_assert_eq(tn_tsdl_build(&trace, text.text, text.n, &err), TN_OK, "%s", err.text);
	cr_expect_str_eq(tn_str_text(&told), tn_str_text(&want));
	tn_trace_release(&trace);
	tn_str_release(&text);
	tn_str_release(&told);
	tn_str_release(&want);
}
