#include <criterion/criterion.h>
#include <stdlib.h>
#include <time.h>

#include <tnav/text.h>

#define ROWS(a) (sizeof(a) / sizeof *(a))

static void
zone(const char *name)
{
	setenv("TZ", name, 1);
	tzset();
}

static char *
text_of(const struct tn_text_options *options, int64_t ns, bool delta)
{
	static char copy[128];
	struct tn_str b = { 0 };
	struct tn_text *text;

	cr_assert_eq(tn_text_new(&text, NULL, options, NULL), TN_OK);
	if (delta)
		tn_text_delta(text, ns, &b);
	else
		tn_text_time(text, ns, &b);
	cr_assert_lt(b.n, sizeof copy);
	strcpy(copy, b.text);
	tn_str_release(&b);
	tn_text_free(text);
	return copy;
}

/* text.md, 5; before the origin always with its sign. */
Test(time, forms)
{
	static const struct { enum tn_time_format format; bool utc; int64_t ns; const char *want; } rows[] = {
		{ TN_TIME_OF_DAY, true, 0, "00:00:00.000000000" },
		{ TN_TIME_OF_DAY, true, 1000000000000000001, "01:46:40.000000001" },
		{ TN_TIME_OF_DAY, false, 1000000000000000001, "04:46:40.000000001" },
		{ TN_TIME_DATE, true, 1000000000123456789, "2001-09-09 01:46:40.123456789" },
		{ TN_TIME_DATE, false, 1000000000123456789, "2001-09-09 04:46:40.123456789" },
		{ TN_TIME_SECONDS, true, 1000000000123456789, "1000000000.123456789" },
		{ TN_TIME_SECONDS, true, -1900000000, "-1.900000000" },
		{ TN_TIME_SECONDS, true, -500000000, "-0.500000000" },
		{ TN_TIME_OF_DAY, true, -500000000, "-0.500000000" },
		{ TN_TIME_DATE, true, -1, "-0.000000001" },
		{ TN_TIME_SECONDS, true, INT64_MIN, "-9223372036.854775808" },
		{ TN_TIME_DATE, true, INT64_MAX, "2262-04-11 23:47:16.854775807" },
		{ TN_TIME_NS, true, -7, "-7" },
		/* Cycles need a clock: a bare time has none. */
		{ TN_TIME_CYCLES, true, 1000000000, "00:00:01.000000000" },
	};

	zone("XXX-3");
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_text_options o = TN_TEXT_OPTIONS_DEFAULT;
		const char *got;

		o.time = rows[i].format;
		o.utc = rows[i].utc;
		got = text_of(&o, rows[i].ns, false);
		cr_assert_str_eq(got, rows[i].want, "row %zu: %s, not %s", i, got, rows[i].want);
	}
}

Test(time, differences)
{
	static const struct { int64_t ns; const char *want; } rows[] = {
		{ 0, "+0.000000000" }, { 1200, "+0.000001200" }, { 1499999900, "+1.499999900" }, { -1500000000, "-1.500000000" },
		{ INT64_MIN, "-9223372036.854775808" }, { INT64_MAX, "+9223372036.854775807" },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		const char *got = text_of(NULL, rows[i].ns, true);

		cr_assert_str_eq(got, rows[i].want, "row %zu: %s, not %s", i, got, rows[i].want);
	}
}

/* 2001-09-09 01:46:40.5 UTC; the zone is three hours ahead of UTC. */
#define NEAR INT64_C(1000000000500000000)

Test(time, what_a_person_types)
{
	static const struct { const char *text; bool utc; int64_t want; } rows[] = {
		{ "01:46:41", true, 1000000001000000000 }, { "1:46", true, 999999960000000000 },
		{ "01:46:41.25", true, 1000000001250000000 }, { "04:46:41", false, 1000000001000000000 },
		{ "00:00:00.000000001", true, 999993600000000001 },
		{ "2001-09-09 01:46:40", true, 1000000000000000000 }, { "2001-09-09T01:46:40.123456789", true, 1000000000123456789 },
		{ "2001-09-09 04:46", false, 999999960000000000 }, { "2001-09-09", true, 999993600000000000 },
		{ "1969-12-31 23:59:59.5", true, -500000000 },
		{ "0", true, 0 }, { "12", true, 12000000000 }, { "-1.9", true, -1900000000 }, { "1.000000001", true, 1000000001 },
		{ "-0.5", true, -500000000 },
		{ "1970-01-01T00:00:02Z", false, 2000000000 },
		{ "@42", true, 42 }, { "@-42", true, -42 }, { "@1000000000123456789", true, 1000000000123456789 },
		{ "[01:46:41.000000002]", true, 1000000001000000002 }, { "  [12.5] (+0.000000100) a: ", true, 12500000000 },
		{ " 12 ", true, 12000000000 }, { "[-1.900000000]", true, -1900000000 },
		{ "[2001-09-09 01:46:40.000000000]", true, 1000000000000000000 },
		{ "+5ms", true, NEAR + 5000000 }, { "-1s", true, NEAR - 1000000000 }, { "+1.5us", true, NEAR + 1500 },
		{ "+3ns", true, NEAR + 3 }, { "-2m", true, NEAR - 120000000000 }, { "+1h", true, NEAR + 3600000000000 },
		{ "+ 5 ms", true, NEAR + 5000000 },
		{ "0%", true, 1000 }, { "50%", true, 2000 }, { "100%", true, 3000 }, { "12.5%", true, 1250 },
		{ "-10%", true, NEAR - 200 }, { "+50%", true, NEAR + 1000 }, { "- 5 ms", true, NEAR - 5000000 },
		{ "begin", true, 1000 }, { "start", true, 1000 }, { " end ", true, 3000 },
		{ "1:46:5", true, 999999965000000000 }, { "1:2", true, 999997320000000000 }, { "1:46:5.5", true, 999999965500000000 },
	};

	zone("XXX-3");
	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_time_context c = { TN_TIME_CONTEXT, .near_ns = NEAR, .begin_ns = 1000, .end_ns = 3000, .utc = rows[i].utc };
		struct tn_error err = { 0 };
		int64_t got = 0;

		cr_assert_eq(tn_time_parse(rows[i].text, &c, &got, &err), TN_OK, "%s: %s", rows[i].text, err.text);
		cr_assert_eq(got, rows[i].want, "%s: %lld, not %lld", rows[i].text, (long long)got, (long long)rows[i].want);
	}
}

