#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "list.h"

void
list_release(struct list_view *l)
{
	line_release(&l->line);
	free(l->instead);
}

/* The number of lines on the screen, without the heading. */
static int
list_rows(const struct list_view *l)
{
	int rows = l->base.area.rows - (l->base.class->heading && l->base.area.rows > 2 ? 1 : 0);

	return rows > 1 ? rows : 1;
}

static void
keep_visible(struct list_view *l)
{
	size_t rows = (size_t)list_rows(l);

	if (l->selected >= l->n)
		l->selected = l->n ? l->n - 1 : 0;
	if (l->selected < l->top)
		l->top = l->selected;
	if (l->selected >= l->top + rows)
		l->top = l->selected - rows + 1;
	if (l->top + rows > l->n)
		l->top = l->n > rows ? l->n - rows : 0;
}

void
list_select(struct list_view *l, size_t i)
{
	size_t former = l->selected;

	l->selected = i;
	keep_visible(l);
	if (l->selected != former && l->base.class->selected)
		l->base.class->selected(&l->base);
}

static void
mark(struct list_view *l)
{
	const struct tn_regex *regex = l->base.session->asks.mark;
	size_t at = 0, begin, end;

	if (!regex || !l->line.n)
		return;
	for (int i = 0; i < 100 && tn_regex_find(regex, l->line.text, l->line.n, at, &begin, &end); i++) {
		line_flag(&l->line, begin, end, STYLE_MATCH);
		at = end > begin ? end : end + 1;
		if (at > l->line.n)
			break;
	}
}

void
list_put_text(struct canvas *c, struct area a, const char *text)
{
	for (int row = a.row; *text && row < a.row + a.rows; row++) {
		const char *next;
		size_t n = line_piece(text, a.cols, &next);

		canvas_put(c, row, a.col, a.cols, STYLE_ERROR, text, n);
		text = next;
	}
}

static bool
is_between(const struct list_view *l, size_t i)
{
	return l->select_from < l->selected ? i >= l->select_from && i <= l->selected : i >= l->selected && i <= l->select_from;
}

void
list_draw(struct list_view *l, struct canvas *c)
{
	const struct view_class *class = l->base.class;
	struct area a = l->base.area;
	int row = a.row;

	keep_visible(l);
	if (class->heading && a.rows > 2) {
		line_clear(&l->line);
		class->heading(&l->base, &l->line);
		canvas_fill(c, row, a.col, a.cols, STYLE_HEADING);
		canvas_line(c, row++, a.col, a.cols, &l->line, l->left, true);
	}
	if (!l->n && l->instead)
		list_put_text(c, (struct area) { row, a.col, a.rows - (row - a.row), a.cols }, l->instead);
	for (size_t i = l->top; i < l->n && row < a.row + a.rows; i++, row++) {
		line_clear(&l->line);
		class->row(&l->base, i, &l->line);
		mark(l);
		canvas_line(c, row, a.col, a.cols, &l->line, l->left, true);
		if (i == l->selected && l->base.active)
			canvas_point(c, row, a.col);
		if (i == l->selected && !l->base.active && class->place == VIEW_PANE)
			canvas_flag(c, row, a.col, a.cols, STYLE_FOCUS);
		if ((i == l->selected || (l->selecting && is_between(l, i))) && l->base.active)
			canvas_flag(c, row, a.col, a.cols, STYLE_SELECTED);
	}
}

static void
move_by(struct list_view *l, bool down, uint64_t n)
{
	if (down)
		list_select(l, n < l->n - l->selected ? l->selected + (size_t)n : l->n ? l->n - 1 : 0);
	else
		list_select(l, n < l->selected ? l->selected - (size_t)n : 0);
}

/* Scroll the screen. The selected line stays selected as long as it is visible. */
static void
scroll_by(struct list_view *l, bool down, uint64_t n)
{
	size_t rows = (size_t)list_rows(l), last = l->n > rows ? l->n - rows : 0;

	if (down)
		l->top = n < last - (l->top < last ? l->top : last) ? l->top + (size_t)n : last;
	else
		l->top = n < l->top ? l->top - (size_t)n : 0;
	if (l->selected < l->top)
		list_select(l, l->top);
	else if (l->selected >= l->top + rows)
		list_select(l, l->top + rows - 1);
}

#define COPIED_ROWS 100000

