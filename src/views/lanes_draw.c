/*
 * lanes_draw.c - draw lanes
 *
 * An idle processor is a thin line. Lanes are as high as the screen permits. A cell of a high lane shows all of its
 * states, one above the other, each by its share. A cell of a low lane is half-toned if its state did not last for the
 * whole cell.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "gettext.h"
#include "lanes_view.h"
#include "session/time_text.h"

#define FULL "\u2588"
#define GUESSED "\u2593"
#define HALF_TONE "\u2592"
#define LEFT_HALF "\u258c"
#define RIGHT_HALF "\u2590"
#define IDLE "\u2500"
#define CURSOR "\u2503"
#define STACK_ROWS 3	/* height of a lane from which on its cells show all states */
#define AXIS_ROWS 8	/* height of the area from which on an axis is drawn */

bool
lanes_halves(const struct session *s)
{
	return s->utf8 && s->colors;
}

int64_t
lanes_time(const struct lanes *l, size_t column)
{
	const struct session *s = l->base.session;
	int64_t ns;

	if (!l->picture.columns)	/* a key was pressed before the first picture */
		return s->traces.begin_ns;
	ns = l->picture.time_ns[column];
	if (column == 0 && ns < s->traces.begin_ns)
		return s->traces.begin_ns;
	return column == l->picture.columns && ns > s->traces.end_ns ? s->traces.end_ns : ns;
}

bool
lanes_in_part(const struct lanes *l)
{
	const struct picture *p = &l->picture;

	return p->lanes && p->cell[l->lane * p->columns + l->column] & TN_LANE_PART;
}

/* The number of rows for lanes: all except heading, hits in no lane, axis, legend and selected cell. */
static int
lane_rows(const struct lanes *l)
{
	int rows = l->base.area.rows;

	return rows > 5 ? rows - 3 - l->picture.is_elsewhere - (rows > AXIS_ROWS) : 1;
}

/* The height of a lane in rows; *fit: number of lanes that fit. */
static int
height_of(const struct lanes *l, size_t *fit)
{
	int rows = lane_rows(l), height = l->picture.lanes ? rows / (int)(l->picture.lanes < 1000 ? l->picture.lanes : 1000) : 1;

	height = height < 1 ? 1 : height;
	*fit = (size_t)(rows / height);
	return height;
}

static void
draw_heading(struct lanes *l, struct canvas *c)
{
	struct session *s = l->base.session;
	struct line line = { 0 };
	struct area a = l->base.area;
	int64_t begin_ns = lanes_time(l, 0), end_ns = lanes_time(l, l->picture.columns);
	char begin[64], end[64];

	if (time_text_has_days(s, begin_ns, end_ns)) {
		time_text_as(s, TN_TIME_DATE, begin_ns, begin, sizeof begin);
		time_text_as(s, TN_TIME_DATE, end_ns, end, sizeof end);
		line_printf(&line, STYLE_HEADING, "%s - %s", begin, end);
	} else {
		session_put_time(s, &line, STYLE_HEADING, begin_ns);
		line_puts(&line, STYLE_HEADING, " - ");
		session_put_time(s, &line, STYLE_HEADING, end_ns);
	}
	line_puts(&line, STYLE_DIM, _("   + - zoom  Enter goes there"));
	canvas_line(c, a.row, a.col, a.cols, &line, 0, true);
	line_release(&line);
}

/* Draw the meaning of colours and letters, the longest states first. */
static void
draw_legend(struct lanes *l, struct canvas *c)
{
	const struct picture *p = &l->picture;
	struct session *s = l->base.session;
	struct area a = l->base.area;
	struct line line = { 0 };
	char text[32], letter[3];

	for (size_t i = 0; i < p->states && line.width < a.cols; i++) {
		size_t state = p->longest[i];
		unsigned style = p->idle[state] ? STYLE_DIM : s->colors ? STYLE_STATE + p->color[state] : STYLE_BOLD;

		if (lanes_halves(s) && !p->idle[state] && STYLE_STATE + p->color[state] == STYLE_STATE_LAST) {
			line_puts(&line, STYLE_STATE_LAST, FULL);
			line_printf(&line, STYLE_DIM, ngettext(" %s other", " %s others", p->states - i),
				    number_text(p->states - i, text));
			break;
		}
		snprintf(letter, sizeof letter, "%c ", p->letter[state]);
		line_puts(&line, style, !lanes_halves(s) ? letter : p->idle[state] ? IDLE : FULL);
		line_puts(&line, p->idle[state] ? STYLE_DIM : STYLE_TEXT, p->state[state]);
		line_printf(&line, STYLE_DIM, " %s  ", span_text((int64_t)p->state_ns[state], text));
	}
	canvas_line(c, a.row + a.rows - 2, a.col, a.cols, &line, 0, true);
	line_release(&line);
}

