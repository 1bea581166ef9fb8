#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tnav/answer.h>

#include "gettext.h"
#include "view.h"

/*
 * States over time: time across, a lane for each value of something. A job makes the picture of a window; the former
 * one stays until the next is there. A letter is a state, in one of the screen's colours; a cell has the state that
 * was there longest.
 */
#define NAME_MAX_WIDTH 20
#define LEAST_NS 100

struct picture {
	size_t lanes, columns, states;
	char **lane;		/* safe names */
	uint32_t *cell;		/* lanes * columns: states, 0: none */
	char **state;		/* safe; [0] is "" */
	uint64_t *state_ns;
	char *letter;		/* of each state */
	bool *lost;		/* by column */
	int64_t begin_ns, end_ns;
	uint64_t left_out;
};

struct drawing {
	char *text;
	size_t columns;
	int64_t begin_ns, end_ns;
	struct picture picture;
	struct lanes *view;	/* the app's thread */
};

struct lanes {
	struct view base;
	struct job *job;
	struct picture picture;
	int64_t begin_ns, end_ns;	/* what is wanted */
	int cols;		/* of the area it was made for */
	size_t lane, column, top;
	bool ready;		/* a window is chosen */
};

/* ---- the job ---- */

static void
picture_release(struct picture *p)
{
	for (size_t i = 0; p->lane && i < p->lanes; i++)
		free(p->lane[i]);
	for (size_t i = 0; p->state && i <= p->states; i++)
		free(p->state[i]);
	free(p->lane);
	free(p->state);
	free(p->cell);
	free(p->state_ns);
	free(p->letter);
	free(p->lost);
	*p = (struct picture) { 0 };
}

static char *
safe_copy(const char *text, size_t n)
{
	struct tn_str safe = { 0 };

	tn_text_safe(text, n < 200 ? n : 200, &safe);
	return safe.text ? safe.text : strdup("");
}

/* The states that are long choose first: the letter their name begins with, else one that is left. */
static void
give_letters(struct picture *p)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	bool taken[256] = { false };

	for (size_t n = 0; n < p->states && n < sizeof letters - 1; n++) {
		size_t best = 0, k = 0;
		unsigned char first;

		for (size_t i = 1; i <= p->states; i++)
			if (!p->letter[i] && (!best || p->state_ns[i] > p->state_ns[best]))
				best = i;
		first = (unsigned char)*p->state[best];
		if (!first || !strchr(letters, first) || taken[first]) {
			while (taken[(unsigned char)letters[k]])
				k++;
			first = (unsigned char)letters[k];
		}
		taken[first] = true;
		p->letter[best] = (char)first;
	}
}

static bool
take_picture(struct picture *p, const struct tn_lanes *l, const struct drawing *d)
{
	p->lanes = tn_lanes_count(l);
	p->columns = d->columns;
	p->begin_ns = d->begin_ns;
	p->end_ns = d->end_ns;
	p->left_out = tn_lanes_left_out(l);
	while (tn_lanes_state(l, p->states + 1, NULL))
		p->states++;
	p->lane = calloc(p->lanes + 1, sizeof *p->lane);
	p->state = calloc(p->states + 1, sizeof *p->state);
	p->state_ns = calloc(p->states + 1, sizeof *p->state_ns);
	p->cell = calloc(p->lanes * p->columns + 1, sizeof *p->cell);
	p->lost = calloc(p->columns + 1, sizeof *p->lost);
	p->letter = calloc(p->states + 1, 1);
	if (!p->lane || !p->state || !p->state_ns || !p->letter || !p->cell || !p->lost)
		return false;
	for (size_t i = 1; i <= p->states; i++) {
		const char *name = tn_lanes_state(l, i, &p->state_ns[i]);

		p->state[i] = safe_copy(name, strlen(name));
		if (!p->state[i])
			return false;
	}
	give_letters(p);
	for (size_t i = 0; i < p->lanes; i++) {
		struct tn_str name = { 0 };
		struct tn_answer_value v;

		tn_lanes_value(l, i, &v);
		tn_answer_value_text(&v, &name);
		p->lane[i] = safe_copy(name.text ? name.text : "", name.n);
		tn_str_release(&name);
		for (size_t c = 0; c < p->columns; c++)
			p->cell[i * p->columns + c] = (uint32_t)tn_lanes_cell(l, i, c);
	}
	for (size_t c = 0; c < p->columns; c++)
		p->lost[c] = tn_lanes_lost(l, c) != 0;
	return true;
}

