/*
 * A trace made by hand: each scope has one member, the payload whatever a test puts there.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "text/line.h"
#include "text/text.h"

#define ROWS(a) (sizeof(a) / sizeof *(a))

static struct tn_type u8 = { .kind = TN_KIND_UINT, .length = 8, .base = 10 };
static struct tn_field pc_member[] = { { .name = "cpu_id", .label = "cpu_id", .type = &u8 } };
static struct tn_field cc_member[] = { { .name = "_vtid", .label = "vtid", .type = &u8 } };
static struct tn_field sc_member[] = { { .name = "ectx", .label = "ectx", .type = &u8 } };
static struct tn_field pl_member[] = {
	{ .name = "x", .label = "x", .type = &u8 }, { .name = "hid", .label = "hid", .type = &u8, .hidden = true },
	{ .name = "y", .label = "y", .type = &u8 },
};
static struct tn_type pc_type = { .kind = TN_KIND_STRUCT, .field = pc_member, .n_fields = 1 };
static struct tn_type cc_type = { .kind = TN_KIND_STRUCT, .field = cc_member, .n_fields = 1 };
static struct tn_type sc_type = { .kind = TN_KIND_STRUCT, .field = sc_member, .n_fields = 1 };
static struct tn_type pl_type = { .kind = TN_KIND_STRUCT, .field = pl_member, .n_fields = 3 };
static struct tn_field pc = { .name = "", .label = "", .type = &pc_type };
static struct tn_field cc = { .name = "", .label = "", .type = &cc_type };
static struct tn_field sc = { .name = "", .label = "", .type = &sc_type };
static struct tn_field pl = { .name = "", .label = "", .type = &pl_type };

static struct tn_clock ghz = { .name = "monotonic", .frequency = 1000000000 };
static struct tn_env env[] = {
	{ .name = "hostname", .is_text = true, .text = "hst" }, { .name = "domain", .is_text = true, .text = "kernel" },
	{ .name = "procname", .is_text = true, .text = "prc" }, { .name = "vpid", .number = 42 },
};

static struct {
	struct tn_trace trace;
	struct tn_stream_class stream_class;
	struct tn_event_class event_class, *classes[1];
	struct tn_stream stream, *streams[1];
	struct tn_trace *traces[1];
	struct tn_set set;
} w;

/* All four scopes, by the scopes' numbers. */
static struct tn_value values[] = {
	{ .field = &pc, .n = 1, .next = 2 }, { .field = &pc_member[0], .u = 2, .next = 1 },
	{ .field = &cc, .n = 1, .next = 2 }, { .field = &cc_member[0], .u = 17, .next = 1 },
	{ .field = &sc, .n = 1, .next = 2 }, { .field = &sc_member[0], .u = 9, .next = 1 },
	{ .field = &pl, .n = 3, .next = 4 }, { .field = &pl_member[0], .u = 5, .next = 1 },
	{ .field = &pl_member[1], .u = 6, .next = 1 }, { .field = &pl_member[2], .u = 7, .next = 1 },
};

static struct tn_event
make_world(bool clock, bool scopes)
{
	struct tn_event e = {
		.stream = &w.stream, .event_class = &w.event_class, .has_time = clock, .has_cycles = clock, .time_ns = 100, .cycles = 100,
		.value = values, .n_values = ROWS(values),
		.scope = { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX },
	};

	if (scopes) {
		e.scope[TN_SCOPE_PACKET_CONTEXT] = 0;
		e.scope[TN_SCOPE_COMMON_CONTEXT] = 2;
		e.scope[TN_SCOPE_SPECIFIC_CONTEXT] = 4;
		e.scope[TN_SCOPE_PAYLOAD] = 6;
	}
	memset(&w, 0, sizeof w);
	w.trace.name = "hst";
	w.trace.path = "/t";
	w.trace.env = env;
	w.trace.n_env = 4;
	w.stream_class.trace = &w.trace;
	w.stream_class.clock = clock ? &ghz : NULL;
	w.event_class.name = "ints";
	w.event_class.log_level = 6;
	w.event_class.emf_uri = "http://emf/x";
	w.event_class.stream_class = &w.stream_class;
	w.classes[0] = &w.event_class;
	w.trace.event_class = w.classes;
	w.trace.n_event_classes = 1;
	w.stream.trace = &w.trace;
	w.stream.stream_class = &w.stream_class;
	w.stream.path = "/t/s0";
	w.streams[0] = &w.stream;
	w.traces[0] = &w.trace;
	w.set.trace = w.traces;
	w.set.n_traces = 1;
	w.set.stream = w.streams;
	w.set.n_streams = 1;
	return e;
}

