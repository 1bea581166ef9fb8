#include "all_kinds.h"

struct classes {
	struct tn_stream_class *timed, *timeless;
	struct tn_event_class *numbers, *texts, *choices, *nothing;
};

static struct tn_type *
encoded(struct tn_draft *d, struct tn_type *string, enum tn_encoding encoding)
{
	tn_draft_encoding(d, string, encoding);
	return string;
}

static struct tn_type *
numbers(struct tn_draft *d)
{
	struct tn_type *s = tn_draft_struct(d), *flags = tn_draft_bits(d, 12, 0), *signs = tn_draft_sint(d, 8, 0, 10);
	struct tn_type *swapped = tn_draft_uint(d, 32, 0, 16);

	tn_draft_label(d, flags, "low", 0, 1);
	tn_draft_label(d, flags, "high", 11, 11);
	tn_draft_label(d, signs, "minus", -128, -1);
	tn_draft_label(d, signs, "two words", 1, 2);
	tn_draft_swap(d, swapped);
	tn_draft_member(d, s, "varuint", tn_draft_varuint(d, 16));
	tn_draft_member(d, s, "varsint", tn_draft_varsint(d, 10));
	tn_draft_member(d, s, "bit", tn_draft_bool(d, 1, 0));
	tn_draft_member(d, s, "bits", tn_draft_bits(d, 3, 0));
	tn_draft_member(d, s, "flags", flags);
	tn_draft_member(d, s, "signs", signs);
	tn_draft_member(d, s, "swapped", swapped);
	tn_draft_member(d, s, "wide", tn_draft_uint(d, 72, 8, 10));
	tn_draft_member(d, s, "single", tn_draft_float(d, 32, 32));
	tn_draft_member(d, s, "double", tn_draft_float(d, 64, 0));
	return s;
}

static struct tn_type *
texts(struct tn_draft *d)
{
	struct tn_type *s = tn_draft_struct(d), *in = tn_draft_struct(d);

	tn_draft_member(d, in, "x", tn_draft_uint(d, 5, 0, 2));
	tn_draft_member(d, in, "y", tn_draft_sint(d, 16, 16, 8));
	tn_draft_align(d, in, 32);
	tn_draft_member(d, s, "string", tn_draft_string(d));
	tn_draft_member(d, s, "utf16", encoded(d, tn_draft_string(d), TN_ENCODING_UTF16LE));
	tn_draft_member(d, s, "utf32", encoded(d, tn_draft_text(d, 8), TN_ENCODING_UTF32BE));
	tn_draft_member(d, s, "n", tn_draft_uint(d, 8, 0, 10));
	tn_draft_member(d, s, "text", tn_draft_text_sequence(d, "n"));
	tn_draft_member(d, s, "blob", tn_draft_blob(d, 3, "image/png"));
	tn_draft_member(d, s, "blobs", tn_draft_blob_sequence(d, "n", NULL));
	tn_draft_member(d, s, "array", tn_draft_array(d, 2, in));
	tn_draft_member(d, s, "none", tn_draft_array(d, 0, tn_draft_uint(d, 64, 64, 10)));
	tn_draft_member(d, s, "sequence", tn_draft_sequence(d, "n", tn_draft_array(d, 2, tn_draft_uint(d, 8, 0, 10))));
	return s;
}

static struct tn_type *
choices(struct tn_draft *d)
{
	struct tn_type *s = tn_draft_struct(d), *tag = tn_draft_uint(d, 8, 0, 10), *v, *some;

	tn_draft_label(d, tag, "one", 1, 1);
	tn_draft_label(d, tag, "two", 2, 5);
	tn_draft_member(d, s, "tag", tag);
	v = tn_draft_variant(d, "tag");
	tn_draft_member(d, v, "one", tn_draft_uint(d, 3, 0, 10));
	tn_draft_member(d, v, "two", tn_draft_string(d));
	tn_draft_member(d, s, "v", v);
	tn_draft_member(d, s, "is", tn_draft_bool(d, 8, 0));
	tn_draft_member(d, s, "optional", tn_draft_optional(d, "is", tn_draft_string(d)));
	some = tn_draft_optional(d, "tag", tn_draft_uint(d, 32, 32, 10));
	tn_draft_some(d, some, 2, 3);
	tn_draft_some(d, some, 9, 9);
	tn_draft_member(d, s, "some", some);
	return s;
}

