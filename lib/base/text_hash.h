/* text_hash.h - the end of a text and its hash, in few instructions */
#ifndef TN_BASE_TEXT_HASH_H
#define TN_BASE_TEXT_HASH_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/bits.h"

/*
 * Fold 16 bytes into eight. The rotation is not a number of whole bytes, so that differences in two digits or letters
 * do not cancel out.
 */
static inline uint64_t
tn_text_fold(const uint8_t *p)
{
	uint64_t second = tn_load64(p + 8);

	return tn_load64(p) ^ (second << 29 | second >> 35);
}

/*
 * Hash all bytes. Most texts are short, so the products do not depend on each other. The bytes between the first 16
 * and the last 16 are mixed in, eight at a time.
 */
static inline uint64_t
tn_text_hash(const char *text, size_t n)
{
	const uint8_t *p = (const uint8_t *)text;
	uint64_t h = 0, v = 0;

	if (n >= 16) {
		h = tn_text_fold(p) * UINT64_C(0xff51afd7ed558ccd);
		for (size_t i = 16; i + 16 < n; i += 8)
			h = (h ^ h >> 32 ^ tn_load64(p + i)) * UINT64_C(0xff51afd7ed558ccd);
		v = tn_text_fold(p + n - 16);
	} else if (n >= 8) {
		h = tn_load64(p) * UINT64_C(0xff51afd7ed558ccd);
		v = tn_load64(p + n - 8);
	} else {
		for (size_t i = 0; i < n; i++)
			v = v << 8 | p[i];
	}
	h += v * UINT64_C(0xe7037ed1a0b428db) + n;
	return (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* 32 bits of the hash, for digest/text_filter.h. */
static inline uint32_t
tn_text_hash32(const char *text, size_t n)
{
	return (uint32_t)(tn_text_hash(text, n) >> 32);
}

/* Number of bytes before the first zero; @room: none of the @room bytes is zero. */
static inline size_t
tn_text_size(const uint8_t *p, size_t room)
{
	const uint8_t *zero;
	size_t n = 0;

#ifdef __SSE2__
	for (; room - n >= 16; n += 16) {
		__m128i at = _mm_loadu_si128((const __m128i *)(const void *)(p + n));
		unsigned zeros = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(at, _mm_setzero_si128()));

		if (zeros)
			return n + (unsigned)__builtin_ctz(zeros);
		if (n >= 256)
			break;
	}
#endif
	zero = n < room ? memchr(p + n, 0, room - n) : NULL;
	return zero ? (size_t)(zero - p) : room;
}

#endif
