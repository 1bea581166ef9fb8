#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gettext.h"
#include "plot_view.h"
#include "session/expression.h"
#include "session/wish.h"

#define LEAST_NS 100
#define SECOND INT64_C(1000000000)
#define SOME_NS (SECOND / 24)	/* length of spans with many keys that is shown first */
#define FIRST_NS (SECOND / 12)	/* time until the first picture of the data read so far */
#define SHOW_NS (SECOND / 3)	/* time between such pictures */

/* The picture while the job makes it. */
struct making {
	char *definition, *spans;
	bool has_form;
	enum plot_form form;
	int64_t begin_ns, end_ns, first_ns, last_ns;	/* the window; the whole time */
	size_t columns, rows;	/* size of the terminal */
	int rows_each;
	bool utf8;
	struct tn_plot_memory *memory;
	struct tn_spans *of;
	struct tn_plot *plot;
	struct plot *view;	/* for the app's thread only */
	/* For the job's thread only: */
	int (*progress)(void *user, uint64_t read, uint64_t passed, int64_t at_ns);
	int64_t next_ns, until_ns;	/* time of the next picture; end of the guess, or 0 */
	pthread_mutex_t lock;
	struct tn_plot *picture;	/* for the view; protected by the lock */
	enum plot_form picture_form;
	bool is_guess, is_part;
};

static int64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

/* ---- the job ---- */

static void
making_free(void *data)
{
	struct making *m = data;

	if (!m)
		return;
	tn_plot_free(m->plot);
	tn_plot_free(m->picture);
	tn_plot_memory_free(m->memory);
	tn_spans_free(m->of);
	pthread_mutex_destroy(&m->lock);
	free(m->definition);
	free(m->spans);
	free(m);
}

static enum tn_code
define_of_spans(struct making *m, struct tn_set *set, struct tn_error *err)
{
	enum tn_code rc = *m->spans ? tn_spans_new(&m->of, set, err) : TN_END;

	rc = rc == TN_OK ? tn_spans_add_question(m->of, m->spans, err) : rc;
	return rc == TN_OK ? tn_plot_new(&m->plot, set, m->of, m->definition, err) : rc;
}

/*
 * Define a plot of events. If they do not have the field, or it is a duration, plot the spans that the user asked for
 * last.
 */
static enum tn_code
define(struct making *m, struct tn_set *set, struct tn_error *err)
{
	struct tn_error of_spans;
	enum tn_code rc;

	if (tn_plot_is_of_spans(m->definition)) {
		rc = define_of_spans(m, set, err);
		if (rc != TN_END)
			return rc;
	}
	rc = tn_plot_new(&m->plot, set, NULL, m->definition, err);
	if (rc != TN_ERR_ARGUMENT)
		return rc;
	if (define_of_spans(m, set, &of_spans) == TN_OK)
		return TN_OK;
	if (tn_plot_is_of_spans(m->definition))
		snprintf(err->text, sizeof err->text, "%s",
			 _("dur is the duration of spans: choose spans first, with A or :span"));
	return rc;
}

static enum tn_plot_form
form_of(const struct making *m)
{
	return plot_is_cells(m->form) ? TN_PLOT_HEAT : TN_PLOT_LINE;
}

/* Give the picture of the plot to the view. */
static void
show(struct job *job, bool is_guess, bool is_part)
{
	struct making *m = job->data;
	struct tn_plot *picture = tn_plot_take(m->plot);

	if (!picture)
		return;
	pthread_mutex_lock(&m->lock);
	tn_plot_free(m->picture);
	m->picture = picture;
	m->picture_form = m->form;
	m->is_guess = is_guess;
	m->is_part = is_part;
	pthread_mutex_unlock(&m->lock);
	if (job->jobs->wake)
		job->jobs->wake();
}

static int
on_progress(void *user, uint64_t read, uint64_t passed, int64_t at_ns)
{
	struct job *job = user;
	struct making *m = job->data;

	if (m->next_ns && now_ns() >= m->next_ns) {
		if (tn_plot_so_far(m->plot, form_of(m), m->begin_ns, m->end_ns, m->columns, m->rows, NULL) == TN_OK)
			show(job, false, true);
		m->next_ns = now_ns() + SHOW_NS;
	}
	return m->progress(user, read, passed, at_ns) || (m->until_ns && now_ns() >= m->until_ns);
}

