/*
 * compile.c - compile one scope: type tree to instructions (plan.h)
 *
 * The compiler knows the position as `off` modulo `mod`, a power of two. The padding before a field aligned to at most
 * `mod` is a constant. A larger alignment needs an ALIGN instruction, after which `mod` is larger.
 */
#include "plan/compile.h"

#include <inttypes.h>
#include <string.h>

#include "base/bits.h"

#define FAR (UINT64_C(1) << 62)	/* more bits than any packet has; a CHECK of this number always fails */

/* The largest power of two that divides @v; if @v is 0, a large power of two. */
static uint64_t
divisor(uint64_t v)
{
	return v ? v & -v : UINT64_C(1) << 32;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static struct tn_op *
emit(struct tn_compiler *c, enum tn_op_code code, const struct tn_field *field)
{
	struct tn_op *op = TN_ARRAY_ADD(&c->code);

	if (!op) {
		c->no_memory = true;
		return &c->nowhere;
	}
	op->code = (uint8_t)code;
	op->field = field;
	return op;
}

/* ---- runs of fixed fields ---- */

static void
run(struct tn_compiler *c)
{
	if (c->in_run)
		return;
	c->check_at = c->code.n;
	c->rel = 0;
	c->in_run = true;
	emit(c, TN_OP_CHECK, NULL);
}

/* End the run, so that the machine's position is up to date. */
static void
flush(struct tn_compiler *c)
{
	if (!c->in_run || c->prechecked || c->no_memory)
		return;
	c->in_run = false;
	if (c->code.n == c->check_at + 1) {
		/* No instruction reads a part of the run, so the check becomes a skip. */
		c->code.item[c->check_at].code = TN_OP_SKIP;
		c->code.item[c->check_at].n = c->rel;
		if (!c->rel)
			c->code.n--;
		return;
	}
	c->code.item[c->check_at].n = c->rel;
	if (c->rel)
		emit(c, TN_OP_ADVANCE, NULL)->n = c->rel;
}

/* Pass @bits of fixed size; returns their distance from the start of the run. */
static uint64_t
take(struct tn_compiler *c, uint64_t bits)
{
	uint64_t at;

	run(c);
	at = c->rel;
	c->rel = bits > FAR - at ? FAR : at + bits;
	c->off = (c->off + bits) & (c->mod - 1);
	return at;
}

static void
align(struct tn_compiler *c, uint64_t to)
{
	if (to > c->mod) {
		flush(c);
		emit(c, TN_OP_ALIGN, NULL)->a = (uint32_t)to;
		c->mod = to;
		c->off = 0;
	} else if (c->off & (to - 1)) {
		take(c, to - (c->off & (to - 1)));
	}
}

/* The distance of the position from the start of the run; 0 outside of a run. */
static uint64_t
here(const struct tn_compiler *c)
{
	return c->in_run ? c->rel : 0;
}

static void
at_byte(struct tn_compiler *c)
{
	c->mod = 8;
	c->off = 0;
}

/* After code that may be skipped, keep only the facts that are true in both cases. */
static void
join(struct tn_compiler *c, uint64_t mod, uint64_t off)
{
	c->mod = least(least(c->mod, mod), divisor(c->off - off));
	c->off &= c->mod - 1;
}

/* ---- values that other fields need ---- */

#define KEPT (TN_ROLE_CLOCK | TN_ROLE_STREAM_CLASS_ID | TN_ROLE_STREAM_ID | TN_ROLE_MAGIC | TN_ROLE_UUID | \
	      TN_ROLE_PACKET_SIZE | TN_ROLE_CONTENT_SIZE | TN_ROLE_TIMESTAMP_END | TN_ROLE_DISCARDED | \
	      TN_ROLE_SEQUENCE_NUMBER | TN_ROLE_EVENT_CLASS_ID | TN_ROLE_TIMESTAMP_BEGIN)

static bool
is_kept(const struct tn_field *f)
{
	return f->slot >= 0 || f->type->roles & KEPT;
}

/* Whether code that skips the field must load a value in it. */
static bool
has_kept(const struct tn_field *f)
{
	return tn_field_has_slots(f) || f->type->summary.roles & KEPT;
}

/* Forget the slots that fields inside @f store; they are unknown until they are stored again. */
static void
clear(struct tn_compiler *c, const struct tn_field *f)
{
	for (size_t i = 0; f->type->summary.slots && i < f->type->n_fields; i++) {
		const struct tn_field *in = &f->type->field[i];

		if (in->slot >= 0)
			emit(c, TN_OP_CLEAR, NULL)->a = (uint32_t)in->slot;
		clear(c, in);
	}
}

