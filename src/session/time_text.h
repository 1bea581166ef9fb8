/*
 * time_text.h - times as people read them where a day may be needed
 */
#ifndef TIME_TEXT_H
#define TIME_TEXT_H

#include "session.h"

/* The time in that format; empty when memory is out. */
void time_text_as(struct session *s, enum tn_time_format format, int64_t time_ns, char *room, size_t size);
/* Times that are shown as those of a day, and the two are not on the same one. */
bool time_text_has_days(struct session *s, int64_t begin_ns, int64_t end_ns);

#endif
