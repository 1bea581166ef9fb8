/*
 * text_hash.h - where a text ends, and a hash of it, in few instructions
 */
#ifndef TN_QUERY_TEXT_HASH_H
#define TN_QUERY_TEXT_HASH_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/bits.h"

/* The highest bits are the best. */
static inline uint64_t
tn_text_hash(const char *text, size_t n)
{
	const uint8_t *p = (const uint8_t *)text;
	uint64_t h = n, v = 0;

	if (n >= 8) {
		for (size_t i = 0; i + 8 < n; i += 8)
			h = (h ^ tn_load64(p + i)) * UINT64_C(0xff51afd7ed558ccd);
		v = tn_load64(p + n - 8);
	} else {
		for (size_t i = 0; i < n; i++)
			v = v << 8 | p[i];
	}
	h = (h ^ h >> 32 ^ v) * UINT64_C(0xff51afd7ed558ccd);
	return (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* How many bytes there are before the first zero, of @room; @room: all. */
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
