#include "write/encode.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/messages.h"

/* Store the @n lowest bytes of @v. */
static void
store_bytes(uint8_t *p, unsigned n, uint64_t v, bool big_endian)
{
	if (big_endian)
		v = __builtin_bswap64(v) >> (64 - 8 * n);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	switch (n) {	/* each copy of a known size is one move */
	case 1:
		memcpy(p, &v, 1);
		return;
	case 2:
		memcpy(p, &v, 2);
		return;
	case 4:
		memcpy(p, &v, 4);
		return;
	case 8:
		memcpy(p, &v, 8);
		return;
	default:
		memcpy(p, &v, n);
	}
}

void
tn_bits_store(uint8_t *p, uint64_t at, unsigned n, uint64_t v, bool big_endian)
{
	unsigned shift = at & 7;

	p += at >> 3;
	if (shift == 0 && n % 8 == 0) {
		store_bytes(p, n / 8, v, big_endian);
		return;
	}
	while (n) {
		unsigned take = n < 8 - shift ? n : 8 - shift;
		unsigned up = big_endian ? 8 - shift - take : shift;
		uint8_t mask = (uint8_t)(((1u << take) - 1) << up);
		uint64_t part = big_endian ? v >> (n - take) : v;

		*p = (uint8_t)((*p & ~mask) | ((unsigned)part << up & mask));
		if (!big_endian)
			v >>= take;
		n -= take;
		shift = 0;
		p++;
	}
}

static bool
bad(struct tn_encoder *e, const struct tn_encode_op *op, const char *how)
{
	e->state = TN_ENCODE_BAD;
	e->bad_field = op->field;
	e->bad = _(how);
	return false;
}


static bool
encode_bytes(struct tn_encoder *e, const void *bytes, uint64_t n)
{
	if (n > (e->end - e->at) / 8)
		return tn_encode_full(e);
	if (e->p && n)
		memcpy(e->p + e->at / 8, bytes, n);
	e->at += n * 8;
	return true;
}

static bool
encode_zeros(struct tn_encoder *e, uint64_t n)
{
	if (n > (e->end - e->at) / 8)
		return tn_encode_full(e);
	if (e->p)
		memset(e->p + e->at / 8, 0, n);
	e->at += n * 8;
	return true;
}

static inline const struct tn_datum *
next_datum(struct tn_encoder *e, const struct tn_encode_op *op)
{
	if (e->datum == e->datum_end) {
		bad(e, op, N_("the value is missing"));
		return NULL;
	}
	return e->datum++;
}

/* Check that the value is an integer of @n bits. */
static inline bool
check_integer(struct tn_encoder *e, const struct tn_encode_op *op, const struct tn_datum *d, unsigned n)
{
	bool fits;

	if (d->kind != TN_DATUM_UINT && d->kind != TN_DATUM_SINT)
		return bad(e, op, N_("the value is not an integer"));
	if (op->is_signed)
		fits = (d->kind == TN_DATUM_SINT || d->is.u <= INT64_MAX) && tn_sign_extend(d->is.u, n) == d->is.i;
	else
		fits = (d->kind == TN_DATUM_UINT || d->is.i >= 0) && tn_low_bits(d->is.u, n) == d->is.u;
	return fits || bad(e, op, N_("the value needs more bits than the field has"));
}

static inline bool
encode_integer(struct tn_encoder *e, const struct tn_encode_op *op)
{
	const struct tn_datum *d = next_datum(e, op);

	if (!d || !check_integer(e, op, d, op->bits))
		return false;
	if (op->slot >= 0)
		e->slot[op->slot] = d->is.u;
	return tn_encode_bits(e, op->bits, d->is.u, op->big_endian);
}

/* Write LEB128: 7 bits in each byte, the lowest first, in as few bytes as possible. */
static bool
encode_varint(struct tn_encoder *e, const struct tn_encode_op *op)
{
	const struct tn_datum *d = next_datum(e, op);
	uint8_t bytes[10];
	uint64_t n = 0, v;
	bool last;

	if (!d || !check_integer(e, op, d, 64))
		return false;
	v = d->is.u;
	if (op->slot >= 0)
		e->slot[op->slot] = v;
	do {
		uint8_t low = v & 0x7f;
		bool sign = op->is_signed && (low & 0x40);

		v = op->is_signed ? (uint64_t)((int64_t)v >> 7) : v >> 7;
		last = v == (sign ? UINT64_MAX : 0);
		bytes[n++] = low | (last ? 0 : 0x80);
	} while (!last);
	return encode_bytes(e, bytes, n);
}

