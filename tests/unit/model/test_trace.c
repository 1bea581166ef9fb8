/* Properties of a trace, its classes, streams and clocks (tnav/trace.h); rows of a batch; losses (decoder.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "base/memory.h"
#include "model/build.h"
#include "model/decoder.h"

Test(trace, environment)
{
	struct tn_env env[] = {
		{ .name = "host", .is_text = true, .text = "here" }, { .name = "minus", .number = -3 },
		{ .name = "large", .number = -1, .is_unsigned = true },
	};
	struct tn_trace t = { .env = env, .n_env = 3, .format = "CTF 2", .path = "/x", .big_endian = true };
	char room[32];
	size_t size = 5;

	cr_expect_eq(tn_trace_env(&t, "minus"), &env[1]);
	cr_expect_null(tn_trace_env(&t, "none"));
	cr_expect_eq(tn_trace_env_count(&t), 3);
	cr_expect_str_eq(tn_trace_env_name(&t, 2), "large");
	cr_expect_null(tn_trace_env_name(&t, 3));
	cr_expect_str_eq(tn_trace_env_value(&t, 0, room, sizeof room), "here");
	cr_expect_str_eq(tn_trace_env_value(&t, 1, room, sizeof room), "-3");
	cr_expect_str_eq(tn_trace_env_value(&t, 2, room, sizeof room), "18446744073709551615");
	cr_expect_null(tn_trace_env_value(&t, 3, room, sizeof room));
	cr_expect_str_eq(tn_trace_env_value(&t, 0, NULL, 0), "here", "a text needs no room");
	cr_expect_str_eq(tn_trace_format(&t), "CTF 2");
	cr_expect_str_eq(tn_trace_path(&t), "/x");
	cr_expect_str_eq(tn_trace_name(&t), "", "it has none");
	t.name = "n";
	cr_expect_str_eq(tn_trace_name(&t), "n");
	cr_expect(tn_trace_big_endian(&t));
	cr_expect_null(tn_trace_uuid(&t));
	t.has_uuid = true;
	t.uuid[15] = 9;
	cr_assert(tn_trace_uuid(&t));
	cr_expect_eq(tn_trace_uuid(&t)[15], 9);
	cr_expect_null(tn_trace_metadata(&t, &size));
	cr_expect_eq(size, 0);
	t.metadata_text = "meta";
	t.metadata_size = 4;
	cr_expect_str_eq(tn_trace_metadata(&t, NULL), "meta");
}

Test(trace, classes_and_streams)
{
	struct tn_clock clock = { .name = "c", .description = "d", .frequency = 1000, .offset_s = -2, .offset_cycles = 7,
				  .origin = TN_ORIGIN_UNIX }, *clocks[] = { &clock };
	struct tn_field packet = { .name = "" }, context = { .name = "" }, header = { .name = "" }, common = { .name = "" };
	struct tn_field specific = { .name = "" }, payload = { .name = "" };
	struct tn_trace t = { .clock = clocks, .n_clocks = 1, .packet_header = &packet };
	struct tn_stream_class sc = { .id = 3, .trace = &t, .clock = &clock, .packet_context = &context,
				      .event_header = &header, .common_context = &common };
	struct tn_event_class ec = { .id = 12, .index = 1, .name = "e", .log_level = 6, .stream_class = &sc,
				     .specific_context = &specific, .payload = &payload }, *classes[] = { NULL, &ec };
	const struct tn_field *const scope[] = { &packet, &context, &header, &common, &specific, &payload };
	struct tn_stream s = { .trace = &t, .stream_class = &sc, .id = 5, .path = "/p", .name = "n", .rank = 2, .size = 99 };
	struct tn_stream_class timeless = { .trace = &t };
	struct tn_stream quiet = { .trace = &t, .stream_class = &timeless }, *streams[] = { &quiet, &s };
	struct tn_trace *traces[] = { &t };
	struct tn_set set = { .trace = traces, .n_traces = 1, .stream = streams, .n_streams = 2 };
	int64_t ns = 1;

	t.event_class = classes;
	t.n_event_classes = 2;
	cr_expect_eq(tn_trace_event_class_count(&t), 2);
	cr_expect_eq(tn_trace_event_class(&t, 1), &ec);
	cr_expect_null(tn_trace_event_class(&t, 2));
	cr_expect_str_eq(tn_event_class_name(&ec), "e");
	cr_expect_eq(tn_event_class_id(&ec), 12);
	cr_expect_eq(tn_event_class_index(&ec), 1);
	cr_expect_eq(tn_event_class_log_level(&ec), 6);
	cr_expect_str_eq(tn_log_level_name(6), "INFO");
	cr_expect_str_eq(tn_log_level_name(14), "DEBUG");
	cr_expect_null(tn_log_level_name(15));
	cr_expect_null(tn_log_level_name(-1));
	cr_expect_eq(tn_event_class_trace(&ec), &t);
	for (unsigned i = 0; i < TN_SCOPES; i++)
		cr_expect_eq(tn_event_class_scope(&ec, (enum tn_scope)i), scope[i], "%u", i);
	cr_expect_null(tn_event_class_scope(&ec, (enum tn_scope)TN_SCOPES));
	cr_expect_str_eq(tn_stream_name(&s), "n");
	cr_expect_str_eq(tn_stream_path(&s), "/p");
	cr_expect_eq(tn_stream_id(&s), 5);
	cr_expect_eq(tn_stream_class_id(&s), 3);
	cr_expect_eq(tn_stream_rank(&s), 2);
	cr_expect_eq(tn_stream_trace(&s), &t);
	cr_expect_eq(tn_stream_size(&s), 99);
	cr_expect_eq(tn_stream_clock(&s), &clock);
	cr_expect_null(tn_stream_clock(&quiet));
	cr_expect_eq(tn_set_trace_count(&set), 1);
	cr_expect_eq(tn_set_trace(&set, 0), &t);
	cr_expect_null(tn_set_trace(&set, 1));
	cr_expect_eq(tn_set_stream_count(&set), 2);
	cr_expect_eq(tn_set_stream(&set, 1), &s);
	cr_expect_null(tn_set_stream(&set, 2));
	cr_expect(tn_set_is_wall_time(&set), "the first stream with a clock decides");
	clock.origin = TN_ORIGIN_NAMED;
	cr_expect_not(tn_set_is_wall_time(&set));
	set.n_streams = 1;
	cr_expect_not(tn_set_is_wall_time(&set));
	cr_expect_eq(tn_trace_clock_count(&t), 1);
	cr_expect_eq(tn_trace_clock(&t, 0), &clock);
	cr_expect_null(tn_trace_clock(&t, 1));
	cr_expect_str_eq(tn_clock_name(&clock), "c");
	cr_expect_str_eq(tn_clock_description(&clock), "d");
	cr_expect_eq(tn_clock_frequency(&clock), 1000);
	cr_expect_eq(tn_clock_offset_s(&clock), -2);
	cr_expect_eq(tn_clock_offset_cycles(&clock), 7);
	cr_expect_not(tn_clock_is_wall_time(&clock));
	cr_expect_null(tn_clock_uuid(&clock));
	clock.has_uuid = true;
	clock.uuid[0] = 4;
	cr_expect_eq(*tn_clock_uuid(&clock), 4);
	cr_expect(tn_clock_time(&clock, 1003, &ns) && ns == -2 * INT64_C(1000000000) + 7000000 + 1003000000);
}

Test(trace, files_in_memory)
{
	static const struct tn_memory_bytes file[] = { { "metadata", "abc", 3 } };
	static const struct tn_memory memory = { file, 1 };
	static const char *const none[] = { "memory/none", "metadata", "memoryX/metadata" };
	struct tn_trace t = { .memory = &memory };
	struct tn_map map;
	struct tn_error err;

	cr_assert_eq(tn_trace_map(&t, &map, "memory/metadata", &err), TN_OK);
	cr_expect(map.size == 3 && memcmp(map.data, "abc", 3) == 0);
	tn_map_release(&map);
	for (size_t i = 0; i < TN_COUNT(none); i++) {
		cr_expect_eq(tn_trace_map(&t, &map, none[i], &err), TN_ERR_NOT_FOUND, "%s", none[i]);
		cr_expect(strstr(err.text, "no such file"), "%s", err.text);
	}
}

/* Rows of a batch: a notice among events; clock values that are kept, and that follow from the time. */
Test(trace, rows_of_a_batch)
{
	struct tn_clock clock = { .frequency = 1000, .offset_s = 1 };
	struct tn_stream_class sc = { .clock = &clock }, timeless = { 0 };
	struct tn_stream stream = { .stream_class = &sc };
	struct tn_batch b = { .stream = &stream };
	struct tn_notice n = { .kind = TN_ROW_DAMAGE, .text = strdup("broken"), .bit = 8 };
	struct tn_ref *ref = TN_ARRAY_ADD(&b.refs);

	ref->time_ns = 1500000000;
	b.n_events = 1;
	cr_assert(tn_batch_notice(&b, 1600000000, &n));
	cr_expect_eq(b.refs.n, 2);
	cr_expect_eq(b.refs.item[1].event_class, TN_REF_NOTICE);
	cr_expect_str_eq(b.notices.item[b.refs.item[1].bit].text, "broken");
	cr_expect_eq(tn_batch_cycles(&b, 0), 500);
	cr_expect_eq(tn_batch_time(&b, 1), 1600000000);
	b.cycles = calloc(2, sizeof *b.cycles);
	b.cycles[0] = 400;	/* time went back: the merge key stays */
	cr_expect_eq(tn_batch_cycles(&b, 0), 400);
	cr_expect_eq(tn_batch_time(&b, 0), 1400000000);
	stream.stream_class = &timeless;
	cr_expect_eq(tn_batch_time(&b, 0), 1500000000);
	cr_expect_eq(tn_batch_cycles(&b, 0), 400);
	tn_batch_clear(&b);
	cr_expect(b.refs.n == 0 && b.notices.n == 0 && b.n_events == 0 && !b.cycles);
	ref = TN_ARRAY_ADD(&b.refs);
	cr_expect_eq(tn_batch_cycles(&b, 0), 0, "without a clock there are no values of it");
	tn_batch_release(&b);
	cr_expect_null(b.refs.item);
}

