/*
 * prefilter.h - events that a filter refuses, whatever their line
 *
 * A regular expression that cannot match without some literal text needs no line of an event where that text
 * cannot be: not in the text that all lines of its class share, not in a number, not in a string. The decision
 * for a class is made once; for an event of a class with strings the text is searched for in the event's bytes.
 *
 * The text is a run of characters that the line never puts between two of its parts, so that it is in one part
 * or in none: between parts are blanks, brackets, '=', ',', ':', quotes (formats/text.md, 1 and 4).
 */
#ifndef TN_SCAN_PREFILTER_H
#define TN_SCAN_PREFILTER_H

#include <tnav/query.h>

#include "model/decoder.h"
#include "scan/pattern.h"
#include "digest/zone_map.h"

struct tn_prefilter;

/* NULL: it cannot help (or memory is out: it is optional). */
struct tn_prefilter *tn_prefilter_new(const struct tn_set *set, const struct tn_text *text,
				      const char *const *pattern, size_t n_patterns);
void tn_prefilter_free(struct tn_prefilter *prefilter);

/* Places searched by a thread in the bytes of each stream. Zeroed before first use; freed with free(). */
struct tn_prefilter_state {
	struct tn_prefilter_window *window;
};

/* False: the line of the event in row @row cannot match. */
bool tn_prefilter_may_match(const struct tn_prefilter *prefilter, struct tn_prefilter_state *state,
			    const struct tn_batch *batch, size_t row);

/* Like tn_prefilter_may_match(), for rows: pass[i] of row + i becomes 0 if the event's line cannot match. */
void tn_prefilter_rows(const struct tn_prefilter *prefilter, struct tn_prefilter_state *state, const struct tn_batch *batch,
		       size_t row, size_t n, uint8_t *pass);

/*
 * Whether the line of an event of that class may match in a packet whose strings have these texts (zone_map.h,
 * kind NONE: none; NULL: unknown).
 */
bool tn_prefilter_may_pass(const struct tn_prefilter *prefilter, const struct tn_stream *stream, uint32_t event_class,
			   const struct tn_zone *texts);
/* Whether texts can change the result of tn_prefilter_may_pass(); NULL: false. */
bool tn_prefilter_needs_texts(const struct tn_prefilter *prefilter);

#endif
