/*
 * encode.h - write values as bits: the counterpart of the machine in lib/plan
 *
 * Types are compiled once to flat instructions; an event runs through those of its class. Nothing is written outside of
 * bits [0, end) of the packet. If a value does not fit, encoding ends with TN_ENCODE_FULL; if data contradict the types,
 * with TN_ENCODE_BAD. The caller then drops the part that was written. If p is NULL, only positions are computed.
 */
#ifndef TN_WRITE_ENCODE_H
#define TN_WRITE_ENCODE_H

#include <string.h>

#include <tnav/writer.h>

#include "base/arena.h"
#include "base/bits.h"
#include "model/type.h"

#define TN_ENCODE_SLOTS 64	/* limit of slots without an allocation */

enum tn_encode_state { TN_ENCODE_OK, TN_ENCODE_FULL, TN_ENCODE_BAD, TN_ENCODE_MEMORY };

struct tn_encoder {
	uint8_t *p;		/* start of the packet; NULL: only count bits */
	uint64_t at, end;	/* in bits */
	const struct tn_datum *datum, *datum_end;
	enum tn_encode_state state;
	const struct tn_field *bad_field;	/* the field whose data were wrong */
	const char *bad;		/* the mistake in the data */
	uint64_t *slot;
};

enum tn_encode_code {
	TN_ENCODE_ALIGN,	/* align the position to field->type->align */
	TN_ENCODE_INTEGER,	/* an integer, boolean, bit array or bit map */
	TN_ENCODE_VARINT,
	TN_ENCODE_WIDE,		/* a number of more than 64 bits */
	TN_ENCODE_REAL,
	TN_ENCODE_TEXT,		/* a string or BLOB */
	TN_ENCODE_ARRAY,	/* an array; its content follows, up to `next` */
	TN_ENCODE_VARIANT,	/* a variant; an OPTION for each option follows, up to `next` */
	TN_ENCODE_OPTION,
	TN_ENCODE_OPTIONAL
};

struct tn_encode_op {
	uint8_t code;
	uint8_t bits;		/* size of an INTEGER or REAL */
	bool big_endian, is_signed;
	int32_t slot;		/* the slot that stores its value; or TN_NO_SLOT */
	uint32_t next;		/* index of the first instruction after its content */
	const struct tn_field *field;
};

struct tn_encode_program {
	const struct tn_encode_op *op;
	size_t n, n_slots;
};

/*
 * Compile instructions for scopes that follow each other; a scope may be NULL. @aligned: they start at a multiple of this
 * number of bits, a power of two. False: memory is out.
 */
bool tn_encode_compile(struct tn_encode_program *out, struct tn_arena *arena, const struct tn_field *const *scope,
		       size_t n, uint64_t aligned);

/* Like tn_encode_compile(), for the members of a structure from number @from on. */
bool tn_encode_compile_members(struct tn_encode_program *out, struct tn_arena *arena, const struct tn_type *structure,
			       size_t from, uint64_t aligned);

/* Encode the values. Returns whether the state is still TN_ENCODE_OK. */
bool tn_encode_run(struct tn_encoder *e, const struct tn_encode_program *program);

/* Store the lowest @n bits of @v, 1 to 64, at bit @at. The bits around them do not change. */
void tn_bits_store(uint8_t *p, uint64_t at, unsigned n, uint64_t v, bool big_endian);

static inline bool
tn_encode_full(struct tn_encoder *e)
{
	e->state = TN_ENCODE_FULL;
	return false;
}

/* Advance to a multiple of @align bits. */
static inline bool
tn_encode_align(struct tn_encoder *e, uint64_t align)
{
	uint64_t to = tn_align_up(e->at, align);

	if (to > e->end)
		return tn_encode_full(e);
	e->at = to;
	return true;
}

/*
 * Write an integer of @n bits. Most integers have 8, 32 or 64 bits, begin at a byte and have the machine's byte order:
 * this function handles them.
 */
static inline bool
tn_encode_bits(struct tn_encoder *e, unsigned n, uint64_t v, bool big_endian)
{
	bool plain = e->p && e->at % 8 == 0 && big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint32_t word = (uint32_t)v;

	if (n > e->end - e->at)
		return tn_encode_full(e);
	if (plain && n == 64)
		memcpy(e->p + e->at / 8, &v, 8);
	else if (plain && n == 32)
		memcpy(e->p + e->at / 8, &word, 4);
	else if (plain && n == 8)
		e->p[e->at / 8] = (uint8_t)v;
	else if (e->p)
		tn_bits_store(e->p, e->at, n, v, big_endian);
	e->at += n;
	return true;
}

#endif
