/*
 * beside.h - two aligned sequences of events, side by side, a line each row
 */
#ifndef BESIDE_H
#define BESIDE_H

#include <tnav/compare.h>

#include "line.h"

enum { BESIDE_LEAST = 60 };	/* columns */

void beside_heading(struct line *out, int width);
/* A row: times since the first event of each side, and how much later the second one is. @width: columns of the line. */
void beside_row(struct line *out, const struct tn_sequence *sequence, const struct tn_sequence_row *row, int width);
/* "tid 403 shopd | tid 517 shopd (paired by name)" */
void beside_pair(struct line *out, const struct tn_sequence *sequence, const struct tn_sequence_pair *pair);
/* "They part after 1,204 equal events, at 2.001 ms and 2.513 ms." */
void beside_parting(struct line *out, const struct tn_sequence *sequence);
/* How values were paired; to be translated with _(). */
const char *beside_pairing(enum tn_sequence_pairing by);

#endif
