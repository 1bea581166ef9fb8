#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "../ctf/folder.h"
#include "../plan/world.h"
#include "index/packet_index.h"
#include "plan/plan.h"
#include "language/field.h"

/* ---- every field of random types, by instructions and by values ---- */

struct tried {
	const struct tn_names *names;
	struct tn_row_state direct, general;
	size_t way[TN_PLACE_ROW + 1], there, absent;
};

static void
try_field(struct tried *t, const struct tn_batch *b, const void *owner, enum tn_scope scope, const struct tn_field *f)
{
	struct tn_target target = { owner, f, scope };
	struct tn_reference r = { .names = t->names };

	r.meaning.target = &target;
	r.meaning.n_targets = 1;
	r.place = calloc(tn_names_class_count(t->names) + 1, sizeof *r.place);
	pthread_mutex_init(&r.lock, NULL);
	for (size_t row = 0; row < b->refs.n; row++) {
		struct tn_cell direct, general;
		struct tn_error err;
		enum tn_code rd, rg;

		tn_row_at(&t->direct, b, row);
		tn_row_at(&t->general, b, row);
		t->general.values_only = true;
		rd = tn_reference_get(&r, &t->direct, &direct, &err);
		rg = tn_reference_get(&r, &t->general, &general, &err);
		if (rg < 0)
			continue;	/* an event that cannot be read: perhaps after the field */
		cr_assert_eq(rd, TN_OK, "%s", err.text);
		cr_assert_eq(direct.kind, general.kind, "%s: kind %d, not %d", f->label, direct.kind, general.kind);
		t->there += direct.kind != TN_CELL_NONE;
		t->absent += direct.kind == TN_CELL_NONE;
		if (direct.kind == TN_CELL_NONE)
			continue;
		cr_assert_eq(direct.type, general.type);
		if (direct.kind == TN_CELL_TEXT) {
			cr_assert_eq(direct.n, general.n, "%s: %zu bytes, not %zu", f->label, direct.n, general.n);
			cr_assert(!direct.n || memcmp(direct.text, general.text, direct.n) == 0, "%s", f->label);
		} else if (direct.kind != TN_CELL_OPAQUE) {
			cr_assert_eq(direct.u, general.u, "%s", f->label);
		}
	}
	if (r.place[0])
		t->way[r.place[0]->way]++;
	tn_reference_release(&r);
}

static void
try_fields(struct tried *t, const struct tn_batch *b, const void *owner, enum tn_scope scope, const struct tn_field *f)
{
	for (size_t i = 0; f && i < f->type->n_fields; i++) {
		try_field(t, b, owner, scope, &f->type->field[i]);
		try_fields(t, b, owner, scope, &f->type->field[i]);
	}
}

Test(field, by_instructions_as_by_values)
{
	static uint8_t data[CONTENT + 64];
	struct tried t = { 0 };

	world_seed(88172645463325252u);
	for (unsigned round = 0; round < 1000; round++) {
		struct tn_stream_file file = { .map = { .data = data, .size = CONTENT } };
		struct tn_names *names;
		struct tn_batch batch = { 0 };
		struct tn_error err;
		struct world w;

		make_world(&w);
		cr_assert_eq(tn_plan_compile(&w.trace, &err), TN_OK, "%s", err.text);
		make_bits(data, CONTENT);
		w.stream.file = &file;
		w.stream.n_files = 1;
		batch.stream = &w.stream;
		batch.data = data;
		batch.entry.content_bits = batch.entry.size_bits = CONTENT * 8;
		for (unsigned i = 0; i < 10; i++) {
			struct tn_ref *ref = TN_ARRAY_ADD(&batch.refs);

			ref->bit = i % 5 == 4 ? (CONTENT - dice(80)) * 8 : 1024 * 8 + i * 64;
			if (i % 7 == 3)
				memset(data + ref->bit / 8, 0xff, 2);
		}
		cr_assert_eq(tn_names_new(&names, &w.set, NULL, &err), TN_OK);
		t.names = names;
		memset(&t.direct, 0, sizeof t.direct);
		memset(&t.general, 0, sizeof t.general);
		try_fields(&t, &batch, &w.stream_class, TN_SCOPE_PACKET_CONTEXT, w.stream_class.packet_context);
		try_fields(&t, &batch, &w.stream_class, TN_SCOPE_EVENT_HEADER, w.stream_class.event_header);
		try_fields(&t, &batch, &w.stream_class, TN_SCOPE_COMMON_CONTEXT, w.stream_class.common_context);
		try_fields(&t, &batch, &w.event_class, TN_SCOPE_SPECIFIC_CONTEXT, w.event_class.specific_context);
		try_fields(&t, &batch, &w.event_class, TN_SCOPE_PAYLOAD, w.event_class.payload);
		tn_row_state_release(&t.direct);
		tn_row_state_release(&t.general);
		tn_names_free(names);
		TN_ARRAY_RELEASE(&batch.refs);
		tn_shared_arena_free(w.trace.late);
		tn_arena_release(&w.trace.arena);
	}
	/* All of it happens often, else the test says little. */
	cr_assert_gt(t.there, 20000);
	cr_assert_gt(t.absent, 1000);
	cr_assert_gt(t.way[TN_PLACE_FIXED], 500);
	cr_assert_gt(t.way[TN_PLACE_WALK], 1000);
	cr_assert_gt(t.way[TN_PLACE_PACKET], 1000);
	cr_assert_gt(t.way[TN_PLACE_VALUES], 1000);
}