/* Emit the uses of the value that was loaded last. */
static void
keep(struct tn_compiler *c, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	if (f->slot >= 0)
		emit(c, TN_OP_SAVE, NULL)->a = (uint32_t)f->slot;
	if (c->read)
		return;
	if (t->roles & TN_ROLE_CLOCK)
		emit(c, TN_OP_CLOCK, NULL)->n = t->varint ? 0 : t->length;
	if (t->roles & TN_ROLE_EVENT_CLASS_ID)
		emit(c, TN_OP_ID, NULL);
	for (unsigned i = 0; i < TN_ROLES; i++) {
		uint32_t role = t->roles & KEPT & ~(uint32_t)(TN_ROLE_CLOCK | TN_ROLE_EVENT_CLASS_ID | TN_ROLE_UUID);

		if (role & 1u << i) {
			struct tn_op *op = emit(c, TN_OP_ROLE, NULL);

			op->a = i;
			op->n = (t->roles & TN_ROLE_CLOCK) != 0;
		}
	}
}

/* End the code after the target field. */
static void
reach(struct tn_compiler *c, const struct tn_field *f)
{
	if (f != c->target)
		return;
	flush(c);
	emit(c, TN_OP_END, NULL);
	c->reached = true;
}

/* ---- kinds of fields ---- */

static void field(struct tn_compiler *c, const struct tn_field *f);

static bool
known_bytes(const struct tn_compiler *c, uint64_t bits)
{
	return c->mod >= 8 && c->off % 8 == 0 && bits % 8 == 0;
}

static enum tn_op_code
integer_code(const struct tn_type *t)
{
	static const uint8_t table[2][4][2] = {
		{ { TN_OP_U8, TN_OP_U8 }, { TN_OP_U16LE, TN_OP_U16BE },
		  { TN_OP_U32LE, TN_OP_U32BE }, { TN_OP_U64LE, TN_OP_U64BE } },
		{ { TN_OP_S8, TN_OP_S8 }, { TN_OP_S16LE, TN_OP_S16BE },
		  { TN_OP_S32LE, TN_OP_S32BE }, { TN_OP_S64LE, TN_OP_S64BE } },
	};
	unsigned size = t->length == 8 ? 0 : t->length == 16 ? 1 : t->length == 32 ? 2 : 3;

	return (enum tn_op_code)table[t->kind == TN_KIND_SINT][size][t->big_endian];
}

static uint16_t
integer_flags(const struct tn_type *t)
{
	return (uint16_t)((t->big_endian ? TN_OP_BIG_ENDIAN : 0) | (t->kind == TN_KIND_SINT ? TN_OP_SIGNED : 0) |
			  (t->reversed ? TN_OP_REVERSED : 0));
}

static void
load(struct tn_compiler *c, const struct tn_field *f, uint64_t at, bool bytes)
{
	const struct tn_type *t = f->type;
	enum tn_op_code code = TN_OP_BITS;
	struct tn_op *op;

	if (t->length > 64)
		code = TN_OP_WIDE;
	else if (t->kind == TN_KIND_FLOAT)
		code = TN_OP_FLOAT;
	else if (bytes && !t->reversed && (t->length == 8 || t->length == 16 || t->length == 32 || t->length == 64))
		code = integer_code(t);
	op = emit(c, code, f);
	op->n = at;
	op->bits = (uint8_t)least(t->length, 64);
	op->flags = integer_flags(t);
	if (code == TN_OP_WIDE)
		op->m = t->length;
	if (t->kind == TN_KIND_BOOL)
		op->flags |= TN_OP_TRUTH;
}

static void
scalar(struct tn_compiler *c, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	bool bytes;
	uint64_t at;

	if (t->varint) {
		align(c, t->align > 8 ? t->align : 8);
		flush(c);
		emit(c, t->kind == TN_KIND_SINT ? TN_OP_LEB_SIGNED : TN_OP_LEB_UNSIGNED, f);
		at_byte(c);
		keep(c, f);
		return;
	}
	align(c, t->align);
	bytes = known_bytes(c, t->length);
	if (c->mixed && !(c->mod >= 8 && c->off % 8 == 0)) {
		struct tn_op *op;

		run(c);
		op = emit(c, TN_OP_ORDER_CHECK, f);
		op->n = c->rel;
		op->bits = t->big_endian ? 2 : 1;
	}
	at = take(c, t->length);
	if (c->read || is_kept(f) || f == c->target) {
		load(c, f, at, bytes);
		keep(c, f);
	}
	if (c->mixed && !(c->mod >= 8 && c->off % 8 == 0))
		emit(c, TN_OP_ORDER_SET, f)->bits = t->big_endian ? 2 : 1;
}