/* Copy the complete selected lines to the clipboard. */
static unsigned
copy(struct list_view *l)
{
	size_t first = l->selected, last = l->selected;
	struct line all = { 0 };
	unsigned reply;

	if (!l->n) {
		session_say(l->base.session, "%s", _("there is nothing to copy"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	if (l->selecting && l->select_from < l->n) {
		first = l->select_from < first ? l->select_from : first;
		last = l->select_from > last ? l->select_from : last;
	}
	if (last - first >= COPIED_ROWS) {
		session_fail(l->base.session, l->base.session->answers.table && *l->base.session->answers.table ?
			     _("more than %d lines are selected: V selects again, :w FILE writes the table") :
			     _("more than %d lines are selected: select fewer with V"), COPIED_ROWS);
		return VIEW_DONE | VIEW_REDRAW;
	}
	l->plain = true;
	for (size_t i = first; i <= last; i++) {
		line_clear(&l->line);
		l->base.class->row(&l->base, i, &l->line);
		line_add(&all, STYLE_TEXT, l->line.text ? l->line.text : "", l->line.n);
		line_puts(&all, STYLE_TEXT, "\n");
	}
	l->plain = l->selecting = false;
	reply = view_request_text(&l->base, REQUEST_COPY, all.text ? strdup(all.text) : NULL);
	line_release(&all);
	return reply | VIEW_REDRAW;
}

unsigned
list_act(struct list_view *l, const struct call *call)
{
	uint64_t n = call->count ? call->count : 1;
	uint64_t rows = (uint64_t)list_rows(l), half = rows > 1 ? rows / 2 : 1;
	int columns = !call->count ? l->base.area.cols / 2 : call->count < LEFT_MAX ? (int)call->count : LEFT_MAX;

	switch (call->action) {
	case ACT_EVENT_NEXT: move_by(l, true, n); break;
	case ACT_EVENT_PREVIOUS: move_by(l, false, n); break;
	case ACT_SCROLL_DOWN: scroll_by(l, true, n); break;
	case ACT_SCROLL_UP: scroll_by(l, false, n); break;
	case ACT_PAGE_DOWN:
		l->top = l->top + rows * n < l->n ? l->top + (size_t)(rows * n) : l->top;
		move_by(l, true, rows * n);
		break;
	case ACT_PAGE_UP:
		l->top = l->top > rows * n ? l->top - (size_t)(rows * n) : 0;
		move_by(l, false, rows * n);
		break;
	case ACT_HALF_DOWN: move_by(l, true, half * n); break;
	case ACT_HALF_UP: move_by(l, false, half * n); break;
	case ACT_FIRST: list_select(l, call->count ? (size_t)call->count - 1 : 0); break;
	case ACT_LAST: list_select(l, call->count ? (size_t)call->count - 1 : l->n); break;
	case ACT_PERCENT:
		if (call->count <= 100)
			list_select(l, (size_t)((double)l->n * (double)call->count / 100));
		break;
	case ACT_LEFT:
		l->left -= columns;
		l->left = l->left > 0 ? l->left : 0;
		break;
	case ACT_RIGHT: l->left += l->left < LEFT_MAX ? columns : 0; break;
	case ACT_FIRST_COLUMN: l->left = 0; break;
	case ACT_COPY:
	case ACT_COPY_LINES:
		if (l->base.class->place != VIEW_SCREEN)
			return VIEW_PASS;
		return copy(l);
	case ACT_SELECT:
		if (l->base.class->place != VIEW_SCREEN)
			return VIEW_PASS;
		l->selecting = !l->selecting && l->n;
		l->select_from = l->selected;
		if (l->selecting)
			session_say(l->base.session, "%s", _("Move, then press y to copy the lines, or V to stop."));
		break;
	case ACT_VIEW_TOP: l->top = l->selected; break;
	case ACT_VIEW_MIDDLE: l->top = l->selected > half ? l->selected - (size_t)half : 0; break;
	case ACT_VIEW_BOTTOM: l->top = l->selected + 1 > rows ? l->selected + 1 - (size_t)rows : 0; break;
	default: return VIEW_PASS;
	}
	keep_visible(l);
	return VIEW_DONE | VIEW_REDRAW;
}

static bool
row_matches(struct list_view *l, size_t i, const struct tn_regex *regex, int *from_column, int *to_column)
{
	size_t from = 0, to = SIZE_MAX, begin, end;

	line_clear(&l->line);
	if (l->base.class->whole)
		l->base.class->whole(&l->base, i, &l->line, &from, &to);
	else
		l->base.class->row(&l->base, i, &l->line);
	if (!l->line.n || !tn_regex_find(regex, l->line.text, l->line.n, from, &begin, &end) || begin >= to)
		return false;
	*from_column = text_width(l->line.text, begin);
	*to_column = text_width(l->line.text, end);
	return true;
}

/* Scroll so that the match is visible in a line that is longer than the screen. */
static void
show_columns(struct list_view *l, int from, int to)
{
	int cols = l->base.area.cols;

	if (from >= l->left + (l->left > 0) && to < l->left + cols)
		return;
	l->left = to < cols ? 0 : from - cols / 3;
}

bool
list_search(struct list_view *l, const struct tn_regex *regex, bool backward)
{
	int from, to;

	for (size_t i = l->selected; backward ? i > 0 : i + 1 < l->n;) {
		i = backward ? i - 1 : i + 1;
		if (row_matches(l, i, regex, &from, &to)) {
			list_select(l, i);
			if (!l->base.class->whole)
				show_columns(l, from, to);
			return true;
		}
	}
	return false;
}
