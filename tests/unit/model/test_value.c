/* Values of an event: conversions that fail instead of cutting, ways through the tree (tnav/value.h, tnav/event.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "model/decoder.h"

static struct tn_type
leaf(enum tn_kind kind, uint64_t bits)
{
	return (struct tn_type) { .kind = kind, .length = bits, .align = 8, .ref_slot = TN_NO_SLOT };
}

static struct tn_type
compound(enum tn_kind kind, struct tn_field *field, size_t n)
{
	return (struct tn_type) { .kind = kind, .field = field, .n_fields = n, .align = 1, .ref_slot = TN_NO_SLOT };
}

static struct tn_field
named(const char *name, struct tn_type *type)
{
	return (struct tn_field) { .name = name, .label = name[0] == '_' ? name + 1 : name, .type = type, .slot = TN_NO_SLOT };
}

#define CUT UINT64_C(0x1234)	/* initial contents of an output */

/* Each kind and value through each conversion: what fits is exact, what does not leaves the output alone. */
Test(value, integers)
{
	static const struct {
		enum tn_kind kind;
		uint64_t bits, value;
		bool varint, overlong;
		enum tn_code u64, i64, u32, i32;
	} rows[] = {
		{ TN_KIND_UINT, 64, 0, 0, 0, TN_OK, TN_OK, TN_OK, TN_OK },
		{ TN_KIND_UINT, 64, INT32_MAX, 0, 0, TN_OK, TN_OK, TN_OK, TN_OK },
		{ TN_KIND_UINT, 64, (uint64_t)INT32_MAX + 1, 0, 0, TN_OK, TN_OK, TN_OK, TN_ERR_RANGE },
		{ TN_KIND_UINT, 64, UINT32_MAX, 0, 0, TN_OK, TN_OK, TN_OK, TN_ERR_RANGE },
		{ TN_KIND_UINT, 64, (uint64_t)UINT32_MAX + 1, 0, 0, TN_OK, TN_OK, TN_ERR_RANGE, TN_ERR_RANGE },
		{ TN_KIND_UINT, 64, INT64_MAX, 0, 0, TN_OK, TN_OK, TN_ERR_RANGE, TN_ERR_RANGE },
		{ TN_KIND_UINT, 64, (uint64_t)INT64_MAX + 1, 0, 0, TN_OK, TN_ERR_RANGE, TN_ERR_RANGE, TN_ERR_RANGE },
		{ TN_KIND_SINT, 64, (uint64_t)-1, 0, 0, TN_ERR_RANGE, TN_OK, TN_ERR_RANGE, TN_OK },
		{ TN_KIND_SINT, 64, (uint64_t)(int64_t)INT32_MIN, 0, 0, TN_ERR_RANGE, TN_OK, TN_ERR_RANGE, TN_OK },
		{ TN_KIND_SINT, 64, (uint64_t)((int64_t)INT32_MIN - 1), 0, 0, TN_ERR_RANGE, TN_OK, TN_ERR_RANGE, TN_ERR_RANGE },
		{ TN_KIND_SINT, 64, 5, 0, 0, TN_OK, TN_OK, TN_OK, TN_OK },
		{ TN_KIND_BOOL, 8, 1, 0, 0, TN_OK, TN_OK, TN_OK, TN_OK },
		{ TN_KIND_BOOL, 128, 1, 0, 0, TN_OK, TN_OK, TN_OK, TN_OK },	/* a truth, however long */
		{ TN_KIND_BITS, 64, 7, 0, 0, TN_OK, TN_OK, TN_OK, TN_OK },
		{ TN_KIND_BITMAP, 65, 7, 0, 0, TN_ERR_RANGE, TN_ERR_RANGE, TN_ERR_RANGE, TN_ERR_RANGE },
		{ TN_KIND_UINT, 65, 7, 0, 0, TN_ERR_RANGE, TN_ERR_RANGE, TN_ERR_RANGE, TN_ERR_RANGE },
		{ TN_KIND_UINT, 0, 7, 1, 0, TN_OK, TN_OK, TN_OK, TN_OK },
		{ TN_KIND_UINT, 0, 7, 1, 1, TN_ERR_RANGE, TN_ERR_RANGE, TN_ERR_RANGE, TN_ERR_RANGE },
		{ TN_KIND_FLOAT, 64, 0, 0, 0, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT },
		{ TN_KIND_STRING, 0, 0, 0, 0, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT },
		{ TN_KIND_STRUCT, 0, 0, 0, 0, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT, TN_ERR_ARGUMENT },
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		struct tn_type t = leaf(rows[i].kind, rows[i].bits);
		struct tn_field f = named("f", &t);
		struct tn_value v = { .field = &f, .u = rows[i].value, .option = rows[i].overlong };
		uint64_t u64 = CUT;
		int64_t i64 = CUT;
		uint32_t u32 = CUT;
		int32_t i32 = CUT;

		t.varint = rows[i].varint;
		cr_expect_eq(tn_value_u64(&v, &u64), rows[i].u64, "row %zu", i);
		cr_expect_eq(u64, rows[i].u64 == TN_OK ? rows[i].value : CUT, "row %zu", i);
		cr_expect_eq(tn_value_i64(&v, &i64), rows[i].i64, "row %zu", i);
		cr_expect_eq(i64, rows[i].i64 == TN_OK ? (int64_t)rows[i].value : (int64_t)CUT, "row %zu", i);
		cr_expect_eq(tn_value_u32(&v, &u32), rows[i].u32, "row %zu", i);
		cr_expect_eq(u32, rows[i].u32 == TN_OK ? (uint32_t)rows[i].value : CUT, "row %zu", i);
		cr_expect_eq(tn_value_i32(&v, &i32), rows[i].i32, "row %zu", i);
		cr_expect_eq(i32, rows[i].i32 == TN_OK ? (int32_t)rows[i].value : (int32_t)CUT, "row %zu", i);
	}
}

