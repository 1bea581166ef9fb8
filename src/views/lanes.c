#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "lanes_labels.h"
#include "lanes_picture.h"
#include "list.h"
#include "session/moment.h"
#include "view.h"

/*
 * States over time: time across, a lane for each value of something. A job makes the picture of a window (first guesses,
 * coarse ones, then what is so); the former one stays until the next is there. Where the terminal has colours and half
 * blocks, a cell of it is two of time, and a state is a colour; else a letter is.
 */
#define FIRST_WIDTH 20	/* of the names, until they are known */
#define LEAST_NS 100

struct lanes {
	struct view base;
	struct job *job;
	struct drawing *drawing;	/* of the job */
	struct picture picture;
	struct tn_lanes_memory *memory;	/* of what was drawn last */
	const struct query *query, *hits;	/* it was made for */
	int64_t begin_ns, end_ns;	/* the wanted window */
	int cols;		/* of the area it was made for */
	struct labels labels;	/* of the picture; their width only grows, but for the first picture's */
	bool fitted;		/* to names that are known */
	size_t lane, column, top;
	bool ready;		/* a window is chosen */
	bool placed;		/* the cursor is where the list's is */
	bool has_at, is_event;	/* the cursor is a time within its cell; that of the list's event */
	int64_t at_ns;
	char *chosen;		/* the definition to draw if the user gave none; NULL: not known yet */
	char *instead;		/* why there is no picture; NULL: nothing is said */
};

/* ---- the job ---- */

/* The definition to draw; "": the job chooses it. */
static const char *
what(const struct lanes *l)
{
	return l->base.session->answers.lanes ? l->base.session->answers.lanes : l->chosen ? l->chosen : "";
}

/* Columns for the names: what the longest needs, a third of the screen at most. */
static int
name_width(const struct lanes *l)
{
	const struct picture *p = &l->picture;
	int most = l->base.area.cols / 3, width = labels_widest(p->lane, p->lanes);

	if (p->is_elsewhere && width < text_width(_("in no lane"), strlen(_("in no lane"))))
		width = text_width(_("in no lane"), strlen(_("in no lane")));
	if (!l->fitted && !width)
		width = FIRST_WIDTH;
	if (l->fitted && width < l->labels.width)
		width = l->labels.width;
	return width < most ? width : most;
}

static size_t
column_of(const struct picture *p, int64_t ns)
{
	double part = ((double)ns - (double)p->begin_ns) / ((double)p->end_ns - (double)p->begin_ns);
	size_t column = (size_t)(part * (double)p->columns);

	return column < p->columns ? column : p->columns - 1;
}

/* The newest picture of the job, if it has one. The cursor stays in its lane and time, whatever lanes came before it. */
static bool
take(struct lanes *l, struct drawing *d)
{
	bool took;

	pthread_mutex_lock(&d->lock);
	took = d->has_picture;
	if (took) {
		const char *name = l->lane && l->lane < l->picture.lanes ? l->picture.lane[l->lane] : NULL;

		for (size_t i = 0; name && i < d->picture.lanes; i++)
			if (strcmp(d->picture.lane[i], name) == 0)
				l->lane = i;
		if (l->picture.columns)
			l->column = (2 * l->column + 1) * d->picture.columns / (2 * l->picture.columns);
		picture_release(&l->picture);
		l->picture = d->picture;
		d->picture = (struct picture) { 0 };
		d->has_picture = false;
	}
	pthread_mutex_unlock(&d->lock);
	if (l->lane >= l->picture.lanes)
		l->lane = l->picture.lanes ? l->picture.lanes - 1 : 0;
	if (l->column >= l->picture.columns)
		l->column = l->picture.columns ? l->picture.columns - 1 : 0;
	if (took && l->has_at && l->picture.columns && l->at_ns >= l->picture.begin_ns && l->at_ns < l->picture.end_ns)
		l->column = column_of(&l->picture, l->at_ns);
	if (took)
		l->labels = labels_of(l->picture.lane, l->picture.lanes, l->labels.width);
	return took;
}

