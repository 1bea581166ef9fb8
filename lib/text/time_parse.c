/*
 * time_parse.c - parse a typed time
 *
 * The parser reads from left to right. It tries each form in turn; a form must match the whole text.
 */
#include <ctype.h>
#include <string.h>
#include <time.h>

#include "base/wide.h"
#include "base/options.h"
#include "text/line.h"

#define NS 1000000000

/* Read at least @least and at most @most decimal digits. False: there are fewer, and *at is unchanged. */
static bool
digits(const char **at, unsigned least, unsigned most, uint64_t *out)
{
	const char *p = *at;
	uint64_t v = 0;
	unsigned n = 0;

	for (; n < most && *p >= '0' && *p <= '9'; n++, p++)
		if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return false;
	if (n < least || (*p >= '0' && *p <= '9'))
		return false;
	*at = p;
	*out = v;
	return true;
}

/* Read ".frac", one to nine digits, as nanoseconds of a second; 0 if it is absent. */
static bool
fraction(const char **at, uint64_t *ns)
{
	const char *p = *at;
	uint64_t v;

	*ns = 0;
	if (*p != '.')
		return true;
	p++;
	*at = p;
	if (!digits(at, 1, 9, &v))
		return false;
	for (ptrdiff_t n = *at - p; n < 9; n++)
		v *= 10;
	*ns = v;
	return true;
}

static bool
literal(const char **at, char c)
{
	if (**at != c)
		return false;
	++*at;
	return true;
}

/* Read "hh:mm[:ss[.frac]]", with one or two digits in each part. */
static bool
clock_time(const char **at, struct tm *tm, uint64_t *ns)
{
	uint64_t h, m, s = 0;

	*ns = 0;
	if (!digits(at, 1, 2, &h) || !literal(at, ':') || !digits(at, 1, 2, &m))
		return false;
	if (literal(at, ':') && (!digits(at, 1, 2, &s) || !fraction(at, ns)))
		return false;
	if (h > 23 || m > 59 || s > 60)
		return false;
	tm->tm_hour = (int)h;
	tm->tm_min = (int)m;
	tm->tm_sec = (int)s;
	return true;
}