/* ---- names ---- */

static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; } := u8;\n"
	"trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { size = 32; } magic; u8 stream_id; }; };\n"
	"env { hostname = \"here\"; procname = \"prog\"; };\n"
	"stream { id = 0;\n"
	"	packet.context := struct { u8 content_size; u8 packet_size; u8 cpu_id; };\n"
	"	event.header := struct { u8 id; };\n"
	"	event.context := struct { u8 _vtid; u8 both; u8 vpid; }; };\n"
	"event { stream_id = 0; id = 1; name = \"one\";\n"
	"	context := struct { u8 both; u8 only; };\n"
	"	fields := struct { u8 ret; u8 len; struct { u8 len; u8 deep; } in; u8 list[2]; string text; u8 id; u8 tid; }; };\n"
	"event { stream_id = 0; id = 2; name = \"two\";\n"
	"	fields := struct { struct { u8 x; u8 y; } pair[2]; enum : u8 { A, B } tag;\n"
	"		variant <tag> { u8 A; struct { u8 z; u8 ret; } B; } v; u8 host; }; };\n";

static struct tn_set set;
static struct tn_trace *traces[1];
static struct folder folder;

static struct tn_names *
open_names(void)
{
	struct tn_names *names;

	folder_new(&folder, metadata);
	folder_add_hex(&folder, "s", "c11ffcc1 00 b8 b8 03 | 01 05 06 07 08 09 0a 0b 0c 0d 0e 0f 00 10 11");
	traces[0] = folder_open(&folder);
	set = (struct tn_set) { .trace = traces, .n_traces = 1, .stream = traces[0]->stream, .n_streams = traces[0]->n_streams };
	for (size_t i = 0; i < set.n_streams; i++)
		cr_assert_eq(tn_index_guard_new(set.stream[i], NULL), TN_OK);
	cr_assert_eq(tn_names_new(&names, &set, NULL, NULL), TN_OK);
	return names;
}

static void
close_names(struct tn_names *names)
{
	tn_names_free(names);
	for (size_t i = 0; i < set.n_streams; i++)
		tn_index_guard_free(set.stream[i]);
	trace_close(traces[0]);
	folder_free(&folder);
}

Test(field, names)
{
	static const struct { const char *name, *path; size_t n; } rows[] = {
		{ "ret", NULL, 0 }, { "fields.ret", "event.fields.ret", 1 }, { "event.fields.ret", "event.fields.ret", 1 },
		{ "v.ret", "event.fields.v.ret", 1 }, { "v.B.ret", "event.fields.v.ret", 1 },
		{ "event.fields.v.B.ret", "event.fields.v.ret", 1 }, { "B.z", "event.fields.v.z", 1 },
		{ "len", NULL, 0 }, { "in.len", "event.fields.in.len", 1 }, { "fields.len", "event.fields.len", 1 },
		{ "deep", "event.fields.in.deep", 1 }, { "vtid", "event.context.vtid", 1 },
		{ "_vtid", "event.context.vtid", 1 }, { "event.context.vtid", "event.context.vtid", 1 },
		{ "stream.event.context.vtid", "event.context.vtid", 1 }, { "context.vtid", "event.context.vtid", 1 },
		{ "both", "event.context.both", 2 }, { "stream.event.context.both", "event.context.both", 1 },
		{ "cpu_id", "packet.context.cpu_id", 1 }, { "packet.context.cpu_id", "packet.context.cpu_id", 1 },
		{ "stream.packet.context.cpu_id", "packet.context.cpu_id", 1 },
		{ "packet_size", "packet.context.packet_size", 1 }, { "event.header.id", "event.header.id", 1 },
		{ "list", "event.fields.list", 1 }, { "list[1]", "event.fields.list[]", 1 }, { "list[*]", "event.fields.list[]", 1 },
		{ "pair[0].x", "event.fields.pair[].x", 1 }, { "pair[*].y", "event.fields.pair[].y", 1 },
		{ "x", NULL, 0 }, { "pair.x", NULL, 0 }, { "list[0][0]", NULL, 0 }, { "ret[0]", NULL, 0 },
		{ "nosuch", NULL, 0 }, { "event.ret", NULL, 0 }, { "fields", NULL, 0 }, { "vent.fields.ret", NULL, 0 },
		{ "id", "event.fields.id", 1 }, { "event.id", "id", 0 }, { "name", "name", 0 }, { "event.name", "name", 0 },
		{ "tid", "tid", 0 }, { "fields.tid", "event.fields.tid", 1 }, { "host", "host", 0 }, { "fields.host", "event.fields.host", 1 },
		{ "event.host", "host", 0 }, { "delta", "delta", 0 }, { "lost", "lost", 0 }, { "stream.name", "stream.name", 0 },
		{ "event.log_level", "event.log_level", 0 },
	};
	struct tn_names *names = open_names();
	struct tn_arena arena = { 0 };

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_meaning meaning;
		struct tn_error err;
		enum tn_code rc = tn_names_resolve(names, &arena, rows[i].name, NULL, &meaning, &err);

		cr_assert_eq(tn_name_length(rows[i].name), strlen(rows[i].name), "%s", rows[i].name);
		cr_assert_eq(rc, rows[i].path ? TN_OK : TN_ERR_ARGUMENT, "%s: %d", rows[i].name, rc);
		if (rc < 0)
			continue;
		cr_assert_str_eq(meaning.path, rows[i].path, "%s", rows[i].name);
		cr_assert_eq(meaning.n_targets, rows[i].n, "%s: %zu", rows[i].name, meaning.n_targets);
	}
	tn_arena_release(&arena);
	close_names(names);
}

