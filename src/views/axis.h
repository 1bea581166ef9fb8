/* axis.h - the axis of a picture over time: round times below it */
#ifndef VIEWS_AXIS_H
#define VIEWS_AXIS_H

#include "screen/canvas.h"
#include "session/session.h"

/* Draw the axis of [begin_ns, end_ns) in @cols cells from @col on: a stroke and a time at round times, if they fit. */
void axis_draw(struct session *s, struct canvas *c, int row, int col, int cols, int64_t begin_ns, int64_t end_ns);

#endif
