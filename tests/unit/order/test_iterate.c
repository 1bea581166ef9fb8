#include <criterion/criterion.h>
#include <string.h>

#include <tnav/cursor.h>
#include <tnav/iterate.h>

/* Two streams of one class; packets of 2 and 1 events, and one of 1; a variant, a sequence. */
static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; } := u8;\n"
	"typealias integer { size = 16; } := u16;\n"
	"clock { name = c; freq = 1000000000; };\n"
	"typealias integer { size = 64; map = clock.c.value; } := t64;\n"
	"trace { major = 1; minor = 8; byte_order = le; };\n"
	"stream { packet.context := struct { u16 packet_size; u16 content_size; u8 cpu_id; };\n"
	"         event.header := struct { t64 timestamp; }; };\n"
	"event { name = e; fields := struct {\n"
	"	enum : u8 { small = 0, big = 1 } _kind;\n"
	"	variant <_kind> { u8 small; struct { u16 hi; } big; } _v;\n"
	"	u8 _n; u8 _seq[_n];\n"
	"}; };\n";

static const unsigned char one[] = {
	/* packet 0: 5 + 14 + 13 bytes = 256 bits */
	0x00, 0x01, 0x00, 0x01, 3,
	10, 0, 0, 0, 0, 0, 0, 0, 0, 42, 3, 7, 8, 9,		/* small 42, seq 7 8 9 */
	20, 0, 0, 0, 0, 0, 0, 0, 1, 0x34, 0x12, 1, 5,		/* big 0x1234, seq 5 */
	/* packet 1: 5 + 11 bytes = 128 bits */
	0x80, 0x00, 0x80, 0x00, 4,
	30, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,			/* small 1, seq empty */
};
static const unsigned char two[] = {
	0x80, 0x00, 0x80, 0x00, 9,
	15, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0,
};

static struct tn_set *
open_set(void)
{
	struct tn_memory_file files[] = {
		{ "metadata", metadata, sizeof metadata - 1 }, { "one", one, sizeof one }, { "two", two, sizeof two },
	};
	struct tn_set *set;
	struct tn_error err = { 0 };

	cr_assert_eq(tn_set_open_memory(&set, files, 3, NULL, &err), TN_OK, "%s", err.text);
	return set;
}

Test(iterate, memory_without_metadata_is_no_trace)
{
	struct tn_memory_file files[] = { { "one", one, sizeof one }, { "two", two, sizeof two } };
	struct tn_error err = { 0 };
	struct tn_set *set;

	cr_assert_eq(tn_set_open_memory(&set, files, 2, NULL, &err), TN_ERR_FORMAT);
	cr_assert_null(set);
	cr_assert(strstr(err.text, "metadata"), "%s", err.text);
}

/* Its time is unknown: a packet that cannot be read, and none before or after it. */
Test(iterate, damage_alone_has_no_time)
{
	static const unsigned char zeros[40];
	struct tn_memory_file files[] = {
		{ "metadata", metadata, sizeof metadata - 1 }, { "zeros", zeros, sizeof zeros }, { "two", two, sizeof two },
	};
	struct tn_cursor *cur;
	struct tn_set *set;
	struct tn_row row;

	cr_assert_eq(tn_set_open_memory(&set, files, 3, NULL, NULL), TN_OK);
	cr_assert_eq(tn_cursor_new(&cur, set, NULL), TN_OK);
	cr_assert_eq(tn_cursor_first(cur, NULL), TN_OK);
	cr_assert(tn_cursor_row(cur, &row) && row.kind == TN_ROW_DAMAGE);
	cr_assert_not(row.has_time);
	cr_assert_eq(tn_cursor_next(cur, NULL), TN_OK);
	cr_assert(tn_cursor_row(cur, &row) && row.kind == TN_ROW_EVENT && row.has_time && row.time_ns == 15);
	tn_cursor_free(cur);
	tn_set_close(set);
}

