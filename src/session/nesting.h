/*
 * nesting.h - which spans the events of the list begin, end, and are in
 *
 * The spans are those that the user asked for last, otherwise the proposed pairs; only of events that match the filters.
 * A job finds them around the rows of the screen, in larger and larger windows, until the spans of these rows are known.
 * If a value is followed, it searches all of the traces. Spans that are not known yet are added later.
 */
#ifndef NESTING_H
#define NESTING_H

#include "session.h"

/* Find the spans of the rows from the first to the last one on the screen. */
void nesting_want(struct session *s, const struct tn_location *first, const struct tn_location *last);
/* The number of spans that contain the event, without those that it begins or ends. */
unsigned nesting_depth(const struct session *s, const struct tn_location *at);
unsigned nesting_deepest(const struct session *s);	/* largest depth of the known events */

enum nesting_state { NESTING_NONE, NESTING_UNKNOWN, NESTING_SPAN, NESTING_DOUBTFUL, NESTING_OPEN, NESTING_ORPHAN };
/*
 * Get the span that the event begins, or otherwise ends. NESTING_UNKNOWN: its other end is not found yet, or is too far
 * away.
 */
enum nesting_state nesting_span(const struct session *s, const struct tn_location *at, int64_t *duration_ns);

/* Forget all spans, because the traces, filters or definitions have changed. */
void nesting_forget(struct session *s);

#endif
