/*
 * prefilter.h - which events a filter refuses whatever their line is
 *
 * A regular expression that cannot match without some literal text needs no line of an event where
 * that text cannot be: not in what is the same for all lines of its class, not in a number, not in a
 * string. What is said of a class is said once; of an event whose class has strings, by looking for
 * the text in the event's bytes.
 *
 * The text looked for is a run of characters that the line never puts between two of its parts, so
 * that it lies in one part or in none: between parts are blanks, brackets, '=', ',', ':', quotes
 * (formats/text.md, 1 and 4).
 */
#ifndef TN_QUERY_PREFILTER_H
#define TN_QUERY_PREFILTER_H

#include <tnav/query.h>

#include "model/decoder.h"

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

struct tn_prefilter;

/* NULL when there is nothing to be had from it (or memory is out: it is only a shortcut). */
struct tn_prefilter *tn_prefilter_new(const struct tn_set *set, const struct tn_text *text,
				      const char *const *pattern, size_t n_patterns);
void tn_prefilter_free(struct tn_prefilter *prefilter);

/* Where a thread has looked in the bytes of each stream. Zeroed before first use; freed with free(). */
struct tn_prefilter_state {
	struct tn_prefilter_window *window;
};

/* False: the line of the event in row @row cannot match. */
bool tn_prefilter_may_match(const struct tn_prefilter *prefilter, struct tn_prefilter_state *state,
			    const struct tn_batch *batch, size_t row);

/* The same for rows [row, row + n): pass[i] becomes 0 for an event whose line cannot match. */
void tn_prefilter_rows(const struct tn_prefilter *prefilter, struct tn_prefilter_state *state, const struct tn_batch *batch,
		       size_t row, size_t n, uint8_t *pass);

#endif