static void
lanes_end(struct job *job)
{
	struct drawing *d = job->data;
	struct lanes *l = d->view;

	l->job = NULL;
	l->drawing = NULL;
	take(l, d);
	tn_lanes_memory_free(l->memory);
	l->memory = d->memory;
	d->memory = NULL;
	if (job->code == TN_OK && !l->chosen && !l->base.session->answers.lanes)
		l->chosen = strdup(d->text);
	free(l->instead);
	l->instead = NULL;
	if (job->code != TN_OK && job->code != TN_ERR_CANCELLED) {
		session_fail(l->base.session, "%s", job->error.text);
		l->instead = line_safe_copy(job->error.text, strlen(job->error.text));
	}
}

static const struct job_class lanes_class = {
	.label = N_("drawing lanes"),
	.run = drawing_run, .finish = lanes_end, .cancelled = lanes_end, .free = drawing_free,
};

/* ---- the window ---- */

/* Half blocks and colours: a column of the terminal is two of time. */
static bool
has_halves(const struct session *s)
{
	return s->utf8 && s->colors;
}

static const struct query *
hits_of(const struct session *s)
{
	return s->asks.found.on ? s->asks.found.query : NULL;
}

static void
restart(struct lanes *l)
{
	struct session *s = l->base.session;
	struct drawing *d = calloc(1, sizeof *d);
	int columns;
	double span = (double)s->traces.end_ns - (double)s->traces.begin_ns;

	job_drop(l->job);
	l->job = NULL;
	l->drawing = NULL;
	if (l->cols != l->base.area.cols)
		l->labels = labels_of(l->picture.lane, l->picture.lanes, name_width(l));
	columns = (l->base.area.cols - l->labels.width - 1) * (has_halves(s) ? 2 : 1);
	l->cols = l->base.area.cols;
	l->query = s->asks.query;
	l->hits = hits_of(s);
	if (!d)
		return;
	pthread_mutex_init(&d->lock, NULL);
	d->view = l;
	d->text = strdup(what(l));
	d->columns = columns < 4 ? 4 : (size_t)columns;
	d->begin_ns = l->begin_ns;
	d->end_ns = l->end_ns;
	d->few_colors = s->colors < 256;
	d->memory = tn_lanes_memory_get(l->memory);
	d->events_ns = s->traces.counted && span > 0 ? (double)s->traces.events / span : 0;
	d->hits = s->asks.found.on ? query_get(s->asks.found.query) : NULL;
	if (!d->text) {
		drawing_free(d);
		return;
	}
	l->job = job_start(s, &lanes_class, d);
	l->drawing = l->job ? d : NULL;
}

/* All of the time, as soon as it is known; anew when the filters or the search are others. */
static unsigned
lanes_prepare(struct view *v)
{
	struct lanes *l = (struct lanes *)v;
	struct session *s = v->session;

	if (!l->ready && s->traces.has_range) {
		l->ready = true;
		l->begin_ns = s->traces.bounds.has_begin ? s->traces.bounds.begin_ns : s->traces.begin_ns;
		l->end_ns = s->traces.bounds.has_end ? s->traces.bounds.end_ns : s->traces.end_ns;
		if (l->end_ns <= l->begin_ns)
			l->end_ns = l->begin_ns + 1;
	}
	if (l->ready && (l->cols != v->area.cols || l->query != s->asks.query || l->hits != hits_of(s)))
		restart(l);
	return VIEW_PASS;
}

static void
lanes_close(struct view *v)
{
	struct lanes *l = (struct lanes *)v;

	job_drop(l->job);
	picture_release(&l->picture);
	tn_lanes_memory_free(l->memory);
	free(l->instead);
	free(l->chosen);
}

/* The cursor begins where the list's is. */
static void
begin_at_cursor(struct lanes *l)
{
	const struct session *s = l->base.session;
	const struct picture *p = &l->picture;

	l->placed = true;
	if (!s->here.has_row || !s->here.row.has_time || s->here.row.time_ns < p->begin_ns || s->here.row.time_ns >= p->end_ns)
		return;
	l->has_at = l->is_event = true;
	l->at_ns = s->here.row.time_ns;
	l->column = column_of(p, l->at_ns);
}

