#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "charset.h"
#include "rungs.h"

#define LANE_WIDTH 16		/* largest width of a lane */

const char *const rungs_kind[RUNGS_KINDS] = { "stream", "tid", "pid", "cpu" };

int
rungs_width(size_t n, int room)
{
	int width = n ? room / (int)n : 0;

	return width > LANE_WIDTH ? LANE_WIDTH : width < 4 ? 4 : width;
}

void
rungs_heading(struct line *out, const char *name, const char *beside, int width)
{
	char *safe = line_safe_copy(name, strlen(name)), *more = beside ? line_safe_copy(beside, strlen(beside)) : NULL;
	int from = out->width, room;
	bool cut = safe && text_width(safe, strlen(safe)) > width - 1;

	if (cut)
		line_puts(out, STYLE_HEADING, charset_cut());
	if (safe)
		line_puts(out, STYLE_HEADING, safe + (cut ? text_skip(safe, strlen(safe), width - 2) : 0));
	room = from + width - 2 - out->width;
	if (more && room > 1) {
		size_t fits = text_fit(more, strlen(more), room, NULL);

		line_puts(out, STYLE_HEADING, " ");
		line_add(out, STYLE_HEADING, more, more[fits] ? text_fit(more, strlen(more), room - 1, NULL) : fits);
		line_puts(out, STYLE_HEADING, more[fits] ? charset_cut() : "");
	}
	line_pad(out, from + width, false);
	free(safe);
	free(more);
}

/* Draw lane @i of a line with an arrow from lane @from to lane @to, and the gap after the lane. */
static void
put_lane(struct line *out, size_t i, size_t from, size_t to, bool goes, int width, bool utf8)
{
	bool right = to > from, inside = goes && i >= (right ? from : to) && i <= (right ? to : from);
	const char *across = utf8 ? "\u2500" : "-";
	int first = out->width;

	if (i == to)
		line_puts(out, STYLE_NAME, utf8 ? "\u25cf" : "o");
	else if (inside && i == from)
		line_puts(out, STYLE_BAR, utf8 ? (right ? "\u2514" : "\u2518") : "+");
	else if (inside)
		line_puts(out, STYLE_BAR, across);
	else
		line_puts(out, STYLE_DIM, utf8 ? "\u2502" : "|");
	/* The arrow crosses the gap between this lane and the next one. */
	if (inside && i < (right ? to : from)) {
		for (int k = 1; k < width; k++) {
			bool head = right ? i + 1 == to && k == width - 1 : i == to && k == 1;

			line_puts(out, STYLE_BAR, head ? (right ? (utf8 ? "\u25b6" : ">") : (utf8 ? "\u25c0" : "<")) : across);
		}
		return;
	}
	line_pad(out, first + width, false);
}

void
rungs_row(struct line *out, size_t n, size_t from, size_t to, int width, bool utf8)
{
	bool goes = from < n && to < n && from != to;

	for (size_t i = 0; i < n; i++)
		put_lane(out, i, from, to, goes, width, utf8);
}