Test(field, what_is_said_of_wrong_names)
{
	static const struct { const char *name, *said; } rows[] = {
		{ "rett", "no event has a field 'rett'; the nearest name is 'ret'" },
		{ "event.fields.hots", "the nearest name is 'host'" },
		{ "zzzzzzz", "no event has a field 'zzzzzzz'" },
		{ "len", "'len' can mean several fields: write event.fields.len or event.fields.in.len" },
	};
	struct tn_names *names = open_names();
	struct tn_arena arena = { 0 };

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_meaning meaning;
		struct tn_error err;

		cr_assert_eq(tn_names_resolve(names, &arena, rows[i].name, NULL, &meaning, &err), TN_ERR_ARGUMENT);
		cr_assert_not_null(strstr(err.text, rows[i].said), "%s", err.text);
	}
	tn_arena_release(&arena);
	close_names(names);
}

static void
add_name(void *user, const char *name)
{
	struct tn_str *out = user;

	tn_str_puts(out, name);
	tn_str_putc(out, ' ');
}

Test(field, names_to_offer)
{
	static const struct { const char *prefix, *offered; } rows[] = {
		{ "le", "fields.len in.len " }, { "vt", "vtid " }, { "ho", "host fields.host " }, { "lo", "loglevel lost " },
		{ "event.context.", "event.context.both event.context.only event.context.vpid event.context.vtid " },
		{ "nosuch", "" }, { "pa", "packet pair " },
	};
	static const char *const extra[] = { "left", "lens" };
	struct tn_names *names = open_names();

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_str out = { 0 };

		cr_assert(tn_names_each(names, rows[i].prefix, add_name, &out));
		cr_assert_str_eq(tn_str_text(&out), rows[i].offered, "%s: %s", rows[i].prefix, tn_str_text(&out));
		tn_str_release(&out);
	}
	tn_names_free(names);
	cr_assert_eq(tn_names_new(&names, &set, &(struct tn_extras) { .name = extra, .n = 2 }, NULL), TN_OK);
	for (size_t i = 0; i < 2; i++) {
		static const char *const offered[] = { "left lens fields.len in.len ", "lens fields.len in.len " };
		struct tn_str out = { 0 };

		cr_assert(tn_names_each(names, i ? "len" : "le", add_name, &out));
		cr_expect_str_eq(tn_str_text(&out), offered[i], "%s", tn_str_text(&out));
		tn_str_release(&out);
	}
	close_names(names);
}

Test(field, numbers_of_classes)
{
	struct tn_names *names = open_names();
	struct tn_stream behind = *traces[0]->stream[0];
	struct tn_stream_class elsewhere = { .trace = &(struct tn_trace) { .n_event_classes = 1 } };

	for (size_t i = 0; i < traces[0]->n_event_classes; i++)
		cr_expect_eq(tn_names_find_class(names, traces[0]->event_class[i]), i);
	cr_expect_eq(tn_names_class(names, traces[0]->stream[0], 0), 0u);
	cr_expect_eq(tn_names_class(names, traces[0]->stream[0], (uint32_t)traces[0]->n_event_classes), SIZE_MAX, "it came later");
	behind.rank = 1;
	cr_expect_eq(tn_names_class(names, &behind, 0), SIZE_MAX, "a stream that came later");
	cr_expect_eq(tn_names_find_class(names, &(struct tn_event_class) { .stream_class = &elsewhere }), SIZE_MAX, "another trace's");
	close_names(names);
}
