#include "chromejson/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bits.h"

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

const uint8_t *
tn_cj_blanks(const uint8_t *p, const uint8_t *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/* Check eight bytes: the lowest set bit marks the first quote or backslash. */
static inline uint64_t
marks(const uint8_t *p)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);
	uint64_t w = tn_load64(p), q = w ^ ones * '"', b = w ^ ones * '\\';

	return (((q - ones) & ~q) | ((b - ones) & ~b)) & high;
}

const uint8_t *
tn_cj_string(const uint8_t *p, const uint8_t *end, struct tn_cj_piece *out)
{
	const uint8_t *from = ++p;

	out->escaped = false;
	for (;;) {
		uint64_t found = 0;

		while (p < end && !(found = marks(p)))
			p += 8;
		p += found ? __builtin_ctzll(found) / 8 : 0;
		if (p >= end)
			return NULL;
		if (*p == '"')
			break;
		out->escaped = true;
		if (end - p < 2)
			return NULL;
		p += 2;
	}
	out->p = from;
	out->n = (size_t)(p - from);
	return p + 1;
}

const uint8_t *
tn_cj_token(const uint8_t *p, const uint8_t *end)
{
	static const bool is_part[256] = {
		['0'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ['.'] = 1, ['-'] = 1, ['+'] = 1, ['_'] = 1,
		['a'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		['A'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	};
	const uint8_t *from = p;

	while (p < end && is_part[*p])
		p++;
	/* The end of the file may cut a value. */
	return p == from || p == end ? NULL : p;
}

const uint8_t *
tn_cj_skip(const uint8_t *p, const uint8_t *end)
{
	struct tn_cj_piece unused;
	size_t depth = 0;

	do {
		p = tn_cj_blanks(p, end);
		if (p >= end)
			return NULL;
		switch (*p) {
		case '{': case '[':
			depth++;
			p++;
			break;
		case '}': case ']':
			if (!depth)
				return NULL;
			depth--;
			p++;
			break;
		case ',': case ':':
			if (!depth)
				return NULL;
			p++;
			break;
		case '"':
			p = tn_cj_string(p, end, &unused);
			break;
		default:
			p = tn_cj_token(p, end);
			break;
		}
	} while (p && depth);
	return p;
}

const uint8_t *
tn_cj_member(const uint8_t *p, const uint8_t *end, struct tn_cj_piece *key, bool *last)
{
	p = tn_cj_blanks(p, end);
	if (p < end && *p == ',')
		p = tn_cj_blanks(p + 1, end);
	*last = p < end && *p == '}';
	if (*last)
		return p + 1;
	if (p >= end || *p != '"' || !(p = tn_cj_string(p, end, key)))
		return NULL;
	p = tn_cj_blanks(p, end);
	if (p >= end || *p != ':')
		return NULL;
	p = tn_cj_blanks(p + 1, end);
	return p < end ? p : NULL;
}

const uint8_t *
tn_cj_element(const uint8_t *p, const uint8_t *end, bool *last)
{
	p = tn_cj_blanks(p, end);
	if (p < end && *p == ',')
		p = tn_cj_blanks(p + 1, end);
	*last = p < end && *p == ']';
	return *last ? p + 1 : p < end ? p : NULL;
}

enum tn_cj_kind
tn_cj_kind_of(const uint8_t *p, const uint8_t *end)
{
	if (p >= end)
		return TN_CJ_NONE;
	switch (*p) {
	case '"': return TN_CJ_STRING;
	case '{': return TN_CJ_OBJECT;
	case '[': return TN_CJ_ARRAY;
	case 'n': return end - p >= 4 && memcmp(p, "null", 4) == 0 ? TN_CJ_NULL : TN_CJ_WORD;
	case 't': case 'f': return TN_CJ_BOOL;
	case '-': return end - p >= 2 && p[1] >= '0' && p[1] <= '9' ? TN_CJ_NUMBER : TN_CJ_WORD;
	default: return *p >= '0' && *p <= '9' ? TN_CJ_NUMBER : TN_CJ_WORD;
	}
}

/* ---- numbers ---- */

/* Read up to 18 digits of the number, and get the power of ten by which to multiply them. */
static bool
read_digits(const uint8_t *p, size_t n, uint64_t *digits, int64_t *power, bool *negative)
{
	const uint8_t *end = p + n;
	bool some = false, point = false;
	unsigned kept = 0;
	int64_t exponent = 0;

	*digits = 0;
	*power = 0;
	*negative = p < end && *p == '-';
	for (p += p < end && (*p == '-' || *p == '+'); p < end && (*p == '.' || (*p >= '0' && *p <= '9')); p++) {
		if (*p == '.') {
			if (point)
				return false;
			point = true;
			continue;
		}
		some = true;
		if (kept < 19) {
			*digits = *digits * 10 + (uint64_t)(*p - '0');
			kept += *digits != 0;
			*power -= point;
		} else {
			*power += !point;
		}
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		bool minus = ++p < end && *p == '-';

		p += p < end && (*p == '-' || *p == '+');
		if (p == end)
			return false;
		for (; p < end && *p >= '0' && *p <= '9'; p++)
			exponent = exponent < 100000 ? exponent * 10 + (*p - '0') : exponent;
		*power += minus ? -exponent : exponent;
	}
	return some && p == end;
}

/* Like tn_cj_decimal(), for digits that fit and contain at most one point. */
static bool
is_plain(const uint8_t *p, size_t n, int shift, int64_t *out)
{
	const uint8_t *end = p + n;
	uint64_t v = 0;

	if (!n || n > 19)
		return false;
	for (; p < end && (uint8_t)(*p - '0') < 10; p++)
		v = v * 10 + (uint8_t)(*p - '0');
	if (p < end && *p == '.')
		for (p++; p < end && (uint8_t)(*p - '0') < 10; p++)
			if (shift) {
				v = v * 10 + (uint8_t)(*p - '0');
				shift--;
			}
	for (; shift > 0; shift--)
		if (__builtin_mul_overflow(v, UINT64_C(10), &v))
			return false;
	if (p < end || v > INT64_MAX || p[-1] == '.')
		return false;
	*out = (int64_t)v;
	return true;
}

bool
tn_cj_decimal(const uint8_t *p, size_t n, int shift, int64_t *out)
{
	uint64_t digits;
	int64_t power;
	bool negative;

	if (is_plain(p, n, shift, out))
		return true;
	if (!read_digits(p, n, &digits, &power, &negative))
		return false;
	for (power += shift; digits && power < 0; power++)
		digits /= 10;
	for (; digits && power > 0; power--)
		if (__builtin_mul_overflow(digits, UINT64_C(10), &digits))
			return false;
	if (digits > (uint64_t)INT64_MAX)
		return false;
	*out = negative ? -(int64_t)digits : (int64_t)digits;
	return true;
}

bool
tn_cj_integer(const uint8_t *p, size_t n, uint64_t *out, bool *negative)
{
	const uint8_t *end = p + n;

	*out = 0;
	*negative = n && *p == '-';
	p += *negative;
	if (p == end)
		return false;
	/* 18 digits always fit into 64 bits. */
	for (; n <= 18 && p < end && *p >= '0' && *p <= '9'; p++)
		*out = *out * 10 + (uint64_t)(*p - '0');
	for (; p < end; p++)
		if (*p < '0' || *p > '9' || __builtin_mul_overflow(*out, UINT64_C(10), out) ||
		    __builtin_add_overflow(*out, (uint64_t)(*p - '0'), out))
			return false;
	return !*negative || *out <= (uint64_t)INT64_MAX + 1;
}

double
tn_cj_real(const uint8_t *p, size_t n)
{
	char text[64];
	uint64_t digits;
	int64_t power;
	bool negative;

	if (n >= sizeof text) {
		if (!read_digits(p, n, &digits, &power, &negative))
			return 0;
		/* Digits after the 19th do not change a double. */
		n = (size_t)snprintf(text, sizeof text, "%s%llue%lld", negative ? "-" : "", (unsigned long long)digits,
				     (long long)power);
	} else {
		memcpy(text, p, n);
	}
	text[n] = '\0';
	return strtod(text, NULL);
}

/* ---- strings ---- */

static int
hex4(const uint8_t *p)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		int c = p[i], low = c | 0x20;

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if (low >= 'a' && low <= 'f')
			v = v << 4 | (low - 'a' + 10);
		else
			return -1;
	}
	return v;
}

static size_t
put_utf8(uint8_t *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (uint8_t)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (uint8_t)(0xc0 | c >> 6);
		out[1] = (uint8_t)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (uint8_t)(0xe0 | c >> 12);
		out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
		out[2] = (uint8_t)(0x80 | (c & 0x3f));
		return 3;
	}
	out[0] = (uint8_t)(0xf0 | c >> 18);
	out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
	out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
	out[3] = (uint8_t)(0x80 | (c & 0x3f));
	return 4;
}