/* hh:mm is on the day of where the user is, also before 1970. */
Test(time, day_of_a_negative_time)
{
	struct tn_time_context c = { TN_TIME_CONTEXT, .near_ns = -500000000, .utc = true };
	int64_t got;

	cr_assert_eq(tn_time_parse("23:59:59", &c, &got, NULL), TN_OK);
	cr_assert_eq(got, -1000000000);
}

#define BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"

/* Clocks that are set: a time that they never show, or show twice, is refused; a day begins with its first moment. */
Test(time, clocks_that_are_set)
{
	static const struct { const char *zone, *text; int64_t want; const char *why; } rows[] = {
		{ BERLIN, "2026-03-29 01:59:59", 1774745999, NULL },
		{ BERLIN, "2026-03-29 02:00", 0, "this time does not exist: clocks were set forward at 2026-03-29T01:00:00Z" },
		{ BERLIN, "2026-03-29 02:59:59.5", 0, "set forward at 2026-03-29T01:00:00Z" },
		{ BERLIN, "2026-03-29 03:00", 1774746000, NULL },
		{ BERLIN, "2026-10-25 01:59:59", 1792886399, NULL },
		{ BERLIN, "2026-10-25 02:30", 0, "this time exists twice: write 2026-10-25T00:30:00Z or 2026-10-25T01:30:00Z" },
		{ BERLIN, "2026-10-25T00:30:00Z", 1792888200, NULL },
		{ BERLIN, "2026-10-25 03:00", 1792893600, NULL },
		{ BERLIN, "2026-10-25", 1792879200, NULL },
		{ "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-04-05 01:45", 0, "twice: write 2026-04-04T14:45:00Z or 2026-04-04T15:15:00Z" },
		{ "<-03>3<-02>,M11.1.0/0,M2.3.0/0", "2018-11-04 00:30", 0, "set forward at 2018-11-04T03:00:00Z" },
		{ "<-03>3<-02>,M11.1.0/0,M2.3.0/0", "2018-11-04", 1541300400, NULL },
		{ "<-01>1<+00>,M3.5.0/0,M10.5.0/1", "2026-10-25 00:30", 0, "twice" },
		{ "<-01>1<+00>,M3.5.0/0,M10.5.0/1", "2026-10-25", 1792886400, NULL },
		{ "IST-5:30", "2026-10-25 02:30", 1792875600, NULL },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_time_context c = { TN_TIME_CONTEXT };
		struct tn_error err = { 0 };
		int64_t got = 0;
		enum tn_code rc;

		zone(rows[i].zone);
		rc = tn_time_parse(rows[i].text, &c, &got, &err);
		cr_assert_eq(rc, rows[i].why ? TN_ERR_ARGUMENT : TN_OK, "row %zu: %s", i, err.text);
		if (rows[i].why)
			cr_assert(strstr(err.text, rows[i].why), "row %zu: %s", i, err.text);
		else
			cr_assert_eq(got, rows[i].want * 1000000000, "row %zu: %lld", i, (long long)got);
	}
}

Test(time, what_is_no_time)
{
	static const char *const rows[] = {
		"", " ", "x", "1:", "1:2:", "8:36:123", "8:365", "ends", "End", "-101%", "+%", "24:00", "12:60", "1.", ".5", "1.0000000001", "+1", "5ms", "+5x", "101%", "%", "@", "@x",
		"2001-13-01 00:00", "2001-02-30 12:00", "2023-02-31", "2023-02-29", "1900-02-29", "2023-04-31", "2023-11-31 00:00", "2001-9-9 01:00", "99999999999", "@9223372036854775808",
		"12:34:56.1234567890", "1 2", "[", "[]", "-", "--1", "+9999999999999999999h", "2001-09-09 01:46:40 x", "100.5%", "1970-01-01T00:00:02ZZ",
		"1111111111111111111111111111111111111111111111111111111111111111111111111",
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct tn_time_context c = { TN_TIME_CONTEXT, .utc = true, .near_ns = NEAR };
		struct tn_error err = { 0 };
		int64_t got = 77;

		cr_assert_eq(tn_time_parse(rows[i], &c, &got, &err), TN_ERR_ARGUMENT, "\"%s\" gave %lld", rows[i], (long long)got);
		cr_assert_eq(got, 77);
		cr_assert(err.text[0]);
	}
}