/* Emit checks that all guards for the reference of @t are set. */
static void
guard(struct tn_compiler *c, const struct tn_field *f)
{
	if (f->type->ref_guard)
		emit(c, TN_OP_GUARD, f)->a = f->type->ref_guard - 1;
}

/* The slot for the number of elements of a located field: the first slot, which traces with such fields keep free. */
#define LOCATED_SLOT 0

/*
 * Emit a jump to the data that a located field describes, in elements of @size bytes. False: no sink needs the data, and
 * the field is skipped.
 */
static bool
locate(struct tn_compiler *c, const struct tn_field *f, uint64_t size)
{
	const struct tn_type *t = f->type;
	struct tn_op *op;

	if (!c->read && f != c->target) {
		if (t->located < TN_LOCATED_REST)
			take(c, 32);
		return false;
	}
	flush(c);
	op = emit(c, TN_OP_LOCATE, f);
	op->bits = (uint8_t)t->located;
	op->flags = (uint16_t)((t->big_endian ? TN_OP_BIG_ENDIAN : 0) | (t->record == TN_RECORD_SIZED ? TN_OP_SIZED : 0) |
			       (t->record == TN_RECORD_WHOLE ? TN_OP_WHOLE : 0));
	op->a = LOCATED_SLOT;
	op->m = size;
	return true;
}

/* Emit the return to the end of a located field, where the position is known as before. */
static void
back(struct tn_compiler *c, const struct tn_field *f)
{
	emit(c, TN_OP_BACK, NULL);
	if (f->type->located < TN_LOCATED_REST)
		c->off = (c->off + 32) & (c->mod - 1);
}

static void
text(struct tn_compiler *c, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	bool is_string = t->kind == TN_KIND_STRING;
	unsigned unit = !is_string ? 1 : t->encoding >= TN_ENCODING_UTF32BE ? 4 : t->encoding >= TN_ENCODING_UTF16BE ? 2 : 1;
	uint16_t flags = unit == 4 ? TN_OP_UNIT32 : unit == 2 ? TN_OP_UNIT16 : 0;
	struct tn_op *op;

	if (t->located) {
		if (locate(c, f, 1)) {
			op = emit(c, is_string ? TN_OP_STRING_DYNAMIC : TN_OP_BLOB_DYNAMIC, f);
			op->a = LOCATED_SLOT;
			back(c, f);
		}
		return;
	}
	if (t->lookup) {
		if (!c->in_run || c->rel < 32) {
			c->no_memory = true;	/* this cannot happen, because the number is right before the string */
		} else if (c->read || f == c->target) {
			op = emit(c, TN_OP_STRING_LOOKUP, f);
			op->n = c->rel - 32;
			op->flags = t->big_endian ? TN_OP_BIG_ENDIAN : 0;
			op->more = t->lookup;
		}
		return;
	}
	align(c, t->align > 8 ? t->align : 8);
	if (t->extent == TN_EXTENT_STATIC) {
		uint64_t bits, at;

		if (__builtin_mul_overflow(t->length, UINT64_C(8), &bits))
			bits = FAR;
		at = take(c, bits);
		if (!c->read && t->roles & TN_ROLE_UUID && t->length == 16)
			emit(c, TN_OP_UUID, f)->n = at;
		if (c->read || f == c->target) {
			op = emit(c, is_string ? TN_OP_STRING_FIXED : TN_OP_BLOB_FIXED, f);
			op->n = at;
			op->m = t->length;
			op->flags = flags;
		}
		return;
	}
	flush(c);
	if (t->extent == TN_EXTENT_TERMINATED) {
		emit(c, unit == 4 ? TN_OP_STRING32 : unit == 2 ? TN_OP_STRING16 : TN_OP_STRING8, f);
	} else {
		guard(c, f);
		op = emit(c, is_string ? TN_OP_STRING_DYNAMIC : TN_OP_BLOB_DYNAMIC, f);
		op->a = (uint32_t)t->ref_slot;
		op->flags = (uint16_t)(flags | (t->signed_length ? TN_OP_SIGNED_LENGTH : 0));
	}
	at_byte(c);
}

