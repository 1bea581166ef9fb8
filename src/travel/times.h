/* times.h - read a time that the user typed after `t` */
#ifndef TIMES_H
#define TIMES_H

#include "session/session.h"

/*
 * Read a time as tn_time_parse() does, near the cursor's row, or near the first time if that row has none. With a sign,
 * it is relative to the row, and in seconds if there is no unit. "123456 cycles" refers to the row's clock; while cycles
 * are shown, the unit can be omitted. Seconds outside of the traces are taken relative to their begin, if the result is
 * inside.
 */
bool times_read(const struct session *s, const char *text, int64_t *out_ns, struct tn_error *err);
/* Whether reading the text needs the time range of the traces: "50%", or a time near a row without a time. */
bool times_need_range(const struct session *s, const char *text);
/* Show the time range of the traces, if the time is outside. */
void times_say_range(struct session *s, int64_t time_ns);

#endif
