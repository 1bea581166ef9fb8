#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <tnav/text.h>
#include <tnav/writer.h>

/* Each kind of type written as CTF 2 and as CTF 1.8, and read back. */

struct world {
	struct tn_draft *draft;
	struct tn_type *fields;
	struct tn_packet_writer w;
	uint8_t packet[512];
	struct tn_error err;
};

static void
close_packet(void *user)
{
	tn_packet_writer_close(&((struct world *)user)->w);
}

static struct tn_type *
flags(struct tn_draft *d)
{
	struct tn_type *t = tn_draft_bits(d, 12, 0);

	tn_draft_label(d, t, "low", 0, 1);
	tn_draft_label(d, t, "high", 11, 11);
	return t;
}

static struct tn_type *
encoded(struct tn_draft *d, struct tn_type *string, enum tn_encoding encoding)
{
	tn_draft_encoding(d, string, encoding);
	return string;
}

static struct tn_type *
enabled_by(struct tn_draft *d, const char *selector, uint64_t lower, uint64_t upper)
{
	struct tn_type *t = tn_draft_optional(d, selector, tn_draft_uint(d, 32, 32, 10));

	tn_draft_some(d, t, lower, upper);
	return t;
}

static struct tn_type *
swapped(struct tn_draft *d, struct tn_type *t)
{
	tn_draft_swap(d, t);
	return t;
}

static void uints(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "a", tn_draft_varuint(d, 16));
	tn_draft_member(d, s, "b", tn_draft_varsint(d, 10));
	tn_draft_member(d, s, "n", tn_draft_varuint(d, 10));
	tn_draft_member(d, s, "t", tn_draft_text_sequence(d, "n"));
}

static void bits(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "f", tn_draft_bool(d, 1, 0));
	tn_draft_member(d, s, "b", tn_draft_bits(d, 3, 0));
	tn_draft_member(d, s, "m", flags(d));
	tn_draft_member(d, s, "z", swapped(d, tn_draft_bool(d, 16, 0)));
}

static void blobs(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "n", tn_draft_uint(d, 3, 0, 10));
	tn_draft_member(d, s, "a", tn_draft_blob(d, 3, "image/png"));
	tn_draft_member(d, s, "b", tn_draft_blob_sequence(d, "n", NULL));
}

static void optionals(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "f", tn_draft_bool(d, 8, 0));
	tn_draft_member(d, s, "a", tn_draft_optional(d, "f", tn_draft_string(d)));
	tn_draft_member(d, s, "k", tn_draft_uint(d, 8, 0, 10));
	tn_draft_member(d, s, "b", tn_draft_optional(d, "k", tn_draft_uint(d, 8, 0, 10)));
	tn_draft_member(d, s, "c", enabled_by(d, "k", 5, 9));
}

static void strings(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "a", encoded(d, tn_draft_string(d), TN_ENCODING_UTF16LE));
	tn_draft_member(d, s, "b", encoded(d, tn_draft_text(d, 8), TN_ENCODING_UTF32BE));
}

static void wide(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "p", tn_draft_uint(d, 3, 0, 10));
	tn_draft_member(d, s, "a", tn_draft_uint(d, 68, 1, 16));
	tn_draft_member(d, s, "q", tn_draft_uint(d, 1, 0, 10));
	tn_draft_member(d, s, "b", tn_draft_sint(d, 80, 8, 10));
	tn_draft_member(d, s, "c", swapped(d, tn_draft_uint(d, 72, 8, 10)));
	tn_draft_member(d, s, "z", tn_draft_uint(d, 8, 0, 10));
}

static void plain(struct tn_draft *d, struct tn_type *s)
{
	struct tn_type *in = tn_draft_struct(d), *tag = tn_draft_uint(d, 8, 0, 10), *v = tn_draft_variant(d, "tag");

	tn_draft_member(d, in, "x", tn_draft_uint(d, 5, 0, 10));
	tn_draft_member(d, in, "y", tn_draft_uint(d, 32, 32, 10));
	tn_draft_label(d, tag, "one", 1, 1);
	tn_draft_label(d, tag, "two", 2, 2);
	tn_draft_member(d, v, "one", tn_draft_uint(d, 3, 0, 10));
	tn_draft_member(d, v, "two", tn_draft_float(d, 64, 64));
	tn_draft_member(d, s, "tag", tag);
	tn_draft_member(d, s, "v", v);
	tn_draft_member(d, s, "p", tn_draft_uint(d, 16, 16, 10));
	tn_draft_member(d, s, "a", tn_draft_array(d, 2, in));
	tn_draft_member(d, s, "e", tn_draft_array(d, 0, tn_draft_uint(d, 64, 64, 10)));
	tn_draft_member(d, s, "q", tn_draft_uint(d, 24, 0, 10));
}


