/*
 * time_text.h - times as people read them where a day may be needed
 */
#ifndef TIME_TEXT_H
#define TIME_TEXT_H

#include "session.h"

/* The time in that format; empty if memory is out. */
void time_text_as(struct session *s, enum tn_time_format format, int64_t time_ns, char *room, size_t size);
/* Whether times are shown with the time of day, and the two are on different days. */
bool time_text_has_days(struct session *s, int64_t begin_ns, int64_t end_ns);

#endif
