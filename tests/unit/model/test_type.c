/* Properties of a type, and the names of fields (tnav/value.h). */
#include <criterion/criterion.h>
#include <string.h>

#include "model/path.h"
#include "model/trace.h"

static struct tn_type
leaf(enum tn_kind kind, uint64_t length)
{
	return (struct tn_type) { .kind = kind, .length = length, .align = 8, .ref_slot = TN_NO_SLOT };
}

static void
expect(const struct tn_type *t, const char *want)
{
	char text[200], small[8];
	size_t n = tn_type_describe(t, text, sizeof text);

	cr_expect_str_eq(text, want);
	cr_expect_eq(n, strlen(want), "%s", want);
	cr_expect_eq(tn_type_describe(t, small, sizeof small), n, "the length it has, not the one that fits");
	cr_expect_eq(strncmp(small, want, sizeof small - 1), 0);
	cr_expect_eq(strlen(small), sizeof small - 1);
	cr_expect_eq(tn_type_describe(t, NULL, 0), n);
}

Test(type, described)
{
	static const struct tn_mapping mapping[2] = { { .label = "a" }, { .label = "b" } };
	struct tn_type t, n = leaf(TN_KIND_UINT, 16);
	struct tn_field of[2] = { { .name = "", .label = "", .type = &n }, { .name = "", .label = "", .type = &n } };

	t = leaf(TN_KIND_UINT, 32);
	expect(&t, "unsigned integer, 32 bits, little-endian, align 8");
	t.base = 16;
	t.reversed = t.big_endian = true;
	expect(&t, "unsigned integer, 32 bits, big-endian, align 8, reversed bit order, base 16");
	t = leaf(TN_KIND_SINT, 1);
	t.align = 1;
	t.base = 10;
	t.mapping = mapping;
	t.n_mappings = 2;
	expect(&t, "enumeration : signed integer, 1 bit, little-endian, align 1");
	t.kind = TN_KIND_BITMAP;
	expect(&t, "bit map, 1 bit, little-endian, align 1");
	t = leaf(TN_KIND_UINT, 0);
	t.varint = true;
	expect(&t, "unsigned integer, LEB128");
	t = leaf(TN_KIND_STRING, 0);
	t.extent = TN_EXTENT_TERMINATED;
	t.encoding = TN_ENCODING_UTF16LE;
	expect(&t, "string, UTF-16LE");
	t.extent = TN_EXTENT_DYNAMIC;
	expect(&t, "string, UTF-16LE[...]");
	t.ref_path = "event.fields.n";
	expect(&t, "string, UTF-16LE[event.fields.n]");
	t = leaf(TN_KIND_BLOB, 9);
	expect(&t, "BLOB[9 bytes]");
	t.media_type = "image/png";
	expect(&t, "BLOB[9 bytes], image/png");
	t = leaf(TN_KIND_ARRAY, 3);
	t.field = of;
	t.n_fields = 1;
	expect(&t, "array[3] of unsigned integer, 16 bits, little-endian, align 8");
	t.extent = TN_EXTENT_DYNAMIC;
	expect(&t, "sequence[...] of unsigned integer, 16 bits, little-endian, align 8");
	t.kind = TN_KIND_STRUCT;
	expect(&t, "structure, 1 member, align 8");
	t.n_fields = 2;
	expect(&t, "structure, 2 members, align 8");
	t.kind = TN_KIND_VARIANT;
	expect(&t, "variant, 2 options");
	t.n_fields = 1;
	t.ref_path = "tag";
	expect(&t, "variant <tag>, 1 option");
	t.kind = TN_KIND_OPTIONAL;
	expect(&t, "optional <tag>");
}

