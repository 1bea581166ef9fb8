/*
 * Types and bytes made by chance: skip and read of the plan must end where a decoder that walks the type
 * tree, written here as the format pages say it and for nothing else, ends.
 */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "types.h"
#include "world.h"

static uint32_t seed;

static uint32_t
any(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(seed >> 4) * n >> 28);
}

/* ---- types ---- */

struct keys { int32_t slot[8]; size_t n; };	/* integers before, which may be referred to */

static struct tn_field *
any_int(struct tn_trace *t, struct keys *keys, bool mixed)
{
	static const int bits[] = { 1, 3, 5, 7, 8, 8, 8, 9, 16, 16, 24, 32, 33, 64, -5, -8, -32, 80 };
	int n = bits[any(TN_COUNT(bits))];
	struct tn_field *f = type_int(t, "i", n, any(3) ? 1u << any(7) : n % 8 ? 1 : 8, mixed && any(2));

	if (n > 0 && n <= 9 && keys->n < TN_COUNT(keys->slot) && any(2))
		keys->slot[keys->n++] = type_slot(t, f);
	if (!any(12)) {
		f->type->varint = true;
		f->type->length = 0;
		f->type->align = 8;
	}
	return f;
}

static struct tn_field *
any_type(struct tn_trace *t, struct keys *keys, bool mixed, unsigned depth)
{
	struct tn_field *f, *in[5] = { 0 };
	struct keys inner;
	size_t n;

	switch (depth ? any(9) : any(4)) {
	case 0:
	case 1:
		return any_int(t, keys, mixed);
	case 2:
		f = type_field(t, "s", TN_KIND_STRING, 8);
		f->type->extent = any(2) ? TN_EXTENT_TERMINATED : TN_EXTENT_STATIC;
		f->type->length = any(4);
		f->type->encoding = any(4) ? TN_ENCODING_UTF8 : any(2) ? TN_ENCODING_UTF16LE : TN_ENCODING_UTF32BE;
		return f;
	case 3:
		if (!keys->n)
			return any_int(t, keys, mixed);
		f = type_field(t, "b", TN_KIND_BLOB, 8);
		f->type->extent = TN_EXTENT_DYNAMIC;
		f->type->ref_slot = keys->slot[any((uint32_t)keys->n)];
		return f;
	case 4:
	case 5:
		inner = *keys;
		n = any(5);
		for (size_t i = 0; i < n; i++)
			in[i] = any_type(t, &inner, mixed, depth - 1);
		*keys = any(2) ? inner : *keys;
		return type_of(t, "st", TN_KIND_STRUCT, in[0], in[1], in[2], in[3], (struct tn_field *)NULL);
	case 6:
		inner = *keys;
		return type_array(t, "a", any_type(t, &inner, mixed, depth - 1), any(4));
	case 7:
		if (!keys->n)
			return any_int(t, keys, mixed);
		inner = *keys;
		return type_sequence(t, "q", any_type(t, &inner, mixed, depth - 1), keys->slot[any((uint32_t)keys->n)]);
	default:
		if (!keys->n)
			return any_int(t, keys, mixed);
		inner = *keys;
		in[0] = any_type(t, &inner, mixed, depth - 1);
		/* Fields in one option are absent for the others; later fields may refer to them. */
		if (any(2))
			*keys = inner;
		inner = *keys;
		in[1] = any_type(t, &inner, mixed, depth - 1);
		if (any(2)) {
			f = type_of(t, "v", TN_KIND_VARIANT, in[0], in[1], (struct tn_field *)NULL);
			type_option(t, f, 0, 0, any(4));
			type_option(t, f, 1, any(8), 200);
			f->type->lenient_tag = any(2);
		} else {
			f = type_of(t, "o", TN_KIND_OPTIONAL, in[0], (struct tn_field *)NULL);
		}
		f->type->ref_slot = keys->slot[any((uint32_t)keys->n)];
		return f;
	}
}

/* ---- the decoder to hold against ---- */

struct plain {
	const uint8_t *p;
	uint64_t at, end;
	int order;
	uint64_t slot[512];
	bool is_set[512];
	enum tn_trouble trouble;
	unsigned values, empty;
};

static uint64_t
plain_bit(const struct plain *d, uint64_t q, bool be)
{
	return d->p[q / 8] >> (be ? 7 - q % 8 : q % 8) & 1;
}

static bool
plain_stop(struct plain *d, enum tn_trouble what)
{
	d->trouble = what;
	return false;
}