Test(value, floats_and_bytes)
{
	struct tn_type d = leaf(TN_KIND_FLOAT, 64), quad = leaf(TN_KIND_FLOAT, 128), i = leaf(TN_KIND_UINT, 32);
	struct tn_type wide = leaf(TN_KIND_SINT, 68), flag = leaf(TN_KIND_BOOL, 128), blob = leaf(TN_KIND_BLOB, 3);
	struct tn_field fd = named("d", &d), fq = named("q", &quad), fi = named("i", &i), fw = named("w", &wide);
	struct tn_field fb = named("b", &blob), ff = named("f", &flag);
	static const uint8_t bytes[16] = "sixteen bytes..";
	struct tn_value v = { .field = &fd, .f = -0.5 };
	const void *p = NULL;
	double out = 3;
	size_t n = 7;

	cr_expect_eq(tn_value_double(&v, &out), TN_OK);
	cr_expect_eq(out, -0.5);
	cr_expect_eq(tn_value_bytes(&v, &p, &n), TN_ERR_ARGUMENT, "64 bits are no bytes");
	v = (struct tn_value) { .field = &fq, .bytes = bytes };
	out = 3;
	cr_expect_eq(tn_value_double(&v, &out), TN_ERR_RANGE);
	cr_expect_eq(out, 3);
	cr_expect_eq(tn_value_bytes(&v, &p, &n), TN_OK);
	cr_expect(p == bytes && n == 16);
	v.field = &fi;
	cr_expect_eq(tn_value_double(&v, &out), TN_ERR_ARGUMENT, "an integer is no float");
	v = (struct tn_value) { .field = &fw, .bytes = bytes };
	cr_expect_eq(tn_value_bytes(&v, &p, &n), TN_OK);
	cr_expect_eq(n, 9, "68 bits are in 9 bytes");
	v = (struct tn_value) { .field = &fb, .bytes = bytes + 1, .size = 3 };
	cr_expect_eq(tn_value_bytes(&v, &p, &n), TN_OK);
	cr_expect(p == bytes + 1 && n == 3);
	v.field = &ff;
	cr_expect_eq(tn_value_bytes(&v, &p, &n), TN_ERR_ARGUMENT, "a truth has none");
}

Test(value, labels)
{
	static const struct tn_range small = { 1, 3 }, minus = { (uint64_t)-2, (uint64_t)-1 };
	static const struct tn_mapping mapping[] = { { "small", &small, 1 }, { "again", &small, 1 }, { "minus", &minus, 1 } };
	struct tn_type t = leaf(TN_KIND_SINT, 64);
	struct tn_field f = named("f", &t);
	struct tn_value v = { .field = &f, .u = 2 };

	t.mapping = mapping;
	t.n_mappings = 3;
	cr_expect_str_eq(tn_value_label(&v), "small");
	cr_expect_eq(tn_value_label_index(&v), 1, "the first one counts");
	v.i = -1;
	cr_expect_str_eq(tn_value_label(&v), "minus");
	v.i = 4;
	cr_expect_null(tn_value_label(&v));
	cr_expect_eq(tn_value_label_index(&v), 0);
	v.i = 2;
	t.length = 65;
	cr_expect_eq(tn_value_label_index(&v), 0, "what has no number has no label");
	t.length = 0;
	t.varint = true;
	cr_expect_eq(tn_value_label_index(&v), 1);
	v.option = 1;
	cr_expect_eq(tn_value_label_index(&v), 0, "more than 64 bits of LEB128");
	t = leaf(TN_KIND_FLOAT, 64);
	cr_expect_eq(tn_value_label_index(&v), 0);
}