Test(type, getters)
{
	static const struct tn_mapping mapping[2] = { { .label = "a" }, { .label = "b" } };
	struct tn_type t = leaf(TN_KIND_SINT, 24), s = leaf(TN_KIND_STRING, 7), p;
	struct tn_field of[1] = { { .name = "_n", .label = "n", .type = &t } };

	t.mapping = mapping;
	t.n_mappings = 2;
	t.big_endian = true;
	cr_expect_eq(tn_type_kind(&t), TN_KIND_SINT);
	cr_expect_eq(tn_type_bits(&t), 24);
	cr_expect_eq(tn_type_align(&t), 8);
	cr_expect(tn_type_signed(&t) && tn_type_big_endian(&t));
	cr_expect_eq(tn_type_base(&t), 10, "none said");
	t.base = 8;
	cr_expect_eq(tn_type_base(&t), 8);
	cr_expect_eq(tn_type_length(&t), -1, "the length of an integer is its bits");
	cr_expect_eq(tn_type_label_count(&t), 2);
	cr_expect_str_eq(tn_type_label(&t, 1), "b");
	cr_expect_null(tn_type_label(&t, 2));
	t.varint = true;
	cr_expect_eq(tn_type_bits(&t), 0);
	cr_expect_eq(tn_type_bits(&s), 0);
	cr_expect_eq(tn_type_length(&s), 7);
	s.encoding = TN_ENCODING_UTF32BE;
	cr_expect_eq(tn_type_encoding(&s), TN_ENCODING_UTF32BE);
	s.length = UINT64_MAX;
	cr_expect_eq(tn_type_length(&s), -1, "no length that there can be");
	s.length = 7;
	s.extent = TN_EXTENT_DYNAMIC;
	cr_expect_eq(tn_type_length(&s), -1);
	s.kind = TN_KIND_BLOB;
	s.media_type = "text/plain";
	cr_expect_str_eq(tn_type_media_type(&s), "text/plain");
	p = (struct tn_type) { .kind = TN_KIND_STRUCT, .field = of, .n_fields = 1, .align = 8 };
	cr_expect_eq(tn_type_field_count(&p), 1);
	cr_expect_eq(tn_type_field(&p, 0), of);
	cr_expect_null(tn_type_field(&p, 1));
	cr_expect_str_eq(tn_field_name(of), "_n");
	cr_expect_str_eq(tn_field_label(of), "n");
	cr_expect_eq(tn_field_type(of), &t);
	cr_expect_null(tn_field_parent(of));
	cr_expect_eq(tn_field_option_count(of), 0);
	cr_expect_null(tn_field_option(of, 0));
	cr_expect_str_eq(tn_kind_name(TN_KIND_OPTIONAL), "optional");
	cr_expect_str_eq(tn_kind_name((enum tn_kind)12), "unknown");
}

Test(type, options_of_a_variant)
{
	struct tn_type n = leaf(TN_KIND_UINT, 8), v = { .kind = TN_KIND_VARIANT, .align = 1 };
	struct tn_field of[2] = { { .name = "a", .label = "a", .type = &n }, { .name = "b", .label = "b", .type = &n } };
	struct tn_field f = { .name = "v", .label = "v", .type = &v };

	v.field = of;
	v.n_fields = 2;
	cr_expect_eq(tn_field_option_count(&f), 2);
	cr_expect_str_eq(tn_field_option(&f, 1), "b");
	cr_expect_null(tn_field_option(&f, 2));
}

