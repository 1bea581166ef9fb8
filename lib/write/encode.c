#include "write/encode.h"

#include <string.h>

#include "base/bits.h"

void
tn_bits_store(uint8_t *p, uint64_t at, unsigned n, uint64_t v, bool big_endian)
{
	unsigned shift = at & 7;

	p += at >> 3;
	if (shift == 0 && n % 8 == 0) {
		for (unsigned i = 0; i < n / 8; i++)
			p[i] = (uint8_t)(v >> (big_endian ? n - 8 - 8 * i : 8 * i));
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
bad(struct tn_encoder *e, const struct tn_field *f, const char *how)
{
	e->state = TN_ENCODE_BAD;
	e->bad_field = f;
	e->bad = how;
	return false;
}

static bool
full(struct tn_encoder *e)
{
	e->state = TN_ENCODE_FULL;
	return false;
}

bool
tn_encode_align(struct tn_encoder *e, uint64_t align)
{
	uint64_t to = tn_align_up(e->at, align);

	if (to > e->end)
		return full(e);
	e->at = to;
	return true;
}

bool
tn_encode_bits(struct tn_encoder *e, unsigned n, uint64_t v, bool big_endian)
{
	if (n > e->end - e->at)
		return full(e);
	if (e->p)
		tn_bits_store(e->p, e->at, n, v, big_endian);
	e->at += n;
	return true;
}

static bool
encode_bytes(struct tn_encoder *e, const void *bytes, uint64_t n)
{
	if (n > (e->end - e->at) / 8)
		return full(e);
	if (e->p && n)
		memcpy(e->p + e->at / 8, bytes, n);
	e->at += n * 8;
	return true;
}

static const struct tn_datum *
next_datum(struct tn_encoder *e, const struct tn_field *f)
{
	if (e->datum == e->datum_end) {
		bad(e, f, "no value for it");
		return NULL;
	}
	return e->datum++;
}

static bool
encode_integer(struct tn_encoder *e, const struct tn_field *f)
{
	const struct tn_type *t = f->type;
	const struct tn_datum *d = next_datum(e, f);
	unsigned n = (unsigned)t->length;
	bool fits;

	if (!d)
		return false;
	if (d->kind != TN_DATUM_UINT && d->kind != TN_DATUM_SINT)
		return bad(e, f, "the value is no integer");
	if (t->kind == TN_KIND_SINT)
		fits = (d->kind == TN_DATUM_SINT || d->is.u <= INT64_MAX) && tn_sign_extend(d->is.u, n) == d->is.i;
	else
		fits = (d->kind == TN_DATUM_UINT || d->is.i >= 0) && tn_low_bits(d->is.u, n) == d->is.u;
	if (!fits)
		return bad(e, f, "the value needs more bits");
	if (f->slot >= 0)
		e->slot[f->slot] = d->is.u;
	return tn_encode_bits(e, n, d->is.u, t->big_endian);
}

static bool
encode_float(struct tn_encoder *e, const struct tn_field *f)
{
	const struct tn_datum *d = next_datum(e, f);
	uint64_t bits;

	if (!d)
		return false;
	if (d->kind != TN_DATUM_FLOAT)
		return bad(e, f, "the value is no floating point number");
	if (f->type->length == 32) {
		float single = (float)d->is.f;
		uint32_t word;

		memcpy(&word, &single, 4);
		bits = word;
	} else {
		memcpy(&bits, &d->is.f, 8);
	}
	return tn_encode_bits(e, (unsigned)f->type->length, bits, f->type->big_endian);
}

static bool
encode_string(struct tn_encoder *e, const struct tn_field *f)
{
	static const char zeros[64];
	const struct tn_type *t = f->type;
	const struct tn_datum *d = next_datum(e, f);
	uint64_t pad = 0;

	if (!d)
		return false;
	if (d->kind != TN_DATUM_BYTES)
		return bad(e, f, "the value is no text");
	if (t->extent == TN_EXTENT_TERMINATED) {
		if (d->n && memchr(d->is.bytes, 0, d->n))
			return bad(e, f, "the text holds a NUL, which would end it");
		pad = 1;
	} else if (t->extent == TN_EXTENT_STATIC) {
		if (d->n > t->length)
			return bad(e, f, "the text is longer than the field");
		pad = t->length - d->n;
	} else if (e->slot[t->ref_slot] != d->n) {
		return bad(e, f, "the text is not as long as its length says");
	}
	if (!encode_bytes(e, d->is.bytes, d->n))
		return false;
	for (; pad > sizeof zeros; pad -= sizeof zeros)
		if (!encode_bytes(e, zeros, sizeof zeros))
			return false;
	return encode_bytes(e, zeros, pad);
}

static bool
encode_array(struct tn_encoder *e, const struct tn_field *f)
{
	const struct tn_type *t = f->type, *element = t->field[0].type;
	uint64_t n = t->extent == TN_EXTENT_STATIC ? t->length : e->slot[t->ref_slot];

	/* All elements at once, where they are bytes. */
	if (e->datum != e->datum_end && e->datum->kind == TN_DATUM_BYTES && tn_type_is_integer(element) &&
	    element->length == 8 && element->align == 8) {
		if (e->datum->n != n)
			return bad(e, f, "not as many bytes as it has elements");
		return encode_bytes(e, e->datum++->is.bytes, n);
	}
	/* An element may take no bits, but not so many of them that it never ends: each has to have a place. */
	if (n > (e->end - e->at) && n > UINT32_MAX)
		return full(e);
	for (uint64_t i = 0; i < n; i++)
		if (!tn_encode_field(e, &t->field[0]))
			return false;
	return true;
}

static bool
encode_variant(struct tn_encoder *e, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	for (size_t i = 0; i < t->n_fields; i++)
		if (tn_ranges_have(t->field[i].range, t->field[i].n_ranges, e->slot[t->ref_slot], t->ref_signed))
			return tn_encode_field(e, &t->field[i]);
	return bad(e, f, "its tag selects no option");
}

bool
tn_encode_field(struct tn_encoder *e, const struct tn_field *f)
{
	const struct tn_type *t = f->type;

	if (!tn_encode_align(e, t->align))
		return false;
	switch (t->kind) {
	case TN_KIND_UINT:
	case TN_KIND_SINT:
		return encode_integer(e, f);
	case TN_KIND_FLOAT:
		return encode_float(e, f);
	case TN_KIND_STRING:
		return encode_string(e, f);
	case TN_KIND_ARRAY:
		return encode_array(e, f);
	case TN_KIND_VARIANT:
		return encode_variant(e, f);
	case TN_KIND_STRUCT:
		for (size_t i = 0; i < t->n_fields; i++)
			if (!tn_encode_field(e, &t->field[i]))
				return false;
		return true;
	default:
		return bad(e, f, "a type that cannot be written yet");
	}
}
