#include <config.h>

#include <stdio.h>
#include <string.h>

#include "time_text.h"

void
time_text_as(struct session *s, enum tn_time_format format, int64_t time_ns, char *room, size_t size)
{
	struct tn_text_options options = s->settings.text;
	struct tn_str b = { 0 };
	struct tn_text *text;

	*room = '\0';
	options.time = format;
	if (tn_text_new(&text, s->traces.set, &options, NULL) != TN_OK)
		return;
	tn_text_time(text, time_ns, &b);
	snprintf(room, size, "%s", b.text ? b.text : "");
	tn_str_release(&b);
	tn_text_free(text);
}

bool
time_text_has_days(struct session *s, int64_t begin_ns, int64_t end_ns)
{
	char begin[64], end[64];

	if (s->settings.text.time != TN_TIME_OF_DAY || !tn_set_is_wall_time(s->traces.set))
		return false;
	time_text_as(s, TN_TIME_DATE, begin_ns, begin, sizeof begin);
	time_text_as(s, TN_TIME_DATE, end_ns, end, sizeof end);
	return strncmp(begin, end, strlen("YYYY-MM-DD")) != 0;
}
