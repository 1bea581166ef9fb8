#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "lanes_view.h"
#include "screen/nicknames.h"
#include "session/grid.h"

#define FIRST_WIDTH 20	/* width of the names until they are known */
#define LEAST_NS 100

/* ---- the job ---- */

/* The definition to draw; "": the job chooses one. */
static const char *
what(const struct lanes *l)
{
	return l->base.session->answers.lanes ? l->base.session->answers.lanes : l->chosen ? l->chosen : "";
}

/* The width of the names: that of the longest name, but at most a third of the screen. */
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
	double part = ns_between(p->begin_ns, ns) / ns_between(p->begin_ns, p->end_ns);
	size_t column = (size_t)(part * (double)p->columns);

	return column < p->columns ? column : p->columns - 1;
}

/* Take names for the numbers of threads, which arrive after the picture. */
static bool
take_names(struct lanes *l)
{
	struct session *s = l->base.session;
	const char *by;
	char *of;

	if (!l->picture.lanes)
		return false;
	nicknames_of_lanes(what(l), &of, &by);
	l->is_named = of && (session_has_nicknames(s, by) || session_has_nicknames(s, of));
	free(of);
	if (!l->is_named || session_nicknames(s) == l->picture.names)
		return false;
	picture_names(&l->picture, what(l), session_nicknames(s));
	return true;
}

