/*
 * times.h - a time as it is typed after `t`
 */
#ifndef TIMES_H
#define TIMES_H

#include "session/session.h"

/*
 * Read a time as tn_time_parse() does, near the user's row, or near the first time if that row has none. A sign makes
 * it relative to the row, in seconds if there is no unit. "123456 cycles" are of the row's clock; while cycles are
 * shown, a number alone is enough. Seconds outside of the traces count from their begin, if that is inside.
 */
bool times_read(const struct session *s, const char *text, int64_t *out_ns, struct tn_error *err);
/* Whether the text needs the times of the traces: "50%", or a time near a row without a time. */
bool times_need_range(const struct session *s, const char *text);
/* If the time is outside of the traces: show their range. */
void times_say_range(struct session *s, int64_t time_ns);

#endif