static void
plot_run(struct job *job)
{
	struct making *m = job->data;
	struct tn_scan_options scan = job_scan_options(job);
	size_t columns = m->columns, rows = m->rows;

	job->code = define(m, job->q.set, &job->error);
	if (job->code != TN_OK)
		return;
	if (!m->has_form)
		m->form = tn_plot_unit(m->plot) == TN_GROUP_DURATION ? PLOT_HEAT : PLOT_LINE;
	if (m->form == PLOT_POINTS && m->utf8) {
		m->columns = columns * 2 < TN_PLOT_COLUMNS ? columns * 2 : TN_PLOT_COLUMNS;
		m->rows = rows * 4 < TN_PLOT_COLUMNS ? rows * 4 : TN_PLOT_COLUMNS;
	}
	tn_plot_remember(m->plot, m->memory);
	m->progress = scan.progress;
	scan.progress = on_progress;
	if (!tn_plot_remembers(m->plot, &scan, m->begin_ns, m->end_ns, m->columns)) {
		m->until_ns = m->of ? now_ns() + SOME_NS : 0;
		if (tn_plot_guess(m->plot, &scan, form_of(m), m->begin_ns, m->end_ns, m->columns, m->rows, &job->error) == TN_OK)
			show(job, !m->of, m->of);
		else
			m->next_ns = now_ns() + FIRST_NS;
		m->until_ns = 0;
		job->code = tn_plot_gather(m->plot, &scan, m->first_ns, m->last_ns, rows, &job->error);
	}
	if (job->code == TN_OK)
		job->code = tn_plot_run(m->plot, &scan, form_of(m), m->begin_ns, m->end_ns, m->columns, m->rows, &job->error);
	tn_plot_memory_free(m->memory);
	m->memory = tn_plot_memory(m->plot);
	if (job->code == TN_OK)
		show(job, false, false);
}

/* Whether a box of one plot fits the other, because cells and keys are the same. */
static bool
is_same_grid(const struct plot *p, const struct tn_plot *a, const struct tn_plot *b)
{
	size_t n = tn_plot_columns(a), rows = tn_plot_rows(a);
	double of_a[4], of_b[4];

	if (!a || n != tn_plot_columns(b) || rows != tn_plot_rows(b) || p->series >= tn_plot_series(b) ||
	    tn_plot_time(a, 0) != tn_plot_time(b, 0) || tn_plot_time(a, n) != tn_plot_time(b, n) ||
	    (tn_plot_key(a, p->series) && tn_answer_value_compare(tn_plot_key(a, p->series), tn_plot_key(b, p->series)) != 0))
		return false;
	tn_plot_limits(a, 0, &of_a[0], &of_a[1]);
	tn_plot_limits(b, 0, &of_b[0], &of_b[1]);
	tn_plot_limits(a, rows - 1, &of_a[2], &of_a[3]);
	tn_plot_limits(b, rows - 1, &of_b[2], &of_b[3]);
	return memcmp(of_a, of_b, sizeof of_a) == 0;
}

/* Take the newest picture of the job, if there is one. The cursor stays at its time. */
static bool
take(struct plot *p, struct making *m)
{
	int64_t at_ns = p->has_at ? p->at_ns : p->plot ? plot_time(p, p->column) : INT64_MIN;
	enum plot_form former = p->form;
	bool had = p->plot != NULL;
	struct tn_plot *picture;

	pthread_mutex_lock(&m->lock);
	picture = m->picture;
	m->picture = NULL;
	if (picture) {
		p->form = m->picture_form;
		p->is_guess = m->is_guess;
		p->is_part = m->is_part;
	}
	pthread_mutex_unlock(&m->lock);
	if (!picture)
		return false;
	p->boxing = p->boxing && p->form == former && is_same_grid(p, p->plot, picture);
	tn_plot_free(p->plot);
	p->plot = picture;
	p->of_spans = m->of != NULL;
	if (!p->chosen)
		p->wanted = p->form;
	if (p->series >= tn_plot_series(p->plot))
		p->series = 0;
	p->one = p->wants_one && p->form != PLOT_HEAT;
	/* The picture has more plots than expected, so each plot gets fewer rows. */
	p->stale |= plot_rows_each(p) >= 2 && m->rows_each != plot_rows_each(p);
	for (size_t c = 0; had && c < plot_columns(p); c++)
		if (plot_time(p, c) <= at_ns)
			p->column = c;
	if (p->column >= plot_columns(p))
		p->column = plot_columns(p) - 1;
	if (p->row >= plot_rows(p) || p->form != former)
		p->row = 0;
	return true;
}

