/* side_by_side.h - two aligned sequences of events, side by side, one row per line */
#ifndef SIDE_BY_SIDE_H
#define SIDE_BY_SIDE_H

#include <tnav/compare.h>

#include "line.h"

enum { SIDE_BY_SIDE_LEAST = 60 };	/* smallest width in columns */

void side_by_side_heading(struct line *out, int width);
/*
 * Append a row: for each side the time since its first event, and the delay of the second side. @width: columns of the
 * line.
 */
void side_by_side_row(struct line *out, const struct tn_sequence *sequence, const struct tn_sequence_row *row, int width);
/* Append a pair such as "tid 403 shopd | tid 517 shopd (paired by name)". */
void side_by_side_pair(struct line *out, const struct tn_sequence *sequence, const struct tn_sequence_pair *pair);
/* Append a text such as "They part after 1,204 equal events, at 2.001 ms and 2.513 ms." */
void side_by_side_parting(struct line *out, const struct tn_sequence *sequence);
/* The way in which values were paired; translate it with _(). */
const char *side_by_side_pairing(enum tn_sequence_pairing by);

#endif
