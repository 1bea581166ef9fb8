#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/str.h"
#include "types.h"

struct run {
	struct tn_trace trace;
	struct tn_slot slot[256];
	struct tn_machine m;
	enum tn_trouble trouble;
	struct tn_str text;	/* "name@bit=value ..." of the read */
};

static void
put(struct tn_str *s, const struct tn_event *e)
{
	for (size_t i = 0; i < e->n_values; i++) {
		const struct tn_value *v = &e->value[i];

		tn_str_printf(s, "%s%s@%" PRIu64 "=", i ? " " : "", v->field->name, v->bit);
		switch (v->field->type->kind) {
		case TN_KIND_SINT: tn_str_printf(s, "%" PRId64, v->i); break;
		case TN_KIND_FLOAT: tn_str_printf(s, "%g", v->f); break;
		case TN_KIND_STRING: tn_str_printf(s, "'%.*s'", (int)v->size, (const char *)v->bytes); break;
		case TN_KIND_BLOB: tn_str_printf(s, "%" PRIu64 " bytes", v->size); break;
		case TN_KIND_STRUCT: case TN_KIND_ARRAY: case TN_KIND_OPTIONAL: case TN_KIND_VARIANT:
			tn_str_printf(s, "(%" PRIu64 ")", v->n);
			break;
		default: tn_str_printf(s, "%" PRIu64, v->u); break;
		}
	}
	tn_str_printf(s, "%s", e->n_values ? "" : "nothing");
}

/* Run the root with both codes from bit 0 over @n bytes: they must end alike. The bytes after them are not content. */
static void
run(struct run *r, struct tn_field *root, const void *bytes, size_t n)
{
	static uint8_t room[4096 + 64];
	struct tn_event e = { 0 };
	struct tn_machine read;
	const struct tn_op *skip_code, *read_code;
	enum tn_trouble trouble;
	struct tn_error err = { 0 };
	uint32_t id = 0;

	tn_field_number(root, &id);
	memset(room, 0xa5, sizeof room);
	memcpy(room, bytes, n);
	skip_code = tn_plan_scope(&r->trace, root, false, &err);
	cr_assert(skip_code, "%s", err.text);
	read_code = tn_plan_scope(&r->trace, root, true, &err);
	cr_assert(read_code, "%s", err.text);
	memset(r->slot, 0, sizeof r->slot);
	r->m = (struct tn_machine) { .p = room, .end = n * 8, .slot = r->slot };
	read = r->m;
	r->trouble = tn_machine_skip(&r->m, skip_code);
	memset(r->slot, 0, sizeof r->slot);
	trouble = tn_machine_read(&read, read_code, &e);
	cr_assert_eq(trouble, r->trouble, "skip: trouble %d, read: %d", r->trouble, trouble);
	tn_str_clear(&r->text);
	if (trouble == TN_TROUBLE_NONE) {
		cr_assert_eq(read.at, r->m.at, "skip ends at %" PRIu64 ", read at %" PRIu64, r->m.at, read.at);
		put(&r->text, &e);
		if (e.n_values) {
			cr_assert_eq(e.value[0].next, e.n_values);
			cr_assert_eq(e.value[0].end, read.at);
		}
	} else {
		char text[600];

		/* Whatever it is, it can be said. */
		tn_machine_explain(&read, trouble, TN_SCOPE_PAYLOAD, text, sizeof text);
		tn_str_puts(&r->text, text);
	}
	tn_event_release(&e);
}

static void
done(struct run *r)
{
	tn_arena_release(&r->trace.arena);
	tn_str_release(&r->text);
}

#define EXPECT(r, root, bytes, want) do { \
	run(r, root, bytes, sizeof(bytes) - 1); \
	cr_assert_str_eq(tn_str_text(&(r)->text), want, "%s\n--- not\n%s", tn_str_text(&(r)->text), want); \
} while (0)
#define END ((struct tn_field *)NULL)
#define STRUCT(...) type_of(t, "", TN_KIND_STRUCT, __VA_ARGS__, END)

