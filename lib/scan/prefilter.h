/*
 * prefilter.h - refuse events before their lines are made
 *
 * If every match of a regular expression contains a certain text, an event whose line cannot have this text needs no
 * line. The text must then be in none of these: the words that all lines of the class share, numbers, strings. This is
 * decided once for each class. For an event of a class with strings, the text is searched for in the event's bytes.
 *
 * The text is a run of characters that a line never puts between two of its parts, so it is inside of one part: between
 * parts are blanks, brackets, '=', ',', ':' and quotes (formats/text.md, 1 and 4).
 */
#ifndef TN_SCAN_PREFILTER_H
#define TN_SCAN_PREFILTER_H

#include <tnav/query.h>

#include "model/decoder.h"
#include "scan/pattern.h"
#include "digest/zone_map.h"

struct tn_prefilter;

/* NULL: a prefilter cannot help, or memory is out (a prefilter is optional). */
struct tn_prefilter *tn_prefilter_new(const struct tn_set *set, const struct tn_text *text,
				      const char *const *pattern, size_t n_patterns);
void tn_prefilter_free(struct tn_prefilter *prefilter);

/*
 * For a thread, the places that were searched in the bytes of each stream. Zero it before first use, and free it with
 * free().
 */
struct tn_prefilter_state {
	struct tn_prefilter_window *window;
};

/* False: the line of the event in row @row cannot match. */
bool tn_prefilter_may_match(const struct tn_prefilter *prefilter, struct tn_prefilter_state *state,
			    const struct tn_batch *batch, size_t row);

/* Like tn_prefilter_may_match(), for rows: pass[i] becomes 0 if the line of row + i cannot match. */
void tn_prefilter_rows(const struct tn_prefilter *prefilter, struct tn_prefilter_state *state, const struct tn_batch *batch,
		       size_t row, size_t n, uint8_t *pass);

/*
 * Whether the line of an event of this class may match, in a packet whose strings have these texts (zone_map.h; kind
 * NONE: no texts; NULL: unknown).
 */
bool tn_prefilter_may_pass(const struct tn_prefilter *prefilter, const struct tn_stream *stream, uint32_t event_class,
			   const struct tn_zone *texts);
/* Whether texts can change the result of tn_prefilter_may_pass(). False if @prefilter is NULL. */
bool tn_prefilter_needs_texts(const struct tn_prefilter *prefilter);

#endif