/* What there is to draw when nobody said it: who runs on a processor, else the first pair that is proposed. */
static enum tn_code
define(struct tn_lanes **out, struct tn_set *set, const char *text, struct tn_error *err)
{
	struct tn_pairs *pairs;
	const char *pair;
	char *own = NULL;
	enum tn_code rc;

	if (*text)
		return tn_lanes_new(out, set, text, err);
	if (tn_lanes_new(out, set, "sched_switch.next_comm by cpu", err) == TN_OK)
		return TN_OK;
	rc = tn_pairs_new(&pairs, set, err);
	if (rc != TN_OK)
		return rc;
	pair = tn_pairs_definition(pairs, 0);
	if (!pair || asprintf(&own, "(%s) by stream", pair) < 0) {
		err->code = rc = TN_ERR_ARGUMENT;
		snprintf(err->text, sizeof err->text, "%s", _("say what to draw: :lanes EVENT.FIELD by LANE"));
	} else {
		rc = tn_lanes_new(out, set, own, err);
	}
	free(own);
	tn_pairs_free(pairs);
	return rc;
}

static void
lanes_run(struct job *job)
{
	struct drawing *d = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	struct tn_lanes *l = NULL;
	enum tn_code rc = define(&l, job->q.set, d->text, &job->error);

	if (rc == TN_OK)
		rc = tn_lanes_run(l, &scan, d->begin_ns, d->end_ns, d->columns, &job->error);
	if (rc == TN_OK && !take_picture(&d->picture, l, d))
		rc = TN_ERR_MEMORY;
	tn_lanes_free(l);
	job->code = rc;
}

static void
lanes_end(struct job *job)
{
	struct drawing *d = job->data;
	struct lanes *l = d->view;

	l->job = NULL;
	if (job->code == TN_OK) {
		picture_release(&l->picture);
		l->picture = d->picture;
		d->picture = (struct picture) { 0 };
	} else if (job->code != TN_ERR_CANCELLED) {
		session_fail(l->base.session, "%s", job->error.text);
	}
	if (l->lane >= l->picture.lanes)
		l->lane = l->picture.lanes ? l->picture.lanes - 1 : 0;
	if (l->column >= l->picture.columns)
		l->column = l->picture.columns ? l->picture.columns - 1 : 0;
}

static void
lanes_free(void *data)
{
	struct drawing *d = data;

	picture_release(&d->picture);
	free(d->text);
	free(d);
}

static const struct job_class lanes_class = {
	.label = N_("drawing lanes"),
	.run = lanes_run, .finish = lanes_end, .cancelled = lanes_end, .free = lanes_free,
};

/* ---- the window ---- */

static void
restart(struct lanes *l)
{
	struct session *s = l->base.session;
	struct drawing *d = calloc(1, sizeof *d);
	int columns = l->base.area.cols - NAME_MAX_WIDTH - 1;

	job_drop(l->job);
	l->job = NULL;
	l->cols = l->base.area.cols;
	if (!d)
		return;
	d->view = l;
	d->text = strdup(s->lanes ? s->lanes : "");
	d->columns = columns < 4 ? 4 : (size_t)columns;
	d->begin_ns = l->begin_ns;
	d->end_ns = l->end_ns;
	if (!d->text) {
		lanes_free(d);
		return;
	}
	l->job = job_start(s, &lanes_class, d);
}

