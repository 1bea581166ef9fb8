#include <config.h>

#include <time.h>

#include "time_zone.h"

const char *
time_zone_name(const struct tn_set *set, const struct tn_text_options *how, int64_t time_ns, char room[32])
{
	time_t t = (time_t)(time_ns / 1000000000);
	struct tm tm;

	*room = '\0';
	if ((how->time != TN_TIME_OF_DAY && how->time != TN_TIME_DATE) || !tn_set_is_wall_time(set))
		return room;
	if (how->utc)
		return "UTC";
	if (localtime_r(&t, &tm))
		strftime(room, 32, "%Z", &tm);
	return room;
}