/* ---- the selected cell ---- */

/* Append the time range of the cells around the cursor that have only this state. */
static void
put_run(struct lanes *l, struct line *out, uint32_t state)
{
	const struct picture *p = &l->picture;
	const uint32_t *cell = p->cell + l->lane * p->columns;
	size_t first = l->column, end = l->column + 1;
	char text[32];

	while (first && (cell[first - 1] & (TN_LANE_STATE | TN_LANE_PART)) == state)
		first--;
	while (end < p->known && (cell[end] & (TN_LANE_STATE | TN_LANE_PART)) == state)
		end++;
	line_printf(out, STYLE_DIM, _(" for about %s from "), span_text(lanes_time(l, end) - lanes_time(l, first), text));
	session_put_time(l->base.session, out, STYLE_TIME, lanes_time(l, first));
}

/* Write a share of the cell, with the unit of the cell's width. */
static void
put_share(struct line *out, uint64_t ns, uint64_t width_ns)
{
	static const double units[] = { 86400e9, 3600e9, 60e9, 1e9, 1e6, 1e3 };
	double unit = 1, part;

	for (size_t i = 0; i < sizeof units / sizeof *units && unit <= 1; i++)
		unit = (double)width_ns >= units[i] ? units[i] : 1;
	part = (double)ns / unit;
	line_printf(out, STYLE_NAME, unit <= 1 || part >= 9.95 ? " %.0f" : part >= 0.0095 ? " %.2g" : " %.1g", part);
}

/* The state with this number, with its name next to it. */
static const char *
with_nickname(const struct picture *p, const char *number)
{
	for (size_t i = 1; p->names && i <= p->states; i++)
		if (strcmp(p->name[i], number) == 0)
			return p->state[i];
	return number;
}

/* Write all states of a cell that has several. */
static void
put_shares(struct lanes *l, struct line *out, uint32_t state)
{
	const struct picture *p = &l->picture;
	const struct cell_shares *s = &l->shares;
	int64_t begin = lanes_time(l, l->column), end = lanes_time(l, l->column + 1);
	char text[32];

	line_printf(out, STYLE_DIM, _("this cell, %s: "), span_text(end - begin, text));
	l->drawn_shares = s->n;
	if (!s->n || s->lane != l->lane || s->begin_ns != begin || s->end_ns != end) {
		line_printf(out, STYLE_STRING, _("mostly %s"), p->state[state]);
		return;
	}
	for (size_t i = 0; i < s->n; i++) {
		line_puts(out, STYLE_DIM, i ? ", " : "");
		line_puts(out, *s->item[i].name ? STYLE_STRING : STYLE_DIM,
			  *s->item[i].name ? with_nickname(p, s->item[i].name) : _("nothing"));
		put_share(out, s->item[i].ns, (uint64_t)end - (uint64_t)begin);
	}
	if (s->more)
		line_puts(out, STYLE_DIM, ", ...");
}

/* Write the lane's name, and the state at the cursor. */
void
lanes_chosen(struct lanes *l, struct line *line)
{
	const struct picture *p = &l->picture;
	uint32_t cell = p->lanes ? p->cell[l->lane * p->columns + l->column] : 0, state = cell & TN_LANE_STATE;
	bool guessed = l->column >= p->known;

	session_put_time(l->base.session, line, STYLE_TIME, l->has_at ? l->at_ns : lanes_time(l, l->column));
	line_puts(line, STYLE_DIM, "  ");
	line_puts(line, STYLE_TEXT, p->lanes ? p->lane[l->lane] : "");
	line_puts(line, STYLE_DIM, ": ");
	if (state && cell & TN_LANE_PART && !guessed)
		put_shares(l, line, state);
	else
		line_puts(line, STYLE_STRING, state ? p->state[state] : _("nothing"));
	if (guessed)
		line_puts(line, STYLE_DIM, _(" (estimate so far)"));
	else if (state && !(cell & TN_LANE_PART))
		put_run(l, line, state);
	if ((cell | p->mark[l->column]) & TN_LANE_LOST)
		line_puts(line, STYLE_LOSS, _("  events were lost here"));
	if ((cell | p->mark[l->column]) & TN_LANE_HIT)
		line_puts(line, STYLE_HIT, _("  a hit"));
}

static void
draw_chosen(struct lanes *l, struct canvas *c)
{
	struct area a = l->base.area;
	struct line line = { 0 };

	lanes_chosen(l, &line);
	canvas_line(c, a.row + a.rows - 1, a.col, a.cols, &line, 0, true);
	line_release(&line);
}

/* ---- cells ---- */