/* root { a [] { `two words` <optional> n } }: paths of each place, in messages and in the language. */
Test(type, paths)
{
	struct tn_type n = leaf(TN_KIND_UINT, 8);
	struct tn_field content = { .name = "", .label = "", .type = &n };
	struct tn_type optional = { .kind = TN_KIND_OPTIONAL, .field = &content, .n_fields = 1 };
	struct tn_field words = { .name = "two words", .label = "two words", .type = &optional };
	struct tn_type in = { .kind = TN_KIND_STRUCT, .field = &words, .n_fields = 1 };
	struct tn_field element = { .name = "", .label = "", .type = &in };
	struct tn_type array = { .kind = TN_KIND_ARRAY, .field = &element, .n_fields = 1 };
	struct tn_field a = { .name = "a", .label = "a", .type = &array };
	struct tn_type all = { .kind = TN_KIND_STRUCT, .field = &a, .n_fields = 1 };
	struct tn_field root = { .name = "", .label = "", .type = &all };
	struct tn_str out = { 0 };
	uint32_t id = 3;
	char buf[64];

	tn_field_number(&root, &id);
	cr_expect_eq(id, 8);
	cr_expect_eq(content.id, 7);
	cr_expect_str_eq(tn_field_path(&content, "event.fields", buf, sizeof buf), "event.fields.a[].two words");
	cr_expect_str_eq(tn_field_path(&root, "event.fields", buf, sizeof buf), "event.fields");
	cr_expect_str_eq(tn_field_path(&a, "event.fields", buf, 8), "event.f");
	tn_path_put(&out, TN_SCOPE_PAYLOAD, &content);
	cr_expect_str_eq(tn_str_text(&out), "event.fields.a[].`two words`");
	tn_str_release(&out);
	cr_expect_eq(tn_field_step(&root, 0, buf, sizeof buf), 0);
	cr_expect_str_eq(buf, "");
	cr_expect_eq(tn_field_step(&element, 12, buf, sizeof buf), 4);
	cr_expect_str_eq(buf, "[12]");
	cr_expect_eq(tn_field_step(&element, SIZE_MAX, buf, sizeof buf), 2);
	cr_expect_str_eq(buf, "[]");
	cr_expect_eq(tn_field_step(&content, 0, buf, sizeof buf), 0, "what an optional holds has its name");
	cr_expect_eq(tn_field_step(&words, 0, buf, 5), 12, "the length it has");
	cr_expect_str_eq(buf, ".`tw");
	cr_expect_eq(tn_field_step(&words, 0, buf, 0), 0);
}

/* A compound of hidden fields only is hidden; a variant is shown whole or not at all. */
Test(type, hidden)
{
	struct tn_type n = leaf(TN_KIND_UINT, 8);
	struct tn_field of[2] = { { .name = "a", .label = "a", .type = &n, .hidden = true },
				  { .name = "b", .label = "b", .type = &n, .hidden = true } };
	struct tn_type t = { .kind = TN_KIND_STRUCT, .field = of, .n_fields = 2 };
	struct tn_field root = { .name = "", .label = "", .type = &t };

	tn_field_hide_empty(&root);
	cr_expect(root.hidden);
	root.hidden = of[1].hidden = false;
	tn_field_hide_empty(&root);
	cr_expect(!root.hidden && of[0].hidden);
	t.kind = TN_KIND_VARIANT;
	tn_field_hide_empty(&root);
	cr_expect(!root.hidden && !of[0].hidden, "one option that is shown brings all back");
	t.n_fields = 0;
	tn_field_hide_empty(&root);
	cr_expect_not(root.hidden, "an empty one stays");
}

Test(type, ranges_and_flags)
{
	static const struct tn_range signed_range[] = { { 10, 20 }, { (uint64_t)-5, 2 } }, bits[] = { { 3, 4 }, { 63, 63 } };
	static const struct tn_mapping m = { "m", bits, 2 };
	struct tn_type t = leaf(TN_KIND_BITMAP, 64);

	cr_expect(tn_ranges_have(signed_range, 2, (uint64_t)-5, true));
	cr_expect(tn_ranges_have(signed_range, 2, 2, true));
	cr_expect_not(tn_ranges_have(signed_range, 2, (uint64_t)-6, true));
	cr_expect_not(tn_ranges_have(signed_range, 2, 3, true));
	cr_expect_not(tn_ranges_have(signed_range, 2, 2, false), "from a large number down to 2 there is nothing");
	cr_expect(tn_ranges_have(signed_range, 2, 20, false));
	cr_expect(tn_mapping_has(&t, &m, 1 << 4 | 1));
	cr_expect(tn_mapping_has(&t, &m, UINT64_C(1) << 63));
	cr_expect_not(tn_mapping_has(&t, &m, 0));
	cr_expect_not(tn_mapping_has(&t, &m, 1 << 5 | 1 << 2));
	t.kind = TN_KIND_UINT;
	cr_expect(tn_mapping_has(&t, &m, 4));
	cr_expect_not(tn_mapping_has(&t, &m, 1 << 4 | 1));
}