static void
begin(struct world *x, void (*make)(struct tn_draft *d, struct tn_type *s), struct tn_event_class **ec, bool big_endian)
{
	static const struct tn_packet_callbacks callbacks = { .close = close_packet };
	struct tn_stream_class *sc;

	memset(x, 0, sizeof *x);
	cr_assert_eq(tn_draft_new(&x->draft, &(struct tn_draft_options) { TN_DRAFT_OPTIONS, .big_endian = big_endian }, &x->err), TN_OK);
	sc = tn_draft_stream_class(x->draft, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .id_bits = 3 });
	x->fields = tn_draft_struct(x->draft);
	make(x->draft, x->fields);
	*ec = tn_draft_event_class(x->draft, sc, "e", -1, NULL, x->fields);
	cr_assert_eq(tn_draft_finish(x->draft, &x->err), TN_OK, "%s", x->err.text);
	tn_packet_writer_init(&x->w, sc, 0, x->packet, sizeof x->packet, &callbacks, x);
	cr_assert_eq(tn_packet_writer_open(&x->w, NULL, 0, &x->err), TN_OK);
}

/* The payloads of all events, as the text line shows them. */
static void
read_back(struct world *x, enum tn_metadata_form form, struct tn_str *out)
{
	static const struct tn_text_options options = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_str metadata = { 0 };
	struct tn_cursor *cur;
	struct tn_text *text;
	struct tn_set *set;
	enum tn_code rc;

	cr_assert_eq(tn_draft_metadata(x->draft, form, &metadata, &x->err), TN_OK, "%s", x->err.text);
	cr_assert_eq(tn_set_open_memory(&set, (const struct tn_memory_file[]) {
		{ "metadata", metadata.text, metadata.n }, { "s", x->packet, sizeof x->packet } }, 2, NULL, &x->err), TN_OK,
		"%s\n%s", x->err.text, metadata.text);
	cr_assert_eq(tn_text_new(&text, set, &options, &x->err), TN_OK);
	cr_assert_eq(tn_cursor_new(&cur, set, &x->err), TN_OK);
	for (rc = tn_cursor_first(cur, &x->err); rc == TN_OK; rc = tn_cursor_next(cur, &x->err))
		cr_assert_eq(tn_text_fields(text, cur, out, &x->err), TN_OK, "%s", x->err.text);
	cr_assert_eq(rc, TN_END);
	tn_cursor_free(cur);
	tn_text_free(text);
	tn_set_close(set);
	tn_str_release(&metadata);
}

