#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "times.h"

/* "123456 cycles", "123456c"; a number alone where cycles are what is shown. */
static bool
read_cycles(const struct session *s, const char *text, int64_t *out)
{
	const struct tn_clock *clock = s->has_row ? tn_stream_clock(s->row.stream) : NULL;
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

bool
times_read(const struct session *s, const char *text, int64_t *out_ns, struct tn_error *err)
{
	struct tn_time_context context = {
		TN_TIME_CONTEXT,
		.near_ns = s->has_row ? s->row.time_ns : 0, .utc = s->settings.text.utc,
		.begin_ns = s->begin_ns, .end_ns = s->end_ns,
	};
	char spelled[128];
	size_t n;

	text += strspn(text, " ");
	if (read_cycles(s, text, out_ns))
		return true;
	n = strlen(text);
	/* "-0.001" is from here, as "-1ms" is. */
	if ((*text == '+' || *text == '-') && n > 1 && isdigit((unsigned char)text[n - 1]) && n + 2 < sizeof spelled) {
		snprintf(spelled, sizeof spelled, "%ss", text);
		text = spelled;
	}
	return tn_time_parse(text, &context, out_ns, err) == TN_OK;
}

void
times_as(struct session *s, enum tn_time_format format, int64_t time_ns, char *room, size_t size)
{
	struct tn_text_options options = s->settings.text;
	struct tn_str b = { 0 };
	struct tn_text *text;

	*room = '\0';
	options.time = format;
	if (tn_text_new(&text, s->set, &options, NULL) != TN_OK)
		return;
	tn_text_time(text, time_ns, &b);
	snprintf(room, size, "%s", b.text ? b.text : "");
	tn_str_release(&b);
	tn_text_free(text);
}

void
times_say_range(struct session *s, int64_t time_ns)
{
	enum tn_time_format format = s->settings.text.time;
	char begin[64], end[64], asked[64];
	size_t day = strlen("YYYY-MM-DD");

	if (!s->has_range || (time_ns >= s->begin_ns && time_ns <= s->end_ns))
		return;
	times_as(s, TN_TIME_DATE, s->begin_ns, begin, sizeof begin);
	times_as(s, TN_TIME_DATE, s->end_ns, end, sizeof end);
	times_as(s, TN_TIME_DATE, time_ns, asked, sizeof asked);
	/* With their days, unless all of it is on one. */
	if (format != TN_TIME_OF_DAY || !tn_set_is_wall_time(s->set) ||
	    (strncmp(begin, end, day) == 0 && strncmp(begin, asked, day) == 0)) {
		times_as(s, format, s->begin_ns, begin, sizeof begin);
		times_as(s, format, s->end_ns, end, sizeof end);
	}
	session_say(s, time_ns < s->begin_ns ? _("that is before the traces: they are from %s to %s")
					     : _("that is behind the traces: they are from %s to %s"),
		    begin, end);
}