Test(trace, types_made_by_hand)
{
	struct tn_trace t = { .big_endian = true };
	struct tn_builder b = { .trace = &t };
	struct tn_type *s = tn_build_compound(&b, TN_KIND_STRUCT, 2), *text = tn_build_type(&b, TN_KIND_STRING, 0);
	struct tn_field *f = tn_build_field(&b, s, "text", text);

	cr_assert(s && text && f);
	cr_expect(text->extent == TN_EXTENT_DYNAMIC && text->encoding == TN_ENCODING_UTF8 && text->big_endian);
	cr_expect(s->n_fields == 1 && f->type == text && f->slot == TN_NO_SLOT);
	cr_expect_str_eq(f->label, "text");
	cr_expect_eq(tn_build_array(&b, text)->field[0].type, text);
	cr_expect_eq(tn_build_root(&b, s)->type, s);
	cr_expect_not(b.failed);
	cr_expect_null(tn_build_field(&b, s, "none", NULL), "what could not be made before");
	cr_expect_null(tn_build_root(&b, NULL));
	cr_expect(b.failed);
	cr_expect_null(tn_build_field(&b, s, "more", text), "all that follows fails, too");
	cr_expect_null(tn_build_compound(&b, TN_KIND_STRUCT, 1));
	tn_arena_release(&t.arena);
}
