/* time_text.h - times in readable form, for places where the day may be needed */
#ifndef TIME_TEXT_H
#define TIME_TEXT_H

#include "session.h"

/* Write the time in this format; empty: memory is out. */
void time_text_as(struct session *s, enum tn_time_format format, int64_t time_ns, char *room, size_t size);
/* Whether times are shown as times of day, and the two times are on different days. */
bool time_text_has_days(struct session *s, int64_t begin_ns, int64_t end_ns);

#endif