Test(iterate, a_memory_trace_merges_as_any_other)
{
	static const int64_t want[] = { 10, 15, 20, 30 };
	struct tn_set *set = open_set();
	struct tn_cursor *cursor;
	struct tn_row row;

	cr_assert_eq(tn_cursor_new(&cursor, set, NULL), TN_OK);
	for (size_t i = 0; i < 4; i++) {
		cr_assert_eq(tn_cursor_next(cursor, NULL), TN_OK);
		cr_assert(tn_cursor_row(cursor, &row));
		cr_assert_eq(row.time_ns, want[i]);
	}
	cr_assert_eq(tn_cursor_next(cursor, NULL), TN_END);
	tn_cursor_free(cursor);
	tn_set_close(set);
}

Test(iterate, packets_have_context_without_an_event)
{
	static const uint32_t cpu[] = { 3, 4 };
	struct tn_set *set = open_set();
	const struct tn_stream *stream = tn_set_stream(set, 0);
	const struct tn_field *field = tn_stream_find(stream, "stream.packet.context.cpu_id");
	struct tn_packet_iter at, copy;
	struct tn_reader *reader;
	size_t n = 0;
	enum tn_code rc;

	cr_assert_not_null(field);
	cr_assert_null(tn_stream_find(stream, "stream.packet.context.no_such"));
	cr_assert_null(tn_stream_find(stream, "event.fields.kind"), "events have it, not the stream");
	cr_assert_eq(tn_reader_new(&reader, NULL), TN_OK);
	for (rc = tn_packet_iter_begin(stream, &at, NULL); rc == TN_OK; rc = tn_packet_iter_next(&at, NULL), n++) {
		const struct tn_event *context;
		const struct tn_value *value;
		uint32_t v;

		copy = at;
		cr_assert_eq(tn_packet_iter_read(reader, &copy, &context, NULL), TN_OK);
		cr_assert_eq(tn_event_value(context, field, &value), TN_OK);
		cr_assert_eq(tn_value_u32(value, &v), TN_OK);
		cr_assert_eq(v, cpu[n]);
	}
	cr_assert_eq(rc, TN_END);
	cr_assert_eq(n, 2);
	cr_assert_eq(at.packet, 1, "an iterator that is at the end has not moved");
	tn_reader_free(reader);
	tn_set_close(set);
}

Test(iterate, events_of_packets_and_of_the_stream)
{
	struct tn_set *set = open_set();
	const struct tn_stream *stream = tn_set_stream(set, 0);
	struct tn_packet_iter packet;
	struct tn_event_iter at, first;
	struct tn_reader *reader;
	size_t n = 0, in_packet = 0;
	enum tn_code rc;

	cr_assert_eq(tn_reader_new(&reader, NULL), TN_OK);
	for (rc = tn_event_iter_begin(reader, stream, &at, NULL); rc == TN_OK; rc = tn_event_iter_next(reader, &at, NULL)) {
		if (!n++)
			first = at;
	}
	cr_assert_eq(rc, TN_END);
	cr_assert_eq(n, 3);
	cr_assert_eq(tn_event_iter_packet(&at).packet, 1);
	cr_assert_eq(tn_packet_iter_begin(stream, &packet, NULL), TN_OK);
	for (rc = tn_event_iter_begin_packet(reader, &packet, &at, NULL); rc == TN_OK;
	     rc = tn_event_iter_next_in_packet(reader, &at, NULL))
		in_packet++;
	cr_assert_eq(in_packet, 2);
	/* A copy made long ago is still good. */
	cr_assert_eq(tn_event_iter_next(reader, &first, NULL), TN_OK);
	cr_assert_eq(first.row, 1);
	tn_reader_free(reader);
	tn_set_close(set);
}

