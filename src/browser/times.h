/*
 * times.h - a time as it is typed behind `t`
 */
#ifndef TIMES_H
#define TIMES_H

#include "session/session.h"

/*
 * As tn_time_parse() reads it; and from here on with a sign, in seconds where no unit is there, and cycles of the
 * clock of the stream one is in: "123456 cycles", or the number alone while cycles are shown.
 */
bool times_read(const struct session *s, const char *text, int64_t *out_ns, struct tn_error *err);
/* Where the time lies outside of the traces: say from when to when they are. */
void times_say_range(struct session *s, int64_t time_ns);

#endif
