/*
 * pattern.h - texts contained in every match of a pattern (PCRE2)
 *
 * The texts are runs of characters that a line never puts between two of its parts, so that each is in one part
 * or in none: between parts are blanks, brackets, '=', ',', ':', quotes (formats/text.md, 1 and 4).
 */
#ifndef TN_SCAN_PATTERN_H
#define TN_SCAN_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define TN_LITERAL_SIZE 64

/*
 * Texts that every match of @pattern contains, each a run of characters as above, the longest first; returns
 * their number. None if the pattern is too complex.
 */
size_t tn_pattern_literals(const char *pattern, char (*out)[TN_LITERAL_SIZE], size_t room);

#define TN_TAIL_SIZE 8

/*
 * The characters after one of these texts in every match, as far as each is one character: itself, or 0 for
 * any. Returns their number; 0: unknown, or the second one may end the part of the line.
 */
size_t tn_pattern_tail(const char *pattern, const char *literal, char out[TN_TAIL_SIZE]);

/* Two adjacent bytes of every match, the rarest that are found; false: none. */
bool tn_pattern_pair(const char *pattern, char out[2]);
bool tn_has_pair(const char *text, size_t n, const char pair[2]);	/* whether both are side by side */

/* Rough frequency of a byte in recorded data: small numbers, digits, then letters of words. */
unsigned tn_commonness(unsigned char c);

#define TN_PATTERN_BRANCHES 8

/*
 * The branches of "a|b|c", one of which each match has: their starts, and after the last one the start of a
 * further one; so each is one byte longer than its text. A pattern in brackets is its content. 0: too many, or
 * too complex.
 */
size_t tn_pattern_branches(const char *pattern, const char *out[TN_PATTERN_BRANCHES + 1]);

#endif
