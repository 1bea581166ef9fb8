#include <config.h>

#include <math.h>

#include "strip.h"

bool
strip_is_there(const struct session *s)
{
	return s->settings.strip && !(s->traces.ranged && !s->traces.has_range);
}

const struct tally *
strip_hits(const struct session *s)
{
	return s->asks.found.on ? &s->asks.found : s->asks.pass.on && s->asks.query->filter ? &s->asks.pass : NULL;
}

int64_t
strip_time(const struct session *s, int cols, int i)
{
	double span = ns_between(s->traces.begin_ns, s->traces.end_ns) + 1;

	return s->traces.begin_ns + (int64_t)(span * i / (cols > 0 ? cols : 1));
}

/* The bar of a cell, in eighths if the terminal has the characters. NULL: no bar. */
static const char *
strip_cell(bool utf8, uint64_t n, uint64_t max)
{
	static const char *const eighth[] = { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };
	static const char *const plain[] = { ".", ".", ":", ":", "|", "|", "#", "#" };
	int level;

	if (!n || !max)
		return NULL;
	level = (int)(sqrt((double)n / (double)max) * 8 + 0.5) - 1;	/* one burst does not flatten all else */
	level = level < 0 ? 0 : level > 7 ? 7 : level;
	return utf8 ? eighth[level] : plain[level];
}

/* The bars in a cell. In a trace that grows, a bar can be wider than a cell. */
static void
bars_of(const struct session *s, const struct tally *t, int cols, int i, size_t *from, size_t *to)
{
	*from = (size_t)i * BARS_MOST / (size_t)cols;
	*to = (size_t)(i + 1) * BARS_MOST / (size_t)cols;
	if (t->begin_ns != s->traces.begin_ns || t->end_ns != s->traces.end_ns) {
		*from = bars_part(t->begin_ns, t->end_ns, BARS_MOST, strip_time(s, cols, i));
		*to = bars_part(t->begin_ns, t->end_ns, BARS_MOST, strip_time(s, cols, i + 1));
	}
	*to = *to > *from ? *to : *from + 1;
}

/* The number of events in cell @i. */
static uint64_t
sum(const struct session *s, const struct tally *t, int cols, int i)
{
	size_t from, to;
	uint64_t n = 0;

	bars_of(s, t, cols, i, &from, &to);
	for (size_t k = from; k < to; k++)
		n += t->bar[k];
	return n;
}

static bool
is_lossy(const struct session *s, const struct tally *t, int cols, int i)
{
	size_t from, to;
	bool lossy = false;

	bars_of(s, t, cols, i, &from, &to);
	for (size_t k = from; k < to; k++)
		lossy |= t->lossy[k];
	return lossy;
}

static uint64_t
highest(const struct session *s, const struct tally *t, int cols)
{
	uint64_t max = 0;

	for (int i = 0; t && i < cols; i++)
		max = sum(s, t, cols, i) > max ? sum(s, t, cols, i) : max;
	return max;
}

void
strip_draw(const struct session *s, struct canvas *c, int row, int col, int cols, int64_t from_ns, int64_t to_ns)
{
	const struct tally *hits = strip_hits(s);
	uint64_t max = highest(s, &s->asks.all, cols), max_hits = highest(s, hits, cols);
	const struct bounds *b = &s->asks.range;
	int first, last;

	if (!s->traces.has_range || cols < 1)
		return;
	first = (int)bars_part(s->traces.begin_ns, s->traces.end_ns, (size_t)cols, from_ns);
	last = (int)bars_part(s->traces.begin_ns, s->traces.end_ns, (size_t)cols, to_ns);
	for (int i = 0; i < cols; i++) {
		bool outside = (b->has_begin && strip_time(s, cols, i + 1) <= b->begin_ns)
			       || (b->has_end && strip_time(s, cols, i) > b->end_ns);
		const char *cell = strip_cell(s->utf8, sum(s, &s->asks.all, cols, i), max);
		const char *hit = hits ? strip_cell(s->utf8, sum(s, hits, cols, i), max_hits) : NULL;

		if (outside)
			canvas_puts(c, row, col + i, 1, STYLE_DIM, cell ? "." : " ");
		else if (hit)
			canvas_puts(c, row, col + i, 1, STYLE_HIT, hit);
		else if (is_lossy(s, &s->asks.all, cols, i))
			canvas_puts(c, row, col + i, 1, STYLE_LOSS, "!");
		else if (cell)
			canvas_puts(c, row, col + i, 1, hits ? STYLE_DIM : STYLE_BAR, cell);
		/* In reverse video a small bar would look like a full one. */
		if (i < first || i > last)
			continue;
		if (!outside && !hit && !is_lossy(s, &s->asks.all, cols, i) && (s->colors || !cell))
			canvas_puts(c, row, col + i, 1, cell ? STYLE_KEY : STYLE_UNDERLINE, cell ? cell : " ");
		else
			canvas_flag(c, row, col + i, 1, STYLE_SELECTED);
	}
}
