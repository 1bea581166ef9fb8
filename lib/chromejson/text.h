/*
 * text.h - JSON as loggers write it: text is skipped, compared and converted in place
 *
 * Nothing is copied and no function recurses, so depth and size of a value do not matter. The functions accept more
 * than RFC 8259: commas before } and ], control characters in strings, NaN and other words. A result of NULL means
 * that the value does not end, or is invalid.
 */
#ifndef TN_CHROMEJSON_TEXT_H
#define TN_CHROMEJSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* A piece of the file. A string does not include its quotes, and still has its escapes. */
struct tn_cj_piece {
	const uint8_t *p;
	size_t n;
	bool escaped;
};

enum tn_cj_kind {
	TN_CJ_NONE, TN_CJ_NULL, TN_CJ_BOOL, TN_CJ_NUMBER, TN_CJ_STRING, TN_CJ_OBJECT, TN_CJ_ARRAY, TN_CJ_WORD /* NaN, ... */
};

const uint8_t *tn_cj_blanks(const uint8_t *p, const uint8_t *end);
/* Read a string from its opening quote on. */
const uint8_t *tn_cj_string(const uint8_t *p, const uint8_t *end, struct tn_cj_piece *out);
/* Read a number or a word; returns the place after it. */
const uint8_t *tn_cj_token(const uint8_t *p, const uint8_t *end);
const uint8_t *tn_cj_skip(const uint8_t *p, const uint8_t *end);
/*
 * Move from @p, which is after the { of an object or a comma, to the next value, and get its key. *last: there are no
 * more members, and the result is after the }.
 */
const uint8_t *tn_cj_member(const uint8_t *p, const uint8_t *end, struct tn_cj_piece *key, bool *last);
/* Like tn_cj_member(), in an array, whose elements do not have keys. */
const uint8_t *tn_cj_element(const uint8_t *p, const uint8_t *end, bool *last);

enum tn_cj_kind tn_cj_kind_of(const uint8_t *p, const uint8_t *end);

static inline bool
tn_cj_is(const struct tn_cj_piece *piece, const char *text, size_t n)
{
	return piece->n == n && __builtin_memcmp(piece->p, text, n) == 0;
}
#define TN_CJ_IS(piece, text) tn_cj_is(piece, "" text, sizeof text - 1)

/* Multiply a decimal number by 10^@shift, and drop the fraction. False: it is not a decimal number, or does not fit. */
bool tn_cj_decimal(const uint8_t *p, size_t n, int shift, int64_t *out);
/* Read an integer of up to 64 bits. *negative: it is less than zero. */
bool tn_cj_integer(const uint8_t *p, size_t n, uint64_t *out, bool *negative);
double tn_cj_real(const uint8_t *p, size_t n);
/*
 * Write the text of a string to @out, which has space for at least @piece->n bytes. Returns the number of bytes
 * written.
 */
size_t tn_cj_unescape(uint8_t *out, const struct tn_cj_piece *piece);
/* The piece as a name with a NUL after it; bytes that cannot be shown are \xNN. NULL: memory is out. */
struct tn_arena;
const char *tn_cj_copy(struct tn_arena *arena, const struct tn_cj_piece *piece);

#endif