Test(iterate, variables_by_name)
{
	struct tn_set *set = open_set();
	const struct tn_event_class *ec = tn_trace_event_class(tn_set_trace(set, 0), 0);
	const struct tn_field *small = tn_event_class_find(ec, "event.fields._v.small");
	const struct tn_field *hi = tn_event_class_find(ec, "event.fields.v.big.hi");
	const struct tn_field *sequence = tn_event_class_find(ec, "event.fields._seq");
	const struct tn_field *element = tn_field_find(sequence, "[]");
	const struct tn_event *event;
	const struct tn_value *value, *list;
	struct tn_event_iter at;
	struct tn_reader *reader;
	uint64_t u;

	cr_assert(small && hi && sequence && element);
	cr_assert_eq(tn_field_find(tn_event_class_find(ec, "event.fields"), "_v.small"), small);
	cr_assert_eq(tn_event_class_find(ec, "event.fields._seq[]"), element);
	cr_assert_null(tn_event_class_find(ec, "event.fields._seq.x"));
	cr_assert_eq(tn_reader_new(&reader, NULL), TN_OK);
	cr_assert_eq(tn_event_iter_begin(reader, tn_set_stream(set, 0), &at, NULL), TN_OK);
	cr_assert_eq(tn_event_iter_read(reader, &at, TN_SCOPE_ALL, &event, NULL), TN_OK);

	cr_assert_eq(tn_event_value(event, small, &value), TN_OK);
	cr_assert_eq(tn_value_u64(value, &u), TN_OK);
	cr_assert_eq(u, 42);
	cr_assert_eq(tn_value_bit(value), (5 + 9) * 8);
	cr_assert_eq(tn_value_end(value), (5 + 10) * 8);
	cr_assert_eq(tn_event_value(event, hi, &value), TN_END, "its option is not selected");

	cr_assert_eq(tn_event_value(event, element, &value), TN_ERR_ARGUMENT, "which element?");
	cr_assert_eq(tn_event_value(event, sequence, &list), TN_OK);
	cr_assert_eq(tn_value_count(list), 3);
	cr_assert_eq(tn_value_of(tn_value_at(list, 2), element, &value), TN_OK);
	cr_assert_eq(tn_value_u64(value, &u), TN_OK);
	cr_assert_eq(u, 9);

	cr_assert_eq(tn_event_iter_next(reader, &at, NULL), TN_OK);
	cr_assert_eq(tn_event_iter_read(reader, &at, TN_SCOPE_BIT(TN_SCOPE_PAYLOAD), &event, NULL), TN_OK);
	cr_assert_eq(tn_event_value(event, hi, &value), TN_OK);
	cr_assert_eq(tn_value_u64(value, &u), TN_OK);
	cr_assert_eq(u, 0x1234);
	cr_assert_eq(tn_event_value(event, tn_stream_find(tn_set_stream(set, 0), "stream.packet.context.cpu_id"), &value),
		     TN_ERR_ARGUMENT, "its scope was not read");
	tn_reader_free(reader);
	tn_set_close(set);
}

