/*
 * axis.h - round times below a picture that has time across
 */
#ifndef VIEWS_AXIS_H
#define VIEWS_AXIS_H

#include "screen/canvas.h"
#include "session/session.h"

/* Draw the axis in @cols cells from @col on, for [begin_ns, end_ns): a stroke and a time at round times, where they fit. */
void axis_draw(struct session *s, struct canvas *c, int row, int col, int cols, int64_t begin_ns, int64_t end_ns);

#endif