/* A run of fixed fields is skipped by one instruction, or by two where alignment must be found first. */
Test(plan, fixed_runs_are_one_advance)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *one = STRUCT(type_int(t, "a", 3, 1, false), type_int(t, "b", 32, 1, false));
	struct tn_field *two = STRUCT(type_int(t, "a", 8, 8, false), type_int(t, "b", 32, 32, false),
				      type_array(t, "c", type_int(t, "", 8, 8, false), 17));
	const struct tn_op *code;
	uint32_t id = 0;

	tn_field_number(one, &id);
	tn_field_number(two, &id);
	code = tn_plan_scope(t, one, false, NULL);
	cr_assert(code[0].code == TN_OP_SKIP && code[0].n == 35 && code[1].code == TN_OP_END);
	code = tn_plan_scope(t, two, false, NULL);
	cr_assert(code[0].code == TN_OP_ALIGN && code[1].code == TN_OP_SKIP && code[2].code == TN_OP_END);
	cr_assert_eq(code[1].n, 64 + 17 * 8);
	done(&r);
}

/* ctf1-binary.md, 15.1 */
Test(plan, bit_fields)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;

	for (int be = 0; be < 2; be++) {
		struct tn_field *f = STRUCT(type_int(t, "a", 3, 1, be), type_int(t, "b", 5, 1, be),
					    type_int(t, "c", 12, 1, be), type_int(t, "d", -4, 1, be));

		if (be)
			EXPECT(&r, f, "\x2b\xd4\x7a", "@0=(4) a@0=1 b@3=11 c@8=3399 d@20=-6");
		else
			EXPECT(&r, f, "\x2b\xd4\x7a", "@0=(4) a@0=3 b@3=5 c@8=2772 d@20=7");
	}
	EXPECT(&r, STRUCT(type_int(t, "a", 4, 1, true), type_int(t, "b", 64, 1, true), type_int(t, "c", 4, 1, true)),
	       "\x10\x11\x12\x13\x14\x15\x16\x17\x18", "@0=(3) a@0=1 b@4=76879164074975601 c@68=8");
	EXPECT(&r, STRUCT(type_int(t, "a", 7, 1, false), type_int(t, "b", -33, 1, false)), "\x7f\xff\xff\xff\xff",
	       "@0=(2) a@0=127 b@7=-2");
	done(&r);
}

/* 2: the byte order may change between bytes only. */
Test(plan, byte_order_inside_a_byte)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;

	EXPECT(&r, STRUCT(type_int(t, "a", 4, 1, false), type_int(t, "b", 4, 1, true)), "\x12",
	       "event.fields.b: the byte order changes inside a byte, at bit 4");
	EXPECT(&r, STRUCT(type_int(t, "a", 4, 1, false), type_int(t, "b", 4, 8, true)), "\x12\x34",
	       "@0=(2) a@0=2 b@8=3");
	EXPECT(&r, STRUCT(type_array(t, "a", type_int(t, "", 4, 1, false), 3), type_int(t, "b", 4, 1, true)), "\x12\x34",
	       "event.fields.b: the byte order changes inside a byte, at bit 12");
	EXPECT(&r, STRUCT(type_array(t, "a", type_int(t, "", 4, 1, false), 2), type_int(t, "b", 4, 1, true)), "\x12\x34",
	       "@0=(2) a@0=(2) @0=2 @4=1 b@8=3");
	done(&r);
}

/* 4: elements start aligned, nothing follows the last one; no elements and no members align all the same. */
Test(plan, alignment)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *n = type_int(t, "n", 8, 8, false), *empty = type_field(t, "e", TN_KIND_STRUCT, 32);
	int32_t slot = type_slot(t, n);

	EXPECT(&r, STRUCT(type_array(t, "a", STRUCT(type_int(t, "x", 16, 16, false), type_int(t, "y", 8, 8, false)), 3),
			  type_int(t, "z", 8, 8, false)),
	       "\1\0\2\0\3\0\4\0\5\0\6\7", "@0=(2) a@0=(3) @0=(2) x@0=1 y@16=2 @32=(2) x@32=3 y@48=4 @64=(2) x@64=5 y@80=6"
	       " z@88=7");
	EXPECT(&r, STRUCT(n, type_sequence(t, "s", type_int(t, "", 32, 32, false), slot), type_int(t, "z", 8, 8, false)),
	       "\0\0\0\0\7", "@0=(3) n@0=0 s@32=(0) z@32=7");
	EXPECT(&r, STRUCT(type_int(t, "a", 8, 8, false), empty, type_int(t, "z", 8, 8, false)), "\1\0\0\0\2",
	       "@0=(3) a@0=1 e@32=(0) z@32=2");
	EXPECT(&r, STRUCT(type_int(t, "a", 8, 8, false), empty), "\1\0\0",
	       "event.fields: continues to bit 32, but the content ends at bit 24");
	done(&r);
}