static bool
plain_need(struct plain *d, uint64_t bits)
{
	return bits <= d->end - d->at || plain_stop(d, TN_TROUBLE_CONTENT);
}

static void
plain_forget(struct plain *d, const struct tn_field *f)
{
	for (size_t i = 0; i < f->type->n_fields; i++) {
		if (f->type->field[i].slot >= 0)
			d->is_set[f->type->field[i].slot] = false;
		plain_forget(d, &f->type->field[i]);
	}
}

static bool plain(struct plain *d, const struct tn_field *f);

static bool
plain_int(struct plain *d, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	uint64_t v = 0;

	if (t->varint) {
		unsigned shift = 0;
		uint8_t byte;

		do {
			if (!plain_need(d, 8))
				return false;
			byte = d->p[d->at / 8];
			d->at += 8;
			if (shift < 64)
				v |= (uint64_t)(byte & 0x7f) << shift;
			shift += 7;
		} while (byte & 0x80 && shift < 700);
	} else {
		if (d->at % 8 && d->order && d->order != (t->big_endian ? 2 : 1))
			return plain_stop(d, TN_TROUBLE_ORDER);
		d->order = t->big_endian ? 2 : 1;
		if (!plain_need(d, t->length))
			return false;
		for (uint64_t i = 0; i < t->length && t->length <= 64; i++)
			v |= plain_bit(d, d->at + (t->big_endian ? t->length - 1 - i : i), t->big_endian) << i;
		d->at += t->length;
	}
	if (f->slot >= 0) {
		d->slot[f->slot] = v;
		d->is_set[f->slot] = true;
	}
	return true;
}

static bool
plain_text(struct plain *d, const struct tn_type *t)
{
	uint64_t unit = t->encoding >= TN_ENCODING_UTF32BE ? 4 : t->encoding >= TN_ENCODING_UTF16BE ? 2 : 1, n;

	if (t->extent == TN_EXTENT_TERMINATED) {
		for (bool zero = false; !zero; ) {
			if (d->end - d->at < unit * 8)
				return plain_stop(d, TN_TROUBLE_STRING);
			zero = true;
			for (uint64_t i = 0; i < unit; i++, d->at += 8)
				zero = zero && !d->p[d->at / 8];
		}
		return true;
	}
	n = t->length;
	if (t->extent == TN_EXTENT_DYNAMIC) {
		if (!d->is_set[t->ref_slot])
			return plain_stop(d, TN_TROUBLE_REFERENCE);
		n = d->slot[t->ref_slot];
	}
	if (!plain_need(d, n * 8))
		return false;
	d->at += n * 8;
	return true;
}

static bool
plain_array(struct plain *d, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	uint64_t n = t->length;

	plain_forget(d, f);
	if (t->extent == TN_EXTENT_DYNAMIC) {
		if (!d->is_set[t->ref_slot])
			return plain_stop(d, TN_TROUBLE_REFERENCE);
		n = d->slot[t->ref_slot];
	}
	for (uint64_t i = 0; i < n; i++) {
		uint64_t before = d->at;

		if (!plain(d, &t->field[0]))
			return false;
		if (d->at == before && ++d->empty > TN_PLAN_EMPTY)
			return plain_stop(d, TN_TROUBLE_EMPTY);
	}
	return true;
}

static bool
plain_choice(struct plain *d, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	uint64_t v = d->slot[t->ref_slot];
	bool there = d->is_set[t->ref_slot];

	plain_forget(d, f);
	if (!there)
		return t->lenient_tag || plain_stop(d, TN_TROUBLE_REFERENCE);
	if (t->kind == TN_KIND_OPTIONAL)
		return v == 0 || plain(d, &t->field[0]);
	for (size_t i = 0; i < t->n_fields; i++)
		if (tn_ranges_have(t->field[i].range, t->field[i].n_ranges, v, false))
			return plain(d, &t->field[i]);
	return t->lenient_tag || plain_stop(d, TN_TROUBLE_TAG);
}

static bool
plain(struct plain *d, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	while (d->at % t->align)
		d->at++;
	d->values++;
	if (d->at > d->end)
		return plain_stop(d, TN_TROUBLE_CONTENT);
	if (t->kind <= TN_KIND_FLOAT)
		return plain_int(d, f);
	if (t->kind <= TN_KIND_BLOB)
		return plain_text(d, t);
	if (t->kind == TN_KIND_ARRAY)
		return plain_array(d, f);
	if (t->kind != TN_KIND_STRUCT)
		return plain_choice(d, f);
	for (size_t i = 0; i < t->n_fields; i++)
		if (!plain(d, &t->field[i]))
			return false;
	return true;
}

