#include <criterion/criterion.h>
#include <limits.h>
#include <string.h>

#include <tnav/writer.h>

/* Each row makes one mistake; finishing tells it. */
static struct tn_type *
with_member(struct tn_draft *d, const char *name, struct tn_type *t)
{
	struct tn_type *s = tn_draft_struct(d);

	tn_draft_member(d, s, name, t);
	return s;
}

static void bits_0(struct tn_draft *d, struct tn_type *s) { tn_draft_member(d, s, "a", tn_draft_uint(d, 0, 0, 10)); }
static void base_7(struct tn_draft *d, struct tn_type *s) { tn_draft_member(d, s, "a", tn_draft_uint(d, 8, 0, 7)); }
static void align_3(struct tn_draft *d, struct tn_type *s) { tn_draft_member(d, s, "a", tn_draft_uint(d, 8, 3, 10)); }
static void no_length(struct tn_draft *d, struct tn_type *s) { tn_draft_member(d, s, "a", tn_draft_text_sequence(d, "n")); }
static void inside_itself(struct tn_draft *d, struct tn_type *s) { tn_draft_member(d, s, "a", s); }

static void
twice(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "a", tn_draft_string(d));
	tn_draft_member(d, s, "a", tn_draft_string(d));
}

static void
late_length(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "a", tn_draft_text_sequence(d, "n"));
	tn_draft_member(d, s, "n", tn_draft_uint(d, 8, 0, 10));
}

static void
signed_length(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "n", tn_draft_sint(d, 8, 0, 10));
	tn_draft_member(d, s, "a", tn_draft_text_sequence(d, "n"));
}

static void
optional_by_text(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "n", tn_draft_string(d));
	tn_draft_member(d, s, "a", tn_draft_optional(d, "n", tn_draft_string(d)));
}

static void
optional_by_ranges_of_a_boolean(struct tn_draft *d, struct tn_type *s)
{
	struct tn_type *t = tn_draft_optional(d, "f", tn_draft_string(d));

	tn_draft_some(d, t, 1, 2);
	tn_draft_member(d, s, "f", tn_draft_bool(d, 1, 0));
	tn_draft_member(d, s, "a", t);
}

static void
length_by_boolean(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "f", tn_draft_bool(d, 8, 0));
	tn_draft_member(d, s, "a", tn_draft_text_sequence(d, "f"));
}

static void
length_of_65_bits(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "n", tn_draft_uint(d, 65, 0, 10));
	tn_draft_member(d, s, "a", tn_draft_blob_sequence(d, "n", NULL));
}

static void flag_beyond(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_label(d, tn_draft_bits(d, 4, 0), "x", 4, 4); }
static void label_of_65_bits(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_label(d, tn_draft_uint(d, 65, 0, 10), "x", 4, 4); }
static void label_of_text(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_label(d, tn_draft_string(d), "x", 4, 4); }
static void number_in_utf16(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_encoding(d, tn_draft_bool(d, 1, 0), TN_ENCODING_UTF16BE); }
static void swapped_varint(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_swap(d, tn_draft_varuint(d, 10)); }
static void still_clock(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_clock(d, "still", 0, 0, 0, true); }
static void float_16(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_float(d, 16, 0); }
static void member_of_text(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_member(d, tn_draft_string(d), "m", tn_draft_string(d)); }

static void
some_reversed(struct tn_draft *d, struct tn_type *s)
{
	(void)s;
	tn_draft_some(d, tn_draft_optional(d, "f", tn_draft_string(d)), 2, 1);
}

static void some_of_text(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_some(d, tn_draft_string(d), 1, 1); }

static void
option_without_label(struct tn_draft *d, struct tn_type *s)
{
	struct tn_type *tag = tn_draft_uint(d, 8, 0, 10), *v = tn_draft_variant(d, "tag");

	tn_draft_label(d, tag, "one", 1, 1);
	tn_draft_member(d, v, "two", tn_draft_string(d));
	tn_draft_member(d, s, "tag", tag);
	tn_draft_member(d, s, "v", v);
}

static void reversed_label(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_label(d, tn_draft_uint(d, 8, 0, 10), "x", 5, 4); }
static void struct_aligned_3(struct tn_draft *d, struct tn_type *s) { tn_draft_align(d, s, 3); }
static void text_aligned(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_align(d, tn_draft_string(d), 8); }
static void nameless(struct tn_draft *d, struct tn_type *s) { tn_draft_member(d, s, NULL, tn_draft_string(d)); }