static unsigned
days_of_month(uint64_t year, uint64_t month)
{
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month == 2 ? 28 + leap : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/* Read "YYYY-MM-DD". */
static bool
date(const char **at, struct tm *tm)
{
	uint64_t y, m, d;

	if (!digits(at, 4, 4, &y) || !literal(at, '-') || !digits(at, 2, 2, &m) || !literal(at, '-') ||
	    !digits(at, 2, 2, &d) || m < 1 || m > 12 || d < 1 || d > days_of_month(y, m))
		return false;
	tm->tm_year = (int)y - 1900;
	tm->tm_mon = (int)m - 1;
	tm->tm_mday = (int)d;
	return true;
}

static bool
join(bool negative, uint64_t s, uint64_t ns, int64_t *out)
{
	uint64_t all;

	if (__builtin_mul_overflow(s, (uint64_t)NS, &all) || __builtin_add_overflow(all, ns, &all))
		return false;
	return !(negative ? __builtin_sub_overflow((int64_t)0, all, out) : __builtin_add_overflow((int64_t)0, all, out));
}

static bool
from_seconds(time_t t, uint64_t ns, int64_t *out)
{
	return join(t < 0, t < 0 ? -(uint64_t)t : (uint64_t)t, 0, out) && !__builtin_add_overflow(*out, (int64_t)ns, out);
}

/* ---- clock changes ---- */

/* The clock reading in the local zone at @t, in seconds. */
static bool
shown_at(time_t t, time_t *out)
{
	struct tm tm;

	if (!localtime_r(&t, &tm))
		return false;
	*out = timegm(&tm);
	return true;
}

/* The moment near @t at which the zone's offset differs from a day before. */
static time_t
moment_of_setting(time_t t)
{
	time_t low = t - 90000, high = t + 90000, there = 0, first = 0;

	if (!shown_at(low, &first))
		return t;
	for (first -= low; high - low > 1; ) {
		time_t middle = low + (high - low) / 2;

		if (shown_at(middle, &there) && there - middle == first)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* The other moment with the same clock reading as @t; @t if there is no other. */
static time_t
other_moment(time_t t, time_t shown)
{
	static const int steps[] = { 3600, -3600, 1800, -1800, 7200, -7200 };
	time_t there;

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (shown_at(t + steps[i], &there) && there == shown)
			return t + steps[i];
	return t;
}

static void
put_utc(char *out, size_t size, time_t t)
{
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(out, size, "%Y-%m-%dT%H:%M:%SZ", &tm))
		*out = '\0';
}

/* Convert local time. A time that clocks skip or repeat on that day is an error, and *err has the times near it. */
static bool
from_local(struct tm *tm, uint64_t ns, bool whole_day, int64_t *out, struct tn_error *err)
{
	struct tm wanted = *tm;
	char first[32], second[32];
	time_t shown, there, t, other;

	shown = timegm(&wanted);
	tm->tm_isdst = -1;
	t = mktime(tm);
	if (!shown_at(t, &there))
		return false;
	if (there != shown) {
		t = moment_of_setting(t);
		if (whole_day)
			return from_seconds(t, 0, out);
		put_utc(first, sizeof first, t);
		tn_fail(err, TN_ERR_ARGUMENT, "this time does not exist: clocks were set forward at %s", first);
		return false;
	}
	other = other_moment(t, shown);
	if (other == t || whole_day)
		return from_seconds(other < t ? other : t, ns, out);
	put_utc(first, sizeof first, other < t ? other : t);
	put_utc(second, sizeof second, other < t ? t : other);
	tn_fail(err, TN_ERR_ARGUMENT, "this time exists twice: write %s or %s", first, second);
	return false;
}

static bool
from_tm(struct tm *tm, uint64_t ns, bool utc, int64_t *out, struct tn_error *err)
{
	return utc ? from_seconds(timegm(tm), ns, out) : from_local(tm, ns, false, out, err);
}

static bool
parse_absolute(const char *text, const struct tn_time_context *c, int64_t *out, struct tn_error *err)
{
	const char *at = text;
	struct tm tm = { 0 };
	uint64_t s, ns;
	bool negative, utc;

	if (date(&at, &tm)) {
		if (*at == '\0')
			return c->utc ? from_tm(&tm, 0, true, out, err) : from_local(&tm, 0, true, out, err);
		return (literal(&at, 'T') || literal(&at, ' ')) && clock_time(&at, &tm, &ns) &&
		       (utc = literal(&at, 'Z') || c->utc, *at == '\0') && from_tm(&tm, ns, utc, out, err);
	}
	at = text;
	if (strchr(text, ':')) {
		time_t near = (time_t)(c->near_ns / NS - (c->near_ns % NS < 0));

		if (!(c->utc ? gmtime_r(&near, &tm) : localtime_r(&near, &tm)))
			return false;
		return clock_time(&at, &tm, &ns) && *at == '\0' && from_tm(&tm, ns, c->utc, out, err);
	}
	negative = literal(&at, '-');
	return digits(&at, 1, 20, &s) && fraction(&at, &ns) && *at == '\0' && join(negative, s, ns, out);
}

/* Parse "@[-]ns". */
static bool
parse_ns(const char *at, int64_t *out)
{
	bool negative = literal(&at, '-');
	uint64_t v;

	if (!digits(&at, 1, 20, &v) || *at != '\0')
		return false;
	return join(negative, v / NS, v % NS, out);
}

/* Parse "+5ms" or "-1.5s". False also if there is no unit. */
static bool
parse_relative(const char *at, const struct tn_time_context *c, int64_t *out)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "\302\265s", 1000 }, { "ms", 1000000 }, { "s", NS },
		{ "m", UINT64_C(60) * NS }, { "min", UINT64_C(60) * NS }, { "h", UINT64_C(3600) * NS },
		{ "d", UINT64_C(86400) * NS },
	};
	bool negative = *at == '-';
	uint64_t whole, part, ns;

	if (*at != '+' && *at != '-')
		return false;
	at++;
	while (*at == ' ')
		at++;
	if (!digits(&at, 1, 19, &whole) || !fraction(&at, &part))
		return false;
	while (*at == ' ')
		at++;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strcmp(at, units[i].name) != 0)
			continue;
		if (__builtin_mul_overflow(whole, units[i].ns, &ns) ||
		    __builtin_add_overflow(ns, tn_multiply_divide(part, units[i].ns, NS), &ns))
			return false;
		return !(negative ? __builtin_sub_overflow(c->near_ns, ns, out)
				  : __builtin_add_overflow(c->near_ns, ns, out));
	}
	return false;
}

