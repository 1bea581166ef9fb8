#include <config.h>

#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "session/time_text.h"

/* The number of digits after the point that distinguish times in distances of @step_ns. */
static int
digits_of(int64_t step_ns)
{
	int digits = 9;

	for (; digits && step_ns % 10 == 0; digits--)
		step_ns /= 10;
	return digits;
}

/* The time without its date, with the digits after the point that @step_ns needs. */
static const char *
label_of(struct session *s, int64_t time_ns, int64_t step_ns, bool dates, char room[64])
{
	char *point, *blank;

	time_text_as(s, dates ? TN_TIME_DATE : s->settings.text.time, time_ns, room, 64);
	blank = strrchr(room, ' ');
	point = strrchr(blank ? blank : room, '.');
	if (point && strspn(point + 1, "0123456789") == strlen(point + 1)) {
		int digits = digits_of(step_ns);

		if ((size_t)digits < strlen(point + 1))
			point[digits ? digits + 1 : 0] = '\0';
	}
	return blank && !dates ? blank + 1 : room;
}

/* The smallest round step of at least @least nanoseconds. */
static int64_t
round_step(double least)
{
	static const int64_t seconds[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200 };
	static const int64_t parts[] = { 1, 2, 5 };

	for (int64_t unit = 1; unit < 1000000000; unit *= 10)
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			if ((double)(unit * parts[i]) >= least)
				return unit * parts[i];
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
		if ((double)seconds[i] * 1e9 >= least)
			return seconds[i] * 1000000000;
	for (int64_t unit = 1; unit <= 10000; unit *= 10)
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			if ((double)(unit * parts[i]) * 86400e9 >= least)
				return unit * parts[i] * 86400000000000;
	return INT64_MAX;
}

void
axis_draw(struct session *s, struct canvas *c, int row, int col, int cols, int64_t begin_ns, int64_t end_ns)
{
	double span = ns_between(begin_ns, end_ns);
	bool dates = time_text_has_days(s, begin_ns, end_ns);
	const char *stroke = s->utf8 ? "\u2575" : "|";
	int64_t step, from;
	char room[64];
	int width;

	if (cols < 1 || span <= 0)
		return;
	step = round_step(span / cols * 4);
	for (int i = 0; i < 3 && step != INT64_MAX; i++) {
		const char *label = label_of(s, begin_ns, step, dates, room);

		width = text_width(label, strlen(label)) + 2;
		step = round_step(span / cols * (width + 1));
	}
	if (step == INT64_MAX)
		return;
	from = begin_ns / step * step + (begin_ns % step > 0 ? step : 0);
	for (int64_t at = from; at < end_ns; at += step) {
		int i = (int)(ns_between(begin_ns, at) / span * cols);
		const char *label = label_of(s, at, step, dates, room);

		if (i < 0 || i >= cols)
			continue;
		canvas_puts(c, row, col + i, 1, STYLE_DIM, stroke);
		if (i + 1 + text_width(label, strlen(label)) <= cols)
			canvas_puts(c, row, col + i + 1, cols - i - 1, STYLE_DIM, label);
		if (at > INT64_MAX - step)
			return;
	}
}