/* Take the newest picture of the job, if there is one. The cursor stays in its lane and at its time. */
static bool
take(struct lanes *l, struct drawing *d)
{
	bool took;

	pthread_mutex_lock(&d->lock);
	took = d->has_picture;
	if (took) {
		const struct tn_answer_value *was = l->lane && l->lane < l->picture.lanes ? &l->picture.value[l->lane] : NULL;

		for (size_t i = 0; was && i < d->picture.lanes; i++)
			if (tn_answer_value_compare(&d->picture.value[i], was) == 0)
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
	took |= take_names(l);
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
	struct grid grid;
	int columns;
	double span = ns_between(s->traces.begin_ns, s->traces.end_ns);

	job_drop(l->job);
	l->job = NULL;
	l->drawing = NULL;
	job_drop(l->sharing);
	l->sharing = NULL;
	l->shares = (struct cell_shares) { 0 };
	if (l->cols != l->base.area.cols)
		l->labels = labels_of(l->picture.lane, l->picture.lanes, name_width(l));
	columns = (l->base.area.cols - l->labels.width - 1) * (lanes_halves(s) ? 2 : 1);
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
	/*
	 * Columns begin and end where fine cells do, so that a picture from memory needs no events. With a grid of a few
	 * nanoseconds, some columns would be empty.
	 */
	if (((uint64_t)l->end_ns - (uint64_t)l->begin_ns) / d->columns >= GRID_STEPS) {
		grid_make(&grid, l->begin_ns, l->end_ns - 1, d->columns);
		d->columns = grid.n;
		d->begin_ns = grid.begin_ns;
		d->end_ns = grid.end_ns < INT64_MAX ? grid.end_ns + 1 : INT64_MAX;
	}
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

/* Draw the whole time as soon as it is known, and again when the filters or the search change. */
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
	job_drop(l->sharing);
	picture_release(&l->picture);
	tn_lanes_memory_free(l->memory);
	free(l->instead);
	free(l->chosen);
}

/* Put the cursor at the time of the list's cursor. */
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
 * The names are known now: give them the columns that they need, and the rest to the picture. If nothing was recorded for
 * the picture, a new one would read all events again; then the names keep their columns.
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

/* ---- the states of the selected cell ---- */

static void
sharing_end(struct job *job)
{
	struct sharing *f = job->data;
	struct lanes *l = f->view;

	l->sharing = NULL;
	if (job->code == TN_OK)
		l->shares = f->shares;
}

static const struct job_class sharing_class = {
	.label = N_("counting the events of a cell"), .quiet = true, .hidden = true,
	.run = sharing_run, .finish = sharing_end, .cancelled = sharing_end, .free = sharing_free,
};

/* If a cell with several states is selected and the picture is final, let a job add up their times. */
static bool
want_shares(struct lanes *l)
{
	const struct picture *p = &l->picture;
	struct cell_shares want = { .begin_ns = 0 };
	struct sharing *f;

	if (l->job || !l->memory || !p->lanes || l->column >= p->known || !lanes_in_part(l))
		return false;
	want.lane = l->lane;
	want.begin_ns = lanes_time(l, l->column);
	want.end_ns = lanes_time(l, l->column + 1);
	if (want.end_ns <= want.begin_ns || (l->shares.lane == want.lane && l->shares.begin_ns == want.begin_ns &&
					     l->shares.end_ns == want.end_ns))
		return false;
	l->shares = want;	/* start the job only once */
	job_drop(l->sharing);
	l->sharing = NULL;
	f = sharing_new(what(l), p, &want, l->memory);
	if (!f)
		return false;
	f->view = l;
	l->sharing = job_start(l->base.session, &sharing_class, f);
	return true;
}

static unsigned
lanes_turn(struct view *v)
{
	struct lanes *l = (struct lanes *)v;
	bool took = l->drawing && take(l, l->drawing);

	if (l->picture.lanes && !l->drawing && take_names(l)) {
		l->labels = labels_of(l->picture.lane, l->picture.lanes, l->labels.width);
		l->fitted = false;
		took = true;
	}

	/* Fit the lanes to the width of their names, once, after the names of threads have arrived. */
	if (!l->job && l->picture.lanes && l->picture.known >= l->picture.columns && l->cols == v->area.cols &&
	    !(l->is_named && v->session->traces.gathering))
		fit(l);
	if (l->picture.columns && !l->placed)
		begin_at_cursor(l);
	want_shares(l);
	took |= l->shares.n != l->drawn_shares;
	return took || l->job || !l->ready ? VIEW_REDRAW : VIEW_PASS;
}

/* The time at the cursor: that of the event from which the user came, or the middle of the cell. */
static int64_t
cursor_ns(const struct lanes *l)
{
	int64_t begin = lanes_time(l, l->column);

	return l->has_at ? l->at_ns : begin + (lanes_time(l, l->column + 1) - begin) / 2;
}

/* Show another window, at most as far as the traces. The time of the selected column stays at its place. */
static unsigned
show_window(struct lanes *l, double begin, double span)
{
	struct session *s = l->base.session;
	double all = ns_between(s->traces.begin_ns, s->traces.end_ns);

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
	double span = ns_between(l->begin_ns, l->end_ns) * factor, at;

	if (!p->columns)
		return VIEW_DONE;
	l->at_ns = cursor_ns(l);
	l->has_at = true;
	at = ns_between(l->base.session->traces.begin_ns, l->at_ns);
	return show_window(l, at - span * ((double)l->column + 0.5) / (double)p->columns, span);
}

/* At the edge, the window moves by half of its width. */
static unsigned
move_column(struct lanes *l, int64_t by)
{
	const struct picture *p = &l->picture;
	int64_t at = (int64_t)l->column + by, last = (int64_t)p->columns - 1;
	double span = ns_between(l->begin_ns, l->end_ns), begin;

	if (last < 0)
		return VIEW_DONE;
	l->has_at = l->is_event = false;
	begin = ns_between(l->base.session->traces.begin_ns, l->begin_ns);
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

/* ---- keys ---- */

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
		line_puts(out, STYLE_STATUS, _(", and more"));
}

static bool
is_hit(const struct lanes *l, size_t column)
{
	const struct picture *p = &l->picture;

	for (size_t i = 0; i < p->lanes; i++)
		if (p->cell[i * p->columns + column] & TN_LANE_HIT)
			return true;
	return p->mark[column] & TN_LANE_HIT;
}

/* Go to the next cell with a hit, in any lane. */
static unsigned
next_hit(struct lanes *l, bool backward)
{
	const struct picture *p = &l->picture;
	size_t c = l->column;

	if (!l->hits || !p->columns) {
		session_say(l->base.session, _("there is no search yet: / starts one"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	do
		c = backward ? c - 1 : c + 1;	/* before column 0 comes the last one, because the number wraps */
	while (c < p->columns && !is_hit(l, c));
	if (c >= p->columns) {
		session_say(l->base.session, l->job ? _("still searching") : _("no further hit in this window"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	l->column = c;
	l->has_at = l->is_event = false;
	for (size_t i = 0, n = p->lanes; i < n; i++)
		if (p->cell[(l->lane + i) % n * p->columns + c] & TN_LANE_HIT) {
			l->lane = (l->lane + i) % n;
			break;
		}
	return VIEW_DONE | VIEW_REDRAW;
}

/* ---- jumping to the event ---- */

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
	.label = N_("searching for the start of the state"),
	.run = finding_run, .finish = finding_end, .free = finding_free,
};

/* Go to the event that began the state at the cursor. If there is none, or on a hit, go to the time. */
static unsigned
go_to_state(struct lanes *l)
{
	const struct picture *p = &l->picture;
	struct session *s = l->base.session;
	int64_t begin = lanes_time(l, l->column), end = lanes_time(l, l->column + 1);
	struct finding *f = NULL;

	if (!p->columns)
		return VIEW_DONE;
	if (l->is_event && s->here.has_row && s->here.row.time_ns == l->at_ns)	/* the cursor was not moved */
		return view_request_go(&l->base, &s->here.row.location);
	if (*what(l) && p->lanes && p->cell[l->lane * p->columns + l->column] & TN_LANE_STATE && l->column < p->known &&
	    !is_hit(l, l->column))
		f = calloc(1, sizeof *f);
	if (!f || !finding_of(f, what(l), p, l->lane, l->column, begin, end > begin ? end : begin + 1)) {
		if (f)
			finding_free(f);
		return view_request_time(&l->base, begin);
	}
	job_start(s, &finding_class, f);
	return VIEW_DONE | VIEW_REDRAW;
}

/* Copy the complete line that is shown below the lanes. */
static unsigned
copy(struct lanes *l)
{
	struct line line = { 0 };
	unsigned reply;

	if (!l->picture.lanes) {
		session_say(l->base.session, "%s", _("there is nothing to copy"));
		return VIEW_DONE | VIEW_REDRAW;
	}
	lanes_chosen(l, &line);
	reply = view_request_text(&l->base, REQUEST_COPY, line.text ? strdup(line.text) : NULL);
	line_release(&line);
	return reply | VIEW_REDRAW;
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
	case ACT_COPY:
	case ACT_COPY_LINES: return copy(l);
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