/* 22 levels of two members each: 4 million fields of 44 calls. */
static void
used_twice(struct tn_draft *d, struct tn_type *s)
{
	struct tn_type *t = tn_draft_uint(d, 8, 0, 10);

	for (unsigned i = 0; i < 22; i++) {
		struct tn_type *pair = with_member(d, "a", t);

		tn_draft_member(d, pair, "b", t);
		t = pair;
	}
	tn_draft_member(d, s, "t", t);
}

static struct tn_type *
swapped(struct tn_draft *d, struct tn_type *t)
{
	tn_draft_swap(d, t);
	return t;
}

static void
swapped_in_a_byte(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "a", tn_draft_uint(d, 3, 0, 10));
	tn_draft_member(d, s, "b", swapped(d, tn_draft_uint(d, 5, 0, 10)));
}

static void
after_swapped_bits(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "a", swapped(d, tn_draft_uint(d, 3, 0, 10)));
	tn_draft_member(d, s, "b", with_member(d, "c", tn_draft_uint(d, 1, 0, 10)));
}

/* 3 times 7 bits end inside a byte. */
static void
swapped_after_an_array(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "a", tn_draft_array(d, 3, tn_draft_uint(d, 7, 0, 10)));
	tn_draft_member(d, s, "b", swapped(d, tn_draft_uint(d, 32, 1, 10)));
}

static void
swapped_after_a_sequence(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_member(d, s, "n", tn_draft_uint(d, 8, 0, 10));
	tn_draft_member(d, s, "a", tn_draft_sequence(d, "n", tn_draft_uint(d, 4, 0, 10)));
	tn_draft_member(d, s, "b", swapped(d, tn_draft_uint(d, 32, 1, 10)));
}

static void no_length_at_all(struct tn_draft *d, struct tn_type *s) { tn_draft_member(d, s, "a", tn_draft_sequence(d, NULL, tn_draft_string(d))); }
static void env_without_a_name(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_env_text(d, NULL, "x"); }
static void label_without_text(struct tn_draft *d, struct tn_type *s) { (void)s; tn_draft_label(d, tn_draft_uint(d, 8, 0, 10), NULL, 1, 1); }

static void
env_twice(struct tn_draft *d, struct tn_type *s)
{
	(void)s;
	tn_draft_env_text(d, "host", "x");
	tn_draft_env_number(d, "host", 7);
}

static void
clocks_of_one_name(struct tn_draft *d, struct tn_type *s)
{
	(void)s;
	tn_draft_clock(d, "c", 1000, 0, 0, true);
	tn_draft_clock(d, "c", 1001, 0, 0, true);
}

/* CTF 1.8 has no blank in a name, CTF 2 only UTF-8: no form is left. */
static void
name_of_no_form(struct tn_draft *d, struct tn_type *s)
{
	tn_draft_env_text(d, "two words", "x");
	tn_draft_member(d, s, "\xff", tn_draft_string(d));
}

