/* time_zone.h - the time zone of the times that are shown */
#ifndef SCREEN_TIME_ZONE_H
#define SCREEN_TIME_ZONE_H

#include <tnav/text.h>
#include <tnav/trace.h>

/* The name of the time zone at that time; "": times in this format have no zone. */
const char *time_zone_name(const struct tn_set *set, const struct tn_text_options *how, int64_t time_ns, char room[32]);

#endif