/* Read "\uXXXX" at @p, or two of them; half of a pair becomes U+FFFD. *taken: number of bytes read. */
static size_t
put_escape(uint8_t *out, const uint8_t *p, const uint8_t *end, size_t *taken)
{
	int c = end - p >= 6 ? hex4(p + 2) : -1, d;

	*taken = 6;
	if (c < 0) {
		*taken = 2;
		out[0] = p[1];
		return 1;
	}
	if (c >= 0xd800 && c < 0xdc00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u' &&
	    (d = hex4(p + 8)) >= 0xdc00 && d < 0xe000) {
		*taken = 12;
		return put_utf8(out, 0x10000 + ((uint32_t)c - 0xd800) * 0x400 + ((uint32_t)d - 0xdc00));
	}
	return put_utf8(out, c >= 0xd800 && c < 0xe000 ? 0xfffd : (uint32_t)c);
}

size_t
tn_cj_unescape(uint8_t *out, const struct tn_cj_piece *piece)
{
	const uint8_t *p = piece->p, *end = p + piece->n;
	uint8_t *to = out;

	while (p < end) {
		size_t taken = 2;

		if (*p != '\\' || end - p < 2) {
			*to++ = *p++;
			continue;
		}
		switch (p[1]) {
		case 'n': *to++ = '\n'; break;
		case 't': *to++ = '\t'; break;
		case 'r': *to++ = '\r'; break;
		case 'b': *to++ = '\b'; break;
		case 'f': *to++ = '\f'; break;
		case 'u': to += put_escape(to, p, end, &taken); break;
		default: *to++ = p[1]; break;
		}
		p += taken;
	}
	return (size_t)(to - out);
}

