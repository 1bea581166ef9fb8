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
#ifndef TN_SCAN_PREFILTER_H
#define TN_SCAN_PREFILTER_H

#include <tnav/query.h>

#include "model/decoder.h"
#include "scan/pattern.h"
#include "digest/zone_map.h"

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

/*
 * Whether the line of an event of that class may match, where a packet has these texts in its strings (zone_map.h, kind NONE:
 * none; NULL: nobody knows).
 */
bool tn_prefilter_may_pass(const struct tn_prefilter *prefilter, const struct tn_stream *stream, uint32_t event_class,
			   const struct tn_zone *texts);
bool tn_prefilter_needs_texts(const struct tn_prefilter *prefilter);	/* these can make a difference; NULL: false */

#endif