/*
 * The names are known now: they get the columns they need, and the picture gets the rest. If nothing was gathered for
 * the picture, this would read all events once more: then the names keep the columns that they have.
 */
static void
fit(struct lanes *l)
{
	int width = name_width(l);

	l->fitted = true;
	if (width == l->labels.width || !l->memory)
		return;
	l->labels = labels_of(l->picture.lane, l->picture.lanes, width);
	restart(l);
}

static unsigned
lanes_turn(struct view *v)
{
	struct lanes *l = (struct lanes *)v;
	bool took = l->drawing && take(l, l->drawing);

	if (!l->job && l->picture.lanes && l->picture.known >= l->picture.columns && l->cols == v->area.cols)
		fit(l);
	if (l->picture.columns && !l->placed)
		begin_at_cursor(l);
	return took || l->job || !l->ready ? VIEW_REDRAW : VIEW_PASS;
}

static int64_t
time_of(const struct lanes *l, size_t column)
{
	const struct picture *p = &l->picture;

	return p->begin_ns + (int64_t)((double)(p->end_ns - p->begin_ns) * (double)column / (double)p->columns);
}

/* The time of the cursor: the event's it came from, else the middle of its cell. */
static int64_t
cursor_ns(const struct lanes *l)
{
	int64_t begin = time_of(l, l->column);

	return l->has_at ? l->at_ns : begin + (time_of(l, l->column + 1) - begin) / 2;
}

/* The chosen column's time stays where it is; no farther than the traces reach. */
static unsigned
show_window(struct lanes *l, double begin, double span)
{
	struct session *s = l->base.session;
	double all = (double)s->traces.end_ns - (double)s->traces.begin_ns;

	if (span < LEAST_NS)
		span = LEAST_NS;
	if (span > all)
		span = all;
	if (begin + span > all)
		begin = all - span;
	if (begin < 0)
		begin = 0;
	l->begin_ns = s->traces.begin_ns + (int64_t)begin;
	l->end_ns = s->traces.begin_ns + (int64_t)(begin + span);
	if (l->end_ns <= l->begin_ns)
		l->end_ns = l->begin_ns + 1;
	restart(l);
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
zoom(struct lanes *l, double factor)
{
	const struct picture *p = &l->picture;
	double span = ((double)l->end_ns - (double)l->begin_ns) * factor, at;

	if (!p->columns)
		return VIEW_DONE;
	l->at_ns = cursor_ns(l);
	l->has_at = true;
	at = (double)l->at_ns - (double)l->base.session->traces.begin_ns;
	return show_window(l, at - span * ((double)l->column + 0.5) / (double)p->columns, span);
}

/* Beyond the edge the window moves by half of itself. */
static unsigned
move_column(struct lanes *l, int64_t by)
{
	const struct picture *p = &l->picture;
	int64_t at = (int64_t)l->column + by, last = (int64_t)p->columns - 1;
	double span = (double)l->end_ns - (double)l->begin_ns, begin;

	if (last < 0)
		return VIEW_DONE;
	l->has_at = l->is_event = false;
	begin = (double)l->begin_ns - (double)l->base.session->traces.begin_ns;
	if (at < 0 && begin > 0) {
		l->column = (size_t)last / 2;
		return show_window(l, begin - span / 2, span);
	}
	if (at > last && l->end_ns < l->base.session->traces.end_ns) {
		l->column = (size_t)last / 2;
		return show_window(l, begin + span / 2, span);
	}
	l->column = (size_t)(at < 0 ? 0 : at > last ? last : at);
	return VIEW_DONE | VIEW_REDRAW;
}

/* ---- drawing ---- */

static void
draw_heading(struct lanes *l, struct canvas *c)
{
	struct session *s = l->base.session;
	struct line line = { 0 };
	struct area a = l->base.area;
	char begin[64], end[64];

	if (moment_on_days(s, l->picture.begin_ns, l->picture.end_ns)) {
		moment_as(s, TN_TIME_DATE, l->picture.begin_ns, begin, sizeof begin);
		moment_as(s, TN_TIME_DATE, l->picture.end_ns, end, sizeof end);
		line_printf(&line, STYLE_HEADING, "%s - %s", begin, end);
	} else {
		session_put_time(s, &line, STYLE_HEADING, l->picture.begin_ns);
		line_puts(&line, STYLE_HEADING, " - ");
		session_put_time(s, &line, STYLE_HEADING, l->picture.end_ns);
	}
	line_puts(&line, STYLE_DIM, _("   + - zoom  Enter goes there"));
	canvas_line(c, a.row, a.col, a.cols, &line, 0, true);
	line_release(&line);
}

/* The meaning of the colours and letters, the longest first. */
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

		if (has_halves(s) && STYLE_STATE + p->color[state] == STYLE_STATE_LAST) {
			line_puts(&line, STYLE_STATE_LAST, "\u2588");
			line_printf(&line, STYLE_DIM, ngettext(" %s other", " %s others", p->states - i),
				    number_text(p->states - i, text));
			break;
		}
		snprintf(letter, sizeof letter, "%c ", p->letter[state]);
		line_puts(&line, s->colors ? STYLE_STATE + p->color[state] : STYLE_BOLD, has_halves(s) ? "\u2588" : letter);
		line_puts(&line, STYLE_TEXT, p->state[state]);
		line_printf(&line, STYLE_DIM, " %s  ", span_text((int64_t)p->state_ns[state], text));
	}
	canvas_line(c, a.row + a.rows - 2, a.col, a.cols, &line, 0, true);
	line_release(&line);
}

