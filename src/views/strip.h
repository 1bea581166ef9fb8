/*
 * strip.h - one row over time: the number of events, and the place of the page
 *
 * A cell is a part of the trace's time, and its height is the number of events. Hits of the search or the filters are in
 * front, in their own colour. '!' marks losses and damage. The part that the page shows is reversed. Dots mark the time
 * outside of the range.
 */
#ifndef STRIP_H
#define STRIP_H

#include "screen/canvas.h"
#include "session/session.h"

/* Whether there is a strip: the traces must have times, and must not be growing. */
bool strip_is_there(const struct session *s);
/* Draw the strip in @row, columns [col, col + cols). The page shows [from_ns, to_ns]. */
void strip_draw(const struct session *s, struct canvas *c, int row, int col, int cols, int64_t from_ns, int64_t to_ns);
/* The time at which cell @i of @cols begins. */
int64_t strip_time(const struct session *s, int cols, int i);
/*
 * The tally that is drawn in front of all events: hits of the search, otherwise the events that match the filters. NULL:
 * none.
 */
const struct tally *strip_hits(const struct session *s);

#endif
