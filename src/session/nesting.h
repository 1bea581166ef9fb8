/*
 * nesting.h - which spans the events of the list begin, end, and are in
 *
 * The spans that were asked for last, else the pairs that are proposed; of the events that pass the filters. A job
 * finds them around the rows of the screen, farther and farther away until the spans of these rows are known; of a
 * value that is followed in all of the traces. Spans that are not known yet come later.
 */
#ifndef NESTING_H
#define NESTING_H

#include "session.h"

/* The first and the last row on the screen: find the spans of these rows. */
void nesting_want(struct session *s, const struct tn_location *first, const struct tn_location *last);
/* The number of spans that contain the event, not counting those that it begins or ends. */
unsigned nesting_depth(const struct session *s, const struct tn_location *at);
unsigned nesting_deepest(const struct session *s);	/* largest depth of the known events */

enum nesting_state { NESTING_NONE, NESTING_UNKNOWN, NESTING_SPAN, NESTING_DOUBTFUL, NESTING_OPEN, NESTING_ORPHAN };
/* The span that the event begins, else ends; NESTING_UNKNOWN: its other end is not found yet, or too far away. */
enum nesting_state nesting_span(const struct session *s, const struct tn_location *at, int64_t *duration_ns);

/* Forget all spans: the traces, filters or definitions have changed. */
void nesting_forget(struct session *s);

#endif
