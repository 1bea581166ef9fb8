/*
 * text_filter.h - filters for the texts of a field in a packet: part of its zone map
 *
 * The Bloom filter proves that a text is absent. Each text has three bits in one word, so that the filters of parts of a
 * packet can be joined word by word. The n-gram filter proves that a part of a text is absent: it has a bit for each four
 * successive bytes of a text.
 */
#ifndef TN_DIGEST_TEXT_FILTER_H
#define TN_DIGEST_TEXT_FILTER_H

#include "digest/zone_map.h"

#define TN_BLOOM_WORDS 512	/* limit of words for a packet */
#define TN_NGRAM 4	/* bytes of a text that together have a bit */
#define TN_NGRAM_BITS 15	/* an n-gram filter has at most 2 to this power bits */

/* The size of the n-gram filter for a packet of @packet_bytes bytes, in bits, as a power of 2. */
unsigned tn_ngram_bits(uint64_t packet_bytes);

/* The number of words of the Bloom filter for such a packet, about 1/200 of its size. */
static inline size_t
tn_bloom_words(uint64_t packet_bytes)
{
	size_t n = packet_bytes / 200 < TN_BLOOM_WORDS * 8 ? (4 + (size_t)(packet_bytes / 200)) / 8 : TN_BLOOM_WORDS;

	return n ? n : 1;
}

static inline size_t
tn_ngram_words(unsigned bits)
{
	return (((size_t)1 << bits) + 63) >> 6;
}

/*
 * The bit for TN_NGRAM bytes. If all bytes are letters (or '_' or one of a few others), the bit is in the last quarter.
 * There are few parts of this kind, while numbers in texts fill the other quarters.
 */
static inline uint32_t
tn_ngram_bit(uint32_t four, unsigned bits)
{
	uint32_t hash = four * UINT32_C(0x9e3779b1), quarter = UINT32_C(1) << (bits - 2);

	return (four & UINT32_C(0x40404040)) == UINT32_C(0x40404040) ? 3 * quarter + (hash >> (34 - bits))
								     : (uint32_t)((uint64_t)hash * (3 * quarter) >> 32);
}

static inline uint32_t
tn_ngram_part(const char *text, unsigned bits)
{
	uint32_t four;

	memcpy(&four, text, sizeof four);
	return tn_ngram_bit(four, bits);
}

/* Join the text filters of a zone map. False: memory is out or, for reading, the bytes are invalid. */
void tn_text_filter_join(struct tn_zone *zone, const struct tn_zone_part *part, const struct tn_zone_lists *lists);
bool tn_text_filter_write(struct tn_zone *zone, struct tn_note_bytes *note);
bool tn_text_filter_read(struct tn_zone *zone, const uint8_t **p, const uint8_t *end);

/* Whether the packet may have this text, or a text that contains it. The zone map must be of texts. */
bool tn_zone_may_have_text(const struct tn_zone *zone, const char *text, size_t n);
bool tn_zone_may_have_inside(const struct tn_zone *zone, const char *text, size_t n);

#endif