static void
structure(struct tn_compiler *c, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	align(c, t->align);
	if (t->record) {
		flush(c);
		emit(c, TN_OP_RECORD, f);
	}
	if (c->read)
		emit(c, TN_OP_OPEN, f)->n = here(c);
	for (size_t i = 0; i < t->n_fields; i++)
		field(c, &t->field[i]);
	if (t->record) {
		flush(c);
		emit(c, TN_OP_LONG, f)->flags = t->big_endian ? TN_OP_BIG_ENDIAN : 0;
	}
	if (c->read)
		emit(c, TN_OP_CLOSE, f)->n = here(c);
}

/* Get the known facts about the position after elements of @bits bits at distances of @stride, from the position at their start. */
static void
after_elements(struct tn_compiler *c, uint64_t mod, uint64_t off, uint64_t stride, uint64_t bits)
{
	c->mod = least(mod, least(divisor(stride), divisor(bits)));
	c->off = off & (c->mod - 1);
}

/* Skip elements of fixed size that no other field needs, without a loop. */
static void
skip_elements(struct tn_compiler *c, const struct tn_field *f, uint64_t stride, uint64_t bits)
{
	const struct tn_type *t = f->type;
	uint64_t mod, off, all = t->summary.fixed_bits, empty;
	struct tn_op *op;

	if (t->extent == TN_EXTENT_STATIC) {
		if (all == TN_TYPE_VARIES)
			all = FAR;
		if (t->summary.n_empty)
			emit(c, TN_OP_EMPTY, f)->n = t->summary.n_empty;
		if (all)
			take(c, all);
		return;
	}
	flush(c);
	guard(c, f);
	empty = t->field[0].type->summary.n_empty;
	empty += !bits && empty < UINT64_MAX;
	if (empty) {
		op = emit(c, TN_OP_EMPTY, f);
		op->n = empty;
		op->a = (uint32_t)t->ref_slot;
		op->flags = (uint16_t)(TN_OP_COUNT_IN_SLOT | (t->signed_length ? TN_OP_SIGNED_LENGTH : 0));
	}
	op = emit(c, TN_OP_SKIP_ARRAY, f);
	op->a = (uint32_t)t->ref_slot;
	op->n = stride;
	op->m = bits;
	op->flags = t->signed_length ? TN_OP_SIGNED_LENGTH : 0;
	mod = c->mod;
	off = c->off;
	after_elements(c, mod, off, stride, bits);
}

static struct tn_op *
begin_array(struct tn_compiler *c, const struct tn_field *f, enum tn_op_code code)
{
	const struct tn_type *t = f->type;
	struct tn_op *op;

	flush(c);
	if (t->extent != TN_EXTENT_STATIC)
		guard(c, f);
	op = emit(c, code, f);
	op->n = t->length;
	if (t->located) {
		op->n = LOCATED_SLOT;
		op->flags = TN_OP_COUNT_IN_SLOT;
	} else if (t->extent != TN_EXTENT_STATIC) {
		op->n = (uint64_t)(uint32_t)t->ref_slot;
		op->flags = (uint16_t)(TN_OP_COUNT_IN_SLOT | (t->signed_length ? TN_OP_SIGNED_LENGTH : 0));
	}
	return op;
}

static void
loop_fixed(struct tn_compiler *c, const struct tn_field *f, uint64_t stride, uint64_t bits)
{
	uint64_t mod, off;
	size_t begin;
	struct tn_op *op;

	begin_array(c, f, TN_OP_ARRAY_FIXED);
	begin = c->code.n - 1;
	mod = c->mod;
	off = c->off;
	c->mod = least(mod, divisor(stride));
	c->off = off & (c->mod - 1);
	c->prechecked = c->in_run = true;
	c->rel = 0;
	field(c, &f->type->field[0]);
	c->prechecked = c->in_run = false;
	op = emit(c, TN_OP_LOOP_FIXED, f);
	op->a = (uint32_t)begin + 1;
	op->n = stride;
	op->m = bits;
	if (!c->no_memory)
		c->code.item[begin].a = (uint32_t)c->code.n;
	after_elements(c, mod, off, stride, bits);
}