/* From which cell to which the state under the cursor is the longest. */
static void
put_run(struct lanes *l, struct line *out, uint32_t state)
{
	const struct picture *p = &l->picture;
	const uint32_t *cell = p->cell + l->lane * p->columns;
	size_t first = l->column, end = l->column + 1;
	char text[32];

	while (first && cell[first - 1] == state)
		first--;
	while (end < p->columns && cell[end] == state)
		end++;
	line_printf(out, STYLE_DIM, _(" for about %s from "), span_text(time_of(l, end) - time_of(l, first), text));
	session_put_time(l->base.session, out, STYLE_TIME, time_of(l, first));
}

/* The lane's name, and the state under the cursor. */
static void
draw_chosen(struct lanes *l, struct canvas *c)
{
	const struct picture *p = &l->picture;
	uint32_t state = p->lanes ? p->cell[l->lane * p->columns + l->column] : 0;
	uint8_t mark = p->lanes ? p->mark[l->lane * p->columns + l->column] : 0;
	struct line line = { 0 };
	struct area a = l->base.area;

	session_put_time(l->base.session, &line, STYLE_TIME, l->has_at ? l->at_ns : time_of(l, l->column));
	line_puts(&line, STYLE_DIM, "  ");
	line_puts(&line, STYLE_TEXT, p->lanes ? p->lane[l->lane] : "");
	line_puts(&line, STYLE_DIM, ": ");
	line_puts(&line, STYLE_STRING, state ? p->state[state] : _("nothing"));
	if (l->column >= p->known)
		line_puts(&line, STYLE_DIM, _(" (a guess so far)"));
	else if (state)
		put_run(l, &line, state);
	if (mark & MARK_LOST || p->lost[l->column])
		line_puts(&line, STYLE_LOSS, _("  events were lost here"));
	if (mark & MARK_HIT || p->elsewhere[l->column])
		line_puts(&line, STYLE_HIT, _("  a hit"));
	canvas_line(c, a.row + a.rows - 1, a.col, a.cols, &line, 0, true);
	line_release(&line);
}

