/*
 * zone_map.h - the values of a field in the events of one packet: notes of TN_COLUMN_FIELD
 *
 * For numbers, a zone map has the smallest and the largest. At the level HASHES it also has a hash of 16 bits for each
 * different number, if there are few. A number whose hash is missing is not in the packet. For texts it has filters
 * (text_filter.h).
 */
#ifndef TN_DIGEST_ZONE_MAP_H
#define TN_DIGEST_ZONE_MAP_H

#include "base/array.h"
#include "digest/digest.h"

#define TN_ZONE_MOST_HASHES 1024	/* limit of hashes for a packet */

enum tn_zone_kind { TN_ZONE_NONE, TN_ZONE_UNSIGNED, TN_ZONE_SIGNED, TN_ZONE_TEXT, TN_ZONE_MIXED };

/* The level of detail of a zone map, as bits. 0: only the smallest and the largest number. */
enum {
	TN_ZONE_HASHES = 1,	/* hashes of numbers, or the Bloom filter of texts */
	TN_ZONE_NGRAMS = 2	/* the n-gram filter of texts, unless it is not needed */
};

struct tn_zone {
	enum tn_zone_kind kind;	/* NONE: no event has the field. MIXED: any values */
	unsigned level;
	bool many;		/* more hashes or texts than the limit, or none were collected */
	uint64_t least, greatest;	/* for signed numbers, the top bit is inverted */
	uint64_t *bits;		/* one bit for each hash, used while parts are joined */
	size_t n_bits;		/* number of set bits in `bits` */
	TN_ARRAY(uint16_t) hash;	/* sorted, if read from a note */
	/* text_filter.h: */
	TN_ARRAY(uint64_t) bloom;	/* words of the Bloom filter */
	bool full;		/* the n-gram filter excludes nothing */
	bool beyond;		/* texts in the n-gram filter have bytes beyond ASCII */
	unsigned ngram_bits;	/* the n-gram filter has 1 << ngram_bits bits; 0: no filter */
	TN_ARRAY(uint64_t) ngrams;
	bool spared_hashes, spared_ngrams;	/* some parts have no hashes or filters, because earlier packets had too many */
};

/* Lists of the hashes and filters of parts of packets. */
struct tn_zone_lists {
	TN_ARRAY(uint32_t) hashes;	/* hashes of numbers (16 bits) and of texts (32 bits) */
	TN_ARRAY(uint64_t) words;	/* words of the n-gram filters */
	TN_ARRAY(uint16_t) bits;	/* numbers of the bits set in such a filter */
};

/* The values in a part of a packet. Its hashes and filters are in lists. */
struct tn_zone_part {
	enum tn_zone_kind kind;
	bool many;
	uint64_t least, greatest;
	size_t first_hash, n_hashes;
	size_t bloom_words;	/* tn_bloom_words() for the packet */
	bool full, beyond, has_ngrams;	/* has_ngrams: there is an n-gram filter, whose words begin at first_word */
	bool spared_hashes, spared_ngrams;
	unsigned ngram_bits;	/* 0: no n-gram filter is made */
	size_t first_word, first_bit, n_bits;
};

static inline uint16_t
tn_zone_hash(uint64_t v)
{
	return (uint16_t)(v * UINT64_C(0x9e3779b97f4a7c15) >> 48);
}

/* The limit of hashes in the note of a packet of @packet_bytes bytes: 1/200 of its size. */
static inline size_t
tn_zone_most_hashes(uint64_t packet_bytes)
{
	return packet_bytes / 200 < TN_ZONE_MOST_HASHES ? 4 + (size_t)(packet_bytes / 200) : TN_ZONE_MOST_HASHES;
}

/* Append the note with at most @most hashes. */
bool tn_zone_write(struct tn_zone *zone, size_t most, struct tn_note_bytes *note);
/* False: the bytes are not a valid note. */
bool tn_zone_read(struct tn_zone *out, const uint8_t *bytes, size_t n);
unsigned tn_zone_level(struct tn_note note);	/* level of a note */
void tn_zone_clear(struct tn_zone *zone);	/* keeps the allocations */
void tn_zone_release(struct tn_zone *zone);
/* Join with another part of the packet. */
void tn_zone_join(struct tn_zone *zone, const struct tn_zone_part *part, const struct tn_zone_lists *lists);
void tn_zone_lists_clear(struct tn_zone_lists *lists);	/* keeps the allocations */
void tn_zone_lists_release(struct tn_zone_lists *lists);

bool tn_zone_may_have(const struct tn_zone *zone, uint16_t hash);

#endif