static void
make(struct tn_draft *d, struct classes *c)
{
	struct tn_clock *clock = tn_draft_clock(d, "clock", 1000000, 5, 7, false);
	struct tn_type *context = tn_draft_struct(d);

	tn_draft_clock_description(d, clock, "of a test");
	tn_draft_env_text(d, "hostname", "all \"kinds\"");
	tn_draft_env_number(d, "number", -3);
	tn_draft_member(d, context, "cpu_id", tn_draft_uint(d, 32, 0, 10));
	c->timed = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .name = "timed", .clock = clock, .header = TN_HEADER_LARGE, .packet_context = context });
	c->timeless = tn_draft_stream_class(d, &(struct tn_draft_stream) {
		TN_DRAFT_STREAM, .no_discarded = true, .no_sequence = true, .id_bits = 8 });
	c->numbers = tn_draft_event_class(d, c->timed, "numbers", 3, NULL, numbers(d));
	c->texts = tn_draft_event_class(d, c->timed, "texts", -1, numbers(d), texts(d));
	c->choices = tn_draft_event_class(d, c->timeless, "choices", 14, NULL, choices(d));
	c->nothing = tn_draft_event_class(d, c->timeless, "nothing", -1, NULL, NULL);
}

#define NUMBERS(n) \
	tn_datum_u(UINT64_MAX >> (n)), tn_datum_i(INT64_MIN >> (n)), tn_datum_u((n) & 1), tn_datum_u(5), tn_datum_u(0x803), \
	tn_datum_i(-(n)), tn_datum_u(0x01020304), tn_datum_bytes("\1\2\3\4\5\6\7\10\11", 9), tn_datum_f(0.5), tn_datum_f(-1e300)

static enum tn_code
fill(struct tn_packet_writer *timed, struct tn_packet_writer *timeless, const struct classes *c, struct tn_error *err)
{
	enum tn_code rc = TN_OK;

	for (uint64_t i = 0; i < 6 && rc == TN_OK; i++) {
		const struct tn_datum n[] = { NUMBERS((int)i) };
		const struct tn_datum t[] = {
			NUMBERS(1), tn_datum_text("a \"text\"\n"), tn_datum_bytes("h\0\0\1", 4), tn_datum_bytes("\0\0\0z", 4), tn_datum_u(2),
			tn_datum_bytes("x\0", 2), tn_datum_bytes("\0\xff\x10", 3), tn_datum_bytes("ab", 2), tn_datum_u(1), tn_datum_i(-1),
			tn_datum_u(31), tn_datum_i((int64_t)i), tn_datum_u(1), tn_datum_u(2), tn_datum_u(3), tn_datum_u(4),
		};
		const struct tn_datum one[] = { tn_datum_u(1), tn_datum_u(7), tn_datum_u(0) };
		const struct tn_datum two[] = { tn_datum_u(2), tn_datum_text("two"), tn_datum_u(1), tn_datum_text("is"), tn_datum_u(9) };

		rc = tn_packet_writer_event_at(timed, 100 * i, c->numbers, n, 10, err);
		if (rc == TN_OK)
			rc = tn_packet_writer_event_at(timed, 100 * i + 50, c->texts, t, 25, err);
		if (rc == TN_OK)
			rc = tn_packet_writer_event(timeless, c->choices, i % 2 ? one : two, i % 2 ? 3 : 5, err);
		if (rc == TN_OK)
			rc = tn_packet_writer_event(timeless, c->nothing, NULL, 0, err);
	}
	return rc;
}

enum tn_code
all_kinds_write(const char *folder, struct tn_error *err)
{
	static const uint8_t uuid[16] = "all kinds of it";
	const struct tn_datum cpu = tn_datum_u(3);
	struct tn_packet_writer *timed, *timeless;
	struct tn_trace_writer *writer = NULL;
	struct tn_draft *d = NULL;
	struct classes c;
	enum tn_code rc = tn_draft_new(&d, &(struct tn_draft_options) { TN_DRAFT_OPTIONS, .big_endian = true, .uuid = uuid }, err);

	if (rc == TN_OK) {
		make(d, &c);
		rc = tn_draft_finish(d, err);
	}
	if (rc == TN_OK)
		rc = tn_trace_writer_new(&writer, folder, d, TN_METADATA_CTF_2, err);
	if (rc == TN_OK)
		rc = tn_trace_writer_stream(writer, c.timed, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = "timed",
			.packet_size = 512, .context = &cpu, .n_context = 1 }, &timed, err);
	if (rc == TN_OK)
		rc = tn_trace_writer_stream(writer, c.timeless, &(struct tn_output_stream) { TN_OUTPUT_STREAM, .name = "timeless", .id = 7 },
					    &timeless, err);
	if (rc == TN_OK)
		rc = fill(timed, timeless, &c, err);
	if (rc == TN_OK)
		rc = tn_trace_writer_finish(writer, err);
	tn_trace_writer_free(writer);
	tn_draft_free(d);
	return rc;
}