/* A loss hides the state, a hit is marked; what is only guessed is dim. */
static void
draw_cell(struct lanes *l, struct canvas *c, int row, int col, size_t i, size_t k)
{
	const struct picture *p = &l->picture;
	uint32_t state = p->cell[i * p->columns + k];
	uint8_t mark = p->mark[i * p->columns + k];
	char letter[2] = { state ? p->letter[state] : '.', '\0' };
	unsigned style = !state || k >= p->known ? STYLE_DIM :
			 l->base.session->colors ? STYLE_STATE + p->color[state] : STYLE_TEXT;

	if (mark & MARK_LOST || (p->lost[k] && !state)) {
		letter[0] = '!';
		style = STYLE_LOSS;
	}
	canvas_puts(c, row, col, 1, style | (mark & MARK_HIT ? STYLE_MATCH : 0), letter);
	if (i == l->lane && k == l->column) {
		canvas_flag(c, row, col, 1, STYLE_SELECTED);
		canvas_point(c, row, col);
	}
}

/* Two cells of time in one of the terminal: the left one colours the foreground, the right one the background. */
static void
draw_halves(struct lanes *l, struct canvas *c, int row, int col, size_t i, size_t k)
{
	const struct picture *p = &l->picture;
	const uint32_t *cell = p->cell + i * p->columns;
	uint32_t left = cell[k], right = k + 1 < p->columns ? cell[k + 1] : 0;
	uint8_t mark = (uint8_t)(p->mark[i * p->columns + k] | (k + 1 < p->columns ? p->mark[i * p->columns + k + 1] : 0));
	unsigned front = STYLE_STATE + (left ? p->color[left] : right ? p->color[right] : 0u);
	unsigned behind = right ? STYLE_ON_STATE(p->color[right]) : 0;
	bool selected = i == l->lane && k == l->column / 2 * 2;

	if (selected)
		canvas_point(c, row, col);
	if (selected)
		canvas_puts(c, row, col, 1, STYLE_SELECTED, l->column == k ? "\u2590" : "\u258c");
	else if (mark)
		canvas_puts(c, row, col, 1, (mark & MARK_LOST ? STYLE_LOSS : STYLE_HIT) | behind, mark & MARK_LOST ? "!" : "*");
	else if (!left && !right)
		canvas_puts(c, row, col, 1, STYLE_DIM, p->lost[k] || (k + 1 < p->columns && p->lost[k + 1]) ? "!" : ".");
	else if (left == right)
		canvas_puts(c, row, col, 1, front, k < p->known ? "\u2588" : "\u2593");
	else if (left && right && p->color[right] == STYLE_STATE_LAST - STYLE_STATE)	/* maybe the terminal's own colour */
		canvas_puts(c, row, col, 1, STYLE_STATE_LAST | STYLE_ON_STATE(p->color[left]), "\u2590");
	else
		canvas_puts(c, row, col, 1, left ? front | behind : front, left ? "\u258c" : "\u2590");
}

static void
draw_lane(struct lanes *l, struct canvas *c, size_t i, int row)
{
	const struct picture *p = &l->picture;
	struct area a = l->base.area;
	size_t step = has_halves(l->base.session) ? 2 : 1;
	int col = a.col + l->labels.width + 1;
	struct line name = { 0 };

	labels_put(&l->labels, p->lane[i], i == l->lane ? STYLE_NAME : STYLE_TEXT, &name);
	canvas_line(c, row, a.col, l->labels.width, &name, 0, false);
	line_release(&name);
	for (size_t k = 0; k < p->columns && col < a.col + a.cols; k += step, col++) {
		if (step == 2)
			draw_halves(l, c, row, col, i, k);
		else
			draw_cell(l, c, row, col, i, k);
	}
}

/* Hits of events that have no lane. */
static void
draw_elsewhere(struct lanes *l, struct canvas *c, int row)
{
	const struct picture *p = &l->picture;
	struct area a = l->base.area;
	size_t step = has_halves(l->base.session) ? 2 : 1;
	int col = a.col + l->labels.width + 1;

	canvas_puts(c, row, a.col, l->labels.width, STYLE_DIM, _("in no lane"));
	for (size_t k = 0; k < p->columns && col < a.col + a.cols; k += step, col++)
		if (p->elsewhere[k] || (step == 2 && k + 1 < p->columns && p->elsewhere[k + 1]))
			canvas_puts(c, row, col, 1, STYLE_HIT, "*");
}

