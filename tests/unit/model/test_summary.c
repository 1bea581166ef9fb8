#include <criterion/criterion.h>

#include "model/trace.h"

#define VARIES TN_TYPE_VARIES

static struct tn_type
number(uint64_t bits, uint32_t align, uint32_t roles)
{
	return (struct tn_type) { .kind = TN_KIND_UINT, .length = bits, .align = align, .roles = roles, .ref_slot = -1 };
}

static struct tn_type
compound(enum tn_kind kind, struct tn_field *field, size_t n, uint32_t align)
{
	return (struct tn_type) { .kind = kind, .field = field, .n_fields = n, .align = align, .ref_slot = -1 };
}

static struct tn_field
field(struct tn_type *type)
{
	return (struct tn_field) { .name = "", .label = "", .type = type, .slot = TN_NO_SLOT };
}

static struct tn_summary
sum(struct tn_type *type)
{
	struct tn_field root = field(type);
	uint32_t id = 0;

	tn_field_number(&root, &id);
	return type->summary;
}

Test(summary, roles_and_widths)
{
	struct tn_type a = number(8, 8, TN_ROLE_DISCARDED), b = number(32, 8, TN_ROLE_DISCARDED | TN_ROLE_CLOCK);
	struct tn_type c = number(100, 8, TN_ROLE_MAGIC), d = number(0, 8, TN_ROLE_SEQUENCE_NUMBER);
	struct tn_field inner[] = { field(&b), field(&c) };
	struct tn_type in = compound(TN_KIND_STRUCT, inner, 2, 8);
	struct tn_field members[] = { field(&a), field(&in), field(&d) };
	struct tn_type t = compound(TN_KIND_STRUCT, members, 3, 8);
	struct tn_summary s;

	d.varint = true;
	s = sum(&t);
	cr_expect_eq(s.roles, TN_ROLE_DISCARDED | TN_ROLE_CLOCK | TN_ROLE_MAGIC | TN_ROLE_SEQUENCE_NUMBER);
	cr_expect_eq(s.bits[7], 32);	/* the widest */
	cr_expect_eq(s.bits[10], 32);
	cr_expect_eq(s.bits[0], 64);	/* no more is ever known of it */
	cr_expect_eq(s.bits[8], 0);	/* LEB128 has no width */
	cr_expect_eq(s.fixed_bits, VARIES);
	cr_expect_eq(s.min_bits, 8 + 32 + 100 + 8);
	cr_expect_not(s.is_flat);
	cr_expect(in.summary.is_flat);
	cr_expect_eq(in.summary.fixed_bits, 132);
	cr_expect_eq(inner[0].parent, &members[1]);
}

Test(summary, sizes_of_arrays)
{
	struct tn_type e = number(12, 16, 0);
	struct tn_field one[] = { field(&e) };
	struct tn_type t = compound(TN_KIND_ARRAY, one, 1, 16);
	struct tn_type nothing = compound(TN_KIND_STRUCT, NULL, 0, 1);
	struct tn_field none[] = { field(&nothing) };
	struct tn_type empty = compound(TN_KIND_ARRAY, none, 1, 1);
	struct tn_field outer[] = { field(&empty) };
	struct tn_type empties = compound(TN_KIND_ARRAY, outer, 1, 1);
	struct tn_summary s;

	t.length = 3;
	s = sum(&t);
	cr_expect_eq(s.fixed_bits, 44);	/* padding between elements, none after the last */
	cr_expect_eq(s.min_bits, 36);
	cr_expect_not(s.is_flat);
	cr_expect_eq(s.n_empty, 0);
	t.length = UINT64_MAX / 2;
	s = sum(&t);
	cr_expect_eq(s.fixed_bits, VARIES);	/* more than there can be */
	cr_expect_eq(s.min_bits, UINT64_MAX);
	t.length = 3;
	t.extent = TN_EXTENT_DYNAMIC;
	s = sum(&t);
	cr_expect_eq(s.fixed_bits, VARIES);
	cr_expect_eq(s.min_bits, 0);
	empty.length = 5;
	empties.length = 7;
	s = sum(&empties);
	cr_expect_eq(empty.summary.n_empty, 5);
	cr_expect_eq(s.n_empty, 7 * (5 + 1));
	cr_expect_eq(s.fixed_bits, 0);
	empty.length = UINT64_MAX;
	s = sum(&empties);
	cr_expect_eq(s.n_empty, UINT64_MAX);
}

Test(summary, byte_orders_and_slots)
{
	struct tn_type a = number(8, 8, 0), b = number(16, 8, 0), c = number(3, 1, 0);
	struct tn_field inner[] = { field(&b), field(&c) };
	struct tn_type in = compound(TN_KIND_OPTIONAL, inner, 1, 1);
	struct tn_field members[] = { field(&a), field(&in) };
	struct tn_type t = compound(TN_KIND_STRUCT, members, 2, 8);
	struct tn_guard guard = { .slot = 0 };
	struct tn_summary s;

	b.big_endian = true;
	s = sum(&t);
	cr_expect(s.little && s.big && !s.odd && !s.slots);
	cr_expect_eq(s.fixed_bits, VARIES);	/* an optional may be absent */
	in.n_fields = 2;
	inner[1].slot = 4;
	s = sum(&t);
	cr_expect(s.odd && s.slots);
	cr_expect(in.summary.slots);
	inner[1].slot = TN_NO_SLOT;
	cr_expect_not(sum(&t).slots);
	in.guard = &guard;
	in.n_guards = 1;
	cr_expect(sum(&t).slots);
}
