/*
 * times.h - a time as it is typed after `t`
 */
#ifndef TIMES_H
#define TIMES_H

#include "session/session.h"

/*
 * As tn_time_parse() reads it, near the row one is at, or near the first time if that row has none. With a sign it counts
 * from there, in seconds if there is no unit. "123456 cycles" are of the clock of the stream one is in; while cycles are
 * shown, the number alone is enough. Seconds that are outside of the traces count from their begin, if that is inside.
 */
bool times_read(const struct session *s, const char *text, int64_t *out_ns, struct tn_error *err);
/* "50%", and a time near a row that has none, cannot be read before the times of the traces are known. */
bool times_need_range(const struct session *s, const char *text);
/* If the time is outside of the traces: say from when to when they are. */
void times_say_range(struct session *s, int64_t time_ns);

#endif