/*
 * payload { _n, a [2] of { x }, v <option 1: variant> { x }, nothing <no option>, o <optional> n, absent <optional> };
 * context "n" and "dots.and [brackets]".
 */
struct world {
	struct tn_type number, inner, array, variant, nothing, optional, absent, payload, context;
	struct tn_field x[2], element, option[2], of_nothing[1], content, of_absent, member[6], of_context[2];
	struct tn_field root, context_root, packet_root;
	struct tn_value value[20];
	struct tn_event event;
};

enum { V_PAYLOAD, V_N, V_ARRAY, V_E0, V_X0, V_E1, V_X1, V_VARIANT, V_STRUCT, V_XV, V_NOTHING, V_OPTIONAL, V_IN, V_ABSENT,
       V_CONTEXT, V_CN, V_CD, V_PACKET, V_PN, V_PD, V_ALL };

static void
put(struct world *w, size_t at, const struct tn_field *field, uint64_t u, size_t next)
{
	w->value[at] = (struct tn_value) { .field = field, .u = u, .next = (uint32_t)next };
}

static void
make_world(struct world *w)
{
	*w = (struct world) { 0 };
	w->number = leaf(TN_KIND_UINT, 32);
	w->x[0] = named("x", &w->number);
	w->inner = compound(TN_KIND_STRUCT, w->x, 1);
	w->element = named("", &w->inner);
	w->array = compound(TN_KIND_ARRAY, &w->element, 1);
	w->option[0] = named("first", &w->number);
	w->option[1] = named("second", &w->inner);
	w->variant = compound(TN_KIND_VARIANT, w->option, 2);
	w->of_nothing[0] = named("only", &w->number);
	w->nothing = compound(TN_KIND_VARIANT, w->of_nothing, 1);
	w->content = named("", &w->number);
	w->optional = compound(TN_KIND_OPTIONAL, &w->content, 1);
	w->of_absent = named("", &w->number);
	w->absent = compound(TN_KIND_OPTIONAL, &w->of_absent, 1);
	w->member[0] = named("_n", &w->number);
	w->member[1] = named("a", &w->array);
	w->member[2] = named("v", &w->variant);
	w->member[3] = named("nothing", &w->nothing);
	w->member[4] = named("o", &w->optional);
	w->member[5] = named("absent", &w->absent);
	w->payload = compound(TN_KIND_STRUCT, w->member, 6);
	w->of_context[0] = named("n", &w->number);
	w->of_context[1] = named("dots.and [brackets]", &w->number);
	w->context = compound(TN_KIND_STRUCT, w->of_context, 2);
	w->root = named("", &w->payload);
	w->context_root = named("", &w->context);
	w->packet_root = named("", &w->context);
	put(w, V_PAYLOAD, &w->root, 6, 14);
	put(w, V_N, &w->member[0], 10, 1);
	put(w, V_ARRAY, &w->member[1], 2, 5);
	put(w, V_E0, &w->element, 1, 2);
	put(w, V_X0, &w->x[0], 20, 1);
	put(w, V_E1, &w->element, 1, 2);
	put(w, V_X1, &w->x[0], 21, 1);
	put(w, V_VARIANT, &w->member[2], 1, 3);
	w->value[V_VARIANT].option = 1;
	put(w, V_STRUCT, &w->option[1], 1, 2);
	put(w, V_XV, &w->x[0], 30, 1);
	put(w, V_NOTHING, &w->member[3], 0, 1);
	w->value[V_NOTHING].option = UINT32_MAX;
	put(w, V_OPTIONAL, &w->member[4], 1, 2);
	put(w, V_IN, &w->content, 40, 1);
	put(w, V_ABSENT, &w->member[5], 0, 1);
	put(w, V_CONTEXT, &w->context_root, 2, 3);
	put(w, V_CN, &w->of_context[0], 50, 1);
	put(w, V_CD, &w->of_context[1], 51, 1);
	put(w, V_PACKET, &w->packet_root, 2, 3);
	put(w, V_PN, &w->of_context[0], 60, 1);
	put(w, V_PD, &w->of_context[1], 61, 1);
	w->event = (struct tn_event) {
		.value = w->value, .n_values = V_ALL,
		.scope = { UINT32_MAX, V_PACKET, UINT32_MAX, UINT32_MAX, V_CONTEXT, V_PAYLOAD },
	};
}