/* ---- */

Test(plan, random_types, .timeout = 120)
{
	unsigned good = 0;

	for (uint32_t round = 0; round < 6000; round++) {
		struct tn_trace trace = { 0 };
		struct keys keys = { .n = 0 };
		struct tn_slot slot[512];
		struct tn_field *root;
		uint8_t bytes[160];
		const struct tn_op *code[2];
		uint32_t id = 0;

		seed = round * 2654435761u + 1;
		/* A structure of several at the top, so that there is something to refer to. */
		do {
			struct tn_field *in[4];

			trace.n_slots = 0;
			keys.n = 0;
			for (int i = 0; i < 4; i++)
				in[i] = any_type(&trace, &keys, round % 3 == 0, i ? 3 : 0);
			root = type_of(&trace, "root", TN_KIND_STRUCT, in[0], in[1], in[2], in[3], (struct tn_field *)NULL);
		} while (trace.n_slots > TN_COUNT(slot));
		tn_field_number(root, &id);
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = any(3) ? (uint8_t)any(4) : (uint8_t)any(256);
		code[0] = tn_plan_scope(&trace, root, false, NULL);
		code[1] = tn_plan_scope(&trace, root, true, NULL);
		cr_assert(code[0] && code[1]);
		for (uint64_t end = 1; end <= 8 * 90; end = end * 2 + any(9)) {
			struct plain d = { .p = bytes, .end = end };
			struct tn_event e = { 0 };

			plain(&d, root);
			for (int read = 0; read < 2; read++) {
				struct tn_machine m = { .p = bytes, .end = end, .slot = slot };
				enum tn_trouble trouble;

				memset(slot, 0, sizeof slot);
				trouble = read ? tn_machine_read(&m, code[1], &e) : tn_machine_skip(&m, code[0]);
				/* A mistake may be found earlier, by one check for many fields. */
				cr_assert_eq(trouble != TN_TROUBLE_NONE, d.trouble != TN_TROUBLE_NONE,
					     "round %u, end %" PRIu64 ", %s: trouble %d, not %d", round, end,
					     read ? "read" : "skip", trouble, d.trouble);
				if (trouble == TN_TROUBLE_NONE)
					cr_assert_eq(m.at, d.at, "round %u, end %" PRIu64 ", %s: ends at %" PRIu64
						     ", not %" PRIu64, round, end, read ? "read" : "skip", m.at, d.at);
				cr_assert(m.at <= m.end);
			}
			if (d.trouble == TN_TROUBLE_NONE) {
				cr_assert_eq(e.n_values, d.values, "round %u: %zu values, not %u", round, e.n_values, d.values);
				good++;
			}
			tn_event_release(&e);
		}
		tn_arena_release(&trace.arena);
	}
	cr_assert(good > 3000, "only %u could be decoded", good);
}

/* A trace may have 100,000 classes: of those without an event nothing is kept. */
Test(plan, codes_are_made_when_they_are_needed)
{
	static const struct tn_op unmade = { .code = TN_OP_UNMADE };

	world_seed(7);
	for (unsigned round = 0; round < 200; round++) {
		const struct tn_event_entry *entry;
		const struct tn_event_plan *plan;
		struct tn_error err;
		struct world w;

		make_world(&w);
		cr_assert_eq(tn_plan_compile(&w.trace, &err), TN_OK, "%s", err.text);
		entry = tn_plan_entry(w.stream_class.plan, &w.stream_class, w.event_class.id);
		cr_assert_eq(entry->event_class, w.event_class.index, "round %u", round);
		cr_assert_eq(tn_plan_walk(entry)->code, unmade.code, "round %u: a code that nobody asked for", round);
		cr_assert_null(w.event_class.plan, "round %u: a plan that nobody asked for", round);
		cr_assert(tn_plan_make_walk(&w.stream_class, entry));
		cr_assert_neq(tn_plan_walk(entry)->code, unmade.code, "round %u", round);
		plan = tn_plan_event(&w.event_class);
		cr_assert(plan && plan == tn_plan_event(&w.event_class) && plan == w.event_class.plan, "round %u", round);
		cr_assert_null(w.other_class.plan, "round %u: the other class has nothing to do with it", round);
		tn_shared_arena_free(w.trace.late);
		tn_arena_release(&w.trace.arena);
	}
}