/* All of the time, as soon as it is known. */
static unsigned
lanes_prepare(struct view *v)
{
	struct lanes *l = (struct lanes *)v;
	struct session *s = v->session;

	if (!l->ready && s->has_range) {
		l->ready = true;
		l->begin_ns = s->bounds.has_begin ? s->bounds.begin_ns : s->begin_ns;
		l->end_ns = s->bounds.has_end ? s->bounds.end_ns : s->end_ns;
		if (l->end_ns <= l->begin_ns)
			l->end_ns = l->begin_ns + 1;
	}
	if (l->ready && l->cols != v->area.cols)
		restart(l);
	return VIEW_PASS;
}

static void
lanes_close(struct view *v)
{
	struct lanes *l = (struct lanes *)v;

	job_drop(l->job);
	picture_release(&l->picture);
}

static unsigned
lanes_turn(struct view *v)
{
	struct lanes *l = (struct lanes *)v;

	return l->job || !l->ready ? VIEW_REDRAW : VIEW_PASS;
}

static int64_t
time_of(const struct lanes *l, size_t column)
{
	const struct picture *p = &l->picture;

	return p->begin_ns + (int64_t)((double)(p->end_ns - p->begin_ns) * (double)column / (double)p->columns);
}

/* The chosen column's time stays where it is; no farther than the traces reach. */
static unsigned
show_window(struct lanes *l, double begin, double span)
{
	struct session *s = l->base.session;
	double all = (double)s->end_ns - (double)s->begin_ns;

	if (span < LEAST_NS)
		span = LEAST_NS;
	if (span > all)
		span = all;
	if (begin + span > all)
		begin = all - span;
	if (begin < 0)
		begin = 0;
	l->begin_ns = s->begin_ns + (int64_t)begin;
	l->end_ns = s->begin_ns + (int64_t)(begin + span);
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
	at = (double)time_of(l, l->column) - (double)l->base.session->begin_ns;
	return show_window(l, at - span * (double)l->column / (double)p->columns, span);
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
	begin = (double)l->begin_ns - (double)l->base.session->begin_ns;
	if (at < 0 && begin > 0) {
		l->column = (size_t)last / 2;
		return show_window(l, begin - span / 2, span);
	}
	if (at > last && l->end_ns < l->base.session->end_ns) {
		l->column = (size_t)last / 2;
		return show_window(l, begin + span / 2, span);
	}
	l->column = (size_t)(at < 0 ? 0 : at > last ? last : at);
	return VIEW_DONE | VIEW_REDRAW;
}

/* ---- drawing ---- */

/* Its letter, and a colour. */
static void
look_of(const struct picture *p, uint32_t state, char letter[2], unsigned *style)
{
	static const unsigned styles[] = { STYLE_NAME, STYLE_STRING, STYLE_FIELD, STYLE_ORIGIN, STYLE_TIME, STYLE_TEXT };
	const char *name = p->state[state] ? p->state[state] : "";
	unsigned sum = 0;

	for (const char *at = name; *at; at++)
		sum = sum * 31 + (unsigned char)*at;
	letter[0] = p->letter[state] ? p->letter[state] : '*';
	letter[1] = '\0';
	*style = styles[sum % (sizeof styles / sizeof *styles)];
}

static void
put_time(struct session *s, struct line *out, unsigned style, int64_t ns)
{
	struct tn_str b = { 0 };

	tn_text_time(s->query->text, ns, &b);
	if (b.text)
		line_add(out, style, b.text, b.n);
	tn_str_release(&b);
}