/* The KEDR document's names and calls: a scope that is a variant on the kind of event (7.2, 7.5.3). */
Test(iterate, variables_through_a_scope_that_is_a_variant)
{
	static const char text[] =
		"trace { byte_order = le; };\n"
		"typedef integer { size = 8; align = 8; signed = false; } u8;\n"
		"stream { packet.context := struct { u8 packet_size; };\n"
		"         event.header := enum : u8 { free, accesses, none }; };\n"
		"event { context := variant <stream.event.header> { struct { u8 n; } accesses; };\n"
		"        fields := variant <stream.event.header> { u8 free;\n"
		"                struct { u8 addr; } accesses[event.context.accesses.n]; }; };\n";
	static const unsigned char bytes[] = { 0x40, 1, 2, 0x11, 0x12, 0, 7, 2 };
	struct tn_memory_file files[] = { { "metadata", text, sizeof text - 1 }, { "s", bytes, sizeof bytes } };
	struct tn_error err = { 0 };
	struct tn_reader *reader;
	struct tn_event_iter at;
	const struct tn_event *event;
	const struct tn_event_class *ec;
	const struct tn_field *fields;
	const struct tn_value *v;
	struct tn_set *set;
	uint64_t u;

	cr_assert_eq(tn_set_open_memory(&set, files, 2, NULL, &err), TN_OK, "%s", err.text);
	cr_assert_eq(tn_reader_new(&reader, &err), TN_OK);
	cr_assert_eq(tn_event_iter_begin(reader, tn_set_stream(set, 0), &at, &err), TN_OK);
	cr_assert_eq(tn_event_iter_read(reader, &at, TN_SCOPE_ALL, &event, &err), TN_OK);
	ec = tn_event_class(event);
	cr_assert_not_null(tn_event_class_find(ec, "event.fields.accesses[].addr"));
	cr_assert_eq(tn_event_class_find(ec, "event.fields.accesses[].addr"), tn_event_class_find(ec, "event.fields[].addr"));
	cr_assert_null(tn_event_class_find(ec, "event.fields.free"));
	v = tn_event_find(event, "event.context.accesses.n");
	cr_assert(v && tn_value_u64(v, &u) == TN_OK && u == 2);
	v = tn_event_find(event, "event.fields.accesses[1].addr");
	cr_assert(v && tn_value_u64(v, &u) == TN_OK && u == 0x12);
	fields = tn_event_class_find(ec, "event.fields");
	cr_assert_eq(tn_field_option_count(fields), 2);
	cr_assert_str_eq(tn_field_option(fields, 0), "free");
	cr_assert_str_eq(tn_field_option(fields, 1), "accesses");
	cr_assert_null(tn_field_option(fields, 2));
	cr_assert_eq(tn_event_value(event, fields, &v), TN_OK);
	cr_assert_eq(tn_value_option(v), 2);
	cr_assert_eq(tn_value_option(tn_event_find(event, "event.context")), 1);
	cr_assert_eq(tn_event_iter_next(reader, &at, &err), TN_OK);
	cr_assert_eq(tn_event_iter_read(reader, &at, TN_SCOPE_ALL, &event, &err), TN_OK);
	v = tn_event_find(event, "event.fields");
	cr_assert(v && tn_value_option(v) == 1 && tn_value_u64(v, &u) == TN_OK && u == 7);
	cr_assert_eq(v, tn_event_find(event, "event.fields.free"));
	cr_assert_null(tn_event_find(event, "event.fields.accesses"));
	/* A kind that the variants have no option for. */
	cr_assert_eq(tn_event_iter_next(reader, &at, &err), TN_OK);
	cr_assert_eq(tn_event_iter_read(reader, &at, TN_SCOPE_ALL, &event, &err), TN_OK);
	cr_assert_str_eq(tn_event_class_name(tn_event_class(event)), "none");
	v = tn_event_find(event, "event.fields");
	cr_assert_null(v);
	cr_assert_null(tn_event_find(event, "event.fields.free"));
	tn_reader_free(reader);
	tn_set_close(set);
}

/* A place at the largest number has nothing after it, and does not wrap. */
Test(iterate, after_the_last_number)
{
	struct tn_set *set = open_set();
	const struct tn_stream *s = tn_set_stream(set, 0);
	struct tn_packet_iter packet = { s, SIZE_MAX };
	struct tn_event_iter at = { s, SIZE_MAX, UINT64_MAX };
	const struct tn_event *event;
	struct tn_packet_info info;
	struct tn_reader *r;

	cr_assert_eq(tn_reader_new(&r, NULL), TN_OK);
	cr_expect_eq(tn_packet_iter_next(&packet, NULL), TN_END);
	cr_expect_eq(packet.packet, SIZE_MAX);
	cr_expect_eq(tn_packet_iter_info(&packet, &info, NULL), TN_END);
	cr_expect_eq(tn_packet_iter_read(r, &packet, &event, NULL), TN_END);
	cr_expect_eq(tn_event_iter_begin_packet(r, &packet, &at, NULL), TN_END);
	cr_expect_eq(tn_event_iter_next(r, &at, NULL), TN_END);
	cr_expect_eq(tn_event_iter_next_in_packet(r, &at, NULL), TN_END);
	at = (struct tn_event_iter) { s, 0, UINT64_MAX };
	cr_expect_eq(tn_event_iter_next_in_packet(r, &at, NULL), TN_END);
	cr_expect_eq(tn_event_iter_read(r, &at, TN_SCOPE_ALL, &event, NULL), TN_END);
	cr_expect_eq(at.row, UINT64_MAX);
	tn_reader_free(r);
	tn_set_close(set);
}