Test(value, ways_through_the_tree)
{
	struct world w;
	const struct tn_value *v, *root;
	size_t n = 0;

	make_world(&w);
	root = tn_event_scope(&w.event, TN_SCOPE_PAYLOAD);
	cr_assert_eq(root, &w.value[V_PAYLOAD]);
	cr_expect_null(tn_event_scope(&w.event, TN_SCOPE_EVENT_HEADER));
	cr_expect_null(tn_event_scope(&w.event, (enum tn_scope)6));
	cr_expect_eq(tn_value_count(root), 6);
	cr_expect_eq(tn_value_count(&w.value[V_N]), 0, "a leaf holds nothing");
	cr_expect_null(tn_value_first(&w.value[V_N]));
	for (v = tn_value_first(root); v; v = tn_value_after(root, v))
		cr_expect_eq(tn_value_field(v), &w.member[n++]);
	cr_expect_eq(n, 6);
	cr_expect_eq(tn_value_at(root, 4), &w.value[V_OPTIONAL]);
	cr_expect_null(tn_value_at(root, 6));
	cr_expect_eq(tn_value_at(&w.value[V_ARRAY], 1), &w.value[V_E1]);
	cr_expect_eq(tn_value_type(&w.value[V_ARRAY]), &w.array);
	cr_expect_eq(tn_value_option(&w.value[V_VARIANT]), 2);
	cr_expect_eq(tn_value_option(&w.value[V_NOTHING]), 0);
	cr_expect_eq(tn_value_option(&w.value[V_N]), 0);
}

Test(value, members)
{
	struct world w;

	make_world(&w);
	cr_expect_eq(tn_value_member(&w.value[V_PAYLOAD], "_n"), &w.value[V_N], "by name");
	cr_expect_eq(tn_value_member(&w.value[V_PAYLOAD], "n"), &w.value[V_N], "by label");
	cr_expect_null(tn_value_member(&w.value[V_PAYLOAD], "none"));
	cr_expect_null(tn_value_member(&w.value[V_N], "x"));
	cr_expect_null(tn_value_member(&w.value[V_ARRAY], "x"), "of which element?");
	cr_expect_eq(tn_value_member(&w.value[V_VARIANT], "second"), &w.value[V_STRUCT], "the option by its name");
	cr_expect_eq(tn_value_member(&w.value[V_VARIANT], "x"), &w.value[V_XV], "or what is in it");
	cr_expect_null(tn_value_member(&w.value[V_VARIANT], "first"));
	cr_expect_null(tn_value_member(&w.value[V_NOTHING], "only"));
	cr_expect_null(tn_value_member(&w.value[V_ABSENT], ""));
}

Test(value, found_by_path)
{
	static const struct { const char *path; int at; } rows[] = {
		{ "_n", V_N }, { "n", V_N }, { "event.fields.n", V_N }, { "event.fields", V_PAYLOAD }, { "a", V_ARRAY },
		{ "a[0].x", V_X0 }, { "a[1]", V_E1 }, { "a[1].x", V_X1 }, { "event.fields.a[1].x", V_X1 }, { "a[2]", -1 },
		{ "a[]", -1 }, { "a[1", -1 }, { "a[x]", -1 }, { "a[1x]", -1 }, { "n[0]", -1 }, { "v.x", V_XV }, { "v.second.x", V_XV },
		{ "v.second", V_STRUCT }, { "v.first", -1 }, { "v[0]", -1 }, { "nothing.only", -1 }, { "nothing[0]", -1 },
		{ "event.context.n", V_CN }, { "event.context.`dots.and [brackets]`", V_CD }, { "`dots.and [brackets]`", V_CD },
		{ "`dots.and", -1 }, { "packet.context.n", V_PN }, { "stream.packet.context.n", V_PN }, { "packet.context", V_PACKET },
		{ "packet.contexts.n", -1 }, { "event.header.n", -1 }, { "event.fields.none", -1 }, { "none", -1 },
		{ "o", V_OPTIONAL }, { "absent", V_ABSENT }, { "absent.x", -1 }, { "a[0].x.y", -1 }, { ".n", V_N }, { "a..x", -1 },
	};
	struct world w;

	make_world(&w);
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		const struct tn_value *v = tn_event_find(&w.event, rows[i].path);

		cr_expect_eq(v, rows[i].at < 0 ? NULL : &w.value[rows[i].at], "%s: value %td", rows[i].path, v ? v - w.value : -1);
	}
}

