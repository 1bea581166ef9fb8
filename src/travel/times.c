#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/time_text.h"
#include "times.h"

/* Read "123456 cycles" or "123456c"; if cycles are shown, also a number without a unit. */
static bool
read_cycles(const struct session *s, const char *text, int64_t *out)
{
	const struct tn_clock *clock = s->here.has_row ? tn_stream_clock(s->here.row.stream) : NULL;
	char *end;
	unsigned long long cycles;

	if (!clock || !isdigit((unsigned char)*text))
		return false;
	cycles = strtoull(text, &end, 10);
	end += strspn(end, " ");
	if (strcmp(end, "c") != 0 && strcmp(end, "cycles") != 0
	    && (*end || s->settings.text.time != TN_TIME_CYCLES || s->settings.since_origin))
		return false;
	return tn_clock_time(clock, cycles, out);
}

static bool
has_time_here(const struct session *s)
{
	return s->here.has_row && s->here.row.has_time;
}

/* Whether the text is a number of seconds such as "3.5", since the origin of the clock or since the start of the traces. */
static bool
is_plain(const char *text)
{
	size_t n = strspn(text, "0123456789."), end = strlen(text);

	while (end > n && text[end - 1] == ' ')
		end--;
	return n && n == end;
}

bool
times_need_range(const struct session *s, const char *text)
{
	text += strspn(text, " ");
	if (s->traces.has_range)
		return false;
	if (strchr(text, '%') || isalpha((unsigned char)*text) || is_plain(text))
		return true;
	return !has_time_here(s) && (strchr(text, ':') || *text == '+' || *text == '-');
}

bool
times_read(const struct session *s, const char *text, int64_t *out_ns, struct tn_error *err)
{
	struct tn_time_context context = {
		TN_TIME_CONTEXT,
		.near_ns = has_time_here(s) ? s->here.row.time_ns : s->traces.begin_ns, .utc = s->settings.text.utc,
		.begin_ns = s->traces.begin_ns, .end_ns = s->traces.end_ns,
	};
	char spelled[128];
	int64_t since;
	size_t n;

	text += strspn(text, " ");
	if (read_cycles(s, text, out_ns))
		return true;
	n = strlen(text);
	/* Read "-0.001" relative to the row at the cursor, like "-1ms". */
	if ((*text == '+' || *text == '-') && n > 1 && isdigit((unsigned char)text[n - 1]) && n + 2 < sizeof spelled) {
		snprintf(spelled, sizeof spelled, "%ss", text);
		text = spelled;
	}
	if (tn_time_parse(text, &context, out_ns, err) != TN_OK)
		return false;
	/* If the time is outside of the traces, try it relative to their begin. */
	if (is_plain(text) && s->traces.has_range && (*out_ns < s->traces.begin_ns || *out_ns > s->traces.end_ns) &&
	    !__builtin_add_overflow(*out_ns, s->traces.begin_ns, &since) && since >= s->traces.begin_ns &&
	    since <= s->traces.end_ns)
		*out_ns = since;
	return true;
}

void
times_say_range(struct session *s, int64_t time_ns)
{
	enum tn_time_format format = s->settings.text.time;
	char begin[64], end[64];

	if (!s->traces.has_range || (time_ns >= s->traces.begin_ns && time_ns <= s->traces.end_ns))
		return;
	/* Show dates, unless the whole range is on one day. */
	if (time_text_has_days(s, s->traces.begin_ns, s->traces.end_ns) || time_text_has_days(s, s->traces.begin_ns, time_ns))
		format = TN_TIME_DATE;
	time_text_as(s, format, s->traces.begin_ns, begin, sizeof begin);
	time_text_as(s, format, s->traces.end_ns, end, sizeof end);
	session_say(s, time_ns < s->traces.begin_ns ? _("before the first event: the traces are from %s to %s")
					     : _("after the last event: the traces are from %s to %s"),
		    begin, end);
}
