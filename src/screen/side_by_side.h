/*
 * side_by_side.h - two aligned sequences of events, side by side, a line each row
 */
#ifndef SIDE_BY_SIDE_H
#define SIDE_BY_SIDE_H

#include <tnav/compare.h>

#include "line.h"

enum { SIDE_BY_SIDE_LEAST = 60 };	/* columns */

void side_by_side_heading(struct line *out, int width);
/* A row: times since the first event of each side, and how much later the second one is. @width: columns of the line. */
void side_by_side_row(struct line *out, const struct tn_sequence *sequence, const struct tn_sequence_row *row, int width);
/* "tid 403 shopd | tid 517 shopd (paired by name)" */
void side_by_side_pair(struct line *out, const struct tn_sequence *sequence, const struct tn_sequence_pair *pair);
/* "They part after 1,204 equal events, at 2.001 ms and 2.513 ms." */
void side_by_side_parting(struct line *out, const struct tn_sequence *sequence);
/* How values were paired; to be translated with _(). */
const char *side_by_side_pairing(enum tn_sequence_pairing by);

#endif