static void
loop(struct tn_compiler *c, const struct tn_field *f)
{
	uint64_t mod = c->mod, off = c->off;
	size_t begin;
	struct tn_op *op;

	op = begin_array(c, f, TN_OP_ARRAY);
	op->m = f->type->field[0].type->summary.min_bits;
	begin = c->code.n - 1;
	c->mod = 1;
	c->off = 0;
	field(c, &f->type->field[0]);
	flush(c);
	emit(c, TN_OP_LOOP, f)->a = (uint32_t)begin + 1;
	if (!c->no_memory)
		c->code.item[begin].a = (uint32_t)c->code.n;
	join(c, mod, off);
}

/* Whether the byte order cannot change inside a byte in the elements. */
static bool
whole_bytes(const struct tn_compiler *c, const struct tn_type *e, uint64_t stride)
{
	return e->kind <= TN_KIND_FLOAT && e->length % 8 == 0 && known_bytes(c, stride);
}

static void
array(struct tn_compiler *c, const struct tn_field *f)
{
	const struct tn_type *t = f->type, *e = t->field[0].type;
	uint64_t bits = e->summary.fixed_bits, stride;
	bool fixed = bits < FAR;

	if (t->located) {
		uint64_t mod = c->mod, off = c->off;

		if (locate(c, f, bits / 8 ? bits / 8 : 1)) {
			loop_fixed(c, f, bits, bits);
			c->mod = mod;
			c->off = off;
			back(c, f);
		}
		return;
	}
	align(c, t->align);
	stride = fixed ? tn_align_up(bits, e->align) : 0;
	if (c->target == &t->field[0]) {
		take(c, c->element * stride);
		field(c, &t->field[0]);
		return;
	}
	if (t->extent == TN_EXTENT_STATIC && t->roles & TN_ROLE_UUID && !c->read && fixed && stride == 8 &&
	    t->length == 16) {
		emit(c, TN_OP_UUID, f)->n = here(c);
	}
	if (!c->read && fixed && !has_kept(&t->field[0]) && !(c->mixed && !whole_bytes(c, e, stride))) {
		skip_elements(c, f, stride, bits);
		return;
	}
	flush(c);
	clear(c, f);
	if (fixed && e->summary.is_flat && !c->mixed)
		loop_fixed(c, f, stride, bits);
	else
		loop(c, f);
}

/* ---- variants and optionals ---- */

static void
set_guards(struct tn_compiler *c, const struct tn_type *t, size_t option)
{
	for (size_t i = 0; i < t->n_guards; i++) {
		bool leads = option != SIZE_MAX && t->guard[i].leads[option];
		struct tn_op *op;

		/* All guards are 0 before the choice, so an option only sets guards to 1. */
		if (option != SIZE_MAX && !leads)
			continue;
		op = emit(c, TN_OP_SET, NULL);
		op->a = (uint32_t)t->guard[i].slot;
		op->n = leads;
	}
}

static void
choose(struct tn_compiler *c, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	struct tn_choice *choice = tn_choice_new(c->arena, t);
	bool may_be_none = t->kind == TN_KIND_OPTIONAL || t->lenient_tag;
	uint64_t mod, off, end_mod = 0, end_off = 0;
	size_t jumps = SIZE_MAX;	/* list of the JUMPs to the end, linked by their `a` */

	align(c, t->align);
	flush(c);
	c->no_memory |= !choice;
	if (c->no_memory)
		return;
	clear(c, f);
	for (size_t i = 0; i < t->n_clear_slots; i++)
		emit(c, TN_OP_CLEAR, NULL)->a = (uint32_t)t->clear_slot[i];
	set_guards(c, t, SIZE_MAX);
	guard(c, f);
	emit(c, t->kind == TN_KIND_OPTIONAL ? TN_OP_OPTIONAL : TN_OP_VARIANT, f)->more = choice;
	mod = c->mod;
	off = c->off;
	if (may_be_none) {
		end_mod = mod;
		end_off = off;
	}
	for (size_t i = 0; i < t->n_fields; i++) {
		choice->target[i] = (uint32_t)c->code.n;
		c->mod = mod;
		c->off = off;
		set_guards(c, t, i);
		field(c, &t->field[i]);
		flush(c);
		if (end_mod)
			join(c, end_mod, end_off);
		end_mod = c->mod;
		end_off = c->off;
		if (i + 1 < t->n_fields) {
			emit(c, TN_OP_JUMP, NULL)->a = (uint32_t)jumps;
			jumps = c->code.n - 1;
		}
	}
	choice->end = (uint32_t)c->code.n;
	while (!c->no_memory && jumps != SIZE_MAX && (uint32_t)jumps != UINT32_MAX) {
		size_t before = c->code.item[jumps].a;

		c->code.item[jumps].a = choice->end;
		jumps = before;
	}
	if (!end_mod) {
		c->mod = 1;
		c->off = 0;
	}
	if (c->read)
		emit(c, TN_OP_CLOSE, f)->n = here(c);
}