Test(kinds, what_is_written_is_read_back)
{
	static const struct {
		void (*make)(struct tn_draft *d, struct tn_type *s);
		struct tn_datum datum[10];
		size_t n;
		bool in_ctf1;
		const char *text;
	} rows[] = {
		{ uints, { { TN_DATUM_UINT, { UINT64_MAX } }, { TN_DATUM_SINT, { .i = INT64_MIN } }, { TN_DATUM_UINT, { 2 } },
			   { TN_DATUM_BYTES, { .bytes = "hi" }, 2 } }, 4, false,
		  "{ a = 0xFFFFFFFFFFFFFFFF, b = -9223372036854775808, n = 2, t = \"hi\" }" },
		{ uints, { { TN_DATUM_UINT, { 127 } }, { TN_DATUM_SINT, { .i = -64 } }, { TN_DATUM_UINT, { 0 } },
			   { TN_DATUM_BYTES, { .bytes = "" }, 0 } }, 4, false, "{ a = 0x7F, b = -64, n = 0, t = \"\" }" },
		{ uints, { { TN_DATUM_UINT, { 128 } }, { TN_DATUM_SINT, { .i = 64 } }, { TN_DATUM_UINT, { 0 } },
			   { TN_DATUM_BYTES, { .bytes = "" }, 0 } }, 4, false, "{ a = 0x80, b = 64, n = 0, t = \"\" }" },
		{ bits, { { TN_DATUM_UINT, { 1 } }, { TN_DATUM_UINT, { 6 } }, { TN_DATUM_UINT, { 0x802 } },
			  { TN_DATUM_UINT, { 0 } } }, 4, false,
		  "{ f = true, b = 0x6, m = 0x802 { \"high\", \"low\" }, z = false }" },
		{ blobs, { { TN_DATUM_UINT, { 2 } }, { TN_DATUM_BYTES, { .bytes = "\0\xff\x10" }, 3 },
			   { TN_DATUM_BYTES, { .bytes = "ab" }, 2 } }, 3, false, "{ n = 2, a = { 00 ff 10 }, b = { 61 62 } }" },
		{ optionals, { { TN_DATUM_UINT, { 1 } }, { TN_DATUM_BYTES, { .bytes = "x" }, 1 }, { TN_DATUM_UINT, { 5 } },
			       { TN_DATUM_UINT, { 3 } }, { TN_DATUM_UINT, { 4 } } }, 5, false,
		  "{ f = true, a = { \"x\" }, k = 5, b = { 3 }, c = { 4 } }" },
		{ optionals, { { TN_DATUM_UINT, { 0 } }, { TN_DATUM_UINT, { 1 } }, { TN_DATUM_UINT, { 3 } } }, 3, false,
		  "{ f = false, a = <none>, k = 1, b = { 3 }, c = <none> }" },
		{ strings, { { TN_DATUM_BYTES, { .bytes = "h\0\0\x01" }, 4 }, { TN_DATUM_BYTES, { .bytes = "\0\0\0z" }, 4 } }, 2,
		  false, "{ a = \"hĀ\", b = \"z\" }" },
		{ wide, { { TN_DATUM_UINT, { 5 } }, { TN_DATUM_BYTES, { .bytes = "\x0f\1\2\3\4\5\6\7\x08" }, 9 },
			  { TN_DATUM_UINT, { 1 } }, { TN_DATUM_BYTES, { .bytes = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe" }, 10 },
			  { TN_DATUM_BYTES, { .bytes = "\1\2\3\4\5\6\7\x08\x09" }, 9 }, { TN_DATUM_UINT, { 7 } } }, 6, true,
		  "{ p = 5, a = 0xF0102030405060708, q = 1, b = 0xFFFFFFFFFFFFFFFFFFFE, c = 0x10203040506070809, z = 7 }" },
		{ plain, { { TN_DATUM_UINT, { 1 } }, { TN_DATUM_UINT, { 6 } }, { TN_DATUM_UINT, { 9 } }, { TN_DATUM_UINT, { 1 } },
			   { TN_DATUM_UINT, { 2 } }, { TN_DATUM_UINT, { 3 } }, { TN_DATUM_UINT, { 4 } },
			   { TN_DATUM_UINT, { 0xabcdef } } }, 8, true,
		  "{ tag = ( \"one\" : container = 1 ), v = { 6 }, p = 9, a = [ [0] = { x = 1, y = 2 }, [1] = { x = 3, y = 4 } ], "
		  "e = [ ], q = 11259375 }" },
		{ plain, { { TN_DATUM_UINT, { 2 } }, { TN_DATUM_FLOAT, { .f = -0.5 } }, { TN_DATUM_UINT, { 9 } }, { TN_DATUM_UINT, { 1 } },
			   { TN_DATUM_UINT, { 2 } }, { TN_DATUM_UINT, { 3 } }, { TN_DATUM_UINT, { 4 } },
			   { TN_DATUM_UINT, { 0xabcdef } } }, 8, true,
		  "{ tag = ( \"two\" : container = 2 ), v = { -0.5 }, p = 9, a = [ [0] = { x = 1, y = 2 }, [1] = { x = 3, y = 4 } ], "
		  "e = [ ], q = 11259375 }" },
	};

	for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
		size_t i = k / 2;
		struct tn_str got = { 0 }, metadata = { 0 };
		struct tn_event_class *ec;
		struct world x;
		char wanted[1024];

		begin(&x, rows[i].make, &ec, k % 2);
		/* Twice: the second begins elsewhere in its byte. */
		for (int again = 0; again < 2; again++)
			cr_assert_eq(tn_packet_writer_event(&x.w, ec, rows[i].datum, rows[i].n, &x.err), TN_OK, "row %zu: %s", i,
				     x.err.text);
		tn_packet_writer_finish(&x.w);
		read_back(&x, TN_METADATA_CTF_2, &got);
		snprintf(wanted, sizeof wanted, "%s%s", rows[i].text, rows[i].text);
		cr_assert_str_eq(got.text, wanted, "row %zu as CTF 2: %s", i, got.text);
		got.n = 0;
		if (rows[i].in_ctf1) {
			read_back(&x, TN_METADATA_CTF_1_8, &got);
			cr_assert_str_eq(got.text, wanted, "row %zu as CTF 1.8: %s", i, got.text);
		} else {
			cr_assert_eq(tn_draft_metadata(x.draft, TN_METADATA_CTF_1_8, &metadata, &x.err), TN_ERR_UNSUPPORTED,
				     "row %zu", i);
			cr_assert(strstr(x.err.text, "cannot describe"), "row %zu: %s", i, x.err.text);
		}
		tn_str_release(&metadata);
		tn_str_release(&got);
		tn_draft_free(x.draft);
	}
}

/* The bits of a wide number alone, from a byte on, in the trace's order; and its value. */
Test(kinds, bytes_and_value_of_a_wide_integer)
{
	static const uint8_t number[] = { 0x0f, 1, 2, 3, 4, 5, 6, 7, 8 }, minus[] = { 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
	static const uint8_t big[] = { 0xf0, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70, 0x80 };
	const struct tn_datum data[] = {
		tn_datum_u(5), tn_datum_bytes(number, 9), tn_datum_u(1), tn_datum_bytes(minus, 10), tn_datum_bytes(number, 9), tn_datum_u(255),
	};

	for (unsigned be = 0; be < 2; be++) {
		const struct tn_value *payload, *a, *b;
		struct tn_str metadata = { 0 };
		const struct tn_event *e;
		struct tn_event_class *ec;
		const uint8_t *bytes;
		uint8_t value[16];
		struct tn_cursor *cur;
		struct tn_set *set;
		struct world x;
		size_t n;

		begin(&x, wide, &ec, be);
		cr_assert_eq(tn_packet_writer_event(&x.w, ec, data, 6, &x.err), TN_OK, "%s", x.err.text);
		tn_packet_writer_finish(&x.w);
		cr_assert_eq(tn_draft_metadata(x.draft, TN_METADATA_CTF_2, &metadata, &x.err), TN_OK);
		cr_assert_eq(tn_set_open_memory(&set, (const struct tn_memory_file[]) {
			{ "metadata", metadata.text, metadata.n }, { "s", x.packet, sizeof x.packet } }, 2, NULL, &x.err), TN_OK);
		cr_assert_eq(tn_cursor_new(&cur, set, &x.err), TN_OK);
		cr_assert_eq(tn_cursor_first(cur, &x.err), TN_OK);
		cr_assert_eq(tn_cursor_read(cur, 1u << TN_SCOPE_PAYLOAD, &e, &x.err), TN_OK);
		payload = tn_event_scope(e, TN_SCOPE_PAYLOAD);
		a = tn_value_member(payload, "a");
		b = tn_value_member(payload, "b");
		cr_assert_neq(tn_value_bit(a) % 8, 0);
		cr_assert_eq(tn_value_bytes(a, (const void **)&bytes, &n), TN_OK);
		cr_assert_eq(n, 9);
		for (size_t i = 0; i < n; i++)
			cr_expect_eq(bytes[i], be ? big[i] | (i + 1 < n ? number[i + 1] >> 4 : 0) : number[8 - i], "big-endian %u: byte %zu is %#x",
				     be, i, bytes[i]);
		cr_assert_eq(tn_value_wide(a, value, sizeof value, &n), TN_OK);
		cr_expect_eq(n, 9);
		cr_expect_eq(memcmp(value, number, n), 0);
		cr_assert_eq(tn_value_wide(b, value, sizeof value, &n), TN_OK);
		cr_expect_eq(n, 10);
		cr_expect_eq(memcmp(value, minus, n), 0);
		cr_expect_eq(tn_value_wide(b, value, 9, &n), TN_ERR_RANGE);
		cr_expect_eq(n, 10, "it says how many");
		cr_expect_eq(tn_value_wide(tn_value_member(payload, "p"), value, 1, &n), TN_OK);
		cr_expect_eq(value[0], 5);
		cr_expect_eq(tn_value_wide(payload, value, 16, &n), TN_ERR_ARGUMENT);
		tn_cursor_free(cur);
		tn_set_close(set);
		tn_str_release(&metadata);
		tn_draft_free(x.draft);
	}
}

static void
some(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "r", tn_draft_float(d, 32, 0));
	tn_draft_member(d, s, "t", tn_draft_string(d));
	tn_draft_member(d, s, "a", tn_draft_array(d, 3, tn_draft_uint(d, 8, 8, 10)));
}

Test(kinds, data_that_are_not_what_the_type_says_are_refused)
{
	static const struct {
		void (*make)(struct tn_draft *d, struct tn_type *s);
		struct tn_datum datum[3];
		size_t n;
		const char *text;
	} rows[] = {
		{ uints, { { TN_DATUM_SINT, { .i = -1 } } }, 1, "a: the value needs more bits than the field has" },
		{ bits, { { TN_DATUM_UINT, { 2 } } }, 1, "f: the value needs more bits than the field has" },
		{ bits, { { TN_DATUM_FLOAT, { .f = 1 } } }, 1, "f: the value is not an integer" },
		{ blobs, { { TN_DATUM_UINT, { 2 } }, { TN_DATUM_BYTES, { .bytes = "ab" }, 2 } }, 2, "a: the number of bytes differs" },
		{ blobs, { { TN_DATUM_UINT, { 2 } }, { TN_DATUM_BYTES, { .bytes = "abc" }, 3 },
			   { TN_DATUM_BYTES, { .bytes = "abc" }, 3 } }, 3, "b: its size differs" },
		{ optionals, { { TN_DATUM_UINT, { 0 } }, { TN_DATUM_BYTES, { .bytes = "x" }, 1 } }, 2, "k: the value is not an integer" },
		{ strings, { { TN_DATUM_BYTES, { .bytes = "abc" }, 3 } }, 1, "a: the text ends inside a code unit" },
		{ strings, { { TN_DATUM_BYTES, { .bytes = "a\0\0\0" }, 4 } }, 1, "a: the text contains a NUL" },
		{ some, { { TN_DATUM_UINT, { 1 } } }, 1, "r: the value is not a floating point number" },
		{ some, { { TN_DATUM_FLOAT, { .f = 1 } }, { TN_DATUM_UINT, { 1 } } }, 2, "t: the value is not text" },
		{ some, { { TN_DATUM_FLOAT, { .f = 1 } }, { TN_DATUM_BYTES, { .bytes = "x" }, 1 },
			  { TN_DATUM_BYTES, { .bytes = "abcd" }, 4 } }, 3, "a: the number of bytes differs from the number of elements" },
		{ blobs, { { TN_DATUM_UINT, { 2 } }, { TN_DATUM_UINT, { 2 } } }, 2, "a: the value is not bytes" },
		{ wide, { { TN_DATUM_UINT, { 5 } }, { TN_DATUM_UINT, { 5 } } }, 2, "a: the value is not the bytes" },
		{ wide, { { TN_DATUM_UINT, { 5 } }, { TN_DATUM_BYTES, { .bytes = "\1\1" }, 2 } }, 2, "a: the number of bytes differs" },
		{ wide, { { TN_DATUM_UINT, { 5 } }, { TN_DATUM_BYTES, { .bytes = "\x10\1\1\1\1\1\1\1\1" }, 9 } }, 2,
		  "a: the value needs more bits than the field has" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_event_class *ec;
		struct world x;

		begin(&x, rows[i].make, &ec, false);
		cr_assert_eq(tn_packet_writer_event(&x.w, ec, rows[i].datum, rows[i].n, &x.err), TN_ERR_ARGUMENT, "row %zu", i);
		cr_assert(strstr(x.err.text, rows[i].text), "row %zu: %s", i, x.err.text);
		cr_assert(tn_packet_writer_is_empty(&x.w), "row %zu", i);
		tn_draft_free(x.draft);
	}
}
