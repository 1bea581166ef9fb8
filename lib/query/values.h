/*
 * values.h - what values a field has in the events of one packet, as the digest keeps it
 *
 * The least and the greatest number, and, where it was looked at closely, a print of 16 bits of each different number or
 * text while they are few: what has no print is not there, what has one may be.
 */
#ifndef TN_QUERY_VALUES_H
#define TN_QUERY_VALUES_H

#include "digest/digest.h"
#include "query/field.h"

#define TN_PRINTS 1024	/* of a packet, at most */

enum tn_values_kind { TN_VALUES_NONE, TN_VALUES_UNSIGNED, TN_VALUES_SIGNED, TN_VALUES_TEXT, TN_VALUES_MIXED };

struct tn_values {
	enum tn_values_kind kind;	/* NONE: no event has the field; MIXED: anything */
	bool closely;		/* prints were made */
	bool many;		/* there are more prints than are kept, or none were made */
	uint64_t least, greatest;	/* signed ones with their top bit turned */
	TN_ARRAY(uint16_t) print;	/* sorted when it is read from a note */
};

static inline uint16_t
tn_print_of(uint64_t v)
{
	return (uint16_t)(v * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

/* The note of TN_COLUMN_FIELD, with at most @most prints; appended. */
bool tn_values_write(struct tn_values *values, size_t most, struct tn_note_bytes *note);
/* False: it is none. */
bool tn_values_read(struct tn_values *out, const uint8_t *bytes, size_t n);
/* Whether a note says as much as one would that is made now. */
bool tn_values_suffice(const uint8_t *bytes, size_t n, bool closely);
void tn_values_clear(struct tn_values *values);	/* keeps the room */
void tn_values_release(struct tn_values *values);

/* Add what another part of the packet has. */
void tn_values_join(struct tn_values *values, enum tn_values_kind kind, uint64_t least, uint64_t greatest, bool many,
		    const uint16_t *print, size_t n);

bool tn_values_may_have(const struct tn_values *values, uint16_t print);

#endif