/* The number of bytes of the character at @p. 0: it is invalid, or must not be shown. */
static size_t
shown(const uint8_t *p, size_t left)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;

	if (!n || n > left || p[0] < 0x20 || p[0] == 0x7f || (p[0] == 0xc2 && p[1] < 0xa0))
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Reject overlong forms, halves of surrogate pairs, and characters beyond Unicode. */
	return (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf0 && p[1] < 0x90) ||
	       (p[0] == 0xf4 && p[1] >= 0x90) ? 0 : n;
}

const char *
tn_cj_copy(struct tn_arena *arena, const struct tn_cj_piece *piece)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t few[256], *text = piece->n <= sizeof few ? few : malloc(piece->n);
	size_t n = text ? tn_cj_unescape(text, piece) : 0, i, k;
	char *out = text ? tn_arena_alloc(arena, 4 * n + 1) : NULL, *to = out;

	for (i = 0; out && i < n; i += k) {
		k = shown(text + i, n - i);
		if (k) {
			memcpy(to, text + i, k);
			to += k;
			continue;
		}
		k = 1;
		*to++ = '\\';
		*to++ = 'x';
		*to++ = digits[text[i] >> 4];
		*to++ = digits[text[i] & 15];
	}
	if (out)
		*to = '\0';
	if (text != few)
		free(text);
	return out;
}
