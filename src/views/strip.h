/*
 * strip.h - one row of time: how many events there are when, and where one is among them
 *
 * A cell a part of the trace's time: its height is the number of events, hits of the search or the filter are
 * in front in their own colour, '!' is where losses or damage are, and the part that the page shows is reversed.
 * Dots mark the time outside of the range.
 */
#ifndef STRIP_H
#define STRIP_H

#include "screen/canvas.h"
#include "session/session.h"

/* Whether there is a strip: the traces have times, and are not still being written. */
bool strip_is_there(const struct session *s);
/* Draw the strip in @row, columns [col, col + cols); the page shows [from_ns, to_ns]. */
void strip_draw(const struct session *s, struct canvas *c, int row, int col, int cols, int64_t from_ns, int64_t to_ns);
/* The time at which cell @i of @cols begins. */
int64_t strip_time(const struct session *s, int cols, int i);
/* The hits in front of all events: hits of the search, else the events that pass the filters; NULL: none. */
const struct tally *strip_hits(const struct session *s);

#endif