/* The root of a scope that is always one option of a variant, in a structure made for it (KEDR). */
Test(value, roots_that_are_options)
{
	static const char *const names[] = { "first", "second" };
	static const struct tn_root wrapped = { .is_wrapped = true, .option = 2, .name = names, .n_names = 2 };
	struct tn_type number = leaf(TN_KIND_UINT, 32), in, made;
	struct tn_field x = named("x", &number), only, root;
	struct tn_value value[3] = { { .u = 1, .next = 3 }, { .u = 1, .next = 2 }, { .u = 9, .next = 1 } };
	struct tn_event e = { .value = value, .n_values = 3, .scope = { -1u, -1u, -1u, -1u, -1u, 0 } };

	in = compound(TN_KIND_STRUCT, &x, 1);
	only = named("", &in);
	made = compound(TN_KIND_STRUCT, &only, 1);
	root = named("", &made);
	root.root = &wrapped;
	value[0].field = &root;
	value[1].field = &only;
	value[2].field = &x;
	cr_expect_eq(tn_event_find(&e, "event.fields.x"), &value[2]);
	cr_expect_eq(tn_event_find(&e, "event.fields.second.x"), &value[2]);
	cr_expect_null(tn_event_find(&e, "event.fields.first.x"), "another option");
	cr_expect_eq(tn_value_option(&value[0]), 2);
	cr_expect_eq(tn_field_option_count(&root), 2);
	cr_expect_str_eq(tn_field_option(&root, 1), "second");
	cr_expect_null(tn_field_option(&root, 2));
	value[0].u = 0;
	cr_expect_null(tn_event_find(&e, "event.fields.x"), "there is nothing in it");
}

Test(value, what_an_event_says)
{
	struct tn_clock clock = { .name = "c", .frequency = 1000000000 };
	struct tn_stream_class sc = { .clock = &clock };
	struct tn_stream stream = { .stream_class = &sc };
	struct tn_event_class ec = { .stream_class = &sc };
	struct tn_batch batch = { .stream = &stream, .packet = 4 };
	struct tn_event e = { 0 };
	uint64_t cycles = CUT;
	int64_t ns = CUT;

	cr_assert(tn_event_add(&e));
	e.event_class = &ec;
	e.name = "old";
	e.has_time = e.has_cycles = true;
	e.time_ns = -5;
	e.cycles = 17;
	e.bit = 8;
	e.end_bit = 80;
	cr_expect(tn_event_time(&e, &ns) && ns == -5);
	cr_expect(tn_event_cycles(&e, &cycles) && cycles == 17);
	cr_expect_eq(tn_event_bit(&e), 8);
	cr_expect_eq(tn_event_end_bit(&e), 80);
	cr_expect_str_eq(tn_event_name(&e), "old");
	cr_expect_eq(tn_event_class(&e), &ec);
	tn_event_begin(&e, &batch);
	cr_expect_eq(tn_event_stream(&e), &stream);
	cr_expect_eq(tn_event_packet(&e), 4);
	cr_expect_null(tn_event_name(&e));
	cr_expect_null(tn_event_class(&e));
	cr_expect_eq(e.n_values, 0);
	for (unsigned s = 0; s < TN_SCOPES; s++)
		cr_expect_null(tn_event_scope(&e, (enum tn_scope)s));
	ns = cycles = CUT;
	cr_expect(!tn_event_time(&e, &ns) && ns == (int64_t)CUT);
	cr_expect(!tn_event_cycles(&e, &cycles) && cycles == CUT);
	tn_event_release(&e);
	cr_expect_null(e.value);
	cr_expect_str_eq(tn_scope_name(TN_SCOPE_COMMON_CONTEXT), "stream.event.context");
	cr_expect_str_eq(tn_scope_path(TN_SCOPE_COMMON_CONTEXT), "event.context");
	cr_expect_str_eq(tn_scope_name((enum tn_scope)TN_SCOPES), "unknown");
	cr_expect_str_eq(tn_scope_path((enum tn_scope)-1), "unknown");
}