Test(plan, lengths_that_cannot_be)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *n = type_int(t, "n", 64, 8, false), *text, *none = type_field(t, "", TN_KIND_STRUCT, 1);
	int32_t slot = type_slot(t, n);

	EXPECT(&r, STRUCT(n, type_sequence(t, "s", type_int(t, "", 8, 8, false), slot)), "\xff\xff\xff\xff\xff\xff\xff\xff.",
	       "event.fields.s: 18446744073709551615 elements at bit 64 do not fit, but the content ends at bit 72");
	EXPECT(&r, STRUCT(n, type_sequence(t, "s", STRUCT(type_int(t, "", 8, 8, false), type_int(t, "", 64, 8, false)), slot)),
	       "\0\0\0\0\0\0\0\x20.", "event.fields.s: 2305843009213693952 elements at bit 64 do not fit,"
	       " but the content ends at bit 72");
	EXPECT(&r, STRUCT(n, type_sequence(t, "s", none, slot)), "\xff\xff\xff\xff\0\0\0\0",
	       "event.fields.s: at bit 64: more than 256 elements without any bits");
	EXPECT(&r, STRUCT(n, type_array(t, "s", type_array(t, "", none, 2000), 2000)), "\0\0\0\0\0\0\0\0",
	       "event.fields.s[]: at bit 64: more than 256 elements without any bits");
	text = type_field(t, "s", TN_KIND_STRING, 8);
	text->type->extent = TN_EXTENT_DYNAMIC;
	text->type->ref_slot = slot;
	EXPECT(&r, STRUCT(n, text), "\3\0\0\0\0\0\0\0ab", "event.fields.s: 3 bytes at bit 64 do not fit, but the content ends at bit 80");
	EXPECT(&r, STRUCT(n, text), "\2\0\0\0\0\0\0\0ab", "@0=(2) n@0=2 s@64='ab'");
	n->type->kind = TN_KIND_SINT;
	EXPECT(&r, STRUCT(n, text), "\xff\xff\xff\xff\xff\xff\xff\xff", "event.fields.s: 18446744073709551615 bytes at bit 64"
	       " do not fit, but the content ends at bit 64");
	text->type->signed_length = true;
	EXPECT(&r, STRUCT(n, text), "\xff\xff\xff\xff\xff\xff\xff\xff", "@0=(2) n@0=-1 s@64=''");
	done(&r);
}