/*
 * Write a number of which the value gives bytes, the most significant first. The type's bits above them are copies of the
 * sign, or 0.
 */
static bool
encode_wide(struct tn_encoder *e, const struct tn_encode_op *op)
{
	uint64_t bits = op->field->type->length, n = (bits + 7) / 8;
	const struct tn_datum *d = next_datum(e, op);
	const uint8_t *b;
	unsigned top = (unsigned)((bits - 1) % 8) + 1, above;

	if (!d)
		return false;
	if (d->kind != TN_DATUM_BYTES)
		return bad(e, op, N_("the value is not the bytes of an integer of more than 64 bits"));
	if (d->n != n)
		return bad(e, op, N_("the number of bytes differs from the size of the integer"));
	b = d->is.bytes;
	above = op->is_signed && b[0] >> (top - 1) & 1 ? 0xff : 0;
	if ((b[0] ^ above) >> top & 0xff)
		return bad(e, op, N_("the value needs more bits than the field has"));
	if (bits > e->end - e->at)
		return tn_encode_full(e);
	for (uint64_t i = 0; i < n; i++) {
		unsigned take = i == (op->big_endian ? 0 : n - 1) ? top : 8;

		if (e->p)
			tn_bits_store(e->p, e->at, take, b[op->big_endian ? i : n - 1 - i], op->big_endian);
		e->at += take;
	}
	return true;
}

static bool
encode_real(struct tn_encoder *e, const struct tn_encode_op *op)
{
	const struct tn_datum *d = next_datum(e, op);
	uint64_t bits;

	if (!d)
		return false;
	if (d->kind != TN_DATUM_FLOAT)
		return bad(e, op, N_("the value is not a floating point number"));
	if (op->bits == 32) {
		float single = (float)d->is.f;
		uint32_t word;

		memcpy(&word, &single, 4);
		bits = word;
	} else {
		memcpy(&bits, &d->is.f, 8);
	}
	return tn_encode_bits(e, op->bits, bits, op->big_endian);
}

/* The size of a code unit in bytes. */
static unsigned
unit_of(const struct tn_type *t)
{
	return t->encoding >= TN_ENCODING_UTF32BE ? 4 : t->encoding >= TN_ENCODING_UTF16BE ? 2 : 1;
}

static bool
has_zero_unit(const uint8_t *bytes, size_t n, unsigned unit)
{
	static const uint8_t zero[4];

	if (unit == 1)
		return n && memchr(bytes, 0, n);
	for (size_t i = 0; i + unit <= n; i += unit)
		if (memcmp(bytes + i, zero, unit) == 0)
			return true;
	return false;
}

/* Write a string or a BLOB. */
static bool
encode_text(struct tn_encoder *e, const struct tn_encode_op *op)
{
	const struct tn_type *t = op->field->type;
	const struct tn_datum *d = next_datum(e, op);
	unsigned unit = t->kind == TN_KIND_STRING ? unit_of(t) : 1;

	if (!d)
		return false;
	if (d->kind != TN_DATUM_BYTES)
		return bad(e, op, t->kind == TN_KIND_STRING ? N_("the value is not text") : N_("the value is not bytes"));
	if (d->n % unit)
		return bad(e, op, N_("the text ends inside a code unit"));
	if (t->extent == TN_EXTENT_TERMINATED && has_zero_unit(d->is.bytes, d->n, unit))
		return bad(e, op, N_("the text contains a NUL, which would end it"));
	if (t->extent == TN_EXTENT_STATIC && d->n > t->length)
		return bad(e, op, N_("the text is longer than the field"));
	if (t->extent == TN_EXTENT_STATIC && t->kind == TN_KIND_BLOB && d->n != t->length)
		return bad(e, op, N_("the number of bytes differs from the size of the field"));
	if (t->extent == TN_EXTENT_DYNAMIC && e->slot[t->ref_slot] != d->n)
		return bad(e, op, N_("its size differs from its length field"));
	return encode_bytes(e, d->is.bytes, d->n) &&
	       (t->extent == TN_EXTENT_DYNAMIC ||
		encode_zeros(e, t->extent == TN_EXTENT_STATIC ? t->length - d->n : unit));
}