/* Get the state for one of the lane's rows in a cell. In a high lane, each row has its own state, if the states are known. */
static uint32_t
cell_at(const struct picture *p, size_t i, size_t k, int row, int rows)
{
	uint32_t cell = p->cell[i * p->columns + k];
	const struct stack_part *part = p->stack ? p->stack + (i * p->columns + k) * TN_LANE_SHARES : NULL;
	float at = ((float)(rows - row) - 0.5F) / (float)rows;

	if (!(cell & TN_LANE_PART) || rows < STACK_ROWS || !part || !part->state)
		return cell;
	for (size_t n = 0; n < TN_LANE_SHARES && part[n].state; n++)
		if (at < part[n].until)
			return (cell & ~(TN_LANE_STATE | TN_LANE_PART)) | part[n].state;
	return cell & ~(TN_LANE_STATE | TN_LANE_PART);
}

/*
 * Draw a cell. A loss hides the state, a hit is marked, and a guess is dim. The first row of a lane has letters, and so
 * have the others if they show all states; otherwise these show the share of the state.
 */
static void
draw_cell(struct lanes *l, struct canvas *c, int row, int col, size_t i, size_t k, uint32_t cell, bool first)
{
	const struct picture *p = &l->picture;
	uint32_t state = cell & TN_LANE_STATE;
	bool part = cell & TN_LANE_PART, idle = state && p->idle[state];
	bool named = first || (p->stack && !idle && !part);
	char letter[2] = { !state ? '.' : named ? p->letter[state] : idle ? '-' : part ? ':' : '#', '\0' };
	unsigned style = !state || idle || k >= p->known ? STYLE_DIM :
			 l->base.session->colors ? STYLE_STATE + p->color[state] : part ? STYLE_TEXT : STYLE_BOLD;

	if (cell & TN_LANE_LOST || (p->mark[k] & TN_LANE_LOST && !state)) {
		letter[0] = '!';
		style = STYLE_LOSS;
	}
	canvas_puts(c, row, col, 1, style | (cell & TN_LANE_HIT ? STYLE_MATCH : 0), letter);
	if (i == l->lane && k == l->column)
		canvas_flag(c, row, col, 1, STYLE_SELECTED);
}

/* The state of a half cell that has a colour; 0: none, or an idle processor. */
static uint32_t
colored(const struct picture *p, uint32_t cell)
{
	uint32_t state = cell & TN_LANE_STATE;

	return state && !p->idle[state] ? state : 0;
}

/* Draw two cells in one cell of the terminal: the left one colours the foreground, the right one the background. */
static void
draw_halves(struct lanes *l, struct canvas *c, int row, int col, size_t i, size_t k, const uint32_t cell[2])
{
	const struct picture *p = &l->picture;
	uint32_t both = cell[0] | cell[1], of_column = p->mark[k] | p->mark[k + 1];
	uint32_t left = colored(p, cell[0]), right = colored(p, cell[1]);
	unsigned front = STYLE_STATE + (left ? p->color[left] : right ? p->color[right] : 0u);
	unsigned behind = right ? STYLE_ON_STATE(p->color[right]) : 0;
	bool selected = i == l->lane && k == l->column / 2 * 2;
	bool last = right && STYLE_STATE + p->color[right] == STYLE_STATE_LAST;	/* this may be the terminal's own colour */

	if (selected) {
		uint32_t chosen = l->column == k ? left : right;

		canvas_puts(c, row, col, 1, STYLE_BOLD | (chosen ? STYLE_ON_STATE(p->color[chosen]) : 0), CURSOR);
	} else if (both & (TN_LANE_LOST | TN_LANE_HIT)) {
		canvas_puts(c, row, col, 1, (both & TN_LANE_LOST ? STYLE_LOSS : STYLE_HIT) | behind,
			    both & TN_LANE_LOST ? "!" : "*");
	} else if (!(both & TN_LANE_STATE)) {
		canvas_puts(c, row, col, 1, STYLE_DIM, of_column & TN_LANE_LOST ? "!" : ".");
	} else if (!left && !right) {
		canvas_puts(c, row, col, 1, STYLE_DIM, IDLE);
	} else if (both & TN_LANE_PART) {
		canvas_puts(c, row, col, 1, left && right && left != right && !last ? front | behind : front, HALF_TONE);
	} else if (left == right) {
		canvas_puts(c, row, col, 1, front, k < p->known ? FULL : GUESSED);
	} else if (left && last) {
		canvas_puts(c, row, col, 1, STYLE_STATE_LAST | STYLE_ON_STATE(p->color[left]), RIGHT_HALF);
	} else {
		canvas_puts(c, row, col, 1, left ? front | behind : front, left ? LEFT_HALF : RIGHT_HALF);
	}
}