Test(plan, variants)
{
	static const struct { int64_t lower, upper; } far[] = { { 0, 9 }, { 1000, 2000 }, { 5000, 5000 }, { 70000, 80000 },
								{ 90000, 90001 }, { 100000, 100000 } };
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *tag = type_int(t, "t", 8, 8, false), *wide = type_int(t, "t", 32, 8, false), *v;
	int32_t slot = type_slot(t, tag);

	v = type_of(t, "v", TN_KIND_VARIANT, type_int(t, "x", 8, 8, false), type_int(t, "y", -16, 8, false), END);
	v->type->ref_slot = slot;
	type_option(t, v, 0, 1, 3);
	type_option(t, v, 1, 4, 4);
	type_option(t, v, 1, 200, 255);
	EXPECT(&r, STRUCT(tag, v), "\2\7", "@0=(2) t@0=2 v@8=(1) x@8=7");
	EXPECT(&r, STRUCT(tag, v), "\4\xff\xff", "@0=(2) t@0=4 v@8=(1) y@8=-1");
	EXPECT(&r, STRUCT(tag, v), "\xff\1\0", "@0=(2) t@0=255 v@8=(1) y@8=1");
	EXPECT(&r, STRUCT(tag, v), "\0\1\0", "event.fields.v: at bit 8: no option for the tag value 0");
	v->type->lenient_tag = true;
	EXPECT(&r, STRUCT(tag, v), "\0", "@0=(2) t@0=0 v@8=(0)");
	/* Signed: -1 is not 255. */
	v = type_of(t, "v", TN_KIND_VARIANT, type_int(t, "x", 8, 8, false), type_int(t, "y", -16, 8, false), END);
	v->type->ref_slot = slot;
	v->type->ref_signed = true;
	tag->type->kind = TN_KIND_SINT;
	type_option(t, v, 0, -128, -1);
	type_option(t, v, 1, 0, 5);
	EXPECT(&r, STRUCT(tag, v), "\xff\7", "@0=(2) t@0=-1 v@8=(1) x@8=7");
	EXPECT(&r, STRUCT(tag, v), "\5\1\0", "@0=(2) t@0=5 v@8=(1) y@8=1");
	EXPECT(&r, STRUCT(tag, v), "\6\1\0", "event.fields.v: at bit 8: no option for the tag value 6");
	/* Many ranges, looked up by halves. */
	v = type_of(t, "v", TN_KIND_VARIANT, type_int(t, "o0", 8, 8, false), type_int(t, "o1", 8, 8, false),
		    type_int(t, "o2", 8, 8, false), type_int(t, "o3", 8, 8, false), type_int(t, "o4", 8, 8, false),
		    type_int(t, "o5", 8, 8, false), END);
	v->type->ref_slot = wide->slot = slot;
	for (size_t i = 0; i < TN_COUNT(far); i++)
		type_option(t, v, i, far[i].lower, far[i].upper);
	for (uint32_t value = 0; value < 100010; value++) {
		uint8_t bytes[5] = { (uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), 0, 1 };
		size_t want = 0;

		while (want < TN_COUNT(far) && !(value >= far[want].lower && value <= far[want].upper))
			want++;
		if (value > 3000 && value < 89990 && value % 997)
			continue;
		run(&r, STRUCT(wide, v), bytes, 5);
		cr_assert_eq(r.trouble == TN_TROUBLE_NONE, want < TN_COUNT(far), "tag %u", value);
		cr_assert(want == TN_COUNT(far) || strstr(r.text.text, v->type->field[want].name), "tag %u: %s", value,
			  r.text.text);
	}
	done(&r);
}

/* A reference to a field that was not decoded this time finds nothing, even if it was last time. */
Test(plan, references_into_what_is_not_there)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *has = type_int(t, "h", 8, 8, false), *n = type_int(t, "n", 8, 8, false), *o, *root, *e;
	int32_t slot_has = type_slot(t, has), slot_n = type_slot(t, n);

	o = type_of(t, "o", TN_KIND_OPTIONAL, n, END);
	o->type->ref_slot = slot_has;
	e = STRUCT(has, o, type_sequence(t, "s", type_int(t, "", 8, 8, false), slot_n));
	root = type_array(t, "r", e, 2);
	EXPECT(&r, root, "\1\1\7\1\0", "r@0=(2) @0=(3) h@0=1 o@8=(1) n@8=1 s@16=(1) @16=7 @24=(3) h@24=1 o@32=(1) n@32=0"
	       " s@40=(0)");
	EXPECT(&r, root, "\1\1\7\0\7", "event.fields[].s: at bit 32: the field that it refers to is missing");
	done(&r);
}

Test(plan, optionals_and_guards)
{
	static const struct tn_range some = { 2, 3 };
	static const bool leads = true;
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *has = type_int(t, "h", 8, 8, false), *n = type_int(t, "n", 8, 8, false), *o, *s;
	int32_t slot_has = type_slot(t, has), slot_n = type_slot(t, n), slot_guard = (int32_t)t->n_slots++;
	struct tn_guard *guard = TN_NEW(&t->arena, struct tn_guard);

	o = type_of(t, "o", TN_KIND_OPTIONAL, n, END);
	o->type->ref_slot = slot_has;
	o->type->some = &some;
	o->type->n_some = 1;
	*guard = (struct tn_guard) { slot_guard, &leads };
	o->type->guard = guard;
	o->type->n_guards = 1;
	s = type_sequence(t, "s", type_int(t, "", 8, 8, false), slot_n);
	s->type->ref_guard = 1 + (uint32_t)slot_guard;
	EXPECT(&r, STRUCT(has, o, s), "\2\1\7", "@0=(3) h@0=2 o@8=(1) n@8=1 s@16=(1) @16=7");
	EXPECT(&r, STRUCT(has, o, s), "\1", "event.fields.s: at bit 8: the field that it refers to is missing");
	EXPECT(&r, STRUCT(has, o), "\4", "@0=(2) h@0=4 o@8=(0)");
	done(&r);
}

