/*
 * pattern.h - texts that every match of a pattern (PCRE2) contains
 *
 * The texts are runs of characters that a line never puts between two of its parts. So each text is inside of one part:
 * between parts are blanks, brackets, '=', ',', ':' and quotes (formats/text.md, 1 and 4).
 */
#ifndef TN_SCAN_PATTERN_H
#define TN_SCAN_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define TN_LITERAL_SIZE 64

/*
 * Get texts that every match of @pattern contains, as described above, the longest first. Returns their number, which is
 * 0 if the pattern is too complex.
 */
size_t tn_pattern_literals(const char *pattern, char (*out)[TN_LITERAL_SIZE], size_t room);

#define TN_TAIL_SIZE 8

/*
 * Get the characters that follow one of these texts in every match, as far as each is one character: the character, or 0
 * for any character. Returns their number; 0: they are unknown, or the second one may end the part of the line.
 */
size_t tn_pattern_tail(const char *pattern, const char *literal, char out[TN_TAIL_SIZE]);

/* Get two adjacent bytes that every match contains, as rare as possible. False: none. */
bool tn_pattern_pair(const char *pattern, char out[2]);
bool tn_has_pair(const char *text, size_t n, const char pair[2]);	/* whether the text contains the pair */

/* The approximate frequency of a byte in recorded data: small numbers, digits and frequent letters have a large one. */
unsigned tn_commonness(unsigned char c);

#define TN_PATTERN_BRANCHES 8

/*
 * Get the branches of a pattern such as "a|b|c", of which each match has one. @out gets their starts, and after the last
 * one the start of a further one; so each branch is one byte longer than its text. Parentheses around the pattern are
 * skipped. 0: there are too many, or the pattern is too complex.
 */
size_t tn_pattern_branches(const char *pattern, const char *out[TN_PATTERN_BRANCHES + 1]);

#endif
