/*
 * wire.h - read the fields of protobuf messages one after another
 *
 * Nothing is trusted: if a field does not end inside its message, the message ends, and `bad` is set.
 *
 * Source     perfetto.md, 1
 */
#ifndef TN_PERFETTO_WIRE_H
#define TN_PERFETTO_WIRE_H

#include "base/bits.h"
#include "base/str.h"

enum tn_pf_wire { TN_PF_VARINT, TN_PF_FIXED64, TN_PF_BYTES, TN_PF_GROUP, TN_PF_GROUP_END, TN_PF_FIXED32 };

/* The bytes of a string, a message or a packed array. */
struct tn_pf_bytes {
	const uint8_t *p;
	uint64_t n;
};

struct tn_pf_in {
	const uint8_t *p, *end;
	bool bad;
};

struct tn_pf_field {
	uint64_t number;
	enum tn_pf_wire wire;
	uint64_t value;			/* value of a number */
	struct tn_pf_bytes bytes;	/* empty for a number, but never NULL */
};

static inline struct tn_pf_in
tn_pf_in(struct tn_pf_bytes b)
{
	return (struct tn_pf_in) { b.p, b.p + b.n, false };
}

/* Read a varint of more than one byte. 0, with `bad` set: it does not end. */
uint64_t tn_pf_long_varint(struct tn_pf_in *in);
/* Skip a group. */
void tn_pf_skip_group(struct tn_pf_in *in);

static inline uint64_t
tn_pf_varint(struct tn_pf_in *in)
{
	if (__builtin_expect(in->p < in->end && *in->p < 0x80, 1))
		return *in->p++;
	return tn_pf_long_varint(in);
}

/* Read the next field. False: the message has ended, or is bad. */
static inline bool
tn_pf_next(struct tn_pf_in *in, struct tn_pf_field *f)
{
	uint64_t key, left;

	if (in->p >= in->end || in->bad)
		return false;
	key = tn_pf_varint(in);
	f->number = key >> 3;
	f->wire = (enum tn_pf_wire)(key & 7);
	f->value = 0;
	f->bytes = (struct tn_pf_bytes) { in->p, 0 };
	left = (uint64_t)(in->end - in->p);
	switch (f->wire) {
	case TN_PF_VARINT:
		f->value = tn_pf_varint(in);
		break;
	case TN_PF_FIXED64:
		in->bad |= left < 8;
		if (!in->bad) {
			f->value = tn_load64(in->p);
			in->p += 8;
		}
		break;
	case TN_PF_FIXED32:
		in->bad |= left < 4;
		if (!in->bad) {
			f->value = tn_load64(in->p) & UINT32_MAX;
			in->p += 4;
		}
		break;
	case TN_PF_BYTES:
		f->bytes.n = tn_pf_varint(in);
		in->bad |= f->bytes.n > (uint64_t)(in->end - in->p);
		f->bytes.p = in->p;
		if (!in->bad)
			in->p += f->bytes.n;
		break;
	case TN_PF_GROUP:
		tn_pf_skip_group(in);
		break;
	default:
		in->bad = true;
	}
	in->bad |= !f->number;
	return !in->bad;
}

static inline double
tn_pf_double(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

/* Write the fields of a message by number, with a size limit: `1: 5, 2: "text", 3: {1: 7}`. */
void tn_pf_text(struct tn_str *out, struct tn_pf_bytes message);

#endif
