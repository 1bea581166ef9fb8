/*
 * encode.h - values to bits: what the plans' machine reads, written
 *
 * Nothing is written outside [0, end) of the packet. A value that does not fit ends the encoding with
 * ENCODE_FULL, data that are not what the types say with ENCODE_BAD; what was written up to there is
 * the caller's to take back. With p NULL only positions are computed.
 */
#ifndef TN_WRITE_ENCODE_H
#define TN_WRITE_ENCODE_H

#include <tnav/writer.h>

#include "model/type.h"

#define TN_ENCODE_SLOTS 64	/* fields of one scope that others refer to: a draft refuses more */

enum tn_encode_state { TN_ENCODE_OK, TN_ENCODE_FULL, TN_ENCODE_BAD };

struct tn_encoder {
	uint8_t *p;		/* first byte of the packet; NULL: count only */
	uint64_t at, end;	/* bits */
	const struct tn_datum *datum, *datum_end;
	enum tn_encode_state state;
	const struct tn_field *bad_field;	/* where the data were wrong */
	const char *bad;		/* and how */
	uint64_t slot[TN_ENCODE_SLOTS];
};

/* The low @n bits of @v, 1 to 64, at bit @at; bits around them stay. */
void tn_bits_store(uint8_t *p, uint64_t at, unsigned n, uint64_t v, bool big_endian);

/* All of a scope; true when the state is still TN_ENCODE_OK. */
bool tn_encode_field(struct tn_encoder *e, const struct tn_field *field);

/* Move to a multiple of @align; write an integer of @n bits there. */
bool tn_encode_align(struct tn_encoder *e, uint64_t align);
bool tn_encode_bits(struct tn_encoder *e, unsigned n, uint64_t v, bool big_endian);

#endif