Test(draft, mistakes_are_told_when_it_is_finished)
{
	static const struct {
		void (*make)(struct tn_draft *d, struct tn_type *s);
		const char *text;
	} rows[] = {
		{ bits_0, "0 bits" }, { base_7, "a display base of 7: it must be 2, 8, 10 or 16" }, { align_3, "an alignment of 3 bits is not a power of two" }, { twice, "two members 'a'" },
		{ no_length, "'a' refers to 'n'" }, { late_length, "'a' refers to 'n'" },
		{ signed_length, "not an unsigned member" }, { option_without_label, "variant option 'two': no label of 'tag' has that name" },
		{ inside_itself, "types are nested more than " }, { optional_by_text, "not an unsigned member or boolean" },
		{ optional_by_ranges_of_a_boolean, "'a' has values that enable it, but 'f' is a boolean" }, { length_by_boolean, "not an unsigned member before" },
		{ length_of_65_bits, "not an unsigned member before" }, { flag_beyond, "not so many bits" },
		{ label_of_65_bits, "more than 64 bits" }, { label_of_text, "not an integer" },
		{ number_in_utf16, "a string must be UTF-8, UTF-16 or UTF-32" }, { swapped_varint, "has no byte order" }, { some_of_text, "only an optional can have them" },
		{ still_clock, "clock 'still': the frequency must not be 0" }, { float_16, "a floating point number of 16 bits: it must have 32 or 64" },
		{ some_reversed, "values that enable a optional: the range is reversed" },
		{ member_of_text, "member 'm': a string has no members" },
		{ reversed_label, "label 'x': the range is reversed" }, { struct_aligned_3, "an alignment of 3 bits for a struct" },
		{ text_aligned, "an alignment of 8 bits for a string" }, { nameless, "a member without a name" },
		{ used_twice, "the types have more than 262144 fields: each use of a type counts" },
		{ swapped_in_a_byte, "event 'e': field.b: this number can begin inside a byte of the other byte order" },
		{ after_swapped_bits, "event 'e': field.b.c: this number can begin inside a byte" },
		{ swapped_after_an_array, "field.b: this number can begin inside a byte" },
		{ swapped_after_a_sequence, "field.b: this number can begin inside a byte" },
		{ no_length_at_all, "a name or a text is NULL" }, { env_without_a_name, "a name or a text is NULL" },
		{ label_without_text, "a name or a text is NULL" }, { env_twice, "two entries 'host' in the environment" },
		{ clocks_of_one_name, "two clocks 'c'" }, { name_of_no_form, "event 'e': member '\xff': CTF 2 allows only UTF-8" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_stream_class *sc;
		struct tn_error err = { 0 };
		struct tn_draft *d;
		struct tn_type *s;

		cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
		sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s" });
		s = tn_draft_struct(d);
		rows[i].make(d, s);
		tn_draft_event_class(d, sc, "e", -1, NULL, s);
		cr_assert_eq(tn_draft_finish(d, &err), TN_ERR_ARGUMENT, "row %zu", i);
		cr_assert(strstr(err.text, rows[i].text), "row %zu: '%s' does not say '%s'", i, err.text, rows[i].text);
		tn_draft_free(d);
	}
}

/* Ids and times that no packet could say are refused where they are declared. */
Test(draft, headers_of_a_stream_class)
{
	static const struct {
		struct tn_draft_stream stream;
		const char *text;	/* NULL: it is good */
	} rows[] = {
		{ { TN_DRAFT_STREAM, .name = "s", .id_bits = 64, .time_bits = 64 }, NULL },
		{ { TN_DRAFT_STREAM, .name = "s", .id_bits = 1, .time_bits = 1 }, NULL },
		{ { TN_DRAFT_STREAM, .name = "s", .id_bits = 65 }, "stream class 's': event ids of 65 bits" },
		{ { TN_DRAFT_STREAM, .name = "s", .time_bits = 65 }, "times of 65" },
		{ { TN_DRAFT_STREAM, .name = "s", .time_bits = UINT_MAX }, "times of 4294967295: at most 64" },
		/* The other headers have sizes of their own. */
		{ { TN_DRAFT_STREAM, .name = "s", .header = TN_HEADER_COMPACT, .time_bits = 1000 }, NULL },
		{ { TN_DRAFT_STREAM, .name = "s", .header = (enum tn_draft_header)3 }, "unknown event header" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_draft_stream stream = rows[i].stream;
		struct tn_stream_class *sc;
		struct tn_error err = { 0 };
		struct tn_draft *d;

		cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
		stream.clock = tn_draft_clock(d, "c", 1000, 0, 0, true);
		sc = tn_draft_stream_class(d, &stream);
		tn_draft_event_class(d, sc, "e", -1, NULL, NULL);
		cr_assert_eq(tn_draft_finish(d, &err), rows[i].text ? TN_ERR_ARGUMENT : TN_OK, "row %zu: %s", i, err.text);
		if (rows[i].text)
			cr_assert(strstr(err.text, rows[i].text), "row %zu: '%s'", i, err.text);
		tn_draft_free(d);
	}
}

/* Kinds of scopes, and limits of classes. */
static void no_class(struct tn_draft *d) { (void)d; }

static void
payload_of_text(struct tn_draft *d)
{
	tn_draft_event_class(d, tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s" }), "e", -1, NULL,
			     tn_draft_string(d));
}

static void
packet_context_of_text(struct tn_draft *d)
{
	tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s", .packet_context = tn_draft_string(d) });
}

static void
three_of_one_bit(struct tn_draft *d)
{
	struct tn_stream_class *sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s", .id_bits = 1 });

	tn_draft_event_class(d, sc, "a", -1, NULL, NULL);
	tn_draft_event_class(d, sc, "b", -1, NULL, NULL);
	cr_expect_null(tn_draft_event_class(d, sc, "bits are enough", -1, NULL, NULL));
}

static void
back_in_compact(struct tn_draft *d)
{
	tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s", .header = TN_HEADER_COMPACT, .any_order = true });
}

static void
large_counter(struct tn_draft *d)
{
	tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s", .sequence_bits = 65 });
}

Test(draft, scopes_and_classes)
{
	static const struct {
		void (*make)(struct tn_draft *d);
		const char *text;
	} rows[] = {
		{ no_class, "no stream class" }, { payload_of_text, "a context or payload must be a structure, not a string" },
		{ packet_context_of_text, "a packet context must be a structure" },
		{ three_of_one_bit, "event 'bits are enough': ids of 1 bits are used up" },
		{ back_in_compact, "stream class 's': times that go back need 64 bits" },
		{ large_counter, "stream class 's': counters of 65 and 0 bits: at most 64" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tn_error err = { 0 };
		struct tn_draft *d;

		cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
		rows[i].make(d);
		cr_expect_eq(tn_draft_finish(d, &err), TN_ERR_ARGUMENT, "row %zu", i);
		cr_expect(strstr(err.text, rows[i].text), "row %zu: '%s' does not say '%s'", i, err.text, rows[i].text);
		tn_draft_free(d);
	}
}

/* Names that TSDL takes for its own, escapes, nested lengths, the other byte order. */
Test(draft, tsdl_text)
{
	static const char *const wanted[] = {
		"/* CTF 1.8 */", "byte_order = le;", "signed = true; } _int;", "} __hidden;", "} grid[2][n];",
		"byte_order = be;", "\"say \\\"hi\\\"\" = 1,", "\"\\n\" = 2 ... 3,", "name = \"a\\\\b\";",
		"string { encoding = UTF8; } greeting;", "base = 16;", "hostname = \"ж\";",
		"id = 1;\n\tstream_id = 0;\n\tloglevel = 0;\n\tfields", "id = 0;\n\tstream_id = 0;\n\tfields",
	};
	struct tn_str text = { 0 };
	struct tn_error err = { 0 };
	struct tn_stream_class *sc;
	struct tn_type *s, *e, *swapped;
	struct tn_draft *d;

	cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
	tn_draft_env_text(d, "hostname", "ж");
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s" });
	s = with_member(d, "int", tn_draft_sint(d, 8, 0, 10));
	tn_draft_member(d, s, "_hidden", tn_draft_uint(d, 5, 0, 16));
	tn_draft_member(d, s, "n", tn_draft_uint(d, 5, 0, 10));
	tn_draft_member(d, s, "grid", tn_draft_array(d, 2, tn_draft_sequence(d, "n", tn_draft_float(d, 32, 0))));
	tn_draft_swap(d, swapped = tn_draft_uint(d, 16, 0, 10));
	tn_draft_member(d, s, "port", swapped);
	e = tn_draft_uint(d, 8, 0, 10);
	tn_draft_label(d, e, "say \"hi\"", 1, 1);
	tn_draft_label(d, e, "\n", 2, 3);
	tn_draft_member(d, s, "e", e);
	tn_draft_member(d, s, "greeting", tn_draft_string(d));
	tn_draft_event_class(d, sc, "a\\b", -1, NULL, s);
	/* The most severe level there is, and none. */
	tn_draft_event_class(d, sc, "emergency", 0, NULL, with_member(d, "x", tn_draft_uint(d, 8, 0, 10)));
	cr_assert_eq(tn_draft_finish(d, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_draft_metadata(d, TN_METADATA_CTF_1_8, &text, &err), TN_OK, "%s", err.text);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		cr_assert(strstr(text.text, wanted[i]), "'%s' is not in\n%s", wanted[i], text.text);
	free(text.text);
	tn_draft_free(d);
}

/* Byte orders may change from byte to byte. */
Test(draft, byte_orders_that_change_between_bytes)
{
	struct tn_error err = { 0 };
	struct tn_stream_class *sc;
	struct tn_type *s;
	struct tn_draft *d;

	cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
	sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s" });
	s = with_member(d, "a", tn_draft_array(d, 1000000008, tn_draft_uint(d, 7, 0, 10)));
	tn_draft_member(d, s, "b", swapped(d, tn_draft_uint(d, 3, 0, 10)));
	tn_draft_member(d, s, "c", swapped(d, tn_draft_uint(d, 5, 0, 10)));
	tn_draft_member(d, s, "d", tn_draft_uint(d, 8, 1, 10));
	tn_draft_member(d, s, "n", tn_draft_uint(d, 3, 0, 10));
	tn_draft_member(d, s, "e", tn_draft_sequence(d, "n", swapped(d, tn_draft_uint(d, 16, 0, 10))));
	tn_draft_member(d, s, "f", swapped(d, tn_draft_uint(d, 12, 8, 10)));
	tn_draft_member(d, s, "g", tn_draft_string(d));
	tn_draft_event_class(d, sc, "e", -1, NULL, s);
	cr_expect_eq(tn_draft_finish(d, &err), TN_OK, "%s", err.text);
	tn_draft_free(d);
}

/* Names that one form of metadata cannot express are refused for that form alone. */
Test(draft, names)
{
	static const struct {
		const char *env, *env_text, *clock, *member, *event, *label;
		const char *no_1_8, *no_2;	/* NULL: it can be said */
	} rows[] = {
		{ "a", "", "c", "m", "e", "l", NULL, NULL },
		{ "two words", "", "c", "m", "e", "l", "environment 'two words': CTF 1.8 allows only letters", NULL },
		{ "9", "", "c", "m", "e", "l", "environment '9': CTF 1.8 allows only letters", NULL },
		{ "", "", "c", "m", "e", "l", "environment '': CTF 1.8 allows only letters", NULL },
		{ "event", "", "c", "m", "e", "l", "environment 'event': a keyword of CTF 1.8", NULL },
		{ "a", "", "a\"b", "m", "e", "l", "clock 'a\"b': CTF 1.8 allows only letters", NULL },
		{ "a", "", "c", "a-b", "e", "l", "event 'e': member 'a-b': CTF 1.8 allows only letters", NULL },
		{ "a", "", "c", "", "e", "l", "event 'e': member '': CTF 1.8 allows only letters", NULL },
		{ "a", "", "c", "event", "a \"b\" \\ \n", "\"", NULL, NULL },
		{ "a", "\xff", "c", "m", "e", "l", NULL, "environment '\xff': CTF 2 allows only UTF-8" },
		{ "a", "", "c", "m", "\xc3", "l", NULL, "event '\xc3': CTF 2 allows only UTF-8" },
		{ "a", "", "c", "m", "e", "\xed\xa0\x80", NULL, "event 'e': label '\xed\xa0\x80': CTF 2 allows only UTF-8" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned form = 0; form < 2; form++) {
			const char *no = form == TN_METADATA_CTF_2 ? rows[i].no_2 : rows[i].no_1_8;
			struct tn_str text = { 0 };
			struct tn_error err = { 0 };
			struct tn_stream_class *sc;
			struct tn_type *t;
			struct tn_draft *d;

			cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
			tn_draft_env_text(d, rows[i].env, rows[i].env_text);
			sc = tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s",
				.clock = tn_draft_clock(d, rows[i].clock, 1000, 0, 0, true) });
			tn_draft_label(d, t = tn_draft_uint(d, 8, 0, 10), rows[i].label, 1, 1);
			tn_draft_event_class(d, sc, rows[i].event, -1, NULL, with_member(d, rows[i].member, t));
			cr_assert_eq(tn_draft_finish(d, &err), TN_OK, "row %zu: %s", i, err.text);
			cr_expect_eq(tn_draft_metadata(d, (enum tn_metadata_form)form, &text, &err), no ? TN_ERR_UNSUPPORTED : TN_OK,
				     "row %zu, form %u", i, form);
			if (no)
				cr_expect(strstr(err.text, no), "row %zu: '%s' does not say '%s'", i, err.text, no);
			tn_str_release(&text);
			tn_draft_free(d);
		}
}

/* In CTF 1.8 a member of the packet context says by its name what it is of the packet. */
Test(draft, members_of_a_packet_context)
{
	struct tn_str text = { 0 };
	struct tn_error err = { 0 };
	struct tn_draft *d;

	cr_assert_eq(tn_draft_new(&d, NULL, &err), TN_OK);
	tn_draft_stream_class(d, &(struct tn_draft_stream) { TN_DRAFT_STREAM, .name = "s", .no_discarded = true,
		.packet_context = with_member(d, "events_discarded", tn_draft_uint(d, 8, 0, 10)) });
	cr_assert_eq(tn_draft_finish(d, &err), TN_OK, "%s", err.text);
	cr_expect_eq(tn_draft_metadata(d, TN_METADATA_CTF_1_8, &text, &err), TN_ERR_UNSUPPORTED);
	cr_expect(strstr(err.text, "stream class 's': member 'events_discarded': CTF 1.8 reserves"), "%s", err.text);
	cr_expect_eq(tn_draft_metadata(d, TN_METADATA_CTF_2, &text, &err), TN_OK, "%s", err.text);
	cr_expect_eq(tn_draft_metadata(d, (enum tn_metadata_form)2, &text, &err), TN_ERR_ARGUMENT);
	cr_expect_eq(tn_draft_metadata(d, (enum tn_metadata_form)-1, &text, &err), TN_ERR_ARGUMENT);
	tn_str_release(&text);
	tn_draft_free(d);
}