static void
draw_heading(struct lanes *l, struct canvas *c)
{
	struct line line = { 0 };
	struct area a = l->base.area;

	put_time(l->base.session, &line, STYLE_HEADING, l->picture.begin_ns);
	line_puts(&line, STYLE_HEADING, " - ");
	put_time(l->base.session, &line, STYLE_HEADING, l->picture.end_ns);
	line_puts(&line, STYLE_DIM, _("   + - zoom  Enter goes there"));
	canvas_line(c, a.row, a.col, a.cols, &line, 0, true);
	line_release(&line);
}

/* The lane's name, and the state under the cursor. */
static void
draw_chosen(struct lanes *l, struct canvas *c)
{
	const struct picture *p = &l->picture;
	uint32_t state = p->lanes ? p->cell[l->lane * p->columns + l->column] : 0;
	struct line line = { 0 };
	struct area a = l->base.area;
	char text[32];

	put_time(l->base.session, &line, STYLE_TIME, time_of(l, l->column));
	line_puts(&line, STYLE_DIM, "  ");
	line_puts(&line, STYLE_TEXT, p->lanes ? p->lane[l->lane] : "");
	line_puts(&line, STYLE_DIM, ": ");
	line_puts(&line, STYLE_STRING, state ? p->state[state] : _("nothing"));
	if (state)
		line_printf(&line, STYLE_DIM, _("  (%s in all lanes of this window)"),
			    span_text((int64_t)p->state_ns[state], text));
	if (p->lost[l->column])
		line_puts(&line, STYLE_LOSS, _("  events were lost here"));
	canvas_line(c, a.row + a.rows - 1, a.col, a.cols, &line, 0, true);
	line_release(&line);
}

static void
draw_lane(struct lanes *l, struct canvas *c, size_t i, int row)
{
	const struct picture *p = &l->picture;
	struct area a = l->base.area;

	canvas_puts(c, row, a.col, NAME_MAX_WIDTH, i == l->lane ? STYLE_NAME : STYLE_TEXT, p->lane[i]);
	for (size_t k = 0; k < p->columns && (int)k < a.cols - NAME_MAX_WIDTH - 1; k++) {
		uint32_t state = p->cell[i * p->columns + k];
		char letter[2] = ".";
		unsigned style = STYLE_DIM;

		if (state)
			look_of(p, state, letter, &style);
		if (p->lost[k] && !state) {
			letter[0] = '!';
			style = STYLE_LOSS;
		}
		canvas_puts(c, row, a.col + NAME_MAX_WIDTH + 1 + (int)k, 1, style, letter);
	}
	if (i == l->lane)
		canvas_flag(c, row, a.col + NAME_MAX_WIDTH + 1 + (int)l->column, 1, STYLE_SELECTED);
}

static void
lanes_draw(struct view *v, struct canvas *c)
{
	struct lanes *l = (struct lanes *)v;
	const struct picture *p = &l->picture;
	size_t rows = v->area.rows > 3 ? (size_t)v->area.rows - 2 : 1;

	if (!p->columns)
		return;
	if (l->lane < l->top)
		l->top = l->lane;
	if (l->lane >= l->top + rows)
		l->top = l->lane - rows + 1;
	draw_heading(l, c);
	for (size_t i = l->top; i < p->lanes && i < l->top + rows; i++)
		draw_lane(l, c, i, v->area.row + 1 + (int)(i - l->top));
	draw_chosen(l, c);
}

static unsigned
select_lane(struct lanes *l, int64_t i)
{
	int64_t last = l->picture.lanes ? (int64_t)l->picture.lanes - 1 : 0;

	l->lane = (size_t)(i < 0 ? 0 : i > last ? last : i);
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
	case ACT_ZOOM_IN: return zoom(l, 0.5);
	case ACT_ZOOM_OUT: return zoom(l, 2);
	case ACT_OPEN:
		if (!l->picture.columns)
			return VIEW_DONE;
		v->go = (struct place) { .kind = PLACE_TIME, .time_ns = time_of(l, l->column) };
		return VIEW_DONE | VIEW_GO;
	default: return VIEW_PASS;
	}
}

const struct view_class lanes_view = {
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
