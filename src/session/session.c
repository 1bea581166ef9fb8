#include <config.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/charset.h"
#include "screen/line.h"
#include "session.h"

struct job *
job_ask(struct session *s, const struct job_class *class, void *data, struct query *query)
{
	struct question q = {
		.opened = opened_get(s->traces.opened), .set = s->traces.set, .query = query_get(query ? query : s->asks.query),
		.bounds = s->traces.bounds, .has_range = s->traces.has_range,
		.begin_ns = s->traces.begin_ns, .end_ns = s->traces.end_ns,
		.threads = s->threads,
	};
	const char *why;
	struct job *job = jobs_add(&s->jobs, s, class, data, &q, &why);

	if (job)
		job->views_opened = s->views_opened;
	else
		session_fail(s, "%s", _(why));
	return job;
}

struct job *
job_start(struct session *s, const struct job_class *class, void *data)
{
	return job_ask(s, class, data, NULL);
}

void
session_go(struct session *s, const struct place *place, enum align align)
{
	s->wish.go = true;
	s->wish.place = *place;
	s->wish.align = align;
	s->wish.since = s->views_opened;
}

void
job_go(const struct job *job, const struct place *place, enum align align)
{
	session_go(job->session, place, align);
	job->session->wish.since = job->views_opened;
}

enum tn_code
session_query(struct session *s, struct query **out, const struct condition *condition, size_t n, struct tn_error *err)
{
	enum tn_code rc = query_new(out, s->traces.set, &s->settings.text, condition, n, NULL, false, err);

	if (rc == TN_OK) {
		memcpy((*out)->field, s->settings.field, sizeof (*out)->field);
		query_rules(*out, s->traces.set, s->settings.rule);
	}
	return rc;
}

void
session_bound(struct session *s)
{
	s->traces.bounds = s->asks.range;
	if (!s->traces.grows || s->traces.unpacks)
		return;
	if (!s->traces.bounds.has_end || s->traces.bounds.end_ns > s->traces.settled_ns)
		s->traces.bounds.end_ns = s->traces.settled_ns;
	s->traces.bounds.has_end = true;
}

/* A message that is too long ends with dots, after a whole character. */
static void __attribute__((format(printf, 2, 0)))
put_message(struct session *s, const char *format, va_list ap)
{
	int n = vsnprintf(s->message, sizeof s->message, format, ap);
	size_t at = sizeof s->message - sizeof "...";

	if (n < 0 || (size_t)n < sizeof s->message)
		return;
	while (at > 0 && ((unsigned char)s->message[at] & 0xc0) == 0x80)
		at--;
	memcpy(s->message + at, "...", sizeof "...");
}

void
session_say(struct session *s, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	put_message(s, format, ap);
	va_end(ap);
	s->message_is_error = false;
}

void
session_fail(struct session *s, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	put_message(s, format, ap);
	va_end(ap);
	s->message_is_error = true;
}

int64_t
session_offset(const struct session *s, const struct tn_trace *trace)
{
	for (size_t i = 0; i < s->traces.n_offsets; i++)
		if (strcmp(s->traces.offset[i].path, tn_trace_path(trace)) == 0)
			return s->traces.offset[i].offset_ns;
	return 0;
}

const char *
session_path_in_trace(const struct tn_stream *stream, const char *path)
{
	const char *trace = tn_trace_path(tn_stream_trace(stream));
	size_t n = strlen(trace);

	return strncmp(path, trace, n) == 0 && path[n] == '/' && path[n + 1] ? path + n + 1 : path;
}

void
session_time(const struct session *s, int64_t time_ns, uint64_t cycles, struct tn_str *out)
{
	char text[32];

	if (s->settings.since_origin) {
		tn_text_delta(s->asks.query->text, time_ns - s->settings.origin_ns, out);
	} else if (s->settings.text.time == TN_TIME_CYCLES) {
		snprintf(text, sizeof text, "%020" PRIu64, cycles);
		tn_text_safe(text, strlen(text), out);
	} else {
		tn_text_time(s->asks.query->text, time_ns, out);
	}
}