/* An empty picture says why, and what to do. */
static void
draw_none(struct lanes *l, struct canvas *c)
{
	struct area a = l->base.area;

	canvas_puts(c, a.row + 1, a.col, a.cols, STYLE_TEXT, l->base.session->asks.n_conditions ?
		    _("nothing to draw: the filters leave no such events (& and Enter takes one away)") :
		    _("nothing to draw: there are no such events in this time"));
	canvas_puts(c, a.row + 2, a.col, a.cols, STYLE_DIM, _("A tells what begins and ends here; :lanes says what to draw:"));
	canvas_puts(c, a.row + 3, a.col, a.cols, STYLE_DIM, ":lanes (BEGIN END by KEY) by LANE    :lanes EVENT.FIELD by LANE");
}

static void
lanes_draw(struct view *v, struct canvas *c)
{
	struct lanes *l = (struct lanes *)v;
	const struct picture *p = &l->picture;
	size_t rows = v->area.rows > 5 ? (size_t)v->area.rows - 3 - p->is_elsewhere : 1;

	if (!p->columns && v->session->traces.ranged && !v->session->traces.has_range)
		canvas_puts(c, v->area.row, v->area.col, v->area.cols, STYLE_DIM, _("the traces have no times"));
	if (!p->columns && l->instead)
		list_put_text(c, v->area, l->instead);
	if (!p->columns)
		return;
	if (l->lane < l->top)
		l->top = l->lane;
	if (l->lane >= l->top + rows)
		l->top = l->lane - rows + 1;
	draw_heading(l, c);
	if (!p->lanes && p->known >= p->columns && v->area.rows > 5)
		draw_none(l, c);
	for (size_t i = l->top; i < p->lanes && i < l->top + rows; i++)
		draw_lane(l, c, i, v->area.row + 1 + (int)(i - l->top));
	if (v->area.rows > 5 && p->is_elsewhere)
		draw_elsewhere(l, c, v->area.row + v->area.rows - 3);
	if (v->area.rows > 5)
		draw_legend(l, c);
	draw_chosen(l, c);
}

static unsigned
select_lane(struct lanes *l, int64_t i)
{
	int64_t last = l->picture.lanes ? (int64_t)l->picture.lanes - 1 : 0;

	l->lane = (size_t)(i < 0 ? 0 : i > last ? last : i);
	l->is_event = false;
	return VIEW_DONE | VIEW_REDRAW;
}

static void
lanes_status(struct view *v, struct line *out)
{
	struct lanes *l = (struct lanes *)v;
	char n[32];

	if (l->picture.columns)
		line_printf(out, STYLE_STATUS, ngettext("%s lane", "%s lanes", l->picture.lanes),
			    number_text(l->picture.lanes, n));
	if (l->picture.left_out)
		line_puts(out, STYLE_STATUS, _(", there are more"));
}

static bool
is_hit(const struct lanes *l, size_t column)
{
	const struct picture *p = &l->picture;

	for (size_t i = 0; i < p->lanes; i++)
		if (p->mark[i * p->columns + column] & MARK_HIT)
			return true;
	return p->elsewhere[column];
}