static void
plot_end(struct job *job)
{
	struct making *m = job->data;
	struct plot *p = m->view;

	p->job = NULL;
	p->making = NULL;
	p->took_ns = now_ns() - p->begun_ns;
	free(p->instead);
	p->instead = NULL;
	if (job->code == TN_END) {
		p->instead = strdup(_("nothing to plot: no event or span has this value in this time"));
	} else if (job->code != TN_OK && job->code != TN_ERR_CANCELLED) {
		p->instead = line_safe_copy(job->error.text, strlen(job->error.text));
		session_fail(p->base.session, "%s", job->error.text);
	}
	take(p, m);
	p->has_at = false;
	tn_plot_memory_free(p->memory);
	p->memory = m->memory;
	m->memory = NULL;
}

static const struct job_class plot_class = {
	.label = N_("plotting"),
	.run = plot_run, .finish = plot_end, .cancelled = plot_end, .free = making_free,
};

/* ---- the window ---- */

static void
start(struct plot *p)
{
	struct session *s = p->base.session;
	struct making *m = calloc(1, sizeof *m);
	int cols = p->base.area.cols - PLOT_LABEL - 2;

	job_drop(p->job);
	p->job = NULL;
	p->making = NULL;
	if (!m)
		return;
	pthread_mutex_init(&m->lock, NULL);
	m->view = p;
	m->definition = strdup(s->answers.plot ? s->answers.plot : "");
	m->spans = strdup(s->answers.wish.spans ? s->answers.wish.spans : "");
	m->has_form = p->chosen;
	m->form = p->wanted;
	m->begin_ns = p->begin_ns;
	m->end_ns = p->end_ns;
	traces_times(&s->traces, &m->first_ns, &m->last_ns);
	m->last_ns += m->last_ns < INT64_MAX;
	m->columns = cols < 2 ? 2 : cols < TN_PLOT_COLUMNS ? (size_t)cols : TN_PLOT_COLUMNS;
	m->rows_each = plot_rows_of(p, p->wants_one && p->wanted != PLOT_HEAT);
	m->rows = m->rows_each < 2 ? 2 : (size_t)m->rows_each;
	m->utf8 = s->utf8;
	m->memory = tn_plot_memory_get(p->memory);
	p->grown_ns = m->last_ns;
	p->begun_ns = now_ns();
	if (!m->definition || !m->spans) {
		making_free(m);
		return;
	}
	p->job = job_start(s, &plot_class, m);
	p->making = p->job ? m : NULL;
}

static bool
plot_open(struct view *v, struct tn_error *err)
{
	const struct session *s = v->session;

	if (!s->traces.has_range) {
		strcpy(err->text, _("the traces have no times yet"));
		return false;
	}
	if (!s->answers.plot) {
		snprintf(err->text, sizeof err->text, "%s", _("choose a number: :plot FIELD, or P on a field in the details"));
		return false;
	}
	((struct plot *)v)->whole = ((struct plot *)v)->wants_one = true;
	return true;
}

static void
plot_close(struct view *v)
{
	struct plot *p = (struct plot *)v;

	job_drop(p->job);
	tn_plot_free(p->plot);
	tn_plot_memory_free(p->memory);
	free(p->instead);
}