static const char *
line_of(const struct tn_text_options *options, const struct tn_event *e, struct tn_line_previous *previous)
{
	static char copy[4096];
	struct tn_str b = { 0 };
	struct tn_text *text;

	cr_assert_eq(tn_text_new(&text, &w.set, options, NULL), TN_OK);
	tn_line_append_event(text, NULL, e, previous, &b);
	cr_assert_lt(b.n, sizeof copy);
	memcpy(copy, b.text, b.n + 1);
	tn_str_release(&b);
	tn_text_free(text);
	return copy;
}

#define FIELDS "{ cpu_id = 2 }, { vtid = 17 }, { ectx = 9 }, { x = 5, y = 7 }\n"

/* text.md, 1 and 2: parts and names, with a clock and without. */
Test(line, parts_and_names)
{
	enum { D = TN_FIELDS_DEFAULT, N = TN_NAMES_DEFAULT, ALL = TN_FIELDS_ALL };
	static const struct { bool clock, scopes; unsigned fields, names; const char *want; } rows[] = {
		{ true, true, D, N, "[00:00:00.000000100] (+?.\?\?\?\?\?\?\?\?\?) hst:prc:(42) ints: " FIELDS },
		{ false, true, D, N, "hst:prc:(42) ints: " FIELDS },
		{ true, false, D, N, "[00:00:00.000000100] (+?.\?\?\?\?\?\?\?\?\?) hst:prc:(42) ints: \n" },
		{ true, true, 0, N, "[00:00:00.000000100] (+?.\?\?\?\?\?\?\?\?\?) ints: " FIELDS },
		{ true, true, TN_FIELD_TRACE, N, "[00:00:00.000000100] (+?.\?\?\?\?\?\?\?\?\?) hstints: " FIELDS },
		{ false, true, ALL, N, "hsthst:kernel:prc:(42):TRACE_INFO (6):http://emf/x ints: " FIELDS },
		{ false, true, D, 0, "hst:prc:(42) ints: { 2 }, { 17 }, { 9 }, { 5, 7 }\n" },
		{ false, true, D, TN_NAMES_PAYLOAD, "hst:prc:(42) ints: { 2 }, { 17 }, { 9 }, { x = 5, y = 7 }\n" },
		{ false, true, D, TN_NAMES_CONTEXT, "hst:prc:(42) ints: { cpu_id = 2 }, { vtid = 17 }, { ectx = 9 }, { 5, 7 }\n" },
		{ false, true, 0, N | TN_NAMES_SCOPE, "ints: stream.packet.context = { cpu_id = 2 }, "
		  "stream.event.context = { vtid = 17 }, event.context = { ectx = 9 }, event.fields = { x = 5, y = 7 }\n" },
		{ true, false, ALL, TN_NAMES_ALL, "timestamp = 00:00:00.000000100, delta = +?.\?\?\?\?\?\?\?\?\?, trace = hst, , "
		  "trace:hostname = hst, trace:domain = kernel, trace:procname = prc, trace:vpid = (42), "
		  "loglevel = TRACE_INFO (6), model.emf.uri = http://emf/x, name = ints, \n" },
		/* Nothing separates the items of a stream without a clock: so does babeltrace2. */
		{ false, true, D, TN_NAMES_HEADER, "trace:hostname = hsttrace:procname = prctrace:vpid = (42)name = ints, "
		  "{ 2 }, { 17 }, { 9 }, { 5, 7 }\n" },
		{ false, false, TN_FIELD_TRACE | TN_FIELD_HOSTNAME, TN_NAMES_HEADER, "trace = hst, trace:hostname = hstname = ints, \n" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
		struct tn_event e = make_world(rows[i].clock, rows[i].scopes);
		const char *got;

		o.utc = true;
		o.fields = rows[i].fields;
		o.names = rows[i].names;
		got = line_of(&o, &e, NULL);
		cr_assert_str_eq(got, rows[i].want, "row %zu: %snot %s", i, got, rows[i].want);
	}
}

/* Names that are missing, empty, or an event's own. */
Test(line, event_names)
{
	static const struct { const char *of_class, *of_event, *want; } rows[] = {
		{ "a", NULL, "hst:prc:(42) a: \n" }, { "", NULL, "hst:prc:(42) <unknown>: \n" },
		{ NULL, NULL, "hst:prc:(42) <unknown>: \n" }, { NULL, "message 3", "hst:prc:(42) message 3: \n" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_event e = make_world(false, false);

		w.event_class.name = rows[i].of_class;
		e.name = rows[i].of_event;
		cr_assert_str_eq(line_of(NULL, &e, NULL), rows[i].want, "row %zu", i);
	}
}

/* text.md, 5: the event before is the last one with a clock. */
Test(line, deltas)
{
	struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_event e = make_world(true, false);
	struct tn_line_previous previous = { 0 };

	o.utc = true;
	o.fields = 0;
	cr_assert_str_eq(line_of(&o, &e, &previous), "[00:00:00.000000100] (+?.\?\?\?\?\?\?\?\?\?) ints: \n");
	e.time_ns = 1500000000;
	cr_assert_str_eq(line_of(&o, &e, &previous), "[00:00:01.500000000] (+1.499999900) ints: \n");
	e = make_world(false, false);
	cr_assert_str_eq(line_of(&o, &e, &previous), "ints: \n");
	e = make_world(true, false);
	e.time_ns = 1500000001;
	e.cycles = 1234567890123;
	cr_assert_str_eq(line_of(&o, &e, &previous), "[00:00:01.500000001] (+0.000000001) ints: \n");
	o.time = TN_TIME_CYCLES;
	e.cycles += 5;
	cr_assert_str_eq(line_of(&o, &e, &previous), "[00000001234567890128] (+000000000005) ints: \n");
	cr_assert_str_eq(line_of(&o, &e, NULL), "[00000001234567890128] (+\?\?\?\?\?\?\?\?\?\?\?\?) ints: \n");
	o.time = TN_TIME_SECONDS;
	o.no_delta = true;
	e.time_ns = -500000000;
	cr_assert_str_eq(line_of(&o, &e, NULL), "[-0.500000000] ints: \n");
}

/* text.md, 6. */
Test(line, colours)
{
	struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_event e = make_world(true, false);

	o.utc = true;
	o.color = true;
	e.scope[TN_SCOPE_PAYLOAD] = 6;
	cr_assert_str_eq(line_of(&o, &e, NULL),
		"[\033[1m\033[1m\033[33m00:00:00.000000100\033[0m] (+?.\?\?\?\?\?\?\?\?\?) hst:prc:(42) "
		"\033[1m\033[1m\033[35mints\033[0m: { \033[36mx\033[0m = \033[1m5\033[0m, \033[36my\033[0m = \033[1m7\033[0m }\n");
}

/* ---- values ---- */

static const struct tn_range r1 = { 1, 1 }, r5[] = { { 5, 5 }, { 7, 9 } }, neg = { (uint64_t)-5, (uint64_t)-3 }, r20 = { 20, 20 };
static const struct tn_range bit0 = { 0, 0 }, bit1 = { 1, 1 }, bits47 = { 4, 7 };
static const struct tn_mapping labels[] = {
	{ "B", &r1, 1 }, { "D", r5, 2 }, { "C", r5, 2 }, { "NEG", &neg, 1 }, { "has \"q\"", &r20, 1 },
};
static const struct tn_mapping flags[] = { { "R", &bit0, 1 }, { "W", &bit1, 1 }, { "HI", &bits47, 1 } };

static struct tn_type enum_type = { .kind = TN_KIND_SINT, .length = 8, .base = 10, .mapping = labels, .n_mappings = 5 };
static struct tn_type enum16_type = { .kind = TN_KIND_SINT, .length = 8, .base = 16, .mapping = labels, .n_mappings = 5 };
static struct tn_type bool_type = { .kind = TN_KIND_BOOL, .length = 8 };
static struct tn_type bits_type = { .kind = TN_KIND_BITS, .length = 8 };
static struct tn_type map_type = { .kind = TN_KIND_BITMAP, .length = 8, .mapping = flags, .n_mappings = 3 };
static struct tn_type wide_type = { .kind = TN_KIND_UINT, .length = 72, .base = 10, .big_endian = true };
static struct tn_type string_type = { .kind = TN_KIND_STRING };
static struct tn_type blob_type = { .kind = TN_KIND_BLOB };
static struct tn_type float_type = { .kind = TN_KIND_FLOAT, .length = 64 };

static const char *
value_of(const struct tn_value *v, bool names)
{
	static char copy[4096];
	struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
	struct tn_str b = { 0 };
	struct tn_text *text;

	o.names = names ? TN_NAMES_ALL : 0;
	cr_assert_eq(tn_text_new(&text, NULL, &o, NULL), TN_OK);
	tn_text_value(text, v, &b);
	memcpy(copy, b.text, b.n + 1);
	tn_str_release(&b);
	tn_text_free(text);
	return copy;
}

Test(line, leaves)
{
	const struct { struct tn_type *type; struct tn_value v; const char *want; } rows[] = {
		{ &enum_type, { .u = 1 }, "( \"B\" : container = 1 )" },
		{ &enum_type, { .u = 8 }, "( \"D\", \"C\" : container = 8 )" },
		{ &enum_type, { .u = 99 }, "( <unknown> : container = 99 )" },
		{ &enum_type, { .u = 20 }, "( \"has \\\"q\\\"\" : container = 20 )" },
		{ &enum16_type, { .i = -3 }, "( \"NEG\" : container = 0xFD )" },
		{ &bool_type, { .u = 3 }, "true" }, { &bool_type, { .u = 0 }, "false" },
		{ &bits_type, { .u = 0xab }, "0xAB" }, { &bits_type, { .u = 0 }, "0x0" },
		{ &map_type, { .u = 0x83 }, "0x83 { \"HI\", \"R\", \"W\" }" }, { &map_type, { .u = 0 }, "0x0" },
		{ &map_type, { .u = 4 }, "0x4" },
		{ &wide_type, { .bytes = (const uint8_t *)"\0\1\2\3\4\5\6\7\377" }, "0x1020304050607FF" },
		{ &string_type, { .bytes = (const uint8_t *)"a\"b", .size = 3 }, "\"a\\\"b\"" },
		{ &string_type, { .bytes = NULL, .size = 0 }, "\"\"" },
		{ &blob_type, { .bytes = (const uint8_t *)"\xaa\x0b", .size = 2 }, "{ aa 0b }" },
		{ &blob_type, { .size = 0 }, "{ }" },
		{ &float_type, { .f = -0.25 }, "-0.25" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_field f = { .name = "f", .label = "f", .type = rows[i].type };
		struct tn_value v = rows[i].v;
		const char *got;

		v.field = &f;
		v.next = 1;
		got = value_of(&v, true);
		cr_assert_str_eq(got, rows[i].want, "row %zu: %s, not %s", i, got, rows[i].want);
	}
}

/* Structures, arrays, variants, optionals, one in the other, with names and without. */
Test(line, compounds)
{
	struct tn_field element = { .name = "", .label = "", .type = &u8 };
	struct tn_type array_type = { .kind = TN_KIND_ARRAY, .field = &element, .n_fields = 1 };
	struct tn_field array = { .name = "a", .label = "a", .type = &array_type };
	struct tn_type outer_type = { .kind = TN_KIND_ARRAY, .field = &array, .n_fields = 1 };
	struct tn_field outer = { .name = "o", .label = "o", .type = &outer_type };
	struct tn_field option = { .name = "q", .label = "q", .type = &pl_type };
	struct tn_type variant_type = { .kind = TN_KIND_VARIANT, .field = &option, .n_fields = 1 };
	struct tn_field variant = { .name = "v", .label = "v", .type = &variant_type };
	struct tn_type optional_type = { .kind = TN_KIND_OPTIONAL, .field = &element, .n_fields = 1 };
	struct tn_field optional = { .name = "p", .label = "p", .type = &optional_type };
	struct tn_type empty_type = { .kind = TN_KIND_STRUCT };
	struct tn_field empty = { .name = "e", .label = "e", .type = &empty_type };
	const struct tn_value nested[] = {
		{ .field = &outer, .n = 3, .next = 6 },
		{ .field = &array, .n = 2, .next = 3 }, { .field = &element, .u = 1, .next = 1 }, { .field = &element, .u = 2, .next = 1 },
		{ .field = &array, .n = 0, .next = 1 }, { .field = &array, .n = 0, .next = 1 },
	};
	const struct tn_value chosen[] = {
		{ .field = &variant, .n = 1, .next = 5 }, { .field = &option, .n = 3, .next = 4 },
		{ .field = &pl_member[0], .u = 5, .next = 1 }, { .field = &pl_member[1], .u = 6, .next = 1 },
		{ .field = &pl_member[2], .u = 7, .next = 1 },
	};
	const struct tn_value none = { .field = &optional, .n = 0, .next = 1 };
	const struct tn_value some[] = { { .field = &optional, .n = 1, .next = 2 }, { .field = &element, .u = 7, .next = 1 } };
	const struct tn_value nothing = { .field = &empty, .n = 0, .next = 1 };

	cr_assert_str_eq(value_of(nested, true), "[ [0] = [ [0] = 1, [1] = 2 ], [1] = [ ], [2] = [ ] ]");
	cr_assert_str_eq(value_of(nested, false), "[ [ 1, 2 ], [ ], [ ] ]");
	cr_assert_str_eq(value_of(chosen, true), "{ { x = 5, y = 7 } }");
	cr_assert_str_eq(value_of(chosen, false), "{ { 5, 7 } }");
	cr_assert_str_eq(value_of(&none, true), "<none>");
	cr_assert_str_eq(value_of(some, true), "{ 7 }");
	cr_assert_str_eq(value_of(&nothing, true), "{ }");
}

/* ---- notices: text.md, 7 ---- */

Test(line, notices)
{
	static const uint8_t uuid[16] = { 0x0a, 0x1b, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const struct { struct tn_row row; bool uuid, color; const char *want; } rows[] = {
		{ { .kind = TN_ROW_LOST_EVENTS, .count = 5, .has_range = true, .begin_ns = 300, .end_ns = 500 }, false, false,
		  "WARNING: Tracer discarded 5 events between [00:00:00.000000300] and [00:00:00.000000500] in trace \"hst\" "
		  "(no UUID) within stream \"/t/s0\" (stream class ID: 3, stream ID: 4)." },
		{ { .kind = TN_ROW_LOST_EVENTS, .count = 1 }, true, false,
		  "WARNING: Tracer discarded 1 event (unknown time range) in trace \"hst\" "
		  "(UUID: 0a1b0203-0405-0607-0809-0a0b0c0d0e0f) within stream \"/t/s0\" (stream class ID: 3, stream ID: 4)." },
		{ { .kind = TN_ROW_LOST_PACKETS, .count = TN_COUNT_UNKNOWN }, false, false,
		  "WARNING: Tracer may have discarded packets (unknown time range) in trace \"hst\" (no UUID) within stream "
		  "\"/t/s0\" (stream class ID: 3, stream ID: 4)." },
		{ { .kind = TN_ROW_LOST_PACKETS, .count = 2 }, false, true,
		  "\033[33m\033[1mWARNING\033[0m\033[33m: Tracer discarded 2 packets (unknown time range) in trace \"hst\" (no UUID) "
		  "within stream \"/t/s0\" (stream class ID: 3, stream ID: 4).\033[0m" },
		{ { .kind = TN_ROW_DAMAGE, .text = "s0: packet 1 at byte 8: x" }, false, false, "s0: packet 1 at byte 8: x" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
		struct tn_row row = rows[i].row;
		struct tn_str b = { 0 };
		struct tn_text *text;

		make_world(true, false);
		w.stream_class.id = 3;
		w.stream.id = 4;
		w.trace.has_uuid = rows[i].uuid;
		memcpy(w.trace.uuid, uuid, 16);
		row.stream = &w.stream;
		o.utc = true;
		o.color = rows[i].color;
		cr_assert_eq(tn_text_new(&text, &w.set, &o, NULL), TN_OK);
		tn_text_notice(text, &row, &b);
		cr_assert_str_eq(b.text, rows[i].want, "row %zu: %s", i, b.text);
		tn_str_release(&b);
		tn_text_free(text);
	}
}

Test(line, origin)
{
	struct tn_str b = { 0 };
	struct tn_text *text;

	make_world(true, false);
	cr_assert_eq(tn_text_new(&text, &w.set, NULL, NULL), TN_OK);
	tn_text_origin(text, &w.stream, &b);
	cr_assert_str_eq(b.text, "hst:prc:(42)");
	tn_str_release(&b);
	tn_text_free(text);
}
