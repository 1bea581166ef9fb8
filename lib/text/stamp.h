/* stamp.h - write the usual stamp of a line in one step */
#ifndef TN_TEXT_STAMP_H
#define TN_TEXT_STAMP_H

#include "text/line.h"
#include "text/text.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define TN_STAMP_ROOM 128

/* Write the eight decimal digits of @a at @p, and of @b at @q; both are less than 10^8. */
static inline void
tn_put_8_twice(char *p, uint32_t a, char *q, uint32_t b)
{
#if defined(__SSE2__)
	/* Divide both numbers at the same time: halves, quarters, eighths, as in tn_decimal_digits(). */
	__m128i v = _mm_set_epi64x((long long)b, (long long)a), high, low;

	high = _mm_srli_epi64(_mm_mul_epu32(v, _mm_set1_epi64x(0xd1b71759)), 45);	/* / 10000 */
	low = _mm_sub_epi32(v, _mm_mul_epu32(high, _mm_set1_epi64x(10000)));
	v = _mm_or_si128(high, _mm_slli_epi64(low, 32));
	high = _mm_srli_epi16(_mm_mulhi_epu16(v, _mm_set1_epi32(5243)), 3);	/* / 100 */
	low = _mm_sub_epi16(v, _mm_mullo_epi16(high, _mm_set1_epi32(100)));
	v = _mm_or_si128(high, _mm_slli_epi32(low, 16));
	high = _mm_mulhi_epu16(v, _mm_set1_epi16(6554));	/* / 10 */
	low = _mm_sub_epi16(v, _mm_mullo_epi16(high, _mm_set1_epi16(10)));
	v = _mm_or_si128(_mm_or_si128(high, _mm_slli_epi16(low, 8)), _mm_set1_epi8('0'));
	_mm_storel_epi64((__m128i *)(void *)p, v);
	_mm_storel_epi64((__m128i *)(void *)q, _mm_unpackhi_epi64(v, v));
#else
	tn_put_8(p, a);
	tn_put_8(q, b);
#endif
}

/*
 * Write "[hh:mm:ss.nnnnnnnnn] (+0.nnnnnnnnn) " if @now is in the cached second and less than a second after
 * @previous. NULL: it is not, or stamps have another form. Needs TN_STAMP_ROOM bytes.
 */
static inline char *
tn_put_usual_stamp(char *p, const struct tn_second *cache, int64_t now, const struct tn_line_previous *previous)
{
	uint64_t part = (uint64_t)now - (uint64_t)cache->begin_ns, delta;
	uint32_t first, second;

	if (!cache->usual || part >= 1000000000 || !previous || !previous->known)
		return NULL;
	delta = (uint64_t)now - (uint64_t)previous->ns;
	if (delta >= 1000000000)
		return NULL;
	*p++ = '[';
	memcpy(p, cache->text, 32);
	p += cache->n;
	*p++ = '.';
	first = (uint32_t)part / 100000000;
	second = (uint32_t)delta / 100000000;
	p[0] = (char)('0' + first);
	p[15] = (char)('0' + second);
	tn_put_8_twice(p + 1, (uint32_t)part - first * 100000000, p + 16, (uint32_t)delta - second * 100000000);
	memcpy(p + 9, "] (+0.", 6);
	memcpy(p + 24, ") ", 2);
	return p + 26;
}

#define TN_STAMP_SPAN 10000	/* nanoseconds in which only four digits change */
#define TN_STAMP_DELTA 15	/* distance of the last four digits of the time and of the delta: "1234] (+0.000001234" */

/*
 * Like tn_put_usual_stamp(), if only the last four digits of time and delta changed since tn_cache_stamp(); otherwise
 * NULL.
 */
static inline char *
tn_put_next_stamp(char *p, const struct tn_second *cache, int64_t now, int64_t previous)
{
	uint64_t part = (uint64_t)now - (uint64_t)cache->stamp_ns, delta = (uint64_t)now - (uint64_t)previous, digits;
	uint32_t first, second;

	if (part >= cache->stamp_span || delta >= TN_STAMP_SPAN)
		return NULL;
	digits = tn_decimal_fours((uint32_t)part, (uint32_t)delta) | UINT64_C(0x3030303030303030);
	first = (uint32_t)digits;
	second = (uint32_t)(digits >> 32);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	first = __builtin_bswap32(first);
	second = __builtin_bswap32(second);
#endif
	memcpy(p, cache->stamp, 48);
	p += cache->four;
	memcpy(p, &first, 4);
	memcpy(p + TN_STAMP_DELTA, &second, 4);
	return p + TN_STAMP_DELTA + 6;
}

/* Keep the stamp at @p, of the time @now and the delta @delta, for the next line. */
static inline void
tn_cache_stamp(struct tn_second *cache, const char *p, int64_t now, uint64_t delta)
{
	if (delta >= TN_STAMP_SPAN)
		return;
	cache->stamp_ns = now - (now - cache->begin_ns) % TN_STAMP_SPAN;
	cache->stamp_span = TN_STAMP_SPAN;
	cache->four = cache->n + 7;	/* "[", ".", and five digits */
	memcpy(cache->stamp, p, cache->four + TN_STAMP_DELTA + 6);
}

#endif