void
session_put_time(const struct session *s, struct line *out, unsigned style, int64_t time_ns)
{
	struct tn_str b = { 0 };

	tn_text_time(s->asks.query->text, time_ns, &b);
	if (b.text)
		line_add(out, style, b.text, b.n);
	tn_str_release(&b);
}

int
session_permille(const struct session *s, int64_t time_ns)
{
	struct question q = { .has_range = s->traces.has_range, .begin_ns = s->traces.begin_ns, .end_ns = s->traces.end_ns };

	return question_permille(&q, time_ns);
}

const char *
number_text(uint64_t n, char room[32])
{
	char plain[24];
	int len = snprintf(plain, sizeof plain, "%" PRIu64, n);
	char *out = room;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*out++ = charset_group();
		*out++ = plain[i];
	}
	*out = '\0';
	return room;
}

const char *
size_text(uint64_t bytes, char room[32])
{
	static const char *const unit[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	double v = (double)bytes;
	size_t i = 0;

	while (v >= 999.95 && i + 1 < sizeof unit / sizeof *unit) {
		v /= 1000;
		i++;
	}
	snprintf(room, 32, i ? "%.1f %s" : "%.0f %s", v, unit[i]);
	return room;
}

const char *
span_text(int64_t ns, char room[32])
{
	static const struct { double ns; const char *unit; } units[] = {
		{ 86400e9, "d" }, { 3600e9, "h" }, { 60e9, "min" }, { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" },
	};
	double v = (double)ns, size = v < 0 ? -v : v;

	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (size >= units[i].ns) {
			snprintf(room, 32, "%.3f %s", v / units[i].ns, units[i].unit);
			return room;
		}
	snprintf(room, 32, "%" PRId64 " ns", ns);
	return room;
}

const char *
span_short(int64_t ns, bool utf8, char room[32])
{
	static const struct { double ns; const char *unit; } units[] = {
		{ 1, "n" }, { 1e3, "u" }, { 1e6, "m" }, { 1e9, "s" }, { 3600e9, "h" }, { 86400e9, "d" },
	};
	double v = ns < 0 ? -(double)ns : (double)ns;
	size_t i = 0, last = sizeof units / sizeof *units - 1;
	const char *unit;
	int digits;

	/* Choose the unit after rounding: 999.6 ns are 1.00 us. */
	while (i < last && v / units[i].ns >= (i == 3 ? 3599.5 : i == 4 ? 99.95 : 999.5))
		i++;
	unit = i == 1 && utf8 ? "\u00b5" : units[i].unit;
	v /= units[i].ns;
	digits = i == 0 || v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2;
	snprintf(room, 32, "%c%.*f%s", ns < 0 ? '-' : '+', digits, v, unit);
	return room;
}

void
session_time_prefix(struct session *s)
{
	struct tn_str a = { 0 }, b = { 0 };
	size_t n = 0, size = 0;

	if (s->traces.has_range && !s->traces.grows && !s->settings.since_origin
	    && (s->settings.text.time == TN_TIME_OF_DAY || s->settings.text.time == TN_TIME_DATE)) {
		tn_text_time(s->asks.query->text, s->traces.begin_ns, &a);
		tn_text_time(s->asks.query->text, s->traces.end_ns, &b);
		for (; a.text && b.text && n < a.n && n < b.n && a.text[n] == b.text[n] &&
		       n + 1 < sizeof s->widths.time_prefix; n++)
			if (a.text[n] == ':' || a.text[n] == ' ')
				size = n + 1;
	}
	memcpy(s->widths.time_prefix, a.text ? a.text : "", size);
	s->widths.time_prefix[size] = '\0';
	s->widths.time_prefix_size = size;
	tn_str_release(&a);
	tn_str_release(&b);
}