static void
field(struct tn_compiler *c, const struct tn_field *f)
{
	if (c->no_memory || c->too_deep || c->too_many || c->reached)
		return;
	if (++c->work > c->limit && c->limit) {
		c->too_many = f;
		return;
	}
	if (++c->depth > TN_PLAN_DEPTH) {
		c->too_deep = f;
		return;
	}
	if (f->gap)
		take(c, f->gap);
	switch (f->type->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
	case TN_KIND_BOOL:
	case TN_KIND_BITS:
	case TN_KIND_BITMAP:
	case TN_KIND_FLOAT:
		if (f->type->record) {
			flush(c);
			emit(c, TN_OP_RECORD, f);
		}
		scalar(c, f);
		reach(c, f);
		break;
	case TN_KIND_STRING:
	case TN_KIND_BLOB:
		text(c, f);
		reach(c, f);
		break;
	case TN_KIND_STRUCT:
		structure(c, f);
		break;
	case TN_KIND_ARRAY:
		array(c, f);
		break;
	case TN_KIND_VARIANT:
	case TN_KIND_OPTIONAL:
		choose(c, f);
		break;
	}
	c->depth--;
}

/* ---- the interface ---- */

void
tn_compiler_begin(struct tn_compiler *c, struct tn_arena *arena, bool mixed)
{
	*c = (struct tn_compiler) { .arena = arena, .mixed = mixed, .mod = 1 };
}

void
tn_compiler_position(struct tn_compiler *c, uint64_t mod, uint64_t off)
{
	c->mod = mod;
	c->off = off;
}

void
tn_compiler_target(struct tn_compiler *c, const struct tn_field *field, uint64_t element)
{
	c->target = field;
	c->element = element;
	c->reached = false;
}

void
tn_compiler_scope(struct tn_compiler *c, const struct tn_field *root, bool read)
{
	c->read = read;
	if (root)
		field(c, root);
}

void
tn_compiler_time(struct tn_compiler *c)
{
	flush(c);
	emit(c, TN_OP_TIME, NULL);
}

/* End the code, which is c->code. False: the compiler failed. */
static bool
finish(struct tn_compiler *c, uint64_t *fixed_bits, struct tn_error *err)
{
	const struct tn_op *code;
	char path[256];

	flush(c);
	emit(c, TN_OP_END, NULL);
	c->in_run = false;
	c->depth = 0;
	if (c->too_deep) {
		tn_fail(err, TN_ERR_UNSUPPORTED, "%s: types are nested more than %d deep",
			tn_field_path(c->too_deep, "field", path, sizeof path), TN_PLAN_DEPTH);
		return false;
	}
	if (c->too_many) {
		tn_fail(err, TN_ERR_UNSUPPORTED, "%s: the types of all events, with their header and contexts, have too many "
			"fields (%" PRIu64 ")", tn_field_path(c->too_many, "field", path, sizeof path), c->limit);
		return false;
	}
	if (c->no_memory || c->code.n > UINT32_MAX / 2) {
		tn_fail_memory(err);
		return false;
	}
	code = c->code.item;
	if (fixed_bits)
		*fixed_bits = c->code.n == 1 ? 0 : c->code.n == 2 && code[0].code == TN_OP_SKIP ? code[0].n : TN_PLAN_VARIES;
	return true;
}

const struct tn_op *
tn_compiler_end(struct tn_compiler *c, uint64_t *fixed_bits, struct tn_error *err)
{
	struct tn_op *out = NULL;

	if (finish(c, fixed_bits, err)) {
		out = TN_NEW_ARRAY(c->arena, c->code.n, struct tn_op);
		if (out)
			memcpy(out, c->code.item, c->code.n * sizeof *out);
		else
			tn_fail_memory(err);
	}
	c->code.n = 0;
	return out;
}

bool
tn_compiler_check(struct tn_compiler *c, uint64_t *fixed_bits, struct tn_error *err)
{
	bool good = finish(c, fixed_bits, err);

	c->code.n = 0;
	return good;
}

void
tn_compiler_release(struct tn_compiler *c)
{
	TN_ARRAY_RELEASE(&c->code);
}
