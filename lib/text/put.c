/* put.c - write strings with escapes */
#include "text/put.h"

const char tn_digit_pairs[201] =
	"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
	"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

#define TRIPLE(v) '0' + (v) / 100, '0' + (v) / 10 % 10, '0' + (v) % 10, (v) < 10 ? 1 : (v) < 100 ? 2 : 3
#define TEN(v) TRIPLE(v), TRIPLE(v + 1), TRIPLE(v + 2), TRIPLE(v + 3), TRIPLE(v + 4), \
	TRIPLE(v + 5), TRIPLE(v + 6), TRIPLE(v + 7), TRIPLE(v + 8), TRIPLE(v + 9)
#define HUNDRED(v) TEN(v), TEN(v + 10), TEN(v + 20), TEN(v + 30), TEN(v + 40), \
	TEN(v + 50), TEN(v + 60), TEN(v + 70), TEN(v + 80), TEN(v + 90)
const char tn_digit_triples[4000] = {
	HUNDRED(0), HUNDRED(100), HUNDRED(200), HUNDRED(300), HUNDRED(400),
	HUNDRED(500), HUNDRED(600), HUNDRED(700), HUNDRED(800), HUNDRED(900),
};

/*
 * How to write a byte inside quotes: 0: unchanged; 'x': two hexadecimal digits; otherwise a backslash and this
 * letter. The control characters are those of the C locale, whatever the locale: bytes from 0x80 on are unchanged.
 */
static const char escape[256] = {
	[0x01] = 'x', [0x02] = 'x', [0x03] = 'x', [0x04] = 'x', [0x05] = 'x', [0x06] = 'x', ['\a'] = 'a',
	['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r', [0x0e] = 'x',
	[0x0f] = 'x', [0x10] = 'x', [0x11] = 'x', [0x12] = 'x', [0x13] = 'x', [0x14] = 'x', [0x15] = 'x',
	[0x16] = 'x', [0x17] = 'x', [0x18] = 'x', [0x19] = 'x', [0x1a] = 'x', [0x1b] = 'e', [0x1c] = 'x',
	[0x1d] = 'x', [0x1e] = 'x', [0x1f] = 'x', [0x7f] = 'x',
	['\\'] = '\\', ['\''] = '\'', ['"'] = '"', ['?'] = '?',
};

static inline char *
put_escape(char *p, uint8_t c)
{
	static const char hex[] = "0123456789abcdef";

	p[0] = '\\';
	p[1] = escape[c];
	p[2] = hex[c >> 4];
	p[3] = hex[c & 15];
	return p + (p[1] == 'x' ? 4 : 2);
}

#if defined(__SSE2__)
#include <emmintrin.h>

/* A mask of the bytes, of 16, that need an escape. */
static inline unsigned
special(__m128i v)
{
	/* A byte is less than 0x20 if the unsigned maximum of it and 0x1f is 0x1f. */
	__m128i low = _mm_cmpeq_epi8(_mm_max_epu8(v, _mm_set1_epi8(0x1f)), _mm_set1_epi8(0x1f));
	__m128i quote = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('"')), _mm_cmpeq_epi8(v, _mm_set1_epi8('\'')));
	__m128i other = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')), _mm_cmpeq_epi8(v, _mm_set1_epi8('?')));
	__m128i all = _mm_or_si128(_mm_or_si128(low, _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f))), _mm_or_si128(quote, other));

	return (unsigned)_mm_movemask_epi8(all);
}

char *
tn_put_mapped(char *p, const uint8_t *bytes, size_t n)
{
	for (;;) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)bytes);
		unsigned mask = special(v);
		size_t some = n < 16 ? n : 16;

		_mm_storeu_si128((__m128i *)(void *)p, v);
		mask &= (1u << some) - 1;
		if (mask) {
			unsigned k = (unsigned)__builtin_ctz(mask);

			p = put_escape(p + k, bytes[k]);
			bytes += k + 1;
			n -= k + 1;
		} else {
			p += some;
			bytes += some;
			n -= some;
		}
		if (!n)
			return p;
	}
}

bool
tn_put_terminated(char **out, const char *limit, const uint8_t **bytes, const uint8_t *end)
{
	const uint8_t *from = *bytes;
	char *p = *out;
	bool met = false;

	while (!met && p <= limit && from < end) {
		__m128i v = _mm_loadu_si128((const __m128i *)(const void *)from);
		unsigned mask = special(v), k;

		_mm_storeu_si128((__m128i *)(void *)p, v);
		if (!mask) {
			p += 16;
			from += 16;
			continue;
		}
		k = (unsigned)__builtin_ctz(mask);
		p += k;
		from += k;
		if (from >= end)
			break;
		met = !*from;
		if (!met)
			p = put_escape(p, *from);
		from++;
	}
	*out = p;
	*bytes = from;
	return met;
}
#else
bool
tn_put_terminated(char **out, const char *limit, const uint8_t **bytes, const uint8_t *end)
{
	for (; *bytes < end && *out <= limit; ++*bytes) {
		if (!**bytes) {
			++*bytes;
			return true;
		}
		if (escape[**bytes])
			*out = put_escape(*out, **bytes);
		else
			*(*out)++ = (char)**bytes;
	}
	return false;
}

char *
tn_put_mapped(char *p, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (escape[bytes[i]])
			p = put_escape(p, bytes[i]);
		else
			*p++ = (char)bytes[i];
	}
	return p;
}
#endif

void
tn_put_escaped(struct tn_str *b, const uint8_t *bytes, size_t n)
{
	const uint8_t *end;
	char *p;

	/* A NUL always ends the text. */
	if (n) {
		end = memchr(bytes, 0, n);
		n = end ? (size_t)(end - bytes) : n;
	}
	do {
		size_t some = n < TN_PUT_PIECE ? n : TN_PUT_PIECE;

		if (!tn_str_reserve(b, 4 * some))
			return;
		p = b->text + b->n;
		for (size_t i = 0; i < some; i++) {
			if (escape[bytes[i]])
				p = put_escape(p, bytes[i]);
			else
				*p++ = (char)bytes[i];
		}
		b->n = (size_t)(p - b->text);
		bytes += some;
		n -= some;
	} while (n);
}