static unsigned
plot_prepare(struct view *v)
{
	struct plot *p = (struct plot *)v;
	struct session *s = v->session;

	if (p->ready && !p->stale && p->query == s->asks.query && p->rows == v->area.rows && p->cols == v->area.cols)
		return VIEW_PASS;
	if (p->whole) {
		traces_times(&s->traces, &p->begin_ns, &p->end_ns);
		p->end_ns += p->end_ns < INT64_MAX;
	}
	p->ready = true;
	p->stale = false;
	p->query = s->asks.query;
	p->rows = v->area.rows;
	p->cols = v->area.cols;
	start(p);
	return VIEW_PASS;
}

/*
 * Make a new picture of growing traces each second, or after four times the time that the last one took; but not while
 * the user draws a box.
 */
static void
follow_growth(struct plot *p)
{
	const struct traces *t = &p->base.session->traces;
	int64_t first, last, wait = 4 * p->took_ns > SECOND ? 4 * p->took_ns : SECOND;

	if (!t->grows || p->job || p->boxing || now_ns() < p->begun_ns + wait)
		return;
	traces_times(t, &first, &last);
	p->stale |= last + (last < INT64_MAX) != p->grown_ns;
}

static unsigned
plot_turn(struct view *v)
{
	struct plot *p = (struct plot *)v;
	bool took = p->making && take(p, p->making);

	if (p->ready)
		follow_growth(p);
	return took || p->job || p->stale ? VIEW_REDRAW : VIEW_PASS;
}

static void
plot_status(struct view *v, struct line *out)
{
	static const char *const names[PLOT_FORMS] = { N_("heat map"), N_("line"), N_("steps"), N_("points") };
	const struct plot *p = (struct plot *)v;
	struct tn_span_counts spans = tn_plot_span_counts(p->plot);
	char n[32];

	if (!p->plot)
		return;
	line_puts_unsafe(out, STYLE_STATUS, tn_plot_value_name(p->plot));
	if (tn_plot_condition(p->plot)) {
		line_puts(out, STYLE_STATUS, " where ");
		line_puts_unsafe(out, STYLE_STATUS, tn_plot_condition(p->plot));
	}
	line_printf(out, STYLE_STATUS, ", %s", _(names[p->form]));
	if (p->is_guess || p->is_part)
		line_puts(out, STYLE_STATUS_NOTE, p->is_guess ? _(", samples so far") : _(", incomplete so far"));
	if (spans.of_state[TN_SPAN_DOUBTFUL] && strcmp(tn_plot_value_name(p->plot), "any_duration") != 0)
		line_printf(out, STYLE_STATUS_NOTE, _("  %s doubtful: events were lost"),
			    number_text(spans.of_state[TN_SPAN_DOUBTFUL], n));
	if (!p->one && plot_shown(p) < tn_plot_series(p->plot))
		line_printf(out, STYLE_STATUS, _(", %zu of %zu plots"), plot_shown(p), tn_plot_series(p->plot));
	if (tn_plot_left_out(p->plot))
		line_printf(out, STYLE_STATUS, ngettext(", %s value of others is left out", ", %s values of others are left out",
						       tn_plot_left_out(p->plot)), number_text(tn_plot_left_out(p->plot), n));
	if (tn_plot_not_finite(p->plot))
		line_printf(out, STYLE_STATUS, _(", %s infinite or not numbers"), number_text(tn_plot_not_finite(p->plot), n));
}

/* ---- keys ---- */