Test(plan, variable_length_integers)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *u = type_int(t, "u", 0, 8, false), *s = type_int(t, "s", 0, 8, false);

	u->type->varint = s->type->varint = true;
	s->type->kind = TN_KIND_SINT;
	EXPECT(&r, STRUCT(u, s), "\xb4\xc7\x72\xb4\xc7\x72", "@0=(2) u@0=1876916 s@24=-220236");
	EXPECT(&r, STRUCT(u, s), "\x80\x00\xff\x7f", "@0=(2) u@0=0 s@16=-1");
	EXPECT(&r, STRUCT(u), "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "@0=(1) u@0=18446744073709551615");
	EXPECT(&r, STRUCT(u), "\x80\x80", "event.fields.u: needs a byte at bit 16, but the content ends at bit 16");
	u->type->roles = TN_ROLE_CLOCK;
	run(&r, STRUCT(u), "\x85\x00", 2);
	cr_assert_eq(r.m.clock, 5);
	done(&r);
}

/* ctf2.md, 10: the running clock with 7 bits a byte. */
Test(plan, clock_updates)
{
	cr_assert_eq(tn_clock_update(240, 5, 7), 261);
	cr_assert_eq(tn_clock_update(261, 256, 14), 16640);
	cr_assert_eq(tn_clock_update(0x1f0, 0xf0, 8), 0x1f0);
	cr_assert_eq(tn_clock_update(0x1f0, 0x10, 8), 0x210);
	cr_assert_eq(tn_clock_update(77, 5, 64), 5);
	cr_assert_eq(tn_clock_update(4662, 2, 5), 4674);
}

Test(plan, strings_and_wide_integers)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *s = type_field(t, "s", TN_KIND_STRING, 8), *w = type_int(t, "w", 72, 1, true);

	s->type->extent = TN_EXTENT_TERMINATED;
	s->type->encoding = TN_ENCODING_UTF8;
	EXPECT(&r, STRUCT(s, type_int(t, "z", 8, 8, false)), "ab\0\7", "@0=(2) s@0='ab' z@24=7");
	EXPECT(&r, STRUCT(s), "ab", "event.fields.s: the string at bit 0 has no end before the content ends at bit 16");
	s->type->encoding = TN_ENCODING_UTF16LE;
	run(&r, STRUCT(s, type_int(t, "z", 8, 8, false)), "a\0\0b\0\0\7", 7);
	cr_assert_eq(r.trouble, TN_TROUBLE_NONE);
	cr_assert_eq(r.m.at, 56);
	run(&r, STRUCT(s), "a\0\0", 3);
	cr_assert_eq(r.trouble, TN_TROUBLE_STRING);
	s->type->encoding = TN_ENCODING_UTF32BE;
	run(&r, STRUCT(s), "\0\0\0a\0\0\0\0", 8);
	cr_assert_eq(r.m.at, 64);
	run(&r, STRUCT(s), "\0\0\0a\0\0\0", 7);
	cr_assert_eq(r.trouble, TN_TROUBLE_STRING);
	/* As a length its value counts while it fits. */
	type_slot(t, w);
	run(&r, STRUCT(w), "\0\1\2\3\4\5\6\7\x8", 9);
	cr_assert_eq(r.slot[w->slot].value, UINT64_C(0x0102030405060708));
	run(&r, STRUCT(w), "\1\1\2\3\4\5\6\7\x8", 9);
	cr_assert_eq(r.slot[w->slot].value, UINT64_MAX);
	w->type->big_endian = false;
	run(&r, STRUCT(w), "\1\2\3\4\5\6\7\x8\0", 9);
	cr_assert_eq(r.slot[w->slot].value, UINT64_C(0x0807060504030201));
	done(&r);
}

Test(plan, nesting_is_bounded)
{
	struct run r = { 0 };
	struct tn_trace *t = &r.trace;
	struct tn_field *f = type_int(t, "x", 8, 8, false);
	struct tn_error err = { 0 };

	for (int i = 0; i < TN_PLAN_DEPTH - 1; i++)
		f = type_array(t, "", f, 1);
	cr_assert(tn_plan_scope(t, f, true, &err), "%s", err.text);
	f = type_array(t, "", f, 1);
	cr_assert_not(tn_plan_scope(t, f, true, &err));
	cr_assert_eq(err.code, TN_ERR_UNSUPPORTED);
	done(&r);
}
