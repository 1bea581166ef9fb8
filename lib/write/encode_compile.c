#include <string.h>

#include "base/array.h"
#include "write/encode.h"

struct compiler {
	TN_ARRAY(struct tn_encode_op) op;
	size_t n_slots;
	uint64_t aligned;	/* the position is known to be a multiple of this number of bits */
	bool failed;		/* memory is out */
};

static void compile(struct compiler *c, const struct tn_field *f);

/* Add an instruction. Returns its index, because the array may move. */
static size_t
add(struct compiler *c, enum tn_encode_code code, const struct tn_field *f)
{
	struct tn_encode_op *op = TN_ARRAY_ADD(&c->op);

	if (!op) {
		c->failed = true;
		return 0;
	}
	*op = (struct tn_encode_op) {
		.code = (uint8_t)code,
		.bits = f->type->length <= 64 ? (uint8_t)f->type->length : 0,
		.big_endian = f->type->big_endian,
		.is_signed = f->type->kind == TN_KIND_SINT,
		.slot = f->slot,
		.next = 1,
		.field = f,
	};
	if (f->slot >= 0 && (size_t)f->slot >= c->n_slots)
		c->n_slots = (size_t)f->slot + 1;
	return c->op.n - 1;
}

/* End the content of @begin: the instructions after it. The next field may begin at any bit. */
static void
end(struct compiler *c, size_t begin)
{
	if (c->failed)
		return;
	c->op.item[begin].next = (uint32_t)(c->op.n - begin);
	c->aligned = 1;
}

static void
advance(struct compiler *c, uint64_t bits)
{
	uint64_t lowest = bits & -bits;

	if (lowest && lowest < c->aligned)
		c->aligned = lowest;
}

static void
compile_number(struct compiler *c, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	add(c, t->varint ? TN_ENCODE_VARINT : t->kind == TN_KIND_FLOAT ? TN_ENCODE_REAL :
	    t->length > 64 ? TN_ENCODE_WIDE : TN_ENCODE_INTEGER, f);
	advance(c, t->varint ? 8 : t->length);
}

static void
compile_variant(struct compiler *c, const struct tn_field *f)
{
	size_t variant = add(c, TN_ENCODE_VARIANT, f);
	uint64_t aligned = c->aligned;

	for (size_t i = 0; i < f->type->n_fields && !c->failed; i++) {
		size_t option = add(c, TN_ENCODE_OPTION, &f->type->field[i]);

		c->aligned = aligned;
		compile(c, &f->type->field[i]);
		end(c, option);
	}
	end(c, variant);
}

static void
compile(struct compiler *c, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	size_t begin;

	if (t->align > c->aligned) {
		add(c, TN_ENCODE_ALIGN, f);
		c->aligned = t->align;
	}
	switch (t->kind) {
	case TN_KIND_STRUCT:
		for (size_t i = 0; i < t->n_fields; i++)
			compile(c, &t->field[i]);
		return;
	case TN_KIND_STRING:
	case TN_KIND_BLOB:
		add(c, TN_ENCODE_TEXT, f);
		advance(c, 8);
		return;
	case TN_KIND_ARRAY:
	case TN_KIND_OPTIONAL:
		begin = add(c, t->kind == TN_KIND_ARRAY ? TN_ENCODE_ARRAY : TN_ENCODE_OPTIONAL, f);
		c->aligned = 1;	/* an element begins where the previous one ends */
		compile(c, &t->field[0]);
		end(c, begin);
		return;
	case TN_KIND_VARIANT:
		compile_variant(c, f);
		return;
	default:
		compile_number(c, f);
	}
}

/* Copy the compiled code to the arena. */
static bool
finish(struct compiler *c, struct tn_encode_program *out, struct tn_arena *arena)
{
	struct tn_encode_op *op = TN_NEW_ARRAY(arena, c->op.n + 1, struct tn_encode_op);

	if (op && c->op.n)
		memcpy(op, c->op.item, c->op.n * sizeof *op);
	*out = (struct tn_encode_program) { op, c->op.n, c->n_slots };
	TN_ARRAY_RELEASE(&c->op);
	return op && !c->failed;
}

bool
tn_encode_compile(struct tn_encode_program *out, struct tn_arena *arena, const struct tn_field *const *scope,
		  size_t n, uint64_t aligned)
{
	struct compiler c = { .aligned = aligned };

	for (size_t i = 0; i < n; i++)
		if (scope[i])
			compile(&c, scope[i]);
	return finish(&c, out, arena);
}

bool
tn_encode_compile_members(struct tn_encode_program *out, struct tn_arena *arena, const struct tn_type *structure,
			  size_t from, uint64_t aligned)
{
	struct compiler c = { .aligned = aligned };

	for (size_t i = from; i < structure->n_fields; i++)
		compile(&c, &structure->field[i]);
	return finish(&c, out, arena);
}