/* Zoom around the cursor, which stays at its place on the screen if the traces allow this. */
static unsigned
zoom(struct plot *p, double factor)
{
	const struct session *s = p->base.session;
	double span = ns_between(p->begin_ns, p->end_ns) * factor, at, begin, end, all;
	int64_t first, last;

	if (!p->plot)
		return VIEW_DONE;
	traces_times(&s->traces, &first, &last);
	all = ns_between(first, last) + 1;
	span = span < LEAST_NS ? LEAST_NS : span > all ? all : span;
	if (!p->has_at)
		p->at_ns = plot_time(p, p->column) + (plot_time(p, p->column + 1) - plot_time(p, p->column)) / 2;
	p->has_at = true;
	at = ns_between(first, p->at_ns);
	begin = at - span * ((double)p->column + 0.5) / (double)plot_columns(p);
	begin = begin < 0 ? 0 : begin > all - span ? all - span : begin;
	end = begin + span;
	p->begin_ns = first + (int64_t)begin;
	p->end_ns = first + (int64_t)end;
	p->whole = span >= all;
	p->stale = true;
	p->boxing = false;
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
move(struct plot *p, int64_t columns, int64_t rows)
{
	int64_t column = (int64_t)p->column + columns, row = (int64_t)p->row + rows, last;

	if (!p->plot)
		return VIEW_DONE;
	last = (int64_t)plot_columns(p) - 1;
	p->column = (size_t)(column < 0 ? 0 : column > last ? last : column);
	p->has_at = false;
	last = plot_is_cells(p->form) ? (int64_t)plot_rows(p) - 1 : 0;
	/* The next plot follows the last row. In a single plot, the next line is selected. */
	if (row < 0 && p->series + 1 < (p->one ? tn_plot_series(p->plot) : plot_shown(p)) && !p->boxing) {
		p->series++;
		row = last;
	} else if (row > last && p->series && !p->boxing) {
		p->series--;
		row = 0;
	}
	p->row = (size_t)(row < 0 ? 0 : row > last ? last : row);
	return VIEW_DONE | VIEW_REDRAW;
}

/* ---- the box ---- */

static void
say_number(struct tn_str *out, const struct plot *p, double v)
{
	tn_str_printf(out, fabs(v) < 9e15 && v == floor(v) ? "%.0f" : "%.17g", v);
	if (tn_plot_unit(p->plot) == TN_GROUP_DURATION)
		tn_str_puts(out, "ns");
}

/* Make the condition for the events or spans in the box. NULL: memory is out. */
static char *
condition_of_box(const struct plot *p)
{
	const char *name = tn_plot_value_name(p->plot);
	struct plot_box b = plot_box_of(p);
	const struct tn_answer_value *key = tn_plot_key(p->plot, p->series);
	struct tn_answer_value first, last;
	struct tn_str all = { 0 };
	char *text;

	if (tn_plot_condition(p->plot))
		tn_str_printf(&all, "(%s) and ", tn_plot_condition(p->plot));
	if (plot_is_cells(p->form)) {
		double from, to, other;

		plot_limits(p, b.first_row, &from, &other);
		plot_limits(p, b.last_row, &other, &to);
		tn_str_printf(&all, "%s >= ", name);
		say_number(&all, p, from);
		tn_str_printf(&all, " and %s < ", name);
		say_number(&all, p, to);
	} else {
		tn_str_printf(&all, "has(%s)", name);
	}
	if (key)
		tn_str_puts(&all, " and ");
	if (tn_plot_key_step(p->plot, p->series, &first, &last))
		expression_step(&all, tn_plot_key_name(p->plot), tn_plot_key_unit(p->plot), key, &first, &last);
	else if (key)
		expression_key(&all, tn_plot_key_name(p->plot), false, tn_plot_key_unit(p->plot), key);
	tn_str_printf(&all, " and %s >= @%" PRId64 " and %s < @%" PRId64, p->of_spans ? "begin" : "time",
		      plot_time(p, b.first_column), p->of_spans ? "begin" : "time", plot_time(p, b.last_column + 1));
	text = all.failed ? NULL : strdup(all.text);
	tn_str_release(&all);
	return text;
}

/* List the events or spans in the box, or compare them with the others. */
static unsigned
ask_of_box(struct plot *p, bool why)
{
	struct session *s = p->base.session;
	char *condition = condition_of_box(p), *spans;

	if (!why && !p->of_spans) {
		p->boxing = false;
		return view_request_text(&p->base, REQUEST_FILTER, condition);
	}
	spans = p->of_spans && s->answers.wish.spans ? strdup(s->answers.wish.spans) : NULL;
	if (condition && (spans || !p->of_spans)) {
		if (why)
			wish_why(s, spans, NULL, condition);
		else
			wish_for(s, ANSWER_SPANS, spans, NULL, NULL, condition);
	}
	free(condition);
	free(spans);
	return view_request_answer(&p->base);
}

static unsigned
begin_box(struct plot *p)
{
	p->boxing = p->plot && !p->boxing;
	p->box_column = p->column;
	p->box_row = p->row;
	if (p->boxing)
		session_say(p->base.session, "%s", _("a box begins here: move, then press Enter to list its events or spans"));
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
change_form(struct plot *p, enum plot_form form)
{
	p->wanted = form;
	p->chosen = p->stale = true;
	p->boxing = false;
	return VIEW_DONE | VIEW_REDRAW;
}

static unsigned
plot_act(struct view *v, const struct call *call)
{
	struct plot *p = (struct plot *)v;
	int64_t n = call->count && call->count < 100000 ? (int64_t)call->count : 1;

	switch (call->action) {
	case ACT_LEFT: return move(p, -n, 0);
	case ACT_RIGHT: return move(p, n, 0);
	case ACT_EVENT_NEXT: return move(p, 0, -n);
	case ACT_EVENT_PREVIOUS: return move(p, 0, n);
	case ACT_PAGE_DOWN:
	case ACT_HALF_DOWN: return move(p, 10 * n, 0);
	case ACT_PAGE_UP:
	case ACT_HALF_UP: return move(p, -10 * n, 0);
	case ACT_FIRST: return move(p, -100000, 0);
	case ACT_LAST: return move(p, 100000, 0);
	case ACT_ZOOM_IN: return zoom(p, 0.5);
	case ACT_ZOOM_OUT: return zoom(p, 2);
	case ACT_SORT: return change_form(p, (enum plot_form)((p->wanted + 1) % PLOT_FORMS));
	case ACT_PANE_MAXIMISE:
		p->wants_one = !p->wants_one;
		return change_form(p, p->wanted);
	case ACT_SELECT: return begin_box(p);
	case ACT_ESCAPE:
		if (!p->boxing)
			return VIEW_PASS;
		p->boxing = false;
		return VIEW_DONE | VIEW_REDRAW;
	case ACT_WHY: return p->plot ? ask_of_box(p, true) : VIEW_DONE;
	case ACT_OPEN:
		if (!p->plot)
			return VIEW_DONE;
		if (p->boxing)
			return ask_of_box(p, false);
		return view_request_time(v, plot_time(p, p->column) > v->session->traces.begin_ns ?
					    plot_time(p, p->column) : v->session->traces.begin_ns);
	default: return VIEW_PASS;
	}
}

/* A press selects a cell, and a drag draws a box. */
static unsigned
plot_point(struct view *v, int row, int col, bool drag, bool end)
{
	struct plot *p = (struct plot *)v;
	int each = plot_rows_each(p), heading = p->plot && tn_plot_key_name(p->plot) && !p->one;
	int series = each + heading > 0 ? (row - 1) / (each + heading) : 0, at = row - 1 - series * (each + heading) - heading;

	(void)end;
	if (!p->plot || row < 1 || at < 0 || (size_t)series >= plot_shown(p))
		return VIEW_DONE;
	if (drag && !p->boxing)
		begin_box(p);
	if (!drag)
		p->boxing = false;
	if (!p->one && !p->boxing)
		p->series = (size_t)series;
	p->column = p->row = 0;
	return move(p, col - PLOT_LABEL - 1, plot_is_cells(p->form) ? each - 1 - at : 0);
}

static bool
plot_command(struct view *v, void (*word)(void *user, const char *word), void *user)
{
	static const char *const names[PLOT_FORMS] = { "--plot-as=heat", "--plot-as=line", "--plot-as=steps", "--plot-as=points" };
	const struct plot *p = (struct plot *)v;
	const struct answer_asks *asks = &v->session->answers;

	if (!p->plot)
		return false;
	word(user, "--plot");
	word(user, asks->plot);
	word(user, names[p->form]);
	if (p->of_spans) {
		word(user, "--spans");
		word(user, asks->wish.spans);
	}
	return true;
}

const struct view_class plot_view = {
	.command = plot_command,
	.name = "plot",
	.title = N_("a number over time"),
	.hint = N_("Enter goes there  + - zoom  Tab form  V box  q back"),
	.size = sizeof(struct plot),
	.open = plot_open,
	.close = plot_close,
	.prepare = plot_prepare,
	.draw = plot_draw,
	.turn = plot_turn,
	.point = plot_point,
	.act = plot_act,
	.status = plot_status,
};