/* Parse "N%": this part of the range from begin to end; with a sign, this part of the range from @near_ns on. */
static bool
parse_percent(const char *at, const struct tn_time_context *c, int64_t *out)
{
	uint64_t whole, part, way;
	bool back = c->end_ns < c->begin_ns, negative = *at == '-', relative = negative || *at == '+';

	at += relative;

	if (!digits(&at, 1, 3, &whole) || !fraction(&at, &part) || strcmp(at, "%") != 0 ||
	    whole > 100 || (whole == 100 && part))
		return false;
	way = back ? (uint64_t)c->begin_ns - (uint64_t)c->end_ns : (uint64_t)c->end_ns - (uint64_t)c->begin_ns;
	way = tn_multiply_divide(way, whole * NS + part, 100 * (uint64_t)NS);
	if (relative)
		return !(negative != back ? __builtin_sub_overflow(c->near_ns, way, out)
					  : __builtin_add_overflow(c->near_ns, way, out));
	*out = (int64_t)(back ? (uint64_t)c->begin_ns - way : (uint64_t)c->begin_ns + way);
	return true;
}

/* Parse "begin", "start" or "end" of the trace. */
static bool
parse_word(const char *at, const struct tn_time_context *c, int64_t *out)
{
	if (strcmp(at, "end") != 0 && strcmp(at, "begin") != 0 && strcmp(at, "start") != 0)
		return false;
	*out = *at == 'e' ? c->end_ns : c->begin_ns;
	return true;
}

/* Remove blanks, the brackets of a pasted stamp, and the text after the brackets. */
static bool
trim(const char *text, char *room, size_t size)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	if (*text == '[') {
		text++;
		n = strcspn(text, "]");
	} else {
		n = strlen(text);
	}
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	if (!n || n >= size)
		return false;
	memcpy(room, text, n);
	room[n] = '\0';
	return true;
}

enum tn_code
tn_time_parse(const char *text, const struct tn_time_context *context, int64_t *out_ns, struct tn_error *err)
{
	if (!text)
		return tn_fail_null(err);

	struct tn_time_context own = { TN_TIME_CONTEXT };
	enum tn_code rc = tn_options_take(&own, sizeof own, context, "tn_time_context", err);
	char at[64];
	int64_t ns = 0;
	struct tn_error why = { 0 };
	bool good;

	if (rc < 0)
		return rc;
	if (!trim(text, at, sizeof at))
		good = false;
	else if (at[0] == '@')
		good = parse_ns(at + 1, &ns);
	else if (at[strlen(at) - 1] == '%')
		good = parse_percent(at, &own, &ns);
	else
		good = parse_word(at, &own, &ns) || parse_relative(at, &own, &ns) || parse_absolute(at, &own, &ns, &why);
	if (!good && why.code)
		return tn_fail(err, why.code, "\"%s\": %s", text, why.text);
	if (!good)
		return tn_fail(err, TN_ERR_ARGUMENT, "\"%s\" is not a time: write hh:mm:ss.frac, YYYY-MM-DD hh:mm:ss, "
			       "seconds, @nanoseconds, +5ms or -1s, 50%%, -10%%, begin or end", text);
	*out_ns = ns;
	return TN_OK;
}
