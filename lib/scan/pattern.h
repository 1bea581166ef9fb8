/*
 * pattern.h - what every match of a pattern (PCRE2) has in it
 *
 * The texts are runs of characters that a line never puts between two of its parts, so that each lies in one part or in none:
 * between parts are blanks, brackets, '=', ',', ':', quotes (formats/text.md, 1 and 4).
 */
#ifndef TN_SCAN_PATTERN_H
#define TN_SCAN_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#define TN_LITERAL_SIZE 64

/*
 * Texts that every match of @pattern contains, each a run of characters as said above, the longest
 * first; how many were put into @out. None when the pattern is too much for this.
 */
size_t tn_pattern_literals(const char *pattern, char (*out)[TN_LITERAL_SIZE], size_t room);

#define TN_TAIL_SIZE 8

/*
 * The characters that stand behind one of these texts in every match, as far as each is one character: itself, or 0 for any.
 * How many; 0: nothing can be said, or the second one is none that stays inside a part of a line.
 */
size_t tn_pattern_tail(const char *pattern, const char *literal, char out[TN_TAIL_SIZE]);

/* Two bytes, one behind the other in every match, the rarest that can be seen; false: none can. */
bool tn_pattern_pair(const char *pattern, char out[2]);
bool tn_has_pair(const char *text, size_t n, const char pair[2]);	/* they are in the text */

/* How common a byte is in what is recorded, roughly: small numbers, digits, then letters of words. */
unsigned tn_commonness(unsigned char c);

#define TN_PATTERN_BRANCHES 8

/*
 * The branches of "a|b|c", of which each match is one of the first: where they begin, and behind the last one where a further one
 * would; so each is one byte longer than it is. A pattern in brackets is what is in them. 0: there are more, or it is too much.
 */
size_t tn_pattern_branches(const char *pattern, const char *out[TN_PATTERN_BRANCHES + 1]);

#endif