/* A high lane ends with an empty row, to separate it from the next one. */
static void
draw_lane(struct lanes *l, struct canvas *c, size_t i, int row, int height)
{
	const struct picture *p = &l->picture;
	struct area a = l->base.area;
	size_t step = lanes_halves(l->base.session) ? 2 : 1;
	int rows = height > 2 ? height - 1 : height;
	struct line name = { 0 };

	labels_put(&l->labels, p->lane[i], i == l->lane ? STYLE_NAME : STYLE_TEXT, &name);
	canvas_line(c, row, a.col, l->labels.width, &name, 0, false);
	line_release(&name);
	for (int r = 0; r < rows; r++) {
		int col = a.col + l->labels.width + 1;

		for (size_t k = 0; k < p->columns && col < a.col + a.cols; k += step, col++) {
			const uint32_t cell[2] = {
				cell_at(p, i, k, r, rows), step == 2 && k + 1 < p->columns ? cell_at(p, i, k + 1, r, rows) : 0,
			};

			if (step == 2)
				draw_halves(l, c, row + r, col, i, k, cell);
			else
				draw_cell(l, c, row + r, col, i, k, cell[0], r == 0);
			if (r == 0 && i == l->lane && k == l->column / step * step)
				canvas_point(c, row, col);
		}
	}
}

/* Draw the hits of events that are in no lane. */
static void
draw_elsewhere(struct lanes *l, struct canvas *c, int row)
{
	const struct picture *p = &l->picture;
	struct area a = l->base.area;
	size_t step = lanes_halves(l->base.session) ? 2 : 1;
	int col = a.col + l->labels.width + 1;

	canvas_puts(c, row, a.col, l->labels.width, STYLE_DIM, _("in no lane"));
	for (size_t k = 0; k < p->columns && col < a.col + a.cols; k += step, col++)
		if ((p->mark[k] | (step == 2 ? p->mark[k + 1] : 0)) & TN_LANE_HIT)
			canvas_puts(c, row, col, 1, STYLE_HIT, "*");
}

/* Draw round times below the lanes, and the place of the cursor. */
static void
draw_axis(struct lanes *l, struct canvas *c, int row)
{
	const struct picture *p = &l->picture;
	struct area a = l->base.area;
	int step = lanes_halves(l->base.session) ? 2 : 1, col = a.col + l->labels.width + 1;
	int cols = ((int)p->columns + step - 1) / step;

	cols = cols < a.col + a.cols - col ? cols : a.col + a.cols - col;
	axis_draw(l->base.session, c, row, col, cols, p->begin_ns, p->end_ns);
	col += (int)l->column / step;
	if (canvas_is_blank(c, row, col))
		canvas_puts(c, row, col, 1, STYLE_KEY, l->base.session->utf8 ? "\u25b2" : "^");
	else
		canvas_flag(c, row, col, 1, STYLE_SELECTED);	/* the time that can be read is at the cursor */
}

/* Explain why the picture is empty, and what to do. */
static void
draw_none(struct lanes *l, struct canvas *c)
{
	struct area a = l->base.area;

	canvas_puts(c, a.row + 1, a.col, a.cols, STYLE_TEXT, l->base.session->asks.n_conditions ?
		    _("nothing to draw: no such event passes the filters (& and Enter removes one)") :
		    _("nothing to draw: there are no such events in this time"));
	canvas_puts(c, a.row + 2, a.col, a.cols, STYLE_DIM, _("A lists pairs of events; :lanes chooses the states:"));
	canvas_puts(c, a.row + 3, a.col, a.cols, STYLE_DIM, ":lanes (BEGIN END by KEY) by LANE    :lanes EVENT.FIELD by LANE");
}

void
lanes_draw(struct view *v, struct canvas *c)
{
	struct lanes *l = (struct lanes *)v;
	const struct picture *p = &l->picture;
	size_t fit;
	int height = height_of(l, &fit), row = v->area.row + 1;

	if (!p->columns && v->session->traces.ranged && !v->session->traces.has_range)
		canvas_puts(c, v->area.row, v->area.col, v->area.cols, STYLE_DIM, _("the traces have no times"));
	if (!p->columns && l->instead)
		list_put_text(c, v->area, l->instead);
	if (!p->columns)
		return;
	if (l->lane < l->top)
		l->top = l->lane;
	if (l->lane >= l->top + fit)
		l->top = l->lane - fit + 1;
	draw_heading(l, c);
	if (!p->lanes && p->known >= p->columns && v->area.rows > 5)
		draw_none(l, c);
	for (size_t i = l->top; i < p->lanes && i < l->top + fit; i++, row += height)
		draw_lane(l, c, i, row, height);
	if (v->area.rows > 5 && p->is_elsewhere)
		draw_elsewhere(l, c, v->area.row + 1 + lane_rows(l));
	if (v->area.rows > AXIS_ROWS)
		draw_axis(l, c, v->area.row + v->area.rows - 3);
	if (v->area.rows > 5)
		draw_legend(l, c);
	draw_chosen(l, c);
}
