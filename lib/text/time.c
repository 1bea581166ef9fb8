/*
 * time.c - times and differences of times as text: text.md, 5
 */
#include <time.h>

#include "text/line.h"
#include "text/text.h"

#define NS 1000000000

/* Write "[-]s.nnnnnnnnn". */
static char *
put_seconds(char *p, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	if (ns < 0)
		*p++ = '-';
	p = tn_put_u64(p, size / NS);
	*p++ = '.';
	return tn_put_9(p, (uint32_t)(size % NS));
}

/* Make the text of a second that is not negative, with its date if requested. */
static void
convert(const struct tn_text *text, struct tn_second *cache, int64_t second)
{
	time_t when = (time_t)second;
	struct tm tm;
	char *p = cache->text;

	cache->known = true;
	cache->second = second;
	cache->begin_ns = second * NS;
	cache->usual = !text->options.no_delta && !(text->options.names & TN_NAMES_HEADER) && !text->options.color;
	if (!(text->options.utc ? gmtime_r(&when, &tm) : localtime_r(&when, &tm))) {
		/* The C library can convert all years of 64-bit nanoseconds. */
		memcpy(p, "??:??:??", 8);
		cache->n = 8;
		return;
	}
	if (text->options.time == TN_TIME_DATE) {
		p = tn_put_padded(p, (uint64_t)tm.tm_year + 1900, 4);
		*p++ = '-';
		p = tn_put_2(p, (uint32_t)tm.tm_mon + 1);
		*p++ = '-';
		p = tn_put_2(p, (uint32_t)tm.tm_mday);
		*p++ = ' ';
	}
	p = tn_put_2(p, (uint32_t)tm.tm_hour);
	*p++ = ':';
	p = tn_put_2(p, (uint32_t)tm.tm_min);
	*p++ = ':';
	p = tn_put_2(p, (uint32_t)tm.tm_sec);
	cache->n = (unsigned)(p - cache->text);
}

/*
 * Times before the origin do not have a date and an hour, so they are written as seconds. (babeltrace2 does this for
 * the first such time only, and loses the sign of the others.)
 */
void
tn_put_time(const struct tn_text *text, struct tn_second *cache, int64_t ns, struct tn_str *out)
{
	int64_t second = ns / NS;
	char *p;

	if (!tn_str_reserve(out, 64))
		return;
	p = out->text + out->n;
	if (text->options.time == TN_TIME_NS) {
		p = tn_put_i64(p, ns);
	} else if (text->options.time == TN_TIME_SECONDS || ns < 0) {
		p = put_seconds(p, ns);
	} else {
		if (!cache->known || cache->second != second)
			convert(text, cache, second);
		memcpy(p, cache->text, sizeof cache->text);
		p += cache->n;
		*p++ = '.';
		p = tn_put_9(p, (uint32_t)(ns % NS));
	}
	out->n = (size_t)(p - out->text);
}

void
tn_text_time(const struct tn_text *text, int64_t time_ns, struct tn_str *out)
{
	if (!text || !out)
		return;

	struct tn_second cache = { 0 };

	tn_put_time(text, &cache, time_ns, out);
	tn_str_end(out);
}

void
tn_text_delta(const struct tn_text *text, int64_t delta_ns, struct tn_str *out)
{
	if (!text || !out)
		return;

	char *p;

	if (!tn_str_reserve(out, 64))
		return;
	p = out->text + out->n;
	if (delta_ns >= 0)
		*p++ = '+';
	p = text->options.time == TN_TIME_NS ? tn_put_i64(p, delta_ns) : put_seconds(p, delta_ns);
	out->n = (size_t)(p - out->text);
	tn_str_end(out);
}
