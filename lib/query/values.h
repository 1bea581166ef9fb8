/*
 * values.h - what values a field has in the events of one packet, as the digest keeps it
 *
 * Of numbers the least and the greatest, and, where it was looked at closely, a print of 16 bits of each different one
 * while they are few: what has no print is not there, what has one may be. Of texts there are more: each has three bits in
 * one of some words, so that they are put together without a look at what is there. Where it was looked at deeply, a sieve:
 * a bit for each four bytes that follow each other in a text, so that a part of one can be asked for.
 */
#ifndef TN_QUERY_VALUES_H
#define TN_QUERY_VALUES_H

#include "digest/digest.h"
#include "query/field.h"

#define TN_PRINTS 1024	/* of a packet, at most */
#define TN_TEXT_WORDS 512	/* of a packet, at most */
#define TN_PART 4	/* bytes of a text that have a bit */
#define TN_SIEVE_BITS 15	/* a sieve has 2 to the power of that many bits at most */

enum tn_values_kind { TN_VALUES_NONE, TN_VALUES_UNSIGNED, TN_VALUES_SIGNED, TN_VALUES_TEXT, TN_VALUES_MIXED };

struct tn_values {
	enum tn_values_kind kind;	/* NONE: no event has the field; MIXED: anything */
	bool closely;		/* prints were made */
	bool deeply;		/* and a sieve, or there is no need of one */
	bool many;		/* there are more prints than are kept, or none were made */
	uint64_t least, greatest;	/* signed ones with their top bit turned */
	uint64_t *bits;		/* one for each print, while parts are joined */
	size_t n_bits;		/* that are set */
	TN_ARRAY(uint16_t) print;	/* in order, when it was read from a note */
	TN_ARRAY(uint64_t) texts;	/* of texts, in place of those: three bits of each */
	bool full;		/* the sieve lets everything through */
	bool beyond;		/* what is in the sieve has bytes beyond ASCII; only where it was looked at deeply */
	unsigned sieve_bits;	/* it has 1 << sieve_bits bits; 0: there is none */
	TN_ARRAY(uint64_t) sieve;
	bool spared_prints, spared_sieve;	/* of some parts none were made: there were too many in the packets before */
};

/* What a part of the packet has. */
struct tn_values_part {
	enum tn_values_kind kind;
	bool many;
	uint64_t least, greatest;
	const uint32_t *print;	/* of numbers: of 16 bits */
	size_t n;
	size_t text_words;	/* of texts: how many there are to be */
	bool full, beyond;	/* of the sieve */
	unsigned sieve_bits;	/* 0: there is none */
	const uint16_t *bit;	/* of the sieve, one by one, beside those in @sieve */
	size_t n_bits;
	const uint64_t *sieve;	/* or NULL */
	bool spared_prints, spared_sieve;
};

static inline uint16_t
tn_print_of(uint64_t v)
{
	return (uint16_t)(v * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

/* The sieve of a packet of that size: its bits to the power of 2. */
unsigned tn_sieve_bits(uint64_t packet_bytes);

/* How many prints there is room for in the note of a packet of that size: one part of 200. */
static inline size_t
tn_values_most_prints(uint64_t packet_bytes)
{
	return packet_bytes / 200 < TN_PRINTS ? 4 + (size_t)(packet_bytes / 200) : TN_PRINTS;
}

/* In how many words texts have their bits: as above. */
static inline size_t
tn_values_text_words(uint64_t packet_bytes)
{
	size_t n = packet_bytes / 200 < TN_TEXT_WORDS * 8 ? (4 + (size_t)(packet_bytes / 200)) / 8 : TN_TEXT_WORDS;

	return n ? n : 1;
}

static inline size_t
tn_sieve_words(unsigned bits)
{
	return (((size_t)1 << bits) + 63) >> 6;
}

/*
 * The bit of TN_PART bytes. Where all are letters (they, '_' and few others have this bit) it is in the last quarter: of those
 * parts there are few, while numbers in texts fill the rest.
 */
static inline uint32_t
tn_sieve_bit(uint32_t four, unsigned bits)
{
	uint32_t hash = four * UINT32_C(0x9e3779b1), quarter = UINT32_C(1) << (bits - 2);

	return (four & UINT32_C(0x40404040)) == UINT32_C(0x40404040) ? 3 * quarter + (hash >> (34 - bits))
								     : (uint32_t)((uint64_t)hash * (3 * quarter) >> 32);
}

static inline uint32_t
tn_sieve_part(const char *text, unsigned bits)
{
	uint32_t four;

	memcpy(&four, text, sizeof four);
	return tn_sieve_bit(four, bits);
}

/* The note of TN_COLUMN_FIELD, with at most @most prints; appended. */
bool tn_values_write(struct tn_values *values, size_t most, struct tn_note_bytes *note);
/* False: it is none. */
bool tn_values_read(struct tn_values *out, const uint8_t *bytes, size_t n);
/* Whether a note says as much as one would that is made now. */
bool tn_values_suffice(const uint8_t *bytes, size_t n, bool closely, bool deeply);
void tn_values_clear(struct tn_values *values);	/* keeps the room */
void tn_values_release(struct tn_values *values);

/* Add what another part of the packet has. */
void tn_values_join(struct tn_values *values, const struct tn_values_part *part);

bool tn_values_may_have(const struct tn_values *values, uint16_t print);
/* Whether there may be this text; one that has it in it. Only of texts. */
bool tn_values_may_have_text(const struct tn_values *values, const char *text, size_t n);
bool tn_values_may_have_inside(const struct tn_values *values, const char *text, size_t n);

#endif