static bool run(struct tn_encoder *e, const struct tn_encode_op *op, const struct tn_encode_op *end);

static bool
encode_array(struct tn_encoder *e, const struct tn_encode_op *op)
{
	const struct tn_type *t = op->field->type, *element = t->field[0].type;
	uint64_t n = t->extent == TN_EXTENT_STATIC ? t->length : e->slot[t->ref_slot];

	/* A value of bytes gives all elements at once. If the array has no elements, bytes belong to the next field. */
	if (e->datum != e->datum_end && e->datum->kind == TN_DATUM_BYTES && tn_type_is_integer(element) &&
	    element->length == 8 && element->align == 8 && (n || !e->datum->n)) {
		if (e->datum->n != n)
			return bad(e, op, N_("the number of bytes differs from the number of elements"));
		return encode_bytes(e, e->datum++->is.bytes, n);
	}
	/* Elements can have 0 bits, but their number must be limited, because each needs a value. */
	if (n > (e->end - e->at) && n > UINT32_MAX)
		return bad(e, op, N_("there are more elements than bits in a packet"));
	for (uint64_t i = 0; i < n; i++)
		if (!run(e, op + 1, op + op->next))
			return false;
	return true;
}

static bool
encode_variant(struct tn_encoder *e, const struct tn_encode_op *op)
{
	const struct tn_type *t = op->field->type;

	for (const struct tn_encode_op *o = op + 1; o < op + op->next; o += o->next)
		if (tn_ranges_have(o->field->range, o->field->n_ranges, e->slot[t->ref_slot], t->ref_signed))
			return run(e, o + 1, o + o->next);
	return bad(e, op, N_("its tag selects no option"));
}

static bool
encode_optional(struct tn_encoder *e, const struct tn_encode_op *op)
{
	const struct tn_type *t = op->field->type;
	uint64_t v = e->slot[t->ref_slot];
	bool there = t->some ? tn_ranges_have(t->some, t->n_some, v, t->ref_signed) : v != 0;

	return !there || run(e, op + 1, op + op->next);
}

static bool
run(struct tn_encoder *e, const struct tn_encode_op *op, const struct tn_encode_op *end)
{
	bool fine = true;

	for (; fine && op < end; op += op->next)
		switch ((enum tn_encode_code)op->code) {
		case TN_ENCODE_ALIGN:
			fine = tn_encode_align(e, op->field->type->align);
			break;
		case TN_ENCODE_INTEGER:
			fine = encode_integer(e, op);
			break;
		case TN_ENCODE_VARINT:
			fine = encode_varint(e, op);
			break;
		case TN_ENCODE_WIDE:
			fine = encode_wide(e, op);
			break;
		case TN_ENCODE_REAL:
			fine = encode_real(e, op);
			break;
		case TN_ENCODE_TEXT:
			fine = encode_text(e, op);
			break;
		case TN_ENCODE_ARRAY:
			fine = encode_array(e, op);
			break;
		case TN_ENCODE_VARIANT:
			fine = encode_variant(e, op);
			break;
		case TN_ENCODE_OPTIONAL:
			fine = encode_optional(e, op);
			break;
		case TN_ENCODE_OPTION:	/* an OPTION is only inside of a VARIANT */
			break;
		}
	return fine;
}

bool
tn_encode_run(struct tn_encoder *e, const struct tn_encode_program *program)
{
	uint64_t few[TN_ENCODE_SLOTS];
	bool fine;

	e->slot = program->n_slots <= TN_ENCODE_SLOTS ? few : malloc(program->n_slots * sizeof *e->slot);
	if (!e->slot) {
		e->state = TN_ENCODE_MEMORY;
		return false;
	}
	fine = run(e, program->op, program->op + program->n);
	if (e->slot != few)
		free(e->slot);
	e->slot = NULL;
	return fine;
}