/* To the next cell that hides a hit, in whatever lane. */
static unsigned
next_hit(struct lanes *l, bool backward)
{
	const struct picture *p = &l->picture;
	size_t c = l->column;

	if (!l->hits || !p->columns) {
		session_say(l->base.session, _("there is no search yet: / begins one"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	do
		c = backward ? c - 1 : c + 1;	/* before 0 is beyond the end */
	while (c < p->columns && !is_hit(l, c));
	if (c >= p->columns) {
		session_say(l->base.session, l->job ? _("still looking") : _("no further hit in this window"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	l->column = c;
	l->has_at = l->is_event = false;
	for (size_t i = 0, n = p->lanes; i < n; i++)
		if (p->mark[(l->lane + i) % n * p->columns + c] & MARK_HIT) {
			l->lane = (l->lane + i) % n;
			break;
		}
	return VIEW_DONE | VIEW_REDRAW;
}

/* ---- to the event ---- */

static void
finding_end(struct job *job)
{
	const struct finding *f = job->data;
	struct place place = { .kind = PLACE_LOCATION, .location = f->at };

	if (job->code != TN_OK) {
		if (job->code != TN_ERR_CANCELLED)
			session_fail(job->session, "%s", job->error.text);
		return;
	}
	if (!f->found)
		place = (struct place) { .kind = PLACE_TIME, .time_ns = f->begin_ns };
	session_go(job->session, &place, ALIGN_MIDDLE);
}

static const struct job_class finding_class = {
	.label = N_("looking where the state began"),
	.run = finding_run, .finish = finding_end, .free = finding_free,
};

/* To the event that began the state under the cursor; if there is none, or the cursor is on a hit, to the time. */
static unsigned
go_to_state(struct lanes *l)
{
	const struct picture *p = &l->picture;
	struct session *s = l->base.session;
	int64_t begin = time_of(l, l->column), end = time_of(l, l->column + 1);
	struct finding *f = NULL;

	if (!p->columns)
		return VIEW_DONE;
	if (l->is_event && s->here.has_row && s->here.row.time_ns == l->at_ns)	/* nothing was moved */
		return view_request_go(&l->base, &s->here.row.location);
	if (*what(l) && p->lanes && p->cell[l->lane * p->columns + l->column] && l->column < p->known && !is_hit(l, l->column))
		f = calloc(1, sizeof *f);
	if (!f || !finding_of(f, what(l), p, l->lane, l->column, begin, end > begin ? end : begin + 1)) {
		if (f)
			finding_free(f);
		return view_request_time(&l->base, begin);
	}
	job_start(s, &finding_class, f);
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
lanes_act(struct view *v, const struct call *call)
{
	struct lanes *l = (struct lanes *)v;
	int64_t n = call->count && call->count < 100000 ? (int64_t)call->count : 1;

	switch (call->action) {
	case ACT_EVENT_NEXT: return select_lane(l, (int64_t)l->lane + n);
	case ACT_EVENT_PREVIOUS: return select_lane(l, (int64_t)l->lane - n);
	case ACT_PAGE_DOWN: return select_lane(l, (int64_t)l->lane + v->area.rows);
	case ACT_PAGE_UP: return select_lane(l, (int64_t)l->lane - v->area.rows);
	case ACT_FIRST: return select_lane(l, 0);
	case ACT_LAST: return select_lane(l, (int64_t)l->picture.lanes);
	case ACT_LEFT: return move_column(l, -n);
	case ACT_RIGHT: return move_column(l, n);
	case ACT_SEARCH_NEXT: return next_hit(l, v->session->asks.backward);
	case ACT_SEARCH_PREVIOUS: return next_hit(l, !v->session->asks.backward);
	case ACT_ZOOM_IN: return zoom(l, 0.5);
	case ACT_ZOOM_OUT: return zoom(l, 2);
	case ACT_OPEN: return go_to_state(l);
	default: return VIEW_PASS;
	}
}

static bool
lanes_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	const char *text = what((struct lanes *)v);

	if (!*text)
		return false;
	word(user, "--lanes");
	word(user, text);
	return true;
}

const struct view_class lanes_view = {
	.command = lanes_command,
	.name = "lanes",
	.title = N_("lanes"),
	.hint = N_("Enter goes there  + - zoom  q back"),
	.size = sizeof(struct lanes),
	.close = lanes_close,
	.prepare = lanes_prepare,
	.draw = lanes_draw,
	.turn = lanes_turn,
	.act = lanes_act,
	.status = lanes_status,
};
